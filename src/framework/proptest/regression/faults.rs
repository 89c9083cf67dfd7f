//! What proptest itself would misread in a regression file, and would say little or nothing about.

use super::{Line, Meaning, Seed, SeedKind, lines};
use crate::failure::Notice;

/// The notices for a file named `file` that holds `text`, in the order of its lines.
pub(crate) fn notices(file: &str, text: &[u8]) -> Vec<Notice> {
    let mut found = Found { file, notices: Vec::new() };
    found.encoding(text);
    let mut in_conflict = false;
    for line in lines(text) {
        found.line(&line, &mut in_conflict);
    }
    found.notices
}

struct Found<'f> {
    file: &'f str,
    notices: Vec<Notice>,
}

impl Found<'_> {
    fn add(&mut self, line: u64, text: &str) {
        self.notices.push(Notice { file: self.file.to_owned(), line: Some(line), text: text.to_owned() });
    }

    fn encoding(&mut self, text: &[u8]) {
        let Err(error) = std::str::from_utf8(text) else { return };
        let line = 1 + memchr::memchr_iter(b'\n', &text[..error.valid_up_to()]).count() as u64;
        self.add(line, "not UTF-8: proptest reads no seed of this file at all; mend or take out this line");
    }

    fn line(&mut self, line: &Line<'_>, in_conflict: &mut bool) {
        match &line.meaning {
            Meaning::Silent => {}
            Meaning::Seed(seed) => self.seed(line.number, seed),
            Meaning::Unparsable => self.unparsable(line, in_conflict),
        }
        if line.comment.as_deref().is_some_and(holds_a_seed) {
            self.add(
                line.number,
                "a second seed was glued to this line's comment and is not run: give it a line of its own",
            );
        }
        if !line.ended {
            self.add(
                line.number,
                "no line end after this line: the next seed that proptest adds is glued to it and lost; add one",
            );
        }
    }

    fn seed(&mut self, line: u64, seed: &Seed) {
        if seed.kind() == SeedKind::PassThrough && seed.handle() == "pt" {
            self.add(line, "a bare `pt` makes many strategies run for ever: take this line out");
        }
    }

    fn unparsable(&mut self, line: &Line<'_>, in_conflict: &mut bool) {
        let text = line.before.as_ref();
        if text.starts_with("<<<<<<<") {
            *in_conflict = true;
            return self
                .add(line.number, "a merge conflict: proptest runs the seeds of both sides; take the marks out");
        }
        if *in_conflict && is_conflict_mark(text) {
            *in_conflict = !text.starts_with(">>>>>>>");
            return;
        }
        if let Some(rest) = text.strip_prefix('\u{feff}')
            && Seed::parse(rest).is_some()
        {
            return self
                .add(line.number, "a byte order mark makes proptest pass over this seed: save the file without it");
        }
        let nothing = |c: char| c.is_whitespace() || c == '\u{feff}';
        if !text.trim_matches(nothing).is_empty() {
            self.add(line.number, "not a seed that proptest understands: it passes over this line");
        }
    }
}

/// Whether a line begins as git marks the sides of a conflict.
pub(super) fn is_conflict_mark(line: &str) -> bool {
    ["<<<<<<<", "=======", "|||||||", ">>>>>>>"].iter().any(|mark| line.starts_with(mark))
}

/// Whether a comment goes on with a seed, as it does where the file lacked its final line end.
fn holds_a_seed(comment: &str) -> bool {
    let seed_at = |at: usize| {
        let (handle, rest) = comment[at..].split_at_checked(HANDLE)?;
        let ends = rest.trim_start().is_empty() || rest.trim_start().starts_with('#');
        Seed::parse(handle).filter(|seed| ends && seed.kind() == SeedKind::ChaCha)
    };
    comment.match_indices("cc ").any(|(at, _)| seed_at(at).is_some())
}

/// Length of a `cc` handle.
const HANDLE: usize = "cc ".len() + 64;

#[cfg(test)]
mod tests {
    use super::notices;

    const SEED: &str = "cc 000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f";

    /// `@` stands for a seed.
    #[track_caller]
    fn check(text: &[u8], expected: &[(u64, &str)]) {
        let text: Vec<u8> = text
            .iter()
            .flat_map(|b| if *b == b'@' { SEED.as_bytes() } else { std::slice::from_ref(b) })
            .copied()
            .collect();
        let told: Vec<_> = notices("x.txt", &text).into_iter().map(|n| (n.line.unwrap_or(0), n.text)).collect();
        let expected: Vec<_> = expected.iter().map(|(line, text)| (*line, (*text).to_owned())).collect();
        assert_eq!(told, expected);
    }

    #[test]
    fn a_file_as_proptest_writes_it_has_no_faults() {
        check(b"# Seeds\n#\n@ # shrinks to x = \"cc 12\"\n\n@\r\n", &[]);
        check(b"\xef\xbb\xbf# Seeds\n  # note\n  \n@\n", &[]);
        check(b"", &[]);
    }

    #[test]
    fn a_byte_that_is_not_utf_8_loses_every_seed() {
        let text = "not UTF-8: proptest reads no seed of this file at all; mend or take out this line";
        check(b"@ # \xff\xfe\n@\n", &[(1, text)]);
        check(b"@\n@ # \xff\n", &[(2, text)]);
    }

    #[test]
    fn a_missing_line_end_swallows_the_next_seed() {
        let missing = "no line end after this line: the next seed that proptest adds is glued to it and lost; add one";
        let glued = "a second seed was glued to this line's comment and is not run: give it a line of its own";
        let lost = "not a seed that proptest understands: it passes over this line";
        check(b"@ # shrinks to x = 1", &[(1, missing)]);
        check(b"@ # shrinks to x = 1@ # shrinks to x = 800\n", &[(1, glued)]);
        check(b"@@ # shrinks to x = 800\n", &[(1, lost)]);
        check(b"@ # shrinks to x = 1@  \n", &[(1, glued)]);
        check(b"@ # shrinks to x = 1@0\n", &[]);
    }

    #[test]
    fn a_comment_full_of_what_begins_like_a_seed_takes_no_time() {
        check(format!("@ # {}\n", "cc 00 ".repeat(1 << 18)).as_bytes(), &[]);
    }

    #[test]
    fn merge_marks_are_one_notice() {
        let marks = "a merge conflict: proptest runs the seeds of both sides; take the marks out";
        check(b"<<<<<<< HEAD\n@\n||||||| base\n=======\n@\n>>>>>>> branch\n", &[(1, marks)]);
    }

    #[test]
    fn lines_that_are_passed_over_are_told() {
        let lost = "not a seed that proptest understands: it passes over this line";
        check(
            b"\xef\xbb\xbf@\n",
            &[(1, "a byte order mark makes proptest pass over this seed: save the file without it")],
        );
        check(b"@ x\nCC 00\n=======\n", &[(1, lost), (2, lost), (3, lost)]);
        check(b"pt # zeros\n", &[(1, "a bare `pt` makes many strategies run for ever: take this line out")]);
    }
}
