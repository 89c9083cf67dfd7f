//! Indentation of Rust text. Lines that start inside a text literal are part of a value and are never touched.

use super::code::Code;
use super::tokens::{Kind, apart};

/// `text` with `\n` between its lines, the indentation its lines share taken off, blank lines at both ends and white space
/// at line ends left out. The first line may stand anywhere on its line: it counts as not indented.
pub fn dedented(text: &str) -> String {
    let text = text.replace("\r\n", "\n");
    let lines = lines(&text);
    let shared = lines.iter().skip(1).filter(|line| line.is_free && !line.text.trim().is_empty());
    let shared = shared.map(|line| indent_of(line.text)).reduce(common).unwrap_or("");
    let mut kept: Vec<&str> = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        kept.push(match line {
            Line { is_free: false, .. } => line.text,
            _ if at == 0 => line.text.trim_start(),
            _ => line.text.strip_prefix(shared).unwrap_or(line.text.trim_start()),
        });
    }
    let ends = |line: &Line<'_>| if line.ends_free { line.text.len() - line.text.trim_end().len() } else { 0 };
    let trimmed: Vec<&str> =
        lines.iter().zip(kept).map(|(line, text)| &text[..text.len().saturating_sub(ends(line))]).collect();
    trimmed.join("\n").trim_matches('\n').to_owned()
}

/// `text` with `indent` before each of its lines that is not blank.
pub fn indented(text: &str, indent: &str) -> String {
    let place = |line: &Line<'_>| {
        let indent = if line.is_free && !line.text.is_empty() { indent } else { "" };
        format!("{indent}{}", line.text)
    };
    lines(text).iter().map(place).collect::<Vec<_>>().join("\n")
}

/// One level of indentation, as `sample` indents.
pub fn unit(sample: &str) -> &'static str {
    if sample.starts_with('\t') || sample.contains("\n\t") { "\t" } else { "    " }
}

struct Line<'t> {
    text: &'t str,
    /// Whether it starts outside any literal.
    is_free: bool,
    /// Whether it ends outside any literal.
    ends_free: bool,
}

/// The lines of `text`; all free where it does not lex.
fn lines(text: &str) -> Vec<Line<'_>> {
    let literals = apart(|| {
        let tokens = Code::read(text).map(|code| code.tokens).unwrap_or_default();
        let literals = tokens.iter().filter(|token| token.kind == Kind::Literal).map(|token| token.span);
        literals.filter(|span| text[span.range()].contains('\n')).collect::<Vec<_>>()
    });
    let mut start = 0;
    let line = |whole: &'_ str| {
        let begin = start;
        let end = begin + whole.len();
        start = end + 1;
        let inside = |at: usize| literals.iter().any(|span| span.start < at && at < span.end);
        (!inside(begin), !inside(end))
    };
    let free: Vec<(bool, bool)> = text.split('\n').map(line).collect();
    text.split('\n').zip(free).map(|(text, (is_free, ends_free))| Line { text, is_free, ends_free }).collect()
}

fn indent_of(line: &str) -> &str {
    &line[..line.len() - line.trim_start().len()]
}

/// The longest beginning of both.
fn common<'t>(a: &'t str, b: &'t str) -> &'t str {
    let shared = a.bytes().zip(b.bytes()).take_while(|(a, b)| a == b).count();
    a.get(..shared).unwrap_or("")
}

#[cfg(test)]
mod tests {
    use super::{dedented, indented, unit};

    fn check(text: &str, expected: &str) {
        assert_eq!(dedented(text), expected, "{text:?}");
    }

    #[test]
    fn shared_indentation_goes() {
        check("\r\n        a;\r\n          b;\r\n\r\n        c; \r\n    ", "a;\n  b;\n\nc;");
        check(" a; ", "a;");
        check("a;\n    b;\n    ", "a;\nb;");
        check("\n\t\ta;\n\t\t\tb;\n", "a;\n\tb;");
        check("\n    a;\n\tb;\n", "    a;\n\tb;");
        check("", "");
    }

    #[test]
    fn literals_keep_their_lines() {
        check("\n    let s = \"one \n  two\n\";\n    // \"\n    c;", "let s = \"one \n  two\n\";\n// \"\nc;");
        assert_eq!(indented("a(r\"\n\nb\");\nc;", "  "), "  a(r\"\n\nb\");\n  c;");
    }

    #[test]
    fn comments_move_with_their_code() {
        check("\n    /* a\n       b */\n    c;", "/* a\n   b */\nc;");
    }

    #[test]
    fn a_level_is_a_tab_where_tabs_are_used() {
        assert_eq!(unit("a\n\tb"), "\t");
        assert_eq!(unit("a\n  b"), "    ");
    }
}
