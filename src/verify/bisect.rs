//! The commit that broke a property: the pin as it stands in the work tree is put into one commit after the other, in the
//! order in which `git bisect` would look at them.

use std::path::Path;

use crate::git::{Bisection, Commit, Left};
use crate::proof::{PinState, Proof, StandingPin};
use crate::store::evidence;
use crate::triage::{Triage, TriageError};

use super::workshop::Workshop;
use super::{Ground, Onlooker, config};

/// What is searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Search<'a> {
    /// The pin.
    pub pin: &'a str,
    /// A commit at which it is green.
    pub good: &'a str,
    /// A later one at which it is red.
    pub bad: &'a str,
    /// Whether only first parents are looked at.
    pub first_parent: bool,
}

/// A commit that was looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The commit.
    pub commit: Commit,
    /// How the pin came out there.
    pub proof: Proof,
}

/// What a search came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bisected {
    /// The pin.
    pub pin: StandingPin,
    /// What was looked at, in order: the good commit, the bad one, those between them.
    pub steps: Vec<Step>,
    /// How it ended.
    pub ending: Ending,
}

/// How a search ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    /// This commit broke it.
    Found(Commit),
    /// The pin is not green at the good commit: there is nothing to search between.
    NotGood,
    /// The pin is not red at the bad commit.
    NotBad,
    /// One of these broke it; nothing can be said of those before the last.
    Among(Vec<Commit>),
}

/// Searches the commit that turned a pin red, and keeps what each step showed.
///
/// # Errors
/// Where a name means nothing, the good commit does not come before the bad one, or a step cannot be run at all.
pub fn bisect(
    triage: &Triage,
    search: Search<'_>,
    cache: &Path,
    onlooker: &mut dyn Onlooker,
) -> Result<Bisected, TriageError> {
    let pins = triage.standing_pins(&[search.pin.to_owned()])?;
    let pin = match &pins[..] {
        [] => return Err(TriageError::NoPin(search.pin.to_owned())),
        [one] => one.clone(),
        several => {
            let meant = several.iter().map(|one| format!("{}  {}", one.failure, one.runs().0)).collect();
            return Err(TriageError::Ambiguous { text: search.pin.to_owned(), meant });
        }
    };
    let (good, bad) = (triage.commit_called(search.good)?, triage.commit_called(search.bad)?);
    if good.id == bad.id || !triage.repository().is_before(&good.id, &bad.id)? {
        return Err(TriageError::NotBefore(search.good.to_owned(), search.bad.to_owned()));
    }
    let tree = triage.work_tree();
    let config = config::told(triage, &tree, onlooker)?;
    let workshop = Workshop::open(cache, triage, &tree, config, onlooker)?;
    let mut walk = Walk { triage, workshop, pin: &pin, steps: Vec::new() };
    let left = Bisection::new(&bad.id, &good.id).along_first_parents(search.first_parent);
    let ending = walk.search(left, (good, bad), onlooker)?;
    let steps = walk.steps;
    Ok(Bisected { pin, steps, ending })
}

/// A search under way.
struct Walk<'a> {
    triage: &'a Triage,
    workshop: Workshop<'a>,
    pin: &'a StandingPin,
    steps: Vec<Step>,
}

impl Walk<'_> {
    fn search(
        &mut self,
        mut left: Bisection,
        (good, bad): (Commit, Commit),
        onlooker: &mut dyn Onlooker,
    ) -> Result<Ending, TriageError> {
        if self.look(good, onlooker)? != PinState::Green {
            return Ok(Ending::NotGood);
        }
        if self.look(bad, onlooker)? != PinState::Red {
            return Ok(Ending::NotBad);
        }
        loop {
            match self.triage.repository().left(&left)? {
                Left::Found(id) => return Ok(Ending::Found(self.triage.commit_called(&id)?)),
                Left::Among(ids) => {
                    let commits = ids.iter().map(|id| self.triage.commit_called(id)).collect::<Result<_, _>>()?;
                    return Ok(Ending::Among(commits));
                }
                Left::Next(id, _) => match self.look(self.triage.commit_called(&id)?, onlooker)? {
                    PinState::Red => left.is_bad(&id),
                    PinState::Green => left.is_good(&id),
                    _ => left.is_skipped(&id),
                },
            }
        }
    }

    /// How the pin comes out at `commit`.
    fn look(&mut self, commit: Commit, onlooker: &mut dyn Onlooker) -> Result<PinState, TriageError> {
        onlooker.stands_on(Ground::Commit(&commit));
        let pins = std::slice::from_ref(self.pin);
        let proved = self.workshop.prove_at(&commit, pins, self.triage.repository(), onlooker)?;
        evidence::keep(&self.triage.store_folder(), &proved.evidence)?;
        let proof = proved.proofs.into_iter().next().unwrap_or_else(|| Proof::plain(PinState::Missing));
        let state = proof.state;
        self.steps.push(Step { commit, proof });
        Ok(state)
    }
}
