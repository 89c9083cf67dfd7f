//! How every source file looks from outside: it says what it is for, it is part of the crate, and it imports by name.

use std::collections::BTreeSet;

use proc_macro2::{TokenStream, TokenTree};

use super::sources::{House, Source};

/// Files that do not open with what they are for.
fn silent(house: &House) -> Vec<String> {
    let opens = |source: &&Source| !source.text.starts_with("//! ");
    house.sources.iter().filter(opens).map(|source| source.path.clone()).collect()
}

/// Files that no `mod` line leads to.
fn unreachable(house: &House) -> Vec<String> {
    let mut declared = BTreeSet::from([Vec::new()]);
    for source in &house.sources {
        let module = source.module();
        declared.extend(declared_modules(source.tokens()).into_iter().map(|name| [&module[..], &[name]].concat()));
    }
    house
        .sources
        .iter()
        .filter(|source| !declared.contains(&source.module()))
        .map(|source| source.path.clone())
        .collect()
}

/// The names in `mod name;` lines at the top level of a file.
fn declared_modules(tokens: TokenStream) -> Vec<String> {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let is_mod = |window: &&[TokenTree]| window[0].to_string() == "mod" && window[2].to_string() == ";";
    tokens.windows(3).filter(is_mod).map(|window| window[1].to_string()).collect()
}

/// Imports by glob; in tests, those of the whole crate.
fn globs(house: &House) -> Vec<String> {
    let mut faults = Vec::new();
    for source in &house.sources {
        let of_the_crate = source.mentions().into_iter().filter(|mention| mention.text() == "crate::*");
        let other = source.live_mentions().into_iter().filter(|mention| mention.text() != "crate::*");
        for mention in of_the_crate.chain(other).filter(|mention| mention.text().ends_with("::*")) {
            faults.push(format!("{}:{}: {}", source.path, mention.line, mention.text()));
        }
    }
    faults
}

#[test]
fn every_source_file_opens_with_what_it_is_for() {
    assert_eq!(silent(&House::ours()), Vec::<String>::new());
}

#[test]
fn every_source_file_is_part_of_the_crate() {
    assert_eq!(unreachable(&House::ours()), Vec::<String>::new());
}

#[test]
fn nothing_is_imported_or_handed_on_by_glob() {
    assert_eq!(globs(&House::ours()), Vec::<String>::new());
}

#[test]
fn a_silent_a_forgotten_and_a_globbing_file_are_found() {
    let house = House::of(&[
        ("lib.rs", "//! Front.\npub mod git;\nmod text { }"),
        ("git/mod.rs", "//! Git.\nmod index;\npub use index::*;"),
        ("git/index.rs", "// Index.\n#[cfg(test)] mod tests { use super::*; use crate::*; }"),
        ("git/blob.rs", "//! Blob.\n"),
    ]);
    assert_eq!(silent(&house), ["git/index.rs"]);
    assert_eq!(unreachable(&house), ["git/blob.rs"]);
    assert_eq!(globs(&house), ["git/mod.rs:3: index::*", "git/index.rs:2: crate::*"]);
}
