//! What a body does, step by step: whether a later one does all of it and asserts it in the same places.

use super::words::words;
use crate::oracle::Rule;

/// Whether `after` does all that `before` does, in the same order, and asserts it in the same places: more may stand only after all
/// of that, and must not leave early; before it only what works out new values of old ones. What became of assertions themselves
/// is told for each.
pub(super) fn goes_on(before: &Rule, after: &Rule) -> bool {
    let (old, new) = (Course::of(before), Course::of(after).without_new_values(&before.body));
    let Some(added) = new.steps.strip_prefix(&old.steps[..]) else { return false };
    let mut left = new.asserts.clone();
    let mut stands = |asserted: &(usize, &str)| {
        let place = left.iter().position(|one| one == asserted);
        place.map(|place| left.swap_remove(place)).is_some()
    };
    let still = || after.asserts.iter().chain(&after.assumes);
    let is_gone = |(_, text): &(usize, &str)| still().all(|clause| !pieces(&clause.text).eq([*text]));
    !added.iter().any(|piece| leaves(piece)) && old.asserts.iter().all(|asserted| is_gone(asserted) || stands(asserted))
}

/// Words by which a body ends before its end.
const LEAVES: [&str; 7] = ["return", "skip", "skipTest", "exit", "yield", "xfail", "importorskip"];

fn leaves(piece: &str) -> bool {
    words(piece).any(|word| LEAVES.contains(&word))
}

/// What a body does, step by step, and after how many steps it asserts what.
struct Course<'r> {
    steps: Vec<&'r str>,
    asserts: Vec<(usize, &'r str)>,
}

impl<'r> Course<'r> {
    fn of(rule: &'r Rule) -> Self {
        let clauses = || rule.asserts.iter().chain(&rule.assumes);
        let asserts = |piece: &str| clauses().any(|clause| pieces(&clause.text).eq([piece]));
        let mut course = Course { steps: Vec::new(), asserts: Vec::new() };
        for piece in pieces(&rule.body) {
            match asserts(piece) {
                true => course.asserts.push((course.steps.len(), piece)),
                false => course.steps.push(piece),
            }
        }
        course
    }

    /// The same without the steps that only give a name to a value, where `text` has no such name.
    fn without_new_values(self, text: &str) -> Self {
        let is_new = |step: &str| new_value(step).is_some_and(|name| words(text).all(|word| word != name));
        let mut gone = 0;
        let mut course = Course { steps: Vec::new(), asserts: Vec::new() };
        let mut asserts = self.asserts.into_iter().peekable();
        for (at, step) in self.steps.into_iter().enumerate() {
            while let Some((_, text)) = asserts.next_if(|(place, _)| *place <= at) {
                course.asserts.push((at - gone, text));
            }
            if is_new(step) { gone += 1 } else { course.steps.push(step) }
        }
        let steps = course.steps.len();
        course.asserts.extend(asserts.map(|(_, text)| (steps, text)));
        course
    }
}

/// What may be called in working out a value: it changes nothing.
const PURE: [&str; 28] = [
    "len",
    "sum",
    "min",
    "max",
    "abs",
    "sorted",
    "iter",
    "copied",
    "cloned",
    "clone",
    "unwrap",
    "count",
    "is_empty",
    "to_owned",
    "to_string",
    "str",
    "int",
    "float",
    "list",
    "set",
    "tuple",
    "range",
    "slice",
    "reduce",
    "Number",
    "String",
    "BigInt",
    "all",
];

/// The name to which a statement gives a value that it works out without changing anything.
fn new_value(step: &str) -> Option<&str> {
    let (left, value) = step.split_once(" = ")?;
    let name = ["let ", "const "].iter().fold(left, |left, word| left.strip_prefix(word).unwrap_or(left));
    let name = name.split(':').next()?.trim();
    let is_name = !name.is_empty() && name.chars().all(|char| char.is_alphanumeric() || char == '_');
    let is_plain = !value.contains(['!', '{', '?', '|', '\\', '…', '`'])
        && !value.contains("=>")
        && !value.contains("lambda")
        && !value.contains(" = ")
        && !value.contains("&mut")
        && !leaves(value);
    let mut before_call = value
        .match_indices('(')
        .map(|(at, _)| value[..at].trim_end_matches(|char: char| ":<>".contains(char) || char == ' '));
    let is_pure = before_call.all(|before| {
        // A type may stand between a name and its arguments, as in `sum::<u64>()`.
        let before = before.rsplit_once("::<").map_or(before, |(name, _)| name);
        words(before).last().is_none_or(|word| !before.ends_with(word) || PURE.contains(&word))
    });
    (is_name && is_plain && is_pure).then_some(name)
}

/// A text in normal form statement by statement, each bracket of a block for itself: whatever its language, the same text comes
/// apart in the same way.
fn pieces(text: &str) -> impl Iterator<Item = &str> {
    let blocks = text.split_inclusive(['{', '}', ';']).flat_map(|part| {
        let (own, end) = match part.char_indices().next_back() {
            Some((at, '}')) => part.split_at(at),
            _ => (part, ""),
        };
        [own, end]
    });
    blocks.map(|part| part.trim_matches([' ', ';'])).filter(|part| !part.is_empty())
}
