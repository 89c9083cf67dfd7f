//! The consequences of many verdicts together, as one set of changes to files: what would be staged, and how each failure
//! comes out of it. Nothing is written here.

use crate::failure::TestName;
use crate::git::Repository;
use crate::inbox::{FailureId, Filed};
use crate::pin::{Pin, Refusal, Rung};
use crate::proof::PinState;
use crate::repo_path::RepoPath;
use crate::threads::{self, apart};
use crate::triage::TriageError;
use crate::triage::records::record;
use crate::verdict::Verdict;

use super::consequence::{Consequence, Desk};
use super::texts::{Change, Kept, Reach, Taken, Texts};
use super::wish::{Choice, Ignored, Wish};

/// How one failure came out of a staging.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Its consequence is in the patch now.
    Staged,
    /// All of it stood already.
    Already,
    /// Nothing was written for it.
    Refused,
}

/// One failure of a staging.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StagedFailure {
    /// The failure.
    pub id: FailureId,
    /// Its property.
    pub property: TestName,
    /// The verdict.
    pub verdict: Verdict,
    /// How it came out.
    pub outcome: Outcome,
    /// The pin's rung, for a real bug.
    pub rung: Option<Rung>,
    /// Full name of the pin's test, where it has one.
    pub test: Option<TestName>,
    /// The files that hold its consequence.
    pub files: Vec<RepoPath>,
    /// Why nothing was written, or nothing better.
    pub reason: Option<String>,
    /// What to know, each a sentence.
    pub warnings: Vec<String>,
    /// How the pin came out before it was staged; `None` where it was not run.
    pub proof: Option<PinState>,
    /// Whether it was refused because its pin is not proven; it can be staged all the same.
    pub held: bool,
}

impl StagedFailure {
    /// The word for how it came out, as `--json` has it.
    pub fn word(&self) -> &'static str {
        match (self.outcome, self.verdict) {
            (Outcome::Staged, _) => "staged",
            (Outcome::Already, Verdict::RealBug) => "already-pinned",
            (Outcome::Already, _) => "already-staged",
            (Outcome::Refused, _) => "refused",
        }
    }

    pub(super) fn refused(filed: &Filed, verdict: Verdict, reason: String) -> Self {
        StagedFailure {
            id: filed.id.clone(),
            property: filed.failure.test.clone(),
            verdict,
            outcome: Outcome::Refused,
            rung: None,
            test: None,
            files: Vec::new(),
            reason: Some(reason),
            warnings: Vec::new(),
            proof: None,
            held: false,
        }
    }
}

/// What would be staged.
pub(crate) struct Plan {
    pub(crate) failures: Vec<StagedFailure>,
    /// The pin of each, where there is one.
    pub(super) pins: Vec<Option<Pin>>,
    pub(crate) texts: Texts,
}

/// Works out the consequences of all `wishes`, in order.
pub(super) fn plan(
    wishes: &[Wish],
    desk: &Desk<'_>,
    repository: &Repository,
    ignored: Ignored,
) -> Result<Plan, TriageError> {
    let consequences = consequences(wishes, desk);
    let pins = consequences.iter().map(|one| one.as_ref().ok().and_then(|one| one.pin.clone())).collect();
    let changes = consequences.iter().flatten().flat_map(|consequence| &consequence.changes);
    let records = wishes.iter().filter_map(|wish| record::path(&wish.filed));
    let paths: Vec<RepoPath> = changes.map(|change| change.file.clone()).chain(records).collect();
    let mut texts = Texts::read(repository, &paths, ignored)?;
    let failures = wishes.iter().zip(consequences).map(|(wish, consequence)| {
        let outcome =
            consequence.and_then(|consequence| take(wish, &shared(wish, wishes), desk, consequence, &mut texts));
        outcome.unwrap_or_else(|refusal| StagedFailure {
            held: matches!(&wish.choice, Choice::Held(held) if held.pin.is_some()),
            ..StagedFailure::refused(&wish.filed, wish.verdict, refusal.0)
        })
    });
    let mut failures: Vec<StagedFailure> = failures.collect();
    // Once is enough: it is the same of all.
    if let Some(first) = failures.iter_mut().find(|one| one.outcome == Outcome::Staged) {
        first.warnings.extend(desk.hand.remark());
    }
    Ok(Plan { failures, pins, texts })
}

/// So many are worked out before a second thread is worth its start.
const A_SHARE: usize = 16;

fn consequences<'a>(wishes: &'a [Wish], desk: &'a Desk<'_>) -> Vec<Result<Consequence<'a>, Refusal>> {
    let shares: Vec<&'a [Wish]> = wishes.chunks(wishes.len().div_ceil(threads::most()).max(A_SHARE)).collect();
    let done = threads::each(&shares, |share| {
        let share: &'a [Wish] = share;
        apart(|| share.iter().map(|wish| desk.consequence(wish)).collect::<Vec<_>>())
    });
    done.into_iter().flatten().collect()
}

/// The other properties whose pins fail in the very line of the code under test in which that of `wish` does.
fn shared(wish: &Wish, wishes: &[Wish]) -> Vec<String> {
    let line = |wish: &Wish| wish.choice.evidence().filter(|one| one.below).map(|one| one.at.clone());
    let Some(own) = line(wish) else { return Vec::new() };
    let others = wishes.iter().filter(|other| other.filed.id != wish.filed.id && line(other).as_ref() == Some(&own));
    others.map(|other| other.filed.failure.test.0.clone()).collect()
}

fn take(
    wish: &Wish,
    shared: &[String],
    desk: &Desk<'_>,
    mut consequence: Consequence<'_>,
    texts: &mut Texts,
) -> Result<StagedFailure, Refusal> {
    if let Some(pin) = &consequence.pin
        && pin.parts.iter().all(|part| texts.leaves_out(&part.file))
    {
        return Err(nothing_but_ignored(&consequence, texts));
    }
    let pin = consequence.pin.as_ref();
    let record = desk.record(wish, pin, shared, |file| texts.leaves_out(file))?;
    consequence.changes.push(record);
    let taken = texts.take(&consequence.changes)?;
    let lasts = |(change, taken): (&Change<'_>, &Taken)| match taken {
        Taken::Changed => true,
        Taken::Stood => change.reach == Reach::Both,
        Taken::Ignored | Taken::Kept(_) => false,
    };
    if taken.contains(&Taken::Ignored) && !consequence.changes.iter().zip(&taken).any(lasts) {
        return Err(nothing_but_ignored(&consequence, texts));
    }
    let mut warnings = consequence.pin.as_ref().map_or_else(Vec::new, |pin| pin.warnings.clone());
    let mut files: Vec<RepoPath> = Vec::new();
    for (change, taken) in consequence.changes.iter().zip(&taken) {
        warnings.extend(texts.warnings(&change.file).iter().filter(|_| *taken == Taken::Changed).cloned());
        match taken {
            Taken::Kept(kept) => warnings.push(kept_line(&change.file, *kept)),
            Taken::Changed | Taken::Stood if !files.contains(&change.file) => files.push(change.file.clone()),
            _ => {}
        }
    }
    if taken.contains(&Taken::Ignored) {
        warnings.push(format!("{}; left out, `--include-ignored` stages it", ignored_files(&consequence, texts)));
    }
    Ok(StagedFailure {
        id: wish.filed.id.clone(),
        property: wish.filed.failure.test.clone(),
        verdict: wish.verdict,
        outcome: if taken.contains(&Taken::Changed) { Outcome::Staged } else { Outcome::Already },
        rung: consequence.pin.as_ref().map(|pin| pin.rung),
        test: consequence.pin.as_ref().and_then(|pin| pin.test.clone()),
        files,
        reason: consequence.reason.clone(),
        warnings,
        proof: wish.choice.evidence().map(|evidence| evidence.state),
        held: false,
    })
}

/// What to say of a replay line that is the user's own.
fn kept_line(file: &RepoPath, kept: Kept) -> String {
    let (place, way) = match kept {
        Kept::Staged => ("is staged already", format!("`git restore --staged {file}` and decide again")),
        Kept::Committed => ("is in the last commit", format!("delete it from {file} and stage that")),
    };
    format!("the line that replays it {place}, and stays in {file}; to be rid of it, {way}")
}

/// The reason why nothing is written where all that would be staged is in files that git ignores.
fn nothing_but_ignored(consequence: &Consequence<'_>, texts: &Texts) -> Refusal {
    Refusal(format!("{}; `--include-ignored` stages it all the same", ignored_files(consequence, texts)))
}

fn ignored_files(consequence: &Consequence<'_>, texts: &Texts) -> String {
    let mut files: Vec<&str> = consequence
        .changes
        .iter()
        .map(|change| &change.file)
        .filter(|file| texts.leaves_out(file))
        .map(RepoPath::as_str)
        .collect();
    files.dedup();
    format!("git ignores {}", files.join(" and "))
}
