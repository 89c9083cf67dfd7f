//! Recorded runs of small projects, each with a bug: what is staged for them, to the byte, without any of their packages.
//! A case is a folder with `repo`, the project; `run.txt`, what its red run printed; `outcomes.txt`, a line a failure; and
//! `expected.patch`, all that is staged in sources.

use std::fs;
use std::path::{Path, PathBuf};

use redpin::triage::{PinWish, RunArgument, StagedFailure, Triage};

use super::repository::Sample;

/// When all of them are pinned: at noon, so that it is the same day everywhere.
const NOON: i64 = 1_796_040_000;

fn check(name: &str) {
    let case = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data/recorded").join(name);
    let mut files = Vec::new();
    collect(&case.join("repo"), "", &mut files);
    let files: Vec<(&str, &[u8])> = files.iter().map(|(path, bytes)| (path.as_str(), bytes.as_slice())).collect();
    let sample = Sample::with(&files);
    let before = sample.snapshot();
    let wish = PinWish { runs: vec![RunArgument::Path(case.join("run.txt"))], ..PinWish::default() };
    let mut triage = Triage::open(sample.top(), || jiff::Timestamp::from_second(NOON).unwrap()).unwrap();

    let (staged, _) = triage.pin(&wish, None).unwrap();
    let outcomes: String = staged.failures.iter().map(told).collect();
    assert_eq!(outcomes, text(&case.join("outcomes.txt")), "{name}:\n{outcomes}");
    let patch = sample.git(&["diff", "--cached", "--", "*.py"]);
    assert_eq!(patch, text(&case.join("expected.patch")), "{name}:\n{patch}");
    assert_eq!(sample.git(&["diff"]), "");

    let after = sample.snapshot();
    let (again, _) = triage.pin(&wish, None).unwrap();
    assert!(again.failures.iter().all(|one| one.word() != "staged"), "{name}");
    assert_eq!(sample.snapshot(), after, "{name}");
    triage.undo().unwrap();
    assert_eq!(sample.snapshot(), before, "{name}");
}

/// How a failure came out, on one line.
fn told(one: &StagedFailure) -> String {
    let words = [one.word(), one.rung.map_or("", |rung| rung.word()), one.property.0.as_str()];
    let test = one.test.as_ref().map(|test| format!("by {test}"));
    let reason = one.reason.as_ref().map(|reason| format!("because {reason}"));
    let words = words.map(str::to_owned).into_iter().filter(|word| !word.is_empty()).chain(test).chain(reason);
    words.collect::<Vec<_>>().join(" ") + "\n"
}

fn collect(folder: &Path, front: &str, files: &mut Vec<(String, Vec<u8>)>) {
    for found in fs::read_dir(folder).unwrap() {
        let path = found.unwrap().path();
        let name = format!("{front}{}", path.file_name().unwrap().to_string_lossy());
        if path.is_dir() {
            collect(&path, &format!("{name}/"), files);
        } else {
            files.push((name, fs::read(&path).unwrap()));
        }
    }
}

fn text(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_default()
}

/// Classes of the repository and of packages that the test's file does not name, and a function that makes a value.
#[test]
fn names_are_imported_from_wherever_they_are() {
    check("lending");
}

/// What was drawn in a method with parameters and a fixture, in a static one and in a function.
#[test]
fn draws_are_given_again() {
    check("ferry");
}

/// The same in asynchronous tests.
#[test]
fn draws_are_awaited() {
    check("beacon");
}

/// A machine whose steps draw and speak to the library, and one that a test runs by a call.
#[test]
fn steps_are_taken_again() {
    check("vend");
}

/// Values that no text tells; and a test that is too slow, and one that finds no input.
#[test]
fn choices_are_replayed() {
    check("dose");
}

/// Arrays, members of an enumeration together, a method of a class that makes a value.
#[test]
fn values_of_packages_are_written() {
    check("grid");
}

/// One name in two files and two classes each, one file with other line ends.
#[test]
fn twins_are_told_apart() {
    check("twins");
}
