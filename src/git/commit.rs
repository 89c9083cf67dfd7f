//! Which commit is checked out, and whether the work tree differs from it: what a proof says of the code it ran on.

use super::program;
use super::repository::Repository;

impl Repository {
    /// The id of the commit that is checked out, with a `+` where tracked files differ from it; `None` before the first.
    pub fn commit(&self) -> Option<String> {
        let head = self.head_id()?;
        let differs = self.program().reader(&["diff", "--quiet", "--ignore-submodules", "HEAD", "--"]);
        let clean = program::run(differs, b"").is_ok_and(|output| output.status.success());
        Some(if clean { head } else { format!("{head}+") })
    }

    fn head_id(&self) -> Option<String> {
        let by_library =
            self.library().and_then(|library| Some(library.head().ok()?.peel_to_commit().ok()?.id().to_string()));
        by_library.or_else(|| {
            let told = program::printed(self.program().reader(&["rev-parse", "--verify", "-q", "HEAD"]), b"").ok()?;
            Some(String::from_utf8_lossy(&told).trim_end().to_owned()).filter(|id| !id.is_empty())
        })
    }
}
