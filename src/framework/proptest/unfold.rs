//! Properties that their file does not hold as such: a test function hands over to another function that runs one, or a
//! macro of the file makes it. The text is written out as the compiler would see it, and the property found in that.

use std::cell::Cell;
use std::collections::HashSet;

use syn::spanned::Spanned;
use syn::{Expr, FnArg, ItemFn, Stmt};

use super::find::{MacroCall, Outline, Standing, outline};
use super::setup::{bound, words};
use crate::failure::TestName;
use crate::framework::rust::choose::{Hints, choose, ends_with, plain_modules};
use crate::framework::rust::pin_place::indent;
use crate::language::rust::layout::{dedented, indented};
use crate::language::rust::macro_rules::expanded;
use crate::language::rust::property::PropertyFn;
use crate::language::rust::tokens::apart;
use crate::span::Span;

/// So often code is written out in code that was written out.
const DEEPEST: usize = 4;

/// So often at most code is written out for one property: each time all of its file is read anew.
const MOST: usize = 32;

/// How far the search for one property may still go.
#[derive(Clone, Copy)]
struct Reach<'a> {
    /// How often inside what is written out.
    depth: usize,
    /// How often in all.
    left: &'a Cell<usize>,
}

impl Reach<'_> {
    /// Whether once more is allowed, which is counted.
    fn once_more(self) -> bool {
        self.left.replace(self.left.get().saturating_sub(1)) > 0
    }
}

/// What the code of a file comes to.
pub(crate) struct Unfolded {
    /// The file's text with that code written out.
    pub(crate) text: String,
    /// The property in it.
    pub(crate) function: PropertyFn,
}

/// The property that is looked for.
#[derive(Clone, Copy)]
pub(super) struct Wanted<'a> {
    /// The modules that its file stands for.
    pub(super) file_modules: &'a [&'a str],
    /// Its test.
    pub(super) test: &'a TestName,
    /// What else the run says of it.
    pub(super) hints: &'a Hints<'a>,
}

impl Wanted<'_> {
    /// The property among those of `text`.
    pub(super) fn property(&self, outline: &Outline, text: &str) -> Option<PropertyFn> {
        choose(outline.named(self.name()), text, self.file_modules, self.test, self.hints)
    }

    /// The pin among those of `text`.
    pub(super) fn pin(&self, outline: &Outline, text: &str) -> Option<PropertyFn> {
        choose(&outline.pins, text, self.file_modules, self.test, self.hints)
    }

    /// What of `text` runs or makes it: the test function, else a call of a macro that is told its name.
    pub(super) fn maker<'o>(&self, outline: &'o Outline, text: &str) -> Option<&'o Standing> {
        self.function(outline).or_else(|| self.call(outline, text).map(|call| &call.standing))
    }

    fn function<'o>(&self, outline: &'o Outline) -> Option<&'o Standing> {
        let named = outline.functions.iter().filter(|function| function.name == self.name());
        self.nearest(named, |function| function)
    }

    fn call<'o>(&self, outline: &'o Outline, text: &str) -> Option<&'o MacroCall> {
        let told = |call: &&MacroCall| words(&text[call.arguments.range()]).contains(self.name());
        self.nearest(outline.calls.iter().filter(told), |call| &call.standing)
    }

    fn name(&self) -> &str {
        let name = self.test.function();
        name.strip_prefix("r#").unwrap_or(name)
    }

    /// The one whose modules agree best with the test's.
    fn nearest<'o, T>(&self, all: impl Iterator<Item = &'o T>, place: impl Fn(&T) -> &Standing) -> Option<&'o T> {
        let modules = plain_modules(self.test);
        let fitting = all.filter(|one| ends_with(&modules, &place(one).modules));
        fitting.max_by_key(|one| place(one).modules.len())
    }
}

/// The code of `text` that runs or makes the property, and what it comes to.
///
/// # Errors
/// Why it cannot be told.
pub(super) fn unfolded(text: &str, outline: &Outline, wanted: &Wanted<'_>) -> Result<(PropertyFn, Unfolded), String> {
    apart(|| {
        let reach = Reach { depth: DEEPEST, left: &Cell::new(MOST) };
        let unfolded = search(text, outline, wanted, reach)?;
        Ok((shown(outline, text, wanted, &unfolded), unfolded))
    })
}

fn search(text: &str, outline: &Outline, wanted: &Wanted<'_>, reach: Reach<'_>) -> Result<Unfolded, String> {
    if let Some(function) = wanted.function(outline) {
        return of_function(text, outline, function, wanted, reach);
    }
    match wanted.call(outline, text) {
        Some(call) => of_macro(text, outline, call, wanted, reach),
        None => Err(unnamed(text, outline, wanted)),
    }
}

/// Why nothing that a test's name leads to makes it.
fn unnamed(text: &str, outline: &Outline, wanted: &Wanted<'_>) -> String {
    let names = |(_, rules): &&(String, Span)| words(&text[rules.range()]).contains(wanted.name());
    match outline.macros.iter().find(names) {
        Some((name, _)) => format!("the macro `{name}!` makes it under a name of its own"),
        None => "a macro may make it".to_owned(),
    }
}

/// Finds the property in `text`, which has been written out once more.
fn look(text: String, wanted: &Wanted<'_>, reach: Reach<'_>) -> Result<Unfolded, String> {
    if !reach.once_more() {
        return Err("too many functions and macros may lead to it".to_owned());
    }
    let again = outline(&text).map_err(|error| format!("written out it is no Rust, {error}"))?;
    match wanted.property(&again, &text) {
        Some(function) => Ok(Unfolded { text, function }),
        None if reach.depth > 1 => search(&text, &again, wanted, Reach { depth: reach.depth - 1, ..reach }),
        None => Err("it is reached through too many functions and macros".to_owned()),
    }
}

fn of_macro(
    text: &str,
    outline: &Outline,
    call: &MacroCall,
    wanted: &Wanted<'_>,
    reach: Reach<'_>,
) -> Result<Unfolded, String> {
    let MacroCall { standing, arguments } = call;
    let name = &standing.name;
    let mut rules = outline.macros.iter().rev().filter(|(macro_name, _)| macro_name == name).peekable();
    if rules.peek().is_none() {
        return Err(format!("the macro `{name}!` makes it, which this file does not define"));
    }
    let arguments = &text[arguments.range()];
    let written = rules.find_map(|(_, rules)| expanded(&text[rules.range()], arguments));
    let written = written.ok_or_else(|| format!("the macro `{name}!` makes it, in a way that is not understood"))?;
    let found = look(replaced(text, standing.item, &indented(&dedented(&written), &standing.indent)), wanted, reach)?;
    if found.function.modules == standing.modules {
        Ok(found)
    } else {
        Err(format!("the macro `{name}!` makes it in a module of its own"))
    }
}

/// `text` with `new` in the place of `old`, whose own indentation stands before it.
fn replaced(text: &str, old: Span, new: &str) -> String {
    format!("{}{}{}", &text[..old.start], new.trim_start(), &text[old.end..])
}

fn of_function(
    text: &str,
    outline: &Outline,
    function: &Standing,
    wanted: &Wanted<'_>,
    reach: Reach<'_>,
) -> Result<Unfolded, String> {
    let own = syn::parse_str::<ItemFn>(&text[function.item.range()]).map_err(|_| "it cannot be parsed".to_owned())?;
    let mut why = "it does not run one itself, nor by a call of a function beside it".to_owned();
    let mut best: Option<Unfolded> = None;
    for (at, statement) in own.block.stmts.iter().enumerate() {
        let Some(call) = HandingOver::of(statement) else { continue };
        let mut beside =
            outline.functions.iter().filter(|one| one.name == call.name && one.modules == function.modules);
        let (Some(other), None) = (beside.next(), beside.next()) else { continue };
        if !leads_to_one(text, outline, other) {
            continue;
        }
        let before = &own.block.stmts[..at];
        let found = call.written_out(text, function, other, before).and_then(|text| look(text, wanted, reach));
        match found {
            Ok(found) if wanted.hints.name(&found.function) => return Ok(found),
            Ok(found) if best.is_none() => best = Some(found),
            Ok(_) => {}
            Err(reason) => why = reason,
        }
    }
    best.ok_or(why)
}

/// Whether a property may stand in `function`, or in one of those that it speaks of, and so on.
fn leads_to_one(text: &str, outline: &Outline, function: &Standing) -> bool {
    let own = |one: &Standing| &text[one.item.range()];
    let may_hold = |text: &str| {
        let is_made = |(name, _): &(String, Span)| text.contains(&format!("{name}!"));
        ["proptest", ".run(", "prop_state_machine"].iter().any(|mark| text.contains(mark))
            || outline.macros.iter().any(is_made)
    };
    let mut waiting = vec![function];
    let mut seen = HashSet::new();
    while let Some(one) = waiting.pop() {
        if may_hold(own(one)) {
            return true;
        }
        let spoken_of = words(own(one));
        let others = outline.functions.iter().filter(|other| spoken_of.contains(&other.name));
        waiting.extend(others.filter(|other| seen.insert(other.item.start)));
    }
    false
}

/// A statement that is a call of a function by its plain name.
struct HandingOver<'s> {
    name: String,
    arguments: Vec<&'s Expr>,
    /// The statement, in the test function's own text.
    statement: Span,
}

impl<'s> HandingOver<'s> {
    fn of(statement: &'s Stmt) -> Option<Self> {
        let Stmt::Expr(Expr::Call(call), _) = statement else { return None };
        let Expr::Path(path) = &*call.func else { return None };
        let name = path.path.get_ident()?.to_string();
        Some(HandingOver { name, arguments: call.args.iter().collect(), statement: bytes(statement) })
    }

    /// `text` with the body of `other` in the place of the call of it that stands in `function`.
    fn written_out(
        &self,
        text: &str,
        function: &Standing,
        other: &Standing,
        before: &[Stmt],
    ) -> Result<String, String> {
        let name = &self.name;
        let own = &text[function.item.range()];
        let its = &text[other.item.range()];
        let callee = syn::parse_str::<ItemFn>(its).map_err(|_| format!("`{name}` cannot be parsed"))?;
        let inside = callee.block.brace_token.span;
        let body = &its[inside.open().byte_range().end..inside.close().byte_range().start];
        may_stand_alone(name, &callee, body)?;
        let bindings = self.bindings(own, its, &callee)?;
        let taken = words(&bindings.concat());
        let hidden = before.iter().flat_map(|statement| match statement {
            Stmt::Local(local) => bound(&local.pat),
            _ => Vec::new(),
        });
        let of_body = words(body);
        if let Some(hidden) = hidden.into_iter().find(|hidden| of_body.contains(hidden) && !taken.contains(hidden)) {
            return Err(format!("`{name}` speaks of another `{hidden}` than the test"));
        }
        let lines = bindings.into_iter().chain([dedented(body)]).collect::<Vec<_>>().join("\n");
        let at = Span::new(function.item.start + self.statement.start, function.item.start + self.statement.end);
        let end = if lines.ends_with(';') { "" } else { ";" };
        Ok(replaced(text, at, &indented(&format!("{lines}{end}"), indent(text, at.start))))
    }

    /// A statement for each parameter of the function that is called.
    fn bindings(&self, own: &str, its: &str, callee: &ItemFn) -> Result<Vec<String>, String> {
        let name = &self.name;
        let generic: Vec<String> = callee.sig.generics.params.iter().map(own_name).collect();
        let mut bindings = Vec::new();
        let mut bound_so_far = Vec::new();
        if self.arguments.len() != callee.sig.inputs.len() {
            return Err(format!("`{name}` takes other arguments"));
        }
        for (argument, parameter) in self.arguments.iter().zip(&callee.sig.inputs) {
            let FnArg::Typed(parameter) = parameter else { return Err(format!("`{name}` is a method")) };
            let value = &own[bytes(argument).range()];
            let (pattern, ty) = (&its[bytes(&parameter.pat).range()], &its[bytes(&parameter.ty).range()]);
            if matches!(argument, Expr::Closure(_)) {
                return Err(format!("`{name}` is given a closure, whose types are told nowhere else"));
            }
            if words(value).iter().any(|word| bound_so_far.contains(word)) {
                return Err(format!("`{name}` gives another meaning to what it is called with"));
            }
            bound_so_far.extend(bound(&parameter.pat));
            let told = words(ty).iter().all(|word| word != "impl" && !generic.contains(word)) && !ty.contains('\'');
            match pattern == value {
                true => {}
                false if told => bindings.push(format!("let {pattern}: {ty} = {value};")),
                false => bindings.push(format!("let {pattern} = {value};")),
            }
        }
        Ok(bindings)
    }
}

/// Whether the body of a function means the same where it is called.
fn may_stand_alone(name: &str, callee: &ItemFn, body: &str) -> Result<(), String> {
    if callee.sig.asyncness.is_some() || callee.sig.unsafety.is_some() {
        return Err(format!("`{name}` is not an ordinary function"));
    }
    if !matches!(callee.sig.output, syn::ReturnType::Default) {
        return Err(format!("`{name}` returns a value"));
    }
    let used = words(body);
    match callee.sig.generics.params.iter().map(own_name).find(|one| used.contains(one)) {
        Some(generic) => Err(format!("`{name}` speaks of its own generic `{generic}`")),
        None => Ok(()),
    }
}

/// The name of a generic parameter.
fn own_name(parameter: &syn::GenericParam) -> String {
    match parameter {
        syn::GenericParam::Type(one) => one.ident.to_string(),
        syn::GenericParam::Const(one) => one.ident.to_string(),
        syn::GenericParam::Lifetime(one) => one.lifetime.ident.to_string(),
    }
}

fn bytes(node: &impl Spanned) -> Span {
    let range = node.span().byte_range();
    Span::new(range.start, range.end)
}

/// What the screen shows of `text`: the function that runs the property where that is one of its own, else the code that
/// makes it.
fn shown(outline: &Outline, text: &str, wanted: &Wanted<'_>, unfolded: &Unfolded) -> PropertyFn {
    let made = &unfolded.function;
    let body = &unfolded.text[made.body.range()];
    let same =
        |one: &&PropertyFn| one.parameters == made.parameters && dedented(&text[one.body.range()]) == dedented(body);
    if let Some(own) = outline.properties.iter().find(same) {
        return own.clone();
    }
    let Some(maker) = wanted.maker(outline, text) else { return made.clone() };
    let Standing { item, pin_at, indent, line, .. } = maker.clone();
    PropertyFn { span: item, item, body: item, pin_at, indent, line, call: None, ..made.clone() }
}

#[cfg(test)]
mod tests {
    use super::{Wanted, unfolded};
    use crate::failure::TestName;
    use crate::framework::proptest::find::outline;
    use crate::framework::rust::choose::Hints;

    /// The property of the test as `pattern in strategy { body }` with what stands before, then what the screen shows;
    /// or why there is none.
    fn told(text: &str, test: &str) -> Result<String, String> {
        let (outline, test) = (outline(text).unwrap(), TestName(test.to_owned()));
        let wanted = Wanted { file_modules: &["m"], test: &test, hints: &Hints::default() };
        assert!(wanted.property(&outline, text).is_none(), "{text}");
        let (shown, found) = unfolded(text, &outline, &wanted)?;
        let own = &found.function;
        let parameters = own.parameters.iter().map(|p| format!("{} in {}", p.pattern, p.strategy.as_deref().unwrap()));
        let setup = own.call.map_or("-", |call| found.text[call.setup.range()].trim());
        let parameters = parameters.collect::<Vec<_>>().join(", ");
        let (body, shown) = (found.text[own.body.range()].trim(), &text[shown.item.range()]);
        Ok(format!("{}: {setup} | {parameters} {{ {body} }} | {shown}", own.name))
    }

    #[track_caller]
    fn check(text: &str, test: &str, expected: Result<&str, &str>) {
        let found = told(text, test);
        assert_eq!(found.as_deref(), expected.map_err(str::to_owned).as_ref().map(|told| *told), "{text}");
    }

    #[test]
    fn a_function_that_a_test_calls_is_written_out_with_its_parameters() {
        let helper = "fn check(limit: u64, mut of: &[u8]) { proptest!(|(x in 0..limit)| { q(x, of) }); }";
        check(
            &format!("{helper}\n#[test]\nfn t() {{\n    begin();\n    check(5, &[1]);\n}}\n"),
            "m::t",
            Ok(&format!(
                "t: begin();\n    let limit: u64 = 5;\n    let mut of: &[u8] = &[1]; | x in 0..limit {{ q(x, of) }} | {helper}"
            )),
        );
        let generic = "fn run<S: Strategy<Value = u8>>(s: S) { r.run(&s, |x| q(x)).unwrap() }";
        check(
            &format!("{generic}\nfn two() {{ run(0..9) }}\n#[test] fn t() {{ two() }}\n"),
            "m::t",
            Ok(&format!("t: let s = 0..9; | x in s {{ q(x) }} | {generic}")),
        );
    }

    #[test]
    fn a_function_that_would_mean_something_else_is_not_written_out() {
        let check = |helper: &str, call: &str, why: &str| {
            check(&format!("{helper}\n#[test] fn t() {{ let n = 1; {call}; }}\n"), "m::t", Err(why));
        };
        check("fn c<T>(x: T) { proptest!(|(y in any::<T>())| q(y)); }", "c(1)", "`c` speaks of its own generic `T`");
        check("fn c() { proptest!(|(y in 0..n)| q(y)); }", "c()", "`c` speaks of another `n` than the test");
        check(
            "fn c(a: u8, b: u8) { proptest!(|(y in a..b)| q(y)); }",
            "c(1, a)",
            "`c` gives another meaning to what it is called with",
        );
        check(
            "fn c(f: impl Fn(u8)) { proptest!(|(y in 0..9)| f(y)); }",
            "c(|y| q(y))",
            "`c` is given a closure, whose types are told nowhere else",
        );
        check("fn c() -> u8 { proptest!(|(y in 0..9)| q(y)); 1 }", "c()", "`c` returns a value");
        check("async fn c() { proptest!(|(y in 0..9)| q(y)); }", "c()", "`c` is not an ordinary function");
        check("", "c()", "it does not run one itself, nor by a call of a function beside it");
        check("fn c() { c() }", "c()", "it does not run one itself, nor by a call of a function beside it");
        let one = "fn c() { c(); proptest!(|(y in 0..9)| q(y)) }";
        check(
            &format!("{one} fn d() {{ d(); f(one.run(1)) }}"),
            "d()",
            "it is reached through too many functions and macros",
        );
    }

    #[test]
    fn the_search_ends_however_many_ways_lead_on() {
        let calls = |layer: usize| (0..12).map(|at| format!("f{layer}_{at}(); ")).collect::<String>();
        let layer = |layer: usize, ends: &str| {
            let of = |at: usize| format!("fn f{layer}_{at}() {{ {}{ends} }}\n", calls(layer + 1));
            (0..12).map(of).collect::<String>()
        };
        let text = |ends: &str| {
            let layers: String = (0..6).map(|at| layer(at, ends)).collect();
            format!("{layers}#[test] fn t() {{ {} }}\n", calls(0))
        };
        check(&text(""), "m::t", Err("it does not run one itself, nor by a call of a function beside it"));
        check(&text("x.run(1);"), "m::t", Err("too many functions and macros may lead to it"));
    }

    #[test]
    fn a_macro_of_the_file_is_written_out() {
        let rules = "macro_rules! both {\n    ($name:ident, $ty:ty) => {\n        proptest! {\n            #[test]\n            fn $name(x in any::<$ty>()) { q(x) }\n        }\n    };\n}\n";
        check(
            &format!("{rules}mod a {{\n    both!(f, u8);\n    both!(g, Vec<u8>);\n}}\n"),
            "m::a::g",
            Ok("g: - | x in any::<Vec<u8>>() { q(x) } | both!(g, Vec<u8>);"),
        );
        let wrap = "macro_rules! wrap { ($($t:tt)*) => { proptest! { #![proptest_config(c())] $($t)* } } }";
        let call = "wrap! {\n    #[test]\n    fn f(x in 0..9, y in s) {\n        q(x) // why\n    }\n}";
        check(
            &format!("{wrap}\n{call}\n"),
            "m::f",
            Ok(&format!("f: - | x in 0..9, y in s {{ q(x) // why }} | {call}")),
        );
    }

    #[test]
    fn what_a_macro_hides_is_not_guessed() {
        let each = "macro_rules! each { ($($m:ident)*) => { $(mod $m { proptest! { fn f(x in 0..9) {} } })* } }";
        check(&format!("{each}\neach! {{ f g }}"), "m::f::f", Err("the macro `each!` makes it in a module of its own"));
        check(
            "macro_rules! own { (@) => {} }\nown!(f);",
            "m::f",
            Err("the macro `own!` makes it, in a way that is not understood"),
        );
        check("foreign!(f);", "m::f", Err("the macro `foreign!` makes it, which this file does not define"));
        check(
            "macro_rules! own { () => { fn f() {} } }\nown!();",
            "m::f",
            Err("the macro `own!` makes it under a name of its own"),
        );
        check("fn g() {}", "m::f", Err("a macro may make it"));
    }
}
