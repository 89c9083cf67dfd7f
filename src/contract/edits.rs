//! Changes to a contract's text. What they do not speak of stays to the byte: keys that nobody here knows, their order, the
//! indentation, line ends and the end of the file.

use super::layout::{Layout, Member, elements, indent, line_indent, members, quoted, whole};
use super::{Contract, Day};
use crate::edit::{Edits, TextEdit};
use crate::span::Span;

/// A quarantine that is made or made longer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Renewal<'a> {
    /// The test's id as the contract has it.
    pub test: &'a str,
    /// The last day of it.
    pub expires: Day,
    /// Why, in words.
    pub reason: &'a str,
}

/// The text of a new contract.
pub fn written(today: Day, fixtures: &[(String, String)]) -> String {
    let layout = Layout::of("{\n}\n");
    let fixtures: Vec<String> = fixtures.iter().map(|(path, digest)| layout.member(path, &quoted(digest))).collect();
    let fixtures = if fixtures.is_empty() { "{}".to_owned() } else { layout.around('{', &fixtures, '}', Some("  ")) };
    let members = [
        layout.member("today", &quoted(&today.to_string())),
        layout.member("fixtures", &fixtures),
        layout.member("properties", "[]"),
        layout.member("flaky", "[]"),
    ];
    format!("{}\n", layout.around('{', &members, '}', Some("")))
}

/// Has the file at `path` be a fixture with this digest.
///
/// # Errors
/// Where `text` is no contract.
pub fn add_fixture(text: &[u8], path: &str, digest: &str) -> Result<Edits, String> {
    let page = Page::of(text)?;
    let fixtures = page.member("fixtures")?;
    let known = members(page.text, fixtures.value).ok_or(ODD)?;
    if let Some(known) = known.iter().find(|known| known.name == path) {
        return Ok(page.replaced(known.value, &quoted(digest)));
    }
    let spans: Vec<Span> = known.iter().map(|known| known.span).collect();
    Ok(page.appended(fixtures.value, &spans, &page.layout.member(path, &quoted(digest))))
}

/// Sets a test aside.
///
/// # Errors
/// Where it is set aside already, or would be over at once.
pub fn quarantine(text: &[u8], wish: &Renewal<'_>) -> Result<Edits, String> {
    let page = Page::of(text)?;
    if let Some(known) = page.contract.flaky.iter().find(|known| known.test == wish.test) {
        return Err(format!(
            "{} is set aside already, until {}; `redpin contract renew` makes that longer",
            wish.test, known.expires
        ));
    }
    page.refuse_over(wish)?;
    let expires = quoted(&wish.expires.to_string());
    let parts = [("test", quoted(wish.test)), ("expires", expires), ("reason", quoted(wish.reason))];
    let parts = parts.map(|(name, value)| page.layout.member(name, &value));
    let Ok(flaky) = page.member("flaky") else {
        let inside = page.layout.unit.as_ref().map(|unit| unit.repeat(2));
        let element = page.layout.around('{', &parts, '}', inside.as_deref());
        let list = page.layout.around('[', &[element], ']', page.layout.unit.as_deref());
        let spans: Vec<Span> = page.members.iter().map(|member| member.span).collect();
        return Ok(page.appended(page.whole, &spans, &page.layout.member("flaky", &list)));
    };
    let known = elements(page.text, flaky.value).ok_or(ODD)?;
    let inside = match known.last() {
        Some(last) if page.text[last.range()].contains('\n') => Some(line_indent(page.text, last.start).to_owned()),
        Some(_) => None,
        None => page.layout.unit.as_ref().map(|unit| line_indent(page.text, flaky.span.start).to_owned() + unit),
    };
    let element = page.layout.around('{', &parts, '}', inside.as_deref());
    Ok(page.appended(flaky.value, &known, &element))
}

/// Makes a quarantine longer, and puts the reason in the place of the one before.
///
/// # Errors
/// Where the test is not set aside, or would not be for longer.
pub fn renew(text: &[u8], wish: &Renewal<'_>) -> Result<Edits, String> {
    let page = Page::of(text)?;
    let mut known = page.contract.flaky.iter().enumerate().filter(|(_, known)| known.test == wish.test);
    let (at, before) = known
        .next()
        .ok_or_else(|| format!("{} is not set aside; `redpin contract quarantine` does that", wish.test))?;
    if known.next().is_some() {
        return Err(format!("{} is set aside more than once; take out all but one first", wish.test));
    }
    if wish.expires <= before.expires {
        return Err(format!(
            "{} is set aside until {} already; expected a later day, found {}",
            wish.test, before.expires, wish.expires
        ));
    }
    page.refuse_over(wish)?;
    let flaky = page.member("flaky")?;
    let element = *elements(page.text, flaky.value).ok_or(ODD)?.get(at).ok_or(ODD)?;
    let parts = members(page.text, element).ok_or(ODD)?;
    let value = |name: &str| parts.iter().find(|part| part.name == name).map(|part| part.value);
    let mut edits = page.replaced(value("expires").ok_or(ODD)?, &quoted(&wish.expires.to_string()));
    let reason = match value("reason") {
        Some(reason) => page.replaced(reason, &quoted(wish.reason)),
        None => {
            let spans: Vec<Span> = parts.iter().map(|part| part.span).collect();
            page.appended(element, &spans, &page.layout.member("reason", &quoted(wish.reason)))
        }
    };
    edits.join(reason).map_err(|overlap| overlap.to_string())?;
    Ok(edits)
}

/// Moves the day that the contract takes for today.
///
/// # Errors
/// Where that goes back.
pub fn move_today(text: &[u8], today: Day) -> Result<Edits, String> {
    let page = Page::of(text)?;
    let before = page.contract.today;
    if today < before {
        return Err(format!("today is {before} in the contract, and goes forwards only; found {today}"));
    }
    if today == before {
        return Ok(Edits::new());
    }
    Ok(page.replaced(page.member("today")?.value, &quoted(&today.to_string())))
}

/// What is said of a text that reads as a contract and is laid out as none is.
const ODD: &str = "it is laid out in a way that cannot be changed here; change it by hand";

/// A contract's text with its parts.
struct Page<'t> {
    text: &'t str,
    contract: Contract,
    whole: Span,
    members: Vec<Member>,
    layout: Layout,
}

impl<'t> Page<'t> {
    fn of(text: &'t [u8]) -> Result<Page<'t>, String> {
        let contract = Contract::read(text)?;
        let text = std::str::from_utf8(text).map_err(|error| error.to_string())?;
        let whole = whole(text).ok_or(ODD)?;
        let members = members(text, whole).ok_or(ODD)?;
        Ok(Page { text, contract, whole, members, layout: Layout::of(text) })
    }

    fn member(&self, name: &str) -> Result<&Member, String> {
        self.members.iter().find(|member| member.name == name).ok_or_else(|| ODD.to_owned())
    }

    fn refuse_over(&self, wish: &Renewal<'_>) -> Result<(), String> {
        let today = self.contract.today;
        if wish.expires >= today {
            return Ok(());
        }
        Err(format!("expected a day that is not over, found {}: today is {today} in the contract", wish.expires))
    }

    /// `new` in the place of `span`; nothing where it stands there.
    fn replaced(&self, span: Span, new: &str) -> Edits {
        if &self.text[span.range()] == new {
            return Edits::new();
        }
        TextEdit { span, insert: new.as_bytes().to_owned() }.into()
    }

    /// `new` after the last of `parts`, which are those of `around`, laid out as that is.
    fn appended(&self, around: Span, parts: &[Span], new: &str) -> Edits {
        let Some(last) = parts.last() else {
            let (open, close) =
                (char::from(self.text.as_bytes()[around.start]), self.text[around.range()].chars().next_back());
            let outer = line_indent(self.text, around.start);
            let filled = self.layout.around(open, &[new.to_owned()], close.unwrap_or('}'), Some(outer));
            return self.replaced(around, &filled);
        };
        let between = match indent(self.text, last.start) {
            Some(indent) => format!(",{}{indent}", self.layout.line_end),
            None => format!(",{}", self.layout.gap()),
        };
        TextEdit { span: Span::at(last.end), insert: (between + new).into_bytes() }.into()
    }
}

#[cfg(test)]
mod tests {
    use super::{Renewal, add_fixture, move_today, quarantine, renew, written};
    use crate::contract::{Contract, Day};
    use crate::edit::Edits;

    fn day(text: &str) -> Day {
        Day::read(text).unwrap()
    }

    const LONGER: &str = "waits for \"upstream\"";

    fn wish<'a>(test: &'a str, expires: &str) -> Renewal<'a> {
        Renewal { test, expires: Day::read(expires).unwrap(), reason: LONGER }
    }

    #[track_caller]
    fn check(text: &str, edits: impl Fn(&[u8]) -> Result<Edits, String>, expected: &str) {
        let changed = String::from_utf8(edits(text.as_bytes()).unwrap().apply(text.as_bytes())).unwrap();
        assert_eq!(changed, expected);
        Contract::read(changed.as_bytes()).unwrap();
    }

    #[test]
    fn a_new_contract_grows_as_one_would_write_it() {
        let new = written(day("2026-12-01"), &[]);
        assert_eq!(
            new,
            "{\n  \"today\": \"2026-12-01\",\n  \"fixtures\": {},\n  \"properties\": [],\n  \"flaky\": []\n}\n"
        );
        let with = written(day("2026-12-01"), &[("spec.md".to_owned(), "00".to_owned())]);
        check(&new, |text| add_fixture(text, "spec.md", "00"), &with);
        check(
            &with,
            |text| add_fixture(text, "a \"b\".json", "11"),
            &with.replace("\"00\"\n", "\"00\",\n    \"a \\\"b\\\".json\": \"11\"\n"),
        );
        check(&with, |text| add_fixture(text, "spec.md", "22"), &with.replace("\"00\"", "\"22\""));
        let aside = "\"flaky\": [\n    {\n      \"test\": \"t\",\n      \"expires\": \"2026-12-01\",\n      \
                     \"reason\": \"waits for \\\"upstream\\\"\"\n    }\n  ]";
        let first = new.replace("\"flaky\": []", aside);
        check(&new, |text| quarantine(text, &wish("t", "2026-12-01")), &first);
        let second = "    },\n    {\n      \"test\": \"u\",\n      \"expires\": \"2027-01-01\",\n      \
                      \"reason\": \"waits for \\\"upstream\\\"\"\n    }\n  ]";
        check(&first, |text| quarantine(text, &wish("u", "2027-01-01")), &first.replace("    }\n  ]", second));
    }

    const COMPACT: &str = r#"{"flaky":[{"expires":"2026-12-09","test":"t","x":1}],"today":"2026-12-01","fixtures":{"b":"1"},"properties":[]}"#;

    #[test]
    fn a_text_on_one_line_stays_on_it_and_its_own_keys_stay() {
        check(COMPACT, |text| add_fixture(text, "a", "2"), &COMPACT.replace("\"1\"", "\"1\",\"a\":\"2\""));
        check(COMPACT, |text| move_today(text, day("2026-12-02")), &COMPACT.replace("12-01", "12-02"));
        let renewed = r#""2026-12-10","test":"t","x":1,"reason":"waits for \"upstream\"""#;
        let renewed = COMPACT.replace(r#""2026-12-09","test":"t","x":1"#, renewed);
        check(COMPACT, |text| renew(text, &wish("t", "2026-12-10")), &renewed);
        let again = renewed.replace("12-10", "12-11");
        check(&renewed, |text| renew(text, &wish("t", "2026-12-11")), &again);
    }

    #[test]
    fn tabs_line_ends_and_a_missing_last_line_end_stay() {
        let text = "{\r\n\t\"today\" : \"2026-12-01\",\r\n\t\"fixtures\" : {\r\n\t\t\"a\" : \"1\"\r\n\t},\r\n\t\"properties\" : [ ]\r\n}";
        check(text, |text| add_fixture(text, "b", "2"), &text.replace("\"1\"\r\n", "\"1\",\r\n\t\t\"b\" : \"2\"\r\n"));
        let aside = "[ ],\r\n\t\"flaky\" : [\r\n\t\t{\r\n\t\t\t\"test\" : \"t\",\r\n\t\t\t\"expires\" : \"2026-12-01\",\r\n\t\t\t\
                     \"reason\" : \"waits for \\\"upstream\\\"\"\r\n\t\t}\r\n\t]\r\n}";
        check(text, |text| quarantine(text, &wish("t", "2026-12-01")), &text.replace("[ ]\r\n}", aside));
    }

    #[test]
    fn an_element_on_one_line_gets_one_beside_it_on_one_line() {
        let text = "{\n  \"today\": \"2026-12-01\", \"fixtures\": {}, \"properties\": [],\n  \"flaky\": [\n    \
                    {\"test\": \"t\", \"expires\": \"2026-12-09\"}\n  ]\n}\n";
        let more =
            "12-09\"},\n    {\"test\": \"u\", \"expires\": \"2026-12-10\", \"reason\": \"waits for \\\"upstream\\\"\"}";
        check(text, |text| quarantine(text, &wish("u", "2026-12-10")), &text.replace("12-09\"}", more));
    }

    #[track_caller]
    fn refuses(edits: Result<Edits, String>, expected: &str) {
        assert_eq!(edits.unwrap_err(), expected);
    }

    #[test]
    fn what_would_set_aside_for_no_time_or_turn_time_back_is_refused() {
        let text = COMPACT.as_bytes();
        refuses(
            quarantine(text, &wish("t", "2026-12-20")),
            "t is set aside already, until 2026-12-09; `redpin contract renew` makes that longer",
        );
        refuses(
            quarantine(text, &wish("u", "2026-11-30")),
            "expected a day that is not over, found 2026-11-30: today is 2026-12-01 in the contract",
        );
        refuses(
            renew(text, &wish("t", "2026-12-09")),
            "t is set aside until 2026-12-09 already; expected a later day, found 2026-12-09",
        );
        refuses(renew(text, &wish("u", "2026-12-09")), "u is not set aside; `redpin contract quarantine` does that");
        refuses(
            move_today(text, day("2026-11-30")),
            "today is 2026-12-01 in the contract, and goes forwards only; found 2026-11-30",
        );
        assert_eq!(move_today(text, day("2026-12-01")), Ok(Edits::new()));
        let twice = COMPACT.replace("\"flaky\":[", "\"flaky\":[{\"test\":\"t\",\"expires\":\"2026-12-08\"},");
        refuses(
            renew(twice.as_bytes(), &wish("t", "2026-12-10")),
            "t is set aside more than once; take out all but one first",
        );
    }
}
