//! What the test of a pin says that replays a run, once its seed and steps lead to another input than the one on record: in
//! fixed words, so that nobody takes it for what the property asserts.

/// What it begins with; the input that is reached instead comes after it.
pub(crate) const ASTRAY: &str = "the seed and the steps of shrinking lead to another input than the one on record: ";

/// What such a test reached, by the message it failed with; `None` where that is another failure.
pub(crate) fn reached(message: &str) -> Option<&str> {
    message.strip_prefix(ASTRAY)
}

#[cfg(test)]
mod tests {
    use super::{ASTRAY, reached};

    #[test]
    fn only_the_fixed_words_tell_of_another_input() {
        assert_eq!(reached(&format!("{ASTRAY}{{1,\n 2}}")), Some("{1,\n 2}"));
        assert_eq!(reached(&format!("no growth: {ASTRAY}3")), None);
        assert_eq!(reached("assertion `left == right` failed"), None);
    }
}
