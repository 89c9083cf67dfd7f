//! A state machine as a property: its rules are what it is given, and all of it is its body.

use tree_sitter::Node;

use super::Page;
use super::above::{around, cases, settings_of};
use super::clauses::{clauses, filters};
use super::decorated::heads;
use super::inputs::input;
use crate::framework::hypothesis::find::{Cited, MACHINE, MACHINE_TEST, citations};
use crate::framework::hypothesis::given::call;
use crate::framework::hypothesis::machine::BASES;
use crate::language::python::module::{Class, Decorator, Function, apart};
use crate::language::python::normal::statements;
use crate::language::python::syntax::children;
use crate::oracle::{Input, Rule};

/// Decorators of a machine's steps.
const STEPS: [&str; 3] = ["rule", "initialize", "invariant"];

/// Those of them that are given something.
const GIVEN: [&str; 2] = ["rule", "initialize"];

/// What runs a machine in a test of its own.
const RUNS: &str = "run_state_machine_as_test";

/// Deeper than this no class inherits.
const DEEPEST: usize = 16;

/// Whether a class is a state machine.
pub(super) fn is_machine(page: &Page<'_>, class: &Class) -> bool {
    is_machine_at(page, class, 0)
}

fn is_machine_at(page: &Page<'_>, class: &Class, depth: usize) -> bool {
    let is_known = |base: &String| {
        let full =
            page.module.imports.iter().find(|import| import.local == *base).map_or(base.clone(), |one| one.full());
        BASES.contains(&full.rsplit('.').next().unwrap_or(&full))
            || (depth < DEEPEST && bases(page, base).any(|base| is_machine_at(page, base, depth + 1)))
    };
    class.bases.iter().any(is_known)
        || steps(page, class).any(|step| step.decorators.iter().any(|one| STEPS.contains(&one.function())))
}

fn bases<'p>(page: &Page<'p>, name: &str) -> impl Iterator<Item = &'p Class> {
    let path: Vec<String> = name.split('.').map(str::to_owned).collect();
    page.module.classes.iter().rfind(|class| class.path == path).into_iter()
}

fn steps<'p>(page: &Page<'p>, class: &Class) -> impl Iterator<Item = &'p Function> {
    let path = class.path.clone();
    page.module
        .functions
        .iter()
        .filter(move |function| function.path.len() == path.len() + 1 && function.path.starts_with(&path))
}

/// The properties that the machine `class` is run as: none where it is but the base of others.
pub(super) fn rules(page: &Page<'_>, class: &Class) -> Vec<Rule> {
    let name = class.path.join(".");
    let run = format!("{name}.{MACHINE}");
    let bound = page.module.bound.iter().filter(|(_, text)| *text == run).map(|(bound, _)| vec![bound.clone()]);
    let derived = page.module.classes.iter().filter(|one| one.bases.contains(&run)).map(|one| one.path.clone());
    let mut tests: Vec<(Vec<String>, Vec<Decorator>)> = bound
        .chain(derived)
        .map(|path| (path.iter().cloned().chain([MACHINE_TEST.to_owned()]).collect(), settings(page, class, &path)))
        .collect();
    tests.extend(runs(page, &name));
    let is_base = page.module.classes.iter().any(|one| one.bases.contains(&name));
    if tests.is_empty() && !is_base {
        let path = class.path.iter().cloned().chain([MACHINE.to_owned(), MACHINE_TEST.to_owned()]).collect();
        tests.push((path, settings(page, class, &[])));
    }
    tests.iter().map(|(path, settings)| rule(page, class, path, settings)).collect()
}

/// The tests that run the machine `name` by a call, each with the settings that the call gives.
fn runs(page: &Page<'_>, name: &str) -> Vec<(Vec<String>, Vec<Decorator>)> {
    let mut found = Vec::new();
    for function in &page.module.functions {
        let Some(statement) = page.statement(function.item) else { continue };
        let mut open = vec![statement];
        while let Some(node) = open.pop() {
            let said = || call(page.syntax.said(node)).filter(|one| one.function() == RUNS);
            if let Some(run) = said().filter(|_| node.kind() == "call")
                && run.arguments.first().is_some_and(|first| first.text == name)
            {
                let told = run.arguments.iter().filter(|one| one.name.as_deref() == Some("settings"));
                found.push((function.path.clone(), told.filter_map(|one| settings_of(page, &one.text)).collect()));
            }
            open.extend(children(node));
        }
    }
    found
}

/// The settings of a machine whose test is the class at `test`.
fn settings(page: &Page<'_>, class: &Class, test: &[String]) -> Vec<Decorator> {
    let decorators = page.class(&class.path).0.into_iter();
    let above = decorators.filter_map(|one| call(page.syntax.said(one).trim_start_matches('@')));
    let mut found = page.settings(&above.collect::<Vec<_>>());
    let names = [format!("{}.{MACHINE}.settings", class.path.join(".")), format!("{}.settings", test.join("."))];
    let bound = page.module.bound.iter().filter(|(name, _)| names.contains(name)).map(|(_, text)| text.as_str());
    let inside = page.class(test).1.into_iter().filter_map(|one| assigned(page, one, "settings"));
    found.extend(bound.chain(inside).filter_map(|text| settings_of(page, text)));
    found
}

/// What a statement assigns to `name`.
fn assigned<'p>(page: &Page<'p>, statement: Node<'_>, name: &str) -> Option<&'p str> {
    let assignment = children(statement).into_iter().find(|one| one.kind() == "assignment")?;
    (page.syntax.field(assignment, "left") == name).then(|| page.syntax.field(assignment, "right"))
}

fn rule(page: &Page<'_>, class: &Class, test: &[String], settings: &[Decorator]) -> Rule {
    let mut rule = Rule {
        test: page.test(test),
        line: class.line,
        span: page.with_remarks(class.item),
        citations: citations(
            page.syntax.text,
            page.module,
            &Cited { item: class.item, doc: &class.doc, path: &class.path },
        ),
        inputs: Vec::new(),
        cases: cases(page, settings),
        skipped: None,
        around: super::decorated::settings(page, settings, class.first_line),
        asserts: Vec::new(),
        assumes: Vec::new(),
        examples: Vec::new(),
        body: String::new(),
    };
    rule.around.extend(page.statement(class.item).map(|statement| heads(page, statement)).unwrap_or_default());
    let holder = test.split_last().map_or(&[][..], |(_, around)| around);
    let skips: Vec<String> = around(page, if holder.is_empty() { &class.path } else { holder });
    rule.skipped = (!skips.is_empty()).then(|| skips.join(" "));
    add(page, class, &mut rule, 0);
    rule
}

/// Adds what a machine has, after what its bases have.
fn add(page: &Page<'_>, class: &Class, rule: &mut Rule, depth: usize) {
    for base in class.bases.iter().filter(|_| depth < DEEPEST).flat_map(|base| bases(page, base)) {
        add(page, base, rule, depth + 1);
    }
    for step in steps(page, class) {
        let given = step.decorators.iter().filter(|one| GIVEN.contains(&one.function()));
        for argument in given.flat_map(|one| &one.arguments) {
            let own = argument.name.as_deref().filter(|name| !matches!(*name, "target" | "targets"));
            let Some(own) = own else { continue };
            let name = format!("{}.{own}", step.name());
            rule.inputs.push(Input { name, ..input(page, own, &argument.text) });
            rule.assumes.extend(filters(&argument.text, step.first_line));
        }
    }
    let Some(body) = page.statement(class.item).and_then(|one| apart(one).1.child_by_field_name("body")) else {
        return;
    };
    let said = clauses(page, body);
    rule.asserts.extend(said.asserts);
    rule.assumes.extend(said.assumes);
    let gap = if rule.body.is_empty() { "" } else { "; " };
    rule.body = format!("{}{gap}{}", rule.body, statements(page.syntax, body));
}
