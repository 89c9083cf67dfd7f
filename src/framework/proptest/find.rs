//! All properties of a Rust text, in whichever form, in one pass over its tokens. Items are told by their first words
//! wherever they stand (inline modules, other macros' braces), so a file that a full parser would refuse still shows its
//! properties.

mod scope;
mod within;

use memchr::memchr_iter;

use crate::framework::pin_name::is_pin;
use crate::framework::rust::pin_place::{indent, pin_place};
use crate::language::rust::code::{Code, unraw};
use crate::language::rust::comments::said;
use crate::language::rust::parameters::{Parameter, Parameters};
use crate::language::rust::property::{Form, PropertyFn};
use crate::language::rust::tokens::{Kind, Unreadable, apart};
use crate::span::Span;
use scope::{Scope, Scopes};

/// What of a Rust text concerns its properties.
#[derive(Debug, Default)]
pub(crate) struct Outline {
    /// The properties in the order they stand in it.
    pub(crate) properties: Vec<PropertyFn>,
    /// The pins that redpin wrote.
    pub(crate) pins: Vec<PropertyFn>,
    /// Its other functions.
    pub(crate) functions: Vec<Standing>,
    /// Calls of macros where an item can stand.
    pub(crate) calls: Vec<MacroCall>,
    /// The macros that it defines: the name, and what stands between the brackets.
    pub(crate) macros: Vec<(String, Span)>,
}

/// Something that is no property itself, but may be what makes one, and where it stands.
#[derive(Clone, Debug)]
pub(crate) struct Standing {
    /// Its name, without `r#`.
    pub(crate) name: String,
    /// The inline modules around it, outermost first.
    pub(crate) modules: Vec<String>,
    /// All of it with its attributes.
    pub(crate) item: Span,
    /// Where a pin goes that belongs to it.
    pub(crate) pin_at: usize,
    /// The white space before it.
    pub(crate) indent: String,
    /// Line of its first word, from 1.
    pub(crate) line: u32,
}

/// A call of a macro that stands for items.
#[derive(Clone, Debug)]
pub(crate) struct MacroCall {
    /// The macro's name and the call's place.
    pub(crate) standing: Standing,
    /// Between its brackets.
    pub(crate) arguments: Span,
}

/// What of `text` concerns its properties.
///
/// # Errors
/// Where `text` does not lex as Rust.
pub(crate) fn outline(text: &str) -> Result<Outline, Unreadable> {
    apart(|| {
        let code = Code::read(text)?;
        let newlines = memchr_iter(b'\n', text.as_bytes()).collect();
        let mut finder = Finder { code, newlines, scopes: Scopes::default(), found: Outline::default() };
        finder.walk();
        Ok(finder.found)
    })
}

/// The properties of `text` in the order they stand in it.
///
/// # Errors
/// Where `text` does not lex as Rust.
pub(crate) fn properties(text: &str) -> Result<Vec<PropertyFn>, Unreadable> {
    Ok(outline(text)?.properties)
}

/// A function as its tokens tell it.
#[derive(Clone)]
struct Function {
    /// Index of its first attribute, doc comment or word.
    first: usize,
    /// Index of `fn`.
    keyword: usize,
    /// Index of the parenthesis that opens its parameters.
    parameters: usize,
    /// Index of the brace that opens its body.
    body: usize,
}

/// The item that properties stand in, which a pin goes after.
struct Item {
    span: Span,
    /// Where the next pin goes.
    pin_at: usize,
    /// Its comments, where it is a macro block.
    docs: Vec<String>,
    /// Its attributes, where it is a macro block.
    attributes: Vec<String>,
}

impl Item {
    /// A function that is an item itself.
    fn function(code: &Code<'_>, function: &Function) -> Item {
        let last = code.partner(function.body);
        let (span, pin_at) = (code.span(function.first, last), pin_place(code, last));
        Item { span, pin_at, docs: Vec::new(), attributes: Vec::new() }
    }
}

struct Finder<'t> {
    code: Code<'t>,
    newlines: Vec<usize>,
    scopes: Scopes,
    found: Outline,
}

impl Finder<'_> {
    fn walk(&mut self) {
        let mut at = 0;
        while at < self.code.tokens.len() {
            self.scopes.close(at);
            at = self.step(at);
        }
    }

    /// Reads what starts at `at`; the index where the walk goes on.
    fn step(&mut self, at: usize) -> usize {
        match self.code.word(at) {
            "macro_rules" if self.code.sign(at + 1, '!') => self.definition(at),
            "mod" if self.code.open(at + 2, '{') => self.module(at),
            "fn" => self.function(at),
            "proptest" => self.code.macro_group(at).map_or(at + 1, |open| self.proptest(at, open)),
            "prop_state_machine" => self.code.macro_group(at).map_or(at + 1, |open| self.state_machines(at, open)),
            "run" if at > 0 && self.code.sign(at - 1, '.') && self.code.open(at + 1, '(') => {
                self.runner(at + 1);
                at + 1
            }
            "" => at + 1,
            _ => self.code.macro_group(at).map_or(at + 1, |open| self.call(at, open)),
        }
    }

    /// `macro_rules! name { … }`.
    fn definition(&mut self, at: usize) -> usize {
        let Some(after) = self.code.after_group(at + 3) else { return at + 1 };
        self.found.macros.push((self.code.word(at + 2).to_owned(), self.code.inside(at + 3)));
        after
    }

    /// A call of some macro, which may stand for items; what is in it may be items itself.
    fn call(&mut self, at: usize, open: usize) -> usize {
        if self.scopes.are_among_items() {
            let item = self.block(at, open);
            let standing = self.standing(self.code.word(at), at, &item);
            self.found.calls.push(MacroCall { standing, arguments: self.code.inside(open) });
            self.scopes.open(self.code.partner(open), Scope::Call);
        }
        open + 1
    }

    fn standing(&self, name: &str, at: usize, item: &Item) -> Standing {
        Standing {
            name: unraw(name).to_owned(),
            modules: self.scopes.modules(),
            item: item.span,
            pin_at: item.pin_at,
            indent: indent(self.code.text, item.span.start).to_owned(),
            line: self.line(self.code.start(at)),
        }
    }

    fn module(&mut self, at: usize) -> usize {
        let (first, open) = (self.code.first(at), at + 2);
        let inner = (open + 1..self.code.partner(open)).take_while(|&index| self.code.kind(index) == Some(Kind::Doc));
        let mut docs = self.code.docs(first, at);
        docs.extend(inner.flat_map(|index| said(self.code.written(index))));
        let name = unraw(self.code.word(at + 1)).to_owned();
        self.scopes.open(self.code.partner(open), Scope::Module { name, docs });
        open + 1
    }

    fn function(&mut self, at: usize) -> usize {
        let Some(function) = self.function_at(at, self.code.tokens.len()) else { return at + 1 };
        let form = self.code.attributes(function.first, at).find_map(|(open, _)| match self.code.path_end(open) {
            "property_test" => Some(Form::PropertyTest),
            "proptest" => Some(Form::TestStrategy),
            _ => None,
        });
        if let Some(form) = form {
            self.found.properties.push(self.property(form, &function, &Item::function(&self.code, &function)));
            return self.code.partner(function.body) + 1;
        }
        if is_pin(self.code.word(at + 1)) {
            let pin = self.property(Form::Pin, &function, &Item::function(&self.code, &function));
            self.found.pins.push(pin);
        } else if self.scopes.are_among_items() {
            let standing = self.standing(self.code.word(at + 1), at, &Item::function(&self.code, &function));
            self.found.functions.push(standing);
        }
        let body = function.body;
        self.scopes.open(self.code.partner(body), Scope::Function(function));
        body + 1
    }

    /// `proptest! { … }` or `proptest!(…)`, `at` is the macro's name and `open` its bracket.
    fn proptest(&mut self, at: usize, open: usize) -> usize {
        let end = self.code.partner(open);
        let functions = self.functions(open, end);
        if functions.is_empty() {
            self.closure(open, end);
            return end + 1;
        }
        let item = self.block(at, open);
        for function in functions {
            self.found.properties.push(self.property(Form::Block, &function, &item));
        }
        end + 1
    }

    fn state_machines(&mut self, at: usize, open: usize) -> usize {
        let (item, end) = (self.block(at, open), self.code.partner(open));
        for function in self.functions(open, end) {
            let mut property = self.property(Form::StateMachine, &function, &item);
            property.body = self.code.inside(function.parameters);
            property.parameters = self.machine(function.parameters).into_iter().collect::<Vec<_>>().into();
            self.found.properties.push(property);
        }
        end + 1
    }

    /// The macro call whose name stands at `at`, as an item.
    fn block(&self, at: usize, open: usize) -> Item {
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
    fn functions(&self, open: usize, end: usize) -> Vec<Function> {
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
    fn function_at(&self, at: usize, end: usize) -> Option<Function> {
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

    /// The parameter of `fn name(sequential 1..12 => Machine);` as the library names it.
    fn machine(&self, open: usize) -> Option<Parameter> {
        let end = self.code.partner(open);
        let arrow = self.code.next_at_level(open + 1, end, |code, at| code.sign(at, '=') && code.sign(at + 1, '>'))?;
        Some(Parameter {
            pattern: "(initial_state, transitions, seen_counter)".to_owned(),
            strategy: Some(self.code.between(open + 2, arrow).to_owned()),
            ty: Some(self.code.between(arrow + 2, end).trim_end_matches(',').to_owned()),
        })
    }

    /// A property as far as `function` tells it.
    fn property(&self, form: Form, function: &Function, item: &Item) -> PropertyFn {
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

    fn line(&self, offset: usize) -> u32 {
        u32::try_from(self.newlines.partition_point(|&newline| newline < offset) + 1).unwrap_or(u32::MAX)
    }
}

#[cfg(test)]
mod tests;
