//! What running pins showed, kept beside the inbox: one JSON object a line, in a file that only grows.

use std::fs::File;
use std::io::{self, ErrorKind, Read, Seek, SeekFrom};
use std::path::Path;

use super::file::{StoreError, io_error};
use super::lines;
use crate::proof::Evidence;

/// The file's name in the store's folder.
const EVIDENCE: &str = "evidence.jsonl";

/// Adds `evidence` to what is kept in `folder`.
///
/// # Errors
/// Where it cannot be written.
pub fn keep(folder: &Path, evidence: &[Evidence]) -> Result<(), StoreError> {
    lines::add(folder, EVIDENCE, evidence)
}

/// What is kept in `folder`, oldest first. A line that a killed redpin left half written is passed over.
///
/// # Errors
/// Where it cannot be read.
pub fn kept(folder: &Path) -> Result<Vec<Evidence>, StoreError> {
    lines::all(folder, EVIDENCE)
}

/// How many bytes are kept in `folder`.
pub fn length(folder: &Path) -> u64 {
    std::fs::metadata(folder.join(EVIDENCE)).map_or(0, |file| file.len())
}

/// No more than this is read of what is kept where only the newest is wanted.
const NEWEST: u64 = 8 << 20;

/// The same as [`kept`], of a long history only the newest part.
///
/// # Errors
/// Where it cannot be read.
pub fn newest(folder: &Path) -> Result<Vec<Evidence>, StoreError> {
    let path = folder.join(EVIDENCE);
    let mut bytes = Vec::new();
    let mut read = || -> io::Result<()> {
        let mut file = File::open(&path)?;
        // The first line may be cut: it is none then.
        file.seek(SeekFrom::Start(length(folder).saturating_sub(NEWEST)))?;
        file.read_to_end(&mut bytes).map(drop)
    };
    match read() {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(io_error("read", &path)(error)),
        _ => Ok(lines::values(&bytes)),
    }
}

#[cfg(test)]
mod tests {
    use std::fs::OpenOptions;
    use std::io::Write;

    use super::{keep, kept, newest};
    use crate::proof::{Evidence, PinState};

    fn evidence(test: &str) -> Evidence {
        Evidence {
            schema: 1,
            failure: "0a".to_owned(),
            test: test.to_owned(),
            state: PinState::Red,
            when: "2026-11-30T03:17:00Z".to_owned(),
            commit: "c0ffee+".to_owned(),
            command: "cargo test".to_owned(),
            toolchain: String::new(),
            milliseconds: 12,
            exit: 101,
            output: "00".repeat(8),
            own_fault: false,
            elsewhere: false,
            message: "no growth".to_owned(),
            at: "src/x.rs:3".to_owned(),
            below: true,
        }
    }

    #[test]
    fn what_is_kept_comes_back_in_order() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path();
        assert_eq!(kept(path).unwrap(), []);
        keep(path, &[evidence("a"), evidence("b")]).unwrap();
        let mut file = OpenOptions::new().append(true).open(path.join(super::EVIDENCE)).unwrap();
        file.write_all(b"{\"schema\":1,\"fail").unwrap();
        keep(path, &[evidence("c")]).unwrap();
        assert_eq!(kept(path).unwrap(), [evidence("a"), evidence("b"), evidence("c")]);
        assert_eq!(newest(path).unwrap(), kept(path).unwrap());
    }
}
