//! The members of a zip archive. Their names are only ever text: nothing is unpacked to where they point.

use std::io::Cursor;

use zip::ZipArchive;
use zip::result::ZipError;

use super::Opening;
use crate::visible;

impl Opening<'_> {
    /// Every member of the archive `name`, in its order; `depth` counts this archive.
    pub(super) fn archive(&mut self, name: &str, bytes: &[u8], depth: usize) {
        let mut archive = match ZipArchive::new(Cursor::new(bytes)) {
            Ok(archive) => archive,
            Err(error) => {
                let text = format!("a damaged or cut off zip archive: {error}; download it again");
                return self.passed_over(name.to_owned(), &text);
            }
        };
        let allowed = self.limits.of_archive(bytes.len()).min(self.left);
        let others = self.left - allowed;
        self.left = allowed;
        for index in 0..archive.len() {
            if self.left == 0 {
                let text = format!("passed over from member {index} on: unpack it and name the folder");
                self.passed_over(name.to_owned(), &text);
                break;
            }
            self.member(name, &mut archive, index, depth);
        }
        self.left += others;
    }

    fn member(&mut self, archive_name: &str, archive: &mut ZipArchive<Cursor<&[u8]>>, index: usize, depth: usize) {
        let described =
            archive.by_index_data(index).map(|member| String::from_utf8_lossy(member.name_raw()).into_owned());
        let name = match described {
            Ok(member) => format!("{archive_name}!{}", visible::line(&member)),
            Err(error) => return self.passed_over(archive_name.to_owned(), &format!("member {index}: {error}")),
        };
        match archive.by_index(index) {
            Ok(member) if member.is_dir() => {}
            Ok(member) if member.is_symlink() => self.passed_over(name, "passed over: a symbolic link"),
            Ok(member) => {
                let packed = member.compressed_size();
                self.stream(name, member, Some(packed), depth);
            }
            Err(error) => self.passed_over(name, &reason(&error)),
        }
    }
}

fn reason(error: &ZipError) -> String {
    match error {
        ZipError::UnsupportedArchive(ZipError::PASSWORD_REQUIRED) => {
            "passed over: encrypted; unpack it and name the folder".to_owned()
        }
        ZipError::CompressionMethodNotSupported(_) | ZipError::UnsupportedArchive(_) => {
            "passed over: packed in a way that is not read here; unpack it and name the folder".to_owned()
        }
        other => format!("passed over: {other}"),
    }
}
