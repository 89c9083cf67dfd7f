//! What a test run says of each test by name: libtest's `test name ... ok` and nextest's `PASS [   0.013s] binary name`.

use std::collections::HashMap;

use crate::carrier::Subject;
use crate::carrier::cargo_log::{self, Mark};
use crate::failure::TestName;

/// How a test came out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It passed.
    Passed,
    /// It failed.
    Failed,
    /// It was not run.
    Ignored,
    /// It was ended because it took too long.
    TimedOut,
}

/// How each test came out. One that is told of twice counts as failed where it failed once.
pub fn results(text: &str) -> HashMap<TestName, Outcome> {
    let mut results = HashMap::new();
    for line in text.lines() {
        let by_libtest = || libtest(line).map(|(name, outcome)| (TestName(name.to_owned()), outcome));
        let by_nextest = || nextest(line).and_then(|(subject, outcome)| Some((subject.test?, outcome)));
        let Some((test, outcome)) = by_libtest().or_else(by_nextest) else { continue };
        let known = results.entry(test).or_insert(outcome);
        if *known != Outcome::Failed {
            *known = outcome;
        }
    }
    results
}

/// `test name ... ok`.
fn libtest(line: &str) -> Option<(&str, Outcome)> {
    let (name, word) = line.strip_prefix("test ")?.rsplit_once(" ... ")?;
    let name = name.strip_suffix(" - should panic").unwrap_or(name);
    let outcome = match word.split([' ', ',', '<']).next()? {
        "ok" => Outcome::Passed,
        "FAILED" => Outcome::Failed,
        "ignored" => Outcome::Ignored,
        _ => return None,
    };
    (!name.contains(' ')).then_some((name, outcome))
}

/// `        PASS [   0.013s] (1/2) binary name`.
pub fn nextest(line: &str) -> Option<(Subject, Outcome)> {
    let (word, _) = line.trim_start().split_once(" [")?;
    let outcome = match word {
        "PASS" | "LEAK" => Outcome::Passed,
        "FAIL" | "ABORT" | "LEAK-FAIL" => Outcome::Failed,
        "TIMEOUT" => Outcome::TimedOut,
        word if word.starts_with("SIG") => Outcome::Failed,
        _ => return None,
    };
    match cargo_log::mark(line)? {
        Mark::Status(subject) => Some((subject, outcome)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{Outcome, results};
    use crate::failure::TestName;

    #[track_caller]
    fn check(text: &str, test: &str, expected: Option<Outcome>) {
        assert_eq!(results(text).get(&TestName(test.to_owned())).copied(), expected, "{text}");
    }

    #[test]
    fn libtest_and_nextest_say_how_each_test_came_out() {
        check("test a::b ... ok", "a::b", Some(Outcome::Passed));
        check("test a::b ... FAILED\ntest a::b ... ok", "a::b", Some(Outcome::Failed));
        check("test a - should panic ... ok", "a", Some(Outcome::Passed));
        check("test a ... ignored, slow", "a", Some(Outcome::Ignored));
        check("        PASS [   0.013s] (1/2) pt-core::api a::b", "a::b", Some(Outcome::Passed));
        check("        FAIL [   0.013s] pt-core a::b", "a::b", Some(Outcome::Failed));
        check("     SIGSEGV [   0.013s] pt-core a::b", "a::b", Some(Outcome::Failed));
        check("     TIMEOUT [  60.013s] pt-core a::b", "a::b", Some(Outcome::TimedOut));
        check("test result: FAILED. 0 passed", "result:", None);
        check("the test a ... ok", "a", None);
    }
}
