//! What a verdict puts into which files: a pin, an open question, a replay line taken out again, and always a record,
//! which comes last as it says what became of the rest.

use crate::edit::{Edits, TextEdit};
use crate::failure::{Ending, Replay};
use crate::framework::{self, Framework, ReplayFiles};
use crate::inbox::Filed;
use crate::pin::{Part, PartKind, Pin, Refusal};
use crate::repo_path::RepoPath;
use crate::source_tree::{Overlaid, SourceTree};
use crate::span::Span;
use crate::triage::case::case;
use crate::triage::records::record::{self, Hand};
use crate::triage::spec::{self, Spec};
use crate::verdict::{Decision, Verdict};

use super::texts::{Change, Ground, Head, IsBare, Reach};
use super::wish::{Choice, Wish};

/// What consequences are worked out from.
pub(super) struct Desk<'a> {
    pub(super) tree: &'a dyn SourceTree,
    pub(super) spec: &'a Spec<'a>,
    pub(super) hand: &'a Hand<'a>,
}

/// What a verdict on one failure comes to.
pub(super) struct Consequence<'a> {
    /// Changes to files, the record aside.
    pub(super) changes: Vec<Change<'a>>,
    /// The pin, for a real bug.
    pub(super) pin: Option<Pin>,
    /// What could not be done as well as one would wish, and why.
    pub(super) reason: Option<String>,
}

impl Desk<'_> {
    /// Works out what a verdict on a failure comes to, the record aside.
    ///
    /// # Errors
    /// The reason where nothing of it can be written.
    pub(super) fn consequence<'a>(&'a self, wish: &'a Wish) -> Result<Consequence<'a>, Refusal> {
        let filed = wish.filed.as_ref();
        let framework = framework::named(&filed.failure.framework).ok_or_else(|| unknown_framework(filed))?;
        if !filed.candidates.is_empty() {
            return Err(undecided_property(filed));
        }
        match wish.verdict {
            Verdict::RealBug if filed.pin_failed => {
                Ok(on_record("it is a pin itself: it stays, and the bug it holds is back or was never mended"))
            }
            Verdict::WrongProperty if filed.pin_failed => Ok(on_record(
                "the pin stays in its source: whoever corrects the property corrects it too, or takes it out",
            )),
            Verdict::RealBug if filed.failure.ending == Ending::Aborted => Ok(on_record(NO_INPUT)),
            Verdict::RealBug => self.pinned(filed, framework, &wish.choice),
            Verdict::AmbiguousSpec => Ok(self.asked(filed)),
            Verdict::WrongProperty => Ok(self.forgotten(filed, framework)),
        }
    }

    /// The record of a wish's verdict, which names those files of its pin that are not `left_out`, and the properties whose
    /// pins have `shared` its cause.
    ///
    /// # Errors
    /// The reason where it can have no file.
    pub(super) fn record<'a>(
        &self,
        wish: &Wish,
        pin: Option<&Pin>,
        shared: &[String],
        left_out: impl Fn(&RepoPath) -> bool,
    ) -> Result<Change<'a>, Refusal> {
        let filed = wish.filed.as_ref();
        let mut decision = record::decision(filed, wish.verdict, pin, self.hand);
        if let (Some(pin), Some(told)) = (pin, &mut decision.pin) {
            let files = pin.parts.iter().map(|part| &part.file).filter(|file| !left_out(file));
            told.files = files.map(|file| file.as_str().to_owned()).collect();
            told.proof = wish.choice.evidence().map(|evidence| record::proof(evidence, shared));
        }
        recorded(filed, decision)
    }

    fn pinned<'a>(
        &'a self,
        filed: &'a Filed,
        framework: &'static dyn Framework,
        choice: &Choice,
    ) -> Result<Consequence<'a>, Refusal> {
        let pin = match choice {
            Choice::Planned => framework.pin(&case(filed, self.tree, self.hand.today()))?,
            Choice::Pin(pin, _) => pin.as_ref().clone(),
            Choice::Held(held) => return Err(Refusal(held.reason.clone())),
        };
        let changes = pin.parts.iter().map(|part| self.placed(filed, framework, &pin, part)).collect();
        Ok(Consequence { changes, reason: pin.reason.clone(), pin: Some(pin) })
    }

    fn placed<'a>(&'a self, filed: &'a Filed, framework: &'static dyn Framework, pin: &Pin, part: &Part) -> Change<'a> {
        let (file, pin, part) = (part.file.clone(), pin.clone(), part.clone());
        if part.kind == PartKind::ReplayLine {
            let head = |files: &'static dyn ReplayFiles| -> Head<'a> { Box::new(|text| files.head(text).to_owned()) };
            let edit = Box::new(move |text: &[u8]| framework.place(&pin, &part, text));
            return Change { head: framework.replay_files().map(head), ..Change::of(file, Ground::Changed, edit) };
        }
        let ground = match part.kind {
            PartKind::Value => Some(Ground::Original),
            PartKind::Example => Some(Ground::Grown),
            PartKind::Fixture => Some(Ground::Changed),
            PartKind::Test | PartKind::ReplayLine => None,
        };
        if let Some(ground) = ground {
            let edit = Box::new(move |text: &[u8]| framework.place(&pin, &part, text));
            return Change::of(file, ground, edit);
        }
        let test = pin.test.clone();
        let edit = Box::new(move |text: &[u8]| match self.own_test(filed, framework, &part, text) {
            Some((pin, part)) => framework.place(&pin, &part, text),
            None => framework.place(&pin, &part, text),
        });
        Change { test, ..Change::of(file, Ground::Original, edit) }
    }

    /// The test of a version that differs from the work tree's: it says what the property says there, so that no line that
    /// is not staged comes into the index with it. `chosen` stays where it is not the test that would be planned.
    fn own_test(
        &self,
        filed: &Filed,
        framework: &'static dyn Framework,
        chosen: &Part,
        text: &[u8],
    ) -> Option<(Pin, Part)> {
        let file = &chosen.file;
        if self.tree.read(file).is_none_or(|worked| *worked == *text) {
            return None;
        }
        let planned = |tree: &dyn SourceTree| {
            let pin = framework.pin(&case(filed, tree, self.hand.today())).ok()?;
            let part = pin.parts.iter().find(|part| part.kind == PartKind::Test && part.file == *file)?.clone();
            Some((pin, part))
        };
        if planned(self.tree).is_none_or(|(_, part)| part != *chosen) {
            return None;
        }
        planned(&Overlaid { tree: self.tree, files: &[(file.clone(), text.to_owned())] })
    }

    fn asked<'a>(&'a self, filed: &'a Filed) -> Consequence<'a> {
        let Some(requirement) = &filed.requirement else {
            let reason =
                "the property cites no requirement of the spec, so the question stands in the decision record alone";
            return Consequence { changes: Vec::new(), pin: None, reason: Some(reason.to_owned()) };
        };
        let Some((file, _)) = self.spec.get(requirement, filed.file.as_ref()) else {
            let reason =
                format!("{requirement} is in no spec file, so the question stands in the decision record alone");
            return Consequence { changes: Vec::new(), pin: None, reason: Some(reason) };
        };
        let edit = Box::new(move |text: &[u8]| spec::ask(text, requirement, filed, self.hand.today()));
        let others: Vec<&str> = self.spec.others(requirement, file).map(RepoPath::as_str).collect();
        let reason = (!others.is_empty()).then(|| {
            format!("{requirement} stands in {} as well; the question is asked in {file} alone", others.join(" and "))
        });
        Consequence { changes: vec![Change::of(file.clone(), Ground::Changed, edit)], pin: None, reason }
    }

    fn forgotten<'a>(&self, filed: &Filed, framework: &'static dyn Framework) -> Consequence<'a> {
        let change = framework.replay_files().and_then(|files| {
            let (file, forget) = files.forget(&filed.failure, self.tree)?;
            let edit = Box::new(move |text: &[u8]| Ok(forget(text)));
            let is_bare: IsBare<'a> = Box::new(|text| files.is_bare(text));
            Some(Change { reach: Reach::WorkTree, is_bare: Some(is_bare), ..Change::of(file, Ground::Changed, edit) })
        });
        let is_unnamed = change.is_none() && filed.failure.replay == Replay::Replayed;
        let reason = is_unnamed.then_some(
            "where a kept line replays it, the run does not say which, and no line is taken out; one that nobody wants any \
             more has to be deleted by hand",
        );
        Consequence { changes: change.into_iter().collect(), pin: None, reason: reason.map(str::to_owned) }
    }
}

/// Why a property that was given up gets no pin.
const NO_INPUT: &str = "it is on record without a pin: the run was given up without an input that breaks the property; run it \
                        again with other limits for one";

/// A verdict that changes nothing but its record, and why.
fn on_record<'a>(reason: &str) -> Consequence<'a> {
    Consequence { changes: Vec::new(), pin: None, reason: Some(reason.to_owned()) }
}

fn undecided_property(filed: &Filed) -> Refusal {
    let (id, names) = (&filed.id.0, filed.candidates.join(", "));
    Refusal(format!("it fits more than one property ({names}); `redpin choose {id} PROPERTY` says which it is of"))
}

fn unknown_framework(filed: &Filed) -> Refusal {
    Refusal(format!("this redpin does not know the framework {:?}; import the run again", filed.failure.framework.0))
}

fn recorded<'a>(filed: &Filed, decision: Decision) -> Result<Change<'a>, Refusal> {
    let file = record::path(filed).ok_or_else(|| {
        Refusal("expected a test name that can name the record's file, found one without letters and digits".to_owned())
    })?;
    let name = file.clone();
    let edit = move |text: &[u8]| match record::read(text) {
        Ok(old) if record::says_the_same(&old, &decision) => Ok(Edits::new()),
        Err(why) if !text.is_empty() => Err(Refusal(format!("{name} {why}"))),
        old => {
            let decision = decision.clone();
            let decision = if let Ok(old) = old { decision.after(old) } else { decision };
            Ok(Edits::from(TextEdit { span: Span::new(0, text.len()), insert: record::text(&decision) }))
        }
    };
    Ok(Change::of(file, Ground::Changed, Box::new(edit)))
}
