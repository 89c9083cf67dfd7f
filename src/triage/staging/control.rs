//! Negative controls: which tests a property has, and the record of a control, staged like any other consequence.

use sha2::{Digest, Sha256};

use crate::control::Control;
use crate::edit::{Edits, TextEdit};
use crate::failure::TestName;
use crate::hex::hex;
use crate::proof::StandingPin;
use crate::repo_path::RepoPath;
use crate::span::Span;
use crate::triage::records::cut::{self, cut};
use crate::triage::select::is_end;
use crate::triage::{Triage, TriageError};
use crate::visible;

use super::files::Recorded;

/// The folder of all records of controls, from the top of the work tree.
const FOLDER: &str = ".redpin/controls";

/// Longest part of a property's name in a file name.
const LONGEST_NAME: usize = 80;

impl Triage {
    /// The tests of the property that a user calls `name`, its own first and then its pins. Nothing is on record of why
    /// its own should fail.
    ///
    /// # Errors
    /// Where the name means none that is pinned or in the inbox, or more than one.
    pub fn tests_of(&self, name: &str) -> Result<Vec<StandingPin>, TriageError> {
        let pins = self.standing_pins(&[])?;
        let is_called = |test: &TestName| !name.is_empty() && is_end(&test.0, name);
        let of_inbox = self.inbox().filed().iter().filter(|filed| is_called(&filed.failure.test) && !filed.pin_failed);
        let of_inbox = of_inbox.map(|filed| StandingPin {
            failure: filed.id.0.clone(),
            framework: filed.failure.framework.clone(),
            package: filed.failure.package.clone(),
            property: filed.failure.test.clone(),
            test: None,
            file: filed.file.clone(),
            replay: None,
            files: Vec::new(),
            message: String::new(),
            counterexample: String::new(),
            makes_value: false,
        });
        let own: Vec<StandingPin> = pins.iter().filter(|pin| is_called(&pin.property)).cloned().collect();
        let mut known: Vec<StandingPin> = own.iter().cloned().chain(of_inbox).collect();
        known.sort_by(|a, b| key(a).cmp(&key(b)));
        known.dedup_by(|a, b| key(a) == key(b));
        match &known[..] {
            [] => Err(TriageError::NoProperty(name.to_owned())),
            [one] => {
                let property = StandingPin {
                    test: None,
                    replay: None,
                    files: Vec::new(),
                    message: String::new(),
                    counterexample: String::new(),
                    ..one.clone()
                };
                Ok(std::iter::once(property).chain(own.into_iter().filter(|pin| pin.test.is_some())).collect())
            }
            several => Err(TriageError::Ambiguous {
                text: name.to_owned(),
                meant: several.iter().map(|one| format!("{}  {}", one.failure, one.property)).collect(),
            }),
        }
    }

    /// Stages the record of a control, said to be by whoever is at work here, as one operation.
    ///
    /// # Errors
    /// Where git, the disk or the inbox refuses; nothing has changed then.
    pub fn record_control(&mut self, control: Control) -> Result<Recorded, TriageError> {
        let control = Control {
            who: self.hand().who().name().to_owned(),
            patch: cut(control.patch, cut::OF_RECORD),
            message: cut(control.message, cut::OF_RECORD),
            ..control
        };
        let Some(file) = path(&control) else {
            return Ok(Recorded::Refused("the property has no name that could name a file".to_owned()));
        };
        let property = TestName(control.property.clone());
        let title = format!("record a control of {}", property.function());
        self.stage_file(title, file, Box::new(move |text| Ok(edit(text, &control))))
    }
}

/// What tells one property from another.
fn key(pin: &StandingPin) -> (&str, &str, Option<&RepoPath>) {
    (&pin.framework.0, &pin.property.0, pin.file.as_ref())
}

/// Where the record of a control goes: the same patch on the same property has the same file on every branch.
fn path(control: &Control) -> Option<RepoPath> {
    let package = control.package.as_deref().unwrap_or_default();
    let what = [&control.framework, package, &control.property, &control.digest].join("\0");
    let digest = hex(&Sha256::digest(what)[..4]);
    let function = TestName(control.property.clone());
    let word = |c: &char| c.is_ascii_alphanumeric() || *c == '_';
    let name: String = function.function().chars().filter(word).take(LONGEST_NAME).collect();
    RepoPath::new(&format!("{FOLDER}/{}-{name}.json", &digest[..7]))
}

/// The whole of the file, unless it says the same already, whoever said it when.
fn edit(text: &[u8], control: &Control) -> Edits {
    let timeless = |control: &Control| Control {
        who: String::new(),
        when: String::new(),
        commit: String::new(),
        ..control.clone()
    };
    let old = serde_json::from_slice::<Control>(text).ok();
    if old.is_some_and(|old| timeless(&old) == timeless(control)) {
        return Edits::new();
    }
    let json = serde_json::to_string_pretty(control).unwrap_or_default();
    let insert = format!("{}\n", visible::json(&json)).into_bytes();
    TextEdit { span: Span::new(0, text.len()), insert }.into()
}
