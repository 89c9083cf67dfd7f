//! Whether what an arbitrary makes is what its print says: instances of classes, contexts and the like print as plain objects
//! and lists, and would be other values written down so.

use std::cell::RefCell;
use std::collections::HashSet;

use crate::language::typescript::code::{Code, Kind};
use crate::language::typescript::import;
use crate::repo_path::RepoPath;
use crate::source_tree::SourceTree;
use crate::span::Span;

use super::calls::last_name;

/// Deepest chain of names that is followed.
const DEPTH: usize = 24;

/// Arbitraries whose values are no data, whatever they print.
const SPECIAL: [(&str, &str); 9] = [
    ("context", "its log is filled in by the run"),
    ("gen", "it draws its values while the property runs"),
    ("commands", "its commands are objects that are run"),
    ("asyncCommands", "its commands are objects that are run"),
    ("scheduler", "it orders what the property awaits"),
    ("func", "it is a function"),
    ("compareFunc", "it is a function"),
    ("compareBooleanFunc", "it is a function"),
    ("infiniteStream", "it is a stream"),
];

/// Classes of the language whose instances print as what makes them.
const BUILT_IN: [&str; 24] = [
    "Array",
    "ArrayBuffer",
    "BigInt64Array",
    "BigUint64Array",
    "Boolean",
    "Date",
    "Float32Array",
    "Float64Array",
    "Int16Array",
    "Int32Array",
    "Int8Array",
    "Map",
    "Number",
    "Object",
    "RegExp",
    "Set",
    "String",
    "Uint16Array",
    "Uint32Array",
    "Uint8Array",
    "Uint8ClampedArray",
    "Math",
    "JSON",
    "BigInt",
];

/// Functions of the language that make plain values of plain ones.
const FUNCTIONS: [&str; 15] = [
    "Array",
    "Array.from",
    "Array.of",
    "BigInt",
    "Boolean",
    "Buffer.from",
    "JSON.parse",
    "Number",
    "Object.assign",
    "Object.entries",
    "Object.freeze",
    "Object.fromEntries",
    "Object.keys",
    "Object.values",
    "String",
];

/// Functions that make objects of another prototype than a literal has.
const PROTOTYPES: [&str; 3] = ["Object.create", "Object.setPrototypeOf", "Reflect.construct"];

/// A file in which arbitraries stand.
pub(super) struct Source<'a> {
    /// Its code.
    pub(super) code: &'a Code,
    /// Its path.
    pub(super) file: &'a RepoPath,
    /// The repository.
    pub(super) tree: &'a dyn SourceTree,
}

/// How far it was followed what makes the values of an arbitrary.
#[derive(Clone, Copy)]
struct Walk<'w> {
    /// How many names deep it may still be followed.
    depth: usize,
    /// The functions that were looked at, by file and place.
    seen: &'w RefCell<HashSet<(RepoPath, Span)>>,
}

/// Whether an expression looks like an arbitrary: a call of the library, or a method of one.
pub(super) fn is_arbitrary(code: &Code, span: Span) -> bool {
    code.kind(span) == Kind::Call && code.at(span).starts_with("fc.")
}

impl Source<'_> {
    /// Why values of the arbitrary at `span` are never what they print; `None` where they may be.
    pub(super) fn special(&self, span: Span) -> Option<String> {
        let inside = |at: Span| span.start <= at.start && at.end <= span.end;
        let calls = self.code.calls.iter().filter(|call| inside(call.span));
        let found = calls.into_iter().find_map(|call| {
            let callee = self.code.at(call.callee);
            let (name, why) = SPECIAL.iter().find(|(name, _)| last_name(callee) == *name && callee.contains('.'))?;
            Some(format!("what `fc.{name}` makes cannot be written down: {why}"))
        });
        found.or_else(|| {
            let (code, value) = self.named(span)?;
            let source = Source { code: code.as_ref().unwrap_or(self.code), file: self.file, tree: self.tree };
            (value != span).then(|| source.special(value)).flatten()
        })
    }

    /// What the name at `span` is given, with the file it is given it in where that is another.
    fn named(&self, span: Span) -> Option<(Option<Code>, Span)> {
        if self.code.kind(span) != Kind::Name {
            return None;
        }
        let name = self.code.at(self.code.plain(span));
        if let Some(value) = self.code.constant(name) {
            return Some((None, value));
        }
        let (_, code, name) = import::source(self.code, self.file, name, self.tree)?;
        let value = code.constant(&name)?;
        Some((Some(code), value))
    }

    /// Sees that the objects that the arbitrary at `span` makes are plain ones.
    ///
    /// # Errors
    /// What makes others, or may do so.
    pub(super) fn plain(&self, span: Span) -> Result<(), String> {
        let seen = RefCell::default();
        self.is_plain(span, Walk { depth: DEPTH, seen: &seen })
    }

    fn is_plain(&self, span: Span, walk: Walk<'_>) -> Result<(), String> {
        let code = self.code;
        let span = code.plain(span);
        let depth = walk.depth.checked_sub(1).ok_or("its arbitrary is made by too many names")?;
        let walk = Walk { depth, ..walk };
        match code.kind(span) {
            Kind::Text | Kind::Number => Ok(()),
            Kind::Object => {
                let members = code.members(span).unwrap_or_default();
                members.iter().try_for_each(|member| self.is_plain(member.value, walk))
            }
            Kind::Array => {
                code.elements(span).unwrap_or_default().into_iter().try_for_each(|part| self.is_plain(part, walk))
            }
            Kind::Function => self.makes_plain(span, walk),
            Kind::Call => self.call(span, walk),
            Kind::Name => self.name(span, walk),
            Kind::Other => self.other(span),
        }
    }

    fn call(&self, span: Span, walk: Walk<'_>) -> Result<(), String> {
        let Some(call) = self.code.calls.iter().find(|call| call.span == span) else { return Err(self.untold(span)) };
        let callee = self.code.at(call.callee);
        let arguments = || call.arguments.iter().try_for_each(|argument| self.is_plain(*argument, walk));
        let name = last_name(callee);
        let is_bare = callee == "Object.create" && call.arguments.iter().all(|one| self.code.at(*one) == "null");
        if callee == format!("fc.{name}") || self.is_of_library(callee) || FUNCTIONS.contains(&callee) || is_bare {
            return arguments();
        }
        if ["map", "chain", "filter", "noShrink", "noBias"].contains(&name) {
            let before = Span::new(call.callee.start, call.callee.end.saturating_sub(name.len()));
            let object = self.receiver(before);
            self.is_plain(object, walk)?;
            return if name == "map" || name == "chain" { arguments() } else { Ok(()) };
        }
        // A function of the repository that makes an arbitrary.
        if let Some(function) = self.code.function(callee) {
            return self.makes_plain(function.span, walk);
        }
        if let Some((file, code, name)) = import::source(self.code, self.file, callee, self.tree)
            && let Some(function) = code.function(&name)
        {
            let source = Source { code: &code, file: &file, tree: self.tree };
            return source.makes_plain(function.span, walk);
        }
        Err(self.untold(span))
    }

    /// The expression before the dot that ends `span`.
    fn receiver(&self, span: Span) -> Span {
        let text = self.code.at(span).trim_end().trim_end_matches('.').trim_end_matches('?').trim_end();
        Span::new(span.start, span.start + text.len())
    }

    fn is_of_library(&self, callee: &str) -> bool {
        let root = callee.split('.').next().unwrap_or_default();
        self.code.imported().iter().any(|(local, _, module)| local == root && module.contains("fast-check"))
    }

    fn name(&self, span: Span, walk: Walk<'_>) -> Result<(), String> {
        let name = self.code.at(span);
        if ["null", "undefined", "NaN", "Infinity", "String", "Number", "Boolean", "BigInt"].contains(&name) {
            return Ok(());
        }
        if let Some(value) = self.code.constant(name) {
            return self.is_plain(value, walk);
        }
        if let Some(function) = self.code.function(name) {
            return self.makes_plain(function.span, walk);
        }
        let Some((file, code, there)) = import::source(self.code, self.file, name, self.tree) else {
            return Err(self.untold(span));
        };
        let source = Source { code: &code, file: &file, tree: self.tree };
        match (code.constant(&there), code.function(&there)) {
            (Some(value), _) => source.is_plain(value, walk),
            (None, Some(function)) => source.makes_plain(function.span, walk),
            (None, None) => Err(self.untold(span)),
        }
    }

    fn other(&self, span: Span) -> Result<(), String> {
        match self.code.made_in(span).into_iter().find(|class| !BUILT_IN.contains(&class.as_str())) {
            Some(class) => Err(made(&class)),
            None => Ok(()),
        }
    }

    /// Sees that the function at `span` makes no instances: none of a class that it names, none by code that is not there.
    fn makes_plain(&self, span: Span, walk: Walk<'_>) -> Result<(), String> {
        // One that calls itself is being looked at already.
        if !walk.seen.borrow_mut().insert((self.file.clone(), span)) {
            return Ok(());
        }
        self.other(span)?;
        let inside = |at: Span| span.start <= at.start && at.end <= span.end && at != span;
        let parameters = self.code.function_at(span).map_or_else(Vec::new, |function| function.parameters);
        for call in self.code.calls.iter().filter(|call| inside(call.span)) {
            let callee = self.code.at(call.callee);
            if parameters.iter().any(|name| name == callee) {
                continue;
            }
            let root = callee.split(['.', '(', '[']).next().unwrap_or_default();
            let of_class = root.starts_with(|c: char| c.is_ascii_uppercase()) && !BUILT_IN.contains(&root);
            let is_bare = callee == "Object.create" && call.arguments.iter().all(|one| self.code.at(*one) == "null");
            if of_class || PROTOTYPES.contains(&callee) && !is_bare {
                return Err(made(callee));
            }
            let is_own = !callee.contains('.') && !callee.contains('(');
            if is_own && !["String", "Number", "Boolean", "BigInt", "Array"].contains(&callee) {
                self.call(call.span, walk)?;
            }
        }
        Ok(())
    }

    fn untold(&self, span: Span) -> String {
        let text: String = self.code.at(span).chars().take(40).collect();
        let text = text.lines().next().unwrap_or_default();
        format!(
            "what `{text}` makes is not to be told from the source, and an instance of a class prints as a plain object"
        )
    }
}

fn made(class: &str) -> String {
    format!("it is made by `{class}`, and prints as a plain object, which is another value")
}
