//! What can be answered: a letter, as the key of the workstation, and words behind it where it takes some.

/// What an answer asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Answer {
    RealBug,
    AmbiguousSpec,
    WrongProperty,
    Note,
    Stage,
    Undo,
    Redo,
    NextOpen,
    Go,
    Choose,
    Patch,
    List,
    Reopen,
    Requirements,
    Quarantine,
    Sweeps,
    Decisions,
    Help,
    Quit,
}

/// Every answer with its letter and help.
pub(super) const ANSWERS: &[(&str, Answer, &str)] = &[
    ("b", Answer::RealBug, "real bug: the code is wrong, pin this input"),
    ("a", Answer::AmbiguousSpec, "ambiguous spec: write an open question under the requirement"),
    ("w", Answer::WrongProperty, "wrong property: pin nothing, record why"),
    ("n", Answer::Note, "a note for the decision record: n WORDS"),
    ("s", Answer::Stage, "stage what was decided"),
    ("u", Answer::Undo, "undo the last decision or staging"),
    ("U", Answer::Redo, "redo what was undone"),
    ("o", Answer::NextOpen, "the next open failure"),
    ("g", Answer::Go, "go to a failure by its id or test name: g NAME; alone, show this one again"),
    ("c", Answer::Choose, "choose the property that a replay line belongs to: c NAME"),
    ("p", Answer::Patch, "the patch that the verdict stages, or a real bug where there is none yet"),
    ("l", Answer::List, "list the failures; l WORDS only those that hold the words"),
    ("r", Answer::Reopen, "open a decided failure again: r NAME; alone, this one"),
    ("2", Answer::Requirements, "requirements, with their properties, pins and last decisions"),
    ("3", Answer::Quarantine, "what the patch contract sets aside, and for how many days"),
    ("4", Answer::Sweeps, "sweeps, the newest first"),
    ("5", Answer::Decisions, "decisions on record, the newest first"),
    ("?", Answer::Help, "these answers"),
    ("q", Answer::Quit, "leave; everything decided is saved already"),
];

impl Answer {
    /// The answer that a line gives, and the words behind its letter.
    pub(super) fn of(line: &str) -> Option<(Answer, &str)> {
        let line = line.trim();
        let (letter, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let found = ANSWERS.iter().find(|(answer, ..)| *answer == letter);
        found.map(|(_, answer, _)| (*answer, rest.trim()))
    }
}

#[cfg(test)]
mod tests {
    use super::{ANSWERS, Answer};

    #[test]
    fn an_answer_is_a_letter_with_words_behind_it() {
        assert_eq!(Answer::of(" b "), Some((Answer::RealBug, "")));
        assert_eq!(Answer::of("n  why so? "), Some((Answer::Note, "why so?")));
        assert_eq!(Answer::of("U"), Some((Answer::Redo, "")));
        assert_eq!(["", "bb", "B", "yes please"].map(Answer::of), [None; 4]);
    }

    #[test]
    fn no_letter_stands_for_two_answers() {
        let mut letters: Vec<_> = ANSWERS.iter().map(|(letter, ..)| letter).collect();
        letters.sort();
        letters.dedup();
        assert_eq!(letters.len(), ANSWERS.len());
    }
}
