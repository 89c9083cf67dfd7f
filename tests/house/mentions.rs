//! The paths that Rust code names, each as a whole: `use a::{b, c::*}` gives `a::b` and `a::c::*`. `crate`, `self` and
//! `super` are resolved; comments and strings are no paths.

use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// A path named in code.
#[derive(Debug, PartialEq)]
pub(super) struct Mention {
    /// Its names in order. A path inside the crate begins with `crate`, one that ends in a glob with `*`.
    pub(super) segments: Vec<String>,
    pub(super) line: usize,
}

impl Mention {
    /// The names after `crate`, for a path inside the crate.
    pub(super) fn inside(&self) -> Option<&[String]> {
        self.segments.split_first().filter(|(first, _)| *first == "crate").map(|(_, rest)| rest)
    }

    /// The path as written in full.
    pub(super) fn text(&self) -> String {
        self.segments.join("::")
    }
}

/// The paths of two names or more in `tokens`, and single names after `use`. `module` is where the tokens stand.
pub(super) fn mentions(tokens: TokenStream, module: &[String]) -> Vec<Mention> {
    let mut walk = Walk { found: Vec::new() };
    walk.level(tokens, module);
    walk.found
}

struct Walk {
    found: Vec<Mention>,
}

impl Walk {
    fn level(&mut self, tokens: TokenStream, module: &[String]) {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        let mut at = 0;
        while at < tokens.len() {
            match &tokens[at] {
                TokenTree::Ident(_) => at = self.path(&tokens, at, module),
                TokenTree::Group(group) => {
                    self.level(group.stream(), &inline_module(&tokens, at, module));
                    at += 1;
                }
                _ => at += 1,
            }
        }
    }

    /// The path that begins at the name at `at`; returns the place after it.
    fn path(&mut self, tokens: &[TokenTree], at: usize, module: &[String]) -> usize {
        let after_use = at > 0 && is_word(&tokens[at - 1], "use");
        let mut names = vec![name(&tokens[at])];
        let mut at = at;
        while let Some(next) = after_colons(tokens, at + 1) {
            match &tokens[next] {
                TokenTree::Ident(_) => names.push(name(&tokens[next])),
                TokenTree::Punct(punct) if punct.as_char() == '*' => names.push("*".into()),
                TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => {
                    self.branches(group.stream(), &names, module);
                    return next + 1;
                }
                _ => break,
            }
            at = next;
        }
        if names.len() > 1 || after_use {
            self.add(&names, &tokens[at], module);
        }
        at + 1
    }

    /// The branches of a `use` tree below `stem`.
    fn branches(&mut self, tokens: TokenStream, stem: &[String], module: &[String]) {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        for branch in tokens.split(|token| is_punct(token, ',')) {
            let mut names = stem.to_vec();
            for (at, token) in branch.iter().enumerate() {
                match token {
                    TokenTree::Ident(_) if is_word(token, "as") => break,
                    TokenTree::Ident(_) if is_word(token, "self") => {}
                    TokenTree::Ident(_) => names.push(name(token)),
                    TokenTree::Group(group) => self.branches(group.stream(), &names, module),
                    token if is_punct(token, '*') => names.push("*".into()),
                    _ => {}
                }
                if at + 1 == branch.len() && !matches!(token, TokenTree::Group(_)) {
                    self.add(&names, token, module);
                }
            }
            if branch.iter().any(|token| is_word(token, "as")) {
                self.add(&names, &branch[0], module);
            }
        }
    }

    fn add(&mut self, names: &[String], at: &TokenTree, module: &[String]) {
        self.found.push(Mention { segments: resolved(names, module), line: at.span().start().line });
    }
}

/// `names` from the crate's root on, where they begin with `crate`, `self`, `super` or the crate's own name.
fn resolved(names: &[String], module: &[String]) -> Vec<String> {
    let ups = names.iter().take_while(|name| *name == "super").count();
    let from_root = |base: &[String], rest: &[String]| [&["crate".to_string()], base, rest].concat();
    match names[0].as_str() {
        "redpin" => from_root(&[], &names[1..]),
        "self" => from_root(module, &names[1..]),
        "super" => from_root(&module[..module.len().saturating_sub(ups)], &names[ups..]),
        _ => names.to_vec(),
    }
}

/// The module inside the group at `at`: a deeper one after `mod name`.
fn inline_module(tokens: &[TokenTree], at: usize, module: &[String]) -> Vec<String> {
    let mut inner = module.to_vec();
    if at > 1 && is_word(&tokens[at - 2], "mod") {
        inner.push(name(&tokens[at - 1]));
    }
    inner
}

/// The place after `::`, where that stands at `at` and something follows.
fn after_colons(tokens: &[TokenTree], at: usize) -> Option<usize> {
    let colons = tokens.get(at..at + 2)?.iter().all(|token| is_punct(token, ':'));
    (colons && at + 2 < tokens.len()).then_some(at + 2)
}

fn is_punct(token: &TokenTree, sign: char) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == sign)
}

fn is_word(token: &TokenTree, word: &str) -> bool {
    matches!(token, TokenTree::Ident(ident) if ident == word)
}

fn name(token: &TokenTree) -> String {
    token.to_string().trim_start_matches("r#").to_string()
}

fn check(code: &str, expected: &[&str]) {
    let module = ["git".to_string(), "index".to_string()];
    let found: Vec<String> = mentions(code.parse().unwrap(), &module).iter().map(Mention::text).collect();
    assert_eq!(found, expected, "{code}");
}

#[test]
fn a_use_tree_is_read_branch_by_branch() {
    check("use std::{fs, io::{self, Read as R}, env::*};", &["std::fs", "std::io", "std::io::Read", "std::env::*"]);
    check("use git2; use crate::span::Span;", &["git2", "crate::span::Span"]);
}

#[test]
fn self_and_super_are_resolved_from_where_they_stand() {
    check("use super::super::tui::x;", &["crate::tui::x"]);
    check(
        "mod tests { use super::super::cli; fn f() { self::g() } }",
        &["crate::git::cli", "crate::git::index::tests::g"],
    );
    check("redpin::cli::main()", &["crate::cli::main"]);
}

#[test]
fn comments_and_strings_are_no_paths() {
    check(
        "//! crate::tui\n/* crate::cli */ #[doc = \"crate::git\"] fn f() { \"crate::tui\"; vec![a::b()] }",
        &["a::b"],
    );
}
