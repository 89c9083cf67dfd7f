//! Types of the standard library that are no collections: each has one form it prints in and one that builds it.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, SocketAddrV4, SocketAddrV6};

use super::layout::Code;
use super::number::integer;
use super::pen::Guess;
use super::writer::{Expression, Typed, Writer, mismatch, text};
use crate::language::rust::types::{Standard, Type};
use crate::value::Value;

/// Types that are in scope, or under `std`, only where the standard library is.
const ALLOCATED: [&str; 4] = ["String", "Vec", "Box", "HashMap"];

/// Escapes of one character, with the byte they stand for.
const ESCAPES: [(char, u8); 7] =
    [('0', 0), ('n', b'\n'), ('r', b'\r'), ('t', b'\t'), ('\\', b'\\'), ('"', b'"'), ('\'', b'\'')];

/// A value with the standard type it has.
struct Of<'v> {
    value: &'v Value,
    standard: &'static Standard,
    /// The type's name as code says it.
    name: String,
    arguments: &'v [Type],
    typed: Typed,
}

impl Of<'_> {
    fn first(&self) -> &Type {
        self.arguments.first().unwrap_or(&Type::Unknown)
    }

    fn mismatch(&self) -> String {
        mismatch(self.value, self.standard.name)
    }
}

impl Writer<'_> {
    /// A value of a standard type.
    pub(super) fn standard(
        &self,
        value: &Value,
        standard: &'static Standard,
        arguments: &[Type],
        typed: Typed,
    ) -> Expression {
        // Tests of such a crate import what they use of `alloc` or `std`, and only a build can tell what.
        let is_unsure = self.guess() == Guess::Nothing;
        if is_unsure && ALLOCATED.contains(&standard.name) && self.inference.items.no_std(self.at) {
            return Err(format!(
                "its crate is `no_std`, where a `{}` needs imports that may not be there",
                standard.name
            ));
        }
        let of = Of { value, standard, name: self.standard_name(standard), arguments, typed };
        match standard.name {
            "Vec" | "VecDeque" | "LinkedList" | "BinaryHeap" | "BTreeSet" | "HashSet" if arguments.len() < 2 => {
                self.collection(value, standard, of.first(), typed)
            }
            "HashSet" if self.guess() != Guess::Nothing => {
                let (Value::Set(values) | Value::Sequence(values)) = value else { return Err(of.mismatch()) };
                let ty = Type::Standard(standard, arguments.to_vec());
                self.collected(self.elements(values, of.first(), Typed::Itself)?, &ty, typed)
            }
            "BTreeMap" | "HashMap" => self.map(value, standard, arguments, typed),
            "Option" => self.option(&of),
            "Result" => self.result(&of),
            "String" => self.string(&of),
            "PathBuf" | "OsString" => Ok(Code::around(format!("{}::from(", of.name), text(value)?, ")")),
            "CString" => c_string(&of),
            "Box" | "Rc" | "Arc" => self.pointer(&of),
            "Cow" => self.cow(&of),
            "Wrapping" | "Saturating" => self.wrapped(&of, value, "("),
            "Reverse" | "Cell" | "RefCell" | "Mutex" | "RwLock" | "Bound" => self.unwrapped(&of),
            "Ordering" => word(&of, &["Less", "Equal", "Greater"]),
            "Duration" => self.duration(&of),
            "SystemTime" => self.system_time(&of),
            "PhantomData" => self.phantom(&of),
            range if range.starts_with("Range") => self.range(&of),
            name if name.starts_with("NonZero") => self.non_zero(&of),
            name if name.starts_with("Atomic") => self.atomic(&of),
            _ => address(&of),
        }
    }

    fn option(&self, of: &Of<'_>) -> Expression {
        match of.value {
            Value::Word(word) if word == "None" => {
                let none = self.variant_name(of.standard, "None");
                Ok(Code::word(match of.typed {
                    Typed::Around => none,
                    Typed::Itself => format!("{none}::<{}>", self.type_name(of.first())?),
                }))
            }
            Value::Call { name, arguments } if name == "Some" && arguments.len() == 1 => {
                self.wrapped_in(&format!("{}(", self.variant_name(of.standard, "Some")), of, &arguments[0])
            }
            _ => Err(of.mismatch()),
        }
    }

    fn result(&self, of: &Of<'_>) -> Expression {
        let (Value::Call { name, arguments }, [ok, err]) = (of.value, of.arguments) else { return Err(of.mismatch()) };
        let inner = match name.as_str() {
            "Ok" => ok,
            "Err" => err,
            _ => return Err(of.mismatch()),
        };
        let [value] = &arguments[..] else { return Err(of.mismatch()) };
        let variant = self.variant_name(of.standard, name);
        let open = match of.typed {
            Typed::Around => format!("{variant}("),
            Typed::Itself => format!("{variant}::<{}, {}>(", self.type_name(ok)?, self.type_name(err)?),
        };
        Ok(Code::around(open, self.expression(value, inner, Typed::Around)?, ")"))
    }

    fn wrapped_in(&self, open: &str, of: &Of<'_>, value: &Value) -> Expression {
        Ok(Code::around(open, self.expression(value, of.first(), of.typed)?, ")"))
    }

    /// The type's name, `call` and the value of its first argument.
    fn wrapped(&self, of: &Of<'_>, value: &Value, call: &str) -> Expression {
        self.wrapped_in(&format!("{}{call}", of.name), of, value)
    }

    fn pointer(&self, of: &Of<'_>) -> Expression {
        match of.first() {
            Type::Primitive("str") => Ok(Code::around(format!("{}::<str>::from(", of.name), text(of.value)?, ")")),
            Type::Slice(element) => {
                let open = format!("{}::<[{}]>::from(", of.name, self.type_name(element)?);
                Ok(Code::around(open, self.array(of.value, element, Typed::Around)?, ")"))
            }
            _ => self.wrapped(of, of.value, "::new("),
        }
    }

    fn cow(&self, of: &Of<'_>) -> Expression {
        match of.first() {
            Type::Primitive("str") => Ok(Code::around(format!("{}::Borrowed(", of.name), text(of.value)?, ")")),
            Type::Slice(element) => {
                let open = format!("{}::<[{}]>::Owned(", of.name, self.type_name(element)?);
                let vec = Type::standard("Vec", vec![(**element).clone()]);
                Ok(Code::around(open, self.expression(of.value, &vec, Typed::Around)?, ")"))
            }
            _ => Err(of.mismatch()),
        }
    }

    /// Types that print their own name around what they hold.
    fn unwrapped(&self, of: &Of<'_>) -> Expression {
        match (of.standard.name, of.value) {
            ("Bound", Value::Word(word)) if word == "Unbounded" => match of.typed {
                Typed::Around => Ok(Code::word(format!("{}::Unbounded", of.name))),
                Typed::Itself => Ok(Code::word(format!("{}::Unbounded::<{}>", of.name, self.type_name(of.first())?))),
            },
            ("Bound", Value::Call { name, arguments }) if ["Included", "Excluded"].contains(&name.as_str()) => {
                let [value] = &arguments[..] else { return Err(of.mismatch()) };
                self.wrapped(of, value, &format!("::{name}("))
            }
            ("Reverse", Value::Call { name, arguments }) if name == "Reverse" && arguments.len() == 1 => {
                self.wrapped(of, &arguments[0], "(")
            }
            ("Cell" | "RefCell", Value::Record { name, fields, .. }) if name == of.standard.name => match &fields[..] {
                [(field, value)] if field == "value" => self.wrapped(of, value, "::new("),
                _ => Err(of.mismatch()),
            },
            ("Mutex" | "RwLock", Value::Record { name, fields, .. }) if name == of.standard.name => match &fields[..] {
                [(data, value), (poisoned, Value::Word(no))]
                    if data == "data" && poisoned == "poisoned" && no == "false" =>
                {
                    self.wrapped(of, value, "::new(")
                }
                _ => Err(of.mismatch()),
            },
            _ => Err(of.mismatch()),
        }
    }

    fn duration(&self, of: &Of<'_>) -> Expression {
        let (Value::Opaque(text) | Value::Number(text)) = of.value else { return Err(of.mismatch()) };
        let (seconds, nanos) = duration(text).ok_or_else(|| of.mismatch())?;
        Ok(Code::word(self.duration_code(seconds, nanos)?))
    }

    fn duration_code(&self, seconds: u64, nanos: u32) -> Result<String, String> {
        let number = |number: String, ty| integer(&number, ty).unwrap_or(number.clone());
        let (seconds, nanos) = (number(seconds.to_string(), "u64"), number(nanos.to_string(), "u32"));
        let name = Standard::named("Duration").map(|standard| self.standard_name(standard));
        let name = name.ok_or_else(|| "`Duration` has no name".to_owned())?;
        Ok(format!("{name}::new({seconds}, {nanos})"))
    }

    fn system_time(&self, of: &Of<'_>) -> Expression {
        let Value::Record { fields, .. } = of.value else { return Err(of.mismatch()) };
        match &fields[..] {
            [(first, Value::Number(seconds)), (second, Value::Number(nanos))]
                if first == "tv_sec" && second == "tv_nsec" =>
            {
                let (seconds, nanos) = (seconds.parse().ok(), nanos.parse().ok());
                let (Some(seconds), Some(nanos)) = (seconds, nanos) else { return Err(of.mismatch()) };
                Ok(Code::word(format!("{}::UNIX_EPOCH + {}", of.name, self.duration_code(seconds, nanos)?)))
            }
            _ => Err(of.mismatch()),
        }
    }

    fn phantom(&self, of: &Of<'_>) -> Expression {
        match of.typed {
            Typed::Around => Ok(Code::word(of.name.clone())),
            Typed::Itself => Ok(Code::word(format!("{}::<{}>", of.name, self.type_name(of.first())?))),
        }
    }

    fn range(&self, of: &Of<'_>) -> Expression {
        let (Value::Opaque(text) | Value::Word(text) | Value::Number(text)) = of.value else {
            return Err(of.mismatch());
        };
        let sign = if of.standard.name.ends_with("Inclusive") { "..=" } else { ".." };
        let (start, end) = text.split_once(sign).ok_or_else(|| of.mismatch())?;
        let (needs_start, needs_end) = match of.standard.name {
            "RangeFull" => (false, false),
            "RangeFrom" => (true, false),
            "RangeTo" | "RangeToInclusive" => (false, true),
            _ => (true, true),
        };
        if start.is_empty() == needs_start || end.is_empty() == needs_end {
            return Err(of.mismatch());
        }
        let bound = |text: &str, typed| match text {
            "" => Ok(String::new()),
            text => self.expression(&Value::parse(text), of.first(), typed).map(|code| code.flat()),
        };
        let after = if needs_start { Typed::Around } else { of.typed };
        Ok(Code::word(format!("{}{sign}{}", bound(start, of.typed)?, bound(end, after)?)))
    }

    fn non_zero(&self, of: &Of<'_>) -> Expression {
        let ty = match (of.standard.name, of.first()) {
            ("NonZero", Type::Primitive(name)) => (*name).to_owned(),
            ("NonZero", _) => return Err(of.mismatch()),
            (name, _) => name.trim_start_matches("NonZero").to_lowercase(),
        };
        let Value::Number(text) = of.value else { return Err(of.mismatch()) };
        let number = integer(text, &ty).filter(|number| number != "0").ok_or_else(|| of.mismatch())?;
        let number = if of.standard.name == "NonZero" { number + &ty } else { number };
        Ok(Code::word(format!("{}::new({number}).unwrap()", of.name)))
    }

    fn atomic(&self, of: &Of<'_>) -> Expression {
        let ty = of.standard.name.trim_start_matches("Atomic").to_lowercase();
        let ty = Type::primitive(&ty).ok_or_else(|| of.mismatch())?;
        Ok(Code::around(format!("{}::new(", of.name), self.expression(of.value, &ty, Typed::Around)?, ")"))
    }

    fn string(&self, of: &Of<'_>) -> Expression {
        match of.value {
            Value::Text(text) => Ok(Code::word(match self.repeated(text) {
                Some((part, times)) => format!("{part:?}.repeat({times})"),
                None => format!("{}::from({text:?})", of.name),
            })),
            _ => Err(mismatch(of.value, "text")),
        }
    }
}

/// A variant without values.
fn word(of: &Of<'_>, words: &[&str]) -> Expression {
    match of.value {
        Value::Word(word) if words.contains(&word.as_str()) => Ok(Code::word(format!("{}::{word}", of.name))),
        _ => Err(of.mismatch()),
    }
}

fn c_string(of: &Of<'_>) -> Expression {
    let bytes = match of.value {
        Value::Text(text) => text.as_bytes().to_vec(),
        Value::Opaque(text) => bytes(text).ok_or_else(|| of.mismatch())?,
        _ => return Err(of.mismatch()),
    };
    if bytes.contains(&0) {
        return Err(of.mismatch());
    }
    Ok(Code::word(format!("{}::new(*b\"{}\").unwrap()", of.name, bytes.escape_ascii())))
}

/// The bytes of a quoted text that escapes both characters and bytes.
pub(super) fn bytes(quoted: &str) -> Option<Vec<u8>> {
    let mut rest = quoted.strip_prefix('"')?.strip_suffix('"')?;
    let mut found = Vec::new();
    while let Some((plain, escape)) = rest.split_once('\\') {
        found.extend_from_slice(plain.as_bytes());
        let kind = escape.chars().next()?;
        rest = &escape[kind.len_utf8()..];
        let simple = ESCAPES.iter().find(|(known, _)| *known == kind);
        match (kind, simple) {
            (_, Some((_, byte))) => found.push(*byte),
            ('x', _) => {
                let (hex, after) = rest.split_at_checked(2)?;
                found.push(u8::from_str_radix(hex, 16).ok()?);
                rest = after;
            }
            ('u', _) => {
                let (hex, after) = rest.strip_prefix('{')?.split_once('}')?;
                let decoded = u32::from_str_radix(hex, 16).ok().and_then(char::from_u32)?;
                found.extend_from_slice(decoded.encode_utf8(&mut [0; 4]).as_bytes());
                rest = after;
            }
            _ => return None,
        }
    }
    found.extend_from_slice(rest.as_bytes());
    Some(found)
}

/// A network address: its text, where it is one.
fn address(of: &Of<'_>) -> Expression {
    let Value::Opaque(text) = of.value else { return Err(of.mismatch()) };
    let anew = match of.standard.name {
        "IpAddr" => text.parse::<IpAddr>().ok().map(|address| address.to_string()),
        "Ipv4Addr" => text.parse::<Ipv4Addr>().ok().map(|address| address.to_string()),
        "Ipv6Addr" => text.parse::<Ipv6Addr>().ok().map(|address| address.to_string()),
        "SocketAddr" => text.parse::<SocketAddr>().ok().map(|address| address.to_string()),
        "SocketAddrV4" => text.parse::<SocketAddrV4>().ok().map(|address| address.to_string()),
        "SocketAddrV6" => text.parse::<SocketAddrV6>().ok().map(|address| address.to_string()),
        _ => None,
    };
    let anew = anew.ok_or_else(|| of.mismatch())?;
    Ok(Code::word(format!("\"{anew}\".parse::<{}>().unwrap()", of.name)))
}

/// Seconds and nanoseconds of a duration as it prints: `1.5s`, `15µs`.
fn duration(text: &str) -> Option<(u64, u32)> {
    let unit = text.find(|c: char| !c.is_ascii_digit() && c != '.')?;
    let (number, unit) = text.split_at(unit);
    let nanos_in_unit: u128 = match unit {
        "s" => 1_000_000_000,
        "ms" => 1_000_000,
        "µs" | "μs" => 1_000,
        "ns" => 1,
        _ => return None,
    };
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    if fraction.len() > 9 {
        return None;
    }
    let scale = 10u128.pow(u32::try_from(fraction.len()).ok()?);
    let digits: u128 = format!("{whole}{fraction}").parse().ok()?;
    let nanos = digits.checked_mul(nanos_in_unit)?;
    let nanos = nanos.is_multiple_of(scale).then_some(nanos / scale)?;
    Some((u64::try_from(nanos / 1_000_000_000).ok()?, u32::try_from(nanos % 1_000_000_000).ok()?))
}
