//! `redpin run`: the tests themselves, their failures into the inbox.

use std::ffi::OsString;

use clap::Args;

use super::list::{clip, standing};
use super::page::Page;
use super::{Exit, Fault, Next, World, print_notices};
use crate::inbox::Filed;
use crate::triage::Witness;
use crate::value::one_line;
use crate::visible;

/// Run the tests and collect their failures as they come.
///
/// Then the workstation opens on what failed; without a terminal the failures are listed. `cargo test` and `cargo nextest
/// run` are given the switches that lose least. Ends with 1 where the tests failed and there is no terminal.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  redpin run -- cargo test\n  redpin run -- cargo nextest run -p billing")]
pub(super) struct RunTests {
    /// The command, as you would type it.
    #[arg(value_name = "CMD", required = true, last = true)]
    command: Vec<OsString>,
}

impl RunTests {
    pub(super) fn run(&self, world: &World, page: &mut Page<'_>) -> Result<Next, Fault> {
        let mut triage = world.open(page)?;
        let mut telling = Telling { page, in_line: false };
        let ran = triage.run_tests(&self.command, &mut telling);
        telling.end_line();
        let ran = ran?;
        if world.terminal && !ran.ends_us {
            return Ok(Next::Workstation { directory: world.directory.clone(), runs: Vec::new() });
        }
        print_notices(&ran.imported.notices, page)?;
        let found = ran.imported.failures.iter().filter_map(|id| triage.inbox().get(id));
        let found: Vec<_> = found.cloned().collect();
        super::list::print_inbox(&crate::inbox::Inbox::new(found), page)?;
        Ok(if ran.code == 0 { Exit::Done.into() } else { Exit::No.into() })
    }
}

/// Tells the run on the remarks' stream, so that the answer stays an answer.
struct Telling<'a, 'p> {
    page: &'a mut Page<'p>,
    /// Whether what the tests wrote last ends within a line.
    in_line: bool,
}

impl Telling<'_, '_> {
    /// Sees that what redpin says stands on lines of its own.
    fn end_line(&mut self) {
        if std::mem::take(&mut self.in_line) {
            let _ = self.page.err.write_all(b"\n");
        }
    }
}

impl Witness for Telling<'_, '_> {
    fn output(&mut self, bytes: &[u8]) {
        // A reader that is gone ends nobody's tests.
        let _ = self.page.err.write_all(bytes);
        self.in_line = bytes.last().map_or(self.in_line, |last| *last != b'\n');
    }

    fn failure(&mut self, filed: &Filed) {
        let (_, word) = standing(filed);
        let counterexample = clip(&one_line(&filed.failure.counterexample.text), 60);
        let line = format!("redpin: {word}  {}  {counterexample}", filed.failure.test);
        self.end_line();
        let _ = self.page.remark(&visible::line(&line));
    }
}

#[cfg(test)]
mod tests {
    use super::Telling;
    use crate::cli::Page;
    use crate::failure::testing::failure;
    use crate::inbox::testing::filed;
    use crate::triage::Witness;

    #[test]
    fn a_failure_is_told_on_a_line_of_its_own() {
        let mut err = Vec::new();
        let mut page = Page { out: &mut std::io::sink(), err: &mut err, terminal: false, colour: false };
        let mut telling = Telling { page: &mut page, in_line: false };
        let one = filed("f", failure("tests::sum"));
        telling.output(b"a whole line\n");
        telling.failure(&one);
        telling.output(b"no line ");
        telling.output(b"end");
        telling.failure(&one);
        telling.failure(&one);
        telling.end_line();
        let told = "redpin: ✗ open  tests::sum  \n";
        let expected = format!("a whole line\n{told}no line end\n{told}{told}");
        assert_eq!(String::from_utf8(err).unwrap(), expected);
    }
}
