//! Whether the test that prints what a pin binds printed the recorded values.

use super::alike::alike;

/// Whether a message holds the values, one a line. A value of an own Debug may have lines of its own.
pub(crate) fn shows(message: &str, values: &[String]) -> bool {
    let lines: Vec<&str> = message.lines().collect();
    let each = lines.len() == values.len() && lines.iter().zip(values).all(|(line, value)| alike(line, value));
    each || message == values.join("\n") || matches!(values, [only] if alike(message, only))
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
}
