//! Whether a change keeps the oracle: each property, pin, seed, requirement and decision of the base is still there and asks no
//! less, or somebody has decided that it may. What is only added is no matter of the guard.

mod allowed;
mod files;
mod ground;
mod seeds;
mod spec;

use crate::failure::{Notice, TestName};
use crate::git::Commit;
use crate::repo_path::RepoPath;
use crate::requirement::RequirementId;
use crate::settings::Settings;
use crate::source_tree::SourceTree;
use crate::threads::apart;
use crate::triage::{Triage, TriageError};
use crate::weakening::{Stated, Weakening, followed, weakenings};

use super::stated;
use allowed::Decisions;
use files::Changed;

/// One way in which a change takes something from the oracle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The word for it that `--json` prints: `assertion-removed`, `seed-removed` …
    pub kind: &'static str,
    /// The file, where it stands now; of what is gone the one in which it stood.
    pub file: RepoPath,
    /// The line there, from 1, where it is one of a text.
    pub line: Option<u32>,
    /// Whether the file and the line are those of the base.
    pub is_gone: bool,
    /// What a decision must be about for it to be allowed.
    pub about: About,
    /// What is the matter, as a sentence without its end.
    pub text: String,
}

/// What a finding is about.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct About {
    /// Properties, or the test of a pin: a decision on one of them allows it.
    pub tests: Vec<TestName>,
    /// Their framework, where it is known.
    pub framework: Option<&'static str>,
    /// A requirement: likewise.
    pub requirement: Option<RequirementId>,
}

/// A finding that somebody has allowed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Allowance {
    /// The finding.
    pub finding: Finding,
    /// The file of the decision record.
    pub record: RepoPath,
    /// The reason on it.
    pub why: String,
    /// Whoever gave it.
    pub who: String,
}

/// What the guard found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Guarded {
    /// The commit that the work tree was held against.
    pub base: Commit,
    /// What nobody has allowed, by file and line.
    pub findings: Vec<Finding>,
    /// What somebody has.
    pub allowed: Vec<Allowance>,
    /// What could not be read.
    pub notices: Vec<Notice>,
}

/// Holds the work tree against the commit called `base`.
///
/// # Errors
/// Where there is no such commit, or git cannot compare.
pub fn pins(triage: &Triage, base: &str) -> Result<Guarded, TriageError> {
    let named = triage.commit_called(base)?;
    // What the other branch has got since then is no matter of this change.
    let branched = triage.repository().branched_off(&named.id)?;
    let commit = triage.commit_called(&branched.ok_or_else(|| TriageError::NotBranched(base.to_owned()))?)?;
    let (before, here) = (triage.repository().tree_of(&commit.id), triage.work_tree());
    let mut notices = Vec::new();
    let settings = Settings::read(&here).unwrap_or_else(|text| {
        notices.push(Notice { file: crate::settings::FILE.to_owned(), line: None, text });
        Settings::default()
    });
    // Patterns that the change takes out still count.
    let then = Settings::read(&before).unwrap_or_default().oracle.files;
    let patterns: Vec<String> = then.iter().chain(&settings.oracle.files).cloned().collect();
    let changed = Changed::since(triage.repository(), &commit.id, &patterns)?;
    let (then, now) = (states(&changed, &before, &mut notices), states(&changed, &here, &mut notices));
    let mut found = taken(&changed, (&before, &then), (&here, &now));
    found.extend(unreadable(&notices));
    let decisions = Decisions::of(triage, &commit, &before, &here);
    found.extend(decisions.lost());
    found.sort_by(|a, b| (&a.file, a.line, a.kind).cmp(&(&b.file, b.line, b.kind)));
    let (allowed, mut findings) = decisions.apart(found);
    // What is allowed may come with a change of the code: a person has looked at it.
    if let Some(mixed) = mixed(&changed, &findings, &then, &now) {
        findings.push(mixed);
    }
    Ok(Guarded { base: commit, findings, allowed, notices })
}

/// What the files of one version lack that those of the other have, each version with what its files state.
fn taken(
    changed: &Changed,
    (before, then): (&dyn SourceTree, &[Stated]),
    (here, now): (&dyn SourceTree, &[Stated]),
) -> Vec<Finding> {
    let ground = ground::Repository::new(before, here, changed);
    let mut found: Vec<Finding> = weakenings(then, now, &ground).into_iter().map(Finding::from).collect();
    let stood = then.iter().flat_map(|stated| stated.oracle.rules.iter().map(|rule| &rule.test));
    let fates = seeds::Fates::new(stood, followed(then, now));
    found.extend(seeds::gone(&changed.files, before, here, &fates));
    found.extend(spec::changed(&changed.files, before, here));
    found.extend(files::lessened(changed, before, here));
    found
}

/// What cannot be read cannot be guarded, so that it is no yes.
fn unreadable(notices: &[Notice]) -> Vec<Finding> {
    let mut found: Vec<Finding> = Vec::new();
    for notice in notices {
        let Some(file) = RepoPath::new(&notice.file) else { continue };
        let (line, text) = (None, format!("it is not guarded: {}", notice.text));
        let finding = Finding { kind: "not-read", file, line, is_gone: false, about: About::default(), text };
        if !found.contains(&finding) {
            found.push(finding);
        }
    }
    found
}

/// As many files are parsed on one thread, which keeps their texts.
const MANY: usize = 128;

/// What the files that differ state in one version.
fn states(changed: &Changed, tree: &dyn SourceTree, notices: &mut Vec<Notice>) -> Vec<Stated> {
    let mut all = Vec::new();
    // Many files share a thread to be parsed on.
    for files in changed.files.chunks(MANY) {
        let (stated, told) = apart(|| {
            let mut told = Vec::new();
            let stated = files.iter().flat_map(|file| stated::of_file(file, tree, &mut told)).collect::<Vec<_>>();
            (stated, told)
        });
        all.extend(stated);
        notices.extend(told);
    }
    all
}

impl From<Weakening> for Finding {
    fn from(weakening: Weakening) -> Self {
        let Weakening { kind, framework, test, file, line, is_gone, text } = weakening;
        let text = test.as_ref().map_or_else(|| text.clone(), |test| format!("{test}: {text}"));
        let about = About { tests: test.into_iter().collect(), framework: Some(framework), requirement: None };
        Finding { kind: kind.word(), file, line: Some(line), is_gone, about, text }
    }
}

/// That the change also changes code that the oracle judges, where something was found that nobody allowed.
fn mixed(changed: &Changed, findings: &[Finding], then: &[Stated], now: &[Stated]) -> Option<Finding> {
    let code = changed.code(then, now);
    let (first, all) = (findings.first()?, code.first()?);
    let others = match code.len() - 1 {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let text = format!("the oracle asks less, and the code that it judges is changed with it: {all}{others}");
    let about = About::default();
    Some(Finding { kind: "oracle-and-code", file: first.file.clone(), line: None, is_gone: false, about, text })
}

#[cfg(test)]
mod tests;
