//! Adds a seed to a regression file and takes one out again, every other byte kept.

use memchr::memchr;

use super::{Line, SHRINKS_TO, Seed, lines, spans};
use crate::edit::{Edits, TextEdit, line_end};
use crate::failure::Counterexample;
use crate::span::Span;
use crate::value::one_line;
use crate::visible;

/// What a new file opens with.
const HEADER: &str = "\
# Seeds of inputs that once broke a property. proptest runs them again before
# it makes up new ones; keep this file under version control.
";

/// So many lines has the beginning of a file that proptest makes.
const LINES_OF_PROPTEST: usize = 6;

/// The line for a seed and the value it shrank to, as proptest writes it: the value on one line, names as printed. What
/// prints nothing is escaped, as the value may be of a type that prints whatever it likes.
pub(crate) fn line(seed: &Seed, counterexample: &Counterexample) -> String {
    let arguments = counterexample.arguments.iter().map(|argument| match argument.name.as_str() {
        "" => one_line(&argument.text),
        name => format!("{name} = {}", one_line(&argument.text)),
    });
    let value = arguments.collect::<Vec<_>>().join(", ");
    if value.is_empty() {
        return seed.handle().to_owned();
    }
    format!("{} #{SHRINKS_TO}{}", seed.handle(), visible::line(&value.replace(['\n', '\r'], " ")))
}

/// Adds `line` at the end of `text`, on a line of its own; nothing where its seed is there already. Empty `text` is a new
/// file and gets a header. A last line without a line end gets one, and the added line then has none.
pub(crate) fn add(text: &[u8], line: &str) -> Edits {
    let added = lines(line.as_bytes()).next();
    if added.as_ref().and_then(Line::seed).is_none_or(|seed| find(text, seed).is_some()) {
        return Edits::new();
    }
    let end = line_end(text);
    let insert = match text.last() {
        None => format!("{HEADER}{line}\n"),
        Some(b'\n') => format!("{line}{end}"),
        Some(_) => format!("{end}{line}"),
    };
    TextEdit { span: Span::at(text.len()), insert: insert.into_bytes() }.into()
}

/// The lines before the first seed.
pub(crate) fn head(text: &[u8]) -> &[u8] {
    let first = lines(text).find(|line| line.seed().is_some());
    &text[..first.map_or(text.len(), |line| line.span.start)]
}

/// Whether `text` is the beginning of a new file, proptest's or ours, and nothing else. That of proptest is told by its
/// first words and its length.
pub(crate) fn is_bare(text: &[u8]) -> bool {
    let comments = || text.split(|&byte| byte == b'\n').filter(|line| !line.trim_ascii().is_empty());
    let of_proptest = text.starts_with(b"# Seeds for failure cases") && comments().count() == LINES_OF_PROPTEST;
    text == HEADER.as_bytes() || text.trim_ascii().is_empty() || (of_proptest && comments().all(|line| line[0] == b'#'))
}

/// Takes the last line of that seed out of `text`; nothing where there is none.
pub(crate) fn remove(text: &[u8], seed: &Seed) -> Edits {
    let Some(line) = find(text, seed) else { return Edits::new() };
    let mut span = line.span;
    if !line.ended && text[..span.start].ends_with(line_end(text).as_bytes()) {
        span = Span::new(span.start - line_end(text).len(), span.end);
    }
    TextEdit { span, insert: Vec::new() }.into()
}

/// The last line of that seed.
pub(crate) fn find<'t>(text: &'t [u8], seed: &Seed) -> Option<Line<'t>> {
    let may_be = |span: &Span| {
        let line = &text[span.range()];
        seed.may_be(&line[..memchr(b'#', line).unwrap_or(line.len())])
    };
    let likely = spans(text).filter(|(_, span)| may_be(span));
    likely.map(|(number, span)| Line::read(text, span, number)).filter(|line| line.seed() == Some(seed)).last()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{HEADER, add, is_bare, line, remove};
    use crate::failure::{Argument, Counterexample};
    use crate::framework::proptest::regression::Seed;

    const SEED: &str = "cc 000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f";

    fn seed() -> Seed {
        Seed::parse(SEED).unwrap()
    }

    #[track_caller]
    fn check_line(arguments: &[(&str, &str)], expected: &str) {
        let argument = |(name, text): &(&str, &str)| Argument { name: (*name).into(), text: (*text).into() };
        let arguments = arguments.iter().map(argument).collect();
        assert_eq!(line(&seed(), &Counterexample { text: String::new(), arguments }), format!("{SEED}{expected}"));
    }

    /// `@` stands for the seed.
    #[track_caller]
    fn check_added(text: &str, expected: &str) {
        let full = |text: &str| text.replace('@', SEED);
        let after = add(full(text).as_bytes(), &format!("{SEED} # shrinks to x = 1")).apply(full(text).as_bytes());
        assert_eq!(String::from_utf8(after).unwrap(), full(expected));
    }

    #[test]
    fn a_line_is_built_as_proptest_writes_it() {
        check_line(&[("x", "300"), ("mut v", "[\n    0,\n    0,\n]")], " # shrinks to x = 300, mut v = [0, 0]");
        check_line(&[("", "(50, \"\")")], " # shrinks to (50, \"\")");
        check_line(&[("s", "\"a\\n# cc\"")], " # shrinks to s = \"a\\n# cc\"");
        check_line(&[("a", "one\r\ntwo\u{1b}[31m")], " # shrinks to a = one  two\\u{1b}[31m");
        check_line(&[], "");
    }

    #[test]
    fn a_line_is_added_in_the_manner_of_its_file() {
        check_added("", &format!("{HEADER}@ # shrinks to x = 1\n"));
        check_added("# note\n", "# note\n@ # shrinks to x = 1\n");
        check_added("# note\r\n", "# note\r\n@ # shrinks to x = 1\r\n");
        check_added("# note", "# note\n@ # shrinks to x = 1");
        check_added("# a\r\n# note", "# a\r\n# note\r\n@ # shrinks to x = 1");
    }

    #[test]
    fn a_seed_is_never_there_twice() {
        check_added("@\n", "@\n");
        check_added("@ # shrinks to y = 2\n# note\n", "@ # shrinks to y = 2\n# note\n");
    }

    #[test]
    fn the_beginning_of_a_file_is_told_from_what_somebody_wrote_into_it() {
        let of_proptest = "# Seeds for failure cases of a test\n# 2\r\n# 3\n#\n# 5\n# 6\n";
        for bare in ["", "\n", HEADER, of_proptest] {
            assert!(is_bare(bare.as_bytes()), "{bare}");
        }
        let noted = [of_proptest, HEADER].map(|text| format!("{text}# a note\n"));
        for text in [&noted[0], &noted[1], "# a note\n", &format!("{of_proptest}{SEED}\n"), SEED] {
            assert!(!is_bare(text.as_bytes()), "{text}");
        }
    }

    #[test]
    fn only_a_seed_is_added() {
        assert!(add(b"", "fn main() {}").is_empty());
        assert!(add(b"", "").is_empty());
    }

    #[test]
    fn of_two_lines_of_one_seed_the_last_is_taken_out() {
        let text = format!("{SEED} # a\n# note\n{SEED} # b\n# end\n");
        let after = remove(text.as_bytes(), &seed()).apply(text.as_bytes());
        assert_eq!(String::from_utf8(after).unwrap(), format!("{SEED} # a\n# note\n# end\n"));
    }

    proptest! {
        #[test]
        fn adding_a_line_and_removing_it_gives_the_bytes_back(
            text in "((cc|xs) [0-9a-f]{0,64}|# shrinks to x = \\PC{0,9}|\r|)(\r?\n(cc [0-9a-f]{64}|# \\PC{0,9}|))*[^\r]"
        ) {
            let line = format!("{SEED} # shrinks to x = 1");
            let added = add(text.as_bytes(), &line).apply(text.as_bytes());
            prop_assert_ne!(&added[..], text.as_bytes());
            prop_assert_eq!(text.ends_with('\n'), added.ends_with(b"\n"));
            let back = remove(&added, &seed()).apply(&added);
            prop_assert_eq!(String::from_utf8(back).unwrap(), text);
        }

        #[test]
        fn any_bytes_can_be_edited(bytes in any::<Vec<u8>>()) {
            let added = add(&bytes, SEED).apply(&bytes);
            remove(&added, &seed()).apply(&added);
        }
    }
}
