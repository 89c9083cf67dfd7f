//! The repository: its files in the last commit, the index and the work tree, and staging, which changes index and work
//! tree together. Reads go through libgit2, writes of the index through the git program, each standing in for the other
//! where it is missing or refuses. Nothing here knows what is staged or why.

mod apply;
mod bisect;
mod carry;
mod check_out;
mod commit;
mod commit_tree;
mod create;
mod error;
mod index;
mod index_file;
mod journal;
mod kept;
mod knowledge;
mod library_index;
mod lock;
mod objects;
mod operation;
mod past;
mod place;
mod plain;
mod plan;
mod program;
mod repository;
mod stage;
mod version;
mod versions;
mod work_file;
mod work_tree;
mod writing;
mod written;

// libgit2's, named for its feature alone: it is built in.
use libz_sys as _;

pub use apply::{apply_patch, check_patch, patched_files};
pub use bisect::{Bisection, Left};
pub use check_out::CheckedOut;
pub use commit::Commit;
pub use commit_tree::CommitTree;
pub use error::{GitError, GitErrorKind};
pub use knowledge::User;
pub use operation::{Change, Operation, OperationId, Recovered, Undone, Write};
pub use past::Past;
pub use repository::{Repository, Step};
pub use stage::Held;
pub use version::{InIndex, InWorkTree, Version};
pub use versions::Versions;
pub use work_tree::WorkTree;
