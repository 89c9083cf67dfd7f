//! `redpin verify`: runs pins and tells how each came out.

use clap::{Args, ValueEnum};
use serde::Serialize;

use super::json::{NoticeRow, SCHEMA};
use super::page::{Page, Style};
use super::{Exit, Fault, World};
use crate::proof::{PinState, Proof, StandingPin};
use crate::verify::{Onlooker, Stopper, Verified, verify};
use crate::visible;

/// Run pins: red, green, or neither and why.
///
/// The pins of the work tree are run with your own toolchain and settings, one build a package. A pin is red where it
/// fails for the reason on record. The answer is no where one is not as expected.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  redpin verify                   every pin is red: the bugs are still there\n  \
                        redpin verify --expect green    after the fix")]
pub(super) struct Verify {
    /// Pins: the id of the failure, the beginning of one, or the end of a test name. Without one, all.
    #[arg(value_name = "PIN")]
    pins: Vec<String>,
    /// How every pin should come out.
    #[arg(long, value_enum, default_value_t = Expected::Red)]
    expect: Expected,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

/// How pins should come out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Expected {
    /// The bug is there.
    Red,
    /// The bug is mended.
    Green,
}

#[derive(Serialize)]
struct Answer<'a> {
    schema: u32,
    pins: Vec<Row<'a>>,
    notices: Vec<NoticeRow<'a>>,
}

#[derive(Serialize)]
struct Row<'a> {
    id: &'a str,
    test: &'a str,
    state: PinState,
    message: &'a str,
    at: Option<String>,
    own_fault: bool,
}

impl<'a> From<&'a Verified> for Row<'a> {
    fn from(Verified { pin, proof }: &'a Verified) -> Self {
        Row {
            id: &pin.failure,
            test: &pin.runs().0,
            state: proof.state,
            message: &proof.message,
            at: proof.at.as_ref().map(|at| format!("{}:{}", at.file.0, at.line)),
            own_fault: proof.own_fault,
        }
    }
}

impl Verify {
    pub(super) fn run(&self, world: &World, page: &mut Page<'_>) -> Result<Exit, Fault> {
        let triage = world.open(page)?;
        let verification = verify(&triage, &self.pins, &mut Telling { page, json: self.json })?;
        super::print_notices(&verification.notices, page)?;
        let wanted = match self.expect {
            Expected::Red => PinState::Red,
            Expected::Green => PinState::Green,
        };
        let as_expected = verification.pins.iter().filter(|one| one.proof.state == wanted).count();
        if self.json {
            let pins = verification.pins.iter().map(Row::from).collect();
            let notices = verification.notices.iter().map(NoticeRow::from).collect();
            page.json(&Answer { schema: SCHEMA, pins, notices })?;
        } else if verification.pins.is_empty() {
            page.remark("no pin stands here: `redpin pin` writes one")?;
        } else {
            page.line(&format!(
                "\n{as_expected} of {} {}",
                super::counted(verification.pins.len(), "pin", "pins"),
                wanted.word()
            ))?;
        }
        let done = !verification.pins.is_empty() && as_expected == verification.pins.len();
        Ok(if done { Exit::Done } else { Exit::No })
    }
}

/// Tells how it goes: the tests' own output on the remarks' stream, each pin on the page.
struct Telling<'a, 'p> {
    page: &'a mut Page<'p>,
    json: bool,
}

impl Onlooker for Telling<'_, '_> {
    fn starts(&mut self, command: &str, _: usize, _: Stopper) {
        let _ = self.page.remark(&format!("running {}", visible::line(command)));
    }

    fn output(&mut self, bytes: &[u8]) {
        // A reader that is gone ends nobody's tests.
        let _ = self.page.err.write_all(bytes);
    }

    fn proved(&mut self, pin: &StandingPin, proof: &Proof) {
        if !self.json {
            let line = sentence(pin, proof, self.page);
            let _ = self.page.line(&line);
        }
    }
}

/// How a pin came out, as a line.
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
    let told = proof.message.lines().next().unwrap_or_default();
    let told = if told.is_empty() {
        String::new()
    } else {
        format!("\n    {whose}{}{}", visible::line(told), visible::line(&at))
    };
    format!("{word}  {}  {}{told}", pin.failure, visible::line(&pin.runs().0))
}
