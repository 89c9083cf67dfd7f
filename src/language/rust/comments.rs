//! Comments between tokens: which of them belong to what follows, and what they say.

use crate::span::Span;

/// The comments in `text[gap]`, which holds nothing but comments and white space.
pub fn comments(text: &str, gap: Span) -> Vec<Span> {
    let mut found = Vec::new();
    let mut at = gap.start;
    while let Some(rest) = text.get(at..gap.end) {
        let Some(start) = rest.find('/').map(|offset| at + offset) else { break };
        let end = start + length(&text[start..gap.end]);
        found.push(Span::new(start, end));
        at = end;
    }
    found
}

/// Number of bytes of the comment that `text` starts with, its line end left out.
fn length(text: &str) -> usize {
    if !text.starts_with("/*") {
        return text.find('\n').map_or(text.len(), |end| text[..end].trim_end().len());
    }
    let bytes = text.as_bytes();
    let (mut depth, mut at) = (0, 0);
    while at < bytes.len() {
        match bytes.get(at..at + 2) {
            Some(b"/*") => (depth, at) = (depth + 1, at + 2),
            Some(b"*/") if depth == 1 => return at + 2,
            Some(b"*/") => (depth, at) = (depth - 1, at + 2),
            _ => at += 1,
        }
    }
    text.len()
}

/// The comments in `text[gap]` that belong to what starts at `gap.end`: those on lines of their own with no blank line
/// below them.
pub fn attached(text: &str, gap: Span) -> Vec<Span> {
    let all = comments(text, gap);
    let mut below = gap.end;
    let mut kept = 0;
    for (index, comment) in all.iter().enumerate().rev() {
        let above = index.checked_sub(1).map_or(gap.start, |before| all[before].end);
        let blank_line_below = text[comment.end..below].matches('\n').count() > 1;
        let own_line = above == 0 || text[above..comment.start].contains('\n');
        if blank_line_below || !own_line {
            break;
        }
        below = comment.start;
        kept += 1;
    }
    all[all.len() - kept..].to_vec()
}

/// What a comment says, line by line, its signs taken off.
pub fn said(comment: &str) -> Vec<String> {
    if comment.starts_with("//") {
        return vec![comment.trim_start_matches('/').trim_start_matches('!').trim().to_owned()];
    }
    let inner = comment.trim_start_matches("/*").trim_end_matches("*/").trim_start_matches(['*', '!']);
    inner
        .lines()
        .map(|line| line.trim().trim_start_matches('*').trim().to_owned())
        .filter(|line| !line.is_empty())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::{attached, said};
    use crate::span::Span;

    fn check_attached(gap: &str, after_something: bool, expected: &[&str]) {
        let before = if after_something { "x;" } else { "" };
        let text = format!("{before}{gap}");
        let found = attached(&text, Span::new(before.len(), text.len()));
        assert_eq!(found.iter().map(|span| &text[span.range()]).collect::<Vec<_>>(), expected, "{gap:?}");
    }

    #[test]
    fn a_comment_right_above_belongs_to_what_follows() {
        check_attached(" // of x\n    // a\r\n    /* b\n\n    */\n    ", true, &["// a", "/* b\n\n    */"]);
        check_attached("\n// far\n\n// near\n", true, &["// near"]);
        check_attached("\n// far\n\n", true, &[]);
        check_attached("// first", false, &["// first"]);
        check_attached("\n/* a /* b */ c */ /* d */", true, &[]);
    }

    #[test]
    fn a_comment_says_what_stands_behind_its_signs() {
        assert_eq!(said("/// PARK-1: x "), ["PARK-1: x"]);
        assert_eq!(said("//! of a file"), ["of a file"]);
        assert_eq!(said("/** a\n  * b\n  */"), ["a", "b"]);
    }
}
