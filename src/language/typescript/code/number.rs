//! Whole numbers that code names: literals, the limits of the language, sums and powers of them, constants of the file.

use tree_sitter::Node;

use super::{Code, children, place};
use crate::span::Span;

/// Deepest expression, and longest chain of names, that is followed.
const DEPTH: usize = 24;

impl Code {
    /// The whole number that the expression at `span` is, where that is plain to see.
    pub fn integer(&self, span: Span) -> Option<i128> {
        self.integer_of(self.bare(span)?, DEPTH)
    }

    fn integer_of(&self, node: Node<'_>, depth: usize) -> Option<i128> {
        let depth = depth.checked_sub(1)?;
        let text = self.at(place(node));
        let field = |name: &str| node.child_by_field_name(name);
        match node.kind() {
            "number" => literal(text),
            "parenthesized_expression" | "as_expression" | "satisfies_expression" => {
                self.integer_of(children(node).first().copied()?, depth)
            }
            "unary_expression" => {
                let value = self.integer_of(field("argument")?, depth)?;
                match self.at(place(field("operator")?)) {
                    "-" => value.checked_neg(),
                    "+" => Some(value),
                    _ => None,
                }
            }
            "binary_expression" => {
                let (left, right) = (self.integer_of(field("left")?, depth)?, self.integer_of(field("right")?, depth)?);
                match self.at(place(field("operator")?)) {
                    "+" => left.checked_add(right),
                    "-" => left.checked_sub(right),
                    "*" => left.checked_mul(right),
                    "**" => left.checked_pow(u32::try_from(right).ok()?),
                    _ => None,
                }
            }
            "member_expression" => match text {
                "Number.MAX_SAFE_INTEGER" => Some((1 << 53) - 1),
                "Number.MIN_SAFE_INTEGER" => Some(1 - (1 << 53)),
                _ => None,
            },
            "call_expression" if self.at(place(field("function")?)) == "BigInt" => {
                let [argument] = children(field("arguments")?).try_into().ok()?;
                self.integer_of(argument, depth)
            }
            "identifier" => self.integer_of(self.bare(self.constant(text)?)?, depth),
            _ => None,
        }
    }
}

/// The number that a literal writes.
fn literal(text: &str) -> Option<i128> {
    let text = text.replace('_', "").to_ascii_lowercase();
    let digits = text.strip_suffix('n').unwrap_or(&text);
    let radix = |prefix: &str, radix: u32| Some(i128::from_str_radix(digits.strip_prefix(prefix)?, radix).ok());
    if let Some(found) = radix("0x", 16).or_else(|| radix("0b", 2)).or_else(|| radix("0o", 8)) {
        return found;
    }
    match digits.split_once('e') {
        Some((front, power)) => {
            let power = 10_i128.checked_pow(power.strip_prefix('+').unwrap_or(power).parse().ok()?)?;
            front.parse::<i128>().ok()?.checked_mul(power)
        }
        None => digits.strip_suffix(".0").unwrap_or(digits).parse().ok(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::Code;

    #[track_caller]
    fn check(expression: &str, expected: Option<i128>) {
        let text = format!("const MAX = 10, LOOP = LOOP, a = MAX;\nf({expression});\n");
        let code = Code::read("a.ts", text).unwrap();
        let argument = code.calls[0].arguments[0];
        assert_eq!(code.integer(argument), expected, "{expression}");
    }

    #[test]
    fn numbers_are_told_however_they_are_written() {
        check("1_000", Some(1_000));
        check("-0x7f", Some(-127));
        check("1e6", Some(1_000_000));
        check("10n ** 18n - 1n", Some(999_999_999_999_999_999));
        check("2 ** 53 - 1", Some(9_007_199_254_740_991));
        check("Number.MAX_SAFE_INTEGER", Some(9_007_199_254_740_991));
        check("(a * 2) as number", Some(20));
        check("BigInt(7)", Some(7));
        check("3.0", Some(3));
    }

    #[test]
    fn what_is_no_whole_number_is_none() {
        for expression in ["0.5", "x", "LOOP", "f()", "2 ** 500", "9e999", "'1'", "10 / 3"] {
            check(expression, None);
        }
    }
}
