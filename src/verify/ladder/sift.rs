//! Which of many expressions give a recorded value: the tests that print them are built together in the work tree as it
//! is, or beside pins, those that do not compile are taken out, and what the others print is looked at.

use crate::framework::Framework;
use crate::pin::{PartKind, Pin};
use crate::proof::{PinState, Proof, StandingPin};
use crate::repo_path::RepoPath;
use crate::source_tree::SourceTree;
use crate::threads::apart;
use crate::triage::TriageError;

use super::super::Onlooker;
use super::super::workshop::Workshop;
use super::said;

/// Builds of which each takes out what did not compile in the one before.
const BUILDS: usize = 4;

/// A test that prints a value.
pub(super) struct Sample {
    /// The pin it is tried for, as it would stand.
    pub(super) standing: StandingPin,
    pub(super) framework: &'static dyn Framework,
    pub(super) value: Pin,
    /// What it is to print.
    pub(super) recorded: Vec<String>,
}

/// Why an expression does not give the value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Miss {
    pub(super) why: String,
    /// Whether it came to no end.
    pub(super) late: bool,
}

/// Most tests that one command names: a command line has an end.
const MOST_AT_ONCE: usize = 400;

/// Of each sample, whether it printed what was recorded; else why not.
pub(super) fn sift(
    samples: Vec<Sample>,
    workshop: &Workshop<'_>,
    onlooker: &mut dyn Onlooker,
) -> Result<Vec<Result<(), Miss>>, TriageError> {
    let mut outcomes = Vec::new();
    let mut left = samples.into_iter().peekable();
    while left.peek().is_some() {
        let some = left.by_ref().take(MOST_AT_ONCE).collect();
        outcomes.extend(Sieve::new(some).outcomes(workshop, onlooker)?);
    }
    Ok(outcomes)
}

/// Samples on their way.
pub(super) struct Sieve {
    samples: Vec<Sample>,
    outcomes: Vec<Result<(), Miss>>,
    /// Those that did not come out yet.
    open: Vec<usize>,
}

impl Sieve {
    pub(super) fn new(samples: Vec<Sample>) -> Sieve {
        let outcomes = vec![Err(miss("it was not built in time".to_owned())); samples.len()];
        Sieve { open: (0..samples.len()).collect(), outcomes, samples }
    }

    pub(super) fn is_done(&self) -> bool {
        self.open.is_empty()
    }

    /// Puts those that did not come out yet into `files`, and tells their tests. One that has no place there is out.
    pub(super) fn placed(&mut self, files: &mut Vec<(RepoPath, Vec<u8>)>, workshop: &Workshop<'_>) -> Vec<StandingPin> {
        if workshop.tries_no_more() {
            self.open.drain(..).for_each(|at| self.outcomes[at] = Err(miss(said::TRIED_NO_MORE.to_owned())));
        }
        let (samples, open, tree) = (&self.samples, &mut self.open, workshop.tree());
        apart(|| open.retain(|at| place(&samples[*at], files, tree).is_some()));
        self.open.iter().map(|at| asked(&samples[*at])).collect()
    }

    /// Takes in how those came out that were placed last, in their order; whether some of them do not compile.
    pub(super) fn came_out(&mut self, proofs: &[Proof], workshop: &Workshop<'_>) -> bool {
        let is_ended =
            |proof: &Proof| proof.state == PinState::TimedOut && proof.message.is_empty() && workshop.tries_no_more();
        let mut left = Vec::new();
        let mut any = false;
        for (at, proof) in self.open.drain(..).zip(proofs) {
            self.outcomes[at] = match is_ended(proof) {
                true => Err(miss(said::TRIED_NO_MORE.to_owned())),
                false => told(&self.samples[at], proof),
            };
            any |= proof.own_fault;
            if proof.state == PinState::DoesNotBuild && !proof.own_fault {
                left.push(at);
            }
        }
        self.open = left;
        any
    }

    /// Builds what is left until all are out, or no more can be told.
    pub(super) fn outcomes(
        mut self,
        workshop: &Workshop<'_>,
        onlooker: &mut dyn Onlooker,
    ) -> Result<Vec<Result<(), Miss>>, TriageError> {
        for _ in 0..BUILDS {
            let mut files = Vec::new();
            let asked = self.placed(&mut files, workshop);
            if asked.is_empty() {
                break;
            }
            let proofs = workshop.prove_soon(&asked, asked.len(), &files, onlooker)?.proofs;
            self.came_out(&proofs, workshop);
            if self.open.len() == asked.len() {
                break;
            }
        }
        Ok(self.outcomes)
    }
}

/// Puts a sample into `files`, and where one is not among them, into the work tree's; `None` and nothing else where it has
/// no place there.
fn place(sample: &Sample, files: &mut Vec<(RepoPath, Vec<u8>)>, tree: &dyn SourceTree) -> Option<()> {
    let Sample { framework, value, .. } = sample;
    let mut changed: Vec<(RepoPath, Vec<u8>)> = Vec::new();
    for part in value.parts.iter().filter(|part| part.kind != PartKind::ReplayLine) {
        let known = changed.iter().chain(&*files).find(|(file, _)| *file == part.file).map(|(_, text)| text.clone());
        let text = known.unwrap_or_else(|| tree.read(&part.file).unwrap_or_default().to_vec());
        let placed = framework.place(value, part, &text).ok()?.apply(&text);
        changed.retain(|(file, _)| *file != part.file);
        changed.push((part.file.clone(), placed));
    }
    files.retain(|(file, _)| changed.iter().all(|(other, _)| other != file));
    files.extend(changed);
    Some(())
}

fn asked(sample: &Sample) -> StandingPin {
    StandingPin { test: sample.value.test.clone(), ..sample.standing.clone() }
}

fn told(sample: &Sample, proof: &Proof) -> Result<(), Miss> {
    match proof.state {
        PinState::DoesNotBuild => Err(miss(said::no_build(proof))),
        PinState::TimedOut => Err(Miss { why: said::not_ended(proof), late: true }),
        state if state.has_failed() && sample.framework.prints_recorded_values(&sample.recorded, &proof.message) => {
            Ok(())
        }
        _ => Err(miss(said::other_value(&proof.message))),
    }
}

fn miss(why: String) -> Miss {
    Miss { why, late: false }
}
