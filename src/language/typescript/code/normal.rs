//! Code in normal form: its tokens on one line, written the same way however they were laid out. Two pieces of code have the
//! same where only comments and layout differ: blanks, the last comma of a list, semicolons that the language puts in, and
//! the parentheses of a function's only parameter.

use tree_sitter::Node;

use super::{Code, DEPTH, place};
use crate::span::Span;

/// What stands for code that was left out of an expression.
const GAP: &str = "…";

/// What a semicolon ends, whether or not it is written.
const ENDED: [&str; 18] = [
    "expression_statement",
    "lexical_declaration",
    "variable_declaration",
    "return_statement",
    "throw_statement",
    "break_statement",
    "continue_statement",
    "debugger_statement",
    "do_statement",
    "import_statement",
    "type_alias_declaration",
    "public_field_definition",
    "property_signature",
    "method_signature",
    "index_signature",
    "call_signature",
    "construct_signature",
    "abstract_method_signature",
];

/// What may lose a part without a trace.
const LISTS: [&str; 6] = ["program", "statement_block", "arguments", "object", "class_body", "switch_case"];

/// What is one token, whatever is inside.
const WHOLE: [&str; 5] = ["string", "regex", "jsx_text", "hash_bang_line", "template_string"];

impl Code {
    /// The code at `span` in normal form.
    pub fn normal(&self, span: Span) -> String {
        self.normal_without(span, &[])
    }

    /// The same without the code at `cuts`: of an expression a `…` is left, of a statement, an argument and a member nothing.
    pub fn normal_without(&self, span: Span, cuts: &[Span]) -> String {
        let root = self.tree.root_node();
        let inner = root.descendant_for_byte_range(span.start, span.end).filter(|_| span != self.whole());
        let node = inner.unwrap_or(root);
        let mut writer = Writer { code: self, text: String::new(), last: Last::default(), has_comma: false };
        writer.walk(node, span, cuts);
        writer.text
    }

    /// A template with the code in it in normal form.
    fn template(&self, node: Node<'_>) -> String {
        let mut text = String::new();
        let mut at = node.start_byte();
        let mut cursor = node.walk();
        for hole in node.named_children(&mut cursor).filter(|child| child.kind() == "template_substitution") {
            text.push_str(self.at(Span::new(at, hole.start_byte())));
            let inside = Span::new(hole.start_byte() + 2, hole.end_byte().saturating_sub(1).max(hole.start_byte() + 2));
            text.push_str(&format!("${{{}}}", self.normal(inside)));
            at = hole.end_byte();
        }
        text.push_str(self.at(Span::new(at, node.end_byte())));
        text.replace("\r\n", "\n").replace('\n', "\\n")
    }
}

/// What was written last.
#[derive(Clone, Default)]
struct Last {
    text: String,
    /// Whether it is a name.
    is_name: bool,
    /// Whether what follows stands close.
    is_close: bool,
}

struct Writer<'c> {
    code: &'c Code,
    text: String,
    last: Last,
    /// A comma was read that may be the last of its list.
    has_comma: bool,
}

/// A token and what it is part of.
struct Token<'t> {
    text: &'t str,
    kind: &'static str,
    parent: &'static str,
}

impl Writer<'_> {
    /// Writes what of `top` is inside `span`.
    fn walk(&mut self, top: Node<'_>, span: Span, cuts: &[Span]) {
        let mut cursor = top.walk();
        let mut parents: Vec<&'static str> = vec![top.parent().map_or("", |parent| parent.kind())];
        loop {
            let node = cursor.node();
            let at = place(node);
            let parent = parents.last().copied().unwrap_or_default();
            let is_outside = at.end <= span.start || span.end <= at.start;
            let is_cut = !at.is_empty() && cuts.iter().any(|cut| cut.start <= at.start && at.end <= cut.end);
            let is_leaf = node.child_count() == 0 || WHOLE.contains(&node.kind()) || parents.len() > DEPTH;
            match () {
                () if is_outside || node.kind() == "comment" => {}
                () if is_cut => self.cut(parent),
                () if is_leaf => self.leaf(node, parent, cursor.field_name()),
                () => {
                    parents.push(node.kind());
                    if cursor.goto_first_child() {
                        continue;
                    }
                    parents.pop();
                }
            }
            while !cursor.goto_next_sibling() {
                if parents.len() <= 1 || !cursor.goto_parent() {
                    return;
                }
                let kind = parents.pop().unwrap_or_default();
                let end = cursor.node().end_byte();
                if end <= span.end && end > span.start {
                    self.end(kind, parents.last().copied().unwrap_or_default());
                }
                if parents.len() <= 1 {
                    return;
                }
            }
            if parents.len() <= 1 {
                return;
            }
        }
    }

    fn leaf(&mut self, node: Node<'_>, parent: &'static str, field: Option<&'static str>) {
        let text = match node.kind() {
            "template_string" => self.code.template(node),
            "string" => self.code.at(place(node)).to_owned(),
            _ => self.code.at(place(node)).split_whitespace().collect::<Vec<_>>().join(" "),
        };
        let token = |text| Token { text, kind: node.kind(), parent };
        let is_only_parameter = parent == "arrow_function" && field == Some("parameter");
        match text.as_str() {
            "" => {}
            ";" if parent != "for_statement" => {}
            "," | ";" if ["object_type", "interface_body"].contains(&parent) => {}
            "," => self.comma(parent),
            _ if is_only_parameter => {
                self.token(&Token { text: "(", kind: "(", parent: "formal_parameters" });
                self.token(&token(&text));
                self.token(&Token { text: ")", kind: ")", parent: "formal_parameters" });
            }
            _ => self.token(&token(&text)),
        }
    }

    fn comma(&mut self, parent: &str) {
        let is_array = ["array", "array_pattern"].contains(&parent);
        if self.has_comma && is_array {
            self.push(",");
        }
        // Nothing stands before it: what did was left out.
        self.has_comma = is_array || !["(", "{"].contains(&self.last.text.as_str());
    }

    fn cut(&mut self, parent: &str) {
        if !LISTS.contains(&parent) && self.last.text != GAP {
            self.token(&Token { text: GAP, kind: "identifier", parent: "" });
        }
    }

    /// Ends what is of that kind.
    fn end(&mut self, kind: &str, parent: &str) {
        if (kind, parent) == ("empty_statement", "for_statement") {
            return self.push(";");
        }
        let is_export = kind == "export_statement" && !["}", ";"].contains(&self.last.text.as_str());
        if (ENDED.contains(&kind) || is_export) && ![";", "", "{"].contains(&self.last.text.as_str()) {
            self.push(";");
        }
    }

    /// Adds a sign close to what is before it.
    fn push(&mut self, sign: &str) {
        self.text.push_str(sign);
        self.last = Last { text: sign.to_owned(), ..Last::default() };
    }

    fn token(&mut self, token: &Token<'_>) {
        if std::mem::take(&mut self.has_comma) {
            // A hole of a list is one more value.
            let is_hole = token.text == "]" && ["[", ","].contains(&self.last.text.as_str());
            let closes = [")", "}", "]"].contains(&token.text) || token.text == ">" && is_type_list(token.parent);
            if is_hole || !closes {
                self.push(",");
            }
        }
        if !self.text.is_empty() && self.is_apart(token) {
            self.text.push(' ');
        }
        let ends_operand = token.parent == "update_expression" && self.follows_operand();
        self.text.push_str(token.text);
        self.last = Last {
            text: token.text.to_owned(),
            is_name: token.kind.ends_with("identifier") || token.text == "super" || token.text == "import",
            is_close: !ends_operand && opens(token),
        };
    }

    fn follows_operand(&self) -> bool {
        self.last.is_name || [")", "]", "!"].contains(&self.last.text.as_str())
    }

    /// Whether a blank stands between what was written last and `token`.
    fn is_apart(&self, token: &Token<'_>) -> bool {
        if self.last.is_close || self.last.text == "{" && token.text == "}" {
            return false;
        }
        match token.text {
            ")" | "]" | "." | "?." | ";" => false,
            ":" => token.parent == "ternary_expression",
            "?" => ["ternary_expression", "conditional_type"].contains(&token.parent),
            "!" => token.parent != "non_null_expression",
            "(" if token.parent == "arguments" => self.last.text == "new",
            "(" => !(token.parent == "formal_parameters" && (self.last.is_name || self.last.text == ">")),
            "[" => !["subscript_expression", "array_type"].contains(&token.parent),
            "<" | ">" => !is_type_list(token.parent),
            "++" | "--" => !self.follows_operand(),
            _ => true,
        }
    }
}

fn is_type_list(parent: &str) -> bool {
    ["type_arguments", "type_parameters"].contains(&parent)
}

/// Whether what follows `token` stands close to it.
fn opens(token: &Token<'_>) -> bool {
    let is_sign = !token.kind.ends_with("identifier") && !token.text.chars().all(char::is_alphabetic);
    ["(", "[", ".", "?.", "...", "@"].contains(&token.text)
        || token.text == "<" && is_type_list(token.parent)
        || ["unary_expression", "update_expression"].contains(&token.parent) && is_sign && token.kind == token.text
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::Code;
    use crate::span::Span;

    fn normal(text: &str) -> String {
        let code = Code::read("a.ts", text.to_owned()).unwrap();
        assert_eq!(code.broken_line(), None, "{text}");
        code.normal(Span::new(0, text.len()))
    }

    #[track_caller]
    fn check(text: &str, expected: &str) {
        assert_eq!(normal(text), expected);
        assert_eq!(normal(expected), expected);
    }

    #[test]
    fn it_reads_as_one_would_write_it() {
        check("const  a=f( b,-c , !d )\n", "const a = f(b, -c, !d);");
        check("xs.map( x=>({x,y:[ 1,2 ]}) )", "xs.map((x) => ({ x, y: [1, 2] }));");
        check("a ?. b [0] . c ! ++", "a?.b[0].c!++;");
        check("if(a){return b}else return {}", "if (a) { return b; } else return {};");
        check("for(let i=0;i<9;i++){}", "for (let i = 0; i < 9; i++) {}");
        check("for(;;){}", "for (;;) {}");
        check("function f<T>(a?:T,...b:T[]):void{}", "function f<T>(a?: T, ...b: T[]): void {}");
        check("const a = async(b)=>await b", "const a = async (b) => await b;");
        check("a?b:c", "a ? b : c;");
        check("typeof a==='x'", "typeof a === 'x';");
        check("export const a=1", "export const a = 1;");
        check("`a\n${ b/* c */ } d`", "`a\\n${b} d`;");
        check("new Map<string,number>([ ])", "new Map<string, number>([]);");
        check("class A{ b=1\nc(){} }", "class A { b = 1; c() {} }");
    }

    #[test]
    fn comments_and_signs_that_say_nothing_are_left_out() {
        check("f(a, // b\n  c, /* d */\n)", "f(a, c);");
        check("({ a, })", "({ a });");
        check("[1, 2,]", "[1, 2];");
        check("[1,,]", "[1,,];");
        check("[,]", "[,];");
        check("[,1]", "[, 1];");
        check("f();;g()", "f(); g();");
    }

    #[test]
    fn what_is_cut_leaves_a_trace_in_expressions_alone() {
        let text = "it('t', () => { expect(a).toBe(1); xs.forEach((x) => expect(x).toBe(2)); }, { a: 1, b: 2 });";
        let code = Code::read("a.ts", text.to_owned()).unwrap();
        let span = |part: &str| Span::new(text.find(part).unwrap(), text.find(part).unwrap() + part.len());
        let cuts = ["'t'", "expect(a).toBe(1);", "expect(x).toBe(2)", "a: 1"].map(span);
        let all = Span::new(0, text.len());
        assert_eq!(code.normal_without(all, &cuts), "it(() => { xs.forEach((x) => …); }, { b: 2 });");
        assert_eq!(code.normal(span("expect(x).toBe(2)")), "expect(x).toBe(2)");
        assert_eq!(code.normal(Span::new(5_000, 9_000)), "");
    }

    #[test]
    fn nesting_has_no_end() {
        let deep = format!("{}1{}", "[".repeat(9_000), "]".repeat(9_000));
        let code = Code::read("a.ts", deep.clone()).unwrap();
        assert!(code.normal(Span::new(0, deep.len())).starts_with("[[[["));
    }

    const TOKENS: [&str; 38] = [
        "fc", ".", "assert", "(", "fc", ".", "property", "(", "fc", ".", "integer", "(", "{", "min", ":", "-", "1",
        "}", ")", ",", "(", "a", ")", "=>", "{", "expect", "(", "a", ")", ".", "toBe", "(", "'x y'", ")", ";", "}",
        ")", ")",
    ];

    proptest! {
        #[test]
        fn it_is_the_same_however_the_tokens_are_laid_out(gaps in prop::collection::vec(0_usize..5, TOKENS.len())) {
            let gap = |at: usize| ["", " ", "\n", "/* c */", "\t// d\n"][gaps[at]];
            // A line end before `=>` ends the statement.
            let gap = |at: usize| if TOKENS.get(at + 1) == Some(&"=>") { " " } else { gap(at) };
            let laid_out: String = TOKENS.iter().enumerate().map(|(at, token)| format!("{token}{}", gap(at))).collect();
            prop_assert_eq!(
                normal(&laid_out),
                "fc.assert(fc.property(fc.integer({ min: -1 }), (a) => { expect(a).toBe('x y'); }));"
            );
        }
    }
}
