//! How a repository with properties begins: its tests by the runner that its package names.

use crate::framework::starting::{Nightly, Starting, has, nearest};
use crate::repo_path::RepoPath;
use crate::source_tree::SourceTree;

use super::FastCheck;
use super::command::{Runner, package};

impl Starting for FastCheck {
    fn nightly(&self, tree: &dyn SourceTree) -> Option<Nightly> {
        let folder =
            nearest(tree, "package.json", &|text| text.contains("fast-check\"") || text.contains("\"@fast-check/"))?;
        let (_, runner) = package(&RepoPath::in_folder(&folder, "package.json")?, tree);
        let (exec, install) = if has(tree, &folder, "pnpm-lock.yaml") {
            ("pnpm exec", "corepack enable && pnpm install --frozen-lockfile")
        } else if has(tree, &folder, "yarn.lock") {
            ("yarn", "corepack enable && yarn install")
        } else if has(tree, &folder, "package-lock.json") {
            ("npx", "npm ci")
        } else {
            ("npx", "npm install")
        };
        let tests = match runner {
            Runner::Vitest => {
                format!("{exec} vitest run --reporter=default --reporter=junit --outputFile.junit=junit.xml")
            }
            Runner::Jest => format!("{exec} jest"),
            Runner::Node => {
                "node --test --test-reporter=spec --test-reporter-destination=stdout --test-reporter=junit \
                             --test-reporter-destination=junit.xml"
                    .to_owned()
            }
        };
        Some(Nightly {
            job: "node",
            folder,
            actions: vec![("actions/setup-node@v4", vec![("node-version", "lts/*")])],
            commands: vec![install.to_owned()],
            image: "node:lts-trixie",
            commands_in_image: vec![install.to_owned()],
            tests,
            locked_by: "**/package-lock.json",
            artifacts: vec!["**/junit.xml", "!**/node_modules/**"],
            ..Nightly::default()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::FastCheck;
    use crate::framework::starting::Starting;
    use crate::source_tree::testing::Files;

    #[test]
    fn tests_are_run_by_the_runner_and_installed_by_the_lock() {
        let check = |manifest: &str, lock: &str, tests: &str, install: &str| {
            let nightly = FastCheck.nightly(&Files::new([("web/package.json", manifest), (lock, "")])).unwrap();
            assert_eq!((nightly.folder.as_str(), nightly.commands), ("web", vec![install.to_owned()]));
            assert!(nightly.tests.starts_with(tests), "{}", nightly.tests);
        };
        let with = |runner: &str| format!(r#"{{"devDependencies": {{"fast-check": "4", "{runner}": "1"}}}}"#);
        check(&with("vitest"), "web/package-lock.json", "npx vitest run", "npm ci");
        check(
            &with("jest"),
            "web/pnpm-lock.yaml",
            "pnpm exec jest",
            "corepack enable && pnpm install --frozen-lockfile",
        );
        check(&with("a"), "web/yarn.lock", "node --test", "corepack enable && yarn install");
        assert_eq!(FastCheck.nightly(&Files::new([("package.json", r#"{"dependencies": {"jest": "1"}}"#)])), None);
    }
}
