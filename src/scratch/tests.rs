//! The scratch copy against real folders.

use std::fs;
use std::path::Path;

use super::{Scratch, sweep};
use crate::repo_path::RepoPath;

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

#[test]
fn the_copy_follows_the_work_tree_and_what_is_put_in_its_place() {
    let (cache, top) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let (cache, top) = (cache.path(), top.path());
    write(&top.join("a/x.rs"), "x");
    write(&top.join("b.rs"), "b");
    write(&top.join("ignored"), "no");
    let scratch = Scratch::open(cache, top).unwrap();
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

#[test]
fn a_copy_that_was_left_half_made_is_made_anew() {
    let (cache, top) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    write(&top.path().join("b.rs"), "b");
    let scratch = Scratch::open(cache.path(), top.path()).unwrap();
    write(&scratch.tree().join("half.rs"), "left");
    scratch.mirror(&paths(&["b.rs"]), &[]).unwrap();
    assert_eq!(listed(&scratch.tree()), ["b.rs: b"]);
}

#[test]
fn scratch_folders_of_repositories_that_are_gone_are_removed() {
    let (cache, top, gone) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    for origin in [top.path(), gone.path()] {
        drop(Scratch::open(cache.path(), origin).unwrap());
    }
    drop(gone);
    sweep(cache.path());
    assert_eq!(fs::read_dir(cache.path()).unwrap().count(), 1);
}

#[test]
fn a_target_directory_gets_what_is_not_the_repositorys_own() {
    let (cache, top) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let debug = top.path().join("target/debug");
    for name in ["deps/libserde-00.rlib", "deps/serde-00.d", "deps/libmy_own-00.rlib", ".fingerprint/my-own-00/x"] {
        write(&debug.join(name), "");
    }
    let scratch = Scratch::open(cache.path(), top.path()).unwrap();
    scratch.seed(&top.path().join("target"), &["my_own".to_owned()]);
    assert_eq!(listed(&scratch.target()), ["debug/deps/libserde-00.rlib: ", "debug/deps/serde-00.d: "]);
}
