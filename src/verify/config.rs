//! What the user says in `.redpin/config.toml` of how tests are run.

use std::path::Path;
use std::time::Duration;

use crate::failure::Notice;
use crate::framework::CATALOGUE;
use crate::proof::Manner;
use crate::settings::{FILE, Settings};
use crate::source_tree::SourceTree;
use crate::store::{StoreError, manner};
use crate::triage::Triage;
use crate::visible;

use super::Onlooker;

/// How long one test command may take where nothing is said.
const LIMIT: Duration = Duration::from_secs(30 * 60);

/// How tests are run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Config {
    pub(super) manner: Manner,
    /// Whether the user says which arguments every command gets, be it none.
    says_arguments: bool,
    /// How long one command may take.
    pub(super) limit: Duration,
}

impl Default for Config {
    fn default() -> Self {
        Config { manner: Manner::default(), says_arguments: false, limit: LIMIT }
    }
}

/// How pins of a repository are run: as its file says, and where that says nothing as its tests were last run.
///
/// # Errors
/// Where the store cannot be read.
pub(super) fn of(triage: &Triage, tree: &dyn SourceTree, notices: &mut Vec<Notice>) -> Result<Config, StoreError> {
    let mut config = read(tree, notices);
    config.manner.programs.values_mut().for_each(|program| *program = from_top(program, triage.top()));
    if !config.says_arguments {
        config.manner.arguments = manner::kept(&triage.store_folder())?;
    }
    for framework in CATALOGUE {
        if let Some(said) = manner::kept_said(&triage.store_folder(), framework.name())? {
            config.manner.said.insert(framework.name().to_owned(), said);
        }
    }
    Ok(config)
}

/// A program as it is started from any folder: one that is named by a path is found from the top of the repository.
fn from_top(program: &str, top: &Path) -> String {
    if program.contains('/') { top.join(program).to_string_lossy().into_owned() } else { program.to_owned() }
}

/// The same where nobody collects notices: `onlooker` is told them.
///
/// # Errors
/// As there.
pub(super) fn told(triage: &Triage, tree: &dyn SourceTree, onlooker: &mut dyn Onlooker) -> Result<Config, StoreError> {
    let mut notices = Vec::new();
    let config = of(triage, tree, &mut notices)?;
    for Notice { file, text, .. } in notices {
        onlooker.output(format!("{file}: {}\n", visible::line(&text)).as_bytes());
    }
    Ok(config)
}

/// Reads the file; what it says counts where it can be understood, else there is a notice.
fn read(tree: &dyn SourceTree, notices: &mut Vec<Notice>) -> Config {
    match Settings::read(tree) {
        Ok(Settings { verify, .. }) => Config {
            says_arguments: verify.arguments.is_some(),
            manner: Manner {
                arguments: verify.arguments.unwrap_or_default(),
                runner: verify.runner,
                programs: verify.programs,
                ..Manner::default()
            },
            limit: verify.timeout.map_or(LIMIT, Duration::from_secs),
        },
        Err(text) => {
            notices.push(Notice { file: FILE.to_owned(), line: None, text });
            Config::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::time::Duration;

    use super::{Config, from_top, read};
    use crate::proof::Manner;
    use crate::source_tree::testing::Files;

    #[test]
    fn the_file_says_how_tests_are_run() {
        let text = "[verify]\narguments = [\"--features\", \"slow\"]\nrunner = \"nextest\"\ntimeout = 60\n\
                    [verify.programs]\npython = \"py/bin/python\"\n";
        let mut notices = Vec::new();
        let config = read(&Files::new([(".redpin/config.toml", text)]), &mut notices);
        let arguments = vec!["--features".to_owned(), "slow".to_owned()];
        let programs = [("python".to_owned(), "py/bin/python".to_owned())].into();
        let manner = Manner { arguments, runner: Some("nextest".to_owned()), programs, ..Manner::default() };
        let expected = Config { manner, says_arguments: true, limit: Duration::from_secs(60) };
        assert_eq!((config, notices.len()), (expected, 0));
    }

    #[test]
    fn a_program_is_found_from_the_top() {
        let found = |program| from_top(program, Path::new("/r"));
        assert_eq!(
            (found("py/bin/python"), found("/usr/bin/python3")),
            ("/r/py/bin/python".to_owned(), "/usr/bin/python3".to_owned())
        );
        assert_eq!(found("python3.9"), "python3.9");
    }

    #[test]
    fn a_file_that_is_not_understood_is_told_of() {
        let mut notices = Vec::new();
        let config = read(&Files::new([(".redpin/config.toml", "[verify]\nfeature = 1\n")]), &mut notices);
        assert_eq!((config, notices.len()), (Config::default(), 1));
        assert!(notices[0].text.contains("feature"), "{}", notices[0].text);
    }
}
