//! What pins hold, printed: a value that a test makes by other code may be another one once that code is changed, and the
//! pin then asks something else than it did.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::failure::Notice;
use crate::framework::{self, Framework, ValueTest};
use crate::proof::{PinState, Proof, StandingPin};
use crate::repo_path::RepoPath;
use crate::source_tree::{Overlaid, SourceTree};
use crate::triage::TriageError;

use super::short::short;
use super::workshop::Workshop;
use super::{Aside, Desk, Onlooker, OtherValue, Stop, Verified};

/// Builds of which each takes out what did not compile in the one before.
const BUILDS: usize = 3;

/// What a pin makes of its value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Made {
    /// It prints so.
    Prints(String),
    /// It is not made at all: this is what was said instead.
    Fails(String),
}

/// A version of the repository in which pins stand.
pub(super) struct Version<'a> {
    /// Where their tests are.
    pub(super) from: &'a dyn SourceTree,
    /// The version's own files.
    pub(super) onto: &'a dyn SourceTree,
    /// What stands in it besides.
    pub(super) files: &'a [(RepoPath, Vec<u8>)],
}

/// How tests come out, one each, in a version with these files in it.
type Run<'r> = dyn FnMut(&[StandingPin], &[(RepoPath, Vec<u8>)]) -> Result<Vec<Proof>, TriageError> + 'r;

/// What `pins` make of their values in a version, one each; nothing where that cannot be seen.
pub(super) fn made(
    pins: &[&StandingPin],
    version: &Version<'_>,
    run: &mut Run<'_>,
) -> Result<Vec<Option<Made>>, TriageError> {
    let mut told = vec![None; pins.len()];
    let mut open: Vec<usize> = (0..pins.len()).collect();
    for _ in 0..BUILDS {
        let mut files = version.files.to_vec();
        let mut asked = Vec::new();
        open.retain(|at| {
            let standing = place(pins[*at], version, &mut files);
            asked.extend(standing.clone());
            standing.is_some()
        });
        if open.is_empty() {
            break;
        }
        let proofs = run(&asked, &files)?;
        let is_wrong = proofs.iter().any(|proof| proof.own_fault);
        let mut left = Vec::new();
        for (at, proof) in open.drain(..).zip(proofs) {
            if proof.state.has_failed() {
                told[at] = framework_of(pins[at]).map(|framework| read(framework, &proof));
            } else if proof.state == PinState::DoesNotBuild && !proof.own_fault && is_wrong {
                left.push(at);
            }
        }
        open = left;
    }
    Ok(told)
}

fn framework_of(pin: &StandingPin) -> Option<&'static dyn Framework> {
    framework::named(&pin.framework)
}

/// Puts the test that prints the value of `pin` into `files`, and tells it; nothing where there is no such test.
fn place(pin: &StandingPin, version: &Version<'_>, files: &mut Vec<(RepoPath, Vec<u8>)>) -> Option<StandingPin> {
    let onto = Overlaid { tree: version.onto, files };
    let ValueTest { test, file, edits, .. } = framework_of(pin)?.values()?.test(pin, version.from, &onto).ok()?;
    let text = edits.apply(&onto.read(&file).unwrap_or_default());
    files.retain(|(other, _)| *other != file);
    files.push((file.clone(), text));
    Some(StandingPin { test: Some(test), file: Some(file), ..pin.clone() })
}

fn read(framework: &dyn Framework, proof: &Proof) -> Made {
    match framework.values().and_then(|values| values.printed(&proof.message)) {
        Some(printed) => Made::Prints(printed.to_owned()),
        None => Made::Fails(proof.message.clone()),
    }
}

/// What pins make of their values in the work tree, by their places, as far as it was asked.
#[derive(Default)]
pub(super) struct Here(BTreeMap<usize, Option<Made>>);

impl Here {
    /// Asks it of those of `pins` that are `wanted`, and of which it was not asked yet.
    ///
    /// # Errors
    /// Where the scratch copy cannot be written or a command cannot be started.
    pub(super) fn ask(
        &mut self,
        pins: &[Verified],
        wanted: impl Fn(&Verified) -> bool,
        workshop: &Workshop<'_>,
        onlooker: &mut dyn Onlooker,
    ) -> Result<(), TriageError> {
        let is_asked = |at: &usize| pins[*at].pin.makes_value && wanted(&pins[*at]) && !self.0.contains_key(at);
        let places: Vec<usize> = (0..pins.len()).filter(is_asked).collect();
        if places.is_empty() {
            return Ok(());
        }
        let asked: Vec<&StandingPin> = places.iter().map(|at| &pins[*at].pin).collect();
        let told = made_here(&asked, workshop, onlooker)?;
        self.0.extend(places.into_iter().zip(told));
        Ok(())
    }
}

/// What `pins` make of their values in the work tree, one each. What was seen of the work tree as it is now is not built again.
fn made_here(
    pins: &[&StandingPin],
    workshop: &Workshop<'_>,
    onlooker: &mut dyn Onlooker,
) -> Result<Vec<Option<Made>>, TriageError> {
    // The user's own folder names the toolchain: what stands in the copy may be another commit.
    let top = workshop.scratch().origin().to_owned();
    let desk = Desk { top, origin: None, ..workshop.desk().clone() };
    let names = pins.iter().map(|pin| name(pin, &desk, onlooker.stop())).collect::<Result<Vec<String>, _>>()?;
    // Told before anything is built: a file that the user changes meanwhile is none of which something was seen.
    let state = workshop.scratch().state(workshop.files(), &question(workshop));
    let seen = workshop.scratch().seen(&state).and_then(|seen| serde_json::from_slice(&seen).ok());
    let mut seen: BTreeMap<String, Made> = seen.unwrap_or_default();
    let (new, unseen): (Vec<&String>, Vec<&StandingPin>) =
        names.iter().zip(pins).filter(|(name, _)| !seen.contains_key(*name)).unzip();
    if !unseen.is_empty() {
        let tree = workshop.tree();
        let version = Version { from: tree, onto: tree, files: &[] };
        let mut aside = Aside(onlooker);
        let mut run =
            |tests: &[StandingPin], files: &[(RepoPath, Vec<u8>)]| Ok(workshop.prove(tests, files, &mut aside)?.proofs);
        let told = made(&unseen, &version, &mut run)?;
        seen.extend(new.into_iter().zip(told).filter_map(|(name, made)| Some((name.clone(), made?))));
        workshop.scratch().keep_seen(&state, &serde_json::to_vec(&seen).unwrap_or_default())?;
    }
    Ok(names.iter().map(|name| seen.get(name).cloned()).collect())
}

/// What a pin is called among those whose values were seen. Another toolchain may print another value.
fn name(pin: &StandingPin, desk: &Desk, stop: &Stop) -> Result<String, TriageError> {
    let toolchain = framework_of(pin).map(|framework| desk.toolchain(framework, "", stop)).transpose()?;
    Ok(format!("{} {} {} {}", pin.framework.0, toolchain.unwrap_or_default(), pin.failure, pin.runs()))
}

/// What values depend on besides the work tree's files and the toolchain.
fn question(workshop: &Workshop<'_>) -> String {
    let manner = workshop.manner();
    format!("{} {:?} {:?} {:?}", env!("CARGO_PKG_VERSION"), manner.arguments, manner.runner, manner.programs)
}

/// Notes those values that are not those of `before`, or where that has none, those on record.
pub(super) fn compare(pins: &mut [Verified], before: &[Option<Made>], here: &Here, tree: &dyn SourceTree) {
    for (at, made) in &here.0 {
        let Some(made) = made else { continue };
        let known = before.get(*at).cloned().flatten();
        pins[*at].other = other(&pins[*at].pin, known, made, tree);
    }
}

/// What there is to say where `here` is not the value of before.
fn other(pin: &StandingPin, before: Option<Made>, here: &Made, tree: &dyn SourceTree) -> Option<OtherValue> {
    let framework = framework_of(pin)?;
    let before: Vec<String> = match before {
        Some(Made::Prints(printed)) => printed.lines().map(str::to_owned).collect(),
        _ => framework.values()?.test(pin, tree, tree).ok()?.recorded,
    };
    if before.is_empty() {
        return None;
    }
    match here {
        Made::Prints(here) if framework.prints_recorded_values(&before, here) => None,
        Made::Prints(here) => {
            Some(OtherValue { before: before.join("\n"), here: Some(here.clone()), message: String::new() })
        }
        Made::Fails(message) => Some(OtherValue { before: before.join("\n"), here: None, message: message.clone() }),
    }
}

/// What is said of a pin whose value is another one. `place` is where it was seen as it was before.
pub(super) fn notice(pin: &StandingPin, other: &OtherValue, place: Option<&str>) -> Notice {
    let place = place.map_or("on record".to_owned(), |place| format!("at {place}"));
    let (test, before) = (pin.runs(), in_line(&other.before));
    let text = match &other.here {
        Some(here) => format!(
            "`{test}` holds another value here than {place}: `{before}` has become `{}`, so how it comes out here says nothing \
             of that input",
            in_line(here)
        ),
        None => format!("`{test}` cannot make its value here, which is `{before}` {place}: {}", short(&other.message)),
    };
    let file = pin.file.as_ref().map_or_else(|| test.0.clone(), |file| file.as_str().to_owned());
    Notice { file, line: None, text }
}

/// Values that stand on a line each, on one.
fn in_line(values: &str) -> String {
    short(&values.lines().collect::<Vec<_>>().join(", "))
}
