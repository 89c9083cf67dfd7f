//! Values as JavaScript's libraries print them for people who may paste them back, read and written anew as expressions. What
//! would be another value once it is evaluated is not read: functions, new symbols, promises, whatever has a text of its own.

mod pen;
mod reader;

pub use pen::Pen;

/// A value that an expression can hold.
#[derive(Clone, Debug, PartialEq)]
pub enum Printed {
    /// What is written as it is: numbers, `true`, `undefined`, `Number.NaN`, `Symbol.iterator`.
    Word(String),
    /// A text, in the units of the language: halves of a pair may stand alone.
    Text(Vec<u16>),
    /// A list; `None` is a hole.
    List(Vec<Option<Printed>>),
    /// An object literal.
    Object(Vec<(Key, Printed)>),
    /// What a function or a constructor of the language makes: `new Map`, `Symbol.for`, `Uint8Array.from`.
    Made(String, Vec<Printed>),
    /// A regular expression.
    Regex(String),
}

/// A key of an object literal.
#[derive(Clone, Debug, PartialEq)]
pub enum Key {
    /// A name.
    Named(Vec<u16>),
    /// `["__proto__"]` or a symbol.
    Computed(Printed),
}

impl Printed {
    /// The value that `text` prints.
    ///
    /// # Errors
    /// Why there is none that an expression holds.
    pub fn parse(text: &str) -> Result<Printed, String> {
        reader::read(text)
    }

    /// Whether an object is in it that may as well be of a class: only an object without a prototype says that it is none.
    pub fn may_be_of_a_class(&self) -> bool {
        match self {
            Printed::Word(_) | Printed::Text(_) | Printed::Regex(_) => false,
            Printed::List(values) => values.iter().flatten().any(Printed::may_be_of_a_class),
            Printed::Made(_, values) => values.iter().any(Printed::may_be_of_a_class),
            Printed::Object(members) => {
                let bare = members.iter().any(|(key, value)| {
                    matches!(key, Key::Named(name) if String::from_utf16_lossy(name) == "__proto__")
                        && *value == Printed::Word("null".to_owned())
                });
                !bare || members.iter().any(|(_, value)| value.may_be_of_a_class())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Pen, Printed};

    #[track_caller]
    fn check(text: &str, expected: &str) {
        let value = Printed::parse(text).unwrap_or_else(|why| panic!("{text}: {why}"));
        let written = Pen { quote: '\'' }.expression(&value);
        assert_eq!(written, expected, "{text}");
        assert_eq!(Printed::parse(&written), Ok(value), "{text}");
    }

    #[test]
    fn values_are_written_anew() {
        check(
            "[1,-0,1e-7,12n,Number.NaN,Number.POSITIVE_INFINITY]",
            "[1, -0, 1e-7, 12n, Number.NaN, Number.POSITIVE_INFINITY]",
        );
        check(r#"{"total":1,"a-b":[true,null,undefined]}"#, "{ total: 1, 'a-b': [true, null, undefined] }");
        check(r#"{__proto__:null,"x":{}}"#, "{ __proto__: null, x: {} }");
        check(r#"{["__proto__"]:0,[Symbol.for("k")]:1}"#, "{ ['__proto__']: 0, [Symbol.for('k')]: 1 }");
        check("[[,],[1,,],[,1]]", "[[,], [1,,], [, 1]]");
        check(r#"new Map([["",new Set([1])]])"#, "new Map([['', new Set([1])]])");
        check(r#"new Date("2020-01-01T00:00:00.000Z")"#, "new Date('2020-01-01T00:00:00.000Z')");
        check("Object.assign(Array(60),{3:1,10:\"x\"})", "Object.assign(Array(60), { 3: 1, 10: 'x' })");
        check("Uint8Array.from([1])", "Uint8Array.from([1])");
        check(r"/a\/[/]b/gi", r"/a\/[/]b/gi");
        check(r#"new Boolean(true)"#, "new Boolean(true)");
        check("Symbol.iterator", "Symbol.iterator");
    }

    #[test]
    fn texts_show_what_cannot_be_seen() {
        check("\"a\\u0000\\ud800 \u{2028}\u{202e}é\\\"'\\\\\\n\"", "'a\\u0000\\ud800 \\u2028\\u202eé\"\\'\\\\\\n'");
        check("\"\u{1f600}${x}\"", "'\u{1f600}${x}'");
    }

    #[test]
    fn what_people_write_is_read_as_well() {
        let written = Printed::parse("[ 50, [{ cents: 1_000, 'label': `x`, }], ] ").unwrap();
        assert_eq!(Printed::parse("[50,[{\"cents\":1000,\"label\":\"x\"}]]").unwrap(), written);
    }

    #[test]
    fn what_would_be_another_value_is_not_read() {
        for text in [
            "Symbol(\"d\")",
            "function(a) { return 1 }",
            "() => 1",
            "inc(8)",
            "https://x.y/?a=1",
            "Promise.resolve(3)",
            "new Money(1)",
            "new Error(\"m\")",
            "[object ArrayBuffer]",
            "{\"n\":1,\"me\":[cyclic]}",
            "schedulerFor()`x`",
            "[1",
            "1; process.exit()",
            "`${x}`",
            "LIES",
            "a/b/c",
            "",
        ] {
            assert!(Printed::parse(text).is_err(), "{text}");
        }
        assert!(Printed::parse(&"[".repeat(100_000)).is_err());
    }

    #[test]
    fn objects_may_be_of_a_class() {
        for (text, expected) in
            [("[1]", false), ("{__proto__:null}", false), ("[{\"a\":1}]", true), ("new Map([[{},1]])", true)]
        {
            assert_eq!(Printed::parse(text).unwrap().may_be_of_a_class(), expected, "{text}");
        }
    }
}
