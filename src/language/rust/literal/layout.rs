//! Expressions on one line where they are short, else over lines as rustfmt would have them.

/// Width of a line, less the indentation of a pin's body.
const WIDTH: usize = 92;

/// How much a bracket's contents are indented.
const STEP: usize = 4;

/// Words up to this length share lines.
const SHORT: usize = 12;

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
    pub(super) fn laid_out(&self, column: usize) -> String {
        let mut out = String::new();
        self.write(0, column, &mut out);
        out
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

    /// Width on one line, counted no further than `limit`.
    fn width(&self, limit: usize) -> usize {
        match self {
            Code::Word(word) => word.chars().count(),
            Code::Named(name, inner) => name.len() + inner.width(limit),
            Code::Group(group) => group.width(limit),
        }
    }

    fn write(&self, indent: usize, column: usize, out: &mut String) {
        match self {
            _ if column + self.width(WIDTH) < WIDTH => self.write_flat(out),
            Code::Word(word) => out.push_str(word),
            Code::Named(name, inner) => {
                out.push_str(name);
                inner.write(indent, column + name.len(), out);
            }
            Code::Group(group) => group.write(indent, out),
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

    fn width(&self, limit: usize) -> usize {
        let mut width = self.open.len() + self.close.len() + 2 * self.space.len();
        for part in &self.parts {
            if width > limit {
                break;
            }
            width += part.width(limit) + 2;
        }
        width
    }

    fn write(&self, indent: usize, out: &mut String) {
        if let ([inner], false) = (&self.parts[..], self.is_lone_tuple())
            && matches!(inner, Code::Group(_))
        {
            // One bracket in another shares its lines: `Some(Point {` … `})`.
            out.push_str(&self.open);
            inner.write(indent, WIDTH, out);
            out.push_str(&self.close);
            return;
        }
        out.push_str(&self.open);
        let indent_inside = indent + STEP;
        if self.parts.iter().all(|part| matches!(part, Code::Word(word) if word.chars().count() <= SHORT)) {
            self.fill(indent_inside, out);
        } else {
            for part in &self.parts {
                line(indent_inside, out);
                part.write(indent_inside, indent_inside, out);
                out.push(',');
            }
        }
        line(indent, out);
        out.push_str(&self.close);
    }

    /// Short words, as many to a line as fit.
    fn fill(&self, indent: usize, out: &mut String) {
        let mut column = WIDTH;
        for part in &self.parts {
            let word = part.flat();
            let width = word.chars().count() + 2;
            if column + width > WIDTH {
                line(indent, out);
                column = indent;
            } else {
                out.push(' ');
            }
            out.push_str(&word);
            out.push(',');
            column += width;
        }
    }
}

fn line(indent: usize, out: &mut String) {
    out.push('\n');
    out.extend(std::iter::repeat_n(' ', indent));
}
