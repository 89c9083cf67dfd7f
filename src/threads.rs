//! Shares work out among the processor's cores. Who has done what is never told by the results: they come in order.

use std::sync::LazyLock;
use std::sync::atomic::{AtomicUsize, Ordering};

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
