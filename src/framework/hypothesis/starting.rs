//! How a repository with properties begins: its tests by pytest, in the environment that its own files describe.

use crate::framework::starting::{Nightly, Starting, has};
use crate::source_tree::SourceTree;

use super::Hypothesis;

/// Files that say what is installed, the most telling first.
const LISTS: [&str; 3] = ["requirements-dev.txt", "requirements-test.txt", "requirements.txt"];

/// Files of a package that can be installed itself.
const PACKAGES: [&str; 2] = ["pyproject.toml", "setup.py"];

impl Starting for Hypothesis {
    fn nightly(&self, tree: &dyn SourceTree) -> Option<Nightly> {
        let users = tree.holding(".py", &["from hypothesis", "import hypothesis"]);
        let first = users.iter().min_by_key(|file| file.as_str().matches('/').count())?;
        let is_root = |folder: &&str| LISTS.iter().chain(&PACKAGES).any(|name| has(tree, folder, name));
        let folder = std::iter::once("").chain(first.folders()).find(is_root).unwrap_or_default().to_owned();
        let junit = "pytest --junitxml=junit.xml";
        let (actions, commands, in_image, tests) = if has(tree, &folder, "uv.lock") {
            let sync = "uv sync --all-extras --all-groups".to_owned();
            let image = vec!["pip install uv".to_owned(), sync.clone()];
            (vec![("astral-sh/setup-uv@v5", Vec::new())], vec![sync], image, format!("uv run {junit}"))
        } else {
            let lines = installs(&folder, tree);
            let action = ("actions/setup-python@v5", vec![("python-version", "3.x")]);
            (vec![action], lines.clone(), lines, format!("python -m {junit}"))
        };
        Some(Nightly {
            job: "python",
            folder,
            actions,
            commands,
            image: "python:3-trixie",
            commands_in_image: in_image,
            tests,
            locked_by: "**/*.lock",
            artifacts: vec!["**/junit.xml", "**/.hypothesis/patches/**"],
            ..Nightly::default()
        })
    }
}

/// What installs the tests' environment by pip.
fn installs(folder: &str, tree: &dyn SourceTree) -> Vec<String> {
    let list = LISTS.iter().find(|name| has(tree, folder, name)).map(|name| format!("pip install -r {name}"));
    let package = PACKAGES.iter().any(|name| has(tree, folder, name)).then(|| "pip install -e .".to_owned());
    list.into_iter().chain(package).chain(["pip install pytest hypothesis".to_owned()]).collect()
}

#[cfg(test)]
mod tests {
    use super::Hypothesis;
    use crate::framework::starting::Starting;
    use crate::source_tree::testing::Files;

    #[test]
    fn the_environment_is_made_as_the_repository_says() {
        let check = |list: &str, commands: &[&str], tests: &str| {
            let files = [("py/tests/test_a.py", "from hypothesis import given\n"), (list, "")];
            let nightly = Hypothesis.nightly(&Files::new(files)).unwrap();
            assert_eq!(
                (nightly.commands, nightly.tests.as_str()),
                (commands.iter().map(ToString::to_string).collect(), tests)
            );
            nightly.folder
        };
        let pip = "python -m pytest --junitxml=junit.xml";
        let (all, own) = ("pip install pytest hypothesis", "pip install -e .");
        assert_eq!(check("py/requirements.txt", &["pip install -r requirements.txt", all], pip), "py");
        assert_eq!(check("pyproject.toml", &[own, all], pip), "");
        assert_eq!(check("other.txt", &[all], pip), "");
        let uv = "uv run pytest --junitxml=junit.xml";
        assert_eq!(check("uv.lock", &["uv sync --all-extras --all-groups"], uv), "");
        assert_eq!(Hypothesis.nightly(&Files::new([("a.py", "print(1)\n")])), None);
    }
}
