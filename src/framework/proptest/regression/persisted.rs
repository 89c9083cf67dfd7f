//! A regression file as a run: each seed that is new in it tells of a failure. The line does not name its property, so
//! that is told by the names in its comment; where several fit, all of them are.

use std::collections::HashSet;

use crate::carrier::sign;
use crate::failure::{
    Caveat, Counterexample, Ending, Failure, ForeignPath, FrameworkName, Location, Notice, Origin, PackageName, Replay,
    TestName,
};
use crate::framework::proptest::NAME;
use crate::framework::proptest::read::split;
use crate::framework::{Replays, Unassigned};
use crate::language::rust::property::PropertyFn;
use crate::locate;
use crate::repo_path::RepoPath;
use crate::run_output::RunOutput;
use crate::source_tree::SourceTree;

use super::faults::is_conflict_mark;
use super::sources::{Source, fits, set_files, sources_of};
use super::{Line, Seed, SeedKind, lines, notices};

/// Larger files are not looked at in the hope that they are regression files under another name.
const LARGEST: usize = 64 << 20;

/// Whether the name of a file says that it keeps seeds, as far as names go: sources may set others.
pub(crate) fn may_be_named(path: &str) -> bool {
    path.contains("regressions") && !path.ends_with(".rs")
}

/// The files of `tree` that may keep seeds: by their names, or as sources set them.
pub(crate) fn files(tree: &dyn SourceTree) -> Vec<RepoPath> {
    let set = set_files(tree);
    tree.find(&|path| may_be_named(path) || RepoPath::new(path).is_some_and(|file| set.contains(&file)))
}

/// The failures that `run` tells of, where it is a regression file. Seeds that the same file holds in `known` are left
/// out; the properties are looked up in `tree`.
pub(crate) fn replays(run: &RunOutput<'_>, tree: &dyn SourceTree, known: &dyn SourceTree) -> Option<Replays> {
    if !is_regression_file(run) {
        return None;
    }
    let path = ForeignPath(run.name.rsplit('!').next().unwrap_or(run.name).to_owned());
    let mut found = Found { run, replays: Replays { notices: notices(run.name, run.bytes), ..Replays::default() } };
    let mut seen = seeds_of(locate::file(&path, known, &|_| true), known);
    if generated(run.bytes).all(|(_, seed)| seen.contains(&seed)) {
        return Some(found.replays);
    }
    let sources = sources_of(&path, tree);
    seen.extend(seeds_of(sources.iter().map(|source| source.seeds.clone()), known));
    let mut fresh = generated(run.bytes).filter(|(_, seed)| seen.insert(seed.clone())).peekable();
    match fresh.peek() {
        Some((first, _)) if sources.is_empty() => found.notice(first.number, NO_SOURCE),
        _ => fresh.for_each(|(line, seed)| found.line(&line, &seed, &sources)),
    }
    Some(found.replays)
}

/// What is said of new seeds in a file that belongs to nothing here.
const NO_SOURCE: &str = "new seeds, but no source file of this repository keeps its seeds here: is it the right one?";

/// The seeds that proptest made up, with their lines; others are written by people.
fn generated(text: &[u8]) -> impl Iterator<Item = (Line<'_>, Seed)> {
    lines(text).filter_map(|line| {
        let seed = line.seed().filter(|seed| matches!(seed.kind(), SeedKind::ChaCha | SeedKind::XorShift)).cloned()?;
        Some((line, seed))
    })
}

/// All seeds of the given files.
fn seeds_of(files: impl IntoIterator<Item = RepoPath>, tree: &dyn SourceTree) -> HashSet<Seed> {
    let seeds = |text: &[u8]| lines(text).filter_map(|line| line.seed().cloned()).collect::<Vec<_>>();
    files.into_iter().filter_map(|file| tree.read(&file)).flat_map(|text| seeds(&text)).collect()
}

/// By its name, unless it is a run's output; by its content alone, if it holds a seed and nothing else.
fn is_regression_file(run: &RunOutput<'_>) -> bool {
    if run.bytes.len() > LARGEST {
        return false;
    }
    let is_seed = |line: &Line<'_>| line.seed().is_some() || Seed::parse(bare(line)).is_some();
    let is_stray = |line: &Line<'_>| !is_seed(line) && !bare(line).is_empty() && !is_conflict_mark(&line.before);
    let has_seed = || lines(run.bytes).any(|line| is_seed(&line));
    let has_stray = || lines(run.bytes).any(|line| is_stray(&line));
    if run.name.contains(FOLDER) {
        return has_seed() || !has_stray() || is_named(run.name) && !sign::shows_tests(run.bytes);
    }
    !has_stray() && has_seed()
}

/// What proptest calls its folder, and how it ends the names of files beside the source.
const FOLDER: &str = "proptest-regressions";

/// Whether proptest itself gives files such names.
fn is_named(path: &str) -> bool {
    path.rsplit_once('.').is_some_and(|(_, end)| end == "txt" || end == FOLDER)
}

/// What stands before the comment, without a byte order mark.
fn bare<'t>(line: &'t Line<'_>) -> &'t str {
    line.before.trim_start_matches('\u{feff}').trim()
}

struct Found<'f> {
    run: &'f RunOutput<'f>,
    replays: Replays,
}

impl Found<'_> {
    fn notice(&mut self, line: u64, text: &str) {
        let file = self.run.name.to_owned();
        self.replays.notices.push(Notice { file, line: Some(line), text: text.to_owned() });
    }

    /// The failure of a line that is new, of one of the properties of `sources`.
    fn line(&mut self, line: &Line<'_>, seed: &Seed, sources: &[Source]) {
        let arguments = line.shrunk().map(split).unwrap_or_default();
        let all = sources.iter().flat_map(|source| source.properties.iter().map(move |property| (source, property)));
        let fitting: Vec<_> = all.filter(|(_, property)| arguments.is_empty() || fits(property, &arguments)).collect();
        let Some(&(source, property)) = fitting.first() else {
            let names = arguments.iter().map(|argument| argument.name.as_str()).collect::<Vec<_>>().join(", ");
            let files = sources.iter().map(|source| source.file.as_str()).collect::<Vec<_>>().join(", ");
            let text = format!(
                "this seed fits no property of {files}: its values are named `{names}`; the property has changed or is gone"
            );
            return self.notice(line.number, &text);
        };
        let candidates: Vec<TestName> = fitting.iter().map(|(source, property)| source.test_name(property)).collect();
        let candidates = if candidates.len() > 1 { candidates } else { Vec::new() };
        let text = line.shrunk().unwrap_or_default().to_owned();
        let failure = Failure {
            message: UNEXPLAINED.to_owned(),
            counterexample: Counterexample { text, arguments },
            replay: Replay::NewSeed {
                handle: seed.handle().to_owned(),
                file: Some(ForeignPath(source.seeds.to_string())),
            },
            origin: Origin { run: self.run.name.to_owned(), line: line.number },
            ..failure_of(source, property)
        };
        self.replays.failures.push(Unassigned { failure, candidates });
    }
}

const UNEXPLAINED: &str = "an earlier run kept this input; why it failed is not on record";

fn failure_of(source: &Source, property: &PropertyFn) -> Failure {
    Failure {
        framework: FrameworkName(NAME.to_owned()),
        test: source.test_name(property),
        package: source.package.name.clone().map(PackageName),
        binary: None,
        location: Some(Location { file: ForeignPath(source.file.to_string()), line: property.line, column: None }),
        site: None,
        panicked: false,
        ending: Ending::Falsified,
        message: String::new(),
        error: None,
        counterexample: Counterexample::default(),
        replay: Replay::None,
        own_message: None,
        generated: Vec::new(),
        caveats: vec![Caveat::Unexplained],
        origin: Origin { run: String::new(), line: 0 },
    }
}

#[cfg(test)]
mod tests {
    use super::replays;
    use crate::failure::Replay;
    use crate::run_output::RunOutput;
    use crate::source_tree::testing::Files;

    const FILES: &[(&str, &str)] = &[
        ("Cargo.toml", "[package]\nname = \"rates\"\n"),
        ("src/lib.rs", ""),
        (
            "src/rate.rs",
            "mod tests { proptest! {\nfn one(x in 0..9) {}\nfn two(a in 0..9, b in 0..9) {}\nfn three(a in 0..9, b in 0..9) {}\n} }",
        ),
        ("proptest-regressions/rate.txt", "xs 1 1 1 1 # shrinks to x = 0\n"),
    ];

    #[track_caller]
    fn check(name: &str, text: &str, failures: &[&str], notices: &[(u64, &str)]) {
        let tree = Files::new(FILES.iter().copied());
        let found = replays(&RunOutput::new(name, text.as_bytes()), &tree, &tree).unwrap();
        let told = found.failures.iter().map(|found| {
            let failure = &found.failure;
            let Replay::NewSeed { handle, file } = &failure.replay else { panic!("{:?}", failure.replay) };
            assert_eq!(file.as_ref().unwrap().0, "proptest-regressions/rate.txt");
            let values: Vec<_> =
                failure.counterexample.arguments.iter().map(|a| format!("{}={}", a.name, a.text)).collect();
            let names: Vec<_> = found.candidates.iter().map(|name| name.0.as_str()).collect();
            format!("{} {} {} [{}] {names:?}", failure.origin.line, failure.test, handle, values.join(";"))
        });
        assert_eq!(told.collect::<Vec<_>>(), failures);
        let told: Vec<_> =
            found.notices.iter().map(|notice| (notice.line.unwrap_or(0), notice.text.as_str())).collect();
        assert_eq!(told, notices);
    }

    #[test]
    fn a_new_seed_is_assigned_to_the_property_it_fits() {
        check(
            "night.zip!p/proptest-regressions/rate.txt",
            "# Seeds\nxs 1 1 1 1 # shrinks to x = 0\nxs 2 2 2 2 # shrinks to x = 7\nxs 2 2 2 2\n",
            &["3 rate::tests::one xs 2 2 2 2 [x=7] []"],
            &[],
        );
    }

    #[test]
    fn of_several_that_fit_all_are_named() {
        check(
            "proptest-regressions/rate.txt",
            "xs 2 2 2 2 # shrinks to a = 1, b = 2\nxs 3 3 3 3\n",
            &[
                r#"1 rate::tests::two xs 2 2 2 2 [a=1;b=2] ["rate::tests::two", "rate::tests::three"]"#,
                r#"2 rate::tests::one xs 3 3 3 3 [] ["rate::tests::one", "rate::tests::two", "rate::tests::three"]"#,
            ],
            &[],
        );
    }

    #[test]
    fn what_fits_nothing_is_told() {
        check(
            "proptest-regressions/rate.txt",
            "xs 2 2 2 2 # shrinks to a = 1, c = 2\n",
            &[],
            &[(
                1,
                "this seed fits no property of src/rate.rs: its values are named `a, c`; the property has changed or is gone",
            )],
        );
        check(
            "proptest-regressions/gone.txt",
            "\nxs 2 2 2 2\nxs 3 3 3 3\n",
            &[],
            &[(2, "new seeds, but no source file of this repository keeps its seeds here: is it the right one?")],
        );
    }

    #[test]
    fn a_file_is_known_by_its_content() {
        let tree = Files::new(FILES.iter().copied());
        let is_one = |name, text: &str| replays(&RunOutput::new(name, text.as_bytes()), &tree, &tree).is_some();
        assert!(is_one("seeds", "# note\n\nxs 1 2 3 4\n"));
        assert!(is_one("x.proptest-regressions", "<<<<<<< HEAD\nxs 1 2 3 4\n"));
        assert!(is_one("x.proptest-regressions", "# note\n"));
        assert!(is_one("src/rate.seeds", "<<<<<<< HEAD\nxs 1 2 3 4\n=======\nxs 1 2 3 5\n>>>>>>> night\n"));
        assert!(is_one("seeds", "\u{feff}# note\nxs 1 2 3 4\n"));
        assert!(is_one("seeds", "\u{feff}xs 1 2 3 4\n"));
        assert!(!is_one("x.rs", "<<<<<<< HEAD\n=======\n>>>>>>> night\n"));
        assert!(is_one("proptest-regressions/x.txt", "CC 00\n"));
        assert!(!is_one("proptest-regressions/README.md", "These are seeds.\n"));
        assert!(!is_one("x.proptest-regressions", "running 1 test\n"));
        assert!(!is_one("log", "running 1 test\nxs 1 2 3 4\n"));
        assert!(!is_one("log", "# note\n"));
        assert!(!is_one("empty", ""));
    }
}
