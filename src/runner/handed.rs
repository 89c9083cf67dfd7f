//! What a command hands over besides what it prints: lines that its processes append to a file of ours. They are of its run as
//! its output is, and stand after it.

use std::ffi::OsString;
use std::fs;
use std::io::{self, Read, Seek, Write};
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use tempfile::NamedTempFile;

use crate::invocation::{Capture, File, HANDED, Variable};

/// What the name of a file begins with that is appended to.
const PREFIX: &str = "redpin-handed-";

/// The file that is appended to, locked as long as its run goes on. It is removed when this value is dropped; that of a redpin
/// which was killed by the next one.
#[derive(Debug)]
pub(super) struct Handed(NamedTempFile);

impl Handed {
    /// Has `command` hand over as `capture` says, to a file in `folder`. Where our files cannot be laid down, or there are
    /// none, `command` is left as it is.
    pub(super) fn start(command: &mut Command, capture: &Capture, folder: &Path) -> Option<Handed> {
        sweep(folder);
        if capture.files.is_empty() {
            return None;
        }
        capture.files.iter().try_for_each(|file| lay_down(file, &capture.folder)).ok()?;
        let file = tempfile::Builder::new().prefix(PREFIX).tempfile_in(folder).ok()?;
        file.as_file().try_lock().ok()?;
        for variable in &capture.variables {
            let own = command.get_envs().find(|(name, _)| *name == variable.name);
            let there = own.map_or_else(|| inherited(variable.name), |(_, value)| value.map(ToOwned::to_owned));
            command.env(variable.name, added(variable, there));
        }
        command.env(HANDED, file.path());
        Some(Handed(file))
    }

    /// How much there is by now.
    pub(super) fn length(&self) -> u64 {
        self.0.as_file().metadata().map_or(0, |file| file.len())
    }

    /// All whole lines.
    pub(super) fn lines(&self) -> io::Result<Vec<u8>> {
        // By the file that was made, whatever a test has put in its place by now.
        let mut file = self.0.as_file();
        file.rewind()?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        bytes.truncate(memchr::memrchr(b'\n', &bytes).map_or(0, |end| end + 1));
        Ok(bytes)
    }
}

/// Removes the files in `folder` that nobody appends to any more. What cannot be removed stays: nothing depends on it.
#[expect(clippy::disallowed_methods, reason = "nobody but a redpin made these, and nobody reads them any more")]
fn sweep(folder: &Path) {
    let is_handed = |name: &OsString| name.to_str().is_some_and(|name| name.starts_with(PREFIX));
    let Ok(listed) = fs::read_dir(folder) else { return };
    // To open a pipe waits for whoever writes to it.
    let is_file = |one: &fs::DirEntry| one.file_type().is_ok_and(|kind| kind.is_file());
    for one in listed.filter_map(Result::ok).filter(|one| is_handed(&one.file_name()) && is_file(one)) {
        if fs::File::open(one.path()).is_ok_and(|file| is_old(&file) && file.try_lock().is_ok()) {
            let _ = fs::remove_file(one.path());
        }
    }
}

/// Whether a file is not one that somebody has just made, and is about to lock.
fn is_old(file: &fs::File) -> bool {
    let written = file.metadata().and_then(|known| known.modified()).ok();
    written.and_then(|written| written.elapsed().ok()).is_some_and(|age| age > Duration::from_secs(10))
}

/// Writes a file of ours in `folder`, where it does not lie there as it is. Another run may read it meanwhile.
fn lay_down(file: &File, folder: &Path) -> io::Result<()> {
    let path = folder.join(file.path);
    let is_file = fs::symlink_metadata(&path).is_ok_and(|known| known.is_file());
    if is_file && fs::read(&path).is_ok_and(|bytes| bytes == file.text.as_bytes()) {
        return Ok(());
    }
    let around = path.parent().unwrap_or(folder);
    fs::create_dir_all(around)?;
    let mut written = NamedTempFile::new_in(around)?;
    written.write_all(file.text.as_bytes())?;
    written.persist(&path).map(|_| ()).map_err(|error| error.error)
}

/// What the command would find in a variable without us.
#[expect(clippy::disallowed_methods, reason = "this room makes the environment of the user's test command")]
fn inherited(name: &str) -> Option<OsString> {
    std::env::var_os(name)
}

/// What a variable holds with what is added.
fn added(variable: &Variable, there: Option<OsString>) -> OsString {
    let Some(mut whole) = there.filter(|there| !there.is_empty()) else { return variable.value.clone().into() };
    whole.push(variable.between.to_string());
    whole.push(&variable.value);
    whole
}

#[cfg(test)]
mod tests {
    use std::fs::File;
    use std::io::Write;
    use std::process::Command;
    use std::time::SystemTime;

    use super::{Handed, PREFIX, added};
    use crate::invocation::{self, Capture, Variable};

    #[test]
    #[expect(clippy::disallowed_methods, reason = "the command is not started")]
    fn the_file_of_a_redpin_that_was_killed_is_removed_by_the_next() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().to_owned();
        let files = vec![invocation::File { path: "plugin.py", text: "x" }];
        let capture = Capture { folder: path.join("capture"), files, variables: Vec::new() };
        let (left, own) = (path.join(format!("{PREFIX}left")), path.join("redpin-other"));
        for path in [&left, &own] {
            File::create(path).unwrap().set_modified(SystemTime::UNIX_EPOCH).unwrap();
        }
        let first = Handed::start(&mut Command::new("true"), &capture, &path).unwrap();
        assert!(!left.exists() && own.exists());
        let second = Handed::start(&mut Command::new("true"), &capture, &path).unwrap();
        assert!(first.0.path().exists() && second.0.path().exists(), "what a run appends to stays");
    }

    #[test]
    #[expect(clippy::disallowed_methods, reason = "a test plays what tests do")]
    fn what_stands_in_the_place_of_the_file_is_not_read() {
        let folder = tempfile::tempdir().unwrap();
        let files = vec![invocation::File { path: "plugin.py", text: "x" }];
        let capture = Capture { folder: folder.path().join("capture"), files, variables: Vec::new() };
        let handed = Handed::start(&mut Command::new("true"), &capture, folder.path()).unwrap();
        std::fs::OpenOptions::new().append(true).open(handed.0.path()).unwrap().write_all(b"one\ntw").unwrap();
        std::fs::remove_file(handed.0.path()).unwrap();
        std::fs::write(handed.0.path(), "another\n").unwrap();
        assert_eq!(handed.lines().unwrap(), b"one\n");
        assert_eq!(handed.length(), 6);
    }

    /// Makes a pipe that nobody reads or writes.
    #[expect(clippy::disallowed_methods, reason = "the library makes none")]
    fn make_pipe(path: &std::path::Path) {
        assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
    }

    #[test]
    #[expect(clippy::disallowed_methods, reason = "the command is not started")]
    fn nobody_waits_for_a_pipe_in_the_place_of_our_files() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path();
        let files = vec![invocation::File { path: "plugin.py", text: "x" }];
        let capture = Capture { folder: path.join("capture"), files, variables: Vec::new() };
        std::fs::create_dir(path.join("capture")).unwrap();
        make_pipe(&path.join("capture/plugin.py"));
        make_pipe(&path.join(format!("{PREFIX}left")));
        let handed = Handed::start(&mut Command::new("true"), &capture, path).unwrap();
        assert_eq!(std::fs::read(path.join("capture/plugin.py")).unwrap(), b"x");
        std::fs::remove_file(handed.0.path()).unwrap();
        make_pipe(handed.0.path());
        assert_eq!(handed.lines().unwrap(), b"");
    }

    #[test]
    fn what_a_variable_holds_stays_in_front() {
        let variable = Variable { name: "A", value: "b c".to_owned(), between: ':' };
        assert_eq!(added(&variable, None), "b c");
        assert_eq!(added(&variable, Some("".into())), "b c");
        assert_eq!(added(&variable, Some("a".into())), "a:b c");
    }
}
