//! Expressions on one line where they are short, else over lines as rustfmt would have them.

use crate::language::rust::format::Widths;

/// How much a bracket's contents are indented.
const STEP: usize = 4;

/// An expression.
#[derive(Debug)]
pub(super) enum Code {
    /// What is never broken.
    Word(String),
    /// Something before an expression: `field: `.
    Named(String, Box<Code>),
    /// Expressions in brackets.
    Group(Group),
}

/// Expressions in brackets, with what stands before and after.
#[derive(Debug)]
pub(super) struct Group {
    pub(super) open: String,
    pub(super) parts: Vec<Code>,
    pub(super) close: String,
    /// Between the brackets and their contents on one line: a space for a record.
    pub(super) space: &'static str,
}

impl Code {
    pub(super) fn word(text: impl Into<String>) -> Code {
        Code::Word(text.into())
    }

    /// `open` and `close` around one expression.
    pub(super) fn around(open: impl Into<String>, inner: Code, close: impl Into<String>) -> Code {
        Code::group(open, vec![inner], close)
    }

    /// `open` and `close` around expressions with commas between.
    pub(super) fn group(open: impl Into<String>, parts: Vec<Code>, close: impl Into<String>) -> Code {
        Code::Group(Group { open: open.into(), parts, close: close.into(), space: "" })
    }

    /// The expression on one line.
    pub(super) fn flat(&self) -> String {
        let mut out = String::new();
        self.write_flat(&mut out);
        out
    }

    /// The expression over as many lines as it needs, the first beginning at `column`.
    pub(super) fn laid_out(&self, column: usize, widths: &Widths) -> String {
        let mut page = Page { out: String::new(), widths };
        page.write(self, 0, column);
        page.out
    }

    fn write_flat(&self, out: &mut String) {
        match self {
            Code::Word(word) => out.push_str(word),
            Code::Named(name, inner) => {
                out.push_str(name);
                inner.write_flat(out);
            }
            Code::Group(group) => group.write_flat(out),
        }
    }

    /// Width on one line, counted no further than a little beyond `limit`.
    fn width(&self, limit: usize) -> usize {
        match self {
            Code::Word(word) => word.chars().count(),
            Code::Named(name, inner) => name.len() + inner.width(limit),
            Code::Group(group) => {
                group.open.len() + group.close.len() + 2 * group.space.len() + group.width_inside(limit)
            }
        }
    }

    /// Whether rustfmt leaves it on one line where there is room.
    fn is_short(&self, widths: &Widths) -> bool {
        match self {
            Code::Word(_) => true,
            Code::Named(_, inner) => inner.is_short(widths),
            Code::Group(group) => {
                let limit = group.limit(widths);
                group.width_inside(limit) <= limit && group.parts.iter().all(|part| part.is_short(widths))
            }
        }
    }
}

impl Group {
    fn write_flat(&self, out: &mut String) {
        out.push_str(&self.open);
        out.push_str(self.space);
        for (index, part) in self.parts.iter().enumerate() {
            if index > 0 {
                out.push_str(", ");
            }
            part.write_flat(out);
        }
        if self.is_lone_tuple() {
            out.push(',');
        }
        out.push_str(self.space);
        out.push_str(&self.close);
    }

    /// `(a,)` needs its comma.
    fn is_lone_tuple(&self) -> bool {
        self.open == "(" && self.parts.len() == 1
    }

    /// Width of what is in the brackets on one line, counted no further than a little beyond `limit`.
    fn width_inside(&self, limit: usize) -> usize {
        let mut width = usize::from(self.is_lone_tuple());
        for (index, part) in self.parts.iter().enumerate() {
            if width > limit {
                break;
            }
            width += part.width(limit) + if index > 0 { 2 } else { 0 };
        }
        width
    }

    /// How wide rustfmt lets it be on one line.
    fn limit(&self, widths: &Widths) -> usize {
        match (self.open.as_bytes().last(), &self.parts[..]) {
            (Some(b'{'), _) => widths.record,
            (_, [Code::Word(_)]) => widths.line,
            (Some(b'['), _) => widths.array,
            _ => widths.call,
        }
    }

    /// Its only part, where that may share its lines: `Some(Point {` … `})`.
    fn only_group(&self) -> Option<&Group> {
        match &self.parts[..] {
            [Code::Group(inner)] if !self.is_lone_tuple() => Some(inner),
            _ => None,
        }
    }
}

/// The lines that are written.
struct Page<'a> {
    out: String,
    widths: &'a Widths,
}

impl Page<'_> {
    fn write(&mut self, code: &Code, indent: usize, column: usize) {
        let line = self.widths.line;
        match code {
            _ if column + code.width(line) < line && code.is_short(self.widths) => code.write_flat(&mut self.out),
            Code::Word(word) => self.out.push_str(word),
            Code::Named(name, inner) => {
                self.out.push_str(name);
                self.write(inner, indent, column + name.len());
            }
            Code::Group(group) => self.write_group(group, indent, 0),
        }
    }

    /// `opened` is the width of the brackets that were opened before it on its line.
    fn write_group(&mut self, group: &Group, indent: usize, opened: usize) {
        self.out.push_str(&group.open);
        let opened = opened + group.open.len();
        let fits = |inner: &&Group| opened + inner.open.len() <= self.widths.call.saturating_sub(2);
        if let Some(inner) = group.only_group().filter(fits) {
            self.write_group(inner, indent, opened);
            self.out.push_str(&group.close);
            return;
        }
        let inside = indent + STEP;
        if group.parts.iter().all(|part| matches!(part, Code::Word(word) if is_simple(word, self.widths.short))) {
            self.fill(&group.parts, inside);
        } else {
            for part in &group.parts {
                self.line(inside);
                self.write(part, inside, inside);
                self.out.push(',');
            }
        }
        self.line(indent);
        self.out.push_str(&group.close);
    }

    /// Short words, as many to a line as fit.
    fn fill(&mut self, words: &[Code], indent: usize) {
        let mut column = usize::MAX;
        for word in words {
            let width = word.width(0) + 2;
            if column.saturating_add(width) > self.widths.line {
                self.line(indent);
                column = indent;
            } else {
                self.out.push(' ');
            }
            word.write_flat(&mut self.out);
            self.out.push(',');
            column += width;
        }
    }

    fn line(&mut self, indent: usize) {
        self.out.push('\n');
        self.out.extend(std::iter::repeat_n(' ', indent));
    }
}

/// Whether rustfmt lets a word share its line with others: a short name, number or text.
fn is_simple(word: &str, longest: usize) -> bool {
    word.chars().count() <= longest && !word.contains("::")
}
