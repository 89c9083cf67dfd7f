//! The open question that an ambiguous requirement gets in its spec file: a quoted block under the requirement's own text,
//! with the input that raised it. The people who keep the spec answer it by rewriting the text and deleting the block.

use crate::edit::{Edits, line_end};
use crate::requirement::{self, QUESTION, RequirementId};
use crate::visible;

/// What is asked.
#[derive(Clone, Copy, Debug)]
pub struct Question<'a> {
    /// A date as `2026-11-30`.
    pub date: &'a str,
    /// The property that raised it.
    pub property: &'a str,
    /// Its counterexample, on one line; empty for a test that holds its input itself.
    pub counterexample: &'a str,
    /// What the reviewer says to it; may be empty.
    pub note: &'a str,
}

/// The change that puts `question` under the requirement `id` of `spec`; `None` where `spec` has no such requirement. No
/// change where the requirement holds that question already, whatever its date and note.
pub fn ask(spec: &str, id: &RequirementId, question: &Question<'_>) -> Option<Edits> {
    let requirement = requirement::read(spec).into_iter().find(|requirement| requirement.id == *id)?;
    let asked = |line: &str| question.counterexample.is_empty() || line.trim_end() == counterexample_line(question);
    let start = line_start(spec, requirement.line);
    let mut edits = Edits::new();
    if !has_question(&spec[start..requirement.end], question.property, asked) {
        let text = block(question).join(line_end(spec.as_bytes()));
        edits.insert(requirement.end, surrounded(spec, requirement.end, &text)).ok()?;
    }
    Some(edits)
}

/// Offset of the line numbered `line`, from 1.
fn line_start(spec: &str, line: u32) -> usize {
    spec.split_inclusive('\n').take(usize::try_from(line).unwrap_or(usize::MAX).saturating_sub(1)).map(str::len).sum()
}

/// Whether `section` holds a question of this property with a line that is `asked`.
fn has_question(section: &str, property: &str, asked: impl Fn(&str) -> bool) -> bool {
    let name = format!("`{}`", visible::line(property));
    let mut of_property = false;
    section.lines().any(|line| {
        if line.starts_with(QUESTION) {
            of_property = line.contains(&name);
        }
        of_property && asked(line)
    })
}

fn block(question: &Question<'_>) -> Vec<String> {
    let (date, property) = (visible::line(question.date), visible::line(question.property));
    let on_input = if question.counterexample.is_empty() { "" } else { " on the input below" };
    let mut lines = vec![
        format!("{QUESTION} ({date}): `{property}` fails{on_input}."),
        "> Is that what this requirement says?".to_owned(),
    ];
    if !question.counterexample.is_empty() {
        lines.extend([">".to_owned(), counterexample_line(question)]);
    }
    if !question.note.trim().is_empty() {
        lines.push(">".to_owned());
        lines.extend(
            question.note.trim().lines().map(|line| format!("> {}", visible::line(line)).trim_end().to_owned()),
        );
    }
    lines
}

/// Four spaces make it code in Markdown, whatever signs it holds.
fn counterexample_line(question: &Question<'_>) -> String {
    format!(">     {}", visible::line(question.counterexample)).trim_end().to_owned()
}

/// `block` with the line ends it needs at `at`, where a line ends or the text does.
fn surrounded(spec: &str, at: usize, block: &str) -> String {
    let end = line_end(spec.as_bytes());
    let (before, after) = spec.split_at(at);
    if before.ends_with('\n') {
        let blank_line_after =
            if after.trim_start_matches('\r').starts_with('\n') || after.is_empty() { "" } else { end };
        format!("{end}{block}{end}{blank_line_after}")
    } else {
        format!("{end}{end}{block}")
    }
}

#[cfg(test)]
mod tests {
    use super::{Question, ask};
    use crate::requirement::RequirementId;

    const FIRST: Question<'_> =
        Question { date: "2026-11-30", property: "a_1_x", counterexample: "n = 3, s = \"`\\t\"", note: "" };

    fn asked(spec: &str, question: &Question<'_>) -> Option<String> {
        let edits = ask(spec, &RequirementId("A-1".to_owned()), question)?;
        Some(String::from_utf8(edits.apply(spec.as_bytes())).unwrap())
    }

    #[track_caller]
    fn check(spec: &str, question: &Question<'_>, expected: &str) {
        let once = asked(spec, question).unwrap();
        assert_eq!(once, expected);
        assert_eq!(asked(&once, question).unwrap(), once, "asked twice");
    }

    #[test]
    fn a_question_goes_under_the_requirements_text() {
        check(
            "# A-1\n\nText.\n\n# B-1\n",
            &FIRST,
            "# A-1\n\nText.\n\n> **Open question** (2026-11-30): `a_1_x` fails on the input below.\n> Is that what this requirement says?\n>\n>     n = 3, s = \"`\\t\"\n\n# B-1\n",
        );
    }

    #[test]
    fn line_ends_and_a_missing_final_newline_stay() {
        check(
            "# A-1\r\nText.",
            &Question { counterexample: "n = 3", note: "which\nyear?", ..FIRST },
            "# A-1\r\nText.\r\n\r\n> **Open question** (2026-11-30): `a_1_x` fails on the input below.\r\n> Is that what this requirement says?\r\n>\r\n>     n = 3\r\n>\r\n> which\r\n> year?",
        );
        check(
            "# A-1\nText.\n# B-1\n",
            &Question { counterexample: "", ..FIRST },
            "# A-1\nText.\n\n> **Open question** (2026-11-30): `a_1_x` fails.\n> Is that what this requirement says?\n\n# B-1\n",
        );
    }

    #[test]
    fn foreign_text_stays_on_its_line() {
        check(
            "# A-1\n",
            &Question { property: "a\nb", counterexample: "x = \u{1b}[2J\n# B", note: "\u{202e}x", ..FIRST },
            "# A-1\n\n> **Open question** (2026-11-30): `a\\nb` fails on the input below.\n> Is that what this requirement says?\n>\n>     x = \\u{1b}[2J\\n# B\n>\n> \\u{202e}x\n",
        );
    }

    #[test]
    fn another_input_or_property_is_another_question() {
        let spec = asked("# A-1\n\nText.\n", &FIRST).unwrap();
        assert_eq!(asked(&spec, &Question { date: "2026-12-01", note: "new", ..FIRST }).unwrap(), spec);
        for other in [Question { counterexample: "n = 4", ..FIRST }, Question { property: "a_1_y", ..FIRST }] {
            let more = asked(&spec, &other).unwrap();
            assert_eq!(more.matches("Open question").count(), 2, "{more}");
            assert!(more.starts_with(&spec), "{more}");
        }
    }

    #[test]
    fn a_spec_without_the_requirement_is_not_changed() {
        assert_eq!(asked("# A-10\n", &FIRST), None);
    }
}
