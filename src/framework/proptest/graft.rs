//! A pin that stands in one version of the repository, put into another: its test by its property, and its line of the
//! regression file.

use super::place::spot;
use super::regression::{self, lines};
use crate::edit::Edits;
use crate::framework::Graft;
use crate::framework::rust::graft as rust;
use crate::pin::Refusal;
use crate::proof::StandingPin;
use crate::repo_path::RepoPath;
use crate::source_tree::SourceTree;

/// What puts `pin` of `from` into `onto`.
///
/// # Errors
/// Why that version has no place for it.
pub(super) fn graft(pin: &StandingPin, from: &dyn SourceTree, onto: &dyn SourceTree) -> Result<Graft, Refusal> {
    let mut graft = rust::graft(pin, from, onto, spot)?;
    graft.edits.extend(replay(pin, from, onto).filter(|(_, edits)| !edits.is_empty()));
    Ok(graft)
}

/// The line that replays it, into the same file as it stands in.
fn replay(pin: &StandingPin, from: &dyn SourceTree, onto: &dyn SourceTree) -> Option<(RepoPath, Edits)> {
    let handle = pin.replay.as_deref()?;
    let file = pin.files.iter().find(|file| regression::may_be_named(file.as_str()))?;
    let text = from.read(file)?;
    let line = lines(&text).find(|line| line.seed().is_some_and(|seed| seed.handle() == handle))?;
    let line = String::from_utf8_lossy(&text[line.span.range()]).trim_end().to_owned();
    Some((file.clone(), regression::add(&onto.read(file).unwrap_or_default(), &line)))
}

#[cfg(test)]
mod tests {
    use super::graft;
    use crate::failure::TestName;
    use crate::proof::StandingPin;
    use crate::proof::testing::blank_pin;
    use crate::repo_path::RepoPath;
    use crate::source_tree::SourceTree;
    use crate::source_tree::testing::Files;

    const SEED: &str = "cc 0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a";
    const MANIFEST: (&str, &str) = ("Cargo.toml", "[package]\nname = \"a\"\n");
    const HERE: &str = "\
mod t {
    proptest! {
        #[test]
        fn f(x: u8) { g(x) }
    }

    /// Pinned.
    #[test]
    fn f_pin_0123456() {
        s(\"
\");
    }
}
";

    /// The files of `onto` after the graft, those it changes alone.
    fn grafted(onto: &[(&str, &str)], test: bool) -> Result<Vec<String>, String> {
        let seeds = format!("# seeds\n{SEED} # shrinks to x = 3\n");
        let from = Files::new([MANIFEST, ("src/lib.rs", HERE), ("proptest-regressions/lib.txt", &seeds)]);
        let onto = Files::new(onto.iter().copied().chain([MANIFEST]));
        let graft = graft(&pin(test), &from, &onto).map_err(|refusal| refusal.0)?;
        let texts = graft.edits.into_iter().map(|(file, edits)| {
            let text = edits.apply(&onto.read(&file).unwrap_or_default());
            format!("{file}: {}", String::from_utf8(text).unwrap())
        });
        Ok(texts.collect())
    }

    fn pin(test: bool) -> StandingPin {
        let path = |name: &str| RepoPath::new(name).unwrap();
        StandingPin {
            test: test.then(|| TestName("t::f_pin_0123456".to_owned())),
            file: Some(path("src/lib.rs")),
            replay: Some(SEED.to_owned()),
            files: vec![path("src/lib.rs"), path("proptest-regressions/lib.txt")],
            ..blank_pin("proptest", "t::f")
        }
    }

    #[test]
    fn a_pin_goes_where_its_property_is_in_that_version() {
        let older = "proptest! {\n    #[test]\n    fn f(x: u8) { old(x) }\n}\n";
        let moved = "src/t.rs: proptest! {\n    #[test]\n    fn f(x: u8) { old(x) }\n}\n\n/// Pinned.\n#[test]\nfn f_pin_0123456() {\n    s(\"\n\");\n}\n";
        let line = format!("proptest-regressions/lib.txt: # theirs\n{SEED} # shrinks to x = 3\n");
        let onto = [("src/lib.rs", "mod t;\n"), ("src/t.rs", older), ("proptest-regressions/lib.txt", "# theirs\n")];
        assert_eq!(grafted(&onto, true).unwrap(), [moved, &line]);
        assert_eq!(grafted(&onto, false).unwrap(), [line]);
    }

    #[test]
    fn the_functions_that_give_its_values_come_along() {
        let here = HERE.replace("s(\"\n\");", "g(f_value_0a1b2c3());")
            + "mod u {\n    /// A value.\n    fn f_value_0a1b2c3() -> u8 {\n        3\n    }\n}\n";
        let from = Files::new([MANIFEST, ("src/lib.rs", here.as_str())]);
        let older = "mod t {\n    proptest! {\n        fn f(x: u8) {}\n    }\n}\nmod u {}\n";
        let onto = Files::new([MANIFEST, ("src/lib.rs", older)]);
        let graft = graft(&pin(true), &from, &onto).unwrap();
        let mut text = older.as_bytes().to_vec();
        let mut edits = crate::edit::Edits::new();
        graft.edits.into_iter().for_each(|(_, more)| edits.join(more).unwrap());
        text = edits.apply(&text);
        let text = String::from_utf8(text).unwrap();
        assert!(
            text.ends_with("mod u {\n\n    /// A value.\n    fn f_value_0a1b2c3() -> u8 {\n        3\n    }\n}\n"),
            "{text}"
        );
        assert!(text.contains("        g(f_value_0a1b2c3());\n"), "{text}");
    }

    #[test]
    fn an_older_form_of_the_pin_gives_way() {
        let seeds = format!("{SEED}\n");
        let kept = ("proptest-regressions/lib.txt", seeds.as_str());
        let older = HERE.replace("s(", "other(");
        assert_eq!(grafted(&[("src/lib.rs", HERE), kept], true).unwrap(), Vec::<String>::new());
        let changed = grafted(&[("src/lib.rs", &older), kept], true).unwrap();
        assert_eq!(changed.len(), 1);
        assert!(changed[0].contains("s(\"\n\");") && !changed[0].contains("other("), "{}", changed[0]);
    }

    #[test]
    fn a_version_without_the_property_has_no_place_for_it() {
        let expected = Err("its property `t::f` is not there".to_owned());
        assert_eq!(grafted(&[("src/lib.rs", "struct X;\n")], true), expected);
        assert_eq!(grafted(&[], false), expected);
        let by_name = [("src/lib.rs", "mod t { use u::f; }\n")];
        assert_eq!(grafted(&by_name, true), Err("`t::f` is not in this version of src/lib.rs".to_owned()));
    }
}
