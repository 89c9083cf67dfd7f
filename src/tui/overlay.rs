//! What can lie over the panes and takes the keys while it does: a line being written, a question, a menu, a list.

use super::keys::{Action, Binding, Place, TABLE, valid_in};
use super::line_edit::LineEdit;
use crate::inbox::FailureId;
use crate::verdict::Verdict;

/// What lies over the panes.
#[derive(Clone, Debug)]
pub(crate) enum Overlay {
    /// The note of a failure is being written.
    Note(FailureId, LineEdit),
    /// The filter is being written.
    Filter(LineEdit),
    /// A question that only `y` answers with yes.
    Ask(Question),
    /// What to copy.
    Copy,
    /// The properties a replay line may belong to, and which is chosen.
    Choose(FailureId, usize),
    /// The keys, searched by what is written, and which is chosen.
    Help(LineEdit, usize),
    /// What could not be read, and the first line shown.
    Notices(usize),
}

/// A question, and what yes means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Question {
    pub(crate) text: String,
    pub(crate) yes: Yes,
}

/// What yes means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Yes {
    /// Stage, files that git ignores included; no stages the rest.
    StageIgnored,
    /// Judge all open failures of a cause, by its number.
    JudgeCause(usize, Verdict),
}

/// What can be copied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Copied {
    Input,
    Test,
    Message,
    Replay,
    Patch,
}

/// What can be copied, with its key and name.
pub(crate) const COPIES: &[(char, Copied, &str)] = &[
    ('y', Copied::Input, "counterexample"),
    ('t', Copied::Test, "test name"),
    ('m', Copied::Message, "message"),
    ('r', Copied::Replay, "replay line"),
    ('p', Copied::Patch, "patch"),
];

/// The lines of the help that hold all words of `search`: those valid in `place` first, each with whether it is.
pub(crate) fn help(search: &str, place: Place) -> Vec<(&'static Binding, bool)> {
    let here = valid_in(place).map(|binding| (binding, true));
    let known = |action| valid_in(place).any(|binding| binding.action == action);
    let elsewhere = TABLE.iter().filter(|binding| !known(binding.action));
    let words: Vec<String> = search.split_whitespace().map(str::to_lowercase).collect();
    let holds = |binding: &Binding| {
        let text = format!("{} {} {}", binding.name, binding.help, binding.keys.join(" ")).to_lowercase();
        words.iter().all(|word| text.contains(word))
    };
    here.chain(elsewhere.map(|binding| (binding, false))).filter(|(binding, _)| holds(binding)).collect()
}

/// The action chosen in the help, where it is valid.
pub(crate) fn chosen(search: &str, place: Place, at: usize) -> Option<Action> {
    help(search, place).get(at).filter(|(_, valid)| *valid).map(|(binding, _)| binding.action)
}

#[cfg(test)]
mod tests {
    use super::{chosen, help};
    use crate::tui::keys::{Action, Place};

    #[test]
    fn the_help_is_searched_by_words_and_runs_what_is_valid_here() {
        assert_eq!(chosen("staged patch", Place::Inbox, 0), Some(Action::Stage));
        let lines = help("code lines start", Place::Inbox);
        assert_eq!(
            lines.iter().map(|(binding, valid)| (binding.action, *valid)).collect::<Vec<_>>(),
            [(Action::Left, false)]
        );
        assert_eq!(chosen("code lines start", Place::Inbox, 0), None);
        assert!(help("no such thing", Place::Failure).is_empty());
    }
}
