//! The calls of a file that hand a property to fast-check, and the tests around them: `test.prop(…)(title, fn)`, also as a
//! record, `testProp(title, …)`, and `fc.assert(fc.property(…))` inside a test.

use super::read::BETWEEN;
use super::twins;
use crate::language::typescript::code::{Call, Code, Kind};
use crate::language::typescript::text::{Piece, may_be};
use crate::span::Span;

/// A call that takes the options of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Property {
    /// Its place among the file's calls.
    pub(super) call: usize,
    /// Which of its arguments holds the options.
    pub(super) options: usize,
    /// Whether an example is a record, and no list of arguments.
    pub(super) is_record: bool,
    /// The arbitraries, where they can be told.
    pub(super) arbitraries: Vec<Span>,
}

/// A call with a title: a test or a suite.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Titled {
    /// Its place among the file's calls.
    pub(super) call: usize,
    /// Its own title and those of the suites around it, outermost first.
    pub(super) titles: Vec<Vec<Piece>>,
    /// The same as written.
    pub(super) written: Vec<String>,
    /// The property that it is itself.
    pub(super) own: Option<Property>,
}

/// How well a test's title fits a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Fit {
    /// The title alone.
    Title,
    /// All titles, without signs between them.
    Joined,
    /// All titles, suites apart.
    Whole,
}

/// The tests and suites of a file.
pub(super) fn titled(code: &Code) -> Vec<Titled> {
    let mut found: Vec<Titled> = Vec::new();
    for (at, call) in code.calls.iter().enumerate() {
        let Some((title, own)) = title(code, call) else { continue };
        let mut around = call.around;
        let mut titles = Vec::new();
        let mut written = Vec::new();
        while let Some(outer) = around {
            if let Some(outer) = found.iter().find(|one| one.call == outer) {
                titles.clone_from(&outer.titles);
                written.clone_from(&outer.written);
                break;
            }
            around = code.calls[outer].around;
        }
        titles.push(pieces(code, call, title));
        written.push(code.at(title).to_owned());
        found.push(Titled { call: at, titles, written, own });
    }
    found
}

/// Those of `all` that a run may call `name`, as far as titles tell it: only the one of them whose place the name tells.
pub(super) fn named<'a>(all: &'a [Titled], name: &str) -> Vec<&'a Titled> {
    let (_, found) = titled_as(all, name);
    match twins::parted(name).filter(|_| found.is_empty()) {
        Some((title, place)) => sharing(all, title).get(place).copied().into_iter().collect(),
        None => found,
    }
}

/// Those of `all` that have the whole title `title`, where they are several.
pub(super) fn sharing<'a>(all: &'a [Titled], title: &str) -> Vec<&'a Titled> {
    let (fit, found) = titled_as(all, title);
    if found.len() < 2 || fit == Some(Fit::Title) { Vec::new() } else { found }
}

/// What a run calls the test `name` of a file with the tests `all`, which may name it by its place among others.
pub(super) fn called<'n>(all: &[Titled], name: &'n str) -> &'n str {
    let is_known = !titled_as(all, name).1.is_empty();
    let parted = twins::parted(name).filter(|(title, place)| !is_known && sharing(all, title).len() > *place);
    parted.map_or(name, |(title, _)| title)
}

/// Those of `all` whose titles fit `name` best, and how well they do.
fn titled_as<'a>(all: &'a [Titled], name: &str) -> (Option<Fit>, Vec<&'a Titled>) {
    let fits: Vec<(Fit, &Titled)> = all.iter().filter_map(|one| Some((fit(one, name)?, one))).collect();
    let best = fits.iter().map(|(fit, _)| *fit).max();
    (best, fits.into_iter().filter(|(fit, _)| Some(*fit) == best).map(|(_, one)| one).collect())
}

fn fit(one: &Titled, name: &str) -> Option<Fit> {
    let joined = |titles: &[Vec<Piece>], between: &str| {
        let mut whole = Vec::new();
        for (at, title) in titles.iter().enumerate() {
            if at > 0 {
                whole.push(Piece::Text(between.to_owned()));
            }
            whole.extend(title.iter().cloned());
        }
        merged(whole)
    };
    if may_be(&joined(&one.titles, BETWEEN), name) {
        return Some(Fit::Whole);
    }
    if may_be(&joined(&one.titles, " "), name) {
        return Some(Fit::Joined);
    }
    let last = one.titles.last()?;
    let is_told = last.iter().any(|piece| matches!(piece, Piece::Text(text) if text.len() > 1));
    (is_told && may_be(&merged(last.clone()), name)).then_some(Fit::Title)
}

/// Texts that follow each other as one, blanks at both ends taken away.
fn merged(pieces: Vec<Piece>) -> Vec<Piece> {
    let mut merged: Vec<Piece> = Vec::new();
    for piece in pieces {
        match (merged.last_mut(), piece) {
            (Some(Piece::Text(before)), Piece::Text(text)) => before.push_str(&text),
            (_, piece) => merged.push(piece),
        }
    }
    if let Some(Piece::Text(text)) = merged.first_mut() {
        *text = text.trim_start().to_owned();
    }
    if let Some(Piece::Text(text)) = merged.last_mut() {
        *text = text.trim_end().to_owned();
    }
    merged
}

/// The title of a call that has one, and the property that it is.
fn title(code: &Code, call: &Call) -> Option<(Span, Option<Property>)> {
    let (&first, rest) = call.arguments.split_first()?;
    if code.kind(first) != Kind::Text {
        return None;
    }
    if let Some(inner) = call.inner.filter(|&inner| ends(code, &code.calls[inner], "prop")) {
        return Some((first, of_prop(code, inner)));
    }
    if last_name(code.at(call.callee)) == "testProp" {
        let at = code.calls.iter().position(|other| other == call)?;
        let arbitraries = code.elements(*rest.first()?).unwrap_or_default();
        return Some((first, Some(Property { call: at, options: 3, is_record: false, arbitraries })));
    }
    let takes = |span: &Span| matches!(code.kind(*span), Kind::Function | Kind::Name);
    rest.iter().any(takes).then_some((first, None))
}

/// The property of `test.prop(arbitraries, options)`.
fn of_prop(code: &Code, at: usize) -> Option<Property> {
    let first = *code.calls[at].arguments.first()?;
    let first = match code.kind(first) {
        Kind::Name => code.constant(code.at(code.plain(first)))?,
        _ => first,
    };
    let record = code.members(first);
    let arbitraries = match &record {
        Some(members) => members.iter().map(|member| member.value).collect(),
        None => code.elements(first)?,
    };
    Some(Property { call: at, options: 1, is_record: record.is_some(), arbitraries })
}

/// What a title says; one of a table has places that its rows fill.
fn pieces(code: &Code, call: &Call, title: Span) -> Vec<Piece> {
    let pieces = code.pieces(title).unwrap_or_default();
    if !code.at(call.callee).contains(".each") && !code.at(call.callee).contains(".for") {
        return pieces;
    }
    let mut found = Vec::new();
    for piece in pieces {
        let Piece::Text(text) = piece else {
            found.push(piece);
            continue;
        };
        let mut rest = text.as_str();
        while let Some((at, length)) = filled(rest) {
            if at > 0 {
                found.push(Piece::Text(rest[..at].to_owned()));
            }
            found.push(Piece::Any);
            rest = &rest[at + length..];
        }
        if !rest.is_empty() {
            found.push(Piece::Text(rest.to_owned()));
        }
    }
    found
}

/// Where a row's value goes first: `%s`, `%i`, `$name`.
fn filled(text: &str) -> Option<(usize, usize)> {
    text.char_indices().find_map(|(at, c)| {
        let rest = &text[at + c.len_utf8()..];
        let length = match c {
            '%' => usize::from(rest.starts_with(|next: char| "sdifjoOpc#$%".contains(next))),
            '$' => rest.bytes().take_while(|byte| byte.is_ascii_alphanumeric() || b"_.#".contains(byte)).count(),
            _ => 0,
        };
        (length > 0).then_some((at, length + 1))
    })
}

/// The calls of `fc.assert` in `test`, and not in a test inside it.
pub(super) fn asserts(code: &Code, all: &[Titled], test: &Titled) -> Vec<Property> {
    let inside = code.calls[test.call].span;
    let innermost = |call: usize| {
        let mut around = code.calls[call].around;
        while let Some(at) = around {
            if all.iter().any(|one| one.call == at) {
                return Some(at);
            }
            around = code.calls[at].around;
        }
        None
    };
    asserts_within(code, inside).into_iter().filter(|found| innermost(found.call) == Some(test.call)).collect()
}

/// The calls of `fc.assert` inside `span`.
pub(super) fn asserts_within(code: &Code, span: Span) -> Vec<Property> {
    let imported = code.imported();
    let of_library = |name: &str| {
        name == "fc" || imported.iter().any(|(local, _, module)| local == name && module.contains("fast-check"))
    };
    let is_assert = |call: &Call| match code.at(call.callee).split_once('.') {
        Some((object, "assert")) => of_library(object),
        None => code.at(call.callee) == "assert" && of_library("assert") && !imported_from_elsewhere(&imported),
        Some(_) => false,
    };
    let within = |call: &Call| span.start <= call.span.start && call.span.end <= span.end;
    let found = code.calls.iter().enumerate().filter(|(_, call)| within(call) && is_assert(call));
    let of_call = |(at, call): (usize, &Call)| {
        Some(Property {
            call: at,
            options: 1,
            is_record: false,
            arbitraries: arbitraries(code, *call.arguments.first()?),
        })
    };
    found.filter_map(of_call).collect()
}

fn imported_from_elsewhere(imported: &[(String, String, String)]) -> bool {
    imported.iter().any(|(local, _, module)| local == "assert" && !module.contains("fast-check"))
}

/// The arbitraries of `fc.property(…)`, where it stands there or is a constant of the file.
fn arbitraries(code: &Code, property: Span) -> Vec<Span> {
    let property = code.plain(property);
    if code.kind(property) == Kind::Name {
        let value = code.constant(code.at(property)).filter(|value| code.kind(*value) == Kind::Call);
        return value.map_or_else(Vec::new, |value| arbitraries(code, value));
    }
    let call = code.calls.iter().find(|call| call.span == property);
    let is_property = |call: &&Call| ends(code, call, "property") || ends(code, call, "asyncProperty");
    let arguments = call.filter(is_property).map(|call| call.arguments.as_slice()).unwrap_or_default();
    arguments.split_last().map_or_else(Vec::new, |(_, arbitraries)| arbitraries.to_vec())
}

fn ends(code: &Code, call: &Call, name: &str) -> bool {
    last_name(code.at(call.callee)) == name
}

/// The last part of a dotted name.
pub(super) fn last_name(callee: &str) -> &str {
    callee.rsplit('.').next().unwrap_or(callee).trim()
}

#[cfg(test)]
mod tests {
    use super::{asserts, named, titled};
    use crate::language::typescript::code::Code;

    const FILE: &str = "import { test, fc } from '@fast-check/vitest';\nimport assert from 'node:assert';\n\
        describe('s', () => {\n  test.prop([fc.nat(50)])('one', (x) => x < 2);\n\
        \x20 test.prop({ a: fc.nat() }, { numRuns: 2 })(`two`, ({ a }) => a < 2);\n\
        \x20 it('three', () => { fc.assert(fc.property(fc.nat(), fc.nat(), (x) => x < 2)); assert(1); fc.assert(p); });\n\
        \x20 test.each([[1, 2]])('four %s of $n', (n) => { fc.assert(fc.property(fc.nat(), (x) => x < n)); });\n});\n\
        const p = fc.property(fc.string(), (x) => x);\n";

    #[track_caller]
    fn check(name: &str, line: u32, own: Option<usize>, lists: &[usize]) {
        let code = Code::read("a.test.ts", FILE.to_owned()).unwrap();
        let all = titled(&code);
        let [found] = named(&all, name).try_into().unwrap();
        assert_eq!(code.line(code.calls[found.call].span.start), line, "{name}");
        assert_eq!(found.own.as_ref().map(|own| own.arbitraries.len()), own, "{name}");
        let found: Vec<usize> = asserts(&code, &all, found).iter().map(|one| one.arbitraries.len()).collect();
        assert_eq!(found, lists, "{name}");
    }

    #[test]
    fn a_property_is_known_by_suites_and_title() {
        check("s > one", 4, Some(1), &[]);
        check("s > two", 5, Some(1), &[]);
        check("s three", 6, None, &[2, 1]);
        check("three", 6, None, &[2, 1]);
        check("s > four a b of 7", 7, None, &[1]);
    }

    #[test]
    fn another_name_is_of_none() {
        let code = Code::read("a.test.ts", FILE.to_owned()).unwrap();
        let all = titled(&code);
        assert!(named(&all, "t > five").is_empty());
    }
}
