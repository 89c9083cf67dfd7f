//! Reads what the runner prints before a report: the seed it kept and where, that it keeps none, that it gave up
//! shrinking.

use crate::failure::ForeignPath;

/// One remark of the runner.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Remark {
    /// The file the seed was saved in.
    Saving(ForeignPath),
    /// The seed.
    Seed(String),
    /// No seed is kept, as the file could not be written to, or as no source file is known.
    Unsaved(Option<ForeignPath>),
    /// Shrinking was cut off.
    ShrinkingCut,
}

/// What `line` remarks, where it does.
pub(super) fn remark(line: &str) -> Option<Remark> {
    if let Some(seed) = handle(line) {
        return Some(Remark::Seed(seed.to_owned()));
    }
    let said = line.split_once("proptest: ").filter(|(front, _)| front.is_empty() || front.ends_with(" ... "))?.1;
    if let Some(path) = said.strip_prefix("Saving this and future failures in ") {
        return Some(Remark::Saving(ForeignPath(path.to_owned())));
    }
    if said.starts_with("Aborting shrinking after") {
        return Some(Remark::ShrinkingCut);
    }
    if let Some(path) = said.strip_prefix("failed to append to ") {
        return Some(Remark::Unsaved(Some(ForeignPath(path.split(": ").next().unwrap_or(path).to_owned()))));
    }
    said.ends_with("but no source file known").then_some(Remark::Unsaved(None))
}

/// A seed's line as the runner prints it: `cc` and 64 hex digits, or `xs` and four numbers.
pub(super) fn handle(line: &str) -> Option<&str> {
    let line = line.trim_end();
    let (key, seed) = line.split_once(' ')?;
    let fits = match key {
        "cc" | "rc" => seed.len() == 64 && is_hex(seed),
        "xs" => seed.split(' ').filter(|word| word.parse::<u32>().is_ok()).count() == 4 && seed.split(' ').count() == 4,
        "pt" => seed.len().is_multiple_of(2) && is_hex(seed),
        _ => false,
    };
    fits.then_some(line)
}

fn is_hex(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_hexdigit())
}
