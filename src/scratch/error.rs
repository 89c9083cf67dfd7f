//! Why a scratch copy could not be made.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// Why a scratch copy could not be made: the system refused.
#[derive(Debug)]
pub struct ScratchError {
    doing: &'static str,
    path: PathBuf,
    cause: io::Error,
}

impl fmt::Display for ScratchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let advice = match self.cause.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => "; make room there",
            io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
                "; give yourself the right to write there"
            }
            _ => "",
        };
        write!(f, "could not {} {}: {}{advice}", self.doing, self.path.display(), self.cause)
    }
}

impl std::error::Error for ScratchError {}

pub(super) fn io_error<'a>(doing: &'static str, path: &'a Path) -> impl FnOnce(io::Error) -> ScratchError + 'a {
    move |cause| ScratchError { doing, path: path.to_owned(), cause }
}
