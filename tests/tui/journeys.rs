//! What keys lead to: verdicts and where they go on, the ways back, filter, note, copies, the editor, questions.

use std::time::Duration;

use redpin::triage::Ignored;
use redpin::tui::{Arrival, Effect, Event, Key, Repeat, Tab};

use super::sample;
use super::stage::Stage;

/// The lines of the screen that hold `words`.
fn lines(stage: &Stage, words: &str) -> Vec<String> {
    stage.text().lines().filter(|line| line.contains(words)).map(str::to_owned).collect()
}

/// The row that is selected, up to the first two blanks in a row behind its name.
fn selected(stage: &Stage) -> String {
    let text = stage.text();
    let row = text.lines().find_map(|line| line.strip_prefix('›')).unwrap_or_default().trim_start();
    row.split("  ").next().unwrap_or_default().to_owned()
}

fn check_selected(keys: &str, expected: &str) {
    let mut stage = Stage::new(89, 24, sample::inbox());
    stage.keys(keys);
    assert_eq!(selected(&stage), expected, "after {keys:?}");
}

#[test]
fn a_verdict_goes_on_to_the_next_open_failure() {
    check_selected("", "✗ bill_4_sum_is_exact");
    check_selected("b", "✗ bill_4_spread_at_most_one_cent");
    check_selected("b a w", "✗ bill_7_half_cent_goes_up");
    check_selected("b a w b", "✗ ledger_never_negative");
    check_selected("b a w b b", "● ledger_never_negative");
    check_selected("G b", "✗ bill_4_sum_is_exact");
    check_selected("o", "✗ bill_4_spread_at_most_one_cent");
}

#[test]
fn movements_take_counts() {
    check_selected("alt-3 j", "▾ BILL-7");
    check_selected("G", "✗ ledger_never_negative");
    check_selected("G alt-2 k", "▾ –");
    check_selected("alt-5 G", "▾ BILL-7");
    check_selected("alt-1 alt-0 alt-0 j g", "▾ BILL-4");
    check_selected("alt-9 alt-9 alt-9 alt-9 alt-9 alt-9 alt-9 alt-9 alt-9 alt-9 j", "✗ ledger_never_negative");
}

#[test]
fn a_verdict_shows_at_once_with_glyph_and_word() {
    let mut stage = Stage::new(89, 24, sample::inbox());
    stage.keys("b a w");
    let words = ["bug", "ambiguous", "wrong"].map(|word| lines(&stage, &format!(" {word}")).len());
    assert!(words.iter().all(|count| *count > 0), "{}", stage.text());
    assert!(stage.text().contains("wrong property: bill_4_earlier_never_smaller; u undoes"));
    assert!(stage.text().contains("2 of 7 open"));
}

#[test]
fn esc_goes_back_one_level_and_never_quits_or_decides() {
    let mut stage = Stage::new(89, 24, sample::inbox());
    let inbox = stage.text();
    assert_ne!(stage.keys("enter z").text(), inbox);
    assert_eq!(stage.keys("esc esc").text(), inbox);
    stage.keys("/ h a l f enter esc esc esc esc");
    assert!(stage.seen.is_empty());
    assert!(stage.text().contains("5 of 7 open") && stage.text().contains("q leaves"));
}

#[test]
fn q_and_ctrl_c_leave() {
    for key in ["q", "ctrl-c", "? ctrl-c", "n ctrl-c"] {
        let mut stage = Stage::new(89, 24, sample::inbox());
        stage.keys(key);
        assert_eq!(stage.seen, [Effect::Quit(0, None)], "{key}");
    }
}

#[test]
fn a_filter_leaves_what_matches_and_keeps_the_selection_when_cleared() {
    let mut stage = Stage::new(89, 24, sample::inbox());
    stage.keys("/ l e d g e r enter j");
    assert_eq!(selected(&stage), "✗ ledger_never_negative");
    assert_eq!((lines(&stage, "bill_").len(), lines(&stage, "filtered").len()), (0, 1));
    stage.keys("esc");
    assert_eq!(selected(&stage), "✗ ledger_never_negative");
    assert_eq!(lines(&stage, "bill_").len(), 4);
    stage.keys("/ z z z");
    assert!(stage.text().contains("no failure holds “zzz”"));
    stage.keys("esc");
    assert_eq!(lines(&stage, "bill_").len(), 4);
}

#[test]
fn keys_written_into_a_note_or_filter_decide_nothing() {
    let mut stage = Stage::new(89, 24, sample::inbox());
    stage.keys("n b a w s q enter");
    assert!(stage.seen.is_empty() && stage.text().contains("5 of 7 open"));
    stage.keys("enter");
    assert!(stage.text().contains("note: bawsq"));
    stage.event(Event::Paste("bbb\nq".to_owned()));
    assert!(stage.seen.is_empty() && stage.text().contains("5 of 7 open") && stage.text().contains("pasted text"));
}

#[test]
fn copies_are_named_and_what_is_too_long_is_refused() {
    let mut stage = Stage::new(89, 24, sample::inbox());
    stage.keys("y y");
    assert_eq!(stage.seen, [Effect::Copy("total = 11, parts = 13".to_owned())]);
    assert!(stage.text().contains("copied the counterexample (22 characters)"));
    stage.keys("y t y r y esc");
    let copied = ["total = 11, parts = 13", "billing::tests::bill_4_sum_is_exact", "cc 950ab3f"];
    assert_eq!(stage.seen, copied.map(|text| Effect::Copy(text.to_owned())));

    let mut stage = Stage::new(89, 24, sample::one(&"9".repeat(80_000), "long"));
    stage.keys("y y");
    assert!(stage.seen.is_empty());
    assert!(stage.text().contains("too long for the clipboard"));
}

#[test]
fn the_editor_opens_at_the_failing_line_or_at_the_line_chosen() {
    let mut stage = Stage::new(120, 40, sample::inbox());
    stage.keys("e enter alt-1 alt-9 j e");
    let places: Vec<(String, u32)> = stage
        .seen
        .iter()
        .filter_map(|effect| match effect {
            Effect::Edit(top, file, line) => Some((format!("{}/{file}", top.display()), *line)),
            _ => None,
        })
        .collect();
    assert_eq!(places, [("/repository/src/billing.rs".to_owned(), 25), ("/repository/src/billing.rs".to_owned(), 23)]);
    let before = stage.text();
    let effects = stage.model.returned(Duration::from_secs(99), None);
    assert!(
        matches!(effects[..], [Effect::LookAgain, Effect::Survey(Tab::Quarantine), Effect::Detail(_)]),
        "{effects:?}"
    );
    let row = |text: &str| text.lines().take(2).map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(row(&stage.text()), row(&before));
}

#[test]
fn what_was_known_of_the_files_is_looked_up_anew_where_they_may_have_changed() {
    let mut stage = Stage::new(120, 40, sample::inbox());
    let update = stage.model.handle(Event::Key { key: Key::named("ctrl-l").unwrap(), repeat: Repeat::No });
    let effects = stage.model.apply(update, Duration::from_secs(9));
    let rest = [Effect::Redraw, Effect::LookAgain, Effect::Survey(Tab::Quarantine)];
    assert!(effects.starts_with(&rest) && matches!(effects[3..], [Effect::Detail(_)]), "{effects:?}");
}

#[test]
fn a_whole_cause_is_judged_only_after_a_question() {
    let mut stage = Stage::new(89, 24, sample::inbox());
    stage.keys("g b");
    assert!(stage.text().contains("give all 3 open failures of this cause the verdict real bug?"));
    stage.keys("enter j b");
    assert!(stage.ordered.is_empty() && stage.text().contains("y yes   n no"));
    stage.keys("n");
    assert!(stage.text().contains("5 of 7 open") && stage.text().contains("nothing was changed"));
    stage.keys("b y");
    assert!(stage.text().contains("2 of 7 open"));
}

#[test]
fn a_key_that_is_held_down_answers_no_question() {
    let mut stage = Stage::new(89, 24, sample::inbox());
    stage.keys("b");
    stage.ignored = vec!["regressions/billing.txt".to_owned()];
    stage.keys("s");
    assert!(stage.text().contains("git ignores regressions/billing.txt; stage it all the same?"), "{}", stage.text());
    stage.event(Event::Key { key: Key::named("y").unwrap(), repeat: Repeat::Perhaps });
    assert!(stage.text().contains("stage it all the same?"));
    assert_eq!(stage.ordered.len(), 2);
    stage.keys("y");
    assert_eq!(stage.ordered.last(), Some(&redpin::tui::Order::Stage { ignored: Some(Ignored::Include) }));
    assert!(stage.text().contains("staged 1"));
}

#[test]
fn a_key_that_is_held_down_judges_one_failure_and_moves_as_long_as_it_is_held() {
    let mut stage = Stage::new(89, 24, sample::inbox());
    let mut hold = |name: &str| {
        let key = Key::named(name).unwrap();
        let repeats = [Repeat::No, Repeat::Surely, Repeat::Surely, Repeat::Surely];
        repeats.into_iter().for_each(|repeat| stage.event(Event::Key { key, repeat }));
        stage.text()
    };
    let text = hold("b");
    assert!(text.contains("4 of 7 open") && text.contains("gave one verdict"), "{text}");
    let text = hold("j");
    assert!(text.contains("›▾ CSV-1"), "{text}");
}

#[test]
fn staging_needs_a_verdict_and_a_staged_one_is_not_overruled() {
    let mut stage = Stage::new(89, 24, sample::inbox());
    assert!(stage.keys("s").text().contains("nothing is waiting to be staged"));
    stage.keys("b s");
    assert!(stage.text().contains("staged 1") && stage.text().contains("2 staged"), "{}", stage.text());
    stage.keys("k w");
    assert!(stage.text().contains("another verdict is staged") && stage.text().contains("2 staged"));
    stage.thrown_away = true;
    stage.keys("w");
    assert!(stage.text().contains("1 staged") && !lines(&stage, " wrong").is_empty(), "{}", stage.text());
}

#[test]
fn undo_goes_back_to_what_it_opens_again() {
    let mut stage = Stage::new(89, 24, sample::inbox());
    stage.keys("b j j j j u");
    assert_eq!(selected(&stage), "✗ bill_4_sum_is_exact");
    assert!(stage.text().contains("undone: one") && stage.text().contains("5 of 7 open"));
}

#[test]
fn a_replay_line_that_fits_several_properties_is_given_to_one() {
    let mut filed = sample::one("1", "fits two").filed()[0].as_ref().clone();
    filed.candidates = vec!["a::first".to_owned(), "b::second".to_owned()];
    let id = filed.id.clone();
    let mut stage = Stage::new(89, 24, redpin::inbox::Inbox::new(vec![filed.into()]));
    assert!(stage.keys("c j").text().contains("which property does this replay line belong to?"));
    stage.keys("enter");
    assert_eq!(stage.ordered, [redpin::tui::Order::Choose(id, "b::second".to_owned())]);

    let mut stage = Stage::new(89, 24, sample::inbox());
    assert!(stage.keys("c").text().contains("nothing to choose"));
}

#[test]
fn a_failure_is_handed_to_an_agent_by_one_key() {
    let mut stage = Stage::new(89, 24, sample::inbox());
    assert!(stage.keys("p").text().contains("copied the prompt ("), "{}", stage.text());
    let [Effect::Copy(text)] = &stage.seen[..] else { panic!("{:?}", stage.seen) };
    for part in ["# Whose fault is this failing property?", "No two instalments differ by", "total = 11"] {
        assert!(text.contains(part), "{part}: {text}");
    }
}

#[test]
fn what_was_read_is_told_without_covering_the_answer_to_a_key() {
    let mut stage = Stage::loading(120, 24, sample::inbox());
    stage.arrive(sample::inbox());
    stage.keys("y t");
    stage.event(Event::Arrived(Arrival::Done(Some("7 new failures".to_owned()))));
    assert!(stage.text().contains("copied the test name") && !stage.text().contains("7 new failures"));
    let notice =
        || redpin::failure::Notice { file: "nightly.log".to_owned(), line: Some(3), text: "cut off".to_owned() };
    stage.event(Event::Arrived(Arrival::Notices(vec![notice(), notice()])));
    assert!(
        stage.text().contains("characters); 2 notices on what could not be read; ! shows them"),
        "{}",
        stage.text()
    );
}

#[test]
fn errors_stay_until_they_are_dismissed_and_block_nothing() {
    let mut stage = Stage::new(89, 24, sample::inbox());
    stage.keys("U j");
    assert!(stage.text().contains("nothing to redo"));
    assert_eq!(selected(&stage), "✗ bill_4_spread_at_most_one_cent");
    assert!(!stage.keys("esc").text().contains("nothing to redo"));
}

#[test]
fn thousands_of_failures_show_like_a_few() {
    let mut stage = Stage::new(120, 40, sample::many(20_000));
    assert!(stage.text().contains("20,000 of 20,000 open"));
    stage.keys("G b");
    assert!(stage.text().contains("19,999 of 20,000 open"));
}
