//! What is open around the place that a walk over a Rust text has reached, and what that says of the place.

use super::walk::Function;

/// A module, a function or a call of a macro.
pub(crate) enum Scope {
    Module { name: String, docs: Vec<String> },
    Function(Function),
    Call,
}

/// Those that are open, innermost last, each with the index of the token that closes it.
#[derive(Default)]
pub(crate) struct Scopes(Vec<(usize, Scope)>);

impl Scopes {
    /// Opens `scope` up to the token at `end`.
    pub(crate) fn open(&mut self, end: usize, scope: Scope) {
        self.0.push((end, scope));
    }

    /// Closes those that end at the token `at` or before it.
    pub(crate) fn close(&mut self, at: usize) {
        while self.0.last().is_some_and(|(end, _)| *end <= at) {
            self.0.pop();
        }
    }

    /// Whether an item can stand here: in no function and no call of a macro.
    pub(crate) fn are_among_items(&self) -> bool {
        self.0.iter().all(|(_, scope)| matches!(scope, Scope::Module { .. }))
    }

    /// The names of the modules, outermost first.
    pub(crate) fn modules(&self) -> Vec<String> {
        let name = |(_, scope): &(usize, Scope)| match scope {
            Scope::Module { name, .. } => Some(name.clone()),
            Scope::Function(_) | Scope::Call => None,
        };
        self.0.iter().filter_map(name).collect()
    }

    /// What is said of the modules, innermost first.
    pub(crate) fn docs(&self) -> impl Iterator<Item = String> {
        let docs = |(_, scope): &(usize, Scope)| match scope {
            Scope::Module { docs, .. } => docs.clone(),
            Scope::Function(_) | Scope::Call => Vec::new(),
        };
        self.0.iter().rev().flat_map(docs)
    }

    /// The innermost function.
    pub(crate) fn function(&self) -> Option<Function> {
        self.0.iter().rev().find_map(|(_, scope)| match scope {
            Scope::Function(function) => Some(function.clone()),
            Scope::Module { .. } | Scope::Call => None,
        })
    }
}
