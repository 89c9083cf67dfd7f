//! The keys: one table of what can be done, its name, help, keys and where it is valid. The footer, the help screen and
//! the README's table are made from it.

use ratatui::crossterm::event::KeyCode;

use super::tab::Tab;

/// What a key can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Action {
    RealBug,
    AmbiguousSpec,
    WrongProperty,
    Note,
    Stage,
    Verify,
    VerifyAll,
    Stop,
    Output,
    Undo,
    Redo,
    Go(Tab),
    Reopen,
    Open,
    Back,
    Fold,
    Edit,
    Copy,
    Filter,
    Search,
    NextMatch,
    PreviousMatch,
    Help,
    Notices,
    Down,
    Up,
    HalfDown,
    HalfUp,
    PageDown,
    PageUp,
    Top,
    Bottom,
    NextOpen,
    Choose,
    Prompt,
    Left,
    Right,
    NextPane,
    PreviousPane,
    Zoom,
    Redraw,
    Suspend,
    Quit,
}

/// The panes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// The list: of failures, or of what else the tab shows.
    Inbox,
    /// The page of what is selected in it: of the failure itself.
    Failure,
}

/// What decides which keys are valid: the tab, the pane in use, and whether a search is on in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Here {
    pub(crate) tab: Tab,
    pub(crate) place: Place,
    pub(crate) searching: bool,
}

/// Where an action is valid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Valid {
    Everywhere,
    /// In a pane, whatever the tab.
    Pane(Place),
    /// In the inbox, list or failure.
    Inbox,
    /// In a pane of the inbox.
    In(Place),
    /// In the tabs beside the inbox, list or page.
    Beside,
    /// In the lists of the tabs beside the inbox.
    BesideList,
    /// In one of the tabs.
    Tab(Tab),
    /// While a search is on in the failure; its keys go before all others then.
    Searching,
}

/// One line of the table.
#[derive(Debug)]
pub(crate) struct Binding {
    pub(crate) action: Action,
    /// A word or two, for the footer.
    pub(crate) name: &'static str,
    /// A sentence, for the help.
    pub(crate) help: &'static str,
    /// Its keys, the one to show first.
    pub(crate) keys: &'static [&'static str],
    pub(crate) valid: Valid,
    /// Where it stands in the footer: the lower the earlier; `None` keeps it out.
    pub(crate) footer: Option<u8>,
}

const fn binding(
    action: Action,
    keys: &'static [&'static str],
    name: &'static str,
    footer: Option<u8>,
    valid: Valid,
    help: &'static str,
) -> Binding {
    Binding { action, name, help, keys, valid, footer }
}

const EVERYWHERE: Valid = Valid::Everywhere;
const INBOX: Valid = Valid::Inbox;
const ANY_LIST: Valid = Valid::Pane(Place::Inbox);
const ANY_PAGE: Valid = Valid::Pane(Place::Failure);
const IN_FAILURE: Valid = Valid::In(Place::Failure);
const IN_INBOX: Valid = Valid::In(Place::Inbox);

/// Every action, in the order the help shows them.
pub(crate) const TABLE: &[Binding] = &[
    binding(
        Action::RealBug,
        &["b"],
        "real bug",
        Some(1),
        INBOX,
        "The code is wrong: pin this input. Goes to the next open failure.",
    ),
    binding(
        Action::AmbiguousSpec,
        &["a"],
        "ambiguous spec",
        Some(2),
        INBOX,
        "The spec does not say: write an open question under the requirement. Goes to the next open failure.",
    ),
    binding(
        Action::WrongProperty,
        &["w"],
        "wrong property",
        Some(3),
        INBOX,
        "The property is wrong: pin nothing, record why. Goes to the next open failure.",
    ),
    binding(Action::Note, &["n"], "note", Some(7), INBOX, "Write a note; it goes into the decision record."),
    binding(Action::Stage, &["s"], "stage", Some(5), EVERYWHERE, "Write what was decided into the staged git patch."),
    binding(
        Action::Verify,
        &["v"],
        "verify",
        Some(8),
        IN_INBOX,
        "Run the pin of this failure, or those of this cause: red, green, or neither and why.",
    ),
    binding(
        Action::Verify,
        &["v"],
        "verify",
        None,
        IN_FAILURE,
        "Run the pin of this failure: red, green, or neither and why.",
    ),
    binding(Action::VerifyAll, &["V"], "verify all", None, EVERYWHERE, "Run all pins that stand in the work tree."),
    binding(
        Action::Stop,
        &["x"],
        "stop",
        None,
        EVERYWHERE,
        "Ask the tests that run pins to end, as ctrl-c would; the third time they are killed.",
    ),
    binding(
        Action::Output,
        &["t"],
        "tests",
        None,
        EVERYWHERE,
        "Show how the pins that were run came out, and what the tests print.",
    ),
    binding(
        Action::Undo,
        &["u"],
        "undo",
        Some(6),
        ANY_LIST,
        "Take back the last decision or staging, as often as you like.",
    ),
    binding(Action::Redo, &["U"], "redo", None, EVERYWHERE, "Do again what was taken back."),
    binding(
        Action::Open,
        &["enter", "l"],
        "open",
        Some(4),
        IN_INBOX,
        "Open the failure; on a cause, fold or unfold it.",
    ),
    binding(Action::Open, &["enter", "l"], "open", Some(4), Valid::BesideList, "Read the selected line whole."),
    binding(
        Action::Reopen,
        &["r"],
        "reopen",
        Some(3),
        Valid::Tab(Tab::Decisions),
        "Open the failure of this decision again: it waits for a verdict, and the record stays until another is staged.",
    ),
    binding(Action::Fold, &["space", "enter"], "unfold", Some(5), IN_FAILURE, "Fold or unfold the value or section."),
    binding(Action::Fold, &["space"], "fold", None, IN_INBOX, "Fold or unfold the cause."),
    binding(
        Action::Back,
        &["esc"],
        "back",
        Some(4),
        ANY_PAGE,
        "Go back one level: end the search, then the zoom. Never quits and never decides.",
    ),
    binding(
        Action::Back,
        &["esc"],
        "back",
        Some(4),
        Valid::BesideList,
        "Go back one level: end the zoom, then the filter, then to the inbox.",
    ),
    binding(Action::Back, &["esc"], "back", None, IN_INBOX, "Go back one level: end the zoom, then the filter."),
    binding(
        Action::Edit,
        &["e"],
        "edit",
        Some(6),
        IN_FAILURE,
        "Open your editor at the file and line; in the patch, on the pin, which is staged when you come back.",
    ),
    binding(
        Action::Edit,
        &["e"],
        "edit",
        Some(6),
        Valid::Beside,
        "Open your editor where the selected line stands, and come back here.",
    ),
    binding(Action::Edit, &["e"], "edit", None, IN_INBOX, "Open your editor at the property, and come back here."),
    binding(
        Action::Undo,
        &["u"],
        "undo",
        None,
        ANY_PAGE,
        "Take back the last decision or staging, as often as you like.",
    ),
    binding(Action::Copy, &["y"], "copy", None, INBOX, "Copy the input, the test's name, the message or the patch."),
    binding(
        Action::Filter,
        &["/"],
        "filter",
        None,
        IN_INBOX,
        "Show only failures that hold these words; esc clears it.",
    ),
    binding(
        Action::Filter,
        &["/"],
        "filter",
        Some(7),
        Valid::BesideList,
        "Show only lines that hold these words; esc clears it.",
    ),
    binding(Action::Search, &["/"], "search", None, ANY_PAGE, "Search in the text shown; esc ends the search."),
    binding(
        Action::NextMatch,
        &["n"],
        "next match",
        Some(0),
        Valid::Searching,
        "To the next line that was searched for.",
    ),
    binding(Action::PreviousMatch, &["N"], "previous match", None, Valid::Searching, "To the one before."),
    binding(
        Action::NextOpen,
        &["o"],
        "next open",
        None,
        INBOX,
        "Go to the next open failure without deciding this one.",
    ),
    binding(
        Action::Prompt,
        &["p"],
        "prompt",
        None,
        INBOX,
        "Copy the text that asks a coding agent whose fault this failure is; `redpin suggest` takes its answer in.",
    ),
    binding(
        Action::Choose,
        &["c"],
        "property",
        None,
        INBOX,
        "Choose the property that a replay line belongs to, where it fits more than one.",
    ),
    binding(Action::Notices, &["!"], "notices", None, EVERYWHERE, "Show what could not be read in the runs."),
    binding(
        Action::Down,
        &["j", "down"],
        "down",
        None,
        EVERYWHERE,
        "Down. Digits with alt before a movement repeat it: alt-1 alt-0 j goes down ten.",
    ),
    binding(Action::Up, &["k", "up"], "up", None, EVERYWHERE, "Up."),
    binding(Action::HalfDown, &["ctrl-d"], "half down", None, EVERYWHERE, "Half a page down."),
    binding(Action::HalfUp, &["ctrl-u"], "half up", None, EVERYWHERE, "Half a page up."),
    binding(Action::PageDown, &["pgdn", "ctrl-f"], "page down", None, EVERYWHERE, "A page down."),
    binding(Action::PageUp, &["pgup", "ctrl-b"], "page up", None, EVERYWHERE, "A page up."),
    binding(Action::Top, &["g", "home"], "top", None, EVERYWHERE, "To the first line."),
    binding(
        Action::Bottom,
        &["G", "end"],
        "bottom",
        None,
        EVERYWHERE,
        "To the last line; with a number, to that line.",
    ),
    binding(Action::Left, &["h", "left"], "left", None, IN_FAILURE, "Long code lines: towards their start."),
    binding(Action::Right, &["l", "right"], "right", None, IN_FAILURE, "Long code lines: towards their end."),
    binding(Action::NextPane, &["tab"], "next pane", None, EVERYWHERE, "To the other pane."),
    binding(Action::PreviousPane, &["shift-tab"], "previous pane", None, EVERYWHERE, "To the other pane."),
    binding(Action::Zoom, &["z"], "zoom", None, EVERYWHERE, "Give this pane the whole screen, or take it back."),
    binding(Action::Go(Tab::Inbox), &["1"], "inbox", None, EVERYWHERE, "Show the failures."),
    binding(
        Action::Go(Tab::Requirements),
        &["2"],
        "requirements",
        None,
        EVERYWHERE,
        "Show the requirements: which have properties, pins and open failures, and which have none.",
    ),
    binding(
        Action::Go(Tab::Quarantine),
        &["3"],
        "quarantine",
        None,
        EVERYWHERE,
        "Show the tests that the patch contract sets aside, with the days that are left.",
    ),
    binding(
        Action::Go(Tab::Sweeps),
        &["4"],
        "sweeps",
        None,
        EVERYWHERE,
        "Show the sweeps over time: how much failed, what is open still, and how old that is.",
    ),
    binding(
        Action::Go(Tab::Decisions),
        &["5"],
        "decisions",
        None,
        EVERYWHERE,
        "Show what was decided, to be read and reopened.",
    ),
    binding(
        Action::Redraw,
        &["ctrl-l"],
        "redraw",
        None,
        EVERYWHERE,
        "Draw the screen anew, from the files as they are now.",
    ),
    binding(Action::Suspend, &["ctrl-z"], "suspend", None, EVERYWHERE, "Back to the shell; `fg` returns."),
    binding(
        Action::Help,
        &["?", ":", "ctrl-p"],
        "help",
        Some(9),
        EVERYWHERE,
        "All keys: type to search, enter runs the one chosen.",
    ),
    binding(Action::Quit, &["q", "ctrl-c"], "quit", None, EVERYWHERE, "Leave. Everything decided is saved already."),
];

/// What `key` does here.
pub(crate) fn action(key: Key, here: Here) -> Option<Action> {
    valid_in(here).find(|binding| binding.has(key)).map(|found| found.action)
}

/// The lines of the table that are valid here.
pub(crate) fn valid_in(here: Here) -> impl Iterator<Item = &'static Binding> {
    TABLE.iter().filter(move |binding| why_not(binding, here).is_none())
}

/// Why a line of the table is not valid here; `None` where it is.
pub(crate) fn why_not(binding: &Binding, here: Here) -> Option<&'static str> {
    let shadowed = here.searching && binding.keys.iter().any(|key| SEARCHING.contains(key));
    let in_inbox = here.tab == Tab::Inbox;
    let why_not = match binding.valid {
        Valid::Searching if here.searching => return None,
        Valid::Searching => return Some("after a search with / in the text"),
        Valid::Inbox | Valid::In(_) if !in_inbox => Some("in the inbox, which 1 shows"),
        Valid::Beside | Valid::BesideList if in_inbox => Some("in the tabs that 2 to 5 show"),
        Valid::Tab(tab) if tab != here.tab => Some("in the tab of the decisions, which 5 shows"),
        Valid::In(place) | Valid::Pane(place) if place != here.place => Some("in the other pane"),
        Valid::BesideList if here.place != Place::Inbox => Some("in the other pane"),
        _ => None,
    };
    why_not.or(shadowed.then_some("esc ends the search first"))
}

/// The keys of the search.
const SEARCHING: &[&str] = &["n", "N"];

impl Binding {
    fn has(&self, key: Key) -> bool {
        self.keys.iter().any(|name| Key::named(name) == Some(key))
    }
}

/// The lines the footer shows here, in its order.
pub(crate) fn footer(here: Here) -> Vec<&'static Binding> {
    let mut shown: Vec<_> = valid_in(here).filter(|binding| binding.footer.is_some()).collect();
    shown.sort_by_key(|binding| binding.footer);
    shown
}

/// The table of keys as Markdown, for the README.
pub fn markdown() -> String {
    let mut out = String::from("| key | does | where |\n| --- | --- | --- |\n");
    for binding in TABLE {
        let keys: Vec<String> = binding.keys.iter().map(|key| format!("`{key}`")).collect();
        let place = match binding.valid {
            Valid::Everywhere => "",
            Valid::Pane(Place::Inbox) => "lists",
            Valid::Pane(Place::Failure) => "texts",
            Valid::Inbox => "inbox, failure",
            Valid::In(Place::Inbox) => "inbox",
            Valid::In(Place::Failure) => "failure",
            Valid::Beside => "other tabs",
            Valid::BesideList => "other lists",
            Valid::Tab(tab) => tab.name(),
            Valid::Searching => "search",
        };
        out.push_str(&format!("| {} | {} | {place} |\n", keys.join(" "), binding.help));
    }
    out
}

/// A key as the table names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Key {
    pub(crate) code: KeyCode,
    pub(crate) ctrl: bool,
    /// With alt; only digits have it.
    pub(crate) alt: bool,
}

impl Key {
    /// A key by its name: `j`, `G`, `ctrl-d`, `alt-1`, `shift-tab`, `pgdn`, `space`.
    pub fn named(name: &str) -> Option<Self> {
        let (alt, name) = match name.strip_prefix("alt-") {
            Some(rest) => (true, rest),
            None => (false, name),
        };
        let (ctrl, name) = match name.strip_prefix("ctrl-") {
            Some(rest) => (true, rest),
            None => (false, name),
        };
        let code = match name {
            "enter" => KeyCode::Enter,
            "esc" => KeyCode::Esc,
            "space" => KeyCode::Char(' '),
            "tab" => KeyCode::Tab,
            "shift-tab" => KeyCode::BackTab,
            "backspace" => KeyCode::Backspace,
            "del" => KeyCode::Delete,
            "up" => KeyCode::Up,
            "down" => KeyCode::Down,
            "left" => KeyCode::Left,
            "right" => KeyCode::Right,
            "home" => KeyCode::Home,
            "end" => KeyCode::End,
            "pgup" => KeyCode::PageUp,
            "pgdn" => KeyCode::PageDown,
            _ => KeyCode::Char(single(name)?),
        };
        Some(Key { code, ctrl, alt })
    }

    /// The character typed, where the key is one.
    pub(crate) fn typed(self) -> Option<char> {
        match self.code {
            KeyCode::Char(c) if !self.ctrl && !self.alt => Some(c),
            _ => None,
        }
    }

    /// The digit of a count that it is.
    pub(crate) fn digit_with_alt(self) -> Option<usize> {
        match self.code {
            KeyCode::Char(c) if self.alt => c.to_digit(10).map(|digit| digit as usize),
            _ => None,
        }
    }
}

fn single(name: &str) -> Option<char> {
    let mut chars = name.chars();
    chars.next().filter(|_| chars.next().is_none())
}

#[cfg(test)]
mod tests {
    use super::{Action, Here, Key, Place, SEARCHING, TABLE, Tab, Valid, action, footer, valid_in};

    const INBOX: Here = Here { tab: Tab::Inbox, place: Place::Inbox, searching: false };
    const FAILURE: Here = Here { place: Place::Failure, ..INBOX };
    const SEARCH: Here = Here { searching: true, ..FAILURE };

    /// Every place there is.
    fn everywhere() -> impl Iterator<Item = Here> {
        let tabs = Tab::ALL.into_iter();
        tabs.flat_map(|tab| [INBOX, FAILURE, SEARCH].map(|here| Here { tab, ..here }))
    }

    #[test]
    fn every_key_in_the_table_has_a_name_that_is_understood() {
        for binding in TABLE {
            for key in binding.keys {
                assert!(Key::named(key).is_some(), "{key}");
            }
        }
    }

    #[test]
    fn no_key_does_two_things_in_one_place() {
        for here in everywhere() {
            let mut keys: Vec<_> = valid_in(here).flat_map(|binding| binding.keys).collect();
            let all = keys.len();
            keys.sort();
            keys.dedup();
            assert_eq!(keys.len(), all, "{here:?}");
        }
    }

    #[test]
    fn the_footer_names_few_keys_and_ends_with_help() {
        for here in everywhere() {
            let shown = footer(here);
            assert!(shown.len() <= 9, "{here:?}");
            assert_eq!(shown.last().map(|binding| binding.action), Some(Action::Help));
        }
    }

    #[test]
    fn enter_goes_deeper_and_esc_goes_back() {
        let press = |name, here| action(Key::named(name).unwrap(), here);
        assert_eq!(press("enter", INBOX), Some(Action::Open));
        assert_eq!(press("enter", FAILURE), Some(Action::Fold));
        assert_eq!(press("esc", INBOX), Some(Action::Back));
        assert_eq!(press("ctrl-c", FAILURE), Some(Action::Quit));
        assert_eq!(press("X", INBOX), None);
    }

    #[test]
    fn a_number_leads_to_each_tab_and_verdicts_are_given_in_the_inbox_alone() {
        let press = |name: &str, here| action(Key::named(name).unwrap(), here);
        for here in everywhere() {
            for tab in Tab::ALL {
                assert_eq!(press(&tab.number().to_string(), here), Some(Action::Go(tab)), "{here:?}");
            }
            assert_eq!(press("b", here).is_some(), here.tab == Tab::Inbox, "{here:?}");
            assert_eq!(press("r", here).is_some(), here.tab == Tab::Decisions, "{here:?}");
            assert_eq!(press("alt-1", here), None);
        }
    }

    #[test]
    fn a_search_has_its_keys_while_it_is_on_and_takes_only_those() {
        let press = |name, here| action(Key::named(name).unwrap(), here);
        assert_eq!((press("n", FAILURE), press("N", FAILURE)), (Some(Action::Note), None));
        assert_eq!((press("n", SEARCH), press("N", SEARCH)), (Some(Action::NextMatch), Some(Action::PreviousMatch)));
        assert_eq!(press("b", SEARCH), Some(Action::RealBug));
        let keys = TABLE.iter().filter(|binding| binding.valid == Valid::Searching).flat_map(|binding| binding.keys);
        assert_eq!(keys.collect::<Vec<_>>(), SEARCHING.iter().collect::<Vec<_>>());
    }
}
