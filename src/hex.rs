//! Bytes as hexadecimal digits, two each: the form in which digests and git's object ids are written.

const DIGITS: &[u8; 16] = b"0123456789abcdef";

/// The digits of `bytes`, in lower case.
pub fn hex(bytes: &[u8]) -> String {
    let digits = bytes.iter().flat_map(|byte| [byte >> 4, byte & 15]);
    digits.map(|digit| char::from(DIGITS[usize::from(digit)])).collect()
}

#[cfg(test)]
mod tests {
    use super::hex;

    #[test]
    fn every_byte_has_two_digits() {
        assert_eq!(hex(&[0x00, 0x0a, 0xff]), "000aff");
    }
}
