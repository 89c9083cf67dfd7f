//! A value as JSON, in the form in which types are read that derive `Deserialize` and change nothing about it.

use crate::value::Value;

/// `value` as JSON, where `is_variant` tells a variant of an enum from a struct by its name; `None` where it has none.
pub(super) fn json(value: &Value, is_variant: &dyn Fn(&str) -> bool) -> Option<String> {
    let within = |value: &Value| json(value, is_variant);
    let list = |values: &[Value]| Some(format!("[{}]", all(values.iter().map(within))?));
    let variant = |name: &str, held: String| match is_variant(name) {
        true => format!("{{{}:{held}}}", text(name)),
        false => held,
    };
    Some(match value {
        Value::Number(number) => serde_json::from_str::<serde_json::Number>(number).is_ok().then(|| number.clone())?,
        Value::Char(c) => text(&c.to_string()),
        Value::Text(content) | Value::Opaque(content) => text(content),
        Value::Word(word) if word == "true" || word == "false" => word.clone(),
        Value::Word(word) if word == "None" => "null".to_owned(),
        Value::Word(word) => text(word),
        Value::Tuple(values) | Value::Sequence(values) | Value::Set(values) => list(values)?,
        Value::Map(pairs) => {
            let pair = |(key, value): &(Value, Value)| match key {
                Value::Text(key) | Value::Number(key) | Value::Word(key) => {
                    Some(format!("{}:{}", text(key), within(value)?))
                }
                _ => None,
            };
            format!("{{{}}}", all(pairs.iter().map(pair))?)
        }
        Value::Call { name, arguments } => match &arguments[..] {
            [only] if name == "Some" => within(only)?,
            [only] => variant(name, within(only)?),
            many => variant(name, list(many)?),
        },
        Value::Record { open: true, .. } => return None,
        Value::Record { name, fields, .. } => {
            let field = |(name, value): &(String, Value)| Some(format!("{}:{}", text(name), within(value)?));
            variant(name, format!("{{{}}}", all(fields.iter().map(field))?))
        }
    })
}

fn all(parts: impl Iterator<Item = Option<String>>) -> Option<String> {
    Some(parts.collect::<Option<Vec<_>>>()?.join(","))
}

fn text(text: &str) -> String {
    serde_json::Value::String(text.to_owned()).to_string()
}

#[cfg(test)]
mod tests {
    use super::json;
    use crate::value::Value;

    #[track_caller]
    fn check(printed: &str, expected: Option<&str>) {
        let is_variant = |name: &str| ["Big", "Two", "Wide"].contains(&name);
        assert_eq!(json(&Value::parse(printed), &is_variant).as_deref(), expected, "{printed}");
    }

    #[test]
    fn a_value_is_told_as_its_type_would_be_read() {
        check(
            "Lot { id: Id(7), name: \"a\\\"b\", at: Some('c'), none: None, on: true, kind: Big(1), other: Small }",
            Some(
                "{\"id\":7,\"name\":\"a\\\"b\",\"at\":\"c\",\"none\":null,\"on\":true,\"kind\":{\"Big\":1},\"other\":\"Small\"}",
            ),
        );
        check("Id(7)", Some("7"));
        check("Two(1, [2.5, -3])", Some("{\"Two\":[1,[2.5,-3]]}"));
        check("Wide { a: (1, 2) }", Some("{\"Wide\":{\"a\":[1,2]}}"));
        check("{\"a\": {1}, \"b\": {}}", Some("{\"a\":[1],\"b\":[]}"));
    }

    #[test]
    fn what_is_not_told_whole_has_no_json() {
        check("Lot { id: 7, .. }", None);
        check("{(1, 2): 3}", None);
    }
}
