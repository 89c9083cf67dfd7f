//! A source file of properties, and runs in which they fail, as one needs them to stage many verdicts.

use std::fmt::Write as _;

use redpin::inbox::FailureId;
use redpin::triage::{RunArgument, Triage};

use super::repository::Sample;

/// The source file.
pub(super) const SOURCE: &str = "src/lib.rs";

/// A repository of one file with the properties `p0`, `p1`, … of a number `x`.
pub(super) fn repository(properties: usize) -> Sample {
    let mut source = "proptest! {\n".to_owned();
    for number in 0..properties {
        let _ =
            writeln!(source, "    #[test]\n    fn p{number}(x in 0u32..) {{\n        prop_assert!(x < 1);\n    }}\n");
    }
    source += "}\n";
    let manifest = b"[package]\nname = \"night\"\nversion = \"0.1.0\"\n";
    Sample::with(&[("Cargo.toml", manifest), (SOURCE, source.as_bytes())])
}

/// A repository opened for triage, at a time that stands still.
pub(super) fn open(sample: &Sample) -> Triage {
    Triage::open(sample.top(), || jiff::Timestamp::UNIX_EPOCH).unwrap()
}

/// Reads a run of each `(property, condition, x)` that failed into the inbox; returns their names there.
pub(super) fn import(sample: &Sample, triage: &mut Triage, failures: &[(&str, &str, u32)]) -> Vec<FailureId> {
    let runs = (0..).zip(failures).map(|(night, failure)| {
        let run = sample.beside(&format!("{night:02}.log"));
        std::io::Write::write_all(&mut std::fs::File::create(&run).unwrap(), log(failure).as_bytes()).unwrap();
        RunArgument::Path(run)
    });
    let imported = triage.import(&runs.collect::<Vec<_>>(), &mut |_| {}).unwrap();
    assert_eq!((imported.failures.len(), imported.notices), (failures.len(), Vec::new()));
    imported.failures
}

fn log((property, condition, x): &(&str, &str, u32)) -> String {
    format!(
        "running 1 test\ntest {property} ... FAILED\n\nfailures:\n\n---- {property} stdout ----\n\n\
         thread '{property}' (7) panicked at src/lib.rs:1:1:\n\
         Test failed: assertion failed: {condition} at src/lib.rs:4.\nminimal failing input: x = {x}\n\
         \tsuccesses: 0\n\tlocal rejects: 0\n\tglobal rejects: 0\n\n\nfailures:\n    {property}\n\n\
         test result: FAILED. 0 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out\n"
    )
}
