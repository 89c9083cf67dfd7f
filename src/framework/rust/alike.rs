//! Whether two texts print the same value. Containers that are hashed print in another order in every process, so the order
//! within braces does not count.

use crate::value::Value;

/// Whether both texts print the same value.
pub(crate) fn alike(one: &str, two: &str) -> bool {
    one == two || ordered(Value::parse(one)) == ordered(Value::parse(two))
}

/// The value with everything in braces sorted by its text.
fn ordered(value: Value) -> Value {
    let all = |values: Vec<Value>| values.into_iter().map(ordered).collect::<Vec<_>>();
    match value {
        Value::Set(values) => {
            let mut values = all(values);
            values.sort_by_key(Value::compact);
            Value::Set(values)
        }
        Value::Map(pairs) => {
            let mut pairs: Vec<_> = pairs.into_iter().map(|(key, value)| (ordered(key), ordered(value))).collect();
            pairs.sort_by_key(|(key, _)| key.compact());
            Value::Map(pairs)
        }
        Value::Tuple(values) => Value::Tuple(all(values)),
        Value::Sequence(values) => Value::Sequence(all(values)),
        Value::Call { name, arguments } => Value::Call { name, arguments: all(arguments) },
        Value::Record { name, fields, open } => {
            let fields = fields.into_iter().map(|(field, value)| (field, ordered(value))).collect();
            Value::Record { name, fields, open }
        }
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::alike;

    #[test]
    fn only_the_order_within_braces_does_not_count() {
        for (one, two, expected) in [
            ("{1, 2}", "{\n    2,\n    1,\n}", true),
            ("W { m: {\"a\": {3, 4}} }", "W { m: {\"a\": {4, 3}} }", true),
            ("{2: 1, 1: 2}", "{1: 2, 2: 1}", true),
            ("{2: 1, 1: 2}", "{1: 1, 2: 2}", false),
            ("[1, 2]", "[2, 1]", false),
            ("<2 of 3>", "<2 of 3>", true),
            ("<2 of 3>", "<1 of 3>", false),
        ] {
            assert_eq!(alike(one, two), expected, "{one} {two}");
        }
    }
}
