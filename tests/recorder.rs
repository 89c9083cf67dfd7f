//! The instrumented copy of the library that this repository's own tests use: every place of it is found, and it still
//! is Rust.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use redpin::framework::CATALOGUE;
use redpin::repo_path::RepoPath;
use redpin::source_tree::SourceTree;

/// A folder of files.
struct Folder(PathBuf);

impl SourceTree for Folder {
    fn read(&self, path: &RepoPath) -> Option<Arc<[u8]>> {
        std::fs::read(self.0.join(path.as_str())).ok().map(Arc::from)
    }

    fn find(&self, _: &dyn Fn(&str) -> bool) -> Vec<RepoPath> {
        Vec::new()
    }
}

/// What cargo prints.
#[expect(clippy::disallowed_methods, reason = "cargo alone knows where the locked packages lie")]
fn cargo(arguments: &[&str]) -> String {
    let told = std::process::Command::new(env!("CARGO")).args(arguments).output().unwrap();
    String::from_utf8(told.stdout).unwrap()
}

/// The folder of the package `name` that this repository's lock file names, as cargo has it for this machine.
fn locked(name: &str) -> PathBuf {
    let version = cargo(&["-vV"]);
    let host = version.lines().find_map(|line| line.strip_prefix("host: ")).unwrap();
    let manifest = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");
    let platform = ["metadata", "--offline", "--locked", "--filter-platform", host];
    let told = cargo(&[&platform[..], &["--format-version", "1", "--manifest-path", manifest]].concat());
    let metadata: serde_json::Value = serde_json::from_str(&told).unwrap();
    let package = metadata["packages"].as_array().unwrap().iter().find(|package| package["name"] == name).unwrap();
    Path::new(package["manifest_path"].as_str().unwrap()).parent().unwrap().to_owned()
}

#[test]
fn the_locked_library_can_be_instrumented() {
    for framework in CATALOGUE {
        let Some(library) = framework.recorder().and_then(|recorder| recorder.library()) else { continue };
        let files = library.instrumented(&Folder(locked(library.package()))).unwrap();
        let mut recorded = 0;
        for (path, text) in &files {
            assert!(syn::parse_file(text).is_ok(), "{path}");
            recorded += text.matches("redpin_recorder::").count();
        }
        assert!(recorded > 40, "{recorded} places");
        assert!(files.iter().any(|(path, _)| path.as_str() == "src/redpin_recorder.rs"));
    }
}
