//! Lines of regression files, and laws that hold for any bytes.

use proptest::prelude::*;

use super::{Meaning, lines};

const SEED: &str = "cc 000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f";

/// Each line as its meaning and comment.
#[track_caller]
fn check(text: &str, expected: &[(&str, Option<&str>)]) {
    let read: Vec<_> = lines(text.as_bytes())
        .map(|line| {
            let meaning = match line.meaning {
                Meaning::Silent => "silent".to_owned(),
                Meaning::Unparsable => "unparsable".to_owned(),
                Meaning::Seed(seed) => seed.handle().to_owned(),
            };
            (meaning, line.comment.map(|comment| comment.into_owned()))
        })
        .collect();
    let expected: Vec<_> = expected.iter().map(|(m, c)| ((*m).to_owned(), c.map(str::to_owned))).collect();
    assert_eq!(read, expected, "{text:?}");
}

#[test]
fn a_line_is_cut_at_its_first_hash() {
    check(&format!("{SEED} # shrinks to x = \"#1\"\n"), &[(SEED, Some(" shrinks to x = \"#1\""))]);
    check(&format!("# note\n\n{SEED}#\n"), &[("silent", Some(" note")), ("silent", None), (SEED, Some(""))]);
}

#[test]
fn white_space_alone_is_not_understood() {
    check(
        " \n  # note\n\r\n\r",
        &[("unparsable", None), ("unparsable", Some(" note")), ("silent", None), ("unparsable", None)],
    );
}

#[test]
fn a_lone_carriage_return_ends_no_line() {
    check(&format!("{SEED} # a\r{SEED} # b\r\n"), &[(SEED, Some(&format!(" a\r{SEED} # b")))]);
    check(&format!("{SEED}\r\n{SEED}\r"), &[(SEED, None), (SEED, None)]);
}

proptest! {
    #[test]
    fn lines_cover_any_bytes(bytes in prop::collection::vec(prop_oneof![Just(b'\n'), Just(b'#'), Just(b'c'), any::<u8>()], 0..200)) {
        let mut end = 0;
        for line in lines(&bytes) {
            prop_assert_eq!(line.span.start, end);
            end = line.span.end;
        }
        prop_assert_eq!(end, bytes.len());
    }
}
