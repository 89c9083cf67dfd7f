//! A pseudo-terminal with redpin on it, and a picture of its screen.

use std::ffi::OsString;
use std::io::{Read, Write};
use std::path::Path;
use std::sync::{Arc, Condvar, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};
use rustix::process::{Pid, Signal, kill_process};
use tempfile::TempDir;

/// A test that has to wait longer has failed.
const PATIENCE: Duration = Duration::from_secs(30);
/// The same where something is built meanwhile.
const OF_BUILDS: Duration = Duration::from_secs(300);
/// The picture's size.
const SIZE: PtySize = PtySize { rows: 30, cols: 110, pixel_width: 0, pixel_height: 0 };

/// What has come from the program so far.
struct Picture {
    parser: vt100::Parser,
    bytes: Vec<u8>,
    ended: bool,
}

/// redpin on a terminal of its own.
pub(crate) struct Pty {
    master: Box<dyn MasterPty + Send>,
    input: Box<dyn Write + Send>,
    child: Box<dyn Child + Send + Sync>,
    picture: Arc<(Mutex<Picture>, Condvar)>,
    modes_before: String,
    patience: Duration,
    pub(crate) home: TempDir,
}

impl Pty {
    /// Starts `redpin ARGUMENTS` with this editor and no other environment of ours. Nothing is built.
    pub(crate) fn start(arguments: &[&str], editor: &str) -> Pty {
        let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_redpin"));
        command.arg("--no-verify");
        command.args(arguments);
        Pty::start_command(command, editor)
    }

    /// Starts a shell with this script, in which `$REDPIN` is the program and `$0` is `text`.
    pub(crate) fn start_shell(script: &str, text: &str) -> Pty {
        let mut command = CommandBuilder::new("sh");
        command.args(["-c", script, text]);
        Pty::start_command(command, "true")
    }

    /// Starts `redpin ARGUMENTS` in a folder where it is to build, with this environment besides.
    pub(crate) fn start_in(folder: &Path, arguments: &[&str], environment: &[(&str, OsString)]) -> Pty {
        let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_redpin"));
        command.args(arguments);
        let place = |command: &mut CommandBuilder| {
            command.cwd(folder);
            environment.iter().for_each(|(name, value)| command.env(name, value));
        };
        let mut pty = Pty::start_placed(command, "true", place);
        pty.patience = OF_BUILDS;
        pty
    }

    fn start_command(command: CommandBuilder, editor: &str) -> Pty {
        Pty::start_placed(command, editor, |_| {})
    }

    fn start_placed(mut command: CommandBuilder, editor: &str, place: impl FnOnce(&mut CommandBuilder)) -> Pty {
        let home = tempfile::tempdir().unwrap();
        let pair = native_pty_system().openpty(SIZE).unwrap();
        let modes_before = modes(&*pair.master);
        command.cwd(home.path());
        command.env_clear();
        command.env("PATH", path());
        command.env("REDPIN", env!("CARGO_BIN_EXE_redpin"));
        command.env("TERM", "xterm-256color");
        command.env("GIT_COMMITTER_NAME", "Ada");
        command.env("GIT_COMMITTER_EMAIL", "ada@example.org");
        command.env("HOME", home.path());
        command.env("TMPDIR", home.path());
        command.env("GIT_CONFIG_GLOBAL", "/dev/null");
        command.env("EDITOR", editor.replace("HOME", &home.path().display().to_string()));
        place(&mut command);
        let child = pair.slave.spawn_command(command).unwrap();
        let parser = vt100::Parser::new(SIZE.rows.try_into().unwrap(), SIZE.cols.try_into().unwrap(), 0);
        let picture = Arc::new((Mutex::new(Picture { parser, bytes: Vec::new(), ended: false }), Condvar::new()));
        watch(pair.master.try_clone_reader().unwrap(), picture.clone());
        let input = pair.master.take_writer().unwrap();
        Pty { master: pair.master, input, child, picture, modes_before, patience: PATIENCE, home }
    }

    /// Types.
    pub(crate) fn send(&mut self, bytes: &str) {
        self.input.write_all(bytes.as_bytes()).unwrap();
    }

    /// Waits until `wanted` holds of the screen.
    pub(crate) fn wait_for(&self, what: &str, wanted: impl Fn(&vt100::Screen) -> bool) {
        self.wait(what, |picture| wanted(picture.parser.screen()));
    }

    /// Waits until the screen shows `text`.
    pub(crate) fn wait_for_text(&self, text: &str) {
        self.wait_for(text, |screen| screen.contents().contains(text));
    }

    /// Waits until the full screen shows exactly `before`.
    pub(crate) fn wait_for_screen(&self, before: &str) {
        self.wait_for(before, |screen| screen.alternate_screen() && text(screen) == before);
    }

    /// Waits until the program has sent `bytes`.
    pub(crate) fn wait_for_bytes(&self, bytes: &[u8]) {
        self.wait("bytes", |picture| picture.bytes.windows(bytes.len()).any(|window| window == bytes));
    }

    /// Whether the program has sent `bytes`.
    pub(crate) fn sent(&self, bytes: &[u8]) -> bool {
        self.picture.0.lock().unwrap().bytes.windows(bytes.len()).any(|window| window == bytes)
    }

    fn wait(&self, what: &str, wanted: impl Fn(&Picture) -> bool) {
        let (picture, bell) = &*self.picture;
        let deadline = Instant::now() + self.patience;
        let mut picture = picture.lock().unwrap();
        while !wanted(&picture) {
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() || picture.ended {
                let contents = text(picture.parser.screen());
                drop(picture);
                panic!("waited in vain for {what:?} on:\n{contents}");
            }
            picture = bell.wait_timeout(picture, left).unwrap().0;
        }
    }

    /// The screen as text.
    pub(crate) fn text(&self) -> String {
        text(self.picture.0.lock().unwrap().parser.screen())
    }

    /// Makes the terminal another size, and the picture with it.
    pub(crate) fn resize(&self, rows: u16, cols: u16) {
        self.picture.0.lock().unwrap().parser.screen_mut().set_size(rows.try_into().unwrap(), cols.try_into().unwrap());
        self.master.resize(PtySize { rows, cols, ..SIZE }).unwrap();
    }

    /// Sends a signal.
    pub(crate) fn signal(&self, signal: Signal) {
        let pid = i32::try_from(self.child.process_id().unwrap()).unwrap();
        kill_process(Pid::from_raw(pid).unwrap(), signal).unwrap();
    }

    /// Waits until the kernel says that the program is stopped.
    pub(crate) fn wait_until_stopped(&self) {
        let path = format!("/proc/{}/stat", self.child.process_id().unwrap());
        let stopped = |stat: String| stat.rsplit_once(')').is_some_and(|(_, rest)| rest.starts_with(" T"));
        self.wait_until("that it stops", || stopped(std::fs::read_to_string(&path).unwrap()));
    }

    /// Waits until something holds that is not on the screen.
    pub(crate) fn wait_until(&self, what: &str, wanted: impl Fn() -> bool) {
        let deadline = Instant::now() + self.patience;
        while !wanted() {
            assert!(Instant::now() < deadline, "waited in vain for {what}");
            thread::yield_now();
        }
    }

    /// Waits for the end; the exit code.
    pub(crate) fn end(&mut self) -> u32 {
        let (picture, bell) = &*self.picture;
        let deadline = Instant::now() + self.patience;
        let mut picture = picture.lock().unwrap();
        while !picture.ended {
            let left = deadline.saturating_duration_since(Instant::now());
            assert!(!left.is_zero(), "never ended:\n{}", text(picture.parser.screen()));
            picture = bell.wait_timeout(picture, left).unwrap().0;
        }
        drop(picture);
        self.child.wait().unwrap().exit_code()
    }

    /// What is left on that was not on before, in words; empty where the terminal is as it was.
    pub(crate) fn left_on(&self) -> Vec<&'static str> {
        let picture = self.picture.0.lock().unwrap();
        let screen = picture.parser.screen();
        let on = [
            (screen.alternate_screen(), "alternate screen"),
            (screen.hide_cursor(), "hidden cursor"),
            (screen.bracketed_paste(), "bracketed paste"),
            (screen.mouse_protocol_mode() != vt100::MouseProtocolMode::None, "mouse"),
            (modes(&*self.master) != self.modes_before, "raw mode"),
        ];
        on.into_iter().filter_map(|(left, name)| left.then_some(name)).collect()
    }
}

impl Drop for Pty {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The screen without blanks at the ends of its rows.
fn text(screen: &vt100::Screen) -> String {
    screen.contents().lines().map(|row| row.trim_end().to_owned() + "\n").collect()
}

#[expect(clippy::disallowed_methods, reason = "the program under test finds git where the test does")]
fn path() -> std::ffi::OsString {
    std::env::var_os("PATH").unwrap_or_default()
}

fn modes(master: &dyn MasterPty) -> String {
    format!("{:?}", master.get_termios())
}

fn watch(mut output: Box<dyn Read + Send>, picture: Arc<(Mutex<Picture>, Condvar)>) {
    thread::spawn(move || {
        let mut buffer = [0; 1 << 16];
        loop {
            let read = output.read(&mut buffer).unwrap_or(0);
            let (picture, bell) = &*picture;
            let mut picture = picture.lock().unwrap();
            picture.parser.process(&buffer[..read]);
            picture.bytes.extend_from_slice(&buffer[..read]);
            picture.ended = read == 0;
            bell.notify_all();
            if read == 0 {
                return;
            }
        }
    });
}

/// What git says in a folder.
#[expect(clippy::disallowed_methods, reason = "the test asks git as a user would")]
pub(crate) fn git(folder: &Path, arguments: &[&str]) -> String {
    let output = std::process::Command::new("git").arg("-C").arg(folder).args(arguments).output().unwrap();
    assert!(output.status.success(), "git {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}
