//! Whether a pin fails for the reason its property failed for: what the library adds to either message is left out.

use crate::framework::rust::reason;

/// How a failed case is shown that a test unwraps.
const UNWRAPPED: &str = "called `Result::unwrap()` on an `Err` value: Fail(Reason(\"";

/// Whether `found`, what a pin said, tells what `recorded`, what the run said of the property, tells. `at` is how the
/// recorded message names its place.
pub(super) fn is_same(recorded: &str, found: &str) -> bool {
    reason::is_same(without_place(recorded), without_place(found))
}

/// What an error says that was unwrapped.
fn unwrapped(message: &str) -> &str {
    let inside = message.trim_end().strip_prefix(UNWRAPPED).and_then(|error| error.strip_suffix("\"))"));
    inside.unwrap_or(message)
}

/// A message without the ` at src/x.rs:7` that proptest adds.
fn without_place(message: &str) -> &str {
    let message = unwrapped(message).trim_end();
    match message.rsplit_once(" at ") {
        Some((before, place)) if is_place(place) => before,
        _ => message,
    }
}

fn is_place(text: &str) -> bool {
    let line = text.trim_end_matches('.').rsplit(':').next().unwrap_or_default();
    text.contains(".rs:") && !text.contains(['\n', ' ']) && !line.is_empty() && line.bytes().all(|b| b.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::is_same;

    #[track_caller]
    fn check(recorded: &str, found: &str, expected: bool) {
        assert_eq!(is_same(recorded, found), expected, "{recorded:?}\n{found:?}");
    }

    #[test]
    fn an_assertion_says_the_same_in_both_forms() {
        check("assertion failed: x + 1 < 3 at src/rate.rs:6", "assertion failed: x + 1 < 3", true);
        check("assertion failed: x+1 < 3 at src/rate.rs:6", "assertion failed: x + 1 < 3", true);
        check("no growth at src/rate.rs:6", "no growth", true);
        let recorded = "assertion failed: `(left == right)` \n  left: `20`,\n right: `21` at src/x.rs:7";
        check(recorded, "assertion `left == right` failed\n  left: 20\n right: 21", true);
        let told = "assertion failed: `(left == right)` \n  left: `20`, \n right: `21`: sum of 3 at src/x.rs:7";
        check(told, "assertion `left == right` failed: sum of 3\n  left: 20\n right: 21", true);
    }

    #[test]
    fn a_returned_error_says_the_same_when_it_is_unwrapped() {
        check("too \"big\"", "called `Result::unwrap()` on an `Err` value: Fail(Reason(\"too \\\"big\\\"\"))", true);
        let told =
            "called `Result::unwrap()` on an `Err` value: Fail(Reason(\"assertion failed: n < 3 at src/x.rs:19\"))";
        check("assertion failed: n < 3 at src/x.rs:9", told, true);
    }

    #[test]
    fn a_panic_is_told_by_its_words() {
        check("attempt to subtract with overflow", "attempt to subtract with overflow", true);
        check("attempt to subtract with overflow", "attempt to add with overflow", false);
        check("index out of bounds: the len is 3", "index out of bounds: the len is 4", true);
        check("a is 3", "called `Option::unwrap()` on a `None` value", false);
        check("3", "4", false);
    }

    #[test]
    fn the_order_of_a_hash_is_no_reason() {
        check("lost keys in {\"a\", \"b\"}", "lost keys in {\"b\", \"a\"}", true);
    }
}
