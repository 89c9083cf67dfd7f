//! Where the world may be touched: the spine and the rooms of knowledge see no files, no environment, no processes and
//! no clock, and a crate that stands for a part of the world is used in its own room only.

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

/// What a room of knowledge may name all the same.
const GRANTED: &[(&str, &str)] = &[
    // The lexer keeps every text it has read for the life of its thread; a thread for each text lets it go.
    ("language/rust", "std::thread::scope"),
];

/// The top rooms that touch the world or call those that do. All others are knowledge.
const WORLDLY: &[&str] = &["cli", "demo", "git", "main", "runner", "source", "store", "triage", "tui"];

/// Crates and paths with the only rooms that may name them.
const OWNED: &[(&str, &[&str])] = &[
    ("clap", &["cli", "main"]),
    ("crossterm", &["tui"]),
    ("directories", &["main", "store"]),
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
            let granted = GRANTED.contains(&(room.as_str(), path.as_str()));
            if !granted && !WORLDLY.contains(&top) && WORLD.iter().any(|part| is_below(&path, part)) {
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
