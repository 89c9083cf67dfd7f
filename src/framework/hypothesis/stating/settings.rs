//! What settings files say of which tests pytest runs, and with which of Hypothesis' profiles.

use crate::keys::{Key, commands, ini, switches, toml, variables};
use crate::oracle::{Named, Oracle, Setting};
use crate::repo_path::RepoPath;
use crate::source_tree::SourceTree;

/// The keys by which pytest chooses tests, or takes their failures for less.
const KEYS: [&str; 12] = [
    "addopts",
    "testpaths",
    "python_files",
    "python_classes",
    "python_functions",
    "norecursedirs",
    "collect_imported_tests",
    "xfail_strict",
    "usefixtures",
    "pythonpath",
    "confcutdir",
    "env",
];

/// Options that leave out no test.
const HARMLESS: [&str; 15] = [
    "-q",
    "-qq",
    "-v",
    "-vv",
    "-s",
    "-x",
    "-ra",
    "-rA",
    "--strict-markers",
    "--strict-config",
    "--color",
    "--durations",
    "--junitxml",
    "--junit-xml",
    "--hypothesis-show-statistics",
];

/// Programs that run the tests.
const PROGRAMS: [&[&str]; 5] = [&["pytest"], &["py.test"], &["unittest"], &["tox"], &["nox"]];

/// What `file` says, where it is one of those.
pub(super) fn of_file(file: &RepoPath, tree: &dyn SourceTree) -> Oracle {
    let (name, folder) = (file.file_name(), file.folder());
    let is_text =
        [".yml", ".yaml", ".toml", ".sh", ".mk", ".env", ".json", ".ini", ".cfg"].iter().any(|end| name.ends_with(end))
            || ["Makefile", "justfile", "Justfile", ".env", "Dockerfile"].contains(&name);
    let Some(bytes) = tree.read(file).filter(|_| is_text) else { return Oracle::default() };
    let text = String::from_utf8_lossy(&bytes);
    let (keys, table) = match name {
        "pytest.ini" | ".pytest.ini" | "tox.ini" => (ini(&text), "pytest."),
        "setup.cfg" => (ini(&text), "tool:pytest."),
        "pyproject.toml" => (toml(&text), "tool.pytest.ini_options."),
        _ => (Vec::new(), ""),
    };
    let is_wanted = |key: &Key| key.path.strip_prefix(table).is_some_and(|rest| KEYS.contains(&rest));
    let told = keys.into_iter().filter(is_wanted).filter_map(|key| {
        let value = if key.path.ends_with("addopts") { telling(&key.value) } else { key.value };
        (!value.is_empty()).then(|| Setting { name: key.path, text: value, line: key.line, scope: folder.to_owned() })
    });
    let set = variables(&text, |name| name.starts_with("HYPOTHESIS_") || name == "PYTEST_ADDOPTS");
    let set =
        set.into_iter().map(|key| Setting { name: key.path, text: key.value, line: key.line, scope: String::new() });
    let mut settings: Vec<Setting> = told.chain(set).collect();
    let is_of_others = matches!(name, "pyproject.toml" | "package.json") || name.ends_with(".json");
    let started = if is_of_others { Vec::new() } else { commands(&text, &PROGRAMS) };
    let commands: Vec<Named> =
        started.into_iter().map(|key| Named { name: key.path, text: telling(&key.value), line: key.line }).collect();
    if !commands.is_empty() {
        let of_all = |key: Key| Setting { name: key.path, text: key.value, line: key.line, scope: String::new() };
        settings.extend(switches(&text).into_iter().map(of_all));
    }
    let rest = if settings.is_empty() && commands.is_empty() { String::new() } else { text.into_owned() };
    Oracle { settings, commands, rest, ..Oracle::default() }
}

/// Options without those that leave out no test.
fn telling(options: &str) -> String {
    let is_known = |word: &&str| {
        let name = word.split('=').next().unwrap_or_default();
        HARMLESS.contains(&name)
            || name.starts_with("--cov")
            || name.starts_with("--tb")
            || *word == "-n"
            || *word == "auto"
    };
    let words = options.split(['[', ']', '"', ',', ' ']).filter(|word| !word.is_empty());
    words.filter(|word| !is_known(word)).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::of_file;
    use crate::repo_path::RepoPath;
    use crate::source_tree::testing::Files;

    #[track_caller]
    fn check(file: &str, text: &str, expected: &[(&str, &str)]) {
        let oracle = of_file(&RepoPath::new(file).unwrap(), &Files::new([(file, text)]));
        let told: Vec<_> = oracle.settings.iter().map(|one| (one.name.as_str(), one.text.as_str())).collect();
        assert_eq!(told, expected, "{file}");
    }

    #[test]
    fn what_says_which_tests_are_run_is_told() {
        check(
            "pytest.ini",
            "[pytest]\naddopts = -q --tb=short -k even\nmarkers = slow\n",
            &[("pytest.addopts", "-k even")],
        );
        check("pytest.ini", "[pytest]\naddopts = -q -n auto --cov=a\n", &[]);
        let project = "[tool.pytest.ini_options]\ntestpaths = [\"a\"]\naddopts = [\"-q\", \"--ignore=b\"]\n[tool.ruff]\ntestpaths = 1\n";
        let told =
            [("tool.pytest.ini_options.addopts", "--ignore=b"), ("tool.pytest.ini_options.testpaths", "[\"a\"]")];
        check("pyproject.toml", project, &told);
        check("setup.cfg", "[tool:pytest]\npython_files = check_*.py\n", &[("tool:pytest.python_files", "check_*.py")]);
        check("ci.yml", "env:\n  HYPOTHESIS_PROFILE: fast\n", &[("HYPOTHESIS_PROFILE", "fast")]);
        check("a.py", "HYPOTHESIS_PROFILE = 1", &[]);
    }
}
