//! A limit on how long a command may take: when it has passed, the command is asked to end as ctrl-c would, and again
//! until it does.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::Duration;

use super::Stopper;

/// Between two requests to end.
const PATIENCE: Duration = Duration::from_secs(2);

/// The limit on a command. It is lifted when this value is dropped.
#[derive(Debug)]
pub struct TimeLimit {
    passed: Arc<AtomicBool>,
    _lifted: Sender<()>,
}

impl TimeLimit {
    /// Lets the command that `stopper` stops run for `limit`.
    pub fn start(stopper: Stopper, limit: Duration) -> TimeLimit {
        let (lifted, waiting) = channel::<()>();
        let passed = Arc::new(AtomicBool::new(false));
        let set = passed.clone();
        thread::spawn(move || {
            let mut next = limit;
            while waiting.recv_timeout(next) == Err(RecvTimeoutError::Timeout) {
                set.store(true, Ordering::Relaxed);
                stopper.stop();
                next = PATIENCE;
            }
        });
        TimeLimit { passed, _lifted: lifted }
    }

    /// Whether the command took longer.
    pub fn passed(&self) -> bool {
        self.passed.load(Ordering::Relaxed)
    }
}
