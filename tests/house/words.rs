//! No code outside `framework/` names a framework: not as a name, not in a string. Comments may.

use proc_macro2::{TokenStream, TokenTree};

use super::directions::SHARED;
use super::sources::House;

/// Files whose code may name one, each with the reason.
const EXCEPTIONS: &[(&str, &str)] = &[("demo.rs", "the sample repository is written with a framework")];

/// Every name or string of code that holds a framework's name, outside `framework/` and outside tests.
fn faults(house: &House) -> Vec<String> {
    let rooms = house.nested_rooms();
    let of_one = rooms.iter().filter(|room| *room != SHARED).filter_map(|room| room.strip_prefix("framework/"));
    let names: Vec<String> = of_one.map(|name| name.replace('_', "-")).collect();
    let mut faults = Vec::new();
    for source in &house.sources {
        if source.path.starts_with("framework/") {
            continue;
        }
        for (word, line) in words(source.live()) {
            let plain = word.to_lowercase().replace('_', "-");
            if names.iter().any(|name| plain.contains(name)) {
                faults.push(format!("{}:{line}: names a framework: {word}", source.path));
            }
        }
    }
    faults
}

/// The names and literals of code with their lines.
fn words(tokens: TokenStream) -> Vec<(String, usize)> {
    let spoken = |token: TokenTree| match token {
        TokenTree::Group(group) => words(group.stream()),
        TokenTree::Punct(_) => Vec::new(),
        word => vec![(word.to_string(), word.span().start().line)],
    };
    tokens.into_iter().flat_map(spoken).collect()
}

#[test]
fn only_the_framework_room_names_a_framework() {
    let excepted = |fault: &String| EXCEPTIONS.iter().any(|(path, _)| fault.starts_with(&format!("{path}:")));
    let faults: Vec<String> = faults(&House::ours()).into_iter().filter(|fault| !excepted(fault)).collect();
    assert_eq!(faults, Vec::<String>::new());
}

#[test]
fn every_exception_is_needed() {
    let faults = faults(&House::ours());
    for (path, reason) in EXCEPTIONS {
        assert!(faults.iter().any(|fault| fault.starts_with(&format!("{path}:"))), "{path} names none ({reason})");
    }
}

#[test]
fn a_frameworks_name_is_found_in_names_and_strings_but_not_in_comments() {
    let house = House::of(&[
        ("framework/fast_check/mod.rs", "const NAME: &str = \"fast-check\";"),
        ("store.rs", "//! fast-check\n/// Like fast_check.\nfn f() { \"a fast-check run\" }\nfn fast_check_dir() {}"),
        ("value/tests.rs", "use fast_check;"),
        ("inbox.rs", "#[cfg(test)] mod tests { fn f() { \"fast-check\" } } fn g() {}"),
    ]);
    let expected =
        ["store.rs:3: names a framework: \"a fast-check run\"", "store.rs:4: names a framework: fast_check_dir"];
    assert_eq!(faults(&house), expected);
}
