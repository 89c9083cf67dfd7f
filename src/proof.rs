//! What running a pin showed: red for the recorded reason, or something else; and the command that runs it. A pin that was
//! never seen red proves nothing.

use std::collections::{BTreeMap, HashMap};

use serde::{Deserialize, Serialize};

use crate::failure::{FrameworkName, Location, PackageName, TestName};
use crate::repo_path::RepoPath;

/// A pin as it stands in the repository, as its decision record tells it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StandingPin {
    /// The id of the failure it pins.
    pub failure: String,
    /// The framework of its property.
    pub framework: FrameworkName,
    /// The package, where known.
    pub package: Option<PackageName>,
    /// Full name of the property.
    pub property: TestName,
    /// Full name of the pin's own test; `None` where the replay line is all of it, so that the property itself is run.
    pub test: Option<TestName>,
    /// The source file of the property.
    pub file: Option<RepoPath>,
    /// Its replay line without the comment, where it has one.
    pub replay: Option<String>,
    /// The files it stands in.
    pub files: Vec<RepoPath>,
    /// What the run said when the property failed.
    pub message: String,
    /// The counterexample as one line of text; empty where all of it is not on record.
    pub counterexample: String,
    /// Whether its test makes its value by other code, of which another value may come once that is changed.
    pub makes_value: bool,
}

impl StandingPin {
    /// Whether it is no pin, but the property itself that is to be run: it stands in no file.
    pub fn is_property(&self) -> bool {
        self.test.is_none() && self.files.is_empty()
    }

    /// The test that shows whether it is red: its own, or its property's.
    pub fn runs(&self) -> &TestName {
        self.test.as_ref().unwrap_or(&self.property)
    }
}

/// A test command and the pins it runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PinCommand {
    /// The program and its arguments, to be started at `folder`.
    pub command: Vec<String>,
    /// Folder of the repository in which it is started, `""` for the top.
    pub folder: String,
    /// What is set in its environment.
    pub environment: Vec<(&'static str, String)>,
    /// The pins, as places in the list that was asked for.
    pub pins: Vec<usize>,
}

/// What the user says of how tests are run; what is not said is found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Manner {
    /// Arguments for every test command, such as features and a profile.
    pub arguments: Vec<String>,
    /// What the last test command said to the program that runs the tests, by the framework's name.
    pub said: BTreeMap<String, Vec<String>>,
    /// The runner to use, by its framework's own name for it; `None` for the one that the repository uses.
    pub runner: Option<String>,
    /// Programs to use instead of those that are found, by what they are called.
    pub programs: BTreeMap<String, String>,
    /// Where builds go, if not where the user's own do.
    pub target: Option<String>,
}

/// What is known of the user's own builds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BuildLayout {
    /// The folder they go to.
    pub target: String,
    /// The repository's own packages and libraries, by the names their files have there.
    pub own: Vec<String>,
}

/// How a pin came out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PinState {
    /// It fails for the recorded reason.
    Red,
    /// It fails, but says something else than the run did.
    RedForAnotherReason,
    /// It passes.
    Green,
    /// The build fails, in the pin or elsewhere.
    DoesNotBuild,
    /// No test of that name was run.
    Missing,
    /// It did not come to its end in time.
    TimedOut,
}

impl PinState {
    /// Whether a test was run and failed.
    pub fn has_failed(self) -> bool {
        matches!(self, PinState::Red | PinState::RedForAnotherReason)
    }

    /// The word `--json` prints.
    pub fn word(self) -> &'static str {
        match self {
            PinState::Red => "red",
            PinState::RedForAnotherReason => "red-for-another-reason",
            PinState::Green => "green",
            PinState::DoesNotBuild => "does-not-build",
            PinState::Missing => "missing",
            PinState::TimedOut => "timed-out",
        }
    }
}

/// How one pin came out, and what was said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proof {
    /// How.
    pub state: PinState,
    /// What the test or the compiler said; empty where it passed.
    pub message: String,
    /// Where, as it was printed.
    pub at: Option<Location>,
    /// Where the build failed: whether in the pin itself.
    pub own_fault: bool,
    /// Where it is missing: whether it is worth running again, as it failed and only why was not told, or as its test program
    /// had not begun.
    pub may_tell_more: bool,
}

impl Proof {
    /// Whether it tells of a place in the repository, and not of the world around it.
    pub fn is_of_repository(&self) -> bool {
        self.at.as_ref().is_some_and(|at| !at.file.0.starts_with('/'))
    }

    /// A state about which nothing more was said.
    pub fn plain(state: PinState) -> Proof {
        Proof { state, message: String::new(), at: None, own_fault: false, may_tell_more: false }
    }
}

/// One running of a pin, as it is kept: one JSON object, keys in this order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Evidence {
    /// Version of this form: 1.
    pub schema: u32,
    /// The id of the failure that is pinned.
    pub failure: String,
    /// Full name of the test that was run.
    pub test: String,
    /// How it came out.
    pub state: PinState,
    /// When, as RFC 3339 in UTC.
    pub when: String,
    /// The commit it was run on, with a `+` where the work tree had changes besides.
    pub commit: String,
    /// The command, as a shell takes it.
    pub command: String,
    /// What the toolchain calls itself; empty where it does not say.
    pub toolchain: String,
    /// How long the command took, in milliseconds.
    pub milliseconds: u64,
    /// The command's exit status, as a shell tells it.
    pub exit: i32,
    /// SHA-256 of the command's output, the first 16 hex digits.
    pub output: String,
    /// Where the build failed: whether in the pin itself.
    #[serde(default)]
    pub own_fault: bool,
    /// Whether it was put into another commit than the one that was checked out.
    #[serde(default)]
    pub elsewhere: bool,
    /// What the test or the compiler said.
    pub message: String,
    /// Where it failed, as `file:line`; empty where it did not.
    pub at: String,
    /// Whether that is in the code under test, below the test itself.
    #[serde(default)]
    pub below: bool,
}

/// What running one pin showed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shown {
    /// The last time it was run on the code that was checked out.
    pub last: Evidence,
    /// The last time it was red: this proves it, also when it is green by now.
    pub red: Option<Evidence>,
}

impl Shown {
    /// What `evidence`, oldest first, tells of each pin. A pin whose test has another name by now is another pin.
    pub fn of(evidence: Vec<Evidence>) -> Vec<Shown> {
        let mut places: HashMap<String, usize> = HashMap::new();
        let mut all: Vec<Shown> = Vec::new();
        let (elsewhere, here): (Vec<Evidence>, Vec<Evidence>) = evidence.into_iter().partition(|one| one.elsewhere);
        for one in here {
            let red = (one.state == PinState::Red).then(|| one.clone());
            match places.get(&one.failure).map(|at| &mut all[*at]) {
                Some(known) => {
                    let before = known.red.take().filter(|red| red.test == one.test);
                    *known = Shown { red: red.or(before), last: one };
                }
                None => {
                    places.insert(one.failure.clone(), all.len());
                    all.push(Shown { red, last: one });
                }
            }
        }
        for one in elsewhere.into_iter().filter(|one| one.state == PinState::Red) {
            if let Some(known) = places.get(&one.failure).map(|at| &mut all[*at])
                && known.last.test == one.test
            {
                known.red.get_or_insert(one);
            }
        }
        all
    }
}

/// Pins for tests.
#[cfg(test)]
pub(crate) mod testing {
    use super::{Evidence, PinState, StandingPin};
    use crate::failure::{FrameworkName, TestName};

    /// What is kept of a running of `test` of which nothing else is known.
    pub(crate) fn blank_evidence(test: &str, state: PinState) -> Evidence {
        Evidence {
            schema: 1,
            failure: String::new(),
            test: test.to_owned(),
            state,
            when: String::new(),
            commit: String::new(),
            command: String::new(),
            toolchain: String::new(),
            milliseconds: 0,
            exit: 0,
            output: String::new(),
            own_fault: false,
            elsewhere: false,
            message: String::new(),
            at: String::new(),
            below: false,
        }
    }

    /// A pin of `property` of which nothing else is known.
    pub(crate) fn blank_pin(framework: &str, property: &str) -> StandingPin {
        StandingPin {
            failure: String::new(),
            framework: FrameworkName(framework.to_owned()),
            package: None,
            property: TestName(property.to_owned()),
            test: None,
            file: None,
            replay: None,
            files: Vec::new(),
            message: String::new(),
            counterexample: String::new(),
            makes_value: false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::testing::blank_evidence;
    use super::{Evidence, PinState, Shown};

    fn evidence(test: &str, state: PinState, when: &str) -> Evidence {
        Evidence { failure: "0a".to_owned(), when: when.to_owned(), ..blank_evidence(test, state) }
    }

    #[test]
    fn a_pin_that_is_green_by_now_was_proven_when_it_was_red() {
        let red = evidence("pin", PinState::Red, "1");
        let green = evidence("pin", PinState::Green, "2");
        let shown = Shown::of(vec![red.clone(), green.clone()]);
        assert_eq!(shown, [Shown { last: green, red: Some(red) }]);
    }

    #[test]
    fn what_a_pin_does_at_another_commit_proves_it_and_says_nothing_of_this_one() {
        let at = |state, when| Evidence { elsewhere: true, ..evidence("pin", state, when) };
        let (red, good) = (at(PinState::Red, "1"), at(PinState::Green, "3"));
        let here = evidence("pin", PinState::DoesNotBuild, "2");
        let shown = Shown::of(vec![red.clone(), here.clone(), good.clone()]);
        assert_eq!(shown, [Shown { last: here, red: Some(red) }]);
        assert_eq!(Shown::of(vec![good]), []);
    }

    #[test]
    fn another_test_of_the_same_failure_is_not_proven_by_the_first() {
        let other = evidence("other", PinState::DoesNotBuild, "2");
        let shown = Shown::of(vec![evidence("pin", PinState::Red, "1"), other.clone()]);
        assert_eq!(shown, [Shown { last: other, red: None }]);
    }
}
