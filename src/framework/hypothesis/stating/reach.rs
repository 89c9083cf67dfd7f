//! How far a strategy reaches: the bounds of numbers and of sizes, where its call says them plainly.

use tree_sitter::Node;

use crate::language::python::imports::written;
use crate::language::python::module::Module;
use crate::language::python::normal::expression;
use crate::language::python::syntax::{Syntax, children};
use crate::oracle::Reach;

/// Names that stand for others are followed no further than this.
const FARTHEST: usize = 8;

/// Strategies of numbers, by whose arguments it is known how far they reach.
const NUMBERS: [&str; 4] = ["integers", "floats", "decimals", "fractions"];

/// Strategies of what has a size.
const SIZED: [&str; 7] = ["text", "binary", "lists", "sets", "frozensets", "dictionaries", "iterables"];

/// How far the strategy `text` reaches in `module`.
pub(super) fn reach(module: &Module, text: &str) -> Option<Reach> {
    expression(text, |syntax, node| Scale { module, syntax, depth: 0 }.strategy(node)).flatten()
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
    fn strategy(&self, node: Node<'_>) -> Option<Reach> {
        match node.kind() {
            "identifier" => self.named(self.syntax.said(node), |scale, node| scale.strategy(node)),
            "call" => {
                let called = node.child_by_field_name("function")?;
                // What is left out of a range makes it no wider.
                let filtered =
                    called.child_by_field_name("object").filter(|_| self.syntax.field(called, "attribute") == "filter");
                match filtered {
                    Some(inner) => self.strategy(inner),
                    None => self.call(self.strategy_name(called)?, node.child_by_field_name("arguments")?),
                }
            }
            _ => None,
        }
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

    fn call(&self, name: &'static str, arguments: Node<'_>) -> Option<Reach> {
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
        if NUMBERS.contains(&name) {
            let low = limit(argument("min_value").or(places.first().copied()))?;
            let high = limit(argument("max_value").or(places.get(1).copied()))?;
            return Some(Reach { low, high });
        }
        let low = limit(argument("min_size"))?;
        Some(Reach { low: Some(low.unwrap_or(0)), high: limit(argument("max_size"))? })
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
    use super::{reach, whole};
    use crate::language::python::module::module;
    use crate::oracle::Reach;

    const TEXT: &str = "from hypothesis import strategies as st\nfrom hypothesis.strategies import integers as ints\nMOST = 10 * CENTS\n\
        CENTS = 100\nAMOUNTS = st.integers(1, MOST)\nTWICE = 1\nTWICE = 2\nLOOP = LOOP\ndef floats(a): pass\n";

    #[track_caller]
    fn check(text: &str, expected: Option<(Option<i128>, Option<i128>)>) {
        let module = module(TEXT).unwrap();
        assert_eq!(reach(&module, text), expected.map(|(low, high)| Reach { low, high }), "{text}");
    }

    #[test]
    fn numbers_reach_between_their_bounds() {
        check("st.integers()", Some((None, None)));
        check("st.integers(0, 10)", Some((Some(0), Some(10))));
        check("ints(max_value=-1)", Some((None, Some(-1))));
        check("st.integers(min_value=None, max_value=1_000)", Some((None, Some(1000))));
        check("st.integers(-2**63, 2**63 - 1)", Some((Some(-(1 << 63)), Some((1 << 63) - 1))));
        check("st.integers(0, 1 << 8)", Some((Some(0), Some(256))));
        check("st.integers(0, 0xff)", Some((Some(0), Some(255))));
        check("st.integers(0, 10).filter(lambda n: n % 2)", Some((Some(0), Some(10))));
        check("AMOUNTS", Some((Some(1), Some(1000))));
        check("st.floats(0.0, 1e6)", Some((Some(0), Some(1_000_000))));
        check("st.floats(0.5, 1)", None);
        check("floats(0, 1)", None);
        check("st.decimals(min_value=0)", Some((Some(0), None)));
    }

    #[test]
    fn sizes_reach_from_nothing() {
        check("st.text()", Some((Some(0), None)));
        check("st.lists(st.integers(3, 4), min_size=1, max_size=3)", Some((Some(1), Some(3))));
        check("st.text('ab', max_size=3)", Some((Some(0), Some(3))));
        check("st.dictionaries(st.text(), st.text(), min_size=2)", Some((Some(2), None)));
    }

    #[test]
    fn what_is_not_plain_reaches_nowhere() {
        for text in [
            "st.integers(0, 10).map(str)",
            "st.integers(0, n)",
            "st.integers(0, 9**999)",
            "st.integers(0, 2 ** -1)",
            "st.integers(*bounds)",
            "st.integers(0, TWICE)",
            "st.integers(0, LOOP)",
            "st.sampled_from([1, 2])",
            "st.integers(0, 1) | st.integers(5, 6)",
            "st.booleans()",
            "(",
        ] {
            check(text, None);
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
