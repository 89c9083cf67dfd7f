//! Source files for a thread of its own. The parser keeps every text it has read for the life of its thread, and
//! recurses as deep as the code nests: so parsing has a thread that ends with the work, with a stack to spare, and asks
//! for files here.

use std::sync::Arc;
use std::sync::mpsc::{Sender, channel};
use std::thread::{Builder, scope};

use super::NoLiteral;
use crate::language::rust::tokens::is_apart;
use crate::repo_path::RepoPath;
use crate::source_tree::SourceTree;

/// Stack of the thread, in bytes.
const STACK: usize = 64 << 20;

/// A question for a file, and where the answer goes.
type Question = (RepoPath, Sender<Option<Arc<[u8]>>>);

/// Runs `work` on a thread of its own, which reads `tree` through this one; here, where this is a thread for parsing.
pub(super) fn apart<T: Send>(
    tree: &dyn SourceTree,
    work: impl FnOnce(&dyn SourceTree) -> Result<T, NoLiteral> + Send,
) -> Result<T, NoLiteral> {
    if is_apart() {
        return work(tree);
    }
    let (ask, asked) = channel::<Question>();
    scope(|scope| {
        let thread = Builder::new().stack_size(STACK).spawn_scoped(scope, move || work(&Asking(ask)));
        let Ok(thread) = thread else {
            return Err(NoLiteral("the system gave no thread to read the source on".to_owned()));
        };
        for (path, answer) in asked {
            // The thread waits for it, unless it has failed: then there is no one to tell.
            let _ = answer.send(tree.read(&path));
        }
        thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

/// The tree as seen from the other thread.
struct Asking(Sender<Question>);

impl SourceTree for Asking {
    fn read(&self, path: &RepoPath) -> Option<Arc<[u8]>> {
        let (send, answer) = channel();
        self.0.send((path.clone(), send)).ok()?;
        answer.recv().ok()?
    }

    /// Not offered here: nothing in this room searches.
    fn find(&self, _wanted: &dyn Fn(&str) -> bool) -> Vec<RepoPath> {
        Vec::new()
    }
}
