//! The crate's source files as the rules see them: a path, the module it is, the room it belongs to, its tokens.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use proc_macro2::TokenStream;

use super::live::live;
use super::mentions::{Mention, mentions};

/// Folders whose folders are rooms of their own: one per framework, one per language.
const NESTED: [&str; 2] = ["framework", "language"];

/// One source file.
pub(super) struct Source {
    /// Path below `src/`: `git/mod.rs`.
    pub(super) path: String,
    pub(super) text: String,
}

impl Source {
    /// The module the file is, as the names after `crate`: none for `lib.rs` and `main.rs`.
    pub(super) fn module(&self) -> Vec<String> {
        let bare = self.path.trim_end_matches(".rs").trim_end_matches("/mod");
        if matches!(bare, "lib" | "main") { Vec::new() } else { bare.split('/').map(String::from).collect() }
    }

    pub(super) fn tokens(&self) -> TokenStream {
        self.text.parse().unwrap_or_else(|error| panic!("{}: expected Rust tokens: {error}", self.path))
    }

    /// The file's code without its tests; none for a file of tests.
    pub(super) fn live(&self) -> TokenStream {
        let is_tests =
            self.path.ends_with("/tests.rs") || self.path.ends_with("_tests.rs") || self.path.contains("/tests/");
        if is_tests { TokenStream::new() } else { live(self.tokens()) }
    }

    /// The paths the file names, in its tests too.
    pub(super) fn mentions(&self) -> Vec<Mention> {
        mentions(self.tokens(), &self.module())
    }

    /// The paths the file names outside its tests.
    pub(super) fn live_mentions(&self) -> Vec<Mention> {
        mentions(self.live(), &self.module())
    }
}

/// All source files of a crate.
pub(super) struct House {
    pub(super) sources: Vec<Source>,
}

impl House {
    /// This crate's own files.
    pub(super) fn ours() -> House {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
        let mut sources: Vec<Source> = rust_files(&root).iter().map(|file| read(&root, file)).collect();
        sources.sort_by(|one, other| one.path.cmp(&other.path));
        House { sources }
    }

    /// A house of a few made-up files, to plant faults in.
    pub(super) fn of(files: &[(&str, &str)]) -> House {
        let source = |&(path, text): &(&str, &str)| Source { path: path.into(), text: text.into() };
        House { sources: files.iter().map(source).collect() }
    }

    /// The room that holds the module or name `segments` (those after `crate`).
    pub(super) fn room(&self, segments: &[String]) -> String {
        let nested = self.nested_rooms();
        match segments {
            [] => "lib".into(),
            [top, second, ..] if nested.contains(&format!("{top}/{second}")) => format!("{top}/{second}"),
            [top, ..] => top.clone(),
        }
    }

    /// The room a file belongs to.
    pub(super) fn room_of(&self, source: &Source) -> String {
        if source.path == "main.rs" { "main".into() } else { self.room(&source.module()) }
    }

    /// `framework/X` and `language/X` for every folder X there.
    pub(super) fn nested_rooms(&self) -> BTreeSet<String> {
        let parts = self.sources.iter().map(|source| source.path.split('/').collect::<Vec<_>>());
        parts.filter(|parts| parts.len() > 2 && NESTED.contains(&parts[0])).map(|parts| parts[..2].join("/")).collect()
    }
}

fn read(root: &Path, file: &Path) -> Source {
    let below = file.strip_prefix(root).unwrap();
    Source { path: below.to_str().unwrap().replace('\\', "/"), text: std::fs::read_to_string(file).unwrap() }
}

fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for path in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        if path.is_dir() {
            files.extend(rust_files(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    files
}
