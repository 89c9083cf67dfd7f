//! Which input of a failure is kept where runs show several: the shorter one, unless a pin of it would be the weaker one, or
//! there could be none. The shortest is read best, but one that can be pinned is not given away for it.

use crate::failure::{Caveat, Failure, Replay};
use crate::framework::{self, Case};
use crate::pin::Rung;
use crate::source_tree::SourceTree;
use crate::value::Value;

/// Whether of two inputs of one failure the `longer` one can be pinned better than the `shorter`. The pins themselves are
/// worked out only where that is in doubt.
pub(super) fn is_weaker(shorter: &Failure, longer: &Failure, tree: &dyn SourceTree) -> bool {
    let loses_handle = has_handle(longer) && !has_handle(shorter);
    let in_doubt = loses_handle || !is_whole(shorter) || !is_readable(shorter);
    in_doubt && (is_whole(longer), strength(longer, tree)) > (is_whole(shorter), strength(shorter, tree))
}

fn has_handle(failure: &Failure) -> bool {
    matches!(failure.replay, Replay::NewSeed { .. })
}

/// Whether the input is the one that failed, and all of it.
fn is_whole(failure: &Failure) -> bool {
    !failure.caveats.iter().any(|caveat| matches!(caveat, Caveat::Truncated | Caveat::Untrusted))
}

fn is_readable(failure: &Failure) -> bool {
    let values = &failure.counterexample.arguments;
    !values.is_empty() && !values.iter().any(|value| holds_opaque(&Value::parse(&value.text)))
}

fn holds_opaque(value: &Value) -> bool {
    match value {
        Value::Opaque(_) => true,
        Value::Tuple(values) | Value::Sequence(values) | Value::Set(values) | Value::Call { arguments: values, .. } => {
            values.iter().any(holds_opaque)
        }
        Value::Map(pairs) => pairs.iter().any(|(key, value)| holds_opaque(key) || holds_opaque(value)),
        Value::Record { fields, open, .. } => *open || fields.iter().any(|(_, value)| holds_opaque(value)),
        Value::Number(_) | Value::Char(_) | Value::Text(_) | Value::Word(_) => false,
    }
}

/// How strong a pin of it would be.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Strength {
    None,
    LineAlone,
    Test,
}

fn strength(failure: &Failure, tree: &dyn SourceTree) -> Strength {
    let pin = framework::named(&failure.framework)
        .and_then(|framework| framework.pin(&Case { failure, requirement: None, tree, today: "" }).ok());
    match pin {
        Some(pin) if pin.rung != Rung::SeedOnly => Strength::Test,
        Some(_) => Strength::LineAlone,
        None => Strength::None,
    }
}

#[cfg(test)]
mod tests {
    use super::is_weaker;
    use crate::failure::{
        Argument, Caveat, Counterexample, Failure, ForeignPath, FrameworkName, Location, Replay, testing,
    };
    use crate::source_tree::testing::Files;

    const SOURCE: &str = "proptest! {\n    #[test]\n    fn plain(x in 0u32..9999) {}\n    #[test]\n    \
                          fn own(x in secrets()) {}\n}\n";

    fn failure(test: &str, value: &str, seed: bool) -> Failure {
        let handle = format!("cc {}", "ab".repeat(32));
        let argument = Argument { name: "x".to_owned(), text: value.to_owned() };
        Failure {
            framework: FrameworkName("proptest".to_owned()),
            location: Some(Location { file: ForeignPath("src/lib.rs".to_owned()), line: 1, column: None }),
            counterexample: Counterexample { text: format!("x = {value}"), arguments: vec![argument] },
            replay: if seed { Replay::NewSeed { handle, file: None } } else { Replay::Replayed },
            ..testing::failure(test)
        }
    }

    #[track_caller]
    fn check(test: &str, (longer, long_seed): (&str, bool), (shorter, seed): (&str, bool), weaker: bool) {
        let tree = Files::new([("Cargo.toml", "[package]\nname = \"a\"\n"), ("src/lib.rs", SOURCE)]);
        let (longer, shorter) = (failure(test, longer, long_seed), failure(test, shorter, seed));
        assert_eq!(is_weaker(&shorter, &longer, &tree), weaker);
    }

    #[test]
    fn of_two_that_can_be_pinned_alike_the_shorter_is_no_weaker() {
        check("plain", ("1000", true), ("9", true), false);
        check("plain", ("1000", true), ("9", false), false);
        check("own", ("Secret(1000)", true), ("Secret(9)", true), false);
        check("own", ("Secret(1000)", false), ("Secret(9)", false), false);
    }

    #[test]
    fn an_input_that_cannot_be_pinned_is_weaker_than_one_that_can() {
        check("own", ("Secret(1000)", true), ("Secret(9)", false), true);
        check("plain", ("1000", false), ("<9>", false), true);
        check("plain", ("1000", true), ("<9>", true), true);
    }

    #[test]
    fn an_input_that_was_cut_off_is_weaker_than_a_whole_one() {
        let cut = Failure { caveats: vec![Caveat::Truncated], ..failure("plain", "9", true) };
        let tree = Files::new([("src/lib.rs", SOURCE)]);
        assert!(is_weaker(&cut, &failure("plain", "1000", true), &tree));
        assert!(!is_weaker(&cut, &Failure { caveats: cut.caveats.clone(), ..failure("plain", "1000", true) }, &tree));
    }
}
