//! A Rust text in normal form: its tokens on one line, written the same way however they were laid out. Two texts have the
//! same where only comments and layout differ.

use super::code::Code;
use super::tokens::Kind;

/// The tokens of `code` from `first` up to, not including, `end`, those that `left_out` names left out.
pub fn normal(code: &Code<'_>, first: usize, end: usize, left_out: &dyn Fn(usize) -> bool) -> String {
    let mut writer = Writer { code, text: String::new(), before: None, generics: 0 };
    for at in first..end.min(code.tokens.len()) {
        if code.kind(at) != Some(Kind::Doc) && !left_out(at) && !is_idle_comma(code, at) {
            writer.write(at);
        }
    }
    writer.text
}

/// The whole of `text`; as it stands, white space made one, where it does not lex as Rust.
pub fn normal_text(text: &str) -> String {
    match Code::read(text) {
        Ok(code) => normal(&code, 0, code.tokens.len(), &|_| false),
        Err(_) => text.split_whitespace().collect::<Vec<_>>().join(" "),
    }
}

/// Whether a comma stands at `at` that says nothing: the last before a bracket closes. In `(a,)` it makes the tuple.
fn is_idle_comma(code: &Code<'_>, at: usize) -> bool {
    let Some(Kind::Close(bracket)) = code.kind(at + 1).filter(|_| code.sign(at, ',')) else { return false };
    let open = code.partner(at + 1);
    let is_alone = || code.next_at_level(open + 1, at, |code, at| code.sign(at, ',')).is_none();
    bracket != ')' || is_call(code, open) || !is_alone()
}

/// Whether the parenthesis at `open` holds arguments.
fn is_call(code: &Code<'_>, open: usize) -> bool {
    open.checked_sub(1).is_some_and(|before| match code.kind(before) {
        Some(Kind::Word) => !is_keyword(code.word(before)),
        Some(Kind::Close(_)) => true,
        Some(Kind::Sign(sign)) => matches!(sign, '!' | '>'),
        _ => false,
    })
}

fn is_keyword(word: &str) -> bool {
    const KEYWORDS: [&str; 14] =
        ["as", "break", "else", "for", "if", "in", "let", "match", "move", "mut", "ref", "return", "where", "while"];
    KEYWORDS.contains(&word)
}

/// The operators of two signs. Those of three are two of them in a row.
const PAIRS: [&str; 22] = [
    "==", "!=", "<=", "&&", "||", "+=", "-=", "*=", "/=", "%=", "^=", "&=", "|=", "<<", ">>", "->", "=>", "::", "..",
    ".=", "<-", "#!",
];

struct Writer<'c, 't> {
    code: &'c Code<'t>,
    text: String,
    /// The token written last.
    before: Option<usize>,
    /// How many `<` of types are open.
    generics: usize,
}

impl Writer<'_, '_> {
    fn write(&mut self, at: usize) {
        let opens_type = self.code.sign(at, '<') && self.follows_type();
        let closes_type = self.code.sign(at, '>') && self.generics > 0 && !self.follows_any("-=");
        if self.before.is_some_and(|before| !opens_type && !closes_type && self.is_apart(before, at)) {
            self.text.push(' ');
        }
        self.generics += usize::from(opens_type);
        self.generics -= usize::from(closes_type);
        self.text.push_str(self.code.written(at));
        self.before = Some(at);
    }

    /// Whether what was written last is what types are made of: a name with a capital, or `::`.
    fn follows_type(&self) -> bool {
        let Some(before) = self.before else { return false };
        self.code.sign(before, ':') && self.text.ends_with("::")
            || self.code.word(before).starts_with(|first: char| first.is_uppercase())
    }

    /// Whether one of `signs` was written last.
    fn follows_any(&self, signs: &str) -> bool {
        self.before.is_some_and(|before| signs.chars().any(|sign| self.code.sign(before, sign)))
    }

    /// Whether white space stands between the tokens `before` and `at`.
    fn is_apart(&self, before: usize, at: usize) -> bool {
        let code = self.code;
        match (code.kind(before), code.kind(at)) {
            (Some(Kind::Open('(' | '[')), _) | (_, Some(Kind::Close(')' | ']'))) => false,
            (Some(Kind::Sign(first)), Some(Kind::Sign(second))) if is_pair(first, second) => false,
            (_, Some(Kind::Sign(',' | ';' | '?' | '.' | ':'))) | (Some(Kind::Sign('.' | '#' | '\'')), _) => false,
            (Some(Kind::Sign('=')), _) if self.text.ends_with("..=") => false,
            (Some(Kind::Sign(':')), _) => !self.text.ends_with("::"),
            (Some(Kind::Sign('<')), _) if self.generics > 0 && !self.text.ends_with(" <") => false,
            (Some(Kind::Sign('&' | '!' | '*' | '-')), _) => !self.is_prefix(before),
            (Some(Kind::Word), Some(Kind::Sign('!'))) => !matches!(code.kind(at + 1), Some(Kind::Open(_))),
            (_, Some(Kind::Open('('))) => !is_call(code, at),
            (Some(Kind::Word), Some(Kind::Open('['))) => is_keyword(code.word(before)),
            (Some(Kind::Close(_)), Some(Kind::Open('['))) => false,
            _ => true,
        }
    }

    /// Whether the sign at `at` belongs to what follows alone.
    fn is_prefix(&self, at: usize) -> bool {
        let Some(before) = at.checked_sub(1) else { return true };
        match self.code.kind(before) {
            Some(Kind::Sign('&')) if self.code.sign(at, '&') => self.is_prefix(before),
            Some(Kind::Open(_)) => true,
            Some(Kind::Sign(sign)) => !matches!(sign, '?' | '>'),
            Some(Kind::Word) => is_keyword(self.code.word(before)) || self.code.sign(at, '!'),
            _ => false,
        }
    }
}

fn is_pair(first: char, second: char) -> bool {
    PAIRS.iter().any(|pair| pair.chars().eq([first, second]))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::normal_text;
    use crate::language::rust::code::Code;
    use crate::language::rust::tokens::apart;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        assert_eq!(normal_text(text), expected);
    }

    #[test]
    fn it_reads_as_one_would_write_it() {
        check("prop_assert!( max-min<=1 , \"{}\" , max - min , )", "prop_assert!(max - min <= 1, \"{}\", max - min)");
        check("let x:Vec<Option<u8>>=f::<u8>(&a, -1)?;", "let x: Vec<Option<u8>> = f::<u8>(&a, -1)?;");
        check("if !a&&b { return (a,) }", "if !a && b { return (a,) }");
        check("for x in (0 .. =9).rev() { }", "for x in (0..=9).rev() { }");
        check("fn f(x: &[u8]) -> Box<dyn Fn(u8) -> u8> {}", "fn f(x: &[u8]) -> Box<dyn Fn(u8) -> u8> { }");
    }

    #[test]
    fn comments_and_the_last_comma_of_a_list_say_nothing() {
        check("f(a, /* b */ c, // d\n)", "f(a, c)");
        check("/// Doc.\nstruct S { a: u8, }", "struct S { a: u8 }");
        check("[1, 2,]", "[1, 2]");
        check("let (a, b,) = c;", "let (a, b) = c;");
    }

    #[test]
    fn what_is_no_rust_stays_as_it_is() {
        check("\"open  and", "\"open and");
    }

    const TEXT: &str = "prop_assert!(a[0] - -b <= c.d(&mut e)?, \"x y\");\nlet v: Vec<(u8, &str)> = vec![(1, \"a\"),];";

    proptest! {
        #[test]
        fn it_is_the_same_however_the_tokens_are_laid_out(gaps in prop::collection::vec(0_usize..4, 80)) {
            let code = apart(|| Code::read(TEXT)).unwrap();
            let gap = |at: usize| [" ", "\n", " /* c */ ", "\t// d\n"][gaps[at]];
            let laid_out: String = (0..code.tokens.len()).map(|at| format!("{}{}", code.written(at), gap(at))).collect();
            prop_assert_eq!(normal_text(&laid_out), normal_text(TEXT));
        }
    }
}
