//! What this machine has of other people's test runners, and a repository that they run in.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

/// The Python that has pytest and Hypothesis.
#[expect(clippy::disallowed_methods, reason = "the program is asked what it has")]
pub(super) fn python() -> Option<PathBuf> {
    let named = std::env::var_os("REDPIN_TEST_PYTHON").map_or_else(|| "python3".into(), PathBuf::from);
    let asked =
        Command::new(&named).args(["-c", "import hypothesis, pytest, sys; print(sys.executable)"]).output().ok()?;
    let said = String::from_utf8(asked.stdout).ok()?;
    let path = asked.status.success().then(|| PathBuf::from(said.trim_end()));
    path.or_else(|| pass_over("pytest and Hypothesis", "REDPIN_TEST_PYTHON, a Python that has them"))
}

/// The folder of Node's packages, where it has all of `packages`.
#[expect(clippy::disallowed_methods, reason = "the machine is asked what it has")]
pub(super) fn modules(packages: &[&str]) -> Option<PathBuf> {
    let named = std::env::var_os("REDPIN_TEST_MODULES").map(PathBuf::from);
    let has_all = |folder: &PathBuf| packages.iter().all(|package| folder.join(package).is_dir());
    let wanted = "REDPIN_TEST_MODULES, a folder `node_modules` that has them";
    named.filter(has_all).or_else(|| pass_over(&packages.join(" and "), wanted))
}

/// Says on standard error, past what catches it of a test that passes, what is not seen here and how it would be.
fn pass_over(what: &str, wanted: &str) -> Option<PathBuf> {
    let told = format!("passed over, {what} not being here: set {wanted}\n");
    std::io::stderr().write_all(told.as_bytes()).unwrap();
    None
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
