//! Numbers as literals: checked against their type, never copied.

use crate::language::rust::types::is_float;

/// The integer that `text` is, as a literal without suffix; `None` where it does not fit the type.
pub(super) fn integer(text: &str, ty: &str) -> Option<String> {
    let (sign, digits) = match text.strip_prefix('-') {
        Some(digits) => ("-", digits),
        None => ("", text),
    };
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let fits = match ty {
        "u8" => text.parse::<u8>().is_ok(),
        "u16" => text.parse::<u16>().is_ok(),
        "u32" => text.parse::<u32>().is_ok(),
        "u64" | "usize" => text.parse::<u64>().is_ok(),
        "u128" => text.parse::<u128>().is_ok(),
        "i8" => text.parse::<i8>().is_ok(),
        "i16" => text.parse::<i16>().is_ok(),
        "i32" => text.parse::<i32>().is_ok(),
        "i64" | "isize" => text.parse::<i64>().is_ok(),
        "i128" => text.parse::<i128>().is_ok(),
        _ => false,
    };
    fits.then(|| format!("{sign}{}", grouped(digits)))
}

/// The float that `text` is, as a literal; `suffix` where the literal must tell its own type.
pub(super) fn float(text: &str, ty: &str, suffix: bool) -> Option<String> {
    if !is_float(ty) {
        return None;
    }
    match text {
        "NaN" => return Some(format!("{ty}::NAN")),
        "inf" => return Some(format!("{ty}::INFINITY")),
        "-inf" => return Some(format!("{ty}::NEG_INFINITY")),
        _ => {}
    }
    if !text.starts_with(|c: char| c == '-' || c.is_ascii_digit()) {
        return None;
    }
    let printed = match ty {
        "f32" => text.parse::<f32>().ok().filter(|float| float.is_finite()).map(|float| format!("{float:?}")),
        _ => text.parse::<f64>().ok().filter(|float| float.is_finite()).map(|float| format!("{float:?}")),
    };
    printed.map(|printed| if suffix { printed + ty } else { printed })
}

/// Digits in groups of three where there are more than four.
fn grouped(digits: &str) -> String {
    if digits.len() < 5 {
        return digits.to_owned();
    }
    let mut text = String::with_capacity(digits.len() * 4 / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push('_');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{float, integer};

    #[test]
    fn an_integer_fits_its_type_or_is_none() {
        for (text, ty, expected) in [
            ("300", "u16", Some("300")),
            ("-128", "i8", Some("-128")),
            ("118958", "u64", Some("118_958")),
            ("-9223372036854775808", "i64", Some("-9_223_372_036_854_775_808")),
            ("300", "u8", None),
            ("-1", "u8", None),
            ("1.5", "u8", None),
            ("+1", "u8", None),
            ("", "u8", None),
        ] {
            assert_eq!(integer(text, ty).as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn a_float_is_read_and_printed_anew() {
        for (text, ty, expected) in [
            ("-0.0", "f64", Some("-0.0f64")),
            ("1.1245640668483943e-308", "f64", Some("1.1245640668483943e-308f64")),
            ("1e16", "f32", Some("1e16f32")),
            ("NaN", "f32", Some("f32::NAN")),
            ("-inf", "f64", Some("f64::NEG_INFINITY")),
            ("infinity", "f64", None),
            ("1e999", "f64", None),
        ] {
            assert_eq!(float(text, ty, true).as_deref(), expected, "{text}");
        }
    }
}
