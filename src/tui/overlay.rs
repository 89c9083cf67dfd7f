//! What can lie over the panes and takes the keys while it does: a line being written, a question, a menu, a list.

use super::keys::{Action, Binding, Here, TABLE, valid_in, why_not};
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
    /// What to search for in the failure is being written; the line the search set out from.
    Search(LineEdit, usize),
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
    /// What the tests print, and the first line shown; `None` follows the end.
    Output(Option<usize>),
    /// Pins that were not proven, and which is chosen.
    Held(usize),
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
    Prompt,
}

/// What can be copied, with its key and name.
pub(crate) const COPIES: &[(char, Copied, &str)] = &[
    ('y', Copied::Input, "counterexample"),
    ('t', Copied::Test, "test name"),
    ('m', Copied::Message, "message"),
    ('r', Copied::Replay, "replay line"),
    ('p', Copied::Patch, "patch"),
];

/// The lines of the help that hold all words of `search`: those valid here first, each of the others with why it is not.
pub(crate) fn help(search: &str, here: Here) -> Vec<(&'static Binding, Option<&'static str>)> {
    let known = |action| valid_in(here).any(|binding| binding.action == action);
    let elsewhere = TABLE.iter().filter(|binding| !known(binding.action));
    let words: Vec<String> = search.split_whitespace().map(str::to_lowercase).collect();
    let holds = |binding: &Binding| {
        let text = format!("{} {} {}", binding.name, binding.help, binding.keys.join(" ")).to_lowercase();
        words.iter().all(|word| text.contains(word))
    };
    let lines = valid_in(here).chain(elsewhere).map(|binding| (binding, why_not(binding, here)));
    lines.filter(|(binding, _)| holds(binding)).collect()
}

/// The action chosen in the help, where it is valid.
pub(crate) fn chosen(search: &str, here: Here, at: usize) -> Option<Action> {
    help(search, here).get(at).filter(|(_, why_not)| why_not.is_none()).map(|(binding, _)| binding.action)
}

#[cfg(test)]
mod tests {
    use super::{chosen, help};
    use crate::tui::keys::{Action, Here, Place};
    use crate::tui::tab::Tab;

    #[test]
    fn the_help_is_searched_by_words_and_runs_what_is_valid_here() {
        let inbox = Here { tab: Tab::Inbox, place: Place::Inbox, searching: false };
        assert_eq!(chosen("staged patch", inbox, 0), Some(Action::Stage));
        let lines = help("code lines start", inbox);
        assert_eq!(
            lines.iter().map(|(binding, why_not)| (binding.action, *why_not)).collect::<Vec<_>>(),
            [(Action::Left, Some("in the other pane"))]
        );
        assert_eq!(chosen("code lines start", inbox, 0), None);
        assert!(help("no such thing", Here { place: Place::Failure, ..inbox }).is_empty());
    }

    #[test]
    fn the_help_says_what_ends_a_search_that_has_a_key() {
        let searching = Here { tab: Tab::Inbox, place: Place::Failure, searching: true };
        let lines = help("write note", searching);
        assert_eq!(
            lines.iter().map(|(binding, why_not)| (binding.action, *why_not)).collect::<Vec<_>>(),
            [(Action::Note, Some("esc ends the search first"))]
        );
    }
}
