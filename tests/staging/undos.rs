//! Undo and redo: one operation after another, and only as long as nobody else changed the files.

use redpin::git::{GitErrorKind, Repository, Write};

use super::repository::{Sample, content, operation, snapshot};

fn stage(repository: &Repository, text: &[u8]) {
    repository.stage(&operation(repository, &[("a", content(text), content(text))])).unwrap();
}

#[test]
fn operations_are_taken_back_one_by_one_and_done_again() {
    let sample = Sample::with(&[("a", b"0\n")]);
    let repository = sample.open();
    let mut states = vec![sample.snapshot()];
    for text in [b"1\n", b"2\n", b"3\n"] {
        stage(&repository, text);
        states.push(sample.snapshot());
    }
    for at in [2, 1, 0] {
        // Every start anew: nothing is remembered but in the journal.
        assert_eq!(sample.open().undo().unwrap().id.0, at as u64 + 1);
        assert_eq!(sample.snapshot(), states[at]);
    }
    assert_eq!(repository.undo().unwrap_err().kind, GitErrorKind::NothingToUndo);
    for at in [1, 2] {
        assert_eq!(sample.open().redo().unwrap().id.0, at as u64);
        assert_eq!(sample.snapshot(), states[at]);
    }
    stage(&repository, b"4\n");
    assert_eq!(repository.redo().unwrap_err().kind, GitErrorKind::NothingToRedo);
    repository.undo().unwrap();
    assert_eq!(sample.snapshot(), states[2]);
}

/// After an operation and `meanwhile`, undo fails with `message` and changes nothing.
fn check(meanwhile: impl Fn(&Sample), kind: GitErrorKind, message: &str) {
    let sample = Sample::with(&[("a", b"0\n"), ("b", b"0\n")]);
    let repository = sample.open();
    let changes = [("b", content(b"1\n"), content(b"1\n")), ("a", content(b"1\n"), content(b"1\n"))];
    repository.stage(&operation(&repository, &changes)).unwrap();
    meanwhile(&sample);
    let before = snapshot(sample.top());
    let error = repository.undo().unwrap_err();
    assert_eq!((error.kind, error.to_string().as_str()), (kind, message));
    assert_eq!(snapshot(sample.top()), before);
}

#[test]
fn a_file_that_changed_since_is_not_taken_back() {
    let edit = |sample: &Sample| sample.write("a", b"edited\n");
    let message = "a was changed in the work tree meanwhile; look at it and try again, or change the patch with git";
    check(edit, GitErrorKind::Changed, message);
    let remove = |sample: &Sample| std::fs::rename(sample.top().join("a"), sample.beside("a")).unwrap();
    check(remove, GitErrorKind::Changed, message);
    let unstage = |sample: &Sample| drop(sample.git(&["reset", "-q", "a"]));
    let message = "a was changed in the index meanwhile; look at it and try again, or change the patch with git";
    check(unstage, GitErrorKind::Changed, message);
    let make_executable = |sample: &Sample| drop(sample.git(&["update-index", "--chmod=+x", "a"]));
    check(make_executable, GitErrorKind::Changed, message);
    let link = |sample: &Sample| {
        std::fs::rename(sample.top().join("a"), sample.beside("a")).unwrap();
        std::os::unix::fs::symlink(sample.beside("a"), sample.top().join("a")).unwrap();
    };
    check(link, GitErrorKind::Unwritable, "expected a file at a, found a symbolic link");
}

#[test]
fn a_folder_that_redpin_made_goes_unless_something_else_is_in_it() {
    let sample = Sample::with(&[("a", b"0\n")]);
    let repository = sample.open();
    let changes = [("x/y/1", content(b"1\n"), content(b"1\n")), ("x/z/2", content(b"2\n"), content(b"2\n"))];
    repository.stage(&operation(&repository, &changes)).unwrap();
    sample.write("x/z/other", b"other\n");
    repository.undo().unwrap();
    assert_eq!(sample.git(&["status", "--porcelain", "-uall"]), "?? x/z/other\n");
    assert!(!sample.top().join("x/y").exists());
}

#[test]
fn an_operation_without_files_is_one_as_well() {
    let sample = Sample::with(&[("a", b"0\n")]);
    let repository = sample.open();
    let operation = operation(&repository, &[("a", Write::Keep, content(b"0\n"))]);
    repository.stage(&operation).unwrap();
    let undone = repository.undo().unwrap();
    assert_eq!((undone.files.len(), undone.attachment), (0, operation.attachment));
}

#[test]
fn what_git_threw_away_meanwhile_comes_back_all_the_same() {
    let sample = Sample::with(&[("a", b"0\n")]);
    sample.write("a", b"staged\n");
    sample.git(&["add", "a"]);
    sample.write("a", b"unstaged\n");
    let repository = sample.open();
    let changes = [("a", content(b"new\n"), content(b"new too\n"))];
    let old = sample.snapshot();
    repository.stage(&operation(&repository, &changes)).unwrap();
    let new = sample.snapshot();
    for (walk, state) in [(Repository::undo as fn(&Repository) -> _, &old), (Repository::redo, &new)] {
        sample.git(&["prune", "--expire=now"]);
        walk(&sample.open()).unwrap();
        assert_eq!(&sample.snapshot(), state);
        sample.git(&["fsck", "--strict"]);
    }
}
