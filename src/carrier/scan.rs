//! Finds a few fixed texts in a large run with all cores, and the number of the line each stands on, in one pass over
//! the bytes: every block is searched and counted, and what was found looked at, while it is in the cache. A log may hold
//! hundreds of thousands of places that a first look tells to be of no use alone: of those little is kept.

use memchr::memmem::Finder;

use crate::run_output::RunOutput;
use crate::span::Span;
use crate::threads;

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
pub enum Look<T> {
    /// It is found.
    Keep,
    /// It is set aside, with what the look told.
    Aside(T),
    /// It is dropped.
    Drop,
}

/// What a search found.
#[derive(Debug)]
pub struct Found<'a, T> {
    /// The places kept, by offset.
    pub hits: Vec<Hit>,
    /// The places set aside.
    pub aside: Aside<'a, T>,
}

/// Bytes searched at once, and let go of together: smaller pieces are not found faster, but given back slower.
const BLOCK: usize = 2 << 20;

/// A block with so many hits is not let go of: they are looked at again soon.
const MANY: usize = 4;

/// Room for so many places of a block that are set aside: to make it little by little takes longer than all that is set
/// aside.
const MANY_ASIDE: usize = 2 << 10;

/// Every place of every needle by offset, sorted by what `look` tells of a needle (by its place in the list given) at an
/// offset.
pub fn find<'a, T: Copy + Send>(
    run: &RunOutput<'a>,
    needles: &[&str],
    look: impl Fn(u32, usize) -> Look<T> + Sync,
) -> Found<'a, T> {
    let bytes = run.bytes;
    let finders: Vec<Finder<'_>> = needles.iter().map(|needle| Finder::new(needle.as_bytes())).collect();
    let mut blocks = threads::numbered(bytes.len().div_ceil(BLOCK), |at| {
        let span = Span::new(at * BLOCK, (at * BLOCK + BLOCK).min(bytes.len()));
        let block = read(bytes, span, &finders, &look);
        if block.hits.len() < MANY {
            run.let_go(span);
        }
        block
    });
    let mut lines = 1;
    let mut hits = Vec::with_capacity(blocks.iter().map(|block| block.hits.len()).sum());
    for block in &mut blocks {
        hits.extend(block.hits.iter().map(|hit| Hit { line: hit.line + lines, ..*hit }));
        lines += std::mem::replace(&mut block.lines, lines);
    }
    Found { hits, aside: Aside { bytes, blocks } }
}

/// Places that were set aside.
#[derive(Debug)]
pub struct Aside<'a, T> {
    bytes: &'a [u8],
    /// With the number of each block's first line for [`Block::lines`].
    blocks: Vec<Block<T>>,
}

impl<T: Copy + Send + Sync> Aside<'_, T> {
    /// How many there are.
    pub fn count(&self) -> usize {
        self.blocks.iter().map(|block| block.aside.len()).sum()
    }

    /// The offsets, the first one first or the last one.
    pub fn offsets(&self) -> impl DoubleEndedIterator<Item = usize> {
        let blocks = self.blocks.iter().enumerate();
        blocks.flat_map(|(at, block)| block.aside.iter().map(move |(offset, _)| at * BLOCK + *offset as usize))
    }

    /// Offset and what the look told of each, in order.
    pub fn each(&self) -> impl Iterator<Item = (usize, T)> {
        let blocks = self.blocks.iter().enumerate();
        blocks.flat_map(|(at, block)| {
            block.aside.iter().map(move |(offset, told)| (at * BLOCK + *offset as usize, *told))
        })
    }

    /// Whether one stands before `offset` on the same line.
    pub fn is_before_on_line(&self, offset: usize) -> bool {
        let at = offset / BLOCK;
        let before = |at: usize| {
            let aside = &self.blocks.get(at)?.aside;
            let count = aside.partition_point(|(place, _)| at * BLOCK + (*place as usize) < offset);
            Some(at * BLOCK + aside[..count].last()?.0 as usize)
        };
        let before = (0..=at).rev().take(2).find_map(before);
        before.is_some_and(|before| memchr::memchr(b'\n', &self.bytes[before..offset]).is_none())
    }

    /// Offset and line of those that are `wanted` for what the look told.
    pub fn wanted(&self, wanted: impl Fn(T) -> bool + Sync) -> Vec<(usize, u64)> {
        let found = threads::numbered(self.blocks.len(), |at| {
            let (mut line, mut counted) = (self.blocks[at].lines, at * BLOCK);
            let wanted = self.blocks[at].aside.iter().filter(|(_, told)| wanted(*told));
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

/// What one block holds: hits with lines counted from its start, offsets from its start of what was set aside, and the
/// line feeds in it.
#[derive(Debug)]
struct Block<T> {
    hits: Vec<Hit>,
    aside: Vec<(u32, T)>,
    lines: u64,
}

/// Searches the block at `span`; a needle belongs to the block that holds its first byte.
fn read<T: Copy>(
    bytes: &[u8],
    Span { start, end }: Span,
    finders: &[Finder<'_>],
    look: &impl Fn(u32, usize) -> Look<T>,
) -> Block<T> {
    let (mut hits, mut aside) = (Vec::new(), Vec::with_capacity(MANY_ASIDE));
    for (needle, finder) in (0..).zip(finders) {
        let reach = (end + finder.needle().len() - 1).min(bytes.len());
        for at in finder.find_iter(&bytes[start..reach]) {
            let offset = start + at;
            match look(needle, offset) {
                Look::Keep => hits.push(Hit { offset, line: 0, needle }),
                Look::Aside(told) => aside.push((u32::try_from(at).unwrap_or(u32::MAX), told)),
                Look::Drop => {}
            }
        }
    }
    hits.sort_unstable_by_key(|hit| hit.offset);
    aside.sort_unstable_by_key(|(at, _)| *at);
    let (mut lines, mut counted) = (0, start);
    for hit in &mut hits {
        lines += line_feeds(&bytes[counted..hit.offset]);
        counted = hit.offset;
        hit.line = lines;
    }
    lines += line_feeds(&bytes[counted..end]);
    aside.shrink_to_fit();
    Block { hits, aside, lines }
}

fn line_feeds(bytes: &[u8]) -> u64 {
    memchr::memchr_iter(b'\n', bytes).count() as u64
}

#[cfg(test)]
mod tests {
    use super::{BLOCK, Hit, Look, MANY, find};
    use crate::run_output::{RunOutput, testing::Noting};
    use crate::span::Span;

    fn check(bytes: &[u8], needles: &[&str], expected: &[(usize, u64, u32)]) {
        let hit = |&(offset, line, needle): &(usize, u64, u32)| Hit { offset, line, needle };
        let expected: Vec<Hit> = expected.iter().map(hit).collect();
        assert_eq!(find(&RunOutput::new("log", bytes), needles, |_, _| Look::<()>::Keep).hits, expected);
    }

    #[test]
    fn what_a_first_look_drops_is_not_found() {
        let look = |needle, offset| if needle == 1 || offset > 0 { Look::<()>::Keep } else { Look::Drop };
        let found = find(&RunOutput::new("log", b"a b\na b"), &["a", "b"], look).hits;
        assert_eq!(found.iter().map(|hit| (hit.offset, hit.line)).collect::<Vec<_>>(), [(2, 1), (4, 2), (6, 2)]);
    }

    #[test]
    fn what_is_set_aside_can_be_had_later() {
        let mut bytes = vec![b'\n'; BLOCK * 3];
        bytes[BLOCK - 3..BLOCK + 3].copy_from_slice(b"a..a.b");
        bytes[BLOCK * 2 + 7] = b'a';
        let look = |needle, offset| if needle == 0 { Look::Aside(offset) } else { Look::Keep };
        let found = find(&RunOutput::new("log", &bytes), &["a", "b"], look);
        let first = BLOCK - 3;
        assert_eq!(found.hits, [Hit { offset: BLOCK + 2, line: first as u64 + 1, needle: 1 }]);
        let all = [first, BLOCK, BLOCK * 2 + 7];
        assert_eq!(found.aside.count(), all.len());
        assert!(found.aside.offsets().eq(all) && found.aside.offsets().rev().eq(all.into_iter().rev()));
        let wanted = found.aside.wanted(|offset| offset != BLOCK);
        assert_eq!(wanted, [(first, first as u64 + 1), (BLOCK * 2 + 7, BLOCK as u64 * 2 + 2)]);
        let on_line = [BLOCK - 3, BLOCK - 1, BLOCK + 2, BLOCK + 9, BLOCK * 2 + 8];
        assert_eq!(on_line.map(|at| found.aside.is_before_on_line(at)), [false, true, true, false, true]);
    }

    #[test]
    fn what_was_gone_through_is_let_go_of_where_little_was_found() {
        let mut bytes = vec![b'\n'; BLOCK * 2 + 9];
        bytes[..MANY].fill(b'a');
        bytes[BLOCK * 2..BLOCK * 2 + MANY - 1].fill(b'a');
        let noting = Noting::default();
        find(&RunOutput::new("log", &bytes).held_by(&noting), &["a"], |_, _| Look::<()>::Keep);
        assert_eq!(noting.told(), [Span::new(BLOCK, BLOCK * 2), Span::new(BLOCK * 2, BLOCK * 2 + 9)]);
    }

    #[test]
    fn hits_come_by_offset_with_their_lines() {
        check(b"b a\na\n\nb", &["a", "b"], &[(0, 1, 1), (2, 1, 0), (4, 2, 0), (7, 4, 1)]);
        check(b"", &["a"], &[]);
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
