//! Bytes as hexadecimal digits, two each: the form in which digests and git's object ids are written.

/// The digits of `bytes`, in lower case.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::hex;

    #[test]
    fn every_byte_has_two_digits() {
        assert_eq!(hex(&[0x00, 0x0a, 0xff]), "000aff");
    }
}
