//! Where in a source file a pin goes: after the item that its property stands in and the pins that are there already, as
//! far in as that item.

use super::pin_name::is_pin;
use crate::language::rust::code::Code;
use crate::language::rust::tokens::Kind;

/// Where a pin goes that belongs to the item whose last token is `last`: after its line, and after the pins that stand
/// there already.
pub(super) fn pin_place(code: &Code<'_>, last: usize) -> usize {
    let mut last = last;
    while let Some(end) = pin_end(code, last + 1) {
        last = end;
    }
    after_line(code.text, code.tokens[last].span.end)
}

/// The index of the last token of the function that starts at the token `at`, where that is a pin.
fn pin_end(code: &Code<'_>, at: usize) -> Option<usize> {
    let keyword = code.next_at_level(at, code.tokens.len(), |code, at| {
        code.word(at) == "fn" || matches!(code.kind(at), Some(Kind::Close(_) | Kind::Sign(';') | Kind::Open('{')))
    })?;
    let is_pin = code.first(keyword) == at && is_pin(code.word(keyword + 1));
    let body = code.next_at_level(keyword, code.tokens.len(), |code, at| code.open(at, '{'))?;
    is_pin.then(|| code.partner(body))
}

/// The offset after the line that `end` stands in; `end` itself where that line goes on with more than a comment.
fn after_line(text: &str, end: usize) -> usize {
    let rest = &text[end..];
    let line = rest.find('\n').map_or(rest, |newline| &rest[..=newline]);
    let more = line.trim();
    if more.is_empty() || more.starts_with("//") { end + line.len() } else { end }
}

/// The white space that the line around `at` starts with.
pub(super) fn indent(text: &str, at: usize) -> &str {
    let line = &text[text[..at].rfind('\n').map_or(0, |newline| newline + 1)..at];
    &line[..line.len() - line.trim_start().len()]
}

#[cfg(test)]
mod tests {
    use crate::framework::proptest::find::properties;

    /// Each property's text, the item it stands in and what the pin comes before.
    fn check_places(text: &str, expected: &[[&str; 4]]) {
        let found = properties(text).unwrap();
        let places = found.iter().map(|p| {
            [
                &text[p.span.range()],
                &text[p.item.range()],
                text[p.pin_at..].lines().next().unwrap_or("(end)"),
                &p.indent,
            ]
        });
        assert_eq!(places.collect::<Vec<_>>(), expected, "{text}");
    }

    #[test]
    fn a_pin_goes_after_the_line_that_ends_the_block_and_its_pins() {
        check_places(
            "mod t {\r\n\tuse a;\r\n\r\n\t#[cfg(x)]\r\n\tproptest! {\r\n\t\t// é\r\n\t\tfn a(x: u8) {}\r\n\t} // end\r\n}",
            &[[
                "// é\r\n\t\tfn a(x: u8) {}",
                "#[cfg(x)]\r\n\tproptest! {\r\n\t\t// é\r\n\t\tfn a(x: u8) {}\r\n\t}",
                "}",
                "\t",
            ]],
        );
        check_places(
            "proptest!{fn a(x:u8){}}\n\n/// Pinned\n#[test]\nfn a_pin_0123456() {\n}\n#[test]\nfn a_pin_1234567() {}\nfn b() {}\nfn a_pin_2345678() {}",
            &[["fn a(x:u8){}", "proptest!{fn a(x:u8){}}", "fn b() {}", ""]],
        );
        check_places("proptest!{fn a(x:u8){}}", &[["fn a(x:u8){}", "proptest!{fn a(x:u8){}}", "(end)", ""]]);
        check_places(" mod t {proptest!(fn a(x:u8){}); }", &[["fn a(x:u8){}", "proptest!(fn a(x:u8){});", " }", " "]]);
    }
}
