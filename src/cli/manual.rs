//! `redpin man`: the manual page, of redpin or of one command.

use clap::{Args, CommandFactory};

use super::page::Page;
use super::{Arguments, Exit, Fault};
use crate::visible;

/// Print the manual page: `redpin man | man -l -`.
#[derive(Debug, Args)]
pub(super) struct Manual {
    /// The command it is of; without one, redpin itself.
    #[arg(value_name = "COMMAND")]
    command: Option<String>,
}

impl Manual {
    pub(super) fn run(&self, page: &mut Page<'_>) -> Result<Exit, Fault> {
        let mut all = Arguments::command();
        all.build();
        let wanted = match &self.command {
            None => Some(&all),
            Some(name) => all.find_subcommand(name),
        };
        let Some(wanted) = wanted else {
            let name = self.command.as_deref().unwrap_or_default();
            page.remark(&format!("redpin: expected one of redpin's commands, found {:?}", visible::line(name)))?;
            return Ok(Exit::WrongUse);
        };
        clap_mangen::Man::new(wanted.clone()).render(&mut page.out)?;
        Ok(Exit::Done)
    }
}
