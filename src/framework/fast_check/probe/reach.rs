//! What an expression names, and how the property's file comes to know it: by its own declarations, its imports, or one
//! more import.

use std::collections::BTreeSet;

use crate::language::typescript::code::Code;
use crate::language::typescript::import;
use crate::language::typescript::printed::Pen;
use crate::repo_path::RepoPath;
use crate::source_tree::SourceTree;

/// The names that the property's file reaches.
pub(in crate::framework::fast_check) struct Reach<'a> {
    file: &'a RepoPath,
    code: &'a Code,
    tree: &'a dyn SourceTree,
    own: BTreeSet<String>,
    /// Statements that the file needs besides.
    pub(in crate::framework::fast_check) imports: Vec<String>,
}

/// What a module is asked for, and where it is.
struct Asked {
    /// Its name there; empty for all of the module.
    there: String,
    module: String,
    file: Option<RepoPath>,
}

impl<'a> Reach<'a> {
    pub(in crate::framework::fast_check) fn of(
        file: &'a RepoPath,
        code: &'a Code,
        tree: &'a dyn SourceTree,
    ) -> Reach<'a> {
        Reach { file, code, tree, own: code.module_names(), imports: Vec::new() }
    }

    /// Sees that the file knows `names` as `code` of `from` does.
    ///
    /// # Errors
    /// The name that it cannot know.
    pub(super) fn needs<'n>(
        &mut self,
        from: &RepoPath,
        code: &Code,
        names: impl Iterator<Item = &'n str>,
    ) -> Result<(), String> {
        if from == self.file {
            return Ok(());
        }
        self.brings(from, code, names)
    }

    /// The same where `code` may be another version of this very file.
    ///
    /// # Errors
    /// The name that it cannot know.
    pub(in crate::framework::fast_check) fn brings<'n>(
        &mut self,
        from: &RepoPath,
        code: &Code,
        names: impl Iterator<Item = &'n str>,
    ) -> Result<(), String> {
        let module = code.module_names();
        for name in names.filter(|name| module.contains(*name)) {
            self.need(from, code, name)?;
        }
        Ok(())
    }

    fn need(&mut self, from: &RepoPath, code: &Code, name: &str) -> Result<(), String> {
        let asked = self.asked(from, code, name)?;
        let is_same = |(local, there, module): (String, String, String)| {
            let file = import::file(self.file, &module, self.tree);
            let is_module = if asked.file.is_some() { file == asked.file } else { module == asked.module };
            local == name && there == asked.there && is_module
        };
        if self.code.imported().into_iter().any(is_same) {
            return Ok(());
        }
        let line = self.line(name, &asked);
        if self.imports.contains(&line) {
            return Ok(());
        }
        if !self.own.insert(name.to_owned()) {
            return Err(format!("`{name}` is something else in {} than in {from}", self.file));
        }
        self.imports.push(line);
        Ok(())
    }

    /// Where `code` of `from` has `name` from.
    fn asked(&self, from: &RepoPath, code: &Code, name: &str) -> Result<Asked, String> {
        if let Some((_, there, module)) = code.imported().into_iter().find(|(local, ..)| local == name) {
            let file = import::file(from, &module, self.tree);
            let module = if module.starts_with('.') { self.relative(from, &module) } else { module };
            return Ok(Asked { there, module, file });
        }
        let by_hand = |line: &str| line.contains(&format!("exports.{name}"));
        let is_listed = || {
            let listed = code.text.split_once("module.exports").map_or("", |(_, rest)| rest);
            listed.split(|c: char| !c.is_alphanumeric() && c != '_' && c != '$').any(|word| word == name)
        };
        if !(code.exports(name) || by_hand(&code.text) || is_listed()) {
            return Err(format!("`{name}` is known in {from} alone, which does not export it"));
        }
        // As the file already names that module, else without what TypeScript leaves out.
        let known = self.code.imported().into_iter().map(|(.., module)| module);
        let mut known = known.filter(|module| import::file(self.file, module, self.tree).as_ref() == Some(from));
        let last = from.as_str().rsplit('/').next().unwrap_or_default();
        let stem = last.strip_suffix(".ts").or_else(|| last.strip_suffix(".tsx")).unwrap_or(last);
        let module = known.next().unwrap_or_else(|| self.relative(from, &format!("./{stem}")));
        Ok(Asked { there: name.to_owned(), module, file: Some(from.clone()) })
    }

    /// The module that `from` calls `module`, from the property's file.
    fn relative(&self, from: &RepoPath, module: &str) -> String {
        let mut parts: Vec<&str> = from.as_str().split('/').collect();
        parts.pop();
        for part in module.split('/') {
            match part {
                "." | "" => {}
                ".." => drop(parts.pop()),
                part => parts.push(part),
            }
        }
        let mut own: Vec<&str> = self.file.as_str().split('/').collect();
        own.pop();
        let same = own.iter().zip(&parts).take_while(|(a, b)| a == b).count();
        let up = if own.len() == same { "./".to_owned() } else { "../".repeat(own.len() - same) };
        format!("{up}{}", parts[same..].join("/"))
    }

    /// The statement that brings `name`.
    fn line(&self, name: &str, asked: &Asked) -> String {
        let quote = Pen::of(&self.code.text).quote;
        let last = self.code.last_import().map_or("", |span| self.code.at(span));
        let end = if last.is_empty() || last.ends_with(';') { ";" } else { "" };
        let module = format!("{quote}{}{quote}", asked.module);
        let there = asked.there.as_str();
        if self.code.is_module() {
            let names = match there {
                "" => format!("* as {name}"),
                "default" => name.to_owned(),
                _ if there == name => format!("{{ {name} }}"),
                _ => format!("{{ {there} as {name} }}"),
            };
            return format!("import {names} from {module}{end}");
        }
        let names = match there {
            "" => name.to_owned(),
            _ if there == name => format!("{{ {name} }}"),
            _ => format!("{{ {there}: {name} }}"),
        };
        format!("const {names} = require({module}){end}")
    }
}
