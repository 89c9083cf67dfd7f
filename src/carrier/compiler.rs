//! What rustc complains of in cargo's output for people: each error's first line, and the place it points at.

use super::panic;
use crate::failure::Location;

/// An error of the compiler or of cargo.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Its first line.
    pub message: String,
    /// The place it points at first, where it names one.
    pub at: Option<Location>,
}

/// Lines after an error's first among which its place stands.
const REACH: usize = 4;

/// The errors in `text`, in order. Cargo's own last words, that a package could not be compiled, only where nothing
/// better was said.
pub fn faults(text: &str) -> Vec<Fault> {
    let lines: Vec<&str> = text.lines().collect();
    let mut faults = Vec::new();
    let mut last_words = Vec::new();
    for (number, line) in lines.iter().enumerate() {
        let Some(message) = error(line) else { continue };
        let place = lines[number + 1..].iter().take(REACH).take_while(|line| error(line).is_none());
        let at = place.filter_map(|line| line.trim_start().strip_prefix("--> ")).find_map(panic::location);
        if is_of_tests(message) {
            continue;
        }
        let of_cargo = at.is_none() && LAST_WORDS.iter().any(|words| message.starts_with(words));
        if of_cargo { &mut last_words } else { &mut faults }.push(Fault { message: message.to_owned(), at });
    }
    if faults.is_empty() {
        faults.append(&mut last_words);
    }
    faults
}

/// How cargo sums up what went wrong.
const LAST_WORDS: &[&str] = &["could not compile", "aborting due to", "build failed", "command `"];

/// Whether cargo says that tests failed, and so that they were built: of one target, or at the end of all of them.
fn is_of_tests(message: &str) -> bool {
    message.starts_with("test failed")
        || [" target failed:", " targets failed:"].iter().any(|end| message.ends_with(end))
}

/// What `error: …` or `error[E0308]: …` says.
fn error(line: &str) -> Option<&str> {
    let rest = line.strip_prefix("error")?;
    let rest = match rest.strip_prefix('[') {
        Some(code) => code.split_once(']')?.1,
        None => rest,
    };
    rest.strip_prefix(": ")
}

#[cfg(test)]
mod tests {
    use super::faults;

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        let place = |at: &crate::failure::Location| format!(" at {}:{}", at.file.0, at.line);
        let found = faults(text).into_iter();
        let told: Vec<String> =
            found.map(|fault| format!("{}{}", fault.message, fault.at.as_ref().map_or(String::new(), place))).collect();
        assert_eq!(told, expected, "{text}");
    }

    #[test]
    fn an_error_has_its_place() {
        let text = "error[E0308]: mismatched types\n  --> src/x.rs:3:9\n   |\nerror: no\n\nerror: could not compile `x` (lib test) due to 2 previous errors\n";
        check(text, &["mismatched types at src/x.rs:3", "no"]);
    }

    #[test]
    fn cargos_last_words_count_where_nothing_else_was_said() {
        check("error: could not compile `x` (lib test)\n", &["could not compile `x` (lib test)"]);
        check("error: test failed, to rerun pass `--lib`\n", &[]);
        check("error: test failed, to rerun pass `--lib`\nerror: 2 targets failed:\n    `--lib`\n", &[]);
        check("error: no library targets found in package `x`\n", &["no library targets found in package `x`"]);
    }
}
