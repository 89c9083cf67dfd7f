//! A seed as a regression file holds it, understood exactly as far as proptest understands it.

use std::str;

/// The random generator a seed is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum SeedKind {
    /// `cc`: ChaCha, the default.
    ChaCha,
    /// `xs`: XorShift, the default of old versions.
    XorShift,
    /// `pt`: the bytes are handed on as they are.
    PassThrough,
    /// `rc`: ChaCha, recorded.
    Recorder,
}

/// A seed. Two spellings of one seed are equal.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Seed {
    kind: SeedKind,
    handle: String,
}

/// A seed for a generator that a test makes.
pub(crate) struct SeedBytes {
    kind: SeedKind,
    bytes: Vec<u8>,
}

impl SeedBytes {
    /// That of a seed as proptest writes it.
    pub(crate) fn of(handle: &str) -> Option<SeedBytes> {
        let seed = Seed::parse(handle)?;
        Some(SeedBytes { kind: seed.kind, bytes: seed.bytes()? })
    }

    /// The bytes as code.
    pub(crate) fn array(&self) -> String {
        let bytes: Vec<String> = self.bytes.iter().map(u8::to_string).collect();
        format!("[{}]", bytes.join(", ").replacen(',', "u8,", 1))
    }

    /// The generator as proptest names it.
    pub(crate) fn algorithm(&self) -> &'static str {
        if self.kind == SeedKind::XorShift { "XorShift" } else { "ChaCha" }
    }
}

impl Seed {
    /// Reads what stands before the comment of a line.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let parts: Vec<&str> = text.trim().split(char::is_whitespace).take(6).collect();
        let (kind, rest) = match *parts.as_slice() {
            ["cc", digits] => (SeedKind::ChaCha, hex(digits, Some(32))?),
            ["rc", digits] => (SeedKind::Recorder, hex(digits, Some(32))?),
            ["pt"] => (SeedKind::PassThrough, String::new()),
            ["pt", digits] => (SeedKind::PassThrough, hex(digits, None)?),
            ["xs", ref numbers @ ..] => (SeedKind::XorShift, four_numbers(numbers)?),
            _ => return None,
        };
        let handle = format!("{} {rest}", parts[0]).trim_end().to_owned();
        Some(Seed { kind, handle })
    }

    /// Its bytes, for a generator that is made of nothing else.
    fn bytes(&self) -> Option<Vec<u8>> {
        let rest = self.handle.split_once(' ')?.1;
        match self.kind {
            SeedKind::ChaCha => {
                let digits =
                    rest.as_bytes().chunks(2).map(|two| u8::from_str_radix(str::from_utf8(two).ok()?, 16).ok());
                digits.collect()
            }
            SeedKind::XorShift => {
                let numbers = rest.split(' ').map(|number| number.parse::<u32>().ok());
                Some(numbers.collect::<Option<Vec<_>>>()?.into_iter().flat_map(u32::to_le_bytes).collect())
            }
            SeedKind::PassThrough | SeedKind::Recorder => None,
        }
    }

    /// Whether `text`, which stands before the comment of a line, may spell this seed: in a file of many seeds few end in
    /// the same digit, and the others need not be read.
    pub(crate) fn may_be(&self, text: &[u8]) -> bool {
        match text.trim_ascii_end().last() {
            Some(last) if last.is_ascii_alphanumeric() => {
                self.handle.as_bytes().last().is_some_and(|own| own.eq_ignore_ascii_case(last))
            }
            // There are other spaces than those.
            last => last.is_some(),
        }
    }

    /// The generator it is of.
    pub(crate) fn kind(&self) -> SeedKind {
        self.kind
    }

    /// The seed as proptest writes it, without a comment.
    pub(crate) fn handle(&self) -> &str {
        &self.handle
    }
}

/// Pairs of hexadecimal digits, in lower case; `length` of them where it is given.
fn hex(digits: &str, length: Option<usize>) -> Option<String> {
    let pairs = digits.as_bytes().chunks(2);
    if !digits.len().is_multiple_of(2) || length.is_some_and(|length| length != pairs.len()) {
        return None;
    }
    let mut lower = String::with_capacity(digits.len());
    for pair in pairs {
        let byte = u8::from_str_radix(str::from_utf8(pair).ok()?, 16).ok()?;
        lower.extend([byte >> 4, byte & 15].into_iter().filter_map(|digit| char::from_digit(digit.into(), 16)));
    }
    Some(lower)
}

fn four_numbers(numbers: &[&str]) -> Option<String> {
    let numbers: Vec<u32> = numbers.iter().map(|number| number.parse().ok()).collect::<Option<_>>()?;
    let [a, b, c, d] = *numbers.as_slice() else { return None };
    Some(format!("{a} {b} {c} {d}"))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use proptest::test_runner::PersistedSeed;

    use super::Seed;

    /// proptest's own reader is the judge.
    fn check(text: &str) {
        let theirs = text.parse::<PersistedSeed>().ok().map(|seed| seed.to_string().trim_end().to_owned());
        let ours = Seed::parse(text);
        assert!(ours.as_ref().is_none_or(|seed| seed.may_be(text.as_bytes())), "{text:?}");
        assert_eq!(ours.map(|seed| seed.handle().to_owned()), theirs, "{text:?}");
    }

    #[test]
    fn seeds_are_read_as_proptest_reads_them() {
        let hex = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f";
        for text in ["cc ", " cc\t", "cc  ", "CC ", "rc ", "xs ", "pt ", "", "\u{feff}cc ", "\u{2003}cc\u{2003}"] {
            check(&format!("{text}{hex}"));
            check(&format!("{text}{hex} x"));
            check(&format!("{text}{}", hex.to_uppercase()));
            check(&format!("{text}{}", hex.replacen("00", "+0", 1)));
            check(&format!("{text}{}", hex.replacen("0001", "é01", 1)));
            check(&format!("{text}{}", &hex[1..]));
            check(&format!("{text}{hex}   "));
            check(&format!("{text}{hex}\u{b}"));
            check(&format!("{text}{hex}\u{a0}"));
        }
        for text in [
            "pt",
            " pt ",
            "pt 0",
            "pt é",
            "cc",
            "",
            " ",
            "xs 1 2 3 4",
            "xs 1 2 3",
            "xs 1 2 3 4 5",
            "xs 1 2 3 4294967296",
        ] {
            check(text);
        }
    }

    proptest! {
        #[test]
        fn any_text_is_read_as_proptest_reads_it(text in "( |cc|xs|pt|rc|\\+|[0-9a-fA-F]{2}|\t|é| 7)*") {
            check(&text);
        }

        #[test]
        fn any_bytes_make_a_seed(bytes in any::<[u8; 32]>(), words in any::<[u32; 4]>()) {
            let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
            let [a, b, c, d] = words;
            for handle in [format!("cc {hex}"), format!("rc {hex}"), format!("pt {hex}"), format!("xs {a} {b} {c} {d}")] {
                let seed = Seed::parse(&handle).unwrap();
                prop_assert_eq!(seed.handle(), &handle);
                check(&handle);
            }
        }
    }
}
