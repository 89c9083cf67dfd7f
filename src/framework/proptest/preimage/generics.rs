//! What the generic parameters around a strategy stand for: the compiler's name of a closure says it, of the function and
//! of the `impl` block that hold it.

use syn::spanned::Spanned;
use syn::{GenericArgument, GenericParam, PathArguments, Type};

use crate::language::rust::code::Code;

/// A generic parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Generic {
    pub(super) name: String,
    /// The type of a constant.
    constant: Option<String>,
}

/// The parameters that `generics`, which stands in `text`, declares; lifetimes are none.
pub(super) fn declared(generics: &syn::Generics, text: &str) -> Vec<Generic> {
    let one = |parameter: &GenericParam| match parameter {
        GenericParam::Type(ty) => Some(Generic { name: ty.ident.to_string(), constant: None }),
        GenericParam::Const(constant) => {
            let ty = text.get(constant.ty.span().byte_range())?.to_owned();
            Some(Generic { name: constant.ident.to_string(), constant: Some(ty) })
        }
        GenericParam::Lifetime(_) => None,
    };
    generics.params.iter().filter_map(one).collect()
}

impl Generic {
    /// The statement by which it stands for `argument`.
    pub(super) fn statement(&self, argument: &str) -> String {
        match &self.constant {
            Some(ty) => format!("const {}: {ty} = {argument};", self.name),
            None => format!("type {} = {argument};", self.name),
        }
    }

    pub(super) fn is_constant(&self) -> bool {
        self.constant.is_some()
    }
}

/// What each of `generics`, which the function `name` declares, stands for in `closure`, the compiler's name of one inside.
pub(super) fn of_function<'g>(closure: &str, name: &str, generics: &'g [Generic]) -> Vec<(&'g Generic, String)> {
    let Some((_, rest)) = closure.split_once(&format!("::{name}<")) else { return Vec::new() };
    let Some(inside) = until_closed(rest) else { return Vec::new() };
    generics.iter().zip(parts(inside).into_iter().map(str::to_owned)).collect()
}

/// What each of `generics`, which an `impl` block of the type `own` declares, stands for in `closure`.
pub(super) fn of_block<'g>(closure: &str, own: &str, generics: &'g [Generic]) -> Vec<(&'g Generic, String)> {
    let mut found = Vec::new();
    if let Some(actual) = own_type(closure, own)
        && let (Ok(written), Ok(meant)) = (syn::parse_str::<Type>(own), syn::parse_str::<Type>(actual))
    {
        Learning { generics, actual, found: &mut found }.learn(&written, &meant);
    }
    found
}

/// The type of the `impl` block that holds `closure`, as the compiler names it there.
fn own_type<'c>(closure: &'c str, own: &str) -> Option<&'c str> {
    if let Some((_, rest)) = closure.split_once("<impl ") {
        let inside = until_closed(rest)?;
        return Some(apart(inside, " for ").map_or(inside, |(_, ty)| ty));
    }
    if let Some(rest) = closure.strip_prefix('<') {
        return apart(until_closed(rest)?, " as ").map(|(ty, _)| ty);
    }
    let name = own.split('<').next()?.trim().rsplit("::").next()?;
    let at = closure.find(&format!("::{name}<"))? + "::".len();
    let inside = until_closed(&closure[at + name.len() + 1..])?;
    closure.get(at..at + name.len() + inside.len() + "<>".len())
}

/// `text` up to the bracket that closes one opened before it.
fn until_closed(text: &str) -> Option<&str> {
    let mut depth = 1usize;
    for (at, c, _) in letters(text) {
        match c {
            '<' | '(' | '[' => depth += 1,
            '>' | ')' | ']' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return text.get(..at);
        }
    }
    None
}

/// Each character but the `>` of an arrow, with its place and how many brackets are open before it.
fn letters(text: &str) -> impl Iterator<Item = (usize, char, usize)> {
    let (mut depth, mut before) = (0usize, ' ');
    text.char_indices().filter_map(move |(at, c)| {
        let is_arrow = before == '-' && c == '>';
        before = c;
        let open = depth;
        match c {
            '<' | '(' | '[' => depth += 1,
            '>' | ')' | ']' if !is_arrow => depth = depth.saturating_sub(1),
            _ => {}
        }
        (!is_arrow).then_some((at, c, open))
    })
}

/// The parts of a list.
fn parts(text: &str) -> Vec<&str> {
    let commas = letters(text).filter(|(_, c, open)| *c == ',' && *open == 0).map(|(at, ..)| at);
    let ends: Vec<usize> = commas.chain([text.len()]).collect();
    let starts = std::iter::once(0).chain(ends.iter().map(|end| end + 1));
    starts.zip(&ends).filter_map(|(start, end)| Some(text.get(start..*end)?.trim())).collect()
}

/// What stands before and after the first `word` outside of brackets.
fn apart<'t>(text: &'t str, word: &str) -> Option<(&'t str, &'t str)> {
    let at = letters(text).find(|(at, _, open)| *open == 0 && text[*at..].starts_with(word)).map(|(at, ..)| at)?;
    Some((&text[..at], &text[at + word.len()..]))
}

/// Learns from a type as written and as meant what its parameters stand for.
struct Learning<'g, 'c, 'f> {
    generics: &'g [Generic],
    actual: &'c str,
    found: &'f mut Vec<(&'g Generic, String)>,
}

impl Learning<'_, '_, '_> {
    fn learn(&mut self, written: &Type, meant: &Type) {
        match (written, meant) {
            (Type::Path(path), _) if path.path.get_ident().is_some_and(|name| self.bound(name, meant)) => {}
            (Type::Path(one), Type::Path(two)) => {
                let last = |path: &syn::TypePath| path.path.segments.last().map(|last| last.arguments.clone());
                if let (Some(PathArguments::AngleBracketed(ones)), Some(PathArguments::AngleBracketed(twos))) =
                    (last(one), last(two))
                {
                    let is_told = |one: &&GenericArgument| !matches!(one, GenericArgument::Lifetime(_));
                    let pairs = ones.args.iter().filter(is_told).zip(twos.args.iter().filter(is_told));
                    pairs.for_each(|(one, two)| self.argument(one, two));
                }
            }
            (Type::Tuple(ones), Type::Tuple(twos)) => {
                ones.elems.iter().zip(&twos.elems).for_each(|(one, two)| self.learn(one, two));
            }
            (Type::Array(one), Type::Array(two)) => {
                self.learn(&one.elem, &two.elem);
                if let syn::Expr::Path(length) = &one.len
                    && let Some(name) = length.path.get_ident()
                {
                    self.bound(name, &two.len);
                }
            }
            (Type::Slice(one), Type::Slice(two)) => self.learn(&one.elem, &two.elem),
            (Type::Reference(one), Type::Reference(two)) => self.learn(&one.elem, &two.elem),
            _ => {}
        }
    }

    fn argument(&mut self, written: &GenericArgument, meant: &GenericArgument) {
        match (written, meant) {
            (GenericArgument::Type(one), GenericArgument::Type(two)) => self.learn(one, two),
            (GenericArgument::Type(Type::Path(one)), GenericArgument::Const(two)) => {
                if let Some(name) = one.path.get_ident() {
                    self.bound(name, two);
                }
            }
            _ => {}
        }
    }

    /// Whether `name` is one of the parameters; what it stands for is noted.
    fn bound(&mut self, name: &syn::Ident, meant: &impl Spanned) -> bool {
        let Some(generic) = self.generics.iter().find(|generic| name == &generic.name) else { return false };
        if let Some(text) = self.actual.get(meant.span().byte_range())
            && self.found.iter().all(|(known, _)| *known != generic)
        {
            self.found.push((generic, text.to_owned()));
        }
        true
    }
}

/// A name that stands for a type or a literal, and what it stands for, where `statement` says no more than that.
pub(super) fn stands_for(statement: &str) -> Option<(String, String)> {
    let rest = statement.strip_suffix(';')?;
    let (name, meant) = match (rest.strip_prefix("type "), rest.strip_prefix("const ")) {
        (Some(rest), _) => rest.split_once(" = ")?,
        (None, Some(rest)) => {
            let (name, (_, meant)) =
                rest.split_once(": ").and_then(|(name, rest)| Some((name, rest.split_once(" = ")?)))?;
            syn::parse_str::<syn::Lit>(meant).ok()?;
            (name, meant)
        }
        (None, None) => return None,
    };
    syn::parse_str::<syn::Ident>(name).is_ok().then(|| (name.to_owned(), meant.to_owned()))
}

/// `code` with what generic parameters stand for in their place.
pub(super) fn told(code: &str, generics: &[(String, String)]) -> String {
    if generics.is_empty() {
        return code.to_owned();
    }
    let Ok(read) = Code::read(code) else { return code.to_owned() };
    let (mut said, mut rest) = (String::new(), 0);
    for at in 0..read.tokens.len() {
        let is_inside =
            at > 0 && (read.sign(at - 1, '.') || at > 1 && read.sign(at - 1, ':') && read.sign(at - 2, ':'));
        let Some((_, meant)) = generics.iter().find(|(name, _)| !is_inside && read.word(at) == name) else { continue };
        said.push_str(&code[rest..read.start(at)]);
        let is_owner = read.sign(at + 1, ':') && read.sign(at + 2, ':');
        said.push_str(&if is_owner { owner(meant) } else { meant.clone() });
        rest = read.span(at, at).end;
    }
    said + &code[rest..]
}

/// A type as it stands before `::` in an expression.
pub(super) fn owner(ty: &str) -> String {
    if ty.contains(['<', '[', '(', '&']) { format!("<{ty}>") } else { ty.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::{declared, of_block, of_function, stands_for, told};

    #[track_caller]
    fn check(closure: &str, own: &str, expected: &[&str]) {
        let text = "<'a, K: Ord, const N: usize, V>";
        let generics = declared(&syn::parse_str(text).unwrap(), text);
        let said = of_block(closure, own, &generics).into_iter().map(|(generic, meant)| generic.statement(&meant));
        assert_eq!(said.collect::<Vec<_>>(), expected, "{closure}");
    }

    #[test]
    fn a_block_is_told_by_the_type_that_it_is_of() {
        let statements = ["type K = alloc::string::String;", "const N: usize = 4;", "type V = u8;"];
        let ty = "a::b::Map<alloc::string::String, [u8; 4]>";
        for closure in [
            format!("a::t::<impl p::Arbitrary<fn() -> u8> for {ty}>::arbitrary_with::{{{{closure}}}}"),
            format!("<{ty} as p::Arbitrary>::arbitrary_with::{{{{closure}}}}"),
            format!("{ty}::strategy::{{{{closure}}}}"),
            format!("a::t::<impl {ty}>::strategy::{{{{closure}}}}"),
        ] {
            check(&closure, "Map<K, [V; N]>", &[statements[0], statements[2], statements[1]]);
        }
        check("<a::Map<u8, 4> as p::Arbitrary>::f", "Map<V, N>", &["type V = u8;", "const N: usize = 4;"]);
        check("<a::Map<(u8, &u16)> as p::Arbitrary>::f", "Map<(V, &K)>", &["type V = u8;", "type K = u16;"]);
        check("<a::Map<u8> as p::Arbitrary>::f", "Map<u8>", &[]);
        check("a::f::{{closure}}", "Map<V>", &[]);
    }

    #[test]
    fn a_function_is_told_by_the_types_after_its_name() {
        let text = "<T, const N: usize>";
        let generics = declared(&syn::parse_str(text).unwrap(), text);
        let told = of_function("a::make<alloc::vec::Vec<(u8, u16)>, 4>::{{closure}}", "make", &generics);
        let told: Vec<String> = told.iter().map(|(generic, meant)| generic.statement(meant)).collect();
        assert_eq!(told, ["type T = alloc::vec::Vec<(u8, u16)>;", "const N: usize = 4;"]);
    }

    #[test]
    fn what_a_name_stands_for_takes_its_place() {
        let pairs: Vec<_> = ["type T = Vec<u8>;", "const N: usize = 4;"].into_iter().filter_map(stands_for).collect();
        assert_eq!(told("T::from([0; N]).T.x::T::<T>", &pairs), "<Vec<u8>>::from([0; 4]).T.x::T::<Vec<u8>>");
        assert_eq!(stands_for("const N: usize = f();"), None);
        assert_eq!(stands_for("let n = 1;"), None);
    }
}
