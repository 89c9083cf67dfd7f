//! The text of a pin: a plain test function that binds the counterexample and runs the property's own body on it.

use super::body::{Body, Exit, body};
use super::names::Names;
use super::setup::setup;
use crate::language::rust::layout::{indented, unit};
use crate::language::rust::property::{Form, PropertyFn};
use crate::visible;

/// Longest line of arguments bound together, and of a comment.
const LONGEST_LINE: usize = 96;

/// Longest message told in a pin's comment.
const LONGEST_MESSAGE: usize = 200;

/// What a pin's comment says.
pub(super) struct Remark<'a> {
    /// A date as `2026-11-30`.
    pub(super) today: &'a str,
    /// The requirement that the property cites.
    pub(super) requirement: Option<&'a str>,
    /// The message it failed with.
    pub(super) message: &'a str,
}

/// A pattern and the expression it is bound to.
pub(super) type Bound = (String, String);

/// The test function `name` that runs the body of `property`, of the file `text`, on `arguments`.
///
/// # Errors
/// Why the property cannot be run without its runner.
pub(super) fn plain_test(
    name: &str,
    property: &PropertyFn,
    text: &str,
    arguments: &[Bound],
    names: Names,
    remark: &Remark<'_>,
) -> Result<String, String> {
    let unit = unit(&text[property.item.range()]);
    let mut lines = vec![comment(&property.name, remark)];
    lines.extend(attributes(property));
    let asks = if property.is_async && executor(property).is_none() { "async " } else { "" };
    let outer = if property.call.is_some() { property.returns.as_deref() } else { None };
    lines.push(format!("{asks}fn {name}(){} {{", outer.map_or(String::new(), |ty| format!(" -> {ty}"))));
    let statements = statements(property, text, arguments, names, unit)?;
    lines.push(indented(&statements, unit));
    lines.extend(outer.map(|_| format!("{unit}Ok(())")));
    lines.push("}".to_owned());
    Ok(lines.join("\n"))
}

fn statements(
    property: &PropertyFn,
    text: &str,
    arguments: &[Bound],
    names: Names,
    unit: &str,
) -> Result<String, String> {
    let bound = binding(arguments);
    if property.form == Form::StateMachine {
        return Ok(join([bound, machine_run(property, arguments, &names)]));
    }
    let body = body(property, text);
    let before = match (property.form, property.call) {
        (Form::Closure | Form::Runner, Some(call)) => {
            setup(property, call, text, &join([bound.clone(), body.text.clone()]))
        }
        (Form::Closure | Form::Runner, None) => {
            return Err(format!(
                "the property runs deeper inside `{}` than its own statements, and the run does not print the variables around it",
                property.name
            ));
        }
        _ => String::new(),
    };
    let names = names.with(&before);
    Ok(join([before, bound, run(property, body, &names, unit)?]))
}

/// The parts that are not empty, each on lines of its own.
fn join<const N: usize>(parts: [String; N]) -> String {
    parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("\n")
}

/// The body as it must be run.
fn run(property: &PropertyFn, body: Body, names: &Names, unit: &str) -> Result<String, String> {
    let Body { text, exit } = body;
    let inside = indented(&text, unit);
    let own = match property.form {
        Form::PropertyTest | Form::TestStrategy => property.returns.clone(),
        _ => None,
    };
    let value = own.unwrap_or_else(|| format!("Result<(), {}>", names.test_case_error()));
    let executor = executor(property).transpose()?;
    Ok(match (executor, exit) {
        (None, Exit::Panic) => text,
        (None, Exit::Return) => format!("let outcome = (|| -> {value} {{\n{inside}\n}})();\noutcome.unwrap();"),
        (Some(start), Exit::Panic) => format!("{start}(async {{\n{inside}\n}});"),
        (Some(start), Exit::Return) => {
            format!("let outcome: {value} = {start}(async {{\n{inside}\n}});\noutcome.unwrap();")
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
fn machine_run(property: &PropertyFn, arguments: &[Bound], names: &Names) -> String {
    let machine = property.parameters.first().and_then(|parameter| parameter.ty.as_deref()).unwrap_or_default();
    let given: Vec<&str> = arguments.iter().map(|(pattern, _)| pattern.as_str()).collect();
    format!(
        "<{machine} as {}>::test_sequential({}::default(), {}, None);",
        names.state_machine_test(),
        names.config(),
        given.join(", ")
    )
}

/// The statements that bind the arguments: one where they are short.
fn binding(arguments: &[Bound]) -> String {
    let each = || arguments.iter().map(|(pattern, code)| format!("let {pattern} = {code};"));
    let all = |part: fn(&Bound) -> &str| arguments.iter().map(part).collect::<Vec<_>>().join(", ");
    let together = format!("let ({}) = ({});", all(|(pattern, _)| pattern), all(|(_, code)| code));
    let is_short = together.len() <= LONGEST_LINE && !together.contains('\n');
    if arguments.len() > 1 && is_short { together } else { each().collect::<Vec<_>>().join("\n") }
}

/// The attributes of the property that a plain test has as well.
fn attributes(property: &PropertyFn) -> Vec<String> {
    let is_macro = |attribute: &&String| {
        let path = attribute.trim_start_matches("#[").split(['(', ']', '=']).next().unwrap_or_default();
        matches!(path.rsplit("::").next().unwrap_or_default().trim(), "property_test" | "proptest")
    };
    let by_macro = matches!(property.form, Form::PropertyTest | Form::TestStrategy);
    let own =
        property.attributes.iter().filter(|attribute| !is_ignore(attribute) && !(by_macro && is_macro(attribute)));
    by_macro.then(|| "#[test]".to_owned()).into_iter().chain(own.cloned()).collect()
}

/// Whether an attribute takes a test out of the ordinary run.
pub(super) fn is_ignore(attribute: &str) -> bool {
    let rest = attribute.trim_start_matches("#[").trim_start().strip_prefix("ignore");
    rest.is_some_and(|rest| rest.trim_start().starts_with([']', '=']))
}

/// The doc comment: when, what, why, on lines of a decent length.
fn comment(property: &str, remark: &Remark<'_>) -> String {
    let requirement = remark.requirement.map_or(String::new(), |id| format!(" [{id}]"));
    let message = shortened(&flat(remark.message));
    let said = format!("Pinned {}: `{property}`{requirement} failed with \"{message}\". Never delete.", remark.today);
    let mut lines = vec![String::from("///")];
    for word in said.split(' ') {
        if lines
            .last()
            .is_some_and(|line| line.len() > 3 && line.chars().count() + word.chars().count() >= LONGEST_LINE)
        {
            lines.push(String::from("///"));
        }
        if let Some(line) = lines.last_mut() {
            line.push(' ');
            line.push_str(word);
        }
    }
    lines.join("\n")
}

/// A message on one line, with nothing in it that does not print.
fn flat(message: &str) -> String {
    let words: Vec<&str> = message.split_whitespace().collect();
    visible::line(&words.join(" ")).into_owned()
}

fn shortened(message: &str) -> String {
    match message.char_indices().nth(LONGEST_MESSAGE) {
        Some((cut, _)) => format!("{}…", &message[..cut]),
        None => message.to_owned(),
    }
}
