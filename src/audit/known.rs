//! What is known of the code around properties, and what of it makes one of them doubtful.

use std::collections::{HashMap, HashSet};

use super::claim::idle;
use super::copies::Pattern;
use super::flow::Flow;
use super::words::{Kind, Word, words};
use super::{Doubt, Function, Ground, Page, Speech};
use crate::limit;
use crate::oracle::{Named, Rule};
use crate::repo_path::RepoPath;
use crate::requirement::Requirement;

/// The code around the properties of a framework.
pub struct Known<'p> {
    speech: Speech,
    pages: &'p [Page],
    /// The functions of each name, with their files.
    functions: HashMap<&'p str, Vec<(&'p RepoPath, &'p Function)>>,
    /// What the code under test is called by.
    code: HashSet<&'p str>,
    /// The names of functions that assert, themselves or by what they call.
    asserting: HashSet<&'p str>,
    /// Bodies of the code under test.
    patterns: Vec<(&'p RepoPath, &'p Function, Pattern<'p>)>,
}

/// A property that is looked at.
#[derive(Clone, Copy)]
pub struct Subject<'r> {
    /// The property.
    pub rule: &'r Rule,
    /// Its file.
    pub file: &'r RepoPath,
    /// The test code beside it.
    pub support: &'r [Named],
    /// The requirement that it cites, where there is such a one.
    pub requirement: Option<&'r Requirement>,
}

impl<'p> Known<'p> {
    /// Whether a property speaks of a function that asserts.
    pub fn asserts_elsewhere(&self, rule: &Rule) -> bool {
        words(&rule.body, self.speech.quotes).iter().any(|word| self.asserting.contains(word.text))
    }

    /// What is known of `pages`, which are written in `speech`.
    pub fn of(pages: &'p [Page], speech: Speech) -> Known<'p> {
        let all = || pages.iter().flat_map(|page| page.functions.iter().map(move |one| (&page.file, one)));
        let mut functions: HashMap<&str, Vec<(&RepoPath, &Function)>> = HashMap::new();
        for (file, one) in all() {
            functions.entry(&one.name).or_default().push((file, one));
            if !one.owner.is_empty() {
                functions.entry(&one.owner).or_default().push((file, one));
            }
        }
        let under_test = all().filter(|(_, one)| !one.is_test);
        let mut code: HashSet<&str> = pages.iter().flat_map(|page| &page.names).map(String::as_str).collect();
        code.extend(under_test.clone().map(|(_, one)| one.name.as_str()));
        let pattern = |(file, one): (&'p RepoPath, &'p Function)| {
            Some((file, one, Pattern::of(&one.body, &one.parameters, speech.quotes)?))
        };
        let patterns = under_test.filter_map(pattern).collect();
        let asserting = asserting(all().map(|(_, one)| one), speech);
        Known { speech, pages, functions, code, asserting, patterns }
    }

    /// The grounds on which `subject` may assert nothing, as far as its source tells, in the order of their weight.
    pub fn doubts(&self, subject: Subject<'_>) -> Vec<Doubt> {
        let body = words(&subject.rule.body, self.speech.quotes);
        let reached = self.reached(subject);
        let is_whole = !self.is_given_its_rule(subject, &reached);
        let mut doubts = self.assertions(subject.rule, &body, &reached);
        doubts.extend(self.no_code(subject, &reached));
        doubts.retain(|doubt| is_whole || !matches!(doubt.ground, Ground::NoAssertion | Ground::CallsNoCode));
        doubts.extend(self.copies(subject, &body));
        doubts.extend(narrow(subject));
        if subject.requirement.is_none() {
            let text = "no requirement is cited that a spec file has".to_owned();
            doubts.push(Doubt { ground: Ground::NoRequirement, line: subject.rule.line, text });
        }
        doubts.sort_by_key(|doubt| doubt.ground);
        doubts
    }

    /// The functions of the code under test that `rule` calls itself, as far as their names tell them from others, in the
    /// order of files and lines.
    pub fn tested(&self, rule: &Rule) -> Vec<(&'p RepoPath, &'p Function)> {
        let body = words(&rule.body, self.speech.quotes);
        let is = |at: Option<usize>, text: &str| at.and_then(|at| body.get(at)).is_some_and(|word| word.is(text));
        let mut found: Vec<(&RepoPath, &Function)> = Vec::new();
        for (at, word) in body.iter().enumerate().filter(|(_, word)| word.kind == Kind::Name) {
            let before = at.checked_sub(1);
            let is_of_value = is(before, ".") || is(before, "?.");
            let named = self.functions.get(word.text).into_iter().flatten();
            let [one] = named.filter(|(_, one)| one.name == word.text).collect::<Vec<_>>()[..] else { continue };
            let is_own = one.1.owner.is_empty() || ((is_of_value || is(before, "::")) && !is_everybodys(word.text));
            if is(Some(at + 1), "(") && !one.1.is_test && is_own {
                found.push(*one);
            }
        }
        found.sort_by_key(|(file, one)| (*file, one.line));
        found.dedup();
        found
    }

    /// The names in a property and in the test code that it uses.
    fn reached<'r>(&self, subject: Subject<'r>) -> HashSet<&'r str>
    where
        'p: 'r,
    {
        let inputs = subject.rule.inputs.iter().map(|input| input.generator.as_str());
        let mut texts: Vec<&str> = inputs.chain([subject.rule.body.as_str()]).collect();
        let mut seen: HashSet<&str> = HashSet::new();
        while let Some(text) = texts.pop() {
            for word in words(text, self.speech.quotes).into_iter().filter(|word| word.kind == Kind::Name) {
                if !seen.insert(word.text) {
                    continue;
                }
                let beside = subject.support.iter().filter(|one| last(&one.name) == word.text);
                texts.extend(beside.map(|one| one.text.as_str()));
                let called = self.called(word.text, subject.file).into_iter().filter(|(_, one)| one.is_test);
                texts.extend(called.map(|(_, one)| one.body.as_str()));
            }
        }
        seen
    }

    /// The functions that `name` may mean in `file`: its own, where it has one of that name.
    fn called(&self, name: &str, file: &RepoPath) -> Vec<(&'p RepoPath, &'p Function)> {
        let all = self.functions.get(name).map(Vec::as_slice).unwrap_or_default();
        let own: Vec<_> = all.iter().copied().filter(|(of, _)| *of == file).collect();
        if own.is_empty() { all.to_vec() } else { own }
    }

    /// Whether the property stands in a function that is given what it is about: that says nothing of what it asserts.
    fn is_given_its_rule(&self, subject: Subject<'_>, reached: &HashSet<&str>) -> bool {
        let own = self.pages.iter().filter(|page| page.file == *subject.file).flat_map(|page| &page.functions);
        let span = subject.rule.span;
        let mut around = own.filter(|one| one.span.start <= span.start && span.end <= one.span.end);
        around.any(|one| one.parameters.iter().any(|name| reached.contains(name.as_str())))
    }

    fn assertions(&self, rule: &Rule, body: &[Word<'_>], reached: &HashSet<&str>) -> Vec<Doubt> {
        let by_others = |word: &Word<'_>| word.kind == Kind::Name && self.asserting.contains(word.text);
        let is_asserted_elsewhere = reached.iter().any(|name| self.asserting.contains(name));
        let doubt = |ground, line, text: String| vec![Doubt { ground, line, text }];
        let [first, ..] = rule.asserts.as_slice() else {
            let text = "no assertion stands in it or in what it calls here: only code that panics or throws fails it";
            return match is_asserted_elsewhere {
                true => Vec::new(),
                false => doubt(Ground::NoAssertion, rule.line, text.to_owned()),
            };
        };
        let clauses: Vec<Vec<Word<'_>>> =
            rule.asserts.iter().map(|clause| words(&clause.text, self.speech.quotes)).collect();
        let idle: Option<Vec<&str>> = clauses.iter().map(|clause| idle(clause)).collect();
        if let Some(why) = idle.filter(|_| !is_asserted_elsewhere) {
            let (text, why) = (first.text.replace("> =", ">="), why.first().copied().unwrap_or_default());
            let which = if rule.asserts.len() == 1 { "its only assertion" } else { "each of its assertions" };
            return doubt(Ground::CannotFail, first.line, format!("{which} holds whatever comes: `{text}` {why}"));
        }
        let begins = |at: usize| {
            let is_clause = |clause: &Vec<Word<'_>>| {
                let there = body.get(at..at + clause.len()).unwrap_or_default();
                !clause.is_empty() && there.iter().map(|word| word.text).eq(clause.iter().map(|word| word.text))
            };
            by_others(&body[at]) || clauses.iter().any(is_clause)
        };
        let marks: Vec<bool> = (0..body.len()).map(begins).collect();
        // Where nothing of it is found, the body is written in a way that is not known here.
        let declared = body.iter().filter(|word| word.is("def") || word.is("fn")).count();
        let flow = Flow { words: body, marks: &marks, has_bracketed_conditions: self.speech.has_bracketed_conditions };
        match marks.contains(&true) && declared < 2 && flow.may_assert_nothing() {
            true => {
                let text = "an input may come by no assertion: one way through it leaves them out".to_owned();
                doubt(Ground::AssertionInBranch, first.line, text)
            }
            false => Vec::new(),
        }
    }

    /// Whether neither the property nor the test code that it uses names anything of the code under test.
    fn no_code(&self, subject: Subject<'_>, reached: &HashSet<&str>) -> Option<Doubt> {
        let page = self.pages.iter().find(|page| page.file == *subject.file);
        let outside: HashSet<&str> = page.iter().flat_map(|page| &page.outside).map(String::as_str).collect();
        let is_code = |name: &&str| self.code.contains(name) || outside.contains(name) || STARTS.contains(name);
        if self.code.is_empty() || outside.contains("*") || reached.iter().any(is_code) {
            return None;
        }
        let text = "nothing of the code under test is named in it or in the test code that it uses".to_owned();
        Some(Doubt { ground: Ground::CallsNoCode, line: subject.rule.line, text })
    }

    /// The first function whose body stands in the property, or in a test's function that it calls.
    fn copies(&self, subject: Subject<'_>, body: &[Word<'_>]) -> Option<Doubt> {
        let line = subject.rule.line;
        if let Some((file, copied)) = self.copied(body) {
            let text = format!("it computes what it expects as `{}` does ({file}:{})", copied.name, copied.line);
            return Some(Doubt { ground: Ground::CopiesCode, line, text });
        }
        let names: HashSet<&str> = body.iter().map(|word| word.text).collect();
        let called = names.iter().flat_map(|name| self.called(name, subject.file));
        let mut called: Vec<(&RepoPath, &Function)> = called.filter(|(_, one)| one.is_test).collect();
        called.sort_by_key(|(file, one)| (*file, one.line));
        called.dedup();
        called.into_iter().find_map(|(at, one)| {
            let (file, copied) = self.copied(&words(&one.body, self.speech.quotes))?;
            let text = format!(
                "it calls `{}` ({at}:{}), which computes what `{}` does ({file}:{})",
                one.name, one.line, copied.name, copied.line
            );
            Some(Doubt { ground: Ground::CopiesCode, line, text })
        })
    }

    fn copied(&self, test: &[Word<'_>]) -> Option<(&'p RepoPath, &'p Function)> {
        let known: HashSet<&str> = test.iter().map(|word| word.text).collect();
        let found = self.patterns.iter().find(|(.., pattern)| pattern.is_in(test, &known));
        found.map(|(file, one, _)| (*file, *one))
    }
}

/// What starts a program or asks a server: the code under test may be behind it.
const STARTS: [&str; 10] =
    ["Command", "subprocess", "spawn", "spawnSync", "exec", "execSync", "execFile", "execFileSync", "fetch", "urlopen"];

/// The names of functions that assert. Of the code under test only those count that are called so: it may well assert
/// what it takes for granted, and that is no property's doing.
fn asserting<'p>(functions: impl Iterator<Item = &'p Function> + Clone, speech: Speech) -> HashSet<&'p str> {
    const CHECKS: [&str; 5] = ["assert", "check", "verify", "ensure", "expect"];
    let may = |one: &&Function| one.is_test || CHECKS.iter().any(|word| one.name.starts_with(word));
    let mut found: HashSet<&str> = HashSet::new();
    let add = |found: &mut HashSet<&'p str>, one: &'p Function| {
        found.extend((!one.owner.is_empty()).then_some(one.owner.as_str()));
        found.insert(&one.name)
    };
    functions.clone().filter(may).filter(|one| one.asserts).for_each(|one| _ = add(&mut found, one));
    let calling: Vec<(&Function, Vec<Word<'_>>)> =
        functions.filter(|one| one.is_test).map(|one| (one, words(&one.body, speech.quotes))).collect();
    loop {
        let before = found.len();
        for (one, body) in &calling {
            if body.iter().any(|word| word.kind == Kind::Name && found.contains(word.text)) {
                add(&mut found, one);
            }
        }
        if found.len() == before {
            return found;
        }
    }
}

/// The first input that reaches less far than the requirement says.
fn narrow(subject: Subject<'_>) -> Option<Doubt> {
    let (rule, requirement) = (subject.rule, subject.requirement?);
    let names: Vec<&str> = rule.inputs.iter().map(|input| input.name.as_str()).collect();
    rule.inputs.iter().find_map(|input| {
        let reach = input.shape.whole()?;
        let limits = limit::stated(&requirement.text, &input.name, &names);
        let is_within = |limit: &limit::Limit| {
            let is_low = limit.low.is_none_or(|low| reach.low.is_none_or(|own| own <= low));
            let is_high = limit.high.is_none_or(|high| reach.high.is_none_or(|own| own >= high));
            is_low && is_high
        };
        let first = limits.first().filter(|_| !limits.iter().any(is_within))?;
        let reaches = match (reach.low, reach.high) {
            (Some(low), Some(high)) => format!("{low} to {high}"),
            (Some(low), None) => format!("{low} and up"),
            (None, Some(high)) => format!("up to {high}"),
            (None, None) => return None,
        };
        let text = format!("`{}` is generated as {reaches}; {} says: {}", input.name, requirement.id, first.phrase);
        Some(Doubt { ground: Ground::NarrowGenerator, line: rule.line, text })
    })
}

/// Whether values of many types have a method of that name.
fn is_everybodys(name: &str) -> bool {
    const NAMES: [&str; 24] = [
        "new", "default", "from", "into", "clone", "len", "get", "set", "push", "pop", "insert", "remove", "add",
        "iter", "map", "filter", "sort", "sum", "min", "max", "keys", "values", "append", "contains",
    ];
    NAMES.contains(&name)
}

/// The last part of a name in classes or modules.
fn last(name: &str) -> &str {
    name.rsplit(['.', ':', ' ']).next().unwrap_or(name)
}
