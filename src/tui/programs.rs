//! The two programs the workstation starts: the user's editor, which needs the terminal that only this room can hand
//! over, and tmux, which keeps the clipboard where it stands between us and the terminal.

use std::io::{self, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use super::Settings;
use super::lent::{Lent, Loan, Return};
use crate::triage::configured_editor;

/// How the editor gave the terminal back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Edited {
    /// As it should; or what happened and what to do, for the user.
    Done(Result<(), String>),
    /// A signal ended it, and ends redpin. Whether it left the terminal in order.
    Stopped { orderly: bool },
}

/// Runs the editor at a file and line until it ends.
pub(super) fn edit(editor: &str, top: &Path, file: &str, line: u32, loan: Loan) -> Edited {
    match started(editor, top, file, line) {
        Ok(child) => match loan.wait_for(child) {
            Ok(Return::Stopped { orderly }) => Edited::Stopped { orderly },
            Ok(Return::Ended(status)) if status.success() => Edited::Done(Ok(())),
            Ok(Return::Ended(status)) => Edited::Done(Err(format!(
                "the editor {editor:?} ended with {status}; EDITOR or git's core.editor names another"
            ))),
            Err(error) => Edited::Done(Err(format!("could not follow the editor {editor:?}: {error}"))),
        },
        Err(text) => Edited::Done(Err(text)),
    }
}

/// The same where no session has the terminal: for whoever only waits.
pub fn edit_alone(settings: &Settings, top: &Path, file: &Path, line: u32) -> Result<(), String> {
    let editor = settings.editor(|| configured_editor(top));
    match edit(&editor, top, &file.to_string_lossy(), line, Lent::default().lend()) {
        Edited::Done(done) => done,
        Edited::Stopped { .. } => Err("a signal ended the editor".to_owned()),
    }
}

fn started(editor: &str, top: &Path, file: &str, line: u32) -> Result<Child, String> {
    let words = shlex::split(editor).filter(|words| !words.is_empty());
    let Some(words) = words else {
        return Err(format!(
            "expected a command as editor, found {editor:?}; set EDITOR or git's core.editor to yours"
        ));
    };
    let arguments = arguments(&words, file, line);
    let started = command(&words[0]).args(arguments).current_dir(top).spawn();
    started.map_err(|error| {
        format!("could not start the editor {editor:?}: {error}; EDITOR or git's core.editor names another")
    })
}

/// The editor's arguments that open `file` at `line`, in the way that editor knows.
fn arguments(words: &[String], file: &str, line: u32) -> Vec<String> {
    let mut arguments = words[1..].to_vec();
    let name = words[0].rsplit('/').next().unwrap_or_default();
    match name {
        "code" | "codium" | "cursor" | "windsurf" => arguments.extend(["-g".to_owned(), format!("{file}:{line}")]),
        "subl" | "zed" | "hx" | "helix" | "mate" => arguments.push(format!("{file}:{line}")),
        "idea" | "rustrover" | "clion" | "pycharm" | "webstorm" => {
            arguments.extend(["--line".to_owned(), line.to_string(), file.to_owned()]);
        }
        _ => arguments.extend([format!("+{line}"), file.to_owned()]),
    }
    arguments
}

/// Hands a text to tmux, which passes it on to the terminal's clipboard.
pub(super) fn copy_by_tmux(text: &str) -> io::Result<bool> {
    let mut tmux = command("tmux")
        .args(["load-buffer", "-w", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()?;
    if let Some(mut input) = tmux.stdin.take() {
        input.write_all(text.as_bytes())?;
    }
    Ok(tmux.wait()?.success())
}

#[expect(clippy::disallowed_methods, reason = "the editor runs on the terminal that this room hands over")]
fn command(program: &str) -> Command {
    Command::new(program)
}

#[cfg(test)]
mod tests {
    use super::{Edited, arguments, edit};
    use crate::tui::lent::Lent;

    fn check(editor: &str, expected: &[&str]) {
        let words = shlex::split(editor).unwrap();
        assert_eq!(arguments(&words, "src/a.rs", 7), expected, "{editor}");
    }

    #[test]
    fn each_editor_is_told_the_line_in_its_way() {
        check("vi", &["+7", "src/a.rs"]);
        check("/usr/bin/emacs -nw", &["-nw", "+7", "src/a.rs"]);
        check("code --wait", &["--wait", "-g", "src/a.rs:7"]);
        check("hx", &["src/a.rs:7"]);
        check("idea", &["--line", "7", "src/a.rs"]);
    }

    #[track_caller]
    fn check_refused(editor: &str, part: &str) {
        let edited = edit(editor, std::path::Path::new("."), "a.rs", 1, Lent::default().lend());
        assert!(matches!(&edited, Edited::Done(Err(text)) if text.contains(part)), "{edited:?}");
    }

    #[test]
    fn an_editor_that_is_no_command_is_refused() {
        check_refused("'unclosed", "EDITOR");
        check_refused("/no/such/editor", "could not start");
    }
}
