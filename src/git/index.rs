//! What the index holds, a path at a time: read from its file where that is of a plain kind, else by the git program.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use crate::repo_path::RepoPath;

use super::error::{GitError, GitErrorKind};
use super::index_file::IndexFile;
use super::objects::ObjectId;
use super::place::{Place, Record};
use super::program;
use super::repository::Repository;

/// Above this many paths the whole index is listed: git compares every path it has with every one it is asked for.
const MANY: usize = 40;

/// So many paths fit into one command.
const MOST_ASKED: usize = 400;

const STATUS: [&str; 6] = ["status", "--porcelain=v2", "-z", "--no-renames", "--untracked-files=no", "--"];

/// Tells one state of the index file from another without reading it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Stamp(Option<[i64; 6]>);

impl Stamp {
    pub(super) fn of(repository: &Repository) -> Stamp {
        let stamp = |about: std::fs::Metadata| {
            [
                about.size() as i64,
                about.ino() as i64,
                about.mtime(),
                about.mtime_nsec(),
                about.ctime(),
                about.ctime_nsec(),
            ]
        };
        Stamp(std::fs::metadata(repository.index_file()).ok().map(stamp))
    }
}

/// What the index holds at `paths`; nothing for a path that is not in it.
pub(super) fn read(repository: &Repository, paths: &[&RepoPath]) -> Result<HashMap<RepoPath, Place>, GitError> {
    let places = read_file(repository, paths);
    // A file outside the sparse checkout that is there all the same is inside for git.
    let is_doubtful = |place: &Place| matches!(place, Place::Record(record) if record.skip_worktree);
    if let Some(places) = places.as_ref().filter(|places| !places.values().any(is_doubtful)) {
        return Ok(places.clone());
    }
    match list(repository, paths) {
        Err(error) if error.kind == GitErrorKind::NoProgram => places.ok_or(error),
        listed => listed,
    }
}

/// The same out of the index file; `None` where only git can read it.
fn read_file(repository: &Repository, paths: &[&RepoPath]) -> Option<HashMap<RepoPath, Place>> {
    // Libgit2 takes no repository with longer object ids than the file's reader knows.
    drop(repository.library()?);
    match IndexFile::open(&repository.index_file()) {
        Ok(file) => file.places(paths),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Some(HashMap::new()),
        Err(_) => None,
    }
}

/// The names in the index file at `path`, each with a zero byte after it; `None` where only git can read them.
pub(super) fn names(path: &Path) -> Option<Vec<u8>> {
    IndexFile::open(path).ok()?.names()
}

/// The same as the git program lists it.
fn list(repository: &Repository, paths: &[&RepoPath]) -> Result<HashMap<RepoPath, Place>, GitError> {
    let mut command = repository.program().reader(&["ls-files", "-z", "-s", "-v", "--full-name", "--"]);
    if paths.len() <= MANY {
        let folders: BTreeSet<&str> = paths.iter().flat_map(|path| path.folders()).collect();
        command.args(paths.iter().map(|path| format!(":(top,literal){path}")));
        command.args(folders.into_iter().map(exactly)).env_remove("GIT_LITERAL_PATHSPECS");
    }
    let told = program::printed(command, b"")?;
    let mut listed = Listed::new(paths);
    told.split(|&byte| byte == 0).filter_map(|line| place(std::str::from_utf8(line).ok()?)).for_each(
        |(path, place)| {
            listed.add(path, place);
        },
    );
    let mut places = listed.places;
    tell_promises(repository, &mut places)?;
    Ok(places)
}

/// A pattern for what stands at `folder` itself: a name alone would stand for all that is below it as well. It matches some
/// other names of the same length, which are passed over.
fn exactly(folder: &str) -> String {
    let last = folder.chars().next_back().map_or(0, char::len_utf8);
    let mut pattern = String::from(":(top,glob)");
    for c in folder[..folder.len() - last].chars() {
        if "*?[".contains(c) {
            pattern.push('\\');
        }
        pattern.push(c);
    }
    pattern + &"?".repeat(last)
}

/// What the index was found to hold at some paths.
struct Listed<'a> {
    wanted: HashSet<&'a str>,
    /// The folders of the paths, with the paths in them.
    folders: HashMap<&'a str, Vec<&'a RepoPath>>,
    places: HashMap<RepoPath, Place>,
}

impl<'a> Listed<'a> {
    fn new(paths: &[&'a RepoPath]) -> Self {
        let mut folders: HashMap<&str, Vec<&RepoPath>> = HashMap::new();
        for path in paths {
            path.folders().for_each(|folder| folders.entry(folder).or_default().push(path));
        }
        Listed { wanted: paths.iter().map(|path| path.as_str()).collect(), folders, places: HashMap::new() }
    }

    /// Takes in that the index has `place` at `path`.
    fn add(&mut self, path: &str, place: Place) {
        let Some(file) = RepoPath::new(path) else { return };
        for inside in self.folders.get(path).into_iter().flatten() {
            self.places.insert((*inside).clone(), Place::behind(inside, path));
        }
        for folder in file.folders().filter(|folder| self.wanted.contains(folder)) {
            self.places.extend(RepoPath::new(folder).map(|file| (file, Place::folder(folder))));
        }
        if self.wanted.contains(path) {
            self.places.insert(file, place);
        }
    }
}

/// One line of `ls-files -z -s -v`: `TAG MODE ID STAGE`, a tab, the path. The tag is `S` outside the sparse checkout, and a
/// small letter where git assumes the file unchanged.
fn place(line: &str) -> Option<(&str, Place)> {
    let (about, path) = line.split_once('\t')?;
    let [tag, mode, id, stage] = about.split(' ').collect::<Vec<_>>().try_into().ok()?;
    if stage != "0" {
        return Some((path, Place::Unmerged));
    }
    let record = Record {
        mode: mode.to_owned(),
        id: ObjectId(id.to_owned()),
        intent_to_add: false,
        assume_unchanged: tag.chars().all(|c| c.is_ascii_lowercase()),
        skip_worktree: tag.eq_ignore_ascii_case("s"),
    };
    Some((path, Place::Record(record)))
}

/// A promise to add a file looks like an empty file in the list; only the status tells them apart.
fn tell_promises(repository: &Repository, places: &mut HashMap<RepoPath, Place>) -> Result<(), GitError> {
    let empty = |place: &Place| matches!(place, Place::Record(record) if record.id.is_empty_blob());
    let unsure: Vec<RepoPath> = places.iter().filter(|(_, place)| empty(place)).map(|(path, _)| path.clone()).collect();
    for some in unsure.chunks(MOST_ASKED) {
        let mut status = repository.program().reader(&STATUS);
        status.args(some.iter().map(RepoPath::as_str));
        for line in program::printed(status, b"")?.split(|&byte| byte == 0) {
            let promised = std::str::from_utf8(line).ok().and_then(|line| line.strip_prefix("1 .A "));
            let path = promised.and_then(|rest| rest.splitn(7, ' ').nth(6)).and_then(RepoPath::new);
            if let Some(Place::Record(record)) = path.and_then(|path| places.get_mut(&path)) {
                record.intent_to_add = true;
            }
        }
    }
    Ok(())
}
