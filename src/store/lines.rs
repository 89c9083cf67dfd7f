//! Files that only grow: one JSON object a line. What a killed redpin left half written spoils no line but its own.

use std::fs::{File, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::os::unix::fs::FileExt;
use std::path::Path;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::file::{Lock, StoreError, io_error};

/// Adds `values` to the file `name` in `folder`.
pub(super) fn add(folder: &Path, name: &str, values: &[impl Serialize]) -> Result<(), StoreError> {
    if values.is_empty() {
        return Ok(());
    }
    let _lock = Lock::take(folder)?;
    let path = folder.join(name);
    let lines: String =
        values.iter().filter_map(|one| serde_json::to_string(one).ok()).map(|line| line + "\n").collect();
    let append = || {
        let mut file = OpenOptions::new().read(true).append(true).create(true).open(&path)?;
        let start = if ends_within_a_line(&file)? { "\n" } else { "" };
        file.write_all(format!("{start}{lines}").as_bytes())?;
        file.sync_data()
    };
    append().map_err(io_error("write", &path))
}

fn ends_within_a_line(file: &File) -> io::Result<bool> {
    let Some(last) = file.metadata()?.len().checked_sub(1) else { return Ok(false) };
    let mut byte = [0];
    file.read_exact_at(&mut byte, last)?;
    Ok(byte != *b"\n")
}

/// All of the file `name` in `folder`, oldest first.
pub(super) fn all<T: DeserializeOwned>(folder: &Path, name: &str) -> Result<Vec<T>, StoreError> {
    let path = folder.join(name);
    match std::fs::read(&path) {
        Ok(bytes) => Ok(values(&bytes)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(Vec::new()),
        Err(error) => Err(io_error("read", &path)(error)),
    }
}

/// The values in `bytes`; lines that hold none are passed over.
pub(super) fn values<T: DeserializeOwned>(bytes: &[u8]) -> Vec<T> {
    bytes.split(|byte| *byte == b'\n').filter_map(|line| serde_json::from_slice(line).ok()).collect()
}
