//! Reports of Vitest and Jest for programs: one JSON object with the failed tests of each file and their errors as text.

use serde_json::Value;

use super::found::failure;
use super::marks::Owner;
use super::report::{self, Line};
use super::title::unseeded;
use crate::carrier::line::plain;
use crate::failure::{Failure, ForeignPath, Location};
use crate::run_output::RunOutput;

/// Of a report that is cut off.
pub(super) const BROKEN: &str = "expected a report in JSON, found one that cannot be read as such: it seems to be cut off, and failures may be missing";

/// Whether a line begins such a report, or all of it stands on it.
pub(super) fn is_report(text: &str) -> bool {
    let text = text.trim_start();
    text.starts_with('{') && (text.contains("\"testResults\"") || text.starts_with("{\"num"))
}

/// Whether a whole run is such a report, on however many lines.
pub(super) fn is_whole(bytes: &[u8]) -> bool {
    let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes).trim_ascii_start();
    let has = |name: &str| memchr::memmem::find(text, name.as_bytes()).is_some();
    text.starts_with(b"{") && has("\"testResults\"") && has("\"assertionResults\"")
}

/// The failures of a report whose first line is `number`; `None` where it is no JSON.
pub(super) fn read(bytes: &[u8], number: u64, run: &RunOutput<'_>) -> Option<Vec<Failure>> {
    let text = match is_whole(bytes) {
        true => String::from_utf8_lossy(bytes).into_owned(),
        false => plain(bytes).into_owned(),
    };
    let whole: Value = serde_json::from_str(text.trim_start_matches('\u{feff}').trim()).ok()?;
    let files = whole.get("testResults")?.as_array()?;
    let mut lines = Lines { bytes, at: 0, number };
    Some(files.iter().flat_map(|file| of_file(file, &mut lines, run)).collect())
}

fn of_file(file: &Value, lines: &mut Lines<'_>, run: &RunOutput<'_>) -> Vec<Failure> {
    let name = file.get("name").and_then(Value::as_str).unwrap_or_default();
    let tests = file.get("assertionResults").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    tests.iter().flat_map(|test| of_test(test, name, lines, run)).collect()
}

fn of_test(test: &Value, file: &str, lines: &mut Lines<'_>, run: &RunOutput<'_>) -> Vec<Failure> {
    let texts = |name: &str| {
        let all = test.get(name).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
        all.iter().filter_map(Value::as_str).map(str::to_owned).collect::<Vec<_>>()
    };
    let mut titles = texts("ancestorTitles");
    titles.extend(test.get("title").and_then(Value::as_str).map(str::to_owned));
    // Jest takes for the place of such a test where the library calls it.
    let is_of_library =
        test.get("failureDetails").is_some() && titles.last().is_some_and(|title| unseeded(title) != title);
    let number = |name: &str| {
        let place = test.get("location").filter(|_| !is_of_library);
        place.and_then(|at| at.get(name)?.as_u64()?.try_into().ok())
    };
    let at = number("line").map(|line| Location { file: ForeignPath(file.to_owned()), line, column: number("column") });
    let owner = Owner { titles, file: (!file.is_empty()).then(|| file.to_owned()), at };
    let of_message = |message: String| {
        let line = lines.of(&message);
        let mut shown = message.split('\n').map(|text| Line { text: super::escapes_away(text), number: line });
        let report = report::read(&mut shown, false)?;
        Some(failure(&report, &owner, run.name))
    };
    texts("failureMessages").into_iter().filter_map(of_message).collect()
}

/// Finds the lines of messages, which come in their order.
struct Lines<'a> {
    bytes: &'a [u8],
    at: usize,
    number: u64,
}

impl Lines<'_> {
    /// The line on which `message` stands: by its seed, which no other has.
    fn of(&mut self, message: &str) -> u64 {
        let seed = message.lines().nth(1).and_then(|line| line.split(',').next()).unwrap_or_default();
        if !seed.is_empty()
            && let Some(found) = memchr::memmem::find(&self.bytes[self.at..], seed.as_bytes())
        {
            let passed = &self.bytes[self.at..self.at + found];
            self.number += memchr::memchr_iter(b'\n', passed).count() as u64;
            self.at += found;
        }
        self.number
    }
}
