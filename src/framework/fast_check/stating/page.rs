//! What a JavaScript or TypeScript file has that properties may call or copy: its functions, the names that it declares, and
//! what it takes from elsewhere.

use std::path::Path;

use super::clauses::is_assertion;
use super::{ENDINGS, LIBRARY, counts};
use crate::audit::{Counted, Function, Page, Speech};
use crate::framework::Auditing;
use crate::framework::fast_check::{FastCheck, capture};
use crate::invocation::Capture;
use crate::language::typescript::code::{Code, Defined};
use crate::proof::{Manner, PinCommand, Proof, StandingPin};
use crate::repo_path::RepoPath;
use crate::run_output::RunOutput;
use crate::source_tree::SourceTree;
use crate::span::Span;

/// Packages from which no code under test comes.
const ASIDE: [&str; 12] =
    ["vitest", "jest", "mocha", "ava", "tape", "uvu", "chai", "sinon", "expect", "assert", "tap", "bun:test"];

/// The same of scopes: all that is published under them.
const SCOPES: [&str; 6] = ["@fast-check/", "@jest/", "@vitest/", "@playwright/", "@testing-library/", "node:"];

impl Auditing for FastCheck {
    fn speech(&self) -> Speech {
        Speech { quotes: "\"'`", has_bracketed_conditions: true }
    }

    fn trip(&self) -> &'static str {
        "throw new Error('an assertion is reached'); "
    }

    fn sources(&self, tree: &dyn SourceTree) -> Vec<RepoPath> {
        let is_source = |path: &str| {
            let is_made = path.split('/').any(|part| matches!(part, "node_modules" | "dist"));
            ENDINGS.iter().any(|ending| path.ends_with(ending)) && !path.ends_with(".d.ts") && !is_made
        };
        tree.find(&is_source)
    }

    fn page(&self, file: &RepoPath, tree: &dyn SourceTree) -> Option<Page> {
        let text = String::from_utf8(tree.read(file)?.to_vec()).ok()?;
        let imports_library = memchr::memmem::find(text.as_bytes(), LIBRARY).is_some();
        let code = Code::read(file.as_str(), text)?;
        let is_test = is_test_file(file.as_str()) || imports_library;
        let functions = code.defined().into_iter().map(|one| function(&code, one, is_test)).collect();
        let declared = code.module_statements().into_iter().filter_map(|one| code.declared(one)).flatten();
        Some(Page {
            file: file.clone(),
            functions,
            names: declared.filter(|_| !is_test).map(|one| one.name).collect(),
            outside: outside(file, &code),
        })
    }

    fn constants(&self, function: &Function, body: &str) -> Vec<(&'static str, String)> {
        counts::constants(function, body)
    }

    fn counting(&self, tests: &[StandingPin], _: u64, tree: &dyn SourceTree, manner: &Manner) -> Vec<PinCommand> {
        counts::counting(tests, tree, manner)
    }

    fn counting_capture(&self, folder: &Path) -> Capture {
        capture::in_folder(folder).unwrap_or_default()
    }

    fn counted(&self, run: &RunOutput<'_>, tests: &[&StandingPin], _: &[Proof], _: u64) -> Vec<Option<Counted>> {
        let text = String::from_utf8_lossy(run.bytes);
        tests.iter().map(|test| counts::counted(&text, test)).collect()
    }
}

fn function(code: &Code, one: Defined, is_test: bool) -> Function {
    let body = one.function.body;
    let inside = |span: Span| body.start <= span.start && span.end <= body.end;
    let calls = code.calls.iter().any(|call| inside(call.span) && is_assertion(code.at(call.callee)));
    Function {
        line: code.line(one.place.start),
        name: one.name,
        owner: one.owner,
        parameters: one.function.parameters,
        returns: one.returns,
        body: match code.statements(body) {
            Some(_) => code.normal(Span::new(body.start + 1, body.end.saturating_sub(1))),
            None => code.normal(body),
        },
        span: body,
        is_test,
        asserts: calls || !code.throws(body).is_empty(),
    }
}

/// Whether a file of that path holds test code alone.
fn is_test_file(path: &str) -> bool {
    let (folders, name) = path.rsplit_once('/').unwrap_or(("", path));
    let is_of_tests = |folder: &str| matches!(folder, "test" | "tests" | "__tests__" | "spec" | "specs");
    name.contains(".test.") || name.contains(".spec.") || folders.split('/').any(is_of_tests)
}

/// The names that the file has from modules that are neither the runner's nor of tests.
fn outside(file: &RepoPath, code: &Code) -> Vec<String> {
    let is_outside = |from: &str| {
        let is_relative = from.starts_with('.');
        // A neighbour of tests is one of them; above them is what they test.
        let is_of_tests = is_relative && !from.starts_with("../") && is_test_file(&format!("{}/", folder(file)));
        let is_aside =
            ASIDE.contains(&from) || from.as_bytes() == LIBRARY || SCOPES.iter().any(|scope| from.starts_with(scope));
        !is_of_tests && !is_aside
    };
    code.imported().into_iter().filter(|(.., from)| is_outside(from)).map(|(local, ..)| local).collect()
}

fn folder(file: &RepoPath) -> &str {
    file.as_str().rsplit_once('/').map_or("", |(folder, _)| folder)
}

#[cfg(test)]
mod tests {
    use crate::framework::Auditing;
    use crate::framework::fast_check::FastCheck;
    use crate::repo_path::RepoPath;
    use crate::source_tree::testing::Files;

    fn page(path: &str, text: &str) -> crate::audit::Page {
        FastCheck.page(&RepoPath::new(path).unwrap(), &Files::new([(path, text)])).unwrap()
    }

    #[test]
    fn functions_and_names_of_code_under_test_are_told() {
        let text = "import { z } from 'zod';\nimport fs from 'node:fs';\nexport const MOST = 3;\nexport class Money {}\n\
                    export const half = (n: number): number => n / 2;\nexport function split(total) {\n  return [total];\n}\n";
        let page = page("src/money.ts", text);
        let told: Vec<_> = page.functions.iter().map(|one| (one.name.as_str(), one.body.as_str(), one.line)).collect();
        assert_eq!(told, [("half", "n / 2", 5), ("split", "return [total];", 6)]);
        assert_eq!((page.functions[0].returns.as_str(), page.functions[0].is_test), ("number", false));
        assert_eq!(
            (page.names, page.outside),
            (vec!["MOST".to_owned(), "Money".to_owned(), "half".to_owned(), "split".to_owned()], vec!["z".to_owned()])
        );
    }

    #[test]
    fn code_of_tests_is_told_from_that_under_test() {
        let text = "import fc from 'fast-check';\nimport { test, expect } from 'vitest';\nimport { money } from './arb';\n\
                    import { split } from '../src/money';\nfunction holds(x) { expect(x).toBe(1); }\nconst plain = (x) => x;\n";
        let page = page("tests/a.test.ts", text);
        let told: Vec<_> = page.functions.iter().map(|one| (one.name.as_str(), one.is_test, one.asserts)).collect();
        assert_eq!(told, [("holds", true, true), ("plain", true, false)]);
        assert_eq!((page.names, page.outside), (Vec::new(), vec!["split".to_owned()]));
    }
}
