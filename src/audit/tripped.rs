//! Source in which nothing gets past an assertion: a statement that fails stands in front of each.

/// `text` with `trip` in front of the assertions that begin on `lines`, from 1; `None` where one of them does not begin its line as
/// a statement.
pub fn tripped(text: &str, lines: &[u32], trip: &str) -> Option<String> {
    let all: Vec<&str> = text.split_inclusive('\n').collect();
    let mut new = String::with_capacity(text.len() + trip.len() * lines.len());
    let mut placed = 0;
    let mut wanted = lines.to_vec();
    wanted.sort_unstable();
    wanted.dedup();
    for (at, (line, number)) in all.iter().zip(1_u32..).enumerate() {
        let own = line.trim_start();
        if wanted.binary_search(&number).is_ok() {
            let before =
                all[..at].iter().rev().map(|line| line.trim()).find(|line| !line.is_empty() && !is_comment(line));
            let is_statement = own.starts_with(|char: char| char.is_ascii_alphabetic()) && before.is_some_and(ends);
            if !is_statement {
                return None;
            }
            new.push_str(&line[..line.len() - own.len()]);
            new.push_str(trip);
            placed += 1;
        } else {
            new.push_str(&line[..line.len() - own.len()]);
        }
        new.push_str(own);
    }
    (placed == wanted.len() && placed > 0).then_some(new)
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
        assert_eq!(tripped(text, &[5, 6], "raise; ").as_deref(), Some(expected));
        let rust = "fn t() {\r\n    prop_assert!(a);\r\n}\r\n";
        assert_eq!(tripped(rust, &[2], "panic!(); ").unwrap(), "fn t() {\r\n    panic!(); prop_assert!(a);\r\n}\r\n");
    }

    #[test]
    fn what_is_no_statement_of_its_own_is_left_alone() {
        for (text, line) in [
            ("it('a', () => fc.assert(p));\n", 1),
            ("const f = (n) =>\n  expect(n).toBe(1);\n", 2),
            ("f(\n  expect(n),\n);\n", 2),
            ("let a = 1;\n{ assert!(a) }\n", 2),
            ("a\n", 3),
        ] {
            assert_eq!(tripped(text, &[line], "x; "), None, "{text}");
        }
        assert_eq!(tripped("a\nb\n", &[], "x; "), None);
    }
}
