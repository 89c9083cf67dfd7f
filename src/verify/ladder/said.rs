//! What is said of a pin that is not proven: one sentence each.

use crate::pin::NO_LINE;
use crate::proof::{PinState, Proof};

use super::super::short::short;

/// Why a pin gave way that does not compile, or keeps its file from being loaded.
pub(super) fn no_build(proof: &Proof) -> String {
    format!("it does not build: {}", told(proof))
}

/// What is said of a pin that is red, of which it was not seen whether it holds the value on record.
pub(super) const NOT_SEEN: &str =
    "it is red, but the test beside it that prints its value told nothing: look at the value";

/// Why a pin stands on a lower rung than another that was tried.
pub(super) fn weaker(why: &str) -> String {
    format!("a stronger pin was tried: {why}")
}

/// Why a pin gave way that was run and not red.
pub(super) fn came_out(proof: &Proof) -> String {
    match proof.state {
        PinState::RedForAnotherReason => format!("it fails for another reason: {}", told(proof)),
        PinState::Missing => format!("its test did not come out: {}", told(proof)),
        PinState::TimedOut => "it did not come to its end in time".to_owned(),
        PinState::Red | PinState::Green | PinState::DoesNotBuild => "it does not reproduce".to_owned(),
    }
}

/// Why there is none at all.
pub(super) fn nothing_left(why: &str) -> String {
    format!("{why}; nor is there a replay handle to pin. Write the test by hand")
}

/// What is said of a pin that holds another input than its failure's own.
pub(super) fn instead(counterexample: &str) -> String {
    format!(
        "the input on record did not come up again and has no literal: it holds `{}`, which came up instead and fails for the \
         same cause",
        short(counterexample)
    )
}

/// What is said of a pin that holds a smaller input than its failure's own, which the run had left off shrinking.
pub(super) fn further(counterexample: &str) -> String {
    format!(
        "shrinking was cut off in the run and went on from there: it holds `{}`, which that led to and which fails for the same \
         cause",
        short(counterexample)
    )
}

/// Why a pin gave way that holds another value.
pub(super) fn other_value(printed: &str) -> String {
    format!("its value prints as `{}`, which is not what the run recorded", short(printed))
}

/// Why an expression does not give the value: it came to no end.
pub(super) fn not_ended(proof: &Proof) -> String {
    match proof.message.as_str() {
        "" => "it did not come to its end in time".to_owned(),
        said => short(said),
    }
}

/// What is added to why a value cannot be made again, where not all was tried.
pub(super) const NOT_ALL_TRIED: &str =
    "; not all expressions that may make it were tried, as they took all the time that they have together";

/// Why an expression was not tried, or not to its end.
pub(super) const TRIED_NO_MORE: &str = "no time was left to try it: such expressions have 30 s together";

/// What is said meanwhile of an expression that was tried.
pub(super) fn tried(code: &str, why: &str) -> String {
    format!("tried `{}`: {why}; what else was tried is looked at all the same\n", short(code))
}

/// Why a pin gave way that prints the value and does not fail as it did: it holds what is not printed otherwise.
pub(super) fn not_the_input(proof: &Proof) -> String {
    match proof.state {
        PinState::Green => "it prints the value, and does not break the property".to_owned(),
        _ => format!("it prints the value, and fails otherwise: {}", told(proof)),
    }
}

/// Why nothing was run, where that says nothing against the pin.
pub(super) fn unable(why: &str) -> String {
    format!(
        "it is not proven, as nothing could be built or run here: {}; `redpin verify` runs it once that can be done",
        short(why)
    )
}

/// The same where it is the user's own code that does not build.
pub(super) fn own_code(proof: &Proof) -> String {
    format!(
        "it is not proven, as the code it stands in does not build: {}; `redpin verify` runs it once that does",
        told(proof)
    )
}

/// Why a pin without a test of its own is held, which is a replay handle alone, where that is because it came out so.
pub(super) fn dead_seed(proof: &Proof, (red, runs): (usize, usize)) -> Option<String> {
    (proof.state == PinState::Green && red == 0).then(|| {
        format!("its seed is dead: what is generated from it today does not break the property, green in {runs} of {runs} runs on this code")
    })
}

/// Why a pin is held that did not come out red. `recorded` is what the run said, `red` of `runs` times it was red.
pub(super) fn not_red(proof: &Proof, unmet: bool, recorded: &str, (red, runs): (usize, usize)) -> String {
    match proof.state {
        _ if unmet => "its input no longer meets the assumption of the property".to_owned(),
        PinState::Red | PinState::Green | PinState::RedForAnotherReason if red > 0 => {
            format!("it is flaky: red in {red} of {runs} runs")
        }
        PinState::Red | PinState::Green => {
            format!("it does not reproduce: green in {runs} of {runs} runs on this code")
        }
        PinState::RedForAnotherReason => {
            format!("it fails for another reason: {}, where the run said: {}", told(proof), short(recorded))
        }
        PinState::DoesNotBuild => format!("the code it stands in does not build: {}", told(proof)),
        PinState::Missing => format!("its test did not come out: {}", told(proof)),
        PinState::TimedOut => "it did not come to its end in time".to_owned(),
    }
}

/// Adds to what is said of a pin without a replay line that no handle was found for it.
pub(super) fn not_found(warning: &mut String) {
    if warning.starts_with(NO_LINE) {
        warning.push_str(", nor did its input come up when the property was run again");
    }
}

/// What was said, and where.
fn told(proof: &Proof) -> String {
    let said = short(&proof.message);
    match &proof.at {
        Some(at) => format!("{said} at {}:{}", at.file.0, at.line),
        None => said,
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::allowance::ALL;
    use super::{TRIED_NO_MORE, dead_seed, not_ended, not_red, tried};
    use crate::failure::{ForeignPath, Location};
    use crate::proof::{PinState, Proof};

    #[track_caller]
    fn check(state: PinState, unmet: bool, red: usize, expected: &str) {
        let at = Some(Location { file: ForeignPath("src/x.rs".to_owned()), line: 3, column: None });
        let proof = Proof { message: "no\n growth".to_owned(), at, ..Proof::plain(state) };
        assert_eq!(not_red(&proof, unmet, "too\u{1b} much", (red, 6)), expected);
    }

    #[test]
    fn a_seed_that_gives_nothing_red_is_dead() {
        let dead = "its seed is dead: what is generated from it today does not break the property, green in 6 of 6 runs on this code";
        assert_eq!(dead_seed(&Proof::plain(PinState::Green), (0, 6)).as_deref(), Some(dead));
        assert_eq!(dead_seed(&Proof::plain(PinState::Green), (1, 6)), None);
        assert_eq!(dead_seed(&Proof::plain(PinState::Missing), (0, 1)), None);
    }

    #[test]
    fn what_was_not_tried_says_how_long_others_were() {
        assert!(TRIED_NO_MORE.contains(&format!(" {} s ", ALL.as_secs())));
    }

    #[test]
    fn what_came_to_no_end_is_told_as_such() {
        let proof = |message: &str| Proof { message: message.to_owned(), ..Proof::plain(PinState::TimedOut) };
        assert_eq!(not_ended(&proof("it did not end within 10 s")), "it did not end within 10 s");
        assert_eq!(not_ended(&proof("")), "it did not come to its end in time");
        let told = "tried `Tick::new(7)`: it did not end within 10 s; what else was tried is looked at all the same\n";
        assert_eq!(tried("Tick::new(7)", "it did not end within 10 s"), told);
    }

    #[test]
    fn each_state_has_its_sentence() {
        check(PinState::Green, false, 0, "it does not reproduce: green in 6 of 6 runs on this code");
        check(PinState::Green, false, 2, "it is flaky: red in 2 of 6 runs");
        check(
            PinState::RedForAnotherReason,
            false,
            0,
            "it fails for another reason: no growth at src/x.rs:3, where the run said: too\\u{1b} much",
        );
        check(PinState::RedForAnotherReason, true, 0, "its input no longer meets the assumption of the property");
        check(PinState::DoesNotBuild, false, 0, "the code it stands in does not build: no growth at src/x.rs:3");
        check(PinState::Missing, false, 0, "its test did not come out: no growth at src/x.rs:3");
        check(PinState::TimedOut, false, 0, "it did not come to its end in time");
    }
}
