//! What a framework has to do with the command that runs its tests: which switches lose least of their output, and how the
//! run hands over what it knows itself. Asked by `redpin run`, before the command is started.

use std::ffi::OsString;
use std::path::Path;

use crate::invocation::Invocation;
use crate::run_output::RunOutput;

/// Changes commands that run a framework's tests. What comes out of the tests must be the same as without.
pub trait Capturing: Sync {
    /// What has to be asked before `command` can be changed: a command that only tells, as a version.
    fn question(&self, _command: &[OsString]) -> Option<Vec<OsString>> {
        None
    }

    /// Changes `invocation` where it runs the framework's tests. `answer` is what the command of
    /// [`question`](Capturing::question) printed. Files that are to be laid down for it will lie in `folder`.
    fn widen(&self, invocation: &mut Invocation, answer: Option<&str>, folder: &Path);

    /// What `run` of `command` handed over of the program that ran the tests, to be said again where pins are run, as
    /// [`Manner::said`]; `None` where it tells nothing of that.
    ///
    /// [`Manner::said`]: crate::proof::Manner::said
    fn ran_by(&self, _command: &[OsString], _run: &RunOutput<'_>) -> Option<Vec<String>> {
        None
    }
}
