//! Tests that print the value of a pin, as the library prints it, and fail: run once beside the pin, never left there.

use super::find::Found;
use super::own;
use super::place::Way;
use crate::failure::{Failure, TestName};
use crate::language::typescript::code::Code;
use crate::language::typescript::layout::indent;
use crate::pin::{Part, PartKind, Pin, Rung};

/// How such a test says what it prints; its source has these words apart, so that they stand in its message alone.
const SAYS: &str = "value of";

/// The test that prints the example `expression`, for which the file needs `imports`.
pub(super) fn test(
    failure: &Failure,
    found: &Found,
    is_record: bool,
    expression: &str,
    imports: &[String],
) -> Option<Pin> {
    let code = &found.code;
    let call = &code.calls[found.test.call];
    // What begins a property begins a plain test as well, without its arbitraries.
    let begins = match call.inner.map(|inner| code.at(code.calls[inner].callee)) {
        Some(inner) => inner.rsplit_once(".prop")?.0,
        None => code.at(call.callee),
    };
    let mark = own::mark(failure).replace(" (pin ", " (value ");
    let digest = digest(&mark)?;
    let statement = code.whole_statement(call.span)?;
    let indent = indent(&code.text, statement.start);
    let values = if is_record { "[input]" } else { "input" };
    let lines = [
        format!("{begins}('redpin{mark}', async () => {{"),
        format!("{indent}  const input = {expression};"),
        format!("{indent}  const {{ stringify }} = {};", library(code)),
        format!("{indent}  const printed = {values}.map((value) => stringify(value));"),
        format!("{indent}  throw new Error(['{SAYS}', '{digest}:', JSON.stringify(printed)].join(' '));"),
        format!("{indent}}});"),
    ];
    let mut way = Way::to_test(found);
    way.imports = imports.to_vec();
    let part = Part { file: found.file.clone(), kind: PartKind::Test, modules: way.words(), text: lines.join("\n") };
    Some(Pin {
        property: failure.test.clone(),
        rung: Rung::Constructed,
        test: Some(TestName(format!("redpin{mark}"))),
        replay: None,
        parts: vec![part],
        reason: None,
        warnings: Vec::new(),
        instead: None,
    })
}

/// The library, as an expression of this file.
pub(super) fn library(code: &Code) -> String {
    let imported = code.imported();
    let is_whole = |there: &str| ["", "default", "fc"].contains(&there);
    let own = imported.iter().find(|(_, there, module)| module.contains("fast-check") && is_whole(there));
    own.filter(|(_, there, module)| there == "fc" || module == "fast-check")
        .map_or_else(|| "await import('fast-check')".to_owned(), |(local, ..)| local.clone())
}

/// What the test called `test` printed; `None` where it is no such test, or printed nothing.
pub(super) fn printed(test: &TestName, text: &str) -> Option<String> {
    let digest = digest(&test.0).filter(|_| test.0.starts_with("redpin (value "))?;
    let says = format!("{SAYS} {digest}: ");
    let at = text.find(&says)? + says.len();
    let line = text[at..].lines().next()?;
    Some(line[..=line.rfind(']')?].to_owned())
}

/// Whether `printed` shows the values of `recorded`.
pub(super) fn prints(recorded: &[String], printed: &str) -> bool {
    serde_json::from_str::<Vec<String>>(printed).is_ok_and(|printed| printed == recorded)
}

fn digest(mark: &str) -> Option<&str> {
    mark.rsplit_once(' ')?.1.strip_suffix(')')
}

#[cfg(test)]
mod tests {
    use super::{printed, prints};
    use crate::failure::TestName;

    #[test]
    fn what_is_printed_is_found_in_the_message_alone() {
        let test = TestName("redpin (value 1234567)".to_owned());
        let text = " × a.test.ts > redpin (value 1234567) 3ms\n   → value of 1234567: [\"{\\\"a\\\":1}\",\"2\"]\n 9| \
                    throw new Error(['value of', '1234567:', JSON.stringify(printed)].join(' '))";
        let found = printed(&test, text).unwrap();
        assert!(prints(&["{\"a\":1}".to_owned(), "2".to_owned()], &found), "{found}");
        assert!(!prints(&["{\"a\":1}".to_owned()], &found));
        assert_eq!(printed(&TestName("t".to_owned()), text), None);
        assert_eq!(printed(&test, "redpin (value 1234567)"), None);
    }
}
