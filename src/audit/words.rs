//! The words of a piece of source in normal form: names, numbers, texts and signs, whichever language they are of.

/// A word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Word<'t> {
    pub(super) text: &'t str,
    pub(super) kind: Kind,
    /// Whether white space follows, or nothing does.
    is_loose: bool,
}

/// What a word is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Name,
    Number,
    Text,
    Sign,
}

/// Signs that are one word, the longer ones first.
const SIGNS: [&str; 24] = [
    "===", "!==", ">>>", "**", "==", "!=", "<=", ">=", "=>", "->", "::", "&&", "||", "..", "//", "<<", ">>", "+=",
    "-=", "*=", "/=", "%=", "??", "?.",
];

impl Word<'_> {
    pub(super) fn is(self, text: &str) -> bool {
        self.text == text && self.kind != Kind::Text
    }

    /// Whether it opens a block: the brace of a value has what is in it right behind it, where both may stand.
    pub(super) fn opens_block(self) -> bool {
        self.text == "{" && self.is_loose
    }

    pub(super) fn opens(self) -> bool {
        self.kind == Kind::Sign && matches!(self.text, "(" | "[" | "{")
    }

    pub(super) fn closes(self) -> bool {
        self.kind == Kind::Sign && matches!(self.text, ")" | "]" | "}")
    }
}

/// The words of `text`, in which each of `quotes` begins and ends a text.
pub(super) fn words<'t>(text: &'t str, quotes: &str) -> Vec<Word<'t>> {
    let mut found = Vec::new();
    let mut rest = text;
    loop {
        rest = rest.trim_start();
        let Some(first) = rest.chars().next() else { return found };
        let (length, kind) = measure(rest, first, quotes);
        let (word, behind) = rest.split_at(length);
        found.push(Word { text: word, kind, is_loose: behind.chars().next().is_none_or(char::is_whitespace) });
        rest = behind;
    }
}

/// How long the word is that `rest` begins with, and what it is.
fn measure(rest: &str, first: char, quotes: &str) -> (usize, Kind) {
    let while_in = |is_in: &dyn Fn(char) -> bool| rest.find(|char| !is_in(char)).unwrap_or(rest.len());
    let is_of_name = |char: char| char.is_alphanumeric() || matches!(char, '_' | '$');
    if quotes.contains(first) {
        return (quoted(rest, first), Kind::Text);
    }
    if first == '\'' {
        return character(rest).map_or((1, Kind::Sign), |length| (length, Kind::Text));
    }
    if first.is_ascii_digit() {
        return (while_in(&is_of_name), Kind::Number);
    }
    if is_of_name(first) {
        return (while_in(&is_of_name), Kind::Name);
    }
    let sign = SIGNS.iter().find(|sign| rest.starts_with(*sign));
    (sign.map_or(first.len_utf8(), |sign| sign.len()), Kind::Sign)
}

/// The length of the text that `rest` begins with; all of it where that has no end.
fn quoted(rest: &str, quote: char) -> usize {
    let mut is_escaped = false;
    for (at, char) in rest.char_indices().skip(1) {
        match char {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            _ if char == quote => return at + char.len_utf8(),
            _ => {}
        }
    }
    rest.len()
}

/// The length of `'x'` or `'\n'`, where it is one and no lifetime.
fn character(rest: &str) -> Option<usize> {
    let inner = rest.char_indices().nth(1)?;
    match inner.1 {
        '\\' => Some(quoted(rest, '\'')),
        _ => rest.char_indices().nth(2).filter(|(_, char)| *char == '\'').map(|(at, _)| at + 1),
    }
}

/// The place of the bracket that closes the one at `open`; the last place where none does.
pub(super) fn partner(words: &[Word<'_>], open: usize) -> usize {
    let mut depth = 0_usize;
    for (at, word) in words.iter().enumerate().skip(open) {
        if word.opens() {
            depth += 1;
        } else if word.closes() {
            depth = depth.saturating_sub(1);
            if depth == 0 {
                return at;
            }
        }
    }
    words.len().saturating_sub(1)
}

/// The first place from `start` on, before `end` and outside of brackets that open behind `start`, that `wanted` accepts.
pub(super) fn at_level(
    words: &[Word<'_>],
    start: usize,
    end: usize,
    wanted: impl Fn(Word<'_>) -> bool,
) -> Option<usize> {
    let mut at = start;
    while at < end.min(words.len()) {
        if wanted(words[at]) {
            return Some(at);
        }
        at = if words[at].opens() { partner(words, at) + 1 } else { at + 1 };
    }
    None
}

/// The parts of `words` between the signs `sign` that stand in no brackets.
pub(super) fn split<'w, 't>(words: &'w [Word<'t>], sign: &str) -> Vec<&'w [Word<'t>]> {
    let (mut parts, mut start) = (Vec::new(), 0);
    while let Some(at) = at_level(words, start, words.len(), |word| word.is(sign)) {
        parts.push(&words[start..at]);
        start = at + 1;
    }
    parts.push(&words[start..]);
    parts
}

#[cfg(test)]
mod tests {
    use super::{Kind, partner, split, words};

    fn texts<'t>(text: &'t str, quotes: &str) -> Vec<&'t str> {
        words(text, quotes).into_iter().map(|word| word.text).collect()
    }

    #[test]
    fn texts_end_where_their_quote_does() {
        assert_eq!(texts("f(\"a \\\" b\", 'c')", "\"'"), ["f", "(", "\"a \\\" b\"", ",", "'c'", ")"]);
        assert_eq!(
            texts("f::<'a>('\"', '\\'', x)", "\""),
            ["f", "::", "<", "'", "a", ">", "(", "'\"'", ",", "'\\''", ",", "x", ")"]
        );
        assert_eq!(texts("\"open", "\""), ["\"open"]);
        assert_eq!(texts("'", "\""), ["'"]);
    }

    #[test]
    fn signs_of_several_characters_are_one_word() {
        assert_eq!(texts("a===b!=c=>1_0u8..=2", ""), ["a", "===", "b", "!=", "c", "=>", "1_0u8", "..", "=", "2"]);
        assert_eq!(
            words("ä 1 +", "").iter().map(|word| word.kind).collect::<Vec<_>>(),
            [Kind::Name, Kind::Number, Kind::Sign]
        );
    }

    #[test]
    fn the_brace_of_a_block_is_told_from_that_of_a_value() {
        let found = words("if x in {1, 2} { y }", "");
        assert_eq!((found[3].opens_block(), found[8].opens_block(), partner(&found, 3)), (false, true, 7));
    }

    #[test]
    fn parts_are_split_outside_of_brackets() {
        let found = words("a, f(b, c), d", "");
        assert_eq!(split(&found, ",").iter().map(|part| part.len()).collect::<Vec<_>>(), [1, 6, 1]);
    }
}
