//! The inbox's own file: a header line, then one failure a line. And the lock beside it.

use std::fmt;
use std::fs::{File, TryLockError};
use std::io::{self, BufRead, BufReader, BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use crate::inbox::Filed;

pub(super) const INBOX: &str = "inbox.jsonl";
const LOCK: &str = "lock";

/// The form of both files. Raised where an older redpin would misread them.
pub(super) const VERSION: u32 = 1;

/// Why the store could not be read or written.
#[derive(Debug)]
pub enum StoreError {
    /// The system refused.
    Io {
        /// What was to be done, as in "could not …".
        doing: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// The system's reason.
        cause: io::Error,
    },
    /// A file holds what no redpin of this form writes.
    Damaged {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What was not understood.
        why: String,
    },
    /// Another redpin is writing, and does not come to an end.
    Busy {
        /// The folder of the store.
        folder: PathBuf,
        /// Its process, where it says so.
        process: Option<u32>,
    },
    /// A file of another form.
    OtherVersion {
        /// The file.
        path: PathBuf,
        /// The form it says it has.
        found: u32,
    },
}

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StoreError::Io { doing, path, cause } => {
                write!(f, "could not {doing} {}: {cause}{}", path.display(), advice(cause.kind()))
            }
            StoreError::Busy { folder, process } => {
                let process = process.map_or(String::new(), |id| format!(" (process {id})"));
                write!(
                    f,
                    "another redpin{process} has been writing into {} for {} seconds; try again when it is done, or end it",
                    folder.display(),
                    PATIENCE.as_secs()
                )
            }
            StoreError::Damaged { path, line, why } => write!(
                f,
                "{} is damaged at line {line} ({why}); move its folder away to begin with an empty inbox, or mend the line",
                path.display()
            ),
            StoreError::OtherVersion { path, found } => write!(
                f,
                "{} has form {found}, this redpin reads form {VERSION}; use the redpin that wrote it, or move its folder \
                 away to begin with an empty inbox",
                path.display()
            ),
        }
    }
}

impl std::error::Error for StoreError {}

fn advice(kind: io::ErrorKind) -> &'static str {
    match kind {
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
            "; give yourself the right to read and write there"
        }
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => "; make room first; nothing was changed",
        _ => "",
    }
}

pub(super) fn io_error<'a>(doing: &'static str, path: &'a Path) -> impl FnOnce(io::Error) -> StoreError + 'a {
    move |cause| StoreError::Io { doing, path: path.to_owned(), cause }
}

/// First line of the inbox's file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Header {
    pub(super) redpin: u32,
    /// Counts the rewrites, so that another redpin's is noticed.
    pub(super) generation: u64,
    /// How many bytes of the journal the failures below have taken in.
    pub(super) journal: u64,
    /// How many failures follow.
    pub(super) failures: usize,
    pub(super) run: String,
    pub(super) imported: String,
}

/// The header alone; the empty one where there is no file.
pub(super) fn read_header(path: &Path) -> Result<Header, StoreError> {
    let Some(file) = open(path)? else { return Ok(Header::default()) };
    let mut line = String::new();
    BufReader::new(file).read_line(&mut line).map_err(io_error("read", path))?;
    parse_header(path, &line)
}

/// The whole file; nothing where there is none.
pub(super) fn read(path: &Path) -> Result<(Header, Vec<Arc<Filed>>), StoreError> {
    let Some(file) = open(path)? else { return Ok((Header::default(), Vec::new())) };
    let mut filed = Vec::new();
    let header = read_open(path, &file, |one| filed.push(Arc::new(one)))?;
    Ok((header, filed))
}

/// Reads the whole of an open file, and hands over one failure after the other.
pub(super) fn read_open(path: &Path, mut file: &File, mut take: impl FnMut(Filed)) -> Result<Header, StoreError> {
    file.seek(SeekFrom::Start(0)).map_err(io_error("read", path))?;
    let mut lines = BufReader::with_capacity(1 << 16, file);
    let mut line = String::new();
    lines.read_line(&mut line).map_err(io_error("read", path))?;
    let header = parse_header(path, &line)?;
    let mut found = 0;
    loop {
        line.clear();
        if lines.read_line(&mut line).map_err(io_error("read", path))? == 0 {
            break;
        }
        take(parse_line(path, found + 2, line.trim_end_matches('\n'))?);
        found += 1;
    }
    if found == header.failures {
        return Ok(header);
    }
    let why = format!("expected {} failures, found {found}", header.failures);
    Err(StoreError::Damaged { path: path.to_owned(), line: found + 1, why })
}

/// Writes the whole file: it has either the old content or the new. Returns how many bytes each failure's line has.
pub(super) fn write(path: &Path, header: &Header, filed: &[Arc<Filed>]) -> Result<Vec<usize>, StoreError> {
    let folder = path.parent().unwrap_or(Path::new("."));
    let mut temporary = tempfile::NamedTempFile::new_in(folder).map_err(io_error("write a file in", folder))?;
    let lengths = write_lines(temporary.as_file_mut(), header, filed).map_err(io_error("write", path))?;
    temporary.persist(path).map_err(|error| io_error("replace", path)(error.error))?;
    sync_folder(folder)?;
    Ok(lengths)
}

fn write_lines(file: &mut File, header: &Header, filed: &[Arc<Filed>]) -> io::Result<Vec<usize>> {
    let mut out = BufWriter::new(&mut *file);
    let mut line = serde_json::to_vec(header)?;
    line.push(b'\n');
    out.write_all(&line)?;
    let mut lengths = Vec::with_capacity(filed.len());
    for one in filed {
        line.clear();
        serde_json::to_writer(&mut line, one.as_ref())?;
        lengths.push(line.len());
        line.push(b'\n');
        out.write_all(&line)?;
    }
    out.flush()?;
    drop(out);
    file.sync_all()?;
    Ok(lengths)
}

/// Makes a rename in `folder` outlast a power cut.
pub(super) fn sync_folder(folder: &Path) -> Result<(), StoreError> {
    if cfg!(unix) {
        File::open(folder).and_then(|folder| folder.sync_all()).map_err(io_error("flush", folder))?;
    }
    Ok(())
}

/// The file for reading; `None` where there is none.
pub(super) fn open(path: &Path) -> Result<Option<File>, StoreError> {
    match File::open(path) {
        Ok(file) => Ok(Some(file)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(io_error("open", path)(error)),
    }
}

pub(super) fn parse_header(path: &Path, line: &str) -> Result<Header, StoreError> {
    let form: Form = parse_line(path, 1, line)?;
    if form.redpin != VERSION {
        return Err(StoreError::OtherVersion { path: path.to_owned(), found: form.redpin });
    }
    parse_line(path, 1, line)
}

/// What every form of a first line holds.
#[derive(Serialize, Deserialize)]
pub(super) struct Form {
    pub(super) redpin: u32,
}

pub(super) fn parse_line<T: for<'a> Deserialize<'a>>(path: &Path, line: usize, text: &str) -> Result<T, StoreError> {
    serde_json::from_str(text).map_err(|error| StoreError::Damaged {
        path: path.to_owned(),
        line,
        why: error.to_string().split(" at line ").next().unwrap_or_default().to_owned(),
    })
}

/// How long another redpin's write is waited for: it takes a moment, and a few seconds where thousands of pins are staged.
const PATIENCE: Duration = Duration::from_secs(5);
const PAUSE: Duration = Duration::from_millis(5);

/// Held while the store is written. The system releases it when the process ends, however it ends. The file says whose it is.
#[derive(Debug)]
pub(super) struct Lock {
    _file: File,
}

impl Lock {
    /// Waits for the lock, and not for ever; makes the folder where it is missing, but not the one around it: a repository
    /// that was taken away is not to come back as a husk.
    pub(super) fn take(folder: &Path) -> Result<Lock, StoreError> {
        Lock::take_within(PATIENCE, folder)
    }

    /// The same, waiting for so long.
    pub(super) fn take_within(patience: Duration, folder: &Path) -> Result<Lock, StoreError> {
        match std::fs::create_dir(folder) {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => {
                return Err(io_error("create", folder)(error));
            }
            _ => {}
        }
        let path = folder.join(LOCK);
        let file = File::options().create(true).append(true).open(&path).map_err(io_error("open", &path))?;
        let deadline = Instant::now() + patience;
        loop {
            match file.try_lock() {
                Ok(()) => break,
                Err(TryLockError::WouldBlock) if Instant::now() < deadline => std::thread::sleep(PAUSE),
                Err(TryLockError::WouldBlock) => {
                    return Err(StoreError::Busy { folder: folder.to_owned(), process: holder(&path) });
                }
                Err(TryLockError::Error(error)) => return Err(io_error("lock", &path)(error)),
            }
        }
        // Only a word for whoever waits: a full disk does not stand in the way of what needs no room.
        let _ = file.set_len(0).and_then(|()| writeln!(&file, "{}", std::process::id()));
        Ok(Lock { _file: file })
    }
}

/// The process that wrote its number into the lock file.
fn holder(path: &Path) -> Option<u32> {
    std::fs::read_to_string(path).ok()?.trim().parse().ok()
}
