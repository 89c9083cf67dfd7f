//! Code of one module said in another: every path in it by which its own module means something becomes the path by which
//! the other names the same.

use std::collections::BTreeSet;

use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Expr, Pat};

use super::pen::{Pen, Place};
use crate::edit::Edits;
use crate::language::rust::items::{ModuleId, Namespace, Target, What, plain};

impl Pen<'_> {
    /// The expression `code`, which stands at `home` and in which `bound` are variables, as it must be said here; `None`
    /// where that cannot be told.
    pub fn qualified(&self, code: &str, bound: &[String], home: &Place) -> Option<String> {
        let expression: Expr = syn::parse_str(code).ok()?;
        let module = self.0.inference.items.module_in(&home.file, &home.modules)?;
        let mut names = Names { bound: bound.iter().cloned().collect(), code };
        names.visit_expr(&expression);
        let mut paths = Paths { pen: self, module, names: &names, code, edits: Edits::new(), lost: false };
        paths.visit_expr(&expression);
        (!paths.lost).then(|| String::from_utf8_lossy(&paths.edits.apply(code.as_bytes())).into_owned())
    }
}

/// The variables of an expression.
struct Names<'c> {
    bound: BTreeSet<String>,
    code: &'c str,
}

impl<'ast> Visit<'ast> for Names<'_> {
    fn visit_pat(&mut self, pattern: &'ast Pat) {
        if let Pat::Ident(ident) = pattern
            && self.code.get(ident.ident.span().byte_range()).is_some()
        {
            self.bound.insert(plain(&ident.ident));
        }
        visit::visit_pat(self, pattern);
    }
}

/// The paths of an expression.
struct Paths<'p, 'c> {
    pen: &'p Pen<'p>,
    module: ModuleId,
    names: &'p Names<'c>,
    code: &'c str,
    edits: Edits,
    lost: bool,
}

impl Paths<'_, '_> {
    /// A struct whose fields are private here cannot be built here.
    fn check_fields(&mut self, path: &syn::Path, namespace: Namespace) {
        let names: Vec<String> = path.segments.iter().map(|segment| plain(&segment.ident)).collect();
        let items = self.pen.0.inference.items;
        if let Some(Target::Definition(definition)) = items.resolve(self.module, &names, namespace)
            && let What::Struct(item) = &definition.what
        {
            self.lost |= !item.fields.iter().all(|field| items.visible(&field.vis, definition.module, self.pen.0.at));
        }
    }

    fn path(&mut self, path: &syn::Path, namespace: Namespace) {
        let names: Vec<String> = path.segments.iter().map(|segment| plain(&segment.ident)).collect();
        let [first, rest @ ..] = &names[..] else { return };
        let is_variable = rest.is_empty() && self.names.bound.contains(first);
        if is_variable || rest.is_empty() && ["Some", "None", "Ok", "Err"].contains(&first.as_str()) {
            return;
        }
        let (Some(last), before) = (path.segments.last(), path.segments.len() - 1) else { return };
        let is_plain = path.segments.iter().take(before).all(|segment| segment.arguments.is_none());
        let found = self.pen.short_path(self.module, &names, namespace).filter(|_| is_plain);
        match found {
            Some(said) => {
                let range = path.span().byte_range().start..last.ident.span().byte_range().end;
                let span = crate::span::Span::new(range.start, range.end);
                self.lost |= self.code.get(range) != Some(&said) && self.edits.replace(span, said).is_err();
            }
            None => self.lost |= !(is_primitive(first) && is_plain),
        }
        visit::visit_path_arguments(self, &last.arguments);
    }
}

/// Whether a name means the same everywhere.
fn is_primitive(name: &str) -> bool {
    crate::language::rust::types::Type::primitive(name).is_some()
}

impl<'ast> Visit<'ast> for Paths<'_, '_> {
    fn visit_expr_path(&mut self, path: &'ast syn::ExprPath) {
        self.lost |= path.qself.is_some();
        self.check_fields(&path.path, Namespace::Values);
        self.path(&path.path, Namespace::Values);
    }

    fn visit_expr_struct(&mut self, literal: &'ast syn::ExprStruct) {
        self.check_fields(&literal.path, Namespace::Types);
        self.path(&literal.path, Namespace::Types);
        literal.fields.iter().for_each(|field| self.visit_expr(&field.expr));
        self.lost |= literal.rest.is_some();
    }

    fn visit_type_path(&mut self, path: &'ast syn::TypePath) {
        self.lost |= path.qself.is_some();
        self.path(&path.path, Namespace::Types);
    }

    fn visit_pat(&mut self, pattern: &'ast Pat) {
        match pattern {
            Pat::Path(path) => self.path(&path.path, Namespace::Values),
            Pat::TupleStruct(inner) => {
                self.path(&inner.path, Namespace::Values);
                inner.elems.iter().for_each(|pattern| self.visit_pat(pattern));
            }
            Pat::Struct(_) | Pat::Macro(_) => self.lost = true,
            // A name may be a constant or a variant as well; those are written in capitals.
            Pat::Ident(ident) => {
                let name = plain(&ident.ident);
                self.lost |= name != "None" && name.starts_with(char::is_uppercase);
            }
            _ => visit::visit_pat(self, pattern),
        }
    }

    fn visit_macro(&mut self, _: &'ast syn::Macro) {
        self.lost = true;
    }

    fn visit_item(&mut self, _: &'ast syn::Item) {
        self.lost = true;
    }
}
