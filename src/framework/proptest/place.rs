//! Where a pin's test goes in its file: after the item that holds the property, found again in this very text, as index
//! and work tree may differ; behind pins that stand there already.

use memchr::memmem;

use super::remembered::outline;
use super::unfold::Wanted;
use crate::edit::{Edits, line_end};
use crate::failure::TestName;
use crate::framework::rust::choose::Hints;
use crate::framework::rust::remembered::functions;
use crate::language::rust::code::Code;
use crate::language::rust::layout::{indented, unit};
use crate::language::rust::package::{Package, file_modules};
use crate::language::rust::tokens::apart;
use crate::pin::{Part, Pin, Refusal};
use crate::repo_path::RepoPath;
use crate::span::Span;

/// The change that puts the test of `pin` into the file of `part`, which now holds `text`. No change where a function of
/// that name stands in it.
///
/// # Errors
/// Where the text does not have the property, or is no Rust.
pub(super) fn place_test(pin: &Pin, part: &Part, text: &[u8]) -> Result<Edits, Refusal> {
    let (property, file) = (&pin.property, &part.file);
    let name = pin.test.as_ref().map(TestName::function).unwrap_or_default();
    let text =
        str::from_utf8(text).map_err(|_| Refusal(format!("{file} is not UTF-8, which Rust demands; mend it first")))?;
    let (_, found) =
        outline(text).map_err(|error| Refusal(format!("{file} cannot be read as Rust, {error}; mend it first")))?;
    let wanted = Wanted { file_modules: &path_modules(file), test: property, hints: &Hints::default() };
    let own = || wanted.among(&found.properties, text).map(|own| (own.item, own.pin_at, own.indent));
    let maker = || wanted.maker(&found, text).map(|maker| (maker.item, maker.pin_at, maker.indent.clone()));
    let (item, at, indent) = own().or_else(maker).ok_or_else(|| {
        Refusal(format!("`{property}` is not in this version of {file}; stage or check out the file that has it"))
    })?;
    let mut edits = Edits::new();
    if !has_function(text, name) {
        let _ = edits.insert(at, surrounded(text, item, at, &indented(&part.text, &indent)));
    }
    Ok(edits)
}

/// The change that puts a function for a value at the end of its module in the file of `part`, which now holds `text`. No
/// change where a function of that name stands in it.
///
/// # Errors
/// Where the text does not have the module, or is no Rust.
pub(super) fn place_value(part: &Part, text: &[u8]) -> Result<Edits, Refusal> {
    let file = &part.file;
    let text =
        str::from_utf8(text).map_err(|_| Refusal(format!("{file} is not UTF-8, which Rust demands; mend it first")))?;
    let name = apart(|| {
        let code = Code::read(&part.text).ok()?;
        let keyword = (0..code.tokens.len()).find(|&at| code.word(at) == "fn")?;
        Some(code.word(keyword + 1).to_owned())
    });
    let mut edits = Edits::new();
    if name.is_some_and(|name| has_function(text, &name)) {
        return Ok(edits);
    }
    let at = apart(|| module_end(text, &part.modules)).ok_or_else(|| {
        let module = part.modules.join("::");
        Refusal(format!("`{module}` is not in this version of {file}; stage or check out the file that has it"))
    })?;
    let indent = unit(text).repeat(part.modules.len());
    // The line before tells how lines end there.
    let line = text[..at].trim_end().rfind('\n').map_or(0, |newline| newline + 1);
    let item = Span::new(line, at);
    let _ = edits.insert(at, surrounded(text, item, at, &indented(&part.text, &indent)));
    Ok(edits)
}

/// Where the last line of a module ends: before its closing brace, or at the end of the file.
fn module_end(text: &str, modules: &[String]) -> Option<usize> {
    let code = Code::read(text).ok()?;
    let (mut start, mut end) = (0, code.tokens.len());
    for module in modules {
        let at = code.next_at_level(start, end, |code, at| {
            code.word(at) == "mod" && code.word(at + 1).trim_start_matches("r#") == module && code.open(at + 2, '{')
        })?;
        (start, end) = (at + 3, code.partner(at + 2));
    }
    let closing = code.start(end);
    let line = text[..closing].rfind('\n').map_or(0, |newline| newline + 1);
    let is_own_line = text[line..closing].trim().is_empty();
    Some(if is_own_line && !modules.is_empty() { line } else { closing })
}

/// Whether `text` has a function of that name. Most often it does not even hold the word, and need not be read for it.
fn has_function(text: &str, name: &str) -> bool {
    memmem::find(text.as_bytes(), name.as_bytes()).is_some()
        && functions(text).is_ok_and(|functions| functions.contains(name))
}

/// The modules that a file stands for, its package told by its path alone.
fn path_modules(file: &RepoPath) -> Vec<&str> {
    let parts: Vec<&str> = file.as_str().split('/').collect();
    let root = parts.iter().rposition(|part| *part == "src").or_else(|| parts.iter().position(|part| *part == "tests"));
    let package = Package { folder: parts[..root.unwrap_or(0)].join("/"), name: None };
    file_modules(file, &package)
}

/// `test` with the line ends of `text` around `item` and those it needs at `at`, a blank line before it.
fn surrounded(text: &str, item: Span, at: usize, test: &str) -> String {
    let near = text.get(item.start..).filter(|near| near.contains('\n')).unwrap_or(text);
    let end = line_end(near.as_bytes());
    let test = test.replace('\n', end);
    let (before, after) = text.split_at(at);
    match before.ends_with('\n') {
        true => format!("{end}{test}{end}"),
        false if after.is_empty() => format!("{end}{end}{test}"),
        false => format!("{end}{end}{test}{end}"),
    }
}

#[cfg(test)]
mod tests {
    use super::{path_modules, place_test, place_value};
    use crate::failure::TestName;
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
        let edits = place_test(&pin, &part, text.as_bytes()).map_err(|refusal| refusal.0)?;
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
    fn a_path_tells_modules_without_a_manifest() {
        for (path, modules) in [("a/src/t.rs", &["t"][..]), ("src/src/lib.rs", &[]), ("a/tests/it/sub.rs", &["sub"])] {
            assert_eq!(path_modules(&RepoPath::new(path).unwrap()), modules, "{path}");
        }
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

    const VALUE: &str = "/// A value.\n#[cfg(test)]\npub(crate) fn f_value_0123456() -> T {\n    g()\n}";

    #[track_caller]
    fn check_value(text: &str, modules: &[&str], expected: Result<&str, &str>) {
        let modules = modules.iter().map(|name| (*name).to_owned()).collect();
        let file = RepoPath::new("src/lib.rs").unwrap();
        let part = Part { file, kind: PartKind::Value, modules, text: VALUE.to_owned() };
        let placed = |text: &str| {
            let edits = place_value(&part, text.as_bytes()).map_err(|refusal| refusal.0)?;
            Ok::<_, String>(String::from_utf8(edits.apply(text.as_bytes())).unwrap())
        };
        let once = placed(text);
        assert_eq!(once.as_deref(), expected.map_err(str::to_owned).as_ref().map(|text| *text));
        if let Ok(once) = once {
            assert_eq!(placed(&once).unwrap(), once, "placed twice");
        }
    }

    #[test]
    fn a_value_stands_at_the_end_of_its_module() {
        check_value(
            "mod a {\n    mod b {\n        fn f() {}\n    }\n}\nmod c {}\n",
            &["a", "b"],
            Ok(
                "mod a {\n    mod b {\n        fn f() {}\n\n        /// A value.\n        #[cfg(test)]\n        pub(crate) fn f_value_0123456() -> T {\n            g()\n        }\n    }\n}\nmod c {}\n",
            ),
        );
        check_value(
            "fn f() {}\r\n",
            &[],
            Ok(
                "fn f() {}\r\n\r\n/// A value.\r\n#[cfg(test)]\r\npub(crate) fn f_value_0123456() -> T {\r\n    g()\r\n}\r\n",
            ),
        );
        check_value(
            "mod a;\n",
            &["a"],
            Err("`a` is not in this version of src/lib.rs; stage or check out the file that has it"),
        );
    }
}
