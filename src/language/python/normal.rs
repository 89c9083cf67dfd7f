//! Source in normal form: on one line, blocks in braces, without comments, doc strings, what assertions would say, and whatever else
//! is layout alone.
//! Two pieces of source in this form are equal where nothing but that differs.

use tree_sitter::Node;

use super::syntax::{Syntax, children};
use crate::visible;

/// What `node` says, in normal form.
pub fn normal(syntax: &Syntax<'_>, node: Node<'_>) -> String {
    let mut pen = Pen { syntax, text: String::new(), glue: Glue::Tight };
    pen.node(node, None);
    visible::line(&pen.text).into_owned()
}

/// The same without brackets around all of it.
pub fn bare(syntax: &Syntax<'_>, node: Node<'_>) -> String {
    let mut inner = node;
    while let Some(only) = children(inner).pop().filter(|_| inner.kind() == "parenthesized_expression") {
        inner = only;
    }
    normal(syntax, inner)
}

/// The statements of a block in normal form, without the braces around them.
pub fn statements(syntax: &Syntax<'_>, block: Node<'_>) -> String {
    let mut pen = Pen { syntax, text: String::new(), glue: Glue::Tight };
    pen.statements(block);
    visible::line(&pen.text).into_owned()
}

/// What `read` makes of the expression `text`; `None` where that is none.
pub fn expression<R>(text: &str, read: impl FnOnce(&Syntax<'_>, Node<'_>) -> R) -> Option<R> {
    let wrapped = format!("({text}\n)");
    let syntax = Syntax::of(&wrapped).filter(|syntax| !syntax.root().has_error())?;
    let statement = syntax.root().named_child(0).filter(|_| children(syntax.root()).len() == 1)?;
    let outer = children(statement).into_iter().next().filter(|outer| outer.byte_range() == (0..wrapped.len()))?;
    match outer.kind() {
        "parenthesized_expression" => Some(read(&syntax, children(outer).pop()?)),
        "generator_expression" => Some(read(&syntax, outer)),
        _ => None,
    }
}

/// Whether nodes of `syntax` are nested deeper than anybody nests them: to follow them all the way down is not safe.
pub fn is_too_deep(syntax: &Syntax<'_>) -> bool {
    let mut cursor = syntax.root().walk();
    loop {
        if cursor.depth() > DEEPEST {
            return true;
        }
        if cursor.goto_first_child() || cursor.goto_next_sibling() {
            continue;
        }
        loop {
            if !cursor.goto_parent() {
                return false;
            }
            if cursor.goto_next_sibling() {
                break;
            }
        }
    }
}

/// Deeper than this no source is followed.
const DEEPEST: u32 = 1_000;

/// What is to stand before the next token.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Glue {
    /// Nothing.
    Tight,
    /// A blank, unless the token itself wants none before it.
    Loose,
}

struct Pen<'p, 't> {
    syntax: &'p Syntax<'t>,
    text: String,
    glue: Glue,
}

/// Nodes in which an expression needs no brackets of its own.
const BARE: [&str; 14] = [
    "argument_list",
    "assert_statement",
    "assignment",
    "decorator",
    "default_parameter",
    "elif_clause",
    "expression_statement",
    "if_statement",
    "keyword_argument",
    "list",
    "parenthesized_expression",
    "return_statement",
    "set",
    "while_statement",
];

/// Nodes whose last comma says nothing.
const LISTS: [&str; 8] =
    ["argument_list", "dictionary", "import_from_statement", "list", "parameters", "set", "tuple", "with_clause"];

impl Pen<'_, '_> {
    fn node(&mut self, node: Node<'_>, parent: Option<Node<'_>>) {
        match node.kind() {
            "comment" | "line_continuation" => {}
            "string" => self.token(&text(self.syntax.said(node)), "string", parent),
            "block" => {
                self.text.push_str(" { ");
                self.glue = Glue::Tight;
                self.statements(node);
                self.text.push_str(" }");
                self.glue = Glue::Loose;
            }
            "module" => self.statements(node),
            "assert_statement" if is_told_plainly(self.syntax, node) => {
                self.token("assert", "assert", Some(node));
                children(node).into_iter().take(1).for_each(|rule| self.node(rule, Some(node)));
            }
            "parenthesized_expression" if parent.is_some_and(|parent| BARE.contains(&parent.kind())) => {
                children(node).into_iter().for_each(|inner| self.node(inner, Some(node)));
            }
            // Its colon is the brace that opens.
            kind if node.child_count() == 0 => {
                let opens_block = kind == ":" && opens_block(node);
                if !opens_block {
                    self.token(self.syntax.said(node), kind, parent);
                }
            }
            _ => self.parts(node),
        }
    }

    fn parts(&mut self, node: Node<'_>) {
        let mut cursor = node.walk();
        let parts: Vec<Node<'_>> = node.children(&mut cursor).filter(|part| part.kind() != "comment").collect();
        let is_single = matches!(node.kind(), "tuple") && children(node).len() < 2;
        let in_brackets = matches!(node.kind(), "import_from_statement" | "with_clause");
        for (at, part) in parts.iter().enumerate() {
            let closes = |next: &Node<'_>| matches!(next.kind(), ")" | "]" | "}");
            let is_last_comma = part.kind() == "," && parts.get(at + 1).is_some_and(closes);
            let is_layout = (is_last_comma && LISTS.contains(&node.kind()) && !is_single)
                || (in_brackets && matches!(part.kind(), "(" | ")"));
            if !is_layout {
                self.node(*part, Some(node));
            }
        }
    }

    fn statements(&mut self, block: Node<'_>) {
        let said: Vec<Node<'_>> = children(block).into_iter().filter(|one| !is_remark(*one)).collect();
        for (at, statement) in said.iter().enumerate() {
            if at > 0 {
                self.text.push_str("; ");
            }
            self.glue = Glue::Tight;
            self.node(*statement, Some(block));
        }
        if said.is_empty() {
            self.text.push_str("pass");
        }
    }

    fn token(&mut self, said: &str, kind: &str, parent: Option<Node<'_>>) {
        let around = parent.map_or("", |parent| parent.kind());
        let is_tight = self.glue == Glue::Tight || self.text.is_empty() || hugs_before(kind, parent);
        if !is_tight || (kind == "import" && self.text.ends_with('.')) {
            self.text.push(' ');
        }
        self.text.push_str(said);
        self.glue = if hugs_after(kind, around) { Glue::Tight } else { Glue::Loose };
    }
}

/// What may be called to say what is wrong.
const SAYS: [&str; 8] = ["format", "join", "len", "list", "repr", "sorted", "str", "type"];

/// Whether what an assertion would say does nothing but say it.
fn is_told_plainly(syntax: &Syntax<'_>, assertion: Node<'_>) -> bool {
    let Some(message) = children(assertion).get(1).copied() else { return true };
    let mut open = vec![message];
    while let Some(node) = open.pop() {
        let called = node.child_by_field_name("function").map_or("", |called| syntax.said(called));
        let is_saying = SAYS.contains(&called.rsplit('.').next().unwrap_or(called));
        if matches!(node.kind(), "await" | "yield" | "named_expression") || node.kind() == "call" && !is_saying {
            return false;
        }
        open.extend(children(node));
    }
    true
}

/// Whether a token stands right after the one before it.
fn hugs_before(kind: &str, parent: Option<Node<'_>>) -> bool {
    let around = parent.map_or("", |parent| parent.kind());
    match kind {
        "," | ")" | "]" | "}" | ":" | ";" => true,
        "." => around != "import_prefix",
        "=" => matches!(around, "keyword_argument" | "default_parameter"),
        "(" => {
            matches!(around, "argument_list" | "parameters")
                || (around == "generator_expression" && parent.and_then(|one| one.parent()).is_some_and(is_call))
        }
        "[" => matches!(around, "subscript" | "type_parameter"),
        _ => false,
    }
}

/// Whether what follows a token stands right after it.
fn hugs_after(kind: &str, around: &str) -> bool {
    match kind {
        "(" | "[" | "{" | "." | "~" => true,
        "=" => matches!(around, "keyword_argument" | "default_parameter"),
        "-" | "+" => around == "unary_operator",
        "@" => around == "decorator",
        ":" => around == "slice",
        "*" | "**" => around != "binary_operator",
        _ => false,
    }
}

fn is_call(node: Node<'_>) -> bool {
    node.kind() == "call"
}

/// Whether what follows a colon is a block, comments left out.
fn opens_block(colon: Node<'_>) -> bool {
    let mut next = colon.next_named_sibling();
    while let Some(comment) = next.filter(|next| next.kind() == "comment") {
        next = comment.next_named_sibling();
    }
    next.is_some_and(|next| next.kind() == "block")
}

/// Whether a statement is a text alone: a doc string, or a remark that is written like one.
pub fn is_remark(statement: Node<'_>) -> bool {
    let parts = children(statement);
    statement.kind() == "expression_statement"
        && !parts.is_empty()
        && parts.iter().all(|part| matches!(part.kind(), "string" | "concatenated_string"))
}

/// A text literal on one line, in double quotes, whichever it stands in.
fn text(said: &str) -> String {
    let Some(quote) = said.find(['\'', '"']) else { return said.to_owned() };
    let (prefix, quoted) = said.split_at(quote);
    let long = quoted.len() >= 6 && (quoted.starts_with("'''") || quoted.starts_with("\"\"\""));
    let quotes = if long { 3 } else { 1 };
    let inner = quoted.get(quotes..quoted.len().saturating_sub(quotes)).unwrap_or_default().replace("\r\n", "\n");
    let mut prefix = prefix.to_ascii_lowercase().replace('u', "");
    let is_raw = prefix.contains('r');
    if is_raw && !inner.contains(['\n', '"']) {
        return format!("{prefix}\"{inner}\"");
    }
    prefix = prefix.replace('r', "");
    let mut plain = format!("{prefix}\"");
    let mut chars = inner.chars();
    while let Some(char) = chars.next() {
        match char {
            '\\' if is_raw => plain.push_str("\\\\"),
            '\\' => match chars.next() {
                Some('\n') | None => {}
                Some('\'') => plain.push('\''),
                Some(escaped) => plain.extend(['\\', escaped]),
            },
            '"' => plain.push_str("\\\""),
            '\n' => plain.push_str("\\n"),
            '\t' => plain.push_str("\\t"),
            char => plain.push(char),
        }
    }
    plain.push('"');
    plain
}

#[cfg(test)]
mod tests {
    use super::{expression, is_too_deep, normal};
    use crate::language::python::syntax::Syntax;

    fn form(text: &str) -> String {
        let syntax = Syntax::of(text).unwrap();
        normal(&syntax, syntax.root())
    }

    #[track_caller]
    fn check(text: &str, expected: &str) {
        assert_eq!(form(text), expected, "{text}");
    }

    #[test]
    fn comments_and_layout_are_left_out() {
        check("x = f( 1 ,2, )  # said\n", "x = f(1, 2)");
        check(
            "def f(a,\n      b = 1, *c, **d) -> int:\n    '''Doc.'''\n    # why\n    return (a +\n        b)\n",
            "def f(a, b=1, *c, **d) -> int { return a + b }",
        );
        check(
            "if a:\n    b()\nelif (c): d(); e()\nelse:\n    pass\n",
            "if a { b() } elif c { d(); e() } else { pass }",
        );
        check("assert (\n    a\n    == b\n), 'no'\n", "assert a == b");
        check("assert a, f'{a!r} of {len(b)}'\n", "assert a");
        check("assert a, skip('b')\n", "assert a, skip(\"b\")");
        check("x = a \\\n    + b\n", "x = a + b");
        check("def f():  # why\n    # more\n    x\n", "def f() { x }");
        check("class A ( B ):\n    \"\"\"Doc.\"\"\"\n", "class A(B) { pass }");
        check(
            "from a import (\n    b,\n    c as d,\n)\nfrom . import x\nfrom ..y import z\n",
            "from a import b, c as d; from . import x; from ..y import z",
        );
        check(
            "@given( x = st.integers(0,10) )\n\n@b\nasync def f(x): await x\n",
            "@given(x=st.integers(0, 10)) @b async def f(x) { await x }",
        );
    }

    #[test]
    fn what_is_no_layout_stays() {
        check("(1,)\n(1, 2,)\n[1,]\nx[1,]", "(1,); (1, 2); [1]; x[1,]");
        check("x = -1 - +2 * ~y ** 3\n", "x = -1 - +2 * ~y ** 3");
        check(
            "a[1:-1], {'k': v, **w}, {*s}, lambda x: x, lambda: 0",
            "a[1:-1], {\"k\": v, **w}, {*s}, lambda x: x, lambda: 0",
        );
        check("sum (x for x in y if not z)\n[a for a in b]", "sum(x for x in y if not z); [a for a in b]");
        check("(a + b) * c", "(a + b) * c");
        check(
            "x: int = 3\nx += 1\nx @ y\na if b else c\nx is not None",
            "x: int = 3; x += 1; x @ y; a if b else c; x is not None",
        );
        check(
            "with (a() as b, c): pass\nfor (i, j) in k: pass\nwhile True: break",
            "with a() as b, c { pass }; for (i, j) in k { pass }; while True { break }",
        );
        check(
            "try:\n    a\nexcept (B, C) as e:\n    raise\nfinally:\n    d",
            "try { a } except (B, C) as e { raise } finally { d }",
        );
        assert_ne!(form("if a:\n    b\n    c\n"), form("if a:\n    b\nc\n"));
    }

    #[test]
    fn texts_are_one_whichever_quotes_they_stand_in() {
        check("'it'; \"it\"", "pass");
        check("x('it', \"it\", 'a\"b', 'it\\'s')", "x(\"it\", \"it\", \"a\\\"b\", \"it's\")");
        check(
            "x('''a\n\tb''', r'\\d', r'''\\d\n''', U'u', b'\\x00', f'{a!r:>3}')",
            "x(\"a\\n\\tb\", r\"\\d\", \"\\\\d\\n\", \"u\", b\"\\x00\", f\"{a!r:>3}\")",
        );
        check("x('a' \"b\")", "x(\"a\" \"b\")");
        check("x('\u{1b}[31m')", "x(\"\\u{1b}[31m\")");
    }

    #[test]
    fn an_expression_is_read_by_itself() {
        let read = |text: &str| expression(text, normal);
        assert_eq!(
            read("st.lists( st.text() ,min_size=1 # one\n)").as_deref(),
            Some("st.lists(st.text(), min_size=1)")
        );
        assert_eq!(read("x)(y"), None);
        assert_eq!(read("x = 1"), None);
    }

    #[test]
    fn what_is_nested_too_deeply_is_told() {
        let nested = |depth: usize| format!("x = {}1{}\n", "[".repeat(depth), "]".repeat(depth));
        assert!(!is_too_deep(&Syntax::of(&nested(100)).unwrap()));
        assert!(is_too_deep(&Syntax::of(&nested(5_000)).unwrap()));
    }
}
