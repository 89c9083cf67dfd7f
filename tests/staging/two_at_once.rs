//! Two redpins, or a redpin and a git, at the same time.

use std::io::Write as _;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use redpin::git::{GitErrorKind, Repository, Step, Write};
use redpin::inbox::FailureId;
use redpin::triage::{Bench, Choice, Ignored, Outcome, PinWish, Prover, Triage, TriageError};
use redpin::verdict::Verdict;

use super::night;
use super::repository::{Sample, content, git_tries, operation};

#[test]
fn the_second_waits_for_the_first() {
    let sample = Sample::with(&[("a", b"a\n")]);
    let top = sample.top();
    let stage = |name: String| {
        let repository = Repository::discover(top).unwrap();
        for number in 0..5 {
            let path = format!("{name}/{number}");
            repository.stage(&operation(&repository, &[(&path, content(b"x\n"), content(b"x\n"))])).unwrap();
        }
    };
    std::thread::scope(|scope| {
        for name in ["one", "two", "three"] {
            scope.spawn(move || stage(name.to_owned()));
        }
    });
    let status = sample.git(&["status", "--porcelain"]);
    assert_eq!(status.lines().filter(|line| line.starts_with("A  ")).count(), 15, "{status}");
    let repository = sample.open();
    (0..15).for_each(|_| drop(repository.undo().unwrap()));
    assert_eq!(sample.git(&["status", "--porcelain"]), "");
}

#[test]
fn the_second_does_not_wait_for_ever() {
    let sample = Sample::with(&[("a", b"a\n"), ("b", b"b\n")]);
    let top = sample.top().to_owned();
    let (second, answer) = (Repository::discover(&top).unwrap(), std::sync::mpsc::channel());
    let first = sample.open().watched(move |step| {
        if step == Step::WriteIndex {
            let change = operation(&second, &[("b", content(b"pin\n"), Write::Keep)]);
            answer.0.send(second.stage(&change)).unwrap();
        }
        Ok(())
    });
    first.stage(&operation(&first, &[("a", content(b"pin\n"), Write::Keep)])).unwrap();
    let error = answer.1.recv_timeout(Duration::from_secs(60)).unwrap().unwrap_err();
    assert_eq!(error.kind, GitErrorKind::Busy);
    assert_eq!(error.to_string(), "another redpin is writing into this repository; try again when it is done");
    assert_eq!(sample.git(&["diff", "--cached", "--name-only"]), "a\n");
}

#[test]
fn a_git_that_writes_the_index_meanwhile_is_waited_for() {
    let sample = Sample::with(&[("a", b"a\n")]);
    let lock = sample.top().join(".git/index.lock");
    std::fs::File::create(&lock).unwrap();
    let repository = sample.open();
    let change = operation(&repository, &[("a", content(b"pin\n"), content(b"pin\n"))]);
    std::thread::scope(|scope| {
        let staged = scope.spawn(|| repository.stage(&change));
        std::fs::rename(&lock, sample.beside("released")).unwrap();
        staged.join().unwrap().unwrap();
    });
    assert_eq!(sample.git(&["status", "--porcelain"]), "M  a\n");
}

#[test]
fn a_held_repository_lets_nobody_else_write_the_index() {
    let sample = Sample::with(&[("a", b"a\n"), ("b", b"b\n")]);
    sample.write("b", b"edited\n");
    let before = sample.snapshot();
    let repository = sample.open();
    let held = repository.hold().unwrap();
    while !sample.top().join(".git/index.lock").exists() {
        std::thread::yield_now();
    }
    assert!(!git_tries(sample.top(), &["add", "b"]).status.success());
    assert_eq!(sample.open().hold().unwrap_err().kind, GitErrorKind::Busy);
    let change = operation(&repository, &[("a", content(b"pin\n"), content(b"pin\n"))]);
    repository.stage_held(held, &change).unwrap();
    assert_eq!(sample.git(&["status", "--porcelain"]), "M  a\n M b\n");
    repository.undo().unwrap();
    drop(repository.hold().unwrap());
    assert_eq!(sample.snapshot(), before);
    sample.git(&["add", "b"]);
}

#[test]
fn what_is_saved_while_the_index_is_written_is_not_written_over() {
    let sample = Sample::with(&[("a", b"a\n"), ("b", b"b\n")]);
    let index = sample.git(&["ls-files", "-s"]);
    let file = |name: &str| sample.top().join(name);
    let saved = file("b");
    let repository = sample.open().watched(move |step| match step {
        Step::WriteIndex => std::fs::File::create(&saved)?.write_all(b"saved\n"),
        _ => Ok(()),
    });
    let pin = || content(b"pin\n");
    let change = operation(&repository, &[("a", pin(), pin()), ("b", pin(), pin())]);
    let told = repository.stage(&change).map_err(|error| (error.kind, error.to_string()));
    let texts = ["a", "b"].map(|name| std::fs::read_to_string(file(name)).unwrap());
    assert_eq!(texts, ["a\n", "saved\n"]);
    let why = "b was changed in the work tree meanwhile; look at it and try again, or change the patch with git";
    assert_eq!(told, Err((GitErrorKind::Changed, why.to_owned())));
    assert_eq!(sample.git(&["ls-files", "-s"]), index);
}

#[test]
fn what_a_killed_redpin_left_comes_into_the_history_of_one_that_runs() {
    let sample = Sample::with(&[("a", b"a\n")]);
    let mut running = Triage::open(sample.top(), jiff::Timestamp::now).unwrap();
    let killed = sample.open().watched(|step| if step == Step::Settle { panic!("killed") } else { Ok(()) });
    let change = operation(&killed, &[("a", content(b"pin\n"), content(b"pin\n"))]);
    catch_unwind(AssertUnwindSafe(|| killed.stage(&change))).unwrap_err();
    let told = running.stage(&[], Ignored::LeaveOut, None).map(|_| ()).unwrap_err().to_string();
    assert_eq!(
        told,
        format!(
            "redpin was stopped during the staging of “{}”; it has been completed; look at the result and run the command \
             again",
            change.title
        )
    );
    assert_eq!(running.undo().unwrap(), format!("undone: {}", change.title));
    assert_eq!(sample.git(&["status", "--porcelain"]), "");
}

#[test]
fn two_that_pin_in_one_source_file_at_once_both_get_their_pins_in() {
    const EACH: usize = 10;
    let sample = night::repository(2 * EACH);
    let before = sample.snapshot();
    let names: Vec<String> = (0..2 * EACH).map(|number| format!("p{number}")).collect();
    let failures: Vec<_> = names.iter().map(|name| (name.as_str(), "x < 1", 7)).collect();
    let ids = night::import(&sample, &mut night::open(&sample), &failures);
    let barrier = std::sync::Barrier::new(2);
    let pin = |ids: &[FailureId]| {
        let failures = Some(ids.iter().map(|id| id.0.clone()).collect());
        let mut triage = night::open(&sample);
        barrier.wait();
        triage.pin(&PinWish { failures, ..PinWish::default() }, None).map(|(staged, _)| staged.operation)
    };
    std::thread::scope(|scope| {
        let others = scope.spawn(|| pin(&ids[EACH..]));
        let told = format!("stage {EACH} pins");
        assert_eq!(pin(&ids[..EACH]).unwrap().as_ref(), Some(&told));
        assert_eq!(others.join().unwrap().unwrap(), Some(told));
    });
    let staged = sample.git(&["show", &format!(":{}", night::SOURCE)]);
    assert_eq!(staged.matches("_pin_").count(), 2 * EACH, "{staged}");
    assert_eq!(std::fs::read_to_string(sample.top().join(night::SOURCE)).unwrap(), staged);
    let mut triage = night::open(&sample);
    triage.undo().unwrap();
    triage.undo().unwrap();
    assert_eq!(sample.snapshot(), before);
}

/// Proves nothing, and takes as long as it takes another redpin to judge a failure anew.
struct Slow<'a>(&'a dyn Fn());

impl Prover for Slow<'_> {
    fn prove(&mut self, bench: &Bench<'_>) -> Result<Vec<Choice>, TriageError> {
        (self.0)();
        Ok(bench.choices())
    }
}

#[test]
fn what_is_judged_anew_while_pins_are_proven_stays_as_it_was_judged() {
    let sample = night::repository(3);
    let mut first = night::open(&sample);
    let ids = night::import(&sample, &mut first, &["p0", "p1", "p2"].map(|name| (name, "x < 1", 7)));
    first.decide_all(&ids, Some(Verdict::RealBug), None).unwrap();
    let judge = |id: &FailureId, verdict, note| drop(night::open(&sample).decide(id, Some(verdict), note).unwrap());

    let anew = || {
        judge(&ids[0], Verdict::WrongProperty, None);
        judge(&ids[2], Verdict::RealBug, Some("twice a week"));
    };
    let staged = first.stage(&ids, Ignored::LeaveOut, Some(&mut Slow(&anew))).unwrap();
    let outcomes: Vec<Outcome> = staged.failures.iter().map(|one| one.outcome).collect();
    assert_eq!(outcomes, [Outcome::Refused, Outcome::Staged, Outcome::Refused]);
    let source = sample.git(&["show", &format!(":{}", night::SOURCE)]);
    assert_eq!(["p0_pin", "p1_pin", "p2_pin"].map(|pin| source.contains(pin)), [false, true, false]);

    let back = || judge(&ids[2], Verdict::AmbiguousSpec, Some("which week?"));
    let staged = first.settle(&ids[2], Verdict::RealBug, None, Ignored::LeaveOut, Some(&mut Slow(&back))).unwrap();
    assert_eq!(staged.failures[0].outcome, Outcome::Refused);
    let judged = ids.iter().map(|id| night::open(&sample).inbox().get(id).map(|one| (one.verdict, one.note.clone())));
    let expected = [(Verdict::WrongProperty, ""), (Verdict::RealBug, ""), (Verdict::AmbiguousSpec, "which week?")];
    let expected = expected.map(|(verdict, note)| Some((Some(verdict), note.to_owned())));
    assert_eq!(judged.collect::<Vec<_>>(), expected);
}
