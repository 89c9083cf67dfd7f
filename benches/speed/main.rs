//! `cargo bench`: what redpin takes for its main jobs, each as a whole process and in turn with a reference in the same
//! run, so that the ratio holds on any machine. Prints a table and asserts nothing.
//!
//! `cargo bench -- --quick` uses small inputs and tells little, but shows in a minute that every row works. Names of rows
//! after it measure those only: `cargo bench -- list stage`.

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "the table is the result")]
#![expect(clippy::disallowed_methods, reason = "a bench makes its own inputs and starts what it measures")]

mod inputs;
mod keys;
mod list;
mod nightly;
mod pairs;
mod pin;
mod process;
mod proving;
mod references;
mod start;
mod table;
mod terminal;

use inputs::Scale;
use table::Row;

/// What is measured for one name on the command line.
type Measure = fn(&Scale) -> Result<Vec<Row>, String>;

const ROWS: &[(&str, Measure)] = &[
    ("list", list::measure),
    ("start", start::measure),
    ("keys", keys::measure),
    ("preview", pin::measure_preview),
    ("stage", pin::measure_one),
    ("stage-many", pin::measure_many),
    ("verify", proving::measure_verify),
    ("verify-base", proving::measure_base),
    ("ladder", proving::measure_ladder),
];

fn main() {
    // cargo adds `--bench`.
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    let (switches, names): (Vec<String>, Vec<String>) = arguments.into_iter().partition(|one| one.starts_with('-'));
    let known = |name: &String| ROWS.iter().any(|(row, _)| row == name);
    if switches.iter().any(|switch| switch != "--quick") || !names.iter().all(known) {
        let rows: Vec<&str> = ROWS.iter().map(|(name, _)| *name).collect();
        eprintln!("usage: cargo bench -- [--quick] [{}]...", rows.join("|"));
        std::process::exit(2);
    }
    let scale = if switches.is_empty() { inputs::FULL } else { inputs::QUICK };
    let mut rows = Vec::new();
    for (name, measure) in ROWS.iter().filter(|(row, _)| names.is_empty() || names.iter().any(|name| name == row)) {
        eprintln!("measuring {name} …");
        rows.extend(measure(&scale).unwrap_or_else(|reason| vec![Row::missing(name, &reason)]));
    }
    println!("{}", table::markdown(&rows));
}
