//! The pin that is a call of the property with its input: the values that it drew while it ran are given to it again one
//! after the other. It stands where no example can, and runs whatever the settings of the property leave out.

use super::find::Found;
use super::given::{given, parametrized, provided};
use super::ground::{Body, Ground, Test, call, needs_library, within_library};
use crate::language::python::module::{Decorator, Function};
use crate::pin::{Pin, Rung};

/// What is printed for the value by which a test draws others.
pub(super) const DATA: &str = "data(...)";

/// How the arguments begin that a test drew while it ran.
pub(super) const DRAW: &str = "Draw ";

/// The lines that make `Drawn`, which gives out `values` one after the other.
pub(super) fn drawing(values: &[String]) -> Vec<String> {
    let first = format!("drawn = iter([{}])", values.join(", "));
    let others = ["", "class Drawn:", "    def draw(self, strategy, label=None):", "        return next(drawn)", ""]
        .map(str::to_owned);
    std::iter::once(first).chain(others).collect()
}

/// How a test of its own comes to call a property.
pub(super) struct Reach {
    /// What is called.
    pub(super) rule: String,
    /// The parameters of the test.
    pub(super) parameters: Vec<String>,
    /// The arguments that `@given` does not provide.
    pub(super) arguments: Vec<String>,
    /// The decorators that its property has from pytest.
    pub(super) marks: Vec<String>,
}

impl Reach {
    /// How a test calls `function`, of whose arguments `@given` provides those of `names`.
    ///
    /// # Errors
    /// What keeps it from doing so.
    pub(super) fn of(
        ground: Ground<'_>,
        function: &Function,
        names: &[String],
        body: &mut Body<'_>,
    ) -> Result<Reach, String> {
        let is = |name: &str| function.decorators.iter().any(|one| one.called == name);
        if is("classmethod") {
            return Err("it is a method of its class".to_owned());
        }
        let is_method = function.path.len() > 1;
        let own = function.parameters.first().filter(|_| is_method && !is("staticmethod")).map(|one| one.name.clone());
        let mut parameters: Vec<String> = is_method.then(|| "self".to_owned()).into_iter().collect();
        let mut arguments: Vec<String> = own.iter().map(|_| "self".to_owned()).collect();
        let by_mark = parametrized(function);
        let open = function.parameters.iter().skip(arguments.len());
        for one in open.filter(|one| !names.contains(&one.name) && !one.has_default) {
            if by_mark.contains(&one.name) {
                let told = ground.case.failure.counterexample.arguments.iter().find(|told| told.name == one.name);
                let told = told.ok_or_else(|| format!("the run does not tell its parameter `{}`", one.name))?;
                let value =
                    body.value(&told.text, &[]).map_err(|why| format!("its parameter `{}`: {why}", one.name))?;
                arguments.push(format!("{}={value}", one.name));
            } else {
                // A fixture, which this test gets as the property does.
                parameters.push(one.name.clone());
                arguments.push(format!("{0}={0}", one.name));
            }
        }
        let name = function.name();
        let rule = match (function.is_async, is_method) {
            (true, _) => {
                // Plugins put something else in its place once tests run.
                parameters.push(format!("rule={name}.hypothesis.inner_test"));
                "await rule".to_owned()
            }
            (false, true) => format!("self.{name}.hypothesis.inner_test"),
            (false, false) => format!("{name}.hypothesis.inner_test"),
        };
        Ok(Reach { rule, parameters, arguments, marks: marks(ground.found, function) })
    }
}

/// The decorators that pytest goes by, without those that give parameters.
fn marks(found: &Found, function: &Function) -> Vec<String> {
    let is_mark = |one: &&Decorator| {
        let front = one.called.strip_suffix(one.function()).unwrap_or_default();
        front.ends_with("mark.") && one.function() != "parametrize"
    };
    function.decorators.iter().filter(is_mark).map(|one| found.text[one.span.range()].replace("\r\n", "\n")).collect()
}

/// The pin of a property with the input that was told.
///
/// # Errors
/// Why there can be none.
pub(super) fn pin(ground: Ground<'_>, function: &Function) -> Result<Pin, String> {
    let given = given(&ground.found.module, function).ok_or("it has no @given")?;
    let told = &ground.case.failure.counterexample.arguments;
    let names = provided(function, &given, Some(ground.case.failure));
    let mut body = ground.body();
    let reach = Reach::of(ground, function, &names, &mut body)?;
    let (mut drawn, mut arguments) = (Vec::new(), reach.arguments);
    for name in &names {
        let argument = told.iter().find(|argument| argument.name == *name);
        let argument = argument.ok_or_else(|| format!("the run does not tell the value of `{name}`"))?;
        let value = match argument.text.as_str() {
            DATA => "Drawn()".to_owned(),
            text => body.value(text, &[]).map_err(|why| format!("the value of `{name}`: {why}"))?,
        };
        arguments.push(format!("{name}={value}"));
    }
    for draw in told.iter().filter(|argument| argument.name.starts_with(DRAW)) {
        drawn.push(body.value(&draw.text, &[]).map_err(|why| format!("`{}`: {why}", draw.name))?);
    }
    let is_drawn = told.iter().any(|argument| argument.text == DATA);
    let mut lines = if is_drawn { drawing(&drawn) } else { Vec::new() };
    lines.push(call(&reach.rule, &arguments));
    if !function.is_async && needs_library(ground.found, function.item) {
        body.import_library();
        lines = within_library(lines);
    }
    Ok(body.pin(Test {
        front: function.name(),
        classes: &function.path[..function.path.len() - 1],
        marks: reach.marks,
        is_async: function.is_async,
        parameters: reach.parameters,
        lines,
        rung: Rung::Constructed,
        handle: "",
    }))
}
