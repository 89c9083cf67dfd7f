//! How far a strategy reaches: the bounds of numbers and of sizes, where its call says them plainly.

use tree_sitter::Node;

use super::inputs::form;
use crate::language::python::imports::written;
use crate::language::python::module::Module;
use crate::language::python::normal::expression;
use crate::language::python::syntax::{Syntax, children};
use crate::oracle::{Reach, Shape};

/// Names that stand for others are followed no further than this.
const FARTHEST: usize = 8;

/// Strategies of numbers, by whose arguments it is known how far they reach.
const NUMBERS: [&str; 4] = ["integers", "floats", "decimals", "fractions"];

/// Strategies of what has a size.
const SIZED: [&str; 7] = ["text", "binary", "lists", "sets", "frozensets", "dictionaries", "iterables"];

/// The strategy `text` of `module`, taken apart into its limits and all else; `None` where it is no expression.
pub(super) fn shape(module: &Module, text: &str) -> Option<Shape> {
    let mut reaches = Vec::new();
    let value = text.trim_start_matches('*');
    let frame = expression(value, |syntax, node| Scale { module, syntax, depth: 0 }.frame(node, &mut reaches))?;
    Some(Shape { frame: form(&format!("{}{frame}", &text[..text.len() - value.len()])), reaches, types: Vec::new() })
}

/// A whole number that `text` says in `module`.
pub(super) fn whole(module: &Module, text: &str) -> Option<i128> {
    expression(text, |syntax, node| Scale { module, syntax, depth: 0 }.bound(node)).flatten().flatten()
}

struct Scale<'s, 't> {
    module: &'s Module,
    syntax: &'s Syntax<'t>,
    depth: usize,
}

impl Scale<'_, '_> {
    /// What stands at `node` without its limits, which join `reaches`, and without its filters.
    fn frame(&self, node: Node<'_>, reaches: &mut Vec<Reach>) -> String {
        let said = self.syntax.said(node);
        match node.kind() {
            "identifier" => {
                let found = self.named(said, |scale, node| {
                    let mut own = Vec::new();
                    let frame = scale.frame(node, &mut own);
                    (!own.is_empty()).then_some((frame, own))
                });
                let Some((frame, own)) = found else { return said.to_owned() };
                reaches.extend(own);
                frame
            }
            "parenthesized_expression" => {
                children(node).pop().map_or(String::new(), |inner| self.frame(inner, reaches))
            }
            "call" => self.frame_of_call(node, reaches),
            // What a function does with a value has no limits of the strategy.
            "lambda" => said.to_owned(),
            _ => self.with_parts(node, &children(node), reaches),
        }
    }

    /// The text of `node`, each of `parts` as its own frame.
    fn with_parts(&self, node: Node<'_>, parts: &[Node<'_>], reaches: &mut Vec<Reach>) -> String {
        let whole = node.start_byte();
        let said = self.syntax.said(node);
        let mut frame = String::new();
        let mut end = 0;
        for part in parts {
            let (start, after) = (part.start_byte() - whole, part.end_byte() - whole);
            frame.push_str(said.get(end..start).unwrap_or_default());
            frame.push_str(&self.frame(*part, reaches));
            end = after;
        }
        frame.push_str(said.get(end..).unwrap_or_default());
        frame
    }

    fn frame_of_call(&self, node: Node<'_>, reaches: &mut Vec<Reach>) -> String {
        let (called, arguments) = (node.child_by_field_name("function"), node.child_by_field_name("arguments"));
        let (Some(called), Some(arguments)) = (called, arguments) else { return self.syntax.said(node).to_owned() };
        // What is left out of a range makes it no wider, and is told for itself.
        let inner = called.child_by_field_name("object").filter(|_| called.kind() == "attribute");
        if let Some(inner) = inner.filter(|_| self.syntax.field(called, "attribute") == "filter") {
            return self.frame(inner, reaches);
        }
        let known = self.strategy_name(called).and_then(|name| Some((name, self.call(name, arguments)?)));
        let Some((name, (reach, limits))) = known else {
            let parts: Vec<Node<'_>> = inner.into_iter().chain([arguments]).collect();
            return self.with_parts(node, &parts, reaches);
        };
        reaches.push(reach);
        let others = children(arguments).into_iter().filter(|one| !limits.contains(&one.id()));
        let others: Vec<String> = others.map(|one| self.frame(one, reaches)).collect();
        format!("{name}({})", others.join(", "))
    }

    /// The library's own name of the strategy that is called.
    fn strategy_name(&self, called: Node<'_>) -> Option<&'static str> {
        let said = self.syntax.said(called);
        let is = |name: &&&str| {
            let last = said.rsplit('.').next().unwrap_or(said);
            let is_own = self.module.functions.iter().any(|function| function.path == [said]);
            written(&self.module.imports, &format!("hypothesis.strategies.{name}")).is_some_and(|known| known == said)
                || (last == **name && !is_own)
        };
        NUMBERS.iter().chain(&SIZED).find(is).copied()
    }

    /// What the strategy `name` reaches with these arguments, and which of them are its limits.
    fn call(&self, name: &'static str, arguments: Node<'_>) -> Option<(Reach, Vec<usize>)> {
        let given = children(arguments);
        if given.iter().any(|one| matches!(one.kind(), "list_splat" | "dictionary_splat")) {
            return None;
        }
        let is_named = |one: &&Node<'_>| one.kind() == "keyword_argument";
        let places: Vec<Node<'_>> = given.iter().filter(|one| !is_named(one)).copied().collect();
        let argument = |name: &str| {
            let named = given.iter().filter(is_named).find(|one| self.syntax.field(**one, "name") == name)?;
            named.child_by_field_name("value")
        };
        let limit = |node: Option<Node<'_>>| node.map_or(Some(None), |node| self.bound(node));
        let (least, most, is_placed) = match NUMBERS.contains(&name) {
            true => ("min_value", "max_value", true),
            false => ("min_size", "max_size", false),
        };
        let place = |at: usize| places.get(at).copied().filter(|_| is_placed);
        let (first, last) = (argument(least).or(place(0)), argument(most).or(place(1)));
        let low = limit(first)?;
        let low = if is_placed { low } else { Some(low.unwrap_or(0)) };
        let reach = Reach { low, high: limit(last)? };
        let limits = first.into_iter().chain(last).map(|one| {
            let named = one.parent().filter(|outer| outer.kind() == "keyword_argument");
            named.unwrap_or(one).id()
        });
        Some((reach, limits.collect()))
    }

    /// What a bound says: `Some(None)` where it says that there is none, `None` where that is not plain to see.
    fn bound(&self, node: Node<'_>) -> Option<Option<i128>> {
        let said = self.syntax.said(node);
        match node.kind() {
            "none" => Some(None),
            "integer" => integer(said).map(Some),
            "float" => float(said).map(Some),
            "identifier" => self.named(said, |scale, node| scale.bound(node)),
            "parenthesized_expression" => self.bound(children(node).pop()?),
            "unary_operator" => {
                let value = self.bound(node.child_by_field_name("argument")?)??;
                match self.syntax.field(node, "operator") {
                    "-" => value.checked_neg().map(Some),
                    "+" => Some(Some(value)),
                    _ => None,
                }
            }
            "binary_operator" => {
                let left = self.bound(node.child_by_field_name("left")?)??;
                let right = self.bound(node.child_by_field_name("right")?)??;
                let power = u32::try_from(right).ok();
                let value = match self.syntax.field(node, "operator") {
                    "+" => left.checked_add(right),
                    "-" => left.checked_sub(right),
                    "*" => left.checked_mul(right),
                    "**" => left.checked_pow(power?),
                    "<<" => 2_i128.checked_pow(power?).and_then(|factor| left.checked_mul(factor)),
                    _ => None,
                };
                value.map(Some)
            }
            _ => None,
        }
    }

    /// What `read` makes of what a name is bound to, where the module binds it once.
    fn named<R>(&self, name: &str, read: impl FnOnce(&Scale<'_, '_>, Node<'_>) -> Option<R>) -> Option<R> {
        let mut bound = self.module.bound.iter().filter(|(bound, _)| bound == name);
        let (_, text) = bound.next().filter(|_| self.depth < FARTHEST)?;
        if bound.next().is_some() {
            return None;
        }
        let (module, depth) = (self.module, self.depth + 1);
        expression(text, |syntax, node| read(&Scale { module, syntax, depth }, node)).flatten()
    }
}

/// `1_000`, `0xff`.
fn integer(said: &str) -> Option<i128> {
    let plain = said.replace('_', "").to_ascii_lowercase();
    let (digits, radix) = match plain.get(..2) {
        Some("0x") => (&plain[2..], 16),
        Some("0o") => (&plain[2..], 8),
        Some("0b") => (&plain[2..], 2),
        _ => (plain.as_str(), 10),
    };
    i128::from_str_radix(digits, radix).ok()
}

/// Above this not every whole number is a float.
const WHOLE: f64 = 9_007_199_254_740_992.0;

/// A float that says a whole number.
fn float(said: &str) -> Option<i128> {
    let value: f64 = said.replace('_', "").parse().ok()?;
    let digits = format!("{value:.0}");
    (value.fract() == 0.0 && value.abs() <= WHOLE).then(|| digits.parse().ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::{shape, whole};
    use crate::language::python::module::module;

    const TEXT: &str = "from hypothesis import strategies as st\nfrom hypothesis.strategies import integers as ints\nMOST = 10 * CENTS\n\
        CENTS = 100\nAMOUNTS = st.integers(1, MOST)\nTWICE = 1\nTWICE = 2\nLOOP = LOOP\ndef floats(a): pass\n";

    type Limits<'l> = &'l [(Option<i128>, Option<i128>)];

    #[track_caller]
    fn check(text: &str, frame: &str, limits: Limits<'_>) {
        let module = module(TEXT).unwrap();
        let shape = shape(&module, text).unwrap();
        let told: Vec<_> = shape.reaches.iter().map(|reach| (reach.low, reach.high)).collect();
        assert_eq!((shape.frame.as_str(), told.as_slice()), (frame, limits), "{text}");
    }

    #[test]
    fn numbers_reach_between_their_bounds() {
        check("st.integers()", "integers()", &[(None, None)]);
        check("st.integers(0, 10)", "integers()", &[(Some(0), Some(10))]);
        check("ints(max_value=-1)", "integers()", &[(None, Some(-1))]);
        check("st.integers(min_value=None, max_value=1_000)", "integers()", &[(None, Some(1000))]);
        check("st.integers(-2**63, 2**63 - 1)", "integers()", &[(Some(-(1 << 63)), Some((1 << 63) - 1))]);
        check("st.integers(0, 1 << 8)", "integers()", &[(Some(0), Some(256))]);
        check("st.integers(0, 0xff)", "integers()", &[(Some(0), Some(255))]);
        check("st.integers(0, 10).filter(lambda n: n % 2)", "integers()", &[(Some(0), Some(10))]);
        check("AMOUNTS", "integers()", &[(Some(1), Some(1000))]);
        check("st.floats(0.0, 1e6, width=16)", "floats(width=16)", &[(Some(0), Some(1_000_000))]);
        check("st.decimals(min_value=0)", "decimals()", &[(Some(0), None)]);
        check("st.integers(0, 10).map(str)", "integers().map(str)", &[(Some(0), Some(10))]);
        check(
            "st.integers(0, 1) | st.integers(5, 6)",
            "integers() | integers()",
            &[(Some(0), Some(1)), (Some(5), Some(6))],
        );
    }

    #[test]
    fn sizes_reach_from_nothing_and_elements_for_themselves() {
        check("st.text()", "text()", &[(Some(0), None)]);
        let list = [(Some(1), Some(3)), (Some(3), Some(4))];
        check("st.lists(st.integers(3, 4), min_size=1, max_size=3)", "lists(integers())", &list);
        check("st.lists(st.just(0), unique=True)", "lists(st.just(0), unique=True)", &[(Some(0), None)]);
        check("st.text('ab', max_size=3)", "text(\"ab\")", &[(Some(0), Some(3))]);
    }

    #[test]
    fn what_is_not_plain_is_all_frame() {
        for text in [
            "st.floats(0.5, 1)",
            "floats(0, 1)",
            "st.integers(0, n)",
            "st.integers(0, 9 ** 999)",
            "st.integers(0, 2 ** -1)",
            "st.integers(*bounds)",
            "st.integers(0, TWICE)",
            "st.integers(0, LOOP)",
            "st.sampled_from([1, 2])",
            "st.booleans()",
        ] {
            check(text, text, &[]);
        }
    }

    #[test]
    fn a_whole_number_is_told() {
        let module = module(TEXT).unwrap();
        assert_eq!(whole(&module, "MOST"), Some(1000));
        assert_eq!(whole(&module, "10_000"), Some(10_000));
        assert_eq!(whole(&module, "1 if CI else 2"), None);
    }
}
