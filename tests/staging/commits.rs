//! Other commits' files and the search among commits, in every kind of repository; the repository itself stays as it is.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use redpin::git::{Bisection, Left, Repository};

use super::repository::{Sample, git_in, snapshot};

/// A repository made with `options`: a first commit with everything that git writes in a way of its own, and a second one
/// that has nothing of it any more.
fn made(options: &[&str]) -> Sample {
    let sample = Sample::empty(options);
    sample.write("run", b"#!/bin/sh\n");
    sample.set_mode("run", 0o755);
    std::os::unix::fs::symlink("run", sample.top().join("link")).unwrap();
    sample.commit(&[(".gitattributes", b"*.txt eol=crlf\n"), ("a/lines.txt", b"one\ntwo\n"), ("a/x.rs", b"old\n")]);
    sample.git(&["rm", "-q", "link", "run"]);
    sample.commit(&[(".gitattributes", b"\n"), ("a/lines.txt", b"one\n"), ("a/x.rs", b"new\n")]);
    sample
}

/// Writes the first of two commits beside `sample` as the work tree at `top` sees it, and looks at what stands there.
#[track_caller]
fn check(sample: &Sample, top: &Path) {
    let of_git = || {
        let asked = [&["for-each-ref"][..], &["worktree", "list"], &["count-objects", "-v"]];
        asked.map(|asked| git_in(top, asked)).concat() + &snapshot(top)
    };
    let before = of_git();
    let repository = Repository::discover(top).unwrap();
    let commit = repository.commit_called("HEAD~1").unwrap().unwrap();
    assert_eq!(commit.id, git_in(top, &["rev-parse", "HEAD~1"]).trim());
    let folder = sample.beside("out");
    fs::create_dir(&folder).unwrap();
    let out = repository.check_out(&commit.id, &sample.beside("out.index"), &folder).unwrap();
    let files: Vec<&str> = out.files.iter().map(|file| file.as_str()).collect();
    assert_eq!(files, [".gitattributes", "a/lines.txt", "a/x.rs", "link", "run"]);
    let read = |name: &str| fs::read_to_string(folder.join(name)).unwrap();
    assert_eq!((read("a/lines.txt").as_str(), read("a/x.rs").as_str()), ("one\r\ntwo\r\n", "old\n"));
    assert!(fs::symlink_metadata(folder.join("link")).unwrap().is_symlink());
    assert_eq!(fs::metadata(folder.join("run")).unwrap().permissions().mode() & 0o111, 0o111);
    assert_eq!(of_git(), before);
}

#[test]
fn a_commit_is_written_as_git_writes_it() {
    let sample = made(&[]);
    check(&sample, sample.top());
}

#[test]
fn a_commit_of_a_sha_256_repository() {
    let sample = made(&["--object-format=sha256"]);
    check(&sample, sample.top());
}

#[test]
fn a_commit_of_a_repository_with_reftable() {
    let sample = made(&["--ref-format=reftable"]);
    check(&sample, sample.top());
}

#[test]
fn a_commit_seen_from_a_linked_worktree() {
    let sample = made(&[]);
    let linked = sample.beside("linked");
    sample.git(&["worktree", "add", "-q", "--detach", linked.to_str().unwrap()]);
    check(&sample, &linked);
}

#[test]
fn a_commit_of_a_repository_with_a_split_and_sparse_index() {
    let sample = made(&[]);
    sample.git(&["config", "core.splitIndex", "true"]);
    sample.git(&["update-index", "--split-index"]);
    sample.git(&["sparse-checkout", "set", "--no-cone", "/a/x.rs", "/.gitattributes"]);
    check(&sample, sample.top());
}

#[test]
fn a_submodule_is_told_and_not_there() {
    let sample = Sample::with(&[("x.rs", b"x\n")]);
    let id = sample.git(&["rev-parse", "HEAD"]);
    sample.git(&["update-index", "--add", "--cacheinfo", &format!("160000,{},vendor/sub", id.trim())]);
    sample.git(&["commit", "-q", "-m", "a submodule"]);
    let folder = sample.beside("out");
    fs::create_dir(&folder).unwrap();
    let out = sample.open().check_out("HEAD", &sample.beside("out.index"), &folder).unwrap();
    assert_eq!((out.files.len(), out.submodules[0].as_str()), (1, "vendor/sub"));
}

#[test]
fn a_name_that_is_no_commit_names_none() {
    let sample = made(&[]);
    let repository = sample.open();
    for name in ["nothing", "--all", "HEAD:a", ""] {
        assert_eq!(repository.commit_called(name).unwrap(), None, "{name}");
    }
    let commit = repository.commit_called("main").unwrap().unwrap();
    assert_eq!((commit.title.as_str(), commit.author.as_str()), ("a commit", "Ada <ada@example.org>"));
}

/// Commits `0` to `last` one after the other, each tagged with its number.
fn row(last: usize) -> Sample {
    let sample = Sample::empty(&[]);
    for number in 0..=last {
        sample.commit(&[("n", number.to_string().as_bytes())]);
        sample.git(&["tag", &number.to_string()]);
    }
    sample
}

/// What a search comes to where the commits from `broken` on are bad and those of `silent` tell nothing.
fn search(sample: &Sample, last: usize, broken: usize, silent: &[usize]) -> (String, Vec<usize>) {
    let repository = sample.open();
    let id = |number: usize| repository.commit_called(&number.to_string()).unwrap().unwrap().id;
    let number = |wanted: &str| (0..=last).find(|number| id(*number) == wanted).unwrap();
    let mut search = Bisection::new(&id(last), &id(0));
    let mut looked = Vec::new();
    loop {
        let next = match repository.left(&search).unwrap() {
            Left::Found(one) => return (format!("{}", number(&one)), looked),
            Left::Among(some) => {
                let mut some: Vec<usize> = some.iter().map(|one| number(one)).collect();
                some.sort_unstable();
                return (format!("{some:?}"), looked);
            }
            Left::Next(next, _) => next,
        };
        looked.push(number(&next));
        match number(&next) {
            one if silent.contains(&one) => search.is_skipped(&next),
            one if one >= broken => search.is_bad(&next),
            _ => search.is_good(&next),
        }
    }
}

#[test]
fn a_search_halves_what_is_left_as_git_does() {
    let sample = row(8);
    for broken in 1..=8 {
        let (found, looked) = search(&sample, 8, broken, &[]);
        assert_eq!(found, broken.to_string());
        assert!(looked.len() <= 3, "{looked:?}");
    }
    sample.git(&["bisect", "start", "8", "0"]);
    let first = sample.git(&["describe", "--tags", "--exact-match"]);
    let before = snapshot(sample.top()) + &sample.git(&["bisect", "log"]);
    let (_, looked) = search(&sample, 8, 3, &[]);
    assert_eq!(looked[0].to_string(), first.trim());
    assert_eq!(snapshot(sample.top()) + &sample.git(&["bisect", "log"]), before);
}

#[test]
fn a_search_goes_round_commits_that_tell_nothing() {
    let sample = row(8);
    assert_eq!(search(&sample, 8, 3, &[4, 5]).0, "3");
    assert_eq!(search(&sample, 8, 5, &[4, 5]).0, "[4, 5, 6]");
    assert_eq!(search(&sample, 8, 8, &[1, 2, 3, 4, 5, 6, 7]).0, "[1, 2, 3, 4, 5, 6, 7, 8]");
}

#[test]
fn a_search_follows_both_sides_of_a_merge() {
    let sample = row(2);
    sample.git(&["checkout", "-q", "-b", "side", "0"]);
    sample.commit(&[("m", b"side")]);
    let broke = sample.git(&["rev-parse", "HEAD"]);
    sample.git(&["checkout", "-q", "main"]);
    sample.git(&["merge", "-q", "--no-edit", "side"]);
    let repository = sample.open();
    let id = |name: &str| repository.commit_called(name).unwrap().unwrap().id;
    let mut search = Bisection::new(&id("main"), &id("0"));
    loop {
        match repository.left(&search).unwrap() {
            Left::Next(next, _) if repository.is_before(&id("side"), &next).unwrap() => search.is_bad(&next),
            Left::Next(next, _) => search.is_good(&next),
            end => {
                assert_eq!(end, Left::Found(broke.trim().to_owned()));
                break;
            }
        }
    }
}
