//! The names that a module imports, how to write a name of another module with them, and how to import one more in the
//! style that the module has.

use tree_sitter::Node;

use super::syntax::{Syntax, children, span};
use crate::span::Span;

/// One name that a module imports.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Import {
    /// The module, relative ones with their dots.
    pub module: String,
    /// The name taken out of it; `None` for the module itself, `*` for all.
    pub name: Option<String>,
    /// The name it has here.
    pub local: String,
    /// The statement.
    pub statement: Span,
    /// In the statement, this name with what it is called here.
    pub span: Span,
}

impl Import {
    /// The full name of what it brings.
    pub fn full(&self) -> String {
        match &self.name {
            Some(name) if self.module.ends_with('.') => format!("{}{name}", self.module),
            Some(name) => format!("{}.{name}", self.module),
            None => self.module.clone(),
        }
    }
}

/// What a statement imports.
pub(super) fn imports(syntax: &Syntax<'_>, statement: Node<'_>) -> Vec<Import> {
    let from = statement.child_by_field_name("module_name");
    let mut found = Vec::new();
    for child in children(statement) {
        if from.is_some_and(|from| from.id() == child.id()) {
            continue;
        }
        let (name, local) = match child.kind() {
            "aliased_import" => (syntax.field(child, "name"), Some(syntax.field(child, "alias"))),
            "wildcard_import" => ("*", None),
            _ => (syntax.said(child), None),
        };
        let import = match from {
            Some(from) => Import {
                module: syntax.said(from).to_owned(),
                name: Some(name.to_owned()),
                local: local.unwrap_or(name).to_owned(),
                statement: span(statement),
                span: span(child),
            },
            None => Import {
                module: name.to_owned(),
                name: None,
                local: local.unwrap_or(name).to_owned(),
                statement: span(statement),
                span: span(child),
            },
        };
        found.push(import);
    }
    found
}

/// How a module whose imports are `imports` writes the name `full`, given by its module's name and its own with dots
/// between them; `None` where none of them brings it.
pub fn written(imports: &[Import], full: &str) -> Option<String> {
    let bring = |import: &Import| {
        let rest = full.strip_prefix(&import.full())?;
        (rest.is_empty() || rest.starts_with('.')).then(|| format!("{}{rest}", import.local))
    };
    // The shortest is what the module takes out of the other most directly.
    imports.iter().filter_map(bring).min_by_key(|name| (name.matches('.').count(), name.len()))
}

#[cfg(test)]
mod tests {
    use super::written;
    use crate::language::python::module::module;

    #[test]
    fn a_name_is_written_as_the_module_imports_it() {
        let module = module(
            "import datetime as dt\nfrom datetime import date\nimport os.path\nfrom courtbook import slots, Court as C\n\
             from . import near\nfrom .far import (\n    Away,\n    Off,\n)\nfrom all import *\n",
        );
        let imports = module.unwrap().imports;
        let check =
            |full: &str, expected: Option<&str>| assert_eq!(written(&imports, full).as_deref(), expected, "{full}");
        check("datetime.date", Some("date"));
        check("datetime.timedelta", Some("dt.timedelta"));
        check("os.path.join", Some("os.path.join"));
        check("courtbook.slots.Booking", Some("slots.Booking"));
        check("courtbook.Court", Some("C"));
        check(".near.X", Some("near.X"));
        check(".far.Off", Some("Off"));
        check("decimal.Decimal", None);
        check("datetimes.x", None);
    }
}
