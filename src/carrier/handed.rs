//! Lines that tests handed over and that stand in a run besides its text: each is a piece of JSON for one reader. For whoever
//! reads the text they are set aside.

use crate::carrier::scan::Hit;
use crate::run_output::{RunOutput, line_at};

/// The pieces of JSON that begin at `hits`, each up to the end of its line.
pub fn pieces<'a>(run: &RunOutput<'a>, hits: &'a [Hit]) -> impl Iterator<Item = (&'a Hit, &'a [u8])> {
    let bytes = run.bytes;
    hits.iter().map(move |hit| (hit, &bytes[hit.offset..line_at(bytes, hit.offset).end]))
}

/// The bytes of the run with blanks in the place of these pieces, so that lines keep their numbers.
pub fn set_aside(run: &RunOutput<'_>, hits: &[Hit]) -> Vec<u8> {
    let mut bytes = run.bytes.to_vec();
    for (hit, piece) in pieces(run, hits) {
        bytes[hit.offset..hit.offset + piece.len()].fill(b' ');
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::{pieces, set_aside};
    use crate::carrier::scan::Hit;
    use crate::run_output::RunOutput;

    #[test]
    fn what_was_handed_over_is_blank_in_the_text() {
        let run = RunOutput::new("log", b"a\n10:01 {\"b\"}\nc {\"d\"}");
        let hits = [(8, 2), (16, 3)].map(|(offset, line)| Hit { offset, line, needle: 0 });
        let found: Vec<&[u8]> = pieces(&run, &hits).map(|(_, piece)| piece).collect();
        assert_eq!(found, [&b"{\"b\"}"[..], b"{\"d\"}"]);
        assert_eq!(set_aside(&run, &hits), b"a\n10:01      \nc      ");
    }
}
