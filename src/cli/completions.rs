//! `redpin completions`: what a shell needs to complete redpin's commands and switches.

use clap::{Args, CommandFactory};
use clap_complete::Shell;

use super::page::Page;
use super::{Arguments, Exit, Fault};

/// Print the completions for a shell.
#[derive(Debug, Args)]
pub(super) struct Completions {
    /// The shell.
    #[arg(value_name = "SHELL")]
    shell: Shell,
}

impl Completions {
    pub(super) fn run(&self, page: &mut Page<'_>) -> Result<Exit, Fault> {
        // Into memory first: the generator would panic where the reader is gone.
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut Arguments::command(), "redpin", &mut script);
        page.out.write_all(&script)?;
        Ok(Exit::Done)
    }
}
