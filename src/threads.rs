//! Shares work out among the processor's cores, and has code read on a thread made for it. Who has done what is never told by the results: they come in order.

use std::cell::Cell;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::Builder;

/// More threads do not read memory faster.
const MOST: usize = 8;

/// Asked for once: the system's answer takes several files to read, and an archive may hold thousands of small runs.
static CORES: LazyLock<usize> = LazyLock::new(|| std::thread::available_parallelism().map_or(1, |n| n.get()));

/// How many threads share one work.
pub fn most() -> usize {
    MOST.min(*CORES)
}

/// The results of `work` on each part, in their order, each part by a thread of its own.
pub fn each<T: Send, R: Send>(parts: impl IntoIterator<Item = T>, work: impl Fn(T) -> R + Sync) -> Vec<R> {
    let mut parts = parts.into_iter();
    let Some(first) = parts.next() else { return Vec::new() };
    let work = &work;
    std::thread::scope(|scope| {
        let others: Vec<_> = parts.map(|part| scope.spawn(move || work(part))).collect();
        let mut results = vec![work(first)];
        results.extend(others.into_iter().map(|other| match other.join() {
            Ok(result) => result,
            Err(panic) => std::panic::resume_unwind(panic),
        }));
        results
    })
}

/// The results of `work` on each number below `count`, in their order; a thread that is done with one takes the next.
pub fn numbered<R: Send>(count: usize, work: impl Fn(usize) -> R + Sync) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let workers = vec![(); most().min(count)];
    let done = each(&workers, |()| {
        let claim = || next.fetch_add(1, Ordering::Relaxed);
        let claimed = std::iter::repeat_with(claim).take_while(|&number| number < count);
        claimed.map(|number| (number, work(number))).collect::<Vec<_>>()
    });
    let mut done: Vec<(usize, R)> = done.into_iter().flatten().collect();
    done.sort_unstable_by_key(|(number, _)| *number);
    done.into_iter().map(|(_, result)| result).collect()
}

/// Stack of a thread that parses, in bytes: parsers recurse as deep as the code nests.
const STACK: usize = 64 << 20;

thread_local! {
    static IS_APART: Cell<bool> = const { Cell::new(false) };
}

/// Whether this thread is one of [`apart`].
fn is_apart() -> bool {
    IS_APART.get()
}

/// Runs `work` on a thread of its own, unless this one is such a thread. The parsers keep every text they have read for
/// the life of their thread; here that memory goes when the work is done. Much work is best put into one such thread.
pub fn apart<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    if is_apart() {
        return work();
    }
    let work = || {
        IS_APART.set(true);
        work()
    };
    std::thread::scope(|scope| {
        let thread = Builder::new().stack_size(STACK).spawn_scoped(scope, work);
        let thread = thread.unwrap_or_else(|error| panic!("the system gave no thread to read code on: {error}"));
        thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

#[cfg(test)]
mod tests {
    use super::{each, numbered};

    #[test]
    fn results_come_in_order_whoever_made_them() {
        assert_eq!(each(&[3, 1, 2], |part| part * 2), [6, 2, 4]);
        assert_eq!(numbered(1000, |number| number * 2), (0..2000).step_by(2).collect::<Vec<_>>());
        assert!(numbered(0, |number| number).is_empty());
    }
}
