//! How far an arbitrary reaches, where its source says so plainly: the limits of whole numbers, and the sizes of what is made
//! of arbitraries that have no limits of their own.

use super::super::calls::last_name;
use crate::language::typescript::code::{Code, Kind, MemberForm};
use crate::language::typescript::import;
use crate::oracle::Reach;
use crate::repo_path::RepoPath;
use crate::source_tree::SourceTree;
use crate::span::Span;

/// Longest chain of names and methods that is followed.
const DEPTH: usize = 24;

/// What makes values with a size and has no other limits.
const SIZED: [&str; 24] = [
    "ascii",
    "asciiString",
    "base64String",
    "bigInt64Array",
    "bigUint64Array",
    "float32Array",
    "float64Array",
    "fullUnicodeString",
    "hexaString",
    "int16Array",
    "int32Array",
    "int8Array",
    "string",
    "string16bits",
    "uint16Array",
    "uint32Array",
    "uint8Array",
    "uint8ClampedArray",
    "unicodeString",
    "sparseArray",
    "array",
    "set",
    "uniqueArray",
    "dictionary",
];

/// The reach of the arbitrary at `span` of `code`, which is `file`'s.
pub(super) fn reach(code: &Code, span: Span, file: &RepoPath, tree: &dyn SourceTree) -> Option<Reach> {
    Source { code, file, tree }.reach(span, DEPTH)
}

struct Source<'a> {
    code: &'a Code,
    file: &'a RepoPath,
    tree: &'a dyn SourceTree,
}

impl Source<'_> {
    fn reach(&self, span: Span, depth: usize) -> Option<Reach> {
        let depth = depth.checked_sub(1)?;
        let span = self.code.plain(span);
        if self.code.kind(span) == Kind::Name {
            let name = self.code.at(span);
            if let Some(value) = self.code.constant(name) {
                return self.reach(value, depth);
            }
            let (file, code, there) = import::source(self.code, self.file, name, self.tree)?;
            let value = code.constant(&there)?;
            return Source { code: &code, file: &file, tree: self.tree }.reach(value, depth);
        }
        let call = &self.code.calls[self.code.call_at(span)?];
        let callee = self.code.at(call.callee);
        let name = last_name(callee);
        if ["filter", "noShrink", "noBias"].contains(&name) {
            return self.reach(self.code.method(call.callee)?.0, depth);
        }
        if is_of_library(self.code, callee) { self.of(name, &call.arguments) } else { None }
    }

    /// The reach of what the library's function `name` makes.
    fn of(&self, name: &str, arguments: &[Span]) -> Option<Reach> {
        let signed = |bits: u32| (Some(-(1_i128 << (bits - 1))), Some((1_i128 << (bits - 1)) - 1));
        let safe = (1_i128 << 53) - 1;
        match name {
            "integer" => self.limits(arguments, ("min", "max"), signed(32)),
            "nat" => self.limits(arguments, ("", "max"), (Some(0), signed(32).1)),
            "bigInt" => self.limits(arguments, ("min", "max"), (None, None)),
            "bigUint" => self.limits(arguments, ("", "max"), (Some(0), None)),
            "float" | "double" if !arguments.is_empty() => self.limits(arguments, ("min", "max"), (None, None)),
            "maxSafeInteger" => Some(Reach { low: Some(-safe), high: Some(safe) }),
            "maxSafeNat" => Some(Reach { low: Some(0), high: Some(safe) }),
            "bigIntN" | "bigUintN" => {
                let bits = u32::try_from(self.code.integer(*arguments.first()?)?).ok()?;
                let power = |bits: u32| 1_i128.checked_shl(bits).filter(|power| *power > 0);
                let (low, high) = match name {
                    "bigUintN" => (0, power(bits)? - 1),
                    _ => (-power(bits.checked_sub(1)?)?, power(bits - 1)? - 1),
                };
                Some(Reach { low: Some(low), high: Some(high) })
            }
            _ if SIZED.contains(&name) => self.size(name, arguments),
            _ => None,
        }
    }

    /// How large it is; not told where what is in it has limits of its own, which are not those of the size.
    fn size(&self, name: &str, arguments: &[Span]) -> Option<Reach> {
        let parts = match name {
            "dictionary" => 2,
            "array" | "set" | "uniqueArray" | "sparseArray" => 1,
            _ => 0,
        };
        let (parts, rest) = arguments.split_at_checked(parts)?;
        let names = if name == "dictionary" { ("minKeys", "maxKeys") } else { ("minLength", "maxLength") };
        let all = parts.iter().all(|part| self.is_without_limits(*part));
        all.then(|| self.limits(rest, names, (Some(0), None))).flatten()
    }

    fn is_without_limits(&self, span: Span) -> bool {
        let span = self.code.plain(span);
        let call = self.code.call_at(span).map(|at| &self.code.calls[at]);
        call.is_some_and(|call| call.arguments.is_empty() && is_of_library(self.code, self.code.at(call.callee)))
    }

    /// The limits that `arguments` name: as members of an object, or, as older versions have it, one after the other. Not told
    /// where they say anything else.
    fn limits(
        &self,
        arguments: &[Span],
        names: (&str, &str),
        (mut low, mut high): (Option<i128>, Option<i128>),
    ) -> Option<Reach> {
        match arguments {
            [] => {}
            [one] if self.code.kind(*one) == Kind::Object => {
                for member in self.code.members(*one)? {
                    let is_value = matches!(member.form, MemberForm::Pair | MemberForm::Shorthand);
                    match member.name.as_str() {
                        name if is_value && name == names.0 => low = Some(self.code.integer(member.value)?),
                        name if is_value && name == names.1 => high = Some(self.code.integer(member.value)?),
                        _ => return None,
                    }
                }
            }
            [one] => high = Some(self.code.integer(*one)?),
            [first, last] => (low, high) = (Some(self.code.integer(*first)?), Some(self.code.integer(*last)?)),
            _ => return None,
        }
        Some(Reach { low, high })
    }
}

/// Whether `callee` is a function of the library.
pub(super) fn is_of_library(code: &Code, callee: &str) -> bool {
    let root = callee.split('.').next().unwrap_or_default();
    let is_member = callee.matches('.').count() == 1;
    root == "fc" && is_member
        || code.imported().iter().any(|(local, _, module)| local == root && module.contains("fast-check"))
}

#[cfg(test)]
mod tests {
    use super::reach;
    use crate::language::typescript::code::Code;
    use crate::repo_path::RepoPath;
    use crate::source_tree::testing::Files;

    #[track_caller]
    fn check(arbitrary: &str, expected: Option<(Option<i128>, Option<i128>)>) {
        let file = RepoPath::new("a.ts").unwrap();
        let tree = Files::new([("arbs.ts", "export const cents = fc.nat({ max: 7 });\n")]);
        let head =
            "import * as f from 'fast-check';\nimport { cents } from './arbs';\nconst MAX = 9, own = fc.nat(MAX);\n";
        let code = Code::read("a.ts", format!("{head}use({arbitrary});\n")).unwrap();
        let call = code.calls.iter().find(|call| code.at(call.callee) == "use").unwrap();
        let found = reach(&code, call.arguments[0], &file, &tree);
        assert_eq!(found.map(|reach| (reach.low, reach.high)), expected, "{arbitrary}");
    }

    #[test]
    fn limits_of_numbers_tell_it() {
        check("fc.integer()", Some((Some(-2_147_483_648), Some(2_147_483_647))));
        check("fc.integer({ min: 1, max: 1_000 })", Some((Some(1), Some(1_000))));
        check("fc.integer({ min: -MAX })", Some((Some(-9), Some(2_147_483_647))));
        check("fc.integer(1, 5)", Some((Some(1), Some(5))));
        check("fc.nat()", Some((Some(0), Some(2_147_483_647))));
        check("fc.nat(50)", Some((Some(0), Some(50))));
        check("f.nat({ max: 50 }).filter((n) => n % 2 === 0).noShrink()", Some((Some(0), Some(50))));
        check("fc.bigInt({ min: 0n, max: 2n ** 64n })", Some((Some(0), Some(1 << 64))));
        check("fc.bigInt()", Some((None, None)));
        check("fc.bigUintN(8)", Some((Some(0), Some(255))));
        check("fc.bigIntN(8)", Some((Some(-128), Some(127))));
        check("fc.maxSafeNat()", Some((Some(0), Some(9_007_199_254_740_991))));
        check("fc.double({ min: 0, max: 1 })", Some((Some(0), Some(1))));
        check("own", Some((Some(0), Some(9))));
        check("cents", Some((Some(0), Some(7))));
    }

    #[test]
    fn sizes_tell_it() {
        check("fc.string({ minLength: 1, maxLength: 20 })", Some((Some(1), Some(20))));
        check("fc.string()", Some((Some(0), None)));
        check("fc.array(fc.nat(), { maxLength: 3 })", Some((Some(0), Some(3))));
        check("fc.uint8Array({ minLength: 2 })", Some((Some(2), None)));
        check("fc.dictionary(fc.string(), fc.nat(), { maxKeys: 4 })", Some((Some(0), Some(4))));
    }

    #[test]
    fn what_is_not_plain_tells_nothing() {
        for arbitrary in [
            "fc.integer({ min, max: 3 })",
            "fc.integer({ ...limits })",
            "fc.double({ min: 0.5 })",
            "fc.double({ min: 0, noNaN: true })",
            "fc.nat(5).map((n) => n * 2)",
            "fc.array(fc.nat(5), { maxLength: 3 })",
            "fc.string({ maxLength: 3, unit: 'binary' })",
            "fc.boolean()",
            "fc.bigUintN(500)",
            "money.nat(5)",
            "unknown",
            "fc.record({ a: fc.nat() })",
        ] {
            check(arbitrary, None);
        }
    }
}
