//! Whether a pin fails for the reason its property failed for. The two may say it in different words: a library's assertions
//! and the standard library's print the same facts in another order and with other signs between.

/// Words that stand in one form of a message and not in the other.
const FORM: &[&str] = &[
    "assertion",
    "failed",
    "called",
    "result",
    "unwrap",
    "on",
    "an",
    "err",
    "value",
    "fail",
    "reason",
    "left",
    "right",
    "test",
    "case",
];

/// Whether two messages tell the same: the same facts, or the same words around facts that change from run to run.
pub(crate) fn is_same(recorded: &str, found: &str) -> bool {
    let (mut old, mut new) = (facts(recorded), facts(found));
    old.sort_unstable();
    new.sort_unstable();
    old == new || shape(recorded).is_some_and(|words| shape(found) == Some(words))
}

/// The words of a message but those that are its form's.
fn facts(message: &str) -> Vec<String> {
    let unescaped = message.replace("\\n", "\n").replace("\\\"", "\"").replace("\\'", "'");
    let words = unescaped.split(|c: char| !(c.is_alphanumeric() || c == '_')).filter(|word| !word.is_empty());
    words.map(str::to_lowercase).filter(|word| !FORM.contains(&word.as_str())).collect()
}

/// What is left of a message when its numbers and quoted parts are taken out: the same whatever the order of a hash or
/// the address of a value. Nothing where nothing but those was said.
fn shape(message: &str) -> Option<Vec<String>> {
    let words = facts(&message.split('"').step_by(2).collect::<Vec<_>>().join(" "));
    let words: Vec<String> = words.into_iter().filter(|word| !word.starts_with(|c: char| c.is_ascii_digit())).collect();
    (!words.is_empty()).then_some(words)
}
