//! The tab of requirements: each with its properties, their pins, what is open and what was decided last; then the properties
//! that cite nothing, or what is in no spec file.

use std::collections::{BTreeMap, BTreeSet};

use super::{Leaf, Sheet, SheetRow, day, failure_line, open};
use crate::check::{Cited, Trace, Traced, Unmet};
use crate::failure::Notice;
use crate::inbox::{Filed, Inbox};
use crate::tui::text::{counted, one_line};
use crate::tui::theme::Role;
use crate::tui::words;
use crate::verdict::Decision;

/// No more than this of a requirement's text is laid out.
const LONGEST: usize = 16 << 10;

/// The sheet.
pub(super) fn sheet(trace: &Trace, inbox: &Inbox) -> Sheet {
    if trace.requirements.is_empty() && trace.properties.is_empty() {
        return Sheet::saying([
            "no requirement and no property was found",
            "",
            "A requirement is a heading with an id in a Markdown file,",
            "### BILL-4: Instalments; a property cites it by its name",
            "(bill_4_sum_is_exact) or with [BILL-4] in a comment.",
        ]);
    }
    let mut failing: BTreeMap<&str, Vec<&Filed>> = BTreeMap::new();
    let mut of_test: BTreeMap<&str, Vec<&Filed>> = BTreeMap::new();
    for filed in open(inbox) {
        let id = filed.requirement.as_ref().map_or("", |id| id.0.as_str());
        failing.entry(id).or_default().push(filed);
        of_test.entry(&filed.failure.test.0).or_default().push(filed);
    }
    let bare = trace.unmet.iter().filter_map(|one| match one {
        Unmet::NoProperty(at) => Some(*at),
        _ => None,
    });
    let bare: BTreeSet<usize> = bare.collect();
    let own = |id: &str| failing.get(id).map_or(&[][..], Vec::as_slice);
    let rows = trace.requirements.iter().enumerate();
    let mut rows: Vec<SheetRow> =
        rows.map(|(at, one)| row(one, trace, own(&one.requirement.id.0), bare.contains(&at))).collect();
    let unmet = trace.unmet.iter();
    rows.extend(unmet.filter_map(|one| match one {
        Unmet::NoProperty(_) => None,
        Unmet::NoRequirement(at) => Some(stray(trace.properties.get(*at)?, "in no spec file", &of_test)),
        Unmet::CitesNothing(at) => Some(stray(trace.properties.get(*at)?, "cites nothing", &of_test)),
    }));
    rows.extend(trace.notices.iter().map(unread));
    let mut summary = counted(trace.requirements.len(), "requirement");
    if !bare.is_empty() {
        summary.push_str(&format!(", {} without a property", bare.len()));
    }
    Sheet { rows, empty: Vec::new(), summary }
}

fn row(one: &Traced, trace: &Trace, failing: &[&Filed], is_bare: bool) -> SheetRow {
    let properties: Vec<&Cited> = one.properties.iter().filter_map(|at| trace.properties.get(*at)).collect();
    let pins: usize = properties.iter().map(|one| one.pins.len()).sum();
    let last = properties.iter().filter_map(|one| one.decision.as_ref()).max_by(|a, b| a.when.cmp(&b.when));
    let glyph = match (failing.is_empty(), is_bare) {
        (false, _) => ("✗", Some(Role::Fail)),
        (true, true) => ("!", Some(Role::Ambiguous)),
        (true, false) => ("·", None),
    };
    let mut ends = Vec::new();
    if !failing.is_empty() {
        ends.push(format!("{} open", failing.len()));
    }
    ends.push(match properties.len() {
        0 => "no property".to_owned(),
        _ if is_bare => "none is run".to_owned(),
        1 => "1 property".to_owned(),
        many => format!("{many} properties"),
    });
    if pins > 0 {
        ends.push(counted(pins, "pin"));
    }
    ends.extend(last.map(|last| format!("{} {}", words::verdict(last.verdict), day(&last.when))));
    let place = Some((one.file.clone(), one.requirement.line));
    SheetRow {
        glyph,
        lead: one_line(&one.requirement.id.0, 24),
        name: one_line(&one.requirement.headline(), 200),
        ends,
        leaf: leaf(one, &properties, failing, is_bare),
        place,
        ..SheetRow::default()
    }
}

fn leaf(one: &Traced, properties: &[&Cited], failing: &[&Filed], is_bare: bool) -> Vec<Leaf> {
    let requirement = &one.requirement;
    let place = Some((one.file.clone(), requirement.line));
    let title = format!("{}  {}", requirement.id, one_line(&requirement.title, 200));
    let (text, whole) = crate::tui::text::head(&requirement.text, LONGEST);
    let mut lines = vec![
        Leaf::heading(&title).end(&format!("{}:{}", one.file, requirement.line)).at(place.clone()),
        Leaf::gap(),
        Leaf::plain(&format!("{text}{}", if whole { "" } else { " …" })).at(place),
    ];
    if !failing.is_empty() {
        lines.extend([Leaf::gap(), Leaf::heading(&counted(failing.len(), "open failure"))]);
        lines.extend(failing.iter().map(|filed| failure_line(filed)));
    }
    lines.push(Leaf::gap());
    if properties.is_empty() {
        let id = &requirement.id;
        lines.push(Leaf::new(Role::Fail, "no property cites it"));
        lines.push(Leaf::plain(&format!(
            "write one that cites [{id}]; `redpin prompt write {id}` asks an agent for it"
        )));
    } else {
        lines.push(Leaf::heading("properties"));
    }
    if is_bare && !properties.is_empty() {
        lines.push(Leaf::new(Role::Fail, "none of them is run"));
    }
    lines.extend(properties.iter().flat_map(|property| property_lines(property)));
    lines
}

/// A property that cites nothing, or what is nowhere.
fn stray(property: &Cited, why: &str, of_test: &BTreeMap<&str, Vec<&Filed>>) -> SheetRow {
    let named = of_test.get(property.test.0.as_str()).into_iter().flatten().copied();
    let failing: Vec<&Filed> = named.filter(|filed| filed.failure.framework.0 == property.framework).collect();
    let mut ends = vec![why.to_owned()];
    if !failing.is_empty() {
        ends.insert(0, format!("{} open", failing.len()));
    }
    let mut leaf = vec![Leaf::new(
        Role::Fail,
        &match &property.requirement {
            Some(id) => {
                format!("it cites {id}, which no spec file has: write the requirement, or cite the one that is meant")
            }
            None => "it cites no requirement: cite the one that it states, as [ID] in a comment".to_owned(),
        },
    )];
    leaf.push(Leaf::gap());
    leaf.extend(property_lines(property));
    leaf.extend(failing.iter().map(|filed| failure_line(filed)));
    SheetRow {
        glyph: ("!", Some(Role::Ambiguous)),
        lead: property.requirement.as_ref().map_or("–".to_owned(), |id| one_line(&id.0, 24)),
        name: one_line(property.test.function(), 200),
        ends,
        leaf,
        place: Some((property.file.clone(), property.line)),
        ..SheetRow::default()
    }
}

/// What could not be read: what it holds counts for nothing.
fn unread(notice: &Notice) -> SheetRow {
    let line = notice.line.map_or(String::new(), |line| format!(":{line}"));
    SheetRow {
        glyph: ("!", Some(Role::Ambiguous)),
        lead: "–".to_owned(),
        name: one_line(&format!("{}{line}", notice.file), 200),
        ends: vec!["not read".to_owned()],
        leaf: vec![Leaf::heading(&one_line(&notice.file, 300)), Leaf::gap(), Leaf::new(Role::Fail, &notice.text)],
        ..SheetRow::default()
    }
}

/// A property: its name and place, whether it is run, its pins, and what was decided on it last.
fn property_lines(property: &Cited) -> Vec<Leaf> {
    let place = Some((property.file.clone(), property.line));
    let name = Leaf::plain(&one_line(property.test.function(), 200));
    let mut lines = vec![name.end(&format!("{}:{}", property.file, property.line)).at(place.clone())];
    if let Some(why) = &property.skipped {
        lines.push(Leaf::new(Role::Fail, &format!("passed over: {why}")).indented(2));
    }
    lines.extend(
        property.pins.iter().map(|pin| Leaf::new(Role::Dim, &format!("pin {}", one_line(pin, 200))).indented(2)),
    );
    lines.extend(property.decision.as_ref().map(|decision| decision_line(decision).indented(2)));
    lines.into_iter().map(|line| line.at(place.clone())).collect()
}

fn decision_line(decision: &Decision) -> Leaf {
    let why = if decision.why.is_empty() { String::new() } else { format!(": {}", one_line(&decision.why, 400)) };
    let verdict = words::verdict(decision.verdict);
    let who = one_line(&decision.who, 80);
    Leaf::new(Role::Dim, &format!("{verdict}, {} by {who}{why}", day(&decision.when)))
}
