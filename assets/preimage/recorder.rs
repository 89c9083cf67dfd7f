//! Put into a copy of a generator library by redpin, in a scratch build alone: writes down what the library's strategies
//! received and gave while the minimal case was made for the last time. With no folder named in the environment it does
//! nothing. Standard library only; nothing is printed.

#![allow(missing_docs, warnings)]

use std::cell::RefCell;
use std::fmt::{self, Write};
use std::panic::Location;
use std::prelude::v1::*;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::Arc;

/// The environment names the folder that records go to.
const FOLDER: &str = "REDPIN_RECORD";

/// The environment gives tests their seeds: a line each, the test's name, a tab, the seed.
const SEEDS: &str = "REDPIN_SEEDS";

/// Longest Debug text that is written down, in bytes.
const LONGEST_TEXT: usize = 1 << 18;

/// Most events that are written down of one case.
const MOST_EVENTS: usize = 20_000;

/// Most steps of one shrinking.
const MOST_STEPS: usize = 1 << 20;

/// Most bits of one set that are written down.
const MOST_BITS: usize = 1 << 13;

/// How much longer shrinking may go on that was cut off.
const MOST_TRIED: usize = 1 << 14;
const LONGEST: std::time::Duration = std::time::Duration::from_secs(20);

static NEXT: AtomicUsize = AtomicUsize::new(1);

thread_local! {
    static DESK: RefCell<Desk> = RefCell::new(Desk::new());
}

/// What this thread is doing.
struct Desk {
    folder: Option<std::path::PathBuf>,
    on: bool,
    depth: usize,
    events: Vec<Event>,
    frame: Option<Arc<Frame>>,
    seed: String,
    steps: String,
    further: Option<Further>,
}

/// Shrinking that goes on where it was cut off.
struct Further {
    since: std::time::Instant,
    tried: usize,
}

/// One thing that a strategy did, as JSON without the frame it names.
#[derive(Clone)]
struct Event {
    text: String,
    under: Option<Arc<Frame>>,
}

/// What was made on the way to a strategy that depends on a value.
struct Frame {
    id: usize,
    above: Option<Arc<Frame>>,
    events: Vec<Event>,
}

impl Desk {
    fn new() -> Desk {
        Desk {
            folder: std::env::var_os(FOLDER).map(std::path::PathBuf::from),
            on: false,
            depth: 0,
            events: Vec::new(),
            frame: None,
            seed: String::new(),
            steps: String::new(),
            further: None,
        }
    }
}

fn desk<T>(work: impl FnOnce(&mut Desk) -> T) -> T {
    DESK.with(|desk| work(&mut desk.borrow_mut()))
}

/// Where a strategy was made, and inside which frame its tree was.
#[derive(Clone)]
pub struct Note {
    site: Option<&'static Location<'static>>,
    /// Whether its function gives strategies, which are not printed.
    branches: bool,
    under: Option<Arc<Frame>>,
}

impl fmt::Debug for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Note")
    }
}

impl Note {
    pub fn none() -> Note {
        Note { site: None, branches: false, under: None }
    }

    #[track_caller]
    pub fn here() -> Note {
        Note { site: Some(Location::caller()), branches: false, under: None }
    }

    #[track_caller]
    pub fn branching() -> Note {
        Note { site: Some(Location::caller()), branches: true, under: None }
    }

    /// The same in a tree that is made now.
    pub fn within(&self) -> Note {
        Note { site: self.site, branches: self.branches, under: desk(|desk| desk.frame.clone()) }
    }

    /// Goes back into the frame of this note.
    pub fn enter(&self) -> Inside {
        let frame = self.under.clone();
        Inside(desk(|desk| std::mem::replace(&mut desk.frame, frame)))
    }
}

/// Being inside a frame, until it is dropped; holds the frame around it.
pub struct Inside(Option<Arc<Frame>>);

impl Drop for Inside {
    fn drop(&mut self) {
        let around = self.0.take();
        desk(|desk| desk.frame = around);
    }
}

pub fn is_on() -> bool {
    desk(|desk| desk.on)
}

/// A value that a function made out of another.
pub fn mapped<I: fmt::Debug, O: fmt::Debug, F>(
    note: &Note,
    kind: &str,
    _fun: &F,
    source: impl FnOnce() -> I,
    fun: impl FnOnce(I) -> O,
) -> O {
    let (value, fields) = taken::<I, F>(source);
    let made = fun(value);
    match fields {
        Some(fields) if note.branches => event(note, "flat", fields),
        Some(fields) => event(note, kind, fields + &shown("out", &made) + &typed::<O>("out_ty")),
        None => {}
    }
    made
}

/// The source of a function with what is written of both, while recording is on.
fn taken<I: fmt::Debug, F>(source: impl FnOnce() -> I) -> (I, Option<String>) {
    if !is_on() {
        return (source(), None);
    }
    let value = deeper(source);
    let fields = typed::<F>("fun") + &shown("in", &value) + &typed::<I>("in_ty");
    (value, Some(fields))
}

/// One of several strategies that was used.
pub fn united<O: fmt::Debug>(note: &Note, index: usize, make: impl FnOnce() -> O) -> O {
    if !is_on() {
        return make();
    }
    let made = deeper(make);
    event(note, "oneof", number("index", index) + &shown("out", &made) + &typed::<O>("out_ty"));
    made
}

/// One of several values that was picked.
pub fn picked<O: fmt::Debug>(note: &Note, index: usize, made: O) -> O {
    if is_on() {
        event(note, "select", number("index", index) + &shown("out", &made) + &typed::<O>("out_ty"));
    }
    made
}

/// Values that were gathered.
pub fn gathered<O: fmt::Debug>(make: impl FnOnce() -> Vec<O>) -> Vec<O> {
    if !is_on() {
        return make();
    }
    let made = deeper(make);
    event(&Note::none(), "vec", shown("out", &made) + &typed::<Vec<O>>("out_ty"));
    made
}

/// A value that stands as it is.
pub fn just<O: fmt::Debug>(made: O) -> O {
    if is_on() {
        event(&Note::none(), "just", shown("out", &made) + &typed::<O>("out_ty"));
    }
    made
}

/// A set of bits.
pub fn set<O: crate::bits::BitSetLike>(made: O) -> O {
    if !is_on() {
        return made;
    }
    let length = made.len();
    let bits: Vec<String> = (0..length).filter(|bit| made.test(*bit)).map(|bit| bit.to_string()).collect();
    if bits.len() <= MOST_BITS {
        let fields = number("index", length) + &text("in", &std::format!("[{}]", bits.join(", ")));
        event(&Note::none(), "bits", fields + &shown("out", &made) + &typed::<O>("out_ty"));
    }
    made
}

/// Bits of a set that are left out many at a time, ever fewer, where shrinking goes on that was cut off.
#[derive(Clone, Debug)]
pub struct Fewer {
    /// How many are left out at once; not said yet at first.
    many: Option<usize>,
    /// The first that may be next.
    next: usize,
    /// Those that were left out last.
    left_out: Vec<usize>,
}

impl Fewer {
    pub fn new() -> Fewer {
        Fewer { many: None, next: 0, left_out: Vec::new() }
    }

    /// Leaves out more bits of `set`, so that it keeps `least`; whether there are any. Begins at the first bit: the last step
    /// before shrinking was cut off may have been taken back though it led on.
    pub fn simplify<T: crate::bits::BitSetLike>(&mut self, set: &mut T, least: usize) -> bool {
        self.left_out.clear();
        let spare = set.count().saturating_sub(least);
        let mut many = *self.many.get_or_insert(spare);
        while spare > 0 {
            let bits = (self.next..set.len()).filter(|bit| set.test(*bit));
            let bits: Vec<usize> = bits.take(many.min(spare)).collect();
            if let Some(last) = bits.last() {
                self.next = last + 1;
                bits.iter().for_each(|bit| set.clear(*bit));
                self.many = Some(many);
                self.left_out = bits;
                return true;
            }
            if many <= 1 {
                break;
            }
            many = (many.min(set.count()) / 2).max(1);
            self.next = 0;
        }
        self.many = Some(1);
        self.next = set.len();
        false
    }

    /// Puts back what was left out last; whether that was anything.
    pub fn complicate<T: crate::bits::BitSetLike>(&mut self, set: &mut T) -> bool {
        let any = !self.left_out.is_empty();
        self.left_out.drain(..).for_each(|bit| set.set(bit));
        any
    }
}

/// What a strategy is made from that depends on a value: the strategy, and being inside the frame of that value.
pub fn source<S>(make: impl FnOnce() -> S) -> (S, Inside) {
    if desk(|desk| desk.folder.is_none()) {
        let made = make();
        return (made, Inside(desk(|desk| desk.frame.clone())));
    }
    let kept = desk(|desk| {
        let kept = (desk.on, desk.depth, std::mem::replace(&mut desk.events, Vec::new()));
        desk.on = true;
        desk.depth = 0;
        kept
    });
    let made = make();
    let inside = desk(|desk| {
        desk.on = kept.0;
        desk.depth = kept.1;
        let events = std::mem::replace(&mut desk.events, kept.2);
        let around = desk.frame.clone();
        let id = NEXT.fetch_add(1, Ordering::Relaxed);
        desk.frame = Some(Arc::new(Frame { id, above: around.clone(), events }));
        Inside(around)
    });
    (made, inside)
}

/// The seeds that the test of this thread is to begin with: its own where the environment names some for it, else `kept`.
/// The library's name for a test begins with the crate.
pub fn seeds<S: std::str::FromStr>(test: Option<&str>, kept: Vec<S>) -> Vec<S> {
    let Ok(given) = std::env::var(SEEDS) else { return kept };
    let thread = std::thread::current();
    let by_name = test.and_then(|test| test.split_once("::")).map(|(_, name)| name);
    let is_own = |name: &str| thread.name() == Some(name) || by_name == Some(name);
    let lines = given.lines().filter_map(|line| line.split_once('\t'));
    let own: Vec<S> = lines.filter(|(name, _)| is_own(name)).filter_map(|(_, seed)| seed.parse().ok()).collect();
    if own.is_empty() {
        kept
    } else {
        own
    }
}

/// A case begins, made from a seed.
pub fn begins(seed: &impl fmt::Display) {
    let Some(()) = desk(|desk| desk.folder.as_ref().map(|_| ())) else { return };
    let seed = seed.to_string();
    desk(|desk| {
        desk.on = false;
        desk.depth = 0;
        desk.events.clear();
        desk.frame = None;
        desk.steps.clear();
        desk.further = None;
        desk.seed = seed;
    });
}

/// A step of shrinking.
pub fn step(kind: char, went: bool) -> bool {
    desk(|desk| {
        if desk.folder.is_some() && desk.steps.len() < MOST_STEPS {
            desk.steps.push(kind);
        }
    });
    went
}

/// Shrinking is cut off: records the value that the run ended at, and says whether it goes on from there. The library takes
/// one bit of a set at a time, which ends nowhere within the steps it allows itself.
pub fn goes_on<O: fmt::Debug>(test: Option<&str>, is_forked: bool, make: impl FnOnce() -> O) -> bool {
    if is_forked || desk(|desk| desk.folder.is_none() || desk.further.is_some()) {
        return false;
    }
    drop(recorded(test, make));
    desk(|desk| desk.further = Some(Further { since: std::time::Instant::now(), tried: 0 }));
    true
}

/// Whether shrinking goes on that was cut off.
pub fn is_further() -> bool {
    desk(|desk| desk.further.is_some())
}

/// Whether shrinking is to be cut off, where `ends` says so at first.
pub fn ends(ends: bool) -> bool {
    desk(|desk| match &mut desk.further {
        Some(further) => {
            further.tried += 1;
            further.tried > MOST_TRIED || further.since.elapsed() > LONGEST
        }
        None => ends,
    })
}

/// The minimal value, made for the last time, and the record of how.
pub fn recorded<O: fmt::Debug>(test: Option<&str>, make: impl FnOnce() -> O) -> O {
    if desk(|desk| desk.folder.is_none()) {
        return make();
    }
    desk(|desk| desk.on = true);
    let made = deeper(make);
    event(&Note::none(), "root", shown("out", &made) + &typed::<O>("out_ty"));
    desk(|desk| {
        desk.on = false;
        let events = std::mem::replace(&mut desk.events, Vec::new());
        let lines = lines(test, desk, &events);
        if let Some(folder) = &desk.folder {
            let name = std::format!("{}-{}.jsonl", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
            let _ = std::fs::create_dir_all(folder);
            let _ = std::fs::write(folder.join(name), lines);
        }
    });
    made
}

fn lines(test: Option<&str>, desk: &Desk, events: &[Event]) -> String {
    let thread = std::thread::current();
    let mut out = String::from("{\"record\":1");
    out.push_str(&text("test", test.unwrap_or("")));
    out.push_str(&text("thread", thread.name().unwrap_or("")));
    out.push_str(&text("seed", &desk.seed));
    // No other library goes further so.
    if desk.steps.len() < MOST_STEPS && desk.further.is_none() {
        out.push_str(&text("steps", &desk.steps));
    }
    out.push_str("}\n");
    let mut written = Vec::new();
    // Between an event and what was done for it nothing else stands.
    for event in events {
        frames(event.under.as_ref(), &mut written, &mut out);
    }
    for event in events {
        line(event, None, &mut out);
    }
    out.push_str("{\"end\":1}\n");
    out
}

/// The frames that an event is inside of, those around first.
fn frames(frame: Option<&Arc<Frame>>, written: &mut Vec<usize>, out: &mut String) {
    let Some(frame) = frame else { return };
    if written.contains(&frame.id) {
        return;
    }
    written.push(frame.id);
    frames(frame.above.as_ref(), written, out);
    for event in &frame.events {
        frames(event.under.as_ref(), written, out);
    }
    out.push_str("{\"frame\":");
    let _ = write!(out, "{}", frame.id);
    if let Some(above) = &frame.above {
        let _ = write!(out, ",\"above\":{}", above.id);
    }
    out.push_str("}\n");
    for event in &frame.events {
        line(event, Some(frame.id), out);
    }
}

fn line(event: &Event, of: Option<usize>, out: &mut String) {
    out.push_str(&event.text);
    if let Some(of) = of {
        let _ = write!(out, ",\"of\":{}", of);
    }
    if let Some(frame) = &event.under {
        let _ = write!(out, ",\"under\":{}", frame.id);
    }
    out.push_str("}\n");
}

fn deeper<T>(work: impl FnOnce() -> T) -> T {
    desk(|desk| desk.depth += 1);
    let made = work();
    desk(|desk| desk.depth = desk.depth.saturating_sub(1));
    made
}

fn event(note: &Note, kind: &str, fields: String) {
    let site = note.site.map_or(String::new(), |at| text("site", &at.to_string()));
    desk(|desk| {
        if desk.events.len() < MOST_EVENTS || kind == "root" {
            let text = std::format!("{{\"depth\":{},\"kind\":\"{}\"{}{}", desk.depth, kind, site, fields);
            desk.events.push(Event { text, under: note.under.clone() });
        }
    });
}

/// `value` as it prints; nothing where that is too long.
fn shown(name: &str, value: &impl fmt::Debug) -> String {
    let mut short = Short(String::new());
    match write!(short, "{:?}", value) {
        Ok(()) => text(name, &short.0),
        Err(_) => String::new(),
    }
}

fn typed<T>(name: &str) -> String {
    text(name, std::any::type_name::<T>())
}

fn number(name: &str, value: usize) -> String {
    std::format!(",\"{}\":{}", name, value)
}

fn text(name: &str, value: &str) -> String {
    let mut out = std::format!(",\"{}\":\"", name);
    for c in value.chars() {
        match c {
            '"' | '\\' => {
                out.push('\\');
                out.push(c);
            }
            c if (c as u32) < 0x20 => {
                let _ = write!(out, "\\u{:04x}", c as u32);
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// A text that ends where it gets too long.
struct Short(String);

impl fmt::Write for Short {
    fn write_str(&mut self, more: &str) -> fmt::Result {
        if self.0.len() + more.len() > LONGEST_TEXT {
            return Err(fmt::Error);
        }
        self.0.push_str(more);
        Ok(())
    }
}
