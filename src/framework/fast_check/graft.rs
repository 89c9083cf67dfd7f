//! Puts a pin that stands into another version of the repository: the input on record goes among the examples of the same
//! property there.

use super::{NAME, pin, place};
use crate::failure::{Counterexample, Ending, Failure, ForeignPath, FrameworkName, Location, Origin, Replay};
use crate::framework::{Case, Graft};
use crate::pin::Refusal;
use crate::proof::StandingPin;
use crate::source_tree::SourceTree;

/// What puts `standing` into `onto`.
///
/// # Errors
/// Where its input is not on record, or that version has no place for it.
pub(super) fn graft(standing: &StandingPin, onto: &dyn SourceTree) -> Result<Graft, Refusal> {
    if standing.counterexample.is_empty() {
        return Err(Refusal("all of its input is not on record; run it where it stands".to_owned()));
    }
    let failure = failure(standing);
    let pin = pin::pin(&Case { failure: &failure, requirement: None, tree: onto, today: "" })?;
    let Some(part) = pin.parts.into_iter().next() else {
        return Err(Refusal("that version has no place for it".to_owned()));
    };
    let text = onto.read(&part.file).unwrap_or_else(|| b""[..].into());
    let edits = place::place(&part, &text)?;
    Ok(Graft { file: part.file.clone(), edits: vec![(part.file, edits)] })
}

/// The failure that `standing` pins, as far as it is on record.
fn failure(standing: &StandingPin) -> Failure {
    let place = |file: &crate::repo_path::RepoPath| Location {
        file: ForeignPath(file.as_str().to_owned()),
        line: 1,
        column: None,
    };
    Failure {
        framework: FrameworkName(NAME.to_owned()),
        test: standing.property.clone(),
        package: standing.package.clone(),
        binary: None,
        location: standing.file.as_ref().map(place),
        site: None,
        panicked: false,
        ending: Ending::Falsified,
        message: standing.message.clone(),
        error: None,
        own_message: None,
        generated: Vec::new(),
        counterexample: Counterexample { text: standing.counterexample.clone(), arguments: Vec::new() },
        replay: Replay::None,
        caveats: Vec::new(),
        origin: Origin { run: String::new(), line: 1 },
    }
}
