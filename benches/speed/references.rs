//! The programs redpin is measured against: found on the PATH, or built into a folder of the bench's own.

use std::path::{Path, PathBuf};
use std::process::Command;

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/benches/.refs");

/// ripgrep.
///
/// # Errors
/// Why it could neither be found nor installed: the row then says so.
pub(crate) fn ripgrep() -> Result<PathBuf, String> {
    if let Some(found) = on_path("rg") {
        return Ok(found);
    }
    let built = Path::new(ROOT).join("bin/rg");
    if !built.exists() {
        eprintln!("installing ripgrep into {ROOT} …");
        cargo(&["install", "ripgrep", "--locked", "--root", ROOT])?;
    }
    Ok(built)
}

/// The least terminal program of three panes, `examples/floor.rs`.
///
/// # Errors
/// What cargo said.
pub(crate) fn floor() -> Result<PathBuf, String> {
    cargo(&["build", "--release", "--locked", "--example", "floor"])?;
    let beside = Path::new(env!("CARGO_BIN_EXE_redpin")).with_file_name("examples");
    Ok(beside.join("floor"))
}

fn cargo(arguments: &[&str]) -> Result<(), String> {
    let output = Command::new(env!("CARGO"))
        .args(arguments)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .map_err(|error| format!("cargo cannot be started: {error}"))?;
    let said = String::from_utf8_lossy(&output.stderr);
    let last = said.lines().last().unwrap_or_default();
    if output.status.success() { Ok(()) } else { Err(format!("`cargo {}` failed: {last}", arguments.join(" "))) }
}

fn on_path(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(name)).find(|file| file.is_file())
}
