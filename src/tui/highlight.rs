//! Syntax colours of a property's source, as ranges with a role for each line: nine roles of the terminal's own palette
//! instead of a theme. The syntaxes load when first needed, on the thread that asks.

use std::ops::Range;
use std::sync::OnceLock;

use syntect::parsing::{ParseState, ScopeStack, SyntaxSet};

use super::theme::Role;

/// The colours of a text, line by line; pieces in plain text are left out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Coloured {
    pub(crate) lines: Vec<Vec<(Range<usize>, Role)>>,
}

/// The extension whose syntax colours files of this one. Of TypeScript and of modules' own extensions none is known, and
/// what JavaScript colours in them is right: words, numbers, strings and comments.
fn known(extension: &str) -> &str {
    match extension {
        "cjs" | "cts" | "jsx" | "mjs" | "mts" | "ts" | "tsx" => "js",
        extension => extension,
    }
}

/// Colours `text` by the syntax of files named `….extension`; `None` where that is not known.
pub(crate) fn colour(extension: &str, text: &str) -> Option<Coloured> {
    static SYNTAXES: OnceLock<SyntaxSet> = OnceLock::new();
    let syntaxes = SYNTAXES.get_or_init(SyntaxSet::load_defaults_newlines);
    let syntax = syntaxes.find_syntax_by_extension(known(extension))?;
    let mut state = ParseState::new(syntax);
    let mut scopes = ScopeStack::new();
    let mut lines = Vec::new();
    for line in text.split_inclusive('\n') {
        let Ok(changes) = state.parse_line(line, syntaxes) else { break };
        lines.push(ranges(line.trim_end_matches('\n').len(), &changes, &mut scopes));
    }
    Some(Coloured { lines })
}

fn ranges(
    len: usize,
    changes: &[(usize, syntect::parsing::ScopeStackOp)],
    scopes: &mut ScopeStack,
) -> Vec<(Range<usize>, Role)> {
    let mut ranges: Vec<(Range<usize>, Role)> = Vec::new();
    let mut at = 0;
    let mut close = |end: usize, at: &mut usize, scopes: &ScopeStack| {
        let role = role(scopes);
        let end = end.min(len);
        if end > *at && role != Role::Plain {
            match ranges.last_mut().filter(|(range, last)| range.end == *at && *last == role) {
                Some((range, _)) => range.end = end,
                None => ranges.push((*at..end, role)),
            }
        }
        *at = end.max(*at);
    };
    for (offset, change) in changes {
        close(*offset, &mut at, scopes);
        if scopes.apply(change).is_err() {
            break;
        }
    }
    close(len, &mut at, scopes);
    ranges
}

/// The innermost scope that means something.
fn role(scopes: &ScopeStack) -> Role {
    for scope in scopes.as_slice().iter().rev() {
        let name = scope.build_string();
        let found = MEANINGS.iter().find(|(prefix, _)| name.starts_with(prefix));
        if let Some((_, role)) = found {
            return *role;
        }
    }
    Role::Plain
}

/// Scopes by their first words; the longer stand before the shorter.
const MEANINGS: &[(&str, Role)] = &[
    ("comment", Role::Comment),
    ("punctuation.definition.comment", Role::Comment),
    ("string", Role::Quoted),
    ("punctuation.definition.string", Role::Quoted),
    ("constant", Role::Number),
    ("keyword.operator", Role::Plain),
    ("keyword", Role::Keyword),
    ("storage", Role::Keyword),
    ("entity.name.function", Role::Name),
    ("support.function", Role::Name),
    ("support.macro", Role::Name),
    ("punctuation", Role::Plain),
];

#[cfg(test)]
mod tests {
    use super::colour;
    use crate::tui::theme::Role;

    #[track_caller]
    fn check(extension: &str, text: &str, expected: &[&[(&str, Role)]]) {
        let coloured = colour(extension, text).unwrap();
        let seen: Vec<Vec<(&str, Role)>> = text
            .lines()
            .zip(&coloured.lines)
            .map(|(line, ranges)| ranges.iter().map(|(range, role)| (&line[range.clone()], *role)).collect())
            .collect();
        assert_eq!(seen, expected);
    }

    #[test]
    fn keywords_texts_numbers_and_comments_are_coloured() {
        let text = "fn f() {\n    let a = \"x\"; // why\n}\n";
        let body: &[_] = &[("let", Role::Keyword), ("\"x\"", Role::Quoted), ("// why", Role::Comment)];
        check("rs", text, &[&[("fn", Role::Keyword), ("f", Role::Name)], body, &[]]);
    }

    #[test]
    fn typescript_is_coloured_as_far_as_it_is_javascript() {
        let text = "const a: number[] = [7, \"x\"]; // why\n";
        let number = ("7", Role::Number);
        let line: &[_] = &[("const", Role::Keyword), number, ("\"x\"", Role::Quoted), ("// why", Role::Comment)];
        for extension in ["ts", "mts", "tsx", "mjs"] {
            check(extension, text, &[line]);
        }
    }

    #[test]
    fn an_unknown_language_stays_plain() {
        assert_eq!(colour("unknown-language", "x"), None);
    }
}
