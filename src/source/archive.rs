//! The members of a zip archive. Their names are only ever text: nothing is unpacked to where they point.

use std::collections::{BTreeSet, HashSet};
use std::io::Cursor;
use std::ops::Range;

use zip::ZipArchive;
use zip::result::ZipError;

use super::Opening;
use crate::visible;

impl Opening<'_> {
    /// Every member of the archive `name`, in its order; `depth` counts this archive.
    pub(super) fn archive(&mut self, name: &str, bytes: &[u8], depth: usize) {
        let mut archive = match ZipArchive::new(Cursor::new(bytes)) {
            Ok(archive) => archive,
            Err(error) => {
                let text = format!("a damaged or cut off zip archive: {error}; download it again");
                return self.passed_over(name.to_owned(), &text);
            }
        };
        self.tell_doubled(name, bytes, &archive);
        let allowed = self.limits.of_archive(packed(&mut archive)).min(self.left);
        let others = self.left - allowed;
        self.left = allowed;
        for index in 0..archive.len() {
            if self.left == 0 || index == self.limits.members {
                let rest = archive.len() - index;
                let text = format!("passed over its last {rest} members: unpack it and name the folder");
                self.passed_over(name.to_owned(), &text);
                break;
            }
            self.member(name, &mut archive, index, depth);
        }
        self.left += others;
    }

    /// Says which names stand for more than one member: the archive is read by name, so that the last one is read alone.
    fn tell_doubled(&mut self, name: &str, bytes: &[u8], archive: &ZipArchive<Cursor<&[u8]>>) {
        if !archive.has_duplicate_names() {
            return;
        }
        let start = usize::try_from(archive.central_directory_start()).ok();
        let listing = start.and_then(|start| bytes.get(start..)).unwrap_or_default();
        for member in doubled(listing).into_iter().take(MOST_TOLD) {
            let member = format!("{name}!{}", visible::line(&String::from_utf8_lossy(member)));
            let text = "the archive holds more than one member of this name, and the last of them is read: unpack the \
                        others under names of their own and name the folder";
            self.passed_over(member, text);
        }
    }

    fn member(&mut self, archive_name: &str, archive: &mut ZipArchive<Cursor<&[u8]>>, index: usize, depth: usize) {
        let described =
            archive.by_index_data(index).map(|member| String::from_utf8_lossy(member.name_raw()).into_owned());
        let name = match described {
            Ok(member) => format!("{archive_name}!{}", visible::line(&member)),
            Err(error) => return self.passed_over(archive_name.to_owned(), &format!("member {index}: {error}")),
        };
        match archive.by_index(index) {
            Ok(member) if member.is_dir() => {}
            Ok(member) if member.is_symlink() => self.passed_over(name, "passed over: a symbolic link"),
            Ok(member) => {
                let packed = member.compressed_size();
                self.stream(name, member, Some(packed), depth);
            }
            Err(error) => self.passed_over(name, &reason(&error)),
        }
    }
}

/// So many names that stand for several members are told.
const MOST_TOLD: usize = 20;

/// How many packed bytes the members have together, those that several of them share counted once.
fn packed(archive: &mut ZipArchive<Cursor<&[u8]>>) -> u64 {
    let mut ranges: Vec<Range<u64>> = (0..archive.len()).filter_map(|index| range(archive, index)).collect();
    ranges.sort_unstable_by_key(|range| range.start);
    let (mut sum, mut end) = (0, 0);
    for range in ranges {
        sum += range.end.saturating_sub(range.start.max(end));
        end = end.max(range.end);
    }
    sum
}

/// Where the packed bytes of a member are; `None` where it cannot be told, and then it cannot be read either.
fn range(archive: &mut ZipArchive<Cursor<&[u8]>>, index: usize) -> Option<Range<u64>> {
    let member = archive.by_index_raw(index).ok()?;
    let start = member.data_start()?;
    Some(start..start.saturating_add(member.compressed_size()))
}

/// The names that stand more than once in an archive's list of members, each once.
fn doubled(mut listing: &[u8]) -> BTreeSet<&[u8]> {
    let (mut seen, mut doubled) = (HashSet::new(), BTreeSet::new());
    while let Some((name, rest)) = listed(listing) {
        if !seen.insert(name) {
            doubled.insert(name);
        }
        listing = rest;
    }
    doubled
}

/// The name that an archive's list of members begins with, and the rest of the list. Before a name stand 46 bytes, which
/// say how long it is, and how long two more texts are that follow it.
fn listed(listing: &[u8]) -> Option<(&[u8], &[u8])> {
    let (about, rest) = listing.split_at_checked(46).filter(|(about, _)| about.starts_with(b"PK\x01\x02"))?;
    let length = |at: usize| usize::from(u16::from_le_bytes([about[at], about[at + 1]]));
    let (name, rest) = rest.split_at_checked(length(28))?;
    Some((name, rest.get(length(30) + length(32)..)?))
}

fn reason(error: &ZipError) -> String {
    match error {
        ZipError::UnsupportedArchive(ZipError::PASSWORD_REQUIRED) => {
            "passed over: encrypted; unpack it and name the folder".to_owned()
        }
        ZipError::CompressionMethodNotSupported(_) | ZipError::UnsupportedArchive(_) => {
            "passed over: packed in a way that is not read here; unpack it and name the folder".to_owned()
        }
        other => format!("passed over: {other}"),
    }
}
