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
    /// Every line it shows, among them the call of a macro that it stands in.
    pub shows: Vec<Location>,
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
        let shows = shown(&lines[number + 1..]);
        let of_cargo = at.is_none() && LAST_WORDS.iter().any(|words| message.starts_with(words));
        let root = if at.is_none() { root(&lines[number + 1..]) } else { None };
        let message = root.map_or_else(|| message.to_owned(), |root| format!("{}: {root}", without_folder(message)));
        if of_cargo { &mut last_words } else { &mut faults }.push(Fault { message, at, shows });
    }
    if faults.is_empty() {
        faults.append(&mut last_words);
    }
    faults
}

/// What an error of cargo's goes back to: the last of what it calls causes, which `after` its first line follow each other.
fn root<'t>(after: &[&'t str]) -> Option<&'t str> {
    let mut lines = after.iter().take_while(|line| error(line).is_none()).skip_while(|line| **line != CAUSED);
    let mut root = None;
    while let Some(line) = lines.next() {
        match *line {
            CAUSED => root = lines.next().map(|line| line.trim()),
            "" => {}
            line if line.starts_with("  ") => {}
            _ => break,
        }
    }
    root
}

/// What cargo says of a package, without the folder that it stands in.
fn without_folder(message: &str) -> String {
    let start = message.rfind(" (/");
    let end = start.and_then(|start| Some(start + message[start..].find(')')? + 1));
    match start.zip(end) {
        Some((start, end)) => format!("{}{}", &message[..start], &message[end..]),
        None => message.to_owned(),
    }
}

/// The line above each of them.
const CAUSED: &str = "Caused by:";

/// The lines of source that an error shows, from what follows its first line: `7 | code` below the file's `--> src/x.rs:7:5`.
fn shown(after: &[&str]) -> Vec<Location> {
    let mut file = None;
    let mut shown = Vec::new();
    for line in after.iter().take_while(|line| !line.trim().is_empty()) {
        let line = line.trim_start();
        if let Some(place) = line.strip_prefix("--> ").or_else(|| line.strip_prefix("::: ")) {
            file = panic::location(place);
        } else if let (Some(file), Some((number, _))) = (&file, line.split_once(" |"))
            && let Ok(number) = number.trim().parse()
        {
            shown.push(Location { line: number, column: None, ..file.clone() });
        }
    }
    shown
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
    fn an_error_in_a_macro_shows_its_call() {
        let text = "error: no vec\n  --> src/lib.rs:19:41\n   |\n19 |     macro_rules! vec { }\n   |      ^^^ no\n...\n35 |         let v = vec![3];\n   |                 ------- in this macro invocation\n   |\n  ::: src/x.rs:3:1\n   |\n3  | x\n\n9 | code\n";
        let shown: Vec<_> = faults(text)[0].shows.iter().map(|at| format!("{}:{}", at.file.0, at.line)).collect();
        assert_eq!(shown, ["src/lib.rs:19", "src/lib.rs:35", "src/x.rs:3"]);
    }

    #[test]
    fn an_error_of_cargos_goes_back_to_its_last_cause() {
        let text = "error: failed to get `x` of `y v0.3.0 (/t/y)`\n\nCaused by:\n  download failed\n\nCaused by:\n  [6] no host\n  more\n\nother\nCaused by:\n  none of it\n";
        check(text, &["failed to get `x` of `y v0.3.0`: [6] no host"]);
        check("error: a\n  --> src/x.rs:3:9\n\nCaused by:\n  b\n", &["a at src/x.rs:3"]);
        check("error: a\nerror: b\n\nCaused by:\n  c\n", &["a", "b: c"]);
    }

    #[test]
    fn cargos_last_words_count_where_nothing_else_was_said() {
        check("error: could not compile `x` (lib test)\n", &["could not compile `x` (lib test)"]);
        check("error: test failed, to rerun pass `--lib`\n", &[]);
        check("error: test failed, to rerun pass `--lib`\nerror: 2 targets failed:\n    `--lib`\n", &[]);
        check("error: no library targets found in package `x`\n", &["no library targets found in package `x`"]);
    }
}
