//! A property as it would read had nobody renamed what it gives values to.

use std::collections::BTreeMap;

use super::words::{bound, spans};
use crate::oracle::{Clause, Rule};

/// `after` under the names that `before` has, where the two differ in names of their own alone; else `after` as it is.
pub(super) fn renamed(before: &Rule, after: &Rule) -> Rule {
    let mut after = after.clone();
    let Some(names) = names(before, &after).filter(|names| names.iter().any(|(new, old)| new != old)) else {
        return after;
    };
    let rename = |text: &mut String| *text = with_names(text, &names);
    rename(&mut after.body);
    let Rule { asserts, assumes, inputs, .. } = &mut after;
    asserts.iter_mut().chain(assumes).for_each(|Clause { text, .. }| rename(text));
    inputs.iter_mut().for_each(|input| rename(&mut input.name));
    after
}

/// What each of its own names was called; `None` where the two do not read the same but for such names.
fn names(before: &Rule, after: &Rule) -> Option<BTreeMap<String, String>> {
    let whole = |rule: &Rule| {
        let inputs: Vec<&str> = rule.inputs.iter().map(|input| input.name.as_str()).collect();
        format!("{}; {}", inputs.join(", "), rule.body)
    };
    let (old, new) = (whole(before), whole(after));
    if old == new {
        return None;
    }
    let own = |rule: &Rule, text: &str| -> Vec<String> {
        let inputs = rule.inputs.iter().flat_map(|input| super::words::words(&input.name));
        inputs.chain(bound(text)).map(str::to_owned).collect()
    };
    let (own_old, own_new) = (own(before, &old), own(after, &new));
    let (mut there, mut back): (BTreeMap<&str, &str>, BTreeMap<&str, &str>) = Default::default();
    let (mut end_old, mut end_new) = (0, 0);
    let (mut words_old, mut words_new) = (spans(&old), spans(&new));
    loop {
        let (one, other) = (words_old.next(), words_new.next());
        let start = |word: Option<(usize, &str)>, text: &str| word.map_or(text.len(), |(at, _)| at);
        // What stands between the words must be the same.
        if old[end_old..start(one, &old)] != new[end_new..start(other, &new)] {
            return None;
        }
        let (Some((at_old, old_word)), Some((at_new, new_word))) = (one, other) else { break };
        (end_old, end_new) = (at_old + old_word.len(), at_new + new_word.len());
        // What a value has is called by the same name, whatever the value is called.
        let is_member = |text: &str, at: usize| text[..at].ends_with('.') && !text[..at].ends_with("..");
        if is_member(&old, at_old) && is_member(&new, at_new) && old_word == new_word {
            continue;
        }
        let is_own = own_old.iter().any(|own| own == old_word) && own_new.iter().any(|own| own == new_word);
        let is_first = *there.entry(new_word).or_insert(old_word) == old_word
            && *back.entry(old_word).or_insert(new_word) == new_word;
        if !is_first || old_word != new_word && !is_own {
            return None;
        }
    }
    Some(there.into_iter().map(|(new, old)| (new.to_owned(), old.to_owned())).collect())
}

fn with_names(text: &str, names: &BTreeMap<String, String>) -> String {
    let mut written = String::new();
    let mut end = 0;
    for (at, word) in spans(text) {
        let is_member = text[..at].ends_with('.') && !text[..at].ends_with("..");
        written.push_str(&text[end..at]);
        written.push_str(names.get(word).filter(|_| !is_member).map_or(word, String::as_str));
        end = at + word.len();
    }
    written.push_str(&text[end..]);
    written
}

#[cfg(test)]
mod tests {
    use super::renamed;
    use crate::oracle::{Clause, Input, Rule};
    use crate::weakening::tests::rule as some_rule;

    fn rule(input: &str, body: &str) -> Rule {
        let asserts = vec![Clause { text: body.rsplit("; ").next().unwrap().to_owned(), line: 1 }];
        let inputs = vec![Input { name: input.to_owned(), ..Input::default() }];
        Rule { inputs, asserts, body: body.to_owned(), ..some_rule() }
    }

    #[track_caller]
    fn check(input: &str, body: &str, is_same: bool) {
        let before = rule("total", "let out = f(total); assert!(out.len() > total)");
        let after = renamed(&before, &rule(input, body));
        let expected = if is_same { before } else { rule(input, body) };
        assert_eq!(after, expected, "{body}");
    }

    #[test]
    fn names_of_its_own_may_be_others() {
        check("sum", "let out = f(sum); assert!(out.len() > sum)", true);
        check("sum", "let all = f(sum); assert!(all.len() > sum)", true);
        check("total", "let total = f(total); assert!(total.len() > total)", false);
        check("total", "let out = g(total); assert!(out.len() > total)", false);
        check("total", "let out = f(total); assert!(out.len() >= total)", false);
        check("sum", "let out = f(sum); assert!(out.len() > out)", false);
        check("len", "let out = f(len); assert!(out.len() > len)", true);
    }
}
