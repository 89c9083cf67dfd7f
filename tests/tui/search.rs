//! Search in the failure and filter in the inbox: one key, one matcher, and how far one is.

use super::sample;
use super::stage::Stage;

/// The row of the failure that the cursor is on.
fn row(stage: &Stage) -> String {
    let (_, cursor) = stage.draw();
    stage.text().lines().nth(cursor.y.into()).unwrap_or_default().trim().to_owned()
}

/// The last row: the keys, or what is being written.
fn last(stage: &Stage) -> String {
    stage.text().lines().last().unwrap_or_default().trim().to_owned()
}

#[test]
fn the_failures_text_is_searched_and_gone_through() {
    let mut stage = Stage::new(89, 24, sample::inbox());
    stage.keys("enter / b i l l _ 4");
    assert!(last(&stage).starts_with("search: bill_4") && last(&stage).contains("1/"), "{}", last(&stage));
    let first = row(stage.keys("enter"));
    assert!(last(&stage).contains("found 1/") && last(&stage).starts_with("n next "), "{}", last(&stage));
    let second = row(stage.keys("n"));
    assert!(second != first && second.contains("bill_4"), "{second}");
    assert!(last(&stage).contains("found 2/"), "{}", last(&stage));
    assert_eq!(row(stage.keys("N")), first);
    assert_ne!(row(stage.keys("N")), first, "goes on from the end");
    assert!(stage.ordered.is_empty());
}

#[test]
fn esc_ends_the_search_then_the_pane_and_n_is_the_note_again() {
    let mut stage = Stage::new(89, 24, sample::inbox());
    stage.keys("enter / b i l l enter n esc");
    assert!(!last(&stage).contains("found"), "{}", last(&stage));
    assert!(last(stage.keys("n")).starts_with("note:"), "{}", last(&stage));
    stage.keys("esc esc");
    assert!(last(&stage).contains("enter open"), "{}", last(&stage));
}

#[test]
fn leaving_a_search_unfinished_goes_back_to_where_it_began() {
    let mut stage = Stage::new(89, 24, sample::inbox());
    let before = row(stage.keys("enter alt-4 j"));
    assert_ne!(row(stage.keys("/ b i l l _ 4 _ s u m _ i s _ e x a c t")), before);
    assert_eq!(row(stage.keys("esc")), before);
}

#[test]
fn what_is_found_is_underlined_and_what_is_not_is_said() {
    let mut stage = Stage::new(89, 24, sample::inbox());
    stage.keys("enter / c e n t");
    let (buffer, _) = stage.draw();
    let underlined =
        buffer.content().iter().filter(|cell| cell.modifier.contains(ratatui::style::Modifier::UNDERLINED));
    let text: String = underlined.map(|cell| cell.symbol()).collect();
    assert!(!text.is_empty() && text.to_lowercase().replace("cent", "").is_empty(), "{text}");
    stage.keys("z z z");
    assert!(last(&stage).contains("0/0"), "{}", last(&stage));
    assert!(stage.keys("enter").text().contains("no line of this failure holds that"));
    assert!(last(stage.keys("n")).starts_with("note:"), "nothing is searched for any more");
}

#[test]
fn a_filter_says_which_of_how_many_is_selected() {
    let mut stage = Stage::new(89, 24, sample::inbox());
    stage.keys("/ b i l l");
    assert!(last(&stage).starts_with("filter: bill") && last(&stage).ends_with("1/4"), "{}", last(&stage));
    stage.keys("enter j");
    assert!(last(&stage).contains("filtered 2/4   5 of 7 open"), "{}", last(&stage));
    stage.keys("/ z z z");
    assert!(last(&stage).ends_with("0/0"), "{}", last(&stage));
}

#[test]
fn a_menu_shows_only_keys_that_fit_whole() {
    let footer = |columns, keys: &str| last(Stage::new(columns, 10, sample::inbox()).keys(keys));
    assert_eq!(footer(20, "?"), "enter run");
    assert_eq!(footer(40, "?"), "enter run   esc close   up down choose");
    assert_eq!(footer(40, "y"), "copy:  y counterexample   t test name");
    assert!(footer(100, "y").ends_with("p patch   esc close"));
    assert_eq!(footer(100, "enter /"), "search:");
}

#[test]
fn a_narrow_footer_gives_up_its_count_before_a_verdict() {
    let stage = Stage::new(44, 10, sample::inbox());
    assert_eq!(last(&stage), "b bug   a ambiguous   w wrong   ? help");
    let stage = Stage::new(80, 24, sample::inbox());
    assert!(last(&stage).contains("w wrong") && last(&stage).ends_with("5 of 7 open"), "{}", last(&stage));
}
