//! Any size of the screen, from one cell up, in every state, without a panic; and rows that never leave it.

use redpin::inbox::Inbox;

use super::sample;
use super::stage::Stage;
use super::surveyed;

/// Keys that lead through the states of the screen.
const STATES: &[&str] = &[
    "",
    "enter",
    "z",
    "G",
    "esc",
    "?",
    "esc",
    "/ x",
    "esc",
    "enter / a",
    "enter n",
    "esc esc",
    "y",
    "esc",
    "g b",
    "n",
    "n a b c",
    "enter",
    "U",
    "2",
    "G enter",
    "/ x",
    "esc z",
    "esc esc 3 enter j",
    "4",
    "enter G",
    "5 ? esc",
    "/ x y z",
    "esc enter G z",
    "esc esc esc esc",
];

#[test]
fn every_size_shows_something_in_every_state() {
    for (columns, rows) in [(1, 1), (2, 1), (1, 9), (16, 4), (20, 5), (40, 10), (89, 3), (90, 24), (500, 200)] {
        for inbox in [sample::inbox(), Inbox::default()] {
            let mut stage = Stage::new(columns, rows, inbox);
            stage.surveyed = Some(surveyed::full);
            for keys in STATES {
                assert!(!stage.keys(keys).text().trim().is_empty(), "{columns}x{rows} after {keys:?}");
            }
        }
    }
}

#[test]
fn the_screen_follows_when_it_shrinks_and_grows() {
    let mut stage = Stage::new(120, 40, sample::inbox());
    let before = stage.keys("G enter G").text();
    for (columns, rows) in [(20, 5), (1, 1), (300, 80), (120, 40)] {
        stage.resize(columns, rows);
        assert!(!stage.text().trim().is_empty(), "{columns}x{rows}");
    }
    assert_eq!(stage.text(), before);
}

#[test]
fn a_screen_that_is_too_small_says_so() {
    assert_eq!(Stage::new(9, 2, sample::inbox()).text(), "too small\n\n");
    assert_eq!(Stage::new(1, 1, sample::inbox()).text(), "t\n");
}
