//! The digests of a contract's fixtures as they are, in any version of the repository.

use std::path::Path;

use sha2::{Digest, Sha256};

use crate::contract::{Contract, DIGITS};
use crate::hex::hex;
use crate::repo_path::RepoPath;
use crate::source_tree::SourceTree;

/// What stands in the place of a digest where a fixture has none.
const OUTSIDE: &str = "outside";
const MISSING: &str = "missing";
const UNREADABLE: &str = "unreadable";

/// The digests of the fixtures in `tree`, one each; a word for why there is none. `top` is the folder of a work tree.
pub(super) fn digests(contract: &Contract, tree: &dyn SourceTree, top: &Path) -> Vec<String> {
    contract.fixtures.iter().map(|fixture| digest_of(&fixture.path, tree, Some(top))).collect()
}

/// The same of one, in a version that may stand nowhere.
pub(super) fn digest_of(path: &str, tree: &dyn SourceTree, top: Option<&Path>) -> String {
    let Some(path) = RepoPath::new(path) else { return OUTSIDE.to_owned() };
    match tree.read(&path) {
        Some(bytes) => digest(&bytes),
        None if top.is_some_and(|top| top.join(path.as_str()).symlink_metadata().is_ok()) => UNREADABLE.to_owned(),
        None => MISSING.to_owned(),
    }
}

/// The digest of these bytes.
pub(super) fn digest(bytes: &[u8]) -> String {
    let mut digits = hex(&Sha256::digest(bytes));
    digits.truncate(DIGITS);
    digits
}

#[cfg(test)]
mod tests {
    use super::digest_of;
    use crate::source_tree::testing::Files;

    #[test]
    fn a_fixture_has_sixteen_digits_or_a_word() {
        let tree = Files::new([("a/b.json", "abc")]);
        let check = |path: &str, expected: &str| assert_eq!(digest_of(path, &tree, None), expected, "{path}");
        check("a/b.json", "ba7816bf8f01cfea");
        check("./a/b.json", "ba7816bf8f01cfea");
        check("a/c.json", "missing");
        check("../b.json", "outside");
        check("/a/b.json", "outside");
    }
}
