//! The journal: one event a line, only ever added to. A line that a killed process left unfinished is no event, and is cut
//! off by the next write.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::file::{Form, StoreError, VERSION, io_error, open, parse_line, sync_folder};
use crate::history::{Event, History, Left};

pub(super) const JOURNAL: &str = "journal.jsonl";

/// The journal as far as it was read.
#[derive(Debug)]
pub(super) struct Journal {
    path: PathBuf,
    history: History,
    length: u64,
    lines: usize,
}

impl Journal {
    pub(super) fn new(folder: &Path) -> Journal {
        Journal { path: folder.join(JOURNAL), history: History::default(), length: 0, lines: 0 }
    }

    pub(super) fn history(&self) -> &History {
        &self.history
    }

    /// Bytes of the finished lines.
    pub(super) fn length(&self) -> u64 {
        self.length
    }

    /// Whether the file has lost lines that were read: somebody took it away or cut it.
    pub(super) fn has_shrunk(&self) -> Result<bool, StoreError> {
        let Some(file) = open(&self.path)? else { return Ok(self.length > 0) };
        let length = file.metadata().map_err(io_error("read", &self.path))?.len();
        Ok(length < self.length)
    }

    /// The complaint that the inbox has taken in more than there is.
    pub(super) fn too_short(&self) -> StoreError {
        let why = "it ends before the events that the inbox has taken in".to_owned();
        StoreError::Damaged { path: self.path.clone(), line: self.lines.max(1), why }
    }

    /// Reads what was added since the last time: each event's place and what it left.
    pub(super) fn read_on(&mut self) -> Result<Vec<(u64, Left)>, StoreError> {
        let Some(mut file) = open(&self.path)? else { return Ok(Vec::new()) };
        let mut added = Vec::new();
        file.seek(SeekFrom::Start(self.length)).map_err(io_error("read", &self.path))?;
        file.read_to_end(&mut added).map_err(io_error("read", &self.path))?;
        let finished = added.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
        let mut left = Vec::new();
        for line in added[..finished].split_inclusive(|&byte| byte == b'\n') {
            let at = self.length;
            if let Some(found) = self.read_line(&String::from_utf8_lossy(line))? {
                left.push((at, found));
            }
            self.length += line.len() as u64;
            self.lines += 1;
        }
        Ok(left)
    }

    fn read_line(&mut self, line: &str) -> Result<Option<Left>, StoreError> {
        if self.lines > 0 {
            return Ok(Some(self.history.add(parse_line(&self.path, self.lines + 1, line)?)));
        }
        let form: Form = parse_line(&self.path, 1, line)?;
        if form.redpin == VERSION {
            return Ok(None);
        }
        Err(StoreError::OtherVersion { path: self.path.clone(), found: form.redpin })
    }

    /// Adds an event, which must follow on all that was read; the lock is held. Returns what it leaves.
    pub(super) fn append(&mut self, event: Event) -> Result<Left, StoreError> {
        let mut bytes = Vec::new();
        let mut lines = self.lines;
        if lines == 0 {
            self.add_line(&mut bytes, &Form { redpin: VERSION })?;
            lines = 1;
        }
        self.add_line(&mut bytes, &event)?;
        self.write(&bytes)?;
        self.length += bytes.len() as u64;
        self.lines = lines + 1;
        Ok(self.history.add(event))
    }

    fn write(&self, lines: &[u8]) -> Result<(), StoreError> {
        let folder = self.path.parent().unwrap_or(Path::new("."));
        let mut file = File::options()
            .create(true)
            .truncate(false)
            .write(true)
            .open(&self.path)
            .map_err(io_error("open", &self.path))?;
        let written = file
            .set_len(self.length)
            .and_then(|()| file.seek(SeekFrom::Start(self.length)))
            .and_then(|_| file.write_all(lines))
            .and_then(|()| file.sync_data());
        if let Err(error) = written {
            let _ = file.set_len(self.length);
            return Err(io_error("write", &self.path)(error));
        }
        if self.length == 0 { sync_folder(folder) } else { Ok(()) }
    }

    /// What cannot be read any more cannot be written either.
    fn add_line(&self, lines: &mut Vec<u8>, value: &impl serde::Serialize) -> Result<(), StoreError> {
        serde_json::to_writer(&mut *lines, value).map_err(|error| io_error("write", &self.path)(error.into()))?;
        lines.push(b'\n');
        Ok(())
    }
}
