//! Pins being run, as a command tells of it: the tests' own output on the remarks' stream, and how each pin came out.

use std::io;

use super::World;
use super::page::{Page, Style};
use crate::proof::{PinState, Proof, StandingPin};
use crate::triage::Prover;
use crate::verify::{Commit, Ground, Ladder, Onlooker, Stop};
use crate::visible;

/// Tells how it goes, and hears what ends it.
pub(super) struct Telling<'a, 'p> {
    page: &'a mut Page<'p>,
    /// Whether how each pin came out is part of the answer.
    answers: bool,
    stop: Stop,
}

impl<'a, 'p> Telling<'a, 'p> {
    /// Tells it on `page`, and, where it `answers`, how each pin came out as part of the answer.
    pub(super) fn new(page: &'a mut Page<'p>, answers: bool) -> io::Result<Self> {
        Ok(Telling { page, answers, stop: Stop::by_signals()? })
    }
}

impl Onlooker for Telling<'_, '_> {
    fn stop(&self) -> &Stop {
        &self.stop
    }

    fn starts(&mut self, command: &str, _: usize) {
        // A reader that is gone ends nobody's tests.
        let _ = self.page.remark(&format!("running {}", visible::line(command)));
    }

    fn output(&mut self, bytes: &[u8]) {
        self.page.pass_on(bytes);
    }

    fn stands_on(&mut self, ground: Ground<'_>) {
        if self.answers {
            let line = match ground {
                Ground::WorkTree => "in the work tree:".to_owned(),
                Ground::Commit(commit) => format!("at {}:", named(commit)),
                Ground::Mutated(title) => format!("with a mutation in it, {}:", visible::line(title)),
                Ground::Violated => "with the violation in it:".to_owned(),
            };
            let _ = self.page.line(&line);
        }
    }

    fn proved(&mut self, pin: &StandingPin, proof: &Proof) {
        if self.answers {
            let line = sentence(pin, proof, self.page);
            let _ = self.page.line(&line);
        }
    }
}

/// A commit as one line.
pub(super) fn named(commit: &Commit) -> String {
    let day = commit.date.get(..10).unwrap_or(&commit.date);
    format!("{} {day} {}", visible::line(&commit.short), visible::line(&commit.title))
}

/// What proves pins before they are staged. `unproven`: those that do not come out red are staged too.
pub(super) fn ladder<'a, 'p>(
    world: &World,
    page: &'a mut Page<'p>,
    unproven: bool,
) -> io::Result<Ladder<Telling<'a, 'p>>> {
    Ok(Ladder::new(world.cache.clone(), Telling::new(page, false)?).all_the_same(unproven))
}

/// The same as who stages takes it.
pub(super) fn prover<O: Onlooker>(ladder: &mut Option<Ladder<O>>) -> Option<&mut dyn Prover> {
    ladder.as_mut().map(|ladder| ladder as &mut dyn Prover)
}

/// How a pin came out, as a line or two.
fn sentence(pin: &StandingPin, proof: &Proof, page: &Page<'_>) -> String {
    let (style, glyph) = match proof.state {
        PinState::Red => (Style::Failing, "✗"),
        PinState::Green => (Style::Good, "✓"),
        _ => (Style::Open, "!"),
    };
    let word = page.styled(style, &format!("{glyph} {}", proof.state.word()));
    let whose = match (proof.state, proof.own_fault) {
        (PinState::DoesNotBuild, true) => "in the pin itself: ",
        (PinState::DoesNotBuild, false) => "not in the pin: ",
        _ => "",
    };
    let at = proof.at.as_ref().map_or(String::new(), |at| format!("  {}:{}", at.file.0, at.line));
    let told = match proof.message.lines().next() {
        Some(told) => format!("\n    {whose}{}{}", visible::line(told), visible::line(&at)),
        None => String::new(),
    };
    // Where a test's name begins with its file, that is told already.
    let test = pin.runs();
    let is_told = |file: &&crate::repo_path::RepoPath| !test.0.starts_with(file.as_str());
    let file = pin.file.as_ref().filter(is_told).map_or(String::new(), |file| format!("  {file}"));
    format!("{word}  {}  {}{}{told}", pin.failure, visible::line(&test.0), visible::line(&file))
}

/// The pins with how they came out, as the last line of the answer.
pub(super) fn summary(page: &mut Page<'_>, as_expected: usize, of: usize, wanted: PinState) -> io::Result<()> {
    page.line(&format!("\n{as_expected} of {} {}", super::counted(of, "pin", "pins"), wanted.word()))
}

/// The same of pins that were run at a commit and in the work tree.
pub(super) fn compared(page: &mut Page<'_>, as_expected: usize, of: usize, base: &Commit) -> io::Result<()> {
    let pins = super::counted(of, "pin", "pins");
    page.line(&format!("\n{as_expected} of {pins} red at {} and green in the work tree", visible::line(&base.short)))
}
