//! The scratch copy against real folders.

use std::fs;
use std::panic::AssertUnwindSafe;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use super::{Checkout, Scratch, sweep};
use crate::repo_path::RepoPath;
use crate::source_tree::SourceTree;

fn paths(names: &[&str]) -> Vec<RepoPath> {
    names.iter().map(|name| RepoPath::new(name).unwrap()).collect()
}

#[expect(clippy::disallowed_methods, reason = "the test plays the user")]
fn write(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

/// Every file of the copy with its text, sorted.
fn listed(tree: &Path) -> Vec<String> {
    let mut found = Vec::new();
    let mut folders = vec![tree.to_owned()];
    while let Some(folder) = folders.pop() {
        for one in fs::read_dir(folder).unwrap() {
            let path = one.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(tree).unwrap().display().to_string();
                found.push(format!("{name}: {}", fs::read_to_string(&path).unwrap()));
            }
        }
    }
    found.sort();
    found
}

/// The scratch folder, which nobody else holds for long.
fn opened(cache: &Path, top: &Path) -> Scratch {
    Scratch::open(cache, top, || true).unwrap().unwrap()
}

#[test]
fn the_copy_leads_to_installed_packages_as_long_as_there_are_some() {
    let (cache, top) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let (cache, top) = (cache.path(), top.path());
    write(&top.join("a/x.py"), "x");
    write(&top.join("a/.venv/bin/python"), "p");
    write(&top.join("venv"), "a file of the user's own");
    let names = ["a/.venv", "venv", "b/.venv"].map(std::path::PathBuf::from).to_vec();
    let scratch = opened(cache, top).leading_to(names);
    let files = paths(&["a/x.py", "venv"]);
    scratch.mirror(&files, &[]).unwrap();
    let led = scratch.tree().join("a/.venv");
    assert_eq!(fs::read_link(&led).unwrap(), top.join("a/.venv"));
    assert_eq!(listed(&scratch.tree()), ["a/.venv/bin/python: p", "a/x.py: x", "venv: a file of the user's own"]);
    scratch.mirror(&paths(&[]), &[]).unwrap();
    assert!(top.join("a/.venv/bin/python").exists(), "what is led to is nobody's to remove");
    fs::remove_dir_all(top.join("a/.venv")).unwrap();
    scratch.mirror(&files, &[]).unwrap();
    assert!(fs::symlink_metadata(&led).is_err());
}

/// A link at `place` to what `target` says.
fn link(target: &str, place: &Path) {
    fs::create_dir_all(place.parent().unwrap()).unwrap();
    std::os::unix::fs::symlink(target, place).unwrap();
}

#[test]
fn packages_of_the_repository_itself_are_those_of_the_copy() {
    let (cache, top) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let (cache, top) = (cache.path(), top.path());
    write(&top.join("packages/core/a.js"), "here");
    write(&top.join("node_modules/far/b.js"), "far");
    write(&top.join("node_modules/.store/c/c.js"), "c");
    link("../../packages/core", &top.join("node_modules/@x/core"));
    link("../packages/core", &top.join("node_modules/core"));
    link(".store/c", &top.join("node_modules/c"));
    let scratch = opened(cache, top).leading_to(vec!["node_modules".into(), "packages/node_modules".into()]);
    let put = [(RepoPath::new("packages/core/a.js").unwrap(), b"there".to_vec())];
    let seen = |name: &str| fs::read_to_string(scratch.tree().join("node_modules").join(name)).unwrap();
    for _ in 0..2 {
        scratch.mirror(&paths(&["packages/core/a.js"]), &put).unwrap();
        assert_eq!(["@x/core/a.js", "core/a.js", "far/b.js", "c/c.js"].map(seen), ["there", "there", "far", "c"]);
    }
    fs::remove_dir_all(top.join("node_modules")).unwrap();
    link("../../packages/core", &top.join("node_modules/@x/core"));
    scratch.mirror(&paths(&["packages/core/a.js"]), &[]).unwrap();
    assert!(fs::symlink_metadata(scratch.tree().join("node_modules/core")).is_err());
    assert_eq!(seen("@x/core/a.js"), "here");
    fs::remove_dir_all(top.join("node_modules/@x")).unwrap();
    scratch.mirror(&paths(&["packages/core/a.js"]), &[]).unwrap();
    assert_eq!(fs::read_link(scratch.tree().join("node_modules")).unwrap(), top.join("node_modules"));
}

#[test]
fn nothing_is_written_or_removed_through_a_link() {
    let (cache, top) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let (cache, top) = (cache.path(), top.path());
    write(&top.join("a.js"), "a");
    write(&top.join("node_modules/dep/index.js"), "the user's own");
    write(&top.join("node_modules/runner/index.js"), "runs");
    let scratch = opened(cache, top).leading_to(vec!["node_modules".into()]);
    scratch.mirror(&paths(&["a.js"]), &[]).unwrap();
    let dep = scratch.tree().join("node_modules/dep/index.js");

    let (folder, index) = scratch.base("c0ffee").unwrap();
    write(&folder.join("node_modules/dep/index.js"), "the commit's");
    let commit = Checkout::new(folder, index, paths(&["node_modules/dep/index.js"]));
    scratch.stand_at(&commit, &[]).unwrap();
    assert_eq!(fs::read_to_string(&dep).unwrap(), "the commit's");
    let runner = scratch.tree().join("node_modules/runner/index.js");
    assert_eq!(fs::read_to_string(runner).unwrap(), "runs", "what the commit has not is led to");
    scratch.stand_at(&commit, &[]).unwrap();
    assert_eq!(fs::read_to_string(&dep).unwrap(), "the commit's");
    let own = top.join("node_modules/dep/index.js");
    assert_eq!(fs::read_to_string(&own).unwrap(), "the user's own");

    scratch.mirror(&paths(&["a.js"]), &[]).unwrap();
    assert_eq!(fs::read_to_string(&own).unwrap(), "the user's own");
    assert_eq!(fs::read_to_string(&dep).unwrap(), "the user's own", "what is installed is led to again");
}

#[test]
fn the_copy_follows_the_work_tree_and_what_is_put_in_its_place() {
    let (cache, top) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let (cache, top) = (cache.path(), top.path());
    write(&top.join("a/x.rs"), "x");
    write(&top.join("b.rs"), "b");
    write(&top.join("ignored"), "no");
    let scratch = opened(cache, top);
    let files = paths(&["a/x.rs", "b.rs", "removed.rs"]);
    let put = [(RepoPath::new("b.rs").unwrap(), b"pinned".to_vec())];
    scratch.mirror(&files, &put).unwrap();
    assert_eq!(listed(&scratch.tree()), ["a/x.rs: x", "b.rs: pinned"]);

    let written = |name: &str| fs::metadata(scratch.tree().join(name)).unwrap().modified().unwrap();
    let before = written("a/x.rs");
    scratch.mirror(&files, &[]).unwrap();
    assert_eq!(listed(&scratch.tree()), ["a/x.rs: x", "b.rs: b"]);
    assert_eq!(written("a/x.rs"), before, "what is the same is not written");

    fs::remove_dir_all(top.join("a")).unwrap();
    write(&top.join("a"), "a file now");
    scratch.mirror(&paths(&["a", "b.rs"]), &[]).unwrap();
    assert_eq!(listed(&scratch.tree()), ["a: a file now", "b.rs: b"]);
}

/// When each of `names` was written in the copy.
fn written(scratch: &Scratch, names: &[&str]) -> Vec<std::time::SystemTime> {
    names.iter().map(|name| fs::metadata(scratch.tree().join(name)).unwrap().modified().unwrap()).collect()
}

#[test]
fn a_commit_takes_the_copys_place_and_leaves_alone_what_is_the_same() {
    let (cache, top) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let names = ["same.rs", "other.rs"];
    names.iter().for_each(|name| write(&top.path().join(name), "here"));
    let scratch = opened(cache.path(), top.path());
    scratch.mirror(&paths(&names), &[]).unwrap();
    let here = written(&scratch, &names);

    let (folder, index) = scratch.base("c0ffee").unwrap();
    write(&folder.join("same.rs"), "here");
    write(&folder.join("other.rs"), "there");
    write(&folder.join("more.rs"), "more");
    let commit = Checkout::new(folder.clone(), index, paths(&["more.rs", "other.rs", "same.rs"]));
    scratch.stand_at(&commit, &[(RepoPath::new("pin.rs").unwrap(), b"pin".to_vec())]).unwrap();
    assert_eq!(listed(&scratch.tree()), ["more.rs: more", "other.rs: there", "pin.rs: pin", "same.rs: here"]);
    let there = written(&scratch, &names);
    assert_eq!(there[0], here[0], "what is the same keeps its time");
    assert!(there[1] > here[1], "what differs is newer than any build of it");
    drop(commit);
    assert!(!folder.exists(), "the commit's own files are gone");

    scratch.mirror(&paths(&names), &[]).unwrap();
    assert_eq!(listed(&scratch.tree()), ["other.rs: here", "same.rs: here"]);
    let back = written(&scratch, &names);
    assert!(back[0] == here[0] && back[1] > there[1], "what was built of the commit is not taken for this");
}

#[test]
fn what_tests_write_over_the_copy_does_not_stay() {
    let (cache, top) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    write(&top.path().join("seeds.txt"), "one");
    let scratch = opened(cache.path(), top.path());
    scratch.mirror(&paths(&["seeds.txt"]), &[]).unwrap();
    write(&scratch.tree().join("seeds.txt"), "one and two");
    scratch.mirror(&paths(&["seeds.txt"]), &[]).unwrap();
    assert_eq!(listed(&scratch.tree()), ["seeds.txt: one"]);
}

#[test]
fn what_was_seen_holds_until_a_file_changes_or_something_else_is_asked() {
    let (origin, cache) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    write(&origin.path().join("a"), "1");
    let scratch = Scratch::open(cache.path(), origin.path(), || true).unwrap().unwrap();
    let files = paths(&["a", "b"]);
    let seen = |files: &[RepoPath], question: &str| scratch.seen(&scratch.state(files, question));
    assert_eq!(seen(&files, "question"), None);
    let state = scratch.state(&files, "question");
    scratch.keep_seen(&state, b"an\nanswer").unwrap();
    assert_eq!(seen(&files, "question").as_deref(), Some(&b"an\nanswer"[..]));
    assert_eq!(seen(&files, "another"), None);
    assert_eq!(seen(&files[..1], "question"), None);
    write(&origin.path().join("b"), "2");
    assert_eq!(seen(&files, "question"), None);
    scratch.keep_seen(&state, b"late").unwrap();
    assert_eq!(seen(&files, "question"), None, "what was seen before a change is not what would be seen after it");
}

#[test]
fn what_tests_leave_behind_goes_where_it_would_change_the_next() {
    let (cache, top) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    write(&top.path().join("kept.txt"), "k");
    let scratch = opened(cache.path(), top.path()).clearing(|name| name.ends_with(".txt"));
    scratch.mirror(&paths(&["kept.txt"]), &[]).unwrap();
    write(&scratch.tree().join("seeds/new.txt"), "s");
    write(&scratch.tree().join("made.rs"), "m");
    scratch.mirror(&paths(&["kept.txt"]), &[]).unwrap();
    assert_eq!(listed(&scratch.tree()), ["kept.txt: k", "made.rs: m"]);
}

#[test]
fn what_is_changed_in_the_copy_on_purpose_does_not_stay() {
    let (cache, top) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    write(&top.path().join("x.rs"), "x");
    let scratch = opened(cache.path(), top.path());
    scratch.mirror(&paths(&["x.rs"]), &[]).unwrap();
    let change = |tree: &Path| ["x.rs", "new.rs"].iter().for_each(|name| write(&tree.join(name), "violated"));
    scratch.alter(&paths(&["x.rs", "new.rs"]), change).unwrap();
    assert_eq!(listed(&scratch.tree()), ["new.rs: violated", "x.rs: violated"]);
    scratch.mirror(&paths(&["x.rs"]), &[]).unwrap();
    assert_eq!(listed(&scratch.tree()), ["x.rs: x"]);
}

#[test]
fn a_commits_files_that_a_killed_redpin_left_are_removed() {
    let (cache, top) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let scratch = opened(cache.path(), top.path());
    let (folder, _) = scratch.base("c0ffee").unwrap();
    write(&folder.join("x.rs"), "x");
    drop(scratch);
    drop(opened(cache.path(), top.path()));
    assert!(!folder.exists());
}

#[test]
fn a_commits_links_lead_nowhere_else() {
    let (cache, top) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    write(&top.path().join("secret"), "s");
    let scratch = opened(cache.path(), top.path());
    let (folder, index) = scratch.base("c0ffee").unwrap();
    std::os::unix::fs::symlink(top.path(), folder.join("out")).unwrap();
    let commit = Checkout::new(folder, index, Vec::new());
    let behind = RepoPath::new("out/secret").unwrap();
    assert!(!commit.may_hold(&behind) && commit.read(&behind).is_none());
}

#[test]
fn a_copy_that_was_left_half_made_is_made_anew() {
    let (cache, top) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    write(&top.path().join("b.rs"), "b");
    let scratch = opened(cache.path(), top.path());
    write(&scratch.tree().join("half.rs"), "left");
    scratch.mirror(&paths(&["b.rs"]), &[]).unwrap();
    assert_eq!(listed(&scratch.tree()), ["b.rs: b"]);
}

#[test]
fn scratch_folders_of_repositories_that_are_gone_are_removed() {
    let (cache, top, gone) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    for origin in [top.path(), gone.path()] {
        drop(opened(cache.path(), origin));
    }
    drop(gone);
    sweep(cache.path());
    assert_eq!(fs::read_dir(cache.path()).unwrap().count(), 1);
}

#[test]
fn who_waits_for_another_is_asked_whether_to_go_on() {
    let (cache, top) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let first = Scratch::open(cache.path(), top.path(), || panic!("nobody is there")).unwrap();
    let mut asked = 0;
    let none = Scratch::open(cache.path(), top.path(), || {
        asked += 1;
        asked < 3
    });
    assert!(none.unwrap().is_none());
    assert_eq!(asked, 3);
    let mut first = first;
    let second = Scratch::open(cache.path(), top.path(), || {
        first.take();
        true
    });
    assert!(second.unwrap().is_some());
}

/// A clone that is made anew at its old place while another redpin looks for folders that nobody needs any more.
#[test]
fn a_repository_that_comes_back_keeps_the_copy_that_is_made_of_it() {
    let (cache, place) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let top = place.path().join("clone");
    let done = AtomicBool::new(false);
    std::thread::scope(|threads| {
        threads.spawn(|| {
            while !done.load(Ordering::Relaxed) {
                sweep(cache.path());
            }
        });
        let come_back = || {
            for time in 0..300 {
                write(&top.join("a"), &time.to_string());
                let scratch = opened(cache.path(), &top);
                scratch.mirror(&paths(&["a"]), &[]).unwrap();
                std::thread::yield_now();
                assert_eq!(listed(&scratch.tree()), [format!("a: {time}")]);
                drop(scratch);
                fs::remove_dir_all(&top).unwrap();
            }
        };
        let came = std::panic::catch_unwind(AssertUnwindSafe(come_back));
        done.store(true, Ordering::Relaxed);
        assert!(came.is_ok());
    });
}

#[test]
fn a_target_directory_gets_what_is_not_the_repositorys_own() {
    let (cache, top) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let debug = top.path().join("target/debug");
    // The program is of the repository, whatever it is called.
    for name in [
        "deps/libserde-00.rlib",
        "deps/serde-00.d",
        "deps/serde-01",
        "build/serde-02/out/x.rs",
        "deps/libmy_own-00.rlib",
        ".fingerprint/my-own-00/x",
    ] {
        write(&debug.join(name), "");
    }
    let scratch = opened(cache.path(), top.path());
    scratch.seed(&top.path().join("target"), &["my_own".to_owned()]);
    let brought = ["debug/build/serde-02/out/x.rs: ", "debug/deps/libserde-00.rlib: ", "debug/deps/serde-00.d: "];
    assert_eq!(listed(&scratch.target()), brought);
    // A link to the user's file stands there by now.
    write(&debug.join("deps/libserde-00.rlib"), "the user's own");
    scratch.seed(&top.path().join("target"), &["my_own".to_owned()]);
    assert_eq!(fs::read_to_string(debug.join("deps/libserde-00.rlib")).unwrap(), "the user's own");
}
