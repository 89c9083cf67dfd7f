//! fast-check's own report, from its first line to what its test runner adds to it: how the run ended, seed and path, the
//! counterexample on however many lines, and the lines that follow.

use super::frames::frame;

/// How a report begins.
pub(super) const HEADS: [&str; 3] = ["Property failed after ", TOO_MANY_SKIPS, "Property interrupted after "];

pub(super) const TOO_MANY_SKIPS: &str = "Failed to run property, too many pre-condition failures encountered";

/// Longest counterexample that is read, in lines.
const MOST_LINES: usize = 100_000;

/// Most lines after a report's own that are read.
const MOST_AFTER: usize = 5_000;

/// Lines of text at the margin after which a stack is over, whoever wrote them.
const MOST_AT_MARGIN: usize = 8;

/// One line, without what a carrier put in front.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Line {
    /// Its text.
    pub(super) text: String,
    /// Its number in the run.
    pub(super) number: u64,
}

/// A report.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Report {
    /// Its first line, from where it begins.
    pub(super) head: String,
    /// The number of that line.
    pub(super) line: u64,
    pub(super) seed: String,
    /// Empty where there is none.
    pub(super) path: String,
    /// `None` where the run ended without one.
    pub(super) counterexample: Option<String>,
    pub(super) shrinks: u64,
    /// Whether the text ends, or goes on with something else, inside the counterexample.
    pub(super) breaks_off: bool,
    /// What follows, its indentation taken away: hints, stack, cause.
    pub(super) after: Vec<String>,
}

/// How the text around a report is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// As it is, perhaps indented.
    Plain,
    /// In quotes, those inside escaped, as Vitest's TAP has it.
    Quoted,
    /// As a block in YAML, other keys around it, as Node's TAP has it.
    Block,
}

/// Reads the report whose first line is the first of `lines`. `in_block` tells that the line before opened a block of YAML.
/// Takes no more lines than belong to it, but for the one that tells that it is over.
pub(super) fn read(lines: &mut dyn Iterator<Item = Line>, in_block: bool) -> Option<Report> {
    let first = lines.next()?;
    let at = HEADS.iter().filter_map(|head| first.text.find(head)).min()?;
    let quoted = first.text[..at].trim_end().ends_with(": \"");
    let form = if quoted {
        Form::Quoted
    } else if in_block {
        Form::Block
    } else {
        Form::Plain
    };
    let second = lines.next()?;
    let unescaped = |text: &str| if quoted { text.replace("\\\"", "\"") } else { text.to_owned() };
    let settings = unescaped(&second.text);
    let indent = settings.len() - settings.trim_start_matches(' ').len();
    let (seed, path) = settings_of(settings.trim())?;
    let mut report =
        Report { head: first.text[at..].trim_end().to_owned(), line: first.number, seed, path, ..Report::default() };
    if !is_head(&report.head) {
        return None;
    }
    let mut next = lines.next();
    if report.head.starts_with(HEADS[0]) {
        let line = next.take().map(|line| unescaped(cut(&line.text, indent)));
        let Some(start) = line.as_deref().and_then(|line| line.strip_prefix("Counterexample: ")) else {
            report.breaks_off = true;
            return Some(report);
        };
        let (text, shrinks) = counterexample(start, &mut lines.map(|line| unescaped(cut(&line.text, indent))));
        report.counterexample = Some(text);
        report.breaks_off = shrinks.is_none();
        report.shrinks = shrinks.unwrap_or_default();
        if report.breaks_off {
            return Some(report);
        }
        next = lines.next();
    }
    let (mut taken, mut stack) = (0, Stack::default());
    while let Some(line) = next {
        taken += 1;
        let own = unescaped(&line.text);
        if taken > MOST_AFTER || ends(&own, indent, form) || stack.is_left(&own) {
            break;
        }
        let is_last = form == Form::Quoted && own.trim_start().starts_with("at: \"");
        report.after.push(cut(&own, indent).to_owned());
        if is_last {
            break;
        }
        next = lines.next();
    }
    Some(report)
}

/// The calls that a report ends with, where its runner writes nothing after them that would tell.
#[derive(Default)]
struct Stack {
    seen: bool,
    /// Lines at the margin since the last call.
    others: usize,
}

impl Stack {
    /// Takes the next line, and says whether a log has gone on to something else.
    fn is_left(&mut self, line: &str) -> bool {
        if frame(line).is_some() {
            *self = Stack { seen: true, others: 0 };
        } else if line.starts_with("Caused by") {
            *self = Stack::default();
        } else if self.seen && line.starts_with(|char: char| !char.is_whitespace()) {
            self.others += 1;
        }
        self.others > MOST_AT_MARGIN
    }
}

/// The counterexample that begins with `start`, and how often it was shrunk; `None` where that never comes.
fn counterexample(start: &str, lines: &mut dyn Iterator<Item = String>) -> (String, Option<u64>) {
    let mut text = start.to_owned();
    for line in lines.take(MOST_LINES) {
        if let Some(times) = line.strip_prefix("Shrunk ").and_then(|rest| rest.trim_end().strip_suffix(" time(s)"))
            && let Ok(times) = times.parse()
        {
            return (text, Some(times));
        }
        if is_head(&line) {
            break;
        }
        text.push('\n');
        text.push_str(&line);
    }
    (text, None)
}

/// The line without the report's indentation.
fn cut(text: &str, indent: usize) -> &str {
    let spaces = text.bytes().take(indent).take_while(|&byte| byte == b' ').count();
    &text[spaces..]
}

/// Whether a line begins a report, whatever stands before it.
fn is_head(text: &str) -> bool {
    let count = |head: &str| {
        let rest = &text[text.find(head)? + head.len()..];
        let rest = rest.trim_end().strip_suffix(" tests")?;
        (!rest.is_empty() && rest.bytes().all(|byte| byte.is_ascii_digit())).then_some(())
    };
    text.trim_end().ends_with(TOO_MANY_SKIPS) || count(HEADS[0]).is_some() || count(HEADS[2]).is_some()
}

/// Seed and path of `{ seed: -1, path: "0:1", endOnFailure: true }`.
fn settings_of(text: &str) -> Option<(String, String)> {
    let inside = text.strip_prefix("{ seed: ")?.strip_suffix('}')?.trim_end();
    let (seed, rest) = inside.split_once(',').unwrap_or((inside, ""));
    let digits = seed.strip_prefix('-').unwrap_or(seed);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let path = rest.trim_start().strip_prefix("path: \"").and_then(|rest| rest.split('"').next()).unwrap_or_default();
    let is_path = path.bytes().all(|byte| byte.is_ascii_digit() || byte == b':');
    Some((seed.to_owned(), if is_path { path.to_owned() } else { String::new() }))
}

/// Whether a line comes after everything that is told of the report before it.
fn ends(text: &str, indent: usize, form: Form) -> bool {
    let blank = text.trim().is_empty();
    let left = text.len() - text.trim_start_matches(' ').len();
    match form {
        Form::Block => text.trim() == "...",
        Form::Quoted => text.trim() == "...",
        Form::Plain if is_head(text) => true,
        Form::Plain if indent > 0 => !blank && left < indent,
        Form::Plain => {
            let starts = [
                "⎯⎯⎯",
                " FAIL ",
                "FAIL ",
                "}",
                "Node.js v",
                "::error",
                "::endgroup",
                "##[",
                " Test Files ",
                "Test Suites:",
            ];
            // What stands at the margin is a run of the summary.
            let listed = left > 0 && ["× ", "✓ ", "↓ "].iter().any(|start| text[left..].starts_with(start));
            listed || starts.iter().any(|start| text.starts_with(start))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Line, Report, read};

    fn lines(text: &str) -> impl Iterator<Item = Line> + '_ {
        text.split('\n').zip(1..).map(|(text, number)| Line { text: text.to_owned(), number })
    }

    #[track_caller]
    fn check(text: &str, seed: &str, path: &str, counterexample: Option<&str>, after: &[&str]) {
        let report = read(&mut lines(text), false).unwrap();
        let Report { breaks_off, .. } = report;
        assert_eq!((report.seed.as_str(), report.path.as_str()), (seed, path), "{text}");
        assert_eq!((report.counterexample.as_deref(), breaks_off), (counterexample, false), "{text}");
        assert_eq!(report.after, after, "{text}");
    }

    #[test]
    fn a_report_ends_where_its_runner_goes_on() {
        let report = "Error: Property failed after 1 tests\n{ seed: -9, path: \"0:1\", endOnFailure: true }\n\
                      Counterexample: [1]\nShrunk 1 time(s)\nHint\n";
        check(&format!("{report}⎯⎯⎯⎯[1/2]⎯\nx"), "-9", "0:1", Some("[1]"), &["Hint"]);
        check(&format!("{report} FAIL  a > b\nx"), "-9", "0:1", Some("[1]"), &["Hint"]);
        check(&format!("{report}{report}"), "-9", "0:1", Some("[1]"), &["Hint"]);
        let indented: String = report.lines().map(|line| format!("    {line}\n")).collect();
        check(&format!("{indented}\n      at f (x)\n  ● next"), "-9", "0:1", Some("[1]"), &["Hint", "", "  at f (x)"]);
    }

    #[test]
    fn a_stack_is_over_where_text_at_the_margin_goes_on() {
        let report = "Property failed after 1 tests\n{ seed: -9, path: \"0:1\", endOnFailure: true }\n\
                      Counterexample: [1]\nShrunk 1 time(s)\n";
        let (first, second) = ("y\n".repeat(9), "x\n".repeat(9));
        let text = format!("{report}{first} ❯ a.ts:1:2\nCaused by: no\n{first} ❯ a.ts:3:4\n{second}");
        let after = read(&mut lines(&text), false).unwrap().after;
        assert_eq!(after.len(), 9 + 1 + 1 + 9 + 1 + 8);
        assert_eq!(after.last().map(String::as_str), Some("x"));
    }

    #[test]
    fn a_counterexample_goes_on_to_the_line_that_counts_its_shrinks() {
        let text = "Property failed after 2 tests\n{ seed: 1, path: \"0\", endOnFailure: true }\n\
                    Counterexample: [f() {\n  Shrunk 3\n}]\nShrunk 3 time(s)";
        check(text, "1", "0", Some("[f() {\n  Shrunk 3\n}]"), &[]);
    }

    #[test]
    fn what_only_looks_like_a_report_is_none() {
        for text in [
            "Property failed after 1 tests",
            "Property failed after 1 tests\nCounterexample: [1]",
            "Property failed after lunch tests\n{ seed: 1, path: \"0\", endOnFailure: true }\nCounterexample: [1]",
            "Property failed after 1 tests\n{ seed: none }\nCounterexample: [1]",
        ] {
            assert_eq!(read(&mut lines(text), false), None, "{text}");
        }
    }

    #[test]
    fn a_text_that_ends_inside_breaks_off() {
        let text = "Property failed after 1 tests\n{ seed: 1, path: \"0\", endOnFailure: true }";
        for more in ["", "\nCounterexample: [1", "\nCounterexample: [1]\nShrunk"] {
            assert!(read(&mut lines(&format!("{text}{more}")), false).unwrap().breaks_off, "{more}");
        }
    }

    #[test]
    fn runs_without_an_input_have_a_seed_alone() {
        let skips =
            "Error: Failed to run property, too many pre-condition failures encountered\n{ seed: 7 }\n\nRan 0 time(s)";
        check(skips, "7", "", None, &["", "Ran 0 time(s)"]);
        check("Property interrupted after 3 tests\n{ seed: 7 }", "7", "", None, &[]);
    }
}
