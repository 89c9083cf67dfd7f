//! What a run of pytest is given so that it hands over what it knows of failing properties: a plugin of ours, which pytest
//! finds by itself where the folder that holds it is on Python's path. Where it is not, as with `python -I`, or where the user
//! has pytest load no such plugins, nothing else happens, and the run is read as text.

use std::path::Path;

use crate::carrier::command::may_start;
use crate::invocation::{File, Invocation, Variable};

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

#[cfg(test)]
mod tests {
    use std::ffi::OsString;
    use std::path::Path;

    use super::widen;
    use crate::invocation::Invocation;

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
    fn other_commands_and_folders_that_no_path_can_name_are_left_alone() {
        for (command, folder) in [("cargo test", "/r"), ("python -m unittest", "/r"), ("pytest", "/a:b")] {
            assert_eq!(widened(command, folder).capture, Default::default(), "{command}");
        }
    }
}
