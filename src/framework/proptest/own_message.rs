//! What of a failed assertion's own message stands in the property's source: the words that are the same whatever the
//! input, by which two assertions of one property are told apart.

use super::failing::{holds_in_order, inner, pieces, unspaced};
use super::found::Found;
use crate::carrier::panic;
use crate::failure::Failure;
use crate::language::rust::tokens::{Kind, apart, lex};

/// The fixed words of the message, without blanks; empty where the property holds no text of which it is made.
pub(super) fn own_message(found: &Found, failure: &Failure) -> String {
    let messages: Vec<String> = messages(&failure.message).into_iter().map(unspaced).collect();
    if messages.is_empty() || failure.panicked {
        return String::new();
    }
    let fixed = apart(|| {
        let body = found.text.get(found.function.body.range())?;
        let literals = lex(body).ok()?.into_iter().filter(|token| token.kind == Kind::Literal);
        let texts = literals.filter_map(|token| body.get(token.span.range()));
        let fitting = texts.filter(|text| messages.iter().any(|message| makes(text, message)));
        fitting.map(|text| pieces(text).concat()).max_by_key(|fixed| (fixed.len(), fixed.clone()))
    });
    fixed.unwrap_or_default()
}

/// What an assertion may have been given as its message: all that the run printed but the place, or of two values that were
/// compared what may follow them.
fn messages(printed: &str) -> Vec<&str> {
    let own = match printed.rsplit_once(" at ") {
        Some((own, place)) if panic::location(place).is_some() => own,
        _ => printed,
    };
    match own.strip_prefix("assertion failed: ") {
        None => vec![own],
        Some(compared) if compared.starts_with("`(left ") => {
            own.match_indices(VALUE_END).map(|(at, end)| &own[at + end.len()..]).collect()
        }
        Some(_) => Vec::new(),
    }
}

/// What stands between a compared value and a message of the assertion's own.
const VALUE_END: &str = "`: ";

/// Whether the format string `literal` makes a message without blanks, whatever stands in its braces.
fn makes(literal: &str, message: &str) -> bool {
    let is_text = literal.starts_with('"') || literal.starts_with("r\"") || literal.starts_with("r#");
    let inner = inner(literal).trim();
    let pieces = pieces(literal);
    let (Some(first), Some(last)) = (pieces.first(), pieces.last()) else { return false };
    // What braces and escapes stand for is not worked out.
    let begins = inner.starts_with(['{', '\\']) || message.starts_with(first);
    let is_open = inner.ends_with('}') || inner.chars().nth_back(1) == Some('\\');
    let ends = is_open || message.ends_with(last);
    let has_words = pieces.iter().any(|piece| piece.chars().any(char::is_alphabetic));
    is_text && has_words && begins && ends && holds_in_order(message, &pieces)
}

#[cfg(test)]
mod tests {
    use super::{makes, messages};
    use crate::failure::{Failure, ForeignPath, Location, testing};
    use crate::framework::Properties;
    use crate::framework::proptest::Proptest;
    use crate::source_tree::testing::Files;

    const SOURCE: &str = "proptest! {
    #[test]
    fn f(x in 0u8..9) {
        prop_assert!(x < 3, \"{} is too large\", x);
        prop_assert!(x != 2, \"{x} is too large to be even\");
        prop_assert_eq!(g(x), 2, \"of {x:?}\");
        prop_assert!(h(x)?);
    }
}
";

    #[test]
    fn the_source_tells_what_an_assertion_always_says() {
        let tree = Files::new([("Cargo.toml", "[package]\nname = \"a\"\n"), ("src/lib.rs", SOURCE)]);
        let place = |line| Location { file: ForeignPath("src/lib.rs".to_owned()), line, column: None };
        let check = |message: &str, expected: &str| {
            let location = Some(place(1));
            let failure = Failure { message: message.to_owned(), location, ..testing::failure("f") };
            assert_eq!(Proptest.property(&failure, &tree).unwrap().own_message.as_deref(), Some(expected), "{message}");
        };
        check("4 is too large at src/lib.rs:4", "istoolarge");
        check("7 is too large at src/lib.rs:9", "istoolarge");
        check("2 is too large to be even at src/lib.rs:5", "istoolargetobeeven");
        check("assertion failed: `(left == right)` \n  left: `7`, \n right: `2`: of 5 at src/lib.rs:6", "of");
        check("assertion failed: h(x)? at src/lib.rs:7", "");
        check("h cannot be at src/h.rs:7", "");
    }

    #[test]
    fn a_message_is_made_of_the_format_whose_pieces_it_holds() {
        let check = |literal: &str, message: &str, expected| assert_eq!(makes(literal, message), expected, "{literal}");
        check(r#""spread {} in {:?}""#, "spread2in[1,2]", true);
        check(r#""spread {} in {:?}""#, "thespread2in[1,2]", false);
        check(r##"r#"{a} is "large""#"##, "5is\"large\"", true);
        check(r#""{} is \"large\"""#, "5is\"large\"", true);
        check(r#""too large""#, "toolarge", true);
        check(r#""too large""#, "toolargebyfar", false);
        check(r#""{}: {}""#, "a:b", false);
        check("'a'", "a", false);
        check("7", "7", false);
    }

    #[test]
    fn the_place_and_compared_values_are_no_part_of_it() {
        assert_eq!(messages("no at all at src/a.rs:4"), ["no at all"]);
        assert_eq!(messages("no at all"), ["no at all"]);
        assert_eq!(messages("assertion failed: x < 3 at src/a.rs:4"), [""; 0]);
        let compared = "assertion failed: `(left == right)` \n  left: `7`, \n right: `\"`: \"`: of 5 at src/a.rs:7";
        assert_eq!(messages(compared), ["\"`: of 5", "of 5"]);
    }
}
