//! How things are to look: the switches that the workstation and the answers share.

use clap::{Args, ValueEnum};

/// Where these switches stand in each command's help: behind its own, which would else be scattered among them.
const LAST: usize = 900;

/// How things are to look.
#[derive(Debug, Default, Args)]
pub struct Screen {
    /// When to colour: auto (on a terminal, unless NO_COLOR is set), always or never.
    #[arg(
        long,
        value_name = "WHEN",
        default_value = "auto",
        hide_possible_values = true,
        hide_default_value = true,
        global = true,
        display_order = LAST
    )]
    pub color: Colouring,
    /// Draw the workstation with ASCII signs alone.
    #[arg(long, global = true, display_order = LAST)]
    pub ascii: bool,
    /// Open the workstation as questions and answers, line by line, as screen readers need it.
    #[arg(long, global = true, display_order = LAST)]
    pub plain: bool,
}

/// Whether to colour.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Colouring {
    /// On a terminal, unless NO_COLOR is set.
    #[default]
    Auto,
    /// Also into a file or a pipe.
    Always,
    /// Not at all.
    Never,
}

impl Colouring {
    /// Whether to colour where `usual` would.
    pub fn or(self, usual: bool) -> bool {
        match self {
            Colouring::Auto => usual,
            Colouring::Always => true,
            Colouring::Never => false,
        }
    }
}
