//! How a repository with properties begins: its tests by nextest, which can split them.

use crate::framework::starting::{Nightly, Starting, has, nearest};
use crate::source_tree::SourceTree;

use super::Proptest;

/// Settings of ours for nextest, which leave the user's own as they are.
const SETTINGS: (&str, &str) = (".redpin/nextest.toml", include_str!("../../../assets/init/nextest.toml"));

impl Starting for Proptest {
    fn nightly(&self, tree: &dyn SourceTree) -> Option<Nightly> {
        let depends = |text: &str| ["proptest", "test-strategy"].iter().any(|name| depends_on(text, name));
        let user = nearest(tree, "Cargo.toml", &depends)?;
        // A workspace is run as a whole.
        let folder = if has(tree, "", "Cargo.toml") { String::new() } else { user };
        let up = "../".repeat(folder.split('/').filter(|part| !part.is_empty()).count());
        Some(Nightly {
            job: "rust",
            actions: vec![("taiki-e/install-action@v2", vec![("tool", "nextest")])],
            image: "rust:latest",
            commands_in_image: vec!["cargo install --locked cargo-nextest".to_owned()],
            // It wants the whole path, which the shell of the job knows.
            tests: format!("cargo nextest run --workspace --tool-config-file \"redpin:$PWD/{up}{}\"", SETTINGS.0),
            cached: vec!["target"],
            locked_by: "**/Cargo.lock",
            artifacts: vec![
                "**/proptest-regressions/**",
                "**/*.proptest-regressions",
                "**/target/nextest/default/junit.xml",
            ],
            files: vec![SETTINGS],
            folder,
            ..Nightly::default()
        })
    }

    fn kept(&self) -> &'static [&'static str] {
        &["**/proptest-regressions/**", "**/*.proptest-regressions"]
    }
}

/// Whether a manifest names a package at the start of a line, or in a table's head.
fn depends_on(manifest: &str, name: &str) -> bool {
    manifest.lines().map(str::trim_start).any(|line| {
        let in_head =
            line.starts_with('[') && line.trim_end_matches([']', ' ']).ends_with(&format!("dependencies.{name}"));
        let rest = line.strip_prefix(name).map(str::trim_start);
        in_head || rest.is_some_and(|rest| rest.starts_with(['=', '.']))
    })
}

#[cfg(test)]
mod tests {
    use super::Proptest;
    use crate::framework::starting::Starting;
    use crate::source_tree::testing::Files;

    #[test]
    fn a_workspace_is_run_from_its_top_and_a_package_from_its_folder() {
        let nightly = |files: &[(&str, &str)]| {
            let found = Proptest.nightly(&Files::new(files.iter().copied()))?;
            Some((found.folder, found.tests.rsplit(' ').next().unwrap().to_owned()))
        };
        let ours = "[dev-dependencies]\nproptest = \"1\"\n";
        let at =
            |folder: &str, up: &str| Some((folder.to_owned(), format!("\"redpin:$PWD/{up}.redpin/nextest.toml\"")));
        assert_eq!(nightly(&[("Cargo.toml", "[workspace]\n"), ("a/b/Cargo.toml", ours)]), at("", ""));
        assert_eq!(nightly(&[("a/b/Cargo.toml", ours)]), at("a/b", "../../"));
        assert_eq!(nightly(&[("Cargo.toml", "[dev-dependencies.proptest]\nversion = \"1\"\n")]), at("", ""));
        assert_eq!(nightly(&[("Cargo.toml", "[package]\nname = \"proptest-like\"\nproptests = \"1\"\n")]), None);
    }
}
