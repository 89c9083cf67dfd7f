//! Tells whether a test whose report stands in a log passed nevertheless, being meant to panic: such reports are seen where
//! passing tests' output is shown or nothing is captured.

use crate::carrier::{cargo_log, line};
use crate::failure::TestName;
use crate::run_output::line_at;

use super::before::Before;
use super::text::{Memory, Text};

/// How many bytes after a report are searched for its test's result.
const RESULT_REACH: usize = 64 << 10;

impl Text<'_> {
    /// Whether the test passed nevertheless, being meant to panic.
    pub(super) fn passed(&self, before: &Before, test: &TestName, end: usize, memory: &mut Memory) -> bool {
        if self.given.is_some() {
            return false;
        }
        if let Some(section) = before.section {
            let success = self.is_success(section, memory);
            memory.section = Some((section, success));
            return success;
        }
        if before.alone && !before.should_panic {
            return false;
        }
        let reach = (end + RESULT_REACH).min(self.bytes.len());
        let after = &self.bytes[end.min(reach)..reach];
        if before.should_panic {
            let result =
                after.split(|&byte| byte == b'\n').map(line::plain).find(|line| line == "ok" || line == "FAILED");
            return result.is_some_and(|result| result == "ok");
        }
        let meant = format!("test {test} - should panic ... ");
        let mut results = memchr::memmem::find_iter(after, &meant).map(|at| line_at(after, at));
        results.any(|result| line::plain(&after[result.range()]).ends_with(" ... ok"))
    }

    /// Whether the section at `offset` stands under `successes:` rather than `failures:`, which comes last in a binary's
    /// output: after a failed section all others of the binary are of failed tests.
    fn is_success(&self, offset: usize, memory: &Memory) -> bool {
        let end = self.bytes[..offset].trim_ascii_end().len();
        let above = line_at(self.bytes, end.saturating_sub(1));
        match line::plain(&self.bytes[above.range()]).as_ref() {
            cargo_log::FAILURES => return false,
            cargo_log::SUCCESSES => return true,
            _ => {}
        }
        let binary =
            self.binaries.partition_point(|&start| start < offset).checked_sub(1).map_or(0, |at| self.binaries[at]);
        match memory.section.filter(|(last, _)| *last >= binary) {
            Some((last, success)) => success && heading(&self.bytes[last..offset], cargo_log::FAILURES).is_none(),
            None => {
                let text = &self.bytes[binary.max(offset.saturating_sub(HEADING_REACH))..offset];
                heading(text, cargo_log::SUCCESSES) > heading(text, cargo_log::FAILURES)
            }
        }
    }
}

/// The last place in `text` where a line is nothing but `word`, whatever prefix it has.
fn heading(text: &[u8], word: &str) -> Option<usize> {
    let is_alone = |at: &usize| {
        let front = &text[at.saturating_sub(LONGEST_PREFIX)..*at];
        let back = &text[at + word.len()..(at + word.len() + LONGEST_PREFIX).min(text.len())];
        let start = memchr::memrchr(b'\n', front).map_or(0, |feed| feed + 1);
        let end = memchr::memchr(b'\n', back).unwrap_or(back.len());
        let line = [&front[start..], word.as_bytes(), &back[..end]].concat();
        line::plain(&line) == word
    };
    memchr::memmem::rfind_iter(text, word).find(is_alone)
}

/// Bytes that services and colours put around a heading, at most.
const LONGEST_PREFIX: usize = 240;

/// How many bytes before a binary's first section are searched for the heading it stands under.
const HEADING_REACH: usize = 1 << 20;
