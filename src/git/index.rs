//! The index, a path at a time: what it holds at a path, and writing it anew at some paths in one go. Written by the git
//! program, which keeps every kind of index and its extensions; by libgit2 where that program is missing.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::fs::File;
use std::io::Write;
use std::os::unix::fs::MetadataExt;
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Stdio};
use std::time::{Duration, Instant};

use crate::repo_path::RepoPath;

use super::error::{GitError, GitErrorKind};
use super::library_index;
use super::objects::ObjectId;
use super::place::{Change, Place, Record};
use super::program;
use super::repository::{Repository, Step};

/// Above this many paths the whole index is listed: git compares every path it has with every one it is asked for.
const MANY: usize = 40;

/// How long to wait for another git to let go of the index.
const PATIENCE: Duration = Duration::from_millis(500);
const PAUSE: Duration = Duration::from_millis(10);

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
    let mut command = repository.program().reader(&["ls-files", "-z", "-s", "-v", "--full-name", "--"]);
    if paths.len() <= MANY {
        let folders: BTreeSet<&str> = paths.iter().flat_map(|path| path.folders()).collect();
        command.args(paths.iter().map(|path| format!(":(top,literal){path}")));
        command.args(folders.into_iter().map(exactly)).env_remove("GIT_LITERAL_PATHSPECS");
    }
    let told = match program::printed(command, b"") {
        Err(error) if error.kind == GitErrorKind::NoProgram => return library_index::read(repository, paths),
        told => told?,
    };
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
        // Git takes a file for a reason to drop the folder of that name, and the other way round.
        for inside in self.folders.get(path).into_iter().flatten() {
            let reason = format!("{inside} is behind {path}, which is no folder in the index");
            self.places.insert((*inside).clone(), Place::Blocked(reason));
        }
        for folder in file.folders().filter(|folder| self.wanted.contains(folder)) {
            let reason = format!("expected a file at {folder}, found a folder in the index");
            self.places.extend(RepoPath::new(folder).map(|folder| (folder, Place::Blocked(reason))));
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
    let unsure: Vec<&str> =
        places.iter().filter(|(_, place)| empty(place)).map(|(path, _)| path.as_str()).take(MANY * 10).collect();
    if unsure.is_empty() {
        return Ok(());
    }
    let status = ["status", "--porcelain=v2", "-z", "--no-renames", "--untracked-files=no", "--"];
    let told = program::printed(repository.program().reader(&[&status[..], &unsure].concat()), b"")?;
    for line in told.split(|&byte| byte == 0) {
        let promised = std::str::from_utf8(line).ok().and_then(|line| line.strip_prefix("1 .A "));
        let path = promised.and_then(|rest| rest.splitn(7, ' ').nth(6)).and_then(RepoPath::new);
        if let Some(Place::Record(record)) = path.and_then(|path| places.get_mut(&path)) {
            record.intent_to_add = true;
        }
    }
    Ok(())
}

/// A git program that has been started to write the index and waits for what to write. It holds the index's own lock, so
/// that what the caller sees in the index now stays, and reads it while the caller prepares the rest. Dropped, it changes
/// nothing.
#[derive(Debug)]
pub(super) struct Writing {
    child: Option<Child>,
}

impl Writing {
    /// Starts the program. It holds `lock` as long as it runs, so that no other redpin looks at an index that is still
    /// being written for one that was killed.
    pub(super) fn begin(repository: &Repository, lock: &File) -> Result<Self, GitError> {
        wait_for_index(repository)?;
        let mut command = repository.program().writer(&["update-index", "-z", "--index-info"]);
        // It prints nothing, and an open file is what keeps the lock.
        let held = lock.try_clone().map_err(|error| GitError::file("lock", repository.git_dir(), &error))?;
        command.stdin(Stdio::piped()).stdout(Stdio::from(held));
        match program::start(command) {
            Ok(mut child) => {
                wait_until_held(repository, &mut child);
                Ok(Writing { child: Some(child) })
            }
            Err(error) if error.kind == GitErrorKind::NoProgram => Ok(Writing { child: None }),
            Err(error) => Err(error),
        }
    }

    /// Writes `changes`: what each path is to hold, or that it is to hold nothing. All of them or none, and none where the
    /// index was written since it had `stamp`.
    pub(super) fn finish(
        mut self,
        repository: &Repository,
        changes: &[(&RepoPath, Change<'_>)],
        stamp: &Stamp,
    ) -> Result<(), GitError> {
        if Stamp::of(repository) != *stamp {
            return Err(GitError::new(GitErrorKind::Changed, "the index was changed meanwhile"));
        }
        match self.child.take() {
            Some(child) => feed(repository, child, changes),
            None => library_index::write(repository, changes),
        }
    }
}

/// Waits until the program holds the index. Where it does not get the lock it writes nothing, and says so at its end.
fn wait_until_held(repository: &Repository, child: &mut Child) {
    let lock = lock_file(repository);
    let deadline = Instant::now() + PATIENCE;
    while !lock.exists() && Instant::now() < deadline && matches!(child.try_wait(), Ok(None)) {
        std::thread::sleep(PAUSE / 50);
    }
}

impl Drop for Writing {
    fn drop(&mut self) {
        if let Some(mut child) = self.child.take() {
            drop(child.stdin.take());
            // With nothing to write it ends by itself; how is of no interest.
            drop(child.wait());
        }
    }
}

fn feed(repository: &Repository, mut child: Child, changes: &[(&RepoPath, Change<'_>)]) -> Result<(), GitError> {
    let told = child.stdin.take().map_or(Ok(()), |stdin| tell(repository, stdin, changes));
    let output = child.wait_with_output();
    let output = output.map_err(|error| GitError::new(GitErrorKind::Failed, format!("cannot run git: {error}")))?;
    if output.status.success() { told } else { Err(program::said(&output)) }
}

fn tell(repository: &Repository, mut stdin: ChildStdin, changes: &[(&RepoPath, Change<'_>)]) -> Result<(), GitError> {
    for (path, change) in changes {
        repository.step(Step::Tell)?;
        let line = match *change {
            Change::Put(record) if !record.intent_to_add => format!("{} {} 0\t{path}\0", record.mode, record.id.0),
            Change::Put(Record { id, .. }) | Change::Remove(id) => format!("0 {} 0\t{path}\0", id.null()),
        };
        // Line by line, each in one write: a line cut short by our death would name another path. A git that has ended
        // early says why on its standard error.
        if stdin.write_all(line.as_bytes()).is_err() {
            break;
        }
    }
    Ok(())
}

fn lock_file(repository: &Repository) -> PathBuf {
    repository.index_file().with_extension("lock")
}

/// Waits shortly where another git holds the index.
fn wait_for_index(repository: &Repository) -> Result<(), GitError> {
    let lock = lock_file(repository);
    let deadline = Instant::now() + PATIENCE;
    while lock.exists() {
        if Instant::now() > deadline {
            let message = format!("expected to write the index, found it locked by {}", lock.display());
            return Err(GitError::new(GitErrorKind::IndexLocked, message));
        }
        std::thread::sleep(PAUSE);
    }
    Ok(())
}

/// Gives back what [`Writing`] cannot write: the promise to add a file, and the order not to look at it.
pub(super) fn restore_flags(repository: &Repository, records: &[(&RepoPath, &Record)]) -> Result<(), GitError> {
    let paths = |wanted: fn(&Record) -> bool| -> Vec<&str> {
        records.iter().filter(|(_, record)| wanted(record)).map(|(path, _)| path.as_str()).collect()
    };
    let promised = paths(|record| record.intent_to_add);
    if !promised.is_empty() {
        let command = [&["add", "--intent-to-add", "--force", "--sparse", "--"][..], &promised].concat();
        flagged(program::printed(repository.program().writer(&command), b""))?;
    }
    let assumed = paths(|record| record.assume_unchanged);
    if !assumed.is_empty() {
        let command = ["update-index", "-z", "--assume-unchanged", "--stdin"];
        flagged(program::printed(repository.program().writer(&command), (assumed.join("\0") + "\0").as_bytes()))?;
    }
    Ok(())
}

/// Without the git program, the flags were written together with the rest.
fn flagged(done: Result<Vec<u8>, GitError>) -> Result<(), GitError> {
    match done {
        Err(error) if error.kind != GitErrorKind::NoProgram => Err(error),
        _ => Ok(()),
    }
}
