//! The property's file, and those that hold its arbitraries, with notes taken of what makes their values: each `new`, each
//! call of a function of the module, and what is handed to `map`.

use std::collections::BTreeSet;

use super::super::calls::{last_name, titled};
use super::super::place::comma_after;
use super::super::value;
use crate::edit::Edits;
use crate::language::typescript::code::{Call, Code, Kind};
use crate::language::typescript::import;
use crate::repo_path::RepoPath;
use crate::source_tree::SourceTree;
use crate::span::Span;

/// What notes how values are made.
const PRELUDE: &str = include_str!("prelude.js");

/// Where it is called.
const NOTES: &str = "globalThis.__redpin";

/// Most files that are looked at for one property.
const MOST_FILES: usize = 20;

/// Names that begin tests and say what they expect: no values come of them.
const RUNNERS: [&str; 14] = [
    "describe",
    "it",
    "test",
    "expect",
    "assert",
    "vi",
    "jest",
    "suite",
    "before",
    "after",
    "beforeEach",
    "afterEach",
    "require",
    "console",
];

/// The property that is to be replayed.
pub(super) struct Replay<'a> {
    /// The place of its call among the file's.
    pub(super) call: usize,
    /// Which argument holds its options.
    pub(super) options: usize,
    /// What its records are known by.
    pub(super) key: &'a str,
    /// Its seed and path, as members of an object.
    pub(super) parameters: String,
}

/// The files of the repository that may make values of the property in `file`: itself, and those it imports that speak of
/// the library.
pub(super) fn files(file: &RepoPath, tree: &dyn SourceTree) -> Vec<(RepoPath, Code)> {
    let mut found: Vec<(RepoPath, Code)> = Vec::new();
    let mut open = vec![file.clone()];
    while let Some(path) = open.pop().filter(|_| found.len() < MOST_FILES) {
        if found.iter().any(|(known, _)| *known == path) {
            continue;
        }
        let text = tree.read(&path).and_then(|bytes| String::from_utf8(bytes.to_vec()).ok());
        let Some(code) = text.and_then(|text| Code::read(path.as_str(), text)) else { continue };
        if path != *file && !code.text.contains("fast-check") {
            continue;
        }
        let modules: BTreeSet<String> = code.imported().into_iter().map(|(.., module)| module).collect();
        open.extend(modules.iter().filter_map(|module| import::file(&path, module, tree)));
        found.push((path, code));
    }
    found
}

/// The text of `file` with notes in it, and with `replays` run from their seeds, whose records go into the file `records`.
pub(super) fn instrumented(file: &RepoPath, code: &Code, replays: &[Replay<'_>], records: &str) -> String {
    let own = value::library(code);
    let library = if own.starts_with("await ") { "__redpinLibrary".to_owned() } else { own };
    let mut notes = Notes { file, code, library, module: code.module_names(), edits: Edits::new() };
    let aside = predicates(code);
    let is_aside = |span: Span| aside.iter().any(|one| one.start <= span.start && span.end <= one.end);
    for replay in replays {
        notes.options(replay, records);
    }
    for making in code.makings().iter().filter(|making| !is_aside(making.span)) {
        notes.making(making.span, making.class, making.parentheses);
    }
    for call in code.calls.iter().filter(|call| !is_aside(call.span)) {
        notes.call(call);
        notes.map(call);
        notes.names(call);
    }
    notes.prelude();
    String::from_utf8(notes.edits.apply(code.text.as_bytes())).unwrap_or_default()
}

/// The functions that ask whether a rule holds: they make no values of the property's.
fn predicates(code: &Code) -> Vec<Span> {
    let is_property = |call: &&Call| ["property", "asyncProperty"].contains(&last_name(code.at(call.callee)));
    let of_property = code.calls.iter().filter(is_property).filter_map(|call| call.arguments.last().copied());
    let all = titled(code);
    let props = all.iter().filter(|one| one.own.is_some());
    let of_prop = props.flat_map(|one| code.calls[one.call].arguments.iter().copied());
    of_property.chain(of_prop).filter(|span| code.kind(*span) == Kind::Function).collect()
}

/// What a site is called in records.
pub(super) fn site(file: &RepoPath, offset: usize) -> String {
    format!("{file}:{offset}")
}

/// Whether values that `callee` gives are noted: those of what the module knows, and of the language's own classes.
fn is_noted(code: &Code, module: &BTreeSet<String>, callee: Span) -> bool {
    let text = code.at(callee);
    let is_chain = |c: char| c.is_alphanumeric() || "_$.".contains(c);
    let root = text.split('.').next().unwrap_or_default().to_owned();
    let of_library = |(local, _, module): &(String, String, String)| {
        *local == root && ["fast-check", "vitest", "jest", "node:"].iter().any(|part| module.contains(part))
    };
    text.chars().all(is_chain)
        && (module.contains(&root) || root.starts_with(|c: char| c.is_ascii_uppercase()))
        && !RUNNERS.contains(&root.as_str())
        && !code.imported().iter().any(of_library)
        && code.bound_around(callee, &BTreeSet::from([root])).is_empty()
}

struct Notes<'a> {
    file: &'a RepoPath,
    code: &'a Code,
    library: String,
    module: BTreeSet<String>,
    edits: Edits,
}

impl Notes<'_> {
    fn put(&mut self, span: Span, text: String) {
        // What overlaps another note is left as it is: no more is known of it then.
        drop(self.edits.replace(span, text));
    }

    fn site(&self, offset: usize) -> String {
        quoted(&site(self.file, offset))
    }

    fn making(&mut self, span: Span, class: Span, parentheses: Option<Span>) {
        if !is_noted(self.code, &self.module, class) {
            return;
        }
        let (site, class) = (self.site(span.start), self.code.at(class).to_owned());
        let front = format!("{NOTES}.make({}, {site}, {class}, [", self.library);
        match parentheses {
            Some(list) => {
                self.put(Span::new(span.start, list.start + 1), front);
                self.put(Span::new(list.end - 1, list.end), "])".to_owned());
            }
            None => self.put(span, format!("{front}])")),
        }
    }

    fn call(&mut self, call: &Call) {
        if !is_noted(self.code, &self.module, call.callee) {
            return;
        }
        let site = self.site(call.parentheses.start);
        let callee = match self.code.method(call.callee) {
            Some((object, name)) => {
                format!("call({}, {site}, {}, {}", self.library, self.code.at(object), quoted(self.code.at(name)))
            }
            None => format!("run({}, {site}, {}", self.library, self.code.at(call.callee)),
        };
        self.put(Span::new(call.span.start, call.parentheses.start + 1), format!("{NOTES}.{callee}, ["));
        self.put(Span::new(call.parentheses.end - 1, call.parentheses.end), "])".to_owned());
    }

    /// What is handed to `map`.
    fn map(&mut self, call: &Call) {
        let Some((&map, _)) = call.arguments.split_first().filter(|_| last_name(self.code.at(call.callee)) == "map")
        else {
            return;
        };
        let site = self.site(map.start);
        let count = parameters(self.code, map);
        let names = around(self.code, map);
        let around = match names.is_empty() {
            true => String::new(),
            false => format!(", () => ({{ {} }})", names.into_iter().collect::<Vec<_>>().join(", ")),
        };
        self.put(Span::at(map.start), format!("{NOTES}.map({}, {site}, {count}, ", self.library));
        self.put(Span::at(map.end), format!("{around})"));
    }

    /// Constants that are handed on as they are.
    fn names(&mut self, call: &Call) {
        if !["constant", "constantFrom"].contains(&last_name(self.code.at(call.callee))) {
            return;
        }
        let is_name = |span: &&Span| {
            let kind = self.code.kind(**span);
            (kind == Kind::Name || self.code.method(**span).is_some()) && is_noted(self.code, &self.module, **span)
        };
        let names: Vec<Span> = call.arguments.iter().filter(is_name).copied().collect();
        for name in names {
            let site = self.site(name.start);
            self.put(Span::at(name.start), format!("{NOTES}.value({site}, "));
            self.put(Span::at(name.end), ")".to_owned());
        }
    }

    fn options(&mut self, replay: &Replay<'_>, records: &str) {
        let call = &self.code.calls[replay.call];
        let replayed = format!("{{ key: {}, parameters: {{ {} }} }}", quoted(replay.key), replay.parameters);
        let write = format!("(text) => __redpinWrite({}, text)", quoted(records));
        let front = format!("{NOTES}.options({}, ", self.library);
        if let Some(&options) = call.arguments.get(replay.options) {
            self.put(Span::at(options.start), front);
            self.put(Span::at(options.end), format!(", {replayed}, {write})"));
        } else if let Some(last) = call.arguments.last() {
            let comma = comma_after(self.code, last.end, call.parentheses.end);
            let (at, between) = comma.map_or((last.end, ", "), |comma| (comma + 1, " "));
            self.put(Span::at(at), format!("{between}{front}undefined, {replayed}, {write})"));
        }
    }

    fn prelude(&mut self) {
        let Some(first) = self.code.first_statement() else { return };
        let has_own = self.library != "__redpinLibrary";
        let (file, library) = match self.code.is_module() {
            true => (
                "import { appendFileSync as __redpinWrite } from 'node:fs';",
                "import * as __redpinLibrary from 'fast-check';",
            ),
            false => (
                "const { appendFileSync: __redpinWrite } = require('node:fs');",
                "const __redpinLibrary = require('fast-check');",
            ),
        };
        let library = if has_own { "" } else { library };
        self.put(Span::at(first.start), format!("// @ts-nocheck\n{file}\n{library}\n{PRELUDE}\n"));
    }
}

/// How many parameters the function at `span` has; all that `map` hands on where that is not to be told.
pub(super) fn parameters(code: &Code, span: Span) -> usize {
    code.parameters(span).map_or(1, |parameters| parameters.len())
}

/// The names that the function at `span` has from functions around it.
pub(super) fn around(code: &Code, span: Span) -> BTreeSet<String> {
    let names = code.free_names(span);
    code.bound_around(span, &names)
}

fn quoted(text: &str) -> String {
    serde_json::to_string(text).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::{Replay, instrumented};
    use crate::language::typescript::code::Code;
    use crate::repo_path::RepoPath;

    #[test]
    fn notes_are_taken_where_values_are_made() {
        let file = RepoPath::new("a.test.js").unwrap();
        let text = "import fc from 'fast-check';\nimport { M, T } from './m.js';\n\
                    const q = (max) => fc.nat(max).map((n) => new M(n, max));\n\
                    test('t', () => { fc.assert(fc.property(q(3), fc.constantFrom(T), (a) => new M(1).has(a))); });\n";
        let code = Code::read("a.test.js", text.to_owned()).unwrap();
        let call = code.calls.iter().position(|call| code.at(call.callee) == "fc.assert").unwrap();
        let replay = Replay { call, options: 1, key: "0a", parameters: "seed: 1".to_owned() };
        let told = instrumented(&file, &code, &[replay], "/r");
        let after = told.rsplit_once("})();\n").unwrap().1;
        assert_eq!(
            after.lines().skip(1).collect::<Vec<_>>(),
            [
                "import fc from 'fast-check';",
                "import { M, T } from './m.js';",
                "const q = (max) => fc.nat(max).map(globalThis.__redpin.map(fc, \"a.test.js:95\", 1, (n) => \
                 globalThis.__redpin.make(fc, \"a.test.js:102\", M, [n, max]), () => ({ max })));",
                "test('t', () => { fc.assert(fc.property(globalThis.__redpin.run(fc, \"a.test.js:159\", q, [3]), \
                 fc.constantFrom(globalThis.__redpin.value(\"a.test.js:180\", T)), (a) => new M(1).has(a)), \
                 globalThis.__redpin.options(fc, undefined, { key: \"0a\", parameters: { seed: 1 } }, (text) => \
                 __redpinWrite(\"/r\", text))); });",
            ]
        );
    }
}
