//! Whether the test that prints what a pin binds printed the recorded values.

use super::alike::alike;
use crate::value::one_line;

/// How many bytes longer a value may print than it was told: blanks at its end are not.
const SLACK: usize = 64;

/// Whether a message holds the values, one a line. A value of an own Debug may have lines of its own, which a run or a record
/// may have told on one.
pub(crate) fn shows(message: &str, values: &[String]) -> bool {
    let lines: Vec<&str> = message.lines().collect();
    let each = lines.len() == values.len() && lines.iter().zip(values).all(|(line, value)| alike(line, value));
    each || message == values.join("\n") || matches!(values, [only] if alike(message, only)) || in_folds(&lines, values)
}

/// Whether the lines, some of them put on one, are the values.
fn in_folds(lines: &[&str], values: &[String]) -> bool {
    let [value, rest @ ..] = values else { return lines.is_empty() };
    // Another order within braces is no other length, and neither is a space for a line break.
    let most = value.len() + SLACK;
    let lengths = lines.iter().scan(0, |sum, line| {
        *sum += line.len() + 1;
        Some(*sum)
    });
    let counts = 1..=lengths.take_while(|length| *length <= most).count();
    counts.into_iter().any(|count| {
        let (own, others) = lines.split_at(count);
        alike(one_line(&own.join("\n")).trim(), value.trim()) && in_folds(others, rest)
    })
}

#[cfg(test)]
mod tests {
    use super::shows;

    #[track_caller]
    fn check(message: &str, values: &[&str], expected: bool) {
        let values: Vec<String> = values.iter().map(|value| (*value).to_owned()).collect();
        assert_eq!(shows(message, &values), expected, "{message}");
    }

    #[test]
    fn every_value_is_printed_as_recorded() {
        check("Secret(..)\n{2, 1}", &["Secret(..)", "{1, 2}"], true);
        check("Secret(..)\n{2, 1}", &["Secret(..)", "{1}"], false);
        check("Secret(..)", &["Secret(..)", "1"], false);
        check("two\nlines", &["two\nlines"], true);
        check("[NaN, -0.0]\n\"a\\nb\"", &["[\n    NaN,\n    -0.0,\n]", "\"a\\nb\""], true);
        check("[NaN, 0.0]", &["[NaN, -0.0]"], false);
        check("two\nlines\n1", &["two\nlines", "1"], true);
        check("{2,\n 1}", &["{1,\n 2}"], false);
    }

    #[test]
    fn lines_of_a_value_may_have_been_told_on_one() {
        check("add(0);\nadd(1);", &["add(0); add(1);"], true);
        check("add(0);\nadd(1);\n", &["add(0); add(1);"], true);
        check("add(0);\nadd(2);", &["add(0); add(1);"], false);
        check("add(0);", &["add(0); add(1);"], false);
        check("add(0);\nadd(1);\nadd(2);", &["add(0); add(1);"], false);
        check("{2, 1}\nadd(0);\nadd(1);\n\n7", &["{1, 2}", "add(0); add(1);", "7"], true);
        check("{2, 1}\nadd(0);\nadd(1);\n8", &["{1, 2}", "add(0); add(1);", "7"], false);
        check("add(0);\nadd(1);", &["add(0);  add(1);"], false);
    }
}
