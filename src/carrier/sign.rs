//! Tells the output of a test run from any other file, by words that every runner prints however the run ended. A green run
//! shows no failure either; a wrong file must not be taken for one.

use memchr::memmem;

use super::{panic, returns};

/// What a runner says of its tests: libtest, cargo, nextest, JUnit XML and libtest's JSON, Vitest, Jest and Node.
const SIGNS: [&str; 19] = [
    "test result: ",
    " tests\n",
    " test\n",
    " tests\r",
    " test\r",
    "Running unittests ",
    "Doc-tests ",
    "Nextest run ID",
    " tests run: ",
    "<testsuite",
    "\"type\":\"suite\"",
    "\"type\": \"suite\"",
    "\"type\":\"test\"",
    " Test Files  ",
    "Test Suites: ",
    "\"numTotalTests\":",
    "TAP version ",
    "ℹ tests ",
    "\n# tests ",
];

/// Whether `bytes` show that tests were run.
pub fn shows_tests(bytes: &[u8]) -> bool {
    let bytes = returns::readable(bytes);
    SIGNS.iter().chain([&panic::ANCHOR]).any(|sign| memmem::find(&bytes, sign.as_bytes()).is_some())
}

#[cfg(test)]
mod tests {
    use super::shows_tests;

    #[test]
    fn a_run_is_told_from_any_other_file() {
        for run in [
            "\nrunning 3 tests\n...\n",
            "running 1 test\r\ntest a ... ok\r\n",
            "test result: ok. 0 passed",
            "     Summary [   0.012s] 3 tests run: 3 passed, 0 skipped",
            "<?xml version=\"1.0\"?>\n<testsuites name=\"n\"/>",
            "{ \"type\": \"suite\", \"event\": \"started\", \"test_count\": 1 }",
            "thread 'a' panicked at src/lib.rs:1:1:\n",
            " Test Files  1 passed (1)\n      Tests  2 passed (2)\n",
            "TAP version 13\n1..0\n",
            "{\"numFailedTests\":0,\"numTotalTests\":3}",
        ] {
            assert!(shows_tests(run.as_bytes()), "{run}");
        }
        for other in ["", "[package]\nname = \"tests\"\n", "error: could not compile `a`\n", "the tests are red\n"] {
            assert!(!shows_tests(other.as_bytes()), "{other}");
        }
    }
}
