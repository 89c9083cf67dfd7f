//! Which file of this repository a seed belongs into: the one the run said it kept the seed in, mapped from another
//! machine's path; else the one that proptest's own rule gives.

use std::cmp::Reverse;

use super::setting::{Setting, beside, of_item, written};
use crate::failure::{Failure, ForeignPath, Replay};
use crate::framework::proptest::found::Found;
use crate::locate;
use crate::repo_path::RepoPath;
use crate::source_tree::SourceTree;
use crate::span::Span;

/// The source of a property, as far as it decides where its seeds lie.
#[derive(Clone, Copy)]
pub(crate) struct SeedSource<'s> {
    /// Its file.
    pub(crate) file: &'s RepoPath,
    /// The file's text.
    pub(crate) text: &'s str,
    /// The macro block or test function with its attributes.
    pub(crate) item: Span,
}

impl<'s> SeedSource<'s> {
    /// The source of a property that was found.
    pub(crate) fn of(found: &'s Found) -> Self {
        SeedSource { file: &found.file, text: &found.text, item: found.function.item }
    }
}

/// A regression file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    /// Its path; there need be no such file yet.
    pub(crate) file: RepoPath,
    /// What the user should know, as a sentence.
    pub(crate) warning: Option<String>,
}

/// The regression file for the seed of `failure`.
///
/// # Errors
/// Where no file of the repository is read by proptest for this property: a sentence that says why.
pub(crate) fn place(failure: &Failure, source: SeedSource<'_>, tree: &dyn SourceTree) -> Result<Place, String> {
    let printed = match &failure.replay {
        Replay::NewSeed { file, .. } => file.as_ref(),
        Replay::Replayed | Replay::None => None,
    };
    let written = written(source.text);
    let setting = of_item(&written, source.text, source.item);
    let settings = [setting.clone(), Setting::default()].into_iter().chain(written.into_iter().map(|(_, other)| other));
    let climbs = failure.location.as_ref().map(|location| &location.file).into_iter().chain(printed).any(climbs);
    let file_of = |setting: &Setting| match setting {
        Setting::SourceParallel(_) if climbs => beside(source.file),
        _ => setting.file(source.file, tree),
    };
    if let Some(printed) = printed
        && let Some(file) = mapped(printed, settings.map(|setting| (file_of(&setting), setting)), source.file, tree)
    {
        return Ok(Place { file, warning: None });
    }
    let file = file_of(&setting).ok_or_else(|| no_file(&setting, source.file))?;
    let warning = printed.map(|printed| {
        format!("the run kept this seed in `{}`, which is no path of this repository; by proptest's own rule it belongs into `{file}`", printed.0)
    });
    Ok(Place { file, warning })
}

/// Whether a path goes up from a folder, as that of a module does which `#[path]` puts outside its crate's folder.
fn climbs(path: &ForeignPath) -> bool {
    path.0.split(['/', '\\']).skip_while(|part| *part == "..").any(|part| part == "..")
}

/// Whether proptest keeps no seeds for the properties of `source`, as its configuration says.
pub(crate) fn keeps_none(source: SeedSource<'_>) -> bool {
    of_item(&written(source.text), source.text, source.item) == Setting::Off
}

fn no_file(setting: &Setting, source: &RepoPath) -> String {
    match setting {
        Setting::Off => "its configuration keeps no seeds, so proptest would not read one".to_owned(),
        Setting::Direct(path) => format!("its configuration keeps seeds in `{path}`, outside this repository"),
        _ => format!("proptest keeps the seeds of `{source}` above the top of this repository"),
    }
}

/// The path that a run printed, as a path of this repository. The `settings` of the source come first, as the file need
/// not exist here yet and its path alone does not say where the other machine's root was.
fn mapped(
    printed: &ForeignPath,
    settings: impl Iterator<Item = (Option<RepoPath>, Setting)>,
    source: &RepoPath,
    tree: &dyn SourceTree,
) -> Option<RepoPath> {
    let parts = locate::parts(printed);
    let agreeing = settings.filter_map(|(file, setting)| {
        let file = file?;
        Some((agreement(&parts, &setting, &file)?, file))
    });
    if let Some((_, file)) = agreeing.min_by_key(|(shared, _)| Reverse(*shared)) {
        return Some(file);
    }
    locate::near(printed, source, tree).or_else(|| {
        let relative = !locate::is_absolute(printed);
        relative.then(|| Setting::Direct(printed.0.clone()).file(source, tree)).flatten()
    })
}

/// How many parts at their ends the printed path and the file that `setting` gives share, where the part that the setting
/// itself makes is among them.
fn agreement(printed: &[&str], setting: &Setting, file: &RepoPath) -> Option<usize> {
    let shared = locate::shared_end(printed, file);
    let parts: Vec<&str> = file.as_str().split('/').collect();
    let needed = match setting {
        Setting::SourceParallel(name) => match parts.iter().rposition(|part| part == name) {
            Some(at) => parts.len() - at,
            None => parts.len().min(2),
        },
        Setting::WithSource(_) => parts.len().min(2),
        Setting::Direct(_) | Setting::Off => printed.len(),
    };
    (shared >= needed).then_some(shared)
}

#[cfg(test)]
mod tests {
    use super::{SeedSource, place};
    use crate::failure::{Failure, ForeignPath, Replay, testing};
    use crate::repo_path::RepoPath;
    use crate::source_tree::testing::Files;
    use crate::span::Span;

    const FILES: &[&str] = &[
        "Cargo.toml",
        "src/lib.rs",
        "src/rate.rs",
        "proptest-regressions/rate.txt",
        "core/Cargo.toml",
        "core/src/lib.rs",
        "core/src/rate.rs",
        "core/seeds/kept.txt",
        "core/tests/week.rs",
    ];

    fn failure(printed: Option<&str>) -> Failure {
        let file = printed.map(|path| ForeignPath(path.to_owned()));
        Failure { replay: Replay::NewSeed { handle: String::new(), file }, ..testing::failure("x") }
    }

    /// Whether a warning came with it is told by a `!` before the path.
    #[track_caller]
    fn check(source: &str, text: &str, printed: Option<&str>, expected: Result<&str, &str>) {
        let manifest = |file: &str| if file == "core/Cargo.toml" { "[package]\n" } else { "" };
        let tree = Files::new(FILES.iter().map(|file| (*file, manifest(file))));
        let file = RepoPath::new(source).unwrap();
        let source = SeedSource { file: &file, text, item: Span::new(0, text.len()) };
        let place = place(&failure(printed), source, &tree)
            .map(|place| format!("{}{}", if place.warning.is_some() { "!" } else { "" }, place.file));
        assert_eq!(place.as_deref(), expected.map_err(str::to_owned).as_ref().map(|path| *path), "{printed:?}");
    }

    #[test]
    fn the_path_that_the_run_printed_is_mapped_into_the_repository() {
        let at = |printed| Some(printed);
        check(
            "core/src/rate.rs",
            "",
            at("/w/p/core/proptest-regressions/rate.txt"),
            Ok("core/proptest-regressions/rate.txt"),
        );
        check("src/rate.rs", "", at("/w/p/proptest-regressions/rate.txt"), Ok("proptest-regressions/rate.txt"));
        check(
            "core/tests/week.rs",
            "",
            at("/w/p/core/tests/week.proptest-regressions"),
            Ok("core/tests/week.proptest-regressions"),
        );
        check(
            "core/src/rate.rs",
            "",
            at(r"D:\p\core\proptest-regressions\rate.txt"),
            Ok("core/proptest-regressions/rate.txt"),
        );
        check("core/src/rate.rs", "", at("/w/p/core/seeds/kept.txt"), Ok("core/seeds/kept.txt"));
        check("core/src/rate.rs", "", at("seeds/new.txt"), Ok("core/seeds/new.txt"));
    }

    #[test]
    fn the_printed_path_says_which_of_several_settings_holds() {
        let text = r#"FileFailurePersistence::WithSource("seeds"); FileFailurePersistence::SourceParallel("kept");"#;
        check("core/src/rate.rs", text, Some("/w/p/core/src/rate.seeds"), Ok("core/src/rate.seeds"));
        check("core/src/rate.rs", text, Some("/w/p/core/kept/rate.txt"), Ok("core/kept/rate.txt"));
        check(
            "core/src/rate.rs",
            text,
            Some("/w/p/core/proptest-regressions/rate.txt"),
            Ok("core/proptest-regressions/rate.txt"),
        );
    }

    #[test]
    fn a_path_outside_gives_way_to_the_rule_with_a_warning() {
        check(
            "src/rate.rs",
            "",
            Some("/home/proptest-regressions/dev/p/src/rate.txt"),
            Ok("!proptest-regressions/rate.txt"),
        );
        check("src/rate.rs", "", None, Ok("proptest-regressions/rate.txt"));
    }

    #[test]
    fn a_source_outside_the_folder_of_its_crate_has_its_seeds_beside_it() {
        let through = "/w/p/core/proptest-regressions/../odd/rate.txt";
        check("core/odd/rate.rs", "", Some(through), Ok("core/odd/rate.txt"));
        check("core/odd/rate.rs", "", Some("/w/p/core/odd/rate.proptest-regressions"), {
            Ok("core/odd/rate.proptest-regressions")
        });
        check("src/rate.rs", "", Some("../proptest-regressions/rate.txt"), Ok("proptest-regressions/rate.txt"));
    }

    #[test]
    fn where_no_file_is_read_the_reason_is_told() {
        let off = "its configuration keeps no seeds, so proptest would not read one";
        check("src/rate.rs", "FileFailurePersistence::Off", None, Err(off));
        let outside = "its configuration keeps seeds in `/tmp/x`, outside this repository";
        check("src/rate.rs", r#"FileFailurePersistence::Direct("/tmp/x")"#, None, Err(outside));
    }
}
