//! Looking without touching: the failures of runs or of the inbox, read and named, with nothing written anywhere. Works
//! outside a repository as well, where runs are named.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::detail::Detail;
use crate::failure::Notice;
use crate::git::{GitErrorKind, Repository};
use crate::inbox::{Filed, Inbox, State};
use crate::source::RunArgument;
use crate::source_tree::{NoFiles, SourceTree};
use crate::store::{Store, evidence, suggestions};
use crate::triage::records::fate::{self, fates};
use crate::triage::records::record::Records;
use crate::triage::select::select;
use crate::triage::staging::stage::catch_up;
use crate::triage::{Now, TriageError, detail, rfc3339, store_folder};
use crate::visible;

use super::changed;
use super::filing::Filing;
use super::pinned;
use super::reading::Reader;

/// Failures to look at.
pub struct Listing {
    /// The failures.
    pub inbox: Inbox,
    /// What could not be read, or must be known.
    pub notices: Vec<Notice>,
    repository: Option<Repository>,
    tree: Box<dyn SourceTree>,
}

/// Reads `runs`; where there are none, the inbox of the repository that `dir` is in. Writes nothing.
///
/// # Errors
/// Where a run cannot be opened, the inbox cannot be read, or there is neither run nor repository.
pub fn look(dir: &Path, runs: &[RunArgument], now: Now) -> Result<Listing, TriageError> {
    opened(dir, runs)?.read(runs, now)
}

/// The same for one failure that a user calls `text`: where the inbox itself has it, nothing else is read.
///
/// # Errors
/// As [`look`].
pub fn look_for(text: &str, dir: &Path, runs: &[RunArgument], now: Now) -> Result<Listing, TriageError> {
    let mut listing = opened(dir, runs)?;
    let found = listing.find(text).ok().filter(|_| runs.is_empty()).cloned();
    let (Some(found), Some(repository)) = (found, &listing.repository) else { return listing.read(runs, now) };
    fate::bring_up(&mut listing.inbox, fates([found.as_ref()], repository)?);
    Ok(listing)
}

/// The inbox of the repository that `dir` is in.
fn opened(dir: &Path, runs: &[RunArgument]) -> Result<Listing, TriageError> {
    let repository = match Repository::discover(dir) {
        Ok(repository) => Some(repository),
        Err(error) if error.kind == GitErrorKind::NoRepository && !runs.is_empty() => None,
        Err(error) => return Err(error.into()),
    };
    let tree: Box<dyn SourceTree> = match &repository {
        Some(repository) => Box::new(repository.work_tree()),
        None => Box::new(NoFiles),
    };
    let mut listing = Listing { inbox: Inbox::default(), notices: Vec::new(), repository, tree };
    if let Some(repository) = &listing.repository {
        let store = Store::open(&store_folder(repository))?;
        listing.inbox = store.inbox().clone();
        catch_up(&mut listing.inbox, store.history(), repository)?;
        listing.notices.extend(repository.left_half_way()?.map(half_way));
    }
    Ok(listing)
}

/// What to say of a staging that a killed redpin left half way: looking settles nothing.
fn half_way((file, what): (PathBuf, String)) -> Notice {
    let file = visible::line(&file.to_string_lossy()).into_owned();
    let what = visible::line(&what);
    let text = format!(
        "{what}; until it is settled, index and work tree may hold a part of it: `redpin undo` settles it \
                        and does nothing else"
    );
    Notice { file, line: None, text }
}

/// What is known of failures that a run shows, from the inbox and the decision records.
pub(super) struct Known<'a> {
    stored: Filing<'a>,
    records: &'a Records<'a>,
}

impl<'a> Known<'a> {
    pub(super) fn new(stored: &Inbox, records: &'a Records<'a>) -> Self {
        Known { stored: Filing::of(stored.filed(), &NoFiles), records }
    }

    /// A failure of a run by the name and with the mark that it has in the inbox or by its decision record.
    pub(super) fn marked(&self, filed: Arc<Filed>) -> Filed {
        let mut filed = self.records.under_its_name(Arc::unwrap_or_clone(filed));
        let known = self.stored.under_a_name(&filed).map(|at| &self.stored.filed[at]);
        let judged = known.filter(|known| known.state != State::Open);
        let mark = judged.map_or_else(|| self.records.mark(&filed), |known| known.mark());
        filed.set_mark(mark);
        if let Some(known) = known {
            filed.id = known.id.clone();
        }
        filed
    }
}

impl Listing {
    /// The failures of `runs` in the place of the inbox; where there are none, the inbox with what replay files add.
    fn read(mut self, runs: &[RunArgument], now: Now) -> Result<Listing, TriageError> {
        let kept = |repository| evidence::newest(&store_folder(repository)).unwrap_or_default();
        let evidence = self.repository.as_ref().map_or_else(Vec::new, kept);
        let records = Records::list(self.tree.as_ref()).with(&evidence);
        if let Some(repository) = &self.repository {
            let fates = fates(self.inbox.filed().iter().map(AsRef::as_ref), repository)?;
            fate::bring_up(&mut self.inbox, fates);
        }
        match &self.repository {
            Some(repository) if runs.is_empty() => {
                let found = changed::read(repository, self.tree.as_ref(), rfc3339(now))?;
                let mut filing = Filing::of(self.inbox.filed(), self.tree.as_ref());
                let known = Known::new(&self.inbox, &records);
                for one in found.filed {
                    filing.add(known.marked(one));
                }
                self.notices.extend([found.notices, records.notices()].concat());
                let mut filed = filing.filed;
                pinned::tie(&mut filed, &records);
                self.inbox = Inbox::new(filed);
            }
            _ => {
                let mut reader = Reader::new(self.tree.as_ref(), rfc3339(now));
                reader.open(runs, &mut |_| {})?;
                let found = reader.finish();
                let known = Known::new(&self.inbox, &records);
                let mut filed: Vec<_> = found.filed.into_iter().map(|one| Arc::new(known.marked(one))).collect();
                pinned::tie(&mut filed, &records);
                self.notices.extend([found.notices, records.notices()].concat());
                self.inbox = Inbox::new(filed);
            }
        }
        Ok(self)
    }

    /// The failure that a user calls `text`.
    ///
    /// # Errors
    /// Where it means none, or more than one.
    pub fn find(&self, text: &str) -> Result<&Arc<Filed>, TriageError> {
        select(&self.inbox, text)
    }

    /// All that is known of one of the failures.
    pub fn detail(&self, filed: &Filed) -> Detail {
        let mut detail = detail::detail(filed, self.tree.as_ref(), self.repository.as_ref());
        if let Some(repository) = &self.repository {
            // What cannot be read is no reason to show nothing of a failure.
            let evidence = evidence::newest(&store_folder(repository)).unwrap_or_default();
            detail.hints.extend(detail::tied(filed, &self.inbox, &evidence));
            detail.suggestions = suggestions::of(&store_folder(repository), &filed.id.0).unwrap_or_default();
        }
        detail
    }
}
