//! The contents of an operation as its file in the journal holds them: a line of JSON that lists them, then their bytes, packed.

use std::collections::HashMap;
use std::io::{self, BufRead, Read, Write};
use std::sync::Arc;

use flate2::Compression;
use flate2::read::ZlibDecoder;
use flate2::write::ZlibEncoder;

use super::objects::ObjectId;

/// Contents by id.
pub(super) type Contents = HashMap<ObjectId, Arc<[u8]>>;

/// Writes `contents`.
pub(super) fn write(file: &mut impl Write, contents: &Contents) -> io::Result<()> {
    let list: Vec<(&ObjectId, usize)> = contents.iter().map(|(id, bytes)| (id, bytes.len())).collect();
    let mut line = serde_json::to_vec(&list)?;
    line.push(b'\n');
    file.write_all(&line)?;
    let mut packed = ZlibEncoder::new(file, Compression::fast());
    list.iter().filter_map(|(id, _)| contents.get(*id)).try_for_each(|bytes| packed.write_all(bytes))?;
    packed.finish().map(drop)
}

/// Reads what [`write`] wrote.
pub(super) fn read(file: &mut impl BufRead) -> io::Result<Contents> {
    let mut line = Vec::new();
    file.read_until(b'\n', &mut line)?;
    let list: Vec<(ObjectId, u64)> = serde_json::from_slice(&line)?;
    let mut packed = ZlibDecoder::new(file);
    let mut contents = Contents::new();
    for (id, length) in list {
        let mut bytes = Vec::new();
        packed.by_ref().take(length).read_to_end(&mut bytes)?;
        if bytes.len() as u64 != length {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        contents.insert(id, bytes.into());
    }
    // Only at its end does the stream tell whether all of it is there, as it was written.
    match packed.read(&mut [0])? {
        0 => Ok(contents),
        _ => Err(io::ErrorKind::InvalidData.into()),
    }
}

#[cfg(test)]
mod tests {
    use super::{Contents, ObjectId, read, write};

    fn check(contents: &[(&str, &[u8])]) {
        let contents: Contents =
            contents.iter().map(|(id, bytes)| (ObjectId((*id).to_owned()), (*bytes).into())).collect();
        let mut file = Vec::new();
        write(&mut file, &contents).unwrap();
        assert_eq!(read(&mut &file[..]).unwrap(), contents);
        for end in 0..file.len() {
            assert!(read(&mut &file[..end]).is_err(), "{end} bytes of {file:?}");
        }
    }

    #[test]
    fn what_is_written_is_read_and_a_part_of_it_is_not() {
        check(&[]);
        check(&[("a", b"")]);
        check(&[("a", b"one\n\0\xff"), ("b", b""), ("c", b"[]\n")]);
    }
}
