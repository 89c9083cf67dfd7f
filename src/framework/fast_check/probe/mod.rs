//! Values that their text does not give, made again: the property is run once from its seed with notes taken of what makes
//! its values, and the pin makes them by the same code of the repository.

mod built;
mod instrument;
mod reach;
#[cfg(test)]
mod tests;

use serde::Deserialize;

use self::built::{Builder, Note};
use self::instrument::{Replay, files, instrumented};
pub(super) use self::reach::Reach;
use super::calls::Property;
use super::find::{Found, Taker, find};
use super::read::arguments;
use super::{FastCheck, command, own, pin, replay, value};
use crate::failure::Failure;
use crate::framework::{Attempt, Candidate, Case, CopyPlaces, Library, Recorder, Recording};
use crate::language::typescript::printed::Pen;
use crate::pin::{Pin, Refusal, Rung};
use crate::proof::{Manner, PinCommand};
use crate::repo_path::RepoPath;
use crate::source_tree::SourceTree;

/// The file that takes the records, in the folder for them.
const RECORDS: &str = "made.jsonl";

/// What a run left of one input.
#[derive(Debug, Deserialize)]
struct Record {
    key: String,
    printed: Vec<String>,
    /// How its values are made by the calls that were seen.
    calls: Vec<Note>,
    /// The same by what was handed to `map`.
    maps: Vec<Note>,
}

/// A property that is replayed, and where it stands.
struct Ground {
    found: Found,
    taker: Taker,
    key: String,
    parameters: String,
}

impl Ground {
    fn of(failure: &Failure, tree: &dyn SourceTree) -> Result<Ground, Refusal> {
        let found = find(failure, tree)?;
        let taker = found.taker(failure, tree)?;
        pin::made_anew(failure, &found, &taker, tree).map_err(Refusal)?;
        let parameters =
            replay::parameters(failure).ok_or_else(|| Refusal("the run names no seed to replay it from".to_owned()))?;
        Ok(Ground { found, taker, key: own::mark(failure), parameters })
    }
}

/// Properties whose calls run together: the files, each with its replays, and the places of the failures.
#[derive(Default)]
struct Together {
    grounds: Vec<Ground>,
    places: Vec<usize>,
}

impl Together {
    fn has_call_of(&self, ground: &Ground) -> bool {
        let (file, call) = (&ground.found.file, ground.taker.property.call);
        self.grounds.iter().any(|known| known.found.file == *file && known.taker.property.call == call)
    }

    fn recording(&self, tree: &dyn SourceTree, records: &str, run: PinCommand) -> Recording {
        let mut texts: Vec<(RepoPath, String)> = Vec::new();
        for ground in &self.grounds {
            for (file, code) in files(&ground.found.file, tree) {
                if texts.iter().any(|(known, _)| *known == file) {
                    continue;
                }
                let own = self.grounds.iter().filter(|one| one.found.file == file);
                let replays: Vec<Replay<'_>> = own
                    .map(|one| Replay {
                        call: one.taker.property.call,
                        options: one.taker.property.options,
                        key: &one.key,
                        parameters: one.parameters.clone(),
                    })
                    .collect();
                let text = instrumented(&file, &code, &replays, records);
                texts.push((file, text));
            }
        }
        Recording { run, files: texts }
    }
}

fn recordings(failures: &[&Failure], tree: &dyn SourceTree, manner: &Manner, records: &str) -> Vec<Recording> {
    let mut all: Vec<Together> = Vec::new();
    for (place, failure) in failures.iter().enumerate() {
        let Ok(ground) = Ground::of(failure, tree) else { continue };
        let fit = all.iter().position(|together| !together.has_call_of(&ground));
        let at = fit.unwrap_or_else(|| {
            all.push(Together::default());
            all.len() - 1
        });
        all[at].grounds.push(ground);
        all[at].places.push(place);
    }
    let mut found = Vec::new();
    for together in &all {
        let files: Vec<&RepoPath> = together.grounds.iter().map(|ground| &ground.found.file).collect();
        for mut run in command::of_files(&files, tree, manner) {
            let own: Vec<usize> = std::mem::take(&mut run.pins);
            run.pins = own.into_iter().map(|at| together.places[at]).collect();
            found.push(together.recording(tree, records, run));
        }
    }
    found
}

/// What `record` tells of the very input of `failure`.
fn recorded(failure: &Failure, record: &str) -> Option<Record> {
    let (key, printed) = (own::mark(failure), arguments::split(&failure.counterexample.text));
    let records = record.lines().filter_map(|line| serde_json::from_str::<Record>(line).ok());
    records.into_iter().find(|one| one.key == key && one.printed == printed)
}

impl Recorder for FastCheck {
    fn library(&self) -> Option<&dyn Library> {
        None
    }

    fn recording(
        &self,
        failure: &Failure,
        tree: &dyn SourceTree,
        manner: &Manner,
        places: &CopyPlaces<'_>,
        _attempt: usize,
    ) -> Result<Recording, Refusal> {
        Ground::of(failure, tree)?;
        let mut all = recordings(&[failure], tree, manner, &records(places));
        all.pop().ok_or_else(|| Refusal("no command runs its test".to_owned()))
    }

    fn recordings(
        &self,
        failures: &[&Failure],
        tree: &dyn SourceTree,
        manner: &Manner,
        places: &CopyPlaces<'_>,
    ) -> Vec<Recording> {
        recordings(failures, tree, manner, &records(places))
    }

    fn record_of(&self, failure: &Failure, record: &str) -> String {
        let key = own::mark(failure);
        record.lines().filter(|line| line.contains(&key)).map(|line| format!("{line}\n")).collect()
    }

    fn is_recorded(&self, failure: &Failure, record: &str, _tree: &dyn SourceTree) -> bool {
        recorded(failure, record).is_some()
    }

    fn by_record(&self, _failure: &Failure, _record: &str, _tree: &dyn SourceTree) -> Result<Pin, Refusal> {
        Err(Refusal("its seed is known already".to_owned()))
    }

    fn attempts(&self, _case: &Case<'_>, _record: &str, _known: &[Attempt]) -> Result<Vec<Attempt>, Refusal> {
        Ok(Vec::new())
    }

    fn constructed(&self, case: &Case<'_>, record: &str, _attempts: &[Attempt]) -> Result<Vec<Candidate>, Refusal> {
        let told = recorded(case.failure, record)
            .ok_or_else(|| Refusal("its input did not come up again from its seed".to_owned()))?;
        let ground = Ground::of(case.failure, case.tree)?;
        let built = [candidate(case, &ground, &told.calls), candidate(case, &ground, &told.maps)];
        let mut candidates: Vec<Candidate> = Vec::new();
        let mut refusal = None;
        for one in built {
            match one {
                Ok(one) if candidates.iter().all(|known| known.pin != one.pin) => candidates.push(one),
                Ok(_) => {}
                Err(why) => refusal = refusal.or(Some(why)),
            }
        }
        match (candidates.is_empty(), refusal) {
            (true, Some(why)) => Err(why),
            _ => Ok(candidates),
        }
    }
}

fn records(places: &CopyPlaces<'_>) -> String {
    format!("{}/{RECORDS}", places.records)
}

/// The pin that makes its values as `notes` tell.
fn candidate(case: &Case<'_>, ground: &Ground, notes: &[Note]) -> Result<Candidate, Refusal> {
    let Ground { found, taker, .. } = ground;
    let Property { is_record, .. } = taker.property;
    let files = files(&found.file, case.tree);
    let reach = Reach::of(&found.file, &found.code, case.tree);
    let mut builder = Builder { files: &files, pen: Pen::of(&found.code.text), reach, is_made: false };
    let built: Result<Vec<String>, String> = notes.iter().map(|note| builder.expression(note)).collect();
    let values = built.map_err(Refusal)?;
    let expression = match (is_record, values.as_slice()) {
        (true, [one]) => one.clone(),
        _ => format!("[{}]", values.join(", ")),
    };
    let rung = if builder.is_made { Rung::Constructed } else { Rung::Literal };
    let imports = builder.reach.imports;
    let value = value::test(case.failure, found, is_record, &expression, &imports)
        .ok_or_else(|| Refusal("no test can be put beside it that prints its value".to_owned()))?;
    let pin = pin::with_example(case, find(case.failure, case.tree)?, taker, expression, rung, imports)?;
    Ok(Candidate {
        pin,
        value: Some(value),
        recorded: arguments::split(&case.failure.counterexample.text),
        doubtful: false,
    })
}
