//! What a piece of text means and how that looks. Every meaning also has a glyph or a word, so that without colour
//! nothing is lost; with colour it is the terminal's own palette. Of that, yellow is hard to read on light and blue on
//! dark: they colour a glyph and never a text.

use ratatui::style::{Color, Modifier, Style};

/// What a piece of text means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// Ordinary text.
    Plain,
    /// Headings and what matters most.
    Strong,
    /// What is there to be looked up.
    Dim,
    /// What fails.
    Fail,
    /// What is proven or staged.
    Proven,
    /// An ambiguous spec.
    Ambiguous,
    /// A wrong property.
    Wrong,
    /// A key the user may press.
    Key,
    /// A line that a patch adds.
    Added,
    /// A line that a patch takes away.
    Removed,
    /// Code: a keyword.
    Keyword,
    /// Code: a text or character.
    Quoted,
    /// Code: a number or constant.
    Number,
    /// Code: a comment.
    Comment,
    /// Code: the name of a function or macro.
    Name,
}

/// How meanings look.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Theme {
    colour: bool,
    ascii: bool,
}

impl Theme {
    /// With or without colour; with glyphs or with ASCII only.
    pub(crate) fn new(colour: bool, ascii: bool) -> Self {
        Theme { colour, ascii }
    }

    /// The style of a meaning.
    pub(crate) fn style(self, role: Role) -> Style {
        let (colour, modifier) = look(role);
        let style = Style::new().add_modifier(modifier);
        match colour {
            Some(colour) if self.colour => style.fg(colour),
            _ => style,
        }
    }

    /// `text` with our own glyphs in ASCII, where that was asked for. Foreign text may hold them too, and loses nothing
    /// but their shape.
    pub(crate) fn glyphs(self, text: &str) -> std::borrow::Cow<'_, str> {
        if !self.ascii || text.is_ascii() {
            return text.into();
        }
        text.chars().map(ascii).collect::<String>().into()
    }
}

fn look(role: Role) -> (Option<Color>, Modifier) {
    const PLAIN: Modifier = Modifier::empty();
    match role {
        Role::Plain => (None, PLAIN),
        Role::Strong | Role::Key => (None, Modifier::BOLD),
        Role::Dim | Role::Comment => (None, Modifier::DIM),
        Role::Fail => (Some(Color::Red), Modifier::BOLD),
        Role::Proven | Role::Added | Role::Quoted => (Some(Color::Green), PLAIN),
        Role::Ambiguous => (Some(Color::Yellow), Modifier::BOLD),
        Role::Wrong => (Some(Color::Blue), Modifier::BOLD),
        Role::Name => (None, Modifier::BOLD),
        Role::Removed => (Some(Color::Red), PLAIN),
        Role::Keyword | Role::Number => (Some(Color::Magenta), PLAIN),
    }
}

fn ascii(c: char) -> char {
    match c {
        '▸' | '›' => '>',
        '▾' => 'v',
        '✗' => 'x',
        '✓' => '+',
        '●' => '*',
        '≠' => '!',
        '·' => '-',
        '×' => 'x',
        '│' => '|',
        '─' => '-',
        '…' => '~',
        '–' => '-',
        '“' | '”' => '"',
        '▁' => '_',
        '▂' => '.',
        '▃' => ':',
        '▄' => '-',
        '▅' => '=',
        '▆' => '+',
        '▇' => '*',
        '█' => '#',
        '░' => '-',
        _ => c,
    }
}
