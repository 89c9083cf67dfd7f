//! Puts a pin into a file's text: an example on its very property, in the style and indentation that stand there, with the
//! imports that it needs; a test of its own after all others.

use super::find::{function, parts};
use super::given::{given, is_called, provided};
use super::names::is_bound;
use crate::edit::{Edits, line_end};
use crate::language::python::imports::{Import, written};
use crate::language::python::literal::{render, tokens};
use crate::language::python::module::{Decorator, Function, Module, module};
use crate::pin::{Part, PartKind, Pin, Refusal};
use crate::span::Span;

/// The changes that put `part` of `pin` into a file that holds `bytes`.
///
/// # Errors
/// Why it has no place there.
pub(super) fn place(pin: &Pin, part: &Part, bytes: &[u8]) -> Result<Edits, Refusal> {
    let text = std::str::from_utf8(bytes)
        .map_err(|_| Refusal(format!("{} is not UTF-8; write the pin by hand", part.file)))?;
    let outline =
        module(text).ok_or_else(|| Refusal(format!("{} is no Python that can be read; mend it first", part.file)))?;
    let page = Page { text, outline: &outline, end: line_end(bytes), edits: Edits::new() };
    match part.kind {
        PartKind::Example => page.example(pin, part),
        PartKind::Test => page.test(pin, part),
        PartKind::ReplayLine | PartKind::Value | PartKind::Fixture => {
            Err(Refusal("Hypothesis has no file for that".to_owned()))
        }
    }
}

struct Page<'p> {
    text: &'p str,
    outline: &'p Module,
    /// What ends a line.
    end: &'static str,
    edits: Edits,
}

impl Page<'_> {
    fn example(mut self, pin: &Pin, part: &Part) -> Result<Edits, Refusal> {
        let way = parts(&pin.property);
        let missing = || Refusal(format!("{} has no {}: it may have been renamed since", part.file, way.join(".")));
        let property = function(self.outline, &way, None).ok_or_else(missing)?;
        let given = &given(self.outline, property).ok_or_else(|| {
            Refusal(format!("{} has no @given in {}; write the example by hand", way.join("."), part.file))
        })?;
        let (decorator, told) = read(&part.text)?;
        let mut arguments = Vec::new();
        for argument in &decorator.arguments {
            let name = argument.name.as_deref().unwrap_or_default();
            let value = render(&argument.text, &mut |name, _| self.local(name, &part.modules));
            arguments.push((name.to_owned(), value.map_err(Refusal)?));
        }
        let examples: Vec<&Decorator> =
            property.decorators.iter().filter(|one| is_called(&self.outline.imports, one, "example")).collect();
        if examples.iter().any(|one| holds(property, given, one, &arguments)) {
            return Ok(Edits::new());
        }
        let called = self.example_name(given)?;
        let (anchor, is_after) = match examples.last() {
            Some(last) => (last.span, true),
            None => (given.span, false),
        };
        let line = self.line_start(anchor.start);
        let indent = &self.text[line..anchor.start];
        let (front, back) = (&told[..decorator.span.start], &told[decorator.call.end..decorator.span.end]);
        let is_broken = told[decorator.call.range()].contains('\n');
        let values: Vec<String> = arguments.iter().map(|(name, value)| format!("{name}={value}")).collect();
        let call = match is_broken {
            true => format!("@{called}(\n    {},\n)", values.join(",\n    ")),
            false => format!("@{called}({})", values.join(", ")),
        };
        let step = if indent.contains('\t') { "\t" } else { "    " };
        let own = format!("{front}{call}{back}");
        let lines = own.lines().map(|line| match line.strip_prefix("    ") {
            Some(inner) => format!("{indent}{step}{inner}"),
            None => format!("{indent}{line}"),
        });
        let lines: Vec<String> = lines.collect();
        let inserted = lines.join(self.end);
        let (at, inserted) = match is_after {
            true => (self.line_stop(anchor.end), format!("{}{inserted}", self.end)),
            false => (line, format!("{inserted}{}", self.end)),
        };
        self.insert(at, inserted)?;
        Ok(self.edits)
    }

    /// A test after all others; one of a class after its property.
    fn test(mut self, pin: &Pin, part: &Part) -> Result<Edits, Refusal> {
        let name = pin.test.as_ref().map_or("", |test| test.0.rsplit("::").next().unwrap_or(&test.0));
        let path: Vec<&str> = part.modules.iter().map(String::as_str).chain([name]).collect();
        if self.outline.functions.iter().any(|function| function.path == path) {
            return Ok(Edits::new());
        }
        let is_tabbed = self.text.lines().any(|line| line.starts_with('\t'));
        if part.modules.is_empty() {
            let kept = self.text.trim_end_matches(['\r', '\n', ' ', '\t']).len();
            let stop = self.text[kept..].find('\n').map_or(self.text.len(), |at| kept + at + 1);
            let is_open = !self.text[..stop].ends_with('\n');
            let body = indented(&part.text, "", is_tabbed).join(self.end);
            let inserted = match is_open {
                true => format!("{0}{0}{0}{body}", self.end),
                false => format!("{0}{0}{body}{0}", self.end),
            };
            self.insert(stop, inserted)?;
            return Ok(self.edits);
        }
        let way = parts(&pin.property);
        let property = function(self.outline, &way, None).filter(|one| one.path[..one.path.len() - 1] == part.modules);
        let property = property.ok_or_else(|| {
            Refusal(format!("{} has no {}: it may have been renamed since", part.file, way.join(".")))
        })?;
        let indent = self.text[self.line_start(property.item.start)..property.item.start].to_owned();
        let body = indented(&part.text, &indent, is_tabbed).join(self.end);
        self.insert(self.line_stop(property.item.end), format!("{0}{0}{body}", self.end))?;
        Ok(self.edits)
    }

    /// How this module writes a name that is given in full, where it is one of `modules`; what is missing is imported.
    fn local(&mut self, name: &str, modules: &[String]) -> Result<String, String> {
        let module = modules.iter().filter(|module| {
            let front = if module.ends_with('.') { (*module).clone() } else { format!("{module}.") };
            name.starts_with(&front)
        });
        let Some(module) = module.max_by_key(|module| module.len()) else { return Ok(name.to_owned()) };
        if let Some(known) = written(&self.outline.imports, name) {
            return Ok(known);
        }
        let inner = name[module.len()..].trim_start_matches('.');
        let root = inner.split('.').next().unwrap_or(inner);
        let is_whole = !module.contains('.') && !root.starts_with(char::is_uppercase);
        let (line, local) = if is_whole && !self.is_bound(module) {
            (format!("import {module}"), name.to_owned())
        } else if !self.is_bound(root) {
            (format!("from {module} import {root}"), inner.to_owned())
        } else if !module.starts_with('.') && !self.is_bound(module.split('.').next().unwrap_or(module)) {
            (format!("import {module}"), name.to_owned())
        } else {
            return Err(format!("`{root}` is another thing in this file than in {module}: write the example by hand"));
        };
        self.import(&line).map_err(|refusal| refusal.0)?;
        Ok(local)
    }

    fn is_bound(&self, name: &str) -> bool {
        is_bound(self.outline, name)
    }

    /// Adds an import after those that stand before the first function or class.
    fn import(&mut self, line: &str) -> Result<(), Refusal> {
        let items =
            self.outline.functions.iter().map(|one| one.item).chain(self.outline.classes.iter().map(|one| one.item));
        let first = items.map(|item| item.start).min().unwrap_or(self.text.len());
        let is_top = |import: &&Import| {
            let at = import.statement.start;
            at < first && self.line_start(at) == at
        };
        let last = self.outline.imports.iter().filter(is_top).map(|import| import.statement).next_back();
        let Some(last) = last else {
            return Err(Refusal("the file imports nothing at its top; write the example by hand".to_owned()));
        };
        let stop = self.line_stop(last.end);
        let inserted = format!("{}{line}", self.end);
        if self.edits.iter().any(|edit| edit.insert == inserted.as_bytes()) {
            return Ok(());
        }
        self.insert(stop, inserted)
    }

    /// What `@example` is called in this module; it is imported beside `@given` where it is not yet.
    fn example_name(&mut self, given: &Decorator) -> Result<String, Refusal> {
        if let Some(front) = given.called.strip_suffix("given").filter(|front| front.ends_with('.')) {
            return Ok(format!("{front}example"));
        }
        let imports = &self.outline.imports;
        if let Some(known) = written(imports, "hypothesis.example") {
            return Ok(known);
        }
        let is_star = |import: &&Import| import.module == "hypothesis" && import.name.as_deref() == Some("*");
        if imports.iter().any(|import| is_star(&import)) {
            return Ok("example".to_owned());
        }
        if self.is_bound("example") {
            if self.is_bound("hypothesis") {
                return Err(Refusal("`example` is another thing in this file; write the example by hand".to_owned()));
            }
            self.import("import hypothesis")?;
            return Ok("hypothesis.example".to_owned());
        }
        let beside: Vec<&Import> =
            imports.iter().filter(|import| import.module == "hypothesis" && import.name.is_some()).collect();
        let own = beside.iter().find(|import| import.name.as_deref() == Some("given")).or(beside.first()).copied();
        let Some(own) = own else {
            self.import("from hypothesis import example")?;
            return Ok("example".to_owned());
        };
        let names: Vec<&Import> = beside.into_iter().filter(|import| import.statement == own.statement).collect();
        let next = names.iter().find(|import| import.name.as_deref().is_some_and(|name| name > "example"));
        let (at, inserted) = match next {
            Some(next) => (next.span.start, format!("example,{}", self.gap(next.span))),
            None => {
                let last = names.last().map_or(own.span, |import| import.span);
                (last.end, format!(",{}example", self.gap(last)))
            }
        };
        self.insert(at, inserted)?;
        Ok("example".to_owned())
    }

    /// What stands before a name of an import: a blank, or a line of its own.
    fn gap(&self, name: Span) -> String {
        let start = self.line_start(name.start);
        let indent = &self.text[start..name.start];
        if !indent.is_empty() && indent.trim().is_empty() { format!("{}{indent}", self.end) } else { " ".to_owned() }
    }

    fn line_start(&self, at: usize) -> usize {
        self.text[..at].rfind('\n').map_or(0, |line| line + 1)
    }

    /// Where the line ends that holds `at`, before what ends it.
    fn line_stop(&self, at: usize) -> usize {
        let stop = self.text[at..].find('\n').map_or(self.text.len(), |line| at + line);
        if self.text[..stop].ends_with('\r') { stop - 1 } else { stop }
    }

    fn insert(&mut self, at: usize, text: String) -> Result<(), Refusal> {
        self.edits.insert(at, text).map_err(|overlap| Refusal(overlap.to_string()))
    }
}

/// The lines of `text`, whose own indentation is of blanks, each with `indent` before it.
fn indented(text: &str, indent: &str, is_tabbed: bool) -> Vec<String> {
    let one = |line: &str| {
        let inner = line.trim_start_matches(' ');
        let (steps, rest) = ((line.len() - inner.len()) / 4, (line.len() - inner.len()) % 4);
        let own = if is_tabbed { "\t".repeat(steps) + &" ".repeat(rest) } else { " ".repeat(line.len() - inner.len()) };
        if inner.is_empty() { String::new() } else { format!("{indent}{own}{inner}") }
    };
    text.lines().map(one).collect()
}

/// The decorator of a part, and all its text.
fn read(text: &str) -> Result<(Decorator, String), Refusal> {
    let whole = format!("{text}\ndef f(): pass\n");
    let outline = module(&whole);
    let decorator = outline.and_then(|outline| outline.functions.into_iter().next()?.decorators.into_iter().next());
    let decorator =
        decorator.ok_or_else(|| Refusal("the example cannot be read again; write it by hand".to_owned()))?;
    Ok((decorator, whole))
}

/// Whether an example that stands there gives these very arguments.
fn holds(property: &Function, given: &Decorator, example: &Decorator, arguments: &[(String, String)]) -> bool {
    let names = provided(property, given, None);
    let by_place = example.arguments.iter().filter(|one| one.name.is_none()).count();
    let mut placed = names[names.len().saturating_sub(by_place)..].iter();
    let standing: Vec<(Option<&String>, &str)> =
        example.arguments.iter().map(|one| (one.name.as_ref().or_else(|| placed.next()), one.text.as_str())).collect();
    standing.len() == arguments.len()
        && arguments.iter().all(|(name, value)| {
            let same = standing.iter().find(|(own, _)| *own == Some(name));
            same.is_some_and(|(_, text)| tokens(text).is_some() && tokens(text) == tokens(value))
        })
}
