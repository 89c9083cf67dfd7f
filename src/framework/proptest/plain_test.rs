//! The text of a pin: a plain test function that binds the counterexample and runs the property's own body on it.

use super::body::{Body, Exit, body};
use super::names::Names;
use super::patient;
use super::preimage::brought;
use super::setup::setup;
use crate::framework::rust::written::{Remark, binding};
use crate::language::rust::layout::{indented, unit};
use crate::language::rust::literal::Bound;
use crate::language::rust::property::{Form, PropertyFn};
use crate::language::rust::tokens::apart;

/// What a plain test is made of.
pub(super) struct Recipe<'a> {
    /// Its name.
    pub(super) name: &'a str,
    /// The property whose body it runs.
    pub(super) property: &'a PropertyFn,
    /// The property's file.
    pub(super) text: &'a str,
    /// What the property's parameters are bound to.
    pub(super) arguments: &'a [Bound],
    /// Whether the body itself panicked on them: the compiler may then see the arithmetic fail, and must let it.
    pub(super) overflows: bool,
    /// What it does with them.
    pub(super) run: Run,
}

/// What a plain test does with its arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Run {
    /// It runs the property's body on them.
    Body,
    /// It prints them, and fails so that it is heard. The number tells apart what prints the same value.
    Print(usize),
    /// The same where nobody knows whether they come to be at all.
    Attempt(usize),
}

impl Run {
    fn prints(self) -> bool {
        matches!(self, Run::Print(_) | Run::Attempt(_))
    }
}

/// The test function that a recipe makes, with its comment.
///
/// # Errors
/// Why the property cannot be run without its runner.
pub(super) fn plain_test(recipe: &Recipe<'_>, names: Names<'_>, remark: &Remark<'_>) -> Result<String, String> {
    let property = recipe.property;
    let unit = unit(&recipe.text[property.item.range()]);
    let mut lines = vec![remark.comment(&property.name, &property.indent)];
    lines.extend(attributes(property));
    lines.extend(recipe.overflows.then(|| "#[allow(arithmetic_overflow, unconditional_panic)]".to_owned()));
    let asks = if property.is_async && executor(property).is_none() { "async " } else { "" };
    let outer = if property.call.is_some() { property.returns.as_deref() } else { None };
    lines.push(format!("{asks}fn {}(){} {{", recipe.name, outer.map_or(String::new(), |ty| format!(" -> {ty}"))));
    let statements = statements(recipe, names, unit)?;
    lines.extend((!statements.is_empty()).then(|| indented(&statements, unit)));
    lines.extend(outer.map(|_| format!("{unit}Ok(())")));
    lines.push("}".to_owned());
    Ok(lines.join("\n"))
}

fn statements(recipe: &Recipe<'_>, names: Names<'_>, unit: &str) -> Result<String, String> {
    let Recipe { property, text, arguments, run: how, .. } = *recipe;
    let bound = if how.prints() { printing("", arguments) } else { binding(arguments) };
    if how.prints() && !matches!(property.form, Form::Closure | Form::Runner | Form::NamedRunner) {
        // What an executor runs may need to be made there.
        let is_attempt = matches!(how, Run::Attempt(_)) && !property.is_async;
        return Ok(if is_attempt { patient::printing(arguments) } else { bound });
    }
    if property.form == Form::StateMachine {
        return Ok(join([bound, machine_run(property, arguments, &names)]));
    }
    let body = body(property, text);
    let before = match (property.form, property.call) {
        // What prints the values needs nothing that only the body does.
        (Form::Closure | Form::Runner | Form::NamedRunner, Some(call)) if how.prints() => {
            brought(text.get(call.setup.range()).unwrap_or_default(), &bound)
        }
        (Form::Closure | Form::Runner | Form::NamedRunner, Some(call)) => {
            setup(property, call, text, &body.text, arguments)
        }
        (Form::Closure | Form::Runner | Form::NamedRunner, None) => return Err(out_of_reach(property, text)),
        _ => String::new(),
    };
    if how.prints() {
        return Ok(join([before, bound]));
    }
    let run = run(property, body, &names.after(&before), unit)?;
    Ok(join([before, bound, run]))
}

/// Why a property cannot be taken out of its test function.
fn out_of_reach(property: &PropertyFn, text: &str) -> String {
    let name = &property.name;
    match taken(text.get(property.span.range()).unwrap_or_default()) {
        Some(taken) => format!("`{name}` takes parameters (`{taken}`), and the run does not print what they were"),
        None => format!(
            "the property runs deeper inside `{name}` than its own statements, and the run does not print the variables around it"
        ),
    }
}

/// The parameters of the function in `text`, where it has any.
fn taken(text: &str) -> Option<String> {
    let function = apart(|| {
        syn::parse_str::<syn::ItemFn>(text).ok().map(|function| {
            let inputs = function.sig.paren_token.span;
            text.get(inputs.open().byte_range().end..inputs.close().byte_range().start).unwrap_or_default().to_owned()
        })
    })?;
    let taken = function.split_whitespace().collect::<Vec<_>>().join(" ");
    (!taken.is_empty()).then_some(taken)
}

/// The parts that are not empty, each on lines of its own.
fn join<const N: usize>(parts: [String; N]) -> String {
    parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("\n")
}

/// The body as it must be run.
fn run(property: &PropertyFn, body: Body, names: &Names<'_>, unit: &str) -> Result<String, String> {
    let Body { text, exit } = body;
    let inside = indented(&text, unit);
    let own = match property.form {
        Form::PropertyTest | Form::TestStrategy => property.returns.clone(),
        _ => None,
    };
    let value = || own.unwrap_or_else(|| format!("Result<(), {}>", names.test_case_error()));
    let executor = executor(property).transpose()?;
    Ok(match (executor, exit) {
        (None, Exit::Panic) => text,
        (None, Exit::Return) => format!("let outcome = (|| -> {} {{\n{inside}\n}})();\noutcome.unwrap();", value()),
        (Some(start), Exit::Panic) => format!("{start}(async {{\n{inside}\n}});"),
        (Some(start), Exit::Return) => {
            format!("let outcome: {} = {start}(async {{\n{inside}\n}});\noutcome.unwrap();", value())
        }
    })
}

/// How the body of an asynchronous property is run, where its attribute says.
fn executor(property: &PropertyFn) -> Option<Result<&'static str, String>> {
    if !property.is_async || property.form != Form::TestStrategy {
        return None;
    }
    let says = |attribute: &String| attribute.replace(' ', "").contains("async=\"tokio\"");
    Some(match property.attributes.iter().any(says) {
        true => Ok("tokio::runtime::Runtime::new().unwrap().block_on"),
        false => Err(format!("`{}` is asynchronous and its attribute names no executor that is known", property.name)),
    })
}

/// The call that runs a state machine through its recorded steps.
fn machine_run(property: &PropertyFn, arguments: &[Bound], names: &Names<'_>) -> String {
    let machine = property.parameters.first().and_then(|parameter| parameter.ty.as_deref()).unwrap_or_default();
    // One argument, the pattern of a tuple: its names in parentheses are the call's last arguments.
    let run = arguments.first().map_or("", |bound| bound.pattern.trim_matches(['(', ')']));
    let (test, config) = (names.state_machine_test(), names.config());
    format!("<{machine} as {test}>::test_sequential({config}::default(), {run});")
}

/// A statement that fails with `head` and the arguments as they print, one a line.
pub(super) fn printing(head: &str, arguments: &[Bound]) -> String {
    let (shown, codes) = shown(arguments);
    format!("panic!(\n    \"{head}{shown}\"{codes}\n);")
}

/// How the arguments print, one a line, and what follows that in a macro that formats them.
pub(super) fn shown(arguments: &[Bound]) -> (String, String) {
    let codes = arguments.iter().map(|bound| format!(",\n    &{}", alone(&bound.code)));
    (vec!["{:?}"; arguments.len()].join("\\n"), codes.collect())
}

/// An expression that stands behind a `&`.
fn alone(code: &str) -> String {
    let is_range = |code: &str| {
        apart(|| matches!(syn::parse_str::<syn::Expr>(code), Ok(syn::Expr::Range(_) | syn::Expr::Binary(_))))
    };
    if is_range(code) { format!("({code})") } else { code.to_owned() }
}

/// The attributes of the property that a plain test has as well.
fn attributes(property: &PropertyFn) -> Vec<String> {
    let is_macro = |attribute: &&String| {
        let path = attribute.trim_start_matches("#[").split(['(', ']', '=']).next().unwrap_or_default();
        matches!(path.rsplit("::").next().unwrap_or_default().trim(), "property_test" | "proptest")
    };
    let by_macro = matches!(property.form, Form::PropertyTest | Form::TestStrategy);
    // What made such a function panic as it should stands after the property, and is not in the pin.
    let is_of_rest = |attribute: &&String| property.call.is_some() && attribute.contains("should_panic");
    let is_left_out =
        |attribute: &&String| is_ignore(attribute) || by_macro && is_macro(attribute) || is_of_rest(attribute);
    let own = property.attributes.iter().filter(|attribute| !is_left_out(attribute));
    let is_test = || property.attributes.iter().any(|attribute| attribute.contains("test"));
    let makes_test = by_macro || property.call.is_some() && !is_test();
    makes_test.then(|| "#[test]".to_owned()).into_iter().chain(own.cloned()).collect()
}

/// Whether an attribute takes a test out of the ordinary run.
pub(super) fn is_ignore(attribute: &str) -> bool {
    let rest = attribute.trim_start_matches("#[").trim_start().strip_prefix("ignore");
    rest.is_some_and(|rest| rest.trim_start().starts_with([']', '=']))
}

#[cfg(test)]
mod tests {
    use super::{Bound, Recipe, Remark, Run, plain_test};
    use crate::framework::proptest::find::properties;
    use crate::framework::proptest::names::Names;
    use crate::language::rust::package::Package;
    use crate::source_tree::testing::Files;

    const REMARK: Remark<'_> = Remark { today: "2026-11-30", requirement: None, message: "m" };

    fn pinned(text: &str, arguments: &[(&str, &str)], remark: &Remark<'_>) -> Result<String, String> {
        made(text, arguments, remark, Run::Body)
    }

    fn made(text: &str, arguments: &[(&str, &str)], remark: &Remark<'_>, run: Run) -> Result<String, String> {
        let property = properties(text).unwrap().pop().unwrap();
        let (package, tree) = (Package::default(), Files::new([]));
        let names = Names { text, modules: &property.modules, package: &package, tree: &tree, before: "" };
        let bound = |(pattern, code): &(&str, &str)| Bound { pattern: (*pattern).to_owned(), code: (*code).to_owned() };
        let arguments: Vec<_> = arguments.iter().map(bound).collect();
        let overflows = remark.message.starts_with("attempt to");
        let recipe = Recipe { name: "p", property: &property, text, arguments: &arguments, overflows, run };
        plain_test(&recipe, names, remark)
    }

    /// The test without its comment.
    #[track_caller]
    fn check(text: &str, arguments: &[(&str, &str)], expected: &str) {
        let found = pinned(text, arguments, &REMARK).unwrap();
        assert_eq!(found.split_once('\n').unwrap().1, expected, "{text}");
    }

    #[test]
    fn a_body_that_cannot_return_stands_as_it_is() {
        check(
            "proptest! {\n    #[test]\n    fn f(x: u8, mut v in s) {\n        prop_assert!(x < 3); // why\n    }\n}",
            &[("x", "3u8"), ("mut v", "vec![1i16]")],
            "#[test]\nfn p() {\n    let (x, mut v) = (3u8, vec![1i16]);\n    assert!(x < 3); // why\n}",
        );
    }

    #[test]
    fn a_body_that_can_return_runs_in_a_closure() {
        check(
            "use proptest::prelude::*;\nproptest! {\n\t#[test]\n\tfn f(x: u8) {\n\t\tlet y = q(x)?;\n\t}\n}",
            &[("x", "3u8")],
            "#[test]\nfn p() {\n\tlet x = 3u8;\n\tlet outcome = (|| -> Result<(), TestCaseError> {\n\t\tlet y = q(x)?;\n\t\tOk(())\n\t})();\n\toutcome.unwrap();\n}",
        );
    }

    #[test]
    fn long_arguments_have_a_statement_each() {
        let long = format!("{:?}", "x".repeat(90));
        check(
            "proptest! { #[test] fn f(a: String, b: u8) { q(a, b) } }",
            &[("a", &long), ("b", "1u8")],
            &format!("#[test]\nfn p() {{\n    let a = {long};\n    let b = 1u8;\n    q(a, b)\n}}"),
        );
        check("proptest! { #[test] fn f(a: ()) {} }", &[("a", "()")], "#[test]\nfn p() {\n    let a = ();\n}");
    }

    #[test]
    fn attributes_stay_but_those_that_make_it_a_property_or_ignore_it() {
        check(
            "#[cfg(feature = \"x\")] proptest! { #[test] #[ignore = \"slow\"] #[should_panic] fn f(x: u8) {} }",
            &[],
            "#[cfg(feature = \"x\")]\n#[test]\n#[should_panic]\nfn p() {\n}",
        );
        check(
            "#[proptest(cases = 9)]\n#[serial]\nfn f(x: u8) { q() }",
            &[],
            "#[test]\n#[serial]\nfn p() {\n    q()\n}",
        );
        check(
            "#[proptest::property_test]\nfn f(x: u8) -> R { q()?; Ok(()) }",
            &[],
            "#[test]\nfn p() {\n    let outcome = (|| -> R {\n        q()?; Ok(())\n    })();\n    outcome.unwrap();\n}",
        );
    }

    #[test]
    fn a_test_function_hands_on_what_its_property_needs() {
        check(
            "#[test]\n#[should_panic(expected = \"end\")]\nfn f() {\n    proptest!(|(x: u8)| q(x));\n    end();\n}",
            &[("x", "3u8")],
            "#[test]\nfn p() {\n    let x = 3u8;\n    q(x)\n}",
        );
        check(
            "fn f() { proptest!(|(x: u8)| q(x)); }",
            &[("x", "3u8")],
            "#[test]\nfn p() {\n    let x = 3u8;\n    q(x)\n}",
        );
    }

    #[test]
    fn the_compiler_lets_a_body_that_overflows_pass() {
        let remark = Remark { message: "attempt to add with overflow", ..REMARK };
        let found = pinned("proptest! { #[test] fn f(x: u8) { x + 1; } }", &[("x", "255u8")], &remark).unwrap();
        assert_eq!(
            found,
            "/// Pinned 2026-11-30: `f` failed with \"attempt to add with overflow\". Never delete.\n#[test]\n#[allow(arithmetic_overflow, unconditional_panic)]\nfn p() {\n    let x = 255u8;\n    x + 1;\n}"
        );
    }

    #[test]
    fn a_closure_keeps_the_setup_of_its_function() {
        check(
            "#[tokio::test]\nasync fn f() -> R {\n    use proptest::prelude::*;\n    let hall = open().await?;\n    let s = 0..9;\n    proptest!(|(x in s)| {\n        prop_assert!(hall.has(x)?);\n    });\n    Ok(())\n}",
            &[("x", "3u8")],
            "#[tokio::test]\nasync fn p() -> R {\n    let hall = open().await?;\n    let x = 3u8;\n    let outcome = (|| -> Result<(), proptest::test_runner::TestCaseError> {\n        assert!(hall.has(x)?);\n        Ok(())\n    })();\n    outcome.unwrap();\n    Ok(())\n}",
        );
    }

    #[test]
    fn an_asynchronous_property_runs_on_the_executor_its_attribute_names() {
        check(
            "#[proptest(async = \"tokio\")]\nasync fn f(x: u8) { q(x).await; }",
            &[("x", "3u8")],
            "#[test]\nfn p() {\n    let x = 3u8;\n    tokio::runtime::Runtime::new().unwrap().block_on(async {\n        q(x).await;\n    });\n}",
        );
        assert_eq!(
            pinned("#[proptest(async = \"own\")]\nasync fn f(x: u8) {}", &[], &REMARK),
            Err("`f` is asynchronous and its attribute names no executor that is known".to_owned())
        );
    }

    #[test]
    fn a_state_machine_runs_its_steps() {
        check(
            "use proptest_state_machine::StateMachineTest;\nprop_state_machine! { #[test] fn f(sequential 1..9 => Gate<u8>); }",
            &[("(state, steps, seen)", "(M, vec![A], None)")],
            "#[test]\nfn p() {\n    let (state, steps, seen) = (M, vec![A], None);\n    <Gate<u8> as StateMachineTest>::test_sequential(proptest::test_runner::Config::default(), state, steps, seen);\n}",
        );
    }

    #[test]
    fn a_test_that_prints_its_values_does_nothing_else() {
        let printed = |text: &str, arguments: &[(&str, &str)]| {
            let found = made(text, arguments, &REMARK, Run::Print(0)).unwrap();
            found.split_once('\n').unwrap().1.to_owned()
        };
        assert_eq!(
            printed("proptest! { #[test] fn f(x: u8, mut v in s) { q(x)?; } }", &[("x", "3u8"), ("mut v", "t()")]),
            "#[test]\nfn p() {\n    panic!(\n        \"{:?}\\n{:?}\",\n        &3u8,\n        &t()\n    );\n}"
        );
        assert_eq!(
            printed(
                "#[test] fn f() { let b = B::new(); let a = 1; proptest!(|(x in 0..a)| b.q(x)); }",
                &[("x", "g(a)")]
            ),
            "#[test]\nfn p() {\n    let a = 1;\n    panic!(\n        \"{:?}\",\n        &g(a)\n    );\n}"
        );
    }

    #[test]
    fn a_property_in_a_loop_is_refused() {
        assert_eq!(
            pinned("#[test] fn f() { for n in 0..3 { proptest!(|(x in 0..n)| {}); } }", &[], &REMARK),
            Err("the property runs deeper inside `f` than its own statements, and the run does not print the variables around it".to_owned())
        );
    }
}
