//! An instrumented copy of the library: its own files, changed in a few places, and one that writes down what the
//! generators received. Every place must be found exactly as often as expected, else nothing is changed at all.

use super::anchors::{Anchor, FILES};
use crate::repo_path::RepoPath;
use crate::source_tree::SourceTree;

/// The module that records, as a file of the library.
const RECORDER: &str = include_str!("../../../../assets/preimage/recorder.rs");

/// Where it goes.
const RECORDER_PATH: &str = "src/redpin_recorder.rs";

/// The library is built here as the user's own code is, so that its lints are not set aside for us.
const LENIENT: &str = "#![allow(unknown_lints, warnings, let_underscore_lock)]\n";

/// The environment variable that names the folder for records.
pub(super) const FOLDER: &str = "REDPIN_RECORD";

/// The environment variable that gives tests their seeds.
pub(super) const SEEDS: &str = "REDPIN_SEEDS";

/// The files of the library whose folder `library` is, that are to be changed or added, each with its whole new text.
///
/// # Errors
/// The first place that is not there, or not as often as it should be.
pub(super) fn instrumented(library: &dyn SourceTree) -> Result<Vec<(RepoPath, String)>, String> {
    let mut files = Vec::new();
    for (name, anchors) in FILES {
        let path = RepoPath::new(name).ok_or_else(|| format!("{name} is no path"))?;
        let bytes = library.read(&path).ok_or_else(|| format!("{name} is not there"))?;
        let text = std::str::from_utf8(&bytes).map_err(|_| format!("{name} is not UTF-8"))?;
        let text = changed(&text.replace("\r\n", "\n"), anchors).map_err(|anchor| {
            let line = anchor.text.trim().lines().next().unwrap_or_default();
            format!("expected `{line}` {} times in {name}, found something else", anchor.times)
        })?;
        files.push((path, if *name == "src/lib.rs" { format!("{LENIENT}{text}") } else { text }));
    }
    let recorder = RepoPath::new(RECORDER_PATH).ok_or_else(|| format!("{RECORDER_PATH} is no path"))?;
    files.push((recorder, RECORDER.to_owned()));
    Ok(files)
}

/// `text` with all of `anchors` replaced; the first that cannot be.
fn changed<'a>(text: &str, anchors: &'a [Anchor]) -> Result<String, &'a Anchor> {
    // The library's own tests are not built here, and may say the same.
    let (own, tests) = text.split_at(text.find("#[cfg(test)]\nmod ").unwrap_or(text.len()));
    if let Some(missing) = anchors.iter().find(|anchor| own.matches(anchor.text).count() != anchor.times) {
        return Err(missing);
    }
    Ok(anchors.iter().fold(own.to_owned(), |text, anchor| text.replace(anchor.text, anchor.with)) + tests)
}

#[cfg(test)]
mod tests {
    use super::super::anchors::Anchor;
    use super::{changed, instrumented};
    use crate::source_tree::testing::Files;

    const ANCHORS: &[Anchor] =
        &[Anchor { text: "a.b()", times: 1, with: "r(a.b())" }, Anchor { text: "c;\n", times: 2, with: "c, n;\n" }];

    #[track_caller]
    fn check(text: &str, expected: Result<&str, &str>) {
        let found = changed(text, ANCHORS).map_err(|anchor| anchor.text);
        assert_eq!(found.as_deref(), expected.as_ref().copied(), "{text}");
    }

    #[test]
    fn each_place_is_changed_where_all_are_there_as_often_as_they_should_be() {
        check("c;\nx a.b() c;\n", Ok("c, n;\nx r(a.b()) c, n;\n"));
        check("c;\nx a.b()\n", Err("c;\n"));
        check("c;\na.b() a.b() c;\n", Err("a.b()"));
        check("", Err("a.b()"));
    }

    #[test]
    fn what_the_librarys_own_tests_say_does_not_count() {
        let tests = "#[cfg(test)]\nmod test { a.b() }";
        check(&format!("c;\na.b() c;\n{tests}"), Ok(&format!("c, n;\nr(a.b()) c, n;\n{tests}")));
    }

    #[test]
    fn a_version_without_one_of_the_places_is_refused_by_its_name() {
        let library = Files::new([("src/lib.rs", "#[macro_use]\nmod macros;\n"), ("src/strategy/traits.rs", "")]);
        assert_eq!(
            instrumented(&library).unwrap_err(),
            "expected `fn prop_map<` 1 times in src/strategy/traits.rs, found something else"
        );
        assert_eq!(instrumented(&Files::new([])).unwrap_err(), "src/lib.rs is not there");
    }

    #[test]
    fn line_ends_of_windows_are_no_difference() {
        let files = Files::new([("src/lib.rs", "#[macro_use]\r\nmod macros;\r\n")]);
        assert_eq!(instrumented(&files).unwrap_err(), "src/strategy/traits.rs is not there");
    }
}
