//! The surroundings of the process: variables that a hook leaves behind, hooks of the repository, no git program.

use std::os::unix::fs::MetadataExt;

use super::child;
use super::repository::{Sample, content, snapshot, write_program};

#[test]
fn variables_that_a_hook_leaves_behind_lead_nowhere_else() {
    let (sample, other) = (Sample::with(&[("a", b"a\n")]), Sample::with(&[("a", b"a\n")]));
    let (git_dir, index) = (other.top().join(".git"), other.top().join(".git/index"));
    let environment = [
        ("GIT_DIR", git_dir.to_str().unwrap()),
        ("GIT_INDEX_FILE", index.to_str().unwrap()),
        ("GIT_WORK_TREE", other.top().to_str().unwrap()),
        ("GIT_OBJECT_DIRECTORY", "/nowhere"),
        ("GIT_NAMESPACE", "x"),
        ("GIT_GLOB_PATHSPECS", "1"),
        ("GIT_TRACE", "1"),
        ("LANG", "de_DE.UTF-8"),
    ];
    let before = (snapshot(sample.top()), snapshot(other.top()));
    let changes = [("a", content(b"pin\n"), content(b"pin\n")), ("b", content(b"pin\n"), content(b"pin\n"))];
    assert!(child::start(sample.top(), "stage", None, &changes, &environment).success());
    assert_eq!(sample.git(&["status", "--porcelain"]), "M  a\nA  b\n");
    assert!(child::start(sample.top(), "undo", None, &changes, &environment).success());
    assert_eq!((snapshot(sample.top()), snapshot(other.top())), before);
}

#[test]
fn no_hook_of_the_repository_runs() {
    let sample = Sample::with(&[("a", b"a\n")]);
    let (ran, hook) = (sample.beside("ran"), sample.top().join(".git/hooks/post-index-change"));
    std::fs::create_dir_all(hook.parent().unwrap()).unwrap();
    write_program(&hook, format!("#!/bin/sh\ntouch '{}'\n", ran.display()).as_bytes());
    let repository = sample.open();
    child::act(&repository, "stage", &[("a", content(b"pin\n"), content(b"pin\n"))]);
    repository.undo().unwrap();
    assert!(!ran.exists());
    sample.git(&["update-index", "--assume-unchanged", "a"]);
    assert!(ran.exists(), "expected the hook to work at all");
}

#[test]
fn without_the_git_program_the_library_does_it() {
    let sample = Sample::with(&[("a", b"a\n"), (".gitignore", b"*.log\n")]);
    sample.set_mode("a", 0o755);
    sample.git(&["add", "a"]);
    sample.write("promised", b"promised\n");
    sample.git(&["add", "-N", "promised"]);
    sample.git(&["update-index", "--assume-unchanged", ".gitignore"]);
    let before = snapshot(sample.top());
    let nowhere = [("PATH", "/nowhere")];
    let changes = [
        ("a", content(b"pin\n"), content(b"pin\nunstaged\n")),
        ("promised", content(b"real\n"), content(b"real\n")),
        (".gitignore", content(b"*.tmp\n"), content(b"*.tmp\n")),
        ("new/b", content(b"new\n"), content(b"new\n")),
    ];
    assert!(child::start(sample.top(), "stage", None, &changes, &nowhere).success());
    let after = snapshot(sample.top());
    assert_eq!(sample.git(&["status", "--porcelain"]), "M  .gitignore\nMM a\nA  new/b\nA  promised\n");
    assert_eq!(sample.git(&["show", ":a"]), "pin\n");
    assert!(sample.git(&["ls-files", "-v"]).starts_with("h .gitignore"));
    assert!(child::start(sample.top(), "undo", None, &changes, &nowhere).success());
    assert_eq!(snapshot(sample.top()), before);
    assert!(child::start(sample.top(), "redo", None, &changes, &nowhere).success());
    assert_eq!(snapshot(sample.top()), after);
}

#[test]
fn an_index_that_stays_as_it_is_is_not_written() {
    let sample = Sample::with(&[("a", b"a\n")]);
    let index = || std::fs::metadata(sample.top().join(".git/index")).unwrap();
    let before = index().ino();
    let changes = [("a", content(b"a\n"), content(b"pin\n"))];
    for environment in [&[("PATH", "/nowhere")][..], &[]] {
        assert!(child::start(sample.top(), "stage", None, &changes, environment).success());
        assert_eq!(std::fs::read(sample.top().join("a")).unwrap(), b"pin\n");
        assert!(child::start(sample.top(), "undo", None, &changes, environment).success());
        assert_eq!(index().ino(), before);
    }
}
