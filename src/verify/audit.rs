//! Properties audited by running them in the scratch copy: how many inputs each throws away, and whether it notices that the
//! code under test answers the same whatever it is asked.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::{Duration, Instant};

use crate::audit::{Counted, Function, tripped};
use crate::framework::{self, Auditing, Framework};
use crate::proof::{PinCommand, PinState, StandingPin};
use crate::repo_path::RepoPath;
use crate::run_output::RunOutput;
use crate::runner::RunError;
use crate::threads::apart;
use crate::triage::{Triage, TriageError};

use super::workshop::Workshop;
use super::{Ground, Onlooker, config};

/// A property that is to be run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Probe {
    /// The property as a test.
    pub test: StandingPin,
    /// How many cases it is run with.
    pub cases: u64,
    /// Its assertions, each with the line on which it begins; none where it may assert elsewhere as well.
    pub asserts: Vec<(u32, String)>,
    /// The functions of the code under test that it names.
    pub tested: Vec<(RepoPath, Function)>,
}

/// What its runs showed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Measure {
    /// How many inputs it kept and threw away; `None` where that was not seen.
    pub counted: Option<Counted>,
    /// Whether a run comes by one of its assertions; `None` where that was not seen.
    pub reaches: Option<bool>,
    /// Whether it fails where a function that it names answers nothing but constants; `None` where that was not seen.
    pub notices: Option<bool>,
    /// The constants with which it passes, one a function.
    pub passes: Vec<Constant>,
}

/// A function that answers the same whatever it is given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Constant {
    /// The function's name.
    pub name: String,
    /// Its file.
    pub file: RepoPath,
    /// The line of its name, from 1.
    pub line: u32,
    /// What it answers, as people call it.
    pub answer: &'static str,
}

/// Constants that are tried at the most: each is a build.
const MOST: usize = 40;

/// Runs `probes`, and says of each what that showed, in their order, and whether that was all there is to see in `limit`: once it
/// has passed, nothing more is started.
///
/// # Errors
/// Where somebody ends it, the copy cannot be written, or nothing can be started.
pub fn measure(
    triage: &Triage,
    probes: &[Probe],
    limit: Duration,
    cache: &Path,
    onlooker: &mut dyn Onlooker,
) -> Result<(Vec<Measure>, bool), TriageError> {
    let tree = triage.work_tree();
    let config = config::told(triage, &tree, onlooker)?;
    let workshop = Workshop::open(cache, triage, &tree, config, onlooker)?;
    onlooker.stands_on(Ground::WorkTree);
    let mut measuring = Measuring {
        probes,
        workshop,
        measures: vec![Measure::default(); probes.len()],
        tried: 0,
        deadline: Deadline { began: Instant::now(), limit, is_over: false },
    };
    let passing = measuring.count(onlooker)?;
    let tried = measuring.try_all(&passing, onlooker);
    // Nothing of it is left for whoever builds there next.
    measuring.workshop.clear()?;
    tried?;
    Ok((measuring.measures, !measuring.deadline.is_over))
}

/// When measuring is to end.
struct Deadline {
    began: Instant,
    limit: Duration,
    /// Whether it was seen to be over.
    is_over: bool,
}

impl Deadline {
    /// Whether it is over.
    fn has_passed(&mut self) -> bool {
        self.is_over |= self.began.elapsed() >= self.limit;
        self.is_over
    }
}

struct Measuring<'a> {
    probes: &'a [Probe],
    workshop: Workshop<'a>,
    measures: Vec<Measure>,
    tried: usize,
    deadline: Deadline,
}

/// A function whose answers are made constant, and the places of the properties that name it.
struct Tested<'a> {
    auditing: &'static dyn Auditing,
    file: &'a RepoPath,
    function: &'a Function,
    named_by: Vec<usize>,
}

impl<'a> Measuring<'a> {
    /// Counts what is thrown away, and tells the places of the properties that pass.
    fn count(&mut self, onlooker: &mut dyn Onlooker) -> Result<Vec<usize>, TriageError> {
        self.workshop.clear()?;
        let mut groups: BTreeMap<(&str, u64), Vec<usize>> = BTreeMap::new();
        for (at, probe) in self.probes.iter().enumerate() {
            groups.entry((probe.test.framework.0.as_str(), probe.cases)).or_default().push(at);
        }
        let mut passing = Vec::new();
        for ((_, cases), places) in groups {
            let Some((framework, auditing)) = self.framework(places[0]) else { continue };
            let tests: Vec<StandingPin> = places.iter().map(|at| self.probes[*at].test.clone()).collect();
            let commands = auditing.counting(&tests, cases, self.workshop.tree(), self.workshop.manner());
            for command in commands {
                if self.deadline.has_passed() {
                    break;
                }
                let own: Vec<usize> = command.pins.iter().map(|at| places[*at]).collect();
                passing.extend(self.count_by(&command, &own, (framework, auditing, cases), onlooker)?);
            }
        }
        passing.sort_unstable();
        Ok(passing)
    }

    fn count_by(
        &mut self,
        command: &PinCommand,
        places: &[usize],
        (framework, auditing, cases): (&'static dyn Framework, &'static dyn Auditing, u64),
        onlooker: &mut dyn Onlooker,
    ) -> Result<Vec<usize>, TriageError> {
        let desk = self.workshop.desk();
        let (folder, line) = (desk.top.join(&command.folder), command.command.join(" "));
        let capture = auditing.counting_capture(&desk.handing);
        let ran = match desk.start_handing(command, capture, &folder, &line, onlooker) {
            Ok(ran) => ran,
            Err(TriageError::Run(RunError::NotStarted { .. } | RunError::NoCommand)) => return Ok(Vec::new()),
            Err(error) => return Err(error),
        };
        let run = RunOutput::new(&line, &ran.output);
        let tests: Vec<&StandingPin> = places.iter().map(|at| &self.probes[*at].test).collect();
        let tree = self.workshop.tree();
        let (proofs, counted) = apart(|| {
            let proofs = framework.proofs(&run, &tests, tree);
            let counted = auditing.counted(&run, &tests, &proofs, cases);
            (proofs, counted)
        });
        let mut passing = Vec::new();
        for ((at, proof), counted) in places.iter().zip(proofs).zip(counted) {
            self.measures[*at].counted = counted.filter(|_| !ran.late);
            passing.extend((proof.state == PinState::Green).then_some(*at));
        }
        Ok(passing)
    }

    fn framework(&self, at: usize) -> Option<(&'static dyn Framework, &'static dyn Auditing)> {
        let framework = framework::named(&self.probes[at].test.framework)?;
        Some((framework, framework.auditing()?))
    }

    /// Tries on the properties at `passing` what may tell that they assert nothing.
    fn try_all(&mut self, passing: &[usize], onlooker: &mut dyn Onlooker) -> Result<(), TriageError> {
        self.trip(passing, onlooker)?;
        self.try_constants(passing, onlooker)
    }

    /// Puts what fails in front of each assertion of the properties at `passing`: one that passes still reaches none of its own.
    fn trip(&mut self, passing: &[usize], onlooker: &mut dyn Onlooker) -> Result<(), TriageError> {
        let mut files: BTreeMap<&RepoPath, Vec<usize>> = BTreeMap::new();
        for at in passing {
            let probe = &self.probes[*at];
            if let Some(file) = probe.test.file.as_ref().filter(|_| !probe.asserts.is_empty()) {
                files.entry(file).or_default().push(*at);
            }
        }
        for (number, (file, places)) in (1..).zip(&files) {
            let Some((text, (_, auditing))) = self.workshop.tree().read(file).zip(self.framework(places[0])) else {
                continue;
            };
            let Ok(text) = std::str::from_utf8(&text) else { continue };
            let asserts = |at: &usize| -> Vec<(u32, &str)> {
                self.probes[*at].asserts.iter().map(|(line, text)| (*line, text.as_str())).collect()
            };
            let own: Vec<usize> =
                places.iter().copied().filter(|at| tripped(text, &asserts(at), auditing.trip()).is_some()).collect();
            let all: Vec<(u32, &str)> = own.iter().flat_map(asserts).collect();
            let Some(changed) = tripped(text, &all, auditing.trip()) else { continue };
            if self.deadline.has_passed() {
                return Ok(());
            }
            let said = format!("{number} of {} files: where every assertion of {file} fails:\n", files.len());
            onlooker.output(said.as_bytes());
            let tests: Vec<StandingPin> = own.iter().map(|at| self.probes[*at].test.clone()).collect();
            let proved = self.workshop.prove(&tests, &[(RepoPath::clone(file), changed.into_bytes())], onlooker)?;
            for (at, proof) in own.into_iter().zip(proved.proofs) {
                self.measures[at].reaches = match proof.state {
                    PinState::Green => Some(false),
                    state => state.has_failed().then_some(true),
                };
            }
        }
        Ok(())
    }

    /// Has each function that is named by one of the properties at `passing` answer constants, as long as one of these has
    /// noticed nothing.
    fn try_constants(&mut self, passing: &[usize], onlooker: &mut dyn Onlooker) -> Result<(), TriageError> {
        let mut all: BTreeMap<(&RepoPath, usize), Tested<'a>> = BTreeMap::new();
        for at in passing {
            let Some((_, auditing)) = self.framework(*at) else { continue };
            for (file, function) in &self.probes[*at].tested {
                let tested = Tested { auditing, file, function, named_by: Vec::new() };
                all.entry((file, function.span.start)).or_insert(tested).named_by.push(*at);
            }
        }
        let many = all.len();
        for (number, tested) in (1..).zip(all.into_values()) {
            if self.deadline.has_passed() {
                break;
            }
            self.try_on(&tested, (number, many), onlooker)?;
        }
        Ok(())
    }

    fn try_on(
        &mut self,
        tested: &Tested<'a>,
        (number, many): (usize, usize),
        onlooker: &mut dyn Onlooker,
    ) -> Result<(), TriageError> {
        let Some(text) = self.workshop.tree().read(tested.file) else { return Ok(()) };
        let span = tested.function.span;
        let Some(body) = text.get(span.range()).and_then(|body| std::str::from_utf8(body).ok()) else { return Ok(()) };
        let asked: Vec<usize> =
            tested.named_by.iter().copied().filter(|at| self.measures[*at].notices != Some(true)).collect();
        let mut open = asked.clone();
        let mut failed: Vec<usize> = Vec::new();
        for (answer, constant) in tested.auditing.constants(tested.function, body) {
            if open.is_empty() || self.tried == MOST || self.deadline.has_passed() {
                break;
            }
            if constant == body {
                continue;
            }
            self.tried += 1;
            let changed = [&text[..span.start], constant.as_bytes(), &text[span.end..]].concat();
            let Function { name, line, .. } = tested.function;
            onlooker.output(
                format!("{number} of {many} functions: where {name} ({}:{line}) answers {answer}:\n", tested.file)
                    .as_bytes(),
            );
            let tests: Vec<StandingPin> = open.iter().map(|at| self.probes[*at].test.clone()).collect();
            let proved = self.workshop.prove(&tests, &[(tested.file.clone(), changed)], onlooker)?;
            for (at, proof) in std::mem::take(&mut open).into_iter().zip(proved.proofs) {
                if proof.state == PinState::Green {
                    let (name, file) = (name.clone(), tested.file.clone());
                    self.measures[at].passes.push(Constant { name, file, line: *line, answer });
                } else {
                    failed.extend(proof.state.has_failed().then_some(at));
                    open.push(at);
                }
            }
        }
        for at in asked {
            let measure = &mut self.measures[at];
            if open.contains(&at) && failed.contains(&at) {
                measure.notices = Some(true);
            } else if !open.contains(&at) {
                measure.notices = Some(false);
            }
        }
        Ok(())
    }
}
