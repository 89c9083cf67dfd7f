//! What a test command that the user typed starts, as far as its words tell: `uv run pytest -q`, `sh -c 'cd web && npm test'`.

use std::ffi::OsString;

/// Programs that run what a file of theirs says: what that is, nobody here knows.
const RECIPES: [&str; 6] = ["make", "gmake", "just", "task", "nox", "invoke"];

/// Whether `command` starts one of `programs`, by itself or through another, or something that may.
pub fn may_start(command: &[OsString], programs: &[&str]) -> bool {
    let words = command.iter().filter_map(|word| word.to_str());
    let mut names = words.enumerate().flat_map(|(at, word)| names(word).map(move |name| (at, name)));
    names.any(|(at, name)| programs.contains(&name) || at == 0 && RECIPES.contains(&name))
}

/// The same of what its words say alone: nothing that a recipe may start.
pub fn starts(command: &[OsString], programs: &[&str]) -> bool {
    let words = command.iter().filter_map(|word| word.to_str());
    words.flat_map(names).any(|name| programs.contains(&name))
}

/// The names in a word: the last part of a path; of a line for a shell each of them.
fn names(word: &str) -> impl Iterator<Item = &str> {
    let parts = word.split(|c: char| c.is_whitespace() || ";&|()'\"`".contains(c));
    parts.filter_map(|part| part.rsplit('/').next())
}

#[cfg(test)]
mod tests {
    use std::ffi::OsString;

    use super::{may_start, starts};

    #[track_caller]
    fn check(command: &[&str], expected: bool) {
        let words: Vec<OsString> = command.iter().map(OsString::from).collect();
        assert_eq!(may_start(&words, &["pytest", "node"]), expected, "{command:?}");
    }

    #[test]
    fn a_program_is_found_wherever_the_words_name_it() {
        check(&["pytest", "-q"], true);
        check(&[".venv/bin/python", "-m", "pytest"], true);
        check(&["uv", "run", "--extra", "dev", "pytest"], true);
        check(&["env", "A=b", "node", "--test"], true);
        check(&["sh", "-c", "cd web&&node --test"], true);
        check(&["make", "test"], true);
    }

    #[test]
    fn a_recipe_is_no_word_for_what_it_starts() {
        let starts = |words: &[&str]| starts(&words.iter().map(OsString::from).collect::<Vec<_>>(), &["pytest"]);
        assert_eq!(
            (starts(&["make", "test"]), starts(&["make", "pytest"]), starts(&["sh", "-c", "pytest"])),
            (false, true, true)
        );
    }

    #[test]
    fn other_commands_start_none() {
        for command in
            [&["cargo", "test"][..], &["cargo", "run", "make"], &["echo", "pytest.ini"], &["cat", "a/node/b"], &[]]
        {
            check(command, false);
        }
    }
}
