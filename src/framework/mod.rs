//! The frameworks redpin knows, each in a room of its own, and the one catalogue that names them. Nothing outside this
//! folder names a framework: everyone else goes through [`CATALOGUE`].
//!
//! What is asked of a framework is grouped by what it is for. Every one reads [`Reports`], finds [`Properties`], writes pins
//! ([`Pinning`]) and tells how they came out ([`Proving`]). What only some have is asked for by [`Framework`], and whoever
//! has none says nothing of it: [`ReplayFiles`], what comes of [`Handles`] in them, tests finished [`ByHand`], how its runs are [`Capturing`] and [`Sweeping`], what a [`Building`] goes by, a [`Recorder`] of
//! how values are made, the [`Values`] of standing pins, what its sources are [`Stating`], what a repository is [`Starting`] with, a [`Mutator`], what [`Auditing`] goes by.

use crate::failure::{Failure, FrameworkName, TestName};
use crate::source_tree::SourceTree;

mod auditing;
mod building;
mod by_hand;
mod capturing;
mod handles;
mod mutator;
mod pin_name;
mod pinning;
mod properties;
mod proving;
mod recorder;
mod replay_files;
mod reports;
mod rust;
mod seeding;
pub mod starting;
mod stating;
mod sweeping;
mod values;

pub mod fast_check;
pub mod hypothesis;
pub mod proptest;

pub use auditing::Auditing;
pub use building::Building;
pub use by_hand::ByHand;
pub use capturing::Capturing;
pub use handles::{Generated, Handles};
pub use mutator::{Mutation, Mutator};
pub use pinning::{Candidate, Case, Graft, Pinning};
pub use properties::Properties;
pub use proving::Proving;
pub use recorder::{Attempt, CopyPlaces, Library, LibraryCopy, Recorder, Recording};
pub use replay_files::{Forget, ReplayFiles, Replays, Unassigned};
pub use reports::{Reports, reading};
pub use seeding::{Seeding, seeded_test};
pub use starting::Starting;
pub use stating::Stating;
pub use sweeping::Sweeping;
pub use values::{ValueTest, Values};

/// All that redpin knows of one framework: how it reports, and what its users would write by hand.
pub trait Framework: Reports + Properties + Pinning + Proving + Sync {
    /// Its name, as users and `--json` see it.
    fn name(&self) -> &'static str;

    /// The files of its own in which it keeps inputs that failed, for the next run.
    fn replay_files(&self) -> Option<&dyn ReplayFiles> {
        None
    }

    /// How it is seen what is still made of the handles in them.
    fn handles(&self) -> Option<&dyn Handles> {
        None
    }

    /// Its pins as tests that somebody finishes by hand.
    fn by_hand(&self) -> Option<&dyn ByHand> {
        None
    }

    /// How the commands that run its tests are changed.
    fn capturing(&self) -> Option<&dyn Capturing> {
        None
    }

    /// How they are made a deep run.
    fn sweeping(&self) -> Option<&dyn Sweeping> {
        None
    }

    /// What a repository with its properties begins with.
    fn starting(&self) -> Option<&dyn Starting> {
        None
    }

    /// What is to know of how its tests are built.
    fn building(&self) -> Option<&dyn Building> {
        None
    }

    /// How it is seen what the generators of a property make.
    fn recorder(&self) -> Option<&dyn Recorder> {
        None
    }

    /// How it is seen what pins hold that stand.
    fn values(&self) -> Option<&dyn Values> {
        None
    }

    /// How what its source files state is read.
    fn stating(&self) -> Option<&dyn Stating> {
        None
    }

    /// What its properties stand among.
    fn auditing(&self) -> Option<&dyn Auditing> {
        None
    }

    /// How its properties are run with a seed that somebody chose.
    fn seeding(&self) -> Option<&dyn Seeding> {
        None
    }

    /// The program that lists small mutations of the code it tests.
    fn mutator(&self) -> Option<&dyn Mutator> {
        None
    }
}

/// Every framework redpin knows. A new one is a room and a line here.
pub const CATALOGUE: &[&dyn Framework] = &[&proptest::Proptest, &hypothesis::Hypothesis, &fast_check::FastCheck];

/// The framework of that name; `None` where this redpin does not know it.
pub fn named(name: &FrameworkName) -> Option<&'static dyn Framework> {
    CATALOGUE.iter().copied().find(|framework| framework.name() == name.0)
}

/// The framework whose property the pin that failed stands by; `None` where that cannot be told.
pub fn owner(failure: &Failure, tree: &dyn SourceTree) -> Option<&'static dyn Framework> {
    CATALOGUE.iter().copied().find(|framework| framework.has_pin(failure, tree))
}

/// The property that a pin is of, by the pin's own name; `None` where that does not tell it.
pub fn pinned_property(pin: &TestName) -> Option<TestName> {
    pin_name::property_of(pin)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::CATALOGUE;
    use crate::carrier::scan;
    use crate::failure::Ending;
    use crate::run_output::RunOutput;

    #[test]
    fn each_framework_is_silent_on_what_others_report() {
        let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data");
        for framework in CATALOGUE {
            let others = CATALOGUE.iter().filter(|other| other.name() != framework.name());
            for folder in others.map(|other| data.join(other.name())) {
                for file in std::fs::read_dir(&folder).unwrap() {
                    let path = file.unwrap().path();
                    let name = path.to_string_lossy();
                    let bytes = std::fs::read(&path).unwrap();
                    let run = RunOutput::new(&name, &bytes);
                    let reading = framework.read_found(&run, scan::find(&run, framework.sought()));
                    // Whose a pin is, only the repository tells.
                    let told = reading.failures.iter().filter(|failure| failure.ending != Ending::PinFailed);
                    assert_eq!((told.count(), &reading.notices), (0, &Vec::new()), "{}: {name}", framework.name());
                }
            }
        }
    }

    #[test]
    fn an_input_that_is_kept_as_a_line_is_taken_apart_again() {
        let check = |name: &str, text: &str, expected: &[(&str, &str)]| {
            let framework = CATALOGUE.iter().find(|framework| framework.name() == name).unwrap();
            let input = framework.counterexample(text);
            let told: Vec<(&str, &str)> =
                input.arguments.iter().map(|one| (one.name.as_str(), one.text.as_str())).collect();
            assert_eq!((input.text.as_str(), told.as_slice()), (text, expected), "{name}");
        };
        check("proptest", "total = 1, parts = [2, 3]", &[("total", "1"), ("parts", "[2, 3]")]);
        check("hypothesis", "total=1, name='a, b=2'", &[("total", "1"), ("name", "'a, b=2'")]);
        check("hypothesis", "state = M() state.step(x=1) state.teardown()", &[]);
        check("hypothesis", "broken=(1, [", &[]);
        check("hypothesis", "", &[]);
        check("fast-check", "[1,\"a, b\"]", &[("", "1"), ("", "\"a, b\"")]);
    }

    #[test]
    fn what_frameworks_look_for_does_not_overlap() {
        let needles = || CATALOGUE.iter().flat_map(|framework| framework.sought().needles);
        for (at, needle) in needles().enumerate() {
            for (_, other) in needles().enumerate().filter(|(place, _)| *place != at) {
                assert!(!other.contains(needle), "{needle:?} stands in {other:?}");
                let overlaps = |length: &usize| other.is_char_boundary(*length) && needle.ends_with(&other[..*length]);
                assert_eq!((1..other.len()).find(overlaps), None, "the end of {needle:?} begins {other:?}");
            }
        }
    }
}
