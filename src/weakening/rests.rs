//! What properties rest on, and what changes its meaning: test code that is gone or reads otherwise, names that are taken from
//! elsewhere or taken over by something new, and what runs before the tests.

use std::collections::BTreeSet;

use super::words::{free_names, words};
use super::{Ground, Kind, Stated, Weakening, alike, last, now};
use crate::oracle::{Known, Named, Oracle, Rule};

/// Names that stand for others are followed no further than this.
const DEEPEST: usize = 4;

/// Looks at all that properties rest on.
pub(super) struct Rests<'a, 'f> {
    pub(super) base: &'a [Stated],
    pub(super) here: &'a [Stated],
    pub(super) ground: &'a dyn Ground,
    pub(super) found: &'f mut Vec<Weakening>,
}

impl<'a> Rests<'a, '_> {
    pub(super) fn all(mut self) {
        for stated in self.base {
            let own = self.counterpart(stated);
            for support in &stated.oracle.support {
                self.of_support(stated, support, own);
            }
            if let Some(own) = own {
                let spoken = spoken(stated);
                let still = spoken_free(&own.oracle);
                for import in &stated.oracle.imports {
                    let is_spoken = spoken.contains(import.name.as_str());
                    self.of_import(stated, import, own, (&still, is_spoken));
                }
                self.of_new(stated, own, &spoken);
            }
            for run in &stated.oracle.runs {
                let is_there = alike(stated, self.here).any(|other| holds(&other.oracle.runs, run));
                if !is_there {
                    self.tell(stated, run, true, format!("`{}`, which runs before the tests, is gone", run.text));
                }
            }
        }
        for stated in self.here {
            self.of_here(stated);
        }
    }

    /// The file in whose place `stated` is now: that of its path, else the one to which what it states went.
    fn counterpart(&self, stated: &Stated) -> Option<&'a Stated> {
        let same = self.here.iter().find(|other| other.framework == stated.framework && other.file == stated.file);
        same.or_else(|| {
            let followed = stated.oracle.rules.iter().find_map(|rule| now(stated, rule, self.base, self.here));
            followed
                .map(|(place, _)| place)
                .and_then(|place| self.here.iter().find(|other| std::ptr::eq(*other, place)))
        })
    }

    fn of_support(&mut self, stated: &Stated, support: &Named, own: Option<&Stated>) {
        let same = own.map_or(&[][..], |own| &own.oracle.support).iter().filter(|one| one.name == support.name);
        let same: Vec<&Named> = same.collect();
        let is_kept = match same.is_empty() {
            true => alike(stated, self.here).any(|other| holds(&other.oracle.support, support)),
            false => same.iter().any(|one| one.text == support.text),
        };
        if is_kept
            || !same.is_empty() && self.is_only_limit(stated, called(support), DEEPEST)
            || !self.is_used(stated, support)
        {
            return;
        }
        let what = |what: &str| format!("`{}`, on which properties rest, {what}", support.name);
        match (own, same.first()) {
            (Some(own), Some(one)) => self.tell(own, one, false, what("reads otherwise")),
            _ => self.tell(stated, support, true, what("is gone")),
        }
    }

    /// Whether nothing speaks of `name` but generators, whose shapes hold all of it: what of it differs is told of them.
    fn is_only_limit(&self, stated: &Stated, name: &str, depth: usize) -> bool {
        let Some(depth) = depth.checked_sub(1) else { return false };
        let oracle = &stated.oracle;
        let says = |text: &str| words(text).any(|word| word == name);
        let of_rule = |rule: &Rule| {
            let frames = rule.inputs.iter().any(|input| says(&input.shape.frame));
            frames || says(&rule.body) || rule.around.iter().any(|one| says(&one.text))
        };
        let generators = || oracle.rules.iter().flat_map(|rule| &rule.inputs);
        let mut others = oracle.support.iter().filter(|one| called(one) != name && says(&one.text)).peekable();
        let is_said = generators().any(|input| says(&input.generator)) || others.peek().is_some();
        let is_taken = alike(stated, self.base)
            .filter(|other| other.file != stated.file)
            .any(|other| other.oracle.imports.iter().any(|import| import.name == name));
        is_said
            && !oracle.rules.iter().any(of_rule)
            && !oracle.pins.iter().any(|pin| says(&pin.text))
            && others.all(|one| self.is_only_limit(stated, called(one), depth))
            && !is_taken
    }

    /// Whether a property, a pin or other test code speaks of `support`.
    fn is_used(&self, stated: &Stated, support: &Named) -> bool {
        let Some(name) = words(&support.name).last() else { return true };
        alike(stated, self.base).any(|other| speaks(&other.oracle, name, Some(support)))
            || self.ground.speaks(stated.framework, name)
    }

    /// A name that `stated` takes from elsewhere, and what it means in `own`.
    fn of_import(
        &mut self,
        stated: &Stated,
        import: &Named,
        own: &Stated,
        (still, is_spoken): (&BTreeSet<&str>, bool),
    ) {
        let same = || own.oracle.imports.iter().filter(|one| one.name == import.name);
        let follows = |one: &Named| one.text == import.text || self.is_moved(&import.text, &one.text);
        if same().any(follows) || own.oracle.support.iter().any(|one| is_called(one, &import.name)) {
            return;
        }
        // What a file takes and does not speak of itself it may give on.
        let is_asked = || is_spoken || import.name == "*" || self.ground.speaks(stated.framework, &import.name);
        let is_new = |one: &&Named| import.name != "*" || !holds(&stated.oracle.imports, one);
        if let Some(one) = same().find(is_new).filter(|_| is_asked()) {
            let text =
                format!("`{}`, on which properties rest, was {}, and is {}", import.name, said(import), said(one));
            return self.tell(own, one, false, text);
        }
        if !is_spoken {
            return;
        }
        let is_there =
            own.oracle.imports.iter().any(|one| {
                one.name == "*" && (parent(one) == parent(import) || self.is_moved(&import.text, &one.text))
            });
        let is_spoken = still.contains(import.name.as_str()) || still.contains(format!("{}!", import.name).as_str());
        if is_spoken && !is_there {
            let text = format!("`{}`, on which properties rest, is not {} any more", import.name, said(import));
            self.tell(stated, import, true, text);
        }
    }

    fn is_moved(&self, from: &str, to: &str) -> bool {
        let (Some((from, one)), Some((to, other))) = (from.split_once('#'), to.split_once('#')) else { return false };
        (one == other || other == "*") && from != to && self.ground.moved(from, to)
    }

    /// What is new in `own` and takes a name of which something in `stated` speaks.
    fn of_new(&mut self, stated: &Stated, own: &Stated, spoken: &BTreeSet<&str>) {
        let old = &stated.oracle;
        for one in own.oracle.imports.iter().filter(|one| !holds(&old.imports, one)) {
            let is_spoken = spoken.contains(one.name.as_str()) || spoken.contains(format!("{}!", one.name).as_str());
            let was = || old.imports.iter().any(|then| then.name == one.name && !holds(&own.oracle.imports, then));
            let is_of_all = old.imports.iter().any(|then| {
                then.name == "*" && (parent(then) == parent(one) || self.ground.moved(parent(then), parent(one)))
            });
            if is_spoken
                && !was()
                && !is_of_all
                && !is_of_library(one, own.known)
                && !self.is_moved_out(stated, own, one)
            {
                let text =
                    format!("`{}` is new here, {}, and takes a name on which properties rest", one.name, said(one));
                self.tell(own, one, false, text);
            }
        }
        for one in own.oracle.support.iter().filter(|one| !holds(&old.support, one)) {
            let name = called(one);
            let was = || old.support.iter().any(|then| then.name == one.name && !holds(&own.oracle.support, then));
            let was_elsewhere = || alike(stated, self.base).any(|other| holds(&other.oracle.support, one));
            if spoken.contains(name) && !was() && !was_elsewhere() {
                let text = format!("`{}` is new here and takes a name on which properties rest", one.name);
                self.tell(own, one, false, text);
            }
        }
        for run in own.oracle.runs.iter().filter(|run| !holds(&old.runs, run)) {
            if !alike(stated, self.base).any(|other| holds(&other.oracle.runs, run)) {
                self.tell(own, run, false, format!("`{}` is new, and runs before the tests", run.text));
            }
        }
    }

    /// Whether `import` brings back what stood in `stated` itself and stands elsewhere now, just as it was.
    fn is_moved_out(&self, stated: &Stated, own: &Stated, import: &Named) -> bool {
        let then =
            stated.oracle.support.iter().filter(|one| is_called(one, &import.name) && !holds(&own.oracle.support, one));
        let stands = |one: &Named| alike(own, self.here).any(|other| holds(&other.oracle.support, one));
        then.into_iter().any(stands)
    }

    /// What a file says that was not there, or was of another path, without regard to any property in it.
    fn of_here(&mut self, stated: &Stated) {
        let then: Vec<&Stated> = alike(stated, self.base).collect();
        let is_reserved = |name: &str| name.ends_with('!') && stated.known.names.contains(&name);
        let reserved = stated.oracle.support.iter().filter(|one| is_reserved(called(one)));
        for one in reserved.filter(|one| !then.iter().any(|then| holds(&then.oracle.support, one))) {
            let is_spoken = then.iter().any(|then| then.file == stated.file && spoken(then).contains(called(one)));
            if !is_spoken {
                let text = format!("`{}` is new and takes a name by which properties assert", one.name);
                self.tell(stated, one, false, text);
            }
        }
        let is_new = !then.iter().any(|then| then.file == stated.file);
        if is_new && stated.oracle.rules.is_empty() && stated.oracle.pins.is_empty() {
            for run in stated.oracle.runs.iter().filter(|run| !then.iter().any(|then| holds(&then.oracle.runs, run))) {
                if self.ground.holds(stated.framework, stated.file.folder()) {
                    self.tell(stated, run, false, format!("`{}` is new, and runs before the tests", run.text));
                }
            }
        }
    }

    fn tell(&mut self, stated: &Stated, named: &Named, is_gone: bool, text: String) {
        let (framework, file) = (stated.framework, stated.file.clone());
        let told =
            Weakening { kind: Kind::SupportChanged, framework, test: None, file, line: named.line, is_gone, text };
        if !self.found.contains(&told) {
            self.found.push(told);
        }
    }
}

fn holds(all: &[Named], one: &Named) -> bool {
    all.iter().any(|other| other.name == one.name && other.text == one.text)
}

/// The name by which other code speaks of it.
fn called(named: &Named) -> &str {
    named.name.rsplit(['.', ' ', '>']).next().unwrap_or_default().trim()
}

fn is_called(named: &Named, name: &str) -> bool {
    called(named).trim_end_matches('!') == name
}

/// Where an import takes its name from.
fn parent(import: &Named) -> &str {
    import.text.split('#').next().unwrap_or_default()
}

fn said(import: &Named) -> String {
    match import.text.split_once('#') {
        Some((from, "")) => format!("`{from}`"),
        Some((from, name)) => format!("`{name}` of `{from}`"),
        None => format!("`{}`", import.text),
    }
}

/// Whether a name comes from a library, as it is called there.
fn is_of_library(import: &Named, known: Known) -> bool {
    let Some((from, name)) = import.text.split_once('#') else { return false };
    let root = from.split(['.', '/']).next().unwrap_or_default().split("::").next().unwrap_or_default();
    let whole = || import.name == from || known.names.contains(&import.name.as_str());
    known.libraries.contains(&root) && (name == import.name || (name.is_empty() || name == "default") && whole())
}

/// What a rule, a pin or test code says.
fn texts(oracle: &Oracle) -> impl Iterator<Item = &str> {
    let of_rules = oracle.rules.iter().flat_map(|rule| {
        let clauses = rule.asserts.iter().chain(&rule.assumes).chain(&rule.examples).chain(&rule.around);
        let generators = rule.inputs.iter().map(|input| input.generator.as_str());
        clauses.map(|clause| clause.text.as_str()).chain(generators).chain([rule.body.as_str()])
    });
    let named = oracle.pins.iter().chain(&oracle.support).chain(&oracle.runs);
    of_rules.chain(named.map(|one| one.text.as_str()))
}

/// The names of which a file speaks, those of its own tests among them, and where it has properties those they are made with.
fn spoken(stated: &Stated) -> BTreeSet<&str> {
    let oracle = &stated.oracle;
    let tests = oracle.rules.iter().map(|rule| last(&rule.test.0)).chain(oracle.pins.iter().map(|pin| last(&pin.name)));
    let mut all: BTreeSet<&str> = spoken_free(oracle);
    all.extend(tests);
    all.extend(stated.known.names.iter().filter(|_| !oracle.rules.is_empty()));
    all
}

fn spoken_free(oracle: &Oracle) -> BTreeSet<&str> {
    texts(oracle).flat_map(free_names).collect()
}

/// Whether an oracle speaks of `name`, `but` set aside.
pub(super) fn speaks(oracle: &Oracle, name: &str, but: Option<&Named>) -> bool {
    let own = but.map(|but| but.text.as_str());
    texts(oracle).filter(|text| Some(*text) != own).any(|text| words(text).any(|word| word == name))
}
