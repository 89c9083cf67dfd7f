//! Pins that somebody finishes by hand: the text to start from, and what may come back.

use syn::Item;

use super::Proptest;
use super::pin::{self, Binding, Ground};
use crate::failure::{Ending, TestName};
use crate::framework::{ByHand, Case};
use crate::language::rust::literal::Bound;
use crate::language::rust::tokens::apart;
use crate::pin::{Part, PartKind, Pin, Refusal, Rung};

impl ByHand for Proptest {
    fn draft(&self, case: &Case<'_>) -> Result<Pin, Refusal> {
        pin::draft(case.failure, case.requirement, case.tree, case.today)
    }

    fn with_text(&self, draft: &Pin, text: &str) -> Result<Pin, Refusal> {
        with_text(draft, text)
    }

    fn extension(&self) -> &'static str {
        "rs"
    }

    fn first_statement(&self, test: &str) -> usize {
        let is_function = |line: &str| line.starts_with("fn ") || line.contains(" fn ");
        test.lines().position(is_function).map_or(1, |at| at + 2)
    }
}

/// What a person starts from where no test could be written: its values are left open, and say what the run recorded.
///
/// # Errors
/// Why not even that can be written.
pub(super) fn open(ground: &Ground<'_>) -> Result<Pin, Refusal> {
    if ground.failure.ending == Ending::Aborted {
        return Err(Refusal("the run was given up without an input: there is nothing to pin".to_owned()));
    }
    let (property, _) = ground.found.to_pin();
    let recorded = &ground.failure.counterexample.arguments;
    let bound = property.parameters.iter().enumerate().map(|(at, parameter)| {
        let text = recorded.get(at).map_or("", |argument| argument.text.as_str());
        Bound { pattern: parameter.pattern.clone(), code: format!("todo!({})", quoted(text)) }
    });
    let binding = Binding { rung: Rung::ByHand, arguments: bound.collect(), parts: Vec::new() };
    let pin = pin::with_arguments(ground, Ok(binding))?;
    match pin.test {
        Some(_) => Ok(pin),
        None => Err(Refusal(pin.reason.unwrap_or_default())),
    }
}

/// The argument of a `todo!` that tells `text`.
fn quoted(text: &str) -> String {
    const LONGEST: usize = 200;
    let text: String = text.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(LONGEST).collect();
    if text.is_empty() { String::new() } else { format!("\"{{}}\", {text:?}") }
}

/// `draft` with `text` as its test.
///
/// # Errors
/// What is wrong with the text.
fn with_text(draft: &Pin, text: &str) -> Result<Pin, Refusal> {
    let name = draft.test.as_ref().map(TestName::function).unwrap_or_default();
    let text = text.replace("\r\n", "\n");
    let text = text.trim_matches('\n').trim_end();
    apart(|| is_test(text, name)).map_err(Refusal)?;
    let mut pin = Pin { rung: Rung::ByHand, reason: None, ..draft.clone() };
    let is_test = |part: &&mut Part| part.kind == PartKind::Test;
    let part = pin.parts.iter_mut().find(is_test);
    let part = part.ok_or_else(|| Refusal("the pin has no test to be written by hand".to_owned()))?;
    text.clone_into(&mut part.text);
    Ok(pin)
}

/// Whether `text` is the test function `name` and nothing else.
fn is_test(text: &str, name: &str) -> Result<(), String> {
    let file = syn::parse_file(text).map_err(|error| {
        let start = error.span().start();
        format!("it is no Rust: {error}, in line {}", start.line)
    })?;
    match file.items.as_slice() {
        [Item::Fn(function)] if function.sig.ident == name => {
            let is_test = |path: &syn::Path| path.segments.last().is_some_and(|last| last.ident == "test");
            match function.attrs.iter().any(|attribute| is_test(attribute.path())) {
                true => Ok(()),
                false => Err(format!("`{name}` is no test any more: put `#[test]` above it")),
            }
        }
        [] => Err("nothing is left of it".to_owned()),
        _ => Err(format!("expected one function called `{name}`, found something else; put what it needs inside it")),
    }
}

#[cfg(test)]
mod tests {
    use super::{quoted, with_text};
    use crate::failure::TestName;
    use crate::pin::{Part, PartKind, Pin, Rung};
    use crate::repo_path::RepoPath;

    #[track_caller]
    fn check(text: &str, expected: Result<&str, &str>) {
        let file = RepoPath::new("src/x.rs").unwrap();
        let part = |kind| Part { file: file.clone(), kind, modules: Vec::new(), text: "before".to_owned() };
        let draft = Pin {
            property: TestName("x::p".to_owned()),
            rung: Rung::SeedOnly,
            test: Some(TestName("x::p_pin".to_owned())),
            replay: None,
            parts: vec![part(PartKind::Test), part(PartKind::ReplayLine)],
            reason: Some("no literal".to_owned()),
            warnings: Vec::new(),
            instead: None,
        };
        let pin = with_text(&draft, text).map_err(|refusal| refusal.0);
        let told = pin.as_ref().map(|pin| {
            assert_eq!((pin.rung, &pin.reason, pin.parts[1].text.as_str()), (Rung::ByHand, &None, "before"));
            pin.parts[0].text.as_str()
        });
        assert_eq!(told, expected.map_err(str::to_owned).as_ref().copied());
    }

    #[test]
    fn a_test_of_that_name_is_taken() {
        check("\n/// Pinned.\r\n#[test]\r\nfn p_pin() {\r\n}\r\n\n", Ok("/// Pinned.\n#[test]\nfn p_pin() {\n}"));
        check("#[tokio::test]\nasync fn p_pin() {}", Ok("#[tokio::test]\nasync fn p_pin() {}"));
    }

    #[test]
    fn anything_else_is_refused_with_what_to_do() {
        check("", Err("nothing is left of it"));
        check("fn p_pin() {}", Err("`p_pin` is no test any more: put `#[test]` above it"));
        check(
            "#[test]\nfn other() {}",
            Err("expected one function called `p_pin`, found something else; put what it needs inside it"),
        );
        check(
            "use x::Y;\n#[test]\nfn p_pin() {}",
            Err("expected one function called `p_pin`, found something else; put what it needs inside it"),
        );
        check("#[test]\nfn p_pin() {\n    let x = ;\n}", Err("it is no Rust: expected an expression, in line 3"));
    }

    #[test]
    fn what_the_run_recorded_is_a_string_and_no_code() {
        assert_eq!(quoted("Key {\n    a: \"1\",\n}"), r#""{}", "Key { a: \"1\", }""#);
        assert_eq!(quoted(""), "");
    }
}
