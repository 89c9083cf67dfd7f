//! What is known of the requirements, properties and pins of a change, as one bundle for whoever reviews it: what holds, and
//! what is missing.

use std::fmt::Write as _;

use serde::Serialize;

use crate::visible;

/// The bundle: one JSON object, keys in this order.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Bundle {
    /// Version of this form: 1.
    pub schema: u32,
    /// Whether nothing is missing.
    pub complete: bool,
    /// When it was made, as RFC 3339 in UTC.
    pub when: String,
    /// The commit, with a `+` where the work tree differs from it.
    pub commit: String,
    /// The commit that it is held against.
    pub base: String,
    /// Every requirement with its properties.
    pub requirements: Vec<RequirementRow>,
    /// Negative controls, the last of each property.
    pub controls: Vec<ControlRow>,
    /// What mutation testing left in the work tree.
    pub mutation: Vec<Score>,
    /// Every pin that stands.
    pub pins: Vec<PinRow>,
    /// What the change takes from the oracle.
    pub taken: Vec<TakenRow>,
    /// The last sweeps, the newest first.
    pub sweeps: Vec<SweepRow>,
    /// The failures of the inbox.
    pub failures: Vec<FailureRow>,
    /// What is missing, each a sentence.
    pub missing: Vec<String>,
}

/// A requirement.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct RequirementRow {
    /// Its id.
    pub id: String,
    /// Its title.
    pub title: String,
    /// `file:line`.
    pub at: String,
    /// Full names of the properties that cite it.
    pub properties: Vec<String>,
    /// Where each of them stands, as `file:line`.
    pub places: Vec<String>,
}

/// A negative control.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ControlRow {
    /// The property.
    pub property: String,
    /// `red` where the violation was noticed, else `green`.
    pub outcome: String,
    /// When, as RFC 3339 in UTC.
    pub when: String,
    /// The record's file.
    pub record: String,
}

/// A mutation score.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Score {
    /// The tool.
    pub tool: String,
    /// The file it was read from.
    pub file: String,
    /// Mutants that a test noticed, those that ran out of time among them.
    pub noticed: u64,
    /// Mutants that were tried and could be noticed.
    pub tried: u64,
}

/// A pin.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct PinRow {
    /// The test that shows it.
    pub test: String,
    /// The property.
    pub property: String,
    /// The file of its property, where known.
    pub file: Option<String>,
    /// How it came out at the base, where it was run there.
    pub base: Option<String>,
    /// How it came out here, where it was run on this code.
    pub here: Option<String>,
}

/// Something that the change takes from the oracle.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct TakenRow {
    /// What, as a sentence.
    pub text: String,
    /// `file:line`.
    pub at: String,
    /// The decision record that allows it, and why.
    pub allowed: Option<String>,
}

/// A sweep.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct SweepRow {
    /// What its user calls it.
    pub name: String,
    /// When it began, as RFC 3339 in UTC.
    pub when: String,
    /// The commit it ran on, with a `+` where the work tree differed from it.
    pub commit: String,
    /// Cases of each property that does not set its own number.
    pub cases: u64,
    /// How many properties were run, where the tests tell.
    pub properties: Option<u64>,
    /// How many of its shards are here: `3 of 4`.
    pub shards: String,
    /// The shards that are missing.
    pub missing: Vec<u32>,
    /// The exit status of its command.
    pub exit: i32,
    /// How many properties failed.
    pub failures: u64,
    /// How many of these failures are open still.
    pub open: u64,
    /// The most working hours that one of them took from the first run that showed it to its verdict; `None` where none is in
    /// the inbox any more.
    pub hours: Option<u64>,
}

impl SweepRow {
    /// What is missing of the last one.
    fn misses(&self) -> Vec<String> {
        let date = self.when.get(..10).unwrap_or(&self.when);
        let mut missing = Vec::new();
        if !self.missing.is_empty() {
            let shards: Vec<String> = self.missing.iter().map(ToString::to_string).collect();
            missing.push(format!("of the last sweep, of {date}, shards are missing: {}", shards.join(", ")));
        }
        if self.exit != 0 && self.failures == 0 {
            missing.push(format!(
                "the last sweep, of {date}, ended with exit status {} and told of no failure: look at what it printed",
                self.exit
            ));
        }
        if self.open > 0 {
            missing.push(format!(
                "the last sweep, of {date}, is red, and {} of its failures {} for a verdict",
                self.open,
                if self.open == 1 { "waits" } else { "wait" }
            ));
        }
        if let Some(hours) = self.hours.filter(|hours| self.open == 0 && *hours > WORKING_DAY) {
            missing.push(format!(
                "the verdicts on the last sweep, of {date}, took up to {hours} hours, more than a working day"
            ));
        }
        missing
    }
}

/// A number of hours with its noun.
fn hours(number: u64) -> String {
    format!("{number} {}", if number == 1 { "hour" } else { "hours" })
}

/// A failure of the inbox.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct FailureRow {
    /// Its id.
    pub id: String,
    /// The property.
    pub property: String,
    /// Where it stands, as `file:line`, where known.
    pub at: Option<String>,
    /// The verdict, where there is one.
    pub verdict: Option<String>,
    /// Working hours from the first run that showed it to the decision, rounded up; of an open one until now.
    pub hours: u64,
}

/// So many hours are one working day: night included, weekends not.
pub const WORKING_DAY: u64 = 24;

impl Bundle {
    /// Tells what is missing, and whether anything is; `unread` is what could not be read, each a sentence.
    #[must_use]
    pub fn judged(mut self, unread: Vec<String>) -> Bundle {
        let mut missing = unread;
        if self.requirements.is_empty() {
            missing
                .push("no requirement was found in a spec file, so that there is nothing to be complete of".to_owned());
        }
        let bare = self.requirements.iter().filter(|one| one.properties.is_empty());
        missing.extend(bare.map(|one| format!("{} has no property that is run", one.id)));
        let properties: Vec<(&String, &String)> =
            self.requirements.iter().flat_map(|one| one.properties.iter().zip(&one.places)).collect();
        let controlled = |name: &String| self.controls.iter().any(|one| one.property == *name && one.outcome == "red");
        for (name, place) in properties.iter().filter(|(name, _)| !controlled(name)) {
            missing.push(format!("no violation on purpose was seen to turn {name} ({place}) red: `redpin control`"));
        }
        if self.mutation.is_empty() {
            missing.push("no mutation score: no output of cargo-mutants, Stryker or mutmut was found".to_owned());
        }
        let empty = self.mutation.iter().filter(|one| one.tried == 0);
        missing.extend(empty.map(|one| format!("no mutation score: {} tells of no mutant that was tried", one.file)));
        for pin in &self.pins {
            match (pin.base.as_deref(), pin.here.as_deref()) {
                (Some("red"), Some("green")) => {}
                (None, _) | (_, None) => {
                    missing.push(format!(
                        "{} was not run at the base and here, as committed: `redpin verify --base` without uncommitted changes",
                        pin.test
                    ));
                }
                (base, here) => missing.push(format!(
                    "{} is {} at the base and {} here, not red and green",
                    pin.test,
                    base.unwrap_or_default(),
                    here.unwrap_or_default()
                )),
            }
        }
        let taken = self.taken.iter().filter(|one| one.allowed.is_none());
        missing.extend(
            taken.map(|one| format!("the change takes from the oracle, and nobody has allowed it: {}", one.text)),
        );
        match self.sweeps.first() {
            Some(last) => missing.extend(last.misses()),
            None => missing
                .push("no sweep is on record here: `redpin sweep`, or `redpin import` of its run file".to_owned()),
        }
        for one in &self.failures {
            match one.verdict {
                None => missing.push(format!("{} of {} is open since {}", one.id, one.property, hours(one.hours))),
                Some(_) if one.hours > WORKING_DAY => {
                    missing.push(format!(
                        "{} of {} took {} hours, more than a working day",
                        one.id, one.property, one.hours
                    ));
                }
                Some(_) => {}
            }
        }
        self.complete = missing.is_empty();
        self.missing = missing;
        self
    }

    /// The bundle as Markdown.
    pub fn markdown(&self) -> String {
        let mut text = format!("# Evidence for {}\n\n", cell(&self.commit));
        let _ = writeln!(text, "Made {}, held against {}.", cell(&self.when), cell(&self.base));
        let told = match self.missing.len() {
            0 => "Nothing is missing.".to_owned(),
            1 => "**1 thing is missing**; it stands at the end.".to_owned(),
            many => format!("**{many} things are missing**; they stand at the end."),
        };
        let _ = writeln!(text, "{told}");
        self.add_requirements(&mut text);
        self.add_controls(&mut text);
        self.add_mutation(&mut text);
        self.add_pins(&mut text);
        self.add_taken(&mut text);
        self.add_sweeps(&mut text);
        self.add_failures(&mut text);
        text += "\n## Missing\n\n";
        if self.missing.is_empty() {
            text += "Nothing.\n";
        }
        self.missing.iter().for_each(|one| {
            let _ = writeln!(text, "- {}", cell(one));
        });
        text
    }

    fn add_requirements(&self, text: &mut String) {
        let rows = self.requirements.iter().map(|one| {
            let stated = one.properties.iter().zip(&one.places);
            let names: Vec<String> = stated.map(|(name, place)| format!("{} {}", code(name), cell(place))).collect();
            let properties = if names.is_empty() { "none".to_owned() } else { names.join("<br>") };
            format!("| {} | {} | {} | {properties} |", cell(&one.id), cell(&one.title), cell(&one.at))
        });
        table(
            text,
            "Requirements",
            &["requirement", "title", "stands at", "properties"],
            rows,
            "No requirement was found.",
        );
    }

    fn add_controls(&self, text: &mut String) {
        let rows = self.controls.iter().map(|one| {
            let told = if one.outcome == "red" { "noticed" } else { "**not noticed**" };
            format!("| {} | {told} | {} | {} |", code(&one.property), cell(&one.when), cell(&one.record))
        });
        table(
            text,
            "Negative controls",
            &["property", "violation on purpose", "when", "record"],
            rows,
            "None is on record.",
        );
    }

    fn add_mutation(&self, text: &mut String) {
        let rows = self.mutation.iter().map(|one| {
            let percent = u128::from(one.noticed) * 100 / u128::from(one.tried.max(1));
            format!("| {} | {} of {} | {percent} % | {} |", cell(&one.tool), one.noticed, one.tried, cell(&one.file))
        });
        table(text, "Mutation score", &["tool", "noticed", "score", "read from"], rows, "None was found.");
    }

    fn add_pins(&self, text: &mut String) {
        let rows = self.pins.iter().map(|one| {
            let came_out = |state: &Option<String>| state.as_deref().map_or("not run".to_owned(), cell);
            format!(
                "| {} | {} | {} | {} | {} |",
                code(&one.test),
                code(&one.property),
                one.file.as_deref().map_or(String::new(), cell),
                came_out(&one.base),
                came_out(&one.here)
            )
        });
        table(text, "Pins", &["pin", "property", "stands in", "at the base", "here"], rows, "No pin stands.");
    }

    fn add_taken(&self, text: &mut String) {
        let rows = self.taken.iter().map(|one| {
            let allowed = one.allowed.as_deref().map_or("**by nobody**".to_owned(), cell);
            format!("| {} | {} | {allowed} |", cell(&one.text), cell(&one.at))
        });
        let nothing = "Every property, pin, seed, requirement and decision of the base is untouched.";
        table(text, "Taken from the oracle", &["what", "where", "allowed"], rows, nothing);
    }

    fn add_sweeps(&self, text: &mut String) {
        let rows = self.sweeps.iter().map(|one| {
            let told = match (one.failures, one.open) {
                (0, _) if one.exit == 0 => "green".to_owned(),
                (0, _) => format!("**exit status {}**", one.exit),
                (failures, 0) => format!("{failures} failed, all with a verdict"),
                (failures, open) => format!("{failures} failed, **{open} open**"),
            };
            let run = one.properties.map_or("each".to_owned(), |number| number.to_string());
            let after = match one.hours {
                Some(hours) => format!("{hours} h"),
                None if one.failures > 0 => "not told: they have left the inbox".to_owned(),
                None => String::new(),
            };
            format!(
                "| {} | {} | {} | {} x {run} | {} | {told} | {after} |",
                cell(&one.when),
                cell(&one.name),
                cell(&one.commit),
                one.cases,
                one.shards
            )
        });
        let columns = ["began", "sweep", "commit", "cases x properties", "shards", "came out", "verdicts after"];
        table(text, "Sweeps", &columns, rows, "None is on record here.");
    }

    fn add_failures(&self, text: &mut String) {
        let rows = self.failures.iter().map(|one| {
            let verdict = one.verdict.as_deref().map_or("**open**".to_owned(), cell);
            let at = one.at.as_deref().map_or(String::new(), cell);
            format!("| {} | {} | {at} | {verdict} | {} h |", cell(&one.id), code(&one.property), one.hours)
        });
        table(
            text,
            "Failures of the last runs",
            &["failure", "property", "stands at", "verdict", "after"],
            rows,
            "The inbox is empty.",
        );
    }
}

fn table(text: &mut String, title: &str, columns: &[&str], rows: impl Iterator<Item = String>, nothing: &str) {
    let _ = writeln!(text, "\n## {title}\n");
    let rows: Vec<String> = rows.collect();
    if rows.is_empty() {
        let _ = writeln!(text, "{nothing}");
        return;
    }
    let _ = writeln!(text, "| {} |\n|{}", columns.join(" | "), " --- |".repeat(columns.len()));
    rows.iter().for_each(|row| {
        let _ = writeln!(text, "{row}");
    });
}

/// Text with foreign words in it, on one line: what Markdown, a browser or a forge would take for its own, such as a link, a
/// mention or emphasis, becomes code, where nothing means anything. Between two backticks it is code already.
fn cell(text: &str) -> String {
    let text = visible::line(text);
    let parts: Vec<&str> = text.split('`').collect();
    let is_paired = parts.len() % 2 == 1;
    let of_part = |(at, part): (usize, &&str)| match (is_paired, at % 2) {
        (true, 1) => code(part),
        _ => part
            .split(' ')
            .enumerate()
            .map(|(word, text)| self::word(text, at + word == 0))
            .collect::<Vec<_>>()
            .join(" "),
    };
    let joined = parts.iter().enumerate().map(of_part).collect::<Vec<_>>();
    joined.join(if is_paired { "" } else { "'" })
}

/// A word, as code where it could be anything else than a word; `first` could begin a list.
fn word(text: &str, first: bool) -> String {
    let in_numbers = |c: char| c.is_ascii_digit() || "-:.+TZ".contains(c);
    let is_plain = |c: char| c.is_alphanumeric() || ",.;:-/+'\"?%()=…“”".contains(c);
    let is_mark = first && !text.is_empty() && !text.chars().any(char::is_alphabetic) && !text.starts_with("20");
    let is_address = text.contains("//") || text.to_ascii_lowercase().contains("www.") || text.matches(':').count() > 1;
    let is_word = text.chars().all(in_numbers) || text.chars().all(is_plain) && !is_address;
    if is_word && !is_mark { text.to_owned() } else { code(text) }
}

/// Foreign text as code in a table, where a bar would end the cell all the same.
fn code(text: &str) -> String {
    let text = visible::line(text).replace('`', "'").replace('|', "\\|");
    if text.trim().is_empty() { text } else { format!("`{text}`") }
}

#[cfg(test)]
mod tests {
    use super::{Bundle, ControlRow, FailureRow, PinRow, RequirementRow, Score, SweepRow, TakenRow, cell, code};

    fn whole() -> Bundle {
        Bundle {
            schema: 1,
            commit: "abc".to_owned(),
            base: "def".to_owned(),
            requirements: vec![RequirementRow {
                id: "BILL-1".to_owned(),
                properties: vec!["sum".to_owned()],
                places: vec!["a.rs:3".to_owned()],
                ..Default::default()
            }],
            controls: vec![ControlRow { property: "sum".to_owned(), outcome: "red".to_owned(), ..Default::default() }],
            mutation: vec![Score { tool: "cargo-mutants".to_owned(), noticed: 9, tried: 10, ..Default::default() }],
            pins: vec![PinRow {
                test: "sum_pin".to_owned(),
                base: Some("red".to_owned()),
                here: Some("green".to_owned()),
                ..Default::default()
            }],
            taken: vec![TakenRow { text: "x".to_owned(), allowed: Some("by Ann".to_owned()), ..Default::default() }],
            sweeps: vec![SweepRow {
                when: "2026-11-30T03:00:00Z".to_owned(),
                failures: 2,
                exit: 1,
                ..Default::default()
            }],
            failures: vec![FailureRow { verdict: Some("real-bug".to_owned()), hours: 3, ..Default::default() }],
            ..Bundle::default()
        }
    }

    #[track_caller]
    fn check(change: impl FnOnce(&mut Bundle), expected: &[&str]) {
        let mut bundle = whole();
        change(&mut bundle);
        let judged = bundle.judged(Vec::new());
        assert_eq!(judged.missing, expected);
        assert_eq!(judged.complete, expected.is_empty());
    }

    #[test]
    fn what_is_missing_is_told() {
        check(|_| {}, &[]);
        check(
            |bundle| bundle.controls[0].outcome = "green".to_owned(),
            &["no violation on purpose was seen to turn sum (a.rs:3) red: `redpin control`"],
        );
        check(
            |bundle| bundle.mutation.clear(),
            &["no mutation score: no output of cargo-mutants, Stryker or mutmut was found"],
        );
        check(|bundle| bundle.mutation[0].tried = 0, &["no mutation score:  tells of no mutant that was tried"]);
        check(
            |bundle| {
                bundle.requirements.clear();
                bundle.controls.clear();
            },
            &["no requirement was found in a spec file, so that there is nothing to be complete of"],
        );
        assert_eq!(whole().judged(vec!["a.rs cannot be read".to_owned()]).missing, ["a.rs cannot be read"]);
        check(
            |bundle| bundle.pins[0].base = None,
            &[
                "sum_pin was not run at the base and here, as committed: `redpin verify --base` without uncommitted changes",
            ],
        );
        check(
            |bundle| bundle.pins[0].here = Some("red".to_owned()),
            &["sum_pin is red at the base and red here, not red and green"],
        );
        check(
            |bundle| bundle.taken[0].allowed = None,
            &["the change takes from the oracle, and nobody has allowed it: x"],
        );
        check(
            |bundle| bundle.sweeps.clear(),
            &["no sweep is on record here: `redpin sweep`, or `redpin import` of its run file"],
        );
        check(
            |bundle| bundle.sweeps[0].missing = vec![2, 4],
            &["of the last sweep, of 2026-11-30, shards are missing: 2, 4"],
        );
        check(
            |bundle| bundle.sweeps[0].open = 1,
            &["the last sweep, of 2026-11-30, is red, and 1 of its failures waits for a verdict"],
        );
        check(
            |bundle| bundle.sweeps[0].failures = 0,
            &[
                "the last sweep, of 2026-11-30, ended with exit status 1 and told of no failure: look at what it printed",
            ],
        );
        check(
            |bundle| bundle.sweeps[0].hours = Some(25),
            &["the verdicts on the last sweep, of 2026-11-30, took up to 25 hours, more than a working day"],
        );
        check(|bundle| bundle.sweeps.push(SweepRow { open: 3, ..Default::default() }), &[]);
        check(|bundle| bundle.failures[0].verdict = None, &[" of  is open since 3 hours"]);
        let open = FailureRow { hours: 1, ..Default::default() };
        check(|bundle| bundle.failures = vec![open], &[" of  is open since 1 hour"]);
        check(|bundle| bundle.failures[0].hours = 25, &[" of  took 25 hours, more than a working day"]);
        check(
            |bundle| {
                bundle.requirements[0].properties.clear();
                bundle.controls.clear();
            },
            &["BILL-1 has no property that is run"],
        );
    }

    #[test]
    fn the_page_holds_every_table_and_no_foreign_markup() {
        let mut bundle = whole();
        bundle.requirements[0].title = "a | b <script> `c`\u{1b}[2J".to_owned();
        let page = bundle.judged(Vec::new()).markdown();
        assert!(page.contains("| BILL-1 | a `\\|` b `<script>` `c``\\u{1b}[2J` |  | `sum` a.rs:3 |\n"), "{page}");
        assert!(page.contains("| cargo-mutants | 9 of 10 | 90 % |"), "{page}");
        assert!(page.contains("Nothing is missing.\n") && page.ends_with("## Missing\n\nNothing.\n"), "{page}");
        let empty = Bundle::default().judged(Vec::new()).markdown();
        for line in [
            "No requirement was found.",
            "None is on record.",
            "No pin stands.",
            "None is on record here.",
            "The inbox is empty.",
        ] {
            assert!(empty.contains(line), "{empty}");
        }
    }

    #[test]
    fn what_could_mean_something_to_a_forge_is_code() {
        for (text, expected) in [
            ("No two instalments differ by more than 1 cent.", "No two instalments differ by more than 1 cent."),
            ("src/billing.rs:14", "src/billing.rs:14"),
            ("2026-11-30T03:17:00Z", "2026-11-30T03:17:00Z"),
            ("ask @team about #12", "ask `@team` about `#12`"),
            ("![x](https://example.org/y.png)", "`![x](https://example.org/y.png)`"),
            ("see www.example.org now", "see `www.example.org` now"),
            ("*all* or _none_ :tada:", "`*all*` or `_none_` `:tada:`"),
            ("run `redpin control` first", "run `redpin control` first"),
            ("a ` b | c", "a ' b `\\|` c"),
            ("1. first", "`1.` first"),
            ("", ""),
        ] {
            assert_eq!(cell(text), expected, "{text}");
        }
        assert_eq!([code("a | `b` <c>"), code(" ")], ["`a \\| 'b' <c>`", " "]);
    }
}
