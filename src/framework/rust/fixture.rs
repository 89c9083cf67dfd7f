//! Long values in files of their own beside the test that holds them: the expression as it would stand in the test, which
//! includes it. So it means there what it would mean in the test, is proven with it, and needs no package that reads data.

use sha2::{Digest, Sha256};

use crate::edit::{Edits, TextEdit};
use crate::hex::hex;
use crate::language::rust::literal::Bound;
use crate::pin::{Part, PartKind};
use crate::repo_path::RepoPath;
use crate::source_tree::SourceTree;
use crate::span::Span;

/// The folder for such files beside that of the test. The compiler takes none of them for a module or a test.
const FOLDER: &str = "pins";
const ENDING: &str = "in";

/// What a test includes one by.
pub(crate) const INCLUDE: &str = "include!(\"";

/// The file for an expression, by its name in the folder of the test's own.
pub(crate) fn fixture(test: &RepoPath, pin: &str, bound: &Bound) -> Option<(String, Part)> {
    // Each of several expressions that are tried for one value has a file.
    let digest = &hex(&Sha256::digest(bound.code.as_bytes()))[..7];
    let name = format!("{FOLDER}/{pin}_{digest}.{ENDING}");
    let text = format!("// What `{}` is in `{pin}`.\n{}", bound.pattern, bound.code);
    let file = RepoPath::in_folder(test.folder(), &name)?;
    Some((name, Part { file, kind: PartKind::Fixture, modules: Vec::new(), text }))
}

/// The change that makes a file hold `text`. No change where it holds something: nothing else has its name.
pub(crate) fn place(part: &Part, text: &[u8]) -> Edits {
    match text.is_empty() {
        true => TextEdit { span: Span::at(0), insert: format!("{}\n", part.text).into_bytes() }.into(),
        false => Edits::new(),
    }
}

/// What brings the files that `test` includes, and that are among `files`, its pin's own in `from`, to where it stands in
/// another version, in the file `there` of `onto`.
pub(crate) fn brought(
    test: &str,
    files: &[RepoPath],
    there: &RepoPath,
    (from, onto): (&dyn SourceTree, &dyn SourceTree),
) -> Vec<(RepoPath, Edits)> {
    let brought = |name: &str| {
        let bytes = files.iter().find(|file| is_called(file, name)).and_then(|file| from.read(file))?;
        let path = RepoPath::in_folder(there.folder(), name)?;
        let known = onto.read(&path).unwrap_or_default();
        let whole = TextEdit { span: Span::new(0, known.len()), insert: bytes.to_vec() };
        Some((path, if known == bytes { Edits::new() } else { whole.into() }))
    };
    included(test).filter_map(brought).collect()
}

/// The names of such files in a test.
pub(crate) fn included(test: &str) -> impl Iterator<Item = &str> {
    let names = test.split(INCLUDE).skip(1).filter_map(|rest| Some(rest.split_once('"')?.0));
    names.filter(|name| name.starts_with(&format!("{FOLDER}/")) && name.ends_with(&format!(".{ENDING}")))
}

/// Whether `file` is what a test beside its folder calls `name`.
fn is_called(file: &RepoPath, name: &str) -> bool {
    file.as_str().strip_suffix(name).is_some_and(|before| before.is_empty() || before.ends_with('/'))
}

#[cfg(test)]
mod tests {
    use super::{brought, fixture, included, place};
    use crate::language::rust::literal::Bound;
    use crate::repo_path::RepoPath;
    use crate::source_tree::testing::Files;

    fn path(path: &str) -> RepoPath {
        RepoPath::new(path).unwrap()
    }

    #[test]
    fn an_expression_has_a_file_of_its_own_that_is_written_once() {
        let bound = |code: &str| Bound { pattern: "x".to_owned(), code: code.to_owned() };
        let (name, part) = fixture(&path("a/src/lib.rs"), "sum_pin_0123456", &bound("vec![1, 2]")).unwrap();
        let (other, _) = fixture(&path("a/src/lib.rs"), "sum_pin_0123456", &bound("[1, 2]")).unwrap();
        assert_ne!(name, other);
        assert_eq!(part.file.as_str(), format!("a/src/{name}"));
        let written = place(&part, b"").apply(b"");
        assert_eq!(written, b"// What `x` is in `sum_pin_0123456`.\nvec![1, 2]\n");
        assert!(place(&part, &written).is_empty());
        let test = format!("let x = include!(\"{name}\");\nlet y = include!(\"../other.rs\");");
        assert_eq!(included(&test).collect::<Vec<_>>(), [name]);
    }

    #[test]
    fn a_file_goes_with_its_test() {
        let test = "let x = include!(\"pins/f_pin_0123456_abcdef0.in\");";
        let from = Files::new([("src/pins/f_pin_0123456_abcdef0.in", "[1]\n"), ("src/lib.rs", test)]);
        let files = [path("src/lib.rs"), path("src/pins/f_pin_0123456_abcdef0.in")];
        let brought = |onto: &Files, there: &str| {
            let changes = brought(test, &files, &path(there), (&from, onto));
            let told = changes.iter().map(|(file, edits)| {
                let text = String::from_utf8(edits.apply(b"")).unwrap();
                format!("{file}: {text}")
            });
            told.collect::<Vec<_>>()
        };
        let none = Files::new([("src/lib.rs", "")]);
        assert_eq!(brought(&none, "deep/x.rs"), ["deep/pins/f_pin_0123456_abcdef0.in: [1]\n"]);
        assert_eq!(brought(&from, "src/lib.rs"), ["src/pins/f_pin_0123456_abcdef0.in: "]);
    }
}
