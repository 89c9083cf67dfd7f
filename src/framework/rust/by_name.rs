//! Which files have a function of a name, for failures of which the run does not tell the file: every source is gone through
//! once, not once a failure.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use memchr::memmem;

use crate::language::rust::code::unraw;
use crate::memory::Memory;
use crate::repo_path::RepoPath;
use crate::source_tree::SourceTree;

/// So many bytes of source are searched for names that stand behind no `fn`, as where a macro makes the function; names that
/// come after are taken for none of this repository. Else a log of strangers would cost a pass over all sources for each.
const MOST_SEARCHED: usize = 4 << 30;

/// Some files by the functions in them.
#[derive(Default)]
struct Functions {
    files: Vec<RepoPath>,
    places: HashMap<Box<[u8]>, Vec<usize>>,
}

struct Tracked(Functions);

struct All(Functions);

/// The files that hold a word, for the words that were searched.
#[derive(Default)]
struct Words {
    found: HashMap<String, Vec<RepoPath>>,
    searched: usize,
}

/// What `pick` takes of the files that have a function called `name`; those that git tracks are offered first, and those
/// that hold the name as a mere word last.
pub(crate) fn file(
    name: &str,
    tree: &dyn SourceTree,
    pick: &dyn Fn(Vec<RepoPath>) -> Option<RepoPath>,
) -> Option<RepoPath> {
    let own = Memory::default();
    let memory = tree.memory().unwrap_or(&own);
    let tracked = memory.of(|| Tracked(Functions::of(tree.tracked(&is_rust), tree)));
    if let Some(file) = pick(tracked.0.named(name)) {
        return Some(file);
    }
    let all = memory.of(|| All(Functions::of(tree.find(&is_rust), tree)));
    pick(all.0.named(name)).or_else(|| {
        let words = memory.of(Mutex::<Words>::default);
        let held = words.lock().unwrap_or_else(PoisonError::into_inner).holding(name, &all.0.files, tree);
        pick(held)
    })
}

fn is_rust(path: &str) -> bool {
    path.ends_with(".rs")
}

impl Functions {
    fn of(files: Vec<RepoPath>, tree: &dyn SourceTree) -> Self {
        let mut places: HashMap<Box<[u8]>, Vec<usize>> = HashMap::new();
        for (at, file) in files.iter().enumerate() {
            for name in tree.read(file).iter().flat_map(|text| names(text)) {
                let places = places.entry(name.into()).or_default();
                if places.last() != Some(&at) {
                    places.push(at);
                }
            }
        }
        Functions { files, places }
    }

    fn named(&self, name: &str) -> Vec<RepoPath> {
        let places = self.places.get(unraw(name).as_bytes());
        places.into_iter().flatten().map(|&at| self.files[at].clone()).collect()
    }
}

/// The words behind each `fn` of a text, without the `r#` of those that are words of the language.
fn names(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    memmem::find_iter(text, b"fn").filter_map(|at| {
        let rest = &text[at + 2..];
        let name = rest.trim_ascii_start();
        let name = name.strip_prefix(b"r#").unwrap_or(name);
        let end = name.iter().position(|byte| !byte.is_ascii_alphanumeric() && *byte != b'_' && byte.is_ascii());
        let name = &name[..end.unwrap_or(name.len())];
        (rest.first().is_some_and(u8::is_ascii_whitespace) && !name.is_empty()).then_some(name)
    })
}

impl Words {
    fn holding(&mut self, word: &str, files: &[RepoPath], tree: &dyn SourceTree) -> Vec<RepoPath> {
        if let Some(known) = self.found.get(word) {
            return known.clone();
        }
        if self.searched > MOST_SEARCHED {
            return Vec::new();
        }
        let finder = memmem::Finder::new(word);
        let mut found = Vec::new();
        for file in files {
            let Some(text) = tree.read(file) else { continue };
            self.searched += text.len();
            if finder.find(&text).is_some() {
                found.push(file.clone());
            }
        }
        self.found.insert(word.to_owned(), found.clone());
        found
    }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;
    use std::sync::{Arc, Mutex};

    use super::{file, names};
    use crate::memory::Memory;
    use crate::repo_path::RepoPath;
    use crate::source_tree::SourceTree;
    use crate::source_tree::testing::Files;

    /// A tree that remembers, and notes how often each file is read.
    struct Counting {
        files: Files,
        memory: Memory,
        reads: Mutex<Vec<String>>,
    }

    impl SourceTree for Counting {
        fn read(&self, path: &RepoPath) -> Option<Arc<[u8]>> {
            self.reads.lock().unwrap().push(path.as_str().to_owned());
            self.files.read(path)
        }

        fn find(&self, wanted: &dyn Fn(&str) -> bool) -> Vec<RepoPath> {
            self.files.find(wanted)
        }

        fn tracked(&self, wanted: &dyn Fn(&str) -> bool) -> Vec<RepoPath> {
            self.files.find(&|path| wanted(path) && path != "new.rs")
        }

        fn memory(&self) -> Option<&Memory> {
            Some(&self.memory)
        }
    }

    #[test]
    fn each_source_is_gone_through_once_however_many_names_are_asked_for() {
        let files = [("a.rs", "fn one() {} made!(three);"), ("b.rs", "fn one() {}"), ("new.rs", "fn r#type() {}")];
        let tree = Counting { files: Files::new(files), memory: Memory::default(), reads: Mutex::default() };
        let ask = |name: &str| {
            let seen = RefCell::new(Vec::new());
            file(name, &tree, &|offered| {
                seen.borrow_mut().extend(offered.iter().map(|file| file.as_str().to_owned()));
                None
            });
            let mut seen = seen.into_inner();
            seen.dedup();
            seen
        };
        for _ in 0..3 {
            assert_eq!(file("one", &tree, &|files| files.into_iter().next()), RepoPath::new("a.rs"));
        }
        assert_eq!(*tree.reads.lock().unwrap(), ["a.rs", "b.rs"]);
        for _ in 0..3 {
            assert_eq!(ask("r#type"), ["new.rs"]);
            assert_eq!(ask("three"), ["a.rs"]);
            assert_eq!(ask("nowhere"), Vec::<String>::new());
        }
        // Once for the names of all, and once for each name that is a word or nothing.
        assert_eq!(tree.reads.lock().unwrap().len(), 2 + 3 * 4);
    }

    #[test]
    fn names_are_the_words_behind_fn() {
        let text = b"fn one() { fn  two_2<T>() {} }\nfn\n r#type(){} // often fnord, Fn(u8), fn(u8)\nasync fn gr\xc3\xb6\xc3\x9fe() {} fn";
        let told: Vec<_> = names(text).map(String::from_utf8_lossy).collect();
        assert_eq!(told, ["one", "two_2", "type", "größe"]);
    }
}
