//! What a run of Vitest, Jest or Node's runner is given so that it hands over the details of the library's runs: a file of ours
//! that Node loads before any other, in every process of the run. It finds the library wherever that is loaded.

use std::path::Path;

use crate::carrier::command::may_start;
use crate::invocation::{Capture, File, Invocation, Variable};

/// The file that is loaded.
const SETUP: &str = "fast_check/setup.cjs";

/// That file and those it needs.
const FILES: [File; 5] = [
    File { path: SETUP, text: include_str!("../../../assets/capture/fast_check/setup.cjs") },
    File { path: "fast_check/tests.cjs", text: include_str!("../../../assets/capture/fast_check/tests.cjs") },
    File { path: "fast_check/pins.cjs", text: include_str!("../../../assets/capture/fast_check/pins.cjs") },
    File { path: "fast_check/inject.cjs", text: include_str!("../../../assets/capture/fast_check/inject.cjs") },
    File { path: "fast_check/hooks.mjs", text: include_str!("../../../assets/capture/fast_check/hooks.mjs") },
];

/// What runs tests, or starts what does.
pub(super) const PROGRAMS: [&str; 9] = ["node", "npx", "npm", "pnpm", "yarn", "vitest", "jest", "tsx", "mocha"];

/// Has the command of `invocation` hand over where it runs Node.
pub(super) fn widen(invocation: &mut Invocation, folder: &Path) {
    let Some(own) = in_folder(folder) else { return };
    if may_start(&invocation.command, &PROGRAMS) {
        let capture = &mut invocation.capture;
        capture.folder = own.folder;
        capture.files.extend(own.files);
        capture.variables.extend(own.variables);
    }
}

/// What has Node load our file from `folder`.
pub(super) fn in_folder(folder: &Path) -> Option<Capture> {
    let setup = folder.join(SETUP);
    let path = setup.to_str()?.replace('\\', "\\\\").replace('"', "\\\"");
    let value = format!("--require \"{path}\"");
    let variables = vec![Variable { name: "NODE_OPTIONS", value, between: ' ' }];
    Some(Capture { folder: folder.to_owned(), files: FILES.to_vec(), variables })
}

#[cfg(test)]
mod tests {
    use std::ffi::OsString;
    use std::path::Path;

    use super::widen;
    use crate::invocation::{Capture, Invocation};

    fn widened(command: &str, folder: &str) -> Capture {
        let words: Vec<OsString> = command.split(' ').map(Into::into).collect();
        let mut invocation = Invocation::of(&words);
        widen(&mut invocation, Path::new(folder));
        assert_eq!(invocation.command, words);
        invocation.capture
    }

    #[test]
    fn node_loads_the_file_whatever_its_path_holds() {
        for command in ["npx vitest run", "node --test", "npm test", "yarn jest", "node_modules/.bin/jest"] {
            let capture = widened(command, "/a b/\"c");
            assert_eq!(capture.variables[0].value, r#"--require "/a b/\"c/fast_check/setup.cjs""#, "{command}");
            assert!(capture.files.iter().all(|file| file.path.starts_with("fast_check/")));
        }
    }

    #[test]
    fn other_commands_are_left_alone() {
        assert_eq!(widened("cargo test", "/r"), Capture::default());
    }
}
