//! What a change takes from an oracle: properties, pins and assertions that are gone, generators that reach less far. What it
//! only adds is none of it. A property is followed when it is renamed or moved. What of a property reads otherwise, and is not
//! known to be harmless, is told: whether it asks less is for a person to see.

mod commands;
mod course;
mod renamed;
mod rests;
mod settings;
mod words;

use std::collections::HashSet;

use crate::failure::TestName;
use crate::oracle::{Clause, Input, Known, Named, Oracle, Rule};
use crate::repo_path::RepoPath;
use course::goes_on;
use renamed::renamed;
use rests::Rests;
pub use words::words;

/// What one file states in one version of the repository.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stated {
    /// The name of the framework.
    pub framework: &'static str,
    /// How many cases it runs a property with where nobody says.
    pub usual_cases: u64,
    /// The file.
    pub file: RepoPath,
    /// What means the same in all of its files.
    pub known: Known,
    /// Whether its runner finds the tests in a file of that path.
    pub is_collected: bool,
    /// The folder for tests in which it stands, where its framework has such folders.
    pub folder: Option<String>,
    /// What it states.
    pub oracle: Oracle,
}

/// The repository around the files that differ.
pub trait Ground {
    /// Whether a property or a pin of the base speaks of `name`, in whichever file, itself or through test code.
    fn speaks(&self, framework: &str, name: &str) -> bool;

    /// Whether a file that is still there, and whose path begins with `scope`, had a property.
    fn holds(&self, framework: &str, scope: &str) -> bool;

    /// Whether the module `from` is gone, and its file stands where the module `to` is.
    fn moved(&self, from: &str, to: &str) -> bool;
}

/// In which way an oracle asks less than it did.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// A property is gone.
    PropertyRemoved,
    /// Its runner passes it over.
    PropertySkipped,
    /// What is said on it or around it is more than it was.
    SurroundingsChanged,
    /// What it is given reaches less far.
    GeneratorNarrowed,
    /// What it is given is generated otherwise; whether that reaches as far is not plain.
    GeneratorChanged,
    /// It is run with fewer cases.
    CasesLowered,
    /// An assertion is gone or reads otherwise.
    AssertionRemoved,
    /// It assumes more of its inputs, or filters more of them out.
    AssumptionAdded,
    /// What it does before it asserts is something else.
    BodyChanged,
    /// One of the inputs that it always runs is gone.
    ExampleRemoved,
    /// A pin is gone.
    PinRemoved,
    /// A pin asks something else.
    PinChanged,
    /// Code that properties rest on is gone or reads otherwise.
    SupportChanged,
    /// What says which tests are run, and how often, says something else.
    RunChanged,
}

impl Kind {
    /// The word `--json` prints.
    pub fn word(self) -> &'static str {
        match self {
            Kind::PropertyRemoved => "property-removed",
            Kind::PropertySkipped => "property-skipped",
            Kind::SurroundingsChanged => "surroundings-changed",
            Kind::GeneratorNarrowed => "generator-narrowed",
            Kind::GeneratorChanged => "generator-changed",
            Kind::CasesLowered => "cases-lowered",
            Kind::AssertionRemoved => "assertion-removed",
            Kind::AssumptionAdded => "assumption-added",
            Kind::BodyChanged => "body-changed",
            Kind::ExampleRemoved => "example-removed",
            Kind::PinRemoved => "pin-removed",
            Kind::PinChanged => "pin-changed",
            Kind::SupportChanged => "support-changed",
            Kind::RunChanged => "run-changed",
        }
    }
}

/// One thing that a change takes from an oracle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Weakening {
    /// In which way.
    pub kind: Kind,
    /// The framework.
    pub framework: &'static str,
    /// The property, by the name it had; of a pin the pin's own test; `None` of code that several rest on.
    pub test: Option<TestName>,
    /// The file, where it stands now; of what is gone the one in which it stood.
    pub file: RepoPath,
    /// The line there, from 1.
    pub line: u32,
    /// Whether that is the file as it was.
    pub is_gone: bool,
    /// What was there and what is there now, as the rest of a sentence.
    pub text: String,
}

/// What `here` asks less than `base` did. Both hold the files that differ, and may hold others.
pub fn weakenings(base: &[Stated], here: &[Stated], ground: &dyn Ground) -> Vec<Weakening> {
    let mut found = Vec::new();
    for stated in base {
        for rule in &stated.oracle.rules {
            of_rule(stated, rule, (base, here), ground, &mut found);
        }
        for pin in &stated.oracle.pins {
            of_pin(stated, pin, (base, here), &mut found);
        }
    }
    Rests { base, here, ground, found: &mut found }.all();
    settings::changed(base, here, ground, &mut found);
    commands::changed(base, here, ground, &mut found);
    found
}

/// By which names the properties of `base` go on that have another name or another file now: of each the test's name as it was,
/// and as it is.
pub fn followed<'a>(base: &'a [Stated], here: &'a [Stated]) -> Vec<(&'a TestName, &'a TestName)> {
    let all = base.iter().flat_map(|stated| stated.oracle.rules.iter().map(move |rule| (stated, rule)));
    all.filter_map(|(stated, rule)| Some((&rule.test, &now(stated, rule, base, here)?.1.test))).collect()
}

/// The files of `all` that are of the same framework, that of the same path first.
fn alike<'a>(stated: &'a Stated, all: &'a [Stated]) -> impl Iterator<Item = &'a Stated> {
    let of_framework = |other: &&Stated| other.framework == stated.framework;
    let same = all.iter().filter(|other| other.file == stated.file);
    same.chain(all.iter().filter(|other| other.file != stated.file)).filter(of_framework)
}

/// The last part of a test's name, which it keeps when its file or its module gets another name.
fn last(name: &str) -> &str {
    [" > ", " › ", "::"].iter().fold(name, |name, between| name.rsplit(between).next().unwrap_or(name))
}

/// Where the property stands now: under its name, under its name in another place, or under another name with nothing in it
/// changed. What stood in its other place before is another property.
fn now<'a>(
    stated: &'a Stated,
    rule: &'a Rule,
    base: &'a [Stated],
    here: &'a [Stated],
) -> Option<(&'a Stated, &'a Rule)> {
    let rules = || alike(stated, here).flat_map(|other| other.oracle.rules.iter().map(move |one| (other, one)));
    // Of several of one name in a file each stands for the one in its place.
    let before = stated.oracle.rules.iter().take_while(|one| !std::ptr::eq(*one, rule));
    let place = before.filter(|one| one.test == rule.test).count();
    let own = rules().filter(|(other, one)| other.file == stated.file && one.test == rule.test).nth(place);
    let stood = |other: &Stated, test: &TestName| {
        let mut then = base.iter().filter(|then| then.framework == other.framework && then.file == other.file);
        then.any(|then| then.oracle.rules.iter().any(|one| one.test == *test))
    };
    let new = || rules().filter(|(other, one)| !stood(other, &one.test));
    let is_same = |one: &Rule| one.inputs == rule.inputs && one.asserts_same(rule) && one.body == rule.body;
    let named = |one: &Rule| last(&one.test.0) == last(&rule.test.0);
    own.or_else(|| new().find(|(_, one)| named(one) && is_same(one)))
        .or_else(|| new().find(|(_, one)| one.test == rule.test))
        .or_else(|| new().find(|(_, one)| named(one)))
        .or_else(|| new().filter(|(_, one)| is_same(one)).nth(before_it(stated, rule, base, here)))
}

/// How many properties like `rule` stood before it and have none of their name any more: one new property stands for one of them.
fn before_it(stated: &Stated, rule: &Rule, base: &[Stated], here: &[Stated]) -> usize {
    let rules = |all| alike(stated, all).flat_map(|one| one.oracle.rules.iter());
    let names: HashSet<&str> = rules(here).map(|other| last(&other.test.0)).collect();
    let is_same = |one: &&Rule| one.inputs == rule.inputs && one.asserts_same(rule) && one.body == rule.body;
    let earlier = rules(base).take_while(|one| !std::ptr::eq(*one, rule));
    earlier.filter(is_same).filter(|one| !names.contains(last(&one.test.0))).count()
}

impl Rule {
    fn asserts_same(&self, other: &Rule) -> bool {
        self.asserts.iter().map(|one| &one.text).eq(other.asserts.iter().map(|one| &one.text))
    }
}

/// Collects what is found of one property.
struct Found<'a> {
    rule: &'a Rule,
    stated: &'a Stated,
    weakenings: &'a mut Vec<Weakening>,
}

impl Found<'_> {
    /// Something in the property as it is now.
    fn at(&mut self, kind: Kind, file: &RepoPath, line: u32, text: String) {
        let (test, framework) = (Some(self.rule.test.clone()), self.stated.framework);
        self.weakenings.push(Weakening { kind, framework, test, file: file.clone(), line, is_gone: false, text });
    }

    /// Something that stood at `line` of the file as it was.
    fn gone(&mut self, kind: Kind, line: u32, text: String) {
        let (test, file) = (Some(self.rule.test.clone()), self.stated.file.clone());
        let framework = self.stated.framework;
        self.weakenings.push(Weakening { kind, framework, test, file, line, is_gone: true, text });
    }
}

fn of_rule(
    stated: &Stated,
    rule: &Rule,
    (base, here): (&[Stated], &[Stated]),
    ground: &dyn Ground,
    weakenings: &mut Vec<Weakening>,
) {
    let mut found = Found { rule, stated, weakenings };
    let Some((place, now)) = now(stated, rule, base, here) else {
        return found.gone(Kind::PropertyRemoved, rule.line, "the property is gone".to_owned());
    };
    let now = &renamed(rule, now);
    let file = &place.file;
    if let (None, Some(how)) = (&rule.skipped, &now.skipped) {
        found.at(Kind::PropertySkipped, file, now.line, format!("it is passed over: {how}"));
    }
    if stated.is_collected && !place.is_collected {
        let text = "it is moved to where its runner looks for no tests".to_owned();
        found.at(Kind::PropertySkipped, file, now.line, text);
    } else if let (Some(folder), None) = (&stated.folder, &place.folder)
        && !ground.holds(stated.framework, file.folder())
    {
        let text = format!(
            "it is moved out of `{folder}`, to where no property stood: redpin cannot tell whether it is run there"
        );
        found.at(Kind::PropertySkipped, file, now.line, text);
    }
    for new in missing(&now.around, &rule.around) {
        // What has it passed over is told already.
        if now.skipped.as_ref().is_none_or(|how| !how.contains(&new.text)) {
            found.at(Kind::SurroundingsChanged, file, new.line, format!("`{}` was not there", new.text));
        }
    }
    of_inputs(rule, now, file, &mut found);
    of_cases((rule.cases, stated.usual_cases), (now.cases, place.usual_cases), file, now.line, &mut found);
    for gone in missing(&rule.asserts, &now.asserts) {
        found.gone(Kind::AssertionRemoved, gone.line, format!("`{}` is gone or reads otherwise", gone.text));
    }
    for new in missing(&now.assumes, &rule.assumes) {
        found.at(Kind::AssumptionAdded, file, new.line, format!("`{}` was not there", new.text));
    }
    for gone in missing(&rule.examples, &now.examples) {
        found.gone(Kind::ExampleRemoved, gone.line, format!("the input `{}` is gone or reads otherwise", gone.text));
    }
    if !goes_on(rule, now) {
        let text = "what it does besides its assertions is something else".to_owned();
        found.at(Kind::BodyChanged, file, now.line, text);
    }
}

/// The clauses of `before` that `after` has not, each as often as it is missing.
fn missing<'a>(before: &'a [Clause], after: &[Clause]) -> Vec<&'a Clause> {
    let mut left: Vec<&str> = after.iter().map(|clause| clause.text.as_str()).collect();
    let is_there = |clause: &&Clause| match left.iter().position(|text| *text == clause.text) {
        Some(at) => {
            left.swap_remove(at);
            false
        }
        None => true,
    };
    before.iter().filter(is_there).collect()
}

fn of_inputs(rule: &Rule, now: &Rule, file: &RepoPath, found: &mut Found<'_>) {
    for (at, input) in rule.inputs.iter().enumerate() {
        let by_name = now.inputs.iter().find(|one| !one.name.is_empty() && one.name == input.name);
        let Some(after) = by_name.or_else(|| now.inputs.get(at)) else {
            let text = format!("it is given {} no more", called(input));
            found.at(Kind::GeneratorChanged, file, now.line, text);
            continue;
        };
        let text = format!("{} was generated by `{}`, and is by `{}`", called(input), input.generator, after.generator);
        let text = match after.generator == input.generator {
            true => format!(
                "{} is generated by `{}`, which gives something else than it did",
                called(input),
                input.generator
            ),
            false => text,
        };
        match after.shape.covers(&input.shape) {
            Some(true) => {}
            Some(false) => found.at(Kind::GeneratorNarrowed, file, now.line, text),
            None => {
                let text = format!("{text}; redpin cannot tell whether that gives less");
                found.at(Kind::GeneratorChanged, file, now.line, text);
            }
        }
    }
}

fn called(input: &Input) -> String {
    if input.name.is_empty() { "an input".to_owned() } else { format!("`{}`", input.name) }
}

fn of_cases(
    (before, usual_before): (Option<u64>, u64),
    (after, usual_after): (Option<u64>, u64),
    file: &RepoPath,
    line: u32,
    found: &mut Found<'_>,
) {
    let (many, few) = (before.unwrap_or(usual_before), after.unwrap_or(usual_after));
    if few < many {
        found.at(Kind::CasesLowered, file, line, format!("it was run with {many} cases, and is with {few}"));
    }
}

fn of_pin(stated: &Stated, pin: &Named, (base, here): (&[Stated], &[Stated]), weakenings: &mut Vec<Weakening>) {
    let pins = || alike(stated, here).flat_map(|other| other.oracle.pins.iter().map(move |one| (other, one)));
    let stood = |other: &Stated, name: &str| {
        let mut then = base.iter().filter(|then| then.framework == other.framework && then.file == other.file);
        then.any(|then| then.oracle.pins.iter().any(|one| one.name == name))
    };
    let now = pins().find(|(other, one)| other.file == stated.file && one.name == pin.name);
    let new = || pins().filter(|(other, one)| !stood(other, &one.name));
    let now = now.or_else(|| new().find(|(_, one)| last(&one.name) == last(&pin.name)));
    let test = Some(TestName(pin.name.clone()));
    match now {
        None => weakenings.push(Weakening {
            kind: Kind::PinRemoved,
            framework: stated.framework,
            test,
            file: stated.file.clone(),
            line: pin.line,
            is_gone: true,
            text: "the pin is gone".to_owned(),
        }),
        Some((place, now)) if now.text != pin.text => weakenings.push(Weakening {
            kind: Kind::PinChanged,
            framework: stated.framework,
            test,
            file: place.file.clone(),
            line: now.line,
            is_gone: false,
            text: "the pin asks something else than it did".to_owned(),
        }),
        Some(_) => {}
    }
}

#[cfg(test)]
mod tests;
