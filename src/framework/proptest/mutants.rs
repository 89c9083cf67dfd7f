//! Small mutations of the code under test, as cargo-mutants lists them: each is read as a patch of its own, so that it can
//! be tried like one that somebody wrote.

use std::collections::HashSet;

use serde::Deserialize;

use super::Proptest;
use crate::framework::{Mutation, Mutator};
use crate::language::rust::target::targets;
use crate::repo_path::RepoPath;
use crate::source_tree::SourceTree;

impl Mutator for Proptest {
    fn program(&self) -> &'static str {
        "cargo-mutants"
    }

    fn command(&self, file: &RepoPath, tree: &dyn SourceTree) -> (String, Vec<String>) {
        command(file, tree)
    }

    fn mutations(&self, told: &[u8], file: &RepoPath, tree: &dyn SourceTree) -> Option<Vec<Mutation>> {
        mutations(told, file, tree)
    }
}

#[derive(Deserialize)]
struct Mutant {
    file: String,
    #[serde(default)]
    name: Option<String>,
    #[serde(default)]
    diff: Option<String>,
    #[serde(default)]
    replacement: String,
    #[serde(default)]
    function: Option<Function>,
}

#[derive(Deserialize)]
struct Function {
    function_name: String,
}

impl Mutant {
    /// The name of the function that it is in, without that of a type.
    fn function_name(&self) -> &str {
        let whole = self.function.as_ref().map_or("", |function| &function.function_name);
        whole.rsplit("::").next().unwrap_or_default()
    }
}

/// The folder and command that list the mutations of the workspace with the property's `file`: what a property is about may
/// stand in another package than the property.
fn command(file: &RepoPath, tree: &dyn SourceTree) -> (String, Vec<String>) {
    let folder = targets(file, tree).package.folder;
    (folder, ["cargo", "mutants", "--workspace", "--list", "--json", "--diff"].map(str::to_owned).to_vec())
}

/// The mutations that the command `told`; `None` where it told none. First those of the property's own `file` and of
/// functions that it names, then the others of its package.
fn mutations(told: &[u8], file: &RepoPath, tree: &dyn SourceTree) -> Option<Vec<Mutation>> {
    let mutants: Vec<Mutant> = serde_json::from_slice(told).ok()?;
    let folder = targets(file, tree).package.folder;
    let text = tree.read(file).unwrap_or_default();
    let text = String::from_utf8_lossy(&text);
    let words = text.split(|sign: char| !(sign.is_alphanumeric() || sign == '_'));
    let named: HashSet<&str> = words.filter(|word| !word.is_empty()).collect();
    let distance = |mutant: &Mutant, of: &RepoPath| match of {
        of if of == file || named.contains(mutant.function_name()) => 0,
        of if folder.is_empty() || of.as_str().strip_prefix(&folder).is_some_and(|rest| rest.starts_with('/')) => 1,
        _ => 2,
    };
    let placed = |mutant: &Mutant| {
        let (of, mutation) = mutation(mutant, &folder, tree)?;
        Some((distance(mutant, &of), mutation))
    };
    let mut found: Vec<(u8, Mutation)> = mutants.iter().filter_map(placed).collect();
    found.sort_by_key(|(distance, _)| *distance);
    Some(found.into_iter().map(|(_, mutation)| mutation).collect())
}

fn mutation(mutant: &Mutant, folder: &str, tree: &dyn SourceTree) -> Option<(RepoPath, Mutation)> {
    let file = placed(&mutant.file, folder, tree)?;
    // Its head names the mutation where a patch names the file.
    let diff = mutant.diff.as_deref()?;
    let hunks = diff.find("\n@@").map(|at| &diff[at + 1..]).or_else(|| diff.starts_with("@@").then_some(diff))?;
    let end = if hunks.ends_with('\n') { "" } else { "\n" };
    let patch = format!("--- a/{file}\n+++ b/{file}\n{hunks}{end}");
    let function = mutant.function.as_ref().map_or("code", |function| function.function_name.as_str());
    let title =
        mutant.name.clone().unwrap_or_else(|| format!("{file}: replace {function} with {}", mutant.replacement));
    Some((file, Mutation { title, patch: patch.into_bytes() }))
}

/// A file that is named from the top of the package's workspace, which is its own folder or one above it.
fn placed(name: &str, folder: &str, tree: &dyn SourceTree) -> Option<RepoPath> {
    let in_package = RepoPath::in_folder(folder, name);
    let above = in_package.iter().flat_map(|path| path.folders()).filter_map(|above| RepoPath::in_folder(above, name));
    RepoPath::new(name).into_iter().chain(above).find(|path| tree.exists(path))
}

#[cfg(test)]
mod tests {
    use super::mutations;
    use crate::repo_path::RepoPath;
    use crate::source_tree::testing::Files;

    const LISTED: &str = r#"[
        {"package": "b", "file": "src/lib.rs", "name": "src/lib.rs:1:1: replace f with 0",
         "diff": "--- src/lib.rs\n+++ replace f with 0\n@@ -1 +1 @@\n-fn f() -> u8 { 1 }\n+fn f() -> u8 { 0 }\n"},
        {"package": "b", "file": "src/x.rs", "replacement": "1", "function": {"function_name": "g"},
         "diff": "--- src/x.rs\n+++ replace g with 1\n@@ -1 +1 @@\n-a\n+b"},
        {"package": "b", "file": "src/gone.rs", "diff": "@@ -1 +1 @@\n-a\n+b\n"},
        {"package": "b", "file": "src/x.rs"}
    ]"#;

    #[test]
    fn each_mutation_is_a_patch_and_those_of_the_propertys_file_come_first() {
        let tree =
            Files::new([("b/Cargo.toml", "[package]\nname = \"b\"\n"), ("b/src/lib.rs", ""), ("b/src/x.rs", "")]);
        let file = RepoPath::new("b/src/x.rs").unwrap();
        let told = mutations(LISTED.as_bytes(), &file, &tree).unwrap();
        let told: Vec<_> = told.iter().map(|one| (one.title.as_str(), str::from_utf8(&one.patch).unwrap())).collect();
        assert_eq!(
            told,
            [
                ("b/src/x.rs: replace g with 1", "--- a/b/src/x.rs\n+++ b/b/src/x.rs\n@@ -1 +1 @@\n-a\n+b\n"),
                (
                    "src/lib.rs:1:1: replace f with 0",
                    "--- a/b/src/lib.rs\n+++ b/b/src/lib.rs\n@@ -1 +1 @@\n-fn f() -> u8 { 1 }\n+fn f() -> u8 { 0 }\n"
                ),
            ]
        );
        let names_f = [
            ("b/Cargo.toml", "[package]\nname = \"b\"\n"),
            ("b/src/x.rs", ""),
            ("a/src/x.rs", ""),
            ("b/tests/t.rs", "f(1)"),
        ];
        let listed = r#"[
            {"file": "a/src/x.rs", "name": "far", "diff": "@@", "function": {"function_name": "g"}},
            {"file": "b/src/x.rs", "name": "near", "diff": "@@", "function": {"function_name": "g"}},
            {"file": "a/src/x.rs", "name": "named", "diff": "@@", "function": {"function_name": "T::f"}}
        ]"#;
        let file = RepoPath::new("b/tests/t.rs").unwrap();
        let told = mutations(listed.as_bytes(), &file, &Files::new(names_f)).unwrap();
        assert_eq!(told.iter().map(|one| one.title.as_str()).collect::<Vec<_>>(), ["named", "near", "far"]);
        assert!(mutations(b"error: no such command", &file, &tree).is_none());
    }
}
