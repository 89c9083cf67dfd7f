//! Structs and enums of the repository.

use std::rc::Rc;

use syn::visit::Visit;
use syn::{Attribute, Fields, Meta};

use super::layout::{Code, Group};
use super::writer::{Expression, Typed, Writer, mismatch};
use crate::language::rust::items::{ModuleId, Namespace, Target, What, plain, raw};
use crate::language::rust::types::{Own, Type};
use crate::value::Value;

impl Writer<'_> {
    /// A struct or a variant of an enum.
    pub(super) fn own(&self, value: &Value, own: &Own, arguments: &[Type], typed: Typed) -> Expression {
        let (Value::Word(name) | Value::Call { name, .. } | Value::Record { name, .. }) = value else {
            self.trusted_path(own)?;
            return Err(mismatch(value, &own.0.name));
        };
        let path = self.trusted_path(own)?;
        match &own.0.what {
            What::Struct(item) if own.0.name == *name => {
                self.check_private(own, &item.fields)?;
                self.check_exhaustive(own, &item.attrs)?;
                self.fields(value, path, own, arguments, &item.fields, typed)
            }
            What::Enum(item) => {
                let variant = item.variants.iter().find(|variant| plain(&variant.ident) == *name);
                let variant = variant.ok_or_else(|| mismatch(value, &own.0.name))?;
                self.check_exhaustive(own, &variant.attrs)?;
                let path = format!("{path}::{}", raw(name));
                self.fields(value, path, own, arguments, &variant.fields, typed)
            }
            _ => Err(mismatch(value, &own.0.name)),
        }
    }

    /// The path to a type whose values print what they hold. Told once for each type.
    fn trusted_path(&self, own: &Own) -> Result<String, String> {
        if let Some((_, known)) = self.paths.borrow().iter().find(|(known, _)| known == own) {
            return known.clone();
        }
        let path = self.untrusted(own).map_or_else(|| self.own_path(own), Err);
        self.paths.borrow_mut().push((own.clone(), path.clone()));
        path
    }

    /// Why what a type prints cannot be taken for what it holds.
    pub(super) fn untrusted(&self, own: &Own) -> Option<String> {
        let attributes = match &own.0.what {
            What::Struct(item) => &item.attrs,
            What::Enum(item) => &item.attrs,
            _ => return None,
        };
        let derived = attributes.iter().any(|attribute| self.derives_debug(&attribute.meta, own.0.module));
        (!derived)
            .then(|| format!("`{}` prints itself by code of its own, which need not show all it holds", own.0.name))
    }

    fn derives_debug(&self, attribute: &Meta, module: ModuleId) -> bool {
        let Meta::List(list) = attribute else { return false };
        let parts = list.parse_args_with(syn::punctuated::Punctuated::<Meta, syn::Token![,]>::parse_terminated);
        let parts: Vec<Meta> = parts.map(|parts| parts.into_iter().collect()).unwrap_or_default();
        if list.path.is_ident("cfg_attr") {
            return parts.iter().skip(1).any(|part| self.derives_debug(part, module));
        }
        list.path.is_ident("derive") && parts.iter().any(|part| self.is_standard_debug(part.path(), module))
    }

    /// Whether a derive is the standard one, not another package's of that name.
    fn is_standard_debug(&self, path: &syn::Path, module: ModuleId) -> bool {
        let names: Vec<String> = path.segments.iter().map(|segment| plain(&segment.ident)).collect();
        if names.last().is_none_or(|name| name != "Debug") {
            return false;
        }
        match self.inference.items.resolve(module, &names, Namespace::Types) {
            Some(Target::Foreign(path)) => {
                path.first().is_some_and(|package| ["std", "core"].contains(&package.as_str()))
            }
            found => found.is_none() && names.len() == 1,
        }
    }

    fn check_private(&self, own: &Own, fields: &Fields) -> Result<(), String> {
        let hidden = |field: &&syn::Field| !self.inference.items.visible(&field.vis, own.0.module, self.at);
        match fields.iter().enumerate().find(|(_, field)| hidden(field)) {
            None => Ok(()),
            Some((index, field)) => {
                let name = field.ident.as_ref().map_or(index.to_string(), plain);
                Err(format!("field `{name}` of `{}` is private there", own.0.name))
            }
        }
    }

    fn check_exhaustive(&self, own: &Own, attributes: &[Attribute]) -> Result<(), String> {
        let open = attributes.iter().any(|attribute| attribute.path().is_ident("non_exhaustive"));
        if open && !self.inference.items.same_crate(own.0.module, self.at) {
            return Err(format!("`{}` is non-exhaustive in another package", own.0.name));
        }
        Ok(())
    }

    fn fields(
        &self,
        value: &Value,
        path: String,
        own: &Own,
        arguments: &[Type],
        fields: &Fields,
        typed: Typed,
    ) -> Expression {
        let types = self.field_types(value, own, arguments, fields);
        let path = path + &self.turbofish(own, arguments, fields, typed)?;
        let typing = |field: &syn::Field| if self.is_generic(own, field) { typed } else { Typed::Around };
        match (value, fields) {
            (Value::Word(_), Fields::Unit) => Ok(Code::Word(path)),
            (Value::Word(_), Fields::Named(named)) if named.named.is_empty() => Ok(Code::Word(path + " {}")),
            (Value::Call { arguments: values, .. }, Fields::Unnamed(unnamed)) if values.len() == types.len() => {
                let parts = values.iter().zip(types.iter()).zip(&unnamed.unnamed);
                let parts = parts.map(|((value, ty), field)| self.expression(value, ty, typing(field)));
                Ok(Code::group(path + "(", parts.collect::<Result<_, _>>()?, ")"))
            }
            (Value::Record { fields: values, open: false, .. }, Fields::Named(named))
                if values.len() == types.len() =>
            {
                let mut parts = Vec::new();
                for (((name, value), ty), field) in values.iter().zip(types.iter()).zip(&named.named) {
                    if field.ident.as_ref().map(plain).as_ref() != Some(name) {
                        return Err(format!("`{}` has no field `{name}` there", own.0.name));
                    }
                    let part = self.expression(value, ty, typing(field))?;
                    parts.push(Code::Named(format!("{}: ", raw(name)), Box::new(part)));
                }
                Ok(Code::Group(Group { open: path + " {", parts, close: "}".to_owned(), space: " " }))
            }
            _ => Err(mismatch(value, &own.0.name)),
        }
    }

    /// The types of the fields; told once for each name that values of a type without arguments print with.
    fn field_types(&self, value: &Value, own: &Own, arguments: &[Type], fields: &Fields) -> Rc<[Type]> {
        let (Value::Word(name) | Value::Call { name, .. } | Value::Record { name, .. }) = value else {
            return Rc::from([]);
        };
        let known = |(known, variant, _): &&super::writer::Fields| known == own && variant == name;
        if let Some((_, _, types)) = self.fields.borrow().iter().find(known) {
            return types.clone();
        }
        let types: Rc<[Type]> = self.inference.field_types(own, arguments, fields).into();
        if arguments.is_empty() && own.generics().is_empty() {
            self.fields.borrow_mut().push((own.clone(), name.clone(), types.clone()));
        }
        types
    }

    /// `::<…>` where the fields do not tell all the type's arguments.
    fn turbofish(&self, own: &Own, arguments: &[Type], fields: &Fields, typed: Typed) -> Result<String, String> {
        let names = own.generics();
        if names.is_empty() {
            return Ok(String::new());
        }
        let parameters: Vec<Type> = names.iter().cloned().map(Type::Parameter).collect();
        let types = self.inference.field_types(own, &parameters, fields);
        let is_told = |(name, argument): (&String, &Type)| match own.has_constant(name) {
            true => matches!(argument, Type::Unknown) || names_it(fields, name),
            false => types.iter().any(|ty| ty.mentions(name)),
        };
        let given = arguments.iter().chain(std::iter::repeat(&Type::Unknown));
        if typed == Typed::Around || names.iter().zip(given).all(is_told) {
            return Ok(String::new());
        }
        let arguments = arguments.iter().map(|ty| self.type_name(ty)).collect::<Result<Vec<_>, _>>()?;
        Ok(format!("::<{}>", arguments.join(", ")))
    }

    /// Whether a field's type depends on the type's arguments.
    fn is_generic(&self, own: &Own, field: &syn::Field) -> bool {
        let names = own.generics();
        if names.is_empty() {
            return false;
        }
        let parameters: Vec<Type> = names.iter().cloned().map(Type::Parameter).collect();
        let alone = Fields::Unnamed(syn::FieldsUnnamed {
            paren_token: syn::token::Paren::default(),
            unnamed: std::iter::once(field.clone()).collect(),
        });
        let types = self.inference.field_types(own, &parameters, &alone);
        types.iter().any(|ty| names.iter().any(|name| ty.mentions(name)))
    }
}

/// Whether the types of `fields` name the constant `name`.
fn names_it(fields: &Fields, name: &str) -> bool {
    struct Names<'n>(&'n str, bool);
    impl<'ast> Visit<'ast> for Names<'_> {
        fn visit_ident(&mut self, ident: &'ast syn::Ident) {
            self.1 |= plain(ident) == self.0;
        }
    }
    let mut names = Names(name, false);
    fields.iter().for_each(|field| names.visit_type(&field.ty));
    names.1
}
