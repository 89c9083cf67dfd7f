//! The store on a real disk: what survives, what two writers see, what is refused.

use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use super::file::Lock;
use super::{Store, StoreError};
use crate::failure::{Failure, testing::failure};
use crate::history::{Change, Event, Step};
use crate::inbox::{self, FailureId, Filed, Mark, State};
use crate::repo_path::RepoPath;
use crate::requirement::RequirementId;

fn filed(id: &str) -> Arc<Filed> {
    let failure = Failure { message: "no".to_owned(), ..failure(&format!("tests::{id}")) };
    Arc::new(inbox::testing::filed(id, failure))
}

fn note(id: &str, was: &str, now: &str) -> Event {
    let mark = |note: &str| Mark { state: State::Decided, note: note.to_owned(), ..Mark::default() };
    let change = Change { id: FailureId(id.to_owned()), was: mark(was), now: mark(now) };
    Event::Done(Step { title: now.to_owned(), changes: vec![change], operation: None, naming: None })
}

fn import(folder: &Path, ids: &[&str]) {
    let mut store = Store::open(folder).unwrap();
    store.lock().unwrap().replace(ids.iter().map(|id| filed(id)).collect(), "nightly", "2026-11-30T03:17:00Z").unwrap();
}

fn record(store: &mut Store, event: Event) {
    store.lock().unwrap().record(event).unwrap();
}

fn notes(store: &Store) -> Vec<(&str, &str)> {
    store.inbox().filed().iter().map(|filed| (filed.id.0.as_str(), filed.note.as_str())).collect()
}

fn append(path: &Path, bytes: &[u8]) {
    File::options().append(true).open(path).unwrap().write_all(bytes).unwrap();
}

fn put(path: &Path, bytes: &[u8]) {
    File::create(path).unwrap().write_all(bytes).unwrap();
}

/// Spoils a store of one failure, with one event taken in, and expects `complaint` (the folder is cut off) from the next start.
fn check_complaint(spoil: impl FnOnce(&Path), complaint: &str) {
    let folder = tempfile::tempdir().unwrap();
    import(folder.path(), &["a"]);
    record(&mut Store::open(folder.path()).unwrap(), note("a", "", "one"));
    import(folder.path(), &["a"]);
    spoil(folder.path());
    let said = Store::open(folder.path()).unwrap_err().to_string();
    assert_eq!(said.replace(&format!("{}/", folder.path().display()), ""), complaint);
}

#[test]
fn a_store_that_another_writes_is_not_waited_for_for_ever() {
    let folder = tempfile::tempdir().unwrap();
    let mut first = Store::open(folder.path()).unwrap();
    let writing = first.lock().unwrap();
    let refused = Lock::take_within(Duration::ZERO, folder.path()).unwrap_err().to_string();
    let said = format!(
        "another redpin (process {}) has been writing into {} for 5 seconds; try again when it is done, or end it",
        std::process::id(),
        folder.path().display()
    );
    assert_eq!(refused, said);
    drop(writing);
    Lock::take_within(Duration::ZERO, folder.path()).unwrap();
}

#[test]
fn reading_a_store_that_is_not_there_writes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(&folder.path().join("redpin")).unwrap();
    assert_eq!(notes(&store), []);
    assert!(!folder.path().join("redpin").exists());
}

#[test]
fn decisions_survive_the_next_start_and_the_next_import() {
    let folder = tempfile::tempdir().unwrap();
    import(folder.path(), &["a", "b"]);
    let mut store = Store::open(folder.path()).unwrap();
    record(&mut store, note("a", "", "one"));
    record(&mut store, note("b", "", "two"));
    record(&mut store, Event::Undone);
    assert_eq!(notes(&store), [("a", "one"), ("b", "")]);
    let mut again = Store::open(folder.path()).unwrap();
    assert_eq!(notes(&again), [("a", "one"), ("b", "")]);
    let kept = again.inbox().filed().to_vec();
    again.lock().unwrap().replace(kept, "tonight", "").unwrap();
    let mut last = Store::open(folder.path()).unwrap();
    assert_eq!((last.run(), notes(&last)), ("tonight", vec![("a", "one"), ("b", "")]));
    record(&mut last, Event::Undone);
    assert_eq!(notes(&Store::open(folder.path()).unwrap()), [("a", ""), ("b", "")]);
}

#[test]
fn an_import_has_the_last_word_over_older_events() {
    let folder = tempfile::tempdir().unwrap();
    import(folder.path(), &["a"]);
    record(&mut Store::open(folder.path()).unwrap(), note("a", "", "one"));
    import(folder.path(), &["a"]);
    assert_eq!(notes(&Store::open(folder.path()).unwrap()), [("a", "")]);
}

#[test]
fn two_redpins_take_in_what_the_other_wrote() {
    let folder = tempfile::tempdir().unwrap();
    import(folder.path(), &["a", "b"]);
    let (mut one, mut two) = (Store::open(folder.path()).unwrap(), Store::open(folder.path()).unwrap());
    record(&mut one, note("a", "", "of one"));
    record(&mut two, note("b", "", "of two"));
    record(&mut one, Event::Undone);
    assert_eq!(notes(&one), [("a", "of one"), ("b", "")]);
    import(folder.path(), &["c"]);
    record(&mut two, note("c", "", "after the import"));
    assert_eq!(notes(&two), [("c", "after the import")]);
}

#[test]
fn an_event_that_a_killed_process_left_unfinished_is_none() {
    let folder = tempfile::tempdir().unwrap();
    import(folder.path(), &["a"]);
    record(&mut Store::open(folder.path()).unwrap(), note("a", "", "one"));
    append(&folder.path().join("journal.jsonl"), b"{\"done\":{\"title\":\"tw");
    let mut store = Store::open(folder.path()).unwrap();
    assert_eq!(notes(&store), [("a", "one")]);
    record(&mut store, note("a", "one", "three"));
    assert_eq!(notes(&Store::open(folder.path()).unwrap()), [("a", "three")]);
}

#[test]
fn a_store_that_was_moved_away_is_begun_anew() {
    let folder = tempfile::tempdir().unwrap();
    import(folder.path(), &["a"]);
    let mut store = Store::open(folder.path()).unwrap();
    record(&mut store, note("a", "", "one"));
    std::fs::rename(folder.path().join("inbox.jsonl"), folder.path().join("old")).unwrap();
    std::fs::rename(folder.path().join("journal.jsonl"), folder.path().join("older")).unwrap();
    record(&mut store, note("a", "", "two"));
    assert_eq!(notes(&store), []);
    assert_eq!(store.history().last().map(|step| step.title.as_str()), Some("two"));
}

#[test]
fn a_damaged_store_is_named_with_its_line_and_never_dropped() {
    check_complaint(
        |folder| append(&folder.join("journal.jsonl"), b"{}\n"),
        "journal.jsonl is damaged at line 3 (expected value); move its folder away to begin with an \
         empty inbox, or mend the line",
    );
    check_complaint(
        |folder| append(&folder.join("inbox.jsonl"), b"\xff\n"),
        "could not read inbox.jsonl: stream did not contain valid UTF-8",
    );
    check_complaint(
        |folder| {
            append(
                &folder.join("inbox.jsonl"),
                format!("{}\n", serde_json::to_string(&*filed("b")).unwrap()).as_bytes(),
            )
        },
        "inbox.jsonl is damaged at line 3 (expected 1 failures, found 2); move its folder away to begin with an empty \
         inbox, or mend the line",
    );
    check_complaint(
        |folder| {
            File::create(folder.join("journal.jsonl")).unwrap();
        },
        "journal.jsonl is damaged at line 1 (it ends before the events that the inbox has taken in); move its folder \
         away to begin with an empty inbox, or mend the line",
    );
}

#[test]
fn a_store_of_another_form_is_left_alone() {
    check_complaint(
        |folder| File::create(folder.join("inbox.jsonl")).unwrap().write_all(b"{\"redpin\":2}\n").unwrap(),
        "inbox.jsonl has form 2, this redpin reads form 1; use the redpin that wrote it, or move its folder away to \
         begin with an empty inbox",
    );
}

/// What `glance` shows of a store of two failures that `spoil` changed, or what it complains of.
fn glanced(spoil: impl FnOnce(&Path)) -> (tempfile::TempDir, Result<Store, StoreError>) {
    let folder = tempfile::tempdir().unwrap();
    import(folder.path(), &["a", "b"]);
    record(&mut Store::open(folder.path()).unwrap(), note("a", "", "one"));
    spoil(folder.path());
    let store = Store::glance(folder.path());
    (folder, store)
}

fn is_unread(store: &Store) -> bool {
    store.unread.is_some()
}

/// Changes the inbox's file, but neither its length nor its time.
fn overwrite(folder: &Path, old: &str, new: &str) {
    let path = folder.join("inbox.jsonl");
    let time = path.metadata().unwrap().modified().unwrap();
    let text = std::fs::read_to_string(&path).unwrap();
    assert!(text.contains(old) && old.len() == new.len());
    put(&path, text.replace(old, new).as_bytes());
    File::options().append(true).open(path).unwrap().set_modified(time).unwrap();
}

#[test]
fn a_glance_shows_what_the_whole_store_holds() {
    let (folder, store) = glanced(|_| {});
    let (mut store, whole) = (store.unwrap(), Store::open(folder.path()).unwrap());
    assert!(is_unread(&store) && !is_unread(&whole));
    assert_eq!(notes(&store), [("a", "one"), ("b", "")]);
    assert_eq!(store.inbox().causes(), whole.inbox().causes());
    assert_eq!(store.inbox().filed(), whole.inbox().filed());
    record(&mut store, note("b", "", "two"));
    assert_eq!(notes(&Store::glance(folder.path()).unwrap()), [("a", "one"), ("b", "two")]);
}

#[test]
fn what_only_some_failures_have_is_in_their_rows() {
    let folder = tempfile::tempdir().unwrap();
    let mut odd = filed("a").as_ref().clone();
    odd.set_mark(Mark { state: State::Known, note: "said\nbefore".to_owned(), ..Mark::default() });
    (odd.pin_failed, odd.only_replay, odd.candidates) = (true, true, vec!["one".to_owned(), "two".to_owned()]);
    (odd.file, odd.line) = (RepoPath::new("src/a b.rs"), Some(7));
    odd.requirement = Some(RequirementId("R-1".to_owned()));
    Store::open(folder.path()).unwrap().lock().unwrap().replace(vec![Arc::new(odd.clone())], "", "").unwrap();
    let store = Store::glance(folder.path()).unwrap();
    assert!(is_unread(&store));
    assert_eq!(*store.inbox().filed()[0], odd);
}

#[test]
fn a_failure_that_fits_in_no_row_is_read_whole() {
    let folder = tempfile::tempdir().unwrap();
    let mut odd = filed("a").as_ref().clone();
    odd.file = RepoPath::new("src/a\tb.rs");
    Store::open(folder.path()).unwrap().lock().unwrap().replace(vec![Arc::new(odd.clone())], "", "").unwrap();
    let store = Store::glance(folder.path()).unwrap();
    assert!(!is_unread(&store));
    assert_eq!(*store.inbox().filed()[0], odd);
}

#[test]
fn rows_that_do_not_fit_the_inbox_are_not_used() {
    type Spoil = fn(&Path);
    let spoils: [Spoil; 6] = [
        |folder| std::fs::rename(folder.join("rows"), folder.join("old")).unwrap(),
        |folder| append(&folder.join("rows"), b"[]\n"),
        |folder| {
            let text = std::fs::read_to_string(folder.join("rows")).unwrap();
            put(&folder.join("rows"), &text.as_bytes()[..text.len() - 3]);
        },
        |folder| {
            let old = std::fs::read(folder.join("rows")).unwrap();
            import(folder, &["a", "b"]);
            record(&mut Store::open(folder).unwrap(), note("a", "", "one"));
            put(&folder.join("rows"), &old);
        },
        |folder| overwrite(folder, "\"generation\":1,", "\"generation\":7,"),
        |folder| {
            let inbox = File::options().append(true).open(folder.join("inbox.jsonl")).unwrap();
            inbox.set_modified(std::time::UNIX_EPOCH).unwrap();
        },
    ];
    for spoil in spoils {
        let (_folder, store) = glanced(spoil);
        let store = store.unwrap();
        assert!(!is_unread(&store));
        assert_eq!(notes(&store), [("a", "one"), ("b", "")]);
    }
}

#[test]
fn damage_that_a_glance_does_not_see_stops_the_next_write() {
    let (_folder, store) = glanced(|folder| overwrite(folder, "\"panicked\":false", "\"panicked\":fals?"));
    let mut store = store.unwrap();
    let shown = store.inbox().filed()[0].failure.message.clone();
    assert!(shown.starts_with("this failure cannot be read from the inbox: "), "{shown}");
    let refused = store.lock().unwrap_err().to_string();
    assert!(refused.contains("inbox.jsonl is damaged at line 2"), "{refused}");
    assert!(store.check().is_err());
}

#[test]
fn an_inbox_that_another_replaced_is_still_the_one_that_was_opened() {
    let (folder, store) = glanced(|_| {});
    let mut store = store.unwrap();
    import(folder.path(), &["c"]);
    assert_eq!(store.inbox().filed()[1].failure.test.0, "tests::b");
    record(&mut store, note("c", "", "after the import"));
    assert_eq!(notes(&store), [("c", "after the import")]);
}

#[test]
fn only_a_store_with_rows_opens_at_once() {
    let folder = tempfile::tempdir().unwrap();
    assert!(Store::at_once(folder.path()).is_none());
    import(folder.path(), &["a", "b"]);
    assert_eq!(Store::at_once(folder.path()).map(|store| store.inbox().filed().len()), Some(2));
    std::fs::rename(folder.path().join("rows"), folder.path().join("old")).unwrap();
    assert!(Store::at_once(folder.path()).is_none());
}
