//! The worker that reads what the tabs beside the inbox show: a thread with a look of its own at the repository, so that the
//! clerk stays free and the screen waits for nobody. It starts with the first question.

use std::convert::Infallible;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;

use super::desk::{Desk, Next};
use super::panics;
use super::post::Post;
use super::sheet::Survey;
use super::tab::Tab;
use crate::check;
use crate::inbox::Inbox;
use crate::triage::{Now, Triage, TriageError};

/// The surveyor's desk; it takes no orders.
pub(super) type SurveyorDesk = Desk<Infallible, Tab>;

/// Works in a thread of its own until the desk is closed.
pub(super) fn start(desk: Arc<SurveyorDesk>, directory: PathBuf, now: Now, post: Post) -> std::io::Result<()> {
    let work = move || {
        while let Some(next) = desk.next() {
            let Next::Look(tab) = next;
            let read = catch_unwind(AssertUnwindSafe(|| survey(tab, &directory, now)));
            let survey = match read {
                Ok(Ok(survey)) => survey,
                Ok(Err(error)) => Survey::Failed(tab, error.to_string()),
                Err(_) => Survey::Failed(tab, panics::last()),
            };
            post.bring_together(survey.arrivals());
        }
    };
    thread::Builder::new().name("surveyor".to_owned()).spawn(work).map(drop)
}

fn survey(tab: Tab, directory: &Path, now: Now) -> Result<Survey, TriageError> {
    // Asked for at every start: most repositories have none, and an inbox can be large.
    if tab == Tab::Quarantine && !check::has_contract(directory) {
        return Ok(Survey::Quarantine(Ok(None), Inbox::default()));
    }
    let triage = Triage::glance(directory, now)?;
    Ok(match tab {
        Tab::Inbox => Survey::Failed(tab, "the inbox is the clerk's".to_owned()),
        Tab::Requirements => Survey::Requirements(Box::new(check::trace(&triage)), triage.inbox().clone()),
        Tab::Quarantine => Survey::Quarantine(check::quarantines(&triage), triage.inbox().clone()),
        Tab::Sweeps => Survey::Sweeps(check::nights(&triage)?),
        Tab::Decisions => Survey::Decisions(check::on_record(&triage)?),
    })
}
