//! Whole screens as text, each in a file of its own beside this one.

use redpin::inbox::Inbox;

use super::sample;
use super::stage::Stage;

/// The screen `name` after `keys`.
pub(super) fn check(name: &str, stage: &mut Stage, keys: &str) {
    let path = format!("{}/tests/tui/screens/{name}.txt", env!("CARGO_MANIFEST_DIR"));
    let expected = std::fs::read_to_string(&path).unwrap_or_default();
    let actual = stage.keys(keys).text();
    assert!(actual == expected, "{path} should be:\n{actual}");
}

#[test]
fn narrow_screens_show_the_inbox_or_the_failure() {
    let mut stage = Stage::new(80, 24, sample::inbox());
    check("inbox-80x24", &mut stage, "");
    check("failure-80x24", &mut stage, "enter");
}

#[test]
fn wide_screens_show_both() {
    check("120x40", &mut Stage::new(120, 40, sample::inbox()), "j j j j");
    check("200x50", &mut Stage::new(200, 50, sample::inbox()), "");
}

#[test]
fn a_wide_inbox_says_where_each_failure_came_from() {
    check("zoomed-120x24", &mut Stage::new(120, 24, sample::inbox()), "z");
}

#[test]
fn an_empty_inbox_says_how_to_fill_it() {
    check("empty-80x24", &mut Stage::new(80, 24, Inbox::default()), "");
}

#[test]
fn the_first_frame_waits_for_nothing_and_says_after_a_while_what_is_awaited() {
    let mut stage = Stage::loading(80, 24, sample::inbox());
    check("first-80x24", &mut stage, "");
    check("reading-80x24", stage.wait(150), "");
}

#[test]
fn a_failure_shows_before_anything_is_known_of_it() {
    let mut stage = Stage::new(120, 24, Inbox::default());
    stage.answering = false;
    stage.arrive(sample::inbox());
    check("unknown-120x24", &mut stage, "");
}

#[test]
fn large_values_fold_and_unfold() {
    let numbers: Vec<String> = (0..7410).map(|number| number.to_string()).collect();
    let text = format!("Batch {{ id: 7, cents: [{}], name: \"{}\" }}", numbers.join(", "), "x".repeat(5000));
    let mut stage = Stage::new(100, 30, sample::one(&text, "too many"));
    check("folded-100x30", &mut stage, "enter alt-7 j");
    check("unfolded-100x30", &mut stage, "space j space");
}

#[test]
fn what_would_steer_a_terminal_is_shown_and_wide_text_keeps_its_columns() {
    let text = "[\"\\u{1b}[2J\", '\\u{202e}', \"\u{1b}]0;x\u{7}\", \"語語語 e\u{301} 👨‍👩‍👧\", \"\t\"]";
    check("hostile-100x24", &mut Stage::new(100, 24, sample::one(text, "left \u{1b}[31mred\u{9b}0m\r\n\tright")), "");
}

#[test]
fn the_help_shows_what_is_valid_here_and_is_searched() {
    let mut stage = Stage::new(100, 30, sample::inbox());
    check("help-100x30", &mut stage, "?");
    check("help-search-100x30", &mut stage, "p a t c h");
}

#[test]
fn a_question_stands_above_its_two_answers() {
    check("question-80x24", &mut Stage::new(80, 24, sample::inbox()), "g b");
}

#[test]
fn what_went_wrong_is_a_line_above_the_keys() {
    check("error-80x24", &mut Stage::new(80, 24, sample::inbox()), "U");
}
