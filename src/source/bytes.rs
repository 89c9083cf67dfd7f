//! The bytes of one run, wherever they are held: small ones in memory, large ones as a map of a file, so that a log of a
//! gigabyte costs no memory of ours.

use std::fs::File;
use std::io::{self, Read};
use std::ops::Deref;
use std::os::unix::fs::FileExt;

use tempfile::SpooledData;
use tempfile::SpooledTempFile;

use super::map::{Map, let_go, map};
use crate::span::Span;

/// From this size on, bytes are held as a map of a file.
pub(super) const MAPPED_FROM: usize = 8 << 20;

/// Bytes given back at once: each time, all cores are told.
const PIECE: usize = 16 << 20;

/// The bytes of a run, read only.
#[derive(Debug)]
pub enum Bytes {
    /// Held in memory.
    Held(Vec<u8>),
    /// Mapped from a file, which may have no name any more.
    Mapped(Map),
}

impl Deref for Bytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            Bytes::Held(bytes) => bytes,
            Bytes::Mapped(bytes) => bytes,
        }
    }
}

impl Bytes {
    /// The whole of a regular file.
    pub(super) fn of_file(mut file: File) -> io::Result<Self> {
        let length = file.metadata()?.len();
        if length >= MAPPED_FROM as u64 {
            return map(&file).map(Bytes::Mapped);
        }
        let mut bytes = Vec::with_capacity(usize::try_from(length).unwrap_or(0));
        file.read_to_end(&mut bytes)?;
        Ok(Bytes::Held(bytes))
    }

    /// The first `length` bytes of a file that its only writer only ever adds to.
    ///
    /// # Errors
    /// Where it cannot be read.
    pub fn of_written(file: &File, length: u64) -> io::Result<Self> {
        if length >= MAPPED_FROM as u64 {
            return map(file).map(Bytes::Mapped);
        }
        let mut bytes = vec![0; usize::try_from(length).unwrap_or(0)];
        file.read_exact_at(&mut bytes, 0)?;
        Ok(Bytes::Held(bytes))
    }

    /// Whether the file was shortened while it was read, so that some of these bytes are not its own.
    pub fn is_cut(&self) -> bool {
        matches!(self, Bytes::Mapped(map) if map.is_cut())
    }

    /// Lets go of the memory behind the bytes at `span`, as far as they can be had again.
    pub(super) fn let_go(&self, span: Span) {
        if let Bytes::Mapped(map) = self {
            let_go(map, span);
        }
    }

    /// Gives the bytes back piece by piece: while the system takes a large map back whole, no thread of ours can begin.
    pub fn give_back(self) {
        for start in (0..self.len()).step_by(PIECE) {
            self.let_go(Span::new(start, self.len().min(start + PIECE)));
        }
    }

    /// What was written to `spool`.
    pub(super) fn of_spool(spool: SpooledTempFile) -> io::Result<Self> {
        match spool.into_inner() {
            SpooledData::InMemory(held) => Ok(Bytes::Held(held.into_inner())),
            SpooledData::OnDisk(file) => map(&file).map(Bytes::Mapped),
        }
    }
}
