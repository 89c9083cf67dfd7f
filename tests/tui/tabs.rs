//! The tabs beside the inbox: what they show, and where keys lead from them.

use redpin::inbox::{FailureId, Inbox};
use redpin::repo_path::RepoPath;
use redpin::tui::{Effect, Order, Tab};

use super::sample;
use super::screens::check;
use super::stage::Stage;
use super::surveyed;

fn stage(columns: u16, rows: u16) -> Stage {
    let mut stage = Stage::loading(columns, rows, sample::inbox());
    stage.surveyed = Some(surveyed::full);
    stage.arrived()
}

/// The first row that is selected, without what stands further right than its name.
fn selected(stage: &Stage) -> String {
    let text = stage.text();
    let row = text.lines().find_map(|line| line.strip_prefix('›')).unwrap_or_default();
    row.trim().split("  ").next().unwrap_or_default().to_owned()
}

/// The row of tabs.
fn tabs(stage: &Stage) -> String {
    stage.text().lines().nth(1).unwrap_or_default().trim().to_owned()
}

#[test]
fn each_tab_shows_its_rows_and_what_is_selected() {
    for (key, name) in [("2", "requirements"), ("3", "quarantine"), ("4", "sweeps"), ("5", "decisions")] {
        check(&format!("{name}-80x24"), &mut stage(80, 24), key);
        check(&format!("{name}-200x50"), &mut stage(200, 50), key);
        check(&format!("{name}-40x10"), &mut stage(40, 10), key);
        check(&format!("{name}-read-80x24"), &mut stage(80, 24), &format!("{key} enter"));
    }
}

#[test]
fn without_glyphs_and_colour_the_sweeps_can_be_read() {
    let mut ascii = Stage::ascii(80, 24, sample::inbox());
    ascii.surveyed = Some(surveyed::full);
    check("sweeps-ascii-80x24", &mut ascii, "4");
    check("sweeps-read-ascii-80x24", &mut ascii, "enter");
}

#[test]
fn where_there_is_nothing_each_tab_says_what_would_be_there() {
    let mut empty = Stage::new(80, 24, Inbox::default());
    empty.surveyed = Some(surveyed::nothing);
    for (key, says) in [
        ("2", "no requirement and no property was found"),
        ("3", "there is no patch-contract.json at the top of the repository"),
        ("4", "no sweep is on record here"),
        ("5", "nothing was decided yet"),
    ] {
        assert!(empty.keys(key).text().contains(says), "{}", empty.text());
        empty.keys("j G enter e r / x enter esc");
        assert!(empty.seen.is_empty() && empty.ordered.is_empty(), "{:?}", empty.seen);
    }
}

#[test]
fn what_cannot_be_read_says_why_and_steers_no_terminal() {
    let mut stage = Stage::new(120, 24, sample::inbox());
    stage.surveyed = Some(surveyed::broken);
    assert!(stage.keys("3").text().contains("contract is not valid: patch-contract.json:"), "{}", stage.text());
    assert!(stage.keys("5").text().contains("\\u{1b}[31mit is"), "{}", stage.text());
}

#[test]
fn the_row_of_tabs_folds_to_the_one_that_is_shown() {
    let mut wide = stage(80, 24);
    assert_eq!(tabs(&wide), "[1 inbox]  2 requirements   3 quarantine   4 sweeps   5 decisions");
    assert_eq!(tabs(wide.keys("3")), "1 inbox   2 requirements  [3 quarantine]  4 sweeps   5 decisions");
    let mut narrow = stage(40, 24);
    assert_eq!(tabs(narrow.keys("4")), "1   2   3  [4 sweeps]  5");
    let mut low = stage(40, 10);
    assert!(low.keys("5").text().starts_with(" redpin decisions"), "{}", low.text());
}

#[test]
fn a_tab_is_read_anew_each_time_it_is_shown_and_shows_what_it_had_until_then() {
    let mut stage = stage(89, 24);
    stage.keys("2");
    stage.surveyed = None;
    assert!(stage.keys("1 2").text().contains("fair instalments"));
    stage.wait(150);
    assert!(stage.text().contains("looking through the repository"), "{}", stage.text());
    assert!(!stage.keys("1").wait(150).text().contains("looking through"), "{}", stage.text());
}

#[test]
fn movements_and_a_filter_work_in_every_tab() {
    let mut stage = stage(89, 24);
    assert_eq!(selected(stage.keys("2")), "✗ BILL-4");
    assert_eq!(selected(stage.keys("j j")), "! BILL-8");
    assert_eq!(selected(stage.keys("G")), "! –");
    assert!(stage.text().contains("src/odd.rs:7") && stage.text().contains("not read"), "{}", stage.text());
    assert_eq!(selected(stage.keys("alt-5 k")), "! BILL-8");
    stage.keys("/ c s v enter");
    assert!(stage.text().contains("filtered 1/2"), "{}", stage.text());
    assert_eq!(selected(&stage), "· CSV-1");
    stage.keys("esc");
    assert!(!stage.text().contains("filtered") && tabs(&stage).contains("[2 requirements]"));
    assert!(tabs(stage.keys("esc")).starts_with("[1 inbox]"));
}

#[test]
fn esc_goes_back_to_the_list_and_then_to_the_inbox() {
    let mut stage = stage(80, 24);
    let inbox = stage.text();
    let list = stage.keys("5").text();
    assert_ne!(stage.keys("enter z").text(), list);
    assert_eq!(stage.keys("esc esc").text(), list);
    assert_eq!(stage.keys("esc").text(), inbox);
    assert!(stage.keys("esc").text().contains("nothing to go back from"));
}

#[test]
fn the_editor_opens_at_what_is_selected_or_read() {
    let mut stage = stage(80, 24);
    stage.keys("2 e enter alt-1 alt-9 j e 1 3 e");
    let place = |path: &str, line| Effect::Edit("/repository".into(), RepoPath::new(path).unwrap(), line);
    assert_eq!(stage.seen[0], place("billing/spec.md", 14));
    assert!(
        matches!(&stage.seen[1], Effect::Edit(_, file, _) if file.as_str() == "src/billing.rs"),
        "{:?}",
        stage.seen
    );
    assert_eq!(stage.seen[2], place("patch-contract.json", 9));
}

#[test]
fn verdicts_are_not_given_beside_the_inbox() {
    let mut stage = stage(89, 24);
    stage.keys("2 b a w n 3 b 4 b 5 b enter b");
    assert!(stage.ordered.is_empty() && stage.keys("1").text().contains("5 of 7 open"), "{}", stage.text());
}

#[test]
fn a_decision_is_reopened_and_waits_in_the_inbox() {
    let mut stage = stage(89, 24);
    stage.keys("5 j r");
    assert_eq!(stage.ordered, [Order::Reopen(FailureId("ledger_keeps_order".to_owned()))]);
    assert!(stage.text().contains("it is open again"), "{}", stage.text());
    stage.keys("1");
    assert!(stage.text().contains("6 of 7 open"), "{}", stage.text());
    assert!(selected(&stage).starts_with("✗ ledger_keeps_order"), "{}", selected(&stage));
    assert!(stage.keys("enter").text().contains("opened again: its record stays"), "{}", stage.text());
}

#[test]
fn a_failure_whose_test_is_set_aside_says_for_how_long() {
    let mut quarantined = stage(200, 50);
    let row = |stage: &Stage| {
        let text = stage.text();
        text.lines().find(|line| line.contains("✗") && line.contains("_negative")).unwrap_or_default().to_owned()
    };
    assert!(row(&quarantined).contains("quarantined 13d"), "{}", row(&quarantined));
    quarantined.keys("o o o o");
    assert!(quarantined.text().contains("quarantined, 13 days left: it blocks nothing and is no evidence"));
    assert!(row(&stage(40, 24)).contains("quar. 13d"), "{}", row(&stage(40, 24)));
    quarantined.keys("b");
    assert!(!row(&quarantined).contains("quarantined 13d"), "{}", row(&quarantined));
}

#[test]
fn the_contract_is_looked_at_once_the_inbox_is_read() {
    let mut seen = Vec::new();
    let mut stage = Stage::loading(89, 24, sample::inbox());
    let update = stage.model.handle(redpin::tui::Event::Arrived(redpin::tui::Arrival::Done(None)));
    seen.extend(stage.model.apply(update, std::time::Duration::ZERO));
    assert_eq!(seen, [Effect::Survey(Tab::Quarantine)]);
}

#[test]
fn the_text_of_a_tab_is_searched() {
    let mut stage = stage(89, 24);
    stage.keys("5 enter / l i t e r a l enter");
    assert!(stage.text().contains("found 1/1"), "{}", stage.text());
    stage.keys("esc");
    assert!(!stage.text().contains("found"));
}
