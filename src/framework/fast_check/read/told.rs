//! What stands after a report: why the property failed, which each version and each runner words in its own way, and the
//! stacks of the report and of that reason.

use super::frames::{Frame, frame};
use crate::failure::Location;

/// Most frames of an error that are looked at.
const MOST_FRAMES: usize = 20;

/// What was told.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Told {
    /// The error that broke the property: its class and its message. `None` where the carrier leaves it out.
    pub(super) reason: Option<Reason>,
    /// The stack of the report itself.
    pub(super) outer: Vec<Frame>,
    /// The stack of the reason.
    pub(super) inner: Vec<Frame>,
}

/// An error.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Reason {
    /// The class, where it is named.
    pub(super) class: String,
    /// The message, perhaps of several lines.
    pub(super) message: String,
}

/// The error that `lines` begin with, blank ones aside, and the stack below it.
pub(in crate::framework::fast_check) fn error(lines: &[String]) -> (String, Option<Location>) {
    let begin = lines.iter().position(|line| !line.trim().is_empty()).unwrap_or(lines.len());
    let (reason, taken) = reason("", &lines[begin..]);
    let frames = lines[begin + taken..].iter().take_while(|line| !is_of_chain(line)).filter_map(|line| frame(line));
    let frames: Vec<Frame> = frames.take(MOST_FRAMES).collect();
    let root = super::frames::root(&frames);
    let class = if ["", "Error", "AssertionError"].contains(&reason.class.as_str()) { "" } else { &reason.class };
    let between = if class.is_empty() { "" } else { ": " };
    let at = frames.iter().find(|frame| frame.is_own()).map(|frame| frame.location(&root));
    (format!("{class}{between}{}", reason.message), at)
}

/// What `lines` tell.
pub(super) fn told(lines: &[String]) -> Told {
    let mut told = Told::default();
    let mut inside = false;
    let mut at = 0;
    while let Some(line) = lines.get(at) {
        at += 1;
        if let Some(start) = opened(line, at == 1) {
            if told.reason.is_none() {
                let (reason, taken) = reason(start, &lines[at..]);
                told.reason = Some(reason);
                at += taken;
                inside = true;
                continue;
            }
            if inside && is_of_chain(line) {
                // The reason's own cause: what broke the property is known.
                break;
            }
        }
        if let Some(frame) = frame(line).or_else(|| quoted_place(line)) {
            if inside { told.inner.push(frame) } else { told.outer.push(frame) }
        }
        // The stack inside the message of old versions ends there; that of the report follows.
        if inside && line.trim_start().starts_with("Hint") {
            inside = false;
        }
    }
    told
}

/// `at: "file:1:2"`, as Vitest's TAP names the innermost frame.
fn quoted_place(line: &str) -> Option<Frame> {
    super::frames::place_of(line.trim().strip_prefix("at: \"")?.strip_suffix('"')?)
}

/// What a line says of the reason that it opens; `first` tells that it follows the count of shrinks.
fn opened(line: &str, first: bool) -> Option<&str> {
    let text = line.trim_start();
    for start in ["Caused by: ", "[cause]: "] {
        if let Some(rest) = text.strip_prefix(start) {
            // Vitest's JUnit file says it twice.
            return Some(rest.trim_start_matches(start));
        }
    }
    if text == "Cause:" {
        return Some("");
    }
    let got = text.strip_prefix("Got ").filter(|_| first)?;
    Some(got.strip_prefix("error: ").unwrap_or(got))
}

fn is_of_chain(line: &str) -> bool {
    let text = line.trim_start();
    text.starts_with("Caused by: ") || text.starts_with("[cause]: ") || text == "Cause:"
}

/// The error that begins with `start`, and how many of the lines after it are its message.
fn reason(start: &str, lines: &[String]) -> (Reason, usize) {
    let mut message = start.trim().trim_end_matches(" {").to_owned();
    let mut taken = 0;
    // Indented blocks have their own margin.
    let margin =
        lines.iter().find(|line| !line.trim().is_empty()).map_or(0, |line| line.len() - line.trim_start().len());
    for line in lines {
        let text = line.get(margin.min(line.len() - line.trim_start().len())..).unwrap_or(line).trim_end();
        if frame(line).is_some() || is_aside(text, message.is_empty()) {
            break;
        }
        taken += 1;
        if !message.is_empty() || !text.is_empty() {
            let separator = if message.is_empty() { "" } else { "\n" };
            message.push_str(separator);
            message.push_str(text);
        }
    }
    let (class, rest) = class_of(&message);
    (Reason { class: class.to_owned(), message: rest.trim_end().to_owned() }, taken)
}

/// Whether a line is no part of a message: a difference, a piece of source, the next section.
fn is_aside(text: &str, first: bool) -> bool {
    let trimmed = text.trim_start();
    let numbered = trimmed.trim_start_matches("> ").trim_start();
    let digits = numbered.bytes().take_while(u8::is_ascii_digit).count();
    let code = digits > 0 && numbered[digits..].trim_start().starts_with('|');
    let difference = !first && (trimmed.starts_with("- Expected") || trimmed.starts_with("+ Received"));
    code || difference
        || ["Hint:", "Hint (1)", "Stack trace:", "Encountered failures", "Execution summary", "[cause]:", "Caused by:"]
            .iter()
            .any(|start| trimmed.starts_with(start))
}

/// The class named before a message, and the message.
fn class_of(text: &str) -> (&str, &str) {
    let Some((front, rest)) = text.split_once(": ") else { return ("", text) };
    let name = front.split(" [").next().unwrap_or_default();
    let is_class = name.ends_with("Error") || name.ends_with("Exception");
    let is_name = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'.');
    if is_class && is_name && (front == name || front.ends_with(']')) { (name, rest) } else { ("", text) }
}

#[cfg(test)]
mod tests {
    use super::{Told, told};

    #[track_caller]
    fn check(text: &str, class: &str, message: &str, outer: &[u32], inner: &[u32]) {
        let lines: Vec<String> = text.lines().map(str::to_owned).collect();
        let Told { reason, outer: before, inner: after } = told(&lines);
        let reason = reason.unwrap();
        assert_eq!((reason.class.as_str(), reason.message.as_str()), (class, message), "{text}");
        assert_eq!(before.iter().map(|frame| frame.line).collect::<Vec<_>>(), outer, "{text}");
        assert_eq!(after.iter().map(|frame| frame.line).collect::<Vec<_>>(), inner, "{text}");
    }

    #[test]
    fn vitest_names_the_cause_and_shows_the_difference_apart() {
        let text = "\nHint: x\n ❯ f a.ts:1:2\n     18| describe('a')\n\nCaused by: AssertionError: expected +0 to be 1\n\n- Expected\n\
                    + Received\n\n- 1\n+ 0\n\n ❯ a.ts:3:4\n";
        check(text, "AssertionError", "expected +0 to be 1", &[1], &[3]);
    }

    #[test]
    fn jest_shows_the_cause_indented_and_in_json_in_brackets() {
        let text = "\n  at f (a.js:1:2)\n\nCause:\n    expect(received).toBe(expected)\n\n    Expected: 1\n    Received: 0\n\n      11 | x\n\n\
                    \x20     at f (a.js:3:4)\n";
        check(text, "", "expect(received).toBe(expected)\n\nExpected: 1\nReceived: 0", &[1], &[3]);
        let text = "    at f (a.js:1:2)\n\n[cause]: SyntaxError: no time: 8:0\n    at f (a.js:3:4)";
        check(text, "SyntaxError", "no time: 8:0", &[1], &[3]);
    }

    #[test]
    fn node_inspects_it() {
        let text = "    at f (a.js:1:2) {\n  [cause]: AssertionError [ERR_ASSERTION]: The expression:\n  \n    assert.ok(x)\n  \n\
                    \x20     at file:///w/a.mjs:3:4\n    code: 1\n}";
        check(text, "AssertionError", "The expression:\n\nassert.ok(x)", &[1], &[3]);
    }

    #[test]
    fn old_versions_tell_it_in_the_report() {
        let text =
            "Got error: Error: bad 20\n\nStack trace: Error: bad 20\n    at a.mjs:5:97\n\nHint: x\n    at b.mjs:6:1";
        check(text, "Error", "bad 20", &[6], &[5]);
        check("Got error: bad 20\n    at a.mjs:5:97", "", "bad 20", &[], &[5]);
        check("Got AssertionError: no\n    at a.mjs:5:97", "AssertionError", "no", &[], &[5]);
        check(
            "Got error: Property failed by returning false\n\nHint: x",
            "",
            "Property failed by returning false",
            &[],
            &[],
        );
    }

    #[test]
    fn a_cause_named_twice_is_one() {
        check("Caused by: Caused by: Error: a\n ❯ a.ts:3:4", "Error", "a", &[], &[3]);
    }

    #[test]
    fn the_causes_own_cause_is_another_matter() {
        check("Caused by: Error: a\n ❯ a.ts:3:4\n\nCaused by: Error: b\n ❯ b.ts:5:6", "Error", "a", &[], &[3]);
    }
}
