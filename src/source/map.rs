//! The memory map of a large run, and with it the one `unsafe` of the project.

use std::fs::File;
use std::io;

use memmap2::Mmap;

/// Maps the whole file for reading.
#[expect(
    unsafe_code,
    reason = "a map is sound as long as nobody shortens the file under it; a run's output is complete when it is opened, \
              and reading it instead would hold gigabytes in memory"
)]
pub(super) fn map(file: &File) -> io::Result<Mmap> {
    // SAFETY: the map is private and read only, and is dropped before the program ends. That the file keeps its length
    // cannot be had from the system; a file cut meanwhile ends the program by a signal and does no other harm.
    unsafe { Mmap::map(file) }
}
