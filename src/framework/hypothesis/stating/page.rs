//! What a Python file has that properties may call or copy: its functions, those of classes among them, the names that it
//! defines, and what it takes from elsewhere.

use tree_sitter::Node;

use super::clauses::clauses;
use super::{Page, counts};
use crate::audit::{self, Counted, Function, Speech};
use crate::framework::Auditing;
use crate::framework::hypothesis::Hypothesis;
use crate::language::python::module::{Function as Definition, Module, apart, module};
use crate::language::python::normal::{normal, statements};
use crate::language::python::standard::is_standard;
use crate::language::python::syntax::{Syntax, span};
use crate::proof::{Manner, PinCommand, Proof, StandingPin};
use crate::repo_path::RepoPath;
use crate::run_output::RunOutput;
use crate::source_tree::SourceTree;

/// Packages from which no code under test comes, and folders of tests that are imported from.
const ASIDE: [&str; 6] = ["hypothesis", "pytest", "_pytest", "tests", "test", "conftest"];

impl Auditing for Hypothesis {
    fn speech(&self) -> Speech {
        Speech { quotes: "\"", has_bracketed_conditions: false }
    }

    fn trip(&self) -> &'static str {
        "raise AssertionError(\"an assertion is reached\"); "
    }

    fn sources(&self, tree: &dyn SourceTree) -> Vec<RepoPath> {
        tree.find(&|path| path.ends_with(".py"))
    }

    fn page(&self, file: &RepoPath, tree: &dyn SourceTree) -> Option<audit::Page> {
        let bytes = tree.read(file)?;
        let text = std::str::from_utf8(&bytes).ok()?;
        let (outline, syntax) = (module(text)?, Syntax::of(text)?);
        let page = Page { file, syntax: &syntax, module: &outline, tree };
        let is_test = is_test_file(file) || imports_library(&outline);
        let functions = outline.functions.iter().filter_map(|one| function(&page, one, is_test)).collect();
        let classes = outline.classes.iter().filter_map(|class| class.path.last().cloned());
        let names = classes.chain(outline.bound.iter().map(|(name, _)| name.clone()));
        Some(audit::Page {
            file: file.clone(),
            functions,
            names: names.filter(|_| !is_test).collect(),
            outside: outside(file, &outline),
        })
    }

    fn constants(&self, function: &Function, _: &str) -> Vec<(&'static str, String)> {
        counts::constants(function)
    }

    fn counting(&self, tests: &[StandingPin], _: u64, tree: &dyn SourceTree, manner: &Manner) -> Vec<PinCommand> {
        counts::counting(tests, tree, manner)
    }

    fn counted(&self, run: &RunOutput<'_>, tests: &[&StandingPin], proofs: &[Proof], _: u64) -> Vec<Option<Counted>> {
        let text = String::from_utf8_lossy(run.bytes);
        tests.iter().zip(proofs).map(|(test, proof)| counts::counted(&text, test, proof)).collect()
    }
}

fn function(page: &Page<'_>, one: &Definition, is_test: bool) -> Option<Function> {
    let definition = apart(page.statement(one.item)?).1;
    let body = definition.child_by_field_name("body")?;
    let said = |node: Node<'_>| normal(page.syntax, node);
    Some(Function {
        name: one.name().to_owned(),
        owner: one.path.iter().rev().nth(1).cloned().unwrap_or_default(),
        parameters: one.parameters.iter().map(|parameter| parameter.name.clone()).collect(),
        returns: definition.child_by_field_name("return_type").map(said).unwrap_or_default(),
        body: statements(page.syntax, body),
        span: span(body),
        line: one.line,
        is_test,
        asserts: !clauses(page, body).asserts.is_empty(),
    })
}

/// Whether a file of that path holds test code alone.
fn is_test_file(file: &RepoPath) -> bool {
    let name = file.file_name();
    let mut folders = file.folders().filter_map(|folder| folder.rsplit('/').next());
    name.starts_with("test_")
        || name.ends_with("_test.py")
        || name == super::SHARED
        || folders.any(|folder| matches!(folder, "test" | "tests"))
}

fn imports_library(module: &Module) -> bool {
    module.imports.iter().any(|import| import.module.split('.').next() == Some("hypothesis"))
}

/// The names that the file has from modules that are neither Python's own nor of tests.
fn outside(file: &RepoPath, module: &Module) -> Vec<String> {
    let is_outside = |from: &str| match from.strip_prefix('.') {
        Some(_) => !is_test_file(file),
        None => !is_standard(from) && !ASIDE.contains(&from.split('.').next().unwrap_or(from)),
    };
    let brought = module.imports.iter().filter(|import| is_outside(&import.module));
    brought.map(|import| import.local.split('.').next().unwrap_or_default().to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use crate::audit::Function;
    use crate::framework::Auditing;
    use crate::framework::hypothesis::Hypothesis;
    use crate::repo_path::RepoPath;
    use crate::source_tree::testing::Files;

    fn page(path: &str, text: &str) -> crate::audit::Page {
        Hypothesis.page(&RepoPath::new(path).unwrap(), &Files::new([(path, text)])).unwrap()
    }

    #[test]
    fn functions_and_names_of_code_under_test_are_told() {
        let text = "import numpy as np\nfrom decimal import Decimal\nMOST = 3\nclass Money:\n    def half(self, up=1) -> int:\n\
                    \x20       '''Half.'''\n        return self.cents // 2\n@cached\ndef split(total, parts):\n    return [total]\n";
        let page = page("shop/money.py", text);
        let half = Function {
            name: "half".to_owned(),
            owner: "Money".to_owned(),
            parameters: vec!["self".to_owned(), "up".to_owned()],
            returns: "int".to_owned(),
            body: "return self.cents // 2".to_owned(),
            span: page.functions[0].span,
            line: 5,
            is_test: false,
            asserts: false,
        };
        assert_eq!(page.functions[0], half);
        assert_eq!(&text[page.functions[1].span.range()], "return [total]");
        assert_eq!((page.names, page.outside), (vec!["Money".to_owned(), "MOST".to_owned()], vec!["np".to_owned()]));
    }

    #[test]
    fn code_of_tests_is_told_from_that_under_test() {
        let text = "from hypothesis import given\nfrom .help import money\nfrom shop import split\nimport shop.rates\n\
                    def holds(x):\n    assert x\ndef plain(x): pass\n";
        let page = page("tests/test_a.py", text);
        let told: Vec<_> = page.functions.iter().map(|one| (one.name.as_str(), one.is_test, one.asserts)).collect();
        assert_eq!(told, [("holds", true, true), ("plain", true, false)]);
        assert_eq!((page.names, page.outside), (Vec::new(), vec!["split".to_owned(), "shop".to_owned()]));
    }
}
