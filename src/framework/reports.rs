//! What a framework's runs say: the failures in their output. Asked of every run that is imported, listed or followed as it
//! goes.

use crate::carrier::scan::{self, Found, Sought};
use crate::failure::{Caveat, Counterexample, Failure, Notice, Reading};
use crate::run_output::RunOutput;

/// Reads what a framework reports.
pub trait Reports {
    /// What a run is searched for. A large one that holds none of it tells nothing. One search does for all frameworks, so
    /// that one more of them costs no pass of its own.
    fn sought(&self) -> Sought;

    /// The failures in a run's output, in which `found` was found of what is sought. Never fails: what is not understood
    /// becomes a notice. Of a pin that failed it need not know whose it is, as its test is a plain one: [`owner`] tells.
    ///
    /// [`owner`]: super::owner
    fn read_found(&self, run: &RunOutput<'_>, found: Found<'_>) -> Reading;

    /// Whether a replay handle is a seed, and not some other way to have an input again.
    fn is_seed(&self, _handle: &str) -> bool {
        true
    }

    /// The input that is kept as this one line of text, as far as its arguments can be told again.
    fn counterexample(&self, text: &str) -> Counterexample {
        Counterexample { text: text.to_owned(), arguments: Vec::new() }
    }

    /// What the reports of one run have in common that tell of one failure, where some of them do not say why it failed. None
    /// where the replay handle is all.
    fn report_key(&self, _failure: &Failure) -> Option<String> {
        None
    }

    /// The failures in a run's output that nobody has searched yet, and that nobody else reads.
    fn read(&self, run: &RunOutput<'_>) -> Reading {
        self.read_found(run, scan::find(run, self.sought())).settled(|_| false)
    }
}

/// The reading of `failures`, with `notices` in the order of lines; those whose reports break off are told of as well.
pub fn reading(run: &RunOutput<'_>, failures: Vec<Failure>, mut notices: Vec<Notice>) -> Reading {
    notices.extend(failures.iter().filter(|failure| failure.caveats.contains(&Caveat::Truncated)).map(|failure| {
        let text = format!("the report of {} breaks off: what it shows of the input is not all of it", failure.test);
        run.notice(failure.origin.line, text)
    }));
    notices.sort_by_key(|notice| notice.line);
    Reading { failures, notices, doubts: Vec::new() }
}
