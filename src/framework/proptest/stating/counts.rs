//! How many inputs a property throws away, as its runner tells once they are more than its cases: the limits of the library are
//! set so that it gives up then. And constants in the place of what a function returns.

use crate::audit::{Counted, Function};
use crate::framework::rust::cargo;
use crate::proof::{Manner, PinCommand, PinState, Proof, StandingPin};
use crate::source_tree::SourceTree;

/// The variables that hold how many cases there are, and how many inputs may be thrown away.
const VARIABLES: [&str; 3] = ["PROPTEST_CASES", "PROPTEST_MAX_LOCAL_REJECTS", "PROPTEST_MAX_GLOBAL_REJECTS"];

pub(super) fn counting(tests: &[StandingPin], cases: u64, tree: &dyn SourceTree, manner: &Manner) -> Vec<PinCommand> {
    let mut commands = cargo::commands(tests, tree, manner);
    for command in &mut commands {
        command.environment.extend(VARIABLES.map(|name| (name, cases.to_string())));
    }
    commands
}

/// What the output `text` of a run says of `test`, which came out as `proof` tells. Where it passes, no more inputs were thrown
/// away than it has cases.
pub(super) fn counted(text: &str, test: &StandingPin, proof: &Proof, cases: u64) -> Option<Counted> {
    if proof.state == PinState::Green {
        return Some(Counted { kept: cases, discarded: None });
    }
    let own = &text[text.find(&format!("thread '{}'", test.runs()))?..];
    let own = own.get(1..).and_then(|rest| rest.find("\nthread '")).map_or(own, |end| &own[..end]);
    let is_given_up = ["Too many local rejects", "Too many global rejects"].iter().any(|said| own.contains(said));
    let number = |name: &str| {
        let line = own.lines().find_map(|line| line.trim().strip_prefix(name));
        line.and_then(|number| number.trim().parse::<u64>().ok())
    };
    let (kept, local, global) = (number("successes:")?, number("local rejects:")?, number("global rejects:")?);
    is_given_up.then(|| Counted { kept, discarded: Some(local.saturating_add(global)) })
}

/// Whole numbers and the like, by how their types are called.
const NUMBERS: [&str; 12] = ["u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "i128", "isize"];

pub(super) fn constants(function: &Function) -> Vec<(&'static str, String)> {
    values(&function.returns).into_iter().map(|(said, value)| (said, format!("{{ {value} }}"))).collect()
}

fn values(ty: &str) -> Vec<(&'static str, String)> {
    let only = |said: &'static str, value: &str| vec![(said, value.to_owned())];
    let head = ty.split('<').next().unwrap_or(ty).trim().rsplit("::").next().unwrap_or_default();
    match head {
        "" => only("nothing at all", ""),
        "bool" => vec![("`true`", "true".to_owned()), ("`false`", "false".to_owned())],
        "f32" | "f64" => only("0", "0.0"),
        "char" => only("one character", "'a'"),
        "String" => only("an empty text", "String::new()"),
        "Vec" => only("an empty list", "Vec::new()"),
        "Option" => only("`None`", "None"),
        "Result" => inner(ty).map_or_else(Vec::new, |ty| {
            values(ty)
                .into_iter()
                .map(|(said, value)| (said, format!("Ok({})", if value.is_empty() { "()" } else { &value })))
                .collect()
        }),
        _ if NUMBERS.contains(&head) => only("0", "0"),
        _ if ty.replace(' ', "").ends_with("str") && ty.starts_with('&') => only("an empty text", "\"\""),
        _ if ty.starts_with("impl") || ty.starts_with('&') || ty.starts_with("dyn") || ty == "!" => Vec::new(),
        "()" => only("nothing at all", "()"),
        _ => only("its default", "Default::default()"),
    }
}

/// The first type that `Result<…>` is given.
fn inner(ty: &str) -> Option<&str> {
    let given = ty.split_once('<')?.1.trim_end().strip_suffix('>')?;
    let mut depth = 0_usize;
    let end = given.char_indices().find(|(_, char)| {
        match char {
            '<' | '(' | '[' => depth += 1,
            '>' | ')' | ']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        *char == ',' && depth == 0
    });
    Some(given[..end.map_or(given.len(), |(at, _)| at)].trim())
}

#[cfg(test)]
mod tests {
    use super::{counted, values};
    use crate::audit::Counted;
    use crate::proof::testing::blank_pin;
    use crate::proof::{PinState, Proof};

    #[test]
    fn constants_are_of_the_type_that_is_returned() {
        let told = |ty: &str| values(ty).into_iter().map(|(_, value)| value).collect::<Vec<_>>().join("|");
        for (ty, expected) in [
            ("u64", "0"),
            ("bool", "true|false"),
            ("Vec<Option<u8>>", "Vec::new()"),
            ("Result<Vec<(u8, u8)>, Error>", "Ok(Vec::new())"),
            ("io::Result<()>", "Ok(())"),
            ("std::string::String", "String::new()"),
            ("&'static str", "\"\""),
            ("&[u8]", ""),
            ("Money", "Default::default()"),
            ("impl Iterator<Item = u8>", ""),
            ("", ""),
        ] {
            assert_eq!(told(ty), expected, "{ty}");
        }
        assert_eq!(values("").len(), 1);
    }

    #[test]
    fn what_is_thrown_away_is_counted_where_the_runner_gives_up() {
        let text = "---- a::p stdout ----\n\nthread 'a::p' (7) panicked at src/a.rs:9:1:\nTest aborted: Too many global rejects\n\
                    \tsuccesses: 26\n\tlocal rejects: 3\n\t\t3 times at odd\n\tglobal rejects: 257\n\n\
                    ---- a::q stdout ----\n\nthread 'a::q' (8) panicked at src/a.rs:19:1:\nTest failed: no\n\tsuccesses: 1\n";
        let red = Proof::plain(PinState::Red);
        let of = |test: &str, proof: &Proof| counted(text, &blank_pin("proptest", test), proof, 256);
        assert_eq!(of("a::p", &red), Some(Counted { kept: 26, discarded: Some(260) }));
        assert_eq!(of("a::q", &red), None);
        assert_eq!(of("a::r", &red), None);
        assert_eq!(of("a::r", &Proof::plain(PinState::Green)), Some(Counted { kept: 256, discarded: None }));
    }
}
