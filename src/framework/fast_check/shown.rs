//! A property as the screen shows it beside its input, and what it cites.

use super::calls::{Titled, last_name};
use super::find::{Found, lines};
use crate::failure::Failure;
use crate::language::typescript::code::{Code, Kind};
use crate::language::typescript::text::Piece;
use crate::locate;
use crate::property::Property;
use crate::source_tree::SourceTree;
use crate::span::Span;

/// What is shown of the property that was found.
pub(super) fn property(found: &Found, failure: &Failure, tree: &dyn SourceTree) -> Property {
    let code = &found.code;
    let statement = code.statement(found.span());
    let comments = code.comments_before(statement);
    let span = with_comments(code, statement, &comments);
    let taker = found.taker(failure, tree).ok();
    let line = taker.map_or(found.span().start, |taker| code.calls[taker.property.call].span.start);
    let (package_folder, package) = package(found, tree);
    Property {
        file: found.file.clone(),
        line: code.line(line),
        span,
        first_line: code.line(span.start),
        text: code.at(span).to_owned(),
        citations: citations(&found.test, comments),
        package_folder,
        package,
        own_message: None,
    }
}

/// What the rule of the property calls its values, where it takes as many as the run shows.
pub(super) fn names(found: &Found, failure: &Failure, tree: &dyn SourceTree) -> Option<Vec<String>> {
    let code = &found.code;
    let rule = match found.taker(failure, tree) {
        Ok(taker) if taker.property.is_record => return None,
        Ok(taker) => rule(found, taker.property.call)?,
        Err(_) => found.rule(failure, tree)?.rule,
    };
    let function = match code.kind(rule) {
        Kind::Name => code.function(code.at(code.plain(rule)))?,
        _ => code.function_at(rule)?,
    };
    (function.parameters.len() == failure.counterexample.arguments.len()).then_some(function.parameters)
}

/// The rule of the property that the call at `at` runs.
fn rule(found: &Found, at: usize) -> Option<Span> {
    let code = &found.code;
    let is_function = |span: &Span| code.kind(*span) == Kind::Function;
    if found.test.own.is_some() {
        return code.calls[found.test.call].arguments.iter().copied().find(is_function);
    }
    let arguments = &code.calls[at].arguments;
    let first = code.plain(*arguments.first()?);
    let first = match code.kind(first) {
        Kind::Name => code.constant(code.at(first)).map_or(first, |value| code.plain(value)),
        _ => first,
    };
    match code.calls.iter().find(|call| call.span == first) {
        Some(call) if ["property", "asyncProperty"].contains(&last_name(code.at(call.callee))) => {
            call.arguments.last().copied()
        }
        _ => arguments.iter().copied().find(is_function),
    }
}

/// The line of the property at which it failed.
pub(super) fn failing_line(found: &Found, failure: &Failure) -> Option<u32> {
    let site = failure.site.as_ref().filter(|site| locate::means(&site.file, &found.file))?;
    lines(&found.code, found.span()).contains(&site.line).then_some(site.line)
}

/// The bytes of `statement` with the comments right before it.
fn with_comments(code: &Code, statement: Span, comments: &[String]) -> Span {
    let start = comments.last().and_then(|first| code.text[..statement.start].rfind(first.as_str()));
    Span::new(start.unwrap_or(statement.start), statement.end)
}

/// Comments, and the titles that begin with an id, as in `PAY-1 instalments add up`.
pub(super) fn citations(test: &Titled, comments: Vec<String>) -> Vec<String> {
    let said = |title: &Vec<Piece>| match title.first() {
        Some(Piece::Text(text)) => text.clone(),
        _ => String::new(),
    };
    let titles = test.titles.iter().rev().map(said);
    titles.map(|title| id(&title).map_or(title.clone(), |id| format!("[{id}] {title}"))).chain(comments).collect()
}

/// The id that a title begins with; names of standards are none.
fn id(title: &str) -> Option<&str> {
    let word = title.split([' ', ':', ',']).next()?;
    let (name, number) = word.rsplit_once('-')?;
    let is_name = name.starts_with(|c: char| c.is_ascii_uppercase())
        && name.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'-');
    let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    let is_standard = ["UTF", "UCS", "SHA", "ISO", "RFC", "ECMA", "IEEE", "ASCII", "MD", "AES", "CRC", "BASE", "HTTP"]
        .contains(&name);
    (is_name && is_number && !is_standard).then_some(word)
}

/// The folder and the name of the package that the file is in: those of the nearest manifest above it.
fn package(found: &Found, tree: &dyn SourceTree) -> (String, Option<String>) {
    let manifest = |folder: &str| crate::repo_path::RepoPath::in_folder(folder, "package.json");
    let folders: Vec<&str> = found.file.folders().collect();
    let above = folders.iter().rev().copied().chain([""]);
    for folder in above {
        if let Some(bytes) = manifest(folder).and_then(|file| tree.read(&file)) {
            let told: Option<serde_json::Value> = serde_json::from_slice(&bytes).ok();
            let name = told.and_then(|told| Some(told.get("name")?.as_str()?.to_owned()));
            return (folder.to_owned(), name);
        }
    }
    (String::new(), None)
}

#[cfg(test)]
mod tests {
    use super::names;
    use crate::failure::{Argument, Counterexample};
    use crate::framework::fast_check::find::find;
    use crate::framework::fast_check::graft::failure;
    use crate::proof::StandingPin;
    use crate::proof::testing::blank_pin;
    use crate::repo_path::RepoPath;
    use crate::source_tree::testing::Files;

    const SOURCE: &str = "import fc from 'fast-check';\nimport { test as ptest } from '@fast-check/vitest';\n\
        const even = (n) => n % 2 === 0;\nfunction holds(arb, rule) { fc.assert(fc.property(arb, rule)); }\n\
        test('plain', () => { fc.assert(fc.property(fc.nat(), fc.nat(), (total: number, n = 2) => total > n)); });\n\
        test('named', async () => { await fc.assert(fc.asyncProperty(fc.nat(), even), { numRuns: 5 }); });\n\
        test('helped', () => { holds(fc.nat(), (m) => m > 0); });\n\
        ptest.prop([fc.nat(), fc.tuple(fc.nat())])('prop', (a, [b]) => a > b);\n\
        ptest.prop({ a: fc.nat() })('record', ({ a }) => a > 1);\n";

    #[track_caller]
    fn check(test: &str, count: usize, expected: Option<&[&str]>) {
        let tree = Files::new([("a.test.ts", SOURCE)]);
        let pin = StandingPin { file: RepoPath::new("a.test.ts"), ..blank_pin("fast-check", test) };
        let mut failure = failure(&pin);
        let arguments = vec![Argument { name: String::new(), text: "1".to_owned() }; count];
        failure.counterexample = Counterexample { text: "[1]".to_owned(), arguments };
        let found = names(&find(&failure, &tree).unwrap(), &failure, &tree);
        assert_eq!(found, expected.map(|names| names.iter().map(|name| (*name).to_owned()).collect()), "{test}");
    }

    #[test]
    fn values_are_called_what_the_rule_calls_them() {
        check("plain", 2, Some(&["total", "n"]));
        check("plain", 1, None);
        check("named", 1, Some(&["n"]));
        check("helped", 1, Some(&["m"]));
        check("prop", 2, Some(&["a", ""]));
        check("record", 1, None);
    }
}
