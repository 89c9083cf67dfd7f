//! What `@given` provides: the arguments that an example has to give, and no others.

use crate::failure::Failure;
use crate::language::python::imports::{Import, written};
use crate::language::python::module::{Decorator, Function, Module, module as outline};
use crate::span::Span;

/// The decorator of `function` that makes it a property.
pub(super) fn given(module: &Module, function: &Function) -> Option<Decorator> {
    let own = function.decorators.iter().rfind(|one| is_called(&module.imports, one, "given"));
    own.cloned().or_else(|| function.decorators.iter().rev().find_map(|one| bound(module, one, "given")))
}

/// The decorator of the library that is called `name` where the module has given its call a name of its own, by which
/// `decorator` decorates: the call stands elsewhere.
pub(super) fn bound(module: &Module, decorator: &Decorator, name: &str) -> Option<Decorator> {
    let (_, text) =
        module.bound.iter().rfind(|(bound, _)| *bound == decorator.called && decorator.arguments.is_empty())?;
    let call = call(text).filter(|one| is_called(&module.imports, one, name))?;
    Some(Decorator { span: decorator.span, call: Span::at(0), ..call })
}

/// A call as a decorator would be it.
pub(super) fn call(text: &str) -> Option<Decorator> {
    let function = outline(&format!("@{text}\ndef f(): pass\n"))?.functions.pop()?;
    function.decorators.into_iter().next()
}

/// Whether a decorator is the library's own of that name.
pub(super) fn is_called(imports: &[Import], decorator: &Decorator, name: &str) -> bool {
    let known = written(imports, &format!("hypothesis.{name}"));
    decorator.function() == name || known.is_some_and(|known| known == decorator.called)
}

/// The names of the arguments that `@given` provides, by the source and, where there is one, what the run of
/// `failure` told.
pub(super) fn provided(function: &Function, given: &Decorator, failure: Option<&Failure>) -> Vec<String> {
    let parameters = function.parameters.iter().map(|one| one.name.as_str());
    let is_dynamic = given.arguments.iter().any(|one| one.text.starts_with('*'));
    let is_all = |text: &str| text == "..." || text == "Ellipsis";
    let is_inferred = given.arguments.iter().any(|one| one.name.is_none() && is_all(&one.text));
    let own = |name: &&str| !matches!(*name, "self" | "cls");
    if is_inferred {
        return parameters.filter(own).map(str::to_owned).collect();
    }
    if is_dynamic {
        // Only the run tells which they are: it says so, or prints them, and with them what else the test was given.
        let others = parametrized(function);
        let arguments = failure.map_or(&[][..], |failure| &failure.counterexample.arguments);
        let printed = |name: &&str| arguments.iter().any(|argument| argument.name == **name);
        let open = |name: &&str| match failure.map_or(&[][..], |failure| &failure.generated) {
            [] => printed(name) && !others.iter().any(|other| other == name),
            told => told.iter().any(|own| own == name),
        };
        return parameters.filter(own).filter(open).map(str::to_owned).collect();
    }
    let by_place = given.arguments.iter().filter(|one| one.name.is_none()).count();
    let positional: Vec<&str> =
        function.parameters.iter().filter(|one| !one.by_name).map(|one| one.name.as_str()).collect();
    let placed = positional[positional.len().saturating_sub(by_place)..].iter().map(|name| (*name).to_owned());
    placed.chain(given.arguments.iter().filter_map(|one| one.name.clone())).collect()
}

/// The arguments that pytest gives by `parametrize`.
pub(super) fn parametrized(function: &Function) -> Vec<String> {
    let told = function.decorators.iter().filter(|one| one.function() == "parametrize");
    let names = told.filter_map(|one| one.arguments.first());
    let words = names.flat_map(|one| one.text.split(|char: char| !char.is_alphanumeric() && char != '_'));
    words.filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::{given, provided};
    use crate::failure::{self, Argument, Counterexample, Failure};
    use crate::language::python::module::module;

    #[track_caller]
    fn check(decorators: &str, parameters: &str, failure: &Failure, expected: &[&str]) {
        let text = format!(
            "from hypothesis import given, given as g\nimport hypothesis as h\n{decorators}\ndef f({parameters}): pass\n"
        );
        let module = module(&text).unwrap();
        let function = &module.functions[0];
        assert_eq!(provided(function, &given(&module, function).unwrap(), Some(failure)), expected, "{text}");
    }

    /// A failure that prints arguments of these names, and says of some that they are generated.
    fn told(printed: &[&str], generated: &[&str]) -> Failure {
        let argument = |name: &&str| Argument { name: (*name).to_owned(), text: "0".to_owned() };
        let arguments = printed.iter().map(argument).collect();
        Failure {
            counterexample: Counterexample { text: String::new(), arguments },
            generated: generated.iter().map(|name| (*name).to_owned()).collect(),
            ..failure::testing::failure("f")
        }
    }

    #[test]
    fn only_what_given_provides_is_given() {
        let nothing = told(&[], &[]);
        check("@given(a(), b())", "self, x, y, z", &nothing, &["y", "z"]);
        check("@h.given(y=a())", "self, x, y", &nothing, &["y"]);
        check("@g(a())\n@settings(x=1)", "x", &nothing, &["x"]);
        check("@given(a())", "conf, x, *, k=1", &nothing, &["x"]);
        check("@given(...)", "x: int, y: str", &nothing, &["x", "y"]);
        let bound = "orders = h.given(x=a())\n@orders";
        check(bound, "self, x, y", &nothing, &["x"]);
        let printed = told(&["self", "n", "x"], &[]);
        check("@pytest.mark.parametrize(\"n\", [1])\n@given(**kinds)", "self, n, x", &printed, &["x"]);
    }

    #[test]
    fn where_only_the_run_knows_what_it_says_counts() {
        let printed = ["self", "conf", "x"];
        check("@given(**kinds)", "self, conf, x", &told(&printed, &["x"]), &["x"]);
        check("@given(**kinds)", "self, conf, x", &told(&printed, &[]), &["conf", "x"]);
    }
}
