//! How far a strategy reaches, where its source says so plainly: a range of whole numbers, all of a type, or the sizes of a
//! collection.

use std::collections::BTreeMap;
use std::ops::Range;

use syn::spanned::Spanned;
use syn::{Expr, ExprCall, ExprRange, GenericArgument, Lit, PathArguments, RangeLimits, Type, UnOp};

use crate::language::rust::code::Code;
use crate::oracle::{Reach, Shape};

/// The constants of a file that are plain numbers.
pub(super) type Constants = BTreeMap<String, i128>;

/// Those of `code`; one that two constants share the name of is told by neither.
pub(super) fn constants(code: &Code<'_>) -> Constants {
    let mut found = Constants::new();
    let mut twice = Vec::new();
    for at in 0..code.tokens.len() {
        if !matches!(code.word(at), "const" | "static") || !code.sign(at + 2, ':') {
            continue;
        }
        let end = code.next_at_level(at, code.tokens.len(), |code, at| code.sign(at, ';')).unwrap_or(at);
        let Some(equals) = (at + 3..end).find(|&at| code.sign(at, '=')) else { continue };
        let value = syn::parse_str(code.between(equals + 1, end)).ok().and_then(|value| number(&value, &found));
        match value {
            Some(value) if found.insert(code.word(at + 1).to_owned(), value).is_none() => {}
            _ => twice.push(code.word(at + 1).to_owned()),
        }
    }
    found.retain(|name, _| !twice.contains(name));
    found
}

/// The strategy in normal form, taken apart into its limits and all else.
pub(super) fn shape(strategy: &str, constants: &Constants) -> Shape {
    let mut limits = Limits { constants, cuts: Vec::new(), types: Vec::new() };
    if let Ok(expression) = syn::parse_str(strategy) {
        limits.of(&expression);
    }
    limits.cuts.sort_by_key(|(range, _)| range.start);
    limits.types.sort_by_key(|(start, _)| *start);
    let types = limits.types.into_iter().map(|(_, written)| written).collect();
    let mut shape = Shape { types, ..Shape::default() };
    let mut end = 0;
    for (range, reach) in limits.cuts {
        shape.frame.push_str(strategy.get(end..range.start).unwrap_or_default());
        shape.frame.push_str(if reach.is_some() { "…" } else { "" });
        shape.reaches.extend(reach);
        end = range.end;
    }
    shape.frame.push_str(strategy.get(end..).unwrap_or_default());
    shape
}

struct Limits<'c> {
    constants: &'c Constants,
    /// What is no part of the frame, with what it reaches where it is a limit.
    cuts: Vec<(Range<usize>, Option<Reach>)>,
    /// Where a range of numbers begins, with the type that it is written with.
    types: Vec<(usize, Option<String>)>,
}

impl Limits<'_> {
    fn cut(&mut self, part: &impl Spanned, reach: Reach) {
        self.cuts.push((part.span().byte_range(), Some(reach)));
    }

    /// Notes the type of the numbers of a range.
    fn of_typed(&mut self, range: &ExprRange) {
        let start = range.span().byte_range().start;
        let mut bounds = [&range.start, &range.end].into_iter().flatten();
        self.types.push((start, bounds.find_map(|bound| suffix(bound))));
    }

    fn of(&mut self, strategy: &Expr) {
        match strategy {
            Expr::Range(range) => {
                if let Some(reach) = of_range(range, self.constants) {
                    self.of_typed(range);
                    self.cut(range, reach);
                }
            }
            Expr::Paren(inner) => match &*inner.expr {
                Expr::Range(range) if of_range(range, self.constants).is_some() => {
                    self.of_typed(range);
                    self.cuts
                        .extend(of_range(range, self.constants).map(|reach| (inner.span().byte_range(), Some(reach))));
                }
                other => self.of(other),
            },
            Expr::Group(inner) => self.of(&inner.expr),
            Expr::Reference(inner) => self.of(&inner.expr),
            Expr::Tuple(tuple) => tuple.elems.iter().for_each(|one| self.of(one)),
            Expr::Array(array) => array.elems.iter().for_each(|one| self.of(one)),
            Expr::MethodCall(call) => {
                self.of(&call.receiver);
                // What a filter takes out is told for itself.
                if call.method.to_string().starts_with("prop_filter") && call.method != "prop_filter_map" {
                    let receiver = call.receiver.span().byte_range();
                    self.cuts.push((receiver.end..call.span().byte_range().end, None));
                } else {
                    call.args.iter().for_each(|one| self.of(one));
                }
            }
            Expr::Call(call) => self.of_call(call),
            _ => {}
        }
    }

    fn of_call(&mut self, call: &ExprCall) {
        if let Some(reach) = of_any(call) {
            return self.cut(call, reach);
        }
        let place = sizes_of(call);
        for (at, argument) in call.args.iter().enumerate() {
            match sizes(argument, self.constants).filter(|_| Some(at) == place) {
                Some(reach) => self.cut(argument, reach),
                None => self.of(argument),
            }
        }
    }
}

/// The type that a number is written with.
fn suffix(number: &Expr) -> Option<String> {
    match number {
        Expr::Lit(literal) => match &literal.lit {
            Lit::Int(int) => Some(int.suffix().to_owned()).filter(|suffix| !suffix.is_empty()),
            _ => None,
        },
        Expr::Unary(unary) => suffix(&unary.expr),
        Expr::Paren(inner) => suffix(&inner.expr),
        Expr::Group(inner) => suffix(&inner.expr),
        _ => None,
    }
}

fn of_range(range: &ExprRange, constants: &Constants) -> Option<Reach> {
    let bound = |bound: &Option<Box<Expr>>| match bound {
        None => Some(None),
        Some(value) => number(value, constants).map(Some),
    };
    let (low, high) = (bound(&range.start)?, bound(&range.end)?);
    let high = match range.limits {
        RangeLimits::HalfOpen(_) => high.map(|high| high.saturating_sub(1)),
        RangeLimits::Closed(_) => high,
    };
    Some(Reach { low, high })
}

/// The whole number that an expression says.
pub(super) fn number(value: &Expr, constants: &Constants) -> Option<i128> {
    match value {
        Expr::Lit(literal) => match &literal.lit {
            Lit::Int(int) => int.base10_parse().ok(),
            _ => None,
        },
        Expr::Unary(unary) if matches!(unary.op, UnOp::Neg(_)) => number(&unary.expr, constants)?.checked_neg(),
        Expr::Paren(inner) => number(&inner.expr, constants),
        Expr::Group(inner) => number(&inner.expr, constants),
        Expr::Path(path) => {
            let own = path.path.get_ident().and_then(|name| constants.get(&name.to_string()).copied());
            own.or_else(|| of_constant(&path.path))
        }
        _ => None,
    }
}

/// `u8::MAX` and its like.
fn of_constant(path: &syn::Path) -> Option<i128> {
    let mut names = path.segments.iter().rev().map(|segment| segment.ident.to_string());
    let (bound, ty) = (names.next()?, names.next()?);
    let Reach { low, high } = of_type(&ty)?;
    match bound.as_str() {
        "MIN" => low,
        "MAX" => high,
        _ => None,
    }
}

/// The collections whose strategies take sizes, with the place of the sizes among their arguments.
const SIZED: [(&str, usize); 8] = [
    ("vec", 1),
    ("vec_deque", 1),
    ("linked_list", 1),
    ("binary_heap", 1),
    ("btree_set", 1),
    ("hash_set", 1),
    ("hash_map", 2),
    ("btree_map", 2),
];

/// What `any::<T>()` reaches, where that is a whole number.
fn of_any(call: &ExprCall) -> Option<Reach> {
    let Expr::Path(path) = &*call.func else { return None };
    let last = path.path.segments.last().filter(|last| last.ident == "any")?;
    let PathArguments::AngleBracketed(types) = &last.arguments else { return None };
    let GenericArgument::Type(Type::Path(ty)) = types.args.first()? else { return None };
    of_type(&ty.path.get_ident()?.to_string())
}

/// The place of the sizes among the arguments.
fn sizes_of(call: &ExprCall) -> Option<usize> {
    let Expr::Path(path) = &*call.func else { return None };
    let last = path.path.segments.last()?;
    SIZED.iter().find(|(name, _)| last.ident == name).map(|(_, place)| *place)
}

fn sizes(sizes: &Expr, constants: &Constants) -> Option<Reach> {
    match sizes {
        Expr::Range(range) => of_range(range, constants).map(|reach| Reach { low: reach.low.or(Some(0)), ..reach }),
        other => number(other, constants).map(|size| Reach { low: Some(size), high: Some(size) }),
    }
}

fn of_type(name: &str) -> Option<Reach> {
    let signed = |bits: u32| (Some(-(1_i128 << (bits - 1))), Some((1_i128 << (bits - 1)) - 1));
    let unsigned = |bits: u32| (Some(0), Some((1_i128 << bits) - 1));
    let (low, high) = match name {
        "i8" => signed(8),
        "i16" => signed(16),
        "i32" => signed(32),
        "i64" | "isize" => signed(64),
        "u8" => unsigned(8),
        "u16" => unsigned(16),
        "u32" => unsigned(32),
        "u64" | "usize" => unsigned(64),
        _ => return None,
    };
    Some(Reach { low, high })
}

#[cfg(test)]
mod tests {
    use super::{Constants, constants, shape};
    use crate::language::rust::code::Code;
    use crate::language::rust::tokens::apart;

    type Limits<'l> = &'l [(Option<i128>, Option<i128>)];

    #[track_caller]
    fn check(strategy: &str, frame: &str, limits: Limits<'_>) {
        let constants = Constants::from([("MOST".to_owned(), 24)]);
        let shape = shape(strategy, &constants);
        let told: Vec<_> = shape.reaches.iter().map(|reach| (reach.low, reach.high)).collect();
        assert_eq!((shape.frame.as_str(), told.as_slice()), (frame, limits), "{strategy}");
    }

    #[test]
    fn ranges_types_and_sizes_are_limits() {
        check("0u64..=10_000_000", "…", &[(Some(0), Some(10_000_000))]);
        check("-5..5i32", "…", &[(Some(-5), Some(4))]);
        check("1..", "…", &[(Some(1), None)]);
        check("1..=MOST", "…", &[(Some(1), Some(24))]);
        check("(1..u8::MAX).prop_filter(\"even\", |x| x % 2 == 0)", "…", &[(Some(1), Some(254))]);
        check("any::<i8>()", "…", &[(Some(-128), Some(127))]);
        let vec = [(Some(0), Some(255)), (Some(1), Some(19))];
        check("prop::collection::vec(any::<u8>(), 1..20)", "prop::collection::vec(…, …)", &vec);
        check("collection::hash_map(a(), b(), ..=3)", "collection::hash_map(a(), b(), …)", &[(Some(0), Some(3))]);
        check("vec(x(), 4)", "vec(x(), …)", &[(Some(4), Some(4))]);
        check("(0..5).prop_map(|x| x * (1..2).start)", "….prop_map(|x| x * (1..2).start)", &[(Some(0), Some(4))]);
        check("(0..5, \"[a-z]\")", "(…, \"[a-z]\")", &[(Some(0), Some(4))]);
    }

    #[test]
    fn what_is_not_plain_is_all_frame() {
        for strategy in ["0.0..1.0", "LOW..HIGH", "any::<String>()", "money()", "("] {
            check(strategy, strategy, &[]);
        }
    }

    #[test]
    fn constants_of_two_values_tell_nothing() {
        let text = "const A: u32 = 1; mod m { const A: u32 = 2; const B: u8 = A2; static C: i8 = -3; }";
        let found = apart(|| constants(&Code::read(text).unwrap()));
        assert_eq!(found, Constants::from([("C".to_owned(), -3)]));
    }
}
