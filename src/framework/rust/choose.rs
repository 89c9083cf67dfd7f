//! Which of a file's properties a test's name means: by modules and name; where those leave a choice, by what else the run
//! shows.

use memchr::memchr_iter;

use crate::failure::{Failure, TestName};
use crate::language::rust::code::unraw;
use crate::language::rust::property::PropertyFn;

/// What a run shows besides a test's name, by which two properties of one test function are told apart.
#[derive(Default)]
pub(crate) struct Hints<'a> {
    /// The names of the arguments.
    arguments: Vec<&'a str>,
    /// Places in the file.
    lines: Vec<u32>,
}

impl<'a> Hints<'a> {
    /// What the run shows of `failure`.
    pub(crate) fn of(failure: &'a Failure) -> Self {
        let arguments = failure.counterexample.arguments.iter().map(|argument| argument.name.as_str());
        Hints { arguments: arguments.collect(), lines: lines(failure) }
    }

    /// Whether the parameters of `property` have the arguments' names.
    pub(crate) fn name(&self, property: &PropertyFn) -> bool {
        let plain = |pattern: &str| pattern.split_whitespace().collect::<String>().replace("r#", "");
        let parameters = property.parameters.iter().map(|parameter| plain(&parameter.pattern));
        parameters.eq(self.arguments.iter().map(|name| plain(name)))
    }
}

/// The property that `test` names among those of a file that stands for `file_modules`. Lines come last: they move with
/// every pin above.
pub(crate) fn choose<'p>(
    properties: impl IntoIterator<Item = &'p PropertyFn>,
    text: &str,
    file_modules: &[&str],
    test: &TestName,
    hints: &Hints<'_>,
) -> Option<PropertyFn> {
    let modules = plain_modules(test);
    let name = unraw(test.function());
    let fitting = |property: &&PropertyFn| property.name == name && ends_with(&modules, &property.modules);
    let mut fitting: Vec<&PropertyFn> = properties.into_iter().filter(fitting).collect();
    if let [only] = fitting[..] {
        return Some(only.clone());
    }
    // The last of equals is taken, and of two in one test function the first is meant unless a line says otherwise.
    fitting.reverse();
    let chosen = fitting.into_iter().max_by_key(|property| {
        let whole = file_modules.iter().copied().chain(property.modules.iter().map(String::as_str));
        let hits = hints.lines.iter().filter(|line| covers(text, property, **line)).count();
        (whole.eq(modules.iter().copied()), property.modules.len(), hints.name(property), hits)
    });
    chosen.cloned()
}

/// The modules of a test without the `r#` that its name has where a word of the language is one.
pub(crate) fn plain_modules(test: &TestName) -> Vec<&str> {
    test.modules().into_iter().map(unraw).collect()
}

/// Whether `modules` end as `end` does.
pub(crate) fn ends_with(modules: &[&str], end: &[String]) -> bool {
    modules.len() >= end.len() && modules.iter().rev().zip(end.iter().rev()).all(|(a, b)| a == b)
}

/// Whether a line lies in the statement that runs the property, or else in its item.
fn covers(text: &str, property: &PropertyFn, line: u32) -> bool {
    let span = property.call.map_or(property.item, |call| call.statement);
    (line_of(text, span.start)..=line_of(text, span.end)).contains(&line)
}

/// The lines of its own file that the run printed for a failure.
fn lines(failure: &Failure) -> Vec<u32> {
    let own = failure.location.as_ref().map(|location| &location.file);
    let site = failure.site.as_ref().filter(|site| Some(&site.file) == own);
    failure.location.iter().chain(site).map(|place| place.line).collect()
}

/// The line of the byte `at`, from 1.
pub(crate) fn line_of(text: &str, at: usize) -> u32 {
    u32::try_from(memchr_iter(b'\n', &text.as_bytes()[..at]).count() + 1).unwrap_or(u32::MAX)
}
