//! All properties of a Rust text, in whichever form, in one pass over its tokens.

mod within;

use std::collections::HashMap;

use crate::framework::pin_name::is_pin;
use crate::framework::rust::pin_place::indent;
use crate::framework::rust::scope::Scope;
use crate::framework::rust::walk::{Item, Walk};
use crate::language::rust::code::unraw;
use crate::language::rust::parameters::Parameter;
use crate::language::rust::property::{Form, PropertyFn};
use crate::language::rust::tokens::{Unreadable, apart};
use crate::span::Span;

/// What of a Rust text concerns its properties.
#[derive(Debug, Default)]
pub(crate) struct Outline {
    /// The properties in the order they stand in it.
    pub(crate) properties: Vec<PropertyFn>,
    /// Where they stand among all, by name.
    by_name: HashMap<String, Vec<usize>>,
    /// The pins that redpin wrote.
    pub(crate) pins: Vec<PropertyFn>,
    /// Its other functions.
    pub(crate) functions: Vec<Standing>,
    /// Calls of macros where an item can stand.
    pub(crate) calls: Vec<MacroCall>,
    /// The macros that it defines: the name, and what stands between the brackets.
    pub(crate) macros: Vec<(String, Span)>,
}

impl Outline {
    /// The properties of that name, in their order.
    pub(crate) fn named(&self, name: &str) -> impl Iterator<Item = &PropertyFn> {
        self.by_name.get(name).into_iter().flatten().filter_map(|&at| self.properties.get(at))
    }
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
        let mut finder = Finder { walk: Walk::over(text)?, found: Outline::default() };
        finder.walk();
        let mut found = finder.found;
        for (at, property) in found.properties.iter().enumerate() {
            found.by_name.entry(property.name.clone()).or_default().push(at);
        }
        Ok(found)
    })
}

/// The properties of `text` in the order they stand in it.
///
/// # Errors
/// Where `text` does not lex as Rust.
pub(crate) fn properties(text: &str) -> Result<Vec<PropertyFn>, Unreadable> {
    Ok(outline(text)?.properties)
}

struct Finder<'t> {
    walk: Walk<'t>,
    found: Outline,
}

impl Finder<'_> {
    fn walk(&mut self) {
        let mut at = 0;
        while at < self.walk.code.tokens.len() {
            self.walk.scopes.close(at);
            at = self.step(at);
        }
    }

    /// Reads what starts at `at`; the index where the walk goes on.
    fn step(&mut self, at: usize) -> usize {
        match self.walk.code.word(at) {
            "macro_rules" if self.walk.code.sign(at + 1, '!') => self.definition(at),
            "mod" if self.walk.code.open(at + 2, '{') => self.walk.module(at),
            "fn" => self.function(at),
            "proptest" => self.walk.code.macro_group(at).map_or(at + 1, |open| self.proptest(at, open)),
            "prop_state_machine" => self.walk.code.macro_group(at).map_or(at + 1, |open| self.state_machines(at, open)),
            "run" if at > 0 && self.walk.code.sign(at - 1, '.') && self.walk.code.open(at + 1, '(') => {
                self.runner(at + 1);
                at + 1
            }
            "" => at + 1,
            _ => self.walk.code.macro_group(at).map_or(at + 1, |open| self.call(at, open)),
        }
    }

    /// `macro_rules! name { … }`.
    fn definition(&mut self, at: usize) -> usize {
        let Some(after) = self.walk.code.after_group(at + 3) else { return at + 1 };
        self.found.macros.push((self.walk.code.word(at + 2).to_owned(), self.walk.code.inside(at + 3)));
        after
    }

    /// A call of some macro, which may stand for items; what is in it may be items itself.
    fn call(&mut self, at: usize, open: usize) -> usize {
        if self.walk.scopes.are_among_items() {
            let item = self.walk.block(at, open);
            let standing = self.standing(self.walk.code.word(at), at, &item);
            self.found.calls.push(MacroCall { standing, arguments: self.walk.code.inside(open) });
            self.walk.scopes.open(self.walk.code.partner(open), Scope::Call);
        }
        open + 1
    }

    fn standing(&self, name: &str, at: usize, item: &Item) -> Standing {
        Standing {
            name: unraw(name).to_owned(),
            modules: self.walk.scopes.modules(),
            item: item.span,
            pin_at: item.pin_at,
            indent: indent(self.walk.code.text, item.span.start).to_owned(),
            line: self.walk.line(self.walk.code.start(at)),
        }
    }

    fn function(&mut self, at: usize) -> usize {
        let Some(function) = self.walk.function_at(at, self.walk.code.tokens.len()) else { return at + 1 };
        let form =
            self.walk.code.attributes(function.first, at).find_map(|(open, _)| match self.walk.code.path_end(open) {
                "property_test" => Some(Form::PropertyTest),
                "proptest" => Some(Form::TestStrategy),
                _ => None,
            });
        if let Some(form) = form {
            self.found.properties.push(self.walk.property(
                form,
                &function,
                &Item::function(&self.walk.code, &function),
            ));
            return self.walk.code.partner(function.body) + 1;
        }
        if is_pin(self.walk.code.word(at + 1)) {
            let pin = self.walk.property(Form::Pin, &function, &Item::function(&self.walk.code, &function));
            self.found.pins.push(pin);
        } else if self.walk.scopes.are_among_items() {
            let standing = self.standing(self.walk.code.word(at + 1), at, &Item::function(&self.walk.code, &function));
            self.found.functions.push(standing);
        }
        let body = function.body;
        self.walk.scopes.open(self.walk.code.partner(body), Scope::Function(function));
        body + 1
    }

    /// `proptest! { … }` or `proptest!(…)`, `at` is the macro's name and `open` its bracket.
    fn proptest(&mut self, at: usize, open: usize) -> usize {
        let end = self.walk.code.partner(open);
        let functions = self.walk.functions(open, end);
        if functions.is_empty() {
            self.closure(open, end);
            return end + 1;
        }
        let item = self.walk.block(at, open);
        for function in functions {
            self.found.properties.push(self.walk.property(Form::Block, &function, &item));
        }
        end + 1
    }

    fn state_machines(&mut self, at: usize, open: usize) -> usize {
        let (item, end) = (self.walk.block(at, open), self.walk.code.partner(open));
        for function in self.walk.functions(open, end) {
            let mut property = self.walk.property(Form::StateMachine, &function, &item);
            property.body = self.walk.code.inside(function.parameters);
            property.parameters = self.machine(function.parameters).into_iter().collect::<Vec<_>>().into();
            self.found.properties.push(property);
        }
        end + 1
    }

    /// The parameter of `fn name(sequential 1..12 => Machine);` as the library names it.
    fn machine(&self, open: usize) -> Option<Parameter> {
        let end = self.walk.code.partner(open);
        let arrow =
            self.walk.code.next_at_level(open + 1, end, |code, at| code.sign(at, '=') && code.sign(at + 1, '>'))?;
        Some(Parameter {
            pattern: "(initial_state, transitions, seen_counter)".to_owned(),
            strategy: Some(self.walk.code.between(open + 2, arrow).to_owned()),
            ty: Some(self.walk.code.between(arrow + 2, end).trim_end_matches(',').to_owned()),
        })
    }
}

#[cfg(test)]
mod tests;
