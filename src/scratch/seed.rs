//! What a user's target directory has of packages from elsewhere, brought into a scratch target directory. Libraries are
//! linked, as nothing writes into one that stands; what cargo notes about them is copied, as it rewrites its notes in
//! place. Times are kept: cargo goes by them.

use std::ffi::OsStr;
use std::fs::{self, FileTimes};
use std::io;
use std::path::Path;

/// The folders of a target directory that hold a profile's packages.
const PROFILES: &[&str] = &["debug"];

/// The folders of a profile. Cargo notes what it has built when that is whole, so the notes come first: what somebody
/// builds meanwhile is then no half of a library that counts as a whole one.
const FOLDERS: &[&str] = &[".fingerprint", "deps", "build"];

/// Kinds of files that are written once, whole, under a name that tells their content.
const LIBRARIES: &[&str] = &["rlib", "rmeta", "so", "dylib"];

/// Kinds of files that tell what a library is made of.
const NOTES: &[&str] = &["d"];

/// Brings into `to` what `from` has of all packages but those named in `own`. What cannot be brought is left out.
pub(super) fn seed(from: &Path, to: &Path, own: &[String]) {
    for profile in PROFILES {
        for folder in FOLDERS {
            let (from, to) = (from.join(profile).join(folder), to.join(profile).join(folder));
            let Ok(listed) = fs::read_dir(&from) else { continue };
            if fs::create_dir_all(&to).is_err() {
                return;
            }
            for name in listed.filter_map(|one| Some(one.ok()?.file_name())) {
                // What is a file here, and is neither of these, is a program of the repository's own.
                let counts = from.join(&name).is_dir() || is_kind(&name, LIBRARIES) || is_kind(&name, NOTES);
                if counts && name.to_str().is_some_and(|name| !is_own(name, own)) {
                    let _ = bring(&from.join(&name), &to.join(&name));
                }
            }
        }
    }
}

/// Whether a file or folder is of one of the crates in `own`: `libx-0123456789abcdef.rlib`, `x-0123456789abcdef`.
fn is_own(name: &str, own: &[String]) -> bool {
    let Some((front, _)) = name.rsplit_once('-') else { return true };
    let front = front.replace('-', "_");
    own.iter().any(|own| front == *own || front.strip_prefix("lib") == Some(own))
}

fn is_kind(name: &OsStr, kinds: &[&str]) -> bool {
    Path::new(name).extension().is_some_and(|kind| kinds.iter().any(|known| kind == *known))
}

fn bring(from: &Path, to: &Path) -> io::Result<()> {
    let known = fs::symlink_metadata(from)?;
    if known.is_dir() {
        fs::create_dir_all(to)?;
        for one in fs::read_dir(from)? {
            let name = one?.file_name();
            bring(&from.join(&name), &to.join(&name))?;
        }
        return Ok(());
    }
    // What stands may be a link to the very file: to write to it would be to write into the user's.
    if fs::symlink_metadata(to).is_ok() || is_kind(from.as_ref(), LIBRARIES) && fs::hard_link(from, to).is_ok() {
        return Ok(());
    }
    fs::copy(from, to)?;
    let times = FileTimes::new().set_modified(known.modified()?);
    fs::File::options().write(true).open(to)?.set_times(times)
}
