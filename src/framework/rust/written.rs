//! What the tests of all pins in Rust have: the comment that says why they stand there, and the statements that bind the
//! input.

use crate::language::rust::literal::Bound;
use crate::visible;

/// Longest line of a comment, with its indentation, and without.
const LONGEST_LINE: usize = 100;
const LONGEST_COMMENT: usize = 96;

/// Longest arguments that share a statement: what rustfmt leaves on one line.
const LONGEST_TUPLE: usize = 60;

/// Longest patterns and arguments together in a statement.
const LONGEST_BINDING: usize = 80;

/// Longest message told in a pin's comment.
const LONGEST_MESSAGE: usize = 200;

/// What a pin's comment says.
pub(crate) struct Remark<'a> {
    /// A date as `2026-11-30`.
    pub(crate) today: &'a str,
    /// The requirement that the property cites.
    pub(crate) requirement: Option<&'a str>,
    /// The message it failed with.
    pub(crate) message: &'a str,
}

/// The statements that bind the arguments: one where they are short.
pub(crate) fn binding(arguments: &[Bound]) -> String {
    let each = || arguments.iter().map(|Bound { pattern, code }| format!("let {pattern} = {code};"));
    let all = |part: fn(&Bound) -> &str| arguments.iter().map(part).collect::<Vec<_>>().join(", ");
    let (patterns, codes) = (all(|bound| &bound.pattern), all(|bound| &bound.code));
    let is_short = |part: &str| part.chars().count() <= LONGEST_TUPLE && !part.contains('\n');
    let share_a_line = arguments.len() > 1
        && is_short(&codes)
        && is_short(&patterns)
        && patterns.len() + codes.len() <= LONGEST_BINDING;
    if share_a_line { format!("let ({patterns}) = ({codes});") } else { each().collect::<Vec<_>>().join("\n") }
}

/// How long a comment's line may be behind `indent`.
fn comment_width(indent: &str) -> usize {
    let columns: usize = indent.chars().map(|c| if c == '\t' { 4 } else { 1 }).sum();
    LONGEST_LINE.saturating_sub(columns).min(LONGEST_COMMENT)
}

impl Remark<'_> {
    /// The doc comment of a pin of `property` that stands behind `indent`: when, what, why.
    pub(crate) fn comment(&self, property: &str, indent: &str) -> String {
        let width = comment_width(indent);
        let requirement = self.requirement.map_or(String::new(), |id| format!(" [{id}]"));
        let message = shortened(&flat(self.message));
        let said = format!("Pinned {}: `{property}`{requirement} failed with \"{message}\". Never delete.", self.today);
        let mut lines = vec![String::from("///")];
        for word in said.split(' ') {
            if lines.last().is_some_and(|line| line.len() > 3 && line.chars().count() + word.chars().count() >= width) {
                lines.push(String::from("///"));
            }
            if let Some(line) = lines.last_mut() {
                line.push(' ');
                line.push_str(word);
            }
        }
        lines.join("\n")
    }
}

/// A message on one line, with nothing in it that does not print.
fn flat(message: &str) -> String {
    let words: Vec<&str> = message.split_whitespace().collect();
    visible::line(&words.join(" ")).into_owned()
}

fn shortened(message: &str) -> String {
    match message.char_indices().nth(LONGEST_MESSAGE) {
        Some((cut, _)) => format!("{}…", &message[..cut]),
        None => message.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::{LONGEST_MESSAGE, Remark};

    /// The comment of a pin of `f`.
    fn comment(message: &str, requirement: Option<&str>, indent: &str) -> String {
        Remark { today: "2026-11-30", requirement, message }.comment("f", indent)
    }

    #[test]
    fn the_comment_tells_when_what_and_why() {
        assert_eq!(
            comment("spread 2 in [29740, 29740, 29740, 29738]", Some("BILL-4"), ""),
            "/// Pinned 2026-11-30: `f` [BILL-4] failed with \"spread 2 in [29740, 29740, 29740, 29738]\".\n/// Never delete."
        );
    }

    #[test]
    fn a_comment_stays_within_the_line_however_deep_it_stands() {
        assert_eq!(
            comment("spread 2 in [29740, 29740, 29738]", None, &" ".repeat(20)),
            "/// Pinned 2026-11-30: `f` failed with \"spread 2 in [29740, 29740, 29738]\".\n/// Never delete."
        );
    }

    #[test]
    fn foreign_text_cannot_leave_the_comment() {
        assert_eq!(
            comment("a\n*/ fn x() {}\r\n\u{1b}[2J\u{202e}", None, ""),
            "/// Pinned 2026-11-30: `f` failed with \"a */ fn x() {} \\u{1b}[2J\\u{202e}\". Never delete."
        );
        assert_eq!(comment(&"é".repeat(9999), None, "").matches('é').count(), LONGEST_MESSAGE);
    }
}
