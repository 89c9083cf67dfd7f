//! Staging, undo and redo where nothing is in the way.

use redpin::git::{OperationId, Write};
use serde_json::json;

use super::repository::{Sample, content};

#[test]
fn index_and_work_tree_change_each_to_its_own_content() {
    let sample = Sample::with(&[("src/lib.rs", b"a\nb\n")]);
    sample.write("src/lib.rs", b"a\nb\nunstaged\n");
    let before = sample.snapshot();
    let operation = sample.operation(&[
        ("src/lib.rs", content(b"a\npin\nb\n"), content(b"a\npin\nb\nunstaged\n")),
        ("new/deep/cc.txt", content(b"cc 1\n"), content(b"cc 1\ncc 2\n")),
    ]);
    let repository = sample.open();

    assert_eq!(repository.stage(&operation), Ok(OperationId(1)));

    assert_eq!(sample.git(&["show", ":src/lib.rs"]), "a\npin\nb\n");
    assert_eq!(
        sample.git(&["diff"]).lines().filter(|line| line.starts_with('+')).collect::<Vec<_>>(),
        ["+++ b/new/deep/cc.txt", "+cc 2", "+++ b/src/lib.rs", "+unstaged"]
    );
    let after = sample.snapshot();

    let undone = repository.undo().unwrap();
    assert_eq!((undone.title.as_str(), undone.attachment), ("pin 1 failure", json!({"pins": [1, 2]})));
    assert_eq!(undone.files.iter().map(|path| path.as_str()).collect::<Vec<_>>(), ["src/lib.rs", "new/deep/cc.txt"]);
    assert_eq!(sample.snapshot(), before);

    assert_eq!(repository.redo().unwrap().id, OperationId(1));
    assert_eq!(sample.snapshot(), after);
    repository.undo().unwrap();
    assert_eq!(sample.snapshot(), before);
}

#[test]
fn either_side_may_stay_or_go() {
    let sample = Sample::with(&[("a", b"a\n"), ("b", b"b\n"), ("c", b"c\n"), ("d", b"d\n")]);
    let before = sample.snapshot();
    let repository = sample.open();
    let operation = sample.operation(&[
        ("a", content(b"A\n"), Write::Keep),
        ("b", Write::Keep, content(b"B\n")),
        ("c", Write::Remove, Write::Keep),
        ("d", Write::Remove, Write::Remove),
    ]);
    repository.stage(&operation).unwrap();
    assert_eq!(sample.git(&["status", "--porcelain"]), "MM a\n M b\nD  c\nD  d\n?? c\n");
    repository.undo().unwrap();
    assert_eq!(sample.snapshot(), before);
}
