//! The index file itself, looked into without a program: in a large repository git reads all of it for a word on one
//! path. A piece of it at a time, since to have all of it in memory takes longer than to go through it. What only git can
//! put together, an index in several files or with whole folders in one line, is left to git.

use std::collections::{BTreeMap, HashMap};
use std::fs::File;
use std::io::{self, Read};
use std::ops::Range;
use std::path::Path;

use crate::hex::hex;
use crate::repo_path::RepoPath;

use super::objects::ObjectId;
use super::place::{Place, Record};

/// Bytes that are read at a time.
const PIECE: usize = 64 << 10;

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

/// An index file with 20 bytes of object id.
pub(super) struct IndexFile<R> {
    window: Window<R>,
    length: usize,
}

/// A row: what is before its name, and its name.
struct Row<'a> {
    head: &'a [u8],
    name: &'a [u8],
}

impl IndexFile<File> {
    pub(super) fn open(path: &Path) -> io::Result<Self> {
        let file = File::open(path)?;
        let length = usize::try_from(file.metadata()?.len()).unwrap_or(usize::MAX);
        Ok(IndexFile::of(file, length))
    }
}

impl<R: Read> IndexFile<R> {
    fn of(source: R, length: usize) -> Self {
        IndexFile { window: Window::new(source), length }
    }

    /// What the index holds at each of `paths`; nothing for a path that is not in it. `None` where this is no index file,
    /// or of a kind that only git can read.
    pub(super) fn places(self, paths: &[&RepoPath]) -> Option<HashMap<RepoPath, Place>> {
        let mut sought = Sought::new(paths);
        let mut next = sought.found.iter_mut().peekable();
        self.each(|row| {
            // Both are in order: the first row that does not come before a name shows whether the name is there.
            while let Some((name, found)) = next.next_if(|(name, _)| name.as_bytes() <= row.name) {
                let is_here = if name.ends_with('/') {
                    row.name.starts_with(name.as_bytes())
                } else {
                    row.name == name.as_bytes()
                };
                *found = is_here.then(|| row.place());
            }
        })?;
        Some(paths.iter().filter_map(|path| Some(((*path).clone(), sought.place(path)?))).collect())
    }

    /// All names in order, each with a zero byte after it; `None` as for [`IndexFile::places`].
    pub(super) fn names(self) -> Option<Vec<u8>> {
        let mut names = Vec::with_capacity(self.length / 4);
        self.each(|row| {
            names.extend_from_slice(row.name);
            names.push(0);
        })?;
        Some(names)
    }

    /// Shows each row in the order of their names, the sides of a conflict one after the other. What was seen does not count
    /// where this is `None`: only behind the rows stands whether they are all there is.
    fn each(self, mut see: impl FnMut(&Row<'_>)) -> Option<()> {
        let IndexFile { mut window, length } = self;
        let header = window.first(HEADER)?;
        let version =
            header.strip_prefix(b"DIRC").and_then(|_| number(header, 4)).filter(|version| (2..=4).contains(version))?;
        let count = number(header, 8)?;
        window.pass(HEADER);
        let mut name = Vec::new();
        for _ in 0..count {
            match version {
                4 => shortened_row(&mut window, &mut name, &mut see)?,
                _ => row(&mut window, &mut see)?,
            }
        }
        is_whole(window, length.checked_sub(CHECKSUM)?).then_some(())
    }
}

fn row<R: Read>(window: &mut Window<R>, see: &mut impl FnMut(&Row<'_>)) -> Option<()> {
    let start = name_start(window)?;
    let end = window.zero(start)?;
    // One to eight NULs fill it up.
    let length = (end + 8) / 8 * 8;
    let text = window.first(length)?;
    see(&Row { head: &text[..start], name: &text[start..end] });
    window.pass(length);
    Some(())
}

/// The same where a name begins with the number of bytes by which the one before it, `name`, is shortened.
fn shortened_row<R: Read>(window: &mut Window<R>, name: &mut Vec<u8>, see: &mut impl FnMut(&Row<'_>)) -> Option<()> {
    let start = name_start(window)?;
    let (mut at, mut dropped): (usize, usize) = (start, 0);
    loop {
        let byte = window.first(at + 1)?[at];
        at += 1;
        dropped = dropped.checked_mul(128)?.checked_add(usize::from(byte & 127))?;
        if byte & 128 == 0 {
            break;
        }
        dropped = dropped.checked_add(1)?;
    }
    let end = window.zero(at)?;
    let text = window.first(end + 1)?;
    name.truncate(name.len().checked_sub(dropped)?);
    name.extend_from_slice(&text[at..end]);
    see(&Row { head: &text[..start], name });
    window.pass(end + 1);
    Some(())
}

/// Where the name of the row at the window's start begins.
fn name_start<R: Read>(window: &mut Window<R>) -> Option<usize> {
    let is_extended = short(window.first(NAME + 2)?, FLAGS)? & EXTENDED != 0;
    Some(NAME + if is_extended { 2 } else { 0 })
}

/// Whether all that follows the rows up to `end` may be passed over: git writes what must be understood with a small letter.
fn is_whole<R: Read>(mut window: Window<R>, end: usize) -> bool {
    while window.offset() < end {
        let Some(head) = window.first(8) else { return false };
        let length = number(head, 4).and_then(|length| usize::try_from(length).ok());
        let passed = match length.and_then(|length| length.checked_add(8)) {
            Some(length) if head[0].is_ascii_uppercase() => window.pass_over(length),
            _ => None,
        };
        if passed.is_none() {
            return false;
        }
    }
    window.offset() == end && window.first(CHECKSUM).is_some()
}

impl Row<'_> {
    fn place(&self) -> Place {
        let flags = short(self.head, FLAGS).unwrap_or_default();
        if flags & SIDE != 0 {
            return Place::Unmerged;
        }
        let extended = short(self.head, NAME).unwrap_or_default();
        Place::Record(Record {
            mode: format!("{:06o}", number(self.head, MODE.start).unwrap_or_default()),
            id: ObjectId(hex(&self.head[ID])),
            intent_to_add: extended & INTENT_TO_ADD != 0,
            assume_unchanged: flags & ASSUME_UNCHANGED != 0,
            skip_worktree: extended & SKIP_WORKTREE != 0,
        })
    }
}

/// The names that must be looked at to tell what stands at some paths, in order; a name with a slash at its end is that of
/// whatever is in the folder.
struct Sought {
    found: BTreeMap<String, Option<Place>>,
}

impl Sought {
    fn new(paths: &[&RepoPath]) -> Self {
        let mut found = BTreeMap::new();
        for path in paths {
            found.insert(path.as_str().to_owned(), None);
            found.insert(format!("{path}/"), None);
            found.extend(path.folders().map(|folder| (folder.to_owned(), None)));
        }
        Sought { found }
    }

    fn at(&self, name: &str) -> Option<&Place> {
        self.found.get(name).and_then(Option::as_ref)
    }

    fn place(&self, path: &RepoPath) -> Option<Place> {
        let name = path.as_str();
        if self.at(&format!("{name}/")).is_some() {
            return Some(Place::folder(name));
        }
        match path.folders().find(|folder| self.at(folder).is_some()) {
            Some(file) => Some(Place::behind(path, file)),
            None => self.at(name).cloned(),
        }
    }
}

/// The part of a file that is looked at.
struct Window<R> {
    source: R,
    text: Vec<u8>,
    /// Where in `text` the window starts.
    start: usize,
    /// Bytes of the file before `text`.
    passed: usize,
}

impl<R: Read> Window<R> {
    fn new(source: R) -> Self {
        Window { source, text: Vec::with_capacity(2 * PIECE), start: 0, passed: 0 }
    }

    /// The next bytes, so many; `None` where the file ends before.
    fn first(&mut self, count: usize) -> Option<&[u8]> {
        while self.text.len() - self.start < count {
            self.read_on()?;
        }
        Some(&self.text[self.start..self.start + count])
    }

    /// Where the first zero byte is, from the window's byte `from` on.
    fn zero(&mut self, from: usize) -> Option<usize> {
        loop {
            let rest = self.text.get(self.start + from..).unwrap_or_default();
            match memchr::memchr(0, rest) {
                Some(at) => return Some(from + at),
                None => self.read_on()?,
            }
        }
    }

    fn read_on(&mut self) -> Option<()> {
        self.text.drain(..self.start);
        self.passed += self.start;
        self.start = 0;
        let read = self.source.by_ref().take(PIECE as u64).read_to_end(&mut self.text).ok()?;
        (read > 0).then_some(())
    }

    /// Goes on behind bytes that were looked at.
    fn pass(&mut self, count: usize) {
        self.start += count;
    }

    /// Goes on behind bytes that nobody looks at; `None` where the file ends before.
    fn pass_over(&mut self, count: usize) -> Option<()> {
        let mut left = count;
        while left > self.text.len() - self.start {
            left -= self.text.len() - self.start;
            self.start = self.text.len();
            self.read_on()?;
        }
        self.pass(left);
        Some(())
    }

    /// How far into the file the window starts.
    fn offset(&self) -> usize {
        self.passed + self.start
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
    use super::{CHECKSUM, IndexFile, PIECE};
    use crate::git::place::Place;
    use crate::repo_path::RepoPath;

    fn file(text: &[u8]) -> IndexFile<&[u8]> {
        IndexFile::of(text, text.len())
    }

    /// A name with its flags, and the second ones where there are any.
    type Told<'a> = (&'a str, u16, Option<u16>);

    /// In git's order.
    const ROWS: &[Told<'_>] = &[
        ("a", 0x8000, None),
        ("b/c", 0x4000, Some(0x2000)),
        ("b/c-d", 0, None),
        ("b/c0/e", 0x4000, Some(0x4000)),
        ("f", 0x1000, None),
        ("f", 0x2000, None),
        ("\u{e9}/a long name of some folder/g", 0, None),
    ];

    /// An index file of `rows` as git writes it, with `extensions` behind them.
    fn written(version: u32, rows: &[Told<'_>], extensions: &[&[u8]]) -> Vec<u8> {
        let mut text = [&b"DIRC"[..], &version.to_be_bytes(), &(rows.len() as u32).to_be_bytes()].concat();
        let mut before = "";
        for (number, (name, flags, extended)) in rows.iter().enumerate() {
            let start = text.len();
            text.extend([0; 24]);
            text.extend(0o100_755_u32.to_be_bytes());
            text.extend([0; 12]);
            text.extend([number as u8; 20]);
            text.extend((flags | name.len().min(0xfff) as u16).to_be_bytes());
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
    fn told(text: &[u8], path: &str) -> String {
        let path = RepoPath::new(path).unwrap();
        match file(text).places(&[&path]).unwrap().remove(&path) {
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
            let text = written(version, ROWS, &[b"TREE\0\0\0\x02xx", b"EOIE\0\0\0\0"]);
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
                assert_eq!(told(&text, path), expected, "{path} in version {version}");
            }
        }
    }

    #[test]
    fn a_file_of_many_pieces_is_read_as_one_of_a_single_piece() {
        let mut names: Vec<String> = (0..3 * PIECE / 64).map(|number| format!("some/{number:06}")).collect();
        // One folder of a long name: each folder of a path is sought as well.
        names.push(format!("some/{}", "long ".repeat(PIECE / 2)));
        let rows: Vec<Told<'_>> = names.iter().map(|name| (name.as_str(), 0, None)).collect();
        let paths: Vec<RepoPath> = names.iter().map(|name| RepoPath::new(name).unwrap()).collect();
        for version in [2, 4] {
            let large = [&b"TREE"[..], &(2 * PIECE as u32).to_be_bytes(), &[0; 2 * PIECE]].concat();
            let text = written(version, &rows, &[&large]);
            assert_eq!(file(&text).names().unwrap(), [names.join("\0").as_bytes(), b"\0"].concat());
            let places = file(&text).places(&paths.iter().collect::<Vec<_>>()).unwrap();
            for (number, path) in paths.iter().enumerate() {
                let Some(Place::Record(record)) = places.get(path) else { panic!("{number} is missing") };
                assert_eq!(record.id.0, format!("{:02x}", number as u8).repeat(20));
            }
            assert!(file(&text[..text.len() - 1]).names().is_none());
        }
    }

    #[test]
    fn what_only_git_can_read_is_left_to_it() {
        for version in 2..=4 {
            let text = written(version, ROWS, &[]);
            assert!(file(&text).names().is_some());
            for end in 0..text.len() {
                assert!(file(&text[..end]).names().is_none(), "version {version}, {end} bytes");
            }
            for extension in [&b"link\0\0\0\0"[..], b"sdir\0\0\0\0", b"TREE\0\0\0\x09x"] {
                assert!(file(&written(version, ROWS, &[extension])).names().is_none(), "{}", extension.escape_ascii());
            }
        }
        assert!(file(&written(5, ROWS, &[])).names().is_none());
        assert!(file(b"").names().is_none());
    }
}
