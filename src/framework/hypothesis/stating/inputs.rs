//! What a property is given: what `@given` generates, and what pytest puts in besides.

use tree_sitter::Node;

use super::Page;
use super::reach::shape;
use crate::framework::hypothesis::given::parametrized;
use crate::language::python::module::{Decorator, Function, Given};
use crate::language::python::normal::{bare, expression, normal};
use crate::language::python::syntax::children;
use crate::oracle::{Input, Shape};

/// The inputs of `function`, by its decorator `given`.
pub(super) fn inputs(page: &Page<'_>, function: &Function, given: &Decorator, definition: Node<'_>) -> Vec<Input> {
    let is_placed = |one: &&Given| one.name.is_none() && !one.text.starts_with('*');
    let open = function.parameters.iter().filter(|one| !one.by_name).map(|one| one.name.as_str());
    let open: Vec<&str> = open.collect();
    let count = given.arguments.iter().filter(is_placed).count();
    let mut places = open[open.len().saturating_sub(count)..].iter();
    let by_mark = parametrized(function);
    let mut found = Vec::new();
    for argument in &given.arguments {
        if argument.name.is_none() && is_all(&argument.text) {
            let own = |name: &&str| !matches!(*name, "self" | "cls") && !by_mark.iter().any(|other| other == name);
            let named = function.parameters.iter().map(|one| one.name.as_str()).filter(own);
            found.extend(named.map(|name| plain(name, annotation(page, definition, name))));
            continue;
        }
        let placed = if is_placed(&argument) { places.next().copied() } else { None };
        let name = argument.name.as_deref().or(placed).unwrap_or_default();
        found.push(match is_all(&argument.text) {
            true => plain(name, annotation(page, definition, name)),
            false => input(page, name, &argument.text),
        });
    }
    let marks = function.decorators.iter().filter(|one| one.function() == "parametrize");
    found.extend(marks.filter_map(marked));
    found
}

/// What the strategy `text` gives as `name`.
pub(super) fn input(page: &Page<'_>, name: &str, text: &str) -> Input {
    let generator = form(text);
    Input { name: name.to_owned(), shape: shape(page.module, text).unwrap_or_else(|| all_frame(&generator)), generator }
}

/// What is generated in a way of which no limits are known.
fn plain(name: &str, generator: String) -> Input {
    Input { name: name.to_owned(), shape: all_frame(&generator), generator }
}

fn all_frame(generator: &str) -> Shape {
    Shape { frame: generator.to_owned(), ..Shape::default() }
}

/// An argument's value in normal form, with its signs.
pub(super) fn form(text: &str) -> String {
    let value = text.trim_start_matches('*');
    let signs = &text[..text.len() - value.len()];
    let plain = expression(value, bare).unwrap_or_else(|| value.split_whitespace().collect::<Vec<_>>().join(" "));
    format!("{signs}{plain}")
}

/// Whether the library finds a strategy by itself.
fn is_all(text: &str) -> bool {
    text == "..." || text == "Ellipsis"
}

/// The type of a parameter.
fn annotation(page: &Page<'_>, definition: Node<'_>, name: &str) -> String {
    let parameters = definition.child_by_field_name("parameters").map(children).unwrap_or_default();
    let own = parameters.into_iter().find(|one| {
        let named = one.child_by_field_name("name").or_else(|| one.named_child(0));
        named.is_some_and(|named| page.syntax.said(named) == name)
    });
    let kind = own.and_then(|own| own.child_by_field_name("type"));
    kind.map_or(String::new(), |kind| normal(page.syntax, kind))
}

/// What pytest puts in by a mark.
fn marked(mark: &Decorator) -> Option<Input> {
    let (names, others) = mark.arguments.split_first()?;
    let others: Vec<String> = others
        .iter()
        .map(|one| one.name.as_ref().map_or_else(|| form(&one.text), |name| format!("{name}={}", form(&one.text))))
        .collect();
    let names = form(&names.text).trim_matches(['"', '(', ')', '[', ']']).replace('"', "");
    Some(plain(&names, format!("parametrize({})", others.join(", "))))
}
