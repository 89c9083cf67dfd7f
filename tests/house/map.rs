//! The map of the house in `ARCHITECTURE.md` is made from the rooms' own first sentences, in the order of the table of
//! directions: a map kept by hand would rot.

use super::directions::{SHARED, rows};
use super::readme::part;
use super::sources::{House, Source};

/// A table of the rooms, each with what it is for and what it may import.
fn map(house: &House) -> String {
    let mut table = String::from("| room | is | may import |\n| --- | --- | --- |\n");
    for (room, may) in rows() {
        let may: Vec<String> = may.iter().map(|name| format!("`{name}`")).collect();
        for (name, sentence) in rooms(house, room) {
            table += &format!("| `{name}` | {sentence} | {} |\n", may.join(" "));
        }
    }
    table
}

/// The rooms that a row of the table of directions stands for, with their first sentences.
fn rooms(house: &House, row: &str) -> Vec<(String, String)> {
    let front = |source: &&Source| {
        let path = source.path.trim_end_matches(".rs").trim_end_matches("/mod");
        match row.strip_suffix("/*") {
            // A room with a row of its own stands there.
            Some(_) => {
                path != SHARED
                    && source.path.ends_with("/mod.rs")
                    && house.room_of(source) == path
                    && path.starts_with(&row[..row.len() - 1])
            }
            None => path == row,
        }
    };
    let fronts = house.sources.iter().filter(front);
    fronts.map(|source| (house.room_of(source), first_sentence(&source.text))).collect()
}

/// The first sentence of the comment that opens a file, links written out.
fn first_sentence(text: &str) -> String {
    let lines = text.lines().map_while(|line| line.strip_prefix("//!")).map(str::trim);
    let opening = lines.take_while(|line| !line.is_empty()).collect::<Vec<_>>().join(" ");
    let end = opening.find(". ").map_or(opening.len(), |at| at + 1);
    opening[..end].trim_end_matches('.').replace("[`", "`").replace("`]", "`").replace('|', "\\|")
}

#[test]
fn the_map_is_made_from_the_rooms_own_words() {
    let (page, expected) = (include_str!("../../ARCHITECTURE.md"), map(&House::ours()));
    assert!(part(page, "map") == expected, "put this between the marks `map` in ARCHITECTURE.md:\n{expected}");
}

#[test]
fn a_first_sentence_ends_at_its_stop_or_with_its_paragraph() {
    let check = |text: &str, expected: &str| assert_eq!(first_sentence(text), expected);
    check("//! Reads [`x`] at 1.5\n//! and more. Not this.\n", "Reads `x` at 1.5 and more");
    check("//! Whole\n//!\n//! Next.\n", "Whole");
    check("use x;\n", "");
}
