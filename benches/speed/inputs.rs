//! What is measured on: logs and repositories, made once under cargo's folder for such things and kept between runs.

use std::fs;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::nightly::Nightly;
use crate::process;

/// How large the inputs are.
pub(crate) struct Scale {
    /// The log that `list` reads.
    pub(crate) log: Nightly,
    /// The inbox at the start.
    pub(crate) inbox: usize,
    /// The larger and the smaller inbox of the keys.
    pub(crate) inboxes: (usize, usize),
    /// Files of the repository that a pin is staged in.
    pub(crate) files: usize,
    /// Pins staged at once into one file.
    pub(crate) pins: usize,
    /// Rounds of each measurement.
    pub(crate) rounds: usize,
}

/// The sizes of the goals.
pub(crate) const FULL: Scale = Scale {
    log: Nightly { failures: 5_000, files: 97, bytes: 1_000_000_000 },
    inbox: 1_000,
    inboxes: (100_000, 100),
    files: 50_000,
    pins: 200,
    rounds: 11,
};

/// Sizes to see in a minute that all works.
pub(crate) const QUICK: Scale = Scale {
    log: Nightly { failures: 200, files: 20, bytes: 10_000_000 },
    inbox: 100,
    inboxes: (1_000, 100),
    files: 500,
    pins: 20,
    rounds: 3,
};

/// A folder with a repository, a home for what runs in it, and the log of its last night.
pub(crate) struct Place {
    pub(crate) home: PathBuf,
    pub(crate) repository: PathBuf,
    pub(crate) log: PathBuf,
}

impl Place {
    /// A fresh place named `name`: the crate of `nightly` and `others` more files, committed; and the log.
    pub(crate) fn make(name: &str, nightly: &Nightly, others: usize) -> Result<Place, String> {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("speed").join(name);
        let place = Place { home: folder.join("home"), repository: folder.join("repository"), log: log(nightly)? };
        if folder.exists() {
            fs::remove_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        }
        place.lay(nightly, others).map_err(|error| format!("{}: {error}", folder.display()))?;
        place.commit()?;
        Ok(place)
    }

    /// A command that runs `program` with this place's surroundings, in its repository.
    pub(crate) fn command(&self, program: impl AsRef<Path>) -> Command {
        let mut command = process::command(&program.as_ref().to_string_lossy(), &self.home);
        command.current_dir(&self.repository);
        command
    }

    /// The same for redpin itself.
    pub(crate) fn redpin(&self, arguments: &[&str]) -> Command {
        let mut command = self.command(process::REDPIN);
        command.args(arguments);
        command
    }

    /// The same for git.
    pub(crate) fn git(&self, arguments: &[&str]) -> Command {
        let mut command = self.command("git");
        command.args(arguments);
        command
    }

    /// Reads the log into the inbox.
    pub(crate) fn import(&self) -> Result<(), String> {
        process::timed(self.redpin(&["import", &self.log.to_string_lossy()])).map(|_| ())
    }

    fn lay(&self, nightly: &Nightly, others: usize) -> std::io::Result<()> {
        fs::create_dir_all(&self.home)?;
        fs::write(self.home.join(".gitconfig"), "[user]\n\tname = Bench\n\temail = bench@example.com\n")?;
        fs::create_dir_all(self.repository.join("src"))?;
        for (path, text) in nightly.sources() {
            fs::write(self.repository.join(path), text)?;
        }
        for number in 0..others {
            let folder = self.repository.join(format!("assets/{:03}", number / 100));
            if number.is_multiple_of(100) {
                fs::create_dir_all(&folder)?;
            }
            fs::write(folder.join(format!("{number:06}.txt")), format!("{number}\n"))?;
        }
        Ok(())
    }

    fn commit(&self) -> Result<(), String> {
        for arguments in [&["init", "-q", "-b", "main"][..], &["add", "-A"], &["commit", "-q", "-m", "Lay the crate"]] {
            process::timed(self.git(arguments))?;
        }
        Ok(())
    }
}

/// The log of a night, written once.
fn log(nightly: &Nightly) -> Result<PathBuf, String> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("speed/logs");
    let Nightly { failures, files, bytes } = nightly;
    let path = folder.join(format!("nightly-{failures}-{files}-{bytes}.log"));
    if !path.exists() {
        let partial = path.with_extension("partial");
        let write = || {
            fs::create_dir_all(&folder)?;
            let mut out = BufWriter::with_capacity(1 << 20, fs::File::create(&partial)?);
            nightly.write_log(&mut out)?;
            out.flush()?;
            fs::rename(&partial, &path)
        };
        write().map_err(|error| format!("{}: {error}", path.display()))?;
    }
    Ok(path)
}
