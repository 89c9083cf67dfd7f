//! Puts a pin that stands in one version of the repository into another: the examples that were pinned on its property, or
//! its test.

use super::find::{function, parts};
use super::given::is_called;
use super::place::place;
use crate::edit::{Edits, TextEdit};
use crate::failure::TestName;
use crate::framework::Graft;
use crate::language::python::literal::render;
use crate::language::python::module::{Decorator, Module, module};
use crate::pin::{Part, PartKind, Pin, Refusal, Rung};
use crate::proof::StandingPin;
use crate::repo_path::RepoPath;
use crate::source_tree::SourceTree;
use crate::span::Span;

/// How the remark above a pin begins.
pub(super) const REMARK: &str = "# Pinned ";

/// What puts `pin`, as it stands in `from`, into `onto`.
///
/// # Errors
/// The reason where one of the versions has no place for it.
pub(super) fn graft(pin: &StandingPin, from: &dyn SourceTree, onto: &dyn SourceTree) -> Result<Graft, Refusal> {
    let file = pin.file.clone().ok_or_else(|| Refusal("its record does not tell its file".to_owned()))?;
    let here = text(&file, from)?;
    let there = text(&file, onto)?;
    let outline = module(&here).ok_or_else(|| Refusal(format!("{file} is no Python that can be read")))?;
    let standing = match &pin.test {
        Some(test) => vec![own_test(&here, &outline, test, &file)?],
        None => examples(pin, &here, &outline, &file)?,
    };
    let mut grown = there.clone().into_bytes();
    for part in &standing {
        let edits = place(&planned(pin), part, &grown)?;
        grown = edits.apply(&grown);
    }
    let whole = TextEdit { span: Span::new(0, there.len()), insert: grown.clone() };
    let edits = if grown == there.as_bytes() { Edits::new() } else { Edits::from(whole) };
    Ok(Graft { file: file.clone(), edits: vec![(file, edits)] })
}

fn text(file: &RepoPath, tree: &dyn SourceTree) -> Result<String, Refusal> {
    let bytes = tree.read(file).ok_or_else(|| Refusal(format!("{file} is not there")))?;
    String::from_utf8(bytes.to_vec()).map_err(|_| Refusal(format!("{file} is not UTF-8")))
}

/// The pin as it was planned, as far as its place goes by it.
fn planned(pin: &StandingPin) -> Pin {
    Pin {
        property: pin.property.clone(),
        rung: Rung::Literal,
        test: pin.test.clone(),
        replay: None,
        parts: Vec::new(),
        reason: None,
        warnings: Vec::new(),
        instead: None,
    }
}

/// The pin's own test.
fn own_test(text: &str, outline: &Module, test: &TestName, file: &RepoPath) -> Result<Part, Refusal> {
    let name = parts(test);
    let found = function(outline, &name, None);
    let found = found.ok_or_else(|| Refusal(format!("{file} has no {}", name.join("."))))?;
    let item = found.item;
    let indent = &text[text[..item.start].rfind('\n').map_or(0, |line| line + 1)..item.start];
    let lines = text[item.range()].lines().map(|line| line.strip_prefix(indent).unwrap_or(line));
    let text = lines.collect::<Vec<_>>().join("\n").replace('\t', "    ");
    let modules = found.path[..found.path.len() - 1].to_vec();
    Ok(Part { file: file.clone(), kind: PartKind::Test, modules, text })
}

/// The examples of the pin's property that stand below a remark of a pin.
fn examples(pin: &StandingPin, text: &str, outline: &Module, file: &RepoPath) -> Result<Vec<Part>, Refusal> {
    let way = parts(&pin.property);
    let property = function(outline, &way, None);
    let property = property.ok_or_else(|| Refusal(format!("{file} has no {}", way.join("."))))?;
    let examples = property.decorators.iter().filter(|one| is_called(&outline.imports, one, "example"));
    let pinned = examples.filter_map(|one| Some((remark(text, one)?, one)));
    let parts = pinned.map(|(remark, one)| example(remark, one, text, outline, file));
    let parts = parts.collect::<Result<Vec<Part>, Refusal>>()?;
    if parts.is_empty() {
        return Err(Refusal(format!("no pinned example stands on {} in {file}", way.join("."))));
    }
    Ok(parts)
}

/// The remark right above an example.
fn remark<'t>(text: &'t str, example: &Decorator) -> Option<&'t str> {
    let line = text[..example.span.start].rfind('\n')?;
    let above = text[..line].lines().next_back()?.trim();
    above.starts_with(REMARK).then_some(above)
}

/// An example with its names in full.
fn example(remark: &str, one: &Decorator, text: &str, outline: &Module, file: &RepoPath) -> Result<Part, Refusal> {
    let mut modules: Vec<String> = Vec::new();
    let mut arguments = Vec::new();
    for argument in &one.arguments {
        let value = render(&argument.text, &mut |name, _| Ok(in_full(name, outline, &mut modules)));
        let value = value.map_err(Refusal)?;
        arguments.push(argument.name.as_ref().map_or_else(|| value.clone(), |name| format!("{name}={value}")));
    }
    let back = &text[one.call.end..one.span.end];
    let text = format!("{remark}\n@example({}){back}", arguments.join(", "));
    Ok(Part { file: file.clone(), kind: PartKind::Example, modules, text })
}

/// A name with the module that it is imported from; those are added to `modules`.
pub(super) fn in_full(name: &str, outline: &Module, modules: &mut Vec<String>) -> String {
    let brings = |local: &str| name.strip_prefix(local).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'));
    let Some(import) = outline.imports.iter().find(|import| brings(&import.local)) else { return name.to_owned() };
    if !modules.contains(&import.module) {
        modules.push(import.module.clone());
    }
    format!("{}{}", import.full(), &name[import.local.len()..])
}

#[cfg(test)]
mod tests {
    use super::graft;
    use crate::failure::TestName;
    use crate::proof::StandingPin;
    use crate::proof::testing::blank_pin;
    use crate::repo_path::RepoPath;
    use crate::source_tree::testing::Files;

    const FILE: &str = "tests/test_a.py";

    fn grafted(from: &str, onto: &str, test: Option<&str>) -> Result<String, String> {
        let pin = StandingPin {
            test: test.map(|test| TestName(format!("{FILE}::{test}"))),
            file: RepoPath::new(FILE),
            ..blank_pin("hypothesis", &format!("{FILE}::test_x[3]"))
        };
        let onto_tree = Files::new([(FILE, onto)]);
        let graft = graft(&pin, &Files::new([(FILE, from)]), &onto_tree).map_err(|refusal| refusal.0)?;
        Ok(String::from_utf8(graft.edits[0].1.apply(onto.as_bytes())).unwrap())
    }

    #[test]
    fn a_pinned_example_is_written_as_the_other_version_imports_it() {
        let from = "import datetime as dt\nfrom hypothesis import example, given\n\n# Pinned 2026-11-30: no\n@example(x=dt.date(2001, 1, 1)).via(\"a\")\n\
                    @example(x=1)\n@given(x=st.x())\ndef test_x(x): pass\n";
        let onto =
            "from datetime import date\nfrom hypothesis import given\n\n@given(x=st.x())\ndef test_x(x): return\n";
        let expected = "from datetime import date\nfrom hypothesis import example, given\n\n# Pinned 2026-11-30: no\n\
                        @example(x=date(2001, 1, 1)).via(\"a\")\n@given(x=st.x())\ndef test_x(x): return\n";
        assert_eq!(grafted(from, onto, None).as_deref(), Ok(expected));
        assert_eq!(grafted(from, from, None).as_deref(), Ok(from));
        assert!(grafted(onto, onto, None).unwrap_err().contains("no pinned example"));
        assert!(grafted(from, "x = 1\n", None).unwrap_err().contains("has no test_x"));
    }

    #[test]
    fn a_test_of_its_own_goes_after_all_others() {
        let from = "x = 1\n\n\ndef test_x_pin_0a():\n    # Pinned 2026-11-30\n    pass\n";
        let expected = "y = 1\n\n\ndef test_x_pin_0a():\n    # Pinned 2026-11-30\n    pass\n";
        assert_eq!(grafted(from, "y = 1\n", Some("test_x_pin_0a")).as_deref(), Ok(expected));
        assert!(grafted("y = 1\n", from, Some("test_x_pin_0a")).is_err());
    }
}
