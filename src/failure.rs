//! A property that failed in a run, as the run told it. Everything here is foreign text: it is kept as printed, is not
//! yet tied to the repository, and must be made visible before it reaches a terminal.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The name of a framework in the catalogue, as users and `--json` see it: `proptest`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct FrameworkName(pub String);

/// A test's full name as its framework has it: `rate::tests::heavier_is_never_cheaper`, no package and no binary in front, or
/// `tests/test_rate.py::TestRate::test_heavier[3]`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct TestName(pub String);

impl TestName {
    /// The test function's own name with its parameters: what stands after the last `::` that is none of theirs.
    pub fn function(&self) -> &str {
        let plain = self.0.split('[').next().unwrap_or_default();
        &self.0[plain.rfind("::").map_or(0, |at| at + "::".len())..]
    }

    /// What the function stands in, outermost first: modules, or a file and classes.
    pub fn modules(&self) -> Vec<&str> {
        let around = self.0.strip_suffix(self.function()).and_then(|around| around.strip_suffix("::"));
        around.map_or_else(Vec::new, |around| around.split("::").collect())
    }

    /// The test `name` in the same module.
    pub fn beside(&self, name: &str) -> TestName {
        TestName(self.modules().into_iter().chain([name]).collect::<Vec<_>>().join("::"))
    }
}

impl fmt::Display for TestName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A package's name as its manifest has it, or as near as the run tells it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct PackageName(pub String);

/// A path as a run printed it, perhaps of another machine. Never opened: it is first mapped into the repository.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ForeignPath(pub String);

/// A place in a source file, as a run printed it. Line and column count from 1.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Location {
    /// The file.
    pub file: ForeignPath,
    /// The line.
    pub line: u32,
    /// The column, where one was printed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub column: Option<u32>,
}

/// One argument of a counterexample.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Argument {
    /// The name or pattern before the ` = `, without the sign; empty where the value was printed unnamed.
    pub name: String,
    /// The value as printed, all its lines.
    pub text: String,
}

/// The shrunk failing input.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counterexample {
    /// The whole input as printed.
    pub text: String,
    /// The same, split into arguments in order.
    pub arguments: Vec<Argument>,
}

/// What makes the framework run that input again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "kind")]
pub enum Replay {
    /// The run named a handle for this very failure: for proptest the `cc <hex>` line without its comment.
    NewSeed {
        /// The handle as the framework writes it.
        handle: String,
        /// The file the framework said it keeps the handle in.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        file: Option<ForeignPath>,
    },
    /// The failure came from a handle that was kept before, and which one the run does not say; or from the very first
    /// case where nothing is kept, which looks the same.
    Replayed,
    /// The run names none.
    None,
}

/// What kind of ending this was.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ending {
    /// An input broke the property.
    Falsified,
    /// The property was given up without a verdict on it: too many rejects, a time-out, a crashed child.
    Aborted,
    /// A pin of ours failed again: not a new failure, but a bug that came back. It has no counterexample of its own.
    PinFailed,
}

/// Why a counterexample must be taken with care.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Caveat {
    /// Shrinking was cut off: a smaller input may exist.
    NotMinimal,
    /// The framework lost step with its child process: the value may not be the one that failed.
    Untrusted,
    /// The run's text ends or breaks off inside this report.
    Truncated,
    /// Only what the run kept tells of it, as a replay line or a patch: the input, and not why it failed.
    Unexplained,
}

/// Where in a run a failure was read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Origin {
    /// The run's file, its path beginning as the user wrote it; in an archive, the archive's path, a `!` and the member's
    /// path; `-` for standard input.
    pub run: String,
    /// Line of the report's first line, from 1.
    pub line: u64,
}

/// A property that failed in a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Failure {
    /// Who reported it.
    pub framework: FrameworkName,
    /// Full name of the test.
    pub test: TestName,
    /// The package, where the run tells it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub package: Option<PackageName>,
    /// The target the test was built into, where the run tells it: `lib`, `bin/tool`, `test/week`, `example/x`, `bench/x`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub binary: Option<String>,
    /// Where the report says the test stands: for proptest the `proptest!` block, not the very function.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub location: Option<Location>,
    /// Where the rule broke: the failing assertion, or the panic inside the code under test.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub site: Option<Location>,
    /// Whether `site` is a panic that the framework caught (true), or an assertion of the property itself (false).
    pub panicked: bool,
    /// How it ended.
    pub ending: Ending,
    /// The reason, as printed.
    pub message: String,
    /// The class of the error, where the language has classes of errors and it says more than that an assertion failed. The
    /// message begins with it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// What of the message the failing assertion itself says whatever the input, where the property's source was there to
    /// tell; empty where that is nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub own_message: Option<String>,
    /// The shrunk input; empty where the run has none.
    pub counterexample: Counterexample,
    /// The names of those of its arguments that the framework provides, where the run tells them; none where it does not.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub generated: Vec<String>,
    /// How to run that input again.
    pub replay: Replay,
    /// What to mind about the value.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub caveats: Vec<Caveat>,
    /// Where it was read.
    pub origin: Origin,
}

/// Something in a run, or in a file beside it, that could not be understood or that the user must know.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Notice {
    /// The file, named as in [`Origin::run`].
    pub file: String,
    /// The line, from 1, where one can be named.
    pub line: Option<u64>,
    /// What is the matter, as one sentence.
    pub text: String,
}

/// What was found in one run: reading never fails, what was not understood is a notice.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reading {
    /// In the order of the run.
    pub failures: Vec<Failure>,
    /// Likewise.
    pub notices: Vec<Notice>,
    /// What would be a notice of a test if nobody told of it.
    pub doubts: Vec<Doubt>,
}

impl Reading {
    /// The reading with those doubts as notices that are of none of the tests that are `told` of.
    pub fn settled(mut self, told: impl Fn(&TestName) -> bool) -> Reading {
        let left = std::mem::take(&mut self.doubts).into_iter().filter(|doubt| !told(&doubt.test));
        self.notices.extend(left.map(|doubt| doubt.notice));
        self.notices.sort_by_key(|notice| notice.line);
        self
    }
}

/// A notice that holds only as long as nobody tells more of its test: its output looks as if it had run a property, and
/// does not say of which library.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Doubt {
    /// The test.
    pub test: TestName,
    /// What is said of it then.
    pub notice: Notice,
}

/// A failure for tests.
#[cfg(test)]
pub(crate) mod testing {
    use super::{Counterexample, Ending, Failure, FrameworkName, Origin, Replay, TestName};

    /// A failure of the test `test` of which nothing else is told.
    pub(crate) fn failure(test: &str) -> Failure {
        Failure {
            framework: FrameworkName("framework".to_owned()),
            test: TestName(test.to_owned()),
            package: None,
            binary: None,
            location: None,
            site: None,
            panicked: false,
            ending: Ending::Falsified,
            message: String::new(),
            error: None,
            counterexample: Counterexample::default(),
            generated: Vec::new(),
            replay: Replay::None,
            own_message: None,
            caveats: Vec::new(),
            origin: Origin { run: "log".to_owned(), line: 1 },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::TestName;

    #[track_caller]
    fn check(name: &str, modules: &[&str], function: &str) {
        let name = TestName(name.to_owned());
        assert_eq!((name.modules().as_slice(), name.function()), (modules, function), "{name}");
    }

    #[test]
    fn a_parameter_is_no_module() {
        check("rate::tests::grows", &["rate", "tests"], "grows");
        check("grows", &[], "grows");
        check("tests/a.py::TestA::test_x[a::b]", &["tests/a.py", "TestA"], "test_x[a::b]");
        check("test_x[a::b]", &[], "test_x[a::b]");
    }
}
