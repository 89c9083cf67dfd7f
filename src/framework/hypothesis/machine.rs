//! The pin of a state machine: its steps, taken again one after the other.

use super::find::{Found, function};
use super::ground::{Body, Ground, Test, needs_library, within_library};
use super::lineage::{self, Method};
use super::modules::Modules;
use super::standalone::{DATA, DRAW, drawing};
use crate::language::python::marks::{closing, is_name, named, on_one_line, parts, statements};
use crate::language::python::module::Class;
use crate::pin::{Pin, Rung};

/// How the steps of a machine begin.
const START: &str = "state = ";

/// The classes of the library that have no rules of their own.
pub(super) const BASES: [&str; 2] = ["RuleBasedStateMachine", "GenericStateMachine"];

/// The machine whose steps an input tells, where it is one that this module defines.
pub(super) fn told<'f>(text: &str, found: &'f Found) -> Option<&'f Class> {
    let name = text.lines().find_map(|line| line.strip_prefix(START)?.strip_suffix("()"))?;
    found.module.classes.iter().rfind(|class| class.path == [name])
}

/// The pin of a machine's steps.
///
/// # Errors
/// Why there can be none.
pub(super) fn pin(ground: Ground<'_>, class: &Class) -> Result<Pin, String> {
    let text = &ground.case.failure.counterexample.text;
    let mut steps = Steps {
        ground,
        class,
        body: ground.body(),
        known: Vec::new(),
        drawn: Vec::new(),
        is_drawn: false,
        is_foreign: false,
    };
    let mut lines = Vec::new();
    for statement in statements(text) {
        lines.extend(steps.taken(&statement)?);
    }
    if lines.len() < 2 {
        return Err("the run does not tell its steps".to_owned());
    }
    let Steps { mut body, drawn, is_drawn, is_foreign, .. } = steps;
    let front = if is_drawn { drawing(&drawn) } else { Vec::new() };
    let mut lines: Vec<String> = front.into_iter().chain(lines).collect();
    if is_foreign || needs_library(ground.found, class.item) {
        body.import_library();
        lines = within_library(lines);
    }
    Ok(body.pin(Test {
        front: &front_of(class),
        classes: &[],
        marks: Vec::new(),
        is_async: false,
        parameters: Vec::new(),
        lines,
        rung: Rung::Constructed,
        handle: "",
    }))
}

/// What the name of a machine's pin begins with.
pub(super) fn front_of(class: &Class) -> String {
    format!("test_{}", snake(class.path.last().map_or("", String::as_str)))
}

/// The steps that are taken so far.
struct Steps<'a> {
    ground: Ground<'a>,
    class: &'a Class,
    body: Body<'a>,
    /// The values that steps gave, by their names.
    known: Vec<String>,
    /// The values that were drawn in steps.
    drawn: Vec<String>,
    is_drawn: bool,
    /// Whether steps are of classes that stand in other modules, which may ask the library for what only a run of it gives.
    is_foreign: bool,
}

impl Steps<'_> {
    /// A step as the pin takes it; `None` for a line that is none, as a note of the machine's own.
    fn taken(&mut self, step: &str) -> Result<Option<String>, String> {
        let name = self.class.path.last().map_or("", String::as_str);
        if step == format!("{START}{name}()") {
            return Ok(Some(step.to_owned()));
        }
        if step.starts_with(DRAW) {
            self.draw(step)?;
            return Ok(None);
        }
        let Some(at) = step.find("state.") else { return Ok(None) };
        let (front, call) = step.split_at(at);
        let targets: Vec<&str> = match front.trim_end().strip_suffix('=') {
            Some(targets) => targets.split(',').map(str::trim).filter(|target| !target.is_empty()).collect(),
            None if front.is_empty() => Vec::new(),
            None => return Ok(None),
        };
        let method = call["state.".len()..].split('(').next().unwrap_or_default();
        let open = "state.".len() + method.len();
        let is_step = is_name(method) && targets.iter().all(|target| is_name(target));
        let Some(close) = closing(call, open).filter(|_| is_step) else { return Ok(None) };
        let after = call[close + 1..].trim_start();
        if !after.is_empty() && !after.starts_with('#') {
            return Ok(None);
        }
        if method != "teardown" && function(&self.ground.found.module, &self.way(method), None).is_none() {
            let Found { file, module, .. } = self.ground.found;
            let modules = Modules::new(file, module, self.ground.case.tree);
            match lineage::method(&modules, self.class, method) {
                Method::Known => self.is_foreign = true,
                Method::None => return Ok(None),
                Method::Untold => {
                    let name = self.class.path.join(".");
                    return Err(format!(
                        "its step `{method}` may be of a base of {name} that is not in this repository"
                    ));
                }
            }
        }
        let mut arguments = Vec::new();
        for part in parts(&call[open + 1..close]) {
            let (name, value) = named(part).ok_or("a step of it has an argument without a name")?;
            let value = match on_one_line(value).as_str() {
                DATA => {
                    self.is_drawn = true;
                    "Drawn()".to_owned()
                }
                value => self.body.value(value, &self.known)?,
            };
            arguments.push(format!("{name}={value}"));
        }
        self.known.extend(targets.iter().map(|target| (*target).to_owned()));
        let front = if targets.is_empty() { String::new() } else { format!("{} = ", targets.join(", ")) };
        Ok(Some(format!("{front}state.{method}({})", arguments.join(", "))))
    }

    /// Takes in what a line tells that a step drew.
    fn draw(&mut self, line: &str) -> Result<(), String> {
        let (name, value) = super::read::drawn(line).ok_or_else(|| format!("`{line}` is no value"))?;
        let value = self.body.value(&value, &self.known).map_err(|why| format!("`{name}`: {why}"))?;
        self.drawn.push(value);
        Ok(())
    }

    fn way<'w>(&'w self, method: &'w str) -> Vec<&'w str> {
        self.class.path.iter().map(String::as_str).chain([method]).collect()
    }
}

/// `CourtMachine` as `court_machine`.
fn snake(name: &str) -> String {
    let mut snake = String::new();
    for char in name.chars() {
        if char.is_uppercase() && !snake.is_empty() && !snake.ends_with('_') {
            snake.push('_');
        }
        snake.extend(char.to_lowercase());
    }
    snake
}
