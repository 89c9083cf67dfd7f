//! Rows as runs of style: colour never carries a meaning alone.

use ratatui::style::Color;

use super::sample;
use super::stage::Stage;
use super::surveyed;

fn check(stage: &Stage, first: u16, expected: &[&str]) {
    let rows: Vec<String> = (first..).take(expected.len()).map(|y| stage.styles(y)).collect();
    assert_eq!(rows, expected);
}

#[test]
fn the_selected_row_is_reversed_and_each_state_has_its_colour() {
    let expected = [
        "dim<▾ > bold<BILL-4> dim<×3>",
        "reversed<›  > bold+reversed<✗> reversed< bill_4_sum_is_exact                   11, 13                           open>",
        "red+bold<✗> ",
        "red+bold<✗> ",
        "dim<▾ > bold<BILL-7> ",
        "red+bold<✗> ",
        "dim<▾ > bold<CSV-1 > ",
        "green<✓> dim< round_trip                            \"\\\"\\n\"                     > green<bug staged>",
        "dim<▾ > bold<–     > dim<×2>",
        "dim<≠ ledger_keeps_order                    [Entry { cents: 5 }]            known>",
    ];
    check(&Stage::new(80, 24, sample::inbox()), 2, &expected);
}

#[test]
fn the_failure_is_weighed_by_weight_and_only_what_failed_is_red() {
    let expected = [
        "bold+reversed<bill_4_sum_is_exact> reversed<                                                     > bold+reversed<BILL-4> ",
        "dim<billing::tests> dim<src/billing.rs:22> ",
        "",
        "dim<billing/spec.md:14> ",
        "bold<“No two instalments differ by more than 1 cent.”> ",
        "",
        "dim<  total  > bold<11> ",
        "dim<  parts  > bold<13> ",
        "",
        "red+bold<13 != 11> dim<at src/billing.rs:27> ",
        "dim<new seed · first 2026-11-28 · nightly.log:120> ",
    ];
    check(Stage::new(80, 24, sample::inbox()).keys("enter"), 2, &expected);
}

#[test]
fn without_colour_the_text_is_the_same_and_nothing_is_coloured() {
    let mut coloured = Stage::new(120, 40, sample::inbox());
    let mut plain = Stage::without_colour(120, 40, sample::inbox());
    assert_eq!(plain.keys("b a w").text(), coloured.keys("b a w").text());
    let (buffer, _) = plain.draw();
    assert!(buffer.content().iter().all(|cell| cell.fg == Color::Reset && cell.bg == Color::Reset));
}

#[test]
fn the_tab_shown_is_bold_between_brackets_and_signs_alone_are_coloured() {
    let mut stage = Stage::loading(80, 24, sample::inbox());
    stage.surveyed = Some(surveyed::full);
    let mut stage = stage.arrived();
    stage.keys("3 j");
    let expected = [
        "dim< 1 inbox   2 requirements  > bold<[3 quarantine] > dim< 4 sweeps   5 decisions  > ",
        "red+bold<✗> bold< 2026-11-28> dim<over for 3 days>",
        "reversed<› > bold+reversed<! 2026-12-02> reversed<  web/card.test.ts > card > masks                       1 day left>",
        "dim<·> bold< 2026-12-14> dim<13 days left   1 failure>",
    ];
    check(&stage, 1, &expected);
}
