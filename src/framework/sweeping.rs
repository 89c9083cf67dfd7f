//! What makes the command that runs a framework's tests a deep run, and a part of one. Asked by `redpin sweep`, after
//! [`Capturing`](super::Capturing) had the command.

use crate::invocation::Invocation;
use crate::sweep::Depth;

/// Deepens commands that run a framework's tests.
pub trait Sweeping: Sync {
    /// Has `invocation` run as many cases as `depth` says, and the tests of its shard alone. Says whether it is one that runs
    /// tests of this framework, as far as its words tell. `answer` is what the command of
    /// [`question`](super::Capturing::question) printed.
    ///
    /// # Errors
    /// Why it cannot run that shard, and what to do instead: one sentence.
    fn deepen(&self, invocation: &mut Invocation, depth: Depth, answer: Option<&str>) -> Result<bool, String>;
}
