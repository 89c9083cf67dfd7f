//! What the user says in `.redpin/config.toml` of how tests are run.

use std::time::Duration;

use serde::Deserialize;

use crate::failure::Notice;
use crate::proof::Manner;
use crate::repo_path::RepoPath;
use crate::source_tree::SourceTree;

/// The file, from the top of the work tree.
const FILE: &str = ".redpin/config.toml";

/// How long one test command may take where nothing is said.
const LIMIT: Duration = Duration::from_secs(30 * 60);

/// How tests are run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Config {
    pub(super) manner: Manner,
    /// How long one command may take.
    pub(super) limit: Duration,
}

impl Default for Config {
    fn default() -> Self {
        Config { manner: Manner::default(), limit: LIMIT }
    }
}

#[derive(Deserialize)]
struct File {
    #[serde(default)]
    verify: Table,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Table {
    arguments: Vec<String>,
    runner: Option<String>,
    timeout: Option<u64>,
}

/// Reads the file; what it says counts where it can be understood, else there is a notice.
pub(super) fn read(tree: &dyn SourceTree, notices: &mut Vec<Notice>) -> Config {
    let Some(bytes) = RepoPath::new(FILE).and_then(|path| tree.read(&path)) else { return Config::default() };
    match basic_toml::from_slice::<File>(&bytes) {
        Ok(File { verify }) => Config {
            manner: Manner { arguments: verify.arguments, runner: verify.runner, target: None },
            limit: verify.timeout.map_or(LIMIT, Duration::from_secs),
        },
        Err(error) => {
            let text = format!(
                "expected a table [verify] with arguments, runner and timeout (seconds): {error}; it is not used"
            );
            notices.push(Notice { file: FILE.to_owned(), line: None, text });
            Config::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{Config, read};
    use crate::proof::Manner;
    use crate::source_tree::testing::Files;

    #[test]
    fn the_file_says_how_tests_are_run() {
        let text = "[verify]\narguments = [\"--features\", \"slow\"]\nrunner = \"nextest\"\ntimeout = 60\n";
        let mut notices = Vec::new();
        let config = read(&Files::new([(".redpin/config.toml", text)]), &mut notices);
        let arguments = vec!["--features".to_owned(), "slow".to_owned()];
        let manner = Manner { arguments, runner: Some("nextest".to_owned()), target: None };
        assert_eq!((config, notices.len()), (Config { manner, limit: Duration::from_secs(60) }, 0));
    }

    #[test]
    fn a_file_that_is_not_understood_is_told_of() {
        let mut notices = Vec::new();
        let config = read(&Files::new([(".redpin/config.toml", "[verify]\nfeature = 1\n")]), &mut notices);
        assert_eq!((config, notices.len()), (Config::default(), 1));
        assert!(notices[0].text.contains("feature"), "{}", notices[0].text);
    }
}
