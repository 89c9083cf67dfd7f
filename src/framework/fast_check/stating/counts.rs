//! How many inputs a property throws away, as the library tells of each run to the file that Node loads first for us. And
//! constants in the place of what a function returns.

use serde::Deserialize;

use crate::audit::{Counted, Function};
use crate::framework::fast_check::command;
use crate::framework::fast_check::read::name;
use crate::proof::{Manner, PinCommand, StandingPin};
use crate::source_tree::SourceTree;

/// What has our file tell of every run.
const COUNTS: &str = "REDPIN_COUNTS";

/// A line of our file.
#[derive(Deserialize)]
struct Line {
    redpin: String,
    titles: Vec<String>,
    runs: u64,
    skips: u64,
}

pub(super) fn counting(tests: &[StandingPin], tree: &dyn SourceTree, manner: &Manner) -> Vec<PinCommand> {
    let mut commands = command::commands(tests, tree, manner);
    for command in &mut commands {
        command.environment.push((COUNTS, "1".to_owned()));
    }
    commands
}

/// What all runs of `test` in `text` come to.
pub(super) fn counted(text: &str, test: &StandingPin) -> Option<Counted> {
    let lines = text.lines().filter(|line| line.starts_with("{\"redpin\":\"counted\""));
    let runs = lines.filter_map(|line| serde_json::from_str::<Line>(line).ok());
    let own = runs.filter(|line| line.redpin == "counted" && name(&line.titles) == *test.runs());
    Counted::sum(own.map(|line| (line.runs, line.skips)))
}

pub(super) fn constants(function: &Function, body: &str) -> Vec<(&'static str, String)> {
    let all = [("0", "0"), ("an empty text", "''"), ("an empty list", "[]"), ("`undefined`", "undefined")];
    let returns = function.returns.as_str();
    let values: Vec<(&'static str, &str)> = match returns {
        "number" => vec![all[0]],
        "bigint" => vec![("0", "0n")],
        "string" => vec![all[1]],
        "boolean" => vec![("`true`", "true"), ("`false`", "false")],
        "" => all.to_vec(),
        _ if returns.ends_with("[]") || returns.starts_with("Array<") || returns.starts_with("ReadonlyArray<") => {
            vec![all[2]]
        }
        _ if returns.ends_with("| null") => vec![("`null`", "null")],
        _ if returns.ends_with("| undefined") => vec![all[3]],
        _ => Vec::new(),
    };
    let is_block = body.starts_with('{');
    let made = |value: &str| if is_block { format!("{{ return {value}; }}") } else { value.to_owned() };
    values.into_iter().map(|(said, value)| (said, made(value))).collect()
}

#[cfg(test)]
mod tests {
    use super::counted;
    use crate::audit::Counted;
    use crate::proof::testing::blank_pin;

    #[test]
    fn the_runs_of_a_test_are_added_up() {
        let text = "{\"redpin\":\"counted\",\"titles\":[\"s\",\"t\"],\"runs\":100,\"skips\":30}\nnoise\n\
                    {\"redpin\":\"counted\",\"titles\":[\"u\"],\"runs\":1,\"skips\":1}\n\
                    {\"redpin\":\"counted\",\"titles\":[\"s\",\"t\"],\"runs\":2,\"skips\":900}\n{\"redpin\":\"counted\"\n";
        let of = |test: &str| counted(text, &blank_pin("fast-check", test));
        assert_eq!(of("s > t"), Some(Counted { kept: 102, discarded: Some(930) }));
        assert_eq!(of("t"), None);
    }
}
