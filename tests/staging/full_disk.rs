//! A disk that is full at any step: one clear error, and everything as it was.

use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};

use redpin::git::{GitErrorKind, Repository, Write};

use super::repository::{Sample, content, operation, snapshot};

/// Lets the disk be full at every step of `act` in turn; returns at how many.
fn check(sample: &Sample, act: impl Fn(&Repository) -> Result<(), redpin::git::GitError>) -> usize {
    let before = snapshot(sample.top());
    for full_at in 0.. {
        let steps = AtomicUsize::new(0);
        let full = move |_| match steps.fetch_add(1, Ordering::Relaxed) == full_at {
            true => Err(io::ErrorKind::StorageFull.into()),
            false => Ok(()),
        };
        let Err(error) = act(&sample.open().watched(full)) else { return full_at };
        let message = format!(
            "cannot write into {}: no storage space; make room first; nothing was changed",
            sample.top().display()
        );
        assert_eq!((error.kind, error.to_string()), (GitErrorKind::DiskFull, message));
        assert_eq!(snapshot(sample.top()), before, "full at step {full_at}");
        assert_eq!(sample.open().recover(), Ok(None));
    }
    0
}

#[test]
fn a_full_disk_changes_nothing() {
    let sample = Sample::with(&[("src/lib.rs", b"a\nb\n"), ("gone", b"gone\n")]);
    sample.write("promised", b"promised\n");
    sample.git(&["add", "-N", "promised"]);
    let changes = [
        ("src/lib.rs", content(b"a\npin\nb\n"), content(b"a\npin\nb\nc\n")),
        ("promised", content(b"real\n"), content(b"real\n")),
        ("new/deep/cc.txt", content(b"cc 1\n"), content(b"cc 1\n")),
        ("gone", Write::Remove, Write::Remove),
    ];
    let stage = |repository: &Repository| repository.stage(&operation(repository, &changes)).map(drop);
    assert_eq!(check(&sample, stage), 19);
    assert_eq!(check(&sample, |repository| repository.undo().map(drop)), 17);
    assert_eq!(check(&sample, |repository| repository.redo().map(drop)), 19);
}
