//! What the user says in `.redpin/config.toml`: how tests are run, how pins are written, and what is guarded.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::repo_path::RepoPath;
use crate::source_tree::SourceTree;

/// The file, from the top of the work tree.
pub const FILE: &str = ".redpin/config.toml";

/// The whole file. Tables of other names are left to other versions.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct Settings {
    /// How tests are run.
    pub verify: Verify,
    /// How pins are written.
    pub pins: Pins,
    /// What is guarded.
    pub oracle: Oracle,
    /// How deep a sweep is.
    pub sweep: Sweep,
}

/// How tests are run; what is not said is found.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Verify {
    /// Arguments of every test command.
    pub arguments: Option<Vec<String>>,
    /// The program that runs tests.
    pub runner: Option<String>,
    /// Programs that are used instead of those that are found, by what they are called: `python`.
    pub programs: BTreeMap<String, String>,
    /// How long one command may take, in seconds.
    pub timeout: Option<u64>,
}

/// How pins are written.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct Pins {
    /// How values of many parts are written.
    pub long_values: LongValues,
    /// When the seed of a pin is looked for that a run did not name.
    pub find_seeds: FindSeeds,
}

/// What is guarded besides what frameworks and requirements tell.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Oracle {
    /// Patterns of files from the top, as in `.gitignore`: of them nothing may be taken.
    pub files: Vec<String>,
}

/// How deep a sweep is.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Sweep {
    /// Cases of each property that does not set its own number.
    pub cases: Option<u64>,
}

/// How a value of many parts is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LongValues {
    /// In few words where there is a way: what repeats is said once, what counts up is a range.
    #[default]
    Compact,
    /// Part by part, however long.
    Whole,
    /// In few words where that makes them short, else in a file beside the test.
    File,
}

/// When the replay handle is looked for that a run did not name, beside a test that needs none. A pin then holds a line that no
/// run of the user's wrote, which is for the user to want.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FindSeeds {
    /// Where others are run to see how their values are made: what that needs is built then.
    Along,
    /// For every pin.
    Always,
    /// For none.
    #[default]
    Never,
}

impl Settings {
    /// What the file of `tree` says; without one, nothing.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn read(tree: &dyn SourceTree) -> Result<Settings, String> {
        let Some(bytes) = RepoPath::new(FILE).and_then(|path| tree.read(&path)) else { return Ok(Settings::default()) };
        basic_toml::from_slice(&bytes).map_err(|error| {
            format!(
                "expected tables [verify] with arguments, runner, timeout (seconds) and programs, [pins] with long-values \
                 (\"compact\", \"whole\" or \"file\") and find-seeds (\"along\", \"always\" or \"never\"), [oracle] with files, and [sweep] with cases: \
                 {error}; it is not used"
            )
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{FindSeeds, LongValues, Settings};
    use crate::source_tree::testing::Files;

    fn read(text: &str) -> Result<Settings, String> {
        Settings::read(&Files::new([(".redpin/config.toml", text)]))
    }

    #[test]
    fn long_values_are_written_as_the_file_says() {
        let long = |text| read(text).unwrap().pins.long_values;
        assert_eq!(long("[verify]\ntimeout = 6\n"), LongValues::Compact);
        assert_eq!(long("[pins]\nlong-values = \"compact\"\n"), LongValues::Compact);
        assert_eq!(long("[pins]\nlong-values = \"whole\"\n[later]\nkey = 1\n"), LongValues::Whole);
        assert_eq!(long("[pins]\nlong-values = \"file\"\n"), LongValues::File);
        let wrong = read("[pins]\nlong-values = \"short\"\n").unwrap_err();
        assert!(wrong.contains("short") && wrong.contains("\"compact\", \"whole\" or \"file\""), "{wrong}");
    }

    #[test]
    fn seeds_are_looked_for_as_the_file_says() {
        let find = |text| read(text).unwrap().pins.find_seeds;
        assert_eq!(find("[pins]\nlong-values = \"file\"\n"), FindSeeds::Never);
        assert_eq!(find("[pins]\nfind-seeds = \"along\"\n"), FindSeeds::Along);
        assert_eq!(find("[pins]\nfind-seeds = \"always\"\n"), FindSeeds::Always);
    }
}
