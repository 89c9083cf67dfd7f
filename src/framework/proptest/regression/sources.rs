//! The source files whose properties keep their seeds in a given regression file, and which of those properties a line's
//! value fits.

use std::collections::HashSet;
use std::path::Path;

use crate::failure::{Argument, ForeignPath, TestName};
use crate::framework::proptest::find::properties;
use crate::language::rust::package::{Package, file_modules, package_of};
use crate::language::rust::property::{Form, PropertyFn};
use crate::locate;
use crate::repo_path::RepoPath;
use crate::source_tree::SourceTree;

use super::setting::{SETS, Setting, of_item, written};

/// A source file, with the regression file of its properties.
pub(super) struct Source {
    /// Its path.
    pub(super) file: RepoPath,
    /// The package it belongs to.
    pub(super) package: Package,
    /// Where its properties keep their seeds.
    pub(super) seeds: RepoPath,
    /// The properties that keep them there; all of the file, where none says so.
    pub(super) properties: Vec<PropertyFn>,
}

impl Source {
    /// The full name of one of its properties.
    pub(super) fn test_name(&self, property: &PropertyFn) -> TestName {
        let modules = file_modules(&self.file, &self.package).into_iter();
        let inner = property.modules.iter().chain([&property.name]).map(String::as_str);
        TestName(modules.chain(inner).collect::<Vec<_>>().join("::"))
    }
}

/// The source files for the regression file at `path`, a path of this or another machine: those whose own regression
/// file shares the longest end with it.
pub(super) fn sources_of(path: &ForeignPath, tree: &dyn SourceTree) -> Vec<Source> {
    let parts = locate::parts(path);
    let Some(name) = parts.last() else { return Vec::new() };
    let stem = Path::new(name).file_stem();
    let is_beside = |file: &str| file.ends_with(".rs") && Path::new(file).file_stem() == stem;
    // Files that git tracks are listed quickly.
    let mut found = agreeing(&tree.tracked(&is_beside), &parts, tree);
    if found.is_empty() {
        found = agreeing(&tree.find(&is_beside), &parts, tree);
    }
    if found.is_empty() {
        found = agreeing(&setting(tree), &parts, tree);
    }
    let best = found.iter().map(|(shared, _)| *shared).max();
    found.into_iter().filter(|(shared, _)| Some(*shared) == best).map(|(_, source)| source).collect()
}

/// The regression files that sources set themselves, whether they are there or not.
pub(super) fn set_files(tree: &dyn SourceTree) -> HashSet<RepoPath> {
    let set = |source: &RepoPath| {
        let bytes = tree.read(source)?;
        let settings = written(str::from_utf8(&bytes).ok()?).into_iter();
        Some(settings.filter_map(|(_, setting)| setting.file(source, tree)).collect::<Vec<_>>())
    };
    setting(tree).iter().filter_map(set).flatten().collect()
}

/// The sources that may set their regression files themselves.
fn setting(tree: &dyn SourceTree) -> Vec<RepoPath> {
    tree.holding(".rs", &SETS)
}

/// Of `files` those that have a regression file with an end in common with `parts`, and how many parts that is.
fn agreeing(files: &[RepoPath], parts: &[&str], tree: &dyn SourceTree) -> Vec<(usize, Source)> {
    let agreeing = |file: &RepoPath| {
        let bytes = tree.read(file)?;
        let text = str::from_utf8(&bytes).ok()?;
        let written = written(text);
        let settings = written.iter().map(|(_, setting)| setting.clone()).chain([Setting::default()]);
        let places = settings.filter_map(|setting| setting.file(file, tree));
        let (shared, seeds) = places.map(|seeds| (locate::shared_end(parts, &seeds), seeds)).max_by_key(|(n, _)| *n)?;
        let properties = if shared > 0 { properties(text).ok()? } else { return None };
        let own =
            |property: &PropertyFn| of_item(&written, text, property.item).file(file, tree).as_ref() == Some(&seeds);
        let properties =
            if properties.iter().any(own) { properties.into_iter().filter(own).collect() } else { properties };
        Some((shared, Source { file: file.clone(), package: package_of(file, tree), seeds, properties }))
    };
    files.iter().filter_map(agreeing).collect()
}

/// Whether a value that was persisted with `arguments` can be one of `property`: by the names of its parameters, or by
/// the struct into which an attribute macro puts them.
pub(super) fn fits(property: &PropertyFn, arguments: &[Argument]) -> bool {
    match (property.form, arguments) {
        (Form::PropertyTest, [all]) => is_called(&all.name, &format!("{}args", property.name)),
        (Form::TestStrategy, [all]) => {
            let name = all.text.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default();
            all.name == "input" && is_called(name, &format!("{}args", property.name))
        }
        (Form::Runner | Form::NamedRunner, [all]) => all.name.is_empty(),
        (Form::Runner | Form::NamedRunner | Form::Pin | Form::PropertyTest | Form::TestStrategy, _) => false,
        (Form::Block | Form::Closure | Form::StateMachine, _) => {
            let written = property.parameters.iter().map(|parameter| squeezed(&parameter.pattern));
            written.eq(arguments.iter().map(|argument| squeezed(&argument.name)))
        }
    }
}

/// Whether two names differ in case and underscores only.
fn is_called(name: &str, expected: &str) -> bool {
    name.replace('_', "").eq_ignore_ascii_case(&expected.replace('_', ""))
}

/// A pattern without the white space that the compiler and people set differently.
fn squeezed(pattern: &str) -> String {
    pattern.split_whitespace().collect::<Vec<_>>().concat().replace(",)", ")")
}

#[cfg(test)]
mod tests {
    use super::{fits, set_files, sources_of};
    use crate::failure::ForeignPath;
    use crate::framework::proptest::find::properties;
    use crate::framework::proptest::read::split;
    use crate::source_tree::testing::Files;

    const FILES: &[(&str, &str)] = &[
        ("Cargo.toml", "[workspace]\n"),
        ("core/Cargo.toml", "[package]\nname = \"core\"\n"),
        ("core/src/lib.rs", ""),
        ("core/src/rate.rs", "mod t { proptest! { fn f(x in 0..1) {} } }"),
        (
            "core/src/own.rs",
            "proptest! { fn a(x in 0..1) {} }\nproptest! { #![proptest_config(FileFailurePersistence::WithSource(\"seeds\"))] fn b(x in 0..1) {} }",
        ),
        ("core/src/set.rs", "const P: P = FileFailurePersistence::Direct(\"all/kept.txt\");"),
        ("core/tests/week.rs", "proptest! { fn g(x in 0..1) {} }"),
        ("gate/Cargo.toml", "[package]\nname = \"gate\"\n"),
        ("gate/src/main.rs", ""),
        ("gate/src/rate.rs", "proptest! { fn f(x in 0..1) {} }"),
    ];

    #[test]
    fn files_that_sources_set_are_known_by_their_text() {
        let mut set: Vec<String> =
            set_files(&Files::new(FILES.iter().copied())).iter().map(ToString::to_string).collect();
        set.sort();
        assert_eq!(set, ["core/all/kept.txt", "core/src/own.seeds"]);
    }

    #[track_caller]
    fn check(path: &str, expected: &[&str]) {
        let sources = sources_of(&ForeignPath(path.to_owned()), &Files::new(FILES.iter().copied()));
        let told = sources.iter().map(|source| {
            let names = source.properties.iter().map(|property| format!(" {}", source.test_name(property)));
            format!("{} -> {}{}", source.file, source.seeds, names.collect::<String>())
        });
        assert_eq!(told.collect::<Vec<_>>(), expected, "{path}");
    }

    #[test]
    fn the_source_is_the_one_whose_seeds_lie_there() {
        let core = "core/src/rate.rs -> core/proptest-regressions/rate.txt rate::t::f";
        let gate = "gate/src/rate.rs -> gate/proptest-regressions/rate.txt rate::f";
        check("core/proptest-regressions/rate.txt", &[core]);
        check("night/p/gate/proptest-regressions/rate.txt", &[gate]);
        check("night/proptest-regressions/rate.txt", &[core, gate]);
        check("rate.txt", &[core, gate]);
        check("x/week.proptest-regressions", &["core/tests/week.rs -> core/tests/week.proptest-regressions g"]);
        check("core/src/own.seeds", &["core/src/own.rs -> core/src/own.seeds own::b"]);
        check("core/own.txt", &["core/src/own.rs -> core/proptest-regressions/own.txt own::a"]);
        check("core/all/kept.txt", &["core/src/set.rs -> core/all/kept.txt"]);
        check("core/proptest-regressions/gone.txt", &[]);
        check("", &[]);
    }

    #[track_caller]
    fn check_fit(source: &str, value: &str, expected: bool) {
        let property = properties(source).unwrap().remove(0);
        assert_eq!(fits(&property, &split(value)), expected, "{source} {value}");
    }

    #[test]
    fn a_value_fits_by_the_names_of_the_parameters() {
        let block = "proptest! { #[test] fn f(mut v in s(), (a,b) in t()) {} }";
        check_fit(block, "mut v = [0], (a, b) = (1, 2)", true);
        check_fit(block, "mut v = [0]", false);
        check_fit(block, "(a, b) = (1, 2), mut v = [0]", false);
        check_fit("#[test] fn f() { proptest!(|(x: u8)| {}); }", "x = 0", true);
        check_fit("#[test] fn f() { runner.run(&s, |x| Ok(())).unwrap(); }", "(50, \"\")", true);
        check_fit("#[test] fn f() { runner.run(&s, |x| Ok(())).unwrap(); }", "x = 0", false);
    }

    #[test]
    fn a_value_of_an_attribute_macro_fits_by_the_name_of_its_struct() {
        check_fit("#[property_test] fn a_b(x: u8) {}", "ABArgs = ABArgs { x: 0 }", true);
        check_fit("#[property_test] fn a_c(x: u8) {}", "ABArgs = ABArgs { x: 0 }", false);
        check_fit("#[proptest] fn means_round(x: u8) {}", "input = _MeansRoundArgs { x: 0 }", true);
        check_fit("#[proptest] fn means_rise(x: u8) {}", "input = _MeansRoundArgs { x: 0 }", false);
    }
}
