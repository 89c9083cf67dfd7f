//! A redpin in a process of its own, for tests of what the world does to a process: a kill, another environment. The
//! child is this test program, told by an environment variable what to do.

use std::io;
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};

use redpin::git::{Repository, Step, Write};
use serde::{Deserialize, Serialize};

use super::repository::operation;

const ORDER: &str = "REDPIN_TEST_ORDER";

/// New contents of a path in the index and in the work tree; `None` removes it.
type Told = (String, Option<Vec<u8>>, Option<Vec<u8>>);

#[derive(Serialize, Deserialize)]
struct Order {
    top: String,
    action: String,
    /// The step at which it kills itself.
    kill_at: Option<usize>,
    changes: Vec<Told>,
}

/// Does `action` (`stage`, `undo` or `redo`), which must succeed.
pub(super) fn act(repository: &Repository, action: &str, changes: &[(&str, Write, Write)]) {
    match action {
        "stage" => drop(repository.stage(&operation(repository, changes)).unwrap()),
        "undo" => drop(repository.undo().unwrap()),
        _ => drop(repository.redo().unwrap()),
    }
}

/// Lets a child do `action` in the work tree at `top`, with more in its environment.
#[expect(clippy::disallowed_methods, reason = "the child is this very program")]
pub(super) fn start(
    top: &Path,
    action: &str,
    kill_at: Option<usize>,
    changes: &[(&str, Write, Write)],
    environment: &[(&str, &str)],
) -> ExitStatus {
    let bytes = |write: &Write| if let Write::Content(bytes) = write { Some(bytes.clone()) } else { None };
    let changes = changes.iter().map(|(path, index, work)| ((*path).to_owned(), bytes(index), bytes(work))).collect();
    let order = Order { top: top.to_str().unwrap().to_owned(), action: action.to_owned(), kill_at, changes };
    let mut child = Command::new(std::env::current_exe().unwrap());
    child.args(["--exact", "staging::child::child", "--ignored"]).stdout(Stdio::null()).stderr(Stdio::null());
    child.env(ORDER, serde_json::to_string(&order).unwrap()).envs(environment.iter().copied());
    child.status().unwrap()
}

#[test]
#[ignore = "other tests start it as their child"]
#[expect(clippy::disallowed_methods, reason = "the order comes through the environment")]
fn child() {
    let Ok(order) = std::env::var(ORDER) else { return };
    let order: Order = serde_json::from_str(&order).unwrap();
    let write = |bytes: &Option<Vec<u8>>| bytes.clone().map_or(Write::Remove, Write::Content);
    let changes: Vec<_> =
        order.changes.iter().map(|(path, index, work)| (path.as_str(), write(index), write(work))).collect();
    let (steps, kill_at) = (AtomicUsize::new(0), order.kill_at);
    let watch = move |_: Step| if Some(steps.fetch_add(1, Ordering::Relaxed)) == kill_at { kill() } else { Ok(()) };
    act(&Repository::discover(order.top.as_ref()).unwrap().watched(watch), &order.action, &changes);
}

#[expect(clippy::disallowed_methods, reason = "the one safe way to a signal that cannot be caught")]
fn kill() -> io::Result<()> {
    Command::new("kill").args(["-KILL", &std::process::id().to_string()]).status()?;
    loop {
        std::thread::park();
    }
}
