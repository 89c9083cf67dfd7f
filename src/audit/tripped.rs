//! Source in which nothing gets past an assertion: a statement that fails stands in front of each.

/// `text` with `trip` in front of `asserts`, each the line on which it begins, from 1, and its own text; `None` where one of them
/// does not begin its line as a statement.
pub fn tripped(text: &str, asserts: &[(u32, &str)], trip: &str) -> Option<String> {
    let all: Vec<&str> = text.split_inclusive('\n').collect();
    let mut new = String::with_capacity(text.len() + trip.len() * asserts.len());
    let mut placed = 0;
    for (at, (line, number)) in all.iter().zip(1_u32..).enumerate() {
        let own = line.trim_start();
        let mut wanted = asserts.iter().filter(|(line, _)| *line == number).peekable();
        new.push_str(&line[..line.len() - own.len()]);
        if wanted.peek().is_some() {
            let mut before = all[..at].iter().rev().map(|line| line.trim());
            let before = before.find(|line| !line.is_empty() && !is_comment(line));
            if !before.is_some_and(ends) || !wanted.all(|(_, text)| begins(own, text)) {
                return None;
            }
            new.push_str(trip);
            placed += asserts.iter().filter(|(line, _)| *line == number).count();
        }
        new.push_str(own);
    }
    (placed == asserts.len() && placed > 0).then_some(new)
}

/// Whether a line begins with the first name of `text`.
fn begins(line: &str, text: &str) -> bool {
    let name = |text: &str| text.find(|char: char| !(char.is_alphanumeric() || char == '_')).unwrap_or(text.len());
    name(text) > 0 && line[..name(line)] == text[..name(text)]
}

fn is_comment(line: &str) -> bool {
    ["//", "#", "/*", "*"].iter().any(|sign| line.starts_with(sign))
}

/// Whether a statement may begin after such a line: not in the middle of an expression. A line without a sign at its end ends one in
/// Python, and in TypeScript where nobody writes semicolons.
fn ends(line: &str) -> bool {
    !line.ends_with(['(', '[', ',', '\\', '=', '>', '+', '-', '*', '/', '&', '|', '?', '.', '<'])
}

#[cfg(test)]
mod tests {
    use super::tripped;

    #[test]
    fn a_statement_that_fails_stands_in_front_of_each_assertion() {
        let text = "def t(n):\n    m = n\n\n    # why\n    assert m\n    assert n\n";
        let expected = "def t(n):\n    m = n\n\n    # why\n    raise; assert m\n    raise; assert n\n";
        assert_eq!(tripped(text, &[(5, "assert m"), (6, "assert n")], "raise; ").as_deref(), Some(expected));
        let rust = "fn t() {\r\n    prop_assert!(a);\r\n}\r\n";
        assert_eq!(
            tripped(rust, &[(2, "prop_assert!(a)")], "panic!(); ").unwrap(),
            "fn t() {\r\n    panic!(); prop_assert!(a);\r\n}\r\n"
        );
    }

    #[test]
    fn what_is_no_statement_of_its_own_is_left_alone() {
        for (text, line, assert) in [
            ("it('a', () => fc.assert(p));\n", 1, "fc.assert(p)"),
            ("let a;\nit('a', () => { expect(1); });\n", 2, "expect(1)"),
            ("const f = (n) =>\n  expect(n).toBe(1);\n", 2, "expect(n).toBe(1)"),
            ("f(\n  expect(n),\n);\n", 2, "expect(n)"),
            ("let a = 1;\n{ assert!(a) }\n", 2, "assert!(a)"),
            ("a\n", 3, "a"),
        ] {
            assert_eq!(tripped(text, &[(line, assert)], "x; "), None, "{text}");
        }
        assert_eq!(tripped("a\nb\n", &[], "x; "), None);
    }
}
