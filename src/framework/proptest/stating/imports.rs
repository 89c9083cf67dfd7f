//! What a Rust file takes from elsewhere for its tests: each name with the whole path that it stands for.

use super::Source;
use super::around::is_telling;
use super::pieces::{Place, modules};
use crate::language::rust::code::Code;
use crate::language::rust::normal::normal_text;
use crate::oracle::{Named, Setting};

/// What the paths of a file begin with.
#[derive(Clone, Copy, Debug)]
pub(super) struct Root<'p> {
    /// Whether `crate` is the library of the package, or one of its programs.
    pub(super) is_library: bool,
    /// The name of the package.
    pub(super) package: Option<&'p str>,
}

impl Source<'_> {
    /// The imports of the modules that are for tests, or hold properties.
    pub(super) fn imports(&self) -> Vec<Named> {
        let mut found = Vec::new();
        for module in modules(&self.code, self.is_test) {
            let tests = self.outline.properties.iter().chain(&self.outline.pins);
            if module.place == Place::Code && !tests.into_iter().any(|test| test.modules == module.path) {
                continue;
            }
            let own = self.modules.iter().copied().chain(module.path.iter().map(String::as_str));
            let home: Vec<String> = own.map(str::to_owned).collect();
            for (start, end) in module.uses {
                let mut taken = Vec::new();
                tree(&self.code, start + 1, end, &mut Vec::new(), &mut taken);
                let line = self.line(start);
                found.extend(taken.into_iter().map(|(path, name)| self.import(&home, path, name, line)));
            }
        }
        found
    }

    fn import(&self, home: &[String], mut path: Vec<String>, name: String, line: u32) -> Named {
        let there = path.pop().unwrap_or_default();
        let text = format!("{}#{there}", self.resolved(home, &path).join("::"));
        Named { name, text, line }
    }

    /// A path from the top: `crate` for that of the package's own library.
    fn resolved(&self, home: &[String], path: &[String]) -> Vec<String> {
        let top = if self.root.is_library { "crate" } else { "target" };
        let mut whole: Vec<String> = vec![top.to_owned()];
        let mut rest = path;
        match path.first().map(String::as_str) {
            Some("self" | "super") => whole.extend(home.iter().cloned()),
            Some("crate") => {}
            Some(name) if self.root.package.is_some_and(|own| own.replace('-', "_") == name) => {
                whole = vec!["crate".to_owned()];
            }
            _ => return path.to_vec(),
        }
        while let Some((first, behind)) = rest.split_first() {
            match first.as_str() {
                "super" => drop((whole.len() > 1).then(|| whole.pop())),
                "self" => {}
                "crate" => {}
                name if rest.len() == path.len()
                    && self.root.package.is_some_and(|own| own.replace('-', "_") == name) => {}
                _ => break,
            }
            rest = behind;
        }
        whole.extend(rest.iter().cloned());
        whole
    }

    /// The modules that it declares and that stand in files of their own, each with what is said of it.
    pub(super) fn modules(&self) -> Vec<Setting> {
        let mut found = Vec::new();
        for module in modules(&self.code, self.is_test) {
            for (first, keyword) in module.declared {
                let name = self.code.word(keyword + 1);
                let said = self.code.attribute_texts(first, keyword).into_iter().map(|text| normal_text(&text));
                let said: Vec<String> = said.filter(|text| is_telling(text)).collect();
                let text = said.into_iter().chain([format!("mod {name};")]).collect::<Vec<_>>().join(" ");
                let inner = module.path.iter().map(String::as_str).chain([name]);
                let scope = inner.fold(self.children(), |folder, part| format!("{folder}{part}/"));
                found.push(Setting {
                    name: format!("mod {name}"),
                    text,
                    line: self.line(keyword),
                    scope: scope.trim_end_matches('/').to_owned(),
                });
            }
        }
        found
    }

    /// The folder in which the modules of the file stand, with its slash.
    fn children(&self) -> String {
        let path = self.file.as_str().strip_suffix(".rs").unwrap_or(self.file.as_str());
        let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
        let is_root = matches!(name, "lib" | "main" | "mod")
            || matches!(folder.rsplit('/').next(), Some("tests" | "bin" | "benches" | "examples"));
        let own = if is_root { folder } else { path };
        if own.is_empty() { String::new() } else { format!("{own}/") }
    }
}

/// Collects what a tree of `use` from `at` up to `end` takes: each whole path with the name that it has here.
fn tree(code: &Code<'_>, at: usize, end: usize, prefix: &mut Vec<String>, found: &mut Vec<(Vec<String>, String)>) {
    let depth = prefix.len();
    let mut at = at;
    while at < end {
        if code.open(at, '{') {
            let close = code.partner(at);
            let mut start = at + 1;
            while start < close {
                let comma = code.next_at_level(start, close, |code, at| code.sign(at, ',')).unwrap_or(close);
                tree(code, start, comma, &mut prefix.clone(), found);
                start = comma + 1;
            }
            prefix.truncate(depth);
            return;
        }
        match code.word(at) {
            "as" => {
                found.push((prefix.clone(), code.word(at + 1).to_owned()));
                prefix.truncate(depth);
                return;
            }
            "" if code.sign(at, '*') => prefix.push("*".to_owned()),
            "" => {}
            // `use a::{self}` is `a`.
            "self" if !prefix.is_empty() => {}
            word => prefix.push(word.to_owned()),
        }
        at += 1;
    }
    if let Some(name) = prefix.last().cloned() {
        found.push((prefix.clone(), name));
    }
    prefix.truncate(depth);
}
