//! What a Rust file states: its properties in whichever form, the pins that redpin wrote, the test code beside them, and the
//! code under test where that stands in the same file.

mod clauses;
mod counts;
mod page;
mod pieces;
mod reach;

use std::ops::Range;

use super::find::{Outline, outline};
use crate::failure::TestName;
use crate::framework::Stating;
use crate::framework::rust::file::as_text;
use crate::language::rust::code::Code;
use crate::language::rust::normal::{normal, normal_text};
use crate::language::rust::package::{file_modules, package_of};
use crate::language::rust::parameters::Parameter;
use crate::language::rust::property::{Form, PropertyFn};
use crate::language::rust::tokens::{Kind, apart};
use crate::oracle::{Input, Named, Oracle, Rule};
use crate::repo_path::RepoPath;
use crate::source_tree::SourceTree;
use crate::span::Span;
use clauses::{Clauses, clauses, filters};
use pieces::{Place, pieces};

/// What every file with a property or a pin holds one of.
const MARKS: [&str; 5] = ["proptest", "property_test", "prop_state_machine", "TestRunner", "_pin_"];

impl Stating for super::Proptest {
    fn stating(&self, tree: &dyn SourceTree) -> Vec<RepoPath> {
        tree.holding(".rs", &MARKS)
    }

    fn usual_cases(&self) -> u64 {
        256
    }

    fn oracle(&self, file: &RepoPath, tree: &dyn SourceTree) -> Result<Oracle, String> {
        if !file.as_str().ends_with(".rs") {
            return Ok(Oracle::default());
        }
        let Some(bytes) = tree.read(file) else { return Ok(Oracle::default()) };
        let text = as_text(file, &bytes).map_err(|refusal| refusal.0)?;
        let unreadable = |error| format!("{file} cannot be read as Rust, {error}; mend it first");
        let outline = outline(text).map_err(unreadable)?;
        if outline.properties.is_empty() && outline.pins.is_empty() {
            return Ok(Oracle::default());
        }
        let package = package_of(file, tree);
        let modules = file_modules(file, &package);
        apart(|| {
            let code = Code::read(text).map_err(unreadable)?;
            Ok(Source { code, outline, modules, is_test: is_test_file(file) }.oracle())
        })
    }
}

/// Whether a file of that path holds test code alone.
fn is_test_file(file: &RepoPath) -> bool {
    let mut folders = file.folders();
    let name = file.as_str().rsplit('/').next().unwrap_or_default();
    matches!(name, "tests.rs" | "test.rs") || folders.any(|folder| matches!(folder.rsplit('/').next(), Some("tests")))
}

/// A file with what stands in it.
struct Source<'t> {
    code: Code<'t>,
    outline: Outline,
    /// The modules that the file stands for.
    modules: Vec<&'t str>,
    /// Whether all of it is test code.
    is_test: bool,
}

impl Source<'_> {
    fn oracle(&self) -> Oracle {
        let rules = self.outline.properties.iter().map(|property| self.rule(property)).collect();
        let pins = self.outline.pins.iter().map(|pin| self.pin(pin)).collect();
        let mut oracle = Oracle { rules, pins, ..Oracle::default() };
        let mut rest = Vec::new();
        for piece in pieces(&self.code, self.is_test) {
            let span = self.code.span(piece.tokens.start, piece.tokens.end - 1);
            if self.holds_tests(span) {
                continue;
            }
            let text = normal(&self.code, piece.tokens.start, piece.tokens.end, &|_| false);
            let rests_on = piece.place == Place::Test || makes_values(&text);
            match rests_on {
                true => oracle.support.push(Named { name: piece.name, text, line: self.line(piece.named) }),
                false => rest.push(text),
            }
        }
        oracle.rest = rest.join("\n");
        oracle
    }

    /// Whether a property or a pin stands in `span`.
    fn holds_tests(&self, span: Span) -> bool {
        let tests = self.outline.properties.iter().chain(&self.outline.pins);
        tests.map(|one| one.span).any(|one| span.start <= one.start && one.end <= span.end)
    }

    fn rule(&self, property: &PropertyFn) -> Rule {
        let body = self.tokens(property.body);
        let Clauses { asserts, assumes } = clauses(&self.code, body.clone());
        let inputs: Vec<Input> = property.parameters.iter().map(input).collect();
        let filters = inputs.iter().flat_map(|input| filters(&input.generator, property.line));
        Rule {
            test: self.test(property),
            line: property.line,
            span: property.span,
            citations: property.docs.iter().cloned().chain(property.modules.iter().rev().cloned()).collect(),
            cases: self.cases(property),
            skipped: skipped(property),
            assumes: assumes.into_iter().chain(filters).collect(),
            examples: Vec::new(),
            body: normal(&self.code, body.start, body.end, &|_| false),
            asserts,
            inputs,
        }
    }

    fn pin(&self, pin: &PropertyFn) -> Named {
        let tokens = self.tokens(pin.span);
        let text = normal(&self.code, tokens.start, tokens.end, &|_| false);
        Named { name: self.test(pin).0, text, line: pin.line }
    }

    fn test(&self, property: &PropertyFn) -> TestName {
        let inner = property.modules.iter().chain([&property.name]).map(String::as_str);
        TestName(self.modules.iter().copied().chain(inner).collect::<Vec<_>>().join("::"))
    }

    /// The number of cases that a property's configuration names: that of its attributes, of its block, or of the call.
    fn cases(&self, property: &PropertyFn) -> Option<u64> {
        let of_attributes = || property.attributes.iter().rev().find_map(|attribute| cases_in(attribute));
        let item = self.tokens(property.item);
        let end = match property.form {
            Form::Closure | Form::Runner | Form::NamedRunner => item.end,
            // What stands before the first property of a block is said of all.
            Form::Block | Form::StateMachine => item.clone().find(|&at| self.code.word(at) == "fn").unwrap_or(item.end),
            Form::PropertyTest | Form::TestStrategy | Form::Pin => item.start,
        };
        of_attributes().or_else(|| cases(&self.code, item.start..end))
    }

    /// The tokens of `span`.
    fn tokens(&self, span: Span) -> Range<usize> {
        let after = |offset: usize| self.code.tokens.partition_point(|token| token.span.start < offset);
        after(span.start)..after(span.end)
    }

    /// The line of a token, from 1.
    fn line(&self, token: usize) -> u32 {
        clauses::line(&self.code, token)
    }
}

fn input(parameter: &Parameter) -> Input {
    let generator = match (&parameter.strategy, &parameter.ty) {
        (Some(strategy), _) => normal_text(strategy),
        (None, Some(ty)) => format!("any::<{}>()", normal_text(ty)),
        (None, None) => String::new(),
    };
    Input { name: normal_text(&parameter.pattern), reach: reach::reach(&generator), generator }
}

fn cases_in(text: &str) -> Option<u64> {
    let code = Code::read(text).ok()?;
    cases(&code, 0..code.tokens.len())
}

/// The number of `with_cases(N)`, `cases: N` or `cases = N` among `tokens`.
fn cases(code: &Code<'_>, mut tokens: Range<usize>) -> Option<u64> {
    let number = |at: usize| {
        let digits: String = code.written(at).chars().filter(|char| *char != '_').collect();
        digits.split(|char: char| !char.is_ascii_digit()).next()?.parse().ok()
    };
    tokens.find_map(|at| match code.word(at) {
        "with_cases" if code.open(at + 1, '(') => number(at + 2),
        "cases" if code.sign(at + 1, ':') || code.sign(at + 1, '=') => number(at + 2),
        _ => None,
    })
}

/// What has the test runner pass a property over.
fn skipped(property: &PropertyFn) -> Option<String> {
    let attributes: Vec<String> = property.attributes.iter().map(|attribute| normal_text(attribute)).collect();
    let skips = |text: &&String| {
        let inner = text.trim_start_matches("#[");
        inner.starts_with("ignore")
            || inner.starts_with("cfg_attr(") && inner.contains("ignore")
            || inner == "cfg(any())]"
    };
    let is_test =
        |text: &String| text.trim_end_matches(']').split('(').next().is_some_and(|path| path.ends_with("test"));
    let of_block = property.form == Form::Block;
    attributes
        .iter()
        .find(skips)
        .cloned()
        .or_else(|| (of_block && !attributes.iter().any(is_test)).then(|| "no #[test] stands on it".to_owned()))
}

/// Whether a piece of code outside the tests makes the inputs of properties.
fn makes_values(text: &str) -> bool {
    ["prop_compose!", "impl Strategy<", "BoxedStrategy<", " Arbitrary for "].iter().any(|mark| text.contains(mark))
}

/// Whether a bracket opens at `at`.
fn opens(code: &Code<'_>, at: usize) -> bool {
    matches!(code.kind(at), Some(Kind::Open(_)))
}

#[cfg(test)]
mod tests;
