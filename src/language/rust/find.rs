//! All properties of a Rust text, in one pass over its tokens. Items are told by their first words wherever they stand
//! (inline modules, other macros' braces), so a file that a full parser would refuse still shows its properties.

use memchr::memchr_iter;

use super::comments::{attached, comments, said};
use super::parameters::parameters;
use super::property::{Form, Parameter, PropertyFn};
use super::statement::call_in;
use super::tokens::{Kind, Token, Unreadable, apart, lex};
use crate::span::Span;

/// The properties of `text` in the order they stand in it.
///
/// # Errors
/// Where `text` does not lex as Rust.
pub fn properties(text: &str) -> Result<Vec<PropertyFn>, Unreadable> {
    apart(|| {
        let tokens = lex(text)?;
        let newlines = memchr_iter(b'\n', text.as_bytes()).collect();
        let mut finder = Finder { text, tokens: &tokens, newlines, scopes: Vec::new(), found: Vec::new() };
        finder.walk();
        Ok(finder.found)
    })
}

/// A module or function that is open at the place the walk has reached.
struct Scope {
    /// Index of the token that closes it.
    end: usize,
    kind: ScopeKind,
}

enum ScopeKind {
    Module { name: String, docs: Vec<String> },
    Function(Function),
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

struct Finder<'t> {
    text: &'t str,
    tokens: &'t [Token],
    newlines: Vec<usize>,
    scopes: Vec<Scope>,
    found: Vec<PropertyFn>,
}

impl Finder<'_> {
    fn walk(&mut self) {
        let mut at = 0;
        while at < self.tokens.len() {
            while self.scopes.last().is_some_and(|scope| scope.end <= at) {
                self.scopes.pop();
            }
            at = self.step(at);
        }
    }

    /// Reads what starts at `at`; the index where the walk goes on.
    fn step(&mut self, at: usize) -> usize {
        match self.word(at) {
            "macro_rules" if self.sign(at + 1, '!') => self.after_group(at + 3).unwrap_or(at + 1),
            "mod" if self.open(at + 2, '{') => self.module(at),
            "fn" => self.function(at),
            "proptest" => self.macro_group(at).map_or(at + 1, |open| self.proptest(at, open)),
            "prop_state_machine" => self.macro_group(at).map_or(at + 1, |open| self.state_machines(at, open)),
            "run" if at > 0 && self.sign(at - 1, '.') && self.open(at + 1, '(') => {
                self.runner(at + 1);
                at + 1
            }
            _ => at + 1,
        }
    }

    fn module(&mut self, at: usize) -> usize {
        let (first, open) = (self.first(at), at + 2);
        let inner = (open + 1..self.partner(open)).take_while(|&index| self.kind(index) == Some(Kind::Doc));
        let mut docs = self.docs(first, at);
        docs.extend(inner.flat_map(|index| said(self.written(index))));
        let name = unraw(self.word(at + 1)).to_owned();
        self.scopes.push(Scope { end: self.partner(open), kind: ScopeKind::Module { name, docs } });
        open + 1
    }

    fn function(&mut self, at: usize) -> usize {
        let Some(function) = self.function_at(at, self.tokens.len()) else { return at + 1 };
        let form = self.attributes(function.first, at).find_map(|(open, _)| match self.path_end(open) {
            "property_test" => Some(Form::PropertyTest),
            "proptest" => Some(Form::TestStrategy),
            _ => None,
        });
        if let Some(form) = form {
            let item = self.span(function.first, self.partner(function.body));
            let property = self.property(form, &function, item, Vec::new(), Vec::new());
            self.found.push(property);
            return self.partner(function.body) + 1;
        }
        let body = function.body;
        self.scopes.push(Scope { end: self.partner(body), kind: ScopeKind::Function(function) });
        body + 1
    }

    /// `proptest! { … }` or `proptest!(…)`, `at` is the macro's name and `open` its bracket.
    fn proptest(&mut self, at: usize, open: usize) -> usize {
        let end = self.partner(open);
        let functions = self.functions(open, end);
        if functions.is_empty() {
            self.closure(open, end);
            return end + 1;
        }
        self.block(at, open, functions, |finder, function, item, docs, attributes| {
            finder.property(Form::Block, function, item, docs, attributes)
        })
    }

    fn state_machines(&mut self, at: usize, open: usize) -> usize {
        let functions = self.functions(open, self.partner(open));
        self.block(at, open, functions, |finder, function, item, docs, attributes| {
            let mut property = finder.property(Form::StateMachine, function, item, docs, attributes);
            property.body = finder.inside(function.parameters);
            property.parameters = finder.machine(function.parameters).into_iter().collect();
            property
        })
    }

    fn block(
        &mut self,
        at: usize,
        open: usize,
        functions: Vec<Function>,
        make: impl Fn(&Self, &Function, Span, Vec<String>, Vec<String>) -> PropertyFn,
    ) -> usize {
        let first = self.first(self.path_start(at));
        let end = self.partner(open);
        let end = if self.sign(end + 1, ';') { end + 1 } else { end };
        let item = self.span(first, end);
        let (docs, attributes) = (self.docs(first, at), self.attribute_texts(first, at));
        for function in functions {
            let property = make(self, &function, item, docs.clone(), attributes.clone());
            self.found.push(property);
        }
        end + 1
    }

    /// The functions right inside the group at `open`.
    fn functions(&self, open: usize, end: usize) -> Vec<Function> {
        let mut found = Vec::new();
        let mut at = open + 1;
        while at < end {
            if self.word(at) == "fn"
                && let Some(function) = self.function_at(at, end)
            {
                at = self.partner(function.body);
                found.push(function);
            } else if let Some(Kind::Open(_)) = self.kind(at) {
                at = self.partner(at);
            }
            at += 1;
        }
        found
    }

    /// The function whose `fn` stands at `at`. One of `prop_state_machine!` has no body: its `;` stands for it.
    fn function_at(&self, at: usize, end: usize) -> Option<Function> {
        if self.word(at + 1).is_empty() {
            return None;
        }
        let parameters = (at + 2..end).find(|&index| self.open(index, '('))?;
        let after = self.partner(parameters) + 1;
        let mut body = after;
        while body < end && !self.open(body, '{') && !self.sign(body, ';') {
            body = if matches!(self.kind(body), Some(Kind::Open(_))) { self.partner(body) + 1 } else { body + 1 };
        }
        (body < end).then(|| Function { first: self.first(at), keyword: at, parameters, body })
    }

    /// `proptest!([config,] [move] |(…)| body)`.
    fn closure(&mut self, open: usize, end: usize) {
        let Some(bar) = self.next_at_level(open + 1, end, |finder, at| {
            finder.sign(at, '|') && finder.open(at + 1, '(') && finder.sign(finder.partner(at + 1) + 1, '|')
        }) else {
            return;
        };
        let list = self.inside(bar + 1);
        let body = self.closure_body(self.partner(bar + 1) + 2, end);
        self.in_function(Form::Closure, open, parameters(&self.text[list.range()]), body);
    }

    /// `….run(&strategy, [move] |pattern| body)`, `open` is the parenthesis.
    fn runner(&mut self, open: usize) {
        let end = self.partner(open);
        if !self.sign(open + 1, '&') {
            return;
        }
        let Some(comma) = self.next_at_level(open + 1, end, |finder, at| {
            let bar = if finder.word(at + 1) == "move" { at + 2 } else { at + 1 };
            finder.sign(at, ',') && finder.sign(bar, '|')
        }) else {
            return;
        };
        let bar = if self.word(comma + 1) == "move" { comma + 2 } else { comma + 1 };
        let Some(second) = self.next_at_level(bar + 1, end, |finder, at| finder.sign(at, '|')) else { return };
        let colon = self.next_at_level(bar + 1, second, |finder, at| {
            finder.sign(at, ':') && !finder.sign(at + 1, ':') && !finder.sign(at - 1, ':')
        });
        let parameter = Parameter {
            pattern: self.between(bar + 1, colon.unwrap_or(second)).to_owned(),
            strategy: Some(self.between(open + 2, comma).to_owned()),
            ty: colon.map(|colon| self.between(colon + 1, second).to_owned()),
        };
        let body = self.closure_body(second + 1, end);
        self.in_function(Form::Runner, open, vec![parameter], body);
    }

    /// The body of a closure that stands last in a group: between its braces, or the whole expression.
    fn closure_body(&self, start: usize, end: usize) -> Span {
        let last = if self.sign(end - 1, ',') { end - 1 } else { end };
        match self.kind(last - 1) {
            Some(Kind::Close('}')) if self.partner(last - 1) == start || self.sign(start, '-') => {
                self.inside(self.partner(last - 1))
            }
            _ => self.span(start, last.saturating_sub(1).max(start)),
        }
    }

    /// A property that runs inside the innermost function around the token `at`.
    fn in_function(&mut self, form: Form, at: usize, parameters: Vec<Parameter>, body: Span) {
        let function = self.scopes.iter().rev().find_map(|scope| match &scope.kind {
            ScopeKind::Function(function) => Some(function.clone()),
            ScopeKind::Module { .. } => None,
        });
        let Some(function) = function else { return };
        let item = self.span(function.first, self.partner(function.body));
        let mut property = self.property(form, &function, item, Vec::new(), Vec::new());
        let needs_nothing = self.inside(function.parameters).is_empty();
        property.call = needs_nothing.then(|| call_in(self.text, property.body, self.start(at))).flatten();
        property.parameters = parameters;
        property.body = body;
        self.found.push(property);
    }

    /// The parameter of `fn name(sequential 1..12 => Machine);` as the library names it.
    fn machine(&self, open: usize) -> Option<Parameter> {
        let end = self.partner(open);
        let arrow = self.next_at_level(open + 1, end, |finder, at| finder.sign(at, '=') && finder.sign(at + 1, '>'))?;
        Some(Parameter {
            pattern: "(initial_state, transitions, seen_counter)".to_owned(),
            strategy: Some(self.between(open + 2, arrow).to_owned()),
            ty: Some(self.between(arrow + 2, end).trim_end_matches(',').to_owned()),
        })
    }

    /// A property as far as `function` tells it; `docs` and `attributes` are those of the macro block around it.
    fn property(
        &self,
        form: Form,
        function: &Function,
        item: Span,
        docs: Vec<String>,
        attributes: Vec<String>,
    ) -> PropertyFn {
        let Function { first, keyword, parameters: list, body } = *function;
        let end = if self.sign(body, ';') { body } else { self.partner(body) };
        let mut all_docs = self.docs(first, keyword);
        all_docs.extend(docs);
        all_docs.extend(self.scope_docs());
        let mut all_attributes = attributes;
        all_attributes.extend(self.attribute_texts(first, keyword));
        let start = self.attached(first).first().map_or(self.start(first), |comment| comment.start);
        let arrow = (self.partner(list) + 1..body).find(|&at| self.sign(at, '-') && self.sign(at + 1, '>'));
        PropertyFn {
            name: unraw(self.word(keyword + 1)).to_owned(),
            modules: self.modules(),
            form,
            span: Span::new(start, self.tokens[end].span.end),
            line: self.line(self.start(keyword)),
            docs: all_docs,
            attributes: all_attributes,
            is_async: (first..keyword).any(|at| self.word(at) == "async"),
            returns: arrow.map(|arrow| self.between(arrow + 2, body).to_owned()),
            parameters: parameters(&self.text[self.inside(list).range()]),
            body: if self.sign(body, ';') { Span::at(self.start(body)) } else { self.inside(body) },
            call: None,
            item,
            pin_at: after_line(self.text, item.end),
            indent: indent(self.text, item.start).to_owned(),
        }
    }

    fn modules(&self) -> Vec<String> {
        let names = self.scopes.iter().filter_map(|scope| match &scope.kind {
            ScopeKind::Module { name, .. } => Some(name.clone()),
            ScopeKind::Function(_) => None,
        });
        names.collect()
    }

    /// What is said of the modules around, innermost first, the file's own words last.
    fn scope_docs(&self) -> Vec<String> {
        let inner = self.scopes.iter().rev().filter_map(|scope| match &scope.kind {
            ScopeKind::Module { docs, .. } => Some(docs.clone()),
            ScopeKind::Function(_) => None,
        });
        let file = (0..self.tokens.len()).map(|at| self.written(at)).take_while(|text| text.starts_with("//!"));
        inner.flatten().chain(file.flat_map(said)).collect()
    }

    /// The comments of the thing whose first token is `first` and whose keyword is `keyword`.
    fn docs(&self, first: usize, keyword: usize) -> Vec<String> {
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
    fn attached(&self, first: usize) -> Vec<Span> {
        attached(self.text, self.gap(first))
    }

    /// What stands between the token `at` and the one before it.
    fn gap(&self, at: usize) -> Span {
        let start = at.checked_sub(1).map_or(0, |before| self.tokens[before].span.end);
        Span::new(start, self.start(at))
    }

    /// The brackets of the outer attributes from token `first` on, each with the index of its `[` and its whole text.
    fn attributes(&self, first: usize, keyword: usize) -> impl Iterator<Item = (usize, Span)> {
        let starts = (first..keyword).filter(|&at| self.sign(at, '#') && self.open(at + 1, '['));
        starts.map(|at| (at + 1, self.span(at, self.partner(at + 1))))
    }

    fn attribute_texts(&self, first: usize, keyword: usize) -> Vec<String> {
        self.attributes(first, keyword).map(|(_, span)| self.text[span.range()].to_owned()).collect()
    }

    /// The last word of the path that the attribute at `open` starts with.
    fn path_end(&self, open: usize) -> &str {
        let mut at = open + 1;
        while self.sign(at + 1, ':') && self.sign(at + 2, ':') {
            at += 3;
        }
        self.word(at)
    }

    /// Index of the first token of the path that ends at `at`.
    fn path_start(&self, at: usize) -> usize {
        let mut start = at;
        while start >= 2 && self.sign(start - 1, ':') && self.sign(start - 2, ':') {
            start -= if start >= 3 && self.kind(start - 3) == Some(Kind::Word) { 3 } else { 2 };
        }
        start
    }

    /// Index of the first attribute, doc comment or qualifier of the thing whose keyword stands at `at`.
    fn first(&self, at: usize) -> usize {
        let mut first = at;
        while let Some(before) = first.checked_sub(1) {
            let qualifier = matches!(self.word(before), "pub" | "async" | "const" | "unsafe" | "extern" | "default");
            let doc = self.kind(before) == Some(Kind::Doc) && is_outer(self.written(before));
            if qualifier || doc {
                first = before;
            } else if self.kind(before) == Some(Kind::Close(']')) && self.sign_before(self.partner(before), '#') {
                first = self.partner(before) - 1;
            } else if self.kind(before) == Some(Kind::Close(')')) && self.word_before(self.partner(before)) == "pub" {
                first = self.partner(before) - 1;
            } else if self.kind(before) == Some(Kind::Literal) && self.word_before(before) == "extern" {
                first = before - 1;
            } else {
                break;
            }
        }
        first
    }

    /// The bracket of the macro call whose name stands at `at`.
    fn macro_group(&self, at: usize) -> Option<usize> {
        (self.sign(at + 1, '!') && matches!(self.kind(at + 2), Some(Kind::Open(_)))).then_some(at + 2)
    }

    fn after_group(&self, open: usize) -> Option<usize> {
        matches!(self.kind(open), Some(Kind::Open(_))).then(|| self.partner(open) + 1)
    }

    /// The first token from `start` up to `end`, groups passed over, that `wanted` accepts.
    fn next_at_level(&self, start: usize, end: usize, wanted: impl Fn(&Self, usize) -> bool) -> Option<usize> {
        let mut at = start;
        while at < end {
            if wanted(self, at) {
                return Some(at);
            }
            at = self.after_group(at).unwrap_or(at + 1);
        }
        None
    }

    fn kind(&self, at: usize) -> Option<Kind> {
        self.tokens.get(at).map(|token| token.kind)
    }

    fn written(&self, at: usize) -> &str {
        self.tokens.get(at).map_or("", |token| &self.text[token.span.range()])
    }

    /// The word at `at`, empty where there is none.
    fn word(&self, at: usize) -> &str {
        if self.kind(at) == Some(Kind::Word) { self.written(at) } else { "" }
    }

    fn word_before(&self, at: usize) -> &str {
        at.checked_sub(1).map_or("", |before| self.word(before))
    }

    fn sign(&self, at: usize, sign: char) -> bool {
        self.kind(at) == Some(Kind::Sign(sign))
    }

    fn sign_before(&self, at: usize, sign: char) -> bool {
        at.checked_sub(1).is_some_and(|before| self.sign(before, sign))
    }

    fn open(&self, at: usize, bracket: char) -> bool {
        self.kind(at) == Some(Kind::Open(bracket))
    }

    fn partner(&self, at: usize) -> usize {
        self.tokens.get(at).map_or(at, |token| token.partner)
    }

    fn start(&self, at: usize) -> usize {
        self.tokens.get(at).map_or(self.text.len(), |token| token.span.start)
    }

    /// From the first byte of the token `first` to the last of the token `last`.
    fn span(&self, first: usize, last: usize) -> Span {
        Span::new(self.start(first), self.tokens.get(last).map_or(self.text.len(), |token| token.span.end))
    }

    /// Between the brackets of the group that opens at `open`.
    fn inside(&self, open: usize) -> Span {
        Span::new(self.tokens[open].span.end, self.start(self.partner(open)))
    }

    /// The text from the token `first` up to, not including, the token `end`.
    fn between(&self, first: usize, end: usize) -> &str {
        if first >= end { "" } else { &self.text[self.span(first, end - 1).range()] }
    }

    fn line(&self, offset: usize) -> u32 {
        u32::try_from(self.newlines.partition_point(|&newline| newline < offset) + 1).unwrap_or(u32::MAX)
    }
}

fn unraw(word: &str) -> &str {
    word.strip_prefix("r#").unwrap_or(word)
}

fn is_outer(doc: &str) -> bool {
    !doc.starts_with("//!") && !doc.starts_with("/*!")
}

/// The offset after the line that `end` stands in; `end` itself where that line goes on with more than a comment.
fn after_line(text: &str, end: usize) -> usize {
    let rest = &text[end..];
    let line = rest.find('\n').map_or(rest, |newline| &rest[..=newline]);
    let more = line.trim();
    if more.is_empty() || more.starts_with("//") { end + line.len() } else { end }
}

/// The white space that the line around `at` starts with.
fn indent(text: &str, at: usize) -> &str {
    let line = &text[text[..at].rfind('\n').map_or(0, |newline| newline + 1)..at];
    &line[..line.len() - line.trim_start().len()]
}

#[cfg(test)]
mod tests {
    use super::properties;
    use crate::language::rust::property::PropertyFn;

    /// A property on a few lines: where, how, what.
    fn told(text: &str, property: &PropertyFn) -> String {
        let PropertyFn { name, modules, form, line, docs, attributes, parameters, .. } = property;
        let parameters: Vec<String> = parameters
            .iter()
            .map(|p| match (&p.strategy, &p.ty) {
                (Some(strategy), Some(ty)) => format!("{}: {ty} in {strategy}", p.pattern),
                (Some(strategy), None) => format!("{} in {strategy}", p.pattern),
                (None, ty) => format!("{}: {}", p.pattern, ty.as_deref().unwrap_or("?")),
            })
            .collect();
        let mut lines = vec![
            format!("{line} {form:?} {}", [modules.as_slice(), &[name.clone()]].concat().join("::")),
            format!("  {}", parameters.join("; ")),
            format!("  body {:?}", &text[property.body.range()]),
        ];
        if !docs.is_empty() || attributes != &["#[test]"] {
            lines.push(format!("  {docs:?} {}", attributes.join(" ")));
        }
        if let Some(call) = property.call {
            lines.push(format!("  setup {:?}, rest {:?}", &text[call.setup.range()], &text[call.rest.range()]));
        }
        lines.join("\n")
    }

    fn check(text: &str, expected: &[&str]) {
        let found = properties(text).unwrap();
        assert_eq!(found.iter().map(|p| told(text, p)).collect::<Vec<_>>(), expected, "{text}");
    }

    #[test]
    fn every_function_of_a_block_is_a_property() {
        check(
            "proptest! {\n    #![proptest_config(c())]\n    /// A-1\n    #[test]\n    fn a(x in 0..9, y: u8) { p(x) }\n\n    #[test] #[ignore]\n    fn r#b(s in t) {}\n}\n",
            &[
                "5 Block a\n  x in 0..9; y: u8\n  body \" p(x) \"\n  [\"A-1\"] #[test]",
                "8 Block b\n  s in t\n  body \"\"\n  [] #[test] #[ignore]",
            ],
        );
    }

    #[test]
    fn properties_of_one_name_are_told_apart_by_their_modules() {
        check(
            "#[cfg(test)]\nmod tests {\n    mod a { proptest::proptest!(#[test] fn f(x: u8) {}); }\n    /// M-1\n    pub(crate) mod b {\n        //! M-2\n        proptest! { #[test] fn f(x: u8) {} }\n    }\n}",
            &[
                "3 Block tests::a::f\n  x: u8\n  body \"\"",
                "7 Block tests::b::f\n  x: u8\n  body \"\"\n  [\"M-1\", \"M-2\"] #[test]",
            ],
        );
    }

    #[test]
    fn a_closure_and_a_runner_belong_to_their_test_function() {
        check(
            "#[test]\nfn c() {\n    let n = 3;\n    proptest!(cfg(), move |(x in 0..n, y: T)| { q(x); });\n    end();\n}\n",
            &[
                "2 Closure c\n  x in 0..n; y: T\n  body \" q(x); \"\n  setup \"\\n    let n = 3;\\n    \", rest \"\\n    end();\\n\"",
            ],
        );
        check(
            "#[test]\nfn r() {\n    run();\n    if let Err(e) = t.run(&(a, b::<C, D>()), |(x, y): (u8, u8)| -> R { q(x); Ok(()) }) { panic!() }\n}\n",
            &[
                "2 Runner r\n  (x, y): (u8, u8) in (a, b::<C, D>())\n  body \" q(x); Ok(()) \"\n  setup \"\\n    run();\\n    \", rest \"\\n\"",
            ],
        );
        check(
            "#[test]\nfn e() { t.run(&s, |x| q(x),).unwrap() }",
            &["2 Runner e\n  x in s\n  body \"q(x)\"\n  setup \" \", rest \" \""],
        );
    }

    #[test]
    fn a_closure_in_a_loop_or_a_function_with_parameters_has_no_setup() {
        check(
            "#[test]\nfn c() { for n in 0..3 { proptest!(|(x in 0..n)| q(x)); } }",
            &["2 Closure c\n  x in 0..n\n  body \"q(x)\""],
        );
        check(
            "fn c(n: u8) { proptest!(|(x in 0..n)| { q(x) }); }",
            &["1 Closure c\n  x in 0..n\n  body \" q(x) \"\n  [] "],
        );
    }

    #[test]
    fn attributes_make_a_function_a_property() {
        check(
            "#[proptest(cases = 5)]\nasync fn s(#[strategy(0..=#b)] a: u8) {}\n#[proptest::property_test]\nfn p(a: u8) -> R { Ok(()) }\n#[test]\nfn plain(x: fn(u8)) {}",
            &[
                "2 TestStrategy s\n  a: u8 in 0..=#b\n  body \"\"\n  [] #[proptest(cases = 5)]",
                "4 PropertyTest p\n  a: u8\n  body \" Ok(()) \"\n  [] #[proptest::property_test]",
            ],
        );
    }

    #[test]
    fn a_state_machine_names_its_machine() {
        check(
            "prop_state_machine! {\n    #[test]\n    fn m(sequential 1..12 => Gate<u8>);\n}",
            &[
                "3 StateMachine m\n  (initial_state, transitions, seen_counter): Gate<u8> in 1..12\n  body \"sequential 1..12 => Gate<u8>\"",
            ],
        );
    }

    #[test]
    fn what_only_looks_like_a_property_is_none() {
        check("macro_rules! g { ($n:ident) => { proptest! { #[test] fn $n(x: u8) {} } } }", &[]);
        check("// proptest! { #[test] fn a(x: u8) {} }\nconst S: &str = \"proptest! { fn a(x: u8) {} }\";", &[]);
        check("use proptest::proptest; fn f() { x.run(1); y.run(&a, b); proptest!(); proptest!(|x|); }", &[]);
    }

    /// Each property's text, the item it stands in and what the pin comes before.
    fn check_places(text: &str, expected: &[[&str; 4]]) {
        let found = properties(text).unwrap();
        let places = found.iter().map(|p| {
            [
                &text[p.span.range()],
                &text[p.item.range()],
                text[p.pin_at..].lines().next().unwrap_or("(end)"),
                &p.indent,
            ]
        });
        assert_eq!(places.collect::<Vec<_>>(), expected, "{text}");
    }

    #[test]
    fn a_pin_goes_after_the_line_that_ends_the_block() {
        check_places(
            "mod t {\r\n\tuse a;\r\n\r\n\t#[cfg(x)]\r\n\tproptest! {\r\n\t\t// é\r\n\t\tfn a(x: u8) {}\r\n\t} // end\r\n}",
            &[[
                "// é\r\n\t\tfn a(x: u8) {}",
                "#[cfg(x)]\r\n\tproptest! {\r\n\t\t// é\r\n\t\tfn a(x: u8) {}\r\n\t}",
                "}",
                "\t",
            ]],
        );
        check_places("proptest!{fn a(x:u8){}}", &[["fn a(x:u8){}", "proptest!{fn a(x:u8){}}", "(end)", ""]]);
        check_places(" mod t {proptest!(fn a(x:u8){}); }", &[["fn a(x:u8){}", "proptest!(fn a(x:u8){});", " }", " "]]);
    }
}
