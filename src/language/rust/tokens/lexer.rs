//! Cuts a Rust text into tokens in one pass over its bytes. What the compiler would refuse inside a literal, as an unknown
//! escape, is let through: all that counts here is where each token ends.

use memchr::{memchr, memchr_iter, memchr2};

use super::{Kind, Token, Unreadable};
use crate::span::Span;

/// Groups nested deeper than this are refused: no hand writes them, and the parsers behind us recurse.
const DEEPEST: usize = 200;

/// The tokens of `text`.
pub(super) fn tokens(text: &str) -> Result<Vec<Token>, Unreadable> {
    let start = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    let tokens = Vec::with_capacity(text.len() / 5);
    let mut lexer = Lexer { text, bytes: text.as_bytes(), at: start, tokens, open: Vec::new(), deep: None };
    let unreadable = |offset, reason| Unreadable { line: line(text, offset), reason };
    let cut = lexer.cut();
    cut.map_err(|Stuck(at)| unreadable(at, "expected Rust, found a quote, comment or bracket without its other end"))?;
    lexer.deep.map_or(Ok(lexer.tokens), |at| Err(unreadable(at, "brackets nest too deeply")))
}

/// The line of an offset, from 1.
fn line(text: &str, offset: usize) -> usize {
    memchr_iter(b'\n', &text.as_bytes()[..offset]).count() + 1
}

struct Lexer<'t> {
    text: &'t str,
    bytes: &'t [u8],
    /// Offset of the next token, or of what stands before it.
    at: usize,
    tokens: Vec<Token>,
    /// Indices of the brackets that are not closed yet.
    open: Vec<usize>,
    /// Offset of the first bracket inside too many others.
    deep: Option<usize>,
}

/// The offset of what does not end, or cannot begin a token.
struct Stuck(usize);

impl Lexer<'_> {
    fn cut(&mut self) -> Result<(), Stuck> {
        while let Some(&byte) = self.bytes.get(self.at) {
            match byte {
                b'\t'..=b'\r' | b' ' => self.at += 1,
                b'a'..=b'z' | b'A'..=b'Z' | b'_' => self.word()?,
                b'/' if self.next_is(b'/') => self.line_comment(),
                b'/' if self.next_is(b'*') => self.block_comment()?,
                b'(' | b'[' | b'{' => self.open(byte),
                b')' | b']' | b'}' => self.close(byte)?,
                b'"' => self.literal(self.string_end(self.at + 1))?,
                b'\'' => self.character_or_lifetime()?,
                b'0'..=b'9' => self.push(Kind::Literal, self.number_end()),
                _ if b"~!@#$%^&*-=+|;:,<.>/?".contains(&byte) => self.push(Kind::Sign(byte.into()), self.at + 1),
                _ => self.word()?,
            }
        }
        self.open.last().map_or(Ok(()), |&open| Err(Stuck(self.tokens[open].span.start)))
    }

    fn next_is(&self, byte: u8) -> bool {
        self.bytes.get(self.at + 1) == Some(&byte)
    }

    /// The token from here up to `end`.
    fn push(&mut self, kind: Kind, end: usize) {
        self.tokens.push(Token { kind, span: Span::new(self.at, end), partner: self.tokens.len() });
        self.at = end;
    }

    /// The literal from here up to `end`, and the suffix it may have.
    fn literal(&mut self, end: Option<usize>) -> Result<(), Stuck> {
        let end = end.ok_or(Stuck(self.at))?;
        self.push(Kind::Literal, if self.begins_word(end) { self.word_end(end) } else { end });
        Ok(())
    }

    fn open(&mut self, bracket: u8) {
        if self.open.len() >= DEEPEST {
            self.deep.get_or_insert(self.at);
        }
        self.open.push(self.tokens.len());
        self.push(Kind::Open(bracket.into()), self.at + 1);
    }

    fn close(&mut self, bracket: u8) -> Result<(), Stuck> {
        let (open, index) = (self.open.pop().ok_or(Stuck(self.at))?, self.tokens.len());
        let fits = matches!(
            (self.tokens[open].kind, bracket),
            (Kind::Open('('), b')') | (Kind::Open('['), b']') | (Kind::Open('{'), b'}')
        );
        if !fits {
            return Err(Stuck(self.at));
        }
        self.push(Kind::Close(bracket.into()), self.at + 1);
        (self.tokens[open].partner, self.tokens[index].partner) = (index, open);
        Ok(())
    }

    fn line_comment(&mut self) {
        let rest = &self.bytes[self.at..];
        let end = self.at + memchr(b'\n', rest).unwrap_or(rest.len());
        let is_doc = rest.starts_with(b"//!") || rest.starts_with(b"///") && !rest.starts_with(b"////");
        self.comment(end, is_doc);
    }

    fn block_comment(&mut self) -> Result<(), Stuck> {
        let end = self.block_end().ok_or(Stuck(self.at))?;
        let rest = &self.bytes[self.at..];
        let is_outer = || rest.starts_with(b"/**") && !matches!(rest.get(3), Some(b'*' | b'/'));
        self.comment(end, rest.starts_with(b"/*!") || is_outer());
        Ok(())
    }

    fn comment(&mut self, end: usize, is_doc: bool) {
        if is_doc {
            self.push(Kind::Doc, self.at + self.text[self.at..end].trim_end().len());
        }
        self.at = end;
    }

    /// Where the comment ends that begins here: there may be others in it.
    fn block_end(&self) -> Option<usize> {
        let (mut at, mut depth) = (self.at, 0);
        loop {
            at += memchr2(b'/', b'*', &self.bytes[at..])?;
            let step = match self.bytes.get(at..at + 2)? {
                b"/*" => 1,
                b"*/" => -1,
                _ => 0,
            };
            depth += step;
            at += if step == 0 { 1 } else { 2 };
            if depth == 0 && step != 0 {
                return Some(at);
            }
        }
    }

    /// A word, or a literal that begins with a letter.
    fn word(&mut self) -> Result<(), Stuck> {
        let letters = match &self.bytes[self.at..] {
            [b'b' | b'c', b'r', ..] => 2,
            [b'b' | b'c' | b'r', ..] => 1,
            _ => 0,
        };
        let after = self.at + letters;
        let is_raw = letters > 0 && self.bytes[after - 1] == b'r';
        match self.bytes.get(after) {
            Some(b'"') if is_raw => return self.literal(self.raw_end(after + 1, 0)),
            Some(b'"') if letters > 0 => return self.literal(self.string_end(after + 1)),
            Some(b'\'') if self.bytes[self.at] == b'b' && !is_raw => return self.literal(self.character_end(after)),
            Some(b'#') if is_raw => {
                let signs = self.bytes[after..].iter().take_while(|&&byte| byte == b'#').count();
                if self.bytes.get(after + signs) == Some(&b'"') {
                    return self.literal(self.raw_end(after + signs + 1, signs));
                }
                if letters == 1 && self.begins_word(after + 1) {
                    self.push(Kind::Word, self.word_end(after + 1));
                    return Ok(());
                }
            }
            _ => {}
        }
        let end = self.word_end(self.at);
        if end > self.at {
            self.push(Kind::Word, end);
            return Ok(());
        }
        let space = self.text[self.at..].chars().next().filter(|letter| is_space(*letter));
        self.at += space.ok_or(Stuck(self.at))?.len_utf8();
        Ok(())
    }

    fn begins_word(&self, at: usize) -> bool {
        self.word_end(at) > at && !self.bytes[at].is_ascii_digit()
    }

    /// Where the word ends that begins or goes on at `at`.
    fn word_end(&self, mut at: usize) -> usize {
        loop {
            let plain = |byte: &&u8| byte.is_ascii_alphanumeric() || **byte == b'_';
            at += self.bytes[at..].iter().take_while(plain).count();
            if self.bytes.get(at).is_none_or(u8::is_ascii) {
                return at;
            }
            match self.text[at..].chars().next() {
                Some(letter) if is_letter(letter) => at += letter.len_utf8(),
                _ => return at,
            }
        }
    }

    /// Where the text in quotes ends whose first byte stands at `at`.
    fn string_end(&self, mut at: usize) -> Option<usize> {
        loop {
            at += memchr2(b'"', b'\\', self.bytes.get(at..)?)?;
            if self.bytes[at] == b'"' {
                return Some(at + 1);
            }
            at += 2;
        }
    }

    /// The same, without escapes and with so many signs after its quote.
    fn raw_end(&self, mut at: usize, signs: usize) -> Option<usize> {
        loop {
            at += memchr(b'"', &self.bytes[at..])? + 1;
            if self.bytes.get(at..at + signs)?.iter().all(|&byte| byte == b'#') {
                return Some(at + signs);
            }
        }
    }

    fn character_or_lifetime(&mut self) -> Result<(), Stuck> {
        if let Some(end) = self.character_end(self.at) {
            return self.literal(Some(end));
        }
        let name = self.at + if self.bytes[self.at..].starts_with(b"'r#") { 3 } else { 1 };
        if !self.begins_word(name) || self.bytes.get(self.word_end(name)) == Some(&b'\'') {
            return Err(Stuck(self.at));
        }
        self.push(Kind::Sign('\''), self.at + 1);
        Ok(())
    }

    /// Where the character ends whose quote stands at `quote`; `None` where there is none.
    fn character_end(&self, quote: usize) -> Option<usize> {
        let mut letters = self.text[quote + 1..].char_indices();
        let escapes = letters.next()?.1 == '\\';
        let mut end = quote + 1 + letters.next()?.0;
        if escapes {
            let rest = letters.as_str();
            end = self.text.len() - rest.len();
            end += memchr2(b'\'', b'\n', rest.as_bytes())?;
        }
        (self.bytes[end] == b'\'').then_some(end + 1)
    }

    /// Where the number ends that begins here, its suffix included.
    fn number_end(&self) -> usize {
        let digits = |from: usize| {
            let rest = self.bytes.get(from..).unwrap_or_default();
            from + rest.iter().take_while(|byte| byte.is_ascii_digit() || **byte == b'_').count()
        };
        let mut end = digits(self.at);
        // A dot may as well begin a range, or the name of a method or field.
        if self.bytes.get(end) == Some(&b'.') && self.bytes.get(end + 1) != Some(&b'.') && !self.begins_word(end + 1) {
            end = digits(end + 1);
        }
        if let Some(b'e' | b'E') = self.bytes.get(end) {
            let exponent = end + 1 + usize::from(matches!(self.bytes.get(end + 1), Some(b'+' | b'-')));
            if self.bytes[exponent..digits(exponent)].iter().any(u8::is_ascii_digit) {
                end = digits(exponent);
            }
        }
        self.word_end(end)
    }
}

/// Whether a character that is not ASCII stands between tokens, as the marks of a text's direction may.
fn is_space(letter: char) -> bool {
    letter.is_whitespace() || matches!(letter, '\u{200e}' | '\u{200f}')
}

/// Whether a character that is not ASCII may be part of a word. More are let through than the compiler takes, but none that
/// is a quote, a dash or invisible.
fn is_letter(letter: char) -> bool {
    !letter.is_whitespace() && !letter.is_control() && !matches!(letter, '\u{2000}'..='\u{206f}' | '\u{feff}')
}

#[cfg(test)]
mod tests {
    use proc_macro2::{Delimiter, TokenStream, TokenTree};
    use proptest::prelude::*;

    use super::tokens;
    use crate::language::rust::tokens::{Kind, apart};

    /// The texts of what the compiler's own rules make of a stream, doc comments in their long form.
    fn written(stream: TokenStream, texts: &mut Vec<String>) {
        for tree in stream {
            let TokenTree::Group(group) = tree else {
                texts.push(tree.to_string());
                continue;
            };
            let (open, close) = match group.delimiter() {
                Delimiter::Parenthesis => ("(", ")"),
                Delimiter::Brace => ("{", "}"),
                Delimiter::Bracket => ("[", "]"),
                Delimiter::None => ("", ""),
            };
            texts.push(open.to_owned());
            written(group.stream(), texts);
            texts.push(close.to_owned());
        }
    }

    #[track_caller]
    fn check(text: &str, expected: &[(Kind, &str)]) {
        let tokens = tokens(text).unwrap();
        let found: Vec<_> = tokens.iter().map(|token| (token.kind, &text[token.span.range()])).collect();
        assert_eq!(found, expected, "{text:?}");
    }

    const LITERAL: Kind = Kind::Literal;
    const WORD: Kind = Kind::Word;
    const DOT: (Kind, &str) = (Kind::Sign('.'), ".");

    #[test]
    fn a_literal_ends_with_its_suffix_whatever_quotes_are_in_it() {
        for text in [
            "\"a\\\"b\"",
            "r\"\\\"",
            "r##\"a\"# b\"##",
            "b\"\\\\\"",
            "br#\"\"\"#",
            "c\"x\"",
            "cr\"x\"",
            "\"x\"suffix",
            "'\\''",
            "'\"'",
            "'\\u{1f600}'",
            "'é'",
            "b'\\''",
            "b'x'u8",
            "1_000u64",
            "0xffu8",
            "0b10_1",
            "0o7i8",
            "1.5e-3_f64",
            "2e5",
            "1.",
            "7em",
        ] {
            check(text, &[(LITERAL, text)]);
        }
    }

    #[test]
    fn a_dot_after_a_number_may_be_another_token() {
        check("1..2", &[(LITERAL, "1"), DOT, DOT, (LITERAL, "2")]);
        check("1.max", &[(LITERAL, "1"), DOT, (WORD, "max")]);
        check("t.0.1", &[(WORD, "t"), DOT, (LITERAL, "0.1")]);
        check("1e+", &[(LITERAL, "1e"), (Kind::Sign('+'), "+")]);
    }

    #[test]
    fn a_quote_before_a_name_is_a_lifetime() {
        let quote = (Kind::Sign('\''), "'");
        check("'a 'r#b", &[quote, (WORD, "a"), quote, (WORD, "r#b")]);
        check("bear r#crate2 grün", &[(WORD, "bear"), (WORD, "r#crate2"), (WORD, "grün")]);
        check("a\u{200e}\u{3000}b", &[(WORD, "a"), (WORD, "b")]);
        for stuck in ["'ab'", "'", "'1", "“a”", "a\u{202e}b", "`", "\\", "b'", "r#\"", "/* /* */", "\"\\"] {
            assert!(tokens(stuck).is_err(), "{stuck}");
        }
    }

    #[test]
    fn comments_are_told_from_docs() {
        check("a//b\n////c\n/**/d/***/e/* /** */ */f", &["a", "d", "e", "f"].map(|word| (WORD, word)));
        check("//!a\n/*! b */", &[(Kind::Doc, "//!a"), (Kind::Doc, "/*! b */")]);
    }

    /// What Rust texts are made of, in any order.
    fn piece() -> impl Strategy<Value = String> {
        const PARTS: &[&str] = &[
            "\"", "'", "\\", "#", "r", "b", "c", "br", "cr", "r#", "'a", "0", "1", "_", ".", "e", "E", "+", "-", "x",
            "0x", "0b", "f32", "(", ")", "[", "]", "{", "}", "/", "//", "/*", "*/", "!", "\n", " ", "\\n", "\\u{e9}",
            "é", "\u{200e}", "fn",
        ];
        proptest::sample::select(PARTS).prop_map(str::to_owned)
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn what_the_compiler_would_read_is_read_as_it_would(pieces in proptest::collection::vec(piece(), 0..12)) {
            let text = pieces.concat();
            let theirs = apart(|| text.parse::<TokenStream>().ok().map(|stream| {
                let mut texts = Vec::new();
                written(stream, &mut texts);
                texts
            }));
            // Doc comments are written otherwise there.
            if let Some(theirs) = theirs.filter(|_| !text.contains("//") && !text.contains("/*")) {
                let ours = tokens(&text).map(|tokens| tokens.iter().map(|token| text[token.span.range()].to_owned()).collect::<Vec<_>>());
                prop_assert_eq!(ours.ok(), Some(theirs), "{:?}", text);
            }
        }
    }
}
