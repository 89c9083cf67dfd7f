//! The work tree as rooms read it: regular files under the top, each read once. Names come out of the index file or from
//! the git program; where that is missing or refuses, from libgit2.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use crate::failure::Notice;
use crate::memory::{Each, Memory};
use crate::repo_path::RepoPath;
use crate::source_tree::{Listed, SourceTree, read_for};

use super::error::{GitError, GitErrorKind};
use super::index;
use super::program::{self, Program};
use super::repository::Repository;

/// What is said of a file whose name is no path that other rooms could use.
const UNREAD_NAME: &str = "is not read: its name is not UTF-8, or holds a backslash";

/// Largest file that is read of an installed package.
const LARGEST_INSTALLED: u64 = 1 << 20;

/// The files of a work tree as they were when each was first read.
#[derive(Debug)]
pub struct WorkTree {
    top: PathBuf,
    /// The top with all links resolved, to tell where a path leads.
    real_top: Option<PathBuf>,
    program: Program,
    /// The index file, where it can be read without the program.
    index: Option<PathBuf>,
    read: Each<RepoPath, Option<Arc<[u8]>>>,
    /// Whether files are there that nobody has read: many failures ask for the same.
    there: Each<RepoPath, bool>,
    /// Names as git lists them: of very many, few become paths.
    tracked: OnceLock<Vec<u8>>,
    untracked: OnceLock<Vec<u8>>,
    /// What could not be listed or read, each with why.
    trouble: Mutex<BTreeMap<String, String>>,
    memory: Memory,
}

/// Which names are listed.
#[derive(Clone, Copy, Debug)]
enum Which {
    /// Those in the index.
    Tracked,
    /// Those that git would add.
    Untracked,
}

impl Repository {
    /// The work tree, read anew.
    pub fn work_tree(&self) -> WorkTree {
        WorkTree {
            top: self.top().to_owned(),
            real_top: fs::canonicalize(self.top()).ok(),
            program: self.program().clone(),
            index: self.library().map(|_| self.index_file()),
            read: Each::default(),
            there: Each::default(),
            tracked: OnceLock::new(),
            untracked: OnceLock::new(),
            trouble: Mutex::default(),
            memory: Memory::default(),
        }
    }
}

impl WorkTree {
    /// Where the file at `path` really is, if that is a regular file inside the work tree.
    fn inside(&self, path: &RepoPath) -> io::Result<Option<PathBuf>> {
        let real = fs::canonicalize(self.top.join(path.as_str()))?;
        let inside = self.real_top.as_ref().and_then(|top| real.strip_prefix(top).ok());
        let is_ours =
            inside.is_some_and(|path| !path.components().any(|part| part.as_os_str().eq_ignore_ascii_case(".git")));
        Ok((is_ours && fs::metadata(&real)?.is_file()).then_some(real))
    }

    /// The bytes of the file at `path`; what stands in the way of reading one that is there is noted.
    fn bytes(&self, path: &RepoPath) -> Option<Arc<[u8]>> {
        match self.inside(path).and_then(|real| real.map(fs::read).transpose()) {
            Ok(bytes) => bytes.map(Arc::from),
            Err(error) => {
                if !is_missing(&error) {
                    self.note(
                        path.as_str(),
                        format!("cannot be read, and nothing that stands in it is found: {error}"),
                    );
                }
                None
            }
        }
    }

    fn note(&self, file: &str, why: String) {
        self.trouble.lock().unwrap_or_else(PoisonError::into_inner).entry(file.to_owned()).or_insert(why);
    }

    /// The paths in a list of names that `wanted` accepts, in the list's order. A conflict has a name several times.
    fn among(&self, names: &[u8], wanted: &dyn Fn(&str) -> bool) -> Vec<RepoPath> {
        let mut paths = Vec::new();
        for name in names.split(|&byte| byte == 0).filter(|name| !name.is_empty()) {
            let text = String::from_utf8_lossy(name);
            if wanted(&text) {
                match RepoPath::new(&text).filter(|path| path.as_str().as_bytes() == name) {
                    Some(path) => paths.push(path),
                    None => self.note(&text, UNREAD_NAME.to_owned()),
                }
            }
        }
        paths.dedup();
        paths
    }

    /// The names of files with this `ending` that hold one of `words`, as git finds them; `None` where it cannot search, or
    /// complains of any file: who reads them one by one can say of which.
    fn searched(&self, ending: &str, words: &[&str]) -> Option<Vec<u8>> {
        let front = ["grep", "-l", "-z", "-F", "-a", "--no-color", "--no-recurse-submodules", "--untracked"];
        let files = format!("*{ending}");
        let words = words.iter().flat_map(|word| ["-e", word]);
        let arguments: Vec<&str> = front.into_iter().chain(words).chain(["--", files.as_str()]).collect();
        let mut command = self.program.reader(&arguments);
        command.env_remove("GIT_LITERAL_PATHSPECS");
        let output = program::run(command, b"").ok()?;
        let is_told = output.status.success() || output.status.code() == Some(NOTHING_FOUND);
        (is_told && output.stderr.is_empty()).then_some(output.stdout)
    }

    fn list(&self, which: Which) -> Vec<u8> {
        let switches: &[&str] = match which {
            Which::Tracked => &["--cached"],
            Which::Untracked => &["--others", "--exclude-standard"],
        };
        let list = self.program.reader(&[&["ls-files", "-z", "--full-name"], switches].concat());
        let by_library = |error: GitError| {
            names_by_library(&self.top, which).map_err(|also| match error.kind {
                GitErrorKind::NoProgram => error.and(&format!("without it redpin cannot list the files ({also})")),
                _ => error.and("the files of the repository cannot be listed"),
            })
        };
        program::printed(list, b"").or_else(by_library).unwrap_or_else(|error| {
            self.note("git", error.to_string());
            Vec::new()
        })
    }
}

/// What `git grep` says where it found nothing.
const NOTHING_FOUND: i32 = 1;

/// The names as the program lists them, each with a zero byte after it.
fn names_by_library(top: &Path, which: Which) -> Result<Vec<u8>, git2::Error> {
    let nowhere: [&OsStr; 0] = [];
    let library = git2::Repository::open_ext(top, git2::RepositoryOpenFlags::NO_SEARCH, nowhere)?;
    let mut names = Vec::new();
    let mut add = |name: &[u8]| {
        names.extend_from_slice(name);
        names.push(0);
    };
    match which {
        Which::Tracked => library.index()?.iter().for_each(|found| add(&found.path)),
        Which::Untracked => {
            let mut wanted = git2::StatusOptions::new();
            wanted.show(git2::StatusShow::Workdir).include_untracked(true).recurse_untracked_dirs(true);
            let statuses = library.statuses(Some(&mut wanted))?;
            let new = statuses.iter().filter(|found| found.status().is_wt_new());
            new.for_each(|found| add(found.path_bytes()));
        }
    }
    Ok(names)
}

/// Whether an error says that there is no such file.
fn is_missing(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory | io::ErrorKind::InvalidFilename)
}

impl SourceTree for WorkTree {
    fn read(&self, path: &RepoPath) -> Option<Arc<[u8]>> {
        self.read.of(path, || self.bytes(path))
    }

    fn exists(&self, path: &RepoPath) -> bool {
        let is_there = || self.there.of(path, || self.inside(path).is_ok_and(|real| real.is_some()));
        self.read.known(path).map_or_else(is_there, |known| known.is_some())
    }

    fn installed(&self, path: &RepoPath) -> Option<Arc<[u8]>> {
        let file = self.top.join(path.as_str());
        let known = fs::metadata(&file).ok().filter(|known| known.is_file() && known.len() <= LARGEST_INSTALLED);
        known.and_then(|_| fs::read(&file).ok()).map(Arc::from)
    }

    fn find(&self, wanted: &dyn Fn(&str) -> bool) -> Vec<RepoPath> {
        let untracked = self.untracked.get_or_init(|| self.list(Which::Untracked));
        let mut paths = self.tracked(wanted);
        paths.extend(self.among(untracked, wanted));
        paths.sort();
        paths
    }

    fn tracked(&self, wanted: &dyn Fn(&str) -> bool) -> Vec<RepoPath> {
        let names = || self.index.as_deref().and_then(index::names).unwrap_or_else(|| self.list(Which::Tracked));
        self.among(self.tracked.get_or_init(names), wanted)
    }

    fn holding(&self, ending: &str, words: &[&str]) -> Vec<RepoPath> {
        let Some(names) = self.searched(ending, words) else { return read_for(self, ending, words) };
        let mut paths = self.among(&names, &|path| path.ends_with(ending));
        paths.sort();
        paths
    }

    fn files_in(&self, folder: &str, largest: u64) -> Listed {
        let place = self.top.join(folder);
        let read = match fs::symlink_metadata(&place) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Listed::default(),
            Ok(about) if !about.is_dir() => return Listed::passed(folder, told(&about)),
            _ => fs::read_dir(&place).and_then(Iterator::collect::<io::Result<Vec<_>>>),
        };
        let found = match read {
            Ok(found) => found,
            Err(error) => return Listed::passed(folder, format!("cannot be read: {error}")),
        };
        let mut listed = Listed::default();
        for file in found {
            let name = file.file_name();
            let path = name.to_str().and_then(|name| RepoPath::in_folder(folder, name));
            let about = file.metadata();
            match (path, about) {
                (Some(path), Ok(about)) if about.is_file() && about.len() <= largest => listed.files.push(path),
                (None, Ok(about)) if about.is_file() => listed.pass(folder, &name, "has a name that is not read here"),
                (_, Ok(about)) if about.is_file() => {
                    listed.pass(folder, &name, format!("is larger than {} KiB", largest >> 10));
                }
                (_, Ok(about)) => listed.pass(folder, &name, told(&about)),
                (_, Err(error)) => listed.pass(folder, &name, format!("cannot be read: {error}")),
            }
        }
        listed.files.sort();
        listed.passed.sort();
        listed
    }

    fn memory(&self) -> Option<&Memory> {
        Some(&self.memory)
    }

    fn trouble(&self) -> Vec<Notice> {
        let trouble = self.trouble.lock().unwrap_or_else(PoisonError::into_inner);
        trouble.iter().map(|(file, text)| Notice { file: file.clone(), line: None, text: text.clone() }).collect()
    }
}

/// What is no regular file, in words.
fn told(about: &fs::Metadata) -> &'static str {
    match () {
        () if about.is_symlink() => "is a symbolic link",
        () if about.is_dir() => "is a folder",
        () => "is no regular file",
    }
}
