//! The index file itself, looked into without a program: in a large repository git reads all of it for a word on one
//! path. What only git can put together, an index in several files or with whole folders in one line, is left to git.

use std::collections::HashMap;
use std::ops::Range;

use crate::hex::hex;
use crate::repo_path::RepoPath;

use super::objects::ObjectId;
use super::place::{Place, Record};

/// Bytes of the header, and of the checksum at the end.
const HEADER: usize = 12;
const CHECKSUM: usize = 20;

/// Where things stand in a row: its mode, its object id, its flags, the name or the second flags.
const MODE: Range<usize> = 24..28;
const ID: Range<usize> = 40..60;
const FLAGS: usize = 60;
const NAME: usize = 62;

const ASSUME_UNCHANGED: u16 = 0x8000;
const EXTENDED: u16 = 0x4000;
const SIDE: u16 = 0x3000;
const SKIP_WORKTREE: u16 = 0x4000;
const INTENT_TO_ADD: u16 = 0x2000;

/// The rows of an index file with 20 bytes of object id, in the order of their names.
pub(super) struct IndexFile<'a> {
    text: &'a [u8],
    /// The names, where the file has them shortened.
    names: Vec<u8>,
    rows: Vec<Row>,
}

/// Where a row begins, and where its name is.
struct Row {
    start: usize,
    name: Range<usize>,
}

impl<'a> IndexFile<'a> {
    /// Takes in an index file; `None` where it is none, or of a kind that only git can read.
    pub(super) fn read(text: &'a [u8]) -> Option<Self> {
        let version =
            text.strip_prefix(b"DIRC").and_then(|_| number(text, 4)).filter(|version| (2..=4).contains(version))?;
        let count = usize::try_from(number(text, 8)?).ok()?;
        let end = text.len().checked_sub(CHECKSUM)?;
        let mut file = IndexFile { text, names: Vec::new(), rows: Vec::with_capacity(count.min(end / NAME)) };
        let mut at = HEADER;
        for _ in 0..count {
            at = if version == 4 { file.shortened_row(at)? } else { file.row(at)? };
        }
        file.is_whole(at, end).then_some(file)
    }

    /// Takes in the row at `start`; returns where the next one begins.
    fn row(&mut self, start: usize) -> Option<usize> {
        let name = self.name_start(start)?;
        let length = memchr::memchr(0, self.text.get(name..)?)?;
        self.rows.push(Row { start, name: name..name + length });
        // One to eight NULs fill it up.
        Some(start + (name + length - start + 8) / 8 * 8)
    }

    /// The same where a name begins with the number of bytes by which the one before it is shortened.
    fn shortened_row(&mut self, start: usize) -> Option<usize> {
        let mut at = self.name_start(start)?;
        let mut dropped: usize = 0;
        loop {
            let byte = *self.text.get(at)?;
            at += 1;
            dropped = dropped.checked_mul(128)?.checked_add(usize::from(byte & 127))?;
            if byte & 128 == 0 {
                break;
            }
            dropped = dropped.checked_add(1)?;
        }
        let length = memchr::memchr(0, self.text.get(at..)?)?;
        let before = self.rows.last().map_or(0..0, |row| row.name.clone());
        let kept = before.start..before.end.checked_sub(dropped).filter(|end| *end >= before.start)?;
        let name = self.names.len();
        self.names.extend_from_within(kept);
        self.names.extend_from_slice(&self.text[at..at + length]);
        self.rows.push(Row { start, name: name..self.names.len() });
        Some(at + length + 1)
    }

    fn name_start(&self, start: usize) -> Option<usize> {
        let is_extended = short(self.text, start + FLAGS)? & EXTENDED != 0;
        Some(start + NAME + if is_extended { 2 } else { 0 })
    }

    /// Whether all that follows the rows at `at` may be passed over: git writes what must be understood with a small letter.
    fn is_whole(&self, mut at: usize, end: usize) -> bool {
        while at < end {
            let length = number(self.text, at + 4).and_then(|length| usize::try_from(length).ok());
            let next = length.and_then(|length| at.checked_add(8)?.checked_add(length));
            match next {
                Some(next) if self.text[at].is_ascii_uppercase() => at = next,
                _ => return false,
            }
        }
        at == end
    }

    /// What the index holds at each of `paths`; nothing for a path that is not in it.
    pub(super) fn places(&self, paths: &[&RepoPath]) -> HashMap<RepoPath, Place> {
        paths.iter().filter_map(|path| Some(((*path).clone(), self.place(path)?))).collect()
    }

    /// All names in order, each with a zero byte after it.
    pub(super) fn names(&self) -> Vec<u8> {
        let mut names = Vec::with_capacity(self.text.len() / 2);
        for row in &self.rows {
            names.extend_from_slice(self.name(row));
            names.push(0);
        }
        names
    }

    fn place(&self, path: &RepoPath) -> Option<Place> {
        let name = path.as_str();
        let below = format!("{name}/");
        if self.rows.get(self.first(&below)).is_some_and(|row| self.name(row).starts_with(below.as_bytes())) {
            return Some(Place::folder(name));
        }
        if let Some(file) = path.folders().find(|folder| self.at(folder).is_some()) {
            return Some(Place::behind(path, file));
        }
        self.at(name).map(|row| self.what(row))
    }

    /// The first row of that name. The sides of a conflict follow each other.
    fn at(&self, name: &str) -> Option<&Row> {
        self.rows.get(self.first(name)).filter(|row| self.name(row) == name.as_bytes())
    }

    /// Where the first row stands whose name does not come before `name`.
    fn first(&self, name: &str) -> usize {
        self.rows.partition_point(|row| self.name(row) < name.as_bytes())
    }

    fn name(&self, row: &Row) -> &[u8] {
        let names = if self.names.is_empty() { self.text } else { &self.names };
        &names[row.name.clone()]
    }

    fn what(&self, row: &Row) -> Place {
        let flags = short(self.text, row.start + FLAGS).unwrap_or_default();
        if flags & SIDE != 0 {
            return Place::Unmerged;
        }
        let extended =
            (flags & EXTENDED != 0).then(|| short(self.text, row.start + NAME)).flatten().unwrap_or_default();
        let id = &self.text[row.start + ID.start..row.start + ID.end];
        Place::Record(Record {
            mode: format!("{:06o}", number(self.text, row.start + MODE.start).unwrap_or_default()),
            id: ObjectId(hex(id)),
            intent_to_add: extended & INTENT_TO_ADD != 0,
            assume_unchanged: flags & ASSUME_UNCHANGED != 0,
            skip_worktree: extended & SKIP_WORKTREE != 0,
        })
    }
}

fn number(text: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_be_bytes(text.get(at..at.checked_add(4)?)?.try_into().ok()?))
}

fn short(text: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_be_bytes(text.get(at..at.checked_add(2)?)?.try_into().ok()?))
}

#[cfg(test)]
mod tests {
    use super::{CHECKSUM, IndexFile};
    use crate::git::place::Place;
    use crate::repo_path::RepoPath;

    /// Names with their flags, and the second ones where there are any; in git's order.
    const ROWS: &[(&str, u16, Option<u16>)] = &[
        ("a", 0x8000, None),
        ("b/c", 0x4000, Some(0x2000)),
        ("b/c-d", 0, None),
        ("b/c0/e", 0x4000, Some(0x4000)),
        ("f", 0x1000, None),
        ("f", 0x2000, None),
        ("\u{e9}/a long name of some folder/g", 0, None),
    ];

    /// An index file of these rows as git writes it, with `extensions` behind them.
    fn written(version: u32, extensions: &[&[u8]]) -> Vec<u8> {
        let mut text = [&b"DIRC"[..], &version.to_be_bytes(), &(ROWS.len() as u32).to_be_bytes()].concat();
        let mut before = "";
        for (number, (name, flags, extended)) in (0u8..).zip(ROWS) {
            let start = text.len();
            text.extend([0; 24]);
            text.extend(0o100_755_u32.to_be_bytes());
            text.extend([0; 12]);
            text.extend([number; 20]);
            text.extend((flags | name.len() as u16).to_be_bytes());
            text.extend(extended.iter().flat_map(|extended| extended.to_be_bytes()));
            if version == 4 {
                let same = name.bytes().zip(before.bytes()).take_while(|(a, b)| a == b).count();
                text.push((before.len() - same) as u8);
                text.extend(&name.as_bytes()[same..]);
                text.push(0);
            } else {
                text.extend(name.as_bytes());
                text.resize(start + (text.len() - start + 8) / 8 * 8, 0);
            }
            before = name;
        }
        extensions.iter().for_each(|extension| text.extend(*extension));
        text.extend([0; CHECKSUM]);
        text
    }

    /// What stands at a path, as one line.
    fn told(file: &IndexFile<'_>, path: &str) -> String {
        match file.place(&RepoPath::new(path).unwrap()) {
            None => "nothing".to_owned(),
            Some(Place::Unmerged) => "a conflict".to_owned(),
            Some(Place::Blocked(why)) => why,
            Some(Place::Record(record)) => {
                let flags = [
                    (record.intent_to_add, " promised"),
                    (record.assume_unchanged, " assumed"),
                    (record.skip_worktree, " outside"),
                ];
                let flags: String = flags.iter().filter(|(is_set, _)| *is_set).map(|(_, word)| *word).collect();
                format!("{} {}{flags}", record.mode, &record.id.0[38..])
            }
        }
    }

    #[test]
    fn every_version_of_the_file_tells_what_stands_at_a_path() {
        for version in 2..=4 {
            let text = written(version, &[b"TREE\0\0\0\x02xx", b"EOIE\0\0\0\0"]);
            let file = IndexFile::read(&text).unwrap();
            for (path, expected) in [
                ("a", "100755 00 assumed"),
                ("b/c", "100755 01 promised"),
                ("b/c-d", "100755 02"),
                ("b/c0/e", "100755 03 outside"),
                ("f", "a conflict"),
                ("\u{e9}/a long name of some folder/g", "100755 06"),
                ("b/b", "nothing"),
                ("zz", "nothing"),
                ("b", "expected a file at b, found a folder in the index"),
                ("b/c0", "expected a file at b/c0, found a folder in the index"),
                ("b/c/x/y", "b/c/x/y is behind b/c, which is no folder in the index"),
                ("f/x", "f/x is behind f, which is no folder in the index"),
            ] {
                assert_eq!(told(&file, path), expected, "{path} in version {version}");
            }
        }
    }

    #[test]
    fn what_only_git_can_read_is_left_to_it() {
        for version in 2..=4 {
            let text = written(version, &[]);
            assert!(IndexFile::read(&text).is_some());
            for end in 0..text.len() {
                assert!(IndexFile::read(&text[..end]).is_none(), "version {version}, {end} bytes");
            }
            for extension in [&b"link\0\0\0\0"[..], b"sdir\0\0\0\0", b"TREE\0\0\0\x09x"] {
                assert!(IndexFile::read(&written(version, &[extension])).is_none(), "{}", extension.escape_ascii());
            }
        }
        assert!(IndexFile::read(&written(5, &[])).is_none());
        assert!(IndexFile::read(b"").is_none());
    }
}
