//! Pins that are not what they were planned to be: one that does not reproduce is held, one that does not compile gives way.

use std::os::unix::fs::symlink;

use super::bench::Bench;

const SHADOW: &str = "    use super::{balance, Entry, Kind};

    macro_rules! vec { ($($no:tt)*) => { compile_error!(\"no vec here\") } }
";

#[test]
fn what_is_not_proven_is_held_until_the_user_says_otherwise() {
    let bench = Bench::new("held");
    assert_eq!(bench.redpin(&["import", "--json", bench.log()]).0, 0);
    bench.edit("src/refund.rs", "+ 4_999", "+ 5_000");
    bench.edit("src/statement.rs", "    use super::{balance, Entry, Kind};\n", SHADOW);
    let both = ["half_a_cent_goes_up", "sum_of_all_entries"];

    let (code, answer) = bench.redpin(&["pin", "--json", both[0], both[1]]);
    let (refund, statement) = (&answer["pins"][0], &answer["pins"][1]);
    assert_eq!((code, &refund["outcome"], &refund["proof"]), (0, &"refused".into(), &serde_json::Value::Null));
    assert_eq!(refund["reason"], "it does not reproduce: green in 6 of 6 runs on this code");
    // The literal does not compile there: the value is reached another way.
    assert_eq!((&statement["rung"], &statement["proof"]), (&"replayed".into(), &"red".into()));
    let warning = statement["warnings"][0].as_str().unwrap();
    assert!(warning.starts_with("its value is reached by the seed and the steps of shrinking"), "{warning}");

    let (code, answer) = bench.redpin(&["pin", "--stage-unproven", "--json", both[0]]);
    let refund = &answer["pins"][0];
    assert_eq!((code, &refund["outcome"], &refund["proof"]), (0, &"staged".into(), &"green".into()));
    let record = refund["files"].as_array().unwrap().iter().filter_map(|file| file.as_str());
    let record = record.filter(|file| file.ends_with(".json")).map(|file| bench.read(file)).collect::<String>();
    let record: serde_json::Value = serde_json::from_str(&record).unwrap();
    assert_eq!(record["pin"]["proof"]["state"], "green");
    let (_, again) = bench.redpin(&["pin", "--json", both[0]]);
    assert_eq!(again["pins"][0]["outcome"], "already-pinned");
}

/// The answer about one pin where `command` could build nothing and use no configuration: its outcome, its warning.
fn unproven(command: &mut std::process::Command) -> (String, String) {
    let output = command.output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains(".redpin/config.toml: expected tables [verify]"), "{said}");
    let answer: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let pin = &answer["pins"][0];
    assert_eq!(
        (output.status.code(), &pin["rung"], &pin["proof"]),
        (Some(0), &"literal".into(), &serde_json::Value::Null)
    );
    (pin["outcome"].as_str().unwrap().to_owned(), pin["warnings"][0].as_str().unwrap().to_owned())
}

#[test]
fn where_nothing_can_be_built_a_pin_is_staged_and_that_is_said() {
    let bench = Bench::new("unable");
    assert_eq!(bench.redpin(&["import", "--json", bench.log()]).0, 0);
    let pin = ["pin", "--json", "fee_grows_every_day"];
    bench.write(".redpin/config.toml", "[verify]\nrunners = \"none\"\n");
    let said = |why: &str, until: &str| {
        ("staged".to_owned(), format!("it is not proven, as {why}; `redpin verify` runs it once that {until}"))
    };

    bench.edit("src/refund.rs", "+ 4_999", "+ \"4_999\"");
    let (outcome, warning) = unproven(&mut bench.command(&pin));
    let expected = said("the code it stands in does not build: cannot add `&str` to `u64` at src/refund.rs:19", "does");
    assert_eq!((outcome, warning), expected);
    assert_eq!(bench.tried(&["undo"]).0, 0);
    bench.edit("src/refund.rs", "+ \"4_999\"", "+ 4_999");

    let programs = tempfile::tempdir().unwrap();
    #[expect(clippy::disallowed_methods, reason = "git is found where the test's own is")]
    let paths = std::env::var_os("PATH").unwrap();
    let git = std::env::split_paths(&paths).map(|folder| folder.join("git")).find(|git| git.exists()).unwrap();
    symlink(git, programs.path().join("git")).unwrap();
    let (outcome, warning) = unproven(bench.command(&pin).env("PATH", programs.path()));
    assert_eq!(outcome, "staged");
    assert!(warning.starts_with("it is not proven, as nothing could be built or run here: "), "{warning}");
    assert!(warning.contains("cargo"), "{warning}");
    assert_eq!(bench.tried(&["undo"]).0, 0);

    let home = tempfile::tempdir().unwrap();
    let cache = tempfile::tempdir().unwrap();
    let mut offline = bench.command(&pin);
    offline.env("CARGO_HOME", home.path()).env("XDG_CACHE_HOME", cache.path());
    offline.env("CARGO_TARGET_DIR", cache.path().join("target"));
    let (outcome, warning) = unproven(&mut offline);
    assert_eq!(outcome, "staged");
    assert!(warning.starts_with("it is not proven, as nothing could be built or run here: "), "{warning}");
}
