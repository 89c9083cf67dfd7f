//! Expressions that build a value again, out of the notes that were taken while it was made. Nothing of the notes is pasted:
//! data is read and written anew, and code is the repository's own, at the place that the note names.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::instrument::{around, site};
use super::reach::Reach;
use crate::language::typescript::code::{Code, Kind};
use crate::language::typescript::printed::{Pen, Printed};
use crate::repo_path::RepoPath;
use crate::span::Span;

/// Deepest nesting that is built.
const DEPTH: usize = 64;

/// What was noted of a value.
#[derive(Debug, Default, Deserialize)]
pub(super) struct Note {
    /// As the library prints it, where that is data.
    #[serde(default)]
    text: Option<String>,
    /// Parts of a list, or what it was made of.
    #[serde(default)]
    list: Option<Vec<Option<Note>>>,
    /// Members of an object.
    #[serde(default)]
    object: Option<Vec<(Note, Note)>>,
    /// Whether that object has no prototype.
    #[serde(default)]
    bare: bool,
    /// What of the language makes it.
    #[serde(default)]
    call: Option<String>,
    /// How it was made.
    #[serde(default)]
    by: Option<String>,
    /// Where.
    #[serde(default)]
    site: String,
    /// What was known there by names of functions around it.
    #[serde(default)]
    around: Option<BTreeMap<String, Note>>,
    /// Why nothing is known of how it was made.
    #[serde(default)]
    unknown: Option<String>,
}

/// Builds expressions for one file.
pub(super) struct Builder<'a> {
    /// The files whose code may be named in notes.
    pub(super) files: &'a [(RepoPath, Code)],
    pub(super) pen: Pen,
    /// What the expressions need besides.
    pub(super) reach: Reach<'a>,
    /// Whether any part is made by code.
    pub(super) is_made: bool,
}

impl Builder<'_> {
    /// The expression of what `note` tells of.
    ///
    /// # Errors
    /// Why there is none.
    pub(super) fn expression(&mut self, note: &Note) -> Result<String, String> {
        self.built(note, DEPTH)
    }

    fn built(&mut self, note: &Note, depth: usize) -> Result<String, String> {
        let depth = depth.checked_sub(1).ok_or("it nests too deep")?;
        if let Some(why) = &note.unknown {
            let why: String = crate::visible::line(why).chars().take(80).collect();
            return Err(format!("how {why} is made was not seen"));
        }
        if let Some(text) = &note.text {
            return Ok(self.pen.expression(&Printed::parse(text)?));
        }
        if let Some(members) = &note.object {
            return self.object(members, note.bare, depth);
        }
        let parts = note.list.as_deref().unwrap_or_default();
        match (&note.by, &note.call) {
            (Some(by), _) => self.made(by, note, parts, depth),
            (None, Some(call)) if ["new Map", "new Set"].contains(&call.as_str()) => {
                Ok(format!("{call}({})", self.parts(parts, depth)?.join(", ")))
            }
            (None, None) if note.list.is_some() => Ok(self.pen.listed(&self.holes(parts, depth)?)),
            _ => Err("how it is made is not to be told".to_owned()),
        }
    }

    fn object(&mut self, members: &[(Note, Note)], bare: bool, depth: usize) -> Result<String, String> {
        let mut all = if bare { vec!["__proto__: null".to_owned()] } else { Vec::new() };
        for (key, value) in members {
            let name = match Printed::parse(key.text.as_deref().unwrap_or_default()) {
                Ok(Printed::Text(units)) => self.pen.named(&units),
                _ => format!("[{}]", self.built(key, depth)?),
            };
            all.push(format!("{name}: {}", self.built(value, depth)?));
        }
        Ok(if all.is_empty() { "{}".to_owned() } else { format!("{{ {} }}", all.join(", ")) })
    }

    fn holes(&mut self, parts: &[Option<Note>], depth: usize) -> Result<Vec<Option<String>>, String> {
        parts.iter().map(|part| part.as_ref().map(|part| self.built(part, depth)).transpose()).collect()
    }

    fn parts(&mut self, parts: &[Option<Note>], depth: usize) -> Result<Vec<String>, String> {
        let built = self.holes(parts, depth)?;
        Ok(built.into_iter().map(|part| part.unwrap_or_else(|| "undefined".to_owned())).collect())
    }

    /// What code made.
    fn made(&mut self, by: &str, note: &Note, parts: &[Option<Note>], depth: usize) -> Result<String, String> {
        self.is_made = true;
        let files = self.files;
        let (file, code, offset) = place(files, &note.site).ok_or("the place that made it is not in the source")?;
        let found = match by {
            "new" => code.makings().into_iter().find(|one| one.span.start == offset).map(|one| one.class),
            "call" => code.calls.iter().find(|one| one.parentheses.start == offset).map(|one| one.callee),
            _ => argument(code, offset),
        };
        let span = found.ok_or("the place that made it is not in the source")?;
        let text = code.at(span).replace("\r\n", "\n");
        let names = code.free_names(span);
        let local = around(code, span);
        self.reach.needs(file, code, names.difference(&local).map(String::as_str))?;
        let values = self.parts(parts, depth)?.join(", ");
        match by {
            "name" => Ok(text),
            "new" if local.is_empty() => Ok(format!("new {text}({values})")),
            "call" if local.is_empty() => Ok(format!("{text}({values})")),
            "map" => {
                let called = if code.kind(span) == Kind::Function { format!("({text})") } else { text };
                self.around(&called, note, &local, depth).map(|made| format!("{made}({values})"))
            }
            _ => Err("it is made by what a function around it knows alone".to_owned()),
        }
    }

    /// `function` with what it takes from functions around it.
    fn around(
        &mut self,
        function: &str,
        note: &Note,
        local: &std::collections::BTreeSet<String>,
        depth: usize,
    ) -> Result<String, String> {
        if local.is_empty() {
            return Ok(function.to_owned());
        }
        let known = note.around.as_ref().ok_or("what a function around it knew was not seen")?;
        let mut values = Vec::new();
        for name in local {
            let note = known.get(name).ok_or("what a function around it knew was not seen")?;
            values.push(self.built(note, depth)?);
        }
        let names = local.iter().cloned().collect::<Vec<_>>().join(", ");
        Ok(format!("(({names}) => {function})({})", values.join(", ")))
    }
}

/// The file and the offset that a note names.
fn place<'f>(files: &'f [(RepoPath, Code)], told: &str) -> Option<(&'f RepoPath, &'f Code, usize)> {
    let offset: usize = told.rsplit_once(':')?.1.parse().ok()?;
    files.iter().find(|(file, _)| site(file, offset) == told).map(|(file, code)| (file, code, offset))
}

/// The argument of a call that begins at `offset`.
fn argument(code: &Code, offset: usize) -> Option<Span> {
    code.calls.iter().flat_map(|call| &call.arguments).find(|span| span.start == offset).copied()
}
