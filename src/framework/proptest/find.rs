//! All properties of a Rust text, in whichever form, in one pass over its tokens. Items are told by their first words
//! wherever they stand (inline modules, other macros' braces), so a file that a full parser would refuse still shows its
//! properties.

use memchr::memchr_iter;

use super::pin_name::is_pin;
use super::pin_place::{indent, pin_place};
use crate::language::rust::code::Code;
use crate::language::rust::comments::said;
use crate::language::rust::parameters::{Parameter, Parameters};
use crate::language::rust::property::{Form, PropertyFn};
use crate::language::rust::statement::call_in;
use crate::language::rust::tokens::{Kind, Unreadable, apart};
use crate::span::Span;

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
        let mut finder = Finder { code, newlines, scopes: Vec::new(), found: Outline::default() };
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

/// A module, function or macro call that is open at the place the walk has reached.
struct Scope {
    /// Index of the token that closes it.
    end: usize,
    kind: ScopeKind,
}

enum ScopeKind {
    Module { name: String, docs: Vec<String> },
    Function(Function),
    Call,
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
    scopes: Vec<Scope>,
    found: Outline,
}

impl Finder<'_> {
    fn walk(&mut self) {
        let mut at = 0;
        while at < self.code.tokens.len() {
            while self.scopes.last().is_some_and(|scope| scope.end <= at) {
                self.scopes.pop();
            }
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
        if self.is_among_items() {
            let item = self.block(at, open);
            let standing = self.standing(self.code.word(at), at, &item);
            self.found.calls.push(MacroCall { standing, arguments: self.code.inside(open) });
            self.scopes.push(Scope { end: self.code.partner(open), kind: ScopeKind::Call });
        }
        open + 1
    }

    /// Whether the walk is in no function and no call of a macro.
    fn is_among_items(&self) -> bool {
        self.scopes.iter().all(|scope| matches!(scope.kind, ScopeKind::Module { .. }))
    }

    fn standing(&self, name: &str, at: usize, item: &Item) -> Standing {
        Standing {
            name: unraw(name).to_owned(),
            modules: self.modules(),
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
        self.scopes.push(Scope { end: self.code.partner(open), kind: ScopeKind::Module { name, docs } });
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
        } else if self.is_among_items() {
            let standing = self.standing(self.code.word(at + 1), at, &Item::function(&self.code, &function));
            self.found.functions.push(standing);
        }
        let body = function.body;
        self.scopes.push(Scope { end: self.code.partner(body), kind: ScopeKind::Function(function) });
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

    /// `proptest!([config,] [move] |(…)| body)`.
    fn closure(&mut self, open: usize, end: usize) {
        let Some(bar) = self.code.next_at_level(open + 1, end, |code, at| {
            code.sign(at, '|') && code.open(at + 1, '(') && code.sign(code.partner(at + 1) + 1, '|')
        }) else {
            return;
        };
        let list = self.code.inside(bar + 1);
        let body = self.closure_body(self.code.partner(bar + 1) + 2, end);
        self.in_function(Form::Closure, open, Parameters::written(&self.code.text[list.range()]), body);
    }

    /// `….run(&strategy, [move] |pattern| body)`, `open` is the parenthesis.
    fn runner(&mut self, open: usize) {
        let end = self.code.partner(open);
        if !self.code.sign(open + 1, '&') {
            return;
        }
        let Some(comma) = self.code.next_at_level(open + 1, end, |code, at| {
            let bar = if code.word(at + 1) == "move" { at + 2 } else { at + 1 };
            code.sign(at, ',') && code.sign(bar, '|')
        }) else {
            return self.runner_of_name(open);
        };
        let bar = if self.code.word(comma + 1) == "move" { comma + 2 } else { comma + 1 };
        let Some(second) = self.code.next_at_level(bar + 1, end, |code, at| code.sign(at, '|')) else { return };
        let colon = self.code.next_at_level(bar + 1, second, |code, at| {
            code.sign(at, ':') && !code.sign(at + 1, ':') && !code.sign(at - 1, ':')
        });
        let parameter = Parameter {
            pattern: self.code.between(bar + 1, colon.unwrap_or(second)).to_owned(),
            strategy: Some(self.code.between(open + 2, comma).to_owned()),
            ty: colon.map(|colon| self.code.between(colon + 1, second).to_owned()),
        };
        let body = self.closure_body(second + 1, end);
        self.in_function(Form::Runner, open, vec![parameter].into(), body);
    }

    /// `….run(&strategy, path::of::a_function)`, in a text that speaks of the runner.
    fn runner_of_name(&mut self, open: usize) {
        let end = self.code.partner(open);
        let last = if self.code.sign(end - 1, ',') { end - 1 } else { end };
        let comma = (open + 1..last).rev().find(|&at| self.code.sign(at, ','));
        let is_path = |at: usize| !self.code.word(at).is_empty() || self.code.sign(at, ':');
        let Some(comma) = comma.filter(|&comma| comma + 1 < last && (comma + 1..last).all(is_path)) else { return };
        if !self.code.text.contains("TestRunner") {
            return;
        }
        let parameter = Parameter {
            pattern: "input".to_owned(),
            strategy: Some(self.code.between(open + 2, comma).to_owned()),
            ty: None,
        };
        self.in_function(Form::NamedRunner, open, vec![parameter].into(), self.code.span(comma + 1, last - 1));
    }

    /// The body of a closure that stands last in a group: between its braces, or the whole expression.
    fn closure_body(&self, start: usize, end: usize) -> Span {
        let last = if self.code.sign(end - 1, ',') { end - 1 } else { end };
        match self.code.kind(last - 1) {
            Some(Kind::Close('}')) if self.code.partner(last - 1) == start || self.code.sign(start, '-') => {
                self.code.inside(self.code.partner(last - 1))
            }
            _ => self.code.span(start, last.saturating_sub(1).max(start)),
        }
    }

    /// A property that runs inside the innermost function around the token `at`.
    fn in_function(&mut self, form: Form, at: usize, parameters: Parameters, body: Span) {
        let function = self.scopes.iter().rev().find_map(|scope| match &scope.kind {
            ScopeKind::Function(function) => Some(function.clone()),
            ScopeKind::Module { .. } | ScopeKind::Call => None,
        });
        let Some(function) = function else { return };
        let mut property = self.property(form, &function, &Item::function(&self.code, &function));
        let needs_nothing = self.code.inside(function.parameters).is_empty();
        property.call = needs_nothing.then(|| call_in(self.code.text, property.body, self.code.start(at))).flatten();
        property.parameters = parameters;
        property.body = body;
        self.found.properties.push(property);
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
        let docs = self.code.docs(first, keyword).into_iter().chain(item.docs.iter().cloned()).chain(self.scope_docs());
        let own = self.code.attribute_texts(first, keyword);
        let start = self.code.attached(first).first().map_or(self.code.start(first), |comment| comment.start);
        let arrow =
            (self.code.partner(list) + 1..body).find(|&at| self.code.sign(at, '-') && self.code.sign(at + 1, '>'));
        PropertyFn {
            name: unraw(self.code.word(keyword + 1)).to_owned(),
            modules: self.modules(),
            form,
            span: Span::new(start, self.code.tokens[end].span.end),
            line: self.line(self.code.start(keyword)),
            docs: docs.collect(),
            attributes: item.attributes.iter().cloned().chain(own).collect(),
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

    fn modules(&self) -> Vec<String> {
        let names = self.scopes.iter().filter_map(|scope| match &scope.kind {
            ScopeKind::Module { name, .. } => Some(name.clone()),
            ScopeKind::Function(_) | ScopeKind::Call => None,
        });
        names.collect()
    }

    /// What is said of the modules around, innermost first, the file's own words last.
    fn scope_docs(&self) -> Vec<String> {
        let inner = self.scopes.iter().rev().filter_map(|scope| match &scope.kind {
            ScopeKind::Module { docs, .. } => Some(docs.clone()),
            ScopeKind::Function(_) | ScopeKind::Call => None,
        });
        let file =
            (0..self.code.tokens.len()).map(|at| self.code.written(at)).take_while(|text| text.starts_with("//!"));
        inner.flatten().chain(file.flat_map(said)).collect()
    }

    fn line(&self, offset: usize) -> u32 {
        u32::try_from(self.newlines.partition_point(|&newline| newline < offset) + 1).unwrap_or(u32::MAX)
    }
}

pub(super) fn unraw(word: &str) -> &str {
    word.strip_prefix("r#").unwrap_or(word)
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
            format!("{line} {form:?} {}", [modules.as_slice(), std::slice::from_ref(name)].concat().join("::")),
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
}
