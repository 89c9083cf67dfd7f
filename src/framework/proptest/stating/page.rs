//! What a Rust file has that properties may call or copy: its functions, those of types among them, the names of its types and
//! constants, and what it takes from other packages.

use std::ops::Range;

use super::clauses::{clauses, line};
use super::pieces::{Piece, Place, pieces};
use super::{counts, is_test_file, makes_values};
use crate::audit::{Counted, Function, Page, Speech};
use crate::framework::Auditing;
use crate::framework::proptest::Proptest;
use crate::framework::proptest::find::{Outline, outline};
use crate::framework::rust::file::as_text;
use crate::language::rust::code::{Code, unraw};
use crate::language::rust::normal::normal;
use crate::language::rust::package::package_of;
use crate::language::rust::tokens::apart;
use crate::proof::{Manner, PinCommand, Proof, StandingPin};
use crate::repo_path::RepoPath;
use crate::run_output::RunOutput;
use crate::source_tree::SourceTree;

/// Packages from which no code under test comes.
const ASIDE: [&str; 10] = [
    "std",
    "core",
    "alloc",
    "crate",
    "self",
    "super",
    "proptest",
    "proptest_derive",
    "proptest_state_machine",
    "test_strategy",
];

impl Auditing for Proptest {
    fn speech(&self) -> Speech {
        Speech { quotes: "\"", has_bracketed_conditions: false }
    }

    fn trip(&self) -> &'static str {
        "panic!(\"an assertion is reached\"); "
    }

    fn sources(&self, tree: &dyn SourceTree) -> Vec<RepoPath> {
        tree.find(&|path| path.ends_with(".rs"))
    }

    fn page(&self, file: &RepoPath, tree: &dyn SourceTree) -> Option<Page> {
        let bytes = tree.read(file)?;
        let text = as_text(file, &bytes).ok()?;
        let outline = outline(text).ok()?;
        let own = package_of(file, tree).name.unwrap_or_default().replace('-', "_");
        apart(|| Some(Reading { code: Code::read(text).ok()?, outline, own }.page(file)))
    }

    fn constants(&self, function: &Function, _: &str) -> Vec<(&'static str, String)> {
        counts::constants(function)
    }

    fn counting(&self, tests: &[StandingPin], cases: u64, tree: &dyn SourceTree, manner: &Manner) -> Vec<PinCommand> {
        counts::counting(tests, cases, tree, manner)
    }

    fn counted(
        &self,
        run: &RunOutput<'_>,
        tests: &[&StandingPin],
        proofs: &[Proof],
        cases: u64,
    ) -> Vec<Option<Counted>> {
        let text = String::from_utf8_lossy(run.bytes);
        tests.iter().zip(proofs).map(|(test, proof)| counts::counted(&text, test, proof, cases)).collect()
    }
}

struct Reading<'t> {
    code: Code<'t>,
    outline: Outline,
    /// What its own package is called in code.
    own: String,
}

impl Reading<'_> {
    fn page(&self, file: &RepoPath) -> Page {
        let mut page = Page { file: file.clone(), functions: Vec::new(), names: Vec::new(), outside: self.outside() };
        for piece in pieces(&self.code, is_test_file(file)) {
            let text = normal(&self.code, piece.tokens.start, piece.tokens.end, &|_| false);
            let is_test = piece.place == Place::Test || makes_values(&text);
            let (is_macro, is_impl) = (piece.name.ends_with('!'), piece.name.starts_with("impl"));
            if is_macro && self.code.word(piece.tokens.start).starts_with("macro") {
                page.functions.push(self.composed(&piece));
            } else {
                let own = self.functions(&piece, is_test);
                page.functions.extend(own);
            }
            let name = piece.name.rsplit(' ').next().filter(|_| !is_test && !is_macro && !is_impl);
            page.names.extend(name.map(str::to_owned));
        }
        page
    }

    /// The functions in a piece, but for properties and pins.
    fn functions(&self, piece: &Piece, is_test: bool) -> Vec<Function> {
        let owner = owner(&piece.name);
        let starts = piece.tokens.clone().filter(|&at| self.code.word(at) == "fn");
        starts.filter_map(|at| self.function(at, piece.tokens.end, &owner, is_test)).collect()
    }

    /// The function whose keyword stands at `at`.
    fn function(&self, at: usize, end: usize, owner: &str, is_test: bool) -> Option<Function> {
        let code = &self.code;
        let name = unraw(code.word(at + 1));
        let open = self.after_generics(at + 2);
        let is_stated = || {
            let tests = self.outline.properties.iter().chain(&self.outline.pins);
            tests.map(|one| one.span).any(|one| one.start <= code.start(at) && code.start(at) < one.end)
        };
        if name.is_empty() || !code.open(open, '(') || is_stated() {
            return None;
        }
        let close = code.partner(open);
        let body = code.next_at_level(close, end, |code, at| code.open(at, '{') || code.sign(at, ';'))?;
        let inside = Some(body + 1..code.partner(body)).filter(|_| code.open(body, '{'))?;
        Some(Function {
            name: name.to_owned(),
            owner: owner.to_owned(),
            parameters: self.parameters(open),
            returns: self.returns(close, body),
            body: normal(code, inside.start, inside.end, &|_| false),
            span: code.span(body, code.partner(body)),
            line: line(code, at + 1),
            is_test,
            asserts: !clauses(code, inside).asserts.is_empty(),
        })
    }

    /// A macro of the file, which is called as a function is.
    fn composed(&self, piece: &Piece) -> Function {
        let Range { start, end } = piece.tokens;
        Function {
            name: piece.name.trim_end_matches('!').to_owned(),
            owner: String::new(),
            parameters: Vec::new(),
            returns: String::new(),
            body: normal(&self.code, start, end, &|_| false),
            span: self.code.span(start, end - 1),
            line: line(&self.code, piece.named),
            is_test: true,
            asserts: !clauses(&self.code, piece.tokens.clone()).asserts.is_empty(),
        }
    }

    /// The token behind the generics that may open at `at`.
    fn after_generics(&self, at: usize) -> usize {
        let code = &self.code;
        if !code.sign(at, '<') {
            return at;
        }
        let mut depth = 0_usize;
        let mut next = at;
        while next < code.tokens.len() {
            if code.sign(next, '<') {
                depth += 1;
            } else if code.sign(next, '>') && !code.sign(next - 1, '-') {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return next + 1;
                }
            }
            next = code.after_group(next).unwrap_or(next + 1);
        }
        next
    }

    /// The names of the parameters between the parentheses that open at `open`; of patterns nothing.
    fn parameters(&self, open: usize) -> Vec<String> {
        let code = &self.code;
        let close = code.partner(open);
        let mut found = Vec::new();
        let mut at = open + 1;
        while at < close {
            let named = at + usize::from(code.word(at) == "mut");
            let is_plain = code.sign(named + 1, ':') && !code.sign(named + 2, ':');
            found.push(if is_plain { code.word(named).to_owned() } else { String::new() });
            at = code.next_at_level(at, close, |code, at| code.sign(at, ',')).map_or(close, |comma| comma + 1);
        }
        found
    }

    /// What stands behind `->` between the parameters and the body.
    fn returns(&self, close: usize, body: usize) -> String {
        let code = &self.code;
        let end = (close..body).find(|&at| code.word(at) == "where").unwrap_or(body);
        let start = (close + 1..end).find(|&at| code.sign(at, '>') && code.sign(at - 1, '-'));
        start.map_or(String::new(), |at| normal(code, at + 1, end, &|_| false))
    }

    /// The names that the file has from packages.
    fn outside(&self) -> Vec<String> {
        let code = &self.code;
        let mut found = Vec::new();
        for at in (0..code.tokens.len()).filter(|&at| code.word(at) == "use") {
            let root = at + 1 + if code.sign(at + 1, ':') { 2 } else { 0 };
            let is_aside = ASIDE.contains(&code.word(root)) || code.word(root) == self.own;
            let end = code.next_at_level(at, code.tokens.len(), |code, at| code.sign(at, ';'));
            if code.word(root).is_empty() || is_aside {
                continue;
            }
            for name in root..end.unwrap_or(root) {
                match code.sign(name, '*') {
                    true => found.push("*".to_owned()),
                    false => found.extend(Some(code.word(name)).filter(|word| !word.is_empty()).map(str::to_owned)),
                }
            }
        }
        found
    }
}

/// The type that an `impl`, named by its first line, is of.
fn owner(name: &str) -> String {
    let Some(rest) = name.strip_prefix("impl") else { return String::new() };
    let named = rest.split(" for ").last().unwrap_or(rest).split(" where ").next().unwrap_or(rest);
    let plain = match named.trim_start().strip_prefix('<') {
        Some(generics) => generics.split_once("> ").map_or("", |(_, named)| named),
        None => named,
    };
    let path = plain.trim().trim_start_matches('&').split('<').next().unwrap_or_default();
    path.rsplit("::").next().unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::owner;
    use crate::audit::Function;
    use crate::framework::Auditing;
    use crate::framework::proptest::Proptest;
    use crate::repo_path::RepoPath;
    use crate::source_tree::testing::Files;

    const SOURCE: &str = "use shop_rules::{Rate, rate as of};\nuse std::fmt;\npub const MOST: u32 = 9;\n\
        pub struct Money(u64);\nimpl Money {\n    pub fn half(&self, mut up: bool) -> Option<u64> { Some(self.0 / 2) }\n}\n\
        pub fn split<F: Fn(u8) -> u8>(total: u64, (a, b): (u8, u8), f: F) -> Vec<u64> where F: Copy {\n    vec![total]\n}\n\
        #[cfg(test)]\nmod tests {\n    use super::*;\n    macro_rules! holds { ($x:expr) => { assert!($x) } }\n\
        \x20   fn even(x: u64) { prop_assert!(x % 2 == 0) }\n\
        \x20   proptest! { #[test] fn p(x in 0..9u64) { even(x); } }\n}\n";

    #[test]
    fn functions_and_names_of_a_file_are_told() {
        let tree = Files::new([("Cargo.toml", "[package]\nname = \"shop\"\n"), ("src/lib.rs", SOURCE)]);
        let page = Proptest.page(&RepoPath::new("src/lib.rs").unwrap(), &tree).unwrap();
        let told = |one: &Function| {
            (one.name.clone(), one.owner.clone(), one.parameters.join(","), one.returns.clone(), one.line)
        };
        let own = |name: &str, owner: &str, parameters: &str, returns: &str, line| {
            (name.to_owned(), owner.to_owned(), parameters.to_owned(), returns.to_owned(), line)
        };
        assert_eq!(
            page.functions.iter().map(told).collect::<Vec<_>>(),
            [
                own("half", "Money", ",up", "Option<u64>", 6),
                own("split", "", "total,,f", "Vec<u64>", 8),
                own("holds", "", "", "", 14),
                own("even", "", "x", "", 15),
            ]
        );
        let tests: Vec<_> = page.functions.iter().map(|one| (one.is_test, one.asserts)).collect();
        assert_eq!(tests, [(false, false), (false, false), (true, true), (true, true)]);
        assert_eq!(page.functions[1].body, "vec![total]");
        assert_eq!(&SOURCE[page.functions[1].span.range()], "{\n    vec![total]\n}");
        assert_eq!(page.names, ["MOST", "Money", "split"]);
        assert_eq!(page.outside, ["shop_rules", "Rate", "rate", "as", "of"]);
    }

    #[test]
    fn an_impl_tells_its_type() {
        let told = ["impl Money", "impl<T: Into<u8>> fmt::Display for shop::Money<T>", "impl Add for &Money", "fn"];
        assert_eq!(told.map(owner), ["Money", "Money", "Money", ""]);
    }
}
