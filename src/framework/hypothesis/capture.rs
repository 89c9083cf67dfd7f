//! What a run of pytest is given so that it hands over what it knows of failing properties: a plugin of ours, which pytest
//! finds by itself where the folder that holds it is on Python's path. Where it is not, as with `python -I`, or where the user
//! has pytest load no such plugins, nothing else happens, and the run is read as text.

use std::ffi::OsString;
use std::path::Path;

use memchr::memmem;
use serde::Deserialize;

use crate::carrier::command::may_start;
use crate::invocation::{File, Invocation, Variable};
use crate::run_output::{RunOutput, line_at};

/// The folder of our plugin.
const FOLDER: &str = "hypothesis";

/// The plugin, and what tells pytest of it.
const FILES: [File; 3] = [
    File {
        path: "hypothesis/redpin_capture.py",
        text: include_str!("../../../assets/capture/hypothesis/redpin_capture.py"),
    },
    File {
        path: "hypothesis/redpin_capture-1.dist-info/METADATA",
        text: include_str!("../../../assets/capture/hypothesis/METADATA"),
    },
    File {
        path: "hypothesis/redpin_capture-1.dist-info/entry_points.txt",
        text: include_str!("../../../assets/capture/hypothesis/entry_points.txt"),
    },
];

/// What pytest is called.
pub(super) const PROGRAMS: [&str; 3] = ["pytest", "py.test", "pytest-3"];

/// What stands between the folders of Python's path.
const BETWEEN: char = ':';

/// Has the command of `invocation` hand over where it runs pytest.
pub(super) fn widen(invocation: &mut Invocation, folder: &Path) {
    let on_path = folder.join(FOLDER);
    let Some(value) = on_path.to_str().filter(|path| !path.contains(BETWEEN)) else { return };
    if may_start(&invocation.command, &PROGRAMS) {
        let capture = &mut invocation.capture;
        folder.clone_into(&mut capture.folder);
        capture.files.extend(FILES);
        capture.variables.push(Variable { name: "PYTHONPATH", value: value.to_owned(), between: BETWEEN });
    }
}

/// How the line begins that tells of the Python which ran the tests.
const PYTHON: &[u8] = b"{\"redpin\": \"python\"";

/// That line.
#[derive(Deserialize)]
struct Told {
    program: String,
}

/// The Python that ran the tests of `command`, as the last of its runs of pytest handed it over. What runs no pytest may show
/// such a line of another machine's.
pub(super) fn python(command: &[OsString], run: &RunOutput<'_>) -> Option<String> {
    if !may_start(command, &PROGRAMS) {
        return None;
    }
    let is_line = |at: &usize| *at == 0 || run.bytes[at - 1] == b'\n';
    let at = memmem::rfind_iter(run.bytes, PYTHON).find(is_line)?;
    let line = &run.bytes[at..line_at(run.bytes, at).end];
    let told: Told = serde_json::from_slice(line).ok()?;
    Some(told.program).filter(|program| Path::new(program).is_absolute() && !program.contains(char::is_control))
}

#[cfg(test)]
mod tests {
    use std::ffi::OsString;
    use std::path::Path;

    use super::{python, widen};
    use crate::invocation::Invocation;
    use crate::run_output::RunOutput;

    fn widened(command: &str, folder: &str) -> Invocation {
        let words: Vec<OsString> = command.split(' ').map(Into::into).collect();
        let mut invocation = Invocation::of(&words);
        widen(&mut invocation, Path::new(folder));
        assert_eq!(invocation.command, words);
        invocation
    }

    #[test]
    fn pytest_finds_the_plugin_on_pythons_path() {
        for command in ["pytest -q", "python -m pytest", "uv run pytest tests", "poetry run py.test"] {
            let capture = widened(command, "/r/.git/redpin/capture").capture;
            assert_eq!(capture.variables[0].value, "/r/.git/redpin/capture/hypothesis", "{command}");
            assert!(capture.files.iter().all(|file| file.path.starts_with("hypothesis/")));
        }
    }

    #[test]
    fn the_python_that_ran_the_tests_is_the_last_that_was_handed_over() {
        let line = |program: &str| format!("{{\"redpin\": \"python\", \"program\": \"{program}\"}}\n");
        let check = |command: &str, text: &str, expected: Option<&str>| {
            let words: Vec<OsString> = command.split(' ').map(Into::into).collect();
            assert_eq!(
                python(&words, &RunOutput::new("run", text.as_bytes())).as_deref(),
                expected,
                "{command}: {text}"
            );
        };
        let told = format!("1 failed\n{}{}", line("/a/bin/python"), line("/b c/bin/python"));
        check("tox", "", None);
        check("poetry run pytest", &told, Some("/b c/bin/python"));
        check("pytest", "1 failed\n", None);
        check("cat kept.log", &told, None);
        check("pytest", &line("bin/python"), None);
        check("pytest", &line("/a\\nb"), None);
        check("pytest", &format!("{}said {}", line("/a/bin/python"), line("/b/bin/python")), Some("/a/bin/python"));
        check("pytest", "{\"redpin\": \"python\", \"prog", None);
    }

    #[test]
    fn other_commands_and_folders_that_no_path_can_name_are_left_alone() {
        for (command, folder) in [("cargo test", "/r"), ("python -m unittest", "/r"), ("pytest", "/a:b")] {
            assert_eq!(widened(command, folder).capture, Default::default(), "{command}");
        }
    }
}
