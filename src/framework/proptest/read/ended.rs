//! Test programs that a signal ended: what their failing tests had printed until then was still captured, and is lost.

use memchr::memmem;

use crate::failure::Notice;
use crate::run_output::{RunOutput, line_at, line_feeds};

/// What cargo says of a program that ended otherwise than by its tests.
const FAILED: &[u8] = b"process didn't exit successfully: `";

/// What that ends in, before the signal.
const SIGNAL: &[u8] = b"` (signal: ";

/// How far before the next program, or the end, it is looked for, in bytes.
const NEAR: usize = 1 << 11;

/// The programs that a signal ended, each before one of `starts`, where the next one begins, or at the end.
pub(super) fn ended(run: &RunOutput<'_>, starts: impl Iterator<Item = usize>) -> Vec<Notice> {
    let mut found: Vec<usize> = starts.chain([run.bytes.len()]).filter_map(|start| failed(run.bytes, start)).collect();
    found.dedup();
    let notice = |at: usize| {
        let line = &run.bytes[line_at(run.bytes, at).range()];
        let signal = &line[memmem::find(line, SIGNAL)? + SIGNAL.len()..];
        let end = memchr::memchr(b')', signal).unwrap_or(signal.len());
        let signal = String::from_utf8_lossy(&signal[..end]).into_owned();
        let number = 1 + line_feeds(&run.bytes[..at]);
        Some(run.notice(
            number,
            format!(
                "a test program was ended by signal {signal}; what its failing tests had printed until then is lost: run \
                 it with `--nocapture`"
            ),
        ))
    };
    found.into_iter().filter_map(notice).collect()
}

/// Where cargo says so of the program before `start`.
fn failed(bytes: &[u8], start: usize) -> Option<usize> {
    let from = start.saturating_sub(NEAR);
    memmem::rfind(bytes.get(from..start)?, FAILED).map(|at| from + at)
}

#[cfg(test)]
mod tests {
    use super::ended;
    use crate::run_output::RunOutput;

    #[test]
    fn a_program_that_a_signal_ended_is_told_once() {
        let failed = |how: &str| {
            format!(
                "error: test failed, to rerun pass `--lib`\n\nCaused by:\n  process didn't exit successfully: `/t/a-0` ({how})\n"
            )
        };
        let log = format!(
            "test a ... FAILED\n{}     Running b\n     Running c\n{}",
            failed("signal: 6, SIGABRT: process abort signal"),
            failed("exit status: 3")
        );
        let starts: Vec<usize> = log.match_indices("     Running").map(|(at, _)| at).collect();
        let told = ended(&RunOutput::new("log", log.as_bytes()), starts.into_iter());
        let [notice] = &told[..] else { panic!("{told:?}") };
        assert_eq!(notice.line, Some(5));
        assert!(notice.text.contains("by signal 6, SIGABRT: process abort signal;"), "{}", notice.text);
    }
}
