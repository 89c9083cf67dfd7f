//! From the bytes that a terminal sends to keys and pastes. Bytes may come in pieces: what is not whole yet waits here,
//! and nobody else waits for it.

use ratatui::crossterm::event::KeyCode;

use super::keys::Key;

/// What the terminal sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Sent {
    Key(Key),
    Paste(String),
}

/// Bytes on their way to keys.
#[derive(Debug, Default)]
pub(super) struct Decoder {
    pending: Vec<u8>,
    pasting: bool,
}

/// No sequence of a terminal is longer; what is, is none.
const LONGEST: usize = 64;
const ESC: u8 = 0x1b;
const PASTE_END: &[u8] = b"\x1b[201~";

/// What the first bytes are.
enum Piece {
    /// A key, and how many bytes it took.
    Key(Key, usize),
    /// Nothing of use here: reports of mouse and focus, keys we do not know.
    Nothing(usize),
    /// The start of a paste.
    Paste(usize),
    /// Not whole yet.
    Unfinished,
}

impl Decoder {
    /// Takes bytes in, and what they complete out.
    pub(super) fn take(&mut self, bytes: &[u8], sent: &mut Vec<Sent>) {
        self.pending.extend_from_slice(bytes);
        let mut at = 0;
        while at < self.pending.len() {
            let rest = &self.pending[at..];
            if self.pasting {
                let Some(end) = memchr::memmem::find(rest, PASTE_END) else { break };
                sent.push(Sent::Paste(String::from_utf8_lossy(&rest[..end]).into_owned()));
                self.pasting = false;
                at += end + PASTE_END.len();
                continue;
            }
            at += match first(rest) {
                Piece::Key(key, length) => {
                    sent.push(Sent::Key(key));
                    length
                }
                Piece::Nothing(length) => length,
                Piece::Paste(length) => {
                    self.pasting = true;
                    length
                }
                Piece::Unfinished if rest.len() > LONGEST => 1,
                Piece::Unfinished => break,
            };
        }
        self.pending.drain(..at);
    }

    /// Whether bytes wait for their end that may never come: the escape key looks like the start of other keys.
    pub(super) fn is_waiting(&self) -> bool {
        !self.pending.is_empty() && !self.pasting
    }

    /// Nothing came after them: an escape was the key, and what stands behind it was typed.
    pub(super) fn give_up(&mut self, sent: &mut Vec<Sent>) {
        if !self.is_waiting() {
            return;
        }
        let waiting = std::mem::take(&mut self.pending);
        if waiting[0] == ESC {
            sent.push(Sent::Key(plain(KeyCode::Esc)));
            self.take(&waiting[1..], sent);
        }
    }
}

fn plain(code: KeyCode) -> Key {
    Key { code, ctrl: false, alt: false }
}

fn first(bytes: &[u8]) -> Piece {
    match bytes {
        [ESC] => Piece::Unfinished,
        [ESC, b'[', rest @ ..] => control_sequence(rest),
        [ESC, b'O'] => Piece::Unfinished,
        [ESC, b'O', last, ..] => named(*last, "").map_or(Piece::Nothing(3), |code| Piece::Key(plain(code), 3)),
        [ESC, ESC, ..] => Piece::Key(plain(KeyCode::Esc), 1),
        // With alt: a digit of a count.
        [ESC, digit @ b'0'..=b'9', ..] => Piece::Key(Key { alt: true, ..plain(KeyCode::Char(char::from(*digit))) }, 2),
        // No other key of ours has alt, and it may stand for an escape typed fast.
        [ESC, ..] => Piece::Key(plain(KeyCode::Esc), 1),
        _ => typed(bytes),
    }
}

/// What follows `ESC [`: parameters, then one byte that ends it.
fn control_sequence(rest: &[u8]) -> Piece {
    let before = b"\x1b[".len();
    if let [b'[', rest @ ..] = rest {
        // The function keys of the Linux console.
        return if rest.is_empty() { Piece::Unfinished } else { Piece::Nothing(before + 2) };
    }
    if let [b'M', rest @ ..] = rest {
        // A mouse of the old kind: three bytes of any value.
        return if rest.len() < 3 { Piece::Unfinished } else { Piece::Nothing(before + 4) };
    }
    let Some(end) = rest.iter().position(|byte| !(0x20..=0x3f).contains(byte)) else { return Piece::Unfinished };
    let length = before + end + 1;
    let parameters = std::str::from_utf8(&rest[..end]).unwrap_or_default();
    if rest[end] == b'~' && parameters == "200" {
        return Piece::Paste(length);
    }
    if !(0x40..=0x7e).contains(&rest[end]) {
        // Broken off; the byte begins something else.
        return Piece::Nothing(length - 1);
    }
    let mut parameters = parameters.split(';');
    let code = named(rest[end], parameters.next().unwrap_or_default());
    let modifiers = parameters.next().and_then(|text| text.parse().ok()).unwrap_or(1u8).saturating_sub(1);
    code.map_or(Piece::Nothing(length), |code| Piece::Key(Key { ctrl: modifiers & 4 != 0, ..plain(code) }, length))
}

/// The key of a sequence by its last byte and its first number.
fn named(last: u8, number: &str) -> Option<KeyCode> {
    Some(match (last, number) {
        (b'A', _) => KeyCode::Up,
        (b'B', _) => KeyCode::Down,
        (b'C', _) => KeyCode::Right,
        (b'D', _) => KeyCode::Left,
        (b'H', _) | (b'~', "1" | "7") => KeyCode::Home,
        (b'F', _) | (b'~', "4" | "8") => KeyCode::End,
        (b'M', "") => KeyCode::Enter,
        (b'Z', _) => KeyCode::BackTab,
        (b'~', "3") => KeyCode::Delete,
        (b'~', "5") => KeyCode::PageUp,
        (b'~', "6") => KeyCode::PageDown,
        _ => return None,
    })
}

/// A character, or a control character as the key that sends it.
fn typed(bytes: &[u8]) -> Piece {
    let ctrl = |c: u8| Key { ctrl: true, ..plain(KeyCode::Char(char::from(c))) };
    let key = match bytes[0] {
        b'\r' => plain(KeyCode::Enter),
        b'\t' => plain(KeyCode::Tab),
        0x08 | 0x7f => plain(KeyCode::Backspace),
        control @ 0x01..=0x1a => ctrl(control + b'a' - 1),
        0x00 | 0x1b..=0x1f => return Piece::Nothing(1),
        _ => return character(bytes),
    };
    Piece::Key(key, 1)
}

fn character(bytes: &[u8]) -> Piece {
    let length = match bytes[0] {
        0x00..=0x7f => 1,
        0xc2..=0xdf => 2,
        0xe0..=0xef => 3,
        0xf0..=0xf4 => 4,
        _ => return Piece::Nothing(1),
    };
    let whole = &bytes[..bytes.len().min(length)];
    match std::str::from_utf8(whole) {
        Ok(text) => text.chars().next().map_or(Piece::Nothing(1), |c| Piece::Key(plain(KeyCode::Char(c)), length)),
        Err(error) if error.error_len().is_none() => Piece::Unfinished,
        Err(_) => Piece::Nothing(1),
    }
}

#[cfg(test)]
mod tests {
    use super::{Decoder, Sent};
    use crate::tui::keys::Key;

    /// Feeds `bytes` whole, then byte by byte, and lets what waits at the end be given up.
    #[track_caller]
    fn check(bytes: &[u8], keys: &str) {
        let expected: Vec<Sent> = keys.split_whitespace().map(|name| Sent::Key(Key::named(name).unwrap())).collect();
        for size in [bytes.len(), 1] {
            let (mut decoder, mut sent) = (Decoder::default(), Vec::new());
            bytes.chunks(size).for_each(|piece| decoder.take(piece, &mut sent));
            decoder.give_up(&mut sent);
            assert_eq!(sent, expected, "{bytes:?} in pieces of {size}");
        }
    }

    #[test]
    fn keys_are_known_by_their_bytes() {
        check(b"jG \r\t\x7f\x04", "j G space enter tab backspace ctrl-d");
        check(b"\x1b[A\x1bOB\x1b[C\x1b[D", "up down right left");
        check(b"\x1b[H\x1b[F\x1b[1~\x1b[4~\x1b[5~\x1b[6~\x1b[3~\x1b[Z", "home end home end pgup pgdn del shift-tab");
        check(b"\x1b[1;5A\x1b[1;2B", "ctrl-up down");
        check("ä字🦀".as_bytes(), "ä 字 🦀");
    }

    #[test]
    fn an_escape_is_a_key_where_nothing_follows_it() {
        check(b"\x1b", "esc");
        check(b"\x1b\x1b", "esc esc");
        check(b"\x1bq", "esc q");
        check(b"\x1b[", "esc [");
    }

    #[test]
    fn what_is_of_no_use_is_swallowed_whole() {
        check(b"\x1b[<0;12;7M\x1b[<0;12;7mj", "j");
        check(b"\x1b[M !!j", "j");
        check(b"\x1b[I\x1b[O\x1b[15~\x1b[[Aj", "j");
        check(b"\xff\xc3(j", "( j");
        check(b"\x1b[12\x1b[Aj", "up j");
    }

    #[test]
    fn half_a_key_waits_for_the_rest_and_only_then_counts() {
        let (mut decoder, mut sent) = (Decoder::default(), Vec::new());
        decoder.take(b"j\x1b", &mut sent);
        assert_eq!((sent.len(), decoder.is_waiting()), (1, true));
        decoder.take(b"[A", &mut sent);
        assert_eq!((sent.last(), decoder.is_waiting()), (Some(&Sent::Key(Key::named("up").unwrap())), false));
    }

    #[test]
    fn a_paste_is_one_text_whatever_it_holds() {
        let (mut decoder, mut sent) = (Decoder::default(), Vec::new());
        for piece in [&b"a\x1b[200~b\nw\x1b[A"[..], b"\x1b[20", b"1~q"] {
            decoder.take(piece, &mut sent);
            assert!(!decoder.is_waiting());
        }
        let key = |name| Sent::Key(Key::named(name).unwrap());
        assert_eq!(sent, [key("a"), Sent::Paste("b\nw\u{1b}[A".to_owned()), key("q")]);
    }

    #[test]
    fn a_sequence_without_an_end_is_none() {
        let (mut decoder, mut sent) = (Decoder::default(), Vec::new());
        decoder.take(b"\x1b[", &mut sent);
        decoder.take(&[b'1'; 200], &mut sent);
        decoder.take(b"q", &mut sent);
        assert!(!decoder.is_waiting());
    }
}
