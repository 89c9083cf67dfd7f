//! The bytes of one run, and what can be said of them without knowing any framework: lines, numbers of lines, escape
//! codes and CI prefixes set aside with their offsets kept.

/// The output of one run (one file, archive member or stream), as bytes of unknown encoding.
#[derive(Clone, Copy, Debug)]
pub struct RunOutput<'a> {
    /// What users call it: see [`crate::failure::Origin::run`].
    pub name: &'a str,
    /// All its bytes.
    pub bytes: &'a [u8],
}
