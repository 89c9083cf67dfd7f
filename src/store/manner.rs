//! How the user's last test command built things: kept beside the inbox, for pins to be run the same way.

use std::io::{ErrorKind, Write};
use std::path::Path;

use super::file::{Lock, StoreError, io_error};

/// The file's name in the store's folder.
const MANNER: &str = "manner.json";

/// Keeps `arguments` in `folder` in the place of those that were kept there.
///
/// # Errors
/// Where it cannot be written.
pub fn keep(folder: &Path, arguments: &[String]) -> Result<(), StoreError> {
    keep_in(folder, MANNER, arguments)
}

/// Keeps what was said of the framework called `name`, as [`keep`].
///
/// # Errors
/// As there.
pub fn keep_said(folder: &Path, name: &str, said: &[String]) -> Result<(), StoreError> {
    keep_in(folder, &of_framework(name), said)
}

fn of_framework(name: &str) -> String {
    format!("manner-{name}.json")
}

fn keep_in(folder: &Path, file: &str, arguments: &[String]) -> Result<(), StoreError> {
    let _lock = Lock::take(folder)?;
    let path = folder.join(file);
    let written = tempfile::NamedTempFile::new_in(folder).and_then(|mut file| {
        file.write_all(&serde_json::to_vec(arguments)?)?;
        file.persist(&path).map_err(|error| error.error)
    });
    written.map(|_| ()).map_err(io_error("write", &path))
}

/// What is kept in `folder`; nothing where there is no such file, or it cannot be understood.
///
/// # Errors
/// Where it cannot be read.
pub fn kept(folder: &Path) -> Result<Vec<String>, StoreError> {
    kept_in(folder, MANNER).map(Option::unwrap_or_default)
}

/// What is kept in `folder` of the framework called `name`; `None` where nothing was said, or it cannot be understood.
///
/// # Errors
/// Where it cannot be read.
pub fn kept_said(folder: &Path, name: &str) -> Result<Option<Vec<String>>, StoreError> {
    kept_in(folder, &of_framework(name))
}

fn kept_in(folder: &Path, file: &str) -> Result<Option<Vec<String>>, StoreError> {
    let path = folder.join(file);
    match std::fs::read(&path) {
        Ok(bytes) => Ok(serde_json::from_slice(&bytes).ok()),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(io_error("read", &path)(error)),
    }
}

#[cfg(test)]
mod tests {
    use super::{keep, keep_said, kept, kept_said};

    #[test]
    fn the_last_command_counts() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path();
        assert_eq!(kept(path).unwrap(), Vec::<String>::new());
        for arguments in [vec!["--release".to_owned(), "+nightly".to_owned()], Vec::new()] {
            keep(path, &arguments).unwrap();
            assert_eq!(kept(path).unwrap(), arguments);
        }
        keep_said(path, "a", &["--b".to_owned()]).unwrap();
        let said = |name| kept_said(path, name).unwrap();
        assert_eq!((said("a"), said("c"), kept(path).unwrap()), (Some(vec!["--b".to_owned()]), None, Vec::new()));
    }
}
