//! Which commit to look at next on the way to the one that broke something: git's own choice, as `git bisect` makes it,
//! without its files and references. A bisection of the user's own is not touched.

use super::error::GitError;
use super::program;
use super::repository::Repository;

/// A search for the commit that made good bad.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bisection {
    bad: String,
    good: Vec<String>,
    skipped: Vec<String>,
    first_parent: bool,
}

/// Where a search stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Left {
    /// This commit is to be looked at; so many may still be the one, it among them.
    Next(String, usize),
    /// This is the one.
    Found(String),
    /// It is one of these, and all of them but the last were passed over.
    Among(Vec<String>),
}

impl Bisection {
    /// The search between a commit that is `bad` and one before it that is `good`.
    pub fn new(bad: &str, good: &str) -> Bisection {
        Bisection { bad: bad.to_owned(), good: vec![good.to_owned()], skipped: Vec::new(), first_parent: false }
    }

    /// The same among first parents only where `first_parent`: of a merge, what it brought as a whole.
    #[must_use]
    pub fn along_first_parents(self, first_parent: bool) -> Bisection {
        Bisection { first_parent, ..self }
    }

    /// Takes in that a commit is bad.
    pub fn is_bad(&mut self, commit: &str) {
        commit.clone_into(&mut self.bad);
    }

    /// Takes in that a commit is good.
    pub fn is_good(&mut self, commit: &str) {
        self.good.push(commit.to_owned());
    }

    /// Takes in that nothing can be said of a commit.
    pub fn is_skipped(&mut self, commit: &str) {
        self.skipped.push(commit.to_owned());
    }
}

impl Repository {
    /// Whether the first commit is reached from the second one.
    ///
    /// # Errors
    /// Where git cannot say.
    pub fn is_before(&self, first: &str, second: &str) -> Result<bool, GitError> {
        let asked = ["merge-base", "--is-ancestor", first, second];
        let told = program::run(self.program().reader(&asked), b"")?;
        match told.status.code() {
            Some(0) => Ok(true),
            Some(1) => Ok(false),
            _ => Err(program::said(&told)),
        }
    }

    /// What is left of a search.
    ///
    /// # Errors
    /// Where git cannot say.
    pub fn left(&self, search: &Bisection) -> Result<Left, GitError> {
        let mut asked = vec!["rev-list", "--bisect-all"];
        asked.extend(search.first_parent.then_some("--first-parent"));
        asked.extend([search.bad.as_str(), "--not"]);
        asked.extend(search.good.iter().map(String::as_str));
        let told = program::printed(self.program().reader(&asked), b"")?;
        let told = String::from_utf8_lossy(&told);
        // A line is an id and, in brackets, what else git knows; the best to look at comes first.
        let ids: Vec<&str> = told.lines().filter_map(|line| line.split(' ').next()).collect();
        let open: Vec<&str> = ids.iter().copied().filter(|id| *id != search.bad).collect();
        let skipped = |id: &&str| search.skipped.iter().any(|one| one == id);
        if open.is_empty() {
            return Ok(Left::Found(search.bad.clone()));
        }
        match open.iter().find(|id| !skipped(id)) {
            Some(next) => Ok(Left::Next((*next).to_owned(), ids.len())),
            None => Ok(Left::Among(open.into_iter().chain([search.bad.as_str()]).map(str::to_owned).collect())),
        }
    }
}
