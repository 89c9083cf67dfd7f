//! Puts a pin that stands into another version of the repository: the input on record, or the code that makes it as it
//! stands, goes among the examples of the same property there, or its own test beside it.

use super::calls::{asserts, titled};
use super::find::{Found, find};
use super::place::{self, Way};
use super::probe::Reach;
use super::{NAME, own, pin};
use crate::failure::{Counterexample, Ending, Failure, ForeignPath, FrameworkName, Location, Origin, Replay, TestName};
use crate::framework::{Case, Graft};
use crate::pin::{Part, PartKind, Refusal, Rung};
use crate::proof::StandingPin;
use crate::source_tree::SourceTree;
use crate::span::Span;

/// What puts `standing`, as it stands in `from`, into `onto`.
///
/// # Errors
/// Where it does not stand, its input is not on record, or that version has no place for it.
pub(super) fn graft(standing: &StandingPin, from: &dyn SourceTree, onto: &dyn SourceTree) -> Result<Graft, Refusal> {
    let mut failure = failure(standing);
    let found = find(&failure, onto)?;
    if let (Some(line), Some(location)) = (line(&failure, from, &found), &mut failure.location) {
        location.line = line;
    }
    let edits = match &standing.test {
        Some(test) => own_test(&failure, test, from, &found, onto)?,
        None => example(standing, &failure, from, onto)?,
    };
    Ok(Graft { file: found.file.clone(), edits: vec![(found.file, edits)] })
}

/// The line of the property in `found`, where its test runs several: it is as many of them in as here.
fn line(failure: &Failure, from: &dyn SourceTree, found: &Found) -> Option<u32> {
    let here = find(failure, from).ok()?;
    let taker = here.taker(failure, from).ok()?;
    let own = asserts(&here.code, &here.all, &here.test);
    let place = own.iter().position(|one| one.call == taker.property.call)?;
    let there = asserts(&found.code, &found.all, &found.test);
    let call = there.get(place).filter(|_| there.len() == own.len())?.call;
    Some(found.code.line(found.code.calls[call].span.start))
}

/// The change that puts the test called `test` beside that of its property.
fn own_test(
    failure: &Failure,
    test: &TestName,
    from: &dyn SourceTree,
    found: &Found,
    onto: &dyn SourceTree,
) -> Result<crate::edit::Edits, Refusal> {
    let here = find(failure, from)?;
    let all = titled(&here.code);
    let missing = || Refusal(format!("{} has no test `{test}`", here.file));
    let standing = own::stands(&here.code, &all, test).ok_or_else(missing)?;
    let statement = here.code.whole_statement(here.code.calls[standing.call].span).ok_or_else(missing)?;
    let mut way = Way::to_test(found);
    way.imports = imports(&here, statement, found, onto)?;
    let text = here.code.at(statement).replace("\r\n", "\n");
    let part = Part { file: found.file.clone(), kind: PartKind::Test, modules: way.words(), text };
    own::place(test, &part, found.code.text.as_bytes())
}

/// The change that puts its example among those of the property.
fn example(
    standing: &StandingPin,
    failure: &Failure,
    from: &dyn SourceTree,
    onto: &dyn SourceTree,
) -> Result<crate::edit::Edits, Refusal> {
    if standing.counterexample.is_empty() {
        return Err(Refusal("all of its input is not on record; run it where it stands".to_owned()));
    }
    let case = Case { failure, requirement: None, tree: onto, today: "" };
    let planned = pin::pin(&case);
    if let Ok(part) = &planned
        && let Some(part) = part.parts.iter().find(|part| part.kind == PartKind::Example)
    {
        return place::place(part, &onto.read(&part.file).unwrap_or_else(|| b""[..].into()));
    }
    // It is made by code, which stands in the pin alone.
    let here = find(failure, from)?;
    let taker = here.taker(failure, from)?;
    let Some(span) = pin::standing(failure, &here, &taker) else {
        return Err(planned.err().unwrap_or_else(|| Refusal(format!("no example in {} is a pin of it", here.file))));
    };
    let found = find(failure, onto)?;
    let taker = found.taker(failure, onto)?;
    let needed = imports(&here, span, &found, onto)?;
    let expression = here.code.at(span).to_owned();
    let pin = pin::with_example(&case, found, &taker, expression, Rung::Constructed, needed)?;
    let part = pin.parts.first().ok_or_else(|| Refusal("that version has no place for it".to_owned()))?;
    place::place(part, &onto.read(&part.file).unwrap_or_else(|| b""[..].into()))
}

/// What the file of `found` has to import for the code at `span` of `here`.
fn imports(here: &Found, span: Span, found: &Found, onto: &dyn SourceTree) -> Result<Vec<String>, Refusal> {
    let mut reach = Reach::of(&found.file, &found.code, onto);
    let names = here.code.free_names(span);
    let imported = here.code.imported();
    let names = names.iter().filter(|name| imported.iter().any(|(local, ..)| local == *name));
    reach.brings(&here.file, &here.code, names.map(String::as_str)).map_err(Refusal)?;
    Ok(reach.imports)
}

/// The failure that `standing` pins, as far as it is on record.
pub(super) fn failure(standing: &StandingPin) -> Failure {
    let place = |file: &crate::repo_path::RepoPath| Location {
        file: ForeignPath(file.as_str().to_owned()),
        line: 1,
        column: None,
    };
    Failure {
        framework: FrameworkName(NAME.to_owned()),
        test: standing.property.clone(),
        package: standing.package.clone(),
        binary: None,
        location: standing.file.as_ref().map(place),
        site: None,
        panicked: false,
        ending: Ending::Falsified,
        message: standing.message.clone(),
        error: None,
        own_message: None,
        generated: Vec::new(),
        counterexample: Counterexample { text: standing.counterexample.clone(), arguments: Vec::new() },
        replay: Replay::None,
        caveats: Vec::new(),
        origin: Origin { run: String::new(), line: 1 },
    }
}
