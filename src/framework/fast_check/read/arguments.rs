//! Takes the text of a counterexample apart: `[1,{"a":[2]}]` into its values as printed. What stands in quotes, comments,
//! templates or regular expressions separates nothing.

/// How the comment begins with which a run of commands ends.
const REPLAY: &str = " /*replayPath=";

/// The values of a counterexample, in order. A run of commands is one value, where it says itself what replays it.
pub(crate) fn split(text: &str) -> Vec<String> {
    let Some(inside) = text.strip_prefix('[').and_then(|text| text.strip_suffix(']')) else {
        return vec![text.to_owned()];
    };
    let mut parts = parts(inside);
    let is_run = |part: &String| part.contains(REPLAY);
    if let Some(last) = parts.iter().rposition(is_run) {
        let first = (0..=last).rev().take_while(|&at| at == last || is_command(&parts[at])).last().unwrap_or(last);
        let run = parts.drain(first..=last).collect::<Vec<_>>().join(",");
        parts.insert(first, run);
    }
    parts
}

/// What replays the commands of a counterexample.
pub(crate) fn replay_path(text: &str) -> Option<&str> {
    let start = text.find(REPLAY)? + REPLAY.len();
    let path = text[start..].strip_prefix('"')?.split('"').next()?;
    path.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+/:=,".contains(&byte)).then_some(path)
}

/// Whether a text has the form of a command and of no value.
fn is_command(text: &str) -> bool {
    let name = text.bytes().take_while(|byte| byte.is_ascii_alphanumeric() || b"_$".contains(byte)).count();
    let known = ["Object", "Symbol", "Promise", "Array", "Buffer", "true", "false", "null", "undefined"];
    let starts = text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_' || c == '$');
    starts && !known.contains(&&text[..name]) && !text.starts_with("new ") && !text[name..].starts_with('.')
}

/// The parts of a list between its commas, blanks around them taken away. A last comma is part of nothing: where it tells of
/// a hole it stands inside brackets.
fn parts(text: &str) -> Vec<String> {
    let bytes = text.as_bytes();
    let (mut parts, mut depth, mut start, mut at) = (Vec::new(), 0usize, 0, 0);
    while at < bytes.len() {
        at = match bytes[at] {
            quote @ (b'"' | b'\'' | b'`') => quoted_end(bytes, at, quote),
            b'/' if bytes.get(at + 1) == Some(&b'*') => after(text, at + 2, "*/"),
            b'/' if bytes.get(at + 1) == Some(&b'/') => after(text, at + 2, "\n"),
            b'/' if opens_value(&text[start..at]) => regex_end(bytes, at),
            b'(' | b'[' | b'{' => {
                depth += 1;
                at + 1
            }
            b')' | b']' | b'}' => {
                depth = depth.saturating_sub(1);
                at + 1
            }
            b',' if depth == 0 => {
                parts.push(text[start..at].trim().to_owned());
                start = at + 1;
                at + 1
            }
            _ => at + 1,
        };
    }
    let last = text[start.min(text.len())..].trim();
    if !last.is_empty() {
        parts.push(last.to_owned());
    }
    parts
}

/// Whether a value, and not an operator, follows `before`.
fn opens_value(before: &str) -> bool {
    before.trim_end().bytes().last().is_none_or(|byte| b"([{,:=".contains(&byte))
}

/// The offset after what begins with `quote` at `at`.
fn quoted_end(bytes: &[u8], at: usize, quote: u8) -> usize {
    let mut at = at + 1;
    while at < bytes.len() && bytes[at] != quote {
        at += 1 + usize::from(bytes[at] == b'\\');
    }
    (at + 1).min(bytes.len())
}

/// The offset after a regular expression.
fn regex_end(bytes: &[u8], at: usize) -> usize {
    let (mut at, mut class) = (at + 1, false);
    while at < bytes.len() && (class || bytes[at] != b'/') {
        match bytes[at] {
            b'\\' => at += 1,
            b'[' => class = true,
            b']' => class = false,
            b'\n' => return at,
            _ => {}
        }
        at += 1;
    }
    (at + 1).min(bytes.len())
}

fn after(text: &str, at: usize, end: &str) -> usize {
    text.get(at..).and_then(|rest| rest.find(end)).map_or(text.len(), |found| at + found + end.len())
}

#[cfg(test)]
mod tests {
    use super::{replay_path, split};

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        assert_eq!(split(text), expected, "{text}");
    }

    #[test]
    fn commas_inside_values_separate_nothing() {
        check("[1,2]", &["1", "2"]);
        check("[]", &[]);
        check(r#"["a,\"]",{"x":[1,2]},new Map([[1,2]])]"#, &[r#""a,\"]""#, r#"{"x":[1,2]}"#, "new Map([[1,2]])"]);
        check(r"[/a,[/]b\/c/g,1]", &[r"/a,[/]b\/c/g", "1"]);
        check(
            "[function(a) {\n  // it's\n  /* [1,2] => 0 */\n  return 1;\n},2]",
            &["function(a) {\n  // it's\n  /* [1,2] => 0 */\n  return 1;\n}", "2"],
        );
        check("[schedulerFor()`\n-> a, b`,3]", &["schedulerFor()`\n-> a, b`", "3"]);
        check("[[,],[1,,]]", &["[,]", "[1,,]"]);
        check("[\"\u{2028}é\"]", &["\"\u{2028}é\""]);
        check("[\"torn", &["[\"torn"]);
        check("[\"torn,1]", &["\"torn,1"]);
    }

    #[test]
    fn a_run_of_commands_is_one_value() {
        let run = r#"inc(8),reset,inc(5) /*replayPath="BA/D+:qU"*/"#;
        check(&format!("[{run}]"), &[run]);
        check(&format!("[false,\"a\",Symbol.iterator,{run}]"), &["false", "\"a\"", "Symbol.iterator", run]);
        check("[false,inc(4),inc(9)]", &["false", "inc(4)", "inc(9)"]);
        assert_eq!(replay_path(run), Some("BA/D+:qU"));
        assert_eq!(replay_path("inc(8)"), None);
    }
}
