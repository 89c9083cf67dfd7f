//! A failure of the inbox as its framework is asked about it.

use crate::framework::Case;
use crate::inbox::Filed;
use crate::source_tree::SourceTree;

/// What the pin of `filed` is made from.
pub(super) fn case<'a>(filed: &'a Filed, tree: &'a dyn SourceTree, today: &'a str) -> Case<'a> {
    Case { failure: &filed.failure, requirement: filed.requirement.as_ref(), tree, today }
}
