//! Every kind of repository takes an operation, an undo and a redo in the same way.

use std::path::Path;

use redpin::git::Repository;

use super::repository::{Sample, content, git_in, operation, snapshot, write_program};

const SOURCE: &[u8] = b"a\nb\n";

/// Stages a changed and a new file in the work tree at `top`, undoes it, does it again, and looks with git each time.
fn check(top: &Path) {
    let before = snapshot(top);
    let repository = Repository::discover(top).unwrap();
    let changes = [
        ("src/lib.rs", content(b"a\npin\nb\n"), content(b"a\npin\nb\nunstaged\n")),
        ("regressions/lib.txt", content(b"cc 1\n"), content(b"cc 1\n")),
    ];
    repository.stage(&operation(&repository, &changes)).unwrap();
    let after = snapshot(top);
    assert_eq!(git_in(top, &["show", ":src/lib.rs"]), "a\npin\nb\n");
    assert_eq!(git_in(top, &["show", ":regressions/lib.txt"]), "cc 1\n");
    assert_eq!(git_in(top, &["diff", "--name-only"]), "src/lib.rs\n");
    assert_eq!(std::fs::read(top.join("src/lib.rs")).unwrap(), b"a\npin\nb\nunstaged\n");
    repository.undo().unwrap();
    assert_eq!(snapshot(top), before);
    repository.redo().unwrap();
    assert_eq!(snapshot(top), after);
    git_in(top, &["fsck", "--strict"]);
}

/// A repository made with `options`, with one commit.
fn made(options: &[&str]) -> Sample {
    let sample = Sample::empty(options);
    sample.commit(&[("src/lib.rs", SOURCE), ("other/file", b"x\n")]);
    sample
}

#[test]
fn a_sha_256_repository() {
    check(made(&["--object-format=sha256"]).top());
}

#[test]
fn a_repository_with_reftable() {
    let sample = made(&["--ref-format=reftable"]);
    check(sample.top());
    assert_eq!(sample.open().branch().as_deref(), Some("main"));
}

#[test]
fn a_split_index_stays_split() {
    let sample = made(&[]);
    sample.git(&["config", "core.splitIndex", "true"]);
    sample.git(&["update-index", "--split-index"]);
    check(sample.top());
    let shared = |name: &str| name.starts_with("sharedindex.");
    let mut names = std::fs::read_dir(sample.top().join(".git")).unwrap().map(|file| file.unwrap().file_name());
    assert!(names.any(|name| shared(&name.to_string_lossy())));
}

#[test]
fn a_sparse_index_stays_sparse() {
    let sample = made(&[]);
    sample.git(&["sparse-checkout", "set", "--cone", "--sparse-index", "src"]);
    check(sample.top());
    assert_eq!(sample.git(&["ls-files", "--sparse", "other"]), "other/\n");
}

#[test]
fn an_untracked_cache_and_a_monitor_stay() {
    let sample = made(&[]);
    sample.git(&["config", "core.untrackedCache", "true"]);
    sample.git(&["update-index", "--untracked-cache"]);
    let monitor = sample.beside("monitor");
    write_program(&monitor, b"#!/bin/sh\nprintf 'token\\0/\\0'\n");
    sample.git(&["config", "core.fsmonitor", monitor.to_str().unwrap()]);
    sample.git(&["update-index", "--fsmonitor"]);
    let extensions = || {
        let index = std::fs::read(sample.top().join(".git/index")).unwrap();
        [&b"UNTR"[..], b"FSMN"].map(|name| index.windows(4).any(|window| window == name))
    };
    assert_eq!(extensions(), [true, true]);
    check(sample.top());
    assert_eq!(extensions(), [true, true]);
}

#[test]
fn an_index_of_version_4() {
    let sample = made(&[]);
    sample.git(&["config", "feature.manyFiles", "true"]);
    sample.git(&["update-index", "--index-version", "4"]);
    check(sample.top());
}

#[test]
fn a_linked_work_tree_has_a_journal_of_its_own() {
    let sample = made(&[]);
    let linked = sample.beside("linked");
    sample.git(&["worktree", "add", "-q", linked.to_str().unwrap()]);
    check(&linked);
    let repository = Repository::discover(&linked).unwrap();
    assert_eq!(repository.branch().as_deref(), Some("linked"));
    assert!(repository.git_dir().ends_with(".git/worktrees/linked"));
    assert_eq!(sample.open().undo().unwrap_err().to_string(), "there is no operation to undo");
}

#[test]
fn a_git_directory_elsewhere() {
    let folder = tempfile::tempdir().unwrap();
    let elsewhere = folder.path().join("elsewhere");
    let sample = made(&["--separate-git-dir", elsewhere.to_str().unwrap()]);
    assert!(sample.top().join(".git").is_file());
    check(sample.top());
}

#[test]
fn a_branch_without_a_commit() {
    let sample = Sample::empty(&[]);
    sample.write("src/lib.rs", SOURCE);
    sample.git(&["add", "src"]);
    check(sample.top());
    assert_eq!(sample.open().branch().as_deref(), Some("main"));
}

#[test]
fn a_commit_without_a_branch() {
    let sample = made(&[]);
    sample.git(&["checkout", "-q", "--detach"]);
    check(sample.top());
    let short = sample.git(&["rev-parse", "--short", "HEAD"]);
    assert_eq!(sample.open().branch().as_deref(), Some(short.trim_end()));
}

#[test]
fn a_submodule_from_inside() {
    let (inner, outer) = (made(&[]), made(&[]));
    let from = inner.top().to_str().unwrap();
    outer.git(&["-c", "protocol.file.allow=always", "submodule", "add", "-q", from, "inner"]);
    check(&outer.top().join("inner"));
}

#[test]
fn a_work_tree_named_in_the_configuration() {
    let sample = made(&[]);
    let away = sample.beside("away");
    std::fs::rename(sample.top(), &away).unwrap();
    std::fs::create_dir(sample.top()).unwrap();
    std::fs::rename(away.join("src"), sample.top().join("src")).unwrap();
    std::fs::rename(away.join("other"), sample.top().join("other")).unwrap();
    git_in(&away, &["config", "core.worktree", sample.top().to_str().unwrap()]);
    let repository = Repository::discover(&away).unwrap();
    assert_eq!(repository.top(), sample.top());
    let change = [("src/lib.rs", content(b"pin\n"), content(b"pin\n"))];
    repository.stage(&operation(&repository, &change)).unwrap();
    assert_eq!(git_in(&away, &["show", ":src/lib.rs"]), "pin\n");
    assert_eq!(std::fs::read(sample.top().join("src/lib.rs")).unwrap(), b"pin\n");
}

#[test]
fn line_ends_that_git_converts_stay_on_their_side() {
    let sample = Sample::empty(&[]);
    sample.git(&["config", "core.autocrlf", "true"]);
    sample.commit(&[("src/lib.rs", b"a\r\nb\r\n")]);
    let repository = sample.open();
    let changes = [("src/lib.rs", content(b"a\npin\nb\n"), content(b"a\r\npin\r\nb\r\n"))];
    let operation = operation(&repository, &changes);
    assert_eq!(operation.files[0].from.index_bytes(), Some(&b"a\nb\n"[..]));
    assert_eq!(operation.files[0].from.work_bytes(), Some(&b"a\r\nb\r\n"[..]));
    repository.stage(&operation).unwrap();
    assert_eq!(sample.git(&["show", ":src/lib.rs"]), "a\npin\nb\n");
    assert_eq!(sample.git(&["diff", "--name-only"]), "");
    assert_eq!(std::fs::read(sample.top().join("src/lib.rs")).unwrap(), b"a\r\npin\r\nb\r\n");
}
