//! Finds a few fixed texts in a large run with all cores, and the number of the line each stands on, in one pass over
//! the bytes for all who look for some: every block is searched and counted, and what was found looked at, while it is in
//! the cache. A log may hold hundreds of thousands of places that a first look tells to be of no use alone: of those
//! little is kept.

use std::ops::Range;

use aho_corasick::{AhoCorasick, MatchKind};

use crate::run_output::RunOutput;
use crate::threads;

/// What somebody looks for in a run.
#[derive(Clone, Copy, Debug)]
pub struct Sought {
    /// The needles. No two of all that are sought together may overlap in a text: of those only the first is found.
    pub needles: &'static [&'static str],
    /// A first look at the bytes of the run where a needle (by its place in the list) stands, which is at the offset.
    pub look: fn(&[u8], u32, usize) -> Look,
}

/// The first look of those who keep all that is found.
pub const fn keep(_bytes: &[u8], _needle: u32, _offset: usize) -> Look {
    Look::Keep
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

/// What is done with a place after the first look at it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Look {
    /// It is found.
    Keep,
    /// It is set aside, with what the look told in a number.
    Aside(u32),
    /// It is dropped.
    Drop,
}

/// What a search found for one who looked for something.
#[derive(Debug)]
pub struct Found<'a> {
    /// The places kept, by offset.
    pub hits: Vec<Hit>,
    /// The places set aside.
    pub aside: Aside<'a>,
}

impl<'a> Found<'a> {
    /// The same where `run` has the very bytes that were searched, else what is found in those it has.
    pub fn again(self, run: &RunOutput<'a>, sought: Sought) -> Found<'a> {
        if std::ptr::eq(self.aside.bytes, run.bytes) { self } else { find(run, sought) }
    }
}

/// Bytes searched at once: a thread that is done with some takes the next.
const BLOCK: usize = 2 << 20;

/// Bytes searched, and then counted, at once: both find them in the fastest cache but one.
const PIECE: usize = 64 << 10;

/// Room for so many places of a block that are set aside: to make it little by little takes longer than all that is set
/// aside.
const MANY_ASIDE: usize = 2 << 10;

/// Every place of every needle by offset, sorted by what the first look tells of it.
pub fn find<'a>(run: &RunOutput<'a>, sought: Sought) -> Found<'a> {
    let mut found = find_all(run, &[sought]);
    found.pop().unwrap_or_else(|| unreachable!("as many are found for as look"))
}

/// The same for several, one each, in their order.
pub fn find_all<'a>(run: &RunOutput<'a>, sought: &[Sought]) -> Vec<Found<'a>> {
    let bytes = run.bytes;
    let search = Search::new(sought);
    let mut blocks = threads::numbered(bytes.len().div_ceil(BLOCK), |at| {
        let span = at * BLOCK..(at * BLOCK + BLOCK).min(bytes.len());
        search.read(bytes, span)
    });
    let none = || Found { hits: Vec::new(), aside: Aside { bytes, blocks: Vec::with_capacity(blocks.len()) } };
    let mut found: Vec<Found<'a>> = sought.iter().map(|_| none()).collect();
    let mut lines = 1;
    for block in &mut blocks {
        for (who, hit) in &block.hits {
            found[*who].hits.push(Hit { line: hit.line + lines, ..*hit });
        }
        for (found, places) in found.iter_mut().zip(&mut block.aside) {
            found.aside.blocks.push(AsideBlock { first_line: lines, places: std::mem::take(places) });
        }
        lines += block.lines;
    }
    found
}

/// Looks for the needles of all at once.
struct Search<'s> {
    sought: &'s [Sought],
    searcher: AhoCorasick,
    /// Whose needle each is, and which of theirs.
    whose: Vec<(usize, u32)>,
    /// Bytes of the longest.
    longest: usize,
}

impl<'s> Search<'s> {
    fn new(sought: &'s [Sought]) -> Self {
        let needles = || sought.iter().flat_map(|one| one.needles);
        let mut builder = AhoCorasick::builder();
        let built = builder.match_kind(MatchKind::LeftmostFirst).build(needles());
        let searcher = built.unwrap_or_else(|error| unreachable!("a few short needles can be searched for: {error}"));
        let whose =
            sought.iter().enumerate().flat_map(|(who, one)| (0..).zip(one.needles).map(move |(which, _)| (who, which)));
        Search {
            sought,
            searcher,
            whose: whose.collect(),
            longest: needles().map(|needle| needle.len()).max().unwrap_or(0),
        }
    }

    /// Searches the block at `span`; a needle belongs to the block that holds its first byte.
    fn read(&self, bytes: &[u8], span: Range<usize>) -> Block {
        let aside = self.sought.iter().map(|_| Vec::new()).collect();
        let mut block = Block { hits: Vec::new(), aside, lines: 0 };
        for start in span.clone().step_by(PIECE) {
            self.read_piece(bytes, start..(start + PIECE).min(span.end), span.start, &mut block);
        }
        block.aside.iter_mut().for_each(Vec::shrink_to_fit);
        block
    }

    /// Searches a piece of the block that starts at `first`.
    fn read_piece(&self, bytes: &[u8], piece: Range<usize>, first: usize, block: &mut Block) {
        let mut counted = piece.start;
        let reach = (piece.end + self.longest.saturating_sub(1)).min(bytes.len());
        for found in self.searcher.find_iter(&bytes[piece.start..reach]) {
            let offset = piece.start + found.start();
            if offset >= piece.end {
                break;
            }
            let (who, needle) = self.whose[found.pattern().as_usize()];
            match (self.sought[who].look)(bytes, needle, offset) {
                Look::Keep => {
                    block.lines += line_feeds(&bytes[counted..offset]);
                    counted = offset;
                    block.hits.push((who, Hit { offset, line: block.lines, needle }));
                }
                Look::Aside(told) => {
                    let places = &mut block.aside[who];
                    if places.is_empty() {
                        places.reserve(MANY_ASIDE);
                    }
                    places.push((u32::try_from(offset - first).unwrap_or(u32::MAX), told));
                }
                Look::Drop => {}
            }
        }
        block.lines += line_feeds(&bytes[counted..piece.end]);
    }
}

/// What one block holds: hits with lines counted from its start and whose they are, for each who looks what was set aside,
/// with offsets from its start, and the line feeds in it.
#[derive(Debug)]
struct Block {
    hits: Vec<(usize, Hit)>,
    aside: Vec<Vec<(u32, u32)>>,
    lines: u64,
}

/// Places that were set aside.
#[derive(Debug)]
pub struct Aside<'a> {
    bytes: &'a [u8],
    blocks: Vec<AsideBlock>,
}

/// Those of one block: the number of its first line, and offsets from its start with what the look told.
#[derive(Debug)]
struct AsideBlock {
    first_line: u64,
    places: Vec<(u32, u32)>,
}

impl Aside<'_> {
    /// How many there are.
    pub fn count(&self) -> usize {
        self.blocks.iter().map(|block| block.places.len()).sum()
    }

    /// The offsets, the first one first or the last one.
    pub fn offsets(&self) -> impl DoubleEndedIterator<Item = usize> {
        let blocks = self.blocks.iter().enumerate();
        blocks.flat_map(|(at, block)| block.places.iter().map(move |(offset, _)| at * BLOCK + *offset as usize))
    }

    /// Offset and what the look told of each, in order.
    pub fn each(&self) -> impl Iterator<Item = (usize, u32)> {
        let blocks = self.blocks.iter().enumerate();
        blocks.flat_map(|(at, block)| {
            block.places.iter().map(move |(offset, told)| (at * BLOCK + *offset as usize, *told))
        })
    }

    /// Whether one stands before `offset` on the same line.
    pub fn is_before_on_line(&self, offset: usize) -> bool {
        let at = offset / BLOCK;
        let before = |at: usize| {
            let places = &self.blocks.get(at)?.places;
            let count = places.partition_point(|(place, _)| at * BLOCK + (*place as usize) < offset);
            Some(at * BLOCK + places[..count].last()?.0 as usize)
        };
        let before = (0..=at).rev().take(2).find_map(before);
        before.is_some_and(|before| memchr::memchr(b'\n', &self.bytes[before..offset]).is_none())
    }

    /// Offset and line of those that are `wanted` for what the look told.
    pub fn wanted(&self, wanted: impl Fn(u32) -> bool + Sync) -> Vec<(usize, u64)> {
        let found = threads::numbered(self.blocks.len(), |at| {
            let (mut line, mut counted) = (self.blocks[at].first_line, at * BLOCK);
            let wanted = self.blocks[at].places.iter().filter(|(_, told)| wanted(*told));
            let found = wanted.map(|(offset, _)| {
                let offset = at * BLOCK + *offset as usize;
                line += line_feeds(&self.bytes[counted..offset]);
                counted = offset;
                (offset, line)
            });
            found.collect::<Vec<_>>()
        });
        found.into_iter().flatten().collect()
    }
}

fn line_feeds(bytes: &[u8]) -> u64 {
    memchr::memchr_iter(b'\n', bytes).count() as u64
}

#[cfg(test)]
mod tests {
    use super::{BLOCK, Hit, Look, PIECE, Sought, find, find_all, keep};
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
        let aside = |_: &[u8], needle, _| if needle == 1 { Look::Aside(7) } else { Look::Keep };
        let sought = [Sought { needles: &["a"], look: keep }, Sought { needles: &["c", "b"], look: aside }];
        let [first, second] = find_all(&RunOutput::new("log", &bytes), &sought).try_into().unwrap();
        let line = (BLOCK - 3) as u64 + 1;
        assert_eq!(first.hits, [(0, 1), (BLOCK + 3, line)].map(|(offset, line)| Hit { offset, line, needle: 0 }));
        assert_eq!(first.aside.count(), 0);
        assert_eq!(second.hits, [Hit { offset: BLOCK, line, needle: 0 }]);
        assert!(second.aside.each().eq([(2, 7), (BLOCK + 1, 7)]));
        assert_eq!(second.aside.wanted(|told| told == 7), [(2, 1), (BLOCK + 1, line)]);
    }

    #[test]
    fn what_a_first_look_drops_is_not_found() {
        let look = |_: &[u8], needle, offset| if needle == 1 || offset > 0 { Look::Keep } else { Look::Drop };
        let found = find(&RunOutput::new("log", b"a b\na b"), Sought { needles: &["a", "b"], look }).hits;
        assert_eq!(found.iter().map(|hit| (hit.offset, hit.line)).collect::<Vec<_>>(), [(2, 1), (4, 2), (6, 2)]);
    }

    #[test]
    fn what_is_set_aside_can_be_had_later() {
        let mut bytes = vec![b'\n'; BLOCK * 3];
        bytes[BLOCK - 3..BLOCK + 3].copy_from_slice(b"a..a.b");
        bytes[BLOCK * 2 + 7] = b'a';
        let look = |_: &[u8], needle, at| if needle == 0 { Look::Aside(u32::from(at == BLOCK)) } else { Look::Keep };
        let found = find(&RunOutput::new("log", &bytes), Sought { needles: &["a", "b"], look });
        let first = BLOCK - 3;
        assert_eq!(found.hits, [Hit { offset: BLOCK + 2, line: first as u64 + 1, needle: 1 }]);
        let all = [first, BLOCK, BLOCK * 2 + 7];
        assert_eq!(found.aside.count(), all.len());
        assert!(found.aside.offsets().eq(all) && found.aside.offsets().rev().eq(all.into_iter().rev()));
        let wanted = found.aside.wanted(|told| told == 0);
        assert_eq!(wanted, [(first, first as u64 + 1), (BLOCK * 2 + 7, BLOCK as u64 * 2 + 2)]);
        let on_line = [BLOCK - 3, BLOCK - 1, BLOCK + 2, BLOCK + 9, BLOCK * 2 + 8];
        assert_eq!(on_line.map(|at| found.aside.is_before_on_line(at)), [false, true, true, false, true]);
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
        let aside = |_: &[u8], _, _| Look::Aside(0);
        let found = find(&RunOutput::new("log", &bytes), Sought { needles: &["here"], look: aside });
        assert!(found.aside.offsets().eq([PIECE - 1, PIECE * 2]));
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
