//! Output that a Windows shell redirected is UTF-16; everything after this file reads UTF-8.

use std::io::{self, BufWriter, Write};

use tempfile::SpooledTempFile;

use super::bytes::{Bytes, MAPPED_FROM};

/// The bytes as they are, or turned into UTF-8 where they open with the byte order mark of UTF-16. Where the turned text
/// cannot be kept, the bytes stay.
pub(super) fn as_utf8(bytes: Bytes) -> Bytes {
    let unit = match bytes.get(..2) {
        Some([0xff, 0xfe]) => u16::from_le_bytes,
        Some([0xfe, 0xff]) => u16::from_be_bytes,
        _ => return bytes,
    };
    turned(&bytes[2..], unit).unwrap_or(bytes)
}

fn turned(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> io::Result<Bytes> {
    let mut out = BufWriter::new(SpooledTempFile::new(MAPPED_FROM));
    let units = bytes.as_chunks::<2>().0.iter().map(|pair| unit(*pair));
    let mut encoded = [0; 4];
    for read in char::decode_utf16(units) {
        let c = read.unwrap_or(char::REPLACEMENT_CHARACTER);
        out.write_all(c.encode_utf8(&mut encoded).as_bytes())?;
    }
    Bytes::of_spool(out.into_inner().map_err(io::IntoInnerError::into_error)?)
}
