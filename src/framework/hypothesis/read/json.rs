//! Reads reports that are kept as JSON: pytest's report log, a line a test; its JSON report, one object; and the library's
//! own observations, a line a test case.

use memchr::memmem;
use serde_json::Value;

use crate::failure::Reading;
use crate::run_output::{RunOutput, line_after, line_at};

use super::names::{Heading, Surroundings, Test};
use super::report;
use super::section::{self, Line, NEEDLES};

/// How far into a file its kind shows.
const START: usize = 4 << 10;

/// What the lines or the object of such a file begin with.
const SIGNS: [&str; 4] = ["\"$report_type\"", "\"pytest_version\"", "\"how_generated\"", "\"exitcode\""];

/// How the library marks the case that it reports.
const MINIMAL: &str = "\"minimal failing test case\"";

/// Whether the bytes are such a file.
pub(super) fn is_ours(bytes: &[u8]) -> bool {
    let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes).trim_ascii_start();
    let start = &text[..text.len().min(START)];
    text.starts_with(b"{") && SIGNS.iter().any(|sign| memmem::find(start, sign.as_bytes()).is_some())
}

/// The failures in such a file.
pub(super) fn read(run: &RunOutput<'_>) -> Reading {
    let mut reading = Reading::default();
    let whole = serde_json::from_slice::<Value>(run.bytes).ok().filter(|whole| whole.get("tests").is_some());
    if let Some(whole) = whole {
        for test in whole["tests"].as_array().into_iter().flatten() {
            for phase in ["setup", "call", "teardown"] {
                let text = test[phase]["longrepr"].as_str().unwrap_or_default();
                take(&mut reading, run, 1, test["nodeid"].as_str(), text);
            }
        }
        return reading;
    }
    let mut line = Some(line_at(run.bytes, 0));
    let mut number = 0;
    while let Some(span) = line {
        number += 1;
        let bytes = &run.bytes[span.range()];
        line = line_after(run.bytes, span);
        if !is_of_interest(bytes) {
            continue;
        }
        match object(bytes) {
            Some(object) => read_line(&mut reading, run, number, &object),
            None => reading.notices.push(run.notice(number, "expected a JSON object, found something else")),
        }
    }
    reading
}

fn is_of_interest(line: &[u8]) -> bool {
    NEEDLES.iter().chain([&MINIMAL]).any(|needle| memmem::find(line, needle.as_bytes()).is_some())
}

/// The object of a line. Python writes numbers that are none as bare words and halves of characters as escapes, which JSON
/// does not have.
fn object(line: &[u8]) -> Option<Value> {
    let text = String::from_utf8_lossy(line);
    serde_json::from_str(&text).ok().or_else(|| serde_json::from_str(&as_json(&text)).ok())
}

/// The text with marks of replacement for halves of characters, and with `null` for the bare words.
fn as_json(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut is_inside = false;
    let mut rest = text;
    while let Some(char) = rest.chars().next() {
        let (taken, written) = if is_inside && char == '\\' {
            match rest.get(..6).filter(|escape| is_half(escape)) {
                Some(escape) => (escape.len(), "\\ufffd"),
                None => {
                    let next = rest[1..].chars().next().map_or(0, char::len_utf8);
                    (1 + next, &rest[..1 + next])
                }
            }
        } else if let Some(word) =
            ["-Infinity", "Infinity", "NaN"].into_iter().find(|word| !is_inside && rest.starts_with(word))
        {
            (word.len(), "null")
        } else {
            is_inside ^= char == '"';
            (char.len_utf8(), &rest[..char.len_utf8()])
        };
        plain.push_str(written);
        rest = &rest[taken..];
    }
    plain
}

/// Whether an escape is one of those that two of make a character.
fn is_half(escape: &str) -> bool {
    let digits = escape.strip_prefix("\\u").and_then(|digits| u32::from_str_radix(digits, 16).ok());
    digits.is_some_and(|code| (0xd800..0xe000).contains(&code))
}

fn read_line(reading: &mut Reading, run: &RunOutput<'_>, number: u64, object: &Value) {
    if object["how_generated"] == "minimal failing test case" && object["status"] == "failed" {
        let text = observed(object);
        take(reading, run, number, object["property"].as_str(), &text);
    } else if object["outcome"] == "failed" || object["outcome"] == "error" {
        let text = represented(&object["longrepr"]);
        take(reading, run, number, object["nodeid"].as_str(), &text);
    }
}

/// Takes in what `text` says of a test.
fn take(reading: &mut Reading, run: &RunOutput<'_>, number: u64, node: Option<&str>, text: &str) {
    let Some(node) = node.filter(|_| NEEDLES.iter().any(|needle| text.contains(needle))) else { return };
    let lines: Vec<Line> = text.lines().map(|text| Line { number, text: text.to_owned() }).collect();
    let heading = Heading::Node(node.to_owned());
    let test = Test::of_node(node);
    let told = section::read(&lines, test.parts.last().map(|last| super::names::function(last)));
    reading.failures.extend(report::failures(run, &Surroundings::default(), &heading, 0, told));
}

/// The text of a report that is kept in parts.
fn represented(told: &Value) -> String {
    if let Some(text) = told.as_str() {
        return text.to_owned();
    }
    let chain = told["chain"].as_array().and_then(|chain| chain.last()).map(|link| &link[0]);
    let parts = chain.unwrap_or(&told["reprtraceback"])["reprentries"].as_array();
    let mut text = String::new();
    for part in parts.into_iter().flatten().map(|part| &part["data"]) {
        let place = &part["reprfileloc"];
        let at = place["path"]
            .as_str()
            .map(|path| format!("{path}:{}: {}\n", place["lineno"], place["message"].as_str().unwrap_or_default()));
        let is_short = part["style"] == "short";
        if is_short {
            text.push_str(at.as_deref().unwrap_or_default());
        }
        for line in part["lines"].as_array().into_iter().flatten().filter_map(Value::as_str) {
            text.push_str(line.strip_suffix('\n').unwrap_or(line));
            text.push('\n');
        }
        if let (false, Some(at)) = (is_short, at) {
            text.push('\n');
            text.push_str(&at);
        }
    }
    text
}

/// How the steps of a state machine begin.
const STEPS: &str = "state = ";

/// The report of a test case that the library observed, as pytest would have shown it: the input after the error's text.
fn observed(object: &Value) -> String {
    let traceback = object["metadata"]["traceback"].as_str().unwrap_or_default();
    let input = object["representation"].as_str().unwrap_or_default();
    let mut lines: Vec<String> = traceback.lines().map(str::to_owned).collect();
    let last = lines.iter().rposition(|line| line.starts_with("E "));
    let front = lines.iter().find(|line| line.starts_with("E ")).map_or("E   ", |line| {
        let text = line[1..].trim_start();
        &line[..line.len() - text.len()]
    });
    // Of a state machine the steps are all that is kept.
    let machine = if input.starts_with(STEPS) { "<state machine>\n" } else { "" };
    let told = format!("{} {machine}{input}", NEEDLES[0]);
    let told: Vec<String> = told.lines().map(|line| format!("{front}{line}")).collect();
    let after = last.map_or(lines.len(), |at| at + 1);
    lines.splice(after..after, told);
    lines.join("\n")
}
