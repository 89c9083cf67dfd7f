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

    /// Records that are gone, or say something else and give no reason.
    pub(super) fn lost(&self) -> Vec<Finding> {
        let lost = |(file, then): (&RepoPath, &Decision)| {
            let (kind, text) = match self.here.get(file) {
                None => ("decision-removed", format!("the decision on {} is gone", then.property)),
                Some(now) if now != then && now.why.trim().is_empty() => {
                    ("decision-changed", format!("the decision on {} is another, and gives no reason", then.property))
                }
                Some(_) => return None,
            };
            let is_gone = kind == "decision-removed";
            Some(Finding { kind, file: file.clone(), line: None, is_gone, about: About::default(), text })
        };
        self.before.iter().filter_map(lost).collect()
    }

    /// The findings that a decision allows, and the others.
    pub(super) fn apart(&self, findings: Vec<Finding>) -> (Vec<Allowance>, Vec<Finding>) {
        let (mut allowed, mut left) = (Vec::new(), Vec::new());
        for finding in findings {
            match self.here.iter().find(|(file, decision)| self.allows(file, decision, &finding)) {
                Some((record, decision)) => {
                    allowed.push(Allowance { record: record.clone(), why: decision.why.trim().to_owned(), finding });
                }
                None => left.push(finding),
            }
        }
        (allowed, left)
    }

    fn allows(&self, record: &RepoPath, decision: &Decision, finding: &Finding) -> bool {
        // That the code is wrong is no reason for the oracle to ask less.
        let may_allow = decision.verdict != Verdict::RealBug && self.is_about(decision, finding);
        may_allow && !decision.why.trim().is_empty() && self.is_new(record, decision, finding)
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

    /// Whether a decision was made since the file was last changed up to the base: what was decided before that is done.
    fn is_new(&self, record: &RepoPath, decision: &Decision, finding: &Finding) -> bool {
        self.before.get(record) != Some(decision) || {
            let changed = self.triage.repository().changed_at(&finding.file, &self.base);
            let moment = |text: &str| text.parse::<jiff::Timestamp>().ok();
            let (decided, changed) = (moment(&decision.when), changed.as_deref().and_then(moment));
            matches!((decided, changed), (Some(decided), Some(changed)) if decided > changed)
        }
    }
}
