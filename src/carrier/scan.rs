//! Finds a few fixed texts in a large run with all cores, and the number of the line each stands on, in one pass over
//! the bytes for all who look for some: every block is searched and counted, and what was found looked at, while it is in
//! the cache.

use std::ops::{ControlFlow, Range};

use aho_corasick::packed::{self, Searcher};
use aho_corasick::{AhoCorasick, Match};

use crate::run_output::{RunOutput, line_feeds};
use crate::threads;

/// What somebody looks for in a run.
#[derive(Clone, Copy, Debug)]
pub struct Sought {
    /// The needles. No two of all that are sought together may overlap in a text: of those only the first is found.
    pub needles: &'static [&'static str],
    /// Whether a needle (by its place in the list) is of interest where it stands in the bytes of the run, at the offset.
    pub look: fn(&[u8], u32, usize) -> bool,
}

/// The look of those to whom all that is found is of interest.
pub const fn keep(_bytes: &[u8], _needle: u32, _offset: usize) -> bool {
    true
}

/// One place where a needle stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hit {
    /// Offset of its first byte.
    pub offset: usize,
    /// The line that holds that byte, from 1.
    pub line: u64,
    /// Which needle, by its place in the list given.
    pub needle: u32,
}

/// What a search found for one who looked for something.
#[derive(Debug)]
pub struct Found<'a> {
    /// The places of interest, by offset.
    pub hits: Vec<Hit>,
    /// What was searched.
    bytes: &'a [u8],
}

impl<'a> Found<'a> {
    /// The same where `run` has the very bytes that were searched, else what is found in those it has.
    pub fn again(self, run: &RunOutput<'a>, sought: Sought) -> Found<'a> {
        if std::ptr::eq(self.bytes, run.bytes) { self } else { find(run, sought) }
    }
}

/// Bytes searched at once: a thread that is done with some takes the next.
const BLOCK: usize = 2 << 20;

/// Bytes searched, and then counted, at once: both find them in the fastest cache but one.
const PIECE: usize = 64 << 10;

/// Every place of interest of every needle, by offset.
pub fn find<'a>(run: &RunOutput<'a>, sought: Sought) -> Found<'a> {
    let mut found = find_all(run, &[sought]);
    found.pop().unwrap_or_else(|| unreachable!("as many are found for as look"))
}

/// The same for several, one each, in their order.
pub fn find_all<'a>(run: &RunOutput<'a>, sought: &[Sought]) -> Vec<Found<'a>> {
    let bytes = run.bytes;
    let search = Search::new(sought);
    let blocks = threads::numbered(bytes.len().div_ceil(BLOCK), |at| {
        let span = at * BLOCK..(at * BLOCK + BLOCK).min(bytes.len());
        search.read(bytes, span)
    });
    let mut found: Vec<Found<'a>> = sought.iter().map(|_| Found { hits: Vec::new(), bytes }).collect();
    let mut lines = 1;
    for block in blocks {
        for (who, hit) in block.hits {
            found[who].hits.push(Hit { line: hit.line + lines, ..hit });
        }
        lines += block.lines;
    }
    found
}

/// Looks for the needles of all at once.
struct Search<'s> {
    sought: &'s [Sought],
    searcher: Texts,
    /// Whose needle each of the searcher's is, and which of theirs.
    whose: Vec<(usize, u32)>,
    /// Bytes of the longest.
    longest: usize,
}

/// Finds one of several texts, with the processor's wide registers where it has some.
enum Texts {
    Wide(Searcher),
    Plain(AhoCorasick),
}

impl Texts {
    fn new(needles: &[&str]) -> Self {
        if let Some(wide) = packed::Config::new().builder().extend(needles).build() {
            return Texts::Wide(wide);
        }
        let plain = AhoCorasick::new(needles);
        Texts::Plain(plain.unwrap_or_else(|error| unreachable!("a few short needles can be searched for: {error}")))
    }

    /// All places in `bytes`, in order.
    fn each(&self, bytes: &[u8], mut found: impl FnMut(Match) -> ControlFlow<()>) {
        // Which of the two is asked once for each piece, not once for each place.
        let _ = match self {
            Texts::Wide(wide) => wide.find_iter(bytes).try_for_each(&mut found),
            Texts::Plain(plain) => plain.find_iter(bytes).try_for_each(&mut found),
        };
    }
}

/// Classes into which the searcher sorts needles one after the other. It looks closer wherever a text has the first letters of
/// one class's needles in any mixture, so that needles in one class should be alike: unlike ones made a search take eight
/// times as long.
const CLASSES: usize = 8;

/// The things in such an order that neighbours come into one class: the first of each class, then the second of each.
fn dealt<T>(things: &[T]) -> impl Iterator<Item = &T> {
    let (each, more) = (things.len() / CLASSES, things.len() % CLASSES);
    (0..=each).flat_map(move |at| {
        let classes = if at < each { CLASSES } else { more };
        (0..classes).filter_map(move |class| things.get(class * each + class.min(more) + at))
    })
}

impl<'s> Search<'s> {
    fn new(sought: &'s [Sought]) -> Self {
        let whose = sought.iter().enumerate();
        let needles =
            whose.flat_map(|(who, one)| (0..).zip(one.needles).map(move |(which, text)| (*text, (who, which))));
        let mut needles: Vec<(&str, (usize, u32))> = needles.collect();
        needles.sort_unstable();
        let (texts, whose): (Vec<&str>, Vec<(usize, u32)>) = dealt(&needles).copied().unzip();
        let longest = texts.iter().map(|text| text.len()).max().unwrap_or(0);
        Search { sought, searcher: Texts::new(&texts), whose, longest }
    }

    /// Searches the block at `span`; a needle belongs to the block that holds its first byte.
    fn read(&self, bytes: &[u8], span: Range<usize>) -> Block {
        let mut block = Block { hits: Vec::new(), lines: 0 };
        for start in span.clone().step_by(PIECE) {
            self.read_piece(bytes, start..(start + PIECE).min(span.end), &mut block);
        }
        block
    }

    fn read_piece(&self, bytes: &[u8], piece: Range<usize>, block: &mut Block) {
        let mut counted = piece.start;
        let reach = (piece.end + self.longest.saturating_sub(1)).min(bytes.len());
        self.searcher.each(&bytes[piece.start..reach], |found| {
            let offset = piece.start + found.start();
            if offset >= piece.end {
                return ControlFlow::Break(());
            }
            let (who, needle) = self.whose[found.pattern().as_usize()];
            if (self.sought[who].look)(bytes, needle, offset) {
                block.lines += line_feeds(&bytes[counted..offset]);
                counted = offset;
                block.hits.push((who, Hit { offset, line: block.lines, needle }));
            }
            ControlFlow::Continue(())
        });
        block.lines += line_feeds(&bytes[counted..piece.end]);
    }
}

/// What one block holds: hits with lines counted from its start and whose they are, and the line feeds in it.
#[derive(Debug)]
struct Block {
    hits: Vec<(usize, Hit)>,
    lines: u64,
}

#[cfg(test)]
mod tests {
    use super::{BLOCK, Hit, PIECE, Sought, dealt, find, find_all, keep};
    use crate::run_output::RunOutput;

    #[track_caller]
    fn check(bytes: &[u8], needles: &'static [&'static str], expected: &[(usize, u64, u32)]) {
        let hit = |&(offset, line, needle): &(usize, u64, u32)| Hit { offset, line, needle };
        let expected: Vec<Hit> = expected.iter().map(hit).collect();
        assert_eq!(find(&RunOutput::new("log", bytes), Sought { needles, look: keep }).hits, expected);
    }

    #[test]
    fn each_who_looks_is_told_of_their_own() {
        let mut bytes = vec![b'\n'; BLOCK + 4];
        bytes[..3].copy_from_slice(b"a b");
        bytes[BLOCK..].copy_from_slice(b"cb a");
        let sought = [Sought { needles: &["a"], look: keep }, Sought { needles: &["c", "b"], look: keep }];
        let [first, second] = find_all(&RunOutput::new("log", &bytes), &sought).try_into().unwrap();
        let line = (BLOCK - 3) as u64 + 1;
        let hit = |(offset, line, needle)| Hit { offset, line, needle };
        assert_eq!(first.hits, [(0, 1, 0), (BLOCK + 3, line, 0)].map(hit));
        assert_eq!(second.hits, [(2, 1, 1), (BLOCK, line, 0), (BLOCK + 1, line, 1)].map(hit));
    }

    #[test]
    fn what_is_of_no_interest_is_not_found() {
        let look = |_: &[u8], needle, offset| needle == 1 || offset > 0;
        let found = find(&RunOutput::new("log", b"a b\na b"), Sought { needles: &["a", "b"], look }).hits;
        assert_eq!(found.iter().map(|hit| (hit.offset, hit.line)).collect::<Vec<_>>(), [(2, 1), (4, 2), (6, 2)]);
    }

    #[test]
    fn neighbours_come_into_one_class() {
        let numbers: Vec<usize> = (0..19).collect();
        let dealt: Vec<usize> = dealt(&numbers).copied().collect();
        assert_eq!(dealt, [0, 3, 6, 9, 11, 13, 15, 17, 1, 4, 7, 10, 12, 14, 16, 18, 2, 5, 8]);
        assert!(super::dealt(&numbers[..3]).eq(&[0, 1, 2]));
    }

    #[test]
    fn hits_come_by_offset_with_their_lines() {
        check(b"b a\na\n\nb", &["a", "b"], &[(0, 1, 1), (2, 1, 0), (4, 2, 0), (7, 4, 1)]);
        check(b"", &["a"], &[]);
    }

    #[test]
    fn a_needle_across_two_pieces_is_found_once() {
        let mut bytes = vec![b'\n'; PIECE * 3];
        bytes[PIECE - 1..PIECE + 3].copy_from_slice(b"here");
        bytes[PIECE * 2..PIECE * 2 + 4].copy_from_slice(b"here");
        check(&bytes, &["here"], &[(PIECE - 1, PIECE as u64, 0), (PIECE * 2, (PIECE * 2 - 3) as u64, 0)]);
    }

    #[test]
    fn a_needle_across_two_blocks_is_found_once() {
        let mut bytes = vec![b'\n'; BLOCK * 5];
        bytes[BLOCK - 2..BLOCK + 2].copy_from_slice(b"here");
        bytes[BLOCK * 3..BLOCK * 3 + 4].copy_from_slice(b"here");
        let lines = |offset: usize, taken: usize| (offset - taken + 1) as u64;
        check(&bytes, &["here"], &[(BLOCK - 2, lines(BLOCK - 2, 0), 0), (BLOCK * 3, lines(BLOCK * 3, 4), 0)]);
    }
}
