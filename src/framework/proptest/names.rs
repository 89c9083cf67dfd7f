//! By which path a pin may speak of proptest's own types in the module it stands in: the short name where the module
//! imports it, else a path from the crate, by the name under which the package knows that crate.

use crate::language::rust::code::Code;
use crate::language::rust::package::{Package, dependency};
use crate::language::rust::tokens::apart;
use crate::repo_path::RepoPath;
use crate::source_tree::SourceTree;

/// The names in a module, looked up when asked for: most pins need none.
#[derive(Clone, Copy)]
pub(super) struct Names<'a> {
    /// The file.
    pub(super) text: &'a str,
    /// The inline modules around the pin.
    pub(super) modules: &'a [String],
    /// The file's package.
    pub(super) package: &'a Package,
    /// The repository.
    pub(super) tree: &'a dyn SourceTree,
    /// What stands before in the pin itself.
    pub(super) before: &'a str,
}

impl<'a> Names<'a> {
    /// The same where `before` stands before in the pin.
    pub(super) fn after(self, before: &'a str) -> Self {
        Names { before, ..self }
    }

    /// The error of a test case.
    pub(super) fn test_case_error(&self) -> String {
        self.in_prelude("TestCaseError", "test_runner::TestCaseError")
    }

    /// The configuration of a runner.
    pub(super) fn config(&self) -> String {
        self.in_prelude("ProptestConfig", "test_runner::Config")
    }

    /// The trait that runs a state machine.
    pub(super) fn state_machine_test(&self) -> String {
        let short = "StateMachineTest";
        let is_short = self.imports().iter().any(|import| brings(import, short));
        if is_short { short.to_owned() } else { format!("{}::{short}", self.dependency("proptest-state-machine")) }
    }

    fn in_prelude(&self, short: &str, path: &str) -> String {
        let own = self.dependency("proptest");
        let prelude = format!("{own}::prelude::*");
        let is_short = self.imports().iter().any(|import| brings(import, short) || import.contains(&prelude));
        if is_short { short.to_owned() } else { format!("{own}::{path}") }
    }

    /// What the package calls the crate of another package.
    fn dependency(&self, name: &str) -> String {
        let manifest = RepoPath::in_folder(&self.package.folder, "Cargo.toml").and_then(|path| self.tree.read(&path));
        dependency(&String::from_utf8_lossy(&manifest.unwrap_or_default()), name)
    }

    /// The `use` declarations in reach, white space left out.
    fn imports(&self) -> Vec<String> {
        let of =
            |text: &str, modules: &[String]| Code::read(text).map(|code| imports(&code, modules)).unwrap_or_default();
        let (text, modules, before) = (self.text, self.modules, self.before);
        apart(|| [of(text, modules), of(before, &[])].concat())
    }
}

/// Whether a declaration brings `name` under its own name.
fn brings(import: &str, name: &str) -> bool {
    let ends = |before: &str, after: &str| {
        before.ends_with([':', '{', ',']) && (after.is_empty() || after.starts_with(['}', ',']))
    };
    import.match_indices(name).any(|(at, _)| ends(&import[..at], &import[at + name.len()..]))
}

/// The `use` declarations right in a module of `code`.
fn imports(code: &Code<'_>, modules: &[String]) -> Vec<String> {
    let (mut start, mut end) = (0, code.tokens.len());
    for module in modules {
        let found = code.next_at_level(start, end, |code, at| {
            code.word(at) == "mod" && code.word(at + 1) == module && code.open(at + 2, '{')
        });
        let Some(at) = found else { return Vec::new() };
        (start, end) = (at + 3, code.partner(at + 2));
    }
    let mut imports = Vec::new();
    let mut at = start;
    while let Some(import) = code.next_at_level(at, end, |code, at| code.word(at) == "use") {
        at = code.next_at_level(import, end, |code, at| code.sign(at, ';')).unwrap_or(end);
        imports.push((import + 1..at).map(|at| code.written(at)).collect());
    }
    imports
}

#[cfg(test)]
mod tests {
    use super::Names;
    use crate::language::rust::package::Package;
    use crate::source_tree::testing::Files;

    #[track_caller]
    fn check(text: &str, modules: &[&str], manifest: &str, expected: [&str; 3]) {
        let modules: Vec<String> = modules.iter().map(|name| (*name).to_owned()).collect();
        let (package, tree) = (Package::default(), Files::new([("Cargo.toml", manifest)]));
        let names = Names { text, modules: &modules, package: &package, tree: &tree, before: "" };
        assert_eq!([names.test_case_error(), names.config(), names.state_machine_test()], expected);
    }

    const FULL: [&str; 3] = [
        "proptest::test_runner::TestCaseError",
        "proptest::test_runner::Config",
        "proptest_state_machine::StateMachineTest",
    ];

    #[test]
    fn a_name_is_short_where_the_module_imports_it() {
        check("use proptest::prelude::*;", &[], "", ["TestCaseError", "ProptestConfig", FULL[2]]);
        check(
            "mod a { use proptest :: { test_runner :: { Config, TestCaseError }, x };\n use p::StateMachineTest; }",
            &["a"],
            "",
            ["TestCaseError", FULL[1], "StateMachineTest"],
        );
    }

    #[test]
    fn what_another_module_or_another_name_imports_does_not_count() {
        check(
            "use proptest::prelude::*;\nmod a { use super::*; mod b { use proptest::prelude::*; } }",
            &["a"],
            "",
            FULL,
        );
        check("use proptest::test_runner::TestCaseError as E;\nuse x::prelude::*; use MyTestCaseError;", &[], "", FULL);
        check("fn f() { use proptest::prelude::*; }", &["gone"], "", FULL);
    }

    #[test]
    fn a_renamed_crate_is_called_as_the_package_calls_it() {
        check(
            "",
            &[],
            "[dev-dependencies]\npt = { version = \"1\", package = \"proptest\" }\n",
            ["pt::test_runner::TestCaseError", "pt::test_runner::Config", FULL[2]],
        );
    }
}
