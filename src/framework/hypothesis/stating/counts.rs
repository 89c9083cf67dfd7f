//! How many inputs a property throws away, as the library's own statistics tell. And constants in the place of what a function
//! returns.

use crate::audit::{Counted, Function};
use crate::framework::hypothesis::command;
use crate::framework::hypothesis::read::names::node;
use crate::proof::{Manner, PinCommand, Proof, StandingPin};
use crate::source_tree::SourceTree;

/// What pytest is told besides: where no pytest is, nothing is.
const STATISTICS: (&str, &str) = ("PYTEST_ADDOPTS", "--hypothesis-show-statistics");

pub(super) fn counting(tests: &[StandingPin], tree: &dyn SourceTree, manner: &Manner) -> Vec<PinCommand> {
    let mut commands = command::commands(tests, tree, manner);
    for command in &mut commands {
        command.environment.push((STATISTICS.0, STATISTICS.1.to_owned()));
    }
    commands
}

/// What the statistics in `text` say of `test`: `- 12 passing examples, 0 failing examples, 88 invalid examples`, by newer
/// versions `- 12 passing, 0 failing, and 88 invalid test cases`. Where the library's own check ends the test, that says it.
pub(super) fn counted(text: &str, test: &StandingPin, proof: &Proof) -> Option<Counted> {
    if let Some(told) = by_check(&proof.message) {
        return Some(told);
    }
    let own = test.runs().0.as_str();
    let lines = text.lines().skip_while(|line| !heads(line, own)).skip(1);
    Counted::sum(lines.take_while(|line| line.is_empty() || line.starts_with(' ')).filter_map(numbers))
}

/// Whether a line is the head of what is said of `test`: as pytest names it in its folder.
fn heads(line: &str, test: &str) -> bool {
    let Some(name) = line.strip_suffix(':').filter(|name| name.contains("::")) else { return false };
    let name = node(name);
    name == test
        || test.strip_suffix(name).is_some_and(|before| before.ends_with('/'))
        || name.ends_with(&format!("/{test}"))
}

/// How many inputs a line says passed or failed, and how many were invalid: each number before its word.
fn numbers(line: &str) -> Option<(u64, u64)> {
    let words: Vec<&str> = line.trim_start().strip_prefix("- ")?.split_whitespace().collect();
    let number = |what: &str| {
        let at = words.iter().position(|word| word.trim_end_matches(',') == what)?;
        words.get(at.checked_sub(1)?)?.parse::<u64>().ok()
    };
    Some((number("passing")?.saturating_add(number("failing").unwrap_or_default()), number("invalid")?))
}

/// `10 inputs were generated successfully, while 50 inputs were filtered out.`
fn by_check(message: &str) -> Option<Counted> {
    let before = |what: &str| {
        let at = message.find(what)?;
        message[..at].trim_end().rsplit(|c: char| !c.is_ascii_digit()).next()?.parse::<u64>().ok()
    };
    let discarded = before("inputs were filtered out")?;
    let kept = before("inputs were generated successfully").unwrap_or_default();
    Some(Counted { kept, discarded: Some(discarded) })
}

pub(super) fn constants(function: &Function) -> Vec<(&'static str, String)> {
    let returns = function.returns.trim_matches('"');
    let head = returns.split('[').next().unwrap_or(returns).rsplit('.').next().unwrap_or_default().trim();
    let all = [("0", "0"), ("an empty text", "\"\""), ("an empty list", "[]"), ("`None`", "None")];
    let values: Vec<(&'static str, &str)> = match head {
        "int" | "float" => vec![all[0]],
        "str" => vec![all[1]],
        "list" | "List" | "Sequence" | "Iterable" | "Iterator" => vec![all[2]],
        "dict" | "Dict" | "Mapping" => vec![("an empty dictionary", "{}")],
        "set" | "Set" | "frozenset" => vec![("an empty set", "set()")],
        "tuple" | "Tuple" => vec![("an empty tuple", "()")],
        "bool" => vec![("`True`", "True"), ("`False`", "False")],
        "Optional" | "None" => vec![all[3]],
        "" => all.to_vec(),
        _ => Vec::new(),
    };
    values.into_iter().map(|(said, value)| (said, format!("return {value}"))).collect()
}

#[cfg(test)]
mod tests {
    use super::counted;
    use crate::audit::Counted;
    use crate::proof::testing::blank_pin;
    use crate::proof::{PinState, Proof};

    const TEXT: &str = "============================ Hypothesis Statistics =============================\n\n\
        tests/test_a.py::test_x:\n\n  - during generate phase (0.05 seconds):\n    - Typical runtimes: < 1ms\n\
        \x20   - 12 passing examples, 0 failing examples, 88 invalid examples\n\
        \x20 - Stopped because settings.max_examples=100\n\n\ntests/test_a.py::test_y:\n\n\
        \x20 - during reuse phase (0.00 seconds):\n    - 1 passing examples, 0 failing examples, 2 invalid examples\n\
        \x20 - during generate phase (0.05 seconds):\n    - 99 passing, 0 failing, and 3 invalid test cases\n\n\
        ============================== 2 passed in 0.1s ===============================\n";

    #[track_caller]
    fn check(test: &str, message: &str, expected: Option<(u64, u64)>) {
        let proof = Proof { message: message.to_owned(), ..Proof::plain(PinState::Green) };
        let found = counted(TEXT, &blank_pin("hypothesis", test), &proof);
        assert_eq!(found, expected.map(|(kept, discarded)| Counted { kept, discarded: Some(discarded) }), "{test}");
    }

    #[test]
    fn the_statistics_of_a_property_are_added_up() {
        check("tests/test_a.py::test_x", "", Some((12, 88)));
        check("pay/tests/test_a.py::test_y", "", Some((100, 5)));
        check("tests/test_a.py::test", "", None);
    }

    #[test]
    fn the_librarys_own_check_tells_it_too() {
        let said = "FailedHealthCheck: It looks like this test is filtering out a lot of inputs. 3 inputs were generated \
                    successfully, while 50 inputs were filtered out. ";
        check("tests/test_a.py::test_z", said, Some((3, 50)));
    }
}
