//! How far a strategy reaches, where its source says so plainly: a range of whole numbers, all of a type, or the sizes of a
//! collection.

use syn::{Expr, ExprCall, ExprRange, GenericArgument, Lit, PathArguments, RangeLimits, Type, UnOp};

use crate::oracle::Reach;

/// The reach of a strategy expression.
pub(super) fn reach(strategy: &str) -> Option<Reach> {
    of(&syn::parse_str(strategy).ok()?)
}

fn of(strategy: &Expr) -> Option<Reach> {
    match strategy {
        Expr::Range(range) => of_range(range),
        Expr::Paren(inner) => of(&inner.expr),
        Expr::Group(inner) => of(&inner.expr),
        // A filter takes out single values: what is left reaches as far.
        Expr::MethodCall(call)
            if call.method.to_string().starts_with("prop_filter") && call.method != "prop_filter_map" =>
        {
            of(&call.receiver)
        }
        Expr::Call(call) => of_call(call),
        _ => None,
    }
}

fn of_range(range: &ExprRange) -> Option<Reach> {
    let bound = |bound: &Option<Box<Expr>>| match bound {
        None => Some(None),
        Some(value) => number(value).map(Some),
    };
    let (low, high) = (bound(&range.start)?, bound(&range.end)?);
    let high = match range.limits {
        RangeLimits::HalfOpen(_) => high.map(|high| high.saturating_sub(1)),
        RangeLimits::Closed(_) => high,
    };
    Some(Reach { low, high })
}

fn number(value: &Expr) -> Option<i128> {
    match value {
        Expr::Lit(literal) => match &literal.lit {
            Lit::Int(int) => int.base10_parse().ok(),
            _ => None,
        },
        Expr::Unary(unary) if matches!(unary.op, UnOp::Neg(_)) => number(&unary.expr)?.checked_neg(),
        Expr::Paren(inner) => number(&inner.expr),
        Expr::Group(inner) => number(&inner.expr),
        Expr::Path(path) => of_constant(&path.path),
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
const SIZED: [(&str, usize); 7] = [
    ("vec", 1),
    ("vec_deque", 1),
    ("linked_list", 1),
    ("binary_heap", 1),
    ("btree_set", 1),
    ("hash_set", 1),
    ("hash_map", 2),
];

fn of_call(call: &ExprCall) -> Option<Reach> {
    let Expr::Path(path) = &*call.func else { return None };
    let last = path.path.segments.last()?;
    if last.ident == "any" {
        let PathArguments::AngleBracketed(types) = &last.arguments else { return None };
        let GenericArgument::Type(Type::Path(ty)) = types.args.first()? else { return None };
        return of_type(&ty.path.get_ident()?.to_string());
    }
    if last.ident == "btree_map" {
        return sizes(call.args.get(2)?);
    }
    let (_, place) = SIZED.iter().find(|(name, _)| last.ident == name)?;
    sizes(call.args.get(*place)?)
}

fn sizes(sizes: &Expr) -> Option<Reach> {
    match sizes {
        Expr::Range(range) => of_range(range).map(|reach| Reach { low: reach.low.or(Some(0)), ..reach }),
        other => number(other).map(|size| Reach { low: Some(size), high: Some(size) }),
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
    use super::reach;

    #[track_caller]
    fn check(strategy: &str, expected: Option<(Option<i128>, Option<i128>)>) {
        assert_eq!(reach(strategy).map(|reach| (reach.low, reach.high)), expected, "{strategy}");
    }

    #[test]
    fn ranges_types_and_sizes_tell_it() {
        check("0u64..=10_000_000", Some((Some(0), Some(10_000_000))));
        check("-5..5i32", Some((Some(-5), Some(4))));
        check("1..", Some((Some(1), None)));
        check("(1..u8::MAX).prop_filter(\"even\", |x| x % 2 == 0)", Some((Some(1), Some(254))));
        check("any::<i8>()", Some((Some(-128), Some(127))));
        check("prop::collection::vec(any::<u8>(), 1..20)", Some((Some(1), Some(19))));
        check("collection::hash_map(a(), b(), ..=3)", Some((Some(0), Some(3))));
        check("vec(x(), 4)", Some((Some(4), Some(4))));
    }

    #[test]
    fn what_is_not_plain_tells_nothing() {
        check("0.0..1.0", None);
        check("LOW..HIGH", None);
        check("(0..5).prop_map(|x| x * 2)", None);
        check("any::<String>()", None);
        check("money()", None);
        check("(", None);
    }
}
