//! What a command hands over besides what it prints: lines that its processes append to a file of ours. They are of its run as
//! its output is, and stand after it.

use std::ffi::OsString;
use std::fs;
use std::io::{self, Write};
use std::path::Path;
use std::process::Command;

use tempfile::NamedTempFile;

use crate::invocation::{Capture, File, HANDED, Variable};

/// The file that is appended to. It is removed when this value is dropped.
#[derive(Debug)]
pub(super) struct Handed(NamedTempFile);

impl Handed {
    /// Has `command` hand over as `capture` says, to a file in `folder`. Where our files cannot be laid down, or there are
    /// none, `command` is left as it is.
    pub(super) fn start(command: &mut Command, capture: &Capture, folder: &Path) -> Option<Handed> {
        if capture.files.is_empty() {
            return None;
        }
        capture.files.iter().try_for_each(|file| lay_down(file, &capture.folder)).ok()?;
        let file = tempfile::Builder::new().prefix("redpin-handed-").tempfile_in(folder).ok()?;
        for variable in &capture.variables {
            command.env(variable.name, added(variable, inherited(variable.name)));
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
        let mut bytes = fs::read(self.0.path())?;
        bytes.truncate(memchr::memrchr(b'\n', &bytes).map_or(0, |end| end + 1));
        Ok(bytes)
    }
}

/// Writes a file of ours in `folder`, where it does not lie there as it is. Another run may read it meanwhile.
fn lay_down(file: &File, folder: &Path) -> io::Result<()> {
    let path = folder.join(file.path);
    if fs::read(&path).is_ok_and(|bytes| bytes == file.text.as_bytes()) {
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
    use super::added;
    use crate::invocation::Variable;

    #[test]
    fn what_a_variable_holds_stays_in_front() {
        let variable = Variable { name: "A", value: "b c".to_owned(), between: ':' };
        assert_eq!(added(&variable, None), "b c");
        assert_eq!(added(&variable, Some("".into())), "b c");
        assert_eq!(added(&variable, Some("a".into())), "a:b c");
    }
}
