//! Tests of one file that have one whole title. Runs call them the same, and only the line at which a run says that one of
//! them failed tells them apart: each is named with its place among them, which stays as code moves.

use std::collections::HashMap;

use super::find::{Namesakes, namesakes};
use crate::failure::{Failure, ForeignPath, Notice, TestName};
use crate::locate;
use crate::source_tree::SourceTree;

/// What stands between a title and the place of its test among those that have it.
const PLACE: &str = " #";

/// The title of `name` and the place, from 0, of its test among those that have it, where it tells one.
pub(super) fn parted(name: &str) -> Option<(&str, usize)> {
    let (title, place) = name.rsplit_once(PLACE)?;
    let is_number = !place.starts_with('0') && place.bytes().all(|byte| byte.is_ascii_digit());
    let place: usize = place.parse().ok().filter(|_| is_number)?;
    Some((title, place.checked_sub(1)?))
}

/// The name of the test at `place` of those called `title`.
pub(super) fn name(title: &str, place: usize) -> TestName {
    TestName(format!("{title}{PLACE}{}", place + 1))
}

/// Names the tests of `failures` apart, and says of which that could not be done.
pub(super) fn tell_apart(failures: &mut [Failure], tree: &dyn SourceTree) -> Vec<Notice> {
    let (names, notices) = Telling::default().all(failures, tree);
    for (failure, name) in failures.iter_mut().zip(names) {
        if let Some(name) = name {
            failure.test = name;
        }
    }
    notices
}

/// What is known of the tests that share a title, while failures are gone through.
#[derive(Default)]
struct Telling<'a> {
    titles: HashMap<(&'a TestName, &'a ForeignPath), Title>,
    notices: Vec<Notice>,
}

/// A title in a file.
struct Title {
    /// The tests that have it; `None` where the file is not in the repository.
    tests: Option<Namesakes>,
    /// The line of the first of its failures.
    first: u32,
    /// Whether a notice tells of it.
    is_told: bool,
}

impl<'a> Telling<'a> {
    fn all(mut self, failures: &'a [Failure], tree: &dyn SourceTree) -> (Vec<Option<TestName>>, Vec<Notice>) {
        let names = failures.iter().map(|failure| self.name(failure, tree)).collect();
        (names, self.notices)
    }

    /// The name that tells the test of `failure` from its namesakes, where it has any.
    fn name(&mut self, failure: &'a Failure, tree: &dyn SourceTree) -> Option<TestName> {
        let at = failure.location.as_ref()?;
        let title = self.titles.entry((&failure.test, &at.file)).or_insert_with(|| Title {
            tests: namesakes(failure, tree),
            first: at.line,
            is_told: false,
        });
        let text = match &title.tests {
            Some(tests) if tests.lines.len() < 2 => return None,
            Some(tests) => {
                let line = Some(at.line).filter(|_| locate::means(&at.file, &tests.file));
                let held = |place: &usize| line.is_some_and(|line| tests.lines[*place].contains(&line));
                let mut places = (0..tests.lines.len()).filter(held);
                if let (Some(place), None) = (places.next(), places.next()) {
                    return Some(name(&failure.test.0, place));
                }
                format!(
                    "{} tests in {} are called {}, and the run does not say which of them failed: what fails in any of them is \
                     listed once; give each a title of its own",
                    tests.lines.len(),
                    tests.file,
                    failure.test
                )
            }
            None if title.first == at.line => return None,
            None => format!(
                "two tests in {} are called {} (lines {} and {}), and this repository does not have the file to tell them apart: \
                 what fails in both is listed once; give each a title of its own",
                at.file.0, failure.test, title.first, at.line
            ),
        };
        if !std::mem::replace(&mut title.is_told, true) {
            let Failure { origin, .. } = failure;
            self.notices.push(Notice { file: origin.run.clone(), line: Some(origin.line), text });
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::{parted, tell_apart};
    use crate::failure::{ForeignPath, Location, testing};
    use crate::framework::fast_check::find::find;
    use crate::source_tree::testing::Files;

    const TEST: &str = "it('same', () => { fc.assert(fc.property(fc.nat(), (n) => n < 1)); });\n";

    /// Two tests of one title in suites of one title, in lines 1 and 2, and another in line 3.
    fn tree() -> Files {
        let suite = format!("describe('twin', () => {{ {} }});\n", TEST.trim());
        let source = [suite.as_str(), &suite, &TEST.replace("same", "other")].concat();
        Files::new([("tests/twin.test.ts", source.as_str())])
    }

    /// What failures of tests of these names at these lines are called then, and what is said of them.
    fn told(tree: &Files, failures: &[(&str, u32)]) -> (Vec<String>, Vec<String>) {
        let failure = |(test, line): &(&str, u32)| {
            let file = ForeignPath("tests/twin.test.ts".to_owned());
            let mut failure = testing::failure(test);
            failure.location = Some(Location { file, line: *line, column: None });
            failure
        };
        let mut failures: Vec<_> = failures.iter().map(failure).collect();
        let notices = tell_apart(&mut failures, tree).into_iter().map(|notice| notice.text).collect();
        (failures.into_iter().map(|failure| failure.test.0).collect(), notices)
    }

    #[test]
    fn tests_of_one_title_are_told_apart_by_the_line_at_which_they_failed() {
        let check = |failures: &[(&str, u32)], expected: &[&str]| {
            let (names, notices) = told(&tree(), failures);
            assert_eq!((names.iter().map(String::as_str).collect::<Vec<_>>().as_slice(), notices.len()), (expected, 0));
        };
        let [first, second] = ["twin > same #1", "twin > same #2"];
        check(&[("twin > same", 2), ("twin > same", 1), ("twin > same", 2)], &[second, first, second]);
        check(&[("twin > same", 2)], &[second]);
        check(&[("other", 3), ("other", 9)], &["other", "other"]);
    }

    #[test]
    fn of_tests_that_the_run_does_not_tell_apart_one_notice_tells() {
        let (names, notices) = told(&tree(), &[("twin > same", 9), ("twin > same", 1), ("twin > same", 8)]);
        assert_eq!(names, ["twin > same", "twin > same #1", "twin > same"]);
        let text = "2 tests in tests/twin.test.ts are called twin > same, and the run does not say which of them failed: what fails \
                    in any of them is listed once; give each a title of its own";
        assert_eq!(notices, [text]);
        let (names, notices) = told(&Files::new([]), &[("twin > same", 1), ("twin > same", 1), ("twin > same", 2)]);
        assert_eq!(names, ["twin > same"; 3]);
        let text = "two tests in tests/twin.test.ts are called twin > same (lines 1 and 2), and this repository does not have the \
                    file to tell them apart: what fails in both is listed once; give each a title of its own";
        assert_eq!(notices, [text]);
    }

    #[test]
    fn a_test_is_found_by_its_place_and_not_by_a_title_of_several() {
        let line = |name: &str| {
            let mut failure = testing::failure(name);
            let file = ForeignPath("tests/twin.test.ts".to_owned());
            failure.location = Some(Location { file, line: 9, column: None });
            let found = find(&failure, &tree());
            found.map(|found| found.code.line(found.span().start)).map_err(|refusal| refusal.0)
        };
        assert_eq!((line("twin > same #1"), line("twin > same #2"), line("other")), (Ok(1), Ok(2), Ok(3)));
        assert!(line("twin > same #3").unwrap_err().contains("has no test that the run may call `twin > same #3`"));
        assert!(line("other #1").unwrap_err().contains("has no test"));
        let several = "has 2 tests that the run may call `twin > same`, and it does not say which of them failed";
        assert!(line("twin > same").unwrap_err().contains(several));
    }

    #[test]
    fn a_place_is_a_number_from_one_on() {
        assert_eq!(parted("a #2"), Some(("a", 1)));
        assert_eq!(parted("a #b #10"), Some(("a #b", 9)));
        for name in ["a", "a #", "a #0", "a #02", "a #x", "a#2", "a #-1", "a #99999999999999999999999"] {
            assert_eq!(parted(name), None, "{name}");
        }
    }
}
