//! Vitest's blob reports, which it merges into others: one JSON list in which each object and text names its parts by their
//! places in the list.

use serde_json::{Map, Value};

use super::found::failure;
use super::marks::Owner;
use super::report::{self, Line};
use crate::failure::{Failure, ForeignPath, Location};
use crate::run_output::RunOutput;

/// Most suites around a test.
const DEEPEST: usize = 64;

/// Whether a run is such a report.
pub(super) fn is_blob(bytes: &[u8]) -> bool {
    let has = |name: &str| memchr::memmem::find(bytes, name.as_bytes()).is_some();
    bytes.trim_ascii_start().starts_with(b"[[") && has("\"filepath\"") && has("\"errors\"") && has("\"result\"")
}

/// The failures of such a report; `None` where it is no JSON.
pub(super) fn read(bytes: &[u8], run: &RunOutput<'_>) -> Option<Vec<Failure>> {
    let blob = Blob(serde_json::from_slice(bytes).ok()?);
    let objects = blob.0.iter().filter_map(Value::as_object);
    let tests = objects.filter(|object| blob.text(object, "type") == Some("test"));
    Some(tests.flat_map(|test| blob.failures(test, run)).collect())
}

/// The list.
struct Blob(Vec<Value>);

impl Blob {
    /// The part of `object` called `name`: texts stand for places, anything else for itself.
    fn part<'a>(&'a self, object: &'a Map<String, Value>, name: &str) -> Option<&'a Value> {
        self.at(object.get(name)?)
    }

    fn at<'a>(&'a self, value: &'a Value) -> Option<&'a Value> {
        match value {
            Value::String(place) => self.0.get(place.parse::<usize>().ok()?),
            other => Some(other),
        }
    }

    fn text<'a>(&'a self, object: &'a Map<String, Value>, name: &str) -> Option<&'a str> {
        self.part(object, name)?.as_str()
    }

    fn object<'a>(&'a self, object: &'a Map<String, Value>, name: &str) -> Option<&'a Map<String, Value>> {
        self.part(object, name)?.as_object()
    }

    fn failures(&self, test: &Map<String, Value>, run: &RunOutput<'_>) -> Vec<Failure> {
        let result = self.object(test, "result");
        let errors = result.and_then(|result| self.part(result, "errors")?.as_array());
        let errors = errors.into_iter().flatten().filter_map(|error| self.at(error)?.as_object());
        let owner = self.owner(test);
        errors.filter_map(|error| of_text(&self.said(error), &owner, run)).collect()
    }

    fn owner(&self, test: &Map<String, Value>) -> Owner {
        let around = std::iter::successors(Some(test), |one| self.object(one, "suite")).take(DEEPEST);
        let mut titles: Vec<String> = around.filter_map(|one| self.text(one, "name").map(str::to_owned)).collect();
        titles.reverse();
        let file = self.object(test, "file").and_then(|file| self.text(file, "name")).map(str::to_owned);
        let number = |name: &str| self.object(test, "location")?.get(name)?.as_u64()?.try_into().ok();
        let place = |file: &String| {
            Some(Location { file: ForeignPath(file.clone()), line: number("line")?, column: number("column") })
        };
        Owner { at: file.as_ref().and_then(place), titles, file }
    }

    /// The error as the other reporters print it, its cause below it.
    fn said(&self, error: &Map<String, Value>) -> String {
        let told = |error| self.text(error, "stack").or_else(|| self.text(error, "message")).unwrap_or_default();
        let cause =
            self.object(error, "cause").map_or(String::new(), |cause| format!("\n\nCaused by: {}", told(cause)));
        format!("{}{cause}", told(error))
    }
}

fn of_text(text: &str, owner: &Owner, run: &RunOutput<'_>) -> Option<Failure> {
    let mut lines = text.split('\n').map(|text| Line { text: super::escapes_away(text), number: 1 });
    Some(failure(&report::read(&mut lines, false)?, owner, run.name))
}

#[cfg(test)]
mod tests {
    use super::{is_blob, read};
    use crate::run_output::RunOutput;

    /// A blob whose objects name texts and each other by place.
    fn blob() -> String {
        let parts = serde_json::json!([
            ["1", "2"],
            "4.1.12",
            [],
            { "type": "4", "name": "5", "file": "6", "suite": "12", "result": "8" },
            "test",
            "adds up (with seed=3)",
            { "name": "7", "filepath": "7", "result": "8", "errors": "2" },
            "tests/a.test.ts",
            { "errors": "9", "state": "4" },
            ["10"],
            { "stack": "11", "cause": "13" },
            "Error: Property failed after 2 tests\n{ seed: 3, path: \"1\", endOnFailure: true }\nCounterexample: [5]\nShrunk 0 time(s)\n    at a (node_modules/fast-check/x.js:1:2)",
            { "name": "14", "type": "15" },
            { "stack": "16", "message": "14" },
            "sums",
            "suite",
            "AssertionError: expected 5 to be 6\n    at /w/tests/a.test.ts:4:5\n    at p (/w/node_modules/fast-check/x.js:1:2)",
        ]);
        parts.to_string()
    }

    #[test]
    fn a_test_its_error_and_its_cause_are_put_together_again() {
        let text = blob();
        assert!(is_blob(text.as_bytes()));
        let found = read(text.as_bytes(), &RunOutput::new("blob.json", text.as_bytes())).unwrap();
        let [one] = found.as_slice() else { panic!("{found:?}") };
        assert_eq!((one.test.0.as_str(), one.message.as_str()), ("sums > adds up", "expected 5 to be 6"));
        assert_eq!(one.counterexample.text, "[5]");
        let site = one.site.as_ref().unwrap();
        assert_eq!((site.file.0.as_str(), site.line), ("tests/a.test.ts", 4));
    }

    #[test]
    fn places_that_lead_nowhere_or_round_in_circles_tell_nothing() {
        for text in ["[[]]", "[[\"1\"],{\"type\":\"2\",\"suite\":\"1\",\"result\":\"9\"},\"test\"]", "[[1"] {
            let found = read(text.as_bytes(), &RunOutput::new("blob.json", text.as_bytes())).unwrap_or_default();
            assert!(found.is_empty(), "{text}");
        }
    }
}
