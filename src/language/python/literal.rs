//! Values as Python expressions: parsed, and rendered anew. Only literals, displays of them, and names and calls that
//! whoever asks knows get through: no operator, no comprehension, no function.

use tree_sitter::Node;

use crate::visible::prints;

use super::module::is_dotted;
use super::normal::is_too_deep;
use super::syntax::{Syntax, children};

/// Values nested deeper are nobody's.
const DEEPEST: usize = 100;

/// What is to become of a name in a value.
pub type Resolve<'r> = dyn FnMut(&str, Use) -> Result<String, String> + 'r;

/// What a name is there for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Use {
    /// It is called.
    Call,
    /// It is the value.
    Value,
}

/// The value that `text` tells, as an expression on one line.
///
/// # Errors
/// What of it is no value that can be written down, in words.
pub fn render(text: &str, resolve: &mut Resolve<'_>) -> Result<String, String> {
    let wrapped = format!("({text}\n)");
    let no_value = || format!("`{}` is no Python expression", short(text));
    let syntax = Syntax::of(&wrapped).ok_or_else(no_value)?;
    let only = |node: Node<'_>| children(node).len() == 1;
    let statement = syntax.root().named_child(0).filter(|_| only(syntax.root()) && !syntax.root().has_error());
    let outer = statement.filter(|statement| only(*statement)).and_then(|statement| statement.named_child(0));
    let outer =
        outer.filter(|outer| outer.kind() == "parenthesized_expression" && only(*outer)).ok_or_else(no_value)?;
    let value = children(outer).pop().ok_or_else(no_value)?;
    Pen { syntax: &syntax, resolve }.value(value, 0)
}

/// A few words of a text.
fn short(text: &str) -> String {
    let line: String = text.chars().take(60).map(|char| if char.is_control() { ' ' } else { char }).collect();
    if text.chars().count() > 60 { format!("{line}…") } else { line }
}

struct Pen<'p, 't, 'r> {
    syntax: &'p Syntax<'t>,
    resolve: &'p mut Resolve<'r>,
}

impl Pen<'_, '_, '_> {
    fn value(&mut self, node: Node<'_>, depth: usize) -> Result<String, String> {
        let said = self.syntax.said(node);
        let refused = || Err(format!("`{}` is no value that can be written down", short(said)));
        if depth > DEEPEST {
            return Err("it is nested too deeply".to_owned());
        }
        match node.kind() {
            // Python has no octal numbers of that form.
            "integer" if said.starts_with('0') && said.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'_')) => {
                let is_zero = said.bytes().all(|byte| matches!(byte, b'0' | b'_'));
                if is_zero { Ok("0".to_owned()) } else { refused() }
            }
            "integer" | "float" => Ok(said.to_owned()),
            "true" | "false" | "none" => Ok(said.to_owned()),
            "string" => text(said).map_or_else(refused, Ok),
            "concatenated_string" => {
                let parts = children(node).into_iter().map(|part| self.value(part, depth + 1));
                Ok(parts.collect::<Result<Vec<_>, _>>()?.join(" "))
            }
            "unary_operator" => {
                let operand = children(node).pop().map(|node| self.value(node, depth + 1));
                match (said.chars().next(), operand) {
                    (Some(sign @ ('-' | '+')), Some(operand)) => Ok(format!("{sign}{}", operand?)),
                    _ => refused(),
                }
            }
            // A complex number is written as a sum.
            "binary_operator" if is_complex(said) => Ok(said.split_whitespace().collect()),
            "binary_operator" if self.syntax.field(node, "operator") == "|" => self.flags(node, depth),
            // What is spread is written down in place.
            "list_splat" => {
                self.spread(node, &["tuple", "list"], depth).map_or_else(refused, |one| Ok(format!("*{}", one?)))
            }
            "dictionary_splat" => {
                self.spread(node, &["dictionary"], depth).map_or_else(refused, |one| Ok(format!("**{}", one?)))
            }
            "list" => Ok(format!("[{}]", self.values(node, depth)?.join(", "))),
            "set" => Ok(format!("{{{}}}", self.values(node, depth)?.join(", "))),
            "tuple" => match self.values(node, depth)?.as_slice() {
                [one] => Ok(format!("({one},)")),
                values => Ok(format!("({})", values.join(", "))),
            },
            "parenthesized_expression" => match children(node)[..] {
                [inner] => Ok(format!("({})", self.value(inner, depth + 1)?)),
                _ => refused(),
            },
            "dictionary" => Ok(format!("{{{}}}", self.values(node, depth)?.join(", "))),
            "pair" => match children(node)[..] {
                [key, value] => Ok(format!("{}: {}", self.value(key, depth + 1)?, self.value(value, depth + 1)?)),
                _ => refused(),
            },
            "keyword_argument" => {
                let value = node.child_by_field_name("value").map(|value| self.value(value, depth + 1));
                value.map_or_else(refused, |value| Ok(format!("{}={}", self.syntax.field(node, "name"), value?)))
            }
            "identifier" | "attribute" if is_dotted(said) => (self.resolve)(said, Use::Value),
            "call" => {
                let called = self.syntax.field(node, "function");
                let arguments = node.child_by_field_name("arguments").filter(|node| node.kind() == "argument_list");
                let Some(arguments) = arguments.filter(|_| is_dotted(called)) else { return refused() };
                let name = (self.resolve)(called, Use::Call)?;
                Ok(format!("{name}({})", self.values(arguments, depth)?.join(", ")))
            }
            _ => refused(),
        }
    }

    /// Members of an enumeration that are one value together.
    fn flags(&mut self, node: Node<'_>, depth: usize) -> Result<String, String> {
        let mut members = Vec::new();
        for part in children(node) {
            if !matches!(part.kind(), "attribute" | "binary_operator") {
                return Err(format!("`{}` is no value that can be written down", short(self.syntax.said(node))));
            }
            members.push(self.value(part, depth + 1)?);
        }
        Ok(members.join(" | "))
    }

    /// What a call gets spread over its arguments, where it is a display of one of these kinds.
    fn spread(&mut self, node: Node<'_>, kinds: &[&str], depth: usize) -> Option<Result<String, String>> {
        let inner = children(node).pop().filter(|inner| kinds.contains(&inner.kind()))?;
        Some(self.value(inner, depth + 1))
    }

    fn values(&mut self, node: Node<'_>, depth: usize) -> Result<Vec<String>, String> {
        children(node).into_iter().map(|child| self.value(child, depth + 1)).collect()
    }
}

fn is_complex(said: &str) -> bool {
    said.ends_with('j') && said.bytes().all(|byte| byte.is_ascii_digit() || b"+-.ej naif".contains(&byte))
}

/// A text or bytes literal without anything in it that prints nothing, or is not what it looks like; `None` for one that
/// holds expressions.
fn text(said: &str) -> Option<String> {
    let quote = said.find(['\'', '"'])?;
    let (prefix, quoted) = said.split_at(quote);
    if !matches!(prefix, "" | "b") {
        return None;
    }
    let mut shown = String::with_capacity(said.len());
    let mut is_escaped = false;
    for char in quoted.chars() {
        let code = u32::from(char);
        let is_plain = prints(char) && !matches!(char, '\n' | '\t');
        if is_escaped && !is_plain {
            return None;
        }
        is_escaped = char == '\\' && !is_escaped;
        match char {
            _ if is_plain => shown.push(char),
            '\n' => shown.push_str("\\n"),
            '\t' => shown.push_str("\\t"),
            _ if code < 0x100 => shown += &format!("\\x{code:02x}"),
            _ if code < 0x1_0000 => shown += &format!("\\u{code:04x}"),
            _ => shown += &format!("\\U{code:08x}"),
        }
    }
    Some(format!("{prefix}{shown}"))
}

/// The tokens of an expression by which two ways of writing it are known to be one: neither layout nor kinds of quotes
/// count. `None` where it is no Python, or nested deeper than anybody's.
pub fn tokens(text: &str) -> Option<Vec<String>> {
    let wrapped = format!("({text}\n)");
    let syntax = Syntax::of(&wrapped).filter(|syntax| !syntax.root().has_error() && !is_too_deep(syntax))?;
    let mut found: Vec<String> = Vec::new();
    collect(&syntax, syntax.root(), &mut found);
    Some(found)
}

fn collect(syntax: &Syntax<'_>, node: Node<'_>, found: &mut Vec<String>) {
    if node.kind() == "string" {
        found.push(unquoted(syntax.said(node)));
        return;
    }
    let mut cursor = node.walk();
    let parts: Vec<Node<'_>> = node.children(&mut cursor).collect();
    if parts.is_empty() && node.kind() != "comment" {
        let said = syntax.said(node);
        if matches!(said, ")" | "]" | "}") && found.last().is_some_and(|last| last == ",") {
            found.pop();
        }
        found.push(said.to_owned());
    }
    parts.into_iter().for_each(|part| collect(syntax, part, found));
}

/// What a literal says, whichever quotes it stands in.
fn unquoted(said: &str) -> String {
    let (prefix, quoted) = said.split_at(said.find(['\'', '"']).unwrap_or(0));
    let long = quoted.len() >= 6 && (quoted.starts_with("'''") || quoted.starts_with("\"\"\""));
    let quotes = if long { 3 } else { 1 };
    let inner = quoted.get(quotes..quoted.len().saturating_sub(quotes)).unwrap_or_default();
    let mut plain = format!("{prefix}\"");
    let mut chars = inner.chars();
    while let Some(char) = chars.next() {
        match (char, chars.as_str().chars().next()) {
            // Which quotes need a backslash depends on those around.
            ('\\', Some('\'' | '"')) => {}
            ('\\', Some(_)) => plain.extend([char].into_iter().chain(chars.next())),
            _ => plain.push(char),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::{Use, render, tokens};

    fn known(name: &str, is: Use) -> Result<String, String> {
        match (name, is) {
            ("Booking", Use::Call) => Ok("slots.Booking".to_owned()),
            ("set" | "Decimal", Use::Call) => Ok(name.to_owned()),
            ("nan", Use::Value) => Ok("math.nan".to_owned()),
            ("Mode.A" | "Mode.B", Use::Value) => Ok(format!("m.{name}")),
            _ => Err(format!("{name}?")),
        }
    }

    #[test]
    fn values_are_rendered_anew() {
        let check =
            |text: &str, expected: &str| assert_eq!(render(text, &mut known).as_deref(), Ok(expected), "{text}");
        check("Booking(\n    0,  # or any\n    -1, member='ann',\n)", "slots.Booking(0, -1, member='ann')");
        check("{'x': nan, \"y\": [1, 2.5e-3]}", "{'x': math.nan, \"y\": [1, 2.5e-3]}");
        check("(1,)", "(1,)");
        check("()", "()");
        check("set()", "set()");
        check("{1, (2, 3)}", "{1, (2, 3)}");
        check("b'\\x00\\''", "b'\\x00\\''");
        check("'\u{202e}é\u{7f}'", "'\\u202eé\\x7f'");
        check("1_000", "1_000");
        check("(1+2j)", "(1+2j)");
        check("-1.0", "-1.0");
        check("True", "True");
        check("Mode.A | Mode.B", "m.Mode.A | m.Mode.B");
        check("Booking(*(0, ''), **{'a': 1})", "slots.Booking(*(0, ''), **{'a': 1})");
    }

    #[test]
    fn what_is_no_value_is_refused() {
        for text in [
            "<object at 0x7f>",
            "0777",
            "lambda x: x",
            "[x for x in y]",
            "os.system('x')",
            "f'{x}'",
            "1 + 1",
            "f(*x)",
            "Booking(*x)",
            "1 | 2",
            "set() | set()",
            "Mode.A | 1",
            "x[0]",
            "",
            "1)\n(2",
            "Booking(0); x",
            "Booking(0)(1)",
            "a if b else c",
            "not x",
            "1, 2",
            "__import__('os').x()",
            "...",
            "x := 1",
            "'a' 'b' % 1",
        ] {
            assert!(render(text, &mut known).is_err(), "{text}: {:?}", render(text, &mut known));
        }
        assert!(render(&"[".repeat(5000), &mut known).is_err());
        assert!(render(&format!("{}{}", "[".repeat(500), "]".repeat(500)), &mut known).is_err());
    }

    #[test]
    fn an_expression_is_the_same_in_any_layout() {
        assert_eq!(tokens("{'x': [1, 2,],  # y\n}"), tokens("{\"x\": [1,2]}"));
        assert_eq!(tokens("'\\\\\\'\"'"), tokens("\"\\\\'\\\"\""));
        assert_ne!(tokens("'\\\\n'"), tokens("'\\n'"));
        assert_ne!(tokens("'a'"), tokens("b'a'"));
        assert_ne!(tokens("1"), tokens("-1"));
    }

    #[test]
    fn what_is_nested_too_deeply_has_no_tokens() {
        let nested = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
        assert_eq!(tokens(&nested(50)).map(|found| found.len()), Some(102));
        assert_eq!(tokens(&nested(50_000)), None);
        assert!(render(&nested(50_000), &mut known).is_err());
    }
}
