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
use crate::triage::select::{self, Named};
use crate::triage::{Triage, TriageError};
use crate::visible;

use super::files::Recorded;

/// The folder of all records of controls, from the top of the work tree.
const FOLDER: &str = ".redpin/controls";

/// Longest part of a property's name in a file name.
const LONGEST_NAME: usize = 80;

impl Triage {
    /// The tests of the property that a user calls `name`, by it or by the id of a failure of it: its own first and then its
    /// pins. Nothing is on record of why its own should fail.
    ///
    /// # Errors
    /// Where the name means none that is pinned or in the inbox, or more than one.
    pub fn tests_of(&self, name: &str) -> Result<Vec<StandingPin>, TriageError> {
        let pins = self.standing_pins(&[])?;
        let of_inbox = self.inbox().filed().iter().filter(|filed| !filed.pin_failed);
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
        let of_failed = self.failed_pins(&pins).into_iter();
        let of_failed = of_failed.map(|(id, at)| StandingPin { failure: id.0, ..pins[at].clone() });
        let known: Vec<StandingPin> = pins.iter().cloned().chain(of_inbox).chain(of_failed).collect();
        match &meant(known, name)[..] {
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
                let own = pins.into_iter().filter(|pin| key(pin) == key(one) && pin.test.is_some());
                Ok(std::iter::once(property).chain(own).collect())
            }
            several => Err(TriageError::Ambiguous {
                text: name.to_owned(),
                meant: several.iter().map(|one| named(one).to_string()).collect(),
            }),
        }
    }

    /// The property of the failure that a user means by the beginning of an id, as a name that means it wherever properties are
    /// named; any other name as it is.
    pub fn property_called(&self, name: &str) -> Result<String, TriageError> {
        let tests = match self.tests_of(name) {
            Err(TriageError::NoProperty(_)) => return Ok(name.to_owned()),
            tests => tests,
        };
        let is_id = |one: &StandingPin| one.failure.starts_with(name);
        match tests.as_deref().map(<[_]>::first) {
            Ok(Some(one)) if is_id(one) => Ok(match &one.file {
                Some(file) => format!("{file}::{}", one.property.0),
                None => one.property.0.clone(),
            }),
            _ => Ok(name.to_owned()),
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

/// Those of `known` whose property is meant by `name`, one of each property.
fn meant(known: Vec<StandingPin>, name: &str) -> Vec<StandingPin> {
    let names: Vec<Named<'_>> = known.iter().map(named).collect();
    let mut meant: Vec<StandingPin> = select::meant(&names, name).into_iter().map(|at| known[at].clone()).collect();
    meant.sort_by(|a, b| key(a).cmp(&key(b)));
    meant.dedup_by(|a, b| key(a) == key(b));
    meant
}

/// What a property is called by: its pins' names mean it as well.
fn named(pin: &StandingPin) -> Named<'_> {
    let (other, file) = (pin.test.as_ref().map(|test| test.0.as_str()), pin.file.as_ref().map(RepoPath::as_str));
    Named { id: &pin.failure, test: &pin.property.0, other, file }
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

#[cfg(test)]
mod tests {
    use super::meant;
    use crate::proof::StandingPin;
    use crate::proof::testing::blank_pin;
    use crate::repo_path::RepoPath;

    #[test]
    fn a_property_is_meant_by_its_name_and_by_the_id_of_a_failure() {
        let pin = |failure: &str, property: &str, file: &str| StandingPin {
            failure: failure.to_owned(),
            file: RepoPath::new(file),
            ..blank_pin("any", property)
        };
        let known = [
            pin("64b2", "multiplies", "tests/double.rs"),
            pin("64b3", "multiplies", "tests/double.rs"),
            pin("ecf9", "multiplies", "tests/triple.rs"),
            pin("6a11", "tests::multiplies", "src/lib.rs"),
            pin("77aa", "tests::rounds", "src/lib.rs"),
        ];
        let check = |name: &str, expected: &[&str]| {
            let found = meant(known.to_vec(), name);
            assert_eq!(found.iter().map(|one| one.failure.as_str()).collect::<Vec<_>>(), expected, "{name}");
        };
        check("64b3", &["64b3"]);
        check("64b", &["64b2"]);
        check("ecf", &["ecf9"]);
        check("multiplies", &["64b2", "ecf9"]);
        check("tests::multiplies", &["6a11"]);
        check("tests/triple.rs::multiplies", &["ecf9"]);
        check("lib.rs::multiplies", &["6a11"]);
        check("rounds", &["77aa"]);
        check("ounds", &[]);
        check("", &[]);
    }
}
