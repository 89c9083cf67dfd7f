//! A patch does in git what it says: `git apply` takes it and makes of the old files the new ones, to the byte; and it is
//! what `git diff` itself would print.

use std::fs;
use std::process::Command;

use proptest::prelude::{Strategy, any};
use proptest::{collection, option, prop_oneof, sample, test_runner};
use redpin::patch::{FileChange, FileMode, patch};
use redpin::repo_path::RepoPath;

use super::repository::Sample;

const NAMES: [&str; 8] = ["src/lib.rs", "a b", "größe", "tab\there", "quote\"s", "line\nend", "-n", "deep/er/f"];

type File = (Option<Vec<u8>>, Option<Vec<u8>>);

/// Texts of few lines, so that old and new ones share some, with odd bytes and all sorts of line ends.
fn text() -> impl Strategy<Value = Vec<u8>> {
    let line = prop_oneof![
        6 => sample::select(vec![&b"a\n"[..], b"b\n", b"c\r\n", b"\n", b"\r", b"d\r", b"\xff\xfe\n", b"\xef\xbb\xbf", b"-- x\n", b"+\n", b"\\ No newline\n"]).prop_map(<[u8]>::to_vec),
        1 => collection::vec(any::<u8>().prop_filter("git takes a NUL for binary", |byte| *byte != 0), 0..4),
    ];
    collection::vec(line, 0..24).prop_map(|lines| lines.concat())
}

fn apply(sample: &Sample, patch: &[u8]) {
    let file = sample.beside("patch");
    write(&file, patch);
    sample.git(&["apply", "--whitespace=nowarn", file.to_str().unwrap()]);
}

#[expect(clippy::disallowed_methods, reason = "a test makes its files")]
fn write(path: &std::path::Path, bytes: &[u8]) {
    fs::write(path, bytes).unwrap();
}

#[test]
fn git_applies_any_patch_to_the_byte() {
    let mut runner = test_runner::TestRunner::new(test_runner::Config { cases: 48, ..Default::default() });
    let files = collection::vec((option::weighted(0.8, text()), option::weighted(0.8, text())), NAMES.len());
    let sample = Sample::empty(&[]);
    let outcome = runner.run(&files, |files| {
        check(&sample, &files);
        Ok(())
    });
    assert_eq!(outcome, Ok(()));
}

fn check(sample: &Sample, files: &[File]) {
    let paths: Vec<RepoPath> = NAMES.iter().map(|name| RepoPath::new(name).unwrap()).collect();
    let mut changes = Vec::new();
    for (path, (old, new)) in paths.iter().zip(files) {
        old.iter().for_each(|old| sample.write(path.as_str(), old));
        changes.push(FileChange { path, mode: FileMode::Plain, old: old.as_deref(), new: new.as_deref() });
    }
    let patch = patch(&changes);
    if !patch.is_empty() {
        apply(sample, &patch);
    }
    for (path, (_, new)) in paths.iter().zip(files) {
        let file = sample.top().join(path.as_str());
        assert_eq!(fs::read(&file).ok(), *new, "{path}: {}", patch.escape_ascii());
        // The next case begins without files.
        drop(fs::rename(file, sample.beside("gone")));
    }
}

#[test]
#[expect(clippy::disallowed_methods, reason = "git's own diff is the reference")]
fn a_patch_is_what_git_itself_would_print() {
    let sample = Sample::empty(&[]);
    let old: Vec<u8> = (0..40).flat_map(|line| format!("line {line}\r\n").into_bytes()).collect();
    let new = [b"first\r\n", &old[..200], b"middle\r\n", &old[200..], b"last, and no newline"].concat();
    let paths: Vec<RepoPath> = ["a b", "größe", "new", "run"].map(|name| RepoPath::new(name).unwrap()).into();
    let mode = |path: &RepoPath| if path.as_str() == "run" { FileMode::Executable } else { FileMode::Plain };
    let is_new = |path: &&RepoPath| matches!(path.as_str(), "new" | "run");
    paths.iter().filter(|path| !is_new(path)).for_each(|path| sample.write(path.as_str(), &old));
    sample.git(&["add", "-A"]);
    sample.git(&["commit", "-q", "-m", "old"]);
    paths.iter().for_each(|path| sample.write(path.as_str(), &new));
    sample.set_mode("run", 0o755);
    sample.git(&["add", "-A"]);
    let mut diff = Command::new("git");
    diff.current_dir(sample.top()).args([
        "-c",
        "diff.suppressBlankEmpty=false",
        "diff",
        "--cached",
        "--no-color",
        "--text",
    ]);
    let printed = diff.output().unwrap().stdout;
    // Git names objects, which a patch need not, and repeats a line of the function after a hunk's head.
    let lines = printed.split_inclusive(|&byte| byte == b'\n').filter(|line| !line.starts_with(b"index "));
    let expected: Vec<u8> = lines
        .flat_map(|line| match line.strip_prefix(b"@@ ") {
            Some(rest) => {
                let end = rest.windows(3).position(|window| window == b" @@").unwrap();
                [b"@@ ", &rest[..end], b" @@\n"].concat()
            }
            None => line.to_vec(),
        })
        .collect();
    let changes: Vec<FileChange<'_>> = paths
        .iter()
        .map(|path| FileChange { path, mode: mode(path), old: (!is_new(&path)).then_some(&old[..]), new: Some(&new) })
        .collect();
    assert_eq!(patch(&changes).escape_ascii().to_string(), expected.escape_ascii().to_string());
}
