//! The pin of a property that runs in a function which several tests share and which takes no options: a test of its own,
//! which binds the input and asks of it what the rule asks.

use super::find::Found;
use super::own;
use crate::failure::Failure;
use crate::language::typescript::code::{Code, Kind};
use crate::language::typescript::layout::{indent, unit};
use crate::pin::Refusal;
use crate::span::Span;

/// A rule that a test hands to a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Rule {
    /// The rule, in the test's own file.
    pub(super) rule: Span,
    /// What the function around it knows by other names, each as a name and an expression of the test.
    pub(super) given: Vec<(String, String)>,
    /// What begins a test, where the test's own call does not.
    pub(super) begins: Option<String>,
    /// What the function that takes the rule is called.
    pub(super) function: String,
}

/// The lines of a test that asks what `rule` asks of `values`, `remark` in front.
///
/// # Errors
/// Why there can be none.
pub(super) fn text(
    failure: &Failure,
    found: &Found,
    rule: &Rule,
    values: &[String],
    remark: &str,
) -> Result<String, Refusal> {
    let code = &found.code;
    let call = &code.calls[found.test.call];
    let title = call.arguments.first().and_then(|title| own::title(code, *title, &own::mark(failure)));
    let Some(title) = title.filter(|_| !own::is_of_table(code, &found.test)) else {
        return Err(Refusal(format!(
            "the property runs in `{}`, which takes no options for fast-check, and its title is only known when the code runs; pin \
             the input by hand",
            rule.function
        )));
    };
    let statement = code.whole_statement(call.span).unwrap_or(call.span);
    let outer = indent(&code.text, statement.start);
    let inner = format!("{outer}{}", unit(&code.text));
    let begins = rule.begins.clone().unwrap_or_else(|| code.at(call.callee).to_owned());
    let is_async = code.is_async(rule.rule);
    let asked = Asked { code, rule: rule.rule, values, is_async, end: semicolon(code) };
    let given = rule.given.iter().filter(|(name, expression)| name != expression);
    let given = given.map(|(name, expression)| format!("{inner}const {name} = {expression}{}", asked.end));
    let body = given.chain(asked.lines(&inner)).collect::<Vec<_>>().join("\n");
    let sign = if is_async { "async () => {" } else { "() => {" };
    let end = asked.end;
    Ok(format!("{remark}\n{outer}{begins}({title}, {sign}\n{body}\n{outer}}}){end}"))
}

/// What ends a statement of this file.
fn semicolon(code: &Code) -> &'static str {
    let ends = |sign: char| code.text.lines().filter(|line| line.trim_end().ends_with(sign)).count();
    if ends(';') > 0 { ";" } else { "" }
}

/// A rule, and the values it is asked of.
struct Asked<'a> {
    code: &'a Code,
    rule: Span,
    values: &'a [String],
    is_async: bool,
    end: &'static str,
}

impl Asked<'_> {
    fn lines(&self, indent: &str) -> Vec<String> {
        self.unfolded(indent).unwrap_or_else(|| self.called(indent))
    }

    /// The rule's own body, its parameters bound to the values; `None` where that would say something else.
    fn unfolded(&self, indent: &str) -> Option<Vec<String>> {
        let code = self.code;
        let function = code.function_at(self.rule)?;
        let parameters = code.parameters(self.rule)?;
        let is_plain = |text: &String| !text.starts_with("...") && !text.contains(['=', '?']);
        if parameters.len() > self.values.len() || !parameters.iter().all(is_plain) || code.takes_this(function.span) {
            return None;
        }
        let bound = parameters.iter().zip(self.values);
        let mut lines: Vec<String> =
            bound.map(|(name, value)| format!("{indent}const {name} = {value}{}", self.end)).collect();
        let Some(statements) = code.statements(function.body) else {
            lines.push(format!("{indent}{}{}", self.truth(function.body), self.end));
            return Some(lines);
        };
        let text = code.at(function.body);
        if code.returns(function.span) || text.contains("pre(") || text.contains('`') && text.contains('\n') {
            return None;
        }
        statements.first()?;
        let inside = Span::new(function.body.start + 1, function.body.end.saturating_sub(1));
        let own = code.at(inside).trim_end().replace("\r\n", "\n");
        let own = own.trim_start_matches([' ', '\t']).trim_start_matches('\n');
        let margin = &own[..own.len() - own.trim_start().len()];
        let shift = |line: &str| match line.trim().is_empty() {
            true => String::new(),
            false => format!("{indent}{}", line.strip_prefix(margin).unwrap_or(line.trim_start())),
        };
        lines.extend(own.lines().map(shift));
        Some(lines)
    }

    /// The rule as it stands, called.
    fn called(&self, indent: &str) -> Vec<String> {
        let code = self.code;
        let values = self.values.join(", ");
        let awaited = if self.is_async { "await " } else { "" };
        if code.kind(self.rule) == Kind::Name {
            let call = format!("{awaited}{}({values})", code.at(self.rule));
            return vec![format!("{indent}{}{}", self.not_false(&call), self.end)];
        }
        let rule = code.at(self.rule).replace("\r\n", "\n");
        let call = format!("{awaited}rule({values})");
        vec![
            format!("{indent}const rule = {rule}{}", self.end),
            format!("{indent}{}{}", self.not_false(&call), self.end),
        ]
    }

    /// The statement that asks for the expression at `span`.
    fn truth(&self, span: Span) -> String {
        let text = self.code.at(span).replace("\r\n", "\n");
        let is_assertion = ["expect(", "assert", "await expect("].iter().any(|start| text.starts_with(start));
        match () {
            () if is_assertion => text,
            () if !self.code.is_truth(span) => self.not_false(&text),
            () if self.has("expect") => format!("expect({text}).toBe(true)"),
            () if self.has("assert") => format!("assert.ok({text})"),
            () => self.not_false(&text),
        }
    }

    /// The statement that asks, as the library does, that an expression is not `false`.
    fn not_false(&self, text: &str) -> String {
        match () {
            () if self.has("expect") => format!("expect({text}).not.toBe(false)"),
            () if self.has("assert") => format!("assert.notEqual({text}, false)"),
            () => format!("if (({text}) === false) throw new Error('the rule does not hold')"),
        }
    }

    /// Whether the file calls a function of that name.
    fn has(&self, name: &str) -> bool {
        let is_called =
            |callee: &str| callee == name || callee.strip_prefix(name).is_some_and(|rest| rest.starts_with('.'));
        self.code.calls.iter().any(|call| is_called(self.code.at(call.callee)))
    }
}
