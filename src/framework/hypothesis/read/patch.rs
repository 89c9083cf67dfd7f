//! Reads the patches that the library writes itself: each example that one adds is an input that failed, and nothing is said
//! of why.

use crate::failure::{
    Caveat, Counterexample, Ending, Failure, ForeignPath, FrameworkName, Location, Origin, Reading, Replay, TestName,
};
use crate::framework::hypothesis::NAME;
use crate::run_output::RunOutput;

use super::call;

/// How such a file begins, and what it names as its writer.
const START: &[u8] = b"From HEAD ";
const WRITER: &str = "\nFrom: Hypothesis ";

/// How far into a file the writer stands.
const HEAD: usize = 400;

/// What stands on the examples that failed. Others are of inputs that only cover something.
const FAILED: &str = ".via(\"discovered failure\")";

/// Whether the bytes are such a file.
pub(super) fn is_ours(bytes: &[u8]) -> bool {
    let head = &bytes[..bytes.len().min(HEAD)];
    bytes.starts_with(START) && memchr::memmem::find(head, WRITER.as_bytes()).is_some()
}

/// The failures in such a file.
pub(super) fn read(run: &RunOutput<'_>) -> Reading {
    let text = String::from_utf8_lossy(run.bytes);
    let mut reading = Reading::default();
    let mut file = String::new();
    // The line of the file as it was before the patch.
    let mut old = 0;
    let mut added: Vec<(u64, String)> = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        if let Some(path) = line.strip_prefix("+++ ") {
            file = path.trim_start_matches("./").to_owned();
        } else if let Some(hunk) = line.strip_prefix("@@ -") {
            old = hunk.split([',', ' ']).next().and_then(|start| start.parse::<u32>().ok()).unwrap_or(0);
            added.clear();
        } else if let Some(line) = line.strip_prefix('+') {
            added.push((number, line.to_owned()));
        } else if !line.starts_with('-') {
            let name = line.trim_start().trim_start_matches("async ").strip_prefix("def ");
            if let Some((name, _)) = name.and_then(|name| name.split_once('(')) {
                let place = Location { file: ForeignPath(file.clone()), line: old, column: None };
                reading.failures.extend(failures(run, &place, name, &std::mem::take(&mut added)));
            }
            old += 1;
        }
    }
    reading
}

/// The failures that the added lines above the function `name` at `place` tell of.
fn failures(run: &RunOutput<'_>, place: &Location, name: &str, added: &[(u64, String)]) -> Vec<Failure> {
    let mut found = Vec::new();
    let mut rest = added;
    while let Some((number, first)) = rest.first() {
        let end = rest[1..].iter().position(|(_, line)| line.trim_start().starts_with('@'));
        let (example, after) = rest.split_at(end.map_or(rest.len(), |end| end + 1));
        rest = after;
        let text: Vec<&str> = example.iter().map(|(_, line)| line.as_str()).collect();
        let text = text.join("\n");
        let Some(at) = text.find("example(").filter(|_| first.trim_start().starts_with('@')) else { continue };
        let call = text.trim_end().strip_suffix(FAILED).map(|call| &call[at..]);
        let Some(input) = call.and_then(call::read) else { continue };
        found.push(Failure {
            framework: FrameworkName(NAME.to_owned()),
            test: TestName(format!("{}::{name}", place.file.0)),
            package: None,
            binary: None,
            location: Some(place.clone()),
            site: None,
            panicked: false,
            ending: Ending::Falsified,
            message: String::new(),
            error: None,
            own_message: None,
            generated: Vec::new(),
            counterexample: Counterexample { text: input.text(), arguments: input.arguments.clone() },
            replay: Replay::NewSeed { handle: format!("@example({})", input.text()), file: None },
            caveats: vec![Caveat::Unexplained],
            origin: Origin { run: run.name.to_owned(), line: *number },
        });
    }
    found
}

#[cfg(test)]
mod tests {
    use super::{is_ours, read};
    use crate::run_output::RunOutput;

    const PATCH: &str = "From HEAD Mon Sep 17 00:00:00 2001\nFrom: Hypothesis 6.170.17 <no-reply@hypothesis.works>\n\
        Date: Mon, 30 Nov 2026 10:55:08\nSubject: [PATCH] Hypothesis: add explicit examples\n\n---\n--- ./tests/test_a.py\n\
        +++ ./tests/test_a.py\n@@ -46,6 +46,7 @@\n \n \n @given(st.integers())\n+@example(x=1000).via(\"discovered failure\")\n\
        +@example(x=7).via(\"covering example\")\n+@example(\n+    x=-51,\n+    s=\"\",  # or any other generated value\n\
        +).via(\"discovered failure\")\n def test_x(x, s):\n     note(x)\n@@ -81,3 +83,4 @@\n     @given(x=st.integers())\n\
        +    @example(x=7).via(\"discovered failure\")\n     def test_static(x):\n";

    #[test]
    fn each_example_that_failed_is_a_failure() {
        assert!(is_ours(PATCH.as_bytes()) && !is_ours(b"From HEAD Mon\nFrom: me\n"));
        let found = read(&RunOutput::new("a.patch", PATCH.as_bytes())).failures;
        let told: Vec<_> = found
            .iter()
            .map(|one| {
                let line = one.location.as_ref().map(|place| place.line);
                (one.test.0.as_str(), one.counterexample.text.as_str(), line, one.origin.line)
            })
            .collect();
        let (x, fixed) = ("tests/test_a.py::test_x", "tests/test_a.py::test_static");
        assert_eq!(
            told,
            [(x, "x=1000", Some(49), 13), (x, "x=-51, s=\"\"", Some(49), 15), (fixed, "x=7", Some(82), 23)]
        );
    }
}
