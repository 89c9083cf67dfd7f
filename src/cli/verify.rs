//! `redpin verify`: runs pins and tells how each came out.

use clap::{Args, ValueEnum};
use serde::Serialize;

use super::json::{NoticeRow, SCHEMA};
use super::page::Page;
use super::proving::{Telling, summary};
use super::{Exit, Fault, World};
use crate::proof::PinState;
use crate::verify::{Verified, verify};

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
        let verification = verify(&triage, &self.pins, &mut Telling { page, answers: !self.json })?;
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
            summary(page, as_expected, verification.pins.len(), wanted)?;
        }
        let done = !verification.pins.is_empty() && as_expected == verification.pins.len();
        Ok(if done { Exit::Done } else { Exit::No })
    }
}
