//! The decisions by which somebody has allowed what a change takes from the oracle.

use std::collections::BTreeMap;

use super::{About, Allowance, Finding};
use crate::git::Commit;
use crate::repo_path::RepoPath;
use crate::source_tree::SourceTree;
use crate::triage::{Triage, records_of};
use crate::verdict::{Decision, Verdict};

/// The decision records before and now.
pub(super) struct Decisions<'t> {
    triage: &'t Triage,
    base: String,
    before: BTreeMap<RepoPath, Decision>,
    here: BTreeMap<RepoPath, Decision>,
}

impl<'t> Decisions<'t> {
    pub(super) fn of(triage: &'t Triage, base: &Commit, before: &dyn SourceTree, here: &dyn SourceTree) -> Self {
        Decisions { triage, base: base.id.clone(), before: records_of(before), here: records_of(here) }
    }

    /// Records that are gone, or say something else and do not keep what they said.
    pub(super) fn lost(&self) -> Vec<Finding> {
        let lost = |(file, then): (&RepoPath, &Decision)| {
            let (kind, what) = match self.here.get(file) {
                None if self.here.values().any(|one| one == then) => return None,
                None => ("decision-removed", "is gone"),
                Some(now) if now == then || follows(now, then) => return None,
                Some(_) => ("decision-changed", "is another, and does not keep this one as one before it"),
            };
            let is_gone = kind == "decision-removed";
            let text = format!("the decision on {} {what}", called(then));
            Some(Finding { kind, file: file.clone(), line: None, is_gone, about: About::default(), text })
        };
        self.before.iter().filter_map(lost).collect()
    }

    /// The findings that a decision allows, and the others, each with what keeps a decision on it from allowing it.
    pub(super) fn apart(&self, findings: Vec<Finding>) -> (Vec<Allowance>, Vec<Finding>) {
        let (mut allowed, mut left) = (Vec::new(), Vec::new());
        for mut finding in findings {
            let mut refused = Vec::new();
            let mut on_it = self.here.iter().filter(|(_, decision)| self.is_about(decision, &finding));
            let allows = on_it.find(|(file, decision)| match self.refusal(file, decision, &finding) {
                None => true,
                Some(why) => {
                    refused.push(format!("; {file} does not allow it: {why}"));
                    false
                }
            });
            match allows {
                Some((record, decision)) => {
                    let (why, who) = (decision.why.trim().to_owned(), decision.who.clone());
                    allowed.push(Allowance { record: record.clone(), why, who, finding });
                }
                None => {
                    finding.text.extend(refused);
                    left.push(finding);
                }
            }
        }
        (allowed, left)
    }

    /// What keeps a decision on what the finding is about from allowing it.
    fn refusal(&self, record: &RepoPath, decision: &Decision, finding: &Finding) -> Option<String> {
        let wanted = match finding.about.requirement {
            Some(_) => Verdict::AmbiguousSpec,
            None => Verdict::WrongProperty,
        };
        // That the code is wrong is no reason for the oracle to ask less.
        if decision.verdict != wanted {
            return Some(format!("its verdict is {}, not {wanted}", decision.verdict));
        }
        if finding.about.framework.is_some_and(|name| !decision.framework.is_empty() && decision.framework != name) {
            return Some(format!("it is on a test of {:?}", decision.framework));
        }
        if decision.why.trim().is_empty() {
            return Some("it gives no reason".to_owned());
        }
        let (decided, now) = (moment(&decision.when), moment(&self.triage.now()));
        let Some(decided) = decided.filter(|decided| now.is_none_or(|now| *decided <= now)) else {
            return Some(format!("{:?} is no moment up to now", decision.when));
        };
        match self.stood(record, decision) {
            Some(then) if then == decision => {
                let changed = self.triage.repository().changed_at(&finding.file, &self.base);
                let is_later = changed.as_deref().and_then(moment).is_some_and(|changed| decided > changed);
                (!is_later).then(|| "it stood before the change".to_owned())
            }
            Some(then) if !follows(decision, then) => Some("it does not keep the one before it".to_owned()),
            _ if !self.is_signed(record, decision) => {
                Some(format!("{:?} is nobody who has committed it, and not git's user", decision.who))
            }
            _ => None,
        }
    }

    /// The record of the base in whose place a decision is: the same in another file is no new one.
    fn stood(&self, record: &RepoPath, decision: &Decision) -> Option<&Decision> {
        self.before.get(record).or_else(|| self.before.values().find(|one| *one == decision))
    }

    /// Whether git says of whoever a decision names that it is theirs.
    fn is_signed(&self, record: &RepoPath, decision: &Decision) -> bool {
        let repository = self.triage.repository();
        repository.user().name() == decision.who || repository.hands(record).contains(&decision.who)
    }

    /// Whether a decision is on what the finding is about; on any property of its file, where that is none in particular.
    fn is_about(&self, decision: &Decision, finding: &Finding) -> bool {
        let About { tests, requirement, .. } = &finding.about;
        let pinned = self.before.values().chain(self.here.values()).filter_map(|one| {
            let test = one.pin.as_ref()?.test.as_ref()?;
            tests.iter().any(|wanted| wanted.0 == *test).then_some(&one.property)
        });
        match requirement {
            Some(id) => decision.requirement.as_ref() == Some(&id.0),
            None if tests.is_empty() => decision.file.as_deref() == Some(finding.file.as_str()),
            None => {
                tests.iter().any(|test| test.0 == decision.property)
                    || pinned.into_iter().any(|property| *property == decision.property)
            }
        }
    }
}

/// Whether `now` keeps `then`, with all that was decided before it, and was made no earlier.
fn follows(now: &Decision, then: &Decision) -> bool {
    let alone = Decision { before: Vec::new(), ..then.clone() };
    let kept = then.before.iter().chain([&alone]);
    let is_later = matches!((moment(&then.when), moment(&now.when)), (Some(then), Some(now)) if then <= now);
    is_later && now.before.iter().zip(kept.clone()).filter(|(one, other)| one == other).count() == kept.count()
}

fn moment(text: &str) -> Option<jiff::Timestamp> {
    text.parse().ok()
}

/// What a decision is on.
fn called(decision: &Decision) -> &str {
    let named = [Some(&decision.property), decision.requirement.as_ref(), decision.file.as_ref()];
    named.into_iter().flatten().find(|name| !name.is_empty()).map_or("nothing", String::as_str)
}
