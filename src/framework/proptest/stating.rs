//! What a Rust file states: its properties in whichever form, the pins that redpin wrote, the test code beside them, and the
//! code under test where that stands in the same file.

mod around;
mod clauses;
mod config;
mod counts;
mod imports;
mod page;
mod pieces;
mod reach;
mod settings;
mod targets;

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
use crate::oracle::{Input, Known, Named, Oracle, Rule};
use crate::repo_path::RepoPath;
use crate::source_tree::SourceTree;
use crate::span::Span;
use clauses::{Clauses, clauses, filters};
use pieces::{Place, pieces};
use reach::Constants;

/// What every file with a property or a pin holds one of.
const MARKS: [&str; 5] = ["proptest", "property_test", "prop_state_machine", "TestRunner", "_pin_"];

/// The macros by which properties are made and assert.
const NAMES: [&str; 9] = [
    "assert!",
    "assert_eq!",
    "assert_ne!",
    "prop_assert!",
    "prop_assert_eq!",
    "prop_assert_ne!",
    "prop_assume!",
    "proptest!",
    "panic!",
];

impl Stating for super::Proptest {
    fn stating(&self, tree: &dyn SourceTree) -> Vec<RepoPath> {
        tree.holding(".rs", &MARKS)
    }

    fn usual_cases(&self) -> u64 {
        256
    }

    fn known(&self) -> Known {
        Known { libraries: &["proptest", "std", "core", "alloc"], names: &NAMES }
    }

    fn is_test_file(&self, path: &str) -> bool {
        path.ends_with(".rs") && RepoPath::new(path).is_some_and(|file| is_test_file(&file))
    }

    fn is_collected(&self, file: &RepoPath, tree: &dyn SourceTree) -> bool {
        targets::is_compiled(file, tree)
    }

    fn oracle(&self, file: &RepoPath, tree: &dyn SourceTree) -> Result<Oracle, String> {
        if !file.as_str().ends_with(".rs") {
            return Ok(settings::of_file(file, tree));
        }
        let Some(bytes) = tree.read(file) else { return Ok(Oracle::default()) };
        let text = as_text(file, &bytes).map_err(|refusal| refusal.0)?;
        let unreadable = |error| format!("{file} cannot be read as Rust, {error}; mend it first");
        let outline = outline(text).map_err(unreadable)?;
        let package = package_of(file, tree);
        let modules = file_modules(file, &package);
        let root =
            imports::Root { is_library: targets::is_of_library(file, &package), package: package.name.as_deref() };
        apart(|| {
            let code = Code::read(text).map_err(unreadable)?;
            let constants = reach::constants(&code);
            let source = Source { code, file, outline, modules, root, constants, is_test: is_test_file(file) };
            Ok(source.oracle())
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
    file: &'t RepoPath,
    outline: Outline,
    /// What `crate` means in it.
    root: imports::Root<'t>,
    /// Its constants that are plain numbers.
    constants: Constants,
    /// The modules that the file stands for.
    modules: Vec<&'t str>,
    /// Whether all of it is test code.
    is_test: bool,
}

impl Source<'_> {
    fn oracle(&self) -> Oracle {
        let rules = self.outline.properties.iter().map(|property| self.rule(property)).collect();
        let pins = self.outline.pins.iter().map(|pin| self.pin(pin)).collect();
        let mut oracle = Oracle { rules, pins, imports: self.imports(), settings: self.modules(), ..Oracle::default() };
        let mut rest = Vec::new();
        for piece in pieces(&self.code, self.is_test) {
            let span = self.code.span(piece.tokens.start, piece.tokens.end - 1);
            if self.holds_tests(span) {
                continue;
            }
            let text = normal(&self.code, piece.tokens.start, piece.tokens.end, &|_| false);
            let rests_on = piece.place == Place::Test
                || makes_values(&text)
                || piece.name.ends_with('!')
                || is_spoken(&oracle.rules, &piece.name);
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
        let inputs: Vec<Input> = property.parameters.iter().map(|one| input(one, &self.constants)).collect();
        let filters = inputs.iter().flat_map(|input| filters(&input.generator, property.line));
        Rule {
            test: self.test(property),
            line: property.line,
            span: property.span,
            citations: property.docs.iter().cloned().chain(property.modules.iter().rev().cloned()).collect(),
            cases: self.cases(property),
            skipped: skipped(property),
            around: self.around(property),
            assumes: assumes.into_iter().chain(filters).collect(),
            examples: Vec::new(),
            body: self.body(property, &inputs),
            asserts,
            inputs,
        }
    }

    /// What a property does; one that a test runs itself begins with what leads to it and ends with what follows.
    fn body(&self, property: &PropertyFn, inputs: &[Input]) -> String {
        let is_run = matches!(property.form, Form::Closure | Form::Runner | Form::NamedRunner);
        let item = if is_run { self.tokens(property.item) } else { self.tokens(property.body) };
        let start = item.clone().find(|&at| is_run && self.code.word(at) == "fn").map_or(item.start, |at| at + 2);
        let cases = config::number_token(&self.code, item.clone(), &self.constants).filter(|_| is_run);
        let left_out = |at: usize| cases == Some(at) || clauses::is_message(&self.code, at);
        let body = normal(&self.code, start, item.end, &left_out);
        match is_run {
            // What it is given is told for itself.
            true => inputs.iter().fold(body, |body, input| body.replacen(&input.generator, "…", 1)),
            false => body,
        }
    }

    fn pin(&self, pin: &PropertyFn) -> Named {
        let tokens = self.tokens(pin.span);
        let text = normal(&self.code, tokens.start, tokens.end, &|at| clauses::is_message(&self.code, at));
        let around = self.above(tokens.start).into_iter().map(|clause| clause.text);
        let text = around.chain([text]).collect::<Vec<_>>().join(" ");
        Named { name: self.test(pin).0, text, line: pin.line }
    }

    fn test(&self, property: &PropertyFn) -> TestName {
        let inner = property.modules.iter().chain([&property.name]).map(String::as_str);
        TestName(self.modules.iter().copied().chain(inner).collect::<Vec<_>>().join("::"))
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

fn input(parameter: &Parameter, constants: &Constants) -> Input {
    let generator = match (&parameter.strategy, &parameter.ty) {
        (Some(strategy), _) => normal_text(strategy),
        (None, Some(ty)) => format!("any::<{}>()", normal_text(ty)),
        (None, None) => String::new(),
    };
    Input { name: normal_text(&parameter.pattern), shape: reach::shape(&generator, constants), generator }
}

/// Whether a generator, or the configuration of a block, speaks of that piece of code.
fn is_spoken(rules: &[Rule], name: &str) -> bool {
    let Some(name) = name.strip_prefix("const ").or_else(|| name.strip_prefix("static ")) else { return false };
    let texts = rules.iter().flat_map(|rule| {
        let generators = rule.inputs.iter().map(|input| &input.generator);
        generators.chain(rule.around.iter().map(|clause| &clause.text))
    });
    let is_word = |char: char| char.is_alphanumeric() || char == '_';
    texts.into_iter().any(|text| text.split(|char| !is_word(char)).any(|word| word == name))
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
    let is_test_fn = matches!(property.form, Form::Block | Form::Closure | Form::Runner | Form::NamedRunner);
    attributes
        .iter()
        .find(skips)
        .cloned()
        .or_else(|| (is_test_fn && !attributes.iter().any(is_test)).then(|| "no #[test] stands on it".to_owned()))
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
