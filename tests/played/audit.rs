//! `redpin check audit --run`: properties are run as they are, and where the code under test answers constants, in the scratch
//! copy. In Node's place stands a script that looks at the code, and says what the real one said of such properties.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::{Value, json};
use tempfile::TempDir;

/// Of the three properties one throws away most inputs, one passes whatever `sum` answers, and one asks for what it is.
const RUNNER: &str = r#"#!/bin/sh
case "$*" in *--version*) echo v20.20.2; exit 0 ;; esac
if [ -n "$REDPIN_COUNTS" ]; then
  echo '{"redpin":"counted","titles":["[ADD-1] thin"],"runs":100,"skips":873}' >> "$REDPIN_CAPTURE"
  echo '{"redpin":"counted","titles":["[ADD-1] loose"],"runs":100,"skips":0}' >> "$REDPIN_CAPTURE"
  echo '{"redpin":"counted","titles":["[ADD-1] exact"],"runs":100,"skips":25}' >> "$REDPIN_CAPTURE"
fi
echo '✔ [ADD-1] never (1.5ms)'
echo '✔ [ADD-1] loose (1.5ms)'
if ! grep -q 'return a + b' src/sum.js; then
  echo '✖ [ADD-1] thin (1.5ms)'
  echo '✖ [ADD-1] exact (1.5ms)'
  echo 'ℹ tests 4'
  exit 1
fi
echo '✔ [ADD-1] thin (1.5ms)'
echo '✔ [ADD-1] exact (1.5ms)'
echo 'ℹ tests 4'
"#;

const PROPERTIES: &str = "import fc from 'fast-check';\nimport { test } from 'node:test';\nimport { sum } from '../src/sum.js';\n\
    test('[ADD-1] thin', () => { fc.assert(fc.property(fc.nat(), (a) => { fc.pre(a % 10 === 0); return sum(a, 0) === a; })); });\n\
    test('[ADD-1] loose', () => { fc.assert(fc.property(fc.nat(), (a) => sum(a, 1) <= a + 1)); });\n\
    test('[ADD-1] exact', () => { fc.assert(fc.property(fc.nat(), (a) => { fc.pre(a > 0); return sum(a, 0) === a; })); });\n";

/// A property whose assertion no run comes by.
const NEVER: &str = "import fc from 'fast-check';\nimport { test } from 'node:test';\nimport assert from 'node:assert';\n\
    import { sum } from '../src/sum.js';\n\
    test('[ADD-1] never', () => {\n  fc.assert(fc.property(fc.nat(), (a) => {\n    const out = [sum(a, 1)];\n\
    \x20   for (const one of out.filter((one) => one < 0)) {\n      assert.equal(one, a);\n    }\n  }));\n});\n";

const CODE: &str = "/** @returns the sum */\nexport function sum(a, b) { return a + b; }\n";

#[expect(clippy::disallowed_methods, reason = "a test makes its files")]
fn stage() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let files = [
        ("repo/package.json", "{}"),
        ("repo/spec.md", "# Sums\n\n## ADD-1: Sums\n\nA sum is what both come to.\n"),
        ("repo/src/sum.js", CODE),
        ("repo/tests/reach.test.js", NEVER),
        ("repo/tests/sum.test.js", PROPERTIES),
        ("programs/node", RUNNER),
    ];
    for (path, text) in files {
        let path = folder.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    fs::set_permissions(folder.path().join("programs/node"), fs::Permissions::from_mode(0o755)).unwrap();
    let repo = folder.path().join("repo");
    for arguments in [&["init", "-q"][..], &["add", "-A"]] {
        assert!(started("git", &repo, folder.path(), arguments).status.success());
    }
    folder
}

#[expect(clippy::disallowed_methods, reason = "the binary itself is tested, with our own program in Node's place")]
fn started(program: &str, repo: &Path, folder: &Path, arguments: &[&str]) -> Output {
    let own = std::env::var_os("PATH").unwrap();
    let paths = std::iter::once(folder.join("programs")).chain(std::env::split_paths(&own));
    let mut command = Command::new(program);
    command.args(arguments).current_dir(repo).env("PATH", std::env::join_paths(paths).unwrap());
    command.env("XDG_CACHE_HOME", folder.join("cache"));
    command.output().unwrap()
}

#[test]
fn what_is_thrown_away_and_what_passes_against_constants_is_measured() {
    let folder = stage();
    let repo = folder.path().join("repo");
    let output = started(env!("CARGO_BIN_EXE_redpin"), &repo, folder.path(), &["check", "audit", "--run", "--json"]);
    let told: Value = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&output.stderr)));
    let row = |row: &Value| {
        let grounds: Vec<&Value> = row["grounds"].as_array().unwrap().iter().map(|one| &one["kind"]).collect();
        json!([row["test"], row["advice"], grounds, row["measured"]])
    };
    let rows: Vec<Value> = told["properties"].as_array().unwrap().iter().map(row).collect();
    let measured = |discarded: u32, notices: bool| json!({"kept": 100, "discarded": discarded, "reaches_assertions": null, "notices_constants": notices});
    assert_eq!(
        rows,
        [
            json!([
                "[ADD-1] never",
                "strengthen",
                ["no-assertion", "passes-constants"],
                {"kept": null, "discarded": null, "reaches_assertions": false, "notices_constants": false}
            ]),
            json!(["[ADD-1] thin", "strengthen", ["discards-most"], measured(873, true)]),
            json!(["[ADD-1] loose", "strengthen", ["passes-constants"], measured(0, false)]),
            json!(["[ADD-1] exact", "keep", [], measured(25, true)]),
        ]
    );
    assert_eq!(told["properties"][2]["grounds"][0]["text"], "it passes where `sum` (src/sum.js:2) answers 0");
    assert_eq!(output.status.code(), Some(1));
    // Neither the repository nor the copy keeps anything of it.
    assert_eq!(fs::read_to_string(repo.join("src/sum.js")).unwrap(), CODE);
    let status = started("git", &repo, folder.path(), &["status", "--porcelain"]);
    assert!(!String::from_utf8_lossy(&status.stdout).lines().any(|line| !line.starts_with("A  ")), "{status:?}");
    let copies = started("grep", folder.path(), folder.path(), &["-rhc", "--include=sum.js", "return a + b", "cache"]);
    assert_eq!(String::from_utf8(copies.stdout).unwrap(), "1\n");
}
