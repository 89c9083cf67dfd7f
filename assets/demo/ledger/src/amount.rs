//! Amounts as people type them.

/// Why a text is no amount.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotAnAmount(pub String);

/// Reads `12.50`, `12`, or the same with a sign of currency before it, as cents.
pub fn parse_amount(text: &str) -> Result<u64, NotAnAmount> {
    let refused = || NotAnAmount(text.to_string());
    let has_sign = text
        .chars()
        .next()
        .is_some_and(|first| !first.is_ascii_digit());
    let digits = if has_sign { &text[1..] } else { text };
    let (units, cents) = digits.split_once('.').unwrap_or((digits, "00"));
    let units: u64 = units.parse().map_err(|_| refused())?;
    let cents: u64 = cents.parse().map_err(|_| refused())?;
    units
        .checked_mul(100)
        .and_then(|whole| whole.checked_add(cents))
        .ok_or_else(refused)
}
