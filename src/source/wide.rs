//! Output that a Windows shell redirected is UTF-16, sometimes UTF-32; everything after this file reads UTF-8. Told by the
//! mark such a text opens with, or, as not every shell writes one, by the zero bytes beside its letters.

use std::io::{self, BufWriter, Write};

use tempfile::SpooledTempFile;

use super::bytes::{Bytes, MAPPED_FROM};

/// Bytes at either end of a text by which its form is told.
const SAMPLE: usize = 4 << 10;

/// A form of text of which every letter takes several bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Utf16 { big_end_first: bool },
    Utf32 { big_end_first: bool },
}

const FORMS: [Form; 4] = [
    Form::Utf32 { big_end_first: false },
    Form::Utf32 { big_end_first: true },
    Form::Utf16 { big_end_first: false },
    Form::Utf16 { big_end_first: true },
];

/// A text shorter than this many units says too little of its form.
const FEWEST: usize = 8;

impl Form {
    /// Bytes of one unit.
    fn width(self) -> usize {
        match self {
            Form::Utf16 { .. } => 2,
            Form::Utf32 { .. } => 4,
        }
    }

    /// The unit in these bytes, of which there are as many as the form is wide.
    fn unit(self, bytes: &[u8]) -> u32 {
        let joined = |unit: u32, byte: &u8| unit << 8 | u32::from(*byte);
        match self {
            Form::Utf16 { big_end_first: true } | Form::Utf32 { big_end_first: true } => bytes.iter().fold(0, joined),
            _ => bytes.iter().rev().fold(0, joined),
        }
    }

    fn units(self, bytes: &[u8]) -> impl Iterator<Item = u32> {
        bytes.chunks_exact(self.width()).map(move |bytes| self.unit(bytes))
    }

    /// Whether `sample` reads as text in this form: most of its units are letters, signs or line ends of ASCII, each with
    /// zero bytes beside it, and a unit of four bytes is a character at all.
    fn fits(self, sample: &[u8]) -> bool {
        let (mut plain, mut all) = (0, 0);
        for unit in self.units(sample) {
            if self.width() == 4 && char::from_u32(unit).is_none() {
                return false;
            }
            all += 1;
            plain += usize::from(matches!(unit, 0x09..=0x0d | 0x1b | 0x20..=0x7e));
        }
        all >= FEWEST && plain * 2 > all
    }

    /// Whether `bytes` open with the mark of this form.
    fn is_marked(self, bytes: &[u8]) -> bool {
        bytes.get(..self.width()).is_some_and(|mark| self.unit(mark) == 0xfeff)
    }
}

/// The bytes as they are, or turned into UTF-8 where they are text of another form, and what the user should know of it.
/// Where the turned text cannot be kept, the bytes stay.
pub(super) fn as_utf8(bytes: Bytes) -> (Bytes, Option<&'static str>) {
    let Some(form) = form(&bytes) else {
        let notice = ends_wide(&bytes).then_some(WIDE_END);
        return (bytes, notice);
    };
    let text = if form.is_marked(&bytes) { &bytes[form.width()..] } else { &bytes[..] };
    match turned(text, form) {
        Ok(turned) => {
            let notice = is_narrow(&text[text.len().saturating_sub(NARROW)..]).then_some(NARROW_END);
            (turned, notice)
        }
        Err(_) => (bytes, Some(NO_ROOM)),
    }
}

const WIDE_END: &str = "begins as UTF-8 and ends as UTF-16 or UTF-32, and what is not UTF-8 is not read: write it in one \
                        encoding (PowerShell: `Out-File -Encoding utf8`)";
const NARROW_END: &str = "begins as UTF-16 or UTF-32 and ends in another encoding, which is not read: write it in one \
                          encoding (PowerShell: `Out-File -Encoding utf8`)";
const NO_ROOM: &str = "is UTF-16 or UTF-32, and there is no room to turn it into UTF-8: make room in the folder for \
                       temporary files, or turn it with `iconv -t UTF-8`";

fn form(bytes: &[u8]) -> Option<Form> {
    let marked = FORMS.into_iter().find(|form| form.is_marked(bytes));
    let starts_narrow = || is_narrow(&bytes[..bytes.len().min(NARROW)]);
    marked.or_else(|| {
        let mut forms = FORMS.into_iter().filter(|_| !starts_narrow());
        forms.find(|form| form.fits(&bytes[..bytes.len().min(SAMPLE)]))
    })
}

/// So many bytes of ASCII without a zero among them are no text of wide units.
const NARROW: usize = 8;

fn is_narrow(sample: &[u8]) -> bool {
    sample.len() == NARROW && sample.is_ascii() && !sample.contains(&0)
}

/// Whether a text of single bytes goes on in wider units, as one does to which a Windows shell appended.
fn ends_wide(bytes: &[u8]) -> bool {
    let sample = &bytes[bytes.len().saturating_sub(SAMPLE)..];
    (0..4).any(|at| sample.get(at..).is_some_and(|sample| FORMS.into_iter().any(|form| form.fits(sample))))
}

fn turned(bytes: &[u8], form: Form) -> io::Result<Bytes> {
    let mut out = BufWriter::new(SpooledTempFile::new(MAPPED_FROM));
    let mut put = |c: Option<char>| {
        let mut encoded = [0; 4];
        out.write_all(c.unwrap_or(char::REPLACEMENT_CHARACTER).encode_utf8(&mut encoded).as_bytes())
    };
    match form {
        Form::Utf16 { .. } => {
            let units = form.units(bytes).map(|unit| unit as u16);
            char::decode_utf16(units).try_for_each(|read| put(read.ok()))?;
        }
        Form::Utf32 { .. } => form.units(bytes).try_for_each(|unit| put(char::from_u32(unit)))?,
    }
    if !bytes.len().is_multiple_of(form.width()) {
        put(None)?;
    }
    Bytes::of_spool(out.into_inner().map_err(io::IntoInnerError::into_error)?)
}

#[cfg(test)]
mod tests {
    use super::{Bytes, NARROW_END, WIDE_END, as_utf8};

    const LOG: &str = "running 1 test\r\ntest größe::日本::b ... FAILED\r\n\u{1d11e}\n";

    type Encode = fn(&str) -> Vec<u8>;

    const ENCODINGS: [Encode; 4] = [
        |text| text.encode_utf16().flat_map(u16::to_le_bytes).collect(),
        |text| text.encode_utf16().flat_map(u16::to_be_bytes).collect(),
        |text| text.chars().flat_map(|c| u32::from(c).to_le_bytes()).collect(),
        |text| text.chars().flat_map(|c| u32::from(c).to_be_bytes()).collect(),
    ];

    #[track_caller]
    fn check(bytes: Vec<u8>, expected: &str, notice: Option<&str>) {
        let (read, told) = as_utf8(Bytes::Held(bytes));
        assert_eq!((String::from_utf8_lossy(&read).as_ref(), told), (expected, notice));
    }

    #[test]
    fn every_form_is_read_with_a_mark_and_without() {
        for encode in ENCODINGS {
            check(encode(LOG), LOG, None);
            check(encode(&format!("\u{feff}{LOG}")), LOG, None);
            check(encode("\u{feff}日本"), "日本", None);
        }
    }

    #[test]
    fn what_is_cut_off_or_no_character_is_replaced() {
        for encode in ENCODINGS {
            let whole = encode(LOG);
            check([&whole[..], b"x"].concat(), &format!("{LOG}\u{fffd}"), None);
        }
        let lone = [ENCODINGS[0](LOG), vec![0x00, 0xd8]].concat();
        check(lone, &format!("{LOG}\u{fffd}"), None);
    }

    #[test]
    fn bytes_stay_where_they_are_no_wide_text() {
        for text in ["", "a", "a\0", "a\0b\0c\0", LOG, "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"] {
            check(text.as_bytes().to_vec(), text, None);
        }
    }

    #[test]
    fn a_text_of_two_encodings_is_told() {
        let narrow = LOG.repeat(200);
        for encode in ENCODINGS {
            let mixed = [narrow.as_bytes(), &encode(LOG).repeat(100)].concat();
            check(mixed.clone(), &String::from_utf8_lossy(&mixed), Some(WIDE_END));
        }
        let turned = [ENCODINGS[0](LOG), b"test plain::letters::of::one::byte ... ok\n".to_vec()].concat();
        assert_eq!(as_utf8(Bytes::Held(turned)).1, Some(NARROW_END));
    }
}
