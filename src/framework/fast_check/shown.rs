//! A property as the screen shows it beside its input, and what it cites.

use super::calls::Titled;
use super::find::{Found, lines};
use crate::failure::Failure;
use crate::language::typescript::code::Code;
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
