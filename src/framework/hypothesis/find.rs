//! Finds the property that a failure is of: the function that pytest or unittest ran, by its file, classes and name, or the
//! state machine whose steps were run.

use std::sync::Arc;

use crate::failure::{Failure, ForeignPath, TestName};
use crate::language::python::module::{Class, Function, Module, module};
use crate::locate;
use crate::pin::Refusal;
use crate::property::Property;
use crate::repo_path::RepoPath;
use crate::source_tree::SourceTree;
use crate::span::Span;
use crate::visible;

/// A property in its source.
#[derive(Clone, Debug)]
pub(super) struct Found {
    pub(super) file: RepoPath,
    pub(super) text: Arc<str>,
    pub(super) module: Module,
    pub(super) subject: Subject,
}

/// What states the rule.
#[derive(Clone, Debug)]
pub(super) enum Subject {
    /// A function with `@given`.
    Function(Function),
    /// A state machine.
    Machine(Class),
}

/// Finds the property of `failure`.
///
/// # Errors
/// Why it cannot be found.
pub(super) fn find(failure: &Failure, tree: &dyn SourceTree) -> Result<Found, Refusal> {
    let way = Way::of(&failure.test);
    let told = failure.location.as_ref().map(|location| location.file.clone());
    let Some(path) = told.or_else(|| way.file.map(|file| ForeignPath(file.to_owned()))) else {
        return Err(Refusal(format!("the run does not tell in which file {} stands", failure.test)));
    };
    let name = way.parts.last().copied().unwrap_or_default();
    let is_named = |file: &RepoPath| {
        let mark = if name == MACHINE_TEST { MACHINE } else { name };
        file.as_str().ends_with(".py")
            && tree.read(file).is_some_and(|text| memchr::memmem::find(&text, mark.as_bytes()).is_some())
    };
    // A test may come from another module.
    let is_there = |file: &RepoPath| file.as_str().ends_with(".py");
    let found = locate::file(&path, tree, &is_named).or_else(|| locate::file(&path, tree, &is_there));
    let Some(file) = found else {
        return Err(Refusal(format!("no file here is {} and has {name}: it may have been renamed since", path.0)));
    };
    let text = read(&file, tree)?;
    let outline =
        module(&text).ok_or_else(|| Refusal(format!("{file} is no Python that can be read; mend it first")))?;
    let line = failure.location.as_ref().map(|location| location.line);
    let subject = if name == MACHINE_TEST { machine(&outline, &way.parts) } else { None };
    let subject = subject.or_else(|| function(&outline, &way.parts, line).cloned().map(Subject::Function));
    let Some(subject) = subject else {
        let name = way.parts.last().copied().unwrap_or_default();
        if let Some((_, made)) = outline.bound.iter().rfind(|(bound, _)| bound == name) {
            let made = visible::line(made.lines().next().unwrap_or_default());
            return Err(Refusal(format!(
                "{name} is made by `{made}`, so that no example can stand on it; write a test of the input by hand"
            )));
        }
        return Err(Refusal(format!("{file} has no {}{}", way.parts.join("."), elsewhere(&outline, &way.parts))));
    };
    Ok(Found { file, text, module: outline, subject })
}

/// Where a test may stand that the module `outline` does not define, and what to do, as the rest of a sentence.
fn elsewhere(outline: &Module, parts: &[&str]) -> String {
    const BY_HAND: &str = "write a test of the input by hand";
    let name = parts.last().copied().unwrap_or_default();
    let imported = |name: &str| outline.imports.iter().rfind(|import| import.local == name);
    let class = parts.iter().rev().nth(1).copied();
    if name == MACHINE_TEST
        && let Some(class) = class
        && let Some((_, made)) = outline.bound.iter().rfind(|(bound, _)| bound == class)
        && let Some(machine) = made.strip_suffix(MACHINE).and_then(|made| made.strip_suffix('.'))
    {
        return format!(
            " of its own: the state machine `{}` stands in another module; {BY_HAND}",
            visible::line(machine)
        );
    }
    if let Some(import) = imported(parts.first().copied().unwrap_or(name)) {
        return format!(" of its own: it takes it from `{}`, whose tests others may share; {BY_HAND}", import.module);
    }
    let around = parts.split_last().map(|(_, around)| around);
    let derived = outline.classes.iter().rfind(|class| around.is_some_and(|around| class.path == around));
    if derived.is_some_and(|class| class.bases.iter().any(|base| !base.contains('='))) {
        return format!(
            " of its own: its class inherits it from another module, whose tests others may share; {BY_HAND}"
        );
    }
    ": it may have been renamed since".to_owned()
}

/// The text of a file.
///
/// # Errors
/// Where it has another encoding.
fn read(file: &RepoPath, tree: &dyn SourceTree) -> Result<Arc<str>, Refusal> {
    let bytes = tree.read(file).ok_or_else(|| Refusal(format!("{file} cannot be read")))?;
    let text = std::str::from_utf8(&bytes);
    text.map(Arc::from).map_err(|_| Refusal(format!("{file} is not UTF-8; write the example by hand")))
}

/// The function that tests of state machines are named by.
pub(super) const MACHINE_TEST: &str = "runTest";

/// What a module has that makes a test of a state machine.
pub(super) const MACHINE: &str = "TestCase";

/// The way to a test: its file, and its classes and function.
struct Way<'t> {
    file: Option<&'t str>,
    parts: Vec<&'t str>,
}

impl<'t> Way<'t> {
    fn of(test: &'t TestName) -> Self {
        let plain = test.0.split('[').next().unwrap_or_default();
        let mut parts: Vec<&str> = plain.split("::").collect();
        let file = parts.first().copied().filter(|first| first.ends_with(".py"));
        if file.is_some() {
            parts.remove(0);
        }
        Way { file, parts }
    }
}

/// Classes and function of a test, the parameters left out.
pub(super) fn parts(test: &TestName) -> Vec<&str> {
    Way::of(test).parts
}

/// The function at `parts`: of several of that name the one on `line`, else the last, which is the one that counts; a
/// method may stand in a base of its class.
pub(super) fn function<'m>(module: &'m Module, parts: &[&str], line: Option<u32>) -> Option<&'m Function> {
    let is_at = |function: &&Function| line.is_some_and(|line| (function.first_line..=function.line).contains(&line));
    let own = || module.functions.iter().filter(|function| function.path == parts);
    let found = own().find(is_at).or_else(|| own().next_back());
    found.or_else(|| inherited(module, parts, 0)).or_else(|| {
        let name = parts.last()?;
        module.functions.iter().filter(|function| function.name() == *name).find(is_at)
    })
}

/// Deeper than this no class inherits.
const DEEPEST: usize = 16;

fn inherited<'m>(module: &'m Module, parts: &[&str], depth: usize) -> Option<&'m Function> {
    let (name, around) = parts.split_last()?;
    let class = module.classes.iter().rfind(|class| class.path == around)?;
    class.bases.iter().filter(|_| depth < DEEPEST).find_map(|base| {
        let way: Vec<&str> = base.split('.').chain([*name]).collect();
        let own = module.functions.iter().rfind(|function| function.path == way);
        own.or_else(|| inherited(module, &way, depth + 1))
    })
}

/// The state machine whose test the class at `parts` is.
fn machine(module: &Module, parts: &[&str]) -> Option<Subject> {
    let class = parts.iter().rev().nth(1)?;
    let bound = module.bound.iter().rfind(|(name, _)| name == class).map(|(_, text)| text.as_str());
    let derived = module.classes.iter().rfind(|one| one.path == [*class]);
    let bases = derived.into_iter().flat_map(|one| &one.bases).map(String::as_str);
    let named = bound.into_iter().chain(bases).find_map(|text| text.strip_suffix(MACHINE)?.strip_suffix('.'));
    // unittest names the machine itself.
    let name = named.or_else(|| (*class == MACHINE).then(|| parts.iter().rev().nth(2).copied()).flatten())?;
    module.classes.iter().rfind(|one| one.path == [name]).cloned().map(Subject::Machine)
}

impl Found {
    /// What is shown of it.
    pub(super) fn property(&self, failure: &Failure, tree: &dyn SourceTree) -> Property {
        let (item, line, first_line, doc, path) = match &self.subject {
            Subject::Function(one) => (one.item, one.line, one.first_line, &one.doc, &one.path),
            Subject::Machine(one) => (one.item, one.line, one.first_line, &one.doc, &one.path),
        };
        let subject = Cited { item, doc, path };
        Property {
            file: self.file.clone(),
            line,
            span: item,
            first_line,
            text: self.text[item.range()].to_owned(),
            citations: citations(&self.text, &self.module, &subject),
            package_folder: package_folder(&self.file, tree),
            package: None,
            own_message: Some(failure.own_message.clone().unwrap_or_else(|| self.statement(failure, item))),
        }
    }

    /// The statement that failed, as it stands in the property's own lines.
    fn statement(&self, failure: &Failure, item: Span) -> String {
        let line = failure.site.as_ref().filter(|_| !failure.panicked).map(|site| site.line);
        let own = line
            .and_then(|line| line_span(&self.text, line))
            .filter(|line| item.start <= line.start && line.end <= item.end);
        own.map_or("", |line| self.text[line.range()].trim()).to_owned()
    }

    /// The line at which the property failed, where that is one of its own.
    pub(super) fn failing_line(&self, failure: &Failure) -> Option<u32> {
        let item = match &self.subject {
            Subject::Function(one) => one.item,
            Subject::Machine(one) => one.item,
        };
        let line = failure.site.as_ref().filter(|_| !failure.panicked)?.line;
        let span = line_span(&self.text, line).filter(|line| item.start <= line.start && line.end <= item.end)?;
        let shown = failure.own_message.as_deref().unwrap_or_default();
        let said = self.text[span.range()].trim();
        (!said.is_empty() && shown.starts_with(said)).then_some(line)
    }
}

/// What may cite a requirement of itself.
pub(super) struct Cited<'s> {
    pub(super) item: Span,
    pub(super) doc: &'s str,
    pub(super) path: &'s [String],
}

/// Names and comments in which a requirement may be cited: of the property, and of what encloses it.
pub(super) fn citations(text: &str, module: &Module, subject: &Cited<'_>) -> Vec<String> {
    let Cited { item, doc, path } = *subject;
    let around = module.classes.iter().filter(|class| path.len() > 1 && path.starts_with(&class.path));
    let own = [cited_by_name(path.last().map_or("", String::as_str)), cited_by_doc(doc)];
    let docs = around.map(|class| class.doc.clone());
    let cited = docs.chain(remarks(text, item.start)).chain([doc.to_owned()]).chain(own.into_iter().flatten());
    cited.filter(|said| !said.is_empty()).collect()
}

/// Words with a number that name no requirement at the beginning of a test's name.
const NO_REQUIREMENTS: [&str; 10] =
    ["case", "issue", "gh", "pr", "bug", "regression", "example", "step", "python", "py"];

/// The requirement that a test cites by its name, as `test_bill_4_spread`, whether a spec has it or not.
fn cited_by_name(name: &str) -> Option<String> {
    let mut words = name.strip_prefix("test_")?.split('_');
    let (word, number) = (words.next()?, words.next()?);
    let is_word = !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_lowercase());
    let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    let is_cited = is_word && is_number && words.next().is_some() && !NO_REQUIREMENTS.contains(&word);
    is_cited.then(|| format!("[{}-{number}]", word.to_uppercase()))
}

/// The requirement that a doc string opens with: `"""BILL-4: the parts are even."""`.
fn cited_by_doc(doc: &str) -> Option<String> {
    let said = doc.trim_matches(['"', '\'', 'r', ' ', '\n']);
    let id = said.split([':', ' ', '\n', '.', ',']).next()?;
    let (word, number) = id.rsplit_once('-')?;
    let is_word = word.starts_with(|char: char| char.is_ascii_uppercase())
        && word.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'-');
    let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    (is_word && is_number).then(|| format!("[{id}]"))
}

/// The bytes of a line, counted from 1.
fn line_span(text: &str, line: u32) -> Option<Span> {
    let mut start = 0;
    for _ in 1..line {
        start += text[start..].find('\n')? + 1;
    }
    Some(Span::new(start, start + text[start..].find('\n').unwrap_or(text.len() - start)))
}

/// The comments right above what begins at `start`.
fn remarks(text: &str, start: usize) -> Vec<String> {
    let line = text[..start].rfind('\n').map_or(0, |at| at + 1);
    let above = text[..line].lines().rev().map(str::trim);
    let mut said: Vec<String> =
        above.take_while(|line| line.starts_with('#')).map(|line| line.trim_matches(['#', ' ']).to_owned()).collect();
    said.reverse();
    said
}

/// The folder that holds what describes the package around `file`.
fn package_folder(file: &RepoPath, tree: &dyn SourceTree) -> String {
    let described = |folder: &&str| {
        let names = ["pyproject.toml", "setup.cfg", "setup.py"];
        names.iter().any(|name| RepoPath::in_folder(folder, name).is_some_and(|path| tree.exists(&path)))
    };
    let mut folders: Vec<&str> = std::iter::once("").chain(file.folders()).collect();
    folders.reverse();
    folders.into_iter().find(described).unwrap_or_default().to_owned()
}
