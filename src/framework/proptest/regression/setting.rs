//! Where the source says that proptest keeps its seeds, and which file of the repository that is.

use crate::language::rust::code::Code;
use crate::language::rust::package::package_of;
use crate::language::rust::tokens::{Kind, apart};
use crate::repo_path::RepoPath;
use crate::source_tree::SourceTree;
use crate::span::Span;

/// A value of `FileFailurePersistence`, or none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Setting {
    /// In the folder of this name beside the one that holds `lib.rs` or `main.rs`.
    SourceParallel(String),
    /// Beside the source file, with this extension.
    WithSource(String),
    /// At this path, from the package's folder on.
    Direct(String),
    /// Nowhere.
    Off,
}

impl Default for Setting {
    fn default() -> Self {
        Setting::SourceParallel(PARALLEL.to_owned())
    }
}

/// The folder name, and the extension, that proptest uses where nothing is set.
const PARALLEL: &str = "proptest-regressions";

impl Setting {
    /// The file that proptest reads for the properties of `source`; `None` where there is none in the repository.
    pub(crate) fn file(&self, source: &RepoPath, tree: &dyn SourceTree) -> Option<RepoPath> {
        match self {
            Setting::SourceParallel(name) => match crate_folder(source, tree) {
                Some(folder) => parallel(source, folder, name),
                None => with_extension(source, name),
            },
            Setting::WithSource(extension) => with_extension(source, extension),
            Setting::Direct(path) if path.starts_with('/') => None,
            Setting::Direct(path) => RepoPath::in_folder(&package_of(source, tree).folder, path),
            Setting::Off => None,
        }
    }
}

/// The nearest folder around `source` that holds a `lib.rs` or a `main.rs`.
fn crate_folder<'s>(source: &'s RepoPath, tree: &dyn SourceTree) -> Option<&'s str> {
    folders(source).find(|folder| holds(tree, folder, "lib.rs") || holds(tree, folder, "main.rs"))
}

/// The folders around a file, innermost first; the last is the top, `""`.
fn folders(file: &RepoPath) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(file.folder()), |folder| (!folder.is_empty()).then(|| outer(folder)))
}

fn outer(folder: &str) -> &str {
    folder.rsplit_once('/').map_or("", |(outer, _)| outer)
}

fn holds(tree: &dyn SourceTree, folder: &str, name: &str) -> bool {
    RepoPath::in_folder(folder, name).is_some_and(|file| tree.exists(&file))
}

/// `None` where `folder` is the top: the file then lies outside the repository.
fn parallel(source: &RepoPath, folder: &str, name: &str) -> Option<RepoPath> {
    let below = source.as_str().strip_prefix(folder)?.strip_prefix('/').filter(|_| !folder.is_empty())?;
    with_extension(&RepoPath::in_folder(outer(folder), &format!("{name}/{below}"))?, "txt")
}

/// The file for the properties of a source that its crate reaches by going up from its own folder: the folders that the
/// rule exchanges are the ones that are left again.
pub(crate) fn beside(source: &RepoPath) -> Option<RepoPath> {
    with_extension(source, "txt")
}

fn with_extension(file: &RepoPath, extension: &str) -> Option<RepoPath> {
    let name = file.file_name();
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    RepoPath::in_folder(file.folder(), &format!("{stem}.{extension}"))
}

/// Whether a source may write one out.
fn sets_any(text: &[u8]) -> bool {
    SETS.iter().any(|word| memchr::memmem::find(text, word.as_bytes()).is_some())
}

/// Words without which none is written out.
pub(super) const SETS: [&str; 2] = ["FileFailurePersistence", "failure_persistence"];

/// Every setting that the source text writes out, with the offset it stands at. A text that does not lex has none.
pub(crate) fn written(text: &str) -> Vec<(usize, Setting)> {
    if !sets_any(text.as_bytes()) {
        return Vec::new();
    }
    apart(|| {
        let Ok(code) = Code::read(text) else { return Vec::new() };
        (0..code.tokens.len()).filter_map(|at| Some((code.start(at), setting_at(&code, at)?))).collect()
    })
}

/// The setting of the property that stands in `item`: of those `written` in its text the one that stands there; else,
/// where `item` takes its configuration from elsewhere, the only one that the file has; else the default.
pub(crate) fn of_item(written: &[(usize, Setting)], text: &str, item: Span) -> Setting {
    if let Some((_, setting)) = written.iter().find(|(at, _)| item.contains(*at)) {
        return setting.clone();
    }
    let configured = text.get(item.range()).is_some_and(|item| item.contains("onfig"));
    match written.split_first() {
        Some(((_, only), rest)) if configured && rest.iter().all(|(_, other)| other == only) => only.clone(),
        _ => Setting::default(),
    }
}

fn setting_at(code: &Code<'_>, at: usize) -> Option<Setting> {
    match code.word(at) {
        "SourceParallel" => text_in(code, at + 1).map(Setting::SourceParallel),
        "WithSource" => text_in(code, at + 1).map(Setting::WithSource),
        "Direct" => text_in(code, at + 1).map(Setting::Direct),
        "Off" if at >= 3 && code.word(at - 3) == "FileFailurePersistence" => Some(Setting::Off),
        "failure_persistence" if code.sign(at + 1, ':') && code.word(at + 2) == "None" => Some(Setting::Off),
        _ => None,
    }
}

/// The text in the parentheses that open at `open`.
fn text_in(code: &Code<'_>, open: usize) -> Option<String> {
    let alone = code.open(open, '(') && code.kind(open + 1) == Some(Kind::Literal) && code.partner(open) == open + 2;
    let literal = alone.then(|| syn::parse_str::<syn::LitStr>(code.written(open + 1)))?;
    literal.ok().map(|text| text.value())
}

#[cfg(test)]
mod tests {
    use super::{Setting, of_item, written};
    use crate::repo_path::RepoPath;
    use crate::source_tree::testing::Files;
    use crate::span::Span;

    const FILES: &[&str] = &[
        "Cargo.toml",
        "core/Cargo.toml",
        "core/src/lib.rs",
        "core/src/board/tests.rs",
        "core/src/bin/main.rs",
        "core/tests/week.rs",
        "core/tests/it/main.rs",
        "core/tests/it/sub.rs",
        "tool/src/bin/tool.rs",
    ];

    #[track_caller]
    fn check_file(setting: Setting, source: &str, expected: Option<&str>) {
        let manifest = |file: &str| if file.ends_with("core/Cargo.toml") { "[package]\n" } else { "" };
        let tree = Files::new(FILES.iter().map(|file| (*file, manifest(file))));
        let file = setting.file(&RepoPath::new(source).unwrap(), &tree);
        assert_eq!(file.as_ref().map(RepoPath::as_str), expected, "{source}");
    }

    #[test]
    fn by_default_seeds_lie_beside_the_folder_of_the_crate_root() {
        let check = |source, expected| check_file(Setting::default(), source, Some(expected));
        check("core/src/lib.rs", "core/proptest-regressions/lib.txt");
        check("core/src/board/tests.rs", "core/proptest-regressions/board/tests.txt");
        check("core/src/rate.test.rs", "core/proptest-regressions/rate.test.txt");
        check("core/src/bin/main.rs", "core/src/proptest-regressions/main.txt");
        check("core/tests/it/main.rs", "core/tests/proptest-regressions/main.txt");
        check("core/tests/it/sub.rs", "core/tests/proptest-regressions/sub.txt");
    }

    #[test]
    fn without_a_crate_root_above_seeds_lie_beside_the_source() {
        check_file(Setting::default(), "core/tests/week.rs", Some("core/tests/week.proptest-regressions"));
        check_file(Setting::default(), "tool/src/bin/tool.rs", Some("tool/src/bin/tool.proptest-regressions"));
    }

    #[test]
    fn seeds_of_a_crate_root_at_the_top_lie_outside() {
        let tree = Files::new([("lib.rs", ""), ("part.rs", "")]);
        let file = |setting: Setting| setting.file(&RepoPath::new("part.rs").unwrap(), &tree);
        assert_eq!(file(Setting::default()), None);
        assert_eq!(file(Setting::Direct("../seeds.txt".into())), None);
    }

    #[test]
    fn what_the_source_sets_goes_before() {
        let source = "core/src/board/tests.rs";
        check_file(Setting::SourceParallel("seeds".into()), source, Some("core/seeds/board/tests.txt"));
        check_file(Setting::WithSource("seeds".into()), source, Some("core/src/board/tests.seeds"));
        check_file(Setting::Direct("tests/seeds.txt".into()), source, Some("core/tests/seeds.txt"));
        check_file(Setting::Direct("/tmp/seeds.txt".into()), source, None);
        check_file(Setting::Off, source, None);
    }

    #[test]
    fn settings_are_read_from_code_and_not_from_comments() {
        let text = r##"
            // FileFailurePersistence::WithSource("comment")
            const A: &str = "FileFailurePersistence::Off";
            fn config() -> Config {
                let x = FileFailurePersistence::WithSource(r#"seeds"#);
                Config { failure_persistence: None, ..Config::with_failure_persistence(FileFailurePersistence::Off) }
            }
            fn other() { FileFailurePersistence::Direct(NAME); }
        "##;
        let settings: Vec<_> = written(text).into_iter().map(|(_, setting)| setting).collect();
        assert_eq!(settings, [Setting::WithSource("seeds".into()), Setting::Off, Setting::Off]);
    }

    #[track_caller]
    fn check_item(elsewhere: &str, item: &str, expected: Setting) {
        let text = format!("{elsewhere}\n{item}");
        assert_eq!(of_item(&written(&text), &text, Span::new(elsewhere.len() + 1, text.len())), expected);
    }

    #[test]
    fn a_block_has_its_own_setting_or_the_one_it_calls_for() {
        let direct = r#"const C: P = FileFailurePersistence::Direct("a.txt");"#;
        let own = r#"proptest! { #![proptest_config(c(FileFailurePersistence::WithSource("b")))] }"#;
        check_item(direct, own, Setting::WithSource("b".into()));
        check_item(direct, "proptest! { #![proptest_config(C)] }", Setting::Direct("a.txt".into()));
        check_item(direct, "proptest! { }", Setting::default());
        check_item("", "proptest! { #![proptest_config(C)] }", Setting::default());
    }
}
