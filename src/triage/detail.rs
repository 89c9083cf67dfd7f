//! What the faces show of one failure beside its row: the property's source, the requirement, what is known from before.

use std::sync::{Arc, PoisonError};

use crate::cause::{Tie, ties};
use crate::detail::{Detail, Hint, Preview};
use crate::failure::{Argument, Failure, Replay};
use crate::framework;
use crate::git::{self, Repository, Write};
use crate::inbox::{FailureId, Filed, Inbox};
use crate::pin::Rung;
use crate::proof::Evidence;

use crate::repo_path::RepoPath;
use crate::source_tree::SourceTree;
use crate::store::{evidence, suggestions};
use crate::suggestion::Suggestion;
use crate::triage::records::record::Records;
use crate::triage::staging::pins;
use crate::triage::staging::plan::Outcome;
use crate::triage::staging::wish::{Choice, Ignored, Wish};
use crate::value::Value;
use crate::verdict::{Decision, Verdict};

use super::spec::Spec;
use super::{Triage, TriageError, hints};

impl Triage {
    /// All that is known of a failure; nothing where the inbox has none of that name.
    pub fn detail(&self, id: &FailureId) -> Detail {
        let Some(filed) = self.inbox().get(id) else { return Detail::default() };
        let mut detail = detail(filed, &self.repository.work_tree(), Some(&self.repository));
        detail.hints.extend(tied(filed, self.inbox(), &self.evidence()));
        // What cannot be read is no reason to show nothing of a failure.
        detail.suggestions = suggestions::of(&self.store_folder(), &id.0).unwrap_or_default();
        detail
    }

    /// Keeps what somebody suggests about a failure, in `answer`. Nothing else changes.
    ///
    /// # Errors
    /// Where it is no suggestion, or cannot be written.
    pub fn suggest(&self, id: &FailureId, answer: &[u8]) -> Result<Suggestion, TriageError> {
        let suggestion = Suggestion::read(answer, &id.0, &self.now()).map_err(TriageError::NoSuggestion)?;
        suggestions::keep(&self.store_folder(), &suggestion)?;
        Ok(suggestion)
    }

    /// What running pins showed, read again where there is more of it by now.
    pub(super) fn evidence(&self) -> Arc<Vec<Evidence>> {
        let folder = self.store_folder();
        let mut known = self.evidence.lock().unwrap_or_else(PoisonError::into_inner);
        let length = evidence::length(&folder);
        if known.0 != length {
            // Hints are no reason to show nothing of a failure.
            *known = (length, Arc::new(evidence::newest(&folder).unwrap_or_default()));
        }
        known.1.clone()
    }

    /// What staging `verdict` on a failure would write. Writes nothing.
    pub fn preview(&self, id: &FailureId, verdict: Verdict) -> Preview {
        let Some(filed) = self.inbox().get(id) else { return Preview::default() };
        if let Some(rung) = self.stands(filed, verdict) {
            return Preview { rung: Some(rung), already: true, ..Preview::default() };
        }
        let wish = Wish { filed: filed.clone(), verdict, choice: Choice::default() };
        let plan = match self.plan(&[wish], Ignored::LeaveOut) {
            Ok(plan) => plan,
            Err(error) => return Preview { refusal: Some(error.to_string()), ..Preview::default() },
        };
        let mut preview = Preview {
            patch: String::from_utf8_lossy(&plan.texts.patch()).into_owned(),
            files: plan.texts.changes().iter().map(counted).collect(),
            ..Preview::default()
        };
        if let Some(one) = plan.failures.into_iter().next() {
            preview.rung = one.rung;
            preview.warnings = one.warnings;
            preview.already = one.outcome == Outcome::Already;
            (preview.reason, preview.refusal) =
                if one.outcome == Outcome::Refused { (None, one.reason) } else { (one.reason, None) };
        }
        preview
    }

    /// The rung of the pin of the very input, where it stands and is none that could be planned anew. Where git cannot tell,
    /// it says so of the plan as well.
    fn stands(&self, filed: &Filed, verdict: Verdict) -> Option<Rung> {
        let tree = self.repository.work_tree();
        let standing = || pins::standing(filed, &Records::list(&tree), &self.repository).ok().flatten();
        (verdict == Verdict::RealBug).then(standing)??.rung
    }
}

/// Which other pins have the cause of this one's, as far as running them showed it.
pub(super) fn tied(filed: &Filed, inbox: &Inbox, evidence: &[Evidence]) -> Vec<Hint> {
    let name = |id: &String| inbox.get(&FailureId(id.clone())).map(|other| other.failure.test.function().to_owned());
    let hint = |(tie, with): (Tie, Vec<String>)| {
        let names: Vec<String> = with.iter().filter_map(name).map(|name| format!("`{name}`")).collect();
        // Between two runs more than one thing may have been mended.
        let (text, so, ground) = match tie {
            Tie::Line(at) => ("its pin failed in the same line as", "one cause", at),
            Tie::Fix(when) => {
                let ground = format!("`redpin verify` at {when}");
                ("its pin turned green together with", "one cause, if one change mended them", ground)
            }
        };
        (!names.is_empty()).then(|| Hint { text: format!("{text} {}: {so}", names.join(", ")), ground })
    };
    ties(&filed.id.0, evidence).into_iter().filter_map(hint).collect()
}

/// A file with the number of lines that come and go.
fn counted(change: &git::Change) -> (RepoPath, usize, usize) {
    let (old, write) = match &change.index {
        Write::Keep => (change.from.work_bytes(), &change.work),
        _ => (change.from.index_bytes(), &change.index),
    };
    let new: &[u8] = if let Write::Content(bytes) = write { bytes } else { &[] };
    let lines = |text: &[u8]| text.split_inclusive(|&byte| byte == b'\n').count();
    let (before, after) = (lines(old.unwrap_or_default()), lines(new));
    (change.from.path.clone(), after.saturating_sub(before), before.saturating_sub(after))
}

/// Whether a failure is replayed by a seed, and not in some other way.
pub fn is_seed(failure: &Failure) -> bool {
    let Replay::NewSeed { handle, .. } = &failure.replay else { return false };
    framework::named(&failure.framework).is_none_or(|framework| framework.is_seed(handle))
}

/// All that is known of a failure.
pub(super) fn detail(filed: &Filed, tree: &dyn SourceTree, repository: Option<&Repository>) -> Detail {
    let (spec, records) = (Spec::new(tree), Records::list(tree));
    let framework = framework::named(&filed.failure.framework);
    let arguments = &filed.failure.counterexample.arguments;
    let names = framework.map_or_else(Vec::new, |framework| framework.names(&filed.failure, tree));
    let named = |(at, argument): (usize, &Argument)| {
        let told = names.get(at).filter(|_| argument.name.is_empty() && names.len() == arguments.len());
        (told.unwrap_or(&argument.name).clone(), Value::parse(&argument.text))
    };
    let mut detail = Detail {
        property: framework.and_then(|framework| framework.property(&filed.failure, tree)),
        failing_line: framework.and_then(|framework| framework.failing_line(&filed.failure, tree)),
        requirement: filed.requirement.as_ref().and_then(|id| spec.get(id, filed.file.as_ref())).cloned(),
        arguments: arguments.iter().enumerate().map(named).collect(),
        history: history(filed, &records, repository),
        hints: Vec::new(),
        suggestions: Vec::new(),
    };
    detail.hints = hints::hints(filed, &detail, tree);
    detail
}

/// Earlier decisions on the property, newest first, and the last change of its file.
fn history(filed: &Filed, records: &Records<'_>, repository: Option<&Repository>) -> Vec<String> {
    let of_property = |decision: &Decision| decision.property == filed.failure.test.0;
    let mut history: Vec<String> =
        records.all().into_iter().filter(of_property).map(|decision| told(&decision)).collect();
    if let (Some(file), Some(repository)) = (&filed.file, repository) {
        history.extend(repository.last_change(file).map(|change| format!("last change of {file}: {change}")));
    }
    history
}

fn told(decision: &Decision) -> String {
    let date = decision.when.get(..10).unwrap_or(&decision.when);
    let who = decision.who.split(" <").next().unwrap_or_default();
    let why = if decision.why.is_empty() { String::new() } else { format!(": {}", decision.why) };
    format!("{date} {} by {who} on {}{why}", decision.verdict, decision.counterexample)
}
