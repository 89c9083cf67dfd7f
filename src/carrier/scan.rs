//! Finds a few fixed texts in a large run with all cores, and the number of the line each stands on, in one pass over
//! the bytes: every block is searched and counted, and what was found looked at, while it is in the cache.

use memchr::memmem::Finder;

use crate::threads;

/// One place where a needle stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hit<T = ()> {
    /// Offset of its first byte.
    pub offset: usize,
    /// The line that holds that byte, from 1.
    pub line: u64,
    /// Which needle, by its place in the list given.
    pub needle: u32,
    /// What the first look at it told.
    pub look: T,
}

/// Bytes searched at once: they fit the second-level cache beside what else is there.
const BLOCK: usize = 512 << 10;

/// Every place of every needle by offset, with what `look` tells of a needle (by its place in the list given) at an offset;
/// `None` drops it.
pub fn find<T: Copy + Send>(
    bytes: &[u8],
    needles: &[&str],
    look: impl Fn(u32, usize) -> Option<T> + Sync,
) -> Vec<Hit<T>> {
    let finders: Vec<Finder<'_>> = needles.iter().map(|needle| Finder::new(needle.as_bytes())).collect();
    let blocks = threads::numbered(bytes.len().div_ceil(BLOCK), |at| read(bytes, at * BLOCK, &finders, &look));
    let mut lines_before = 1;
    let mut hits = Vec::with_capacity(blocks.iter().map(|block| block.hits.len()).sum());
    for block in blocks {
        hits.extend(block.hits.iter().map(|hit| Hit { line: hit.line + lines_before, ..*hit }));
        lines_before += block.lines;
    }
    hits
}

/// What one block holds: hits with lines counted from its start, and the line feeds in it.
struct Block<T> {
    hits: Vec<Hit<T>>,
    lines: u64,
}

/// Searches the block that starts at `start`; a needle belongs to the block that holds its first byte.
fn read<T: Copy>(
    bytes: &[u8],
    start: usize,
    finders: &[Finder<'_>],
    look: &impl Fn(u32, usize) -> Option<T>,
) -> Block<T> {
    let end = (start + BLOCK).min(bytes.len());
    let mut hits = Vec::new();
    for (needle, finder) in (0..).zip(finders) {
        let reach = (end + finder.needle().len() - 1).min(bytes.len());
        let places = finder.find_iter(&bytes[start..reach]).map(|at| start + at);
        hits.extend(places.filter_map(|offset| Some(Hit { offset, line: 0, needle, look: look(needle, offset)? })));
    }
    hits.sort_unstable_by_key(|hit| hit.offset);
    let (mut lines, mut counted) = (0, start);
    for hit in &mut hits {
        lines += line_feeds(&bytes[counted..hit.offset]);
        counted = hit.offset;
        hit.line = lines;
    }
    lines += line_feeds(&bytes[counted..end]);
    Block { hits, lines }
}

fn line_feeds(bytes: &[u8]) -> u64 {
    memchr::memchr_iter(b'\n', bytes).count() as u64
}

#[cfg(test)]
mod tests {
    use super::{BLOCK, Hit, find};

    fn check(bytes: &[u8], needles: &[&str], expected: &[(usize, u64, u32)]) {
        let hit = |&(offset, line, needle): &(usize, u64, u32)| Hit { offset, line, needle, look: offset };
        let expected: Vec<Hit<usize>> = expected.iter().map(hit).collect();
        assert_eq!(find(bytes, needles, |_, offset| Some(offset)), expected);
    }

    #[test]
    fn what_a_first_look_drops_is_not_found() {
        let found = find(b"a b\na b", &["a", "b"], |needle, offset| (needle == 1 || offset > 0).then_some(()));
        assert_eq!(found.iter().map(|hit| (hit.offset, hit.line)).collect::<Vec<_>>(), [(2, 1), (4, 2), (6, 2)]);
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
