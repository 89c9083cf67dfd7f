//! A file of tests that cannot be loaded, and which pin in it is to blame: an example is worked out as soon as its file is
//! read, so that one that fails keeps every test of the file from being run.

use super::find::{function, parts};
use super::given::is_called;
use super::read::names::is_same as is_same_file;
use crate::language::python::module::{Module, module};
use crate::proof::StandingPin;
use crate::repo_path::RepoPath;
use crate::source_tree::SourceTree;

/// What stands over the report of a file that cannot be loaded.
const HEADING: &str = " ERROR collecting ";

/// The line of `file` at which loading it failed.
pub(super) fn failed_at(text: &str, file: &RepoPath) -> Option<u32> {
    let is_own = |path: &str| is_same_file(Some(path.trim()), Some(file.as_str()));
    let mut lines = text.lines().skip_while(|line| {
        !line.split_once(HEADING).is_some_and(|(_, told)| is_own(told.trim_end_matches(['_', ' '])))
    });
    lines.next()?;
    let own = lines.take_while(|line| !line.starts_with("___") && !line.starts_with("==="));
    own.filter_map(|line| line.strip_suffix(": in <module>")?.rsplit_once(':'))
        .find_map(|(path, line)| line.parse().ok().filter(|_| is_own(path)))
}

/// Whether what stands on a line of its file is of `pin`: one of its examples, its test, or an import that only they need.
pub(super) fn is_of(pin: &StandingPin, line: u32, tree: &dyn SourceTree) -> bool {
    let text = pin.file.as_ref().and_then(|file| tree.read(file));
    let Some(text) = text.as_deref().and_then(|bytes| std::str::from_utf8(bytes).ok()) else { return false };
    let Some(outline) = module(text) else { return false };
    let Some(own) = function(&outline, &parts(pin.runs()), None) else { return false };
    (own.first_line..own.line).contains(&line)
        || imports(&outline, text, line).any(|name| {
            let examples = own.decorators.iter().filter(|one| is_called(&outline.imports, one, "example"));
            examples.into_iter().any(|one| mentions(&text[one.span.range()], &name))
        })
}

/// The names that are imported on a line.
fn imports<'m>(outline: &'m Module, text: &'m str, line: u32) -> impl Iterator<Item = String> + 'm {
    let of = move |at: usize| text[..at].matches('\n').count() as u64 + 1;
    let on_line = outline.imports.iter().filter(move |import| of(import.statement.start) == u64::from(line));
    on_line.map(|import| import.local.split('.').next().unwrap_or_default().to_owned())
}

/// Whether a name stands in a text as a word.
fn mentions(text: &str, name: &str) -> bool {
    let is_part = |char: char| char.is_alphanumeric() || char == '_';
    text.split(|char| !is_part(char)).any(|word| word == name)
}

#[cfg(test)]
mod tests {
    use super::{failed_at, is_of};
    use crate::proof::StandingPin;
    use crate::proof::testing::blank_pin;
    use crate::repo_path::RepoPath;
    use crate::source_tree::testing::Files;

    const FILE: &str = "pay/tests/test_a.py";

    const LOG: &str = "==== ERRORS ====\n____ ERROR collecting tests/test_b.py ____\ntests/test_b.py:3: in <module>\n    x\n\
        ____ ERROR collecting tests/test_a.py ____\n../lib/importlib/__init__.py:126: in import_module\n    return\n\
        tests/test_a.py:4: in <module>\n    @example(x=Order(total=5))\nshop/models.py:9: in __init__\n    raise\nE   TypeError: no\n\
        ==== short test summary info ====\nERROR tests/test_a.py - TypeError: no\n";

    #[test]
    fn the_line_is_that_of_the_very_file() {
        assert_eq!(failed_at(LOG, &RepoPath::new(FILE).unwrap()), Some(4));
        assert_eq!(failed_at(LOG, &RepoPath::new("tests/test_b.py").unwrap()), Some(3));
        assert_eq!(failed_at(LOG, &RepoPath::new("tests/test_c.py").unwrap()), None);
    }

    #[test]
    fn only_the_pin_on_that_line_is_to_blame() {
        let text = "from hypothesis import example, given\nfrom shop import Order, Line\n\n@example(x=Order(total=5))\n@given(x=st.x())\n\
                    def test_x(x): pass\n\n@example(y=1)\n@given(y=st.y())\ndef test_y(y): pass\n";
        let tree = Files::new([(FILE, text)]);
        let blamed = |property: &str, line| {
            let pin = StandingPin { file: RepoPath::new(FILE), ..blank_pin("hypothesis", property) };
            is_of(&pin, line, &tree)
        };
        assert_eq!((blamed("tests/test_a.py::test_x", 4), blamed("tests/test_a.py::test_y", 4)), (true, false));
        assert_eq!((blamed("tests/test_a.py::test_x", 2), blamed("tests/test_a.py::test_y", 2)), (true, false));
        assert!(!blamed("tests/test_a.py::test_x", 8));
    }
}
