//! Values that no literal holds, made by what their types offer: for each such value of an input, expressions of which a
//! build tells the one that gives it. What was found so is put into the whole input by [`super::rebuild`].

use std::cell::{Cell, RefCell};

use super::candidates::{Reading, read};
use super::trace::Made;
use crate::failure::Failure;
use crate::framework::Attempt;
use crate::framework::proptest::generators::Generators;
use crate::framework::proptest::pin::{self, Ground};
use crate::language::rust::literal::{Bound, Builder, Guess, Pen, Place, with_pen};
use crate::language::rust::types::Type;
use crate::pin::Refusal;
use crate::requirement::RequirementId;
use crate::source_tree::SourceTree;
use crate::value::Value;

/// Most values of one input that are sought.
const MOST_SOUGHT: usize = 8;

/// Most that are tried for one input.
const MOST: usize = 120;

/// Expressions for the values inside the input that `record` tells of which have no literal, and which `known` has not:
/// what gives those is used for values that hold them.
///
/// # Errors
/// Where the record is not of this failure.
pub(super) fn attempts(
    failure: &Failure,
    requirement: Option<&RequirementId>,
    record: &str,
    known: &[Attempt],
    tree: &dyn SourceTree,
    today: &str,
) -> Result<Vec<Attempt>, Refusal> {
    let Reading { found, arguments, crate_name, place, .. } = read(failure, record, tree)?;
    let ground = Ground { failure, found: &found, requirement, tree, today };
    let seeker = || Seeker {
        crate_name: crate_name.clone(),
        place: place.clone(),
        known,
        inside: Cell::new(false),
        underway: RefCell::default(),
        sought: RefCell::default(),
    };
    let work = |pen: &Pen<'_>, seeker: &Seeker<'_>| {
        for (_, Made { text, ty }) in &arguments {
            // What it says does not matter, but whom it asks.
            let _ = pen.expression(text, ty, 0);
        }
        Ok(seeker.sought.borrow().clone())
    };
    let sought = with_pen(&place, tree, &Generators, seeker, work).map_err(|refused| Refusal(refused.0))?;
    let mut attempts = Vec::new();
    for Sought { value, name, codes, doubtful } in sought {
        for code in codes.into_iter().take(MOST.saturating_sub(attempts.len())) {
            let bound = Bound { pattern: "value".to_owned(), code: code.clone() };
            let number = attempts.len() + 1;
            let Ok(print) = pin::attempt(&ground, bound, number) else { continue };
            attempts.push(Attempt { print, recorded: value.compact(), name: name.clone(), code, doubtful });
        }
    }
    Ok(attempts)
}

/// A value that has no literal.
#[derive(Clone)]
struct Sought {
    value: Value,
    name: String,
    codes: Vec<String>,
    /// Whether its type may hold more than it prints.
    doubtful: bool,
}

/// Notes the values that have no literal, and lets the pen go on.
struct Seeker<'a> {
    crate_name: String,
    place: Place,
    known: &'a [Attempt],
    /// Whether the value is wanted for making another.
    inside: Cell<bool>,
    /// The types and values whose constructions are being looked for, outermost first.
    underway: RefCell<Vec<(String, String)>>,
    sought: RefCell<Vec<Sought>>,
}

impl Builder for Seeker<'_> {
    fn build(&self, value: &Value, ty: &Type, pen: &Pen<'_>) -> Option<Result<String, String>> {
        let name = ty.own_name()?.to_owned();
        let text = value.compact();
        if let Some(known) = self.known.iter().find(|known| known.name == name && known.recorded == text) {
            return Some(Ok(known.code.clone()));
        }
        let is_sought = |sought: &Sought| sought.value == *value && sought.name == name;
        // A constructor may ask for a value of the very type it makes, be it by way of another.
        let step = (name.clone(), text.clone());
        let is_new = !self.sought.borrow().iter().any(is_sought) && !self.underway.borrow().contains(&step);
        let around = self.inside.replace(true);
        if is_new && pen.place() == Some(&self.place) && self.sought.borrow().len() < MOST_SOUGHT {
            self.underway.borrow_mut().push(step);
            let codes = pen.constructions(value, ty);
            self.underway.borrow_mut().pop();
            if !codes.is_empty() {
                let doubtful = !pen.prints_all(ty);
                self.sought.borrow_mut().push(Sought { value: value.clone(), name, codes, doubtful });
            }
        }
        self.inside.set(around);
        Some(if around { Err("it is not known yet".to_owned()) } else { Ok("()".to_owned()) })
    }

    fn mark(&self) -> usize {
        0
    }

    fn back_to(&self, _: usize) {}

    fn crate_name(&self) -> &str {
        &self.crate_name
    }

    fn guess(&self) -> Guess {
        Guess::AtRoot
    }
}
