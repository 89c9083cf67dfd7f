//! Which failures share a root, and what makes a failure the same in every run: names made of the property and of what
//! went wrong, never of the counterexample.

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::failure::Failure;

/// A failure's name: a short digest of property and cause, the same in every run that shows it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct FailureId(pub String);

/// A cause's name: the same for all failures that share the root.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct CauseId(pub String);

/// The name of a failure. `package` is the package that the repository gives the property; where that is not known, the
/// one the run told. Lines do not count, so that code may move.
pub fn failure_id(failure: &Failure, package: Option<&str>) -> FailureId {
    let told = failure.package.as_ref().map(|package| package.0.as_str());
    let package = package.or(told).unwrap_or_default().replace('-', "_");
    let site = failure.site.as_ref().filter(|_| failure.panicked);
    let site = site.map_or("", |site| site.file.0.as_str());
    let file = failure.location.as_ref().map_or("", |location| location.file.0.as_str());
    let ending = format!("{:?}", failure.ending);
    FailureId(digest(&[&failure.framework.0, &package, file, &failure.test.0, &ending, site, &shape(failure)]))
}

/// The name of a failure's cause: the place of a panic in the code under test together with the shape of its message,
/// which several properties may share; a failed assertion is its property's own.
pub fn cause_id(failure: &Failure) -> CauseId {
    let shared = failure.site.as_ref().filter(|site| failure.panicked && !is_foreign(&site.file.0));
    let shape = shape(failure);
    let file = failure.location.as_ref().map_or("", |location| location.file.0.as_str());
    CauseId(match shared {
        Some(site) => {
            let place = format!("{}:{}:{}", site.file.0, site.line, site.column.unwrap_or_default());
            digest(&["site", &place, &shape])
        }
        None => digest(&["own", &failure.framework.0, file, &failure.test.0, &shape]),
    })
}

/// Whether a source file is of a dependency or the toolchain: who panics there says little of whose fault it is.
fn is_foreign(file: &str) -> bool {
    file.starts_with("/rustc/") || file.contains("/.cargo/registry/") || file.contains("/.cargo/git/")
}

/// What of a message is the same whatever the input: of an assertion its condition, of a panic its first words.
fn shape(failure: &Failure) -> String {
    let line = failure.message.lines().next().unwrap_or_default();
    match line.strip_prefix("assertion failed: ") {
        Some(condition) => {
            condition.rsplit_once(" at ").map_or(condition, |(condition, _)| condition).trim().to_owned()
        }
        None if failure.panicked => words(line, &failure.counterexample.text),
        None => String::new(),
    }
}

/// The words of a panic's message up to its first colon, without numbers, names of values and what the input holds.
fn words(line: &str, input: &str) -> String {
    let start = line.split(": ").next().unwrap_or(line);
    let word =
        |word: &&str| word.bytes().all(|byte| byte.is_ascii_lowercase()) && !word.is_empty() && !input.contains(*word);
    start.split(|c: char| !c.is_alphanumeric()).filter(word).collect::<Vec<_>>().join(" ")
}

/// Twelve hex digits of the parts' hash.
fn digest(parts: &[&str]) -> String {
    let mut hash = Sha256::new();
    for part in parts {
        hash.update((part.len() as u64).to_le_bytes());
        hash.update(part.as_bytes());
    }
    hash.finalize().iter().take(6).map(|byte| format!("{byte:02x}")).collect()
}
