//! What was seen in the copy of the work tree, kept as long as the work tree's files are what they were: to see it again takes a
//! build.

use std::fs;
use std::os::unix::fs::MetadataExt;

use sha2::{Digest, Sha256};

use crate::hex::hex;
use crate::repo_path::RepoPath;

use super::{Scratch, ScratchError, mirror};

/// The file beside the copy; its first line tells of what it was seen.
const SEEN: &str = "seen";

impl Scratch {
    /// What was seen last, where that was in this `state`.
    pub fn seen(&self, state: &str) -> Option<Vec<u8>> {
        let kept = fs::read(self.at(SEEN)).ok()?;
        let end = memchr::memchr(b'\n', &kept)?;
        (kept[..end] == *state.as_bytes()).then(|| kept[end + 1..].to_vec())
    }

    /// Keeps what was seen in this `state`, instead of what was kept before.
    ///
    /// # Errors
    /// Where it cannot be written.
    pub fn keep_seen(&self, state: &str, seen: &[u8]) -> Result<(), ScratchError> {
        mirror::write(&self.at(SEEN), &[state.as_bytes(), b"\n", seen].concat())
    }

    /// A digest of the question and of what `files` of the work tree are now, told as builds tell it: by size and times.
    pub fn state(&self, files: &[RepoPath], question: &str) -> String {
        let mut hash = Sha256::new();
        hash.update(question);
        for file in files {
            hash.update(file.as_str());
            let told = fs::symlink_metadata(self.origin().join(file.as_str())).map_or([0; 6], |known| {
                let times = [known.mtime(), known.mtime_nsec(), known.ctime(), known.ctime_nsec()];
                let [modified, part, changed, rest] = times;
                [i64::from(known.mode()), known.size().cast_signed(), modified, part, changed, rest]
            });
            told.iter().for_each(|number| hash.update(number.to_le_bytes()));
        }
        hex(&hash.finalize())
    }
}
