//! Hypothesis, run by pytest, unittest or on its own: reads what it reports.

use crate::carrier::scan::{Found, Sought};
use crate::edit::Edits;
use crate::failure::{Failure, Reading};
use crate::framework::{Case, Framework, Graft, Pinning, Properties, Proving, Reports};
use crate::pin::{Part, Pin, Refusal};
use crate::proof::{Manner, PinCommand, PinState, Proof, StandingPin};
use crate::property::Property;
use crate::run_output::RunOutput;
use crate::source_tree::SourceTree;

mod read;

/// The framework's name.
const NAME: &str = "hypothesis";

/// The framework's place in the catalogue.
pub struct Hypothesis;

impl Framework for Hypothesis {
    fn name(&self) -> &'static str {
        NAME
    }
}

impl Reports for Hypothesis {
    fn sought(&self) -> Sought {
        read::SOUGHT
    }

    fn read_found(&self, run: &RunOutput<'_>, found: Found<'_>) -> Reading {
        read::read(run, found)
    }
}

impl Properties for Hypothesis {
    fn property(&self, _failure: &Failure, _tree: &dyn SourceTree) -> Option<Property> {
        None
    }
}

impl Pinning for Hypothesis {
    fn pin(&self, _case: &Case<'_>) -> Result<Pin, Refusal> {
        Err(no_pin())
    }

    fn place(&self, _pin: &Pin, _part: &Part, _text: &[u8]) -> Result<Edits, Refusal> {
        Err(no_pin())
    }

    fn graft(&self, _pin: &StandingPin, _from: &dyn SourceTree, _onto: &dyn SourceTree) -> Result<Graft, Refusal> {
        Err(no_pin())
    }
}

impl Proving for Hypothesis {
    fn commands(&self, _pins: &[StandingPin], _tree: &dyn SourceTree, _manner: &Manner) -> Vec<PinCommand> {
        Vec::new()
    }

    fn toolchain(&self) -> &'static [&'static str] {
        &["python3", "--version"]
    }

    fn proofs(&self, _run: &RunOutput<'_>, pins: &[&StandingPin], _tree: &dyn SourceTree) -> Vec<Proof> {
        pins.iter().map(|_| Proof::plain(PinState::Missing)).collect()
    }
}

fn no_pin() -> Refusal {
    Refusal("this redpin writes no pins for Hypothesis; write an @example by hand".to_owned())
}
