//! How pins came out in the output of the command that ran them: what libtest or nextest says of each test, what those
//! that failed said, and, where the build failed, whose fault that is.

use super::read::read;
use super::reason;
use crate::carrier::compiler::{self, Fault};
use crate::carrier::result::{self, Outcome};
use crate::failure::Failure;
use crate::language::rust::code::function_span;
use crate::proof::{PinState, Proof, StandingPin};
use crate::run_output::RunOutput;
use crate::source_tree::SourceTree;

/// How `pins` came out in `run`, one each, in their order.
pub(super) fn proofs(run: &RunOutput<'_>, pins: &[&StandingPin], tree: &dyn SourceTree) -> Vec<Proof> {
    let text = String::from_utf8_lossy(run.bytes);
    let results = result::results(&text);
    let failures = read(run).failures;
    let faults = compiler::faults(&text);
    let built = !results.is_empty() || faults.is_empty();
    pins.iter()
        .map(|pin| match results.get(pin.runs()) {
            Some(Outcome::Failed) => failed(pin, &failures),
            Some(Outcome::Passed) => Proof::plain(PinState::Green),
            Some(Outcome::TimedOut) => Proof::plain(PinState::TimedOut),
            Some(Outcome::Ignored) => {
                Proof { message: "it is ignored in ordinary runs".to_owned(), ..Proof::plain(PinState::Missing) }
            }
            None if built => Proof { message: missing(&text), ..Proof::plain(PinState::Missing) },
            None => not_built(pin, &faults, tree),
        })
        .collect()
}

/// A test that failed: for the recorded reason or another.
fn failed(pin: &StandingPin, failures: &[Failure]) -> Proof {
    let Some(failure) = failures.iter().find(|failure| failure.test == *pin.runs()) else {
        let message = "it fails, and does not say why".to_owned();
        return Proof { message, ..Proof::plain(PinState::RedForAnotherReason) };
    };
    let state = match reason::is_same(&pin.message, &failure.message) {
        true => PinState::Red,
        false => PinState::RedForAnotherReason,
    };
    let at = failure.site.clone().or_else(|| failure.location.clone());
    Proof { state, message: failure.message.clone(), at, own_fault: false }
}

/// What the output says where a test was not run.
fn missing(text: &str) -> String {
    let told = text.lines().rev().find(|line| line.starts_with("error: ") || line.contains("(signal: "));
    told.map_or("no test of that name was run".to_owned(), |line| line.trim().to_owned())
}

/// A pin in a build that failed: its own fault where the compiler complains inside it.
fn not_built(pin: &StandingPin, faults: &[Fault], tree: &dyn SourceTree) -> Proof {
    let own = own_lines(pin, tree);
    let is_own = |fault: &&Fault| {
        let (Some(at), Some((file, lines))) = (&fault.at, &own) else { return false };
        file.ends_with(at.file.0.as_str()) && lines.contains(&at.line)
    };
    let own_fault = faults.iter().find(is_own);
    let told = own_fault.or(faults.first());
    Proof {
        state: PinState::DoesNotBuild,
        message: told.map_or(String::new(), |fault| fault.message.clone()),
        at: told.and_then(|fault| fault.at.clone()),
        own_fault: own_fault.is_some(),
    }
}

/// The lines that a pin's test has in its file, from 1, and that file.
fn own_lines(pin: &StandingPin, tree: &dyn SourceTree) -> Option<(String, std::ops::RangeInclusive<u32>)> {
    let (file, name) = (pin.file.as_ref()?, pin.test.as_ref()?.function());
    let bytes = tree.read(file)?;
    let text = std::str::from_utf8(&bytes).ok()?;
    let line = |at: usize| text[..at].matches('\n').count() as u32 + 1;
    let span = function_span(text, name)?;
    Some((file.as_str().to_owned(), line(span.start)..=line(span.end)))
}
