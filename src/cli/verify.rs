//! `redpin verify`: runs pins and tells how each came out.

use clap::{Args, ValueEnum};
use serde::Serialize;

use super::json::{NoticeRow, SCHEMA};
use super::page::Page;
use super::proving::{Telling, compared, summary};
use super::{Exit, Fault, World};
use crate::proof::{PinState, Proof};
use crate::verify::{HandleFault, Verified, verify, verify_against};

/// Run pins: red, green, or neither and why.
///
/// The pins of the work tree are run with your own toolchain and settings, one build a package. A pin is red where it
/// fails for the reason on record. The answer is no where one is not as expected.
///
/// With --base the pins are put into that commit as well, by their properties as they are there, in a scratch copy: your
/// checkout is not touched. Each should be red there and green in the work tree.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  redpin verify                   every pin is red: the bugs are still there\n  \
                        redpin verify --expect green    after the fix\n  \
                        redpin verify --base main       red on main, green here: pin and fix prove each other")]
pub(super) struct Verify {
    /// Pins: the id of a failure, the beginning of one, the end of a test name, or FILE::NAME. A failure or a property means
    /// all of its pins. Without one, all.
    #[arg(value_name = "PIN")]
    pins: Vec<String>,
    /// How every pin should come out.
    #[arg(long, value_enum, default_value_t = Expected::Red)]
    expect: Expected,
    /// Run the pins at this commit as well: red there, green here.
    #[arg(long, value_name = "REV", conflicts_with = "expect")]
    base: Option<String>,
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
    /// What was compared with the work tree.
    #[serde(skip_serializing_if = "Option::is_none")]
    base: Option<BaseRow<'a>>,
    pins: Vec<Row<'a>>,
    notices: Vec<NoticeRow<'a>>,
}

#[derive(Serialize)]
struct Row<'a> {
    id: &'a str,
    test: &'a str,
    /// The file of its property.
    file: Option<&'a str>,
    state: PinState,
    message: &'a str,
    at: Option<String>,
    own_fault: bool,
    /// How it came out at the other commit.
    #[serde(skip_serializing_if = "Option::is_none")]
    base: Option<ProofRow<'a>>,
    /// Its value, where that is another one than it was.
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<ValueRow<'a>>,
    /// What is wrong with its replay handle.
    #[serde(skip_serializing_if = "Option::is_none")]
    handle: Option<&'static str>,
}

/// A value that is another one than it was.
#[derive(Serialize)]
struct ValueRow<'a> {
    before: &'a str,
    here: Option<&'a str>,
    message: &'a str,
}

#[derive(Serialize)]
struct BaseRow<'a> {
    commit: &'a str,
    date: &'a str,
    title: &'a str,
}

/// How a pin came out at another commit.
#[derive(Serialize)]
pub(super) struct ProofRow<'a> {
    state: PinState,
    message: &'a str,
    at: Option<String>,
    own_fault: bool,
}

impl<'a> From<&'a Proof> for ProofRow<'a> {
    fn from(proof: &'a Proof) -> Self {
        ProofRow {
            state: proof.state,
            message: &proof.message,
            at: proof.at.as_ref().map(|at| format!("{}:{}", at.file.0, at.line)),
            own_fault: proof.own_fault,
        }
    }
}

impl<'a> From<&'a Verified> for Row<'a> {
    fn from(Verified { pin, proof, base, other, handle }: &'a Verified) -> Self {
        Row {
            id: &pin.failure,
            test: &pin.runs().0,
            file: pin.file.as_ref().map(crate::repo_path::RepoPath::as_str),
            state: proof.state,
            message: &proof.message,
            at: proof.at.as_ref().map(|at| format!("{}:{}", at.file.0, at.line)),
            own_fault: proof.own_fault,
            base: base.as_ref().map(ProofRow::from),
            value: other.as_ref().map(|other| ValueRow {
                before: &other.before,
                here: other.here.as_deref(),
                message: &other.message,
            }),
            handle: handle.as_ref().map(HandleFault::word),
        }
    }
}

impl Verify {
    pub(super) fn run(&self, world: &World, page: &mut Page<'_>) -> Result<Exit, Fault> {
        let triage = world.open(page)?;
        let onlooker = &mut Telling::new(page, !self.json)?;
        let verification = match &self.base {
            Some(base) => verify_against(&triage, &self.pins, base, &world.cache, onlooker)?,
            None => verify(&triage, &self.pins, &world.cache, onlooker)?,
        };
        super::print_notices(&verification.notices, page)?;
        let wanted = match self.expect {
            Expected::Red if self.base.is_none() => PinState::Red,
            _ => PinState::Green,
        };
        let was_red = |one: &&Verified| one.base.as_ref().is_none_or(|proof| proof.state == PinState::Red);
        let as_expected = verification.pins.iter().filter(was_red).filter(|one| one.proof.state == wanted).count();
        if self.json {
            let pins = verification.pins.iter().map(Row::from).collect();
            let notices = verification.notices.iter().map(NoticeRow::from).collect();
            let base = verification.base.as_ref();
            let base = base.map(|base| BaseRow { commit: &base.id, date: &base.date, title: &base.title });
            page.json(&Answer { schema: SCHEMA, base, pins, notices })?;
        } else if verification.pins.is_empty() {
            page.remark("no pin stands here: `redpin pin` writes one")?;
        } else {
            let (of, base) = (verification.pins.len(), verification.base.as_ref());
            match base {
                Some(base) => compared(page, as_expected, of, base)?,
                None => summary(page, as_expected, of, wanted)?,
            }
        }
        let done = !verification.pins.is_empty() && as_expected == verification.pins.len();
        Ok(if done { Exit::Done } else { Exit::No })
    }
}
