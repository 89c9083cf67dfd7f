//! The name of a pin: that of its property with a short digest of property and input, so that the same input pinned twice
//! has one name and a pin is told from a property by its name alone.

use sha2::{Digest, Sha256};

use crate::failure::{Counterexample, TestName};
use crate::hex::hex;
use crate::value::one_line;

/// Number of hex digits of the digest.
pub(crate) const DIGITS: usize = 7;

/// The name of the test function that pins `counterexample` of `property`.
pub(crate) fn pin_name(property: &TestName, counterexample: &Counterexample) -> String {
    let mut digest = Sha256::new();
    digest.update(property.0.as_bytes());
    for argument in &counterexample.arguments {
        digest.update([0]);
        digest.update(argument.name.as_bytes());
        digest.update([0]);
        digest.update(one_line(&argument.text).as_bytes());
    }
    let function = property.function();
    format!("{}_pin_{}", function.strip_prefix("r#").unwrap_or(function), &hex(&digest.finalize())[..DIGITS])
}

/// The name of the test that prints what `pin` binds, one for each way to bind it. It is a pin by its name, so that what it
/// says is read as of one.
pub(crate) fn value_name(pin: &str, number: usize) -> String {
    let (property, digest) = pin.rsplit_once("_pin_").unwrap_or((pin, ""));
    let number = if number == 0 { String::new() } else { number.to_string() };
    format!("{property}_value{number}_pin_{digest}")
}

/// Whether a test function is a pin that redpin wrote: its name ends in `_pin_` and seven hex digits.
pub(crate) fn is_pin(name: impl AsRef<[u8]>) -> bool {
    let Some((front, digest)) = name.as_ref().split_last_chunk::<DIGITS>() else { return false };
    front.ends_with(b"_pin_") && digest.iter().all(u8::is_ascii_hexdigit)
}

/// The property that a pin is of, by the pin's own name; `None` where that is no pin's.
pub(crate) fn property_of(pin: &TestName) -> Option<TestName> {
    let name = pin.function();
    let end = name.len().checked_sub(DIGITS)?;
    let property = is_pin(name).then(|| name.get(..end)?.strip_suffix("_pin_")).flatten()?;
    Some(pin.beside(property))
}

#[cfg(test)]
mod tests {
    use super::{is_pin, pin_name, property_of, value_name};
    use crate::failure::{Argument, Counterexample, TestName};

    fn name(property: &str, arguments: &[(&str, &str)]) -> String {
        let argument = |(name, text): &(&str, &str)| Argument { name: (*name).to_owned(), text: (*text).to_owned() };
        let arguments = arguments.iter().map(argument).collect();
        pin_name(&TestName(property.to_owned()), &Counterexample { text: String::new(), arguments })
    }

    #[test]
    fn the_same_input_has_one_name_however_it_was_printed() {
        let flat = name("tests::sum", &[("v", "[0, 1]")]);
        assert_eq!(flat, "sum_pin_e13b5b6");
        assert_eq!(name("tests::sum", &[("v", "[\n    0,\n    1,\n]")]), flat);
        assert!(is_pin(&flat));
        let property = |pin: &str| property_of(&TestName(pin.to_owned())).map(|property| property.0);
        assert_eq!(property("tests::sum_pin_e13b5b6").as_deref(), Some("tests::sum"));
        assert_eq!(property("tests::sum"), None);
        assert_eq!(value_name(&flat, 0), "sum_value_pin_e13b5b6");
        assert_eq!(value_name(&flat, 12), "sum_value12_pin_e13b5b6");
    }

    #[test]
    fn another_property_or_input_has_another_name() {
        let names = [
            name("sum", &[("v", "1")]),
            name("a::sum", &[("v", "1")]),
            name("sum", &[("v", "2")]),
            name("sum", &[("v1", "")]),
            name("sum", &[("v", ""), ("1", "")]),
            name("sum", &[]),
        ];
        assert_eq!(names.iter().collect::<std::collections::BTreeSet<_>>().len(), names.len(), "{names:?}");
        assert_eq!(&name("r#type", &[])[..9], "type_pin_");
    }

    #[test]
    fn what_only_resembles_a_pin_is_none() {
        for name in ["sum", "sum_pin_12345678", "sum_pin_123456g", "pin_1234567", "a_pin_1234567_b"] {
            assert!(!is_pin(name), "{name}");
        }
    }
}
