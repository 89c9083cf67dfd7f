//! What a pin is made from that is a test of its own, and what all of those have in common: their names, the remark above
//! their lines, and values written as the module writes them. A name that is not there yet is imported in the test itself,
//! so that nothing else in the file changes.

use sha2::{Digest, Sha256};

use super::find::Found;
use super::modules::joined;
use super::names::{Names, is_bound};
use super::pin::remark;
use crate::failure::TestName;
use crate::framework::Case;
use crate::hex::hex;
use crate::language::python::imports::written;
use crate::language::python::literal::{Use, render};
use crate::pin::{Part, PartKind, Pin, Rung};
use crate::span::Span;

/// Longest line that is not broken.
pub(super) const WIDEST: usize = 88;

/// What such a pin is made from.
#[derive(Clone, Copy)]
pub(super) struct Ground<'a> {
    pub(super) case: &'a Case<'a>,
    pub(super) found: &'a Found,
}

/// A test, but for what all of them have.
pub(super) struct Test<'t> {
    /// What its name begins with.
    pub(super) front: &'t str,
    /// The classes it stands in, the outermost first.
    pub(super) classes: &'t [String],
    /// Its decorators, each with its sign.
    pub(super) marks: Vec<String>,
    pub(super) is_async: bool,
    /// Its parameters.
    pub(super) parameters: Vec<String>,
    /// Its lines.
    pub(super) lines: Vec<String>,
    pub(super) rung: Rung,
    /// What tells it from other pins of its property besides the input as printed.
    pub(super) handle: &'t str,
}

impl<'a> Ground<'a> {
    pub(super) fn body(self) -> Body<'a> {
        let names = Names::new(&self.found.file, &self.found.module, self.case.tree);
        Body { ground: self, names, imports: Vec::new() }
    }

    /// The digest of property and input by which a pin's name is the same in every run.
    fn digest(self, handle: &str) -> String {
        let failure = self.case.failure;
        let mut digest = Sha256::new();
        digest.update(failure.test.0.as_bytes());
        digest.update([0]);
        digest.update(without_addresses(&failure.counterexample.text).as_bytes());
        digest.update(handle.as_bytes());
        hex(&digest.finalize())[..7].to_owned()
    }
}

/// The lines of a test while they are written.
pub(super) struct Body<'a> {
    ground: Ground<'a>,
    names: Names<'a>,
    /// The imports that they need.
    imports: Vec<String>,
}

/// Names that tests of pins use themselves.
const TAKEN: [&str; 5] = ["drawn", "Drawn", "state", "ran", "again"];

impl Body<'_> {
    /// A value as the test writes it. Names of `bundles` are its own.
    ///
    /// # Errors
    /// What of it is no value that can be written down.
    pub(super) fn value(&mut self, text: &str, bundles: &[String]) -> Result<String, String> {
        render(text, &mut |name, is| {
            let is_own = is == Use::Value && bundles.iter().any(|one| one == name);
            if is_own { Ok(name.to_owned()) } else { self.name(name, is) }
        })
    }

    fn name(&mut self, name: &str, is: Use) -> Result<String, String> {
        let full = self.names.resolve(name, is)?;
        let own = self.ground.found;
        let of = |module: &&String| {
            full.strip_prefix(module.as_str())
                .is_some_and(|inner| joined(module, inner.trim_start_matches('.')) == full)
        };
        let Some(module) = self.names.modules.iter().filter(of).max_by_key(|module| module.len()) else {
            return Ok(full);
        };
        if let Some(known) = written(&own.module.imports, &full) {
            return Ok(known);
        }
        let inner = full[module.len()..].trim_start_matches('.');
        let root = inner.split('.').next().unwrap_or(inner);
        let line = format!("from {module} import {root}");
        let is_other = |known: &String| *known != line && known.ends_with(&format!(" import {root}"));
        let is_taken = TAKEN.contains(&root) || is_bound(&own.module, root) || self.imports.iter().any(is_other);
        let (line, local) = match (is_taken, module.starts_with('.')) {
            (false, _) => (line, inner.to_owned()),
            (true, false) => (format!("import {module}"), full.clone()),
            (true, true) => return Err(format!("`{root}` is another thing here than in {module}")),
        };
        self.import(&line);
        Ok(local)
    }

    /// Imports what a test needs besides values.
    pub(super) fn import(&mut self, line: &str) {
        if !self.imports.iter().any(|known| known == line) {
            self.imports.push(line.to_owned());
        }
    }

    /// Imports the library, where the module does not have it by its name.
    pub(super) fn import_library(&mut self) {
        if written(&self.ground.found.module.imports, "hypothesis").as_deref() != Some("hypothesis") {
            self.import("import hypothesis");
        }
    }

    /// The pin that is this test.
    pub(super) fn pin(self, test: Test<'_>) -> Pin {
        let Ground { case, found } = self.ground;
        let name = format!("{}_pin_{}", test.front, self.ground.digest(test.handle));
        let gap = if self.imports.is_empty() { Vec::new() } else { vec![String::new()] };
        let lines = std::iter::once(remark(case)).chain(self.imports).chain(gap).chain(test.lines);
        let inside = lines.flat_map(|line| line.split('\n').map(indented).collect::<Vec<_>>()).collect::<Vec<_>>();
        let kind = if test.is_async { "async def" } else { "def" };
        let head = format!("{kind} {name}({}):", test.parameters.join(", "));
        let text = test.marks.into_iter().chain([head]).chain(inside).collect::<Vec<_>>().join("\n");
        let path = test.classes.iter().map(String::as_str).chain([name.as_str()]).collect::<Vec<_>>().join("::");
        Pin {
            property: case.failure.test.clone(),
            rung: test.rung,
            test: Some(TestName(format!("{}::{path}", found.file))),
            replay: None,
            parts: vec![Part { file: found.file.clone(), kind: PartKind::Test, modules: test.classes.to_vec(), text }],
            reason: None,
            warnings: Vec::new(),
            instead: None,
        }
    }
}

/// What of the library can only be called while it runs a test, or says nothing outside of one.
const WITHIN: [&str; 5] = ["note", "event", "target", "assume", "reject"];

/// Whether what stands in `span` calls what the library only has while it runs a test.
pub(super) fn needs_library(found: &Found, span: Span) -> bool {
    let text = &found.text[span.range()];
    let known = WITHIN.iter().filter_map(|name| written(&found.module.imports, &format!("hypothesis.{name}")));
    known.into_iter().any(|name| text.contains(&format!("{name}(")))
}

/// `lines` as the library runs them: once, as one example.
pub(super) fn within_library(lines: Vec<String>) -> Vec<String> {
    let front = [
        "@hypothesis.settings(phases=[hypothesis.Phase.explicit], deadline=None)",
        "@hypothesis.example(None)",
        "@hypothesis.given(hypothesis.strategies.none())",
        "def again(_):",
    ];
    let inside = lines.iter().flat_map(|line| line.split('\n').map(indented).collect::<Vec<_>>());
    let back = ["", "again()"].map(str::to_owned);
    front.map(str::to_owned).into_iter().chain(inside).chain(back).collect()
}

/// A line of a test; one that holds nothing stays empty.
fn indented(line: &str) -> String {
    if line.is_empty() { String::new() } else { format!("    {line}") }
}

/// A call with its arguments, one a line where they are too long for one.
pub(super) fn call(called: &str, arguments: &[String]) -> String {
    let line = format!("{called}({})", arguments.join(", "));
    // It stands eight columns in at most.
    if line.chars().count() + 8 <= WIDEST || arguments.len() < 2 {
        return line;
    }
    format!("{called}(\n    {},\n)", arguments.join(",\n    "))
}

/// The text with the digits of addresses left out: another run has others.
pub(super) fn without_addresses(text: &str) -> String {
    let mut parts = text.split("0x");
    let mut plain = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        plain.push_str("0x");
        plain.push_str(part.trim_start_matches(|char: char| char.is_ascii_hexdigit()));
    }
    plain
}
