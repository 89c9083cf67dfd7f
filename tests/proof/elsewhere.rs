//! Pins where the library of properties is no registry's: what its generators make is recorded all the same.

use std::fs;
use std::path::{Path, PathBuf};

use super::bench::Bench;

const STAMPS: &str = "//! Stamps that hide what they cost.

pub mod shut {
    #[derive(Clone)]
    pub struct Stamp {
        cents: u32,
    }

    impl std::fmt::Debug for Stamp {
        fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            write!(f, \"<stamp>\")
        }
    }

    impl Stamp {
        pub fn new(cents: u32, _why: &str) -> Stamp {
            Stamp { cents }
        }

        pub fn cents(&self) -> u32 {
            self.cents
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::shut::Stamp;

    fn stamp() -> impl Strategy<Value = Stamp> {
        (0u32..1_000, \"[a-z]{3}\").prop_map(|(cents, why)| Stamp::new(cents, &why))
    }

    proptest! {
        #[test]
        fn a_stamp_is_cheap(stamp in stamp()) {
            prop_assert!(stamp.cents() < 100, \"dear\");
        }
    }
}
";

/// Copies all of a folder.
fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for one in fs::read_dir(from).unwrap().map(|one| one.unwrap()) {
        let to = to.join(one.file_name());
        if one.file_type().unwrap().is_dir() {
            copy(&one.path(), &to);
        } else {
            fs::copy(one.path(), to).unwrap();
        }
    }
}

/// Where cargo has unpacked the library that the sample uses.
fn library(bench: &Bench) -> PathBuf {
    let version = bench.cargo(&["-vV"]);
    let host = version.lines().find_map(|line| line.strip_prefix("host: ")).unwrap();
    let told = bench.cargo(&["metadata", "--offline", "--filter-platform", host, "--format-version", "1"]);
    let told: serde_json::Value = serde_json::from_str(&told).unwrap();
    let is_it = |package: &&serde_json::Value| package["name"] == "proptest";
    let package = told["packages"].as_array().unwrap().iter().find(is_it).unwrap();
    Path::new(package["manifest_path"].as_str().unwrap()).parent().unwrap().to_owned()
}

#[test]
fn a_library_from_a_folder_beside_the_repository_is_recorded_too() {
    let bench = Bench::new("elsewhere");
    let beside = bench.top().parent().unwrap().join("library");
    let _ = fs::remove_dir_all(&beside);
    copy(&library(&bench), &beside.join("parts/proptest"));
    bench.write_beside("library/Cargo.toml", "[workspace]\nmembers = [\"parts/proptest\"]\n");
    bench.write("src/stamps.rs", STAMPS);
    bench.edit("src/lib.rs", "pub mod statement;", "pub mod stamps;\npub mod statement;");
    let manifest = bench.read("Cargo.toml");
    bench.write(
        "Cargo.toml",
        &format!("{manifest}\n[patch.crates-io]\nproptest = {{ path = \"../library/parts/proptest\" }}\n"),
    );
    bench.git(&["add", "src/stamps.rs"]);
    let (code, said) = bench.tried(&["run", "--", "cargo", "test", "--offline", "--lib", "stamps"]);
    assert!(code != 0 && said.contains("a_stamp_is_cheap"), "{said}");
    bench.commit("Sell stamps");

    let (code, answer) = bench.redpin(&["pin", "--json", "--all"]);
    let pin = &answer["pins"][0];
    assert_eq!((code, &pin["rung"], &pin["proof"]), (0, &"constructed".into(), &"red".into()), "{answer:#}");
    assert!(bench.read("src/stamps.rs").contains("Stamp::new(100u32, "), "{}", bench.read("src/stamps.rs"));

    // At another commit, the library is found from the scratch copy as well.
    let (code, answer) = bench.redpin(&["verify", "--json", "--base", "HEAD"]);
    let pin = &answer["pins"][0];
    assert_eq!((code, &pin["base"]["state"], &pin["state"]), (1, &"red".into(), &"red".into()), "{answer:#}");
}
