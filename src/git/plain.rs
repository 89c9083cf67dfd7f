//! Finds a repository of the most common kind by its files alone: a `.git` folder of the user's own beside the files, with
//! settings that move nothing elsewhere. That is sooner than libgit2 has read the settings of user and system.

use std::fs::{self, Metadata};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use rustix::process::geteuid;

/// Where a repository is.
pub(super) struct Plain {
    /// The folder at the top of the work tree.
    pub(super) top: PathBuf,
    pub(super) git_dir: PathBuf,
}

/// The repository that `dir` is in; `None` where there is none, or one that another has to look at more closely.
pub(super) fn find(dir: &Path) -> Option<Plain> {
    let dir = fs::canonicalize(dir).ok()?;
    let device = fs::metadata(&dir).ok()?.dev();
    for top in dir.ancestors() {
        let git_dir = top.join(".git");
        if let Ok(metadata) = fs::symlink_metadata(&git_dir) {
            let is_own =
                is_own_folder(&metadata) && metadata.dev() == device && is_own_folder(&fs::metadata(top).ok()?);
            return (is_own && is_plain(&git_dir)).then(|| Plain { top: top.to_owned(), git_dir });
        }
        // It may be a git directory itself, without files beside it.
        if top.join("HEAD").exists() {
            return None;
        }
    }
    None
}

fn is_own_folder(metadata: &Metadata) -> bool {
    metadata.is_dir() && metadata.uid() == geteuid().as_raw()
}

fn is_plain(git_dir: &Path) -> bool {
    let is_folder = |name| git_dir.join(name).is_dir();
    let config = fs::read_to_string(git_dir.join("config"));
    is_folder("objects")
        && is_folder("refs")
        && !git_dir.join("commondir").exists()
        && config.is_ok_and(|text| moves_nothing(&text))
}

/// Whether settings leave files and references where they are by default.
fn moves_nothing(config: &str) -> bool {
    let config = config.to_ascii_lowercase();
    let is_bare = |line: &str| line.starts_with("bare") && line != "bare = false";
    let moves = |line: &str| ["worktree", "include", "extensions"].iter().any(|word| line.contains(word));
    !config.lines().map(str::trim).any(|line| is_bare(line) || moves(line))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::find;
    use crate::git::Repository;

    /// Whether the repository of a work tree is found from a folder in it, once `change` was done to it.
    fn is_found(change: fn(&Path)) -> bool {
        let folder = tempfile::tempdir().unwrap();
        let top = folder.path().join("top");
        git2::Repository::init(&top).unwrap();
        std::fs::create_dir_all(top.join("in/it")).unwrap();
        change(&top);
        let Some(plain) = find(&top.join("in/it")) else { return false };
        let found = Repository::discover(&top.join("in/it")).unwrap();
        assert_eq!((plain.top.as_path(), plain.git_dir.as_path()), (found.top(), found.git_dir()));
        true
    }

    fn set(top: &Path, name: &str, value: &str) {
        git2::Repository::open(top).unwrap().config().unwrap().set_str(name, value).unwrap();
    }

    #[test]
    fn a_repository_is_found_by_its_files_where_git_finds_it_as_well() {
        assert!(is_found(|_| {}));
        assert!(is_found(|top| set(top, "user.name", "somebody")));
    }

    #[test]
    fn a_repository_that_is_not_plain_is_left_to_git() {
        let unusual: [fn(&Path); 7] = [
            |top| std::fs::remove_dir_all(top.join(".git")).unwrap(),
            |top| std::fs::rename(top.join(".git/objects"), top.join("elsewhere")).unwrap(),
            |top| {
                std::fs::rename(top.join(".git"), top.join("moved")).unwrap();
                std::os::unix::fs::symlink("moved", top.join(".git")).unwrap();
            },
            |top| drop(git2::Repository::init_bare(top.join("in")).unwrap()),
            |top| set(top, "core.worktree", "../elsewhere"),
            |top| set(top, "core.bare", "yes"),
            |top| set(top, "include.path", "more"),
        ];
        assert_eq!(unusual.map(is_found), [false; 7]);
    }
}
