//! Which failures share a root, and what makes a failure the same in every run: names made of the property and of what
//! went wrong, never of the counterexample.

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::failure::{Caveat, Failure, Replay};
use crate::hex::hex;
use crate::locate;
use crate::proof::{Evidence, PinState};

/// A failure's name: a short digest of property and cause, the same in every run that shows it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct FailureId(pub String);

impl FailureId {
    /// The name of what fails again in the same way once this was mended: another bug, told apart by its number.
    #[must_use]
    pub fn next(&self) -> FailureId {
        let (own, number) = self.0.split_once(NEXT).unwrap_or((&self.0, "1"));
        FailureId(format!("{own}{NEXT}{}", number.parse::<u64>().unwrap_or(1).saturating_add(1)))
    }

    /// Whether it is the name of such a one.
    pub fn is_next(&self) -> bool {
        self.0.contains(NEXT)
    }
}

/// What stands between the name of a failure and the number of those after it.
const NEXT: char = '_';

/// A cause's name: the same for all failures that share the root.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct CauseId(pub String);

/// The name of a failure. `package` is the package that the repository gives the property; where that is not known, the
/// one the run told. Lines do not count, so that code may move.
pub fn failure_id(failure: &Failure, package: Option<&str>) -> FailureId {
    let told = failure.package.as_ref().map(|package| package.0.as_str());
    id_in(failure, package.or(told).unwrap_or_default())
}

/// The name that a failure has in the package of that name; without one, where neither run nor repository tell it.
pub fn id_in(failure: &Failure, package: &str) -> FailureId {
    let package = package.replace('-', "_");
    let site = failure.site.as_ref().filter(|_| failure.panicked);
    let site = site.map_or("", |site| site.file.0.as_str());
    let file = failure.location.as_ref().map_or("", |location| location.file.0.as_str());
    let ending = format!("{:?}", failure.ending);
    FailureId(digest(&[&failure.framework.0, &package, file, &failure.test.0, &ending, site, &shape(failure)]))
}

/// The name of a failure's cause: the place of a panic in the code under test together with the shape of its message,
/// which several properties may share; a failed assertion is its property's own. Who panics in a dependency or the
/// toolchain says little of whose fault it is.
pub fn cause_id(failure: &Failure) -> CauseId {
    let shared = failure.site.as_ref().filter(|site| failure.panicked && !locate::in_dependency(&site.file));
    let shape = shape(failure);
    let file = failure.location.as_ref().map_or("", |location| location.file.0.as_str());
    CauseId(match shared {
        Some(site) => {
            let place = format!("{}:{}:{}", site.file.0, site.line, site.column.unwrap_or_default());
            digest(&["site", &place, &shape])
        }
        None => digest(&["own", &failure.framework.0, file, &failure.test.0, &shape]),
    })
}

/// Whether two reports of one log tell of one failure: they are of one cause, and lines do not move within a run, so that
/// assertions with messages of their own are told apart by them.
pub fn is_one(one: &Failure, other: &Failure) -> bool {
    let is_apart = !one.panicked && says_more(one) && one.site != other.site;
    !is_apart && cause_id(one) == cause_id(other)
}

/// Whether `other`, which another run showed, is `one` again, whatever its input. Where that run found the property makes no
/// difference.
pub fn is_again(one: &Failure, other: &Failure) -> bool {
    let there = Failure { location: one.location.clone(), ..other.clone() };
    id_in(one, "") == id_in(&there, "")
}

/// Whether a failed assertion tells more than which condition did not hold.
fn says_more(failure: &Failure) -> bool {
    !failure.message.starts_with(ASSERTION) || failure.message.starts_with(COMPARISON)
}

/// What of a message is the same whatever the input: of an assertion its condition and what it says besides, of a panic its
/// first words. Two inputs whose failing is not explained may fail for two reasons, so each is told by its replay handle.
fn shape(failure: &Failure) -> String {
    if let (true, Replay::NewSeed { handle, .. }) = (failure.caveats.contains(&Caveat::Unexplained), &failure.replay) {
        return format!("unexplained {handle}");
    }
    let line = failure.message.lines().next().unwrap_or_default();
    if let Some(class) = &failure.error {
        let said = line.strip_prefix(class.as_str()).map_or(line, |rest| rest.trim_start_matches([':', ' ']));
        let own = failure.own_message.as_ref().filter(|_| !failure.panicked);
        let said = own.cloned().unwrap_or_else(|| words(said, &failure.counterexample.text, &['`', '"', '\'']));
        return format!("{class} {said}");
    }
    let before_place = |text| str::rsplit_once(text, " at ").map_or(text, |(text, _)| text).trim();
    let words = |line| words(line, &failure.counterexample.text, &['`', '"']);
    match (line.strip_prefix(ASSERTION), &failure.own_message) {
        (Some(condition), own) => before_place(condition).to_owned() + own.as_deref().unwrap_or_default(),
        (None, _) if failure.panicked => words(line),
        (None, Some(own)) => own.clone(),
        // Whether one of the words is a value only the source could tell.
        (None, None) => words(before_place(line)),
    }
}

/// How a condition is told that did not hold.
const ASSERTION: &str = "assertion failed: ";

/// How it is told that two values were not what they should be to each other.
const COMPARISON: &str = "assertion failed: `(left ";

/// The words that open a panic's message: what stands between two of `quotes`, what the input quotes, numbers and single
/// letters left out.
fn words(line: &str, input: &str, quotes: &[char]) -> String {
    let line = head(line, MOST_WORDS);
    let start = [": ", "; "].iter().filter_map(|end| line.find(end)).min().map_or(line, |end| &line[..end]);
    let input = head(input, MOST_INPUT);
    let outside = start.split(quotes).step_by(2).collect::<Vec<_>>().join(" ");
    let is_plain = |word: &&str| word.len() > 1 && word.bytes().all(|byte| byte.is_ascii_lowercase());
    let words = outside.split(|c: char| !c.is_alphanumeric()).filter(is_plain);
    words.filter(|word| !input.contains(&format!("\"{word}\""))).collect::<Vec<_>>().join(" ")
}

/// The first `most` bytes of a text, or a little fewer.
fn head(text: &str, most: usize) -> &str {
    let end = (0..=most.min(text.len())).rev().find(|&at| text.is_char_boundary(at)).unwrap_or_default();
    &text[..end]
}

/// Bytes of a message that tell its shape.
const MOST_WORDS: usize = 200;

/// Bytes of an input in which a message's words are looked for.
const MOST_INPUT: usize = 64 << 10;

/// Why the pins of two failures have one cause.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Tie {
    /// Both fail in this line of the code under test.
    Line(String),
    /// Both were red in one running and green in the next, which was then.
    Fix(String),
}

/// The failures whose pins have one cause with that of `failure`, by their ids, as `evidence`, oldest first, shows it.
pub fn ties(failure: &str, evidence: &[Evidence]) -> Vec<(Tie, Vec<String>)> {
    let own = ways(failure, evidence);
    let mut others: Vec<&str> = evidence.iter().map(|one| one.failure.as_str()).filter(|id| *id != failure).collect();
    others.sort_unstable();
    others.dedup();
    let others: Vec<(&str, Ways<'_>)> = others.into_iter().map(|id| (id, ways(id, evidence))).collect();
    let with = |is_tied: &dyn Fn(&Ways<'_>) -> bool| -> Vec<String> {
        others.iter().filter(|(_, ways)| is_tied(ways)).map(|(id, _)| (*id).to_owned()).collect()
    };
    let mut ties = Vec::new();
    if let Some((at, commit)) = own.line {
        ties.push((Tie::Line(at.to_owned()), with(&|other| other.line == Some((at, commit)))));
    }
    if let Some(turned) = own.turned {
        ties.push((Tie::Fix(turned.1.to_owned()), with(&|other| other.turned == Some(turned))));
    }
    ties.retain(|(_, with)| !with.is_empty());
    ties
}

/// What the runnings of one pin show of its cause.
#[derive(Default)]
struct Ways<'a> {
    /// Where it failed last below its test, and on which commit: lines move with the code.
    line: Option<(&'a str, &'a str)>,
    /// When it was red last before it turned green, and when it was green then.
    turned: Option<(&'a str, &'a str)>,
}

fn ways<'a>(failure: &str, evidence: &'a [Evidence]) -> Ways<'a> {
    let mut ways = Ways::default();
    let mut red = None;
    for one in evidence.iter().filter(|one| one.failure == failure && !one.elsewhere) {
        match one.state {
            PinState::Red | PinState::RedForAnotherReason => {
                ways.line = one.below.then_some((one.at.as_str(), one.commit.as_str()));
                red = Some(one.when.as_str());
            }
            PinState::Green => {
                if let Some(red) = red.take() {
                    ways.turned = Some((red, one.when.as_str()));
                }
            }
            _ => {}
        }
    }
    ways
}

/// Twelve hex digits of the parts' hash.
fn digest(parts: &[&str]) -> String {
    let mut hash = Sha256::new();
    for part in parts {
        hash.update((part.len() as u64).to_le_bytes());
        hash.update(part.as_bytes());
    }
    hex(&hash.finalize()[..6])
}

#[cfg(test)]
mod tests {
    use super::{CauseId, FailureId, Tie, cause_id, failure_id, id_in, is_again, is_one, ties};
    use crate::failure::{
        Caveat, Counterexample, Failure, ForeignPath, Location, PackageName, Replay, TestName, testing,
    };
    use crate::proof::{Evidence, PinState};

    /// A failure of `test` at `site`; a site with a column is a panic.
    fn failure(test: &str, (line, column): (u32, Option<u32>), message: &str, input: &str) -> Failure {
        let file = || ForeignPath("src/a.rs".to_owned());
        Failure {
            package: Some(PackageName("pt-core".to_owned())),
            location: Some(Location { file: file(), line: 5, column: Some(1) }),
            site: Some(Location { file: file(), line, column }),
            panicked: column.is_some(),
            message: message.to_owned(),
            counterexample: Counterexample { text: input.to_owned(), arguments: Vec::new() },
            ..testing::failure(test)
        }
    }

    fn check_cause(a: &Failure, b: &Failure, shared: bool) {
        assert_eq!(cause_id(a) == cause_id(b), shared, "{a:?}\n{b:?}");
    }

    fn check_name(a: &Failure, b: &Failure, same: bool) {
        assert_eq!(failure_id(a, None) == failure_id(b, None), same, "{a:?}\n{b:?}");
    }

    #[test]
    fn what_fails_again_after_a_mend_is_numbered() {
        let first = FailureId("2ec1f041c12d".to_owned());
        assert_eq!(first.next().0, "2ec1f041c12d_2");
        assert_eq!(first.next().next().0, "2ec1f041c12d_3");
        assert!(!first.is_next() && first.next().is_next());
    }

    #[test]
    fn a_failure_comes_again_with_another_input_and_from_another_place() {
        let one = failure("p", (7, None), "assertion failed: x < 3 at src/a.rs:7", "x = 3");
        let place = Some(Location { file: ForeignPath("b/src/a.rs".to_owned()), line: 9, column: None });
        let said = "assertion failed: x < 3 at src/a.rs:9";
        let again = Failure { location: place, ..failure("p", (9, None), said, "x = 4") };
        assert!(is_again(&one, &again));
        assert!(!is_again(&one, &failure("p", (7, None), "assertion failed: x < 4 at src/a.rs:7", "x = 4")));
        assert!(!is_again(&one, &failure("q", (7, None), said, "x = 4")));
        assert!(!is_again(&one, &Failure { panicked: true, ..again }));
    }

    #[test]
    fn a_panic_in_the_code_under_test_is_one_cause_for_all_its_properties() {
        let a = failure("a", (9, Some(4)), "index out of bounds: the len is 0 but the index is 0", "v = []");
        let b = failure("b", (9, Some(4)), "index out of bounds: the len is 3 but the index is 7", "v = [1, 2, 3]");
        check_cause(&a, &b, true);
        check_cause(&a, &failure("b", (10, Some(4)), &a.message, "v = []"), false);
        check_cause(&a, &failure("b", (9, Some(4)), "attempt to add with overflow", "v = []"), false);
    }

    #[test]
    fn errors_of_two_classes_have_two_causes_whatever_they_quote() {
        let raised = |class: &str, said: &str| Failure {
            error: Some(class.to_owned()),
            ..failure("a", (9, Some(4)), &format!("{class}: {said}"), "s='ruh'")
        };
        let a = raised("KeyError", "'ruh'");
        check_cause(&a, &raised("KeyError", "'no'"), true);
        check_cause(&a, &raised("ValueError", "'ruh'"), false);
        check_cause(&raised("ValueError", "too long: 7"), &raised("ValueError", "too short: 7"), false);
        let own = |own: &str| Failure { panicked: false, own_message: Some(own.to_owned()), ..a.clone() };
        check_cause(&own("raise KeyError(s)"), &own("return names[s]"), false);
    }

    #[test]
    fn what_the_input_holds_is_no_part_of_a_cause() {
        let a = failure("a", (9, Some(4)), "ruh is too long", "s = \"ruh\"");
        check_cause(&a, &failure("a", (9, Some(4)), "soqjrc is too long", "s = \"soqjrc\""), true);
        let a = failure("a", (9, Some(4)), "index 0 is not in `\\0aa` (bytes 0..0)", "total = \"\\0aa\"");
        check_cause(&a, &failure("b", (9, Some(4)), "index 3 is not in `no` (bytes 0..0)", "x = \"no\""), true);
    }

    #[test]
    fn a_failed_assertion_is_its_propertys_own_cause() {
        let a = failure("a", (9, None), "assertion failed: x < 20 at src/a.rs:9", "x = 20");
        check_cause(&a, &failure("b", (9, None), &a.message, "x = 20"), false);
        check_cause(&a, &failure("a", (12, None), "assertion failed: x < 20 at src/a.rs:12", "x = 77"), true);
    }

    /// Name and cause of a failed assertion that says `message`, of which the source says `own` itself.
    fn names(line: u32, message: &str, own: Option<&str>) -> (FailureId, CauseId) {
        let told = failure("a", (line, None), &format!("{message} at src/a.rs:{line}"), "status = Open");
        let failure = Failure { own_message: own.map(str::to_owned), ..told };
        (failure_id(&failure, None), cause_id(&failure))
    }

    #[test]
    fn assertions_with_messages_of_their_own_are_causes_of_their_own() {
        let open = names(9, "it is open", Some("itis"));
        assert_eq!(open, names(12, "it is shut", Some("itis")));
        let other = names(9, "it is open", Some("itisopen"));
        assert!(open.0 != other.0 && open.1 != other.1);
        let compared = "assertion failed: `(left == right)` \n  left: `1`,\n right: `2`";
        let named = names(9, compared, Some("ofx"));
        assert!(names(9, compared, Some("")) != named && names(9, compared, Some("ofy")) != named);
        assert_eq!(names(9, "5 is too large", None), names(11, "7 is too large", None));
        assert_ne!(names(9, "5 is too large", None), names(9, "5 is odd", None));
    }

    #[test]
    fn within_a_run_the_line_tells_assertions_apart_that_say_more_than_their_condition() {
        let check = |a: (u32, &str), b: (u32, &str), expected| {
            let [a, b] = [a, b].map(|(line, message)| failure("a", (line, None), message, "x = 1"));
            assert_eq!(is_one(&a, &b), expected, "{a:?} {b:?}");
        };
        check((9, "5 is odd"), (9, "7 is odd"), true);
        check((9, "5 is odd"), (10, "7 is odd"), false);
        check((9, "assertion failed: x"), (10, "assertion failed: x"), true);
        let compared = "assertion failed: `(left == right)` \n  left: `1`,\n right: `2`";
        check((9, compared), (10, compared), false);
    }

    #[test]
    fn a_panic_inside_a_dependency_is_no_shared_cause() {
        for folder in [
            "/home/ci/.cargo/registry/src/x",
            "/usr/local/cargo/registry/src/example-1949cf8c6b5b557f",
            "C:\\Users\\ci\\.cargo\\registry\\src\\x",
        ] {
            let mut a = failure("a", (9, Some(4)), "no", "");
            a.site.as_mut().unwrap().file.0 = format!("{folder}/y-1.0.0/src/lib.rs");
            check_cause(&a, &Failure { test: TestName("b".to_owned()), ..a.clone() }, false);
        }
    }

    #[test]
    fn a_failure_keeps_its_name_when_code_moves_and_values_change() {
        let a = failure("a", (9, Some(4)), "attempt to add with overflow", "x = 1");
        check_name(&a, &failure("a", (99, Some(1)), "attempt to add with overflow", "x = 2"), true);
        check_name(&a, &failure("b", (9, Some(4)), "attempt to add with overflow", "x = 1"), false);
        check_name(&a, &failure("a", (9, None), "assertion failed: x", "x = 1"), false);
        check_name(&a, &Failure { package: Some(PackageName("pt_core".to_owned())), ..a.clone() }, true);
        assert_ne!(failure_id(&a, Some("other")), failure_id(&a, None));
        let untold = Failure { package: None, ..a.clone() };
        assert_eq!(failure_id(&untold, None), id_in(&a, ""));
        assert_eq!(failure_id(&a, None), id_in(&untold, "pt-core"));
        assert_eq!(failure_id(&a, None).0.len(), 12);
    }

    fn ran(failure: &str, state: PinState, when: &str, at: &str) -> Evidence {
        serde_json::from_value(serde_json::json!({
            "schema": 1, "failure": failure, "test": failure, "state": state, "when": when, "commit": "c0ffee",
            "command": "", "toolchain": "", "milliseconds": 1, "exit": 0, "output": "", "message": "", "at": at,
            "below": !at.is_empty(),
        }))
        .unwrap()
    }

    #[test]
    fn pins_that_fail_in_one_line_or_turn_green_together_have_one_cause() {
        use PinState::{Green, Red};
        let evidence = [
            ran("a", Red, "1", "src/a.rs:9"),
            ran("b", Red, "1", "src/a.rs:9"),
            ran("c", Red, "1", ""),
            ran("d", Red, "1", ""),
            ran("a", Green, "2", ""),
            ran("c", Green, "2", ""),
            ran("d", Red, "2", ""),
            ran("d", Green, "3", ""),
            ran("a", Green, "3", ""),
        ];
        let tied = |tie: Tie, with: &str| (tie, vec![with.to_owned()]);
        let (line, fix) = (Tie::Line("src/a.rs:9".to_owned()), Tie::Fix("2".to_owned()));
        assert_eq!(ties("a", &evidence), [tied(line.clone(), "b"), tied(fix.clone(), "c")]);
        assert_eq!(ties("b", &evidence), [tied(line, "a")]);
        assert_eq!(ties("c", &evidence), [tied(fix, "a")]);
        assert_eq!(ties("d", &evidence), []);
    }

    #[test]
    fn unexplained_failures_are_told_by_their_handle() {
        let unexplained = |handle: &str| Failure {
            caveats: vec![Caveat::Unexplained],
            replay: Replay::NewSeed { handle: handle.to_owned(), file: None },
            ..failure("a", (9, None), "", "x = 1")
        };
        check_name(&unexplained("1"), &unexplained("1"), true);
        check_name(&unexplained("1"), &unexplained("2"), false);
        check_name(&unexplained("1"), &failure("a", (9, None), "", "x = 1"), false);
    }
}
