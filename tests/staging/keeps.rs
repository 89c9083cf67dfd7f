//! What a file is beside its content stays: mode, flags, odd bytes, odd names.

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt};

use redpin::git::{InIndex, InWorkTree, Versions, Write};
use redpin::repo_path::RepoPath;

use super::repository::{Sample, content, operation, snapshot};

fn mode_of(sample: &Sample, path: &str) -> u32 {
    fs::metadata(sample.top().join(path)).unwrap().permissions().mode() & 0o7777
}

fn versions(sample: &Sample, path: &str) -> Versions {
    sample.open().versions(&[RepoPath::new(path).unwrap()]).unwrap().remove(0)
}

#[test]
fn modes_stay_on_both_sides() {
    for mode in [0o755, 0o640, 0o600, 0o775] {
        let sample = Sample::empty(&[]);
        sample.write("run", b"a\n");
        sample.set_mode("run", mode);
        sample.commit(&[]);
        let before = snapshot(sample.top());
        let repository = sample.open();
        repository.stage(&operation(&repository, &[("run", content(b"b\n"), content(b"b\n"))])).unwrap();
        assert_eq!(mode_of(&sample, "run"), mode);
        let in_git = if mode & 0o100 == 0 { "100644" } else { "100755" };
        assert!(sample.git(&["ls-files", "-s"]).starts_with(in_git));
        repository.undo().unwrap();
        assert_eq!(snapshot(sample.top()), before);
    }
}

#[test]
fn a_mode_that_changed_since_stays_when_the_content_is_taken_back() {
    let sample = Sample::with(&[("a", b"a\n")]);
    let repository = sample.open();
    repository.stage(&operation(&repository, &[("a", Write::Keep, content(b"b\n"))])).unwrap();
    sample.set_mode("a", 0o700);
    repository.undo().unwrap();
    assert_eq!((mode_of(&sample, "a"), fs::read(sample.top().join("a")).unwrap()), (0o700, b"a\n".to_vec()));
}

#[test]
fn a_program_that_is_gone_from_the_work_tree_comes_back_as_one() {
    let sample = Sample::empty(&[]);
    sample.write("run", b"a\n");
    sample.set_mode("run", 0o755);
    sample.commit(&[]);
    fs::rename(sample.top().join("run"), sample.beside("run")).unwrap();
    let repository = sample.open();
    repository.stage(&operation(&repository, &[("run", content(b"b\n"), content(b"b\n"))])).unwrap();
    assert_eq!(sample.git(&["status", "--porcelain"]), "M  run\n");
}

#[test]
fn an_untracked_program_is_staged_as_one() {
    let sample = Sample::with(&[("a", b"a\n")]);
    sample.write("run", b"a\n");
    sample.set_mode("run", 0o755);
    let stage = || {
        let repository = sample.open();
        repository.stage(&operation(&repository, &[("run", content(b"b\n"), content(b"b\n"))])).unwrap();
        let mode = sample.git(&["ls-files", "-s", "run"])[..6].to_owned();
        repository.undo().unwrap();
        mode
    };
    assert_eq!(stage(), "100755");
    // On a file system that has no such bit, every file seems to be a program.
    sample.git(&["config", "core.fileMode", "false"]);
    assert_eq!(stage(), "100644");
}

#[test]
fn a_promise_to_add_becomes_a_file_and_a_promise_again() {
    let sample = Sample::with(&[("a", b"a\n")]);
    sample.write("new", b"new\n");
    sample.git(&["add", "-N", "new"]);
    sample.write("empty", b"");
    sample.git(&["add", "empty"]);
    let before = snapshot(sample.top());
    assert_eq!(versions(&sample, "new").index, InIndex::Promised);
    assert_eq!(versions(&sample, "empty").index_bytes(), Some(&b""[..]));
    let repository = sample.open();
    let changes = [("new", content(b"pin\n"), content(b"new\npin\n")), ("empty", content(b"x\n"), content(b"x\n"))];
    repository.stage(&operation(&repository, &changes)).unwrap();
    assert_eq!(sample.git(&["status", "--porcelain"]), "A  empty\nAM new\n");
    repository.undo().unwrap();
    assert_eq!(snapshot(sample.top()), before);
    assert_eq!(versions(&sample, "new").index, InIndex::Promised);
    repository.redo().unwrap();
    assert_eq!(sample.git(&["status", "--porcelain"]), "A  empty\nAM new\n");
}

#[test]
fn the_order_to_assume_a_file_unchanged_stays() {
    let sample = Sample::with(&[("a", b"a\n")]);
    sample.git(&["update-index", "--assume-unchanged", "a"]);
    let before = snapshot(sample.top());
    let repository = sample.open();
    repository.stage(&operation(&repository, &[("a", content(b"b\n"), content(b"b\n"))])).unwrap();
    assert!(sample.git(&["ls-files", "-v"]).starts_with("h a"));
    repository.undo().unwrap();
    assert_eq!(snapshot(sample.top()), before);
}

#[test]
fn bytes_and_names_are_as_they_are() {
    let odd = [
        "with space",
        "tab\there",
        "line\nend",
        "quote\"s",
        "größe",
        "-n",
        "--",
        ":(glob)*",
        ":!x",
        "star*[a]?",
        "#x",
        "~",
        "deep/*/-x/:y/f",
        "deep/[b]/f",
    ];
    let texts = [&b"\xef\xbb\xbfa\r\nb"[..], b"\xff\xfe\0x", b"", b"\n", b"\r", b"a\r\n", b"no newline"];
    let sample = Sample::with(&[("deep/x/-x/:y/f", b"x\n"), ("deep/b/f", b"x\n")]);
    let before = snapshot(sample.top());
    let repository = sample.open();
    let changes: Vec<_> = odd
        .iter()
        .enumerate()
        .map(|(at, name)| (*name, content(texts[at % texts.len()]), content(texts[(at + 1) % texts.len()])))
        .collect();
    repository.stage(&operation(&repository, &changes)).unwrap();
    let versions = repository.versions(&odd.map(|name| RepoPath::new(name).unwrap())).unwrap();
    for ((version, (name, index, work)), _) in versions.iter().zip(&changes).zip(texts) {
        assert_eq!(version.path.as_str(), *name);
        assert_eq!(version.index_bytes().map(|bytes| Write::Content(bytes.to_vec())).as_ref(), Some(index), "{name}");
        assert_eq!(version.work_bytes().map(|bytes| Write::Content(bytes.to_vec())).as_ref(), Some(work), "{name}");
    }
    let staged = sample.git(&["diff", "--cached", "--name-only", "-z"]);
    let mut expected = odd.map(|name| format!("{name}\0"));
    expected.sort();
    assert_eq!(staged, expected.concat());
    repository.undo().unwrap();
    assert_eq!(snapshot(sample.top()), before);
}

#[test]
fn a_file_with_two_names_is_warned_of_and_changed_under_one() {
    let sample = Sample::with(&[("a", b"a\n")]);
    fs::hard_link(sample.top().join("a"), sample.beside("twin")).unwrap();
    let warning = "a has 2 names (hard links); the new content is written under this one only";
    assert_eq!(versions(&sample, "a").warnings, [warning]);
    let repository = sample.open();
    repository.stage(&operation(&repository, &[("a", content(b"b\n"), content(b"b\n"))])).unwrap();
    assert_eq!(fs::read(sample.beside("twin")).unwrap(), b"a\n");
    assert_eq!(fs::metadata(sample.beside("twin")).unwrap().nlink(), 1);
}

#[test]
fn many_files_are_one_operation() {
    let sample = Sample::with(&[("a", b"a\n")]);
    let before = snapshot(sample.top());
    let repository = sample.open();
    let names: Vec<String> = (0..300).map(|number| format!("decisions/{number}.json")).collect();
    let changes: Vec<_> = names.iter().map(|name| (name.as_str(), content(b"{}\n"), content(b"{}\n"))).collect();
    repository.stage(&operation(&repository, &changes)).unwrap();
    assert_eq!(sample.git(&["status", "--porcelain"]).lines().filter(|line| line.starts_with("A  ")).count(), 300);
    repository.undo().unwrap();
    assert_eq!(snapshot(sample.top()), before);
}

#[test]
fn the_versions_of_a_file_are_told_apart() {
    let sample = Sample::with(&[("a", b"head\n"), (".gitignore", b"*.log\n")]);
    sample.write("a", b"index\n");
    sample.git(&["add", "a"]);
    sample.write("a", b"work\n");
    sample.write("x.log", b"log\n");
    let of_a = versions(&sample, "a");
    assert_eq!(of_a.head_bytes(), Some(&b"head\n"[..]));
    assert_eq!(of_a.index_bytes(), Some(&b"index\n"[..]));
    assert_eq!(of_a.work_bytes(), Some(&b"work\n"[..]));
    assert!(!of_a.ignored);
    let of_log = versions(&sample, "x.log");
    assert_eq!((of_log.head, of_log.index, of_log.ignored), (None, InIndex::Missing, true));
    for odd in [":!odd.log", "odd*[.log", "-x.log", "no folder/x.log"] {
        assert!(versions(&sample, odd).ignored, "{odd}");
    }
    sample.git(&["add", "-f", "x.log"]);
    assert!(!versions(&sample, "x.log").ignored);
    let of_nothing = versions(&sample, "nothing/there");
    assert_eq!((of_nothing.index, of_nothing.work, of_nothing.ignored), (InIndex::Missing, InWorkTree::Missing, false));
}

#[test]
fn promises_to_add_are_known_however_many_there_are() {
    let sample = Sample::with(&[("a", b"a\n")]);
    let paths: Vec<RepoPath> = (0..450).filter_map(|number| RepoPath::new(&format!("new/{number}"))).collect();
    paths.iter().for_each(|path| sample.write(path.as_str(), b"x\n"));
    sample.git(&["add", "-N", "new"]);
    let are_promised = || {
        let versions = sample.open().versions(&paths).unwrap();
        versions.iter().filter(|versions| versions.index == InIndex::Promised).count()
    };
    assert_eq!(are_promised(), paths.len());
    sample.git(&["update-index", "--split-index"]);
    assert_eq!(are_promised(), paths.len());
}
