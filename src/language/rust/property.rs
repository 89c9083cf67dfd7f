//! A property in Rust source: its form, its parameters as written, and the places in its file that a pin needs.

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
    /// A function declared by `prop_state_machine! { … }`.
    StateMachine,
}

/// One parameter of a property.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// The pattern as written: `mut v`, `(a, b)`.
    pub pattern: String,
    /// The strategy expression as written after `in`, or in a `#[strategy(…)]` attribute.
    pub strategy: Option<String>,
    /// The type as written after `:`.
    pub ty: Option<String>,
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
    /// Doc comments of the function, the macro block and the modules around it, innermost first, `///` taken off.
    pub docs: Vec<String>,
    /// Its attributes as written, outermost first, doc comments left out.
    pub attributes: Vec<String>,
    /// Parameters in order. For [`Form::Closure`] those of the closure, for [`Form::Runner`] one of the whole input.
    pub parameters: Vec<Parameter>,
    /// What stands between the braces of the body (of the closure, for [`Form::Closure`] and [`Form::Runner`]).
    pub body: Span,
    /// For [`Form::Closure`] and [`Form::Runner`]: the statements of the test function before the macro or the runner.
    pub setup: Option<Span>,
    /// Where a pin goes: after the line that ends the `proptest!` block or the test function.
    pub pin_at: usize,
    /// The white space before the item that the pin follows.
    pub indent: String,
}
