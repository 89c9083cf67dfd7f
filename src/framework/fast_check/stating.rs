//! What a JavaScript or TypeScript file states: the tests that hand properties to the library, themselves or through a
//! function, the pins that are tests of their own, and the test code beside both.

mod clauses;
mod collected;
mod counts;
mod page;
mod reach;
mod rules;
mod runs;
mod settings;
mod skipped;
mod surroundings;
#[cfg(test)]
mod tests;

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use memchr::memmem;

use super::calls::{Property, Titled, asserts_within, titled};
use super::read::is_file;
use crate::framework::Stating;
use crate::language::typescript::code::Code;
use crate::oracle::{Known, Oracle};
use crate::repo_path::RepoPath;
use crate::source_tree::SourceTree;
use runs::Helper;

/// What every file with a property or a pin holds one of.
const MARKS: [&str; 4] = ["fast-check", "fc.", ".prop(", "testProp"];

/// The library's own name, as imports have it.
const LIBRARY: &[u8] = b"fast-check";

/// What the names of the files end in.
const ENDINGS: [&str; 8] = [".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs"];

/// The libraries that tests are made with, by the beginning of their modules.
const LIBRARIES: [&str; 10] =
    ["fast-check", "@fast-check", "vitest", "@vitest", "@jest", "node:test", "node:assert", "chai", "mocha", "ava"];

impl Stating for super::FastCheck {
    fn stating(&self, tree: &dyn SourceTree) -> Vec<RepoPath> {
        let mut files: Vec<RepoPath> = ENDINGS.iter().flat_map(|ending| tree.holding(ending, &MARKS)).collect();
        files.retain(|file| !file.as_str().split('/').any(|part| part == "node_modules"));
        files.sort();
        files.dedup();
        files
    }

    fn known(&self) -> Known {
        Known { libraries: &LIBRARIES, names: &["it", "test", "describe", "fc", "expect", "assert"] }
    }

    fn is_test_file(&self, path: &str) -> bool {
        collected::is_test_file(path)
    }

    fn is_collected(&self, file: &RepoPath, tree: &dyn SourceTree) -> bool {
        collected::is_collected(file.as_str(), tree)
    }

    fn folder_of_tests<'p>(&self, path: &'p str) -> Option<&'p str> {
        collected::folder_of_tests(path)
    }

    fn oracle(&self, file: &RepoPath, tree: &dyn SourceTree) -> Result<Oracle, String> {
        if let Some(oracle) = settings::of_file(file, tree) {
            return Ok(oracle);
        }
        let Some(bytes) = tree.read(file).filter(|_| is_file(file.as_str())) else { return Ok(Oracle::default()) };
        let is_test_file = collected::is_test_file(file.as_str());
        if !is_test_file && !MARKS.iter().any(|mark| memmem::find(&bytes, mark.as_bytes()).is_some()) {
            return Ok(Oracle::default());
        }
        let is_of_library = memmem::find(&bytes, LIBRARY).is_some();
        let Ok(text) = String::from_utf8(bytes.to_vec()) else {
            return if is_of_library {
                Err(format!("{file} is not UTF-8; mend it first"))
            } else {
                Ok(Oracle::default())
            };
        };
        let code = Code::read(file.as_str(), text).ok_or_else(|| format!("{file} cannot be read; mend it first"))?;
        let source = Source::new(code, file, tree);
        let oracle = source.oracle();
        let states = is_of_library || is_test_file || !oracle.rules.is_empty() || !oracle.pins.is_empty();
        match source.code.broken_line().filter(|_| states && is_of_library) {
            Some(line) => Err(format!("{file} cannot be read as TypeScript at line {line}; mend it first")),
            None if states => Ok(oracle),
            None => Ok(Oracle::default()),
        }
    }
}

/// A file with what stands in it.
struct Source<'a> {
    code: Rc<Code>,
    file: &'a RepoPath,
    tree: &'a dyn SourceTree,
    /// Its tests and suites.
    all: Vec<Titled>,
    /// Where each of them is among them, by its call.
    places: HashMap<usize, usize>,
    /// The calls that hand a property to the library.
    asserts: Vec<Property>,
    /// The calls of those tests and suites that have all others passed over.
    focused: Vec<usize>,
    /// Functions that run properties of others, by what the file calls them; `None` for those that run none.
    helpers: RefCell<HashMap<String, Option<Rc<Helper>>>>,
}

impl<'a> Source<'a> {
    fn new(code: Code, file: &'a RepoPath, tree: &'a dyn SourceTree) -> Self {
        let all = titled(&code);
        Source {
            places: all.iter().enumerate().map(|(at, one)| (one.call, at)).collect(),
            asserts: asserts_within(&code, code.whole()),
            focused: all.iter().map(|one| one.call).filter(|call| skipped::is_focused(&code, *call)).collect(),
            all,
            code: Rc::new(code),
            file,
            tree,
            helpers: RefCell::default(),
        }
    }

    /// The tests around `call`, the innermost first.
    fn around(&self, call: usize) -> Vec<&Titled> {
        let mut found = Vec::new();
        let mut at = self.code.calls[call].around;
        while let Some(outer) = at {
            found.extend(self.places.get(&outer).map(|place| &self.all[*place]));
            at = self.code.calls[outer].around;
        }
        found
    }
}
