//! fast-check, with Vitest, Jest, Node's own test runner or none: reads what it reports through each of their reporters.

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
const NAME: &str = "fast-check";

/// The framework's place in the catalogue.
pub struct FastCheck;

impl Framework for FastCheck {
    fn name(&self) -> &'static str {
        NAME
    }
}

impl Reports for FastCheck {
    fn sought(&self) -> Sought {
        read::SOUGHT
    }

    fn read_found(&self, run: &RunOutput<'_>, found: Found<'_>) -> Reading {
        read::read(run, found)
    }
}

impl Properties for FastCheck {
    fn property(&self, _failure: &Failure, _tree: &dyn SourceTree) -> Option<Property> {
        None
    }
}

/// Why nothing is pinned.
const NO_PINS: &str =
    "this redpin writes no pins for fast-check; add the input to the `examples` of the property by hand";

impl Pinning for FastCheck {
    fn pin(&self, _case: &Case<'_>) -> Result<Pin, Refusal> {
        Err(Refusal(NO_PINS.to_owned()))
    }

    fn place(&self, _pin: &Pin, _part: &Part, _text: &[u8]) -> Result<Edits, Refusal> {
        Err(Refusal(NO_PINS.to_owned()))
    }

    fn graft(&self, _pin: &StandingPin, _from: &dyn SourceTree, _onto: &dyn SourceTree) -> Result<Graft, Refusal> {
        Err(Refusal(NO_PINS.to_owned()))
    }
}

impl Proving for FastCheck {
    fn commands(&self, _pins: &[StandingPin], _tree: &dyn SourceTree, _manner: &Manner) -> Vec<PinCommand> {
        Vec::new()
    }

    fn toolchain(&self) -> &'static [&'static str] {
        &["node", "--version"]
    }

    fn proofs(&self, _run: &RunOutput<'_>, pins: &[&StandingPin], _tree: &dyn SourceTree) -> Vec<Proof> {
        pins.iter().map(|_| Proof::plain(PinState::Missing)).collect()
    }
}
