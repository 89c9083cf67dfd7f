//! A session on a real terminal: the loop that waits for keys and workers, changes the model, draws it and hands effects
//! to the workers.

use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Signal, kill_current_process_group};
use rustix::termios::{OptionalActions, tcgetattr, tcsetattr};
use signal_hook::iterator::Signals;

use super::clerk::{Clerk, ClerkDesk, Look, Task};
use super::effect::Effect;
use super::event::{Arrival, Event, TrialNews};
use super::feed::Feed;
use super::input::{self, LastKey};
use super::keyboard::Keyboard;
use super::lent::Lent;
use super::model::Model;
use super::post::{Letter, LetterBox, Post, post};
use super::programs::{self, Edited};
use super::reader::{self, Ask, ReaderDesk, Shared};
use super::surveyor::{self, SurveyorDesk};
use super::tab::Tab;
use super::terminal::{self, Screen};
use super::tester::{Job, Place, Tester};
use super::{Settings, clipboard, panics, signals};
use crate::repo_path::RepoPath;
use crate::triage::{Draft, Now, RunArgument, configured_editor};
use crate::visible;

/// What a session starts with.
#[derive(Debug)]
pub struct Start {
    /// A folder in the repository.
    pub directory: PathBuf,
    /// Runs to read into the inbox first.
    pub runs: Vec<RunArgument>,
    /// Reads the clock.
    pub now: Now,
    /// The folder for scratch builds.
    pub cache: PathBuf,
    /// How it looks, and what it works with.
    pub settings: Settings,
}

/// The exit code where there is no terminal.
const NO_TERMINAL: u8 = 2;
/// The exit code where the terminal or the repository fails.
const WORLD: u8 = 3;

/// How long the first frame waits for an inbox that is on its way.
const FIRST: Duration = Duration::from_millis(20);

/// What pins print is shown so often.
const OUTPUT_EVERY: Duration = Duration::from_millis(100);

/// Opens the workstation and returns the program's exit code when it is left.
pub fn run(start: Start) -> u8 {
    let keyboard = match Keyboard::of_terminal() {
        Some(keyboard) if io::stdout().is_terminal() && !start.settings.dumb => keyboard,
        _ => {
            complain(
                "the workstation needs a terminal that can show a screen; without one, `redpin --plain` does the same \
                 line by line, `redpin import RUN` reads a run, `redpin list` shows the failures, `redpin decide \
                 FAILURE VERDICT` judges one and `redpin pin --all` stages pins",
            );
            return NO_TERMINAL;
        }
    };
    panics::watch();
    terminal::colour(start.settings.colour);
    let (code, text) = match Session::open(start, keyboard).and_then(Session::work) {
        Ok(end) => end,
        Err(error) => (WORLD, Some(format!("the terminal failed: {error}"))),
    };
    terminal::leave();
    text.into_iter().chain(panics::kept()).for_each(|text| complain(&text));
    code
}

fn complain(text: &str) {
    // Where standard error is gone there is nobody left to tell.
    let _ = writeln!(io::stderr(), "redpin: {}", visible::block(text));
}

/// Exit code, and what to print then.
type End = (u8, Option<String>);

/// A session while it goes on.
struct Session {
    settings: Settings,
    keyboard: Keyboard,
    started: Instant,
    screen: Screen,
    model: Model,
    letters: LetterBox,
    post: Post,
    last_key: LastKey,
    /// Whether an editor has the terminal.
    lent: Lent,
    /// Whether the terminal was given away and came back: what was typed before was not meant for us.
    came_back: bool,
    clerk: Arc<ClerkDesk>,
    clerk_thread: Option<JoinHandle<()>>,
    /// Who has yet to begin.
    unstarted: Option<(Clerk, Signals)>,
    reader: Option<Arc<ReaderDesk>>,
    surveyor: Option<Arc<SurveyorDesk>>,
    shared: Shared,
    /// The copy under way, or the last one.
    copying: Option<JoinHandle<()>>,
    /// Where pins are run.
    place: Place,
    /// Those being run, or the last that were.
    tester: Option<Tester>,
    feed: Feed,
    /// When what they printed is to be shown.
    output_due: Option<Instant>,
}

impl Session {
    /// Takes the terminal, then what is there at once. The other threads begin after the first frame.
    fn open(start: Start, keyboard: Keyboard) -> io::Result<Session> {
        let started = Instant::now();
        let (post, letters) = post()?;
        let signals = signals::keep()?;
        let (clerk, shared) = (Arc::new(ClerkDesk::default()), Shared::default());
        clerk.order(Task::Open(start.runs));
        let mut screen = Screen::enter()?;
        let (columns, rows) = screen.size()?;
        let place = Place { directory: start.directory.clone(), now: start.now, cache: start.cache };
        let worker = Clerk::new(start.directory, start.now, start.settings.proves, post.clone(), shared.clone());
        Ok(Session {
            model: Model::new(&start.settings, columns, rows),
            settings: start.settings,
            keyboard,
            started,
            screen,
            letters,
            post,
            last_key: LastKey::default(),
            lent: Lent::default(),
            came_back: false,
            clerk,
            clerk_thread: None,
            unstarted: Some((worker, signals)),
            reader: None,
            surveyor: None,
            shared,
            copying: None,
            place,
            tester: None,
            feed: Feed::default(),
            output_due: None,
        })
    }

    /// Starts the clerk and whoever answers signals, where they have not begun.
    fn start_others(&mut self) -> io::Result<()> {
        let Some((clerk, signals)) = self.unstarted.take() else { return Ok(()) };
        self.clerk_thread = Some(clerk.start(self.clerk.clone())?);
        signals::watch(signals, self.post.clone(), self.lent.clone())
    }

    /// Until the user, a signal or the terminal ends it. Orders outlast the terminal, also one that is suddenly gone.
    fn work(mut self) -> io::Result<End> {
        let end = self.until_the_end();
        drop(self.screen);
        self.clerk.close();
        if let Some(tester) = self.tester.take() {
            tester.end();
        }
        // What was copied last is copied, also where the next key left.
        if let Some(copying) = self.copying.take() {
            let _ = copying.join();
        }
        let clerk = self.clerk_thread.filter(|_| self.model.may_wait_for_orders());
        if clerk.is_some_and(|clerk| clerk.join().is_err()) {
            return Ok((WORLD, Some("redpin itself failed while saving".to_owned())));
        }
        end
    }

    fn until_the_end(&mut self) -> io::Result<End> {
        let first = self.first_frame();
        self.start_others()?;
        if let Some(end) = first? {
            return Ok(end);
        }
        loop {
            match self.wait(None)? {
                Waited::Changed => self.screen.draw(&self.model)?,
                Waited::Nothing => {}
                Waited::End(end) => return Ok(end),
            }
        }
    }

    /// An inbox that is there at once shows in the first frame. One that takes longer is not waited for, or not so long
    /// that it could be seen.
    fn first_frame(&mut self) -> io::Result<Option<End>> {
        if self.unstarted.as_ref().is_none_or(|(clerk, _)| !clerk.has_opened()) {
            self.start_others()?;
        }
        if let Waited::End(end) = self.wait(Some(FIRST))? {
            return Ok(Some(end));
        }
        self.screen.draw(&self.model).map(|()| None)
    }

    /// Sleeps until something happens, but no longer than `most`, and takes in all that has.
    fn wait(&mut self, most: Option<Duration>) -> io::Result<Waited> {
        let tick = self.model.next_tick(self.started.elapsed());
        let output = self.output_due.map(|due| due.saturating_duration_since(Instant::now()));
        let timeout = tick.into_iter().chain(self.keyboard.patience()).chain(output).chain(most).min();
        if self.sleep(timeout)? {
            return Ok(Waited::End((0, None)));
        }
        // Keys first: what was pressed before a signal still counts.
        let mut events = Vec::new();
        for sent in self.keyboard.typed()? {
            events.push(input::event(sent, &mut self.last_key, self.started.elapsed()));
        }
        let mut changed = self.letters(&mut events)?;
        if self.output_due.take_if(|due| *due <= Instant::now()).is_some() {
            events.push(Event::Arrived(Arrival::Trial(TrialNews::Output(self.feed.take()))));
        }
        if events.is_empty() && tick.is_some() {
            events.push(Event::Tick);
        }
        changed |= !events.is_empty();
        for event in events {
            if self.came_back && matches!(event, Event::Key { .. } | Event::Paste(_)) {
                continue;
            }
            if let Some(end) = self.take_in(event)? {
                return Ok(Waited::End(end));
            }
        }
        self.came_back = false;
        Ok(if changed { Waited::Changed } else { Waited::Nothing })
    }

    /// What other threads tell, as events, and whether the screen changed without one.
    fn letters(&mut self, events: &mut Vec<Event>) -> io::Result<bool> {
        let mut changed = false;
        for letter in self.letters.collect() {
            match letter {
                Letter::Event(event) => events.push(event),
                Letter::Continued => {
                    self.screen.enter_again()?;
                    changed = true;
                }
                Letter::Resized => changed = true,
                Letter::Output => {
                    self.output_due.get_or_insert_with(|| Instant::now() + OUTPUT_EVERY);
                }
                Letter::NotCopied(text) => self.send_to_clipboard(&text)?,
            }
        }
        if changed {
            let (columns, rows) = self.screen.size()?;
            events.push(Event::Resize(columns, rows));
        }
        Ok(changed)
    }

    /// Until a key or a letter comes or the time is over; whether the terminal is gone.
    fn sleep(&self, timeout: Option<Duration>) -> io::Result<bool> {
        let timeout = timeout.map(|timeout| Timespec {
            tv_sec: timeout.as_secs().try_into().unwrap_or(i64::MAX),
            tv_nsec: timeout.subsec_nanos().into(),
        });
        let keyboard = self.keyboard.descriptor();
        let mut ready = [PollFd::new(&keyboard, PollFlags::IN), PollFd::new(&self.letters.bell, PollFlags::IN)];
        match poll(&mut ready, timeout.as_ref()) {
            Ok(_) | Err(rustix::io::Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
        Ok(ready[0].revents().intersects(PollFlags::HUP | PollFlags::ERR | PollFlags::NVAL))
    }

    fn take_in(&mut self, event: Event) -> io::Result<Option<End>> {
        let update = self.model.handle(event);
        let effects = self.model.apply(update, self.started.elapsed());
        self.carry_out(effects)
    }

    fn carry_out(&mut self, effects: Vec<Effect>) -> io::Result<Option<End>> {
        for effect in effects {
            match effect {
                Effect::Detail(id) => self.clerk.look(Look::Detail(id)),
                Effect::Preview(id, verdict) => self.clerk.look(Look::Preview(id, verdict)),
                Effect::Order(order) => self.clerk.order(Task::Order(order)),
                Effect::Colour { id, extension, text } => self.ask(Ask::Colour { id, extension, text })?,
                Effect::Find(words) => self.ask(Ask::Find(words))?,
                Effect::Survey(tab) => self.survey(tab)?,
                Effect::Verify(ids) => self.test(Job::Verify(ids))?,
                Effect::Prove(staging) => self.test(Job::Prove(staging))?,
                Effect::Stop => self.tester.iter().for_each(Tester::stop),
                Effect::Copy(text) => self.copy(text)?,
                Effect::Edit(top, file, line) => {
                    if let Some(end) = self.edit(&top, &file, line)? {
                        return Ok(Some(end));
                    }
                }
                Effect::Draft(id) => self.clerk.look(Look::Draft(id)),
                Effect::EditDraft(top, draft) => {
                    if let Some(end) = self.edit_draft(&top, draft)? {
                        return Ok(Some(end));
                    }
                }
                Effect::Suspend => self.suspend()?,
                Effect::LookAgain => self.clerk.look(Look::Again),
                Effect::Redraw => self.screen.redraw()?,
                Effect::Quit(code, text) => return Ok(Some((code, text))),
            }
        }
        Ok(None)
    }

    /// Asks the reader, who starts with the first question.
    fn ask(&mut self, ask: Ask) -> io::Result<()> {
        let desk = match &self.reader {
            Some(desk) => desk,
            None => {
                let desk = Arc::new(ReaderDesk::default());
                reader::start(desk.clone(), self.post.clone(), self.shared.clone())?;
                self.reader.insert(desk)
            }
        };
        desk.look(ask);
        Ok(())
    }

    /// Asks the surveyor, who starts with the first question.
    fn survey(&mut self, tab: Tab) -> io::Result<()> {
        let desk = match &self.surveyor {
            Some(desk) => desk,
            None => {
                let desk = Arc::new(SurveyorDesk::default());
                surveyor::start(desk.clone(), self.place.directory.clone(), self.place.now, self.post.clone())?;
                self.surveyor.insert(desk)
            }
        };
        desk.look(tab);
        Ok(())
    }

    fn test(&mut self, job: Job) -> io::Result<()> {
        self.tester = Some(Tester::start(job, self.place.clone(), self.post.clone(), self.feed.clone())?);
        Ok(())
    }

    /// tmux may take its time, so a thread waits for it; what it does not take comes back.
    fn copy(&mut self, text: String) -> io::Result<()> {
        if !self.settings.tmux {
            return self.send_to_clipboard(&text);
        }
        let post = self.post.clone();
        let work = move || {
            if !programs::copy_by_tmux(&text).unwrap_or(false) {
                post.send(Letter::NotCopied(text));
            }
        };
        self.copying = Some(thread::Builder::new().name("copying".to_owned()).spawn(work)?);
        Ok(())
    }

    fn send_to_clipboard(&mut self, text: &str) -> io::Result<()> {
        if self.settings.tmux {
            self.screen.send(&clipboard::through_tmux(text))?;
        }
        self.screen.send(&clipboard::sequence(text))
    }

    fn edit(&mut self, top: &Path, file: &RepoPath, line: u32) -> io::Result<Option<End>> {
        let edited = match self.lend(top, file.as_str(), line)? {
            Ok(edited) => edited,
            Err(end) => return Ok(Some(end)),
        };
        let effects = self.model.returned(self.started.elapsed(), edited.err());
        self.carry_out(effects)
    }

    fn edit_draft(&mut self, top: &Path, draft: Draft) -> io::Result<Option<End>> {
        let edited = match self.lend(top, &draft.path.to_string_lossy(), draft.line)? {
            Ok(edited) => edited,
            Err(end) => return Ok(Some(end)),
        };
        let effects = self.model.wrote_pin(draft, self.started.elapsed(), edited.err());
        self.carry_out(effects)
    }

    /// Lends the terminal to the editor; how that went, or the end of the session.
    fn lend(&mut self, top: &Path, file: &str, line: u32) -> io::Result<Result<Result<(), String>, End>> {
        let loan = self.lent.lend();
        terminal::leave();
        let modes = tcgetattr(self.keyboard.descriptor());
        let editor = self.settings.editor(|| configured_editor(top));
        let edited = match programs::edit(&editor, top, file, line, loan) {
            Edited::Done(done) => done,
            Edited::Stopped { orderly } => {
                if let (false, Ok(modes)) = (orderly, modes) {
                    // Where the terminal is gone there is nothing left to set.
                    let _ = tcsetattr(self.keyboard.descriptor(), OptionalActions::Now, &modes);
                    terminal::reset();
                }
                return Ok(Err((0, None)));
            }
        };
        self.screen.enter_again()?;
        self.came_back = true;
        Ok(Ok(edited))
    }

    /// Stops as the shell would stop us, the whole job with us, and goes on when it says so.
    fn suspend(&mut self) -> io::Result<()> {
        terminal::leave();
        kill_current_process_group(Signal::STOP)?;
        self.came_back = true;
        self.screen.enter_again()?;
        let effects = self.model.returned(self.started.elapsed(), None);
        self.carry_out(effects).map(drop)
    }
}

/// What waiting came to.
enum Waited {
    /// The screen may have to change.
    Changed,
    /// Nothing happened.
    Nothing,
    /// It is over.
    End(End),
}
