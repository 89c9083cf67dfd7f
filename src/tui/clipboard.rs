//! The clipboard by way of the terminal, which works over ssh: the escape sequence OSC 52.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

/// The bytes that put `text` into the terminal's clipboard.
pub(super) fn sequence(text: &str) -> Vec<u8> {
    format!("\x1b]52;c;{}\x07", STANDARD.encode(text)).into_bytes()
}

/// The same wrapped so that tmux passes it on, where it is set to.
pub(super) fn through_tmux(text: &str) -> Vec<u8> {
    format!("\x1bPtmux;\x1b\x1b]52;c;{}\x07\x1b\\", STANDARD.encode(text)).into_bytes()
}

#[cfg(test)]
mod tests {
    use super::{sequence, through_tmux};

    #[test]
    fn a_text_is_carried_as_base64() {
        assert_eq!(sequence("a = 1"), b"\x1b]52;c;YSA9IDE=\x07");
        assert_eq!(through_tmux("a = 1"), b"\x1bPtmux;\x1b\x1b]52;c;YSA9IDE=\x07\x1b\\");
    }
}
