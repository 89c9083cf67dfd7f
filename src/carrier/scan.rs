//! Finds a few fixed texts in a large run with all cores, and the number of the line each stands on, in one pass over
//! the bytes: every block is searched and counted while it is in the cache.

use std::sync::atomic::{AtomicUsize, Ordering};

use memchr::memmem::Finder;

/// One place where a needle stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hit {
    /// Offset of its first byte.
    pub offset: usize,
    /// The line that holds that byte, from 1.
    pub line: u64,
    /// Which needle, by its place in the list given.
    pub needle: usize,
}

/// Bytes searched at once: they fit the second-level cache beside what else is there.
const BLOCK: usize = 512 << 10;

/// More threads do not read memory faster.
const MOST_THREADS: usize = 8;

/// Every place of every needle, by offset.
pub fn find(bytes: &[u8], needles: &[&str]) -> Vec<Hit> {
    let finders: Vec<Finder<'_>> = needles.iter().map(|needle| Finder::new(needle.as_bytes())).collect();
    let mut blocks = search(bytes, &finders);
    blocks.sort_unstable_by_key(|block| block.start);
    let mut lines_before = 1;
    let mut hits = Vec::with_capacity(blocks.iter().map(|block| block.hits.len()).sum());
    for block in blocks {
        hits.extend(block.hits.iter().map(|hit| Hit { line: hit.line + lines_before, ..*hit }));
        lines_before += block.lines;
    }
    hits
}

/// What one block holds: hits with lines counted from its start, and the line feeds in it.
struct Block {
    start: usize,
    hits: Vec<Hit>,
    lines: u64,
}

/// How many threads share one run's work.
pub fn threads() -> usize {
    std::thread::available_parallelism().map_or(1, |n| n.get()).min(MOST_THREADS)
}

/// The results of `work` on each part, in their order, each part by a thread of its own.
pub fn each<T: Sync, R: Send>(parts: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let [first, others @ ..] = parts else { return Vec::new() };
    let work = &work;
    std::thread::scope(|scope| {
        let others: Vec<_> = others.iter().map(|part| scope.spawn(move || work(part))).collect();
        let mut results = vec![work(first)];
        results.extend(others.into_iter().map(|other| match other.join() {
            Ok(result) => result,
            Err(panic) => std::panic::resume_unwind(panic),
        }));
        results
    })
}

fn search(bytes: &[u8], finders: &[Finder<'_>]) -> Vec<Block> {
    let blocks = bytes.len().div_ceil(BLOCK);
    let next = AtomicUsize::new(0);
    let workers = vec![(); threads().min(blocks)];
    let found = each(&workers, |()| {
        let claim = || next.fetch_add(1, Ordering::Relaxed);
        let claimed = std::iter::repeat_with(claim).take_while(|&at| at < blocks);
        claimed.map(|at| read(bytes, at * BLOCK, finders)).collect::<Vec<Block>>()
    });
    found.into_iter().flatten().collect()
}

/// Searches the block that starts at `start`; a needle belongs to the block that holds its first byte.
fn read(bytes: &[u8], start: usize, finders: &[Finder<'_>]) -> Block {
    let end = (start + BLOCK).min(bytes.len());
    let mut hits = Vec::new();
    for (needle, finder) in finders.iter().enumerate() {
        let reach = (end + finder.needle().len() - 1).min(bytes.len());
        hits.extend(finder.find_iter(&bytes[start..reach]).map(|at| Hit { offset: start + at, line: 0, needle }));
    }
    hits.sort_unstable_by_key(|hit| hit.offset);
    let (mut lines, mut counted) = (0, start);
    for hit in &mut hits {
        lines += line_feeds(&bytes[counted..hit.offset]);
        counted = hit.offset;
        hit.line = lines;
    }
    lines += line_feeds(&bytes[counted..end]);
    Block { start, hits, lines }
}

fn line_feeds(bytes: &[u8]) -> u64 {
    memchr::memchr_iter(b'\n', bytes).count() as u64
}

#[cfg(test)]
mod tests {
    use super::{BLOCK, Hit, find};

    fn check(bytes: &[u8], needles: &[&str], expected: &[(usize, u64, usize)]) {
        let expected: Vec<Hit> = expected.iter().map(|&(offset, line, needle)| Hit { offset, line, needle }).collect();
        assert_eq!(find(bytes, needles), expected);
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
