//! libtest's JSON, one event a line, as `cargo test -- --format json` and nextest's `libtest-json` formats write it.

use serde::Deserialize;

use crate::carrier::Subject;
use crate::carrier::cargo_log;
use crate::failure::TestName;

#[derive(Deserialize)]
struct Event {
    #[serde(rename = "type")]
    kind: String,
    event: String,
    name: Option<String>,
    stdout: Option<String>,
}

/// What a line of JSON says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Line {
    /// A test failed, with this output.
    Failed(Subject, String),
    /// Any other event.
    Other,
    /// The line begins as an event does, but is none: it broke off, or something was written into it.
    Broken,
}

/// Reads a line; `None` where it is not of this format at all. What a log puts before an event, of whatever kind, is passed
/// over.
pub fn read(line: &str) -> Option<Line> {
    let start = ["{\"type\"", "{ \"type\""].iter().filter_map(|start| line.find(start)).min()?;
    let (before, line) = line.trim_end().split_at_checked(start)?;
    if before.contains('"') {
        return None;
    }
    let Ok(event) = serde_json::from_str::<Event>(line) else { return Some(Line::Broken) };
    Some(match (event.kind.as_str(), event.event.as_str(), event.name, event.stdout) {
        ("test", "failed" | "timeout", Some(name), Some(output)) => Line::Failed(subject(&name), output),
        _ => Line::Other,
    })
}

/// `a::b::c`, or as nextest has it `package::binary$a::b::c`, with `#2` after it for a second attempt.
fn subject(name: &str) -> Subject {
    let (binary, test) = name.split_once('$').map_or((None, name), |(binary, test)| (Some(binary), test));
    let attempt = test.rsplit_once('#').filter(|(_, number)| number.bytes().all(|byte| byte.is_ascii_digit()));
    let test = attempt.map_or(test, |(test, _)| test);
    let Some((package, binary)) = binary.and_then(|binary| binary.split_once("::")) else {
        return Subject { test: Some(TestName(test.to_owned())), ..Subject::default() };
    };
    // Whether another binary is a program or a test is not said.
    let of_library = binary.replace('-', "_") == package.replace('-', "_");
    let mut subject = cargo_log::named(package, test);
    subject.binary = subject.binary.filter(|_| of_library);
    subject
}

#[cfg(test)]
mod tests {
    use super::{Line, read};
    use crate::carrier::Subject;
    use crate::failure::{PackageName, TestName};

    fn check(line: &str, expected: Option<Line>) {
        assert_eq!(read(line), expected, "{line}");
    }

    fn failed(package: Option<&str>, binary: Option<&str>) -> Option<Line> {
        let subject = Subject {
            test: Some(TestName("a::b".to_owned())),
            package: package.map(|name| PackageName(name.to_owned())),
            crate_name: None,
            binary: binary.map(str::to_owned),
        };
        Some(Line::Failed(subject, "x\n".to_owned()))
    }

    #[test]
    fn a_failed_test_comes_with_its_output() {
        check(r#"{ "type": "test", "name": "a::b", "event": "failed", "stdout": "x\n" }"#, failed(None, None));
        let nextest =
            r#"{"type":"test","event":"failed","name":"pt-core::pt_core$a::b#2","exec_time":0.1,"stdout":"x\n"}"#;
        check(nextest, failed(Some("pt-core"), Some("lib")));
        let tool = r#"{"type":"test","event":"failed","name":"pt-core::tool$a::b","stdout":"x\n"}"#;
        check(tool, failed(Some("pt-core"), None));
    }

    #[test]
    fn an_event_may_stand_behind_anything_but_a_quote() {
        let event = r#"{"type":"test","event":"failed","name":"a::b","stdout":"x\n"}"#;
        check(&format!("[night/test]   | {event}"), failed(None, None));
        check(&format!("2026-11-29 03:12:07 {event}\n"), failed(None, None));
        check(&format!("expected \"x\", found {event}"), None);
    }

    #[test]
    fn other_lines_are_told_apart() {
        check(r#"{"type":"test","event":"ok","name":"a","stdout":"x"}"#, Some(Line::Other));
        check(r#"{"type":"suite","event":"started","test_count":1}"#, Some(Line::Other));
        check(r#"{"type":"test","event":"failed","name":"a","stdout":"thread"#, Some(Line::Broken));
        check("{ \"key\": 1 }", None);
    }
}
