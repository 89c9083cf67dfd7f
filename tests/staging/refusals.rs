//! What stands in the way is said in one error, and nothing has changed.

use std::fs::{self, File};
use std::os::unix::fs::{MetadataExt, symlink};

use redpin::git::{Change, GitErrorKind, Operation, Repository, Write};
use serde_json::Value;

use super::repository::{Sample, content, git_tries, operation, snapshot};

/// Staging a new line in `path`, after `hinder` was done to the repository, fails with `kind` and `message`.
fn check(path: &str, hinder: impl Fn(&Sample), kind: GitErrorKind, message: &str) {
    let sample = Sample::with(&[("src/lib.rs", b"a\nb\n"), ("other/file", b"x\n")]);
    hinder(&sample);
    let before = snapshot(sample.top());
    let repository = sample.open();
    let changes =
        [("src/new/deep.rs", content(b"new\n"), content(b"new\n")), (path, content(b"pin\n"), content(b"pin\n"))];
    let error = repository.stage(&operation(&repository, &changes)).unwrap_err();
    let place = sample.top().display().to_string();
    assert_eq!((error.kind, error.to_string().replace(&place, "TOP").as_str()), (kind, message));
    assert_eq!(snapshot(sample.top()), before);
    assert_eq!(repository.recover(), Ok(None));
    assert_eq!(repository.undo().unwrap_err().kind, GitErrorKind::NothingToUndo);
}

#[test]
fn a_file_with_a_conflict() {
    let conflict = |sample: &Sample| {
        let stages = ["rev-parse", "HEAD:src/lib.rs"];
        let id = sample.git(&stages);
        let lines: String = [1, 2, 3].map(|side| format!("100644 {} {side}\tsrc/lib.rs\n", id.trim_end())).concat();
        sample.git(&["rm", "-q", "--cached", "src/lib.rs"]);
        sample.git_fed(&["update-index", "--index-info"], lines.as_bytes());
    };
    let message = "src/lib.rs has a conflict in the index; resolve the conflict first";
    check("src/lib.rs", conflict, GitErrorKind::Unmerged, message);
}

#[test]
fn a_merge_in_progress() {
    let merge = |sample: &Sample| {
        sample.git(&["checkout", "-q", "-b", "side"]);
        sample.commit(&[("other/file", b"side\n")]);
        sample.git(&["checkout", "-q", "main"]);
        sample.commit(&[("other/file", b"main\n")]);
        assert!(!git_tries(sample.top(), &["merge", "side"]).status.success());
    };
    check("src/lib.rs", merge, GitErrorKind::Merging, "a merge is in progress; finish or abort it first");
}

#[test]
fn a_locked_index() {
    let lock = |sample: &Sample| drop(File::create(sample.top().join(".git/index.lock")).unwrap());
    let message = "expected to write the index, found it locked by TOP/.git/index.lock; end the git command that \
                   holds it; where none runs, one that was killed left the file behind: remove it";
    check("src/lib.rs", lock, GitErrorKind::IndexLocked, message);
}

#[test]
fn a_read_only_file() {
    let message = "expected to write src/lib.rs, found TOP/src/lib.rs read-only; make it writable first";
    check("src/lib.rs", |sample| sample.set_mode("src/lib.rs", 0o444), GitErrorKind::ReadOnly, message);
}

#[test]
fn a_read_only_folder_stops_whom_the_system_stops() {
    let sample = Sample::with(&[("locked/file", b"x\n"), ("a", b"a\n")]);
    sample.set_mode("locked", 0o555);
    let before = snapshot(sample.top());
    let is_root = File::create_new(sample.beside("x")).and_then(|file| file.metadata()).unwrap().uid() == 0;
    let changes = ["a", "new/b", "locked/file"].map(|path| (path, content(b"pin\n"), content(b"pin\n")));
    let repository = sample.open();
    match repository.stage(&operation(&repository, &changes)) {
        Ok(_) => assert!(is_root),
        Err(error) => {
            let file = sample.top().join("locked/file");
            let message = "Permission denied (os error 13); make it writable first";
            assert_eq!(error.to_string(), format!("cannot write {}: {message}", file.display()));
            assert_eq!(snapshot(sample.top()), before);
        }
    }
    sample.set_mode("locked", 0o755);
}

#[test]
fn a_symbolic_link() {
    let link = |sample: &Sample| symlink("lib.rs", sample.top().join("src/link.rs")).unwrap();
    let message = "expected a file at src/link.rs, found a symbolic link";
    check("src/link.rs", link, GitErrorKind::Unwritable, message);
}

#[test]
fn a_path_through_a_symbolic_link() {
    let link = |sample: &Sample| {
        fs::create_dir(sample.beside("outside")).unwrap();
        symlink(sample.beside("outside"), sample.top().join("out")).unwrap();
    };
    check("out/x", link, GitErrorKind::Unwritable, "out/x is behind out, a symbolic link");
}

#[test]
fn a_folder_in_the_files_place() {
    let message = "expected a file at src, found a folder";
    check("src", |_| {}, GitErrorKind::Unwritable, message);
}

#[test]
fn a_file_in_the_folders_place() {
    let message = "src/lib.rs/x is behind src/lib.rs, which is no folder";
    check("src/lib.rs/x", |_| {}, GitErrorKind::Unwritable, message);
}

#[test]
fn a_folder_of_the_index_in_the_files_place() {
    let remove = |sample: &Sample| fs::remove_dir_all(sample.top().join("other")).unwrap();
    let message = "expected a file at other, found a folder in the index";
    check("other", remove, GitErrorKind::Unwritable, message);
}

#[test]
fn a_path_in_a_submodule() {
    let inner = Sample::with(&[("lib.rs", b"x\n")]);
    let add = |sample: &Sample| {
        let from = inner.top().to_str().unwrap();
        sample.git(&["-c", "protocol.file.allow=always", "submodule", "add", "-q", from, "inner"]);
        sample.git(&["commit", "-q", "-m", "a submodule"]);
    };
    let message = "inner/lib.rs is in inner, a repository of its own; start redpin there";
    check("inner/lib.rs", add, GitErrorKind::Unwritable, message);
    let leave = |sample: &Sample| {
        add(sample);
        sample.git(&["submodule", "deinit", "-q", "-f", "inner"]);
    };
    let message = "inner/lib.rs is behind inner, which is no folder in the index";
    check("inner/lib.rs", leave, GitErrorKind::Unwritable, message);
}

#[test]
fn a_path_outside_the_sparse_checkout() {
    let narrow = |sample: &Sample| drop(sample.git(&["sparse-checkout", "set", "--cone", "src"]));
    let message = "other/file is outside the sparse checkout; add its folder to the checkout first";
    check("other/file", narrow, GitErrorKind::Unwritable, message);
}

/// Staging what was computed before `meanwhile` fails with `message`.
fn check_meanwhile(meanwhile: impl Fn(&Sample), message: &str) {
    let sample = Sample::with(&[("src/lib.rs", b"a\nb\n")]);
    let repository = sample.open();
    let operation = operation(&repository, &[("src/lib.rs", content(b"pin\n"), content(b"pin\n"))]);
    meanwhile(&sample);
    let before = sample.snapshot();
    let error = repository.stage(&operation).unwrap_err();
    assert_eq!((error.kind, error.to_string().as_str()), (GitErrorKind::Changed, message));
    assert_eq!(sample.snapshot(), before);
}

#[test]
fn a_file_that_changed_meanwhile() {
    let edit = |sample: &Sample| sample.write("src/lib.rs", b"edited\n");
    check_meanwhile(
        edit,
        "src/lib.rs was changed in the work tree meanwhile; look at it and try again, or change the patch with git",
    );
    let stage = |sample: &Sample| {
        sample.write("src/lib.rs", b"staged\n");
        sample.git(&["add", "src/lib.rs"]);
        sample.write("src/lib.rs", b"a\nb\n");
    };
    check_meanwhile(
        stage,
        "src/lib.rs was changed in the index meanwhile; look at it and try again, or change the patch with git",
    );
    let make_executable = |sample: &Sample| drop(sample.git(&["update-index", "--chmod=+x", "src/lib.rs"]));
    check_meanwhile(
        make_executable,
        "src/lib.rs was changed in the index meanwhile; look at it and try again, or change the patch with git",
    );
}

#[test]
fn another_file_that_changed_meanwhile_is_no_hindrance() {
    let sample = Sample::with(&[("src/lib.rs", b"a\nb\n")]);
    let repository = sample.open();
    let operation = operation(&repository, &[("src/lib.rs", content(b"pin\n"), content(b"pin\n"))]);
    sample.write("other", b"x\n");
    sample.git(&["add", "other"]);
    repository.stage(&operation).unwrap();
    assert_eq!(sample.git(&["status", "--porcelain"]), "A  other\nM  src/lib.rs\n");
}

#[test]
fn a_file_named_twice() {
    let sample = Sample::with(&[("a", b"a\n")]);
    let repository = sample.open();
    let twice = operation(&repository, &[("a", content(b"1\n"), Write::Keep), ("a", content(b"2\n"), Write::Keep)]);
    let error = repository.stage(&twice).unwrap_err();
    assert_eq!(error.to_string(), "expected each file once in an operation, found a twice");
}

#[test]
fn a_place_without_a_work_tree() {
    let folder = tempfile::tempdir().unwrap();
    let error = Repository::discover(folder.path()).unwrap_err();
    let expected = format!(
        "no git repository at {}; start redpin in a git work tree, or name one with -C",
        folder.path().display()
    );
    assert_eq!((error.kind, error.to_string()), (GitErrorKind::NoRepository, expected));
    let bare = Sample::empty(&["--bare"]);
    let error = Repository::discover(bare.top()).unwrap_err();
    let expected = format!(
        "expected a work tree, found a bare repository at {}/; start redpin in a git work tree, or name one with -C",
        bare.top().display()
    );
    assert_eq!((error.kind, error.to_string()), (GitErrorKind::NoRepository, expected));
}

#[test]
fn a_conflict_elsewhere_keeps_its_sides() {
    let sample = Sample::with(&[("a", b"a\n"), ("b", b"b\n")]);
    let id = sample.git(&["rev-parse", "HEAD:b"]);
    sample.git(&["rm", "-q", "--cached", "b"]);
    let lines: String = [2, 3].map(|side| format!("100644 {} {side}\tb\n", id.trim_end())).concat();
    sample.git_fed(&["update-index", "--index-info"], lines.as_bytes());
    let repository = sample.open();
    let [change]: [Change; 1] =
        operation(&repository, &[("a", content(b"pin\n"), Write::Keep)]).files.try_into().unwrap();
    repository.stage(&Operation { title: String::new(), files: vec![change], attachment: Value::Null }).unwrap();
    assert_eq!(sample.git(&["status", "--porcelain"]), "MM a\nAA b\n");
}
