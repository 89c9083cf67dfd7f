//! Reads a stream whose length is not known before (a compressed member, standard input), within limits: a few kilobytes
//! of archive can hold terabytes of nothing.

use std::io::{self, Read, Write};

use tempfile::SpooledTempFile;

use super::bytes::{Bytes, MAPPED_FROM};

/// How much may come out of what is compressed or has no known end.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    /// Bytes of one member or stream.
    pub(super) member: u64,
    /// Bytes of all members and streams of one call.
    pub(super) total: u64,
    /// How many times its compressed size a member may have, once it is larger than `ratio_from`.
    pub(super) ratio: u64,
    /// Below this many bytes the ratio does not count: a short log of equal lines is no bomb.
    pub(super) ratio_from: u64,
    /// How many members of one archive are read.
    pub(super) members: usize,
    /// How deep archives may lie in archives.
    pub(super) depth: usize,
}

impl Limits {
    /// How many bytes may come out of all members of an archive that have `packed` bytes together: members may share their
    /// bytes, so that each alone is within its limits.
    pub(super) fn of_archive(&self, packed: u64) -> u64 {
        self.ratio_from.max(packed.saturating_mul(self.ratio))
    }

    fn used_up(&self) -> String {
        let (ratio, total) = (self.ratio, size(self.total));
        format!(
            "no more is unpacked: out of an archive may come {ratio} times its size, and {total} out of all together"
        )
    }
}

/// The limits of the program.
pub(super) const LIMITS: Limits =
    Limits { member: 4 << 30, total: 16 << 30, ratio: 250, ratio_from: 16 << 20, members: 50_000, depth: 3 };

/// What came out of a stream.
pub(super) enum Inflated {
    /// All of it.
    Whole(Bytes),
    /// What came before the stream broke off, and how it broke.
    Broken(Bytes, io::Error),
    /// Nothing is kept: the sentence says which limit it passed.
    TooLarge(String),
}

/// Reads `stream` to its end. `packed` is its compressed size, where it is compressed; what comes out is taken off `left`.
///
/// # Errors
/// Where what came out cannot be kept: a full disk.
pub(super) fn inflate(
    mut stream: impl Read,
    packed: Option<u64>,
    limits: &Limits,
    left: &mut u64,
) -> io::Result<Inflated> {
    let mut spool = SpooledTempFile::new(MAPPED_FROM);
    let mut buffer = vec![0; 64 << 10];
    let mut length: u64 = 0;
    loop {
        let read = match stream.read(&mut buffer) {
            Ok(0) => return Ok(Inflated::Whole(Bytes::of_spool(spool)?)),
            Ok(read) => read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Ok(Inflated::Broken(Bytes::of_spool(spool)?, error)),
        };
        length += read as u64;
        if let Some(limit) = limit_passed(length, packed, limits) {
            return Ok(Inflated::TooLarge(limit));
        }
        let Some(rest) = left.checked_sub(read as u64) else {
            *left = 0;
            return Ok(Inflated::TooLarge(limits.used_up()));
        };
        *left = rest;
        spool.write_all(&buffer[..read])?;
    }
}

fn limit_passed(length: u64, packed: Option<u64>, limits: &Limits) -> Option<String> {
    if length > limits.member {
        return Some(format!("it holds more than {}", size(limits.member)));
    }
    let dense = packed.is_some_and(|packed| length > limits.ratio_from && length / limits.ratio > packed);
    dense.then(|| format!("it unpacks to more than {} times its size", limits.ratio))
}

fn size(bytes: u64) -> String {
    match bytes {
        0..1_048_576 => format!("{bytes} bytes"),
        1_048_576..1_073_741_824 => format!("{} MiB", bytes >> 20),
        _ => format!("{} GiB", bytes >> 30),
    }
}
