//! Builds a value again as its strategy built it: the literal of what the strategy's function received, put through that
//! very function. What the function received may need building in its turn.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

use super::expression::block;
use super::form::{Style, form};
use super::standing::{Construction, Standing, standing};
use super::trace::{Event, Kind, Made, Site, Trace};
use super::value_fn::ValueFn;
use crate::framework::Attempt;
use crate::language::rust::literal::{Builder, Guess, Pen, Place};
use crate::language::rust::types::Type;
use crate::repo_path::RepoPath;
use crate::value::Value;

/// The files of the repository that a record names.
pub(super) type Sources = BTreeMap<String, (RepoPath, String)>;

/// What stands at each place that was asked for, where a strategy is made of a value or not.
pub(super) type Standings = BTreeMap<(Site, bool), Option<Rc<Standing>>>;

/// Longest list of a set's bits that is written down, in bytes.
const LONGEST_SET: usize = 1 << 15;

/// Bits from which on a list may be said in few words.
const LONG_SET: usize = 48;

/// Most events that one value is looked for in.
const MOST_LOOKED_AT: usize = 20_000;

/// One record, and what it speaks of.
#[derive(Clone, Copy)]
pub(super) struct Record<'a> {
    pub(super) trace: &'a Trace,
    pub(super) sources: &'a Sources,
    /// The text of the property's file.
    pub(super) text: &'a str,
    /// The compiler's name of the property's crate.
    pub(super) crate_name: &'a str,
    /// What code calls the library.
    pub(super) library: &'a str,
    /// What was found to give values that have no literal, to be said in `home`.
    pub(super) attempts: &'a [Attempt],
    pub(super) home: &'a Place,
}

/// Builds the values of one record, in one style.
pub(super) struct Rebuild<'a> {
    pub(super) trace: &'a Trace,
    pub(super) sources: &'a Sources,
    /// The text of the property's file.
    pub(super) text: &'a str,
    pub(super) style: Style,
    crate_name: &'a str,
    /// What code calls the library.
    library: &'a str,
    attempts: &'a [Attempt],
    home: &'a Place,
    /// The events whose function's argument is being written, innermost last.
    within: RefCell<Vec<&'a Event>>,
    used: RefCell<Vec<*const Event>>,
    standings: Rc<RefCell<Standings>>,
    /// The functions that must stand beside strategies.
    pub(super) functions: RefCell<Vec<ValueFn>>,
    /// Whether a value was built at all.
    pub(super) has_built: Cell<bool>,
}

impl<'a> Rebuild<'a> {
    /// Others of the same record may share `standings`.
    pub(super) fn new(record: Record<'a>, style: Style, standings: Rc<RefCell<Standings>>) -> Self {
        let Record { trace, sources, text, crate_name, library, attempts, home } = record;
        Rebuild {
            trace,
            sources,
            text,
            style,
            crate_name,
            library,
            attempts,
            home,
            within: RefCell::new(vec![&trace.root]),
            used: RefCell::default(),
            standings,
            functions: RefCell::default(),
            has_built: Cell::new(false),
        }
    }

    /// What stands at the place of an event, where that is in the repository.
    pub(super) fn standing(&self, event: &Event) -> Option<Standing> {
        let site = event.site.as_ref()?;
        let (_, text) = self.sources.get(&site.file)?;
        let branches = event.kind == Kind::Flat;
        let key = (site.clone(), branches);
        let known = self.standings.borrow().get(&key).cloned();
        let found = known.unwrap_or_else(|| {
            let found = standing(text, site, branches).map(Rc::new);
            self.standings.borrow_mut().insert(key, found.clone());
            found
        });
        found.map(|found| (*found).clone())
    }

    /// The place of an event.
    pub(super) fn place(&self, event: &Event, standing: &Standing) -> Option<Place> {
        let (file, _) = self.sources.get(&event.site.as_ref()?.file)?;
        Some(Place { file: file.clone(), modules: standing.modules.clone() })
    }

    /// The texts in which the strategy of `event` may be called: the property's file, and its own.
    pub(super) fn texts(&self, event: &Event) -> [&'a str; 2] {
        let own = event.site.as_ref().and_then(|site| self.sources.get(&site.file));
        [self.text, own.map_or("", |(_, text)| text.as_str())]
    }

    /// What the function of `event` received, as an expression for the place of `pen` that is bound to `pattern`.
    pub(super) fn received(&self, event: &'a Event, pattern: &str, pen: &Pen<'_>) -> Result<String, String> {
        self.within.borrow_mut().push(event);
        let written = pen.expression(&event.received.text, &event.received.ty, column(pattern));
        self.within.borrow_mut().pop();
        written
    }

    /// The first event, nearest ones first, that gave `value` and is not used yet.
    fn giving(&self, value: &Value, name: Option<&str>, wanted: impl Fn(&Event) -> bool) -> Option<&'a Event> {
        let text = value.compact();
        let mut waiting: Vec<&'a Event> = self.within.borrow().last().map(|event| event.children.iter().collect())?;
        let mut next = 0;
        while next < waiting.len().min(MOST_LOOKED_AT) {
            let event = waiting[next];
            let fits = wanted(event)
                && name.is_none_or(|name| last_name(&event.gave.ty) == name)
                && Value::parse(&event.gave.text).compact() == text;
            if fits && !self.used.borrow().contains(&std::ptr::from_ref(event)) {
                return Some(event);
            }
            waiting.extend(&event.children);
            next += 1;
        }
        None
    }

    fn built(&self, event: &'a Event, pen: &Pen<'_>) -> Result<String, String> {
        self.used.borrow_mut().push(std::ptr::from_ref(event));
        self.has_built.set(true);
        let standing = self.standing(event).ok_or_else(|| "what built it is not in the repository".to_owned())?;
        form(self, event, &standing, pen)
    }

    /// A set of bits, by the trait that the library knows it by.
    fn set(&self, event: &Event, pen: &Pen<'_>) -> Result<String, String> {
        let Made { text, ty } = &event.gave;
        let named = pen.type_code(ty).ok_or_else(|| format!("`{ty}` cannot be named there"))?;
        let bits = &event.received.text;
        if bits.len() > LONGEST_SET {
            return Err(format!("`{text}` has too many bits to be written down"));
        }
        let trait_path = format!("{}::bits::BitSetLike", self.library);
        let new = format!("<{named} as {trait_path}>::new_bitset({})", event.index);
        if bits == "[]" {
            return Ok(new);
        }
        let many = bits.matches(',').count() + 1;
        let listed = if many < LONG_SET { format!("[usize; {many}]") } else { "Vec<usize>".to_owned() };
        let bits = pen.expression(bits, &listed, column("bits"))?;
        let filled = format!("for bit in {bits} {{\n    {trait_path}::set(&mut set, bit);\n}}");
        Ok(block(&[format!("let mut set = {new};"), filled, "set".to_owned()]))
    }

    /// What was found to give `value`, for the place of `pen`.
    fn found(&self, value: &Value, name: Option<&str>, pen: &Pen<'_>) -> Option<String> {
        let (name, text) = (name?, value.compact());
        let is_it = |one: &&Attempt| one.name == name && one.recorded == text;
        let found = self.attempts.iter().find(is_it).filter(|_| pen.place() == Some(self.home))?;
        Some(found.code.clone())
    }

    /// Whether an event tells how its value is built.
    fn tells(&self, event: &Event) -> bool {
        let functional = matches!(event.kind, Kind::Map | Kind::FilterMap | Kind::Into | Kind::Select);
        functional && self.standing(event).is_some()
    }

    /// Whether an event is the choice of an arm that holds its value itself.
    fn holds(&self, event: &Event) -> bool {
        event.kind == Kind::OneOf
            && matches!(self.standing(event), Some(Standing { construction: Construction::Choice(arms, _), .. })
                if arms.get(event.index).is_some_and(|arm| held(arm).is_some()))
    }
}

impl Builder for Rebuild<'_> {
    fn build(&self, value: &Value, ty: &Type, pen: &Pen<'_>) -> Option<Result<String, String>> {
        let name = ty.own_name();
        if let Some(code) = self.found(value, name, pen) {
            self.has_built.set(true);
            return Some(Ok(code));
        }
        let told = self.giving(value, name, |event| self.tells(event));
        let set = || self.giving(value, name, |event| event.kind == Kind::Bits);
        if let (None, Some(event)) = (told, set()) {
            self.used.borrow_mut().push(std::ptr::from_ref(event));
            self.has_built.set(true);
            return Some(self.set(event, pen));
        }
        let Some(event) = told.or_else(|| self.giving(value, name, |event| self.holds(event))) else {
            let index = index(value, name, self.library)?;
            self.has_built.set(true);
            return Some(Ok(index));
        };
        Some(self.built(event, pen))
    }

    fn mark(&self) -> usize {
        self.used.borrow().len()
    }

    fn back_to(&self, mark: usize) {
        self.used.borrow_mut().truncate(mark);
    }

    fn crate_name(&self) -> &str {
        self.crate_name
    }

    fn guess(&self) -> Guess {
        self.style.guess
    }
}

/// Where the value stands in a block that binds it to `pattern`.
pub(super) fn column(pattern: &str) -> usize {
    "let  = ".len() + pattern.chars().count()
}

/// An index of the library's own, which has no constructor: made from the bytes that the generator would have drawn.
fn index(value: &Value, name: Option<&str>, library: &str) -> Option<String> {
    let Value::Call { name: printed, arguments } = value else { return None };
    let [Value::Number(number)] = &arguments[..] else { return None };
    let number: u64 = number.parse().ok().filter(|_| printed == "Index" && name == Some("Index"))?;
    Some(format!(
        "{{
    use {library}::strategy::{{Strategy, ValueTree}};
    use {library}::test_runner::{{Config, RngAlgorithm, TestRng, TestRunner}};
    let drawn = TestRng::from_seed(RngAlgorithm::PassThrough, &{number}usize.to_ne_bytes());
    let index = {library}::arbitrary::any::<{library}::sample::Index>();
    index.new_tree(&mut TestRunner::new_with_rng(Config::default(), drawn)).unwrap().current()
}}"
    ))
}

/// The expression inside the `Just(…)` of an arm.
pub(super) fn held(arm: &str) -> Option<&str> {
    let (before, inside) = arm.trim().strip_suffix(')')?.split_once('(')?;
    (before.trim().rsplit("::").next()?.trim() == "Just").then(|| inside.trim())
}

/// The last part of a compiler's name of a type, without its arguments.
fn last_name(ty: &str) -> &str {
    let name = ty.split('<').next().unwrap_or(ty);
    name.rsplit("::").next().unwrap_or(name)
}
