//! The glyph and the word of each state and verdict, the same wherever they are shown.

use super::theme::Role;
use crate::failure::Ending;
use crate::inbox::{Filed, State};
use crate::proof::PinState;
use crate::verdict::Verdict;

/// The glyph of a failure's state, and its meaning.
pub(crate) fn glyph(filed: &Filed) -> (&'static str, Role) {
    match (filed.state, filed.verdict) {
        (State::Open, _) => ("✗", Role::Fail),
        (State::Staged, _) => ("✓", Role::Proven),
        (State::Known, Some(verdict)) => (verdict_glyph(verdict).0, Role::Dim),
        (State::Decided, Some(verdict)) => verdict_glyph(verdict),
        (State::Decided | State::Known, None) => ("·", Role::Dim),
    }
}

/// The meaning of a word beside a glyph of meaning `role`: colours that are hard to read on some backgrounds stay with the
/// glyph.
pub(crate) fn word_role(role: Role) -> Role {
    match role {
        Role::Ambiguous | Role::Wrong => Role::Plain,
        _ => role,
    }
}

/// The glyph of a verdict, and its meaning.
pub(crate) fn verdict_glyph(verdict: Verdict) -> (&'static str, Role) {
    match verdict {
        Verdict::RealBug => ("●", Role::Fail),
        Verdict::AmbiguousSpec => ("?", Role::Ambiguous),
        Verdict::WrongProperty => ("≠", Role::Wrong),
    }
}

/// The word of a failure's state in the inbox.
pub(crate) fn state(filed: &Filed) -> &'static str {
    match (filed.state, filed.verdict) {
        (State::Open, _) if filed.pin_failed => "pin red",
        (State::Open, _) if filed.failure.ending == Ending::Aborted => "aborted",
        (State::Open, _) if !filed.candidates.is_empty() => "which?",
        (State::Open, _) if filed.reopened => "reopened",
        (State::Open, _) => "open",
        (State::Staged, Some(Verdict::RealBug)) => "bug staged",
        (State::Staged, Some(Verdict::AmbiguousSpec)) => "ambiguous staged",
        (State::Staged, Some(Verdict::WrongProperty)) => "wrong staged",
        (State::Staged, None) => "staged",
        (State::Known, _) => "known",
        (State::Decided, Some(Verdict::RealBug)) => "bug",
        (State::Decided, Some(Verdict::AmbiguousSpec)) => "ambiguous",
        (State::Decided, Some(Verdict::WrongProperty)) => "wrong",
        (State::Decided, None) => "decided",
    }
}

/// The glyph of how a pin came out, and its meaning.
pub(crate) fn pin_glyph(state: PinState) -> (&'static str, Role) {
    match state {
        PinState::Red => ("✗", Role::Fail),
        PinState::Green => ("✓", Role::Proven),
        _ => ("!", Role::Ambiguous),
    }
}

/// How a pin came out, as a word or two for the inbox.
pub(crate) fn pin_word(state: PinState) -> &'static str {
    match state {
        PinState::Red => "red",
        PinState::Green => "green",
        PinState::RedForAnotherReason => "other red",
        PinState::DoesNotBuild => "no build",
        PinState::Missing => "missing",
        PinState::TimedOut => "timed out",
    }
}

/// The same as a phrase; `own_fault` tells whether a build failed in the pin itself.
pub(crate) fn pin_phrase(state: PinState, own_fault: bool) -> &'static str {
    match (state, own_fault) {
        (PinState::Red, _) => "red",
        (PinState::Green, _) => "green",
        (PinState::RedForAnotherReason, _) => "red for another reason",
        (PinState::DoesNotBuild, true) => "does not build, in the pin itself",
        (PinState::DoesNotBuild, false) => "does not build, not in the pin",
        (PinState::Missing, _) => "missing",
        (PinState::TimedOut, _) => "timed out",
    }
}

/// A verdict as a phrase.
pub(crate) fn verdict(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::RealBug => "real bug",
        Verdict::AmbiguousSpec => "ambiguous spec",
        Verdict::WrongProperty => "wrong property",
    }
}

/// Verdict and state as a phrase: `real bug, staged`.
pub(crate) fn standing(filed: &Filed) -> String {
    let rest = match filed.state {
        State::Open => return "open".to_owned(),
        State::Decided => "decided, not yet staged",
        State::Staged => "staged",
        State::Known => "decided before",
    };
    match filed.verdict {
        Some(one) => format!("{}, {rest}", verdict(one)),
        None => rest.to_owned(),
    }
}

/// A name for where room is scarce: the word that tells it from the others.
pub(crate) fn short(name: &'static str) -> &'static str {
    match name {
        "real bug" => "bug",
        "ambiguous spec" => "ambiguous",
        "wrong property" => "wrong",
        "next match" => "next",
        _ => name,
    }
}
