//! What Debug texts are read as, and that one line is what `{:?}` prints.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Debug;
use std::ops::Range;

use proptest::prelude::{Strategy, any, prop, prop_oneof, proptest};

use super::{Value, one_line};

fn check(text: &str, expected: Value) {
    assert_eq!(Value::parse(text), expected, "{text}");
}

fn number(text: &str) -> Value {
    Value::Number(text.to_owned())
}

fn word(text: &str) -> Value {
    Value::Word(text.to_owned())
}

fn opaque(text: &str) -> Value {
    Value::Opaque(text.to_owned())
}

fn call(name: &str, arguments: Vec<Value>) -> Value {
    Value::Call { name: name.to_owned(), arguments }
}

fn record(name: &str, fields: Vec<(&str, Value)>, open: bool) -> Value {
    let fields = fields.into_iter().map(|(field, value)| (field.to_owned(), value)).collect();
    Value::Record { name: name.to_owned(), fields, open }
}

#[test]
fn numbers_keep_their_digits() {
    for text in ["0", "-7", "340282366920938463463374607431768211455", "2.5", "-0.0", "1e-7", "2.2488444878741613e303"]
    {
        check(text, number(text));
    }
}

#[test]
fn words_stand_alone() {
    for text in ["true", "None", "NaN", "inf", "-inf", "Ünit"] {
        check(text, word(text));
    }
}

#[test]
fn quoted_text_is_decoded() {
    check(r#""a\"b\\\n\r\t\0\u{301}é""#, Value::Text("a\"b\\\n\r\t\0\u{301}é".to_owned()));
    check(r"'\''", Value::Char('\''));
    check("'\"'", Value::Char('"'));
    check(r"'\u{202e}'", Value::Char('\u{202e}'));
}

#[test]
fn bytes_that_are_no_characters_stay_as_printed() {
    check(r#""a\xff""#, opaque(r#""a\xff""#));
}

#[test]
fn brackets_tell_tuples_sequences_sets_and_maps_apart() {
    check("()", Value::Tuple(vec![]));
    check("(1,)", Value::Tuple(vec![number("1")]));
    check("(1, 'a')", Value::Tuple(vec![number("1"), Value::Char('a')]));
    check("[]", Value::Sequence(vec![]));
    check("[1, 2]", Value::Sequence(vec![number("1"), number("2")]));
    check("{}", Value::Set(vec![]));
    check("{1, 2}", Value::Set(vec![number("1"), number("2")]));
    check("{1: true, 2: false}", Value::Map(vec![(number("1"), word("true")), (number("2"), word("false"))]));
}

#[test]
fn names_make_calls_and_records() {
    check("Some(Ok(1))", call("Some", vec![call("Ok", vec![number("1")])]));
    check("Point { x: 1, type: -2 }", record("Point", vec![("x", number("1")), ("type", number("-2"))], false));
    check("Lossy { a: 0, .. }", record("Lossy", vec![("a", number("0"))], true));
    check("Hidden { .. }", record("Hidden", vec![], true));
}

#[test]
fn both_layouts_give_the_same_value() {
    let pretty = "{\n    (\n        1,\n    ): Some(\n        Point {\n            x: [\n                2,\n            ],\n        },\n    ),\n}";
    check(pretty, Value::parse("{(1,): Some(Point { x: [2] })}"));
}

#[test]
fn what_is_no_value_is_taken_whole_up_to_its_neighbour() {
    for text in ["1.5s", "127.0.0.1:80", "9::", "user#1234", "0..4", "Foo<u8> { a: 1 }", "[1, 2", "\"open", "<none>"] {
        check(text, opaque(text));
    }
    check("[0..4, 15µs]", Value::Sequence(vec![opaque("0..4"), opaque("15µs")]));
    check("Secret(<redacted>)", call("Secret", vec![opaque("<redacted>")]));
    check("{::1: 1.5s}", Value::Map(vec![(opaque("::1"), opaque("1.5s"))]));
    check("Span { d: 3ms }", record("Span", vec![("d", opaque("3ms"))], false));
}

#[test]
fn a_text_that_nests_without_end_overflows_nothing() {
    let text = "[".repeat(20_000) + &"]".repeat(20_000);
    assert_eq!(Value::parse(&text).compact(), text);
    let unclosed = "Some(".repeat(20_000);
    assert_eq!(Value::parse(&unclosed).compact(), unclosed);
}

#[test]
fn quotes_that_are_never_closed_take_no_time() {
    let open = "[\"\\\", ".to_owned() + &"\\\", ".repeat(1 << 18);
    assert_eq!(Value::parse(&open).compact(), open.trim_end());
    assert_eq!(one_line(&format!("\n{open}")), format!(" {open}"));
}

fn check_one_line(text: &str, expected: &str) {
    assert_eq!(one_line(text), expected);
}

#[test]
fn one_line_is_what_the_plain_format_prints() {
    check_one_line("[\n    0,\n    0,\n]", "[0, 0]");
    check_one_line("a = 3, m = {\n    1: (\n        2,\n    ),\n}, k = {}", "a = 3, m = {1: (2,)}, k = {}");
    check_one_line(
        "Op {\n    by: {\n        1,\n    },\n    s: \"{\\n    1,\\n}\",\n}",
        "Op { by: {1}, s: \"{\\n    1,\\n}\" }",
    );
    check_one_line("Lossy {\n    a: 0,\n    ..\n}", "Lossy { a: 0, .. }");
    check_one_line("[\n    '\"',\n    '\\'',\n]", "['\"', '\\'']");
    check_one_line("[\n    ..,\n    0..1,\n]", "[.., 0..1]");
}

#[test]
fn one_line_gives_a_space_for_a_line_break_of_an_own_debug() {
    check_one_line("matrix 2x2\n| . . |\n| . . |\n", "matrix 2x2 | . . | | . . | ");
    check_one_line("Some(\n    matrix 2x2\n    | . . |,\n)", "Some(matrix 2x2 | . . |)");
}

/// A value of many shapes.
#[derive(Clone, Debug)]
#[expect(dead_code, reason = "only Debug reads the fields")]
enum Shape {
    Unit,
    Empty {},
    Words(String, char),
    Numbers { byte: u8, ratio: f64, wide: i128 },
    Lone((Box<Shape>,)),
    Pair((Box<Shape>, Option<Box<Shape>>)),
    Several(Vec<Shape>),
    Keyed { by: BTreeMap<(String, u8), Shape>, seen: BTreeSet<Vec<char>>, span: Range<u8> },
}

fn shapes() -> impl Strategy<Value = Shape> {
    let leaf = prop_oneof![
        prop::sample::select(vec![Shape::Unit, Shape::Empty {}]),
        any::<(String, char)>().prop_map(|(s, c)| Shape::Words(s, c)),
        any::<(u8, f64, i128)>().prop_map(|(byte, ratio, wide)| Shape::Numbers { byte, ratio, wide }),
    ];
    leaf.prop_recursive(4, 24, 3, |inner| {
        let map = prop::collection::btree_map(any::<(String, u8)>(), inner.clone(), 0..3);
        let set = prop::collection::btree_set(any::<Vec<char>>(), 0..3);
        prop_oneof![
            inner.clone().prop_map(|shape| Shape::Lone((Box::new(shape),))),
            (inner.clone(), prop::option::of(inner.clone().prop_map(Box::new)))
                .prop_map(|(first, second)| Shape::Pair((Box::new(first), second))),
            prop::collection::vec(inner, 0..4).prop_map(Shape::Several),
            (map, set, any::<Range<u8>>()).prop_map(|(by, seen, span)| Shape::Keyed { by, seen, span }),
        ]
    })
}

proptest! {
    #[test]
    fn any_value_on_one_line_is_its_plain_format(shape in shapes()) {
        let (plain, pretty) = (format!("{shape:?}"), format!("{shape:#?}"));
        assert_eq!(one_line(&pretty), plain);
        assert_eq!(Value::parse(&pretty), Value::parse(&plain));
        assert_eq!(Value::parse(&plain).compact(), plain);
    }

    #[test]
    fn reading_any_text_ends_well(text in "(?s)([\\[\\](){}\"'\\\\,:. \n-]|[a-z0-9]|.){0,60}") {
        let value = Value::parse(&text);
        assert_eq!(Value::parse(&value.compact()).compact(), value.compact());
        assert!(!one_line(&text).contains('\n'));
    }
}
