//! The sample repository that `redpin demo` opens: a small ledger, written in three languages, with the recorded red runs
//! of a night, carried inside the binary and unpacked into a fresh folder, where it can be triaged, staged, tested and
//! looked at with git.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use crate::git::{GitError, Repository};

/// What is committed in the sample, each file with its text.
const COMMITTED: &[(&str, &str)] = &[
    (".gitignore", include_str!("../assets/demo/ledger/gitignore")),
    ("Cargo.lock", include_str!("../assets/demo/ledger/lock.toml")),
    ("Cargo.toml", include_str!("../assets/demo/ledger/manifest.toml")),
    ("README.md", include_str!("../assets/demo/ledger/README.md")),
    ("python/instalments.py", include_str!("../assets/demo/ledger/python/instalments.py")),
    ("python/test_instalments.py", include_str!("../assets/demo/ledger/python/test_instalments.py")),
    ("spec.md", include_str!("../assets/demo/ledger/spec.md")),
    ("src/amount.rs", include_str!("../assets/demo/ledger/src/amount.rs")),
    ("src/card.rs", include_str!("../assets/demo/ledger/src/card.rs")),
    ("src/csv.rs", include_str!("../assets/demo/ledger/src/csv.rs")),
    ("src/fees.rs", include_str!("../assets/demo/ledger/src/fees.rs")),
    ("src/instalments.rs", include_str!("../assets/demo/ledger/src/instalments.rs")),
    ("src/lib.rs", include_str!("../assets/demo/ledger/src/lib.rs")),
    ("src/refund.rs", include_str!("../assets/demo/ledger/src/refund.rs")),
    ("src/statement.rs", include_str!("../assets/demo/ledger/src/statement.rs")),
    ("tests/text.rs", include_str!("../assets/demo/ledger/tests/text.rs")),
    ("web/instalments.mjs", include_str!("../assets/demo/ledger/web/instalments.mjs")),
    ("web/instalments.test.mjs", include_str!("../assets/demo/ledger/web/instalments.test.mjs")),
    ("web/package.json", include_str!("../assets/demo/ledger/web/package.json")),
];

/// What the red run left in the work tree: the seeds, not committed by anyone.
const LEFT_BEHIND: &[(&str, &str)] = &[
    ("proptest-regressions/fees.txt", include_str!("../assets/demo/ledger/proptest-regressions/fees.txt")),
    (
        "proptest-regressions/instalments.txt",
        include_str!("../assets/demo/ledger/proptest-regressions/instalments.txt"),
    ),
    ("proptest-regressions/refund.txt", include_str!("../assets/demo/ledger/proptest-regressions/refund.txt")),
    ("proptest-regressions/statement.txt", include_str!("../assets/demo/ledger/proptest-regressions/statement.txt")),
    ("tests/text.proptest-regressions", include_str!("../assets/demo/ledger/tests/text.proptest-regressions")),
];

/// What the red runs of the night printed.
const LOGS: &[(&str, &str)] = &[
    ("cargo.log", include_str!("../assets/demo/nightly/cargo.log")),
    ("node.log", include_str!("../assets/demo/nightly/node.log")),
    ("pytest.log", include_str!("../assets/demo/nightly/pytest.log")),
];

/// The sample, unpacked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Demo {
    /// The repository's folder.
    pub repository: PathBuf,
    /// The folder of the night's logs, beside it: one of each test program.
    pub night: PathBuf,
}

/// Why the sample could not be unpacked.
#[derive(Debug)]
pub enum DemoError {
    /// The disk said no.
    Disk(PathBuf, io::Error),
    /// git said no.
    Git(GitError),
}

impl fmt::Display for DemoError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DemoError::Disk(path, error) => write!(f, "unpack the demo into {}: {error}", path.display()),
            DemoError::Git(error) => write!(f, "make the demo's repository: {error}"),
        }
    }
}

impl std::error::Error for DemoError {}

/// Unpacks the sample into a fresh folder below `parent`. The folder stays when redpin ends: what was staged there is the
/// user's to look at.
///
/// # Errors
/// Where the folder cannot be written, or git cannot make a repository of it.
pub fn unpack(parent: &Path) -> Result<Demo, DemoError> {
    let disk = |error| DemoError::Disk(parent.to_owned(), error);
    let folder = tempfile::Builder::new().prefix("redpin-demo-").tempdir_in(parent).map_err(disk)?.keep();
    let demo = Demo { repository: folder.join("ledger"), night: folder.join("nightly") };
    write_all(&demo.repository, COMMITTED)?;
    Repository::create(&demo.repository, "Lay the ledger").map_err(DemoError::Git)?;
    write_all(&demo.repository, LEFT_BEHIND)?;
    write_all(&demo.night, LOGS)?;
    Ok(demo)
}

fn write_all(folder: &Path, files: &[(&str, &str)]) -> Result<(), DemoError> {
    files.iter().try_for_each(|(path, text)| write(&folder.join(path), text))
}

#[expect(clippy::disallowed_methods, reason = "the folder is new and nobody else's: a plain write cannot harm")]
fn write(path: &Path, text: &str) -> Result<(), DemoError> {
    let made = path.parent().map_or(Ok(()), std::fs::create_dir_all);
    made.and_then(|()| std::fs::write(path, text)).map_err(|error| DemoError::Disk(path.to_owned(), error))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{COMMITTED, Demo, LEFT_BEHIND, LOGS, unpack};
    use crate::git::Repository;
    use crate::repo_path::RepoPath;

    fn unpacked(check: impl Fn(&Demo, &Repository)) {
        let parent = tempfile::tempdir().unwrap();
        let demo = unpack(parent.path()).unwrap();
        check(&demo, &Repository::discover(&demo.repository).unwrap());
    }

    #[test]
    fn the_sample_is_committed_and_what_the_run_left_is_not() {
        unpacked(|demo, repository| {
            let paths = COMMITTED.iter().chain(LEFT_BEHIND).map(|(path, _)| RepoPath::new(path).unwrap());
            for file in repository.versions(&paths.collect::<Vec<_>>()).unwrap() {
                let text = |files: &'static [(&str, &str)]| {
                    files.iter().find(|(path, _)| *path == file.path.as_str()).map(|(_, text)| text.as_bytes())
                };
                assert_eq!((file.head_bytes(), file.index_bytes()), (text(COMMITTED), text(COMMITTED)));
                assert_eq!(file.work_bytes(), text(COMMITTED).or(text(LEFT_BEHIND)));
            }
            assert_eq!(repository.branch().as_deref(), Some("main"));
            for (name, text) in LOGS {
                assert_eq!(std::fs::read_to_string(demo.night.join(name)).unwrap(), *text);
            }
        });
    }

    #[test]
    fn every_file_of_the_sample_is_carried() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/demo/ledger");
        assert_eq!(files_below(&folder), COMMITTED.len() + LEFT_BEHIND.len());
    }

    fn files_below(folder: &Path) -> usize {
        let paths = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        paths.map(|path| if path.is_dir() { files_below(&path) } else { 1 }).sum()
    }
}
