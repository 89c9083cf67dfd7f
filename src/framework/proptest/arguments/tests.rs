//! Parameters and printed values, and the expressions that come of them.

mod forms;
mod own_types;
mod packages;
mod strategies;
mod values;

use super::arguments;
use crate::failure::{Argument, Counterexample};
use crate::framework::proptest::find::properties;
use crate::language::rust::property::PropertyFn;
use crate::repo_path::RepoPath;
use crate::source_tree::testing::Files;

/// What most properties import.
const IMPORTS: &str = "use proptest::prelude::*; use proptest::collection as pc;\n";

/// The expressions for the last property of `file`, whose arguments print as `values`; one a line, or the reason.
fn written(files: &[(&str, &str)], file: &str, values: &[&str]) -> String {
    let (_, text) = files.iter().find(|(path, _)| *path == file).unwrap();
    let property = properties(text).unwrap().pop().unwrap();
    let counterexample = Counterexample { text: String::new(), arguments: named(&property, values) };
    let tree = Files::new(files.iter().copied());
    match arguments(&property, &RepoPath::new(file).unwrap(), text, &counterexample, &tree) {
        Ok(bound) => bound.iter().map(|bound| bound.code.clone()).collect::<Vec<_>>().join("\n"),
        Err(refusal) => refusal.0,
    }
}

fn named(property: &PropertyFn, values: &[&str]) -> Vec<Argument> {
    let names = property.parameters.iter().map(|parameter| parameter.pattern.clone());
    names.zip(values).map(|(name, text)| Argument { name, text: (*text).to_owned() }).collect()
}

/// A property with one parameter, after `code` in a library of one file.
fn check_with(code: &str, parameter: &str, value: &str, expected: &str) {
    let text = format!("{IMPORTS}{code}\nproptest! {{ #[test] fn p({parameter}) {{ }} }}");
    assert_eq!(written(&[("src/lib.rs", &text)], "src/lib.rs", &[value]), expected, "{code} {parameter}");
}

/// A property with one parameter and nothing else in its file.
fn check(parameter: &str, value: &str, expected: &str) {
    check_with("", parameter, value, expected);
}

/// The last property of `file` in a repository of `files`.
fn check_files(files: &[(&str, &str)], file: &str, values: &[&str], expected: &str) {
    assert_eq!(written(files, file, values), expected);
}
