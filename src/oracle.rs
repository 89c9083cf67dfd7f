//! What the files of an oracle state, taken apart so that two versions can be held against each other: properties with their
//! generators and assertions, the pins that stand by them, and what they rest on.
//!
//! Texts are in *normal form*: two are equal where only comments and layout differ. How that looks is the language's own; it
//! stays readable, on one line, since findings quote it.

use crate::failure::TestName;
use crate::span::Span;

/// What one file states.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Oracle {
    /// Its properties, in the order in which they stand.
    pub rules: Vec<Rule>,
    /// Tests in it that hold one input of a property each.
    pub pins: Vec<Named>,
    /// The test code beside both: generators, helper functions, constants.
    pub support: Vec<Named>,
    /// What it takes from elsewhere: the name that each has here, with where it is from and what it is called there.
    pub imports: Vec<Named>,
    /// What runs before its tests do, whatever they speak of.
    pub runs: Vec<Named>,
    /// What it says of which tests are run, and how often.
    pub settings: Vec<Setting>,
    /// The commands in it that run tests: each by its program, with what it is told that may leave tests out.
    pub commands: Vec<Named>,
    /// All else: the code under test, where tests stand in its own file. In normal form; empty where there is none.
    pub rest: String,
}

/// A property as its source states it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    /// Full test name, as a run names it where the source tells that.
    pub test: TestName,
    /// The line of its `fn`, `def` or call, from 1.
    pub line: u32,
    /// The bytes of all of it in the file as read, with its comments and attributes.
    pub span: Span,
    /// Names and comments in which a requirement may be cited: of the property, and of what encloses it.
    pub citations: Vec<String>,
    /// What it is given, in order.
    pub inputs: Vec<Input>,
    /// How many cases its source says it is run with; `None` where it leaves that to the library or to the environment.
    pub cases: Option<u64>,
    /// What has its runner pass it over, in normal form: `#[ignore]`, `@pytest.mark.skip`, `.skip`.
    pub skipped: Option<String>,
    /// What else is said of it, on it or around it, that may keep it from failing: conditions, marks, settings. In normal form,
    /// without what is known to be harmless.
    pub around: Vec<Clause>,
    /// Its assertions, in order.
    pub asserts: Vec<Clause>,
    /// What it assumes of its inputs, or filters out of them.
    pub assumes: Vec<Clause>,
    /// Inputs that it runs before any generated one: `@example`, `examples`.
    pub examples: Vec<Clause>,
    /// Its body, assertions and assumptions in their places, in normal form.
    pub body: String,
}

/// Something that a property is given.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Input {
    /// Its name or pattern; empty where the source gives it none.
    pub name: String,
    /// What generates it, in normal form.
    pub generator: String,
    /// How far it reaches.
    pub shape: Shape,
}

/// A generator, taken apart into its limits and all else: of two with the same frame the limits tell which gives more.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Shape {
    /// The generator in normal form without its limits and its filters.
    pub frame: String,
    /// What its parts reach, in the order in which they stand.
    pub reaches: Vec<Reach>,
    /// The types that its limits are written with, in that order; `None` where none is.
    pub types: Vec<Option<String>>,
}

impl Shape {
    /// What the generator reaches, where it is nothing but its limits, under whichever name.
    pub fn whole(&self) -> Option<Reach> {
        let [reach] = self.reaches.as_slice() else { return None };
        let name = self.frame.strip_suffix("()").unwrap_or(&self.frame);
        let is_name = |char: char| char.is_alphanumeric() || matches!(char, '_' | '.' | '…');
        name.chars().all(is_name).then_some(*reach)
    }

    /// Whether all that `other` gives is given; `None` where that is not plain to see.
    pub fn covers(&self, other: &Shape) -> Option<bool> {
        let mut types = self.types.iter().zip(&other.types);
        let is_alike = self.frame == other.frame
            && self.reaches.len() == other.reaches.len()
            && types.all(|pair| !matches!(pair, (Some(own), Some(other)) if own != other));
        is_alike.then(|| self.reaches.iter().zip(&other.reaches).all(|(own, other)| own.covers(*other)))
    }
}

/// The least and the greatest number that a generator gives, or the least and the greatest size of what it gives; `None`
/// where there is no such limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reach {
    /// The least.
    pub low: Option<i128>,
    /// The greatest; itself within reach.
    pub high: Option<i128>,
}

impl Reach {
    /// Whether all that `other` reaches is within this reach.
    pub fn covers(self, other: Reach) -> bool {
        let is_low = self.low.is_none_or(|low| other.low.is_some_and(|other| low <= other));
        let is_high = self.high.is_none_or(|high| other.high.is_some_and(|other| other <= high));
        is_low && is_high
    }
}

/// A piece of source.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Clause {
    /// In normal form.
    pub text: String,
    /// Its first line, from 1.
    pub line: u32,
}

/// A piece of source with a name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Named {
    /// Its name; of a test the full one.
    pub name: String,
    /// All of it, without its comments, in normal form.
    pub text: String,
    /// The line of its name, from 1.
    pub line: u32,
}

/// What means the same in every file of a framework.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Known {
    /// What names are taken from that mean the same whoever takes them: libraries, by the beginning of their modules.
    pub libraries: &'static [&'static str],
    /// Names by which properties are made and assert, wherever they are taken from.
    pub names: &'static [&'static str],
}

impl Named {
    /// A command that runs tests: `program` with what is `said` to it, without the options that are `harmless`. Those end at `=`.
    pub fn command(program: String, said: &str, harmless: &[&str], line: u32) -> Named {
        let is_harmless = |word: &&str| harmless.contains(&word.split('=').next().unwrap_or_default());
        let words: Vec<&str> = said.split_whitespace().filter(|word| !is_harmless(word)).collect();
        Named { name: program, text: words.join(" "), line }
    }
}

/// Something that decides which tests are run, or how often.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Setting {
    /// The key.
    pub name: String,
    /// The value.
    pub text: String,
    /// The line, from 1.
    pub line: u32,
    /// The path that the files begin with whose tests are meant; empty for all.
    pub scope: String,
}

#[cfg(test)]
mod tests {
    use super::{Reach, Shape};

    #[test]
    fn a_shape_covers_another_of_the_same_frame_with_nearer_limits() {
        let reach = |low, high| Reach { low: Some(low), high: Some(high) };
        let shape = |frame: &str, reaches: &[Reach]| Shape {
            frame: frame.to_owned(),
            reaches: reaches.to_vec(),
            types: Vec::new(),
        };
        let wide = shape("vec(_, _)", &[reach(0, 9), reach(1, 5)]);
        assert_eq!(wide.covers(&shape("vec(_, _)", &[reach(0, 9), reach(2, 5)])), Some(true));
        assert_eq!(wide.covers(&shape("vec(_, _)", &[reach(0, 10), reach(2, 5)])), Some(false));
        assert_eq!(wide.covers(&shape("set(_, _)", &[reach(0, 9), reach(1, 5)])), None);
        assert_eq!(wide.covers(&shape("vec(_, _)", &[reach(0, 9)])), None);
    }

    #[test]
    fn a_reach_covers_what_lies_within() {
        let reach = |low, high| Reach { low, high };
        let all = reach(None, None);
        let some = reach(Some(0), Some(10));
        assert!(all.covers(some) && some.covers(some) && some.covers(reach(Some(1), Some(10))));
        assert!(!some.covers(all) && !some.covers(reach(Some(-1), Some(5))) && !some.covers(reach(Some(1), None)));
        assert!(reach(Some(1), None).covers(reach(Some(2), Some(3))));
    }
}
