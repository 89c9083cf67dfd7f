//! Where the properties of a framework stand in the repository. Asked for each failure that is imported, to tie it to its
//! file, its package and its requirement, and for the one that is shown.

use crate::failure::{Failure, Notice};
use crate::property::Property;
use crate::source_tree::SourceTree;

/// Finds properties in the repository.
pub trait Properties {
    /// The property that failed; `None` where it is not there (any more).
    fn property(&self, failure: &Failure, tree: &dyn SourceTree) -> Option<Property>;

    /// Gives the tests of `failures` names of their own where runs call several tests of one file the same, and says which
    /// of them could not be told apart. Done before anything else is asked of what a run tells.
    fn tell_apart(&self, _failures: &mut [Failure], _tree: &dyn SourceTree) -> Vec<Notice> {
        Vec::new()
    }

    /// What the source calls the values of the input, one each, where the run does not name them; a name is empty where it
    /// has none, and there are none at all where that cannot be told. Asked for the one failure that is shown.
    fn names(&self, _failure: &Failure, _tree: &dyn SourceTree) -> Vec<String> {
        Vec::new()
    }

    /// Whether the pin whose test is that of `failure` stands by a property of this framework. Asked of tests that say
    /// nothing of their framework.
    fn has_pin(&self, _failure: &Failure, _tree: &dyn SourceTree) -> bool {
        false
    }

    /// The package of a failure of which neither the run nor its property tell it: that of the file which the run names, where
    /// the repository has it.
    fn package(&self, _failure: &Failure, _tree: &dyn SourceTree) -> Option<String> {
        None
    }

    /// The line of the property's file, from 1, at which it failed, in the source as it is now; `None` where that is not in
    /// the property itself or cannot be told any more. Asked for one failure at a time: it may read all of the property.
    fn failing_line(&self, _failure: &Failure, _tree: &dyn SourceTree) -> Option<u32> {
        None
    }
}
