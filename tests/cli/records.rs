//! What stands in the folder of decision records and is none: it is told, never read as one, and never waited for.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::symlink;
use std::path::PathBuf;

use super::desk::Desk;

const FEE: &str = "fee_grows_every_day";
const FEE_RECORD: &str = "0a50b58d9766-bill_9_fee_grows_every_day.json";

fn folder(desk: &Desk) -> PathBuf {
    desk.top().join(".redpin/decisions")
}

#[expect(clippy::disallowed_methods, reason = "a test makes its files")]
fn put(desk: &Desk, name: &str, text: &[u8]) {
    fs::create_dir_all(folder(desk)).unwrap();
    fs::write(folder(desk).join(name), text).unwrap();
}

/// The notices of `list` on the recorded run, and the state it tells of the fee's failure.
fn listed(desk: &Desk) -> (Vec<(String, String)>, String) {
    let told = desk.redpin(&["list", "--json", desk.run()]);
    let told: serde_json::Value = serde_json::from_str(&told.out).unwrap();
    let text = |value: &serde_json::Value| value.as_str().unwrap().to_owned();
    let notices = told["notices"].as_array().unwrap().iter();
    let notices = notices.map(|notice| (text(&notice["file"]), text(&notice["text"]))).collect();
    let fee = told["failures"].as_array().unwrap().iter().find(|row| row["requirement"] == "BILL-9").unwrap();
    (notices, text(&fee["state"]))
}

/// What the fee's own record says when it holds `text`, and that nothing is staged over it.
#[track_caller]
fn check(text: &[u8], says: &str) {
    let desk = Desk::new();
    put(&desk, FEE_RECORD, text);
    let file = format!(".redpin/decisions/{FEE_RECORD}");
    assert_eq!(listed(&desk), (vec![(file.clone(), says.to_owned())], "open".to_owned()));
    let imported = desk.redpin(&["import", desk.run()]);
    assert!(imported.err.contains(&format!("{file}: {says}")), "{}", imported.err);
    let decided = desk.redpin(&["decide", FEE, "wrong-property"]);
    assert_eq!(decided.code, 1, "{decided:?}");
    assert!(decided.out.contains(&format!("{file} {says}")), "{}", decided.out);
    assert_eq!(fs::read(folder(&desk).join(FEE_RECORD)).unwrap(), text);
}

/// A record of the fee's failure as redpin writes it.
fn whole_record() -> String {
    let desk = Desk::new();
    desk.redpin(&["import", desk.run()]);
    assert_eq!(desk.redpin(&["decide", FEE, "wrong-property"]).code, 0);
    fs::read_to_string(folder(&desk).join(FEE_RECORD)).unwrap()
}

#[test]
fn a_damaged_record_is_told_and_does_not_count() {
    let whole = whole_record();
    check(
        &whole.as_bytes()[..40],
        "cannot be read as a decision record: EOF while parsing a string at line 3 column 23: restore it with git, or \
         move it away",
    );
    check(b"\xff\xfe{\0}\0", "is not UTF-8, and so no decision record: restore it with git, or move it away");
    check(
        whole.replace("\"schema\": 1", "\"schema\": 2").as_bytes(),
        "is a decision record of schema 2, and this redpin knows schema 1: use a redpin that knows it, or move it away",
    );
}

#[test]
fn a_long_input_is_cut_in_what_is_committed_and_shown_whole() {
    let desk = Desk::new();
    let (input, message) = ("x".repeat(40_000), "y".repeat(20_000));
    let log = desk.log(&format!(
        "---- csv_1_a_cell_reads_back stdout ----\n\nthread 'csv_1_a_cell_reads_back' (7) panicked at tests/text.rs:25:1:\n\
         Test failed: {message}.\nminimal failing input: cell = \"{input}\"\n\tsuccesses: 3\n\tlocal rejects: 0\n\
         \tglobal rejects: 0\n\n"
    ));
    desk.redpin(&["import", &log]);
    assert_eq!(desk.redpin(&["decide", "csv_1_a_cell_reads_back", "ambiguous-spec"]).code, 0);
    let name = fs::read_dir(folder(&desk)).unwrap().next().unwrap().unwrap().path();
    let record: serde_json::Value = serde_json::from_slice(&fs::read(name).unwrap()).unwrap();
    let text = |key: &str| record[key].as_str().unwrap().to_owned();
    let kept = |head: &str, left: &str| format!("{head} … [{left} more bytes; sha256 of the whole: ");
    let cell = "cell = \"";
    let start = kept(&format!("{cell}{}", &input[..(16 << 10) - cell.len()]), "23625");
    assert!(text("counterexample").starts_with(&start), "{}", text("counterexample"));
    assert!(text("message").starts_with(&kept(&message[..16 << 10], "3616")), "{}", text("message"));
    let spec = desk.git(&["diff", "--cached", "spec.md"]);
    let start = kept(&format!("+>     {cell}{}", &input[..1024 - cell.len()]), "38985");
    assert!(spec.contains(&start), "{spec}");
    let id = text("failure");
    assert!(desk.redpin(&["show", &id]).out.contains(&input));
    let again = desk.redpin(&["decide", &id, "ambiguous-spec"]);
    assert!(again.out.contains("already-staged"), "{}", again.out);
}

#[test]
fn what_is_no_file_or_too_large_for_a_record_is_told_and_not_opened() {
    let desk = Desk::new();
    put(&desk, FEE_RECORD, whole_record().as_bytes());
    put(&desk, "README.md", b"what this is\n");
    put(&desk, "0-huge.json", b"");
    fs::File::options().write(true).open(folder(&desk).join("0-huge.json")).unwrap().set_len(64 << 30).unwrap();
    fs::create_dir(folder(&desk).join("1-folder.json")).unwrap();
    symlink("/dev/zero", folder(&desk).join("2-link.json")).unwrap();
    rustix::fs::mknodat(
        rustix::fs::CWD,
        folder(&desk).join("3-pipe.json"),
        rustix::fs::FileType::Fifo,
        rustix::fs::Mode::from_raw_mode(0o600),
        0,
    )
    .unwrap();
    fs::File::create(folder(&desk).join(OsStr::from_bytes(b"4-\xff.json"))).unwrap();
    let told = |name: &str, what: &str| {
        let text = format!("{what}, and so no decision record: it is not read; move it away");
        (format!(".redpin/decisions/{name}"), text)
    };
    let expected = [
        told("0-huge.json", "is larger than 1024 KiB"),
        told("1-folder.json", "is a folder"),
        told("2-link.json", "is a symbolic link"),
        told("3-pipe.json", "is no regular file"),
        told("4-\u{fffd}.json", "has a name that is not read here"),
    ];
    assert_eq!(listed(&desk), (expected.to_vec(), "known".to_owned()));
}

#[test]
fn a_folder_of_records_that_is_none_is_told() {
    let desk = Desk::new();
    fs::create_dir(desk.top().join(".redpin")).unwrap();
    symlink("/", folder(&desk)).unwrap();
    let text = "is a symbolic link, and so no decision record: it is not read; move it away";
    assert_eq!(listed(&desk).0, [(".redpin/decisions".to_owned(), text.to_owned())]);
}

/// The state that `list` tells of the fee's failure, with the run and without.
fn states(desk: &Desk) -> [String; 2] {
    [&["list", "--json"][..], &["list", "--json", desk.run()]].map(|arguments| {
        let told: serde_json::Value = serde_json::from_str(&desk.redpin(arguments).out).unwrap();
        let fee = told["failures"].as_array().unwrap().iter().find(|row| row["requirement"] == "BILL-9").unwrap();
        fee["state"].as_str().unwrap().to_owned()
    })
}

#[test]
fn what_was_staged_and_thrown_away_is_decided_and_no_more() {
    let desk = Desk::new();
    desk.redpin(&["import", desk.run()]);
    assert_eq!(desk.redpin(&["decide", FEE, "wrong-property"]).code, 0);
    assert_eq!(states(&desk), ["staged", "staged"]);
    assert_eq!(desk.redpin(&["decide", FEE, "real-bug"]).code, 1, "the other verdict stands");
    desk.git(&["reset", "-q", "--hard"]);
    assert_eq!(states(&desk), ["decided", "decided"]);
    assert_eq!(desk.redpin(&["decide", FEE, "real-bug"]).code, 0);
    assert_eq!(states(&desk), ["staged", "staged"]);
}

#[test]
fn where_git_ignores_the_records_what_was_staged_stays_so() {
    let desk = Desk::new();
    desk.redpin(&["import", desk.run()]);
    desk.exclude(".redpin");
    assert_eq!(desk.redpin(&["decide", FEE, "real-bug"]).code, 0);
    assert!(!folder(&desk).exists());
    assert_eq!(states(&desk), ["staged", "staged"]);
}
