//! How long a test waits for an expression of which nobody knows whether it comes to an end, and what it says then.

/// How many seconds it waits.
pub(crate) const PATIENCE: u64 = 10;

/// What it says.
pub(crate) const LATE: &str = "it did not end within 10 s";

#[cfg(test)]
mod tests {
    use super::{LATE, PATIENCE};

    #[test]
    fn what_is_said_is_what_was_waited() {
        assert_eq!(LATE, format!("it did not end within {PATIENCE} s"));
    }
}
