//! What a command prints, kept in a file without a name: a run of a gigabyte costs no memory, and a redpin that is killed
//! leaves nothing behind. Where the disk is full, what came until then is kept, and the command goes on.

use std::fs::File;
use std::io::{self, Seek, Write};
use std::path::Path;

use crate::source::Bytes;

/// The file, and how far it goes.
#[derive(Debug)]
pub(super) struct Spool {
    file: File,
    length: u64,
    /// Whether what is there ends in the middle of a line.
    is_open: bool,
    /// Why no more is kept.
    fault: Option<io::Error>,
}

impl Spool {
    /// A file in `folder`; where that takes none, among those that do not last.
    pub(super) fn new(folder: &Path) -> io::Result<Self> {
        let file = tempfile::tempfile_in(folder).or_else(|_| tempfile::tempfile())?;
        Ok(Spool { file, length: 0, is_open: false, fault: None })
    }

    pub(super) fn length(&self) -> u64 {
        self.length
    }

    /// All that was kept so far.
    pub(super) fn bytes(&self) -> io::Result<Bytes> {
        Bytes::of_written(&self.file, self.length)
    }

    /// Keeps `bytes`, all of them or none.
    pub(super) fn add(&mut self, bytes: &[u8]) {
        if self.fault.is_some() {
            return;
        }
        match self.file.write_all(bytes) {
            Ok(()) => {
                self.length += bytes.len() as u64;
                self.is_open = bytes.last().map_or(self.is_open, |last| *last != b'\n');
            }
            Err(error) => self.give_up(error),
        }
    }

    /// Keeps `lines`, which begin on a line of their own.
    pub(super) fn add_lines(&mut self, lines: &[u8]) {
        if self.is_open && !lines.is_empty() {
            self.add(b"\n");
        }
        self.add(lines);
    }

    /// Keeps all that `other` holds after what is here.
    pub(super) fn join(&mut self, mut other: Spool) {
        let copied = other.file.rewind().and_then(|()| io::copy(&mut other.file, &mut self.file));
        match copied {
            Ok(copied) => {
                self.length += copied;
                self.is_open = if copied > 0 { other.is_open } else { self.is_open };
            }
            Err(error) => self.give_up(error),
        }
        self.fault = self.fault.take().or(other.fault);
    }

    /// Why not all was kept, where that is so.
    pub(super) fn fault(self) -> Option<io::Error> {
        self.fault
    }

    fn give_up(&mut self, error: io::Error) {
        // A line cut in two would be another line.
        let cut = self.file.set_len(self.length).and_then(|()| self.file.seek(io::SeekFrom::Start(self.length)));
        self.fault = Some(cut.err().unwrap_or(error));
    }
}

#[cfg(test)]
mod tests {
    use std::fs::File;
    use std::path::Path;

    use super::Spool;

    #[test]
    fn what_is_added_and_joined_is_there_in_order() {
        let spool = || Spool::new(&std::env::temp_dir()).unwrap();
        let (mut first, mut second) = (spool(), spool());
        first.add(b"a\n");
        second.add(b"c\n");
        first.add(b"b\n");
        first.join(second);
        assert_eq!((&first.bytes().unwrap()[..], first.length()), (&b"a\nb\nc\n"[..], 6));
        assert!(first.fault().is_none());
    }

    #[test]
    fn lines_that_are_added_begin_on_a_line_of_their_own() {
        let mut spool = Spool::new(&std::env::temp_dir()).unwrap();
        spool.add_lines(b"");
        spool.add(b"a");
        spool.add_lines(b"");
        spool.add_lines(b"b\n");
        spool.add_lines(b"c\n");
        assert_eq!(&spool.bytes().unwrap()[..], b"a\nb\nc\n");
    }

    #[test]
    fn a_folder_that_is_not_there_is_no_hindrance() {
        let mut spool = Spool::new(Path::new("/no/such/folder")).unwrap();
        spool.add(b"a");
        assert_eq!(&spool.bytes().unwrap()[..], b"a");
    }

    #[test]
    fn what_the_disk_does_not_take_is_told_and_the_rest_stays() {
        let full = File::options().write(true).open("/dev/full").unwrap();
        let mut spool = Spool { file: full, length: 0, is_open: false, fault: None };
        spool.add(b"a\n");
        spool.add(b"b\n");
        assert_eq!(spool.length(), 0);
        assert!(spool.fault().is_some());
    }
}
