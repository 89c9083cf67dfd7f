//! Proving pins against building and running them by hand: those that stand, those of another commit, and those that are
//! about to be staged. The crate is a real one, and so is the run in which its properties failed.

use std::cell::Cell;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::inputs::{Place, Scale};
use crate::nightly::Nightly;
use crate::pairs::medians;
use crate::process::{printed, timed};
use crate::table::Row;

/// Properties that fail, and how many of them take a value that no literal holds.
const PROPERTIES: usize = 20;
const PRIVATE: usize = 5;

const RULES: &str = "tests/rules.rs";
const CODE: &str = "src/lib.rs";
const BUG: &str = "cents - cents / 1_000";

/// The pins that stand in the work tree.
pub(crate) fn measure_verify(scale: &Scale) -> Result<Vec<Row>, String> {
    let bench = Bench::make("verify")?;
    bench.pin()?;
    let tests = bench.pins()?;
    let (ours, theirs) = medians(
        scale.rounds.min(5),
        || {
            bench.touch()?;
            timed(bench.redpin(&["verify"]))
        },
        || bench.by_hand(&tests),
    )?;
    Ok(vec![Row::ratio(&format!("verify {} pins", tests.len()), ours, ("`cargo test`, by hand", theirs), 1.3)])
}

/// The same at another commit as well.
pub(crate) fn measure_base(scale: &Scale) -> Result<Vec<Row>, String> {
    let bench = Bench::make("verify-base")?;
    bench.pin()?;
    bench.edit(CODE, BUG, "cents")?;
    let compared = || timed(bench.redpin(&["verify", "--base", "HEAD"]));
    let first = || {
        let cache = bench.place.home.join("cache");
        if cache.exists() {
            fs::remove_dir_all(&cache).map_err(|error| format!("{}: {error}", cache.display()))?;
        }
        compared()
    };
    let (first, again) = medians(scale.rounds.min(3), first, compared)?;
    Ok(vec![Row::ratio("`verify --base` again", again, ("the first time", first), 0.3)])
}

/// The pins of failures, before they are staged.
pub(crate) fn measure_ladder(scale: &Scale) -> Result<Vec<Row>, String> {
    let bench = Bench::make("ladder")?;
    let properties: Vec<String> = (0..PROPERTIES).map(name).collect();
    let staged = || {
        bench.touch()?;
        let took = timed(bench.redpin(&["pin", "--all"]))?;
        timed(bench.redpin(&["undo"]))?;
        Ok(took)
    };
    staged()?;
    let (ours, theirs) = medians(scale.rounds.min(3), staged, || bench.by_hand(&properties))?;
    let work = format!("prove and stage {PROPERTIES} pins, {PRIVATE} of them in a second round");
    Ok(vec![Row::ratio(&work, ours, ("`cargo test`, by hand", theirs), 3.0)])
}

/// A repository of one crate, whose red run is in the inbox.
struct Bench {
    place: Place,
    times: Cell<usize>,
}

impl Bench {
    fn make(name: &str) -> Result<Bench, String> {
        let place = Place::make(name, &Nightly { failures: 1, files: 1, bytes: 0 }, 0)?;
        let bench = Bench { place, times: Cell::new(0) };
        let lay = || {
            let top = &bench.place.repository;
            fs::remove_dir_all(top.join("src"))?;
            fs::create_dir_all(top.join("src"))?;
            fs::create_dir_all(top.join("tests"))?;
            fs::write(top.join("Cargo.toml"), include_str!("../../assets/demo/ledger/manifest.toml"))?;
            fs::write(top.join("Cargo.lock"), include_str!("../../assets/demo/ledger/lock.toml"))?;
            fs::write(top.join(".gitignore"), "target\n")?;
            fs::write(top.join(CODE), code())?;
            fs::write(top.join(RULES), rules())
        };
        lay().map_err(|error| format!("the crate to be proven: {error}"))?;
        timed(bench.place.git(&["add", "-A"]))?;
        timed(bench.place.git(&["commit", "-q", "-m", "Lay the rules"]))?;
        timed(bench.cargo(&["test", "--no-run"]))?;
        // It ends with 1, as tests fail.
        let _ = bench.redpin(&["run", "--", "cargo", "test"]).stdout(Stdio::null()).stderr(Stdio::null()).status();
        let found = bench.listed(&["list", "--json"], "failures")?.len();
        if found == PROPERTIES {
            Ok(bench)
        } else {
            Err(format!("expected {PROPERTIES} failures of its run, redpin lists {found}"))
        }
    }

    fn redpin(&self, arguments: &[&str]) -> Command {
        self.with_toolchain(self.place.redpin(arguments))
    }

    fn cargo(&self, arguments: &[&str]) -> Command {
        let mut command = self.with_toolchain(self.place.command(env!("CARGO")));
        command.args(arguments);
        command
    }

    /// With the packages and toolchains of this machine's user: they are what is built, and not measured.
    fn with_toolchain(&self, mut command: Command) -> Command {
        for (name, folder) in [("CARGO_HOME", ".cargo"), ("RUSTUP_HOME", ".rustup")] {
            let of_home = || std::env::var_os("HOME").map(|home| Path::new(&home).join(folder).into_os_string());
            let known: Option<OsString> = std::env::var_os(name).or_else(of_home);
            command.envs(known.map(|known| (name, known)));
        }
        command
    }

    /// Stages the pins; those of private values have a test only where they are built and run first.
    fn pin(&self) -> Result<(), String> {
        timed(self.redpin(&["pin", "--all"])).map(|_| ())
    }

    /// The tests of the pins that stand.
    fn pins(&self) -> Result<Vec<String>, String> {
        let pins = self.listed(&["verify", "--json"], "pins")?;
        Ok(pins.iter().filter_map(|pin| pin["test"].as_str()).map(String::from).collect())
    }

    fn listed(&self, arguments: &[&str], key: &str) -> Result<Vec<serde_json::Value>, String> {
        let json = printed(self.redpin(arguments))?;
        let answer: serde_json::Value =
            serde_json::from_slice(&json).map_err(|error| format!("{}: {error}", arguments.join(" ")))?;
        answer[key].as_array().cloned().ok_or_else(|| format!("{}: no `{key}`", arguments.join(" ")))
    }

    /// Changes the file of the properties, so that it has to be built again: its first line counts how often.
    fn touch(&self) -> Result<(), String> {
        let times = self.times.get();
        self.times.set(times + 1);
        self.edit(RULES, &format!("// {times}\n"), &format!("// {}\n", times + 1))
    }

    fn edit(&self, file: &str, old: &str, new: &str) -> Result<(), String> {
        let path = self.place.repository.join(file);
        let edit = || fs::write(&path, fs::read_to_string(&path)?.replace(old, new));
        edit().map_err(|error| format!("{}: {error}", path.display()))
    }

    /// What a person would do who wants to see `tests` fail.
    fn by_hand(&self, tests: &[String]) -> Result<Duration, String> {
        self.touch()?;
        let start = Instant::now();
        let told = printed(self.cargo(&["test", "--no-run", "--message-format=json"]))?;
        let program = program(&String::from_utf8_lossy(&told))?;
        let ran = self.place.command(&program).arg("--exact").args(tests).output();
        let took = start.elapsed();
        let ran = ran.map_err(|error| format!("{}: {error}", program.display()))?;
        let failed = format!("{} failed", tests.len());
        let as_expected = String::from_utf8_lossy(&ran.stdout).contains(&failed);
        if as_expected { Ok(took) } else { Err(format!("expected all of {} tests to fail by hand", tests.len())) }
    }
}

/// The program with the properties among what cargo built.
fn program(told: &str) -> Result<PathBuf, String> {
    let messages = told.lines().filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok());
    let mut built = messages.filter(|message| message["target"]["name"] == "rules");
    let program = built.find_map(|message| message["executable"].as_str().map(PathBuf::from));
    program.ok_or_else(|| "cargo names no program with the properties".to_string())
}

fn name(number: usize) -> String {
    format!("rule_{number:03}")
}

/// The code under test, which loses a cent of a thousand; and an amount that does not print as it is made.
fn code() -> String {
    format!(
        "//! Amounts.\n\npub fn paid(cents: u64) -> u64 {{\n    {BUG}\n}}\n\n#[derive(Clone)]\npub struct Cents(u64);\n\n\
         impl Cents {{\n    pub fn new(cents: u64) -> Cents {{\n        Cents(cents)\n    }}\n\n    pub fn get(&self) -> u64 \
         {{\n        self.0\n    }}\n}}\n\nimpl std::fmt::Debug for Cents {{\n    fn fmt(&self, f: &mut \
         std::fmt::Formatter<'_>) -> std::fmt::Result {{\n        write!(f, \"{{}}\", self.0)\n    }}\n}}\n"
    )
}

fn rules() -> String {
    let mut text = String::from("// 0\nuse proptest::prelude::*;\n\nproptest! {\n");
    for number in 0..PROPERTIES {
        let (parameter, cents) = match number < PROPERTIES - PRIVATE {
            true => ("cents in 0u64..100_000", "cents"),
            false => ("amount in (0u64..100_000).prop_map(ledger::Cents::new)", "amount.get()"),
        };
        let name = name(number);
        text += &format!("    #[test]\n    fn {name}({parameter}) {{\n");
        text += &format!("        prop_assert_eq!(ledger::paid({cents}), {cents});\n    }}\n\n");
    }
    text + "}\n"
}
