//! Writes values whose types the compiler named, for code in any place, and asks a builder for those that have no literal:
//! how such a value is built is not in its text.

use std::rc::Rc;

use super::writer::{Typed, Writer};
use crate::language::rust::format::Widths;
use crate::language::rust::items::{Items, ModuleId, Namespace, Target};
use crate::language::rust::types::{Inference, Scope, Standard, Type};
use crate::repo_path::RepoPath;
use crate::value::Value;

/// What a module indents its code by.
const STEP: &str = "    ";

/// A place that code can stand in.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// The file.
    pub file: RepoPath,
    /// The inline modules around it.
    pub modules: Vec<String>,
}

/// How the types of other packages are written, of which only a build can tell whether it is right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Guess {
    /// Not at all.
    Nothing,
    /// As a name at the root of their package, where most are handed on.
    AtRoot,
    /// By the path that the compiler names.
    AsDefined,
}

/// Builds values that have no literal.
pub trait Builder {
    /// An expression for `value` of type `ty`, for the place of `pen`. `None` where it knows nothing of that value.
    fn build(&self, value: &Value, ty: &Type, pen: &Pen<'_>) -> Option<Result<String, String>>;

    /// How far it has come: a builder may use each thing it knows but once.
    fn mark(&self) -> usize;

    /// Takes back what was used since a mark.
    fn back_to(&self, mark: usize);

    /// The name that the compiler gives to the crate that is written for.
    fn crate_name(&self) -> &str;

    /// How far it goes for types of other packages.
    fn guess(&self) -> Guess;
}

/// Where a writer stands, and whom it asks.
#[derive(Clone)]
pub(super) struct Desk<'a> {
    pub(super) builder: &'a dyn Builder,
    pub(super) place: Rc<Place>,
    widths: Rc<Widths>,
}

/// Writes expressions for one place.
pub struct Pen<'w>(pub(super) &'w Writer<'w>);

/// Runs `work` with a pen for `place`.
pub(super) fn with<T>(
    place: &Place,
    items: &Items<'_>,
    builder: &dyn Builder,
    work: impl FnOnce(&Pen<'_>) -> Result<T, String>,
) -> Result<T, String> {
    at(place, &Inference::new(items), builder, work)
}

fn at<T>(
    place: &Place,
    inference: &Inference<'_>,
    builder: &dyn Builder,
    work: impl FnOnce(&Pen<'_>) -> Result<T, String>,
) -> Result<T, String> {
    let module = inference.items.module_in(&place.file, &place.modules);
    let module = module.ok_or_else(|| format!("`{}` is not code that can be read", place.file))?;
    let mut writer = Writer::new(inference, module);
    let widths = inference.items.widths(&place.file).behind(&STEP.repeat(place.modules.len()));
    writer.desk = Some(Desk { builder, place: Rc::new(place.clone()), widths: Rc::new(widths) });
    work(&Pen(&writer))
}

impl Pen<'_> {
    /// The place it writes for.
    pub fn place(&self) -> Option<&Place> {
        self.0.desk.as_ref().map(|desk| &*desk.place)
    }

    /// Runs `work` with a pen for another place.
    ///
    /// # Errors
    /// What `work` says, or that the place is not code that can be read.
    pub fn elsewhere<T>(&self, place: &Place, work: impl FnOnce(&Pen<'_>) -> Result<T, String>) -> Result<T, String> {
        let desk = self.0.desk.as_ref().ok_or_else(|| "nobody is there to ask".to_owned())?;
        at(place, self.0.inference, desk.builder, work)
    }

    /// The value that prints as `text`, of the type that the compiler or the source calls `ty`, as an expression that begins
    /// at `column` of a function's body.
    ///
    /// # Errors
    /// Why there is no expression for it.
    pub fn expression(&self, text: &str, ty: &str, column: usize) -> Result<String, String> {
        let code = self.0.expression(&Value::parse(text), &self.named_type(ty), Typed::Itself)?;
        Ok(self.0.desk.as_ref().map_or_else(|| code.flat(), |desk| code.laid_out(column, &desk.widths)))
    }

    /// The type that the compiler calls `ty`, as code says it here.
    pub fn type_code(&self, ty: &str) -> Option<String> {
        self.0.type_name(&self.named_type(ty)).ok()
    }

    /// Whether a value of the repository's own type `ty` prints all that it holds.
    pub fn prints_all(&self, ty: &Type) -> bool {
        matches!(ty, Type::Own(own, _) if self.0.untrusted(own).is_none())
    }

    /// Whether the compiler calls a type of the repository itself `ty`, one without arguments.
    pub fn is_plain_own(&self, ty: &str) -> bool {
        matches!(self.named_type(ty), Type::Own(_, arguments) if arguments.is_empty())
    }

    /// The function that the compiler calls `path`, as code says it here.
    pub fn function(&self, path: &str) -> Option<String> {
        if let Some((ty, name)) = of_generic(path) {
            return Some(format!("<{}>::{name}", self.type_code(ty)?));
        }
        let names: Vec<String> = self.as_written(path).split("::").map(str::to_owned).collect();
        self.short_path(self.0.at, &names, Namespace::Values)
    }

    /// The path here to the module of `place`, where it is of this crate and may be named.
    pub fn module_path(&self, place: &Place) -> Option<String> {
        let items = self.0.inference.items;
        items.path_to_module(items.module_in(&place.file, &place.modules)?, self.0.at)
    }

    /// The path here to what `names` leads to in `module`; `None` where that cannot be told.
    pub(super) fn short_path(&self, module: ModuleId, names: &[String], namespace: Namespace) -> Option<String> {
        let items = self.0.inference.items;
        for end in (1..=names.len()).rev() {
            let namespace = if end == names.len() { namespace } else { Namespace::Types };
            let path = match items.resolve(module, &names[..end], namespace) {
                Some(Target::Definition(definition)) => items.path_to(&definition, self.0.at)?,
                Some(Target::Foreign(path)) => foreign(&path),
                _ => continue,
            };
            return Some([&[path], &names[end..]].concat().join("::"));
        }
        None
    }

    fn named_type(&self, ty: &str) -> Type {
        let Ok(written) = syn::parse_str::<syn::Type>(&self.as_written(ty)) else { return Type::Unknown };
        self.0.inference.written(&written, &Scope::new(self.0.at))
    }

    /// A compiler's name with paths as source could have them: by the public path of what is standard, and from `crate` on
    /// for what is of this crate.
    fn as_written(&self, name: &str) -> String {
        let own = self.0.desk.as_ref().map_or("", |desk| desk.builder.crate_name());
        let is_path = |c: char| c.is_alphanumeric() || c == '_' || c == ':';
        let mut out = String::new();
        let mut rest = name;
        while !rest.is_empty() {
            let end = rest.find(|c| !is_path(c)).unwrap_or(rest.len());
            out.push_str(&public(&rest[..end], own));
            let after = rest[end..].find(is_path).map_or(rest.len(), |more| end + more);
            out.push_str(&rest[end..after]);
            rest = &rest[after..];
        }
        out
    }
}

/// One path of a compiler's name.
fn public(path: &str, own: &str) -> String {
    let Some((first, _)) = path.split_once("::") else { return path.to_owned() };
    match path.rsplit("::").next() {
        Some(last) if ["std", "core", "alloc"].contains(&first) => {
            Standard::named(last).map_or_else(|| path.to_owned(), Standard::full_path)
        }
        Some(_) if first == own => format!("crate{}", &path[first.len()..]),
        _ => path.to_owned(),
    }
}

/// The type and the name in the compiler's name of a function that a type with arguments has.
fn of_generic(path: &str) -> Option<(&str, &str)> {
    let (ty, name) = path.rsplit_once("::").filter(|(ty, name)| ty.ends_with('>') && !name.ends_with('>'))?;
    let Some(inside) = ty.strip_prefix('<') else { return Some((ty, name)) };
    // `<Type as Trait>`.
    Some((inside.rsplit_once(" as ")?.0, name))
}

/// A path into another package: what the prelude brings by its last name.
fn foreign(path: &[String]) -> String {
    match Standard::of(path) {
        Some(standard) => standard.path(),
        None => path.join("::"),
    }
}
