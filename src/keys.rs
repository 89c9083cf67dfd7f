//! Settings files as keys with values, whichever way they are written: TOML, INI or JSON; and variables of the environment and
//! commands in any text. Foreign text: what cannot be read has no keys.

mod commands;

use serde_json::Value;

pub use commands::{commands, switches};

/// A key and what it is set to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Key {
    /// Its name after those of the tables around it, dots between them. Of tables in a list each has its own `name` for its place.
    pub path: String,
    /// The value: a text as it is, all else as JSON has it.
    pub value: String,
    /// The first line that has its name, from 1.
    pub line: u32,
}

/// Tables are followed no deeper.
const DEEPEST: usize = 24;

/// The keys of a TOML text.
pub fn toml(text: &str) -> Vec<Key> {
    basic_toml::from_str::<Value>(text).map_or_else(|_| Vec::new(), |value| flat(&value, text))
}

/// The keys of a JSON text.
pub fn json(text: &str) -> Vec<Key> {
    serde_json::from_str::<Value>(text).map_or_else(|_| Vec::new(), |value| flat(&value, text))
}

/// The keys of an INI text. Lines that begin with blanks go on with the value before them.
pub fn ini(text: &str) -> Vec<Key> {
    let mut found: Vec<Key> = Vec::new();
    let mut section = String::new();
    for (line, said) in (1..).zip(text.lines()) {
        let plain = said.split([';', '#']).next().unwrap_or_default().trim();
        let goes_on = said.starts_with([' ', '\t']);
        if let Some(name) = plain.strip_prefix('[').and_then(|rest| rest.split(']').next()) {
            section = name.trim().to_owned();
        } else if let Some(last) = found.last_mut().filter(|_| goes_on && !plain.is_empty()) {
            last.value = format!("{} {plain}", last.value).trim().to_owned();
        } else if let Some((name, value)) = plain.split_once(['=', ':']) {
            let path = format!("{section}.{}", name.trim());
            found.push(Key { path, value: value.trim().to_owned(), line });
        }
    }
    found
}

/// What `text` sets variables of the environment to whose names `is_wanted`.
pub fn variables(text: &str, is_wanted: impl Fn(&str) -> bool) -> Vec<Key> {
    let mut found = Vec::new();
    for (line, said) in (1..).zip(text.lines()) {
        let mut rest = said.split('#').next().unwrap_or_default();
        while let Some(start) = rest.find(|char: char| char.is_ascii_uppercase()) {
            let end = rest[start..].find(|char: char| !(char.is_ascii_alphanumeric() || char == '_'));
            let end = end.map_or(rest.len(), |len| start + len);
            let (name, behind) = (&rest[start..end], &rest[end..]);
            let set = behind.trim_start_matches(['"', '\'', ' ']).strip_prefix([':', '=']);
            if let Some(value) = set.filter(|_| is_wanted(name)) {
                let value = value.trim_start_matches(['=', ' ', '"', '\'']);
                let value = value.split(['"', '\'', ' ', ',', ';', '}', ')']).next().unwrap_or_default();
                found.push(Key { path: name.to_owned(), value: value.to_owned(), line });
            }
            rest = behind;
        }
    }
    found
}

fn flat(value: &Value, text: &str) -> Vec<Key> {
    let mut found = Vec::new();
    collect(value, &mut Vec::new(), text, &mut found);
    found
}

fn collect(value: &Value, path: &mut Vec<String>, text: &str, found: &mut Vec<Key>) {
    let is_deep = path.len() > DEEPEST;
    match value {
        Value::Object(table) if !is_deep => {
            for (name, value) in table {
                path.push(name.clone());
                collect(value, path, text, found);
                path.pop();
            }
        }
        Value::Array(tables) if !is_deep && !tables.is_empty() && tables.iter().all(Value::is_object) => {
            for (at, table) in tables.iter().enumerate() {
                let name = table.get("name").and_then(Value::as_str).map_or_else(|| at.to_string(), str::to_owned);
                path.push(name);
                collect(table, path, text, found);
                path.pop();
            }
        }
        other => {
            let name = path.last().map_or("", String::as_str);
            let line = (1..).zip(text.lines()).find(|(_, line)| line.contains(name)).map_or(1, |(line, _)| line);
            let value = other.as_str().map_or_else(|| other.to_string(), str::to_owned);
            found.push(Key { path: path.join("."), value, line });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Key, ini, json, toml, variables};

    #[track_caller]
    fn check(found: Vec<Key>, expected: &[(&str, &str, u32)]) {
        let found: Vec<_> = found.iter().map(|key| (key.path.as_str(), key.value.as_str(), key.line)).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn keys_have_the_names_of_the_tables_around_them() {
        check(toml("[lib]\ntest = false\n"), &[("lib.test", "false", 2)]);
        let named = [("test.a.name", "a", 2), ("test.a.path", "x.rs", 3)];
        check(toml("[[test]]\nname = \"a\"\npath = \"x.rs\"\n"), &named);
        check(json("{\"jest\": {\"testMatch\": [\"a\"]}}"), &[("jest.testMatch", "[\"a\"]", 1)]);
        check(toml("[broken"), &[]);
        check(json("[1, 2"), &[]);
    }

    #[test]
    fn an_ini_value_goes_on_where_its_lines_are_indented() {
        let text = "[pytest]\naddopts = -q\n    -k even  # only those\ntestpaths: tests\n";
        check(ini(text), &[("pytest.addopts", "-q -k even", 2), ("pytest.testpaths", "tests", 4)]);
    }

    #[test]
    fn variables_are_told_however_they_are_set() {
        let is_wanted = |name: &str| name == "CASES";
        check(variables("env:\n  CASES: \"16\"\n", is_wanted), &[("CASES", "16", 2)]);
        check(variables("CASES=16 cargo test\nMORE=1\n# CASES=1\n", is_wanted), &[("CASES", "16", 1)]);
        check(variables("if $CASES then", is_wanted), &[]);
    }
}
