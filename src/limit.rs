//! Limits that a requirement states in plain words, as `1 to 24 parts` or `at most 200 stamps`, held against an argument of
//! that name. A remark to judge by, no more: prose has many ways to say a thing, and only the plainest are read.

/// A limit as a text states it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limit {
    /// The words that state it.
    pub phrase: String,
    /// The least that it allows; `None` where it says none.
    pub low: Option<i128>,
    /// The greatest.
    pub high: Option<i128>,
}

impl Limit {
    /// Whether `value` lies outside.
    fn excludes(&self, value: i128) -> bool {
        self.low.is_some_and(|low| value < low) || self.high.is_some_and(|high| value > high)
    }
}

/// The first limit in `text` that speaks of `name` and does not allow `value`. A limit that stands right before one of
/// the `others`, as in `A total is split into 6 to 24 parts`, is of that one.
pub fn broken(text: &str, name: &str, value: i128, others: &[&str]) -> Option<Limit> {
    stated(text, name, others).into_iter().find(|limit| limit.excludes(value))
}

/// The limits in `text` that speak of `name` and of none of the `others`.
pub fn stated(text: &str, name: &str, others: &[&str]) -> Vec<Limit> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let mut found = Vec::new();
    let mut at = 0;
    while at < words.len() {
        if let Some((limit, end)) = limit(&words, at) {
            let anothers = others.iter().any(|other| !same_noun(other, name) && counts(&words, end, other));
            found.extend((!anothers && speaks_of(&words, at, end, name)).then_some(limit));
            at = end;
        } else {
            at += 1;
        }
    }
    found
}

/// The limit whose first word is at `at`, with the index after it.
fn limit(words: &[&str], at: usize) -> Option<(Limit, usize)> {
    let word = |offset: usize| words.get(at + offset).map_or("", |word| bare(word));
    let is = |wanted: &[&str]| wanted.iter().enumerate().all(|(offset, one)| word(offset).eq_ignore_ascii_case(one));
    let found = |low, high, length: usize| {
        let phrase = words.get(at..at + length)?.iter().map(|word| bare(word)).collect::<Vec<_>>().join(" ");
        Some((Limit { phrase, low, high }, at + length))
    };
    if let (Some(low), Some(high)) = (number(word(0)), number(word(2)))
        && word(1) == "to"
    {
        return found(Some(low), Some(high), 3);
    }
    if let (true, Some(low), Some(high)) = (is(&["between"]) && word(2) == "and", number(word(1)), number(word(3))) {
        return found(Some(low), Some(high), 4);
    }
    for most in [&["at", "most"][..], &["up", "to"], &["no", "more", "than"], &["not", "more", "than"]] {
        if let (true, Some(high)) = (is(most), number(word(most.len()))) {
            return found(None, Some(high), most.len() + 1);
        }
    }
    for least in [&["at", "least"][..], &["no", "less", "than"], &["not", "less", "than"], &["no", "fewer", "than"]] {
        if let (true, Some(low)) = (is(least), number(word(least.len()))) {
            return found(Some(low), None, least.len() + 1);
        }
    }
    None
}

/// Whether the limit `words[start..end]` is one of `name`: the next word, or one of the four before it in its sentence.
fn speaks_of(words: &[&str], start: usize, end: usize, name: &str) -> bool {
    let ends_sentence = |word: &&&str| word.ends_with(['.', ':', ';']);
    let mut before = words[..start].iter().rev().take_while(|word| !ends_sentence(word)).take(4);
    counts(words, end, name) || before.any(|word| same_noun(bare(word), name))
}

/// Whether `name` is the word right after the limit that ends before `end`.
fn counts(words: &[&str], end: usize, name: &str) -> bool {
    let last = words.get(end - 1).copied().unwrap_or_default();
    let next = words.get(end).filter(|_| !last.ends_with(['.', ',', ':', ';']));
    next.is_some_and(|word| same_noun(bare(word), name))
}

/// Whether a word and a name mean the same thing: equal but for case and a final `s`.
fn same_noun(word: &str, name: &str) -> bool {
    let stem = |noun: &str| noun.to_lowercase().trim_end_matches('s').to_owned();
    !word.is_empty() && stem(word) == stem(name)
}

/// A word without the signs around it.
fn bare(word: &str) -> &str {
    word.trim_matches(|c: char| !c.is_alphanumeric() && c != '-' && c != '_').trim_end_matches('-')
}

/// A whole number, its digits perhaps in groups of three.
fn number(word: &str) -> Option<i128> {
    let mut groups = word.split([',', '_']);
    let first = groups.next()?;
    let digits = groups.try_fold(first.to_owned(), |digits, group| (group.len() == 3).then(|| digits + group))?;
    digits.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::broken;

    #[track_caller]
    fn check(text: &str, name: &str, value: i128, expected: Option<&str>) {
        assert_eq!(
            broken(text, name, value, &["total", "parts"]).map(|limit| limit.phrase).as_deref(),
            expected,
            "{text}"
        );
    }

    #[test]
    fn a_value_outside_what_the_text_allows_is_told_with_the_words() {
        check("An amount is split into 1 to 24 parts.", "parts", 25, Some("1 to 24"));
        check("A card holds at most 200 stamps.", "stamp", 201, Some("at most 200"));
        check("The `total` is between 0 and 10,000.", "total", 10_001, Some("between 0 and 10,000"));
        check("A discount of up to 90 percent; parts number at least 2.", "parts", 1, Some("at least 2"));
        check("Balance is no less than -50 cents", "balance", -51, Some("no less than -50"));
    }

    #[test]
    fn a_value_within_is_not_told() {
        check("An amount is split into 1 to 24 parts.", "parts", 24, None);
        check("The total is between 0 and 10_000.", "total", 0, None);
    }

    #[test]
    fn limits_of_something_else_are_not_told() {
        check("An amount is split into 1 to 24 parts.", "total", 118_958, None);
        check("A total is split into 6 to 24 parts.", "total", 118_958, None);
        check("A total is split into 6 to 24 parts.", "parts", 4, Some("6 to 24"));
        check("Parts are numbered. Between 1 and 3 clerks sign.", "parts", 9, None);
        check("At most 1.5 hours; 1,2 to 3 parts; at most parts", "parts", 9, None);
        check("at most", "parts", 9, None);
    }
}
