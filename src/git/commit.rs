//! Commits: which one is checked out, whether the work tree differs from it, and the one that a user names. What a proof
//! says of the code it ran on.

use super::error::{GitError, GitErrorKind};
use super::program;
use super::repository::Repository;

/// A commit. All but its id is foreign text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Commit {
    /// Its whole id.
    pub id: String,
    /// The beginning of it that git shows.
    pub short: String,
    /// Who wrote it, as `Name <mail>`.
    pub author: String,
    /// When they did, as RFC 3339.
    pub date: String,
    /// The first line of its message.
    pub title: String,
}

impl Repository {
    /// The id of the commit that is checked out, with a `+` where tracked files differ from it; `None` before the first.
    pub fn commit(&self) -> Option<String> {
        let head = self.head_id()?;
        let differs = self.program().reader(&["diff", "--quiet", "--ignore-submodules", "HEAD", "--"]);
        let clean = program::run(differs, b"").is_ok_and(|output| output.status.success());
        Some(if clean { head } else { format!("{head}+") })
    }

    /// The commit that a user calls `name`; `None` where that names none.
    ///
    /// # Errors
    /// Where git cannot say.
    pub fn commit_called(&self, name: &str) -> Result<Option<Commit>, GitError> {
        let asked = format!("{name}^{{commit}}");
        let id = ["rev-parse", "--verify", "-q", "--end-of-options", asked.as_str()];
        let told = program::run(self.program().reader(&id), b"")?;
        if !told.status.success() {
            return Ok(None);
        }
        let id = String::from_utf8_lossy(&told.stdout).trim_end().to_owned();
        let form = "--format=%H%x00%h%x00%an <%ae>%x00%aI%x00%s";
        let log = ["-c", "log.showSignature=false", "log", "-1", "--no-color", "--no-mailmap", form, id.as_str(), "--"];
        let told = program::printed(self.program().reader(&log), b"")?;
        let told = String::from_utf8_lossy(&told).trim_end_matches('\n').to_owned();
        let [id, short, author, date, title] = told.split('\0').collect::<Vec<_>>()[..] else {
            return Err(GitError::new(GitErrorKind::Failed, format!("expected a commit, found {told:?}")));
        };
        let [id, short, author, date, title] = [id, short, author, date, title].map(str::to_owned);
        Ok(Some(Commit { id, short, author, date, title }))
    }

    /// The tracked files that differ from the commit that is checked out, in the index or in the work tree, as git names them.
    ///
    /// # Errors
    /// Where git cannot say.
    pub fn changed(&self) -> Result<Vec<String>, GitError> {
        let asked = ["status", "--porcelain", "-z", "--no-renames", "--untracked-files=no", "--ignore-submodules=none"];
        let told = program::printed(self.program().reader(&asked), b"")?;
        let names = told.split(|&byte| byte == 0).filter_map(|line| line.get(3..));
        Ok(names.map(|name| String::from_utf8_lossy(name).into_owned()).collect())
    }

    /// The id of the commit at which the one of that whole id and the one that is checked out branched off from each other; `None`
    /// where the repository has no such commit, as one that was not fetched whole.
    ///
    /// # Errors
    /// Where git cannot say.
    pub fn branched_off(&self, commit: &str) -> Result<Option<String>, GitError> {
        let told = program::run(self.program().reader(&["merge-base", commit, "HEAD"]), b"")?;
        let id = String::from_utf8_lossy(&told.stdout).lines().next().unwrap_or_default().to_owned();
        Ok((told.status.success() && !id.is_empty()).then_some(id))
    }

    fn head_id(&self) -> Option<String> {
        let by_library =
            self.library().and_then(|library| Some(library.head().ok()?.peel_to_commit().ok()?.id().to_string()));
        by_library.or_else(|| {
            let told = program::printed(self.program().reader(&["rev-parse", "--verify", "-q", "HEAD"]), b"").ok()?;
            Some(String::from_utf8_lossy(&told).trim_end().to_owned()).filter(|id| !id.is_empty())
        })
    }
}
