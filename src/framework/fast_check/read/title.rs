//! Test names out of what runners print: the suites and the title, outermost first, joined by ` > `. Titles that the
//! library itself makes carry the run's seed, which is different every time and belongs to no name.

use crate::failure::TestName;

/// What stands between the parts of a name.
pub(in crate::framework::fast_check) const BETWEEN: &str = " > ";

/// The name of these parts.
pub(in crate::framework::fast_check) fn name<T: AsRef<str>>(parts: &[T]) -> TestName {
    let parts: Vec<&str> =
        parts.iter().map(|part| unseeded(part.as_ref().trim())).filter(|part| !part.is_empty()).collect();
    TestName(parts.join(BETWEEN))
}

/// The title without the seed that `test.prop` adds to it.
pub(super) fn unseeded(title: &str) -> &str {
    let without = || {
        let (front, seed) = title.strip_suffix(')')?.rsplit_once(" (with seed=")?;
        let digits = seed.strip_prefix('-').unwrap_or(seed);
        (!digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())).then_some(front)
    };
    without().unwrap_or(title)
}

/// The title without how long the test took: `two args (44.04ms)`.
pub(super) fn untimed(title: &str) -> &str {
    let title = title.trim_end();
    let without = || {
        let (front, time) = title.strip_suffix(')')?.rsplit_once(" (")?;
        let digits = time.bytes().take_while(|byte| byte.is_ascii_digit() || *byte == b'.').count();
        (digits > 0 && ["ms", "s", "m"].contains(&time[digits..].trim_start())).then_some(front)
    };
    without().unwrap_or(title)
}

/// Whether `text` names a source file of a language that fast-check is used in.
pub(in crate::framework::fast_check) fn is_file(text: &str) -> bool {
    let extensions = [".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs"];
    extensions.iter().any(|extension| text.ends_with(extension))
}

#[cfg(test)]
mod tests {
    use super::{name, untimed};

    #[test]
    fn seeds_and_times_are_no_part_of_a_name() {
        assert_eq!(name(&["a b", "c (with seed=-12)"]).0, "a b > c");
        assert_eq!(name(&["c (with seed=x)"]).0, "c (with seed=x)");
        assert_eq!(untimed("two args (44.04ms)"), "two args");
        assert_eq!(untimed("a (1 ms)"), "a");
        assert_eq!(untimed("a (5 items)"), "a (5 items)");
        assert_eq!(untimed("a (s)"), "a (s)");
    }
}
