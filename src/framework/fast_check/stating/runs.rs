//! How a property is run: which arbitraries, which predicate and which options a call hands to the library, itself or through
//! a function of the repository.

use std::rc::Rc;

use super::super::calls::{Property, asserts_within, last_name};
use super::super::plain::is_arbitrary;
use super::Source;
use super::reach::shape;
use crate::language::typescript::code::{Code, Function, Kind, Member, MemberForm};
use crate::language::typescript::import;
use crate::oracle::{Clause, Input};
use crate::repo_path::RepoPath;
use crate::span::Span;

/// Longest chain of names and methods that is followed.
const DEPTH: usize = 8;

/// A piece of a file.
#[derive(Clone)]
pub(super) struct Piece {
    pub(super) code: Rc<Code>,
    pub(super) file: RepoPath,
    pub(super) span: Span,
}

/// One way in which a test runs a property.
#[derive(Clone, Default)]
pub(super) struct Run {
    /// Each arbitrary, with its name where it has one in a record.
    pub(super) arbitraries: Vec<(String, Piece)>,
    /// What is asked of each input.
    pub(super) predicate: Option<Piece>,
    /// The options.
    pub(super) options: Option<Piece>,
}

/// A function that runs properties of others.
pub(super) struct Helper {
    parameters: Vec<String>,
    runs: Vec<Run>,
}

impl Source<'_> {
    pub(super) fn piece(&self, span: Span) -> Piece {
        Piece { code: self.code.clone(), file: self.file.clone(), span }
    }

    /// The run of a test that is a property itself; `predicate` is the function it is given.
    pub(super) fn own_run(&self, own: &Property, predicate: Option<Span>) -> Run {
        let call = &self.code.calls[own.call];
        let records = call.arguments.first().and_then(|first| match self.code.kind(*first) {
            Kind::Name => self.code.members(self.code.constant(self.code.at(self.code.plain(*first)))?),
            _ => self.code.members(*first),
        });
        let names = records.filter(|_| own.is_record).unwrap_or_default().into_iter().map(|member| member.name);
        let arbitraries = own.arbitraries.iter().zip(names.chain(std::iter::repeat(String::new())));
        Run {
            arbitraries: arbitraries.map(|(span, name)| (name, self.piece(*span))).collect(),
            predicate: predicate.map(|span| self.piece(span)),
            options: call.arguments.get(own.options).map(|span| self.piece(*span)),
        }
    }

    /// The run that a call of `fc.assert` asks for.
    pub(super) fn assert_run(&self, assert: &Property) -> Run {
        run_of(&self.code, self.file, assert)
    }

    /// The runs that the call at `at` asks for through a function of the repository.
    pub(super) fn helper_runs(&self, at: usize) -> Vec<Run> {
        let call = &self.code.calls[at];
        let callee = self.code.at(call.callee);
        let is_name =
            |part: &str| !part.is_empty() && part.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '$');
        if !callee.split('.').all(is_name) {
            return Vec::new();
        }
        let known = self.helpers.borrow().get(callee).cloned();
        let helper = known.unwrap_or_else(|| {
            let found = self.helper(callee).map(Rc::new);
            self.helpers.borrow_mut().insert(callee.to_owned(), found.clone());
            found
        });
        let Some(helper) = helper else { return Vec::new() };
        let given = |piece: &Piece| self.given(&helper, &call.arguments, piece);
        let runs = helper.runs.iter().map(|run| Run {
            arbitraries: run.arbitraries.iter().flat_map(|(name, piece)| given_all(name, piece, &given)).collect(),
            predicate: run.predicate.as_ref().map(&given),
            options: run.options.as_ref().map(&given),
        });
        let mut runs: Vec<Run> = runs.collect();
        // Arbitraries that reach the library by ways that were not followed.
        if let [run] = runs.as_mut_slice()
            && run.arbitraries.is_empty()
        {
            let all = call.arguments.iter().filter(|span| is_arbitrary(&self.code, **span));
            run.arbitraries = all.map(|span| (String::new(), self.piece(*span))).collect();
        }
        runs
    }

    fn helper(&self, callee: &str) -> Option<Helper> {
        let (file, code, function) = match self.code.function(callee) {
            Some(function) => (self.file.clone(), self.code.clone(), function),
            None => {
                let (file, code, name) = import::source(&self.code, self.file, callee, self.tree)?;
                let function = code.function(&name)?;
                (file, Rc::new(code), function)
            }
        };
        let Function { span, parameters, .. } = function;
        let runs: Vec<Run> = asserts_within(&code, span).iter().map(|assert| run_of(&code, &file, assert)).collect();
        (!runs.is_empty()).then_some(Helper { parameters, runs })
    }

    /// `piece` of `helper`, or the argument that it is the parameter for.
    fn given(&self, helper: &Helper, arguments: &[Span], piece: &Piece) -> Piece {
        let name = piece.code.at(piece.code.plain(piece.span)).trim_start_matches("...");
        let at = helper.parameters.iter().position(|own| !own.is_empty() && own == name);
        at.and_then(|at| arguments.get(at)).map_or_else(|| piece.clone(), |span| self.piece(*span))
    }
}

/// The pieces that an arbitrary of a helper stands for: a list that is spread is each of its elements.
fn given_all(name: &str, piece: &Piece, given: &dyn Fn(&Piece) -> Piece) -> Vec<(String, Piece)> {
    let found = given(piece);
    let elements = found.code.elements(found.span).filter(|_| piece.code.at(piece.span).starts_with("..."));
    match elements {
        Some(elements) => elements.into_iter().map(|span| (String::new(), Piece { span, ..found.clone() })).collect(),
        None => vec![(name.to_owned(), found)],
    }
}

fn run_of(code: &Rc<Code>, file: &RepoPath, assert: &Property) -> Run {
    let piece = |span: Span| Piece { code: code.clone(), file: file.clone(), span };
    let call = &code.calls[assert.call];
    let property = call.arguments.first().and_then(|property| property_call(code, *property, DEPTH));
    let parts = property.map(|at| code.calls[at].arguments.as_slice()).and_then(|arguments| arguments.split_last());
    let (predicate, arbitraries) = parts.map_or((None, &[][..]), |(predicate, rest)| (Some(*predicate), rest));
    Run {
        arbitraries: arbitraries.iter().map(|span| (String::new(), piece(*span))).collect(),
        predicate: predicate.map(|predicate| piece(resolved(code, predicate))),
        options: call.arguments.get(assert.options).map(|span| piece(*span)),
    }
}

/// A predicate, where it has a name the function of that name.
fn resolved(code: &Code, predicate: Span) -> Span {
    let plain = code.plain(predicate);
    let named = (code.kind(plain) == Kind::Name).then(|| code.function(code.at(plain))).flatten();
    named.map_or(predicate, |function| function.span)
}

/// The call of `fc.property` that the expression at `span` is: it stands there, is a constant, has hooks, or is what a
/// function of the file makes.
fn property_call(code: &Code, span: Span, depth: usize) -> Option<usize> {
    let depth = depth.checked_sub(1)?;
    let span = code.plain(span);
    if code.kind(span) == Kind::Name {
        return property_call(code, code.constant(code.at(span))?, depth);
    }
    let at = code.call_at(span)?;
    let callee = code.calls[at].callee;
    match last_name(code.at(callee)) {
        "property" | "asyncProperty" => Some(at),
        "beforeEach" | "afterEach" => property_call(code, code.method(callee)?.0, depth),
        _ => {
            let made = code.function(code.at(callee))?.span;
            let is_property = |(_, call): &(usize, &crate::language::typescript::code::Call)| {
                let name = last_name(code.at(call.callee));
                let inside = made.start <= call.span.start && call.span.end <= made.end;
                inside && ["property", "asyncProperty"].contains(&name)
            };
            let mut found = code.calls.iter().enumerate().filter(is_property);
            let (first, _) = found.next()?;
            found.next().is_none().then_some(first)
        }
    }
}

impl Run {
    /// What it is given: names are those of a record, or of the predicate's parameters.
    pub(super) fn inputs(&self, source: &Source<'_>) -> Vec<Input> {
        let parameters = self.predicate.as_ref().and_then(|piece| piece.code.parameters(piece.span));
        let parameters = parameters.unwrap_or_default();
        let input = |(at, (name, piece)): (usize, &(String, Piece))| Input {
            name: if name.is_empty() { parameters.get(at).cloned().unwrap_or_default() } else { name.clone() },
            generator: piece.code.normal(piece.span),
            shape: shape(&piece.code, piece.span, &piece.file, source.tree),
        };
        self.arbitraries.iter().enumerate().map(input).collect()
    }

    /// The members of its options, those of constants and spreads included; later ones count.
    fn members(&self) -> Vec<(Piece, Member)> {
        let mut found = Vec::new();
        if let Some(options) = &self.options {
            collect(options, DEPTH, &mut found);
        }
        found
    }

    /// How many cases it says it runs.
    pub(super) fn cases(&self) -> Option<u64> {
        let members = self.members();
        let (piece, runs) = members.iter().rfind(|(_, member)| member.name == "numRuns")?;
        u64::try_from(piece.code.integer(runs.value)?).ok()
    }

    /// The inputs that it runs first.
    pub(super) fn examples(&self, source: &Source<'_>) -> Vec<Clause> {
        let members = self.members();
        let Some((piece, examples)) = members.iter().rfind(|(_, member)| member.name == "examples") else {
            return Vec::new();
        };
        let value = constant(&piece.code, examples.value);
        let each = piece.code.elements(value).unwrap_or_else(|| vec![value]);
        // Of another file no line is one of this.
        let line = |span: Span| match (piece.file == *source.file, &self.options) {
            (true, _) => piece.code.line(span.start),
            (false, Some(options)) => source.code.line(options.span.start),
            (false, None) => 1,
        };
        each.into_iter().map(|span| Clause { text: piece.code.normal(span), line: line(span) }).collect()
    }

    /// What of its options, as an object of its own in this file, is said of it otherwise.
    pub(super) fn said_otherwise(&self, source: &Source<'_>) -> Vec<Span> {
        let Some(options) = self.options.as_ref().filter(|options| options.file == *source.file) else {
            return Vec::new();
        };
        let Some(members) = options.code.members(options.span) else { return Vec::new() };
        let is_said = |member: &Member| match member.name.as_str() {
            "examples" | "verbose" | "endOnFailure" | "markInterruptAsFailure" => true,
            "numRuns" => options.code.integer(member.value).is_some(),
            _ => false,
        };
        if members.iter().all(is_said) {
            return vec![options.span];
        }
        members.iter().filter(|member| is_said(member)).map(|member| member.span).collect()
    }
}

/// The value of a constant of the file, else what stands there.
fn constant(code: &Code, span: Span) -> Span {
    let plain = code.plain(span);
    let named = (code.kind(plain) == Kind::Name).then(|| code.constant(code.at(plain))).flatten();
    named.unwrap_or(span)
}

fn collect(options: &Piece, depth: usize, found: &mut Vec<(Piece, Member)>) {
    let Some(depth) = depth.checked_sub(1) else { return };
    let value = constant(&options.code, options.span);
    for member in options.code.members(value).unwrap_or_default() {
        match member.form {
            MemberForm::Spread => collect(&Piece { span: member.value, ..options.clone() }, depth, found),
            _ => found.push((options.clone(), member)),
        }
    }
}
