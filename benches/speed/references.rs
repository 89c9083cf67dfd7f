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
    let told = cargo(&["build", "--release", "--locked", "--example", "floor", "--message-format=json"])?;
    let messages = told.lines().filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok());
    let built = messages.filter_map(|message| message["executable"].as_str().map(PathBuf::from)).next_back();
    built.ok_or_else(|| "cargo names no program that it built".to_string())
}

/// What cargo prints.
fn cargo(arguments: &[&str]) -> Result<String, String> {
    let output = Command::new(env!("CARGO"))
        .args(arguments)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .map_err(|error| format!("cargo cannot be started: {error}"))?;
    let said = String::from_utf8_lossy(&output.stderr);
    let last = said.lines().last().unwrap_or_default();
    if output.status.success() {
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    } else {
        Err(format!("`cargo {}` failed: {last}", arguments.join(" ")))
    }
}

fn on_path(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(name)).find(|file| file.is_file())
}
