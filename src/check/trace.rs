//! Whether requirements and properties are each other's: every requirement has a property, and what a property cites is there.

use std::collections::{BTreeMap, BTreeSet};

use crate::failure::{Notice, TestName};
use crate::repo_path::RepoPath;
use crate::requirement::{Requirement, RequirementId};
use crate::source_tree::SourceTree;
use crate::span::Span;
use crate::triage::{Triage, records_of};
use crate::verdict::Decision;

use super::stated::{self, cited, is_spec, requirements};

/// A property as the table has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cited {
    /// The name of the framework.
    pub framework: &'static str,
    /// Full test name.
    pub test: TestName,
    /// Its file.
    pub file: RepoPath,
    /// The line of its name, from 1.
    pub line: u32,
    /// The bytes of all of it there.
    pub span: Span,
    /// The requirement that it cites.
    pub requirement: Option<RequirementId>,
    /// What has its runner pass it over.
    pub skipped: Option<String>,
    /// Its pins that decisions tell of: their tests, or the replay line of one that has none, or the input of an example.
    pub pins: Vec<String>,
    /// The last decision on it.
    pub decision: Option<Decision>,
}

/// A requirement and the properties that cite it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Traced {
    /// Its file.
    pub file: RepoPath,
    /// The requirement.
    pub requirement: Requirement,
    /// The places of its properties in [`Trace::properties`].
    pub properties: Vec<usize>,
}

/// What is wrong between the two.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unmet {
    /// No property that is run cites the requirement at that place in [`Trace::requirements`].
    NoProperty(usize),
    /// The property at that place in [`Trace::properties`] cites nothing.
    CitesNothing(usize),
    /// What it cites is in no spec file.
    NoRequirement(usize),
}

/// The table of both.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trace {
    /// Every requirement, by id.
    pub requirements: Vec<Traced>,
    /// Every property, by file and line.
    pub properties: Vec<Cited>,
    /// What is wrong.
    pub unmet: Vec<Unmet>,
    /// What could not be read.
    pub notices: Vec<Notice>,
}

/// Reads the requirements and the properties of the work tree.
pub fn trace(triage: &Triage) -> Trace {
    of(&triage.work_tree())
}

fn of(tree: &dyn SourceTree) -> Trace {
    let mut notices = Vec::new();
    let mut requirements: Vec<Traced> = tree
        .tracked(&is_spec)
        .into_iter()
        .flat_map(|file| requirements(&file, tree).into_iter().map(move |one| (file.clone(), one)))
        .map(|(file, requirement)| Traced { file, requirement, properties: Vec::new() })
        .collect();
    requirements.sort_by(|a, b| (&a.requirement.id, &a.file).cmp(&(&b.requirement.id, &b.file)));
    // A spec file that a link leads to has two paths.
    requirements.dedup_by(|other, one| {
        let (other, one) = (&other.requirement, &one.requirement);
        (&other.id, &other.title, &other.text) == (&one.id, &one.title, &one.text)
    });
    let known: BTreeSet<RequirementId> = requirements.iter().map(|one| one.requirement.id.clone()).collect();
    let decisions: Vec<Decision> = records_of(tree).into_values().collect();
    let mut properties = properties(tree, &known, &decisions, &mut notices);
    properties.sort_by(|a, b| (&a.file, a.line, &a.test).cmp(&(&b.file, b.line, &b.test)));
    let mut places: BTreeMap<&RequirementId, Vec<usize>> = BTreeMap::new();
    for (at, property) in properties.iter().enumerate() {
        if let Some(id) = &property.requirement {
            places.entry(id).or_default().push(at);
        }
    }
    for one in &mut requirements {
        one.properties = places.get(&one.requirement.id).cloned().unwrap_or_default();
    }
    let unmet = unmet(&requirements, &properties, &known);
    Trace { requirements, properties, unmet, notices }
}

fn properties(
    tree: &dyn SourceTree,
    known: &BTreeSet<RequirementId>,
    decisions: &[Decision],
    notices: &mut Vec<Notice>,
) -> Vec<Cited> {
    let mut found = Vec::new();
    for stated in stated::of_tree(tree, notices) {
        let bytes = tree.read(&stated.file).unwrap_or_default();
        for rule in stated.oracle.rules {
            let source = bytes.get(rule.span.range()).map(String::from_utf8_lossy).unwrap_or_default();
            let own =
                || decisions.iter().filter(|one| one.framework == stated.framework && one.property == rule.test.0);
            let pin = |one: &Decision| {
                let pin = one.pin.as_ref()?;
                let is_example = !pin.files.is_empty();
                let example = || is_example.then(|| one.counterexample.clone());
                pin.test.clone().or_else(|| pin.replay.clone()).or_else(example)
            };
            found.push(Cited {
                framework: stated.framework,
                requirement: cited(&rule, &source, known),
                pins: own().filter_map(pin).collect(),
                decision: own().max_by(|a, b| a.when.cmp(&b.when)).cloned(),
                file: stated.file.clone(),
                line: rule.line,
                span: rule.span,
                skipped: rule.skipped,
                test: rule.test,
            });
        }
    }
    found
}

/// A requirement is met by a property that is run: one that is passed over shows nothing.
fn unmet(requirements: &[Traced], properties: &[Cited], known: &BTreeSet<RequirementId>) -> Vec<Unmet> {
    let is_run = |at: &usize| properties[*at].skipped.is_none();
    let bare = requirements.iter().enumerate().filter(|(_, one)| !one.properties.iter().any(is_run));
    let mut unmet: Vec<Unmet> = bare.map(|(at, _)| Unmet::NoProperty(at)).collect();
    for (at, property) in properties.iter().enumerate() {
        match &property.requirement {
            None => unmet.push(Unmet::CitesNothing(at)),
            Some(id) if !known.contains(id) => unmet.push(Unmet::NoRequirement(at)),
            Some(_) => {}
        }
    }
    unmet
}

#[cfg(test)]
mod tests {
    use super::{Unmet, of};
    use crate::source_tree::testing::Files;

    #[test]
    fn requirements_and_properties_are_held_against_each_other() {
        let source = "proptest! {\n#[test]\nfn bill_1_sum(x in 0..9) { assert!(x < 9); }\n\
                      #[test]\n#[ignore]\nfn bill_2_spread(x in 0..9) { assert!(x < 9); }\n\
                      #[test]\nfn plain(x in 0..9) { assert!(x < 9); }\n\
                      /// [BILL-9]\n#[test]\nfn nowhere(x in 0..9) { assert!(x < 9); }\n}\n";
        let record = r#"{"schema":1,"failure":"0","verdict":"real-bug","who":"A","when":"2026-11-30T00:00:00Z","why":"",
            "framework":"proptest","package":null,"property":"bill_1_sum","file":null,"requirement":null,"counterexample":"",
            "message":"","run":"","pin":{"test":"bill_1_sum_pin_1234567","rung":"literal","replay":null,"files":[],"reason":null}}"#;
        let tree = Files::new([
            ("Cargo.toml", "[package]\nname = \"a\"\n"),
            ("src/lib.rs", source),
            ("spec.md", "## BILL-1: Sum\n\nx\n\n## BILL-2: Spread\n\n## BILL-3: Rest\n"),
            (".redpin/decisions/0-bill_1_sum.json", record),
        ]);
        let trace = of(&tree);
        let names: Vec<_> =
            trace.properties.iter().map(|one| (one.test.0.as_str(), one.line, one.pins.len())).collect();
        assert_eq!(names, [("bill_1_sum", 3, 1), ("bill_2_spread", 6, 0), ("plain", 8, 0), ("nowhere", 11, 0)]);
        assert!(trace.properties[0].decision.is_some() && trace.properties[1].decision.is_none());
        let met: Vec<_> =
            trace.requirements.iter().map(|one| (one.requirement.id.0.as_str(), one.properties.clone())).collect();
        assert_eq!(met, [("BILL-1", vec![0]), ("BILL-2", vec![1]), ("BILL-3", vec![])]);
        let expected = [Unmet::NoProperty(1), Unmet::NoProperty(2), Unmet::CitesNothing(2), Unmet::NoRequirement(3)];
        assert_eq!(trace.unmet, expected);
        assert!(trace.notices.is_empty());
    }
}
