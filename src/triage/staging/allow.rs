//! The record by which a person allows that a property or a requirement asks less, where no failure of it is at hand.

use sha2::{Digest, Sha256};

use crate::edit::{Edits, TextEdit};
use crate::failure::TestName;
use crate::hex::hex;
use crate::pin::Refusal;
use crate::repo_path::RepoPath;
use crate::span::Span;
use crate::triage::records::record;
use crate::triage::{Recorded, Triage, TriageError};
use crate::verdict::{Decision, Verdict};

/// What may ask less.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Subject {
    /// The framework of the property; empty of a requirement.
    pub framework: String,
    /// Full test name; empty of a requirement, and of a whole file.
    pub property: String,
    /// The file that holds it, or that is meant.
    pub file: Option<RepoPath>,
    /// The requirement, where that is meant.
    pub requirement: Option<String>,
}

impl Subject {
    /// What it is called.
    pub fn name(&self) -> &str {
        let file = self.file.as_ref().map_or("", RepoPath::as_str);
        let own = if self.property.is_empty() { file } else { &self.property };
        self.requirement.as_deref().unwrap_or(own)
    }
}

impl Triage {
    /// Stages the record that `subject` may ask less, for the reason `why`, said to be by whoever is at work here: a decision
    /// without a failure, as one operation.
    ///
    /// # Errors
    /// Where git, the disk or the inbox refuses; nothing has changed then.
    pub fn allow(&mut self, subject: &Subject, why: &str) -> Result<Recorded, TriageError> {
        let named = subject.name();
        let verdict = if subject.requirement.is_some() { Verdict::AmbiguousSpec } else { Verdict::WrongProperty };
        let id = hex(&Sha256::digest(["allow", &subject.framework, named].join("\0"))[..6]);
        let name = TestName(named.to_owned());
        let Some(file) = record::path_called(&id, name.function()) else {
            return Ok(Recorded::Refused("it has no name that could name a file".to_owned()));
        };
        let decision = Decision {
            schema: record::SCHEMA,
            failure: id,
            verdict,
            who: self.hand().who().name().to_owned(),
            when: self.now(),
            why: why.to_owned(),
            framework: subject.framework.clone(),
            package: None,
            property: subject.property.clone(),
            file: subject.file.as_ref().map(RepoPath::to_string),
            requirement: subject.requirement.clone(),
            counterexample: String::new(),
            message: String::new(),
            run: String::new(),
            pin: None,
            before: Vec::new(),
        };
        let title = format!("allow that {} asks less", name.function());
        let own = file.clone();
        self.stage_file(title, file, Box::new(move |text| recorded(text, &own, &decision)))
    }
}

/// The whole of the record's file, with what was decided before.
fn recorded(text: &[u8], file: &RepoPath, decision: &Decision) -> Result<Edits, Refusal> {
    let decision = match record::read(text) {
        Ok(old) if old == *decision => return Ok(Edits::new()),
        Ok(old) => decision.clone().after(old),
        Err(why) if !text.is_empty() => return Err(Refusal(format!("{file} {why}"))),
        Err(_) => decision.clone(),
    };
    Ok(Edits::from(TextEdit { span: Span::new(0, text.len()), insert: record::text(&decision) }))
}
