//! Pins being run: how it is told, stopped and shown, and what becomes of pins that are not proven.

use redpin::failure::{ForeignPath, Location, TestName};
use redpin::inbox::{FailureId, Inbox};
use redpin::proof::{Evidence, PinState, Proof, Shown};
use redpin::triage::{Choice, Held, Ignored};
use redpin::tui::{Arrival, Effect, Ended, Event, Order, Staging, TrialNews};
use redpin::verdict::Verdict;
use redpin::verify::Verification;

use super::sample;
use super::screens::check;
use super::stage::Stage;

/// The failure of the sample whose pin is staged.
const STAGED: &str = "export::round_trip";

fn id(test: &str) -> FailureId {
    FailureId(test.to_owned())
}

/// At the failure whose pin stands.
fn at_the_staged_one(columns: u16, rows: u16) -> Stage {
    let mut stage = Stage::new(columns, rows, sample::inbox());
    stage.keys("alt-6 j");
    stage
}

fn evidence(failure: &str, state: PinState, own_fault: bool) -> Evidence {
    Evidence {
        schema: 1,
        failure: failure.to_owned(),
        test: format!("{failure}_pin_950ab3f"),
        state,
        when: "2026-11-30T03:17:00Z".to_owned(),
        commit: "c0ffee1234567890+".to_owned(),
        command: "cargo test --no-fail-fast --lib -- --exact export::round_trip_pin_950ab3f".to_owned(),
        toolchain: "cargo 1.89.0".to_owned(),
        milliseconds: 12_340,
        exit: 101,
        output: "00".repeat(8),
        own_fault,
        elsewhere: false,
        message: if state == PinState::Green { String::new() } else { "quotes were \u{1b}[31mlost".to_owned() },
        at: if state == PinState::Green { String::new() } else { "src/export.rs:9".to_owned() },
        below: false,
    }
}

fn came_out(test: &str, state: PinState) -> TrialNews {
    let at = Location { file: ForeignPath("src/export.rs".to_owned()), line: 9, column: None };
    let proof = Proof { message: "quotes were lost\nmore".to_owned(), at: Some(at), ..Proof::plain(state) };
    TrialNews::CameOut(id(test), TestName(format!("{test}_pin_950ab3f")), proof)
}

#[test]
fn pins_are_run_for_the_failure_the_cause_or_all() {
    let mut stage = at_the_staged_one(80, 24);
    stage.keys("v").news(TrialNews::Ended(Ended::NoPins));
    stage.keys("k v").news(TrialNews::Ended(Ended::NoPins));
    stage.keys("V");
    let verify = |ids: &[&str]| Effect::Verify(ids.iter().map(|one| id(one)).collect());
    assert_eq!(stage.seen, [verify(&[STAGED]), verify(&[STAGED]), verify(&[])]);
    assert!(stage.keys("v").text().contains("pins are being run already; x stops them"));
    assert_eq!(stage.seen.len(), 3);
}

#[test]
fn a_failure_without_a_pin_says_what_comes_first() {
    let mut stage = Stage::new(89, 24, sample::inbox());
    assert!(stage.keys("v").text().contains("no pin of this failure stands yet: b, then s stages one"));
    assert!(stage.keys("b k v").text().contains("is not staged yet: s stages it"));
    assert!(stage.keys("G v").text().contains("no pin of this failure stands yet"));
    assert!(stage.keys("x").text().contains("no pins are being run"));
    assert!(stage.keys("t").text().contains("no pins were run yet"));
    assert!(stage.seen.is_empty());
}

#[test]
fn a_line_tells_how_it_goes_and_a_pane_what_is_printed() {
    let mut stage = at_the_staged_one(80, 24);
    let before = stage.text();
    stage.keys("v");
    assert_eq!(stage.text(), before, "nothing before a tenth of a second");
    stage.news(TrialNews::Pins(1));
    stage.news(TrialNews::Command("cargo test --no-fail-fast --lib -- --exact export::round_trip_pin".to_owned()));
    stage.news(TrialNews::Output(b"   Compiling ledger v0.1.0\n\x1b[2Jsteer\r\n".to_vec()));
    check("running-80x24", stage.wait(2_300), "");
    let long = "warning: a line that is so long that it does not fit into eighty cells of a screen and is wrapped\n";
    stage.news(TrialNews::Output(long.repeat(9).into_bytes()));
    check("output-80x24", &mut stage, "t");
    stage.keys("g");
    assert!(stage.text().contains("Compiling ledger"), "{}", stage.text());
    stage.news(TrialNews::Output(b"the end\n".to_vec()));
    assert!(!stage.text().contains("the end"), "what is read stays where it is");
    assert!(stage.keys("G").text().contains("the end"));
    stage.news(TrialNews::Output(b"and more\n".to_vec()));
    assert!(stage.text().contains("and more"), "the end is followed");
    stage.news(came_out(STAGED, PinState::Red)).news(TrialNews::Ended(Ended::Verified(Verification::default())));
    check("outcome-80x24", &mut stage, "g");
    assert!(stage.keys("esc").text().contains("1 pin: 1 red; t shows what the tests printed"));
}

#[test]
fn verdicts_and_movements_go_on_while_pins_are_run() {
    let mut stage = at_the_staged_one(120, 24);
    stage.keys("V").wait(500);
    assert!(stage.keys("g j b").text().contains("4 of 7 open"));
    assert!(stage.text().contains("running pins"));
    assert!(stage.keys("esc esc").text().contains("x stops the pins"));
    assert_eq!(stage.seen.len(), 1);
}

#[test]
fn it_is_stopped_by_a_key_that_esc_is_not() {
    let mut stage = at_the_staged_one(80, 24);
    stage.keys("v esc esc");
    assert_eq!(stage.seen.len(), 1);
    stage.keys("x");
    assert_eq!(stage.seen.last(), Some(&Effect::Stop));
    assert!(stage.text().contains("asked the tests to end") && stage.text().contains("stopping  "), "{}", stage.text());
    stage.keys("t x");
    assert_eq!(stage.seen.len(), 3);
    stage.keys("esc").news(TrialNews::Ended(Ended::Stopped));
    assert!(stage.text().contains("stopped: nothing is kept of it") && !stage.text().contains("stopping  "));
}

#[test]
fn how_a_pin_came_out_shows_in_its_row_and_at_the_failure() {
    let mut stage = at_the_staged_one(120, 40);
    let last = evidence(STAGED, PinState::RedForAnotherReason, false);
    let red = Some(Evidence { when: "2026-11-28T03:17:00Z".to_owned(), ..evidence(STAGED, PinState::Red, false) });
    stage.event(Event::Arrived(Arrival::Shown(vec![Shown { last, red }])));
    check("proven-120x40", &mut stage, "");
}

/// The row of the failure whose pin stands, and the first line on its pin.
fn told(stage: &mut Stage, state: PinState, own_fault: bool) -> (String, String) {
    let shown = Shown { last: evidence(STAGED, state, own_fault), red: None };
    stage.event(Event::Arrived(Arrival::Shown(vec![shown])));
    let row = stage.text().lines().find(|line| line.contains("round_trip ")).unwrap_or_default().to_owned();
    let word = row.rsplit("staged  ").next().unwrap_or_default().to_owned();
    let page = stage.keys("enter").text();
    let line = page.lines().find(|line| line.contains(" pin ")).unwrap_or_default().trim();
    let line = line.split("  2026").next().unwrap_or_default().to_owned();
    stage.keys("esc");
    (word, line)
}

#[test]
fn each_way_to_come_out_has_a_glyph_and_words_of_its_own() {
    let mut stage = at_the_staged_one(80, 24);
    for (state, own_fault, row, page) in [
        (PinState::Red, false, "✗ red", "✗ pin red"),
        (PinState::Green, false, "✓ green", "✓ pin green"),
        (PinState::RedForAnotherReason, false, "! other red", "! pin red for another reason"),
        (PinState::DoesNotBuild, true, "! no build", "! pin does not build, in the pin itself"),
        (PinState::DoesNotBuild, false, "! no build", "! pin does not build, not in the pin"),
        (PinState::Missing, false, "! missing", "! pin missing"),
        (PinState::TimedOut, false, "! timed out", "! pin timed out"),
    ] {
        assert_eq!(told(&mut stage, state, own_fault), (row.to_owned(), page.to_owned()));
    }
}

#[test]
fn without_colour_and_in_ascii_the_words_stay() {
    let shown = || Arrival::Shown(vec![Shown { last: evidence(STAGED, PinState::Red, false), red: None }]);
    let mut coloured = at_the_staged_one(120, 40);
    let mut plain = Stage::without_colour(120, 40, sample::inbox());
    plain.keys("alt-6 j");
    let mut ascii = Stage::ascii(120, 40, sample::inbox());
    ascii.keys("alt-6 j");
    for stage in [&mut coloured, &mut plain, &mut ascii] {
        stage.event(Event::Arrived(shown()));
    }
    assert_eq!(plain.text(), coloured.text());
    assert!(ascii.text().contains("x red") && ascii.text().is_ascii(), "{}", ascii.text());
}

const FIRST: &str = "billing::tests::bill_4_sum_is_exact";
const SECOND: &str = "billing::tests::bill_4_spread_at_most_one_cent";

/// Two real bugs whose pins are being proven, and a third failure judged while they are.
fn proving() -> Stage {
    let mut stage = Stage::new(80, 24, sample::inbox());
    stage.proving = true;
    stage.keys("b b s").news(TrialNews::Command("cargo test".to_owned()));
    stage.wait(1_000).keys("w");
    stage
}

fn staging(ids: &[&str]) -> Staging {
    Staging {
        verdicts: ids.iter().map(|one| (id(one), Verdict::RealBug)).collect(),
        ignored: Ignored::LeaveOut,
        by_hand: None,
    }
}

fn proven(held: &[&str]) -> TrialNews {
    let choice = |test: &&str| match held.contains(test) {
        true => held_for("it passes on this code: the bug does not show, or is mended already"),
        false => Choice::Planned,
    };
    let all = [FIRST, SECOND];
    let choices = all.iter().map(|test| (id(test), choice(test))).collect();
    let verdicts = staging(&[SECOND, FIRST]).verdicts;
    TrialNews::Ended(Ended::Proven(Staging { verdicts, ignored: Ignored::LeaveOut, by_hand: None }, choices))
}

/// The failures of each proven staging that was ordered.
fn ordered(stage: &Stage) -> Vec<Vec<FailureId>> {
    let ids = |staging: &Staging| staging.verdicts.iter().map(|(id, _)| id.clone()).collect();
    let of = |order: &Order| if let Order::StageProven(staging, _) = order { Some(ids(staging)) } else { None };
    stage.ordered.iter().filter_map(of).collect()
}

#[test]
fn what_was_decided_is_proven_and_then_staged_at_once() {
    let mut stage = proving();
    assert!(stage.text().contains("proving pins  0 of 2"), "{}", stage.text());
    assert!(matches!(&stage.seen[..], [Effect::Prove(staging)] if staging.verdicts.len() == 2));
    stage.news(proven(&[]));
    assert_eq!(ordered(&stage), [[id(SECOND), id(FIRST)]]);
    assert!(stage.text().contains("staged 2") && stage.text().contains("1 decided"), "{}", stage.text());
}

#[test]
fn pins_that_are_not_proven_wait_for_what_the_user_says_of_each() {
    let mut stage = proving();
    stage.news(proven(&[FIRST]));
    assert_eq!(ordered(&stage), [[id(SECOND)]]);
    check("held-80x24", &mut stage, "");
    stage.keys("b a w y enter");
    assert_eq!((ordered(&stage).len(), stage.text().contains("not proven")), (1, true));
    check("held-marked-80x24", &mut stage, "space");
    stage.keys("S");
    assert_eq!(ordered(&stage), [vec![id(SECOND)], vec![id(FIRST)]]);
    assert!(!stage.text().contains("not proven"));
}

#[test]
fn pins_that_are_left_stay_decided() {
    for keys in ["esc", "S"] {
        let mut stage = proving();
        stage.news(proven(&[FIRST, SECOND])).keys(keys);
        assert!(ordered(&stage).is_empty());
        assert!(
            stage.text().contains("2 pins not staged; the verdict stays, and s proves it again"),
            "{}",
            stage.text()
        );
        assert!(stage.text().contains("3 decided"));
    }
}

#[test]
fn pins_that_wait_do_not_disturb_a_note_being_written() {
    let mut stage = proving();
    stage.keys("n a").news(proven(&[FIRST]));
    assert!(stage.text().contains("note: a") && !stage.text().contains("not proven"), "{}", stage.text());
    stage.keys("b enter");
    assert!(stage.text().contains("these pins are not proven"));
}

#[test]
fn leaving_while_pins_are_proven_says_that_nothing_was_staged() {
    let mut stage = proving();
    stage.keys("q");
    let told = "nothing was staged: its pins were still being run".to_owned();
    assert_eq!(stage.seen.last(), Some(&Effect::Quit(0, Some(told))));
    let mut stage = proving();
    stage.keys("x").news(TrialNews::Ended(Ended::Stopped));
    assert!(stage.text().contains("stopped: nothing was staged"));
    assert!(ordered(&stage).is_empty());
    stage.keys("q");
    assert_eq!(stage.seen.last(), Some(&Effect::Quit(0, None)));
}

#[test]
fn thousands_of_pins_that_wait_show_like_a_few() {
    let inbox: Inbox = sample::many(5_000);
    let ids: Vec<FailureId> = inbox.filed().iter().map(|filed| filed.id.clone()).collect();
    let mut stage = Stage::new(80, 24, inbox);
    let verdicts = ids.iter().map(|id| (id.clone(), Verdict::RealBug)).collect();
    let choices = ids.iter().map(|id| (id.clone(), held_for("it passes on this code"))).collect();
    let all = Staging { verdicts, ignored: Ignored::LeaveOut, by_hand: None };
    stage.event(Event::Arrived(Arrival::Prove(all.clone())));
    stage.news(TrialNews::Ended(Ended::Proven(all, choices)));
    assert!(stage.keys("G").text().contains("[ ] property_004999_holds"), "{}", stage.text());
    assert!(stage.keys("g").text().contains("[ ] property_000000_holds"), "{}", stage.text());
}

#[test]
fn every_size_shows_pins_being_run_and_those_that_wait() {
    for (columns, rows) in [(1, 1), (2, 1), (1, 9), (16, 4), (20, 5), (40, 10), (89, 3), (90, 24), (500, 200)] {
        let mut stage = Stage::new(columns, rows, sample::inbox());
        stage.proving = true;
        let shows = |stage: &mut Stage, keys: &str| {
            assert!(!stage.keys(keys).text().trim().is_empty(), "{columns}x{rows} after {keys:?}");
        };
        shows(&mut stage, "b b s");
        stage.news(TrialNews::Command("cargo test".to_owned()));
        stage.news(TrialNews::Output("語 a line that is rather long\n".repeat(50).into_bytes())).wait(3_000);
        shows(&mut stage, "");
        shows(&mut stage, "t g pgdn G k");
        stage.news(came_out(FIRST, PinState::TimedOut));
        shows(&mut stage, "esc t");
        stage.news(proven(&[FIRST, SECOND]));
        shows(&mut stage, "esc");
        shows(&mut stage, "j space");
    }
}

fn held_for(reason: &str) -> Choice {
    Choice::Held(Box::new(Held { reason: reason.to_owned(), pin: None, evidence: None }))
}

#[test]
fn in_the_patch_the_editor_opens_on_the_pin_unless_that_is_staged() {
    let mut stage = Stage::new(120, 40, sample::inbox());
    stage.keys("j enter G e");
    let drafts = |stage: &Stage| stage.seen.iter().filter(|effect| matches!(effect, Effect::Draft(_))).count();
    assert_eq!(drafts(&stage), 1, "{:?}", stage.seen);
    stage.keys("esc alt-5 j enter G e");
    assert_eq!(drafts(&stage), 1);
    assert!(stage.text().contains("what was decided of it is staged; u takes it back"), "{}", stage.text());
}
