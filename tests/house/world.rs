//! Where the world may be touched: the spine and the rooms of knowledge see no files, no environment, no processes and
//! no clock, and a crate that stands for a part of the world is used in its own room only.

use std::collections::HashSet;

use super::sources::House;

/// What the spine and the rooms of knowledge may not name.
const WORLD: &[&str] = &[
    "std::env",
    "std::fs",
    "std::io::stderr",
    "std::io::stdin",
    "std::io::stdout",
    "std::net::TcpListener",
    "std::net::TcpStream",
    "std::net::ToSocketAddrs",
    "std::net::UdpSocket",
    "std::process",
    "std::thread::sleep",
    "std::time::Instant",
    "std::time::SystemTime",
];

/// The top rooms that touch the world or call those that do. All others are knowledge.
const WORLDLY: &[&str] =
    &["check", "cli", "demo", "git", "main", "runner", "scratch", "source", "store", "triage", "tui", "verify"];

/// Crates and paths with the only rooms that may name them.
const OWNED: &[(&str, &[&str])] = &[
    ("clap", &["cli", "main"]),
    ("clap_complete", &["cli"]),
    ("clap_mangen", &["cli"]),
    ("crossterm", &["tui"]),
    ("git2", &["git"]),
    ("memmap2", &["source"]),
    ("ratatui", &["tui"]),
    // The workstation hands its terminal to the editor, and no other room can.
    ("std::process::Command", &["git", "runner", "tui"]),
    ("tempfile", &["demo", "git", "runner", "source", "store"]),
];

/// Every mention of the world where it does not belong, tests set aside.
fn faults(house: &House) -> Vec<String> {
    let mut faults = Vec::new();
    for source in &house.sources {
        let room = house.room_of(source);
        let top = room.split('/').next().unwrap_or_default();
        for mention in source.live_mentions() {
            let path = mention.text();
            let here = format!("{}:{}", source.path, mention.line);
            if !WORLDLY.contains(&top) && WORLD.iter().any(|part| is_below(&path, part)) {
                faults.push(format!("{here}: `{room}` may not touch the world: `{path}`"));
            }
            if let Some((part, rooms)) = OWNED.iter().find(|(part, _)| is_below(&path, part))
                && !rooms.contains(&top)
            {
                faults.push(format!("{here}: `{part}` belongs to {rooms:?}, not to `{room}`"));
            }
        }
    }
    faults
}

/// Whether `path` is `part` or a path below it.
fn is_below(path: &str, part: &str) -> bool {
    path.strip_prefix(part).is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
}

/// The crates of the table `[dependencies]`, by the names that code knows them by.
fn dependencies(manifest: &str) -> Vec<String> {
    let table = manifest.lines().skip_while(|line| *line != "[dependencies]").skip(1);
    let table = table.take_while(|line| !line.starts_with('[')).filter(|line| !line.starts_with('#'));
    table.filter_map(|line| Some(line.split_once(" = ")?.0.replace('-', "_"))).collect()
}

#[test]
fn every_dependency_is_used() {
    // Not only first in a path: one crate may be named as another hands it on.
    let named: HashSet<String> =
        House::ours().sources.iter().flat_map(|source| source.live_mentions()).flat_map(|path| path.segments).collect();
    let dependencies = dependencies(include_str!("../../Cargo.toml"));
    assert!(dependencies.contains(&"signal_hook".to_owned()), "{dependencies:?}");
    let unused = dependencies.into_iter().filter(|name| !named.contains(name));
    assert_eq!(unused.collect::<Vec<_>>(), Vec::<String>::new());
}

#[test]
fn the_world_is_touched_in_its_rooms_only() {
    assert_eq!(faults(&House::ours()), Vec::<String>::new());
}

#[test]
fn a_touch_of_the_world_is_found_wherever_it_stands() {
    let house = House::of(&[
        ("edit.rs", "use std::{fmt, fs};\nfn f() { std::time::SystemTime::now(); }"),
        ("framework/one/mod.rs", "#[cfg(test)] mod tests { use std::fs; }\nuse std::env::var;"),
        ("git/mod.rs", "use std::process::Command; use git2::Index; use std::fs;"),
        ("tui/mod.rs", "use git2::Repository;"),
        ("store.rs", "fn f() { std::process::Command::new(\"x\") }"),
    ]);
    let expected = [
        "edit.rs:1: `edit` may not touch the world: `std::fs`",
        "edit.rs:2: `edit` may not touch the world: `std::time::SystemTime::now`",
        "framework/one/mod.rs:2: `framework/one` may not touch the world: `std::env::var`",
        "tui/mod.rs:1: `git2` belongs to [\"git\"], not to `tui`",
        "store.rs:1: `std::process::Command` belongs to [\"git\", \"runner\", \"tui\"], not to `store`",
    ];
    assert_eq!(faults(&house), expected);
}
