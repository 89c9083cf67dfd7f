//! Settings of coding agents that close files to them: JSON with a list of rules, `permissions.deny`, to which those are added
//! that it lacks. The rest of the file stays to the byte.

use serde_json::{Deserializer, Value};

use crate::source_tree::SourceTree;
use crate::span::Span;

/// A coding agent whose settings a repository may hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Agent {
    /// Claude Code.
    Claude,
    /// Cursor's command line.
    Cursor,
}

impl Agent {
    const ALL: [Agent; 2] = [Agent::Claude, Agent::Cursor];

    /// Those of `wanted`, and those that `tree` has settings of.
    pub(super) fn of(tree: &dyn SourceTree, wanted: &[Agent]) -> Vec<Agent> {
        let has_any = |agent: &Agent| {
            let folder = agent.file().rsplit_once('/').map_or("", |(folder, _)| folder);
            !tree.find(&|path| path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'))).is_empty()
        };
        Agent::ALL.into_iter().filter(|agent| wanted.contains(agent) || has_any(agent)).collect()
    }

    /// The file with its rules for this repository.
    pub(super) fn file(self) -> &'static str {
        match self {
            Agent::Claude => ".claude/settings.json",
            Agent::Cursor => ".cursor/cli.json",
        }
    }

    /// The rule that closes the files of a pattern.
    fn rule(self, pattern: &str) -> String {
        match self {
            // From the top where it begins with a slash.
            Agent::Claude => format!("Edit({pattern})"),
            Agent::Cursor => format!("Write({})", pattern.trim_start_matches('/')),
        }
    }

    /// `text` with the rules that it lacks; `None` where it lacks none.
    ///
    /// # Errors
    /// Why it cannot be added to.
    pub(super) fn with(self, text: Option<&str>, patterns: &[String]) -> Result<Option<String>, String> {
        let rules: Vec<String> = patterns.iter().map(|pattern| self.rule(pattern)).collect();
        with(text.unwrap_or("{}\n"), &rules)
    }
}

/// What keeps rules from being added.
const OTHER: &str = "expected a JSON object with a list `permissions.deny` of texts, or without one; it stays as it is";

fn with(text: &str, rules: &[String]) -> Result<Option<String>, String> {
    let whole: Value = serde_json::from_str(text).map_err(|error| format!("{OTHER}: {error}"))?;
    let deny = whole.get("permissions").map(|permissions| permissions.get("deny"));
    let known: &[Value] = match &deny {
        Some(Some(Value::Array(known))) => known,
        Some(Some(_)) => return Err(OTHER.to_owned()),
        Some(None) | None => &[],
    };
    let missing: Vec<String> =
        rules.iter().filter(|rule| !known.iter().any(|one| one == rule.as_str())).map(|rule| quoted(rule)).collect();
    if missing.is_empty() {
        return Ok(None);
    }
    let (list, object) = (format!("[\n      {}\n    ]", missing.join(",\n      ")), Span::new(0, text.len()));
    let permissions = member(text, object, "permissions");
    let new = match (permissions, permissions.and_then(|span| member(text, span, "deny"))) {
        (_, Some(span)) => in_list(text, span, &missing),
        (Some(span), None) => in_object(text, span, &format!("\n    \"deny\": {list}"), "\n  "),
        (None, None) => in_object(text, object, &format!("\n  \"permissions\": {{\n    \"deny\": {list}\n  }}"), "\n"),
    };
    new.map(Some).ok_or_else(|| OTHER.to_owned())
}

fn quoted(text: &str) -> String {
    Value::String(text.to_owned()).to_string()
}

/// The value of `key` in the object that begins at `object`, which is whole JSON.
fn member(text: &str, object: Span, key: &str) -> Option<Span> {
    let skip = |at: usize, signs: &[char]| {
        let rest = &text[at..];
        at + rest.find(|c: char| !c.is_whitespace() && !signs.contains(&c)).unwrap_or(rest.len())
    };
    let value_at = |at: usize| {
        let mut values = Deserializer::from_str(&text[at..]).into_iter::<Value>();
        let value = values.next()?.ok()?;
        Some((value, at + values.byte_offset()))
    };
    let mut at = skip(object.start, &[]);
    if !text[at..].starts_with('{') {
        return None;
    }
    at += 1;
    loop {
        at = skip(at, &[',']);
        if text[at..].starts_with('}') {
            return None;
        }
        let (name, end) = value_at(at)?;
        let start = skip(end, &[':']);
        let (_, end) = value_at(start)?;
        if name == key {
            return Some(Span::new(start, end));
        }
        at = end;
    }
}

/// `text` with `values` at the end of the list at `span`.
fn in_list(text: &str, span: Span, values: &[String]) -> Option<String> {
    let inside = text[..span.end].strip_suffix(']')?;
    let end = inside.trim_end().len();
    let is_empty = inside[..end].ends_with('[') && end == span.start + 1;
    let last_line = inside[..end].rfind('\n').map_or("", |at| &inside[at + 1..end]);
    let indent: String = last_line.chars().take_while(|c| c.is_whitespace()).collect();
    let is_tall = text[span.start..span.end].contains('\n');
    let added = match (is_empty, is_tall) {
        (true, _) => format!("\n      {}\n    ", values.join(",\n      ")),
        (false, true) => format!(",\n{indent}{}", values.join(&format!(",\n{indent}"))),
        (false, false) => format!(", {}", values.join(", ")),
    };
    let rest = if is_empty { &text[span.end - 1..] } else { &text[end..] };
    Some(format!("{}{added}{rest}", &text[..end]))
}

/// `text` with `first` as the first of the object at `span`; `close` stands before the end of one that was empty.
fn in_object(text: &str, span: Span, first: &str, close: &str) -> Option<String> {
    let open = span.start + text[span.start..span.end].find('{')? + 1;
    let is_empty = text[open..].trim_start().starts_with('}');
    let rest = if is_empty { text[open..].trim_start() } else { &text[open..] };
    Some(format!("{}{first}{}{rest}", &text[..open], if is_empty { close } else { "," }))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::Agent;

    fn patterns() -> Vec<String> {
        ["**/proptest-regressions/**", "/tests/a.rs"].map(str::to_owned).to_vec()
    }

    /// What a file becomes, which is what it was and the rules.
    #[track_caller]
    fn check(text: Option<&str>, expected: Value) -> String {
        let new = Agent::Claude.with(text, &patterns()).unwrap().unwrap();
        assert_eq!(serde_json::from_str::<Value>(&new).unwrap(), expected, "{new}");
        assert_eq!(Agent::Claude.with(Some(&new), &patterns()), Ok(None), "a second time");
        new
    }

    #[test]
    fn rules_are_added_to_whatever_is_there() {
        let (a, b) = ("Edit(**/proptest-regressions/**)", "Edit(/tests/a.rs)");
        let both = json!({"permissions": {"deny": [a, b]}});
        let new = check(None, both.clone());
        let expected = "{\n  \"permissions\": {\n    \"deny\": [\n      \"Edit(**/proptest-regressions/**)\",\n      \
                        \"Edit(/tests/a.rs)\"\n    ]\n  }\n}\n";
        assert_eq!(new, expected);
        check(Some("{ \"permissions\" : { } }"), both.clone());
        check(Some("{\"permissions\": {\"deny\": [ ]}}"), both);
        let more = json!({"x": {"permissions": 1}, "permissions": {"allow": ["Read"], "deny": ["Edit(b)", a, b]}});
        check(
            Some("{\"x\": {\"permissions\": 1}, \"permissions\": {\"allow\": [\"Read\"], \"deny\": [\"Edit(b)\"]}}"),
            more.clone(),
        );
        let tall = "{\n\t\"x\": {\"permissions\": 1},\n\t\"permissions\": {\n\t\t\"allow\": [\"Read\"],\n\t\t\"deny\": [\n\t\t\t\"Edit(b)\"\n\t\t]\n\t}\n}\n";
        let new = check(Some(tall), more);
        assert!(new.starts_with(&tall[..tall.find("\n\t\t]").unwrap()]) && new.ends_with("\n\t\t]\n\t}\n}\n"), "{new}");
        check(Some("{\"a\": 1}"), json!({"a": 1, "permissions": {"deny": [a, b]}}));
    }

    #[test]
    fn a_file_of_another_kind_stays_as_it_is() {
        for text in ["", "[]", "{\"permissions\": {\"deny\": \"all\"}}", "{\"permissions\": []}", "{ // why\n}", "{} x"]
        {
            assert!(Agent::Claude.with(Some(text), &patterns()).is_err(), "{text}");
        }
    }

    #[test]
    fn each_agent_has_its_own_words() {
        let new = Agent::Cursor.with(None, &patterns()).unwrap().unwrap();
        assert_eq!(
            serde_json::from_str::<Value>(&new).unwrap(),
            json!({"permissions": {"deny": ["Write(**/proptest-regressions/**)", "Write(tests/a.rs)"]}})
        );
    }
}
