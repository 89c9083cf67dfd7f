//! Whether the test that prints what a pin binds printed the recorded value.

use super::alike::alike;
use crate::failure::{Counterexample, Failure};
use crate::framework::proptest::read::read;
use crate::pin::Pin;
use crate::run_output::RunOutput;

/// Whether `run`, in which the printing test `value` failed, shows the values of `failure`; `None` where it does not tell.
pub(in crate::framework) fn is_recorded_value(value: &Pin, failure: &Failure, run: &RunOutput<'_>) -> Option<bool> {
    let test = value.test.as_ref()?;
    let printed = read(run).failures.into_iter().find(|printed| printed.test == *test)?;
    Some(prints(&printed.message, &failure.counterexample))
}

/// Whether a message holds the arguments, one a line.
fn prints(message: &str, counterexample: &Counterexample) -> bool {
    let lines: Vec<&str> = message.lines().collect();
    let arguments = &counterexample.arguments;
    match &arguments[..] {
        // A value of an own Debug may have lines of its own.
        [only] => alike(message, &only.text),
        many => lines.len() == many.len() && lines.iter().zip(many).all(|(line, one)| alike(line, &one.text)),
    }
}

#[cfg(test)]
mod tests {
    use super::prints;
    use crate::failure::{Argument, Counterexample};

    #[track_caller]
    fn check(message: &str, arguments: &[&str], expected: bool) {
        let argument = |text: &&str| Argument { name: String::new(), text: (*text).to_owned() };
        let arguments = arguments.iter().map(argument).collect();
        assert_eq!(prints(message, &Counterexample { text: String::new(), arguments }), expected, "{message}");
    }

    #[test]
    fn every_argument_is_printed_as_recorded() {
        check("Secret(..)\n{2, 1}", &["Secret(..)", "{\n    1,\n    2,\n}"], true);
        check("Secret(..)\n{2, 1}", &["Secret(..)", "{1}"], false);
        check("Secret(..)", &["Secret(..)", "1"], false);
        check("two\nlines", &["two\nlines"], true);
    }
}
