//! Reads a contract's text: strictly where it says something, since what is misread would be kept by nobody.

use std::fmt;

use serde::de::{Error, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::Value;

use super::{Contract, Day, Fixture, Quarantine, Seeded};

/// The keys that count. Without `flaky` nothing is set aside; without any other nobody would know what is kept.
#[derive(Deserialize)]
struct Written {
    today: WrittenDay,
    fixtures: Fixtures,
    properties: Vec<WrittenProperty>,
    #[serde(default)]
    flaky: Vec<WrittenQuarantine>,
}

#[derive(Deserialize)]
struct WrittenProperty {
    test: Name,
    seed: Seed,
}

#[derive(Deserialize)]
struct WrittenQuarantine {
    test: Name,
    expires: WrittenDay,
    /// No key that counts: whatever else stands there is no reason.
    #[serde(default)]
    reason: Value,
}

/// What `text` states.
pub(super) fn read(text: &[u8]) -> Result<Contract, String> {
    if text.trim_ascii_start().first() != Some(&b'{') {
        return Err("expected an object with the keys today, fixtures and properties".to_owned());
    }
    let written: Written = serde_json::from_slice(text).map_err(|error| error.to_string())?;
    let property = |one: WrittenProperty| Seeded { test: one.test.0, seed: one.seed.0 };
    let quarantine = |one: WrittenQuarantine| {
        let reason = one.reason.as_str().unwrap_or_default().to_owned();
        Quarantine { test: one.test.0, expires: one.expires.0, reason }
    };
    Ok(Contract {
        today: written.today.0,
        fixtures: written.fixtures.0,
        properties: written.properties.into_iter().map(property).collect(),
        flaky: written.flaky.into_iter().map(quarantine).collect(),
    })
}

struct WrittenDay(Day);

impl<'de> Deserialize<'de> for WrittenDay {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let wrong = || D::Error::custom(format!("expected a day such as \"2026-11-30\", found {text:?}"));
        Day::read(&text).map(WrittenDay).ok_or_else(wrong)
    }
}

/// A whole number.
struct Seed(i128);

impl<'de> Deserialize<'de> for Seed {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = Value::deserialize(deserializer)?;
        let number = value.as_i64().map(i128::from).or_else(|| value.as_u64().map(i128::from));
        number.map(Seed).ok_or_else(|| D::Error::custom(format!("expected a whole number for a seed, found {value}")))
    }
}

/// A name that is not empty.
struct Name(String);

impl<'de> Deserialize<'de> for Name {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        if text.trim().is_empty() {
            return Err(D::Error::custom("expected the id of a test, found an empty text"));
        }
        Ok(Name(text))
    }
}

/// The fixtures in the order of the file.
struct Fixtures(Vec<Fixture>);

impl<'de> Deserialize<'de> for Fixtures {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(Ordered).map(Fixtures)
    }
}

struct Ordered;

impl<'de> Visitor<'de> for Ordered {
    type Value = Vec<Fixture>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object from paths to digests")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Vec<Fixture>, A::Error> {
        let mut fixtures: Vec<Fixture> = Vec::new();
        while let Some((path, digest)) = map.next_entry::<String, String>()? {
            if fixtures.iter().any(|known| known.path == path) {
                return Err(A::Error::custom(format!("the fixture {path:?} is there twice")));
            }
            fixtures.push(Fixture { path, digest });
        }
        Ok(fixtures)
    }
}

#[cfg(test)]
mod tests {
    use super::read;

    #[test]
    fn what_counts_keeps_the_order_of_the_file() {
        let text = r#"{"x": 1, "flaky": [], "properties": [{"seed": 18446744073709551615, "test": "t", "why": null}],
            "fixtures": {"b": "1", "a": "2"}, "today": "2026-12-01"}"#;
        let contract = read(text.as_bytes()).unwrap();
        let paths: Vec<&str> = contract.fixtures.iter().map(|one| one.path.as_str()).collect();
        assert_eq!((paths, contract.properties[0].seed), (vec!["b", "a"], i128::from(u64::MAX)));
        let reasons = r#"{"today": "2026-12-01", "fixtures": {}, "properties": [], "flaky": [
            {"test": "a", "expires": "2026-12-02", "reason": "slow"}, {"test": "b", "expires": "2026-12-02", "reason": 7}]}"#;
        let reasons = read(reasons.as_bytes()).unwrap().flaky;
        assert_eq!(reasons.iter().map(|one| one.reason.as_str()).collect::<Vec<_>>(), ["slow", ""]);
        let without = r#"{"properties": [], "fixtures": {}, "today": "2026-12-01"}"#;
        assert_eq!(read(without.as_bytes()).unwrap().flaky, []);
    }

    #[track_caller]
    fn check(text: &str, expected: &str) {
        let error = read(text.as_bytes()).unwrap_err();
        assert_eq!(error.split(" at line 1 column ").next(), Some(expected), "{text}");
    }

    #[test]
    fn what_is_wrong_is_said() {
        check("", "expected an object with the keys today, fixtures and properties");
        check("[]", "expected an object with the keys today, fixtures and properties");
        check("{", "EOF while parsing an object");
        check(r#"{"fixtures": {}, "properties": []}"#, "missing field `today`");
        check(r#"{"today": "2026-12-01", "propertys": [], "fixtures": {}}"#, "missing field `properties`");
        check(r#"{"today": "2026-02-30"}"#, "expected a day such as \"2026-11-30\", found \"2026-02-30\"");
        check(r#"{"today": "2026-12-01", "fixtures": {"a": "1", "a": "2"}}"#, "the fixture \"a\" is there twice");
        check(r#"{"today": "2026-12-01", "today": "2026-12-02"}"#, "duplicate field `today`");
        let property = |rest: &str| format!(r#"{{"properties": [{{"test": "t", "seed": {rest}}}]}}"#);
        check(&property("1.5"), "expected a whole number for a seed, found 1.5");
        check(&property("\"1\""), "expected a whole number for a seed, found \"1\"");
        check(
            r#"{"flaky": [{"test": " ", "expires": "2026-12-01"}]}"#,
            "expected the id of a test, found an empty text",
        );
        let whole = r#"{"today": "2026-12-01", "fixtures": {}, "properties": [], "flaky": []} x"#;
        check(whole, "trailing characters");
    }
}
