//! Failures for the tests of this room.

use crate::failure::ForeignPath;
use crate::failure::{Argument, Counterexample, Ending, Failure, FrameworkName, Location, Origin, Replay, TestName};
use crate::inbox::{CauseId, FailureId, Filed, Occurrence, State};
use crate::repo_path::RepoPath;
use crate::requirement::RequirementId;

/// An open failure of a cause, with a name and an input of two numbers.
pub(crate) fn filed(cause: &str, name: &str) -> Filed {
    let origin = Origin { run: "nightly.log".to_owned(), line: 120 };
    let argument = |name: &str, text: &str| Argument { name: name.to_owned(), text: text.to_owned() };
    Filed {
        id: FailureId(name.to_owned()),
        cause: CauseId(cause.to_owned()),
        failure: Failure {
            framework: FrameworkName("some".to_owned()),
            test: TestName(format!("billing::tests::{name}")),
            package: None,
            binary: None,
            location: None,
            site: Some(Location { file: ForeignPath("src/billing.rs".to_owned()), line: 27, column: None }),
            panicked: false,
            ending: Ending::Falsified,
            message: "spread 2 in [29740, 29740, 29740, 29738]".to_owned(),
            error: None,
            counterexample: Counterexample {
                text: "total = 118958, parts = 4".to_owned(),
                arguments: vec![argument("total", "118958"), argument("parts", "4")],
            },
            replay: Replay::NewSeed { handle: "cc 950ab3f".to_owned(), file: None },
            own_message: None,
            generated: Vec::new(),
            caveats: Vec::new(),
            origin: origin.clone(),
        }
        .into(),
        file: RepoPath::new("src/billing.rs"),
        line: Some(22),
        requirement: Some(RequirementId("BILL-4".to_owned())),
        occurrences: vec![Occurrence {
            origin,
            imported: "2026-11-30T03:17:00Z".to_owned(),
            digest: String::new(),
            handle: None,
        }]
        .into(),
        pin_failed: false,
        candidates: Vec::new(),
        only_replay: false,
        state: State::Open,
        verdict: None,
        note: String::new(),
        reopened: false,
    }
}
