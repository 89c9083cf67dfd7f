//! The property of a failure, found in the repository: its file by the place that the run printed, else by the modules in
//! its name; in the file by modules and name, lines only where those leave a choice, as the file may have changed since.

use std::sync::Arc;

use super::remembered::of_file;
use super::unfold::{Unfolded, Wanted, unfolded};
use crate::failure::{Failure, Location, TestName};
use crate::framework::pin_name::{is_pin, property_of};
use crate::framework::rust::choose::{Hints, line_of};
use crate::framework::rust::file::source;
use crate::language::rust::package::{Package, file_modules, package_of};
use crate::language::rust::property::{Form, PropertyFn};
use crate::locate;
use crate::pin::Refusal;
use crate::property::Property;
use crate::repo_path::RepoPath;
use crate::source_tree::SourceTree;

/// A property as it stands in the repository.
pub(crate) struct Found {
    /// Its file.
    pub(crate) file: RepoPath,
    /// The file's package.
    pub(crate) package: Package,
    /// The file's text.
    pub(crate) text: Arc<str>,
    /// The property; where code of the file makes it or runs it, that code.
    pub(crate) function: PropertyFn,
    /// For such code, what it comes to.
    pub(crate) unfolded: Option<Unfolded>,
}

/// The property that failed.
///
/// # Errors
/// Where no file of the repository has it, or the file that should cannot be read as Rust.
pub(crate) fn find(failure: &Failure, tree: &dyn SourceTree) -> Result<Found, Refusal> {
    named(failure, tree).or_else(|refusal| case(failure, tree).ok_or(refusal))
}

/// The function with parameters whose module of cases holds the test, as the macros make it that give a test arguments.
fn case(failure: &Failure, tree: &dyn SourceTree) -> Option<Found> {
    let around = failure.test.modules().join("::");
    let found = named(&Failure { test: TestName(around), ..failure.clone() }, tree).ok()?;
    let runs_inside = matches!(found.function.form, Form::Closure | Form::Runner | Form::NamedRunner);
    (runs_inside && found.function.call.is_none() && found.unfolded.is_none()).then_some(found)
}

fn named(failure: &Failure, tree: &dyn SourceTree) -> Result<Found, Refusal> {
    let (file, bytes) = source(failure, tree)?;
    let package = package_of(&file, tree);
    let (text, outline) = of_file(&file, &bytes, tree)?;
    let modules = file_modules(&file, &package);
    let wanted = Wanted { file_modules: &modules, test: &failure.test, hints: &Hints::of(failure) };
    let known =
        if is_pin(failure.test.function()) { wanted.pin(&outline, &text) } else { wanted.property(&outline, &text) };
    if let Some(function) = known {
        return Ok(Found { text, file, package, function, unfolded: None });
    }
    match unfolded(&text, &outline, &wanted) {
        Ok((function, unfolded)) => Ok(Found { text, file, package, function, unfolded: Some(unfolded) }),
        Err(why) => {
            let name = failure.test.function();
            Err(Refusal(format!("{file} has no property `{name}` of a known form ({why}); pin it by hand")))
        }
    }
}

/// Whether the test of `failure` is the pin of a property that is here.
pub(super) fn has_pin(failure: &Failure, tree: &dyn SourceTree) -> bool {
    property_of(&failure.test).is_some_and(|test| find(&Failure { test, ..failure.clone() }, tree).is_ok())
}

impl Found {
    /// The property as a pin takes it, with the text that its spans are of.
    pub(crate) fn to_pin(&self) -> (&PropertyFn, &str) {
        match &self.unfolded {
            Some(unfolded) => (&unfolded.function, &unfolded.text),
            None => (&self.function, &self.text),
        }
    }

    /// The line of the failure's site as the run told it, where it lies in the property itself.
    pub(crate) fn site_line(&self, failure: &Failure) -> Option<u32> {
        let site = failure.site.as_ref()?;
        let span = self.function.span;
        let own = self.line_of(span.start)..=self.line_of(span.end);
        (own.contains(&site.line) && self.is_in_its_file(site)).then_some(site.line)
    }

    /// Whether a place that the run printed is in the property's file.
    pub(super) fn is_in_its_file(&self, place: &Location) -> bool {
        locate::means(&place.file, &self.file)
    }

    /// The line of the byte `at` of the file, from 1.
    pub(super) fn line_of(&self, at: usize) -> u32 {
        line_of(&self.text, at)
    }
}

/// What the screen shows of it.
pub(crate) fn shown(found: Found) -> Property {
    let Found { file, package, text, function, unfolded } = found;
    let of_test = unfolded.map_or_else(Vec::new, |unfolded| unfolded.function.docs);
    let names = function.modules.iter().rev().cloned();
    Property {
        line: function.line,
        span: function.span,
        first_line: line_of(&text, function.span.start),
        text: text[function.span.range()].to_owned(),
        citations: of_test.into_iter().chain(function.docs.iter().cloned()).chain(names).collect(),
        package_folder: package.folder,
        package: package.name,
        own_message: None,
        file,
    }
}

#[cfg(test)]
mod tests {
    use super::{find, has_pin, shown};
    use crate::failure::{
        Argument, Counterexample, Ending, Failure, ForeignPath, FrameworkName, Location, Origin, PackageName, Replay,
        TestName,
    };
    use crate::framework::proptest::failing;
    use crate::framework::rust::file::package;
    use crate::source_tree::testing::Files;

    const FILES: &[(&str, &str)] = &[
        ("Cargo.toml", "[workspace]\n"),
        ("a/Cargo.toml", "[package]\nname = \"a\"\n"),
        (
            "a/src/lib.rs",
            "proptest! {\n#[test] fn f(x: u8) { one }\n}\nmod t {\nproptest! {\n#[test] fn f(x: u8) { two }\n}\n}\n",
        ),
        ("a/src/t.rs", "// BILL-1\nmod t { proptest! {\n/// BILL-4\n#[test] fn f(x: u8) {\n three!()\n}\n} }\n"),
        (
            "a/src/odd.rs",
            "#[test] fn c() {\nproptest!(|(x in 0..1)| four());\nproptest!(|(x in 0..1)| five());\n}\nfn broken() {}\n#[test] fn d() {\nproptest!(|(y in 0..1)| eight());\nproptest!(|(z in 0..1)| nine());\n}\n",
        ),
        ("a/src/raw.rs", "mod r#type { proptest! {\n#[test] fn r#match(x: u8) { seven }\n} }\n"),
        ("b/Cargo.toml", "[package]\nname = \"b-two\"\n"),
        ("b/src/lib.rs", "proptest! {\n#[test] fn f(x: u8) { six }\n}\n"),
        ("b/src/bad.rs", "fn g() { \"\n"),
    ];

    fn failure(package: &str, test: &str, file: &str, line: u32, site: Option<u32>) -> Failure {
        let place = |line| Location { file: ForeignPath(file.to_owned()), line, column: None };
        Failure {
            framework: FrameworkName("proptest".to_owned()),
            test: TestName(test.to_owned()),
            package: (!package.is_empty()).then(|| PackageName(package.to_owned())),
            binary: None,
            location: (!file.is_empty()).then(|| place(line)),
            site: site.map(place),
            panicked: false,
            ending: Ending::Falsified,
            error: None,
            message: String::new(),
            counterexample: Counterexample::default(),
            replay: Replay::None,
            own_message: None,
            generated: Vec::new(),
            caveats: Vec::new(),
            origin: Origin { run: "log".to_owned(), line: 1 },
        }
    }

    /// `expected` is the file and the body, or the refusal.
    #[track_caller]
    fn check(failure: &Failure, expected: &str) {
        let told = match find(failure, &Files::new(FILES.iter().copied())) {
            Ok(found) => format!("{} {}", found.file, found.text[found.function.body.range()].trim()),
            Err(refusal) => refusal.0,
        };
        assert_eq!(told, expected);
    }

    #[test]
    fn the_file_is_the_one_the_run_names_in_the_package_it_names() {
        check(&failure("a", "f", "src/lib.rs", 1, None), "a/src/lib.rs one");
        check(&failure("b_two", "f", "src/lib.rs", 1, None), "b/src/lib.rs six");
        check(&failure("", "f", "/home/runner/work/x/x/b/src/lib.rs", 1, None), "b/src/lib.rs six");
    }

    #[test]
    fn a_package_is_told_by_the_file_also_where_the_property_is_not_in_it() {
        let tree = Files::new(FILES.iter().copied());
        let check = |file: &str, expected: Option<&str>| {
            assert_eq!(package(&failure("", "not_there", file, 1, None), &tree).as_deref(), expected, "{file}");
        };
        check("b/src/lib.rs", Some("b-two"));
        check("/home/runner/work/x/x/b/src/lib.rs", Some("b-two"));
        check("b/src/nowhere.rs", None);
        check("", None);
    }

    #[test]
    fn without_a_place_the_file_is_told_by_the_modules() {
        check(&failure("a", "f", "", 0, None), "a/src/lib.rs one");
        check(&failure("a", "t::t::f", "", 0, None), "a/src/t.rs three!()");
    }

    #[test]
    fn of_one_name_the_modules_choose_whatever_the_line_says() {
        check(&failure("a", "t::f", "a/src/lib.rs", 1, None), "a/src/lib.rs two");
        check(&failure("a", "f", "a/src/lib.rs", 5, None), "a/src/lib.rs one");
        check(&failure("a", "t::t::f", "a/src/t.rs", 90, None), "a/src/t.rs three!()");
    }

    #[test]
    fn names_that_are_words_of_the_language_are_found() {
        check(&failure("a", "raw::r#type::r#match", "a/src/raw.rs", 1, None), "a/src/raw.rs seven");
        check(&failure("a", "raw::r#type::r#match", "", 0, None), "a/src/raw.rs seven");
    }

    #[test]
    fn of_two_in_one_test_function_the_line_chooses() {
        check(&failure("a", "odd::c", "a/src/odd.rs", 3, None), "a/src/odd.rs five()");
        check(&failure("a", "odd::c", "a/src/odd.rs", 99, None), "a/src/odd.rs four()");
    }

    #[test]
    fn of_two_in_one_test_function_names_choose_before_lines_that_may_have_moved() {
        let mut failure = failure("a", "odd::d", "a/src/odd.rs", 7, None);
        failure.counterexample.arguments = vec![Argument { name: "z".to_owned(), text: "1".to_owned() }];
        check(&failure, "a/src/odd.rs nine()");
    }

    #[test]
    fn what_is_not_there_is_refused_with_what_to_do() {
        check(
            &failure("a", "h", "src/gone.rs", 1, None),
            "no file of this repository has the property `h` (the run names src/gone.rs); check out the code that failed",
        );
        check(
            &failure("a", "odd::broken", "a/src/odd.rs", 5, None),
            "a/src/odd.rs has no property `broken` of a known form (it does not run one itself, nor by a call of a function beside it); pin it by hand",
        );
        check(
            &failure("", "bad::g", "b/src/bad.rs", 1, None),
            "b/src/bad.rs cannot be read as Rust, line 1: expected Rust, found a quote, comment or bracket without its other end; mend it first",
        );
    }

    #[test]
    fn a_pin_is_of_the_framework_whose_property_has_its_name() {
        let text = "proptest! {\n#[test] fn one(x: u8) {}\n}\n#[other] fn two(x: u8) -> bool { x < 3 }\nother! { fn three(x: u8) {} }\n#[test] fn one_pin_0123456() {}\n";
        let tree = Files::new([("Cargo.toml", "[package]\nname = \"a\"\n"), ("src/lib.rs", text)]);
        let check = |test: &str, expected: bool| {
            assert_eq!(has_pin(&failure("", test, "src/lib.rs", 6, None), &tree), expected, "{test}");
        };
        check("one_pin_0123456", true);
        check("one", false);
        check("two_pin_0123456", false);
        check("three_pin_0123456", false);
        check("four_pin_0123456", false);
    }

    #[test]
    fn the_screen_gets_its_text_and_the_line_that_failed() {
        let tree = Files::new(FILES.iter().copied());
        let mut failure = failure("a", "t::t::f", "a/src/t.rs", 2, Some(5));
        let property = shown(find(&failure, &tree).unwrap());
        let failing_line = |failure: &Failure| failing::line(&find(failure, &tree).unwrap(), failure);
        assert_eq!(property.text, "/// BILL-4\n#[test] fn f(x: u8) {\n three!()\n}");
        assert_eq!((property.first_line, property.line, failing_line(&failure)), (3, 4, Some(5)));
        assert_eq!((property.package_folder.as_str(), property.package.as_deref()), ("a", Some("a")));
        assert_eq!(property.citations, ["BILL-4", "BILL-1", "t"]);
        failure.site.as_mut().unwrap().file = ForeignPath("a/src/lib.rs".to_owned());
        assert_eq!(failing_line(&failure), None);
    }
}
