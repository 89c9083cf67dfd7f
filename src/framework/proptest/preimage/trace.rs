//! What a recorder wrote of one minimal case, as a tree of events. The lines come from a run of foreign code: what is not
//! understood is passed over, and a record without an end or a root is none.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::failure::TestName;

/// Events nest no deeper than this; a record that claims so is not read.
const DEEPEST: usize = 400;

/// A value that was printed, and the compiler's name of its type.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Made {
    pub(super) text: String,
    pub(super) ty: String,
}

/// A place in a source file as the compiler names it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Site {
    pub(super) file: String,
    /// From 1.
    pub(super) line: usize,
    /// In characters, from 1.
    pub(super) column: usize,
}

/// What a strategy did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A function made the value out of another.
    Map,
    /// Likewise, and the value was taken out of its `Some`.
    FilterMap,
    /// The value was converted.
    Into,
    /// A function made a strategy out of a value.
    Flat,
    /// One of several strategies gave the value.
    OneOf,
    /// The value is one of several.
    Select,
    /// The value was gathered from others.
    Vec,
    /// The value stands in the source.
    Just,
    /// The value is a set of bits.
    Bits,
    /// The minimal case.
    Root,
}

/// One thing that a strategy did on the way to the minimal case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Event {
    pub(super) kind: Kind,
    /// Where the strategy was made, for those that say so.
    pub(super) site: Option<Site>,
    /// The compiler's name of the function.
    pub(super) function: String,
    /// What the function received; of [`Kind::Bits`] those that are set.
    pub(super) received: Made,
    /// What it gave.
    pub(super) gave: Made,
    /// Which of several, for [`Kind::OneOf`] and [`Kind::Select`]; how many there is room for, for [`Kind::Bits`].
    pub(super) index: usize,
    /// The frame in which it was made.
    pub(super) under: Option<u64>,
    /// What was done for it before.
    pub(super) children: Vec<Event>,
}

/// The values that strategies made on the way to other strategies.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Frame {
    above: Option<u64>,
    events: Vec<Event>,
}

/// One record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Trace {
    /// The seed of the case, as the library writes it.
    pub(super) seed: String,
    /// The steps of shrinking: `S` for simpler, `C` for back; `None` where there were too many.
    pub(super) steps: Option<String>,
    /// The minimal case.
    pub(super) root: Event,
    frames: BTreeMap<u64, Frame>,
}

#[derive(Deserialize)]
struct Line {
    record: Option<u64>,
    end: Option<u64>,
    seed: Option<String>,
    steps: Option<String>,
    frame: Option<u64>,
    above: Option<u64>,
    of: Option<u64>,
    under: Option<u64>,
    depth: Option<usize>,
    kind: Option<String>,
    site: Option<String>,
    fun: Option<String>,
    #[serde(rename = "in")]
    received: Option<String>,
    in_ty: Option<String>,
    out: Option<String>,
    out_ty: Option<String>,
    index: Option<usize>,
}

impl Trace {
    /// The records in `text`, in order.
    pub(super) fn read(text: &str) -> Vec<Trace> {
        let lines = text.lines().filter_map(|line| serde_json::from_str::<Line>(line).ok());
        let mut records = Vec::new();
        let mut open: Option<Open> = None;
        for line in lines {
            if line.record.is_some() {
                open = Some(Open::new(line));
            } else if line.end.is_some() {
                records.extend(open.take().and_then(Open::ended));
            } else if let Some(open) = &mut open {
                open.take(line);
            }
        }
        records
    }

    /// What was made on the way to the strategy of `event`, outermost first.
    pub(super) fn around(&self, event: &Event) -> Vec<&Event> {
        let mut chain: Vec<&Frame> = Vec::new();
        let mut next = event.under;
        while let Some(frame) = next.and_then(|id| self.frames.get(&id)) {
            if chain.len() > DEEPEST {
                break;
            }
            chain.push(frame);
            next = frame.above;
        }
        chain.into_iter().rev().flat_map(|frame| &frame.events).collect()
    }

    /// Every event, those of frames first.
    pub(super) fn events(&self) -> Vec<&Event> {
        let mut found: Vec<&Event> = self.frames.values().flat_map(|frame| &frame.events).chain([&self.root]).collect();
        let mut next = 0;
        while next < found.len() {
            found.extend(&found[next].children);
            next += 1;
        }
        found
    }
}

/// The records in `text` that the property `test` left, which its thread or its library's own name for it tells: that
/// begins with the crate.
pub(in crate::framework::proptest) fn of_test(text: &str, test: &TestName) -> String {
    let is_its_own = |head: Head| {
        let by_name = head.test.split_once("::").is_some_and(|(_, name)| name == test.0);
        head.record.is_some() && (head.thread == test.0 || by_name)
    };
    let (mut found, mut is_inside) = (String::new(), false);
    for line in text.lines() {
        if line.starts_with("{\"record\"") {
            is_inside = serde_json::from_str(line).is_ok_and(is_its_own);
        }
        if is_inside {
            found.push_str(line);
            found.push('\n');
        }
    }
    found
}

/// The first line of a record.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Head {
    record: Option<u64>,
    test: String,
    thread: String,
}

/// A record that is being read.
struct Open {
    seed: String,
    steps: Option<String>,
    frames: BTreeMap<u64, Frame>,
    /// Events that no other has taken for its own yet, each with its depth and frame.
    waiting: Vec<(usize, Option<u64>, Event)>,
}

impl Open {
    fn new(line: Line) -> Open {
        let seed = line.seed.unwrap_or_default();
        Open { seed, steps: line.steps, frames: BTreeMap::new(), waiting: Vec::new() }
    }

    fn take(&mut self, line: Line) {
        if let Some(id) = line.frame {
            self.frames.entry(id).or_default().above = line.above;
            return;
        }
        let (of, depth) = (line.of, line.depth.unwrap_or_default());
        let Some(mut event) = event(line).filter(|_| depth < DEEPEST) else { return };
        let is_below = |(other, frame, _): &(usize, Option<u64>, Event)| *other > depth && *frame == of;
        let first = self.waiting.iter().rposition(|one| !is_below(one)).map_or(0, |last| last + 1);
        event.children = self.waiting.drain(first..).map(|(_, _, child)| child).collect();
        self.waiting.push((depth, of, event));
    }

    fn ended(mut self) -> Option<Trace> {
        let mut root = None;
        for (_, of, event) in self.waiting {
            match of {
                Some(id) => self.frames.entry(id).or_default().events.push(event),
                None if event.kind == Kind::Root => root = Some(event),
                None => {}
            }
        }
        Some(Trace { seed: self.seed, steps: self.steps, root: root?, frames: self.frames })
    }
}

fn event(line: Line) -> Option<Event> {
    let kind = match line.kind?.as_str() {
        "map" => Kind::Map,
        "filter_map" => Kind::FilterMap,
        "into" => Kind::Into,
        "flat" => Kind::Flat,
        "oneof" => Kind::OneOf,
        "select" => Kind::Select,
        "vec" => Kind::Vec,
        "just" => Kind::Just,
        "bits" => Kind::Bits,
        "root" => Kind::Root,
        _ => return None,
    };
    // A value too long to be written down has no text; whoever needs it finds no value there.
    let made =
        |text: Option<String>, ty: Option<String>| Made { text: text.unwrap_or_default(), ty: ty.unwrap_or_default() };
    Some(Event {
        kind,
        site: line.site.as_deref().and_then(site),
        function: line.fun.unwrap_or_default(),
        received: made(line.received, line.in_ty),
        gave: made(line.out, line.out_ty),
        index: line.index.unwrap_or_default(),
        under: line.under,
        children: Vec::new(),
    })
}

/// `file:line:column`.
fn site(text: &str) -> Option<Site> {
    let (rest, column) = text.rsplit_once(':')?;
    let (file, line) = rest.rsplit_once(':')?;
    Some(Site { file: file.to_owned(), line: line.parse().ok()?, column: column.parse().ok()? })
}

#[cfg(test)]
mod tests {
    use super::{Event, Trace, of_test};
    use crate::failure::TestName;

    /// Each event on a line, indented by its depth.
    fn told(event: &Event, depth: usize, lines: &mut Vec<String>) {
        let site = event.site.as_ref().map_or(String::new(), |at| format!(" {}:{}:{}", at.file, at.line, at.column));
        let indent = "  ".repeat(depth);
        lines.push(format!("{indent}{:?}{site} {} -> {}", event.kind, event.received.text, event.gave.text));
        event.children.iter().for_each(|child| told(child, depth + 1, lines));
    }

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        let mut lines = Vec::new();
        for trace in Trace::read(text) {
            lines.push(format!("{} {}", trace.seed, trace.steps.as_deref().unwrap_or("-")));
            told(&trace.root, 0, &mut lines);
        }
        assert_eq!(lines, expected, "{text}");
    }

    #[test]
    fn events_are_under_the_one_they_were_done_for() {
        check(
            "{\"record\":1,\"seed\":\"cc 0a\",\"steps\":\"SC\"}\n\
             {\"depth\":2,\"kind\":\"oneof\",\"index\":1,\"out\":\"1\"}\n\
             {\"depth\":1,\"kind\":\"map\",\"site\":\"a:b.rs:3:9\",\"in\":\"1\",\"out\":\"A(1)\"}\n\
             {\"depth\":1,\"kind\":\"just\",\"out\":\"2\"}\n\
             {\"depth\":0,\"kind\":\"root\",\"out\":\"x\"}\n{\"end\":1}\n",
            &["cc 0a SC", "Root  -> x", "  Map a:b.rs:3:9 1 -> A(1)", "    OneOf  -> 1", "  Just  -> 2"],
        );
    }

    #[test]
    fn each_record_is_of_the_property_that_left_it() {
        let record = |test: &str, thread: &str, line: &str| {
            format!("{{\"record\":1,\"test\":\"{test}\",\"thread\":\"{thread}\"}}\n{line}\n{{\"end\":1}}\n")
        };
        let text = [
            record("c::m::one", "m::one", "1"),
            record("", "m::two", "2"),
            record("c::m::one", "main", "3"),
            record("m::one", "", "4"),
            record("", "", "5"),
        ];
        let told = |test: &str| {
            let own = of_test(&text.concat(), &TestName(test.to_owned()));
            own.lines().filter(|line| !line.starts_with('{')).map(str::to_owned).collect::<String>()
        };
        assert_eq!((told("m::one"), told("m::two"), told("one")), ("13".to_owned(), "2".to_owned(), "4".to_owned()));
    }

    #[test]
    fn what_is_no_record_is_passed_over() {
        check("", &[]);
        check("{\"record\":1}\n{\"depth\":0,\"kind\":\"root\"}\n", &[]);
        check("{\"record\":1}\n{\"depth\":1,\"kind\":\"map\"}\n{\"end\":1}\n", &[]);
        check(
            "noise\n{\"record\":1}\n{\"depth\":1,\"kind\":\"odd\"}\n{\"depth\":9999,\"kind\":\"map\"}\n{\"depth\":0,\"kind\":\"root\",\"out\":\"x\"}\n[]\n{\"end\":1}\n{\"end\":1}\n",
            &[" -", "Root  -> x"],
        );
    }

    #[test]
    fn frames_tell_what_was_made_before_outermost_first() {
        let text = "{\"record\":1}\n{\"frame\":1}\n{\"depth\":0,\"kind\":\"flat\",\"in\":\"5\",\"of\":1}\n\
                    {\"frame\":2,\"above\":1}\n{\"depth\":0,\"kind\":\"flat\",\"in\":\"6\",\"of\":2,\"under\":1}\n\
                    {\"depth\":1,\"kind\":\"map\",\"in\":\"7\",\"under\":2}\n{\"depth\":0,\"kind\":\"root\"}\n{\"end\":1}\n";
        let traces = Trace::read(text);
        let around = traces[0].around(&traces[0].root.children[0]);
        assert_eq!(around.iter().map(|event| event.received.text.as_str()).collect::<Vec<_>>(), ["5", "6"]);
        assert_eq!(traces[0].events().len(), 4);
    }

    #[test]
    fn frames_in_a_circle_end() {
        let text = "{\"record\":1}\n{\"frame\":1,\"above\":2}\n{\"frame\":2,\"above\":1}\n{\"depth\":0,\"kind\":\"root\",\"under\":1}\n{\"end\":1}\n";
        let traces = Trace::read(text);
        assert!(traces[0].around(&traces[0].root).is_empty());
    }
}
