//! A walk over the tokens of a Rust text in search of properties. Items are told by their first words wherever they stand
//! (inline modules, other macros' braces), so a file that a full parser would refuse still shows its properties.

use memchr::memchr_iter;

use super::pin_place::{indent, pin_place};
use super::scope::{Scope, Scopes};
use crate::language::rust::code::{Code, unraw};
use crate::language::rust::comments::said;
use crate::language::rust::parameters::Parameters;
use crate::language::rust::property::{Form, PropertyFn};
use crate::language::rust::tokens::{Kind, Unreadable};
use crate::span::Span;

/// A walk, with what is open around the place that it has reached.
pub(crate) struct Walk<'t> {
    /// The text's tokens.
    pub(crate) code: Code<'t>,
    /// What is open.
    pub(crate) scopes: Scopes,
    newlines: Vec<usize>,
}

/// A function as its tokens tell it.
#[derive(Clone)]
pub(crate) struct Function {
    /// Index of its first attribute, doc comment or word.
    pub(crate) first: usize,
    /// Index of `fn`.
    pub(crate) keyword: usize,
    /// Index of the parenthesis that opens its parameters.
    pub(crate) parameters: usize,
    /// Index of the brace that opens its body.
    pub(crate) body: usize,
}

/// The item that properties stand in, which a pin goes after.
pub(crate) struct Item {
    pub(crate) span: Span,
    /// Where the next pin goes.
    pub(crate) pin_at: usize,
    /// Its comments, where it is a macro block.
    docs: Vec<String>,
    /// Its attributes, where it is a macro block.
    attributes: Vec<String>,
}

impl Item {
    /// A function that is an item itself.
    pub(crate) fn function(code: &Code<'_>, function: &Function) -> Item {
        let last = code.partner(function.body);
        let (span, pin_at) = (code.span(function.first, last), pin_place(code, last));
        Item { span, pin_at, docs: Vec::new(), attributes: Vec::new() }
    }
}

impl<'t> Walk<'t> {
    /// A walk that begins at the start of `text`.
    ///
    /// # Errors
    /// Where `text` does not lex as Rust.
    pub(crate) fn over(text: &'t str) -> Result<Self, Unreadable> {
        let newlines = memchr_iter(b'\n', text.as_bytes()).collect();
        Ok(Walk { code: Code::read(text)?, scopes: Scopes::default(), newlines })
    }

    /// Opens the module whose `mod` stands at `at`; the index where the walk goes on.
    pub(crate) fn module(&mut self, at: usize) -> usize {
        let (first, open) = (self.code.first(at), at + 2);
        let inner = (open + 1..self.code.partner(open)).take_while(|&index| self.code.kind(index) == Some(Kind::Doc));
        let mut docs = self.code.docs(first, at);
        docs.extend(inner.flat_map(|index| said(self.code.written(index))));
        let name = unraw(self.code.word(at + 1)).to_owned();
        self.scopes.open(self.code.partner(open), Scope::Module { name, docs });
        open + 1
    }

    /// The macro call whose name stands at `at`, as an item.
    pub(crate) fn block(&self, at: usize, open: usize) -> Item {
        let first = self.code.first(self.code.path_start(at));
        let end = self.code.partner(open);
        let end = if self.code.sign(end + 1, ';') { end + 1 } else { end };
        Item {
            span: self.code.span(first, end),
            pin_at: pin_place(&self.code, end),
            docs: self.code.docs(first, at),
            attributes: self.code.attribute_texts(first, at),
        }
    }

    /// The functions right inside the group at `open`.
    pub(crate) fn functions(&self, open: usize, end: usize) -> Vec<Function> {
        let mut found = Vec::new();
        let mut at = open + 1;
        while at < end {
            if self.code.word(at) == "fn"
                && let Some(function) = self.function_at(at, end)
            {
                at = self.code.partner(function.body);
                found.push(function);
            } else if let Some(Kind::Open(_)) = self.code.kind(at) {
                at = self.code.partner(at);
            }
            at += 1;
        }
        found
    }

    /// The function whose `fn` stands at `at`. One of `prop_state_machine!` has no body: its `;` stands for it.
    pub(crate) fn function_at(&self, at: usize, end: usize) -> Option<Function> {
        if self.code.word(at + 1).is_empty() {
            return None;
        }
        let parameters = (at + 2..end).find(|&index| self.code.open(index, '('))?;
        let after = self.code.partner(parameters) + 1;
        let mut body = after;
        while body < end && !self.code.open(body, '{') && !self.code.sign(body, ';') {
            body = if matches!(self.code.kind(body), Some(Kind::Open(_))) {
                self.code.partner(body) + 1
            } else {
                body + 1
            };
        }
        (body < end).then(|| Function { first: self.code.first(at), keyword: at, parameters, body })
    }

    /// A property as far as `function` tells it.
    pub(crate) fn property(&self, form: Form, function: &Function, item: &Item) -> PropertyFn {
        let Function { first, keyword, parameters: list, body } = *function;
        let end = if self.code.sign(body, ';') { body } else { self.code.partner(body) };
        let own = self.code.docs(first, keyword).into_iter();
        let docs = own.chain(item.docs.iter().cloned()).chain(self.scopes.docs()).chain(self.file_docs());
        let attributes = self.code.attribute_texts(first, keyword);
        let start = self.code.attached(first).first().map_or(self.code.start(first), |comment| comment.start);
        let arrow =
            (self.code.partner(list) + 1..body).find(|&at| self.code.sign(at, '-') && self.code.sign(at + 1, '>'));
        PropertyFn {
            name: unraw(self.code.word(keyword + 1)).to_owned(),
            modules: self.scopes.modules(),
            form,
            span: Span::new(start, self.code.tokens[end].span.end),
            line: self.line(self.code.start(keyword)),
            docs: docs.collect(),
            attributes: item.attributes.iter().cloned().chain(attributes).collect(),
            is_async: (first..keyword).any(|at| self.code.word(at) == "async"),
            returns: arrow.map(|arrow| self.code.between(arrow + 2, body).to_owned()),
            parameters: Parameters::written(&self.code.text[self.code.inside(list).range()]),
            body: if self.code.sign(body, ';') { Span::at(self.code.start(body)) } else { self.code.inside(body) },
            call: None,
            item: item.span,
            pin_at: item.pin_at,
            indent: indent(self.code.text, item.span.start).to_owned(),
        }
    }

    /// The file's own words.
    fn file_docs(&self) -> Vec<String> {
        let written = (0..self.code.tokens.len()).map(|at| self.code.written(at));
        written.take_while(|text| text.starts_with("//!")).flat_map(said).collect()
    }

    pub(crate) fn line(&self, offset: usize) -> u32 {
        u32::try_from(self.newlines.partition_point(|&newline| newline < offset) + 1).unwrap_or(u32::MAX)
    }
}
