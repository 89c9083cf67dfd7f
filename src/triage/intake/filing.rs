//! A list of failures in which each stands once, whoever told of it: the same failure of two runs, or a line of a replay
//! file and the report of the run that drew it or ran it again.

use std::collections::HashMap;
use std::sync::Arc;

use crate::cause;
use crate::failure::{Caveat, Failure, Replay, TestName};
use crate::framework;
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
    /// Where failures stand by what the reports of one run have in common.
    reports: HashMap<(String, String), usize>,
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

    /// Makes room for so many more: to move what is known again and again takes longer than to add to it.
    pub(super) fn reserve(&mut self, more: usize) {
        self.filed.reserve(more);
        self.places.reserve(more);
        self.tests.reserve(more);
        self.handles.reserve(more);
        self.reports.reserve(more);
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
        if filed.id.is_next() {
            return known;
        }
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
        let at = report_keys(filed).iter().find_map(|key| self.reports.get(key).copied())?;
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
        if is_unexplained(&merged) || !is_unexplained(&filed) {
            (merged.file, merged.line, merged.requirement) =
                (filed.file.clone(), filed.line, filed.requirement.clone());
        }
        // What says why is not given away for what does not.
        let says_less = |one: &Failure, other: &Failure| has_no_reason(one) && !has_no_reason(other);
        merged.absorb(filed, |shorter, longer| {
            says_less(shorter, longer) || !says_less(longer, shorter) && prefer::is_weaker(shorter, longer, self.tree)
        });
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
        self.reports.extend(report_keys(filed).into_iter().map(|key| (key, at)));
        if filed.only_replay || filed.failure.replay == Replay::Replayed {
            self.halves.extend(inputs(filed).map(|input| (input, at)));
        }
    }
}

/// Whether a run names the input of a failure and not why it failed.
fn is_unexplained(filed: &Filed) -> bool {
    has_no_reason(&filed.failure)
}

fn has_no_reason(failure: &Failure) -> bool {
    failure.caveats.contains(&Caveat::Unexplained)
}

/// Whether neither the run nor the repository says which package a failure is of.
fn is_told_less(filed: &Filed) -> bool {
    !may_be_told(filed) && filed.id == cause::id_in(&filed.failure, "")
}

fn may_be_told(filed: &Filed) -> bool {
    filed.file.is_some() || filed.failure.package.is_some()
}

/// What the reports of one run have in common that tell of this failure: test and replay handle, and what its framework
/// goes by.
fn report_keys(filed: &Filed) -> Vec<(String, String)> {
    if filed.only_replay {
        return Vec::new();
    }
    let failure = &filed.failure;
    let by_handle = filed.handles().map(|handle| (failure.test.0.clone(), handle.to_owned()));
    let own = framework::named(&failure.framework).and_then(|framework| framework.report_key(failure));
    by_handle.chain(own.map(|key| (String::new(), key))).collect()
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
    fn a_log_and_the_patch_that_was_written_of_its_run_are_one_failure() {
        let log = "===== FAILURES =====\n_____ test_x _____\ntests/test_a.py:6: in test_x\n    assert x < 3\nE   assert 3.5 < 3\n\
            E   Failing test case: test_x(\nE       x=Decimal('3.5'),\nE   )\n===== short test summary info =====\n\
            FAILED tests/test_a.py::test_x - assert 3.5 < 3\n";
        let patch = "From HEAD Mon Sep 17 00:00:00 2001\nFrom: Hypothesis 6.170.17 <no-reply@hypothesis.works>\n---\n--- ./tests/test_a.py\n\
            +++ ./tests/test_a.py\n@@ -4,3 +4,4 @@\n @given(st.x())\n+@example(x=decimal.Decimal(\"3.5\")).via(\"discovered failure\")\n\
             +@example(x=7).via(\"discovered failure\")\n def test_x(x):\n";
        let runs = [RunOutput::new("log", log.as_bytes()), RunOutput::new("a.patch", patch.as_bytes())];
        for order in [[0, 1], [1, 0]] {
            let filed = read(&order.map(|at| runs[at]));
            let mut told: Vec<(&str, &str)> = filed
                .iter()
                .map(|one| (one.failure.message.as_str(), one.failure.counterexample.text.as_str()))
                .collect();
            told.sort_unstable();
            assert_eq!(told, [("", "x=7"), ("assert 3.5 < 3", "x=Decimal('3.5')")], "{order:?}");
        }
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
