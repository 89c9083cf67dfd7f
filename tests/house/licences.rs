//! Every package that redpin is built from has a licence that `deny.toml` allows. Asks cargo alone, which has the packages
//! at hand after a build, so nothing is fetched.

use std::path::Path;
use std::process::Command;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// Whether an SPDX expression can be met with the licences in `allowed`. A `/` is an old way to write `OR`.
fn is_met(expression: &str, allowed: &[String]) -> bool {
    let plain = expression.replace('/', " OR ");
    parts(&plain, "AND").iter().all(|part| {
        let part = part.trim();
        let inner = part.strip_prefix('(').and_then(|rest| rest.strip_suffix(')'));
        match inner {
            Some(inner) => is_met(inner, allowed),
            None => parts(part, "OR").iter().any(|licence| allowed.iter().any(|one| one == licence.trim())),
        }
    })
}

/// The parts of `expression` between the words `word` that stand outside parentheses.
fn parts(expression: &str, word: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut depth = 0;
    for token in expression.split_whitespace() {
        if depth == 0 && token == word {
            parts.push(String::new());
            continue;
        }
        depth += token.matches('(').count();
        depth -= token.matches(')').count().min(depth);
        if let Some(part) = parts.last_mut() {
            *part += token;
            part.push(' ');
        }
    }
    parts
}

/// The licences that `deny.toml` allows.
fn allowed() -> Vec<String> {
    let text = std::fs::read_to_string(Path::new(ROOT).join("deny.toml")).unwrap();
    let list = text.lines().skip_while(|line| !line.starts_with("allow = [")).skip(1).take_while(|line| *line != "]");
    list.filter_map(|line| line.trim().strip_prefix('"')?.strip_suffix("\",").map(String::from)).collect()
}

/// Name and licence of every package for this machine's kind.
#[expect(clippy::disallowed_methods, reason = "only cargo knows what the crate is built from")]
fn packages() -> Vec<(String, String)> {
    let version = Command::new(env!("CARGO")).args(["version", "--verbose"]).output().unwrap();
    let version = String::from_utf8(version.stdout).unwrap();
    let host = version.lines().find_map(|line| line.strip_prefix("host: ")).unwrap();
    let metadata = Command::new(env!("CARGO"))
        .args(["metadata", "--offline", "--locked", "--format-version=1", "--filter-platform", host])
        .current_dir(ROOT)
        .output()
        .unwrap();
    assert!(metadata.status.success(), "{}", String::from_utf8_lossy(&metadata.stderr));
    let metadata: serde_json::Value = serde_json::from_slice(&metadata.stdout).unwrap();
    let text = |value: &serde_json::Value| value.as_str().unwrap_or_default().to_string();
    let packages = metadata["packages"].as_array().unwrap();
    packages.iter().map(|package| (text(&package["name"]), text(&package["license"]))).collect()
}

#[test]
fn every_package_has_an_allowed_licence() {
    let (allowed, packages) = (allowed(), packages());
    assert!(packages.len() > 1, "expected the packages redpin is built from");
    let refused: Vec<_> = packages.iter().filter(|(_, licence)| !is_met(licence, &allowed)).collect();
    assert!(refused.is_empty(), "deny.toml allows {allowed:?}, not {refused:?}");
}

#[test]
fn an_expression_is_met_by_one_of_each_alternative() {
    let allowed = ["MIT".to_string(), "Unicode-3.0".to_string()];
    for (expression, expected) in [
        ("MIT", true),
        ("GPL-3.0", false),
        ("Apache-2.0 OR MIT", true),
        ("MIT/Apache-2.0", true),
        ("(MIT OR Apache-2.0) AND Unicode-3.0", true),
        ("(GPL-3.0 OR Apache-2.0) AND Unicode-3.0", false),
        ("MIT AND GPL-3.0", false),
        ("", false),
    ] {
        assert_eq!(is_met(expression, &allowed), expected, "{expression}");
    }
}
