//! Who may import whom. Good will does not keep directions in a growing crate; this table does.

use super::sources::House;

/// The spine in an order in which no value needs a later one, each with what it may speak of.
const SPINE: &[(&str, &[&str])] = &[
    ("span", &[]),
    ("verdict", &[]),
    ("suggestion", &["verdict"]),
    ("requirement", &[]),
    ("limit", &[]),
    ("threads", &[]),
    ("repo_path", &[]),
    ("visible", &[]),
    ("hex", &[]),
    ("keys", &[]),
    ("failure", &[]),
    ("value", &["span"]),
    ("edit", &["span"]),
    ("run_output", &["failure", "span"]),
    ("invocation", &[]),
    ("sweep", &[]),
    ("memory", &[]),
    ("source_tree", &["failure", "memory", "repo_path"]),
    ("property", &["repo_path", "requirement", "span"]),
    ("oracle", &["failure", "span"]),
    ("weakening", &["failure", "oracle", "repo_path", "span"]),
    ("audit", &["limit", "oracle", "repo_path", "requirement", "span"]),
    ("settings", &["repo_path", "source_tree"]),
    ("locate", &["failure", "repo_path", "source_tree"]),
    ("question", &["edit", "requirement", "visible"]),
    ("pin", &["edit", "failure", "property", "repo_path"]),
    ("proof", &["failure", "repo_path"]),
    ("cause", &["failure", "hex", "locate", "proof"]),
    ("control", &["proof"]),
    ("contract", &["edit", "span"]),
    ("patch", &["edit", "repo_path", "span"]),
    ("later", &[]),
    ("inbox", &["cause", "failure", "later", "repo_path", "requirement", "verdict"]),
    ("history", &["inbox"]),
    ("detail", &["pin", "property", "repo_path", "requirement", "suggestion", "value"]),
    ("evidence", &["visible"]),
    ("prompt", &["detail", "failure", "inbox", "property", "repo_path", "requirement", "visible"]),
];

/// The rooms around the spine, inner ones first. `spine` stands for all of it, `framework/*` for every folder there.
const ROOMS: &[(&str, &[&str])] = &[
    ("language", &["language/*", "spine"]),
    ("language/*", &["edit", "memory", "repo_path", "settings", "source_tree", "span", "threads", "value", "visible"]),
    ("carrier", &["spine"]),
    ("framework", &["carrier", "framework/*", "spine"]),
    // What the frameworks of one language share, so that no room repeats it; it knows none of them.
    (SHARED, &["carrier", "framework", "language", "language/*", "spine"]),
    ("framework/*", &["carrier", "framework", SHARED, "language", "language/*", "spine"]),
    ("source", &["spine"]),
    ("git", &["spine"]),
    ("runner", &["source", "spine"]),
    ("scratch", &["spine"]),
    ("store", &["spine"]),
    ("demo", &["git", "spine"]),
    ("triage", &["carrier", "framework", "git", "runner", "scratch", "source", "spine", "store"]),
    ("verify", &["framework", "git", "runner", "scratch", "source", "spine", "store", "triage"]),
    ("check", &["framework", "git", "spine", "store", "triage", "verify"]),
    ("init", &["check", "framework", "git", "spine", "triage"]),
    ("cli", &["check", "demo", "init", "spine", "triage", "verify"]),
    ("tui", &["check", "spine", "triage", "verify"]),
    ("lib", &[]),
    ("main", &["cli", "tui"]),
];

/// The room of a folder that is named for what frameworks share, and not for one.
pub(super) const SHARED: &str = "framework/rust";

/// The whole table in reading order: rooms with what they may import.
pub(super) fn rows() -> impl Iterator<Item = (&'static str, &'static [&'static str])> {
    SPINE.iter().chain(ROOMS).copied()
}

/// Every import that the table does not grant, as `file:line: room may not import room`.
fn faults(house: &House) -> Vec<String> {
    let mut faults = Vec::new();
    for source in &house.sources {
        let room = house.room_of(source);
        for mention in source.mentions() {
            let Some(inside) = mention.inside() else { continue };
            let target = house.room(inside);
            if target != room && !granted(&room, &target) {
                faults.push(format!("{}:{}: `{room}` may not import `{target}`", source.path, mention.line));
            }
        }
    }
    faults
}

/// Whether the table lets `room` import `target`.
fn granted(room: &str, target: &str) -> bool {
    let row = rows().find(|(name, _)| covers(name, room));
    row.is_some_and(|(_, may)| may.iter().any(|name| covers(name, target)))
}

/// Whether `room` is what a name in the table stands for.
fn covers(name: &str, room: &str) -> bool {
    match name.strip_suffix("/*") {
        Some(folder) => room.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/')),
        None if name == "spine" => SPINE.iter().any(|(value, _)| *value == room),
        None => name == room,
    }
}

#[test]
fn imports_keep_the_directions_of_the_table() {
    assert_eq!(faults(&House::ours()), Vec::<String>::new());
}

#[test]
fn every_room_stands_in_the_table() {
    let house = House::ours();
    for source in &house.sources {
        let room = house.room_of(source);
        let known = rows().any(|(name, _)| covers(name, &room));
        assert!(known, "{}: expected a row for `{room}` in tests/house/directions.rs", source.path);
    }
}

#[test]
fn the_spine_is_in_reading_order() {
    for (place, (room, may)) in SPINE.iter().enumerate() {
        for name in *may {
            assert!(SPINE[..place].iter().any(|(before, _)| before == name), "`{room}` stands before `{name}`");
        }
    }
}

#[test]
fn an_import_against_the_table_is_found_wherever_it_stands() {
    let house = House::of(&[
        ("framework/one/mod.rs", "use crate::framework::two::X; use crate::language::rust::Y;"),
        ("framework/two/mod.rs", "use crate::span::Span;\nfn f() { super::one::g() }"),
        ("language/rust/mod.rs", "use crate::{span::Span, failure::Failure};"),
        ("cli/mod.rs", "use crate::framework::one::X;\nuse crate::git;"),
        ("tui/mod.rs", "#[cfg(test)] mod tests { use crate::cli; }"),
        ("span.rs", "/// Like [`crate::tui`].\nuse crate::root;"),
    ]);
    let expected = [
        "framework/one/mod.rs:1: `framework/one` may not import `framework/two`",
        "framework/two/mod.rs:2: `framework/two` may not import `framework/one`",
        "language/rust/mod.rs:1: `language/rust` may not import `failure`",
        "cli/mod.rs:1: `cli` may not import `framework/one`",
        "cli/mod.rs:2: `cli` may not import `git`",
        "tui/mod.rs:1: `tui` may not import `cli`",
        "span.rs:2: `span` may not import `root`",
    ];
    assert_eq!(faults(&house), expected);
}
