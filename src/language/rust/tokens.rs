//! The tokens of a Rust text as a flat list with byte ranges: groups are an opening and a closing token that know each
//! other, so that finding something is a walk over a slice. No syntax tree, hence nothing that a half-written file breaks.

use std::fmt;

use crate::span::Span;

mod lexer;

pub use crate::threads::apart;

/// One token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    /// What it is.
    pub kind: Kind,
    /// Its bytes.
    pub span: Span,
    /// For [`Kind::Open`] and [`Kind::Close`] the index of the other one, else its own index.
    pub partner: usize,
}

/// The kinds of token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A word, keywords included.
    Word,
    /// One character of punctuation.
    Sign(char),
    /// A number, text or character; the quote of a lifetime is a sign.
    Literal,
    /// A doc comment, outer or inner.
    Doc,
    /// `(`, `[` or `{`.
    Open(char),
    /// `)`, `]` or `}`.
    Close(char),
}

/// Why a text has no tokens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unreadable {
    /// The line where it breaks off, from 1.
    pub line: usize,
    /// What is the matter.
    pub reason: &'static str,
}

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.reason)
    }
}

impl std::error::Error for Unreadable {}

/// The tokens of `text`.
///
/// # Errors
/// Where a literal, a comment or a group is not ended, or groups nest too deeply.
pub fn lex(text: &str) -> Result<Vec<Token>, Unreadable> {
    lexer::tokens(text)
}

#[cfg(test)]
mod tests {
    use super::{Kind, apart, lex};

    /// `expected` is each token's text in order, doc comments and all.
    fn check(text: &str, expected: &[&str]) {
        let tokens = apart(|| lex(text)).unwrap();
        let found: Vec<&str> = tokens.iter().map(|token| &text[token.span.range()]).collect();
        assert_eq!(found, expected, "{text:?}");
        for (at, token) in tokens.iter().enumerate() {
            assert_eq!(tokens[token.partner].partner, at);
            assert_eq!(matches!(token.kind, Kind::Open(_)), token.partner > at);
        }
    }

    fn check_refused(text: &str, expected: &str) {
        assert_eq!(apart(|| lex(text)).unwrap_err().to_string(), expected);
    }

    #[test]
    fn tokens_know_their_bytes_whatever_stands_before_them() {
        check("fn f(x: u8) { x + 1 }", &["fn", "f", "(", "x", ":", "u8", ")", "{", "x", "+", "1", "}"]);
        check("\u{feff}let s = \"é\r\n\"; y", &["let", "s", "=", "\"é\r\n\"", ";", "y"]);
        check("/* ü */ r#type /* a */", &["r#type"]);
    }

    #[test]
    fn a_doc_comment_is_one_token() {
        check("//! in\r\n/// é out\r\nmod a {}", &["//! in", "/// é out", "mod", "a", "{", "}"]);
        check("/** b\n c */ fn", &["/** b\n c */", "fn"]);
        check("#[doc = \"x\"] fn", &["#", "[", "doc", "=", "\"x\"", "]", "fn"]);
    }

    #[test]
    fn a_text_that_does_not_lex_names_its_line() {
        let open = "expected Rust, found a quote, comment or bracket without its other end";
        check_refused("fn f() {\n  \"abc\n", &format!("line 2: {open}"));
        check_refused("fn f() {\n)\n", &format!("line 2: {open}"));
        check_refused(&"(".repeat(100_000), &format!("line 1: {open}"));
        check_refused(&format!("\n{}{}", "(".repeat(5_000), ")".repeat(5_000)), "line 2: brackets nest too deeply");
    }
}
