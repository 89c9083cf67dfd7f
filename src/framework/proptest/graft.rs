//! A pin that stands in one version of the repository, put into another: its test as somebody may have edited it since it
//! was written, by its property as that version has it, and its line of the regression file.

use super::place::{place_test, place_value};
use super::regression::{self, lines};
use super::{fixture, found};
use crate::edit::{Edits, TextEdit, line_end};
use crate::failure::{Counterexample, Ending, Failure, ForeignPath, Location, Origin, Replay, TestName};
use crate::framework::Graft;
use crate::language::rust::code::{Code, function_span};
use crate::language::rust::layout::{dedented, indented};
use crate::language::rust::tokens::apart;
use crate::pin::{Part, PartKind, Pin, Refusal, Rung};
use crate::proof::StandingPin;
use crate::repo_path::RepoPath;
use crate::source_tree::SourceTree;

/// What puts `pin` of `from` into `onto`.
///
/// # Errors
/// Why that version has no place for it.
pub(super) fn graft(pin: &StandingPin, from: &dyn SourceTree, onto: &dyn SourceTree) -> Result<Graft, Refusal> {
    let (file, there) = found::file(&named(pin, &pin.property), onto)
        .map_err(|_| Refusal(format!("its property `{}` is not there", pin.property)))?;
    let mut edits = Vec::new();
    if let Some(test) = &pin.test {
        let text = own_text(pin, test, from)?;
        let values = values(pin, &text, from);
        let fixtures = fixture::brought(&text, &pin.files, &file, (from, onto));
        let part = Part { file: file.clone(), kind: PartKind::Test, modules: Vec::new(), text };
        edits.push((file.clone(), placed(pin, test, part, &there)?));
        for value in values {
            let text = onto.read(&value.file).unwrap_or_default();
            let change = place_value(&value, &text).map_err(first_half)?;
            edits.push((value.file, change));
        }
        edits.extend(fixtures);
    }
    edits.extend(replay(pin, from, onto));
    edits.retain(|(_, edits)| !edits.is_empty());
    Ok(Graft { file, edits })
}

/// The test by its property, or in the place of an older form of itself.
pub(super) fn placed(pin: &StandingPin, test: &TestName, part: Part, there: &str) -> Result<Edits, Refusal> {
    if let Some(span) = function_span(there, test.function()) {
        if dedented(&there[span.range()]) == part.text {
            return Ok(Edits::new());
        }
        let line = there[..span.start].rfind('\n').map_or(0, |newline| newline + 1);
        let indent = Some(&there[line..span.start]).filter(|before| before.trim().is_empty()).unwrap_or_default();
        let text = indented(&part.text, indent).replace('\n', line_end(there.as_bytes()));
        return Ok(TextEdit { span, insert: text.trim_start().as_bytes().to_owned() }.into());
    }
    let whole = Pin {
        property: pin.property.clone(),
        rung: Rung::Literal,
        test: Some(test.clone()),
        replay: None,
        parts: Vec::new(),
        reason: None,
        warnings: Vec::new(),
        instead: None,
    };
    place_test(&whole, &part, there.as_bytes()).map_err(first_half)
}

/// Why, without the advice: that is for a file of the work tree.
fn first_half(refusal: Refusal) -> Refusal {
    Refusal(refusal.0.split(';').next().unwrap_or_default().to_owned())
}

/// The functions of the pin's files that give the values of a test, and those that these call in turn.
fn values(pin: &StandingPin, test: &str, from: &dyn SourceTree) -> Vec<Part> {
    let mut names = value_names(test);
    let mut found: Vec<Part> = Vec::new();
    let mut next = 0;
    while let Some(name) = names.get(next).cloned() {
        next += 1;
        let part = |file: &RepoPath| {
            let bytes = from.read(file)?;
            let text = std::str::from_utf8(&bytes).ok()?;
            let span = function_span(text, &name)?;
            let modules = modules_at(text, span.start);
            let text = dedented(&text[span.range()]);
            Some(Part { file: file.clone(), kind: PartKind::Value, modules, text })
        };
        let Some(part) = pin.files.iter().find_map(part) else { continue };
        let more = value_names(&part.text).into_iter().filter(|name| !names.contains(name)).collect::<Vec<_>>();
        names.extend(more);
        found.push(part);
    }
    found
}

/// The names in `text` that redpin gives to functions for values: they end in `_value_` and seven hex digits.
fn value_names(text: &str) -> Vec<String> {
    let is_one = |word: &&str| {
        let digits = word.rsplit_once("_value_").map_or("", |(_, digits)| digits);
        digits.len() == 7 && digits.bytes().all(|byte| byte.is_ascii_hexdigit())
    };
    let mut names: Vec<String> =
        text.split(|c: char| !(c.is_alphanumeric() || c == '_')).filter(is_one).map(str::to_owned).collect();
    names.sort();
    names.dedup();
    names
}

/// The modules inside a file that are open at the byte `at`, outermost first.
fn modules_at(text: &str, at: usize) -> Vec<String> {
    apart(|| {
        let Ok(code) = Code::read(text) else { return Vec::new() };
        let is_around = |index: &usize| {
            let inside = |open| code.start(open) < at && at < code.start(code.partner(open));
            code.word(*index) == "mod" && code.open(index + 2, '{') && inside(index + 2)
        };
        let around = (0..code.tokens.len()).filter(is_around);
        around.map(|index| code.word(index + 1).trim_start_matches("r#").to_owned()).collect()
    })
}

/// The test with its comments and attributes, not indented.
pub(super) fn own_text(pin: &StandingPin, test: &TestName, from: &dyn SourceTree) -> Result<String, Refusal> {
    let missing = || Refusal(format!("its test `{test}` is not in the work tree"));
    let (_, text) = found::file(&named(pin, test), from).map_err(|_| missing())?;
    let span = function_span(&text, test.function()).ok_or_else(missing)?;
    Ok(dedented(&text[span.range()]))
}

/// The line that replays it, into the same file as it stands in.
fn replay(pin: &StandingPin, from: &dyn SourceTree, onto: &dyn SourceTree) -> Option<(RepoPath, Edits)> {
    let handle = pin.replay.as_deref()?;
    let file = pin.files.iter().find(|file| regression::may_be_named(file.as_str()))?;
    let text = from.read(file)?;
    let line = lines(&text).find(|line| line.seed().is_some_and(|seed| seed.handle() == handle))?;
    let line = String::from_utf8_lossy(&text[line.span.range()]).trim_end().to_owned();
    Some((file.clone(), regression::add(&onto.read(file).unwrap_or_default(), &line)))
}

/// A failure of `test`, as far as it takes to find the test's file.
pub(super) fn named(pin: &StandingPin, test: &TestName) -> Failure {
    let place = |file: &RepoPath| Location { file: ForeignPath(file.as_str().to_owned()), line: 0, column: None };
    Failure {
        framework: pin.framework.clone(),
        test: test.clone(),
        package: pin.package.clone(),
        binary: None,
        location: pin.file.as_ref().map(place),
        site: None,
        panicked: false,
        ending: Ending::Falsified,
        message: String::new(),
        error: None,
        counterexample: Counterexample::default(),
        replay: Replay::None,
        own_message: None,
        generated: Vec::new(),
        caveats: Vec::new(),
        origin: Origin { run: String::new(), line: 0 },
    }
}

#[cfg(test)]
mod tests {
    use super::graft;
    use crate::failure::{FrameworkName, TestName};
    use crate::proof::StandingPin;
    use crate::repo_path::RepoPath;
    use crate::source_tree::SourceTree;
    use crate::source_tree::testing::Files;

    const SEED: &str = "cc 0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a";
    const MANIFEST: (&str, &str) = ("Cargo.toml", "[package]\nname = \"a\"\n");
    const HERE: &str = "\
mod t {
    proptest! {
        #[test]
        fn f(x: u8) { g(x) }
    }

    /// Pinned.
    #[test]
    fn f_pin_0123456() {
        s(\"
\");
    }
}
";

    /// The files of `onto` after the graft, those it changes alone.
    fn grafted(onto: &[(&str, &str)], test: bool) -> Result<Vec<String>, String> {
        let seeds = format!("# seeds\n{SEED} # shrinks to x = 3\n");
        let from = Files::new([MANIFEST, ("src/lib.rs", HERE), ("proptest-regressions/lib.txt", &seeds)]);
        let onto = Files::new(onto.iter().copied().chain([MANIFEST]));
        let graft = graft(&pin(test), &from, &onto).map_err(|refusal| refusal.0)?;
        let texts = graft.edits.into_iter().map(|(file, edits)| {
            let text = edits.apply(&onto.read(&file).unwrap_or_default());
            format!("{file}: {}", String::from_utf8(text).unwrap())
        });
        Ok(texts.collect())
    }

    fn pin(test: bool) -> StandingPin {
        let path = |name: &str| RepoPath::new(name).unwrap();
        StandingPin {
            failure: "0a".to_owned(),
            framework: FrameworkName("proptest".to_owned()),
            package: None,
            property: TestName("t::f".to_owned()),
            test: test.then(|| TestName("t::f_pin_0123456".to_owned())),
            file: Some(path("src/lib.rs")),
            replay: Some(SEED.to_owned()),
            files: vec![path("src/lib.rs"), path("proptest-regressions/lib.txt")],
            message: String::new(),
            counterexample: String::new(),
            makes_value: false,
        }
    }

    #[test]
    fn a_pin_goes_where_its_property_is_in_that_version() {
        let older = "proptest! {\n    #[test]\n    fn f(x: u8) { old(x) }\n}\n";
        let moved = "src/t.rs: proptest! {\n    #[test]\n    fn f(x: u8) { old(x) }\n}\n\n/// Pinned.\n#[test]\nfn f_pin_0123456() {\n    s(\"\n\");\n}\n";
        let line = format!("proptest-regressions/lib.txt: # theirs\n{SEED} # shrinks to x = 3\n");
        let onto = [("src/lib.rs", "mod t;\n"), ("src/t.rs", older), ("proptest-regressions/lib.txt", "# theirs\n")];
        assert_eq!(grafted(&onto, true).unwrap(), [moved, &line]);
        assert_eq!(grafted(&onto, false).unwrap(), [line]);
    }

    #[test]
    fn the_functions_that_give_its_values_come_along() {
        let here = HERE.replace("s(\"\n\");", "g(f_value_0a1b2c3());")
            + "mod u {\n    /// A value.\n    fn f_value_0a1b2c3() -> u8 {\n        3\n    }\n}\n";
        let from = Files::new([MANIFEST, ("src/lib.rs", here.as_str())]);
        let older = "mod t {\n    proptest! {\n        fn f(x: u8) {}\n    }\n}\nmod u {}\n";
        let onto = Files::new([MANIFEST, ("src/lib.rs", older)]);
        let graft = graft(&pin(true), &from, &onto).unwrap();
        let mut text = older.as_bytes().to_vec();
        let mut edits = crate::edit::Edits::new();
        graft.edits.into_iter().for_each(|(_, more)| edits.join(more).unwrap());
        text = edits.apply(&text);
        let text = String::from_utf8(text).unwrap();
        assert!(
            text.ends_with("mod u {\n\n    /// A value.\n    fn f_value_0a1b2c3() -> u8 {\n        3\n    }\n}\n"),
            "{text}"
        );
        assert!(text.contains("        g(f_value_0a1b2c3());\n"), "{text}");
    }

    #[test]
    fn an_older_form_of_the_pin_gives_way() {
        let seeds = format!("{SEED}\n");
        let kept = ("proptest-regressions/lib.txt", seeds.as_str());
        let older = HERE.replace("s(", "other(");
        assert_eq!(grafted(&[("src/lib.rs", HERE), kept], true).unwrap(), Vec::<String>::new());
        let changed = grafted(&[("src/lib.rs", &older), kept], true).unwrap();
        assert_eq!(changed.len(), 1);
        assert!(changed[0].contains("s(\"\n\");") && !changed[0].contains("other("), "{}", changed[0]);
    }

    #[test]
    fn a_version_without_the_property_has_no_place_for_it() {
        let expected = Err("its property `t::f` is not there".to_owned());
        assert_eq!(grafted(&[("src/lib.rs", "struct X;\n")], true), expected);
        assert_eq!(grafted(&[], false), expected);
        let by_name = [("src/lib.rs", "mod t { use u::f; }\n")];
        assert_eq!(grafted(&by_name, true), Err("`t::f` is not in this version of src/lib.rs".to_owned()));
    }
}
