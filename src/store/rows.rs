//! The rows: what must be known of each failure to list it, in a file of its own, so that the workstation opens without
//! reading all that runs ever told. It only repeats what the inbox's own file says: where the two do not fit, whatever the
//! reason, the inbox's file is read and this one is not.

use std::fs::{File, Metadata};
use std::io::{self, BufRead, BufReader, BufWriter, Write};
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::sync::Arc;
use std::time::UNIX_EPOCH;

use serde::{Deserialize, Serialize};

use super::file::{self, Header, INBOX, StoreError};
use crate::inbox::{CauseId, FailureId, Filed, Mark};
use crate::later::{Later, Place, Shelf};
use crate::repo_path::RepoPath;
use crate::requirement::RequirementId;

pub(super) const ROWS: &str = "rows";

/// The form of this file. Raised with every change to it.
const FORM: u32 = 3;

/// The first line: which inbox the rows are of.
#[derive(PartialEq, Eq, Serialize, Deserialize)]
struct Of {
    rows: u32,
    /// Bytes of the inbox's file.
    length: u64,
    /// When it was written, in nanoseconds since 1970: whoever mends a line of it makes the rows old.
    written: Option<u64>,
    header: Header,
}

/// When a file was last changed.
fn written(file: &Metadata) -> Option<u64> {
    let since = file.modified().ok()?.duration_since(UNIX_EPOCH).ok()?;
    since.as_nanos().try_into().ok()
}

/// A failure. As a line, its parts have tabs between them, which takes a fraction of the time that JSON would.
struct Row {
    id: FailureId,
    cause: CauseId,
    file: Option<RepoPath>,
    line: Option<u32>,
    requirement: Option<RequirementId>,
    /// The weight of what it tells.
    told: usize,
    /// The weight of its occurrences.
    seen: usize,
    /// Bytes of its line in the inbox's file.
    length: usize,
    rest: Option<Rest>,
}

impl Row {
    /// The row that a line holds.
    fn read(line: &str) -> Option<Row> {
        let mut parts = line.split('\t');
        let mut part = || parts.next();
        let some = |text: &str| (!text.is_empty()).then(|| text.to_owned());
        let row = Row {
            id: FailureId(part()?.to_owned()),
            cause: CauseId(part()?.to_owned()),
            file: some(part()?).map(RepoPath::try_from).transpose().ok()?,
            line: Some(part()?).filter(|text| !text.is_empty()).map(str::parse).transpose().ok()?,
            requirement: some(part()?).map(RequirementId),
            told: part()?.parse().ok()?,
            seen: part()?.parse().ok()?,
            length: part()?.parse().ok()?,
            rest: Some(part()?).filter(|text| !text.is_empty()).map(serde_json::from_str).transpose().ok()?,
        };
        part().is_none().then_some(row)
    }

    fn filed(self, lines: &Arc<Lines>, place: Place) -> Filed {
        let Row { id, cause, file, line, requirement, told, seen, rest, .. } = self;
        let Rest { mark, pin_failed, candidates, only_replay } = rest.unwrap_or_default();
        Filed {
            id,
            cause,
            failure: Later::kept(lines.clone(), place, told),
            file,
            line,
            requirement,
            occurrences: Later::kept(lines.clone(), place, seen),
            pin_failed,
            candidates,
            only_replay,
            state: mark.state,
            verdict: mark.verdict,
            note: mark.note,
            reopened: mark.reopened,
        }
    }

    /// The line of a failure; an error where a part of it is not to be told from what stands between the parts.
    fn line(filed: &Filed, length: usize) -> io::Result<String> {
        let file = filed.file.as_ref().map_or("", RepoPath::as_str);
        let requirement = filed.requirement.as_ref().map_or("", |id| id.0.as_str());
        let texts = [&filed.id.0, &filed.cause.0, file, requirement];
        let is_unclear = |text: &&str| text.contains(['\t', '\n', '\r']);
        if texts.iter().any(is_unclear) || (filed.requirement.is_some() && requirement.is_empty()) {
            return Err(io::ErrorKind::InvalidData.into());
        }
        let [id, cause, file, requirement] = texts;
        let line = filed.line.map_or(String::new(), |line| line.to_string());
        let (told, seen) = (filed.failure.weight(), filed.occurrences.weight());
        let rest = Rest::of(filed).map(|rest| serde_json::to_string(&rest)).transpose()?.unwrap_or_default();
        Ok(format!("{id}\t{cause}\t{file}\t{line}\t{requirement}\t{told}\t{seen}\t{length}\t{rest}\n"))
    }
}

/// What most failures have not.
#[derive(Default, PartialEq, Eq, Serialize, Deserialize)]
struct Rest {
    mark: Mark,
    pin_failed: bool,
    candidates: Vec<String>,
    only_replay: bool,
}

impl Rest {
    fn of(filed: &Filed) -> Option<Rest> {
        let rest = Rest {
            mark: filed.mark(),
            pin_failed: filed.pin_failed,
            candidates: filed.candidates.clone(),
            only_replay: filed.only_replay,
        };
        (rest != Rest::default()).then_some(rest)
    }
}

/// The inbox's file, from which lines are read as they are asked for. It stays the one it was when another takes its place.
#[derive(Debug)]
pub(super) struct Lines(File);

impl Shelf for Lines {
    fn read(&self, place: Place) -> Result<String, String> {
        let mut bytes = vec![0; place.length];
        self.0.read_exact_at(&mut bytes, place.start).map_err(|error| error.to_string())?;
        String::from_utf8(bytes).map_err(|error| error.to_string())
    }
}

/// An inbox of which only the rows were read.
pub(super) struct Glance {
    pub(super) header: Header,
    pub(super) filed: Vec<Arc<Filed>>,
    pub(super) lines: Arc<Lines>,
}

/// The rows of the inbox in `folder`; `None` where there are none that fit it.
pub(super) fn read(folder: &Path) -> Result<Option<Glance>, StoreError> {
    let path = folder.join(INBOX);
    let Some(file) = file::open(&path)? else { return Ok(None) };
    let metadata = file.metadata().map_err(file::io_error("read", &path))?;
    let mut first = String::new();
    let read = BufReader::with_capacity(HEADER, &file).read_line(&mut first);
    read.map_err(file::io_error("read", &path))?;
    let header = file::parse_header(&path, &first)?;
    let of = Of { rows: FORM, length: metadata.len(), written: written(&metadata), header };
    let Ok(text) = std::fs::read_to_string(folder.join(ROWS)) else { return Ok(None) };
    let lines = Arc::new(Lines(file));
    let filed = listed(&text, &of, first.len() as u64, &lines);
    Ok(filed.map(|filed| Glance { header: of.header, filed, lines }))
}

/// Bytes read of the inbox's file for its header.
const HEADER: usize = 1 << 10;

/// The failures of a file of rows; `None` where it is not whole, or of another inbox.
fn listed(text: &str, of: &Of, mut start: u64, lines: &Arc<Lines>) -> Option<Vec<Arc<Filed>>> {
    let (first, rows) = text.split_once('\n')?;
    if serde_json::from_str::<Of>(first).ok()? != *of {
        return None;
    }
    let mut filed = Vec::with_capacity(of.header.failures.min(text.len()));
    for line in rows.lines() {
        let row = Row::read(line)?;
        let place = Place { start, length: row.length };
        start = start.saturating_add(row.length as u64).saturating_add(1);
        filed.push(Arc::new(row.filed(lines, place)));
    }
    (filed.len() == of.header.failures && start == of.length).then_some(filed)
}

/// Reads all that was left unread, and drops it again: what is damaged must be known before anything is done with it.
pub(super) fn check(folder: &Path, lines: &Lines) -> Result<(), StoreError> {
    file::read_open(&folder.join(INBOX), &lines.0, |_| {}).map(drop)
}

/// Writes the rows of an inbox that was just written, with so many bytes in each of its lines. Where that fails, there are none.
pub(super) fn write(folder: &Path, header: &Header, filed: &[Arc<Filed>], lines: &[usize]) {
    let write = || -> io::Result<()> {
        let mut temporary = tempfile::NamedTempFile::new_in(folder)?;
        let mut out = BufWriter::with_capacity(1 << 16, temporary.as_file_mut());
        let inbox = std::fs::metadata(folder.join(INBOX))?;
        let of = Of { rows: FORM, length: inbox.len(), written: written(&inbox), header: header.clone() };
        serde_json::to_writer(&mut out, &of)?;
        out.write_all(b"\n")?;
        for (one, length) in filed.iter().zip(lines) {
            out.write_all(Row::line(one, *length)?.as_bytes())?;
        }
        out.flush()?;
        drop(out);
        temporary.persist(folder.join(ROWS)).map(drop).map_err(|error| error.error)
    };
    // They are a help and no more: without them, or with old ones, the inbox's own file is read.
    let _ = write();
}
