//! Requirement ids and their sentences, read out of spec text; and which requirement a property cites.

use std::collections::BTreeSet;
use std::fmt;

use serde::{Deserialize, Serialize};

/// A requirement's id, upper case: `BILL-4`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct RequirementId(pub String);

impl fmt::Display for RequirementId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl RequirementId {
    /// Whether `name` starts with this id as names write it: `bill_4_spread`, or `bill_4` alone.
    fn begins_name(&self, name: &str) -> bool {
        let own = self.0.to_lowercase().replace('-', "_");
        name.to_lowercase().strip_prefix(&own).is_some_and(|rest| rest.is_empty() || rest.starts_with('_'))
    }
}

/// A section of a spec file that has an id.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Requirement {
    /// Its id.
    pub id: RequirementId,
    /// The rest of its heading.
    pub title: String,
    /// The section's own text, without its open questions, blank lines at both ends left out.
    pub text: String,
    /// Line of the heading in its file, from 1.
    pub line: u32,
    /// Offset in its file after the section's last line of text: where an open question goes.
    pub end: usize,
}

/// Most characters of a heading that is made of text.
const LONGEST_HEADLINE: usize = 200;

impl Requirement {
    /// What stands for it in a list: its title, or where its heading is its id alone the first line of its text.
    pub fn headline(&self) -> String {
        let lines = std::iter::once(self.title.as_str()).chain(self.text.lines()).map(str::trim);
        let line = lines.into_iter().find(|line| !line.is_empty()).unwrap_or_default();
        line.chars().take(LONGEST_HEADLINE).collect()
    }
}

/// How the first line of an open question in a spec file starts.
pub const QUESTION: &str = "> **Open question**";

/// The requirements of a spec in Markdown, in its order: each heading that starts with an id, down to the next heading
/// of its level or above.
pub fn read(spec: &str) -> Vec<Requirement> {
    let lines = lines(spec);
    let heads = lines.iter().enumerate().filter_map(|(at, line)| Some((at, line.heading?)));
    heads.filter_map(|(at, (level, title))| requirement(&lines, at, level, title)).collect()
}

/// A line of a spec.
#[derive(Clone, Copy)]
struct Line<'s> {
    /// Offset after it, its line end included.
    end: usize,
    /// Without its line end.
    text: &'s str,
    /// Level and words, where it is a heading.
    heading: Option<(usize, &'s str)>,
}

fn lines(spec: &str) -> Vec<Line<'_>> {
    let (mut end, mut fence) = (0, None);
    let mut lines = Vec::new();
    for whole in spec.split_inclusive('\n') {
        end += whole.len();
        let text = whole.trim_end_matches(['\n', '\r']);
        match (fence, fence_marks(text)) {
            (None, Some((marks, word))) if opens(marks, word) => fence = Some(marks),
            (Some(open), Some((marks, word))) if closes(marks, word, open) => fence = None,
            _ => {}
        }
        let heading = if fence.is_none() { heading(text) } else { None };
        lines.push(Line { end, text, heading });
    }
    lines
}

/// The run of `` ` `` or `~` that may open or close a fenced block, and what follows it on its line.
fn fence_marks(line: &str) -> Option<(&str, &str)> {
    let line = line.trim_start();
    let mark = line.chars().next().filter(|c| matches!(c, '`' | '~'))?;
    let (run, rest) = line.split_at(line.len() - line.trim_start_matches(mark).len());
    (run.len() >= 3).then_some((run, rest))
}

/// Whether `marks` with `word` behind them open a block: else they are code within a line.
fn opens(marks: &str, word: &str) -> bool {
    marks.starts_with('~') || !word.contains('`')
}

fn closes(marks: &str, word: &str, open: &str) -> bool {
    marks.starts_with(open) && word.trim().is_empty()
}

/// The level and the words of a `#` heading.
fn heading(line: &str) -> Option<(usize, &str)> {
    let trimmed = line.trim_start_matches(' ');
    let words = trimmed.trim_start_matches('#');
    let level = trimmed.len() - words.len();
    let is_heading = (1..=6).contains(&level) && line.len() - trimmed.len() <= 3 && words.starts_with([' ', '\t']);
    is_heading.then(|| (level, words.trim().trim_end_matches('#').trim_end()))
}

fn requirement(lines: &[Line<'_>], at: usize, level: usize, title: &str) -> Option<Requirement> {
    let title = title.trim_start_matches(['*', '_', '[', '`']);
    let id = id_at_start(title)?;
    let below = &lines[at + 1..];
    let ends_here = |line: &Line<'_>| line.heading.is_some_and(|(other, _)| other <= level);
    let below = &below[..below.iter().position(ends_here).unwrap_or(below.len())];
    let last = below.iter().rposition(|line| !line.text.trim().is_empty());
    let end = last.map_or(lines[at].end, |last| below[last].end);
    let rest = title[id.len()..].trim_start_matches([']', '*', '_', '`', ':', '.', ' ', '\t', '–', '—', '-']);
    Some(Requirement {
        id: RequirementId(id.to_owned()),
        title: rest.to_owned(),
        text: own_text(below),
        line: u32::try_from(at + 1).unwrap_or(u32::MAX),
        end,
    })
}

/// The lines without open questions, and without blank lines at both ends.
fn own_text(lines: &[Line<'_>]) -> String {
    let mut kept: Vec<&str> = Vec::new();
    let mut in_question = false;
    for line in lines {
        in_question = line.text.starts_with('>') && (in_question || line.text.starts_with(QUESTION));
        let second_blank = line.text.trim().is_empty() && kept.last().is_none_or(|last| last.trim().is_empty());
        if !in_question && !second_blank {
            kept.push(line.text);
        }
    }
    kept.join("\n").trim_end().to_owned()
}

/// The id that `text` starts with: capitals, perhaps several words joined by `-`, then `-` and a number.
fn id_at_start(text: &str) -> Option<&str> {
    let end = text.find(|c: char| !c.is_ascii_alphanumeric() && c != '-').unwrap_or(text.len());
    let (word, rest) = text.split_at(end);
    let (name, number) = word.rsplit_once('-')?;
    let is_name = name.starts_with(|c: char| c.is_ascii_uppercase())
        && !name.ends_with('-')
        && name.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '-');
    let is_number = !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit());
    let goes_on =
        rest.starts_with('_') || rest.strip_prefix('.').is_some_and(|r| r.starts_with(|c: char| c.is_ascii_digit()));
    (is_name && is_number && !goes_on).then_some(word)
}

/// The ids that `text` names, in order.
fn ids(text: &str) -> impl Iterator<Item = &str> {
    let starts_word = |at: usize| !text[..at].ends_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | '-'));
    let capitals = text.bytes().enumerate().filter(|(_, byte)| byte.is_ascii_uppercase()).map(|(at, _)| at);
    capitals.filter(move |at| starts_word(*at)).filter_map(|at| id_at_start(&text[at..]))
}

/// The ids that `text` names in square brackets, in order.
fn bracketed(text: &str) -> impl Iterator<Item = &str> {
    text.split('[').skip(1).filter_map(|part| id_at_start(part).filter(|id| part[id.len()..].starts_with(']')))
}

/// Where a property may cite its requirement.
#[derive(Clone, Copy, Debug)]
pub struct Citing<'a> {
    /// Its name, without modules.
    pub name: &'a str,
    /// Comments and names around it, innermost first.
    pub around: &'a [String],
    /// Its own source.
    pub source: &'a str,
    /// The message it failed with.
    pub message: &'a str,
}

impl Citing<'_> {
    /// The requirement it cites: an id in square brackets first (in the message, then in comments, then anywhere in its
    /// source), then its name, then an id named in a comment. Ids that no spec file has count in brackets only, and last.
    pub fn requirement(&self, known: &BTreeSet<RequirementId>) -> Option<RequirementId> {
        let texts = || std::iter::once(self.message).chain(self.around.iter().map(String::as_str)).chain([self.source]);
        let in_brackets = || texts().flat_map(bracketed);
        let unknown = || in_brackets().next().map(|id| RequirementId(id.to_owned()));
        if known.is_empty() {
            return unknown();
        }
        let is_known = |id: &&str| known.contains(&RequirementId((*id).to_owned()));
        let in_comments = || self.around.iter().map(String::as_str).chain([self.source]).flat_map(ids);
        let found = in_brackets().find(is_known).map(|id| RequirementId(id.to_owned()));
        found
            .or_else(|| self.by_name(known))
            .or_else(|| in_comments().find(is_known).map(|id| RequirementId(id.to_owned())))
            .or_else(unknown)
    }

    /// Whether anything here has the form of an id, or a name begins as one that has would.
    pub fn may_cite(&self) -> bool {
        let texts = || std::iter::once(self.message).chain(self.around.iter().map(String::as_str)).chain([self.source]);
        let names = || std::iter::once(self.name).chain(self.around.iter().map(String::as_str));
        texts().flat_map(ids).next().is_some() || names().any(has_id)
    }

    fn by_name(&self, known: &BTreeSet<RequirementId>) -> Option<RequirementId> {
        let names = std::iter::once(self.name).chain(self.around.iter().map(String::as_str));
        // The longest, where one id begins another.
        names
            .filter_map(|name| known.iter().filter(|id| id.begins_name(name)).max_by_key(|id| id.0.len()))
            .next()
            .cloned()
    }
}

/// Whether `name` begins with words and a number, as in `bill_4_spread`.
fn has_id(name: &str) -> bool {
    let is_word = |word: &str| word.starts_with(|first: char| first.is_ascii_alphabetic());
    let mut words = name.split('_').skip_while(|word| is_word(word));
    is_word(name) && words.next().is_some_and(|word| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::{Citing, RequirementId, read};

    /// `expected` is line, id, title, text, and what the file goes on with after the section.
    #[track_caller]
    fn check(spec: &str, expected: &[(u32, &str, &str, &str, &str)]) {
        let found = read(spec);
        let told: Vec<_> = found
            .iter()
            .map(|r| {
                (
                    r.line,
                    r.id.0.as_str(),
                    r.title.as_str(),
                    r.text.as_str(),
                    spec[r.end..].trim_start().lines().next().unwrap_or(""),
                )
            })
            .collect();
        assert_eq!(told, expected, "{spec:?}");
    }

    #[test]
    fn a_section_goes_to_the_next_heading_of_its_level_or_above() {
        check(
            "# Rules\n\n### A-1: One\n\nFirst.\nSecond.\n\n#### Why\n\nSo.\n\n## B-22 Two ##\nThird.",
            &[
                (3, "A-1", "One", "First.\nSecond.\n\n#### Why\n\nSo.", "## B-22 Two ##"),
                (12, "B-22", "Two", "Third.", ""),
            ],
        );
        check("### A-1\r\n\r\nText.\r\n\r\n", &[(1, "A-1", "", "Text.", "")]);
        check("### A-1", &[(1, "A-1", "", "", "")]);
    }

    #[test]
    fn a_heading_may_dress_its_id() {
        check(
            "## **GEO-1**: x\n## [PAY-REF-2] y\n## `C3-4` — z\n",
            &[
                (1, "GEO-1", "x", "", "## [PAY-REF-2] y"),
                (2, "PAY-REF-2", "y", "", "## `C3-4` — z"),
                (3, "C3-4", "z", "", ""),
            ],
        );
    }

    #[test]
    fn a_heading_without_a_title_is_shown_with_the_first_line_of_its_text() {
        let check = |spec: &str, expected: &str| assert_eq!(read(spec)[0].headline(), expected, "{spec:?}");
        check("## A-1\nParts add up\nto the whole.\n", "Parts add up");
        check("## **A-1**\n\n  Parts add up.\n", "Parts add up.");
        check("## A-1 – Sums\nParts add up.\n", "Sums");
        check("## A-1\n", "");
        check(&format!("## A-1\n{}", "ü".repeat(300)), &"ü".repeat(200));
    }

    #[test]
    fn what_only_looks_like_an_id_or_a_heading_is_none() {
        check("### A-1.2 x\n### a-1 x\n### A-1b\n### A1\n### -1\n###A-1\n####### A-1\n    ### A-1\n", &[]);
        check("```\n### A-1\n```\n~~~~\n~~~\n### A-2\n~~~~\n### A-3\n", &[(8, "A-3", "", "", "")]);
        check("```text\n```rust\n### A-1\n```\n### A-2\n", &[(5, "A-2", "", "", "")]);
        check("```a``` is code\n### A-1\n", &[(2, "A-1", "", "", "")]);
    }

    #[test]
    fn open_questions_are_no_part_of_the_text() {
        check(
            "## A-1\n\nText.\n\n> **Open question** (2026-11-30): why\n> more\n\n> A quote.\n\n## B",
            &[(1, "A-1", "", "Text.\n\n> A quote.", "## B")],
        );
    }

    #[track_caller]
    fn check_cited(name: &str, around: &[&str], source: &str, message: &str, expected: Option<&str>) {
        let known: BTreeSet<_> = ["BILL-4", "BILL-40", "PARK-1"].map(|id| RequirementId(id.to_owned())).into();
        let around: Vec<String> = around.iter().map(|text| (*text).to_owned()).collect();
        let found = Citing { name, around: &around, source, message }.requirement(&known);
        assert_eq!(found.as_ref().map(|id| id.0.as_str()), expected);
    }

    #[track_caller]
    fn check_may_cite(name: &str, around: &[&str], source: &str, expected: bool) {
        let around: Vec<String> = around.iter().map(|text| (*text).to_owned()).collect();
        let citing = Citing { name, around: &around, source, message: "" };
        assert_eq!(citing.may_cite(), expected, "{citing:?}");
    }

    #[test]
    fn whatever_has_the_form_of_an_id_may_cite_one() {
        check_may_cite("bill_4_spread", &[], "", true);
        check_may_cite("c3_4", &[], "", true);
        check_may_cite("spread", &["PARK-1: full blocks"], "", true);
        check_may_cite("spread", &["bill_4"], "", true);
        check_may_cite("spread", &[], "// [BILL-4]", true);
        check_may_cite("spread_at_most", &["tests", "of text"], "a - 1", false);
        check_may_cite("_4_spread", &[], "", false);
    }

    #[test]
    fn a_property_cites_by_brackets_name_or_comment() {
        check_cited("x", &[], "", "[BILL-4] spread 2", Some("BILL-4"));
        check_cited("bill_4_spread", &["PARK-1 is not meant"], "", "", Some("BILL-4"));
        check_cited("bill_40", &[], "", "", Some("BILL-40"));
        check_cited("x", &["PARK-1: full blocks"], "", "", Some("PARK-1"));
        check_cited("x", &["tests", "bill_4_rules"], "", "", Some("BILL-4"));
        check_cited("x", &[], "fn x() { // see PARK-1\n}", "", Some("PARK-1"));
    }

    #[test]
    fn brackets_come_first_and_the_message_first_of_all() {
        check_cited("bill_4_x", &["[PARK-1]"], "", "", Some("PARK-1"));
        check_cited("x", &["[PARK-1]"], "", "[BILL-4]", Some("BILL-4"));
    }

    #[test]
    fn ids_of_no_spec_count_in_brackets_only() {
        check_cited("int_128_x", &["of UTF-8 text", "HALL: an empty hall"], "INT-128", "SHA-256", None);
        check_cited("x", &["[WEEK-2]"], "", "", Some("WEEK-2"));
        check_cited("x", &["[WEEK-2]", "PARK-1"], "", "", Some("PARK-1"));
        check_cited("billing_4_x", &["XBILL-4, BILL-4x, BILL-4.1"], "", "", None);
    }
}
