//! The tokens of a Rust text as a flat list with byte ranges: groups are an opening and a closing token that know each
//! other, so that finding something is a walk over a slice. No syntax tree, hence nothing that a half-written file breaks.

use std::cell::Cell;
use std::fmt;
use std::str::FromStr;
use std::thread::Builder;

use memchr::memchr_iter;
use proc_macro2::{Delimiter, Group, LineColumn, TokenStream, TokenTree, token_stream};

use crate::span::Span;

/// Groups nested deeper than this are refused: no hand writes them, and the parsers behind us recurse.
const DEEPEST: usize = 200;

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

/// Stack of a thread that parses, in bytes: parsers recurse as deep as the code nests.
const STACK: usize = 64 << 20;

thread_local! {
    static IS_APART: Cell<bool> = const { Cell::new(false) };
}

/// Whether this thread is one of [`apart`].
fn is_apart() -> bool {
    IS_APART.get()
}

/// Runs `work` on a thread of its own, unless this one is such a thread. The lexer keeps every text it has read for the
/// life of its thread; here that memory goes when the work is done. Much work is best put into one such thread.
pub fn apart<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    if is_apart() {
        return work();
    }
    let work = || {
        IS_APART.set(true);
        work()
    };
    std::thread::scope(|scope| {
        let thread = Builder::new().stack_size(STACK).spawn_scoped(scope, work);
        let thread = thread.unwrap_or_else(|error| panic!("the system gave no thread to read code on: {error}"));
        thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

/// The tokens of `text`. Call it inside [`apart`].
///
/// # Errors
/// Where a literal, a comment or a group is not ended, or groups nest too deeply.
pub fn lex(text: &str) -> Result<Vec<Token>, Unreadable> {
    let stream = TokenStream::from_str(text).map_err(|error| Unreadable {
        line: error.span().start().line,
        reason: "expected Rust, found a quote, comment or bracket without its other end",
    })?;
    flatten(text, stream)
}

/// A group that is being read: what is left of it, and the index of its opening token.
struct Level {
    rest: token_stream::IntoIter,
    group: Option<(Group, usize)>,
}

fn flatten(text: &str, stream: TokenStream) -> Result<Vec<Token>, Unreadable> {
    let lines = Lines::of(text);
    let bytes = |span| lines.bytes(span);
    let mut tokens: Vec<Token> = Vec::with_capacity(text.len() / 5);
    let mut levels = vec![Level { rest: stream.into_iter(), group: None }];
    while let Some(level) = levels.last_mut() {
        match level.rest.next() {
            None => {
                if let Some((group, open)) = &level.group {
                    close(&mut tokens, group, bytes(group.span_close()), *open);
                }
                levels.pop();
            }
            Some(TokenTree::Group(group)) => {
                let Some(open) = bracket(group.delimiter()) else { continue };
                if levels.len() > DEEPEST {
                    return Err(Unreadable {
                        line: group.span_open().start().line,
                        reason: "brackets nest too deeply",
                    });
                }
                let index = tokens.len();
                push(&mut tokens, Kind::Open(open.0), bytes(group.span_open()));
                levels.push(Level { rest: group.stream().into_iter(), group: Some((group, index)) });
            }
            Some(TokenTree::Punct(sign)) => {
                let span = bytes(sign.span());
                let written = text.get(span.range()).unwrap_or_default();
                if sign.as_char() == '#' && written.starts_with('/') {
                    // The lexer turns a doc comment into `#[doc = "…"]` or `#![doc = "…"]`, all at the comment's place.
                    if matches!(text.get(span.start + 2..span.start + 3), Some("!")) {
                        level.rest.next();
                    }
                    level.rest.next();
                    let span = Span::new(span.start, span.start + written.trim_end().len());
                    tokens.push(Token { kind: Kind::Doc, span, partner: tokens.len() });
                } else {
                    push(&mut tokens, Kind::Sign(sign.as_char()), span);
                }
            }
            Some(TokenTree::Ident(word)) => push(&mut tokens, Kind::Word, bytes(word.span())),
            Some(TokenTree::Literal(literal)) => push(&mut tokens, Kind::Literal, bytes(literal.span())),
        }
    }
    Ok(tokens)
}

fn bracket(delimiter: Delimiter) -> Option<(char, char)> {
    match delimiter {
        Delimiter::Parenthesis => Some(('(', ')')),
        Delimiter::Brace => Some(('{', '}')),
        Delimiter::Bracket => Some(('[', ']')),
        Delimiter::None => None,
    }
}

fn close(tokens: &mut Vec<Token>, group: &Group, span: Span, open: usize) {
    let Some((_, sign)) = bracket(group.delimiter()) else { return };
    let index = tokens.len();
    tokens.push(Token { kind: Kind::Close(sign), span, partner: open });
    if let Some(token) = tokens.get_mut(open) {
        token.partner = index;
    }
}

fn push(tokens: &mut Vec<Token>, kind: Kind, span: Span) {
    tokens.push(Token { kind, span, partner: tokens.len() });
}

/// The lines of a text, by which places in it become offsets: the lexer can tell offsets itself, but slowly.
struct Lines<'t> {
    text: &'t str,
    starts: Vec<usize>,
    is_ascii: bool,
}

impl<'t> Lines<'t> {
    fn of(text: &'t str) -> Self {
        let starts = std::iter::once(0).chain(memchr_iter(b'\n', text.as_bytes()).map(|at| at + 1)).collect();
        Lines { text, starts, is_ascii: text.is_ascii() }
    }

    fn bytes(&self, span: proc_macro2::Span) -> Span {
        Span::new(self.offset(span.start()), self.offset(span.end()))
    }

    /// A place's column counts characters.
    fn offset(&self, place: LineColumn) -> usize {
        let start = self.starts.get(place.line.saturating_sub(1)).copied().unwrap_or(self.text.len());
        if self.is_ascii {
            return start + place.column;
        }
        let rest = &self.text[start..];
        start + rest.char_indices().nth(place.column).map_or(rest.len(), |(at, _)| at)
    }
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
