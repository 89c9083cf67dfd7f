//! redpin killed at every step of an operation: the next start finds the old state or the new one, and says which.

use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};

use redpin::git::{GitErrorKind, Repository, Step, Write};

use super::child;
use super::repository::{Sample, content, operation};

/// Several files of each sort, so that a kill can come between them.
fn changes() -> [(&'static str, Write, Write); 4] {
    [
        ("src/lib.rs", content(b"a\npin\nb\n"), content(b"a\npin\nb\nunstaged\n")),
        ("src/promised.rs", content(b"real\n"), content(b"real\n")),
        ("new/deep/cc.txt", content(b"cc 1\n"), content(b"cc 1\n")),
        ("gone", Write::Remove, Write::Remove),
    ]
}

fn sample() -> Sample {
    let sample = Sample::with(&[("src/lib.rs", b"a\nb\n"), ("gone", b"gone\n")]);
    sample.write("src/lib.rs", b"a\nb\nunstaged\n");
    sample.set_mode("src/lib.rs", 0o755);
    sample.write("src/promised.rs", b"promised\n");
    sample.git(&["add", "-N", "src/promised.rs"]);
    sample
}

fn act(repository: &Repository, action: &str) {
    child::act(repository, action, &changes());
}

/// Lets a child do `action` in the repository and be killed at a step; false where it came to its end before.
fn killed(sample: &Sample, action: &str, kill_at: usize) -> bool {
    !child::start(sample.top(), action, Some(kill_at), &changes(), &[]).success()
}

/// Kills `action` at every step. `old` and `new` are the states before and after it; `prepare` brings about the old one.
fn check(sample: &Sample, action: &str, old: &str, new: &str, restore: impl Fn(&Repository)) {
    let repository = sample.open();
    let (mut rolled_back, mut completed) = (0, 0);
    for kill_at in 0.. {
        assert_eq!(sample.snapshot(), old);
        let was_killed = killed(sample, action, kill_at);
        let recovered = repository.recover().unwrap();
        let now = sample.snapshot();
        assert!(now == old || now == new, "{action} killed at step {kill_at}: {now}");
        if let Some(recovered) = recovered {
            let stands = if action == "undo" { now == old } else { now == new };
            assert_eq!(recovered.stands, stands);
            let what = if action == "undo" { "the undo of" } else { "the staging of" };
            let how = if now == old { "rolled back" } else { "completed" };
            let message = format!("redpin was stopped during {what} “pin 1 failure”; it has been {how}");
            assert_eq!(recovered.message, message);
        }
        if now == old {
            rolled_back += 1
        } else {
            completed += 1
        }
        assert_eq!(repository.recover(), Ok(None));
        if now == new {
            restore(&repository);
        }
        if !was_killed {
            break;
        }
    }
    assert!(rolled_back > 5 && completed > 4, "{action}: {rolled_back} rolled back, {completed} completed");
}

#[test]
fn a_kill_leaves_the_old_state_or_the_new_one() {
    let sample = sample();
    let repository = sample.open();
    let old = sample.snapshot();
    act(&repository, "stage");
    let new = sample.snapshot();
    act(&repository, "undo");
    let undo = |repository: &Repository| act(repository, "undo");
    let redo = |repository: &Repository| act(repository, "redo");
    check(&sample, "stage", &old, &new, undo);
    act(&repository, "stage");
    check(&sample, "undo", &new, &old, redo);
    act(&repository, "undo");
    check(&sample, "redo", &old, &new, undo);
}

#[test]
fn a_kill_while_git_holds_the_index_for_it_leaves_no_lock_behind() {
    let sample = sample();
    let old = sample.snapshot();
    // Before the fourth step the journal knows of nothing.
    for kill_at in 0..3 {
        assert!(killed(&sample, "stage", kill_at));
        // Whoever comes next waits until git has let go.
        drop(sample.open().hold().unwrap());
        assert!(!sample.top().join(".git/index.lock").exists(), "killed at step {kill_at}");
        assert_eq!(sample.snapshot(), old);
    }
}

#[test]
fn an_index_that_got_a_part_of_its_lines_is_rolled_back() {
    let sample = sample();
    let old = sample.snapshot();
    let told = AtomicUsize::new(0);
    let stop = move |step| match step {
        Step::Tell if told.fetch_add(1, Ordering::Relaxed) == 2 => Err(io::ErrorKind::StorageFull.into()),
        _ => Ok(()),
    };
    let repository = sample.open().watched(stop);
    let error = repository.stage(&operation(&repository, &changes())).unwrap_err();
    assert_eq!(error.kind, GitErrorKind::DiskFull);
    assert_eq!(sample.snapshot(), old);
}

#[test]
fn a_file_that_changed_between_kill_and_start_is_left_alone() {
    let sample = sample();
    let repository = sample.open();
    for kill_at in 0.. {
        assert!(killed(&sample, "stage", kill_at), "expected to be killed when src/lib.rs is replaced");
        if std::fs::read(sample.top().join("src/lib.rs")).unwrap() == b"a\npin\nb\nunstaged\n" {
            break;
        }
        if repository.recover().unwrap().is_some_and(|recovered| recovered.stands) {
            repository.undo().unwrap();
        }
    }
    sample.write("src/lib.rs", b"edited\n");
    sample.write("new/deep/cc.txt", b"edited\n");
    let recovered = repository.recover().unwrap().unwrap();
    let message = "redpin was stopped during the staging of “pin 1 failure”; it has been completed; src/lib.rs was \
                   changed meanwhile and left as it is; new/deep/cc.txt was changed meanwhile and left as it is";
    assert_eq!(recovered.message, message);
    assert_eq!(std::fs::read(sample.top().join("src/lib.rs")).unwrap(), b"edited\n");
    assert_eq!(sample.git(&["show", ":src/lib.rs"]), "a\npin\nb\n");
}

#[test]
fn the_next_command_settles_first_and_does_nothing_else() {
    let sample = sample();
    let old = sample.snapshot();
    // The journal has the operation by its fourth step.
    assert!(killed(&sample, "stage", 4));
    let error = sample.open().undo().unwrap_err();
    assert_eq!(error.kind, GitErrorKind::Settled);
    assert_eq!(sample.snapshot(), old);
}

#[test]
fn what_a_kill_completed_can_be_taken_back_and_done_again() {
    let sample = sample();
    let repository = sample.open();
    repository.stage(&operation(&repository, &[("gone", content(b"other\n"), content(b"other\n"))])).unwrap();
    repository.undo().unwrap();
    let old = sample.snapshot();
    let stop = |step| if step == Step::Settle { panic!("stopped") } else { Ok(()) };
    let stopped = sample.open().watched(stop);
    let staging = std::panic::AssertUnwindSafe(|| stopped.stage(&operation(&stopped, &changes())));
    assert!(std::panic::catch_unwind(staging).is_err());
    assert!(repository.recover().unwrap().unwrap().stands);
    let new = sample.snapshot();
    assert_eq!(repository.undo().unwrap().id.0, 2);
    assert_eq!(sample.snapshot(), old);
    assert_eq!(repository.redo().unwrap().id.0, 2);
    assert_eq!(sample.snapshot(), new);
}
