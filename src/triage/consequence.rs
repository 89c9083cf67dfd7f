//! What a verdict puts into which files: a pin, an open question, a replay line taken out again, and always a record.

use crate::edit::{Edits, TextEdit};
use crate::framework::{CATALOGUE, Framework};
use crate::inbox::Filed;
use crate::pin::{Part, PartKind, Pin, Refusal};
use crate::source_tree::SourceTree;
use crate::span::Span;
use crate::verdict::{Decision, Verdict};

use super::record::{self, Hand};
use super::spec::{self, Spec};
use super::texts::{Change, Ground, Head, Reach};

/// What consequences are worked out from.
pub(super) struct Desk<'a> {
    pub(super) tree: &'a dyn SourceTree,
    pub(super) spec: &'a Spec<'a>,
    pub(super) hand: &'a Hand,
}

/// What a verdict on one failure comes to.
pub(super) struct Consequence<'a> {
    /// Changes to files; the record is the last.
    pub(super) changes: Vec<Change<'a>>,
    /// The pin, for a real bug.
    pub(super) pin: Option<Pin>,
    /// What could not be done as well as one would wish, and why.
    pub(super) reason: Option<String>,
}

/// The framework that reported a failure.
pub(super) fn framework_of(filed: &Filed) -> Option<&'static dyn Framework> {
    CATALOGUE.iter().copied().find(|framework| framework.name() == filed.failure.framework.0)
}

impl Desk<'_> {
    /// Works out what `verdict` on `filed` comes to.
    ///
    /// # Errors
    /// The reason where nothing of it can be written.
    pub(super) fn consequence<'a>(&'a self, filed: &'a Filed, verdict: Verdict) -> Result<Consequence<'a>, Refusal> {
        let framework = framework_of(filed).ok_or_else(|| unknown_framework(filed))?;
        if !filed.candidates.is_empty() {
            return Err(undecided_property(filed));
        }
        let mut consequence = match verdict {
            Verdict::RealBug => self.pinned(filed, framework)?,
            Verdict::AmbiguousSpec => self.asked(filed),
            Verdict::WrongProperty => self.forgotten(filed, framework),
        };
        let decision = record::decision(filed, verdict, consequence.pin.as_ref(), self.hand);
        consequence.changes.push(recorded(filed, decision)?);
        Ok(consequence)
    }

    fn pinned<'a>(&self, filed: &'a Filed, framework: &'static dyn Framework) -> Result<Consequence<'a>, Refusal> {
        let pin = framework.pin(&filed.failure, filed.requirement.as_ref(), self.tree, self.hand.today())?;
        let changes = pin.parts.iter().map(|part| placed(framework, pin.clone(), part.clone())).collect();
        Ok(Consequence { changes, reason: pin.reason.clone(), pin: Some(pin) })
    }

    fn asked<'a>(&'a self, filed: &'a Filed) -> Consequence<'a> {
        let Some(requirement) = &filed.requirement else {
            let reason =
                "the property cites no requirement of the spec, so the question stands in the decision record alone";
            return Consequence { changes: Vec::new(), pin: None, reason: Some(reason.to_owned()) };
        };
        let Some((file, _)) = self.spec.get(requirement) else {
            let reason =
                format!("{requirement} is in no spec file, so the question stands in the decision record alone");
            return Consequence { changes: Vec::new(), pin: None, reason: Some(reason) };
        };
        let change = Change {
            file: file.clone(),
            reach: Reach::Both,
            ground: Ground::Changed,
            edit: Box::new(move |text| spec::ask(text, requirement, filed, self.hand.today())),
            head: None,
        };
        Consequence { changes: vec![change], pin: None, reason: None }
    }

    fn forgotten<'a>(&self, filed: &Filed, framework: &'static dyn Framework) -> Consequence<'a> {
        let change = framework.forget(&filed.failure, self.tree).map(|(file, forget)| Change {
            file,
            reach: Reach::WorkTree,
            ground: Ground::Changed,
            edit: Box::new(move |text| Ok(forget(text))),
            head: None,
        });
        Consequence { changes: change.into_iter().collect(), pin: None, reason: None }
    }
}

fn undecided_property(filed: &Filed) -> Refusal {
    let (id, names) = (&filed.id.0, filed.candidates.join(", "));
    Refusal(format!("it fits more than one property ({names}); `redpin choose {id} PROPERTY` says which it is of"))
}

fn unknown_framework(filed: &Filed) -> Refusal {
    Refusal(format!("this redpin does not know the framework {:?}; import the run again", filed.failure.framework.0))
}

fn placed<'a>(framework: &'static dyn Framework, pin: Pin, part: Part) -> Change<'a> {
    let (ground, head): (_, Option<Head<'a>>) = match part.kind {
        PartKind::Test => (Ground::Original, None),
        PartKind::ReplayLine => (Ground::Changed, Some(Box::new(|text| framework.head_of_replays(text).to_owned()))),
    };
    let file = part.file.clone();
    let edit = Box::new(move |text: &[u8]| framework.place(&pin, &part, text));
    Change { file, reach: Reach::Both, ground, edit, head }
}

fn recorded<'a>(filed: &Filed, decision: Decision) -> Result<Change<'a>, Refusal> {
    let file =
        record::path(filed).ok_or_else(|| Refusal("the failure has no name that could name a file".to_owned()))?;
    let name = file.clone();
    let edit = move |text: &[u8]| match record::read(text) {
        Some(old) if record::says_the_same(&old, &decision) => Ok(Edits::new()),
        None if !text.is_empty() => {
            Err(Refusal(format!("expected a decision record in {name}, found something else; move it away")))
        }
        _ => Ok(Edits::from(TextEdit { span: Span::new(0, text.len()), insert: record::text(&decision) })),
    };
    Ok(Change { file, reach: Reach::Both, ground: Ground::Changed, edit: Box::new(edit), head: None })
}
