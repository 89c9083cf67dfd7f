//! Which properties may assert nothing: each with what is advised, and on which grounds.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::Duration;

use crate::audit::{Advice, Counted, Doubt, Ground, Known, Page, Subject};
use crate::failure::{Notice, TestName};
use crate::framework::{Auditing, CATALOGUE, seeded_test};
use crate::oracle::Rule;
use crate::repo_path::RepoPath;
use crate::requirement::{Requirement, RequirementId};
use crate::source_tree::SourceTree;
use crate::triage::{Triage, TriageError, is_called};
use crate::verify::{Constant, Measure, Onlooker, Probe, measure};
use crate::weakening::Stated;

use super::stated::{self, cited, is_spec, requirements};

/// A property that was looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Audited {
    /// The name of the framework.
    pub framework: &'static str,
    /// Full test name.
    pub test: TestName,
    /// Its file.
    pub file: RepoPath,
    /// The line of its name, from 1.
    pub line: u32,
    /// The requirement that it cites.
    pub requirement: Option<RequirementId>,
    /// On which grounds it may assert nothing.
    pub doubts: Vec<Doubt>,
    /// What its runs showed, where it was run.
    pub measure: Option<Measure>,
}

impl Audited {
    /// What is advised.
    pub fn advice(&self) -> Advice {
        Advice::on(&self.doubts)
    }
}

/// What an audit found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Audit {
    /// The properties that were asked for, by file and line.
    pub properties: Vec<Audited>,
    /// What was asked for and is no property.
    pub unknown: Vec<String>,
    /// What could not be read.
    pub notices: Vec<Notice>,
    /// Whether there was no time to see all that runs could show.
    pub is_cut_off: bool,
}

/// Looks at the properties of the work tree that are called one of `names`; at all where there are none.
pub fn audit(triage: &Triage, names: &[String]) -> Audit {
    of(&triage.work_tree(), names).0
}

/// The same, and runs them in the scratch copy in `cache`, until `limit` has passed: as they are, where their assertions fail, and
/// where the code under test answers constants.
///
/// # Errors
/// Where somebody ends it, or nothing can be run.
pub fn audit_by_running(
    triage: &Triage,
    names: &[String],
    limit: Duration,
    cache: &Path,
    onlooker: &mut dyn Onlooker,
) -> Result<Audit, TriageError> {
    let (mut audit, probes) = of(&triage.work_tree(), names);
    let (places, probes): (Vec<usize>, Vec<Probe>) = probes.into_iter().unzip();
    if !audit.unknown.is_empty() || probes.is_empty() {
        return Ok(audit);
    }
    let (measures, is_all) = measure(triage, &probes, limit, cache, onlooker)?;
    audit.is_cut_off = !is_all;
    for (at, measure) in places.into_iter().zip(measures) {
        let one = &mut audit.properties[at];
        one.doubts.extend(doubts(&measure, one.line));
        one.doubts.sort_by_key(|doubt| doubt.ground);
        one.measure = Some(measure);
    }
    Ok(audit)
}

/// What a measure makes doubtful in a property that stands at `line`.
fn doubts(measure: &Measure, line: u32) -> Vec<Doubt> {
    let mut found = Vec::new();
    if let Some(Counted { kept, discarded: Some(discarded) }) = measure.counted.filter(|counted| counted.is_most()) {
        let text = format!("a run threw away {discarded} inputs and kept {kept}");
        found.push(Doubt { ground: Ground::DiscardsMost, line, text });
    }
    if measure.reaches == Some(false) {
        let text = "a run came by none of its assertions".to_owned();
        found.push(Doubt { ground: Ground::NoAssertion, line, text });
    }
    if measure.notices == Some(false) {
        let said =
            |Constant { name, file, line, answer }: &Constant| format!("`{name}` ({file}:{line}) answers {answer}");
        let all: Vec<String> = measure.passes.iter().map(said).collect();
        let text = format!("it passes where {}", all.join(", and where "));
        found.push(Doubt { ground: Ground::PassesConstants, line, text });
    }
    found
}

/// What there is to see in the source, and what it takes to run those properties that are run, each with its place.
fn of(tree: &dyn SourceTree, names: &[String]) -> (Audit, Vec<(usize, Probe)>) {
    let mut audit = Audit::default();
    let mut found: Vec<(Audited, Option<Probe>)> = Vec::new();
    let all = stated::of_tree(tree, &mut audit.notices);
    let spec = Spec::of(tree);
    for (framework, auditing) in auditing() {
        let own: Vec<&Stated> = all.iter().filter(|one| one.framework == framework).collect();
        if own.iter().all(|one| one.oracle.rules.is_empty()) {
            continue;
        }
        let pages: Vec<Page> = auditing.sources(tree).iter().filter_map(|file| auditing.page(file, tree)).collect();
        let around = Known::of(&pages, auditing.speech());
        for stated in own {
            found.extend(of_file(stated, names, &around, &spec, tree));
        }
    }
    found.sort_by(|(a, _), (b, _)| (&a.file, a.line, &a.test).cmp(&(&b.file, b.line, &b.test)));
    let mut probes = Vec::new();
    for (at, (audited, probe)) in found.into_iter().enumerate() {
        audit.properties.push(audited);
        probes.extend(probe.map(|probe| (at, probe)));
    }
    let is_found =
        |name: &&String| audit.properties.iter().any(|one| is_called(&one.test.0, Some(one.file.as_str()), name));
    audit.unknown = names.iter().filter(|name| !is_found(name)).cloned().collect();
    (audit, probes)
}

/// The frameworks that can say what their properties stand among.
fn auditing() -> impl Iterator<Item = (&'static str, &'static dyn Auditing)> {
    CATALOGUE.iter().filter_map(|framework| Some((framework.name(), framework.auditing()?)))
}

/// The requirements that there are.
struct Spec {
    requirements: BTreeMap<RequirementId, Requirement>,
    ids: BTreeSet<RequirementId>,
}

impl Spec {
    fn of(tree: &dyn SourceTree) -> Spec {
        let files = tree.tracked(&is_spec);
        let mut found = BTreeMap::new();
        for one in files.iter().flat_map(|file| requirements(file, tree)) {
            found.entry(one.id.clone()).or_insert(one);
        }
        Spec { ids: found.keys().cloned().collect(), requirements: found }
    }
}

/// The properties of a file that are asked for, each with what it takes to run it: none of one that its runner passes over.
fn of_file(
    stated: &Stated,
    names: &[String],
    around: &Known<'_>,
    spec: &Spec,
    tree: &dyn SourceTree,
) -> Vec<(Audited, Option<Probe>)> {
    let bytes = tree.read(&stated.file).unwrap_or_default();
    let is_asked = |rule: &&Rule| {
        names.is_empty() || names.iter().any(|name| is_called(&rule.test.0, Some(stated.file.as_str()), name))
    };
    let audited = |rule: &Rule| {
        let source = bytes.get(rule.span.range()).map(String::from_utf8_lossy).unwrap_or_default();
        let requirement = cited(rule, &source, &spec.ids);
        let there = requirement.as_ref().and_then(|id| spec.requirements.get(id));
        let subject = Subject { rule, file: &stated.file, support: &stated.oracle.support, requirement: there };
        let probe = || Probe {
            test: seeded_test(stated.framework, &rule.test.0, Some(stated.file.clone())),
            cases: rule.cases.unwrap_or(stated.usual_cases),
            asserts: match around.asserts_elsewhere(rule) {
                true => Vec::new(),
                false => rule.asserts.iter().map(|clause| (clause.line, clause.text.clone())).collect(),
            },
            tested: around.tested(rule).into_iter().map(|(file, one)| (file.clone(), one.clone())).collect(),
        };
        let audited = Audited {
            framework: stated.framework,
            test: rule.test.clone(),
            file: stated.file.clone(),
            line: rule.line,
            doubts: around.doubts(subject),
            measure: None,
            requirement,
        };
        (audited, rule.skipped.is_none().then(probe))
    };
    stated.oracle.rules.iter().filter(is_asked).map(audited).collect()
}

#[cfg(test)]
mod tests;
