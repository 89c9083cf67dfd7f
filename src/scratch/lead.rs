//! Leads from the copy to folders of installed packages in the original. What in them leads back to a place in the original,
//! as the packages of a workspace do, leads to that place in the copy instead: the copy's own code is to be run.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use super::error::{ScratchError, io_error};
use super::mirror::{remove, write};

/// What stands in a folder of the copy that is made of links.
const MARK: &str = ".redpin-links";

/// What the names of folders begin with in which packages of one owner lie.
const OWNER: &str = "@";

/// The original and its copy.
pub(super) struct Leading<'a> {
    /// The top of the original.
    pub(super) origin: &'a Path,
    /// The top of the copy.
    pub(super) tree: &'a Path,
    /// The folders of installed packages, from the top.
    pub(super) installed: &'a [PathBuf],
}

impl Leading<'_> {
    /// Lets the copy's name of each folder lead to the original's, as long as there is one. What a commit brought stays.
    ///
    /// # Errors
    /// Where a link cannot be made.
    pub(super) fn lead(&self) -> Result<(), ScratchError> {
        self.installed.iter().try_for_each(|name| self.folder(&self.origin.join(name), &self.tree.join(name)))
    }

    fn folder(&self, from: &Path, to: &Path) -> Result<(), ScratchError> {
        if !from.is_dir() || !to.parent().is_some_and(Path::is_dir) {
            return clear(to);
        }
        if self.leads_back(from) {
            return self.links(from, to);
        }
        if !to.is_symlink() {
            clear(to)?;
        }
        // Where a commit brought some of what is installed, the rest stands beside it.
        if to.exists() && !to.is_symlink() && to.is_dir() { self.links(from, to) } else { point(from, to) }
    }

    /// A folder of links, one for each thing in `from`.
    fn links(&self, from: &Path, to: &Path) -> Result<(), ScratchError> {
        if to.is_symlink() {
            remove(to)?;
        }
        fs::create_dir_all(to).map_err(io_error("create", to))?;
        write(&to.join(MARK), b"")?;
        let wanted = self.wanted(from)?;
        let standing = fs::read_dir(to).map_err(io_error("read", to))?.filter_map(Result::ok);
        let stale = standing.filter(|one| one.path().is_symlink() && !wanted.contains_key(&one.file_name()));
        stale.map(|one| one.path()).collect::<Vec<_>>().iter().try_for_each(|path| remove(path))?;
        for (name, target) in wanted {
            let place = to.join(&name);
            match name.to_str().is_some_and(|name| name.starts_with(OWNER)) && self.leads_back(&target) {
                true => self.links(&target, &place)?,
                false => point(&target, &place)?,
            }
        }
        Ok(())
    }

    /// Where each thing in `from` is led to, by its name.
    fn wanted(&self, from: &Path) -> Result<BTreeMap<OsString, PathBuf>, ScratchError> {
        let listed = fs::read_dir(from).map_err(io_error("read", from))?.filter_map(Result::ok);
        Ok(listed.map(|one| (one.file_name(), self.back(&one.path()).unwrap_or_else(|| one.path()))).collect())
    }

    /// Whether something in `from`, or in a folder of one owner there, leads back.
    fn leads_back(&self, from: &Path) -> bool {
        let Ok(listed) = fs::read_dir(from) else { return false };
        listed.filter_map(Result::ok).any(|one| {
            let is_owner = one.file_name().to_str().is_some_and(|name| name.starts_with(OWNER));
            let path = one.path();
            self.back(&path).is_some() || is_owner && !path.is_symlink() && self.leads_back(&path)
        })
    }

    /// The place in the copy for a link that leads to one in the original which is no installed package.
    fn back(&self, link: &Path) -> Option<PathBuf> {
        if !link.is_symlink() {
            return None;
        }
        let target = fs::canonicalize(link).ok()?;
        let inside = target.strip_prefix(fs::canonicalize(self.origin).ok()?).ok()?;
        let is_installed = self.installed.iter().any(|name| inside.starts_with(name));
        (!is_installed).then(|| self.tree.join(inside))
    }
}

/// Lets `to` lead to the folder `from`, as long as there is one and a place for it. What is no such link stays.
///
/// # Errors
/// Where the link cannot be made.
pub(super) fn lead(from: &Path, to: &Path) -> Result<(), ScratchError> {
    if from.is_dir() && to.parent().is_some_and(Path::is_dir) { point(from, to) } else { clear(to) }
}

/// Lets `to` lead to `target`. What a commit brought stays, but for folders that nothing is left in.
fn point(target: &Path, to: &Path) -> Result<(), ScratchError> {
    if fs::read_link(to).is_ok_and(|there| there == target) {
        return Ok(());
    }
    clear(to)?;
    if to.exists() {
        return Ok(());
    }
    symlink(target, to).map_err(io_error("write", to))
}

/// Takes away what was made here: a link, or all links in a folder of them. What a commit brought into it stays.
fn clear(to: &Path) -> Result<(), ScratchError> {
    if to.is_symlink() {
        return remove(to);
    }
    if to.join(MARK).exists() {
        remove(&to.join(MARK))?;
        for one in fs::read_dir(to).map_err(io_error("read", to))?.filter_map(Result::ok) {
            clear(&one.path())?;
        }
    }
    prune(to);
    Ok(())
}

/// Removes folders that hold nothing but folders.
fn prune(folder: &Path) {
    if !folder.is_dir() || folder.is_symlink() {
        return;
    }
    for one in fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok) {
        prune(&one.path());
    }
    // Fails where something is left in it, which is meant.
    let _ = fs::remove_dir(folder);
}
