//! Where in its file the pins of a property go: after the item that holds it, or the code that runs or makes it.

use super::remembered::outline;
use super::unfold::Wanted;
use crate::failure::TestName;
use crate::framework::rust::choose::Hints;
use crate::framework::rust::place::{Spot, path_modules};
use crate::language::rust::tokens::Unreadable;
use crate::repo_path::RepoPath;

/// Where the pins of `property` go in `file`, which now holds `text`; `None` where the property is not in it.
///
/// # Errors
/// Where the text is no Rust.
pub(super) fn spot(text: &str, file: &RepoPath, property: &TestName) -> Result<Option<Spot>, Unreadable> {
    let (_, found) = outline(text)?;
    let wanted = Wanted { file_modules: &path_modules(file), test: property, hints: &Hints::default() };
    let own = || wanted.property(&found, text).map(|own| Spot::of(&own));
    let maker = || {
        let maker = wanted.maker(&found, text)?;
        Some(Spot { item: maker.item, at: maker.pin_at, indent: maker.indent.clone() })
    };
    Ok(own().or_else(maker))
}

#[cfg(test)]
mod tests {
    use super::spot;
    use crate::failure::TestName;
    use crate::framework::rust::place::place_test;
    use crate::pin::{Part, PartKind, Pin, Rung};
    use crate::repo_path::RepoPath;

    const TEST: &str = "#[test]\nfn f_pin_0123456() {\n    s(\"\n\");\n}";

    #[track_caller]
    fn placed(text: &str, property: &str, name: &str) -> Result<String, String> {
        let test = TEST.replace("f_pin_0123456", name);
        let part =
            Part { file: RepoPath::new("src/lib.rs").unwrap(), kind: PartKind::Test, modules: Vec::new(), text: test };
        let pin = Pin {
            property: TestName(property.to_owned()),
            rung: Rung::Literal,
            test: Some(TestName(format!("t::{name}"))),
            replay: None,
            parts: Vec::new(),
            reason: None,
            warnings: Vec::new(),
            instead: None,
        };
        let edits = place_test(&pin, &part, text.as_bytes(), spot).map_err(|refusal| refusal.0)?;
        Ok(String::from_utf8(edits.apply(text.as_bytes())).unwrap())
    }

    /// The pin once, and nothing the second time.
    #[track_caller]
    fn check(text: &str, property: &str, expected: &str) {
        let once = placed(text, property, "f_pin_0123456").unwrap();
        assert_eq!(once, expected);
        assert_eq!(placed(&once, property, "f_pin_0123456").unwrap(), once, "placed twice");
    }

    #[test]
    fn a_pin_stands_after_the_block_of_its_property() {
        check(
            "mod t {\n    proptest! {\n        fn f(x: u8) {}\n    }\n\n    fn g() {}\n}\n",
            "t::f",
            "mod t {\n    proptest! {\n        fn f(x: u8) {}\n    }\n\n    #[test]\n    fn f_pin_0123456() {\n        s(\"\n\");\n    }\n\n    fn g() {}\n}\n",
        );
    }

    #[test]
    fn line_ends_and_a_missing_final_newline_stay() {
        check(
            "proptest! {\r\n    fn f(x: u8) {}\r\n}",
            "f",
            "proptest! {\r\n    fn f(x: u8) {}\r\n}\r\n\r\n#[test]\r\nfn f_pin_0123456() {\r\n    s(\"\r\n\");\r\n}",
        );
        check(
            "proptest! { fn f(x: u8) {} }\n",
            "f",
            "proptest! { fn f(x: u8) {} }\n\n#[test]\nfn f_pin_0123456() {\n    s(\"\n\");\n}\n",
        );
        check(
            "mod t { proptest! { fn f(x: u8) {} } }\n",
            "t::f",
            "mod t { proptest! { fn f(x: u8) {} }\n\n#[test]\nfn f_pin_0123456() {\n    s(\"\n\");\n}\n }\n",
        );
    }

    #[test]
    fn of_mixed_line_ends_those_of_the_property_count() {
        check(
            "// a\nproptest! {\r\n    fn f(x: u8) {}\r\n}\r\n",
            "f",
            "// a\nproptest! {\r\n    fn f(x: u8) {}\r\n}\r\n\r\n#[test]\r\nfn f_pin_0123456() {\r\n    s(\"\r\n\");\r\n}\r\n",
        );
    }

    #[test]
    fn a_pin_of_a_plain_test_stands_after_that_test() {
        check(
            "#[test]\nfn f() { proptest!(|(x: u8)| {}); }\nfn g() {}\n",
            "f",
            "#[test]\nfn f() { proptest!(|(x: u8)| {}); }\n\n#[test]\nfn f_pin_0123456() {\n    s(\"\n\");\n}\nfn g() {}\n",
        );
    }

    #[test]
    fn pins_keep_the_order_they_came_in() {
        let text = "proptest! { fn f(x: u8) {} }\n\nfn g() {}\n";
        let one = placed(text, "f", "f_pin_1111111").unwrap();
        let two = placed(&one, "f", "f_pin_2222222").unwrap();
        let order: Vec<_> = two.lines().filter(|line| line.starts_with("fn ")).collect();
        assert_eq!(order, ["fn f_pin_1111111() {", "fn f_pin_2222222() {", "fn g() {}"]);
    }

    #[test]
    fn of_two_properties_of_one_name_the_modules_choose() {
        let text = "mod a {\nproptest! { fn f(x: u8) {} }\n}\nmod b {\nproptest! { fn f(x: u8) {} }\n}\n";
        let pinned = placed(text, "x::b::f", "f_pin_0123456").unwrap();
        assert!(
            pinned.starts_with(
                "mod a {\nproptest! { fn f(x: u8) {} }\n}\nmod b {\nproptest! { fn f(x: u8) {} }\n\n#[test]"
            )
        );
    }

    #[test]
    fn a_text_without_the_property_is_refused() {
        assert_eq!(
            placed("fn g() {}", "t::f", "f_pin_0123456"),
            Err("`t::f` is not in this version of src/lib.rs; stage or check out the file that has it".to_owned())
        );
        assert_eq!(
            placed("fn f() { \"", "f", "f_pin_0123456"),
            Err("src/lib.rs cannot be read as Rust, line 1: expected Rust, found a quote, comment or bracket without its other end; mend it first".to_owned())
        );
    }
}
