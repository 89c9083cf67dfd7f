//! Pins that are a copy of their property's test, with other options. One that no expression holds is run from the seed of
//! the run along the path of its shrinking: that reaches the very value, and only as long as the arbitraries stay as they
//! are. One whose property is bound to a path already, and runs no examples, has its input as the only example of a copy.

use super::calls::{Property, asserts, last_name};
use super::find::Found;
use super::own;
use super::pin::REMARK;
use super::place::comma_after;
use super::read::arguments;
use crate::failure::{Failure, Replay};
use crate::language::typescript::code::{Call, Code, Kind, MemberForm};
use crate::language::typescript::layout::indent;
use crate::language::typescript::printed::Pen;
use crate::pin::Refusal;
use crate::span::Span;

/// What is said of such a pin, in the file and to the user.
pub(super) const HOLDS: &str = "holds only while the arbitraries stay as they are";

/// Options that say of a run what such a test says itself.
const OWN: [&str; 5] = ["seed", "path", "endOnFailure", "numRuns", "skipAllAfterTimeLimit"];

/// Seed and path of a run.
struct Handle<'a> {
    seed: &'a str,
    path: &'a str,
    /// Whether the input at the end of the path is shrunk again.
    shrinks: bool,
}

impl<'a> Handle<'a> {
    fn of(failure: &'a Failure) -> Option<Handle<'a>> {
        let Replay::NewSeed { handle, .. } = &failure.replay else { return None };
        let (seed, rest) = handle.strip_prefix("seed: ")?.split_once(',')?;
        let path = rest.trim_start().strip_prefix("path: \"")?.split('"').next()?;
        let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        let is_seed = is_number(seed.strip_prefix('-').unwrap_or(seed));
        (is_seed && path.split(':').all(is_number)).then_some(Handle { seed, path, shrinks: false })
    }

    /// The way to the input before it was shrunk, which shrinking takes on from there: of what is drawn while a property
    /// runs, no step is known before it has run.
    fn before_shrinking(self) -> Handle<'a> {
        let first = self.path.split(':').next().unwrap_or_default();
        Handle { path: first, shrinks: true, ..self }
    }

    /// What replays the input at the end of `path`, as members of an object.
    fn said(&self, path: &str, quote: char) -> String {
        // Without steps of shrinking the library goes on with other inputs.
        let alone = if path.contains(':') { "" } else { ", numRuns: 1" };
        let ends = if self.shrinks { "" } else { ", endOnFailure: true" };
        format!("seed: {}, path: {quote}{path}{quote}{ends}{alone}", self.seed)
    }

    /// The path where `examples` that counted among its runs are gone; `None` where it starts at one of them.
    fn without(&self, examples: usize) -> Option<String> {
        let (first, rest) = self.path.split_once(':').map_or((self.path, ""), |(first, rest)| (first, rest));
        let first = first.parse::<usize>().ok()?.checked_sub(examples)?;
        Some(if rest.is_empty() { first.to_string() } else { format!("{first}:{rest}") })
    }
}

/// What replays `failure`, as members of an object; `None` where its run names no seed.
pub(super) fn parameters(failure: &Failure) -> Option<String> {
    Handle::of(failure).map(|handle| handle.said(handle.path, '\''))
}

/// The lines of a test that replays `failure`: a copy of that of `property`, `remark` in front.
///
/// # Errors
/// Why there can be none.
pub(super) fn text(failure: &Failure, found: &Found, property: &Property, remark: &str) -> Result<String, Refusal> {
    let handle = Handle::of(failure).ok_or_else(|| Refusal("the run names no seed to replay it from".to_owned()))?;
    let handle = if draws(&found.code, property) { handle.before_shrinking() } else { handle };
    let mut changes = options(&found.code, property, &handle);
    if let Some(path) = arguments::replay_path(&failure.counterexample.text) {
        changes.push(commands(&found.code, property, path)?);
    }
    let remarks = [remark, &format!("// Seed and path: it {HOLDS}.")];
    copied(failure, found, property, &remarks, changes)
}

/// The lines of a test whose only input is `example`: a copy of that of `property`, `remark` in front.
///
/// # Errors
/// Why there can be none.
pub(super) fn with_example(
    failure: &Failure,
    found: &Found,
    property: &Property,
    remark: &str,
    example: &str,
) -> Result<String, Refusal> {
    let said = format!("examples: [{example}], numRuns: 1, endOnFailure: true");
    let changes = replaced(&found.code, property, &["examples"], said);
    copied(failure, found, property, &[remark], changes)
}

/// Whether the options of `property` bind it to a path, so that no example runs.
pub(super) fn has_path(code: &Code, property: &Property) -> bool {
    let says =
        |options: Span| code.members(options).is_some_and(|members| members.iter().any(|member| member.name == "path"));
    let constant = |span: Span| match code.kind(span) {
        Kind::Name => code.constant(code.at(code.plain(span))),
        _ => None,
    };
    let Some(&options) = code.calls[property.call].arguments.get(property.options) else { return false };
    let spread = code.members(options).unwrap_or_default();
    let spread = spread.iter().filter(|member| member.form == MemberForm::Spread).map(|member| member.value);
    says(options) || spread.chain([options]).filter_map(constant).any(says)
}

/// A copy of the test of `property` with `changes` in it, `remarks` in front.
fn copied(
    failure: &Failure,
    found: &Found,
    property: &Property,
    remarks: &[&str],
    mut changes: Vec<(Span, String)>,
) -> Result<String, Refusal> {
    let code = &found.code;
    if own::is_of_table(code, &found.test) {
        return Err(Refusal("its test is one of a table, of which no copy runs one row alone".to_owned()));
    }
    let statement = code.whole_statement(found.span());
    let title = code.calls[found.test.call].arguments.first();
    let title = title.and_then(|title| Some((*title, own::title(code, *title, &own::mark(failure))?)));
    let (Some(statement), Some(title)) = (statement, title) else {
        return Err(Refusal(
            "its title is only known when the code runs, so that no copy of it can be named".to_owned(),
        ));
    };
    changes.push(title);
    changes.extend(others(found, property));
    let copy = own::changed(code, statement, changes);
    let indent = indent(&code.text, statement.start);
    let remarks: String = remarks.iter().map(|remark| format!("{remark}\n{indent}")).collect();
    Ok(format!("{remarks}{copy}"))
}

/// Whether the property draws values while it runs.
fn draws(code: &Code, property: &Property) -> bool {
    let within =
        |call: &Call| property.arbitraries.iter().any(|at| at.start <= call.span.start && call.span.end <= at.end);
    code.calls.iter().any(|call| within(call) && last_name(code.at(call.callee)) == "gen")
}

/// The options of the copy.
fn options(code: &Code, property: &Property, handle: &Handle<'_>) -> Vec<(Span, String)> {
    let quote = Pen::of(&code.text).quote;
    let options = code.calls[property.call].arguments.get(property.options);
    let Some(members) = options.and_then(|options| code.members(*options)) else {
        return replaced(code, property, &[], handle.said(handle.path, quote));
    };
    let examples = members.iter().find(|member| member.name == "examples");
    let elements = examples.and_then(|member| code.elements(member.value));
    let is_spread = |element: &Span| code.at(*element).starts_with("...");
    let count = match (examples, &elements) {
        (None, _) => Some(0),
        (Some(_), Some(elements)) if !elements.iter().any(is_spread) => Some(elements.len()),
        _ => None,
    };
    let has_spread = members.iter().any(|member| member.form == MemberForm::Spread);
    // Pins may have come since the run, which then did not have them.
    let is_pin = |element: &Span| code.comments_before(*element).first().is_some_and(|text| text.starts_with(REMARK));
    let since = || elements.as_ref().filter(|all| all.iter().all(is_pin)).and_then(|_| handle.without(0));
    let shifted = count.filter(|_| !has_spread).and_then(|count| handle.without(count).or_else(since));
    let besides: &[&str] = if shifted.is_some() { &["examples"] } else { &[] };
    replaced(code, property, besides, handle.said(shifted.as_deref().unwrap_or(handle.path), quote))
}

/// The options of `property` with `said` in the place of what it says otherwise, and without the members `besides`.
fn replaced(code: &Code, property: &Property, besides: &[&str], said: String) -> Vec<(Span, String)> {
    let call = &code.calls[property.call];
    let Some(&options) = call.arguments.get(property.options) else {
        let Some(last) = call.arguments.last() else { return Vec::new() };
        let comma = comma_after(code, last.end, call.parentheses.end);
        let front = &code.text[..last.start];
        let own_line = front.trim_end_matches([' ', '\t']).ends_with('\n');
        let between = if own_line { format!("\n{}", indent(&code.text, last.start)) } else { " ".to_owned() };
        return vec![match comma {
            Some(comma) => (Span::at(comma + 1), format!("{between}{{ {said} }},")),
            None => (Span::at(last.end), format!(",{between}{{ {said} }}")),
        }];
    };
    let Some(members) = code.members(options) else {
        return vec![(options, format!("{{ ...{}, {said} }}", code.at(options)))];
    };
    let is_kept = |name: &str| !OWN.contains(&name) && !besides.contains(&name);
    let kept = members.iter().filter(|member| is_kept(&member.name)).map(|member| code.at(member.span).to_owned());
    let all: Vec<String> = kept.chain([said]).collect();
    vec![(code.plain(options), format!("{{ {} }}", all.join(", ")))]
}

/// The call of `fc.commands` with what replays its commands.
fn commands(code: &Code, property: &Property, path: &str) -> Result<(Span, String), Refusal> {
    let quote = Pen::of(&code.text).quote;
    let is_commands = |span: Span| {
        let span = code.plain(span);
        let call = code.calls.iter().find(|call| call.span == span)?;
        ["commands", "asyncCommands"].contains(&last_name(code.at(call.callee))).then_some(call)
    };
    let named =
        |span: Span| (code.kind(span) == Kind::Name).then(|| code.constant(code.at(code.plain(span)))).flatten();
    let found: Vec<(Span, &Call)> = property
        .arbitraries
        .iter()
        .filter_map(|span| Some((*span, is_commands(*span).or_else(|| is_commands(named(*span)?))?)))
        .collect();
    let [(place, call)] = found.as_slice() else {
        return Err(Refusal("the call of `fc.commands` that `replayPath` goes into is not to be told".to_owned()));
    };
    let said = format!("replayPath: {quote}{path}{quote}");
    let change = match call.arguments.as_slice() {
        [first] => (Span::at(first.end), format!(", {{ {said} }}")),
        [_, options] => match code.members(*options) {
            Some(members) => {
                let kept = members.iter().filter(|member| member.name != "replayPath");
                let all: Vec<String> = kept.map(|member| code.at(member.span).to_owned()).chain([said]).collect();
                (*options, format!("{{ {} }}", all.join(", ")))
            }
            None => (*options, format!("{{ ...{}, {said} }}", code.at(*options))),
        },
        _ => return Err(Refusal("the call of `fc.commands` has no commands".to_owned())),
    };
    Ok((*place, own::changed(code, call.span, vec![change])))
}

/// The other properties that the test runs, which the copy leaves out.
fn others(found: &Found, property: &Property) -> Vec<(Span, String)> {
    let code = &found.code;
    let all = asserts(code, &found.all, &found.test);
    let others = all.iter().filter(|one| one.call != property.call);
    let statement = |one: &Property| {
        let span = code.whole_statement(code.calls[one.call].span)?;
        let text = code.at(span);
        let call = code.at(code.calls[one.call].span);
        let is_all = text.trim_start_matches("await ").trim_end_matches(';') == call;
        let front = code.text[..span.start].trim_end_matches([' ', '\t']);
        is_all.then(|| (Span::new(front.strip_suffix('\n').map_or(span.start, str::len), span.end), String::new()))
    };
    others.filter_map(statement).collect()
}
