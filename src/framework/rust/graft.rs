//! A pin that stands in one version of the repository, put into another: its test as somebody may have edited it since it
//! was written, by its property as that version has it.

use super::place::{FindSpot, place_test, place_value};
use super::{file, fixture};
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
use crate::span::Span;

/// What puts the test of `pin` of `from`, with what it needs, into `onto`, where `spot` finds its property.
///
/// # Errors
/// Why that version has no place for it.
pub(crate) fn graft(
    pin: &StandingPin,
    from: &dyn SourceTree,
    onto: &dyn SourceTree,
    spot: FindSpot,
) -> Result<Graft, Refusal> {
    let (file, there) = file::file(&named(pin, &pin.property), onto)
        .map_err(|_| Refusal(format!("its property `{}` is not there", pin.property)))?;
    let mut edits = Vec::new();
    if let Some(test) = &pin.test {
        let text = own_text(pin, test, from)?;
        let values = values(pin, &text, from);
        let fixtures = fixture::brought(&text, &pin.files, &file, (from, onto));
        let part = Part { file: file.clone(), kind: PartKind::Test, modules: Vec::new(), text };
        edits.push((file.clone(), placed(pin, test, part, &there, spot)?));
        for value in values {
            let text = onto.read(&value.file).unwrap_or_default();
            let change = place_value(&value, &text).map_err(first_half)?;
            edits.push((value.file, change));
        }
        edits.extend(fixtures);
    }
    edits.retain(|(_, edits)| !edits.is_empty());
    Ok(Graft { file, edits })
}

/// The test by its property, or in the place of an older form of itself.
pub(crate) fn placed(
    pin: &StandingPin,
    test: &TestName,
    part: Part,
    there: &str,
    spot: FindSpot,
) -> Result<Edits, Refusal> {
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
    place_test(&whole, &part, there.as_bytes(), spot).map_err(first_half)
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
            let span = type_span(text, &name).or_else(|| function_span(text, &name))?;
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

/// The block by which a type has the function `name` and nothing else.
fn type_span(text: &str, name: &str) -> Option<Span> {
    let code = Code::read(text).ok()?;
    let at = (1..code.tokens.len()).find(|&at| code.word(at) == name && code.word(at - 1) == "fn")?;
    let body = (at..code.tokens.len()).find(|&at| code.open(at, '{'))?;
    let open = code.first(at - 1).checked_sub(1).filter(|&open| code.open(open, '{'))?;
    let is_alone = code.partner(open) == code.partner(body) + 1;
    let is_path = |at: &usize| !code.word(*at).is_empty() || code.sign(*at, ':');
    let block = (0..open).rev().take_while(is_path).find(|&at| code.word(at) == "impl")?;
    is_alone.then(|| code.span(code.first(block), code.partner(open)))
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
pub(crate) fn own_text(pin: &StandingPin, test: &TestName, from: &dyn SourceTree) -> Result<String, Refusal> {
    let missing = || Refusal(format!("its test `{test}` is not in the work tree"));
    let (_, text) = file::file(&named(pin, test), from).map_err(|_| missing())?;
    let span = function_span(&text, test.function()).ok_or_else(missing)?;
    Ok(dedented(&text[span.range()]))
}

/// A failure of `test`, as far as it takes to find the test's file.
pub(crate) fn named(pin: &StandingPin, test: &TestName) -> Failure {
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
