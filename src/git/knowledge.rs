//! What else git knows: whether its rules ignore a file, who changed it last, and which name and editor the user has set.

use std::collections::HashSet;

use crate::repo_path::RepoPath;

use super::error::{GitError, GitErrorKind};
use super::program;
use super::repository::Repository;

impl Repository {
    /// The last commit that changed the file, as one line: short id, date, author, subject. Foreign text. Where the git
    /// program is missing, which alone tells it quickly, the line says that.
    pub fn last_change(&self, path: &RepoPath) -> Option<String> {
        let log =
            ["-c", "log.showSignature=false", "log", "-1", "--no-color", "--no-mailmap", "--format=%h %as %an: %s"];
        let told = match program::printed(self.program().reader(&[&log[..], &["--", path.as_str()]].concat()), b"") {
            Err(error) if error.kind == GitErrorKind::NoProgram => return Some(error.to_string()),
            told => told.ok()?,
        };
        let told = String::from_utf8_lossy(&told);
        told.lines().next().filter(|line| !line.is_empty()).map(str::to_owned)
    }

    /// Whoever has made or committed a change of the file up to the commit at hand, as `Name <mail>`. Foreign text.
    pub fn hands(&self, path: &RepoPath) -> HashSet<String> {
        let format = "--format=%an <%ae>%n%cn <%ce>";
        let log = ["-c", "log.showSignature=false", "log", "--no-color", "--no-mailmap", format, "--", path.as_str()];
        let told = program::printed(self.program().reader(&log), b"").unwrap_or_default();
        String::from_utf8_lossy(&told).lines().map(str::to_owned).collect()
    }

    /// Who git says is at work here.
    pub fn user(&self) -> User {
        let known = match program::printed(self.program().reader(&["var", "GIT_COMMITTER_IDENT"]), b"") {
            // Seconds and time zone follow the name.
            Ok(told) => String::from_utf8_lossy(&told).rsplitn(3, ' ').nth(2).map(str::to_owned),
            Err(_) => user_by_library(self),
        };
        known.filter(|name| !name.trim().is_empty()).map_or_else(|| User::OfSystem(system_user()), User::OfGit)
    }

    /// The editor that git's configuration names, the repository's own settings first.
    pub fn configured_editor(&self) -> Option<String> {
        match self.library() {
            Some(library) => library.config().and_then(|config| config.get_string("core.editor")).ok(),
            None => {
                let told = program::printed(self.program().reader(&["config", "--get", "core.editor"]), b"").ok()?;
                Some(String::from_utf8_lossy(&told).trim_end().to_owned())
            }
        }
        .filter(|editor| !editor.is_empty())
    }
}

/// Who is at work: what stands as the author of a decision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum User {
    /// The name and mail address that git would write into a commit made now, as `Name <mail>`.
    OfGit(String),
    /// The name of the account, as git has no name or no address.
    OfSystem(String),
}

impl User {
    /// The name.
    pub fn name(&self) -> &str {
        let (User::OfGit(name) | User::OfSystem(name)) = self;
        name
    }
}

/// As the program tells it: what the environment sets goes before the configuration.
fn user_by_library(repository: &Repository) -> Option<String> {
    let config = repository.library()?.config().ok()?;
    let first = |variable: &str, settings: [&str; 2]| {
        let set = settings.iter().find_map(|name| config.get_string(name).ok().filter(|text| !text.trim().is_empty()));
        environment(variable).or(set)
    };
    let name = first("GIT_COMMITTER_NAME", ["committer.name", "user.name"])?;
    let mail = first("GIT_COMMITTER_EMAIL", ["committer.email", "user.email"]).or_else(|| environment("EMAIL"))?;
    Some(format!("{name} <{mail}>"))
}

fn system_user() -> String {
    let named = environment("LOGNAME").or_else(|| environment("USER"));
    named.unwrap_or_else(|| format!("user id {}", rustix::process::getuid().as_raw()))
}

#[expect(clippy::disallowed_methods, reason = "git's own rules for a user's name begin with the environment")]
fn environment(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|text| !text.trim().is_empty())
}

/// Those of `paths` that git's rules leave out, tracked or not. Reads no index.
///
/// # Errors
/// Where git cannot tell: taken for none, files would be staged that its user keeps out.
pub(super) fn ignored(repository: &Repository, paths: &[&RepoPath]) -> Result<HashSet<RepoPath>, GitError> {
    let mut command = repository.program().reader(&["check-ignore", "--no-index", "-z", "--stdin"]);
    // This command refuses the order to take names literally; behind a `./` it finds no magic in them.
    command.env_remove("GIT_LITERAL_PATHSPECS");
    let asked: String = paths.iter().map(|path| format!("./{path}\0")).collect();
    match program::run(command, asked.as_bytes()) {
        // 1 says that it leaves out none of them.
        Ok(output) if matches!(output.status.code(), Some(0 | 1)) => {
            Ok(output.stdout.split(|&byte| byte == 0).filter_map(utf8_path).collect())
        }
        Ok(output) => Err(program::said(&output)),
        Err(error) if error.kind == GitErrorKind::NoProgram => ignored_by_library(repository, paths),
        Err(error) => Err(error),
    }
    .map_err(|error| error.and("so it is not known which files git ignores"))
}

fn utf8_path(name: &[u8]) -> Option<RepoPath> {
    RepoPath::new(std::str::from_utf8(name).ok()?)
}

fn ignored_by_library(repository: &Repository, paths: &[&RepoPath]) -> Result<HashSet<RepoPath>, GitError> {
    let Some(library) = repository.library() else { return Ok(HashSet::new()) };
    let mut ignored = HashSet::new();
    for path in paths {
        let told = library.is_path_ignored(path.as_str());
        if told.map_err(|error| GitError::library("read the rules of what to ignore", &error))? {
            ignored.insert((*path).clone());
        }
    }
    Ok(ignored)
}
