//! The counterexample as a tree: what fits stands on one line, what does not has its parts below, and large collections
//! come folded with their size. However large the input, only what is unfolded is laid out.

mod flat;
mod parts;

use super::{Fold, Matter, Page, PageLine};
use crate::failure::Argument;
use crate::tui::text::{Run, cut, fit_end, grouped, head, one_line, pad, run, width, wrap};
use crate::tui::theme::Role;
use crate::value::Value;
use crate::visible;

use flat::flat;
use parts::{Part, parts, summary};

/// A collection of more parts than this comes folded.
const FOLD_ABOVE: usize = 24;
/// Parts laid out in one go; more are grouped in ranges.
const GROUP: usize = 100;
/// Depth at which values come folded.
const FOLD_DEPTH: usize = 4;
/// No more of an unfolded text than this is laid out.
const TEXT_BYTES: usize = 64 * 1024;
/// Longest column of names.
const NAME_WIDTH: usize = 24;

pub(super) fn add(page: &mut Page, matter: &Matter<'_>) {
    let arguments = matter.detail.map_or(&[][..], |detail| &detail.arguments);
    if arguments.is_empty() {
        add_as_printed(page, matter);
    } else {
        let mut tree = Tree { page, matter };
        let named: Vec<(String, Part<'_>)> =
            arguments.iter().map(|(name, value)| (one_line(name, NAME_WIDTH), Part::Value(value))).collect();
        tree.add_all(&named, &[], 0);
    }
    page.gap();
}

/// The input before its values are known: each argument's text on one line, at the same place.
fn add_as_printed(page: &mut Page, matter: &Matter<'_>) {
    let counterexample = &matter.filed.failure.counterexample;
    if counterexample.text.is_empty() {
        page.push(vec![run(Role::Dim, fit_end("the run shows no input", matter.width))]);
        return;
    }
    let whole = [Argument { name: String::new(), text: head(&counterexample.text, TEXT_BYTES).0.to_owned() }];
    let arguments = if counterexample.arguments.is_empty() { &whole[..] } else { &counterexample.arguments };
    let names: Vec<String> = arguments.iter().map(|argument| one_line(&argument.name, NAME_WIDTH)).collect();
    let column = names.iter().map(|name| width(name)).max().unwrap_or(0);
    for (name, argument) in names.iter().zip(arguments) {
        let room = matter.width.saturating_sub(column + 4);
        let runs = vec![
            run(Role::Plain, "  "),
            run(Role::Dim, format!("{}  ", pad(name, column))),
            run(Role::Plain, one_line(&crate::value::one_line(head(&argument.text, TEXT_BYTES).0), room)),
        ];
        page.push(runs);
    }
}

/// A page while the input's lines are added.
struct Tree<'a, 'm> {
    page: &'a mut Page,
    matter: &'a Matter<'m>,
}

impl Tree<'_, '_> {
    fn add_all(&mut self, named: &[(String, Part<'_>)], path: &[usize], depth: usize) {
        let column = named.iter().map(|(name, _)| width(name)).max().unwrap_or(0);
        for (number, (name, part)) in named.iter().enumerate() {
            let path = [path, &[number]].concat();
            let name = if column == 0 { String::new() } else { format!("{}  ", pad(name, column)) };
            self.add(&name, part, path, depth);
        }
    }

    fn add(&mut self, name: &str, part: &Part<'_>, path: Vec<usize>, depth: usize) {
        let indent = depth * 2;
        let room = self.matter.width.saturating_sub(indent + 2 + width(name));
        if let Part::Value(value) = part
            && let Some(text) = flat(value, room.max(1))
        {
            self.line(indent, "  ", name, vec![run(role(value), text)], None);
            return;
        }
        let fold = Fold::Value(path.clone());
        let open = self.matter.is_open(&fold, comes_open(part, depth));
        let (title, rest) = summary(part, room);
        let mut runs = vec![run(Role::Plain, cut(&title, room))];
        if !open {
            runs.push(run(Role::Dim, fit_end(&rest, room.saturating_sub(width(&title)))));
        }
        self.line(indent, if open { "▾ " } else { "▸ " }, name, runs, Some(fold));
        if open {
            self.add_parts(part, &path, depth + 1);
        }
    }

    fn add_parts(&mut self, part: &Part<'_>, path: &[usize], depth: usize) {
        if let Part::Value(Value::Text(text) | Value::Opaque(text)) = part {
            self.add_text(text, depth);
        } else {
            self.add_all(&parts(part, GROUP), path, depth);
        }
    }

    fn add_text(&mut self, text: &str, depth: usize) {
        let indent = depth * 2;
        let room = self.matter.width.saturating_sub(indent).max(1);
        let (start, whole) = head(text, TEXT_BYTES);
        for line in start.split_inclusive('\n') {
            for piece in wrap(&visible::line(line), room) {
                self.page.push(vec![run(Role::Plain, " ".repeat(indent)), run(Role::Plain, piece)]);
            }
        }
        if !whole {
            let rest = format!("… {} bytes more", grouped(text.len() - start.len()));
            self.page.push(vec![run(Role::Dim, " ".repeat(indent)), run(Role::Dim, fit_end(&rest, room))]);
        }
    }

    fn line(&mut self, indent: usize, mark: &str, name: &str, value: Vec<Run>, fold: Option<Fold>) {
        let mut runs = vec![run(Role::Dim, format!("{}{mark}", " ".repeat(indent))), run(Role::Dim, name)];
        runs.extend(value);
        self.page.lines.push(PageLine { runs, fold, ..PageLine::default() });
    }
}

fn role(value: &Value) -> Role {
    match value {
        Value::Opaque(_) => Role::Plain,
        _ => Role::Strong,
    }
}

fn comes_open(part: &Part<'_>, depth: usize) -> bool {
    match part {
        Part::Range { .. } | Part::Value(Value::Text(_) | Value::Opaque(_)) => false,
        Part::Value(_) => depth < FOLD_DEPTH && part.len() <= FOLD_ABOVE,
        Part::Pair { .. } => true,
    }
}
