//! What stands on a property and around it: attributes of it, of its block and of the modules that hold it, and macros that it is
//! handed to.

use super::{Source, opens};
use crate::language::rust::normal::{normal, normal_text};
use crate::language::rust::property::{Form, PropertyFn};
use crate::language::rust::tokens::Kind;
use crate::oracle::Clause;

/// Attributes that keep no test from running, and none from failing.
const HARMLESS: [&str; 20] = [
    "test",
    "doc",
    "allow",
    "expect",
    "warn",
    "deny",
    "forbid",
    "rustfmt::skip",
    "inline",
    "must_use",
    "macro_use",
    "tokio::test",
    "async_std::test",
    "rstest",
    "test_log::test",
    "property_test",
    "proptest::property_test",
    "proptest",
    "test_strategy::proptest",
    "proptest_config",
];

/// Macros that make tests of what they are given.
const MAKERS: [&str; 3] = ["proptest", "prop_state_machine", "prop_compose"];

impl Source<'_> {
    /// What is said of a property besides.
    pub(super) fn around(&self, property: &PropertyFn) -> Vec<Clause> {
        let own = property.attributes.iter().map(|attribute| normal_text(attribute)).filter(|one| is_telling(one));
        let mut found: Vec<Clause> = own.map(|text| Clause { text, line: property.line }).collect();
        let item = self.tokens(property.item);
        found.extend(self.above(item.start));
        found.extend(self.config(property).map(|text| Clause { text, line: property.line }));
        // A block's own bracket is behind where it begins.
        if property.form == Form::Block {
            found.extend(self.inner(item.start, item.end));
        }
        found.dedup();
        found
    }

    /// What is said of all that stands where the token `at` does.
    pub(super) fn above(&self, at: usize) -> Vec<Clause> {
        let code = &self.code;
        let mut found = self.inner_attributes(0);
        let mut open = 0;
        while open < at {
            let is_around = opens(code, open) && code.partner(open) > at;
            if is_around {
                found.extend(self.head(open));
                found.extend(self.inner_attributes(open + 1));
                open += 1;
            } else {
                open = code.after_group(open).unwrap_or(open + 1);
            }
        }
        found
    }

    /// What stands before the bracket at `open` that says something of what is in it.
    fn head(&self, open: usize) -> Vec<Clause> {
        let code = &self.code;
        let clause = |text: String| Clause { text, line: self.line(open) };
        if code.sign(open.wrapping_sub(1), '!') && open >= 2 {
            let name = open - 2;
            let own = (!MAKERS.contains(&code.word(name))).then(|| clause(format!("{}!", code.word(name))));
            let first = code.first(code.path_start(name));
            return self.attributes(first, name).chain(own).collect();
        }
        let Some(keyword) = open.checked_sub(2).filter(|&at| code.word(at) == "mod") else { return Vec::new() };
        self.attributes(code.first(keyword), keyword).collect()
    }

    fn attributes(&self, first: usize, keyword: usize) -> impl Iterator<Item = Clause> {
        let texts = self.code.attribute_texts(first, keyword).into_iter().map(|text| normal_text(&text));
        let line = self.line(keyword);
        texts.filter(|text| is_telling(text)).map(move |text| Clause { text, line })
    }

    /// The attributes in the block of properties whose item begins at `start`, said of all of them.
    fn inner(&self, start: usize, end: usize) -> Vec<Clause> {
        let open = (start..end).find(|&at| self.code.open(at, '{'));
        open.map_or_else(Vec::new, |open| self.inner_attributes(open + 1))
    }

    /// The inner attributes from the token `at` on.
    fn inner_attributes(&self, mut at: usize) -> Vec<Clause> {
        let code = &self.code;
        let mut found = Vec::new();
        loop {
            if code.kind(at) == Some(Kind::Doc) {
                at += 1;
                continue;
            }
            if !(code.sign(at, '#') && code.sign(at + 1, '!') && code.open(at + 2, '[')) {
                return found;
            }
            let end = code.partner(at + 2) + 1;
            let text = normal(code, at, end, &|_| false);
            if is_telling(&text) {
                found.push(Clause { text, line: self.line(at) });
            }
            at = end;
        }
    }
}

/// Whether an attribute in normal form may keep a test from running, or from failing.
pub(super) fn is_telling(attribute: &str) -> bool {
    let inner = attribute.trim_start_matches(['#', '!', '[', ' ']).trim_end_matches(']');
    let path = inner.split(['(', '=', ' ']).next().unwrap_or_default();
    // A configuration is told for itself.
    let is_set = matches!(path, "property_test" | "proptest::property_test" | "proptest" | "test_strategy::proptest");
    !HARMLESS.contains(&path) && inner != "cfg(test)" || is_set && super::config::is_telling_attribute(inner)
}
