//! Where the parts of a pin go in their files: its test after the item that holds the property, found again in this very
//! text, as index and work tree may differ, behind pins that stand there already; what it needs besides where that belongs.

use memchr::memmem;

use super::file::{as_text, unreadable};
use super::fixture;
use super::remembered::functions;
use crate::edit::{Edits, line_end};
use crate::failure::TestName;
use crate::language::rust::code::Code;
use crate::language::rust::layout::{indented, unit};
use crate::language::rust::package::{Package, file_modules};
use crate::language::rust::property::PropertyFn;
use crate::language::rust::tokens::{Unreadable, apart};
use crate::pin::{Part, PartKind, Pin, Refusal};
use crate::repo_path::RepoPath;
use crate::span::Span;

/// Where in a text the pins of a property go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Spot {
    /// The item that they follow.
    pub(crate) item: Span,
    /// The byte at which the next one goes.
    pub(crate) at: usize,
    /// The white space before that item.
    pub(crate) indent: String,
}

impl Spot {
    /// That of a property which stands in the text.
    pub(crate) fn of(property: &PropertyFn) -> Self {
        Spot { item: property.item, at: property.pin_at, indent: property.indent.clone() }
    }
}

/// Finds where the pins of a property go in a file of that text; `None` where the property is not in it.
pub(crate) type FindSpot = fn(&str, &RepoPath, &TestName) -> Result<Option<Spot>, Unreadable>;

/// The change that puts `part` of `pin` into its file, which now holds `text`: a test, or what a test needs. No change where
/// it stands in it.
///
/// # Errors
/// Where this text has no place for it, or no pin of Rust has such a part.
pub(crate) fn place(pin: &Pin, part: &Part, text: &[u8], spot: FindSpot) -> Result<Edits, Refusal> {
    match part.kind {
        PartKind::Test => place_test(pin, part, text, spot),
        PartKind::Value => place_value(part, text),
        PartKind::Fixture => Ok(fixture::place(part, text)),
        PartKind::Example => Err(Refusal("its property takes no inputs of its own".to_owned())),
        PartKind::ReplayLine => Err(Refusal("nothing keeps replay lines for its property".to_owned())),
    }
}

/// The change that puts the test of `pin` into the file of `part`, which now holds `text`. No change where a function of
/// that name stands in it.
///
/// # Errors
/// Where the text does not have the property, or is no Rust.
pub(crate) fn place_test(pin: &Pin, part: &Part, text: &[u8], spot: FindSpot) -> Result<Edits, Refusal> {
    let (property, file) = (&pin.property, &part.file);
    let name = pin.test.as_ref().map(TestName::function).unwrap_or_default();
    let text = as_text(file, text)?;
    let spot = spot(text, file, property).map_err(|error| unreadable(file, &error))?;
    let Spot { item, at, indent } = spot.ok_or_else(|| {
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
pub(crate) fn place_value(part: &Part, text: &[u8]) -> Result<Edits, Refusal> {
    let file = &part.file;
    let text = as_text(file, text)?;
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
pub(crate) fn path_modules(file: &RepoPath) -> Vec<&str> {
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
    use super::{path_modules, place_value};
    use crate::pin::{Part, PartKind};
    use crate::repo_path::RepoPath;

    #[test]
    fn a_path_tells_modules_without_a_manifest() {
        for (path, modules) in [("a/src/t.rs", &["t"][..]), ("src/src/lib.rs", &[]), ("a/tests/it/sub.rs", &["sub"])] {
            assert_eq!(path_modules(&RepoPath::new(path).unwrap()), modules, "{path}");
        }
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
