//! The pane of pins that were run, as lines: how each came out, then the command and the end of what it printed. All of it
//! is foreign text, made visible here.

use super::model::Model;
use super::text::{Run, code, counted, one_line, run, wrap};
use super::theme::Role;
use super::trial::CameOut;
use super::words;

/// Cells of a message that are laid out.
const MESSAGE: usize = 400;

impl Model {
    /// The lines from the first one shown on.
    pub(crate) fn output_lines(&self, from: usize) -> impl Iterator<Item = Vec<Run>> {
        let top = self.head_lines();
        let rest = from.saturating_sub(top.len());
        let printed = self.trial.output.lines().skip(rest).map(|line| vec![run(Role::Plain, code(line))]);
        top.into_iter().skip(from).chain(printed)
    }

    /// The first line shown where the last is at the bottom: long ones take several rows.
    pub(crate) fn last_output_top(&self) -> usize {
        let (cells, height) = self.output_size();
        let top = self.head_lines();
        let printed = self.trial.output.lines().rev().map(|line| rows(&code(line), cells));
        let above = top.iter().rev().map(|line| line.iter().map(|run| rows(&run.text, cells)).max().unwrap_or(1));
        let all = top.len() + self.trial.output.lines().len();
        let mut left = height;
        let fitting = printed.chain(above).take_while(|rows| {
            let fits = *rows <= left;
            left = left.saturating_sub(*rows);
            fits
        });
        all - fitting.count().max(1).min(all)
    }

    /// Cells and rows of the lines.
    pub(crate) fn output_size(&self) -> (usize, usize) {
        let rows = self.layout().map_or(1, |layout| layout.footer.y.saturating_sub(layout.header.bottom()));
        (usize::from(self.size.0).saturating_sub(2), usize::from(rows.saturating_sub(2)))
    }

    /// What stands above the output.
    fn head_lines(&self) -> Vec<Vec<Run>> {
        let mut lines: Vec<Vec<Run>> = self.trial.outcomes.iter().flat_map(came_out).collect();
        if !lines.is_empty() {
            lines.push(Vec::new());
        }
        if !self.trial.command.is_empty() {
            lines.push(vec![run(Role::Strong, format!("$ {}", one_line(&self.trial.command, 4_000)))]);
        }
        if self.trial.output.gone() > 0 {
            let gone = counted(self.trial.output.gone(), "earlier line");
            lines.push(vec![run(Role::Dim, format!("… {gone} no longer kept"))]);
        }
        lines
    }
}

/// How a pin came out, as a line or two.
fn came_out(one: &CameOut) -> Vec<Vec<Run>> {
    let (state, proof) = (one.proof.state, &one.proof);
    let (glyph, role) = words::pin_glyph(state);
    let phrase = format!(" {}", words::pin_phrase(state, proof.own_fault));
    let name = format!("  {}", one_line(&one.test.0, MESSAGE));
    let mut lines = vec![vec![run(role, glyph), run(words::word_role(role), phrase), run(Role::Plain, name)]];
    if !proof.message.is_empty() {
        let at = proof.at.as_ref().map_or(String::new(), |at| format!("  {}:{}", at.file.0, at.line));
        let told = proof.message.lines().next().unwrap_or_default();
        lines.push(vec![run(Role::Dim, format!("    {}", one_line(&format!("{told}{at}"), MESSAGE)))]);
    }
    lines
}

/// Rows that a line takes.
fn rows(line: &str, cells: usize) -> usize {
    if line.len() <= cells { 1 } else { wrap(line, cells).len() }
}
