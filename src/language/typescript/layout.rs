//! Indentation and line ends of a source file, for what is added to it.

use crate::edit::line_end;

/// The blanks before the first token of the line that holds `offset`.
pub fn indent(text: &str, offset: usize) -> &str {
    let start = text.get(..offset).and_then(|before| before.rfind('\n')).map_or(0, |at| at + 1);
    let line = &text[start..];
    &line[..line.len() - line.trim_start_matches([' ', '\t']).len()]
}

/// By how much the file indents: tabs where it has any, else the smallest indentation of a line, else two blanks.
pub fn unit(text: &str) -> String {
    let mut least = usize::MAX;
    for line in text.lines() {
        if line.starts_with('\t') {
            return "\t".to_owned();
        }
        let blanks = line.len() - line.trim_start_matches(' ').len();
        // One blank leads the lines of a comment.
        if blanks > 1 && blanks < line.len() {
            least = least.min(blanks);
        }
    }
    " ".repeat(if least > 8 { 2 } else { least })
}

/// `lines` with the file's line ends.
pub fn with_line_ends(lines: &str, text: &str) -> String {
    match line_end(text.as_bytes()) {
        "\n" => lines.to_owned(),
        end => lines.replace('\n', end),
    }
}

#[cfg(test)]
mod tests {
    use super::{indent, unit, with_line_ends};

    #[test]
    fn the_file_says_how_it_is_laid_out() {
        assert_eq!(unit("a\n    b\n  c\n"), "  ");
        assert_eq!(unit("a\n    b\n"), "    ");
        assert_eq!(unit("a\n\tb\n"), "\t");
        assert_eq!(unit("/**\n * a\n */"), "  ");
        assert_eq!(indent("a\n  b(c)", 6), "  ");
        assert_eq!(with_line_ends("a\nb", "x\r\n"), "a\r\nb");
    }
}
