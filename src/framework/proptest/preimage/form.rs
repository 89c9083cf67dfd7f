//! The forms in which a construction is said again: a call of the function, the body with its one variable replaced, a block
//! that binds what the closure received, or a function of its own beside the strategy, whose names only resolve there.

use syn::Expr;

use super::captured::captured;
use super::expression::{block, expression, followed, gathered, inner, is_untyped, leaves, typed};
use super::generics::{owner, stands_for, told};
use super::rebuild::{Rebuild, held};
use super::standing::{Construction, Standing, bound, without_type};
use super::substitute::{bound_to, replaced, simple};
use super::trace::{Event, Kind};
use super::value_fn::{Owner, ValueFn};
use crate::language::rust::layout::dedented;
use crate::language::rust::literal::{Builder, Guess, Pen, Place};

/// Longest body that is said in one expression in place of its block.
const LONGEST_SHORT: usize = 120;

/// How values are built: some bodies compile in one form alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Style {
    /// Whether a body's one variable is replaced by its value where that can be.
    pub(super) short: bool,
    /// Whether blocks say the types of what they bind and give, and functions of types all that those are of.
    pub(super) typed: bool,
    /// How types of other packages are written.
    pub(super) guess: Guess,
}

/// The value that `event` gave, as an expression for the place of `pen`.
pub(super) fn form<'a>(
    rebuild: &Rebuild<'a>,
    event: &'a Event,
    standing: &Standing,
    pen: &Pen<'_>,
) -> Result<String, String> {
    let place = rebuild.place(event, standing).ok_or_else(|| "what built it is not in the repository".to_owned())?;
    let home = Home { is_here: pen.place() == Some(&place), place };
    let after = if event.kind == Kind::FilterMap { ".unwrap()" } else { "" };
    match &standing.construction {
        Construction::Conversion => {
            let ty = pen.type_code(&event.gave.ty).ok_or_else(|| format!("`{}` cannot be named", event.gave.ty))?;
            Ok(format!("{}::from({})", owner(&ty), rebuild.received(event, "", pen)?))
        }
        Construction::Function(path) => {
            let around = captured(rebuild, event, standing, path, &[], pen)?;
            let generics: Vec<_> = around.iter().filter_map(|one| stands_for(one)).collect();
            let names: Vec<String> = generics.iter().map(|(name, _)| name.clone()).collect();
            // As the source says it, or as the compiler does: an alias there may stand for what has no name here.
            let as_written = || match home.is_here {
                true => Some(path.clone()),
                false => pen.qualified(path, &names, &home.place).filter(|_| rebuild.style.short),
            };
            let whole = if rebuild.style.typed { of_whole_type(event, pen) } else { None };
            let said = || as_written().map(|path| told(&path, &generics)).or_else(|| pen.function(&event.function));
            let path = whole.or_else(said);
            match path {
                Some(path) => Ok(format!("{path}({}){after}", rebuild.received(event, "", pen)?)),
                None => Err(format!("`{}` cannot be named there", event.function)),
            }
        }
        Construction::Closure { pattern, body } => {
            Body { rebuild, event, standing, home, pattern: Some(pattern), body: &dedented(body), after }.said(pen)
        }
        Construction::Choice(parts, whole) => {
            let chosen = parts.get(event.index).map(|part| held(part).unwrap_or(part).to_owned());
            let body = chosen.unwrap_or_else(|| format!("({whole})[{}].clone()", event.index));
            Body { rebuild, event, standing, home, pattern: None, body: &dedented(&body), after }.said(pen)
        }
    }
}

/// The function of `event` by its type with all arguments, where that has any: what it is called with need not tell them.
fn of_whole_type(event: &Event, pen: &Pen<'_>) -> Option<String> {
    let said = pen.function(&event.function)?;
    said.strip_prefix('<')?.contains('<').then_some(said)
}

/// Where a construction stands.
struct Home {
    place: Place,
    /// Whether that is where it is said again.
    is_here: bool,
}

/// What a body takes from around it.
struct Around {
    /// Names that stand for a type or a literal, and for which.
    generics: Vec<(String, String)>,
    /// The statements that bring the others.
    others: Vec<String>,
}

/// A body to be said again.
struct Body<'b, 'a> {
    rebuild: &'b Rebuild<'a>,
    event: &'a Event,
    standing: &'b Standing,
    home: Home,
    /// What its parameter is bound to, where it has one.
    pattern: Option<&'b str>,
    body: &'b str,
    /// What takes the value out of what the body gives.
    after: &'static str,
}

impl Body<'_, '_> {
    fn said(&self, pen: &Pen<'_>) -> Result<String, String> {
        if self.rebuild.style.short || self.pattern.is_none() {
            let (mark, functions) = (self.rebuild.mark(), self.rebuild.functions.borrow().len());
            if let Some(short) = self.short(pen)? {
                return Ok(short);
            }
            self.rebuild.back_to(mark);
            self.rebuild.functions.borrow_mut().truncate(functions);
        }
        if self.home.is_here {
            return Ok(block(&self.lines(self.body, pen)?));
        }
        if (self.rebuild.style.short || pen.module_path(&self.home.place).is_none())
            && let Some(body) = self.said_here(pen)?
        {
            return Ok(block(&self.lines(&body, pen)?));
        }
        self.function(pen)
    }

    /// The body with its one variable replaced; `None` where it has to be a block.
    fn short(&self, pen: &Pen<'_>) -> Result<Option<String>, String> {
        let own: Vec<String> = self.pattern.map(bound).unwrap_or_default();
        let body = expression(self.body);
        if body.len() > LONGEST_SHORT || leaves(body) || syn::parse_str::<Expr>(body).is_err() {
            return Ok(None);
        }
        let Around { generics, others } = self.around(body, &own, pen)?;
        let Some(mut values) = simple(&others) else { return Ok(None) };
        if let Some(pattern) = self.pattern {
            let value = self.rebuild.received(self.event, pattern, pen)?;
            let Some(parts) = bound_to(without_type(pattern), &value) else { return Ok(None) };
            values.extend(parts);
        }
        let names: Vec<String> = values.iter().chain(&generics).map(|(name, _)| name.clone()).collect();
        let body = match self.home.is_here {
            true => Some(body.to_owned()),
            false => pen.qualified(body, &names, &self.home.place),
        };
        let said =
            body.and_then(|body| replaced(&body, &values)).map(|said| followed(&told(&said, &generics), self.after));
        match said.filter(|said| said.len() <= LONGEST_SHORT) {
            Some(said) if is_untyped(&said) => {
                Ok(pen.type_code(&self.event.gave.ty).and_then(|ty| gathered(&said, &ty)))
            }
            said => Ok(said),
        }
    }

    /// The body with the names of another place said as they are here; `None` where that cannot be, or what it takes from
    /// around has names of its own.
    fn said_here(&self, pen: &Pen<'_>) -> Result<Option<String>, String> {
        let own: Vec<String> = self.pattern.map(bound).unwrap_or_default();
        let Around { generics, others } = self.around(self.body, &own, pen)?;
        let Some(values) = simple(&others) else { return Ok(None) };
        let names: Vec<String> = values.into_iter().chain(generics).map(|(name, _)| name).chain(own).collect();
        Ok(pen.qualified(self.body, &names, &self.home.place))
    }

    /// What `body`, which has the names `own` itself, takes from around.
    fn around(&self, body: &str, own: &[String], pen: &Pen<'_>) -> Result<Around, String> {
        let all = captured(self.rebuild, self.event, self.standing, body, own, pen)?;
        let generics = all.iter().filter_map(|one| stands_for(one)).collect();
        Ok(Around { generics, others: all.into_iter().filter(|one| stands_for(one).is_none()).collect() })
    }

    /// The statements of a block that gives what `said`, the body as it is said there, gives.
    fn lines(&self, said: &str, pen: &Pen<'_>) -> Result<Vec<String>, String> {
        let own: Vec<String> = self.pattern.map(bound).unwrap_or_default();
        let mut lines = captured(self.rebuild, self.event, self.standing, self.body, &own, pen)?;
        let mut body = said.to_owned();
        if let Some(pattern) = self.pattern {
            let value = self.rebuild.received(self.event, pattern, pen)?;
            if leaves(said) {
                let typed = pen.type_code(&self.event.received.ty);
                let pattern = typed.map_or_else(|| pattern.to_owned(), |ty| format!("{}: {ty}", without_type(pattern)));
                body = format!("(|{pattern}| {said})({value}){}", self.after);
            } else {
                body = followed(&body, self.after);
                lines.push(format!("let {} = {value};", without_type(pattern)));
            }
        }
        lines.push(dedented(inner(&body)));
        let wants_type = self.rebuild.style.typed || is_untyped(&body);
        match wants_type.then(|| pen.type_code(&self.event.gave.ty)).flatten() {
            Some(ty) => Ok(typed(&lines, &ty)),
            None => Ok(lines),
        }
    }

    /// A call of a function that stands beside the strategy.
    fn function(&self, pen: &Pen<'_>) -> Result<String, String> {
        let ty = &self.event.gave.ty;
        let place = &self.home.place;
        // Where the module cannot be named, its type may be.
        let of_type = || Some((pen.type_code(ty).filter(|_| pen.is_plain_own(ty))?, Owner::Type));
        let (path, has) = pen
            .module_path(place)
            .map(|path| (path, Owner::Module))
            .or_else(of_type)
            .ok_or_else(|| format!("the module of its strategy in {} cannot be named there", place.file))?;
        let (lines, ty) = pen.elsewhere(place, |pen| {
            let ty = pen.type_code(ty).ok_or_else(|| format!("`{ty}` cannot be named beside its strategy"))?;
            Ok((self.lines(self.body, pen)?, ty))
        })?;
        let function = ValueFn::new(place.clone(), &self.event.function, &ty, &lines.join("\n"), has);
        let call = format!("{path}::{}()", function.name);
        let mut functions = self.rebuild.functions.borrow_mut();
        if !functions.contains(&function) {
            functions.push(function);
        }
        Ok(call)
    }
}
