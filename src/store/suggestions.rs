//! What was suggested about failures, kept beside the inbox in a file that only grows.

use std::path::Path;

use super::file::StoreError;
use super::lines;
use crate::suggestion::Suggestion;

/// The file's name in the store's folder.
const SUGGESTIONS: &str = "suggestions.jsonl";

/// Adds one to what is kept in `folder`.
///
/// # Errors
/// Where it cannot be written.
pub fn keep(folder: &Path, suggestion: &Suggestion) -> Result<(), StoreError> {
    lines::add(folder, SUGGESTIONS, std::slice::from_ref(suggestion))
}

/// Those on the failure of that id, newest first, each source's last.
///
/// # Errors
/// Where they cannot be read.
pub fn of(folder: &Path, failure: &str) -> Result<Vec<Suggestion>, StoreError> {
    let mut found: Vec<Suggestion> = Vec::new();
    for one in lines::all::<Suggestion>(folder, SUGGESTIONS)?.into_iter().rev() {
        if one.failure == failure && found.iter().all(|newer| newer.source != one.source) {
            found.push(one);
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::{keep, of};
    use crate::suggestion::Suggestion;

    #[test]
    fn the_last_of_each_source_is_told_newest_first() {
        let folder = tempfile::tempdir().unwrap();
        let told =
            |failure: &str| of(folder.path(), failure).unwrap().into_iter().map(|one| one.why).collect::<Vec<_>>();
        assert_eq!(told("0a"), Vec::<String>::new());
        for (failure, source, why) in [("0a", "one", "a"), ("0a", "two", "b"), ("0b", "one", "c"), ("0a", "one", "d")] {
            let answer = format!(r#"{{"schema":1,"verdict":"real-bug","why":"{why}","source":"{source}"}}"#);
            keep(folder.path(), &Suggestion::read(answer.as_bytes(), failure, "").unwrap()).unwrap();
        }
        assert_eq!(told("0a"), ["d", "b"]);
        assert_eq!(told("0b"), ["c"]);
    }
}
