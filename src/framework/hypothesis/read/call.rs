//! The input that a report tells of: the call of the test with its arguments, or the steps of a state machine.

use super::names::Test;
use crate::failure::{Argument, Counterexample};
use crate::language::python::marks::{closing, is_name, named, on_one_line, parts, statements};

/// An input as a report tells it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Input {
    /// The function that is called; empty for a state machine.
    pub(super) function: String,
    /// Its arguments, and what the test drew besides.
    pub(super) arguments: Vec<Argument>,
    /// For a state machine, its steps as printed, a line each.
    pub(super) steps: Vec<String>,
}

/// How a state machine is told.
const MACHINE: &str = "<state machine>";

/// Reads an input from its beginning on; what follows are other notes. `None` where the text breaks off inside.
pub(super) fn read(text: &str) -> Option<Input> {
    // Older releases say no more of a machine than its steps.
    if let Some(steps) = text.strip_prefix(MACHINE).or_else(|| text.starts_with('\n').then_some(text)) {
        let lines: Vec<String> = steps.lines().skip(1).map(str::to_owned).collect();
        let end = lines.iter().position(|line| is_last_step(line)).map(|at| at + 1);
        let steps = lines[..end.unwrap_or(lines.len())].to_vec();
        return end.map(|_| Input { steps, ..Input::default() });
    }
    let open = text.find('(').filter(|&open| is_name(&text[..open]))?;
    let balanced = closing(text, open).filter(|&close| ends_line(text, close));
    let is_plain = |close: &usize| text[..*close].ends_with('\n') || !text[..*close].contains('\n');
    let close = balanced.filter(is_plain).or_else(|| last_line(text)).or(balanced)?;
    let mut arguments: Vec<Argument> = parts(&text[open + 1..close]).into_iter().map(argument).collect();
    let after = text[close..].split_once('\n').map_or("", |(_, after)| after);
    arguments
        .extend(statements(after).iter().filter_map(|line| drawn(line)).map(|(name, text)| Argument { name, text }));
    Some(Input { function: text[..open].to_owned(), arguments, steps: Vec::new() })
}

impl Input {
    /// The whole input on one line; of a state machine its steps, a line each.
    pub(super) fn text(&self) -> String {
        let one = |argument: &Argument| match argument.name.as_str() {
            "" => argument.text.clone(),
            name => format!("{name}={}", argument.text),
        };
        if self.steps.is_empty() {
            return self.arguments.iter().map(one).collect::<Vec<_>>().join(", ");
        }
        self.steps.join("\n")
    }
}

impl Input {
    /// The same without the object that a method of the test's class is called on: it is no input, and prints as an address.
    pub(super) fn without_receiver(mut self, test: &Test) -> Input {
        let is_receiver = |one: &Argument| one.name == "self" && one.text.starts_with('<');
        self.arguments.retain(|one| test.parts.len() < 2 || !is_receiver(one));
        self
    }
}

/// The input that is kept as `text`, one argument after the other; steps of a state machine are not told apart there.
pub(in crate::framework::hypothesis) fn counterexample(text: &str) -> Counterexample {
    let input = read(&format!("f({text})")).filter(|input| input.text() == text).unwrap_or_default();
    let is_named = |one: &Argument| is_name(&one.name);
    let arguments = if input.arguments.iter().all(is_named) { input.arguments } else { Vec::new() };
    Counterexample { text: text.to_owned(), arguments }
}

fn is_last_step(line: &str) -> bool {
    line.ends_with(".teardown()")
}

fn ends_line(text: &str, close: usize) -> bool {
    text[close + 1..].lines().next().unwrap_or_default().trim().is_empty()
}

/// The bracket that stands alone on a line, where the values are such that brackets do not tell.
fn last_line(text: &str) -> Option<usize> {
    text.match_indices("\n)").map(|(at, _)| at + 1).find(|&at| ends_line(text, at))
}

fn argument(part: &str) -> Argument {
    let (name, value) = named(part).unwrap_or(("", part));
    // A bracket that a value opens and does not close takes the comma after it along.
    Argument { name: name.to_owned(), text: on_one_line(value).trim_end_matches(',').to_owned() }
}

/// What a line tells that the test drew while it ran: `Draw 1 (label): value`. A label may hold anything.
pub(in crate::framework::hypothesis) fn drawn(line: &str) -> Option<(String, String)> {
    let rest = line.strip_prefix("Draw ")?;
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let colon = match rest[digits..].strip_prefix(" (") {
        Some(label) => rest.len() - label.len() + label.find("): ")? + 1,
        None => digits,
    };
    let value = rest[colon..].strip_prefix(": ").filter(|_| digits > 0)?;
    Some((format!("Draw {}", &rest[..colon]), on_one_line(value)))
}

#[cfg(test)]
mod tests {
    use super::read;

    #[track_caller]
    fn check(text: &str, expected: &str, number: usize) {
        let input = read(text).unwrap();
        assert_eq!((input.text().as_str(), input.arguments.len()), (expected, number), "{text}");
    }

    #[test]
    fn arguments_are_told_one_a_line_or_all_on_one() {
        check("f(\n    x=7,\n    s='',  # or any other generated value\n)\nn", "x=7, s=''", 2);
        check("f(\n    x=7, s='',\n)", "x=7, s=''", 2);
        check("f(x=7)", "x=7", 1);
        check("f(\n    7,\n    *args,\n)", "7, *args", 2);
    }

    #[test]
    fn values_of_any_form_are_told_apart() {
        check(
            "f(\n    self=<a.B object at 0x7f>,\n    t=(')', '#', \"it's\"),\n)\n(x)",
            "self=<a.B object at 0x7f>, t=(')', '#', \"it's\")",
            2,
        );
        check("f(\n    a=<it's (odd>,\n)\nNote: )", "a=<it's (odd>", 1);
    }

    #[test]
    fn what_was_drawn_counts_and_other_notes_do_not() {
        check(
            "f(\n    data=data(...),\n)\nDraw 1 (n: x): [A(\n    1),\n 2]\n",
            "data=data(...), Draw 1 (n: x)=[A(1), 2]",
            2,
        );
        check(
            "f(\n    data=data(...),\n)\nDraw 1 (n): 3\nDraw 2: [0]  # or any\na: 1",
            "data=data(...), Draw 1 (n)=3, Draw 2=[0]",
            3,
        );
    }

    #[test]
    fn a_state_machine_has_steps() {
        let input = read("<state machine>\nstate = A()\nstate.b(x=1)\nstate.teardown()\nmore").unwrap();
        assert_eq!((input.text().as_str(), input.arguments.len()), ("state = A()\nstate.b(x=1)\nstate.teardown()", 0));
        assert_eq!(read("<state machine>\nstate = A()"), None);
        assert_eq!(read("f(\n    x=1,"), None);
    }
}
