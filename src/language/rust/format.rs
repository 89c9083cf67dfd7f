//! How wide rustfmt lets code be, as far as a written value needs it: by the repository's `rustfmt.toml`, else by its own
//! rules.

use serde::Deserialize;

use crate::repo_path::RepoPath;
use crate::source_tree::SourceTree;

/// Names of rustfmt's settings, the first of them that a folder has counts.
const NAMES: [&str; 2] = [".rustfmt.toml", "rustfmt.toml"];

/// The longest of each that stays on one line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Widths {
    /// A line.
    pub line: usize,
    /// What stands between the parentheses of a call or tuple.
    pub call: usize,
    /// What stands between the braces of a struct.
    pub record: usize,
    /// What stands between the brackets of an array.
    pub array: usize,
    /// An element that shares its line with others.
    pub short: usize,
}

/// The settings that count.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Settings {
    max_width: Option<usize>,
    use_small_heuristics: Option<String>,
    fn_call_width: Option<usize>,
    struct_lit_width: Option<usize>,
    array_width: Option<usize>,
    short_array_element_width_threshold: Option<usize>,
}

impl Widths {
    /// What holds for `file`.
    pub fn of(file: &RepoPath, tree: &dyn SourceTree) -> Widths {
        Widths::from(settings(file, tree).unwrap_or_default())
    }

    /// What is left for the body of a function that stands behind `indent`.
    #[must_use]
    pub fn behind(self, indent: &str) -> Widths {
        let columns: usize = indent.chars().map(|c| if c == '\t' { 4 } else { 1 }).sum();
        Widths { line: self.line.saturating_sub(columns + 4), ..self }
    }
}

impl From<Settings> for Widths {
    fn from(settings: Settings) -> Self {
        let line = settings.max_width.unwrap_or(100);
        let (call, record) = match settings.use_small_heuristics.as_deref() {
            Some("Max") => (line, line),
            Some("Off") => (line, 0),
            _ => (scaled(60, line), scaled(18, line)),
        };
        Widths {
            line,
            call: settings.fn_call_width.unwrap_or(call),
            record: settings.struct_lit_width.unwrap_or(record),
            array: settings.array_width.unwrap_or(call),
            short: settings.short_array_element_width_threshold.unwrap_or(10),
        }
    }
}

/// A width for lines of 100 as it is for longer ones, in tenths as rustfmt rounds.
fn scaled(width: usize, line: usize) -> usize {
    let tenths = (line.saturating_add(5) / 10).max(10);
    (width.saturating_mul(tenths).saturating_add(5) / 10).min(line)
}

/// The settings nearest to `file`, on the way up from it.
fn settings(file: &RepoPath, tree: &dyn SourceTree) -> Option<Settings> {
    let mut folders: Vec<&str> = std::iter::once("").chain(file.folders()).collect();
    folders.reverse();
    let named = |folder| NAMES.iter().filter_map(move |name| RepoPath::in_folder(folder, name));
    let mut files = folders.into_iter().flat_map(named);
    let bytes = files.find_map(|path| tree.read(&path))?;
    basic_toml::from_slice(&bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::Widths;
    use crate::repo_path::RepoPath;
    use crate::source_tree::testing::Files;

    #[track_caller]
    fn check(file: &str, files: &[(&str, &str)], expected: [usize; 5]) {
        let file = RepoPath::new(file).unwrap();
        let Widths { line, call, record, array, short } = Widths::of(&file, &Files::new(files.iter().copied()));
        assert_eq!([line, call, record, array, short], expected);
    }

    #[test]
    fn without_settings_rustfmts_own_rules_hold() {
        check("src/lib.rs", &[], [100, 60, 18, 60, 10]);
        check(
            "src/lib.rs",
            &[("rustfmt.toml", "edition = \"2024\"\nimports_granularity = \"Crate\"\n")],
            [100, 60, 18, 60, 10],
        );
        check("src/lib.rs", &[("rustfmt.toml", "max_width = wide")], [100, 60, 18, 60, 10]);
    }

    #[test]
    fn the_nearest_settings_count() {
        let files = [
            ("rustfmt.toml", "use_small_heuristics = \"Max\"\n"),
            ("a/.rustfmt.toml", "max_width = 120\n"),
            ("a/b/rustfmt.toml", "use_small_heuristics = \"Off\"\nfn_call_width = 70\n"),
        ];
        check("src/lib.rs", &files, [100, 100, 100, 100, 10]);
        check("a/src/lib.rs", &files, [120, 72, 22, 72, 10]);
        check("a/b/lib.rs", &files, [100, 70, 0, 100, 10]);
    }

    #[test]
    fn what_is_indented_has_less() {
        let file = RepoPath::new("lib.rs").unwrap();
        let widths = Widths::of(&file, &Files::new([]));
        assert_eq!(widths.clone().behind("    ").line, 92);
        assert_eq!(widths.behind("\t\t").line, 88);
    }
}
