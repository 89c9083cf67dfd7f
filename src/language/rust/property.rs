//! A property in Rust source: its form, its parameters as written, and the places in its file that a pin needs.

use super::parameters::Parameters;
use crate::span::Span;

/// How a property is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// A function inside `proptest! { … }`.
    Block,
    /// `proptest!(|(…)| …)` or `proptest!(config, |(…)| …)` inside a plain test function.
    Closure,
    /// A function under `#[property_test]`.
    PropertyTest,
    /// A function under test-strategy's `#[proptest]`.
    TestStrategy,
    /// A plain test function that calls `TestRunner::run`.
    Runner,
    /// A plain test function that calls `TestRunner::run` with a function by its name.
    NamedRunner,
    /// A plain test that holds one input of a property.
    Pin,
    /// A function declared by `prop_state_machine! { … }`.
    StateMachine,
}

/// A property found in a file. All spans and offsets are bytes of that file's text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PropertyFn {
    /// The function's name, without `r#`.
    pub name: String,
    /// The inline modules around it, outermost first.
    pub modules: Vec<String>,
    /// How it is written.
    pub form: Form,
    /// The whole function with its comments and attributes.
    pub span: Span,
    /// Line of its `fn`, from 1.
    pub line: u32,
    /// Comments of the function, the macro block and the modules around it, innermost first, comment signs taken off.
    pub docs: Vec<String>,
    /// Its attributes as written, those of the macro block first, doc comments left out.
    pub attributes: Vec<String>,
    /// Whether it is an `async fn`.
    pub is_async: bool,
    /// What it says it returns, as written after `->`.
    pub returns: Option<String>,
    /// Parameters in order. For [`Form::Closure`] those of the closure, for [`Form::Runner`] and [`Form::NamedRunner`] one
    /// of the whole input; for [`Form::StateMachine`] the one that the library names, the range of steps as its strategy,
    /// the machine as its type.
    pub parameters: Parameters,
    /// What stands between the braces of the body (of the closure, for [`Form::Closure`] and [`Form::Runner`]; between
    /// the parentheses, for [`Form::StateMachine`]; the function's name, for [`Form::NamedRunner`]). A body without braces
    /// is the expression itself.
    pub body: Span,
    /// For what runs inside a test function, where the statement that runs the property stands in its test function;
    /// `None` also where it stands deeper, in a loop or a branch.
    pub call: Option<Call>,
    /// The item that the pin follows: the macro block or the test function, with its attributes.
    pub item: Span,
    /// Where a pin goes: after the line that ends `item` or the last of the pins behind it, or right after either where
    /// more stands on that line.
    pub pin_at: usize,
    /// The white space before `item`.
    pub indent: String,
}

/// The statement of a plain test function that runs a property.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Call {
    /// The statements before it.
    pub setup: Span,
    /// The statement itself.
    pub statement: Span,
    /// The statements after it.
    pub rest: Span,
}
