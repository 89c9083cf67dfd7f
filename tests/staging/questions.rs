//! What git is asked besides staging.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::symlink;

use redpin::git::User;
use redpin::repo_path::RepoPath;
use redpin::source_tree::{SourceTree, read_for};

use super::repository::Sample;

fn path(text: &str) -> RepoPath {
    RepoPath::new(text).unwrap()
}

#[test]
fn the_work_tree_gives_regular_files_inside_it() {
    let sample = Sample::with(&[("src/lib.rs", b"a\n"), ("deleted", b"x\n"), (".gitignore", b"target\n")]);
    sample.write("target/out", b"ignored\n");
    sample.write("untracked", b"new\n");
    std::fs::rename(sample.top().join("deleted"), sample.beside("outside")).unwrap();
    symlink("src/lib.rs", sample.top().join("inside")).unwrap();
    symlink(sample.beside("outside"), sample.top().join("leads-out")).unwrap();
    symlink(".git", sample.top().join("leads-into-git")).unwrap();
    let tree = sample.open().work_tree();
    let read = |name: &str| tree.read(&path(name)).map(|bytes| bytes.to_vec());
    assert_eq!(read("src/lib.rs"), Some(b"a\n".to_vec()));
    assert_eq!(read("inside"), Some(b"a\n".to_vec()));
    assert_eq!(read("target/out"), Some(b"ignored\n".to_vec()));
    for name in ["leads-out", "leads-into-git/config", "deleted", "src", "src/lib.rs/x", "nothing"] {
        assert_eq!(read(name), None, "{name}");
        assert!(!tree.exists(&path(name)), "{name}");
    }
    assert!(tree.exists(&path("untracked")));
    let found = tree.find(&|name| !name.contains("lead"));
    let names: Vec<&str> = found.iter().map(RepoPath::as_str).collect();
    assert_eq!(names, [".gitignore", "deleted", "inside", "src/lib.rs", "untracked"]);
    sample.write("src/lib.rs", b"changed\n");
    assert_eq!(read("src/lib.rs"), Some(b"a\n".to_vec()), "one tree gives the same bytes as long as it lives");
}

#[test]
fn the_work_tree_tells_what_it_cannot_read() {
    let sample = Sample::with(&[("src/lib.rs", b"a\n")]);
    symlink("around", sample.top().join("around")).unwrap();
    sample.write("src/back\\slash.rs", b"fn f() {}\n");
    std::fs::copy(sample.top().join("src/lib.rs"), sample.top().join(OsStr::from_bytes(b"src/gr\xfc.rs"))).unwrap();
    let tree = sample.open().work_tree();
    let found = tree.find(&|name| name.ends_with(".rs"));
    assert_eq!(found, [path("src/lib.rs")]);
    assert_eq!(tree.read(&path("around")), None);
    assert_eq!(tree.read(&path("nothing")), None);
    let told: Vec<String> =
        tree.trouble().into_iter().map(|notice| format!("{}: {}", notice.file, notice.text)).collect();
    let odd = "is not read: its name is not UTF-8, or holds a backslash";
    let around = format!(
        "around: cannot be read, and nothing that stands in it is found: {}",
        std::io::Error::from_raw_os_error(rustix::io::Errno::LOOP.raw_os_error())
    );
    assert_eq!(told, [around, format!("src/back\\slash.rs: {odd}"), format!("src/gr\u{fffd}.rs: {odd}")]);
}

#[test]
fn files_that_hold_a_word_are_those_that_reading_each_would_find() {
    let sample = Sample::with(&[
        ("src/lib.rs", b"a WORD\n"),
        ("src/deep/gr\u{fc}n.rs", b"\0 other.word \0"),
        ("src/none.rs", b"word, otherXword\n"),
        ("src/gone.rs", b"WORD\n"),
        ("notes.md", b"WORD\n"),
        (".gitignore", b"made.rs\n"),
    ]);
    #[expect(clippy::disallowed_methods, reason = "the test plays the user")]
    std::fs::remove_file(sample.top().join("src/gone.rs")).unwrap();
    sample.write("made.rs", b"WORD\n");
    sample.write("new.rs", b"WORD");
    let check = |words: &[&str], expected: &[&str]| {
        let tree = sample.open().work_tree();
        let expected: Vec<RepoPath> = expected.iter().map(|file| path(file)).collect();
        assert_eq!(tree.holding(".rs", words), expected, "{words:?}");
        assert_eq!(read_for(&tree, ".rs", words), expected, "{words:?}");
    };
    check(&["WORD", "other.word"], &["new.rs", "src/deep/gr\u{fc}n.rs", "src/lib.rs"]);
    check(&["nowhere"], &[]);
}

#[test]
fn what_git_ignores_is_an_error_where_git_cannot_tell() {
    let sample = Sample::with(&[("a", b"1\n")]);
    sample.git(&["config", "core.excludesFile", "~nobody-of-that-name/ignore"]);
    let error = sample.open().versions(&[path("a")]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "git says: failed to expand user dir in: '~nobody-of-that-name/ignore'; so it is not known which files git ignores"
    );
}

#[test]
fn the_last_change_of_a_file_is_one_line() {
    let sample = Sample::with(&[("a", b"1\n"), ("b", b"1\n")]);
    sample.write("a", b"2\n");
    let date = "--date=2026-11-28T12:00:00Z";
    sample.git(&["commit", "-q", "-a", date, "-m", "Split cents\n\nmore text", "--author=Grace <g@example.org>"]);
    let id = sample.git(&["rev-parse", "--short", "HEAD"]);
    let expected = format!("{} 2026-11-28 Grace: Split cents", id.trim_end());
    assert_eq!(sample.open().last_change(&path("a")), Some(expected));
    assert_eq!(sample.open().last_change(&path("nothing")), None);
    assert_eq!(Sample::empty(&[]).open().last_change(&path("a")), None);
}

#[test]
fn the_user_is_named_as_git_would_name_them() {
    let sample = Sample::empty(&[]);
    assert_eq!(sample.open().user(), User::OfGit("Ada <ada@example.org>".to_owned()));
    sample.git(&["config", "committer.name", "Ada L. 3rd"]);
    assert_eq!(sample.open().user(), User::OfGit("Ada L. 3rd <ada@example.org>".to_owned()));
}
