//! A Rust text with its tokens, and the questions that finding and rewriting ask of them. Tokens are named by their index;
//! asking past the last one is allowed and finds nothing.

use super::comments::{attached, comments, said};
use super::tokens::{Kind, Token, Unreadable, lex};
use crate::span::Span;

/// A text and its tokens.
pub struct Code<'t> {
    /// The text.
    pub text: &'t str,
    /// All its tokens in order.
    pub tokens: Vec<Token>,
}

impl<'t> Code<'t> {
    /// Reads `text`.
    ///
    /// # Errors
    /// Where `text` does not lex as Rust.
    pub fn read(text: &'t str) -> Result<Self, Unreadable> {
        Ok(Code { text, tokens: lex(text)? })
    }

    /// The comments of the thing whose first token is `first` and whose keyword is `keyword`.
    pub fn docs(&self, first: usize, keyword: usize) -> Vec<String> {
        let mut spans = self.attached(first);
        for at in first..keyword {
            if self.kind(at) == Some(Kind::Doc) {
                spans.push(self.tokens[at].span);
            } else if at > first {
                spans.extend(comments(self.text, self.gap(at)));
            }
        }
        spans.iter().flat_map(|span| said(&self.text[span.range()])).collect()
    }

    /// The comments right above the token `first`.
    pub fn attached(&self, first: usize) -> Vec<Span> {
        attached(self.text, self.gap(first))
    }

    /// What stands between the token `at` and the one before it.
    pub fn gap(&self, at: usize) -> Span {
        let start = at.checked_sub(1).map_or(0, |before| self.tokens[before].span.end);
        Span::new(start, self.start(at))
    }

    /// The brackets of the outer attributes from token `first` on, each with the index of its `[` and its whole text.
    pub fn attributes(&self, first: usize, keyword: usize) -> impl Iterator<Item = (usize, Span)> {
        let starts = (first..keyword).filter(|&at| self.sign(at, '#') && self.open(at + 1, '['));
        starts.map(|at| (at + 1, self.span(at, self.partner(at + 1))))
    }

    /// The outer attributes from token `first` on, as written.
    pub fn attribute_texts(&self, first: usize, keyword: usize) -> Vec<String> {
        self.attributes(first, keyword).map(|(_, span)| self.text[span.range()].to_owned()).collect()
    }

    /// The last word of the path that the attribute at `open` starts with.
    pub fn path_end(&self, open: usize) -> &str {
        let mut at = open + 1;
        while self.sign(at + 1, ':') && self.sign(at + 2, ':') {
            at += 3;
        }
        self.word(at)
    }

    /// Index of the first token of the path that ends at `at`.
    pub fn path_start(&self, at: usize) -> usize {
        let mut start = at;
        while start >= 2 && self.sign(start - 1, ':') && self.sign(start - 2, ':') {
            start -= if start >= 3 && self.kind(start - 3) == Some(Kind::Word) { 3 } else { 2 };
        }
        start
    }

    /// Index of the first attribute, doc comment or qualifier of the thing whose keyword stands at `at`.
    pub fn first(&self, at: usize) -> usize {
        let mut first = at;
        while let Some(before) = first.checked_sub(1) {
            let qualifier = matches!(self.word(before), "pub" | "async" | "const" | "unsafe" | "extern" | "default");
            let doc = self.kind(before) == Some(Kind::Doc) && is_outer(self.written(before));
            if qualifier || doc {
                first = before;
            } else if self.is_attribute(before) || self.is_visibility(before) {
                first = self.partner(before) - 1;
            } else if self.kind(before) == Some(Kind::Literal) && self.word_before(before) == "extern" {
                first = before - 1;
            } else {
                break;
            }
        }
        first
    }

    /// Whether the `]` of an outer attribute stands at `at`.
    fn is_attribute(&self, at: usize) -> bool {
        self.kind(at) == Some(Kind::Close(']')) && self.sign_before(self.partner(at), '#')
    }

    /// Whether the `)` of a `pub(…)` stands at `at`.
    fn is_visibility(&self, at: usize) -> bool {
        self.kind(at) == Some(Kind::Close(')')) && self.word_before(self.partner(at)) == "pub"
    }

    /// The bracket of the macro call whose name stands at `at`.
    pub fn macro_group(&self, at: usize) -> Option<usize> {
        (self.sign(at + 1, '!') && matches!(self.kind(at + 2), Some(Kind::Open(_)))).then_some(at + 2)
    }

    /// Index after the group that opens at `open`.
    pub fn after_group(&self, open: usize) -> Option<usize> {
        matches!(self.kind(open), Some(Kind::Open(_))).then(|| self.partner(open) + 1)
    }

    /// The first token from `start` up to `end`, groups passed over, that `wanted` accepts.
    pub fn next_at_level(&self, start: usize, end: usize, wanted: impl Fn(&Self, usize) -> bool) -> Option<usize> {
        let mut at = start;
        while at < end {
            if wanted(self, at) {
                return Some(at);
            }
            at = self.after_group(at).unwrap_or(at + 1);
        }
        None
    }

    /// What the token is.
    pub fn kind(&self, at: usize) -> Option<Kind> {
        self.tokens.get(at).map(|token| token.kind)
    }

    /// The token's text.
    pub fn written(&self, at: usize) -> &str {
        self.tokens.get(at).map_or("", |token| &self.text[token.span.range()])
    }

    /// The word at `at`, empty where there is none.
    pub fn word(&self, at: usize) -> &str {
        if self.kind(at) == Some(Kind::Word) { self.written(at) } else { "" }
    }

    fn word_before(&self, at: usize) -> &str {
        at.checked_sub(1).map_or("", |before| self.word(before))
    }

    /// Whether this very sign stands at `at`.
    pub fn sign(&self, at: usize, sign: char) -> bool {
        self.kind(at) == Some(Kind::Sign(sign))
    }

    fn sign_before(&self, at: usize, sign: char) -> bool {
        at.checked_sub(1).is_some_and(|before| self.sign(before, sign))
    }

    /// Whether this very bracket opens at `at`.
    pub fn open(&self, at: usize, bracket: char) -> bool {
        self.kind(at) == Some(Kind::Open(bracket))
    }

    /// The other bracket's index; `at` itself where no bracket stands there.
    pub fn partner(&self, at: usize) -> usize {
        self.tokens.get(at).map_or(at, |token| token.partner)
    }

    /// Offset of the token's first byte, the text's end where there is no such token.
    pub fn start(&self, at: usize) -> usize {
        self.tokens.get(at).map_or(self.text.len(), |token| token.span.start)
    }

    /// From the first byte of the token `first` to the last of the token `last`.
    pub fn span(&self, first: usize, last: usize) -> Span {
        Span::new(self.start(first), self.tokens.get(last).map_or(self.text.len(), |token| token.span.end))
    }

    /// Between the brackets of the group that opens at `open`.
    pub fn inside(&self, open: usize) -> Span {
        Span::new(self.tokens[open].span.end, self.start(self.partner(open)))
    }

    /// The text from the token `first` up to, not including, the token `end`.
    pub fn between(&self, first: usize, end: usize) -> &str {
        if first >= end { "" } else { &self.text[self.span(first, end - 1).range()] }
    }
}

/// A name without the `r#` that it has where it is a word of the language.
pub fn unraw(name: &str) -> &str {
    name.strip_prefix("r#").unwrap_or(name)
}

fn is_outer(doc: &str) -> bool {
    !doc.starts_with("//!") && !doc.starts_with("/*!")
}
/// Where the first function of that name stands in `text`, with its comments and attributes.
pub fn function_span(text: &str, name: &str) -> Option<Span> {
    let code = Code::read(text).ok()?;
    let at = (1..code.tokens.len()).find(|&at| code.word(at) == name && code.word(at - 1) == "fn")?;
    let body = (at..code.tokens.len()).find(|&at| code.open(at, '{'))?;
    Some(code.span(code.first(at - 1), code.partner(body)))
}
