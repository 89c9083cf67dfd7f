//! The property of a failure, found in the repository: its file by the path that the run printed, else by its title; in the
//! file by suites and title; where a test runs several properties, by line.

use std::cell::RefCell;
use std::ops::RangeInclusive;
use std::rc::Rc;
use std::sync::Arc;

use memchr::memmem;

use super::calls::{Property, Titled, asserts, asserts_within, called, named, sharing, titled};
use super::read::{BETWEEN, arguments};
use super::shared::Rule;
use super::twins;
use crate::failure::{Failure, TestName};
use crate::language::typescript::code::{Code, Function, Kind};
use crate::language::typescript::import;
use crate::locate;
use crate::pin::Refusal;
use crate::repo_path::RepoPath;
use crate::source_tree::SourceTree;
use crate::span::Span;

/// A test as it stands in the repository.
pub(super) struct Found {
    /// Its file.
    pub(super) file: RepoPath,
    /// The file.
    pub(super) code: Rc<Code>,
    /// The test.
    pub(super) test: Titled,
    /// All tests and suites of the file.
    pub(super) all: Rc<Vec<Titled>>,
}

/// A call that takes examples of a property.
pub(super) struct Taker {
    /// The call.
    pub(super) property: Property,
    /// Whether it hands them on to a function that several tests may share.
    pub(super) hands_on: bool,
}

/// The test that failed.
///
/// # Errors
/// Where no file of the repository has it, or more than one test fits.
pub(super) fn find(failure: &Failure, tree: &dyn SourceTree) -> Result<Found, Refusal> {
    let file = file(failure, tree).ok_or_else(|| {
        let at = failure.location.as_ref().map_or(String::new(), |place| format!(" (the run names {})", place.file.0));
        Refusal(format!(
            "no file of this repository has the test `{}`{at}; check out the code that failed",
            failure.test
        ))
    })?;
    let bytes = tree.read(&file).unwrap_or_else(|| Arc::from(&b""[..]));
    let (code, all) = outline(&file, &bytes)?;
    let line = failure.location.as_ref().filter(|at| locate::means(&at.file, &file)).map(|at| at.line);
    let tests = named(&all, &failure.test.0);
    let test = match (chosen(&code, &tests, line), tests.len()) {
        (Some(test), _) => test.clone(),
        (None, 0) => {
            let text =
                format!("{file} has no test that the run may call `{}`; check out the code that failed", failure.test);
            return Err(Refusal(text));
        }
        (None, several) => {
            return Err(Refusal(format!(
                "{file} has {several} tests that the run may call `{}`, and it does not say which of them failed; give each a title \
                 of its own and run them again",
                failure.test
            )));
        }
    };
    Ok(Found { file, code, test, all })
}

/// The tests of a file that share a title.
pub(super) struct Namesakes {
    /// The file.
    pub(super) file: RepoPath,
    /// The lines of each, in the order in which they stand; none where one test alone has the title.
    pub(super) lines: Vec<RangeInclusive<u32>>,
}

/// The tests that have the title of the one that failed; `None` where the repository does not have its file.
pub(super) fn namesakes(failure: &Failure, tree: &dyn SourceTree) -> Option<Namesakes> {
    let file = file(failure, tree)?;
    let (code, all) = outline(&file, &tree.read(&file)?).ok()?;
    let lines = sharing(&all, &failure.test.0).into_iter().map(|one| lines(&code, code.calls[one.call].span)).collect();
    Some(Namesakes { file, lines })
}

/// So many files are remembered on a thread: the failures of a run are of few.
const REMEMBERED: usize = 32;

/// A call and the argument of it that holds options; of a function that takes none its name.
type Handed = Result<(usize, usize), String>;

/// A file that was read: its bytes, its code, and the tests in it.
type Outline = (RepoPath, Arc<[u8]>, Rc<Code>, Rc<Vec<Titled>>);

thread_local! {
    static OUTLINES: RefCell<Vec<Outline>> = const { RefCell::new(Vec::new()) };
}

/// The code of `file`, which holds `bytes`, and the tests in it: read once a thread for many failures.
fn outline(file: &RepoPath, bytes: &Arc<[u8]>) -> Result<(Rc<Code>, Rc<Vec<Titled>>), Refusal> {
    let known = OUTLINES.with_borrow(|outlines| {
        let known = outlines.iter().find(|(path, text, ..)| path == file && text == bytes);
        known.map(|(_, _, code, all)| (code.clone(), all.clone()))
    });
    if let Some(known) = known {
        return Ok(known);
    }
    let text = String::from_utf8(bytes.to_vec()).map_err(|_| Refusal(format!("{file} is not UTF-8; mend it first")))?;
    let code =
        Code::read(file.as_str(), text).ok_or_else(|| Refusal(format!("{file} cannot be read; mend it first")))?;
    let all = Rc::new(titled(&code));
    let code = Rc::new(code);
    OUTLINES.with_borrow_mut(|outlines| {
        outlines.truncate(REMEMBERED - 1);
        outlines.insert(0, (file.clone(), bytes.clone(), code.clone(), all.clone()));
    });
    Ok((code, all))
}

/// The only one of `tests`, or the one that holds `line`.
fn chosen<'a>(code: &Code, tests: &[&'a Titled], line: Option<u32>) -> Option<&'a Titled> {
    if let [one] = tests {
        return Some(one);
    }
    let holds = |one: &&&Titled| line.is_some_and(|line| lines(code, code.calls[one.call].span).contains(&line));
    let mut held = tests.iter().filter(holds);
    let first = held.next().copied()?;
    held.next().is_none().then_some(first)
}

/// The lines of `span`, from 1.
pub(super) fn lines(code: &Code, span: Span) -> RangeInclusive<u32> {
    code.line(span.start)..=code.line(span.end.saturating_sub(1))
}

/// The files whose tests a run may call `name`.
pub(super) fn files(name: &TestName, tree: &dyn SourceTree) -> Vec<RepoPath> {
    let is_source = |path: &str| super::read::is_file(path) && !path.contains("node_modules/");
    let found = tree.tracked(&is_source).into_iter();
    found.filter(|file| holds(file, name, tree) && is_in(file, name, tree)).collect()
}

/// Whether a file may have the title of the test `name`.
fn holds(file: &RepoPath, name: &TestName, tree: &dyn SourceTree) -> bool {
    let last = name.0.rsplit(BETWEEN).next().unwrap_or_default();
    let last = twins::parted(last).map_or(last, |(title, _)| title);
    super::read::is_file(file.as_str()) && tree.read(file).is_some_and(|text| has_title(&text, last))
}

fn file(failure: &Failure, tree: &dyn SourceTree) -> Option<RepoPath> {
    let holds = |file: &RepoPath| holds(file, &failure.test, tree);
    let by_path = failure.location.as_ref().and_then(|at| {
        locate::file(&at.file, tree, &holds)
            .or_else(|| locate::file(&at.file, tree, &|file| super::read::is_file(file.as_str())))
    });
    let by_title = || <[RepoPath; 1]>::try_from(files(&failure.test, tree)).ok().map(|[one]| one);
    if failure.location.is_some() { by_path } else { by_title() }
}

fn is_in(file: &RepoPath, name: &TestName, tree: &dyn SourceTree) -> bool {
    let text = tree.read(file).and_then(|bytes| String::from_utf8(bytes.to_vec()).ok());
    let code = text.and_then(|text| Code::read(file.as_str(), text));
    code.is_some_and(|code| !named(&titled(&code), &name.0).is_empty())
}

/// Whether a file may have that title: titles of tables are filled in, and reporters leave suites out, so its longest word
/// counts.
fn has_title(text: &[u8], title: &str) -> bool {
    let words = title.split(|c: char| !c.is_alphanumeric());
    let longest = words.max_by_key(|word| word.len()).unwrap_or_default();
    memmem::find(text, longest.as_bytes()).is_some() || memmem::find(text, b".each").is_some()
}

impl Found {
    /// The test's bytes.
    pub(super) fn span(&self) -> Span {
        self.code.calls[self.test.call].span
    }

    /// What runs call the test whose name is `name` here.
    pub(super) fn called<'n>(&self, name: &'n TestName) -> &'n str {
        called(&self.all, &name.0)
    }

    /// How many tests of the file have the title of the one named `name`.
    pub(super) fn namesakes(&self, name: &TestName) -> usize {
        sharing(&self.all, self.called(name)).len()
    }

    /// Whether another test of the file has its title.
    pub(super) fn has_namesakes(&self, name: &TestName) -> bool {
        self.called(name) != name.0
    }

    /// The call that takes examples of the property that failed.
    ///
    /// # Errors
    /// Where that cannot be told, or none does.
    pub(super) fn taker(&self, failure: &Failure, tree: &dyn SourceTree) -> Result<Taker, Refusal> {
        if let Some(own) = &self.test.own {
            return Ok(Taker { property: own.clone(), hands_on: false });
        }
        let line = failure.location.as_ref().filter(|at| locate::means(&at.file, &self.file)).map(|at| at.line);
        let asserts = asserts(&self.code, &self.all, &self.test);
        match asserts.as_slice() {
            [] => self.handed_on(line, tree),
            [one] => Ok(Taker { property: one.clone(), hands_on: false }),
            several => {
                let holds = |one: &&Property| {
                    line.is_some_and(|line| lines(&self.code, self.code.calls[one.call].span).contains(&line))
                };
                let takes =
                    |one: &&Property| one.arbitraries.len() == arguments::split(&failure.counterexample.text).len();
                let has = |one: &&Property| super::pin::has_example(failure, &self.code, one);
                let found = only(several, has).or_else(|| only(several, holds)).or_else(|| only(several, takes));
                match found {
                    Some(one) => Ok(Taker { property: one.clone(), hands_on: false }),
                    None => Err(Refusal(format!(
                        "`{}` runs {} properties, and the run does not say which of them failed; import a log of the same run, \
                         which names the line",
                        failure.test,
                        several.len()
                    ))),
                }
            }
        }
    }

    /// The call of the test, of several the one at `line`, that hands options on to `fc.assert` in a function of its own.
    fn handed_on(&self, line: Option<u32>, tree: &dyn SourceTree) -> Result<Taker, Refusal> {
        let span = self.span();
        let body = self.code.calls[self.test.call].arguments.last().copied().unwrap_or(span);
        let inside = |span: Span| body.start <= span.start && span.end <= body.end;
        let is_at = |at: usize| line.is_some_and(|line| self.code.line(self.code.calls[at].span.start) == line);
        let calls = self.code.calls.iter().enumerate().filter(|(_, call)| inside(call.span));
        let calls = calls.filter_map(|(at, call)| {
            let parameter = self.options_of(self.code.at(call.callee), tree)?;
            Some((at, parameter.map(|parameter| (at, parameter))))
        });
        let mut found: Vec<(usize, Handed)> = calls.collect();
        if found.len() > 1 {
            found.retain(|(at, _)| is_at(*at));
        }
        match found.into_iter().next().map(|(_, found)| found) {
            Some(Ok((call, options))) => {
                let arguments = &self.code.calls[call].arguments;
                let first = arguments.iter().copied().filter(|span| super::plain::is_arbitrary(&self.code, *span));
                let arbitraries = first.collect();
                let property = Property { call, options, is_record: false, arbitraries };
                Ok(Taker { property, hands_on: true })
            }
            Some(Err(name)) => Err(Refusal(format!(
                "the property runs in `{name}`, which other tests may share and which takes no options for fast-check; give it a \
                 parameter for them that it hands on to `fc.assert`, or pin the input by hand"
            ))),
            None => Err(Refusal(
                "the test runs its property by code that could not be followed to a call of `fc.assert`; pin it by hand".to_owned(),
            )),
        }
    }

    /// The rule that the test hands to a function which takes no options for the library.
    pub(super) fn rule(&self, failure: &Failure, tree: &dyn SourceTree) -> Option<Rule> {
        let line = failure.location.as_ref().filter(|at| locate::means(&at.file, &self.file)).map(|at| at.line);
        let span = self.span();
        let inside = |at: Span| span.start <= at.start && at.end <= span.end;
        let is_at = |at: Span| line.is_none_or(|line| lines(&self.code, at).contains(&line));
        let calls = self.code.calls.iter().enumerate().filter(|(_, call)| inside(call.span));
        let mut rules = calls.filter_map(|(at, call)| Some((is_at(call.span), self.rule_of(at, tree)?)));
        let first = rules.next()?;
        let rest: Vec<(bool, Rule)> = rules.collect();
        if rest.is_empty() {
            return Some(first.1);
        }
        let mut held = std::iter::once(first).chain(rest).filter(|(is_at, _)| *is_at);
        let (_, rule) = held.next()?;
        (line.is_some() && held.next().is_none()).then_some(rule)
    }

    /// The arbitraries among the arguments of the call that holds `rule`.
    pub(super) fn arguments_with(&self, rule: Span) -> Vec<Span> {
        let call = self.code.calls.iter().rfind(|call| call.arguments.contains(&rule));
        let others = call.map_or_else(Vec::new, |call| call.arguments.clone());
        others.into_iter().filter(|span| super::plain::is_arbitrary(&self.code, *span)).collect()
    }

    /// The rule that the call at `at` hands to its function.
    fn rule_of(&self, at: usize, tree: &dyn SourceTree) -> Option<Rule> {
        let call = &self.code.calls[at];
        let callee = self.code.at(call.callee);
        let elsewhere = match self.code.function(callee) {
            Some(_) => None,
            None => Some(import::source(&self.code, &self.file, callee, tree)?),
        };
        let (code, name) = elsewhere.as_ref().map_or((&*self.code, callee), |(_, code, name)| (code, name.as_str()));
        let function = code.function(name)?;
        let (assert, predicate) = predicate_in(code, &function)?;
        let argument = |name: &str| {
            let place = function.parameters.iter().position(|own| own == name && !own.is_empty())?;
            call.arguments.get(place).copied()
        };
        let begins = match at == self.test.call {
            true => Some(self.begins(code, &function, assert)?),
            false => None,
        };
        let function_name = callee.to_owned();
        if code.kind(predicate) == Kind::Name {
            let rule = argument(code.at(code.plain(predicate)))?;
            return Some(Rule { rule, given: Vec::new(), begins, function: function_name });
        }
        // A rule of the function's own is in no other file.
        if elsewhere.is_some() || code.kind(predicate) != Kind::Function {
            return None;
        }
        let names = code.free_names(predicate);
        let own = function.parameters.iter().filter(|name| names.contains(*name));
        let given = own.map(|name| Some((name.clone(), self.code.at(argument(name)?).to_owned())));
        Some(Rule { rule: predicate, given: given.collect::<Option<_>>()?, begins, function: function_name })
    }

    /// What begins a test in `function`, where this file can call that as well.
    fn begins(&self, code: &Code, function: &Function, assert: Span) -> Option<String> {
        let is_named = |span: &Span| function.parameters.iter().any(|name| name == code.at(*span));
        let holds = |span: Span| span.start <= assert.start && assert.end <= span.end;
        let begins = |call: &&crate::language::typescript::code::Call| {
            call.arguments.first().is_some_and(is_named) && call.arguments.iter().any(|span| holds(*span))
        };
        let callee = code.at(code.calls.iter().find(begins)?.callee);
        let root = callee.split('.').next()?;
        let is_global = |code: &Code| !code.module_names().contains(root);
        (self.code.module_names().contains(root) || is_global(code) && is_global(&self.code)).then(|| callee.to_owned())
    }

    /// Which parameter of the function called `callee` goes to `fc.assert` as its options; the function's name where none
    /// does. `None` where it is no such function.
    fn options_of(&self, callee: &str, tree: &dyn SourceTree) -> Option<Result<usize, String>> {
        let own = self.code.function(callee).and_then(|function| options_in(&self.code, &function));
        let found = own.or_else(|| {
            let (_, code, name) = import::source(&self.code, &self.file, callee, tree)?;
            options_in(&code, &code.function(&name)?)
        })?;
        Some(found.ok_or_else(|| callee.to_owned()))
    }
}

/// The only one of `all` that `is_it`.
fn only(all: &[Property], is_it: impl Fn(&&Property) -> bool) -> Option<&Property> {
    let mut found = all.iter().filter(|one| is_it(one));
    let first = found.next()?;
    found.next().is_none().then_some(first)
}

/// The only call of `fc.assert` in `function`, and what its property asks.
pub(super) fn predicate_in(code: &Code, function: &Function) -> Option<(Span, Span)> {
    let asserts = asserts_within(code, function.body);
    let [assert] = asserts.as_slice() else { return None };
    let property = code.plain(*code.calls[assert.call].arguments.first()?);
    let property = match code.kind(property) {
        Kind::Name => code.plain(code.constant(code.at(property))?),
        _ => property,
    };
    let call = code.calls.iter().find(|call| call.span == property)?;
    let is_property = ["property", "asyncProperty"].contains(&super::calls::last_name(code.at(call.callee)));
    let predicate = *call.arguments.last().filter(|_| is_property)?;
    Some((code.calls[assert.call].span, predicate))
}

/// The parameter of `function` that goes to `fc.assert` as its options, whole or spread last; `None` inside where none does.
fn options_in(code: &Code, function: &Function) -> Option<Option<usize>> {
    let asserts = asserts_within(code, function.body);
    let [assert] = asserts.as_slice() else { return if asserts.is_empty() { None } else { Some(None) } };
    let parameter = |name: &str| function.parameters.iter().position(|own| own == name && !own.is_empty());
    let Some(&options) = code.calls[assert.call].arguments.get(1) else { return Some(None) };
    if let Some(at) = parameter(code.at(code.plain(options))) {
        return Some(Some(at));
    }
    let members = code.members(options).unwrap_or_default();
    let spread =
        members.iter().rposition(|member| member.name.is_empty() && parameter(code.at(member.value)).is_some());
    let examples = members.iter().rposition(|member| member.name == "examples");
    Some(
        spread
            .filter(|at| examples.is_none_or(|examples| examples < *at))
            .and_then(|at| parameter(code.at(members[at].value))),
    )
}
