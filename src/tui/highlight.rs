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

/// Colours `text` by the syntax of files named `….extension`; `None` where that is not known.
pub(crate) fn colour(extension: &str, text: &str) -> Option<Coloured> {
    static SYNTAXES: OnceLock<SyntaxSet> = OnceLock::new();
    let syntaxes = SYNTAXES.get_or_init(SyntaxSet::load_defaults_newlines);
    let syntax = syntaxes.find_syntax_by_extension(extension)?;
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

    #[test]
    fn keywords_texts_numbers_and_comments_are_coloured() {
        let text = "fn f() {\n    let a = \"x\"; // why\n}\n";
        let coloured = colour("rs", text).unwrap();
        let seen: Vec<Vec<(&str, Role)>> = text
            .lines()
            .zip(&coloured.lines)
            .map(|(line, ranges)| ranges.iter().map(|(range, role)| (&line[range.clone()], *role)).collect())
            .collect();
        let expected = [
            vec![("fn", Role::Keyword), ("f", Role::Name)],
            vec![("let", Role::Keyword), ("\"x\"", Role::Quoted), ("// why", Role::Comment)],
            vec![],
        ];
        assert_eq!(seen, expected);
    }

    #[test]
    fn an_unknown_language_stays_plain() {
        assert_eq!(colour("unknown-language", "x"), None);
    }
}
