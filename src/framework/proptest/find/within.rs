//! Properties that run inside a test function: the closure of a `proptest!`, and what is handed to a runner.

use super::Finder;
use crate::framework::rust::walk::Item;
use crate::language::rust::parameters::{Parameter, Parameters};
use crate::language::rust::property::Form;
use crate::language::rust::statement::call_in;
use crate::language::rust::tokens::Kind;
use crate::span::Span;

impl Finder<'_> {
    /// `proptest!([config,] [move] |(…)| body)`.
    pub(super) fn closure(&mut self, open: usize, end: usize) {
        let Some(bar) = self.walk.code.next_at_level(open + 1, end, |code, at| {
            code.sign(at, '|') && code.open(at + 1, '(') && code.sign(code.partner(at + 1) + 1, '|')
        }) else {
            return;
        };
        let list = self.walk.code.inside(bar + 1);
        let body = self.closure_body(self.walk.code.partner(bar + 1) + 2, end);
        self.in_function(Form::Closure, open, Parameters::written(&self.walk.code.text[list.range()]), body);
    }

    /// `….run(&strategy, [move] |pattern| body)`, `open` is the parenthesis.
    pub(super) fn runner(&mut self, open: usize) {
        let end = self.walk.code.partner(open);
        if !self.walk.code.sign(open + 1, '&') {
            return;
        }
        let Some(comma) = self.walk.code.next_at_level(open + 1, end, |code, at| {
            let bar = if code.word(at + 1) == "move" { at + 2 } else { at + 1 };
            code.sign(at, ',') && code.sign(bar, '|')
        }) else {
            return self.runner_of_name(open);
        };
        let bar = if self.walk.code.word(comma + 1) == "move" { comma + 2 } else { comma + 1 };
        let Some(second) = self.walk.code.next_at_level(bar + 1, end, |code, at| code.sign(at, '|')) else { return };
        let colon = self.walk.code.next_at_level(bar + 1, second, |code, at| {
            code.sign(at, ':') && !code.sign(at + 1, ':') && !code.sign(at - 1, ':')
        });
        let parameter = Parameter {
            pattern: self.walk.code.between(bar + 1, colon.unwrap_or(second)).to_owned(),
            strategy: Some(self.walk.code.between(open + 2, comma).to_owned()),
            ty: colon.map(|colon| self.walk.code.between(colon + 1, second).to_owned()),
        };
        let body = self.closure_body(second + 1, end);
        self.in_function(Form::Runner, open, vec![parameter].into(), body);
    }

    /// `….run(&strategy, path::of::a_function)`, in a text that speaks of the runner.
    fn runner_of_name(&mut self, open: usize) {
        let end = self.walk.code.partner(open);
        let last = if self.walk.code.sign(end - 1, ',') { end - 1 } else { end };
        let comma = (open + 1..last).rev().find(|&at| self.walk.code.sign(at, ','));
        let is_path = |at: usize| !self.walk.code.word(at).is_empty() || self.walk.code.sign(at, ':');
        let Some(comma) = comma.filter(|&comma| comma + 1 < last && (comma + 1..last).all(is_path)) else { return };
        if !self.walk.code.text.contains("TestRunner") {
            return;
        }
        let parameter = Parameter {
            pattern: "input".to_owned(),
            strategy: Some(self.walk.code.between(open + 2, comma).to_owned()),
            ty: None,
        };
        self.in_function(Form::NamedRunner, open, vec![parameter].into(), self.walk.code.span(comma + 1, last - 1));
    }

    /// The body of a closure that stands last in a group: between its braces, or the whole expression.
    fn closure_body(&self, start: usize, end: usize) -> Span {
        let last = if self.walk.code.sign(end - 1, ',') { end - 1 } else { end };
        match self.walk.code.kind(last - 1) {
            Some(Kind::Close('}')) if self.walk.code.partner(last - 1) == start || self.walk.code.sign(start, '-') => {
                self.walk.code.inside(self.walk.code.partner(last - 1))
            }
            _ => self.walk.code.span(start, last.saturating_sub(1).max(start)),
        }
    }

    /// A property that runs inside the innermost function around the token `at`.
    fn in_function(&mut self, form: Form, at: usize, parameters: Parameters, body: Span) {
        let Some(function) = self.walk.scopes.function() else { return };
        let mut property = self.walk.property(form, &function, &Item::function(&self.walk.code, &function));
        let needs_nothing = self.walk.code.inside(function.parameters).is_empty();
        property.call =
            needs_nothing.then(|| call_in(self.walk.code.text, property.body, self.walk.code.start(at))).flatten();
        property.parameters = parameters;
        property.body = body;
        self.found.properties.push(property);
    }
}
