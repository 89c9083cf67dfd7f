//! Pins that are tests of their own: the values that a test drew are given to it again one after the other, and the steps
//! of a state machine are taken again.

use sha2::{Digest, Sha256};

use super::find::Found;
use super::given::{given, provided};
use super::names::Names;
use super::pin::remark;
use crate::failure::TestName;
use crate::framework::Case;
use crate::hex::hex;
use crate::language::python::literal::{Use, render};
use crate::language::python::marks::{Mark, closing, is_name, marks, named, parts};
use crate::language::python::module::{Class, Function};
use crate::pin::{Part, PartKind, Pin, Refusal, Rung};

/// What such a pin is made from.
pub(super) struct Ground<'a> {
    pub(super) case: &'a Case<'a>,
    pub(super) found: &'a Found,
}

impl Ground<'_> {
    fn names(&self) -> Names<'_> {
        Names { file: &self.found.file, module: &self.found.module, tree: self.case.tree, modules: Vec::new() }
    }

    /// The pin whose test of the name that begins with `front` has these lines.
    fn pin(&self, front: &str, lines: &[String]) -> Pin {
        let failure = self.case.failure;
        let mut digest = Sha256::new();
        digest.update(failure.test.0.as_bytes());
        digest.update([0]);
        digest.update(failure.counterexample.text.as_bytes());
        let name = format!("{front}_pin_{}", &hex(&digest.finalize())[..7]);
        let file = self.found.file.clone();
        let body: Vec<String> = std::iter::once(remark(self.case)).chain(lines.iter().cloned()).collect();
        let body = body.iter().map(|line| if line.is_empty() { String::new() } else { format!("    {line}") });
        let text = format!("def {name}():\n{}", body.collect::<Vec<_>>().join("\n"));
        Pin {
            property: failure.test.clone(),
            rung: Rung::Constructed,
            test: Some(TestName(format!("{file}::{name}"))),
            replay: None,
            parts: vec![Part { file, kind: PartKind::Test, modules: Vec::new(), text }],
            reason: None,
            warnings: Vec::new(),
            instead: None,
        }
    }

    /// A value as this module writes it: a test of its own imports nothing.
    fn value(&self, text: &str) -> Result<String, String> {
        let mut names = self.names();
        let imports = &self.found.module.imports;
        render(text, &mut |name, is| written(&mut names, imports, name, is))
    }
}

fn written(
    names: &mut Names<'_>,
    imports: &[crate::language::python::imports::Import],
    name: &str,
    is: Use,
) -> Result<String, String> {
    let before = names.modules.len();
    let full = names.resolve(name, is)?;
    if names.modules.len() == before && !names.modules.iter().any(|module| full.starts_with(module.as_str())) {
        return Ok(full);
    }
    let known = crate::language::python::imports::written(imports, &full);
    known.ok_or_else(|| format!("`{name}` is not imported here: import it, or write the test by hand"))
}

/// The pin of a test that drew values: it is run with an object that gives them out again.
pub(super) fn draws(ground: &Ground<'_>, function: &Function) -> Result<Pin, Refusal> {
    let by_hand =
        |why: &str| Refusal(format!("it draws values while it runs, and {why}; write a test of them by hand"));
    let given = given(&ground.found.module, function).ok_or_else(|| by_hand("has no @given"))?;
    let told = &ground.case.failure.counterexample.arguments;
    let printed: Vec<&str> = told.iter().map(|argument| argument.name.as_str()).collect();
    let names = provided(function, given, &printed);
    if function.path.len() > 1 || function.is_async {
        return Err(by_hand("is a method or asynchronous"));
    }
    if function.parameters.iter().any(|one| !one.has_default && !names.contains(&one.name)) {
        return Err(by_hand("gets other arguments from pytest"));
    }
    let mut drawn = Vec::new();
    let mut arguments = Vec::new();
    for argument in told {
        if argument.name.starts_with("Draw ") {
            drawn.push(ground.value(&argument.text).map_err(|why| by_hand(&why))?);
        } else if names.contains(&argument.name) {
            let value = if argument.text == "data(...)" {
                "Drawn()".to_owned()
            } else {
                ground.value(&argument.text).map_err(|why| by_hand(&why))?
            };
            arguments.push(format!("{}={value}", argument.name));
        }
    }
    let lines = [
        format!("drawn = iter([{}])", drawn.join(", ")),
        String::new(),
        "class Drawn:".to_owned(),
        "    def draw(self, strategy, label=None):".to_owned(),
        "        return next(drawn)".to_owned(),
        String::new(),
        format!("{}.hypothesis.inner_test({})", function.name(), arguments.join(", ")),
    ];
    Ok(ground.pin(function.name(), &lines))
}

/// The pin of a state machine: its steps.
pub(super) fn machine(ground: &Ground<'_>, class: &Class) -> Result<Pin, Refusal> {
    let by_hand = |why: String| Refusal(format!("{why}; write a test of the steps by hand"));
    let text = &ground.case.failure.counterexample.text;
    let mut known: Vec<String> = Vec::new();
    let mut lines = Vec::new();
    for step in steps(text) {
        if step.contains("data(...)") {
            return Err(by_hand("its steps draw values while they run".to_owned()));
        }
        if let Some(line) = taken(ground, class, &step, &mut known).map_err(by_hand)? {
            lines.push(line);
        }
    }
    if lines.len() < 2 {
        return Err(by_hand("the run does not tell its steps".to_owned()));
    }
    Ok(ground.pin(&format!("test_{}", snake(class.path.last().map_or("", String::as_str))), &lines))
}

/// The lines of `text`, those joined that one step takes.
fn steps(text: &str) -> Vec<String> {
    let mut steps: Vec<String> = Vec::new();
    let mut depth = 0_usize;
    for line in text.lines() {
        match steps.last_mut().filter(|_| depth > 0) {
            Some(last) => *last = format!("{last}\n{line}"),
            None => steps.push(line.to_owned()),
        }
        for (mark, _) in marks(line) {
            match mark {
                Mark::Open => depth += 1,
                Mark::Close => depth = depth.saturating_sub(1),
                _ => {}
            }
        }
    }
    steps
}

/// A step as the pin takes it; `None` for a line that is none, as a note of the machine's own.
fn taken(ground: &Ground<'_>, class: &Class, step: &str, known: &mut Vec<String>) -> Result<Option<String>, String> {
    let name = class.path.last().map_or("", String::as_str);
    if step == format!("state = {name}()") {
        return Ok(Some(step.to_owned()));
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
    let is_rule =
        method == "teardown" || super::find::function(&ground.found.module, &way(class, method), None).is_some();
    if !is_rule || !call[close + 1..].trim_start().is_empty() && !call[close + 1..].trim_start().starts_with('#') {
        return Ok(None);
    }
    let mut names = ground.names();
    let imports = &ground.found.module.imports;
    let mut arguments = Vec::new();
    for part in parts(&call[open + 1..close]) {
        let Some((name, value)) = named(part) else {
            return Err("a step of it has an argument without a name".to_owned());
        };
        let value = render(value, &mut |name, is| {
            let is_bundle = is == Use::Value && known.iter().any(|one| one == name);
            if is_bundle { Ok(name.to_owned()) } else { written(&mut names, imports, name, is) }
        });
        arguments.push(format!("{name}={}", value?));
    }
    known.extend(targets.iter().map(|target| (*target).to_owned()));
    let front = if targets.is_empty() { String::new() } else { format!("{} = ", targets.join(", ")) };
    Ok(Some(format!("{front}state.{method}({})", arguments.join(", "))))
}

fn way<'a>(class: &'a Class, method: &'a str) -> Vec<&'a str> {
    class.path.iter().map(String::as_str).chain([method]).collect()
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
