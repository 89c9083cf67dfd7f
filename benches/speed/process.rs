//! Starts whole processes in clean surroundings and says how long they took and how much memory they held.

use std::fs::File;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// The redpin that cargo built for this bench.
pub(crate) const REDPIN: &str = env!("CARGO_BIN_EXE_redpin");

/// A command with a home of its own, so that no setting of this machine's user is measured.
pub(crate) fn command(program: &str, home: &Path) -> Command {
    let mut command = Command::new(program);
    command.stdin(Stdio::null()).envs(surroundings(home));
    command
}

/// The environment variables of a measured process.
pub(crate) fn surroundings(home: &Path) -> Vec<(&'static str, String)> {
    let home = home.display().to_string();
    let folder = |name: &str| format!("{home}/{name}");
    vec![
        ("GIT_CONFIG_NOSYSTEM", "1".into()),
        ("XDG_CACHE_HOME", folder("cache")),
        ("XDG_CONFIG_HOME", folder("config")),
        ("XDG_DATA_HOME", folder("share")),
        ("XDG_STATE_HOME", folder("state")),
        ("HOME", home),
        ("TERM", "xterm-256color".into()),
    ]
}

/// Runs to the end, output dropped; an exit code other than 0 is an error that holds what was said.
pub(crate) fn timed(mut command: Command) -> Result<Duration, String> {
    let start = Instant::now();
    let output =
        command.stdout(Stdio::null()).stderr(Stdio::piped()).output().map_err(|error| told(&command, &error))?;
    let took = start.elapsed();
    if output.status.success() { Ok(took) } else { Err(told(&command, &String::from_utf8_lossy(&output.stderr))) }
}

/// Runs to the end and returns what it printed.
pub(crate) fn printed(mut command: Command) -> Result<Vec<u8>, String> {
    let output = command.output().map_err(|error| told(&command, &error))?;
    if output.status.success() {
        Ok(output.stdout)
    } else {
        Err(told(&command, &String::from_utf8_lossy(&output.stderr)))
    }
}

/// The most memory of its own, mapped files aside, that a process held, in kilobytes: looked at every few milliseconds.
pub(crate) fn peak_memory(mut command: Command) -> Result<u64, String> {
    let sink = File::create("/dev/null").map_err(|error| error.to_string())?;
    let mut child = command.stdout(sink).spawn().map_err(|error| told(&command, &error))?;
    let mut peak = 0;
    while child.try_wait().map_err(|error| error.to_string())?.is_none() {
        peak = peak.max(own_memory(child.id()).unwrap_or(0));
        std::thread::sleep(Duration::from_millis(2));
    }
    Ok(peak)
}

/// The memory of its own that a process holds now, in kilobytes.
pub(crate) fn own_memory(process: u32) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("RssAnon:"))?;
    line.split_whitespace().next()?.parse().ok()
}

/// The processor time that a process has used so far, in clock ticks of a hundredth second.
pub(crate) fn ticks(process: u32) -> Option<u64> {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    let fields: Vec<&str> = stat.rsplit(')').next()?.split_whitespace().collect();
    Some(fields.get(11)?.parse::<u64>().ok()? + fields.get(12)?.parse::<u64>().ok()?)
}

fn told(command: &Command, reason: &dyn std::fmt::Display) -> String {
    let arguments: Vec<_> = command.get_args().take(6).map(|one| one.to_string_lossy()).collect();
    let program = Path::new(command.get_program()).file_name().unwrap_or_default().to_string_lossy();
    format!("`{program} {}` failed: {reason}", arguments.join(" "))
}
