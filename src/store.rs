//! The inbox and its history on disk, in a folder of our own under the git directory. The failures are one file of JSON
//! lines, replaced whole by an import; what is decided of them is a journal that only grows, so that a key press writes
//! one line however large the inbox is. A third file repeats of the failures what their list shows, so that it can be shown
//! before all of them are read. Reading writes nothing; every write holds the lock file, is flushed to the disk,
//! and takes in first what another redpin wrote meanwhile.

pub mod evidence;
mod file;
mod journal;
mod lines;
pub mod manner;
mod rows;
pub mod suggestions;
pub mod sweeps;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::history::{Event, History, Left};
use crate::inbox::{FailureId, Filed, Inbox};

pub use file::StoreError;
use file::{Header, Lock};
use journal::Journal;
use rows::{Glance, Lines};

/// Bytes that are read at once: the rows of some ten thousand failures.
const AT_ONCE: u64 = 1 << 20;

/// The stored inbox, and its history, as last read.
#[derive(Debug)]
pub struct Store {
    folder: PathBuf,
    header: Header,
    inbox: Inbox,
    journal: Journal,
    /// Where failures are read from when they are looked at, until all of them were read once.
    unread: Option<Arc<Lines>>,
}

impl Store {
    /// Reads the store in `folder`. A folder that is not there is an empty store.
    ///
    /// # Errors
    /// Where a file cannot be read, is damaged, or was written by a redpin that writes another form.
    pub fn open(folder: &Path) -> Result<Store, StoreError> {
        let (header, filed) = file::read(&folder.join(file::INBOX))?;
        Store::of(folder, header, filed, None)
    }

    /// The same without reading more of each failure than its row in the list needs: the rest is read as it is looked at.
    /// Damage in that rest shows with the first [`Store::lock`], or by [`Store::check`].
    ///
    /// # Errors
    /// As [`Store::open`].
    pub fn glance(folder: &Path) -> Result<Store, StoreError> {
        match rows::read(folder)? {
            Some(Glance { header, filed, lines }) => Store::of(folder, header, filed, Some(lines)),
            None => Store::open(folder),
        }
    }

    /// [`Store::glance`] where that takes a few milliseconds at the most; `None` where it would take longer, or where
    /// something is wrong.
    pub fn at_once(folder: &Path) -> Option<Store> {
        let small = |name| std::fs::metadata(folder.join(name)).is_ok_and(|file| file.len() <= AT_ONCE);
        let no_journal = || !folder.join(journal::JOURNAL).exists();
        let Glance { header, filed, lines } =
            (small(rows::ROWS) && (small(journal::JOURNAL) || no_journal())).then(|| rows::read(folder).ok()?)??;
        Store::of(folder, header, filed, Some(lines)).ok()
    }

    fn of(
        folder: &Path,
        header: Header,
        filed: Vec<Arc<Filed>>,
        unread: Option<Arc<Lines>>,
    ) -> Result<Store, StoreError> {
        let mut journal = Journal::new(folder);
        let mut inbox = Inbox::new(filed);
        for (at, left) in journal.read_on()? {
            if at >= header.journal {
                take_in(&mut inbox, left);
            }
        }
        if journal.length() < header.journal {
            return Err(journal.too_short());
        }
        Ok(Store { folder: folder.to_owned(), header, inbox, journal, unread })
    }

    /// Sees that all failures can be read, where that was not seen yet.
    ///
    /// # Errors
    /// Where one of them cannot.
    pub fn check(&mut self) -> Result<(), StoreError> {
        if let Some(lines) = &self.unread {
            rows::check(&self.folder, lines)?;
            self.unread = None;
        }
        Ok(())
    }

    /// The failures.
    pub fn inbox(&self) -> &Inbox {
        &self.inbox
    }

    /// What was done to them.
    pub fn history(&self) -> &History {
        self.journal.history()
    }

    /// The runs imported last, as one line; empty where none were.
    pub fn run(&self) -> &str {
        &self.header.run
    }

    /// When that was, as RFC 3339 in UTC; empty where it never was.
    pub fn imported(&self) -> &str {
        &self.header.imported
    }

    /// Takes the store for writing: waits for another redpin to end its write, and takes in what it wrote.
    ///
    /// # Errors
    /// Where the folder cannot be made or locked, or its files cannot be read.
    pub fn lock(&mut self) -> Result<Writing<'_>, StoreError> {
        self.check()?;
        let lock = Lock::take(&self.folder)?;
        self.refresh()?;
        Ok(Writing { store: self, _lock: lock })
    }

    fn refresh(&mut self) -> Result<(), StoreError> {
        let replaced = file::read_header(&self.folder.join(file::INBOX))? != self.header;
        if replaced || self.journal.has_shrunk()? {
            *self = Store::open(&self.folder)?;
            return Ok(());
        }
        for (_, left) in self.journal.read_on()? {
            take_in(&mut self.inbox, left);
        }
        Ok(())
    }
}

/// The store while it is locked.
#[derive(Debug)]
pub struct Writing<'a> {
    store: &'a mut Store,
    _lock: Lock,
}

impl Writing<'_> {
    /// The failures, as they are on disk.
    pub fn inbox(&self) -> &Inbox {
        &self.store.inbox
    }

    /// What was done to them, as it is on disk.
    pub fn history(&self) -> &History {
        self.store.history()
    }

    /// Writes an event to the journal, and what it leaves into the inbox.
    ///
    /// # Errors
    /// Where it cannot be written; nothing has changed then.
    pub fn record(&mut self, event: Event) -> Result<(), StoreError> {
        let left = self.store.journal.append(event)?;
        take_in(&mut self.store.inbox, left);
        Ok(())
    }

    /// Puts `filed` in the place of all failures; `run` and `imported` say where from and when.
    ///
    /// # Errors
    /// Where it cannot be written; nothing has changed then.
    pub fn replace(&mut self, filed: Vec<Arc<Filed>>, run: &str, imported: &str) -> Result<(), StoreError> {
        let header = Header { run: run.to_owned(), imported: imported.to_owned(), ..self.store.header.clone() };
        self.put(header, filed)
    }

    /// Puts `filed` in the place of all failures; they are of the same runs.
    ///
    /// # Errors
    /// As [`Writing::replace`].
    pub fn change(&mut self, filed: Vec<Arc<Filed>>) -> Result<(), StoreError> {
        self.put(self.store.header.clone(), filed)
    }

    fn put(&mut self, header: Header, filed: Vec<Arc<Filed>>) -> Result<(), StoreError> {
        let header = Header {
            redpin: file::VERSION,
            generation: header.generation + 1,
            journal: self.store.journal.length(),
            failures: filed.len(),
            ..header
        };
        let lengths = file::write(&self.store.folder.join(file::INBOX), &header, &filed)?;
        rows::write(&self.store.folder, &header, &filed, &lengths);
        self.store.header = header;
        self.store.inbox = Inbox::new(filed);
        Ok(())
    }
}

fn take_in(inbox: &mut Inbox, left: Left) {
    left.marks.into_iter().for_each(|(id, mark)| inbox.mark(&id, mark));
    if let Some(naming) = left.naming {
        let was: Vec<FailureId> = naming.was.into_iter().map(|filed| filed.id).collect();
        inbox.replace(&was, naming.now.into_iter().map(Arc::new).collect());
    }
}

#[cfg(test)]
mod tests;
