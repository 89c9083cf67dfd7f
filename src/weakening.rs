//! What a change takes from an oracle: properties, pins and assertions that are gone, generators that reach less far. What it
//! only adds is none of it. A property is followed when it is renamed or moved.

use crate::failure::TestName;
use crate::oracle::{Clause, Input, Named, Oracle, Rule};
use crate::repo_path::RepoPath;

/// What one file states in one version of the repository.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stated {
    /// The name of the framework.
    pub framework: &'static str,
    /// How many cases it runs a property with where nobody says.
    pub usual_cases: u64,
    /// The file.
    pub file: RepoPath,
    /// What it states.
    pub oracle: Oracle,
}

/// In which way an oracle asks less than it did.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// A property is gone.
    PropertyRemoved,
    /// Its runner passes it over.
    PropertySkipped,
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
}

impl Kind {
    /// The word `--json` prints.
    pub fn word(self) -> &'static str {
        match self {
            Kind::PropertyRemoved => "property-removed",
            Kind::PropertySkipped => "property-skipped",
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
pub fn weakenings(base: &[Stated], here: &[Stated]) -> Vec<Weakening> {
    let mut found = Vec::new();
    for stated in base {
        for rule in &stated.oracle.rules {
            of_rule(stated, rule, (base, here), &mut found);
        }
        for pin in &stated.oracle.pins {
            of_pin(stated, pin, (base, here), &mut found);
        }
        for support in &stated.oracle.support {
            of_support(stated, support, base, here, &mut found);
        }
    }
    found
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
    let own = rules().find(|(other, one)| other.file == stated.file && one.test == rule.test);
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
        .or_else(|| new().find(|(_, one)| is_same(one)))
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

fn of_rule(stated: &Stated, rule: &Rule, (base, here): (&[Stated], &[Stated]), weakenings: &mut Vec<Weakening>) {
    let mut found = Found { rule, stated, weakenings };
    let Some((place, now)) = now(stated, rule, base, here) else {
        return found.gone(Kind::PropertyRemoved, rule.line, "the property is gone".to_owned());
    };
    let file = &place.file;
    if let (None, Some(how)) = (&rule.skipped, &now.skipped) {
        found.at(Kind::PropertySkipped, file, now.line, format!("it is passed over: {how}"));
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

/// Whether `after` does all that `before` does, in the same order, and asserts it in the same places: more may stand only after all
/// of that, and must not leave early. What became of assertions themselves is told for each.
fn goes_on(before: &Rule, after: &Rule) -> bool {
    let (old, new) = (Course::of(before), Course::of(after));
    let Some(added) = new.steps.strip_prefix(&old.steps[..]) else { return false };
    let leaves = |piece: &&str| words(piece).any(|word| matches!(word, "return" | "skip" | "skipTest" | "exit"));
    let mut left = new.asserts.clone();
    let mut stands = |asserted: &(usize, &str)| {
        let place = left.iter().position(|one| one == asserted);
        place.map(|place| left.swap_remove(place)).is_some()
    };
    let is_gone = |(_, text): &(usize, &str)| new.asserts.iter().all(|(_, other)| other != text);
    !added.iter().any(leaves) && old.asserts.iter().all(|asserted| is_gone(asserted) || stands(asserted))
}

/// What a body does, step by step, and after how many steps it asserts what.
struct Course<'r> {
    steps: Vec<&'r str>,
    asserts: Vec<(usize, &'r str)>,
}

impl<'r> Course<'r> {
    fn of(rule: &'r Rule) -> Self {
        let clauses = || rule.asserts.iter().chain(&rule.assumes);
        let asserts = |piece: &str| clauses().any(|clause| pieces(&clause.text).eq([piece]));
        let mut course = Course { steps: Vec::new(), asserts: Vec::new() };
        for piece in pieces(&rule.body) {
            match asserts(piece) {
                true => course.asserts.push((course.steps.len(), piece)),
                false => course.steps.push(piece),
            }
        }
        course
    }
}

/// A text in normal form statement by statement, each bracket of a block for itself: whatever its language, the same text comes
/// apart in the same way.
fn pieces(text: &str) -> impl Iterator<Item = &str> {
    let blocks = text.split_inclusive(['{', '}', ';']).flat_map(|part| {
        let (own, end) = match part.char_indices().next_back() {
            Some((at, '}')) => part.split_at(at),
            _ => (part, ""),
        };
        [own, end]
    });
    blocks.map(|part| part.trim_matches([' ', ';'])).filter(|part| !part.is_empty())
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|char: char| !(char.is_alphanumeric() || char == '_')).filter(|word| !word.is_empty())
}

fn of_inputs(rule: &Rule, now: &Rule, file: &RepoPath, found: &mut Found<'_>) {
    for (at, input) in rule.inputs.iter().enumerate() {
        let by_name = now.inputs.iter().find(|one| !one.name.is_empty() && one.name == input.name);
        let Some(after) = by_name.or_else(|| now.inputs.get(at)) else {
            let text = format!("it is given {} no more", called(input));
            found.at(Kind::GeneratorChanged, file, now.line, text);
            continue;
        };
        if after.generator == input.generator {
            continue;
        }
        let text = format!("{} was generated by `{}`, and is by `{}`", called(input), input.generator, after.generator);
        match (input.reach, after.reach) {
            (Some(before), Some(after)) if after.covers(before) => {}
            (Some(_), Some(_)) => found.at(Kind::GeneratorNarrowed, file, now.line, text),
            _ => found.at(Kind::GeneratorChanged, file, now.line, text),
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

fn of_support(stated: &Stated, support: &Named, base: &[Stated], here: &[Stated], weakenings: &mut Vec<Weakening>) {
    let others = || alike(stated, here).flat_map(|other| other.oracle.support.iter().map(move |one| (other, one)));
    let named = || others().filter(|(_, one)| one.name == support.name);
    let is_same = named().any(|(_, one)| one.text == support.text);
    if is_same || !is_used(stated, support, base) {
        return;
    }
    let changed = named().find(|(other, _)| other.file == stated.file);
    let (file, line, is_gone, what) = match changed {
        Some((other, one)) => (other.file.clone(), one.line, false, "reads otherwise"),
        None => (stated.file.clone(), support.line, true, "is gone"),
    };
    let text = format!("`{}`, on which properties rest, {what}", support.name);
    let framework = stated.framework;
    weakenings.push(Weakening { kind: Kind::SupportChanged, framework, test: None, file, line, is_gone, text });
}

/// Whether a property, a pin or other test code speaks of `support`.
fn is_used(stated: &Stated, support: &Named, base: &[Stated]) -> bool {
    let Some(name) = words(&support.name).last() else { return true };
    let speaks = |text: &str| words(text).any(|word| word == name);
    alike(stated, base).any(|other| {
        let oracle = &other.oracle;
        let of_rules = oracle.rules.iter().any(|rule| {
            let clauses = rule.asserts.iter().chain(&rule.assumes).chain(&rule.examples);
            speaks(&rule.body)
                || rule.inputs.iter().any(|input| speaks(&input.generator))
                || clauses.into_iter().any(|clause| speaks(&clause.text))
        });
        let named = oracle.pins.iter().chain(&oracle.support);
        of_rules || named.filter(|one| *one != support).any(|one| speaks(&one.text))
    })
}

#[cfg(test)]
mod tests {
    use super::{Kind, Stated, weakenings};
    use crate::failure::TestName;
    use crate::oracle::{Clause, Input, Named, Oracle, Reach, Rule};
    use crate::repo_path::RepoPath;
    use crate::span::Span;

    fn clause(text: &str) -> Clause {
        Clause { text: text.to_owned(), line: 7 }
    }

    fn rule() -> Rule {
        Rule {
            test: TestName("billing::tests::spread".to_owned()),
            line: 5,
            span: Span::at(0),
            citations: Vec::new(),
            inputs: vec![Input {
                name: "parts".to_owned(),
                generator: "1..=24".to_owned(),
                reach: Some(Reach { low: Some(1), high: Some(24) }),
            }],
            cases: None,
            skipped: None,
            asserts: vec![clause("assert!(a)"), clause("assert!(b)")],
            assumes: Vec::new(),
            examples: vec![clause("@example(parts=3)")],
            body: "let a = f(parts); assert!(a); assert!(b);".to_owned(),
        }
    }

    fn stated(file: &str, rules: Vec<Rule>) -> Stated {
        let named = |name: &str, text: &str| Named { name: name.to_owned(), text: text.to_owned(), line: 3 };
        let oracle = Oracle {
            rules,
            pins: vec![named("billing::tests::spread_pin_950ab3f", "fn spread_pin_950ab3f() { assert!(f(4)); }")],
            support: vec![named("f", "fn f(x: u8) -> bool { x > 0 }"), named("idle", "fn idle() { }")],
            rest: String::new(),
        };
        Stated { framework: "one", usual_cases: 256, file: RepoPath::new(file).unwrap(), oracle }
    }

    #[track_caller]
    fn check_all(here: &[Stated], expected: &[(Kind, &str, u32, bool, &str)]) {
        let found = weakenings(&[stated("src/billing.rs", vec![rule()])], here);
        let told: Vec<_> =
            found.iter().map(|one| (one.kind, one.file.as_str(), one.line, one.is_gone, one.text.as_str())).collect();
        assert_eq!(told, expected);
    }

    #[track_caller]
    fn check(change: impl FnOnce(&mut Rule), expected: &[(Kind, u32, &str)]) {
        let mut changed = rule();
        change(&mut changed);
        let found = weakenings(&[stated("src/billing.rs", vec![rule()])], &[stated("src/billing.rs", vec![changed])]);
        let told: Vec<_> = found.iter().map(|one| (one.kind, one.line, one.text.as_str())).collect();
        assert_eq!(told, expected);
    }

    #[test]
    fn what_stays_or_is_added_is_no_weakening() {
        check(|_| {}, &[]);
        check(
            |rule| {
                rule.asserts.insert(1, clause("assert!(c)"));
                rule.examples.push(clause("@example(parts=4)"));
                rule.inputs[0].generator = "0..=30".to_owned();
                rule.inputs[0].reach = Some(Reach { low: Some(0), high: Some(30) });
                rule.cases = Some(1000);
                rule.body = "let a = f(parts); assert!(a); assert!(c); assert!(b); let d = g(a);".to_owned();
            },
            &[],
        );
        check_all(&[stated("src/billing.rs", vec![Rule { line: 90, ..rule() }, rule()])], &[]);
    }

    #[test]
    fn each_way_to_ask_less_is_told() {
        check(
            |rule| rule.skipped = Some("#[ignore]".to_owned()),
            &[(Kind::PropertySkipped, 5, "it is passed over: #[ignore]")],
        );
        check(
            |rule| {
                rule.inputs[0].generator = "1..=4".to_owned();
                rule.inputs[0].reach = Some(Reach { low: Some(1), high: Some(4) });
            },
            &[(Kind::GeneratorNarrowed, 5, "`parts` was generated by `1..=24`, and is by `1..=4`")],
        );
        check(
            |rule| {
                rule.inputs[0].generator = "parts()".to_owned();
                rule.inputs[0].reach = None;
            },
            &[(Kind::GeneratorChanged, 5, "`parts` was generated by `1..=24`, and is by `parts()`")],
        );
        check(|rule| rule.inputs.clear(), &[(Kind::GeneratorChanged, 5, "it is given `parts` no more")]);
        check(|rule| rule.cases = Some(9), &[(Kind::CasesLowered, 5, "it was run with 256 cases, and is with 9")]);
        check(
            |rule| {
                rule.asserts[1] = clause("assert!(b || true)");
                rule.body = "let a = f(parts); assert!(a); assert!(b || true);".to_owned();
            },
            &[(Kind::AssertionRemoved, 7, "`assert!(b)` is gone or reads otherwise")],
        );
        check(
            |rule| {
                rule.assumes.push(clause("assume(parts < 3)"));
                rule.body = "assume(parts < 3); let a = f(parts); assert!(a); assert!(b);".to_owned();
            },
            &[(Kind::AssumptionAdded, 7, "`assume(parts < 3)` was not there")],
        );
        check(
            |rule| rule.examples.clear(),
            &[(Kind::ExampleRemoved, 7, "the input `@example(parts=3)` is gone or reads otherwise")],
        );
    }

    #[test]
    fn what_is_put_around_or_before_an_assertion_is_told() {
        let other = (Kind::BodyChanged, 5, "what it does besides its assertions is something else");
        for body in [
            "let a = f(1); assert!(a); assert!(b);",
            "let parts = 1; let a = f(parts); assert!(a); assert!(b);",
            "let a = f(parts); let a = 1; assert!(a); assert!(b);",
            "let a = f(parts); if false { assert!(a); } assert!(b);",
            "let a = f(parts); assert!(a); if false { assert!(b); }",
            "let a = f(parts); if false { g(a); assert!(a); } assert!(b);",
            "assert!(a); let a = f(parts); assert!(b);",
            "let a = f(parts); return; assert!(a); assert!(b);",
            "let a = f(parts); assert!(a); assert!(b); return;",
            "assert!(a); assert!(b);",
        ] {
            check(|rule| rule.body = body.to_owned(), &[other]);
        }
        for body in [
            "let a = f(parts); assert!(b); assert!(a);",
            "let a = f(parts); assert!(a); assert!(b); let c = a; if c { g(c); }",
        ] {
            check(|rule| rule.body = body.to_owned(), &[]);
        }
    }

    #[test]
    fn an_assertion_that_moves_into_a_block_is_told() {
        let with_block = |body: &str| Rule { body: body.to_owned(), ..rule() };
        let before = with_block("if n { g(a); } assert!(a); assert!(b);");
        let after = with_block("if n { g(a); assert!(a); } assert!(b);");
        let found = weakenings(&[stated("src/billing.rs", vec![before])], &[stated("src/billing.rs", vec![after])]);
        assert_eq!(found.iter().map(|one| one.kind).collect::<Vec<_>>(), [Kind::BodyChanged]);
    }

    #[test]
    fn an_assertion_that_stood_twice_is_missed_once() {
        check(
            |rule| rule.asserts = vec![clause("assert!(a)"), clause("assert!(a)")],
            &[(Kind::AssertionRemoved, 7, "`assert!(b)` is gone or reads otherwise")],
        );
    }

    #[test]
    fn what_is_gone_is_told_where_it_stood() {
        let empty = Stated { oracle: Oracle::default(), ..stated("src/billing.rs", Vec::new()) };
        let gone = [
            (Kind::PropertyRemoved, "src/billing.rs", 5, true, "the property is gone"),
            (Kind::PinRemoved, "src/billing.rs", 3, true, "the pin is gone"),
            (Kind::SupportChanged, "src/billing.rs", 3, true, "`f`, on which properties rest, is gone"),
        ];
        check_all(&[empty], &gone);
        check_all(&[], &gone);
        let foreign = Stated { framework: "two", ..stated("src/billing.rs", vec![rule()]) };
        check_all(&[foreign], &gone);
    }

    #[test]
    fn a_change_of_a_pin_or_of_what_properties_rest_on_is_told() {
        let mut here = stated("src/billing.rs", vec![rule()]);
        here.oracle.pins[0].text = "fn spread_pin_950ab3f() { }".to_owned();
        here.oracle.support[0].text = "fn f(x: u8) -> bool { true }".to_owned();
        here.oracle.support[1].text = "fn idle() { 1; }".to_owned();
        check_all(
            &[here],
            &[
                (Kind::PinChanged, "src/billing.rs", 3, false, "the pin asks something else than it did"),
                (Kind::SupportChanged, "src/billing.rs", 3, false, "`f`, on which properties rest, reads otherwise"),
            ],
        );
    }

    #[test]
    fn another_property_of_that_name_does_not_stand_for_one_that_is_gone() {
        let other = || Stated { oracle: Oracle { pins: Vec::new(), ..oracle() }, ..stated("src/other.rs", Vec::new()) };
        let gone = Stated { oracle: Oracle { rules: Vec::new(), ..oracle() }, ..stated("src/billing.rs", Vec::new()) };
        let base = [stated("src/billing.rs", vec![rule()]), other()];
        let found = weakenings(&base, &[gone, other()]);
        assert_eq!(found.iter().map(|one| one.kind).collect::<Vec<_>>(), [Kind::PropertyRemoved]);
    }

    fn oracle() -> Oracle {
        stated("src/billing.rs", vec![rule()]).oracle
    }

    #[test]
    fn a_property_is_followed_to_another_file_module_or_name() {
        check_all(&[stated("tests/billing.rs", vec![rule()])], &[]);
        let test = |name: &str| Rule { test: TestName(name.to_owned()), ..rule() };
        check_all(&[stated("tests/billing.rs", vec![test("spread")])], &[]);
        check_all(&[stated("src/billing.rs", vec![test("billing::tests::even")])], &[]);
        let narrowed = Rule { asserts: vec![clause("assert!(a)")], ..test("spread") };
        let expected = (Kind::AssertionRemoved, "src/billing.rs", 7, true, "`assert!(b)` is gone or reads otherwise");
        check_all(&[stated("tests/billing.rs", vec![narrowed])], &[expected]);
    }
}
