//! Pins that are tests of their own, beside the test of their property: what they are called, and where they stand.

use sha2::{Digest, Sha256};

use super::calls::{Titled, titled};
use super::find::Found;
use super::place::{Way, import};
use crate::edit::Edits;
use crate::failure::{Failure, TestName};
use crate::hex::hex;
use crate::language::typescript::code::Code;
use crate::language::typescript::layout::{indent, with_line_ends};
use crate::language::typescript::text::Piece;
use crate::pin::{Part, Refusal};
use crate::span::Span;

/// What a title of such a test ends in: what tells it from those of other inputs of the same property.
pub(super) fn mark(failure: &Failure) -> String {
    let mut digest = Sha256::new();
    digest.update(failure.test.0.as_bytes());
    digest.update([0]);
    digest.update(failure.counterexample.text.as_bytes());
    format!(" (pin {})", &hex(&digest.finalize())[..7])
}

/// The name of such a test.
pub(super) fn name(found: &Found, failure: &Failure, mark: &str) -> TestName {
    TestName(format!("{}{mark}", found.called(&failure.test)))
}

/// The title at `span` with `mark` in it; `None` where what it says is only known when the code runs.
pub(super) fn title(code: &Code, span: Span, mark: &str) -> Option<String> {
    let is_told = code.pieces(span)?.iter().all(|piece| matches!(piece, Piece::Text(_)));
    let text = code.at(span);
    let (front, quote) = text.split_at_checked(text.len().checked_sub(1)?)?;
    is_told.then(|| format!("{front}{mark}{quote}"))
}

/// A test of a table, of which one copy is one of every row.
pub(super) fn is_of_table(code: &Code, test: &Titled) -> bool {
    let callee = code.at(code.calls[test.call].callee);
    [".each", ".for"].iter().any(|word| callee.contains(word))
}

/// The change that puts the test of `part` into its file, which now holds `text`, after the test of its property. No
/// change where it stands there.
///
/// # Errors
/// Where this text does not have that test.
pub(super) fn place(test: &TestName, part: &Part, text: &[u8]) -> Result<Edits, Refusal> {
    let file = &part.file;
    let text = String::from_utf8(text.to_vec()).map_err(|_| Refusal(format!("{file} is not UTF-8; mend it first")))?;
    let code =
        Code::read(file.as_str(), text).ok_or_else(|| Refusal(format!("{file} cannot be read; mend it first")))?;
    let all = titled(&code);
    let mut edits = Edits::new();
    if stands(&code, &all, test).is_some() {
        return Ok(edits);
    }
    let way = Way::of(&part.modules);
    let found = way.as_ref().and_then(|way| way.follow_test(&all));
    let statement = found.and_then(|one| code.whole_statement(code.calls[one.call].span));
    let statement = statement.ok_or_else(|| {
        Refusal(format!("the property is not in this version of {file}; stage or check out the file that has it"))
    })?;
    let indent = indent(&code.text, statement.start);
    let at = line_rest(&code.text, statement.end);
    let between = if is_tight(&code.text, at) { "\n" } else { "\n\n" };
    let added = format!("{between}{indent}{}", part.text);
    // One insertion overlaps nothing.
    drop(edits.insert(at, with_line_ends(&added, &code.text)));
    import(&code, &way.map_or_else(Vec::new, |way| way.imports), &mut edits);
    Ok(edits)
}

/// The test of that name, by what tells it from others.
pub(super) fn stands<'a>(code: &Code, all: &'a [Titled], test: &TestName) -> Option<&'a Titled> {
    let mark = &test.0[test.0.rfind(" (pin ")?..];
    all.iter().find(|one| {
        let title = one.titles.last().and_then(|pieces| pieces.last());
        matches!(title, Some(Piece::Text(text)) if text.ends_with(mark)) && !code.is_broken(code.calls[one.call].span)
    })
}

/// Whether a test is such a pin.
pub(super) fn is_pin(test: &Titled) -> bool {
    let Some(Piece::Text(title)) = test.titles.last().and_then(|pieces| pieces.last()) else { return false };
    let mark = title.strip_suffix(')').and_then(|front| front.rsplit_once(" (pin "));
    mark.is_some_and(|(_, digest)| digest.len() == 7 && digest.bytes().all(|byte| byte.is_ascii_hexdigit()))
}

/// Whether the next line after `end` stands close, as where tests follow each other without a blank one.
fn is_tight(text: &str, end: usize) -> bool {
    let next = text[end..].lines().nth(1).map(str::trim);
    next.is_some_and(|line| !line.is_empty() && !line.starts_with('}'))
}

/// The end of the line at `at`, where nothing but a semicolon or a comment is left of it; else `at`.
fn line_rest(text: &str, at: usize) -> usize {
    let rest = text[at..].split(['\n', '\r']).next().unwrap_or_default();
    let trimmed = rest.trim_start_matches(';').trim_start();
    if trimmed.is_empty() || trimmed.starts_with("//") { at + rest.trim_end().len() } else { at }
}

/// The code at `span` with what `changes` put in the place of its parts.
pub(super) fn changed(code: &Code, span: Span, mut changes: Vec<(Span, String)>) -> String {
    changes.sort_by_key(|(span, _)| (span.start, span.end));
    let mut text = String::new();
    let mut at = span.start;
    for (part, insert) in changes {
        if part.start < at || part.end > span.end {
            continue;
        }
        text.push_str(code.at(Span::new(at, part.start)));
        text.push_str(&insert);
        at = part.end;
    }
    text.push_str(code.at(Span::new(at, span.end)));
    text.replace("\r\n", "\n")
}
