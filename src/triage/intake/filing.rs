//! A list of failures in which each stands once, whoever told of it: the same failure of two runs, or a line of a replay
//! file and the report of the run that drew it or ran it again.

use std::collections::HashMap;
use std::sync::Arc;

use crate::cause;
use crate::failure::{Caveat, Replay, TestName};
use crate::inbox::{FailureId, Filed, State};
use crate::source_tree::SourceTree;
use crate::value::one_line;

use super::prefer;

/// How a failure came into the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Added {
    /// It is new.
    New,
    /// It was there, and has changed by this.
    Changed,
    /// It was there, and nothing was added to it.
    Known,
}

/// The list.
pub(super) struct Filing<'a> {
    /// Where the properties are, by which inputs of one failure are weighed against each other.
    tree: &'a dyn SourceTree,
    pub(super) filed: Vec<Arc<Filed>>,
    places: HashMap<FailureId, usize>,
    /// Whether the same failure may stand here under the name that it has where less is told of it.
    is_mixed: bool,
    /// Where the failures of a test stand whose package may be told.
    tests: HashMap<TestName, Vec<usize>>,
    handles: HashMap<String, usize>,
    /// Where the failures of a test stand by the replay handles that a run named for them.
    reports: HashMap<(TestName, String), usize>,
    /// Where the failures stand of which either the reason or the replay handle is missing.
    halves: HashMap<(String, String), usize>,
}

impl<'a> Filing<'a> {
    /// A list that holds nothing yet.
    pub(super) fn new(tree: &'a dyn SourceTree) -> Self {
        Filing {
            tree,
            filed: Vec::new(),
            places: HashMap::new(),
            is_mixed: false,
            tests: HashMap::new(),
            handles: HashMap::new(),
            reports: HashMap::new(),
            halves: HashMap::new(),
        }
    }

    /// A list that holds `filed` already.
    pub(super) fn of(filed: &[Arc<Filed>], tree: &'a dyn SourceTree) -> Self {
        let mut filing = Filing { filed: filed.to_vec(), is_mixed: !filed.is_empty(), ..Filing::new(tree) };
        for (at, one) in filed.iter().enumerate() {
            filing.remember(one, at);
        }
        filing
    }

    /// Takes in what a run tells of a failure, and says where it stands now.
    pub(super) fn add(&mut self, filed: Filed) -> (usize, Added) {
        match self.place(&filed) {
            Some(at) if filed.only_replay && self.filed[at].id != filed.id => (at, self.name_handle(at, &filed)),
            Some(at) => (at, self.absorb(at, filed)),
            None => {
                let at = self.filed.len();
                self.remember(&filed, at);
                self.is_mixed |= !may_be_told(&filed);
                self.filed.push(Arc::new(filed));
                (at, Added::New)
            }
        }
    }

    /// Where the failure stands already: under its name, under that of its replay line, or as the other half of a line and
    /// a run that ran it again without naming it. A line on which somebody has decided stays what it is.
    fn place(&self, filed: &Filed) -> Option<usize> {
        let named = self.under_a_name(filed).or_else(|| self.by_handle(filed));
        named.or_else(|| self.other_half(filed)).or_else(|| self.other_report(filed))
    }

    /// Where it stands under its name, or under that which a run gives it that tells more of its package, or less.
    pub(super) fn under_a_name(&self, filed: &Filed) -> Option<usize> {
        let known = self.places.get(&filed.id).copied();
        known.or_else(|| self.told_less(filed)).or_else(|| self.told_more(filed))
    }

    fn told_less(&self, filed: &Filed) -> Option<usize> {
        let told = filed.failure.package.as_ref().filter(|_| self.is_mixed).map(|package| package.0.as_str());
        let names = told.into_iter().chain(self.is_mixed.then_some(""));
        names.map(|package| cause::id_in(&filed.failure, package)).find_map(|id| self.places.get(&id).copied())
    }

    /// Where two packages have the like of it, nobody can tell whose it is.
    fn told_more(&self, filed: &Filed) -> Option<usize> {
        let of_test = self.tests.get(&filed.failure.test).filter(|_| is_told_less(filed))?;
        let mut alike = of_test.iter().filter(|at| cause::id_in(&self.filed[**at].failure, "") == filed.id);
        alike.next().filter(|_| alike.next().is_none()).copied()
    }

    fn by_handle(&self, filed: &Filed) -> Option<usize> {
        let at = filed.handles().find_map(|handle| self.handles.get(handle).copied())?;
        (filed.only_replay || self.is_open_line(at)).then_some(at)
    }

    fn other_half(&self, filed: &Filed) -> Option<usize> {
        if self.halves.is_empty() {
            return None;
        }
        let at = inputs(filed).find_map(|input| self.halves.get(&input).copied())?;
        let named = filed.only_replay && self.filed[at].failure.replay == Replay::Replayed;
        let names = filed.failure.replay == Replay::Replayed && self.is_open_line(at);
        (named || names).then_some(at)
    }

    /// Where another report of the same run stands, of which only one says why the property failed: reporters for programs
    /// leave that out.
    fn other_report(&self, filed: &Filed) -> Option<usize> {
        let of_test = |handle: &str| self.reports.get(&(filed.failure.test.clone(), handle.to_owned())).copied();
        let at = filed.handles().find_map(of_test).filter(|_| !filed.only_replay)?;
        (is_unexplained(filed) != is_unexplained(&self.filed[at])).then_some(at)
    }

    fn is_open_line(&self, at: usize) -> bool {
        self.filed[at].only_replay && self.filed[at].state == State::Open
    }

    /// Takes over from `line` which replay handle it was, where the run did not say it.
    fn name_handle(&mut self, at: usize, line: &Filed) -> Added {
        if self.filed[at].failure.replay != Replay::Replayed {
            return Added::Known;
        }
        self.handles.extend(line.handles().map(|handle| (handle.to_owned(), at)));
        Arc::make_mut(&mut self.filed[at]).failure.replay = line.failure.replay.clone();
        Added::Changed
    }

    fn absorb(&mut self, at: usize, filed: Filed) -> Added {
        self.remember(&filed, at);
        let mut merged = self.filed[at].as_ref().clone();
        if merged.id != filed.id && !merged.only_replay {
            if merged.state == State::Open && is_unexplained(&merged) && !is_unexplained(&filed) {
                merged = Filed { occurrences: merged.occurrences, ..filed.clone() };
            } else if merged.state == State::Open && is_told_less(&merged) && !is_unexplained(&filed) {
                merged.id = filed.id.clone();
            }
        } else if merged.id != filed.id {
            // The run itself tells more than the line it left behind.
            let handle = merged.failure.into_value().replay;
            merged = Filed { occurrences: merged.occurrences, ..filed.clone() };
            if merged.failure.replay == Replay::Replayed {
                merged.failure.replay = handle;
            }
        }
        (merged.file, merged.line, merged.requirement) = (filed.file.clone(), filed.line, filed.requirement.clone());
        merged.absorb(filed, |shorter, longer| prefer::is_weaker(shorter, longer, self.tree));
        if merged == *self.filed[at] {
            return Added::Known;
        }
        self.filed[at] = Arc::new(merged);
        Added::Changed
    }

    fn remember(&mut self, filed: &Filed, at: usize) {
        let is_known = self.places.insert(filed.id.clone(), at).is_some();
        if !is_known && may_be_told(filed) {
            let of_test = self.tests.entry(filed.failure.test.clone()).or_default();
            if !of_test.contains(&at) {
                of_test.push(at);
            }
        }
        self.handles.extend(filed.handles().map(|handle| (handle.to_owned(), at)));
        if !filed.only_replay {
            let test = &filed.failure.test;
            self.reports.extend(filed.handles().map(|handle| ((test.clone(), handle.to_owned()), at)));
        }
        if filed.only_replay || filed.failure.replay == Replay::Replayed {
            self.halves.extend(inputs(filed).map(|input| (input, at)));
        }
    }
}

/// Whether a run names the input of a failure and not why it failed.
fn is_unexplained(filed: &Filed) -> bool {
    filed.failure.caveats.contains(&Caveat::Unexplained)
}

/// Whether neither the run nor the repository says which package a failure is of.
fn is_told_less(filed: &Filed) -> bool {
    !may_be_told(filed) && filed.id == cause::id_in(&filed.failure, "")
}

fn may_be_told(filed: &Filed) -> bool {
    filed.file.is_some() || filed.failure.package.is_some()
}

/// What a failure and the line of its replay file have in common: the property, as far as it is told, and the value.
fn inputs(filed: &Filed) -> impl Iterator<Item = (String, String)> {
    let arguments = filed.failure.counterexample.arguments.iter();
    let value: Vec<String> = arguments.map(|one| format!("{} = {}", one.name, one_line(&one.text))).collect();
    let value = value.join(", ");
    let tests = [&filed.failure.test.0].into_iter().chain(&filed.candidates).filter(|_| !value.is_empty());
    tests.map(|test| (test.clone(), value.clone())).collect::<Vec<_>>().into_iter()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::{Added, Filing};
    use crate::cause;
    use crate::failure::{self, Caveat, Failure, PackageName, Replay};
    use crate::inbox::{self, Filed, State};
    use crate::run_output::RunOutput;
    use crate::source_tree::NoFiles;
    use crate::source_tree::testing::Files;
    use crate::triage::intake::reading::Reader;

    const KEPT: RunOutput<'_> = RunOutput::new(
        "proptest-regressions/rate.txt",
        b"xs 1 2 3 4 # shrinks to v = [7]\nxs 5 6 7 8 # shrinks to v = [9]\n",
    );

    const REPLAYED: RunOutput<'_> = RunOutput::new(
        "log",
        b"running 1 test\ntest rate::one ... FAILED\n\nfailures:\n\n---- rate::one stdout ----\n\n\
            thread 'rate::one' (1) panicked at src/rate.rs:1:1:\nTest failed: too much.\n\
            minimal failing input: v = [\n    7,\n]\n\tsuccesses: 0\n\tlocal rejects: 0\n\tglobal rejects: 0\n\n",
    );

    fn read(runs: &[RunOutput<'_>]) -> Vec<Arc<Filed>> {
        let tree = Files::new([
            ("Cargo.toml", "[package]\nname = \"rates\"\n"),
            ("src/lib.rs", ""),
            ("src/rate.rs", "proptest! { #[test] fn one(v in s()) {} #[test] fn two(v in s()) {} }"),
        ]);
        let mut reader = Reader::new(&tree, String::new());
        for run in runs {
            reader.read(run);
        }
        reader.finish().filed
    }

    /// Each failure as its message and replay handle.
    #[track_caller]
    fn check(runs: [RunOutput<'_>; 2], expected: &[(&str, &str)]) {
        let filed = read(&runs);
        let told = filed.iter().map(|one| match &one.failure.replay {
            Replay::NewSeed { handle, .. } => (one.failure.message.as_str(), handle.as_str()),
            _ => (one.failure.message.as_str(), "not named"),
        });
        assert_eq!(told.collect::<Vec<_>>(), expected);
    }

    #[test]
    fn a_line_with_the_very_input_names_the_handle_that_was_run_again() {
        let unexplained = "an earlier run kept this input; why it failed is not on record";
        check([REPLAYED, KEPT], &[("too much", "xs 1 2 3 4"), (unexplained, "xs 5 6 7 8")]);
        check([KEPT, REPLAYED], &[("too much", "xs 1 2 3 4"), (unexplained, "xs 5 6 7 8")]);
    }

    /// A failure whose property is in no file, told by a run of a package, of another, or of one that is not said.
    fn told(package: &str) -> Filed {
        let failure = Failure {
            package: (!package.is_empty()).then(|| PackageName(package.to_owned())),
            ..failure::testing::failure("gone::f")
        };
        let id = cause::failure_id(&failure, None);
        Filed { id, ..inbox::testing::filed("f", failure) }
    }

    /// The packages that runs tell, and those of the failures that come of it, by the names that runs alone give them.
    #[track_caller]
    fn check_told(runs: &[&str], expected: &[&str]) {
        let mut filing = Filing::new(&NoFiles);
        for package in runs {
            filing.add(told(package));
        }
        let names: Vec<_> = filing.filed.iter().map(|one| one.id.clone()).collect();
        assert_eq!(names, expected.iter().map(|package| told(package).id).collect::<Vec<_>>(), "{runs:?}");
    }

    #[test]
    fn a_failure_is_one_whether_a_run_tells_its_package_or_not() {
        check_told(&["", "a"], &["a"]);
        check_told(&["a", ""], &["a"]);
        check_told(&["a", "b"], &["a", "b"]);
        check_told(&["a", "b", ""], &["a", "b", ""]);
        check_told(&["", ""], &[""]);
    }

    /// A failure of the test `f` with the handle `handle`, as a reporter tells it that names a reason or one that does not.
    fn reported(handle: &str, message: &str) -> Filed {
        let caveats = if message.is_empty() { vec![Caveat::Unexplained] } else { Vec::new() };
        let failure = Failure {
            replay: Replay::NewSeed { handle: handle.to_owned(), file: None },
            message: message.to_owned(),
            caveats,
            ..failure::testing::failure("f")
        };
        let id = cause::failure_id(&failure, None);
        Filed { id, ..inbox::testing::filed("f", failure) }
    }

    #[test]
    fn two_reports_of_one_run_are_one_failure_whichever_says_why() {
        let check = |reports: &[(&str, &str)], expected: &[&str]| {
            let mut filing = Filing::new(&NoFiles);
            for (handle, message) in reports {
                filing.add(reported(handle, message));
            }
            let messages: Vec<&str> = filing.filed.iter().map(|one| one.failure.message.as_str()).collect();
            assert_eq!(messages, expected, "{reports:?}");
            let told = reported("1", "too much").id;
            assert!(expected.first() != Some(&"too much") || filing.filed[0].id == told);
        };
        check(&[("1", "too much"), ("1", "")], &["too much"]);
        check(&[("1", ""), ("1", "too much")], &["too much"]);
        check(&[("1", ""), ("2", "too much")], &["", "too much"]);
        check(&[("1", "too much"), ("1", "too late")], &["too much", "too late"]);
    }

    #[test]
    fn a_failure_on_which_somebody_decided_keeps_its_name() {
        let mut decided = told("");
        decided.state = State::Decided;
        let mut filing = Filing::of(&[Arc::new(decided.clone())], &NoFiles);
        filing.add(told("a"));
        assert_eq!(filing.filed.iter().map(|one| &one.id).collect::<Vec<_>>(), [&decided.id]);
    }

    #[test]
    fn a_handle_that_a_line_has_named_is_known_the_next_day() {
        let filed = read(&[REPLAYED, KEPT]);
        let mut filing = Filing::of(&filed, &NoFiles);
        for one in read(&[KEPT]) {
            assert_eq!(filing.add(one.as_ref().clone()).1, Added::Known);
        }
        assert_eq!(filing.filed.len(), filed.len());
    }
}
