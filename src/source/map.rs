//! The memory map of a large run, and with it the only `unsafe` of the project.

use std::fs::File;
use std::io;

use memmap2::{Mmap, UncheckedAdvice};

use crate::span::Span;

/// Maps the whole file for reading.
#[expect(
    unsafe_code,
    reason = "a map is sound as long as nobody shortens the file under it; a run's output is complete when it is opened, \
              and reading it instead would hold gigabytes in memory"
)]
pub(super) fn map(file: &File) -> io::Result<Mmap> {
    // SAFETY: the map is read only, and is dropped before the program ends. That the file keeps its length cannot be had from
    // the system: one that is cut while it is read ends the program by a signal (SIGBUS). Nothing is being written then, so
    // that inbox and repository are whole; but nobody gives the workstation's terminal back, nor says why.
    unsafe { Mmap::map(file) }
}

/// Lets go of the memory behind a part of a map, as far as it is one. Whoever looks there again gets the file's bytes again.
#[expect(unsafe_code, reason = "to give back a map of a gigabyte in one piece takes as long as to look through it")]
pub(super) fn let_go(map: &Mmap, span: Span) {
    let end = span.end.min(map.len());
    let Some(length) = end.checked_sub(span.start).filter(|length| *length > 0) else { return };
    // SAFETY: the part ends within the map, which the call itself does not see to: behind it stands memory of others. The map
    // is of a file and read only, so that nothing is lost which is not in the file.
    // Where the system will not take the advice, the memory is given back with the whole map.
    let _ = unsafe { map.unchecked_advise_range(UncheckedAdvice::DontNeed, span.start, length) };
}
