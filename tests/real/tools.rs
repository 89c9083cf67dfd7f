//! What this machine has of other people's test runners, and a repository that they run in.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

/// Whether this machine can run `words`; else says that a test is passed over for want of `what`.
pub(crate) fn runs(words: &[&str], what: &str) -> bool {
    let runs = asked(words).is_some();
    if !runs {
        pass_over(what);
    }
    runs
}

/// The Python that has pytest and Hypothesis.
pub(crate) fn python() -> Option<PathBuf> {
    let named = variable("REDPIN_TEST_PYTHON").unwrap_or_else(|| "python3".to_owned());
    let said = asked(&[&named, "-c", "import hypothesis, pytest, sys; print(sys.executable)"]);
    if said.is_none() {
        pass_over("pytest and Hypothesis: set REDPIN_TEST_PYTHON, a Python that has them");
    }
    said.map(|said| PathBuf::from(said.trim_end()))
}

/// The folder of Node's packages, where it has all of `packages`.
pub(crate) fn modules(packages: &[&str]) -> Option<PathBuf> {
    let has_all = |folder: &PathBuf| packages.iter().all(|package| folder.join(package).is_dir());
    let of_all = || Some(asked(&["npm", "root", "-g"])?.trim_end().to_owned());
    let folder = variable("REDPIN_TEST_MODULES").or_else(of_all).map(PathBuf::from).filter(has_all);
    if folder.is_none() {
        let what = packages.join(" and ");
        pass_over(&format!("{what}: set REDPIN_TEST_MODULES, a folder `node_modules` that has them"));
    }
    folder
}

/// What a program says that ends well, where it sees nothing of what is only there for whoever runs the tests: the samples see
/// none of that either.
#[expect(clippy::disallowed_methods, reason = "not every machine has every test runner, and it is asked what it has")]
fn asked(words: &[&str]) -> Option<String> {
    let home = tempfile::tempdir().unwrap();
    let mut command = Command::new(words[0]);
    command.args(&words[1..]).stdin(Stdio::null()).env_clear();
    command.env("PATH", std::env::var_os("PATH").unwrap()).env("HOME", home.path());
    let said = command.output().ok().filter(|said| said.status.success())?;
    String::from_utf8(said.stdout).ok()
}

/// What a variable holds.
#[expect(clippy::disallowed_methods, reason = "whoever runs the tests says where the runners are")]
fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}

/// Says on standard error, past what catches it of a test that passes, for want of what something is not seen here.
fn pass_over(what: &str) {
    std::io::stderr().write_all(format!("passed over, for want of {what}\n").as_bytes()).unwrap();
}

/// A repository of its own, whose tests can be run.
pub(super) struct Place {
    folder: TempDir,
}

impl Place {
    /// A repository of `files`, all committed. `modules` is linked into it as `node_modules`.
    pub(super) fn new(files: &[(&str, &str)], modules: Option<&Path>) -> Place {
        let place = Place { folder: tempfile::tempdir().unwrap() };
        std::fs::create_dir(place.top()).unwrap();
        for (name, text) in files.iter().chain(&[(".gitignore", "node_modules\n__pycache__\n.hypothesis\n")]) {
            place.write(name, text);
        }
        if let Some(modules) = modules {
            std::os::unix::fs::symlink(modules, place.top().join("node_modules")).unwrap();
        }
        place.git(&["init", "-q", "-b", "main"]);
        for (name, value) in [("user.name", "Ada"), ("user.email", "ada@example.org")] {
            place.git(&["config", name, value]);
        }
        place.git(&["add", "-A"]);
        place.git(&["commit", "-q", "-m", "Start"]);
        place
    }

    /// Writes a file of it.
    #[expect(clippy::disallowed_methods, reason = "the test plays the user")]
    pub(super) fn write(&self, name: &str, text: &str) {
        let path = self.top().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    /// What redpin says in it; `TURNS` leads to a file that is not there at first.
    pub(super) fn redpin(&self, arguments: &[&str]) -> Output {
        self.run(env!("CARGO_BIN_EXE_redpin"), arguments)
    }

    fn git(&self, arguments: &[&str]) {
        assert!(self.run("git", arguments).status.success(), "git {arguments:?}");
    }

    fn top(&self) -> PathBuf {
        self.folder.path().join("repo")
    }

    #[expect(clippy::disallowed_methods, reason = "the binary itself is tested")]
    fn run(&self, program: &str, arguments: &[&str]) -> Output {
        let mut command = Command::new(program);
        command.args(arguments).current_dir(self.top()).stdin(Stdio::null());
        command.env("XDG_CACHE_HOME", self.folder.path().join("cache")).env("TURNS", self.folder.path().join("turns"));
        // Neither another repository nor how somebody has git work is any matter of this one.
        command.env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_NOSYSTEM", "1");
        for name in ["GIT_DIR", "GIT_INDEX_FILE", "GIT_WORK_TREE", "GIT_PREFIX"] {
            command.env_remove(name);
        }
        command.output().unwrap()
    }
}
