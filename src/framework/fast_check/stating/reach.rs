//! How far an arbitrary reaches, where its source says so plainly: the limits of whole numbers, and the sizes of what is made
//! of arbitraries that have no limits of their own.

use super::super::calls::last_name;
use crate::language::typescript::code::{Code, Kind, MemberForm};
use crate::language::typescript::import;
use crate::oracle::{Reach, Shape};
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

/// The arbitrary at `span` of `code`, which is `file`'s, taken apart into its limits and all else.
pub(super) fn shape(code: &Code, span: Span, file: &RepoPath, tree: &dyn SourceTree) -> Shape {
    Source { code, file, tree }.shape(span, DEPTH)
}

struct Source<'a> {
    code: &'a Code,
    file: &'a RepoPath,
    tree: &'a dyn SourceTree,
}

impl Source<'_> {
    fn shape(&self, span: Span, depth: usize) -> Shape {
        let plain = self.code.plain(span);
        if self.code.kind(plain) == Kind::Name
            && let Some(depth) = depth.checked_sub(1)
            && let Some(shape) = self.named(plain, depth)
        {
            return shape;
        }
        let mut limits = Vec::new();
        let mut cuts = Vec::new();
        self.collect(plain, DEPTH, &mut limits, &mut cuts);
        limits.sort_by_key(|(at, _)| *at);
        // Of a filter that is left out a sign is left.
        let frame = self.code.normal_without(plain, &cuts).replace(" …", "");
        Shape { frame, reaches: limits.into_iter().map(|(_, reach)| reach).collect(), types: Vec::new() }
    }

    /// What the name at `span` stands for, where its limits are told there.
    fn named(&self, span: Span, depth: usize) -> Option<Shape> {
        let name = self.code.at(span);
        let shape = match self.code.constant(name) {
            Some(value) => self.shape(value, depth),
            None => {
                let (file, code, there) = import::source(self.code, self.file, name, self.tree)?;
                let value = code.constant(&there)?;
                Source { code: &code, file: &file, tree: self.tree }.shape(value, depth)
            }
        };
        (!shape.reaches.is_empty()).then_some(shape)
    }

    /// Collects the limits in the arbitrary at `span`, each with where it stands, and what is no part of the frame.
    fn collect(&self, span: Span, depth: usize, limits: &mut Vec<(usize, Reach)>, cuts: &mut Vec<Span>) {
        let Some(depth) = depth.checked_sub(1) else { return };
        let span = self.code.plain(span);
        let parts: Vec<Span> = match self.code.kind(span) {
            Kind::Object => {
                self.code.members(span).unwrap_or_default().into_iter().map(|member| member.value).collect()
            }
            Kind::Call => {
                let Some(at) = self.code.call_at(span) else { return };
                let call = &self.code.calls[at];
                let callee = self.code.at(call.callee);
                let name = last_name(callee);
                let object = self.code.method(call.callee).map(|(object, _)| object);
                // What a filter takes out is told for itself.
                if ["filter", "noShrink", "noBias"].contains(&name)
                    && let Some(object) = object
                {
                    cuts.push(Span::new(object.end, span.end));
                    return self.collect(object, depth, limits, cuts);
                }
                if is_of_library(self.code, callee)
                    && let Some((reach, own)) = self.of(name, &call.arguments)
                {
                    limits.push((call.span.start, reach));
                    cuts.extend(own);
                }
                let object = object.filter(|object| self.code.kind(*object) == Kind::Call);
                object.into_iter().chain(call.arguments.iter().copied()).collect()
            }
            _ => self.code.elements(span).unwrap_or_default(),
        };
        parts.into_iter().for_each(|part| self.collect(part, depth, limits, cuts));
    }

    /// What the library's function `name` makes reaches, and where that is said.
    fn of(&self, name: &str, arguments: &[Span]) -> Option<(Reach, Vec<Span>)> {
        let signed = |bits: u32| (Some(-(1_i128 << (bits - 1))), Some((1_i128 << (bits - 1)) - 1));
        let safe = (1_i128 << 53) - 1;
        match name {
            "integer" => self.limits(arguments, ("min", "max"), signed(32)),
            "nat" => self.limits(arguments, ("", "max"), (Some(0), signed(32).1)),
            "bigInt" => self.limits(arguments, ("min", "max"), (None, None)),
            "bigUint" => self.limits(arguments, ("", "max"), (Some(0), None)),
            "float" | "double" if !arguments.is_empty() => self.limits(arguments, ("min", "max"), (None, None)),
            "maxSafeInteger" => Some((Reach { low: Some(-safe), high: Some(safe) }, Vec::new())),
            "maxSafeNat" => Some((Reach { low: Some(0), high: Some(safe) }, Vec::new())),
            "bigIntN" | "bigUintN" => {
                let first = *arguments.first()?;
                let bits = u32::try_from(self.code.integer(first)?).ok()?;
                let power = |bits: u32| 1_i128.checked_shl(bits).filter(|power| *power > 0);
                let (low, high) = match name {
                    "bigUintN" => (0, power(bits)? - 1),
                    _ => (-power(bits.checked_sub(1)?)?, power(bits - 1)? - 1),
                };
                Some((Reach { low: Some(low), high: Some(high) }, vec![first]))
            }
            _ if SIZED.contains(&name) => self.size(name, arguments),
            _ => None,
        }
    }

    /// How large it is.
    fn size(&self, name: &str, arguments: &[Span]) -> Option<(Reach, Vec<Span>)> {
        let parts = match name {
            "dictionary" => 2,
            "array" | "set" | "uniqueArray" | "sparseArray" => 1,
            _ => 0,
        };
        let (_, rest) = arguments.split_at_checked(parts)?;
        let names = if name == "dictionary" { ("minKeys", "maxKeys") } else { ("minLength", "maxLength") };
        self.limits(rest, names, (Some(0), None))
    }

    /// The limits that `arguments` name, and where: as members of an object, or, as older versions have it, one after the other.
    fn limits(
        &self,
        arguments: &[Span],
        names: (&str, &str),
        (mut low, mut high): (Option<i128>, Option<i128>),
    ) -> Option<(Reach, Vec<Span>)> {
        let mut places = Vec::new();
        match arguments {
            [] => {}
            [one] if self.code.kind(*one) == Kind::Object => {
                let members = self.code.members(*one)?;
                for member in &members {
                    let is_value = matches!(member.form, MemberForm::Pair | MemberForm::Shorthand);
                    let limit = match member.name.as_str() {
                        name if is_value && name == names.0 => &mut low,
                        name if is_value && name == names.1 => &mut high,
                        _ if is_value => continue,
                        _ => return None,
                    };
                    *limit = Some(self.code.integer(member.value)?);
                    places.push(member.span);
                }
                if places.len() == members.len() {
                    places = vec![*one];
                }
            }
            [one] => {
                high = Some(self.code.integer(*one)?);
                places.push(*one);
            }
            [first, last] => {
                (low, high) = (Some(self.code.integer(*first)?), Some(self.code.integer(*last)?));
                places.extend([*first, *last]);
            }
            _ => return None,
        }
        Some((Reach { low, high }, places))
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
    use super::shape;
    use crate::language::typescript::code::Code;
    use crate::repo_path::RepoPath;
    use crate::source_tree::testing::Files;

    type Limits<'l> = &'l [(Option<i128>, Option<i128>)];

    #[track_caller]
    fn check(arbitrary: &str, frame: &str, limits: Limits<'_>) {
        let file = RepoPath::new("a.ts").unwrap();
        let tree = Files::new([("arbs.ts", "export const cents = fc.nat({ max: 7 });\n")]);
        let head =
            "import * as f from 'fast-check';\nimport { cents } from './arbs';\nconst MAX = 9, own = fc.nat(MAX);\n";
        let code = Code::read("a.ts", format!("{head}use({arbitrary});\n")).unwrap();
        let call = code.calls.iter().find(|call| code.at(call.callee) == "use").unwrap();
        let found = shape(&code, call.arguments[0], &file, &tree);
        let told: Vec<_> = found.reaches.iter().map(|reach| (reach.low, reach.high)).collect();
        assert_eq!((found.frame.as_str(), told.as_slice()), (frame, limits), "{arbitrary}");
    }

    #[test]
    fn limits_of_numbers_tell_it() {
        check("fc.integer()", "fc.integer()", &[(Some(-2_147_483_648), Some(2_147_483_647))]);
        check("fc.integer({ min: 1, max: 1_000 })", "fc.integer()", &[(Some(1), Some(1_000))]);
        check("fc.integer({ min: -MAX })", "fc.integer()", &[(Some(-9), Some(2_147_483_647))]);
        check("fc.integer(1, 5)", "fc.integer()", &[(Some(1), Some(5))]);
        check("fc.nat(50)", "fc.nat()", &[(Some(0), Some(50))]);
        check("f.nat({ max: 50 }).filter((n) => n % 2 === 0).noShrink()", "f.nat()", &[(Some(0), Some(50))]);
        check("fc.bigInt({ min: 0n, max: 2n ** 64n })", "fc.bigInt()", &[(Some(0), Some(1 << 64))]);
        check("fc.bigInt()", "fc.bigInt()", &[(None, None)]);
        check("fc.bigUintN(8)", "fc.bigUintN()", &[(Some(0), Some(255))]);
        check("fc.bigIntN(8)", "fc.bigIntN()", &[(Some(-128), Some(127))]);
        check("fc.maxSafeNat()", "fc.maxSafeNat()", &[(Some(0), Some(9_007_199_254_740_991))]);
        check("fc.double({ min: 0, max: 1, noNaN: true })", "fc.double({ noNaN: true })", &[(Some(0), Some(1))]);
        check("own", "fc.nat()", &[(Some(0), Some(9))]);
        check("cents", "fc.nat()", &[(Some(0), Some(7))]);
        check("fc.nat(5).map((n) => n * 2)", "fc.nat().map((n) => n * 2)", &[(Some(0), Some(5))]);
    }

    #[test]
    fn sizes_tell_it_and_elements_for_themselves() {
        check("fc.string({ minLength: 1, maxLength: 20 })", "fc.string()", &[(Some(1), Some(20))]);
        check("fc.string({ maxLength: 3, unit: 'binary' })", "fc.string({ unit: 'binary' })", &[(Some(0), Some(3))]);
        check("fc.array(fc.nat(5), { maxLength: 3 })", "fc.array(fc.nat())", &[(Some(0), Some(3)), (Some(0), Some(5))]);
        check("fc.record({ a: fc.nat(5) })", "fc.record({ a: fc.nat() })", &[(Some(0), Some(5))]);
        check("fc.tuple(fc.nat(5), fc.boolean())", "fc.tuple(fc.nat(), fc.boolean())", &[(Some(0), Some(5))]);
    }

    #[test]
    fn what_is_not_plain_is_all_frame() {
        for arbitrary in [
            "fc.integer({ min, max: 3 })",
            "fc.integer({ ...limits })",
            "fc.double({ min: 0.5 })",
            "fc.boolean()",
            "fc.bigUintN(500)",
            "money.nat(5)",
            "unknown",
        ] {
            check(arbitrary, arbitrary, &[]);
        }
    }
}
