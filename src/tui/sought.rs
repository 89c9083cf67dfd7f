//! What a filter or a search looks for: words, all of which a text must hold. Small letters match both cases, a word with a
//! capital only itself.

use std::ops::Range;

/// The words looked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Sought {
    words: Vec<String>,
    /// Whether capitals are told from small letters.
    exact: bool,
}

impl Sought {
    /// The words of a text as it was typed.
    pub(crate) fn new(text: &str) -> Self {
        let exact = text.chars().any(char::is_uppercase);
        Sought { words: text.split_whitespace().map(str::to_owned).collect(), exact }
    }

    /// Whether nothing is looked for.
    pub(crate) fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// Whether `text` holds all words.
    pub(crate) fn is_in(&self, text: &str) -> bool {
        let small;
        let text = if self.exact {
            text
        } else {
            small = text.to_lowercase();
            &small
        };
        self.words.iter().all(|word| text.contains(word.as_str()))
    }

    /// Where in `text` the words stand. Letters that change their length with their case hide the places behind them.
    pub(crate) fn places(&self, text: &str) -> Vec<Range<usize>> {
        let small = if self.exact { text.to_owned() } else { text.to_lowercase() };
        if !self.is_in(text) || small.len() != text.len() {
            return Vec::new();
        }
        let mut places = Vec::new();
        for word in &self.words {
            let found = small.match_indices(word.as_str()).map(|(at, _)| at..at + word.len());
            places.extend(found.filter(|place| text.get(place.clone()).is_some()));
        }
        places
    }
}

#[cfg(test)]
mod tests {
    use super::Sought;

    #[test]
    fn small_letters_match_both_cases_and_a_capital_only_itself() {
        for (words, text, expected) in [
            ("sum exact", "bill_sum_is_Exact", true),
            ("Exact", "bill_sum_is_Exact", true),
            ("EXACT", "bill_sum_is_Exact", false),
            ("sum nothing", "bill_sum_is_Exact", false),
            ("größe", "GRÖSSE Größe", true),
        ] {
            assert_eq!(Sought::new(words).is_in(text), expected, "{words:?} in {text:?}");
        }
    }

    #[test]
    fn the_places_of_all_words_are_told_where_all_are_there() {
        assert_eq!(Sought::new("an b").places("Banana"), [1..3, 3..5, 0..1]);
        assert!(Sought::new("an c").places("Banana").is_empty());
        assert!(Sought::new("x").places("İx").is_empty());
    }
}
