//! Opens runs: files, folders, zip and gzip archives, standard input, each known by its content and not by its name.
//! Hands out their bytes one after the other, so that a large folder never lies in memory whole, and says of everything
//! it passed over why. Knows nothing of what stands in a run.

use std::ffi::OsString;
use std::fmt;
use std::fs::{self, File, FileType};
use std::io;
use std::path::{Path, PathBuf};

use crate::failure::Notice;
use crate::visible;

mod archive;
mod bytes;
mod folder;
mod inflate;
mod map;
mod wide;

pub use bytes::Bytes;
use inflate::{Inflated, LIMITS, Limits, inflate};

/// What the user named as a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RunArgument {
    /// `-`.
    StandardInput,
    /// A file, folder or archive.
    Path(PathBuf),
}

impl From<OsString> for RunArgument {
    fn from(argument: OsString) -> Self {
        if argument == "-" { RunArgument::StandardInput } else { RunArgument::Path(argument.into()) }
    }
}

/// A run that was opened.
#[derive(Debug)]
pub struct Opened {
    /// Its name, as in [`crate::failure::Origin::run`], control characters made visible.
    pub name: String,
    /// Its bytes.
    pub bytes: Bytes,
}

/// Why a run that the user named cannot be opened.
#[derive(Debug)]
pub struct SourceError {
    path: PathBuf,
    cause: io::Error,
}

impl fmt::Display for SourceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = name_of(&self.path);
        if self.cause.kind() == io::ErrorKind::NotFound {
            return write!(
                f,
                "expected a run (a file, a folder, a zip or gzip archive, or `-`), found nothing at `{path}`: check the path"
            );
        }
        write!(f, "cannot read the run `{path}`: {}: make it readable, or name another", self.cause)
    }
}

impl std::error::Error for SourceError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.cause)
    }
}

/// Opens `arguments` in order and hands each run in them to `each` as soon as it is open. The notices name what was
/// passed over or came incomplete.
///
/// # Errors
/// Where an argument itself does not exist or cannot be read; all are looked at before the first is opened.
pub fn open(arguments: &[RunArgument], each: &mut dyn FnMut(Opened)) -> Result<Vec<Notice>, SourceError> {
    open_within(LIMITS, arguments, each)
}

fn open_within(
    limits: Limits,
    arguments: &[RunArgument],
    each: &mut dyn FnMut(Opened),
) -> Result<Vec<Notice>, SourceError> {
    for argument in arguments {
        if let RunArgument::Path(path) = argument {
            fs::metadata(path).map_err(|cause| SourceError { path: path.clone(), cause })?;
        }
    }
    let mut opening = Opening { each, notices: Vec::new(), limits, left: limits.total };
    for argument in arguments {
        match argument {
            RunArgument::StandardInput => opening.stream("-".to_owned(), io::stdin().lock(), None, 0),
            RunArgument::Path(path) => {
                opening.argument(path).map_err(|cause| SourceError { path: path.clone(), cause })?;
            }
        }
    }
    Ok(opening.notices)
}

/// One call of [`open`] under way.
struct Opening<'a> {
    each: &'a mut dyn FnMut(Opened),
    notices: Vec<Notice>,
    limits: Limits,
    /// How many bytes may still come out of archives and streams.
    left: u64,
}

impl Opening<'_> {
    /// What the user named. A symbolic link is followed here, and only here; a pipe (`<(cargo test)`) is read to its end.
    fn argument(&mut self, path: &Path) -> io::Result<()> {
        let kind = fs::metadata(path)?.file_type();
        let name = name_of(path);
        if kind.is_dir() {
            fs::read_dir(path)?;
            self.folder(path);
        } else if kind.is_file() {
            let bytes = Bytes::of_file(File::open(path)?)?;
            self.content(name, bytes, 0);
        } else {
            let file = File::open(path)?;
            self.stream(name, file, None, 0);
        }
        Ok(())
    }

    /// A file met in a folder.
    fn file(&mut self, path: &Path, kind: FileType) {
        let name = name_of(path);
        if kind.is_symlink() {
            return self.passed_over(name, "a symbolic link inside a folder is not followed: name its target as a run");
        }
        if !kind.is_file() {
            return self.passed_over(name, "passed over: neither a file nor a folder");
        }
        match File::open(path).and_then(Bytes::of_file) {
            Ok(bytes) => self.content(name, bytes, 0),
            Err(error) => self.passed_over(name, &format!("cannot be read: {error}")),
        }
    }

    /// Bytes of a known kind or none: `depth` archives lie around them.
    fn content(&mut self, name: String, bytes: Bytes, depth: usize) {
        let packed =
            bytes.starts_with(b"PK\x03\x04") || bytes.starts_with(b"PK\x05\x06") || bytes.starts_with(b"\x1f\x8b\x08");
        if packed && depth >= self.limits.depth {
            return self
                .passed_over(name, "passed over: archives lie too deep in one another; unpack it and name the folder");
        }
        if bytes.starts_with(b"\x1f\x8b\x08") {
            let stream = flate2::read::MultiGzDecoder::new(&*bytes);
            self.stream(name, stream, Some(bytes.len() as u64), depth + 1);
        } else if packed {
            self.archive(&name, &bytes, depth + 1);
        } else if let Some(form) = closed_form(&bytes) {
            self.passed_over(name, &format!("passed over: {form}; unpack it and name the file or folder"));
        } else {
            let (bytes, notice) = wide::as_utf8(bytes);
            if let Some(text) = notice {
                self.passed_over(name.clone(), text);
            }
            (self.each)(Opened { name, bytes });
        }
    }

    /// A stream of unknown length; `packed` is its compressed size, where it has one.
    fn stream(&mut self, name: String, stream: impl io::Read, packed: Option<u64>, depth: usize) {
        match inflate(stream, packed, &self.limits, &mut self.left) {
            Ok(Inflated::Whole(bytes)) => self.content(name, bytes, depth),
            Ok(Inflated::Broken(bytes, error)) => {
                let text = format!("breaks off after {} bytes: {error}; what came before is read", bytes.len());
                self.passed_over(name.clone(), &text);
                self.content(name, bytes, depth);
            }
            Ok(Inflated::TooLarge(limit)) => self.passed_over(name, &format!("passed over: {limit}")),
            Err(error) => self.passed_over(name, &format!("cannot be unpacked: {error}")),
        }
    }

    fn passed_over(&mut self, file: String, text: &str) {
        self.notices.push(Notice { file, line: None, text: text.to_owned() });
    }
}

/// What the bytes are packed in, where that is a form that is not opened here.
fn closed_form(bytes: &[u8]) -> Option<&'static str> {
    const FORMS: [(&[u8], &str); 5] = [
        (b"\xfd7zXZ\0", "packed by xz"),
        (b"\x28\xb5\x2f\xfd", "packed by zstd"),
        (b"BZh91AY&SY", "packed by bzip2"),
        (b"7z\xbc\xaf\x27\x1c", "a 7z archive"),
        (b"Rar!\x1a\x07", "a rar archive"),
    ];
    if bytes.get(257..262) == Some(b"ustar") {
        return Some("a tar archive");
    }
    FORMS.into_iter().find(|(start, _)| bytes.starts_with(start)).map(|(_, form)| form)
}

/// A path as users see it.
fn name_of(path: &Path) -> String {
    visible::line(&path.to_string_lossy()).into_owned()
}

#[cfg(test)]
mod tests;
