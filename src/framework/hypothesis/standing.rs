//! Whether the example of a pin still stands on its property, and which of its examples it is. What values are called by
//! modules, and how they are laid out, makes no difference.

use super::find::{function, parts};
use super::given::{given, is_called, provided};
use super::graft::in_full;
use super::read::key::plain;
use crate::language::python::literal::render;
use crate::language::python::marks::{named, parts as split};
use crate::language::python::module::{Decorator, Module, module};
use crate::proof::StandingPin;
use crate::source_tree::SourceTree;

/// How the example of a pin stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Standing {
    /// As this one of so many examples of its property, from above.
    At(usize, usize),
    /// It does not any more.
    Gone,
    /// That cannot be told: the pin is no example, its input is not on record, or its property is not there.
    Untold,
}

/// How the example of `pin` stands in `tree`.
pub(super) fn standing(pin: &StandingPin, tree: &dyn SourceTree) -> Standing {
    looked_up(pin, tree).unwrap_or(Standing::Untold)
}

fn looked_up(pin: &StandingPin, tree: &dyn SourceTree) -> Option<Standing> {
    if pin.test.is_some() || pin.is_property() {
        return None;
    }
    let bytes = tree.read(pin.file.as_ref()?)?;
    let outline = module(std::str::from_utf8(&bytes).ok()?)?;
    let property = function(&outline, &parts(&pin.property), None)?;
    let names = provided(property, &given(&outline, property)?, None);
    let recorded = recorded(&pin.counterexample, &names)?;
    let examples = property.decorators.iter().filter(|one| is_called(&outline.imports, one, "example"));
    let examples: Vec<&Decorator> = examples.collect();
    let place = examples.iter().position(|one| gives(one, &names, &outline).is_some_and(|given| given == recorded));
    Some(place.map_or(Standing::Gone, |place| Standing::At(place, examples.len())))
}

/// The values on record of `names`, in their order.
fn recorded(counterexample: &str, names: &[String]) -> Option<Vec<String>> {
    let told: Vec<(&str, &str)> = split(counterexample).into_iter().filter_map(named).collect();
    let value = |name: &String| told.iter().find(|(own, _)| own == name).and_then(|(_, text)| form(text, None));
    let values = names.iter().map(value).collect::<Option<Vec<String>>>()?;
    (!values.is_empty()).then_some(values)
}

/// The values that an example gives for `names`, in their order.
fn gives(example: &Decorator, names: &[String], outline: &Module) -> Option<Vec<String>> {
    let by_place = example.arguments.iter().filter(|one| one.name.is_none()).count();
    let mut placed = names[names.len().saturating_sub(by_place)..].iter();
    let told: Vec<(Option<&String>, &str)> =
        example.arguments.iter().map(|one| (one.name.as_ref().or_else(|| placed.next()), one.text.as_str())).collect();
    let value = |name: &String| {
        let own = told.iter().find(|(own, _)| *own == Some(name));
        own.and_then(|(_, text)| form(text, Some(outline)))
    };
    names.iter().map(value).collect()
}

/// A value in a form that does not depend on how it is written, nor on what the module calls its class.
fn form(text: &str, outline: Option<&Module>) -> Option<String> {
    let full = |name: &str| outline.map_or_else(|| name.to_owned(), |outline| in_full(name, outline, &mut Vec::new()));
    let written = render(text, &mut |name, _| Ok(full(name))).ok()?;
    Some(plain(&written)?.replace("float(\"nan)", "nan").replace("float(\"inf)", "inf"))
}

#[cfg(test)]
mod tests {
    use super::{Standing, standing};
    use crate::failure::TestName;
    use crate::proof::StandingPin;
    use crate::proof::testing::blank_pin;
    use crate::repo_path::RepoPath;
    use crate::source_tree::testing::Files;

    const FILE: &str = "tests/test_a.py";

    const TEXT: &str = "import datetime as dt\nfrom courtbook import Court as C\nfrom hypothesis import example, given, strategies as st\n\
        class TestA:\n    @example(1, \"it's\")\n    # Pinned\n    @example(x=C(2, dt.date(2001, 1, 1)), s='\\u202e').via('a')\n\
        \x20   @example(x=float('nan'), s='')\n    @given(x=st.x(), s=st.text())\n    def test_x(self, limit, x, s): pass\n";

    #[track_caller]
    fn check(counterexample: &str, expected: Standing) {
        let pin = StandingPin {
            file: RepoPath::new(FILE),
            files: vec![RepoPath::new(FILE).unwrap()],
            counterexample: counterexample.to_owned(),
            ..blank_pin("hypothesis", &format!("{FILE}::TestA::test_x[3]"))
        };
        assert_eq!(standing(&pin, &Files::new([(FILE, TEXT)])), expected, "{counterexample}");
        let own_test = StandingPin { test: Some(TestName("x".to_owned())), ..pin };
        assert_eq!(standing(&own_test, &Files::new([(FILE, TEXT)])), Standing::Untold);
    }

    #[test]
    fn an_example_is_found_however_it_is_written() {
        check("self=<A at 0x1>, limit=3, x=1, s='it\\'s'", Standing::At(0, 3));
        check("x=Court(2, datetime.date(2001, 1, 1)), s='\u{202e}'", Standing::At(1, 3));
        check("x=nan, s=''", Standing::At(2, 3));
    }

    #[test]
    fn an_example_with_another_input_is_not_the_pins() {
        check("x=2, s='it'", Standing::Gone);
        check("x=1, s='its'", Standing::Gone);
    }

    #[test]
    fn nothing_is_told_of_what_is_not_on_record() {
        check("", Standing::Untold);
        check("x=1", Standing::Untold);
        check("x=<object at 0x1>, s=''", Standing::Untold);
    }
}
