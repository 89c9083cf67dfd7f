//! One failure's way, round by round.

use super::{Climb, Round};
use crate::failure::{ForeignPath, Location, TestName};
use crate::framework::Candidate;
use crate::pin::{NOT_DETERMINISTIC, Part, PartKind, Pin, Refusal, Rung};
use crate::proof::{Evidence, PinState, Proof, StandingPin};
use crate::repo_path::RepoPath;
use crate::triage::{Choice, Planned};

const EARLY: Round = Round { blamed: true, is_late: false, is_last: false, builds_without: false };
const LATE: Round = Round { is_late: true, ..EARLY };
const ALONE: Round = Round { blamed: false, ..EARLY };

fn part(kind: PartKind, text: &str) -> Part {
    Part { file: RepoPath::new("src/x.rs").unwrap(), kind, modules: Vec::new(), text: text.to_owned() }
}

fn pin(text: &str, with_seed: bool) -> Pin {
    let line = with_seed.then(|| part(PartKind::ReplayLine, "cc 00"));
    Pin {
        property: TestName("p".to_owned()),
        rung: Rung::Literal,
        test: Some(TestName("p_pin".to_owned())),
        replay: None,
        parts: std::iter::once(part(PartKind::Test, text)).chain(line).collect(),
        reason: None,
        warnings: Vec::new(),
        instead: None,
    }
}

fn climb(with_seed: bool) -> Climb {
    let candidate = |text: &str| Candidate {
        pin: pin(text, with_seed),
        value: Some(pin("v", false)),
        recorded: Vec::new(),
        doubtful: false,
    };
    let standing = StandingPin {
        failure: "0a".to_owned(),
        framework: crate::failure::FrameworkName("f".to_owned()),
        package: None,
        property: TestName("p".to_owned()),
        test: None,
        file: None,
        message: String::new(),
        counterexample: String::new(),
        makes_value: false,
        replay: None,
        files: Vec::new(),
    };
    Climb::new(Some(Planned { pin: pin("one", with_seed), standing }), vec![candidate("one"), candidate("two")])
}

fn proof(state: PinState) -> Proof {
    let at = Some(Location { file: ForeignPath("src/x.rs".to_owned()), line: 3, column: None });
    Proof { message: "no".to_owned(), at, ..Proof::plain(state) }
}

fn evidence() -> Option<Evidence> {
    serde_json::from_str(
        "{\"schema\":1,\"failure\":\"0a\",\"test\":\"p_pin\",\"state\":\"red\",\"when\":\"\",\"commit\":\"\",\"command\":\"\",\
         \"toolchain\":\"\",\"milliseconds\":1,\"exit\":0,\"output\":\"\",\"message\":\"\",\"at\":\"\"}",
    )
    .ok()
}

/// The chosen pin's first part, its rung, its reason or the reason why there is none, and its warnings.
fn told(climb: Climb) -> String {
    match climb.settled("yes") {
        Choice::Planned => "planned".to_owned(),
        Choice::Held(held) => format!("held: {}", held.reason),
        Choice::Pin(pin, evidence) => format!(
            "{} {}{} {:?} {}",
            pin.parts[0].text,
            pin.rung.word(),
            if evidence.is_some() { " with evidence" } else { "" },
            pin.reason,
            pin.warnings.join("; ")
        )
        .trim_end()
        .to_owned(),
    }
}

#[test]
fn a_red_pin_whose_value_was_not_seen_says_so() {
    let mut climb = climb(true);
    climb.was_not_seen();
    climb.came_out(proof(PinState::Red), evidence(), false, ALONE);
    let told = told(climb);
    assert!(told.ends_with(super::said::NOT_SEEN), "{told}");
}

#[test]
fn the_first_pin_that_is_red_is_chosen() {
    let mut climb = climb(true);
    climb.came_out(proof(PinState::Red), evidence(), false, ALONE);
    assert_eq!(told(climb), "one literal with evidence None");
}

#[test]
fn a_pin_that_does_not_hold_gives_way_to_the_next_and_at_last_to_its_seed() {
    let mut first = climb(true);
    first.give_way("no one", EARLY);
    first.came_out(proof(PinState::Red), evidence(), false, ALONE);
    assert_eq!(told(first), "two literal with evidence None");

    let mut seed = climb(true);
    seed.give_way("no one", LATE);
    seed.came_out(proof(PinState::Red), evidence(), false, ALONE);
    let reason = "Some(\"a test with the value was tried: no one\")";
    assert_eq!(told(seed), format!("cc 00 seed-only with evidence {reason}"));

    let mut none = climb(false);
    none.give_way("no one", EARLY);
    none.give_way("no two", EARLY);
    assert_eq!(told(none), "held: no two; nor is there a replay handle to pin. Write the test by hand");
}

#[test]
fn a_value_that_is_made_anew_and_does_not_fail_gives_way_to_the_replayed_run() {
    let replayed = Pin { rung: Rung::Replayed, reason: Some("no text".to_owned()), ..pin("replayed", false) };
    let candidate = || Candidate {
        pin: Pin { rung: Rung::Constructed, test: None, ..pin("made", false) },
        value: Some(pin("v", false)),
        recorded: Vec::new(),
        doubtful: false,
    };
    let tried = |state: PinState| {
        let mut climb = climb(false);
        (climb.pin, climb.value) = (Some(replayed.clone()), None);
        climb.left.clear();
        climb.came_out(proof(PinState::Red), evidence(), false, ALONE);
        assert!(climb.is_to_be_recorded());
        climb.was_recorded(Ok(vec![candidate()]));
        climb.came_out(proof(state), evidence(), false, ALONE);
        climb
    };
    assert_eq!(told(tried(PinState::Red)), "made constructed with evidence None");
    let mut green = tried(PinState::Green);
    assert!(green.is_open());
    green.came_out(proof(PinState::Red), evidence(), false, ALONE);
    let reason = "no text; a pin with the value was tried: it prints the value, and does not break the property";
    assert_eq!(told(green), format!("replayed replayed with evidence Some({reason:?})"));
}

#[test]
fn a_build_that_fails_by_another_pin_says_nothing() {
    let mut climb = climb(true);
    climb.came_out(proof(PinState::DoesNotBuild), None, false, EARLY);
    assert!(climb.is_open());
    climb.came_out(proof(PinState::Red), evidence(), false, ALONE);
    assert_eq!(told(climb), "one literal with evidence None");
}

#[test]
fn code_that_does_not_build_either_way_says_nothing_against_the_pin() {
    let mut climb = climb(true);
    climb.came_out(proof(PinState::DoesNotBuild), None, false, ALONE);
    let warning = "it is not proven, as the code it stands in does not build: no at src/x.rs:3; `redpin verify` runs it \
                   once that does";
    assert_eq!(told(climb), format!("one literal None {warning}"));
}

#[test]
fn code_that_builds_without_the_pin_has_it_give_way() {
    let mut climb = climb(true);
    climb.came_out(proof(PinState::DoesNotBuild), None, false, Round { builds_without: true, ..ALONE });
    climb.came_out(proof(PinState::Red), evidence(), false, ALONE);
    assert_eq!(told(climb), "two literal with evidence None");
}

#[test]
fn what_cannot_be_built_anywhere_is_no_fault_of_the_pin() {
    let mut climb = climb(true);
    climb.came_out(Proof { at: None, ..proof(PinState::DoesNotBuild) }, evidence(), false, ALONE);
    let warning =
        "it is not proven, as nothing could be built or run here: no; `redpin verify` runs it once that can be done";
    assert_eq!(told(climb), format!("one literal None {warning}"));
}

#[test]
fn a_pin_that_is_red_now_and_then_is_flaky() {
    let mut climb = climb(true);
    climb.came_out(proof(PinState::Green), None, false, ALONE);
    assert!(climb.may_be_flaky());
    climb.ran_again(&proof(PinState::Red));
    climb.ran_again(&proof(PinState::Green));
    let choice = climb.settled("yes");
    let Choice::Held(held) = &choice else { panic!("{choice:?}") };
    assert_eq!(held.reason, "it is flaky: red in 1 of 3 runs");
    let Choice::Pin(pin, _) = choice.all_the_same() else { panic!("it is held still") };
    assert_eq!(pin.warnings, ["it is staged all the same, and not proven: it is flaky: red in 1 of 3 runs"]);
}

#[test]
fn what_no_longer_meets_its_assumption_is_not_run_again() {
    let mut climb = climb(true);
    climb.came_out(proof(PinState::RedForAnotherReason), None, true, ALONE);
    assert!(!climb.may_be_flaky());
    assert_eq!(told(climb), "held: its input no longer meets the assumption of the property");
}

#[test]
fn what_was_seen_to_make_the_value_is_tried_where_no_test_was_left() {
    let mut climb = climb(true);
    assert!(!climb.is_to_be_recorded());
    climb.give_way("no", LATE);
    assert!(climb.is_to_be_recorded());
    let recorded = vec!["Amount(-1)".to_owned()];
    let made =
        Candidate { pin: pin("made", true), value: Some(pin("v", false)), recorded: recorded.clone(), doubtful: false };
    climb.was_recorded(Ok(vec![made]));
    assert_eq!((climb.recorded(), climb.is_to_be_recorded(), climb.is_open()), (&recorded[..], false, true));
    climb.came_out(proof(PinState::Red), evidence(), false, ALONE);
    assert_eq!(told(climb), "made literal with evidence None");
}

#[test]
fn why_a_value_cannot_be_made_again_is_part_of_the_reason() {
    let mut climb = climb(true);
    climb.give_way("no", LATE);
    climb.was_recorded(Err(Refusal("nothing was recorded".to_owned())));
    climb.came_out(proof(PinState::Red), evidence(), false, ALONE);
    let reason = "a test with the value was tried: no; nor can it be made again: nothing was recorded";
    assert!(told(climb).contains(reason));
}

#[test]
fn that_a_property_is_not_deterministic_is_the_whole_reason() {
    let mut climb = climb(true);
    climb.give_way("no", LATE);
    climb.was_recorded(Err(Refusal(NOT_DETERMINISTIC.to_owned())));
    climb.came_out(proof(PinState::Red), evidence(), false, ALONE);
    let told = told(climb);
    assert!(told.contains(NOT_DETERMINISTIC) && !told.contains("a test with the value was tried"), "{told}");
}

#[test]
fn a_guess_that_is_red_stays() {
    let mut climb = climb(true);
    climb.guess(Candidate {
        pin: pin("guess", true),
        value: Some(pin("v", false)),
        recorded: Vec::new(),
        doubtful: false,
    });
    climb.came_out(proof(PinState::Red), evidence(), false, ALONE);
    assert!(climb.guessed());
    assert_eq!(told(climb), "guess literal with evidence None");
}

#[test]
fn a_guess_that_does_not_hold_leaves_all_as_it_was() {
    let settles: [fn(&mut Climb); 5] = [
        |climb| climb.came_out(proof(PinState::Green), evidence(), false, ALONE),
        |climb| climb.came_out(proof(PinState::DoesNotBuild), None, false, ALONE),
        |climb| climb.give_way("it prints as `2`", EARLY),
        Climb::drop_guess,
        Climb::refuse,
    ];
    for settle in settles {
        let mut climb = climb(true);
        climb.guess(Candidate {
            pin: pin("guess", true),
            value: Some(pin("v", false)),
            recorded: Vec::new(),
            doubtful: false,
        });
        settle(&mut climb);
        assert!(!climb.is_open() && !climb.guessed() && climb.is_open());
        climb.came_out(proof(PinState::Red), None, false, ALONE);
        assert_eq!(told(climb), "one literal None");
    }
}

#[test]
fn a_pin_that_nothing_else_shows_to_hold_its_value_gives_way_where_it_is_not_red() {
    let candidate =
        |text: &str| Candidate { pin: pin(text, false), value: None, recorded: Vec::new(), doubtful: false };
    let three = || Climb::new(None, vec![candidate("one"), candidate("two"), candidate("three")]);
    let mut second = three();
    second.came_out(proof(PinState::Green), evidence(), false, EARLY);
    second.came_out(proof(PinState::Red), evidence(), false, EARLY);
    assert_eq!(told(second), "two literal with evidence None");
    // Where none is red, the first one is what is told of.
    let mut none = three();
    none.came_out(proof(PinState::RedForAnotherReason), evidence(), false, EARLY);
    none.give_way("no two", EARLY);
    none.came_out(proof(PinState::Green), evidence(), false, EARLY);
    assert_eq!(told(none), "held: it fails for another reason: no at src/x.rs:3, where the run said: yes");
    let mut late = three();
    late.came_out(proof(PinState::Green), evidence(), false, LATE);
    assert_eq!(told(late), "held: it does not reproduce: green in 1 of 1 runs on this code");
}

#[test]
fn one_that_only_prints_as_its_value_gives_way_to_the_next_where_it_is_not_red() {
    let candidate = |text: &str, doubtful| Candidate {
        pin: pin(text, false),
        value: Some(pin("v", false)),
        recorded: Vec::new(),
        doubtful,
    };
    let mut climb = Climb::new(None, vec![candidate("one", true), candidate("two", false)]);
    climb.came_out(proof(PinState::Green), evidence(), false, EARLY);
    assert!(climb.is_open());
    climb.came_out(proof(PinState::Red), evidence(), false, EARLY);
    assert_eq!(told(climb), "two literal with evidence None");
    let mut last = Climb::new(None, vec![candidate("one", true)]);
    last.came_out(proof(PinState::Green), evidence(), false, EARLY);
    assert_eq!(told(last), "held: it does not reproduce: green in 1 of 1 runs on this code");
}

#[test]
fn one_that_waits_is_not_tried_meanwhile() {
    let mut climb = climb(true);
    climb.wait();
    assert!(!climb.is_open() && !climb.guessed() && climb.is_open());
}

/// What becomes of a pin that holds its value, and says why it has no seed, once one was looked for.
#[track_caller]
fn check_sought(found: Option<&Pin>, expected: &str) {
    let mut climb = climb(false);
    let warned = |pin: &mut Pin| pin.warnings.push("no seed is pinned: the run names none".to_owned());
    climb.pin.iter_mut().for_each(warned);
    climb.left.iter_mut().for_each(|one| warned(&mut one.pin));
    assert!(climb.is_to_be_sought());
    climb.came_out(proof(PinState::Red), evidence(), false, ALONE);
    assert!(climb.is_to_be_sought());
    climb.was_sought(found);
    assert!(!climb.is_to_be_sought());
    let lines = climb.pin.iter().flat_map(|pin| &pin.parts).filter(|part| part.kind == PartKind::ReplayLine).count();
    assert_eq!(lines, usize::from(found.is_some()));
    assert_eq!(climb.left.iter().filter(|one| one.pin.parts.len() == 2).count(), lines);
    assert_eq!(told(climb), expected);
}

#[test]
fn a_seed_that_is_found_goes_beside_the_test_and_else_it_is_said() {
    check_sought(Some(&pin("seed", true)), "one literal with evidence None");
    check_sought(
        None,
        "one literal with evidence None no seed is pinned: the run names none, nor did its input come up when the property \
         was run again",
    );
}

#[test]
fn nothing_is_sought_for_a_pin_that_has_a_seed_or_needs_none() {
    assert!(!climb(true).is_to_be_sought());
    assert!(!climb(false).is_to_be_sought());
}
