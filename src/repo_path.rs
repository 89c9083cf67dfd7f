//! Paths inside the repository. A path that a run printed is foreign text; only what passes here is ever opened.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A file's path relative to the top of the work tree: `/` between its parts, no empty part, no `.` or `..`, no `.git`.
///
/// That a path has this form says nothing about symbolic links: whoever opens it checks that it does not lead outside.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct RepoPath(String);

impl RepoPath {
    /// Takes `text` as a path inside the repository, folding `.` and `..` parts; `None` where it is absolute, climbs above
    /// the top, points into `.git`, holds a NUL or is empty.
    pub fn new(text: &str) -> Option<Self> {
        if is_folded(text) {
            return Some(RepoPath(text.to_owned()));
        }
        if text.starts_with('/') || text.contains(['\0', '\\']) {
            return None;
        }
        let mut parts: Vec<&str> = Vec::new();
        for part in text.split('/') {
            match part {
                "" | "." => {}
                ".." => {
                    parts.pop()?;
                }
                _ => parts.push(part),
            }
        }
        if parts.is_empty() || parts.iter().any(|part| part.eq_ignore_ascii_case(".git")) {
            return None;
        }
        Some(RepoPath(parts.join("/")))
    }

    /// The path as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The last part: the file's own name.
    pub fn file_name(&self) -> &str {
        self.0.rsplit('/').next().unwrap_or(&self.0)
    }

    /// The folder that holds the file, `""` for the top of the work tree.
    pub fn folder(&self) -> &str {
        self.0.rsplit_once('/').map_or("", |(folder, _)| folder)
    }

    /// The folders on the way to the file, outermost first; the top of the work tree is not among them.
    pub fn folders(&self) -> impl Iterator<Item = &str> {
        self.0.match_indices('/').map(|(at, _)| &self.0[..at])
    }

    /// The path of `name` in the folder `folder` (`""` is the top), under the same rules as [`RepoPath::new`].
    pub fn in_folder(folder: &str, name: &str) -> Option<Self> {
        if folder.is_empty() { RepoPath::new(name) } else { RepoPath::new(&format!("{folder}/{name}")) }
    }
}

/// Whether [`RepoPath::new`] would leave the text as it is.
fn is_folded(text: &str) -> bool {
    let is_name = |part: &str| !matches!(part, "" | "." | "..") && !part.eq_ignore_ascii_case(".git");
    text.bytes().all(|byte| !matches!(byte, 0 | b'\\')) && text.split('/').all(is_name)
}

impl fmt::Display for RepoPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl TryFrom<String> for RepoPath {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        if is_folded(&text) {
            return Ok(RepoPath(text));
        }
        RepoPath::new(&text).ok_or_else(|| format!("expected a path inside the repository, found {text:?}"))
    }
}

impl From<RepoPath> for String {
    fn from(path: RepoPath) -> String {
        path.0
    }
}

#[cfg(test)]
mod tests {
    use super::RepoPath;

    fn check(text: &str, expected: Option<&str>) {
        assert_eq!(RepoPath::new(text).as_ref().map(RepoPath::as_str), expected, "{text:?}");
        assert_eq!(RepoPath::try_from(text.to_owned()).ok(), RepoPath::new(text), "{text:?}");
    }

    #[test]
    fn a_path_stays_inside_the_repository() {
        check("src/lib.rs", Some("src/lib.rs"));
        check("./src//a/../lib.rs", Some("src/lib.rs"));
        check("/etc/passwd", None);
        check("../x", None);
        check("a/../../x", None);
        check(".git/config", None);
        check("a/.GIT/config", None);
        check("a\0b", None);
        check(".", None);
    }
}
