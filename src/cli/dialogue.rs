//! `redpin --plain`: the workstation as questions and answers, one line after the other, with nothing that moves or is drawn.
//! For screen readers, for terminals that show no screen, and for scripts.

mod answer;
mod tabs;

use std::io::{self, BufRead};

use super::import::print as print_imported;
use super::page::{Page, Style};
use super::pin::Patched;
use super::proving::{ladder, prover};
use super::show::print as print_failure;
use super::{Exit, Fault, World, counted};
use crate::inbox::{FailureId, Filed, State};
use crate::triage::{Ignored, RunArgument, Staged, Triage, TriageError};
use crate::verdict::Verdict;
use crate::visible;

use answer::{ANSWERS, Answer};

/// Reads the runs, then asks what to do until the answer is to leave or there are no more answers.
pub(super) fn hold(world: &World, runs: &[RunArgument], verify: bool, page: &mut Page<'_>) -> Result<Exit, Fault> {
    let mut triage = world.open(page)?;
    let imported = if runs.is_empty() { triage.import_changed()? } else { triage.import(runs, &mut |_| {})? };
    print_imported(&imported, page)?;
    let Ok(answers) = (world.answers)(runs.iter().any(|run| matches!(run, RunArgument::StandardInput))) else {
        page.remark("redpin: the run takes standard input, and there is no terminal to answer on")?;
        return Ok(Exit::WrongUse);
    };
    let mut dialogue = Dialogue { world, verify, triage, answers, at: None };
    dialogue.list("", page)?;
    dialogue.go_on(page)?;
    while let Some(line) = dialogue.ask("redpin> ", page)? {
        match Answer::of(&line) {
            Some((Answer::Quit, _)) => break,
            Some((answer, rest)) => dialogue.give(answer, rest, page)?,
            None if line.trim().is_empty() => dialogue.tell_where(page)?,
            None => page.remark("no such answer; ? lists them")?,
        }
    }
    Ok(Exit::Done)
}

/// A dialogue while it goes on.
struct Dialogue<'w> {
    world: &'w World,
    /// Whether pins are proven before they are staged.
    verify: bool,
    triage: Triage,
    answers: Box<dyn BufRead>,
    /// The failure in question.
    at: Option<FailureId>,
}

impl Dialogue<'_> {
    /// Asks for a line; `None` where there are no more.
    fn ask(&mut self, question: &str, page: &mut Page<'_>) -> io::Result<Option<String>> {
        page.out.write_all(question.as_bytes())?;
        page.out.flush()?;
        let mut line = Vec::new();
        let read = self.answers.read_until(b'\n', &mut line)?;
        Ok((read > 0).then(|| String::from_utf8_lossy(&line).trim_end_matches(['\r', '\n']).to_owned()))
    }

    /// Does what an answer asks for. What the triage refuses is said, and the dialogue goes on.
    fn give(&mut self, answer: Answer, rest: &str, page: &mut Page<'_>) -> Result<(), Fault> {
        let given = match answer {
            Answer::RealBug => self.judge(Verdict::RealBug, page),
            Answer::AmbiguousSpec => self.judge(Verdict::AmbiguousSpec, page),
            Answer::WrongProperty => self.judge(Verdict::WrongProperty, page),
            Answer::Note => self.note(rest, page),
            Answer::Stage => self.stage(page),
            Answer::Undo => self.walk(Triage::undo, page),
            Answer::Redo => self.walk(Triage::redo, page),
            Answer::NextOpen => self.go_on(page),
            Answer::Go => self.go(rest, page),
            Answer::Choose => self.choose(rest, page),
            Answer::Patch => self.patch(page),
            Answer::List => self.list(rest, page).map_err(Fault::from),
            Answer::Reopen => self.reopen(rest, page),
            Answer::Requirements => tabs::requirements(&self.triage, page),
            Answer::Quarantine => tabs::quarantine(&self.triage, page),
            Answer::Sweeps => tabs::sweeps(&self.triage, page),
            Answer::Decisions => tabs::decisions(&self.triage, page),
            Answer::Help => print_answers(page).map_err(Fault::from),
            Answer::Quit => Ok(()),
        };
        match given {
            Err(Fault::Triage(error)) => Ok(page.remark(&visible::block(&error.to_string()))?),
            given => given,
        }
    }

    /// The failure in question, where there is one and it is still in the inbox.
    fn filed(&self) -> Option<&Filed> {
        self.at.as_ref().and_then(|id| self.triage.inbox().get(id)).map(|filed| &**filed)
    }

    /// The same, or a remark that there is none.
    fn in_question(&self, page: &mut Page<'_>) -> Result<Option<FailureId>, Fault> {
        let id = self.filed().map(|filed| filed.id.clone());
        if id.is_none() {
            page.remark("no failure is in question; l lists them, g NAME goes to one")?;
        }
        Ok(id)
    }

    fn judge(&mut self, verdict: Verdict, page: &mut Page<'_>) -> Result<(), Fault> {
        let Some(id) = self.in_question(page)? else { return Ok(()) };
        let filed = self.triage.decide(&id, Some(verdict), None)?;
        page.line(&format!("{verdict}: {}; u undoes", visible::line(filed.failure.test.function())))?;
        self.go_on(page)
    }

    fn note(&mut self, words: &str, page: &mut Page<'_>) -> Result<(), Fault> {
        let Some(id) = self.in_question(page)? else { return Ok(()) };
        let words = match words {
            "" => self.ask("note: ", page)?.unwrap_or_default(),
            words => words.to_owned(),
        };
        let verdict = self.filed().and_then(|filed| filed.verdict);
        self.triage.decide(&id, verdict, Some(words.trim()))?;
        Ok(page.line("noted; u undoes")?)
    }

    /// Goes to the next open failure and shows it.
    fn go_on(&mut self, page: &mut Page<'_>) -> Result<(), Fault> {
        match self.next_open() {
            Some(id) => self.show(id, page),
            None => Ok(page.line("no failure is open; s stages what was decided, q leaves")?),
        }
    }

    fn next_open(&self) -> Option<FailureId> {
        let inbox = self.triage.inbox();
        let places: Vec<usize> = inbox.causes().iter().flat_map(|cause| cause.failures.iter().copied()).collect();
        let filed = |place: &usize| inbox.filed().get(*place);
        let here = places.iter().position(|place| filed(place).is_some_and(|one| Some(&one.id) == self.at.as_ref()));
        let (before, after) = places.split_at(here.map_or(0, |here| here + 1));
        let mut following = after.iter().chain(before).filter_map(filed);
        following.find(|one| one.state == State::Open).map(|one| one.id.clone())
    }

    fn go(&mut self, name: &str, page: &mut Page<'_>) -> Result<(), Fault> {
        let id = match name {
            "" => self.in_question(page)?,
            name => Some(self.triage.find(name)?),
        };
        id.map_or(Ok(()), |id| self.show(id, page))
    }

    fn show(&mut self, id: FailureId, page: &mut Page<'_>) -> Result<(), Fault> {
        let detail = self.triage.detail(&id);
        self.at = Some(id);
        page.line("")?;
        if let Some(filed) = self.filed() {
            print_failure(filed, &detail, page)?;
        }
        page.line("")?;
        self.tell_where(page).map_err(Fault::from)
    }

    /// How much is open, and the answers that matter most.
    fn tell_where(&self, page: &mut Page<'_>) -> io::Result<()> {
        let inbox = self.triage.inbox();
        let open = inbox.filed().iter().filter(|filed| filed.state == State::Open).count();
        page.line(&format!(
            "{open} of {} open. b real bug, a ambiguous spec, w wrong property, p patch, o next, s stage, ? all answers",
            inbox.filed().len()
        ))
    }

    fn walk(&mut self, step: fn(&mut Triage) -> Result<String, TriageError>, page: &mut Page<'_>) -> Result<(), Fault> {
        let done = step(&mut self.triage)?;
        Ok(page.line(&visible::line(&done))?)
    }

    /// Opens a decided failure again: the one that is named, else the one in question.
    fn reopen(&mut self, name: &str, page: &mut Page<'_>) -> Result<(), Fault> {
        let id = match name {
            "" => self.in_question(page)?,
            name => Some(self.triage.find_decided(name)?),
        };
        let Some(id) = id else { return Ok(()) };
        self.triage.reopen(&id)?;
        self.show(id, page)
    }

    fn stage(&mut self, page: &mut Page<'_>) -> Result<(), Fault> {
        self.triage.look_again()?;
        let ids = self.triage.inbox().decided();
        if ids.is_empty() {
            return Ok(page.remark("nothing is waiting to be staged: give a verdict with b, a or w first")?);
        }
        let left_out = self.triage.left_out(&ids)?;
        let mut ignored = Ignored::LeaveOut;
        if !left_out.is_empty() {
            let names: Vec<_> = left_out.iter().map(|file| visible::line(file.as_str()).into_owned()).collect();
            page.line(&format!("git ignores {}", names.join(", ")))?;
            let yes = self.ask("stage them all the same? y/n> ", page)?.is_some_and(|answer| answer.trim() == "y");
            ignored = Ignored::included(yes);
        }
        let mut ladder = if self.verify { Some(ladder(self.world, page, false)?) } else { None };
        let staged = self.triage.stage(&ids, ignored, prover(&mut ladder))?;
        drop(ladder);
        Patched { staged: &staged, json: false }.print(page)?;
        let wanted = self.all_the_same(&staged, page)?;
        if wanted.is_empty() {
            return Ok(());
        }
        let staged = self.triage.stage(&wanted, ignored, None)?;
        Patched { staged: &staged, json: false }.print(page).map(drop)
    }

    /// The failures whose pins are not proven, and are to be staged all the same.
    fn all_the_same(&mut self, staged: &Staged, page: &mut Page<'_>) -> io::Result<Vec<FailureId>> {
        let mut wanted = Vec::new();
        for one in staged.failures.iter().filter(|one| one.held) {
            let name = visible::line(one.property.function()).into_owned();
            let answer = self.ask(&format!("{name} is not proven; stage it all the same? y/n> "), page)?;
            wanted.extend(answer.is_some_and(|answer| answer.trim() == "y").then(|| one.id.clone()));
        }
        Ok(wanted)
    }

    fn choose(&mut self, name: &str, page: &mut Page<'_>) -> Result<(), Fault> {
        let Some(id) = self.in_question(page)? else { return Ok(()) };
        let candidates = self.filed().map_or(Vec::new(), |filed| filed.candidates.clone());
        if candidates.is_empty() {
            return Ok(page.remark("this failure belongs to one property; there is nothing to choose")?);
        }
        if name.is_empty() {
            page.line("the replay line may belong to these; c NAME chooses one")?;
            candidates.iter().try_for_each(|one| page.line(&format!("  {}", visible::line(one))))?;
            return Ok(());
        }
        let chosen = self.triage.choose(&id, name)?;
        page.line(&format!("the replay line belongs to {}", visible::line(&chosen.failure.test.0)))?;
        self.at = Some(chosen.id.clone());
        Ok(())
    }

    fn patch(&mut self, page: &mut Page<'_>) -> Result<(), Fault> {
        let Some(id) = self.in_question(page)? else { return Ok(()) };
        let verdict = self.filed().and_then(|filed| filed.verdict).unwrap_or(Verdict::RealBug);
        let preview = self.triage.preview(&id, verdict);
        page.line(&page.styled(Style::Heading, &format!("what {verdict} stages")))?;
        let remarks = preview.refusal.iter().chain(&preview.reason).chain(&preview.warnings);
        for remark in remarks {
            page.line(&visible::line(remark))?;
        }
        if preview.already {
            page.line("all of it stands already; staging changes nothing")?;
        }
        for line in visible::block(&preview.patch).lines() {
            page.line(line)?;
        }
        Ok(())
    }

    /// The failures, one a line; with words, those that hold them in their test's name, requirement or input.
    fn list(&self, words: &str, page: &mut Page<'_>) -> io::Result<()> {
        let words: Vec<String> = words.split_whitespace().map(str::to_lowercase).collect();
        let mut listed = 0;
        for cause in self.triage.inbox().causes() {
            for filed in cause.failures.iter().filter_map(|&at| self.triage.inbox().filed().get(at)) {
                let requirement = filed.requirement.as_ref().map_or("no requirement", |id| &id.0);
                let (style, standing) = super::list::standing(filed);
                let input = crate::value::one_line(&filed.failure.counterexample.text);
                let input = super::list::clip(&visible::line(&input), LONGEST);
                let name = visible::line(&filed.failure.test.0).into_owned();
                let line = format!("{} {requirement}  {name}  {input}", filed.id.0);
                if words.iter().all(|word| line.to_lowercase().contains(word)) {
                    page.line(&format!("{}  {line}", page.styled(style, &standing)))?;
                    listed += 1;
                }
            }
        }
        page.line(&counted(listed, "failure", "failures"))
    }
}

/// Longest counterexample on its line.
const LONGEST: usize = 60;

fn print_answers(page: &mut Page<'_>) -> io::Result<()> {
    for (answer, _, help) in ANSWERS {
        page.line(&format!("{answer:<4} {help}"))?;
    }
    Ok(())
}
