//! Pins on two sides: red at a commit that has the bug, green in the work tree that has the fix. The evidence for a change
//! that brings pin and fix together.

use std::path::Path;

use crate::store::evidence;
use crate::triage::{Triage, TriageError};

use super::elsewhere::Elsewhere;
use super::values::{self, Here};
use super::workshop::Workshop;
use super::{Ground, Onlooker, Verification, Verified, config, is_in_doubt, seeds, verify_here};

/// Runs the pins of the work tree, all or those called `names`, there and then at the commit called `base`, and keeps what
/// they showed. The commit's files are built in the scratch copy in `cache`.
///
/// # Errors
/// As [`super::verify`], and where there is no such commit or its files cannot be written.
pub fn verify_against(
    triage: &Triage,
    names: &[String],
    base: &str,
    cache: &Path,
    onlooker: &mut dyn Onlooker,
) -> Result<Verification, TriageError> {
    let commit = triage.commit_called(base)?;
    let pins = triage.standing_pins(names)?;
    if pins.is_empty() {
        return Ok(Verification { base: Some(commit), ..Verification::default() });
    }
    let tree = triage.work_tree();
    let config = config::of(triage, &tree, &mut Vec::new())?;
    let workshop = Workshop::open(cache, triage, &tree, config, onlooker)?;
    onlooker.stands_on(Ground::WorkTree);
    let mut verification = verify_here(triage, names, onlooker)?;
    // Before the commit takes the work tree's place in the copy, and not after: what is built of the commit is then what
    // stands there the next time.
    let mut here = Here::default();
    let seen = here.ask(&verification.pins, |one| is_in_doubt(&one.proof), &workshop, onlooker);
    onlooker.stands_on(Ground::Commit(&commit));
    let there = Elsewhere::stand(&workshop, &commit, &pins, triage.repository())?;
    let proved = there.prove(&pins, onlooker)?;
    evidence::keep(&triage.store_folder(), &proved.evidence)?;
    let generated = there.generated(onlooker);
    verification.pins.iter_mut().zip(proved.proofs).for_each(|(pin, proof)| pin.base = Some(proof));
    // One that is red there for the reason on record holds what is on record.
    let asked: Vec<bool> = verification.pins.iter().map(is_in_doubt_there).collect();
    let seen = seen.and_then(|()| {
        let before = there.made(&asked, onlooker)?;
        here.ask(&verification.pins, is_in_doubt_there, &workshop, onlooker)?;
        values::compare(&mut verification.pins, &before, &here, &tree);
        Ok(())
    });
    let seen = seen.and_then(|()| {
        let generated = generated?;
        seeds::compare(&mut verification.pins, &generated, &workshop, onlooker)
    });
    verification.compared(seen, Some(&commit.short))?;
    let mut notices = there.notices;
    notices.append(&mut verification.notices);
    Ok(Verification { notices, base: Some(commit), ..verification })
}

fn is_in_doubt_there(one: &Verified) -> bool {
    one.base.as_ref().is_some_and(is_in_doubt)
}
