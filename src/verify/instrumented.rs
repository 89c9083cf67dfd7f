//! The library of properties with a recorder in it: a copy of it, wherever the repository has it from, or its own files
//! changed in the scratch copy where it stands in the repository.

use std::path::Path;

use crate::framework::{Framework, Library};
use crate::pin::Refusal;
use crate::repo_path::RepoPath;
use crate::scratch::Package;
use crate::source_tree::InFolder;
use crate::triage::TriageError;

use super::workshop::Workshop;
use super::{Stop, told};

/// A library with a recorder in it.
#[derive(Clone, Debug)]
pub(super) struct Instrumented {
    /// Its copy; `None` where the repository uses it from a folder of its own.
    pub(super) copy: Option<Copied>,
    /// Its files then, in the place of the repository's.
    pub(super) files: Vec<(RepoPath, Vec<u8>)>,
}

/// The copy of a library.
#[derive(Clone, Debug)]
pub(super) struct Copied {
    /// Its folder.
    pub(super) folder: String,
    /// Whether the repository has the library from a registry.
    pub(super) is_of_registry: bool,
}

/// Where the library's own source is.
enum Origin {
    /// Unpacked from a registry on this machine.
    Registry(Package),
    /// Elsewhere on this machine.
    Elsewhere(Package),
    /// A folder of the repository.
    Inside(String),
}

impl Workshop<'_> {
    /// The library with a recorder in it, made for the first that asks; or why there can be none.
    ///
    /// # Errors
    /// Where the copies cannot be written, and where the user ends it.
    pub(super) fn instrumented(
        &self,
        framework: &dyn Framework,
        library: &dyn Library,
        stop: &Stop,
    ) -> Result<Result<Instrumented, Refusal>, TriageError> {
        if let Some(made) = self.copies.borrow().get(framework.name()) {
            return Ok(made.clone());
        }
        let made = match self.origin(library, stop)? {
            Ok(origin) => self.instrument(framework, library, &origin, stop)?,
            Err(refusal) => Err(refusal),
        };
        self.copies.borrow_mut().insert(framework.name(), made.clone());
        Ok(made)
    }

    fn instrument(
        &self,
        framework: &dyn Framework,
        library: &dyn Library,
        origin: &Origin,
        stop: &Stop,
    ) -> Result<Result<Instrumented, Refusal>, TriageError> {
        let changed = match origin {
            Origin::Registry(package) | Origin::Elsewhere(package) => library.instrumented(package),
            Origin::Inside(folder) => library.instrumented(&InFolder { tree: self.tree(), folder }),
        };
        let changed: Vec<_> = match changed {
            Ok(changed) => changed.into_iter().map(|(path, text)| (path, text.into_bytes())).collect(),
            Err(refusal) => return Ok(Err(refusal)),
        };
        let made = match origin {
            Origin::Registry(package) => self.copied(package, &changed, true)?,
            Origin::Elsewhere(package) => self.copied(package, &changed, false)?,
            Origin::Inside(folder) => {
                let inside = |(path, text): (RepoPath, _)| Some((RepoPath::in_folder(folder, path.as_str())?, text));
                Instrumented { copy: None, files: changed.into_iter().filter_map(inside).collect() }
            }
        };
        let scratch = self.scratch();
        scratch.mirror_apart(self.files(), &made.files)?;
        if !scratch.has_built_apart()
            && let Some(mut layout) = self.desk().layout(framework, &scratch.apart(), stop)?
        {
            if made.copy.is_none() {
                // What was built of it elsewhere has no recorder in it.
                layout.own.push(library.package().to_owned());
            }
            scratch.seed_apart(&layout.own);
        }
        Ok(Ok(made))
    }

    fn copied(
        &self,
        package: &Package,
        changed: &[(RepoPath, Vec<u8>)],
        is_of_registry: bool,
    ) -> Result<Instrumented, TriageError> {
        let folder = self.scratch().library(package, changed)?.to_string_lossy().into_owned();
        Ok(Instrumented { copy: Some(Copied { folder, is_of_registry }), files: Vec::new() })
    }

    /// Where the repository has the library from: unpacked on this machine, a folder of its own, or another one.
    fn origin(&self, library: &dyn Library, stop: &Stop) -> Result<Result<Origin, Refusal>, TriageError> {
        let releases = library.releases(self.tree(), self.files());
        if releases.is_empty()
            && let Ok(folder) = library.inside(self.tree(), self.files(), &[])
        {
            return Ok(Ok(Origin::Inside(folder)));
        }
        if let [only] = &releases[..]
            && let Some(package) = Package::unpacked(only)
        {
            return Ok(Ok(Origin::Registry(package)));
        }
        if let Some(package) = self.checked_out(library) {
            return Ok(Ok(Origin::Elsewhere(package)));
        }
        self.scratch().mirror_apart(self.files(), &[])?;
        let told = told(library.command(), &self.scratch().apart(), &self.desk().spool, stop)?;
        let named = library.folder(&told).map(|folder| Package::open(Path::new(&folder)));
        let unpacked = || releases.first().and_then(|name| Package::unpacked(name));
        if let Some(package) = named.or_else(unpacked) {
            return Ok(Ok(Origin::Registry(package)));
        }
        let inside = match library.inside(self.tree(), self.files(), &told) {
            Ok(folder) => return Ok(Ok(Origin::Inside(folder))),
            Err(refusal) => refusal,
        };
        Ok(self.outside(library, stop)?.map(Origin::Elsewhere).ok_or(inside))
    }

    /// The library where it is from another git repository, which cargo has checked out.
    fn checked_out(&self, library: &dyn Library) -> Option<Package> {
        let commits = library.commits(self.tree(), self.files());
        let whole = commits.iter().find_map(|commit| Package::checked_out(commit))?;
        let inside = library.within(&whole, whole.files())?;
        Some(whole.part(&inside))
    }

    /// The library where it is a folder outside of the repository.
    fn outside(&self, library: &dyn Library, stop: &Stop) -> Result<Option<Package>, TriageError> {
        let Some((command, folder)) = library.outside_command(self.tree(), self.files()) else { return Ok(None) };
        let told = told(command, &self.scratch().apart().join(folder), &self.desk().spool, stop)?;
        Ok(library.outside(&told).map(|folder| Package::open_in_workspace(Path::new(&folder))))
    }
}
