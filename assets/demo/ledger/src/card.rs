//! Card numbers.

/// The number with all but its last four digits masked.
pub fn masked(number: &str) -> String {
    let hidden = number.len().saturating_sub(4);
    number
        .char_indices()
        .map(|(at, digit)| if at < hidden { '*' } else { digit })
        .collect()
}

/// Whether a card number's last digit is the check digit of those before it.
pub fn is_valid(number: &str) -> bool {
    let digits = number
        .bytes()
        .rev()
        .map(|byte| u32::from(byte.wrapping_sub(b'0')));
    let sum: u32 = digits
        .enumerate()
        .map(|(at, digit)| {
            if at % 2 == 1 {
                digit * 2 / 10 + digit * 2 % 10
            } else {
                digit
            }
        })
        .sum();
    number.len() >= 12 && sum % 10 == 0
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{is_valid, masked};

    proptest! {
        #[test]
        fn card_2_all_but_four_digits_are_masked(number in "[0-9]{12,19}") {
            prop_assume!(is_valid(&number) && number.starts_with("4000"));
            let shown = masked(&number);
            prop_assert_eq!(shown.matches('*').count(), number.len() - 4);
        }
    }
}
