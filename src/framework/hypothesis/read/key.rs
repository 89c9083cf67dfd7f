//! What the log of a run and the patch that the library wrote of the same run have in common: the function and its input. A
//! patch names no class and no parameters, writes texts in other quotes, and names values by the modules that it found.

use crate::failure::Failure;
use crate::language::python::literal::tokens;
use crate::language::python::marks::is_name;

/// File, function and input, in a form that does not depend on who wrote them; `None` where the input is no Python.
pub(in crate::framework::hypothesis) fn report_key(failure: &Failure) -> Option<String> {
    let told = failure.counterexample.arguments.iter().filter(|argument| argument.name != "self");
    let inputs: Option<Vec<String>> =
        told.map(|argument| Some(format!("{}={}", argument.name, plain(&argument.text)?))).collect();
    let inputs = inputs.filter(|inputs| !inputs.is_empty())?;
    let (file, _) = failure.test.0.split_once("::")?;
    let file = file.rsplit(['/', '\\']).next().unwrap_or(file);
    let function = failure.test.function().split('[').next().unwrap_or_default();
    Some(format!("{file} {function} {}", inputs.join(" ")))
}

/// The tokens of a value, of dotted names only the last part.
pub(in crate::framework::hypothesis) fn plain(text: &str) -> Option<String> {
    let mut found: Vec<String> = Vec::new();
    for token in tokens(text)? {
        let is_inner = is_name(&token) && found.last().is_some_and(|last| last == ".");
        if is_inner {
            found.truncate(found.len() - 2);
        }
        found.push(token);
    }
    Some(found.concat())
}

#[cfg(test)]
mod tests {
    use super::report_key;
    use crate::failure::{Argument, Counterexample, Failure, testing};

    fn key(test: &str, arguments: &[(&str, &str)]) -> Option<String> {
        let argument = |(name, text): &(&str, &str)| Argument { name: (*name).to_owned(), text: (*text).to_owned() };
        let arguments = arguments.iter().map(argument).collect();
        report_key(&Failure {
            counterexample: Counterexample { text: String::new(), arguments },
            ..testing::failure(test)
        })
    }

    #[test]
    fn a_patch_and_a_log_have_the_same_key() {
        let log = key(
            "tests/test_a.py::TestA::test_x[3]",
            &[("self", "<A at 0x7f>"), ("d", "datetime.date(2001, 1, 1)"), ("s", "'it'")],
        );
        let patch = key("test_a.py::test_x", &[("d", "dt.datetime.date(2001,1,1,)"), ("s", "\"it\"")]);
        assert!(log.is_some() && log == patch);
        assert_ne!(log, key("test_a.py::test_x", &[("d", "dt.datetime.date(2001, 1, 2)"), ("s", "\"it\"")]));
        assert_eq!(key("test_a.py::test_x", &[("x", "<object at 0x7f>")]), None);
        assert_eq!(key("test_a.py::test_x", &[]), None);
    }
}
