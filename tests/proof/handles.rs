//! Pins that are a seed and nothing else: what is told of one that is green.

use serde_json::{Value, json};

use super::bench::Bench;

const STAMPS: &str = "//! Stamps that hide what they cost.

pub mod shut {
    #[derive(Debug, Clone)]
    pub struct Stamp {
        cents: u32,
    }

    impl Stamp {
        pub fn new(cents: u32) -> Stamp {
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
        (0u32..1_000).prop_map(Stamp::new)
    }

    proptest! {
        #[test]
        fn a_stamp_is_cheap(stamp in stamp()) {
            prop_assert!(stamp.cents() < 100, \"dear\");
        }
    }
}
";

/// What is told of the only pin: its states at the other commit and here, the fault of its handle, and the notice.
fn told(bench: &Bench, arguments: &[&str]) -> ([Value; 3], String) {
    let (_, answer) = bench.redpin(&[&["verify", "--json"], arguments].concat());
    let pin = &answer["pins"][0];
    let text = answer["notices"][0]["text"].as_str().unwrap_or_default().to_owned();
    ([pin["base"]["state"].clone(), pin["state"].clone(), pin["handle"].clone()], text)
}

#[test]
fn a_seed_that_stands_for_another_input_is_said_to_be_dead() {
    let bench = Bench::new("handles");
    bench.write("src/stamps.rs", STAMPS);
    bench.edit("src/lib.rs", "pub mod statement;", "pub mod stamps;\npub mod statement;");
    bench.git(&["add", "src/stamps.rs"]);
    bench.commit("Sell stamps");
    let (code, said) = bench.tried(&["run", "--", "cargo", "test", "--offline", "--lib", "stamps"]);
    assert!(code != 0 && said.contains("a_stamp_is_cheap"), "{said}");
    let (_, answer) = bench.redpin(&["pin", "--no-verify", "--json", "--all"]);
    assert_eq!(answer["pins"][0]["rung"], "seed-only", "{answer:#}");
    bench.commit("Pin a dear stamp");
    let (red, green, none) = (json!("red"), json!("green"), Value::Null);
    assert_eq!(told(&bench, &["--base", "HEAD"]), ([red.clone(), red.clone(), none.clone()], String::new()));

    let (sound, mends) = ("            self.cents\n", "            self.cents.min(99)\n");
    bench.edit("src/stamps.rs", sound, mends);
    assert_eq!(told(&bench, &["--base", "HEAD"]), ([red.clone(), green.clone(), none.clone()], String::new()));
    let (states, text) = told(&bench, &[]);
    assert_eq!(states, [none, green.clone(), json!("unsure")]);
    assert!(text.contains("the bug is mended, or the seed is dead; `redpin verify --base REV` tells which"), "{text}");
    bench.edit("src/stamps.rs", mends, sound);

    let (wide, narrow) = ("(0u32..1_000)", "(0u32..90)");
    bench.edit("src/stamps.rs", wide, narrow);
    let (states, text) = told(&bench, &["--base", "HEAD"]);
    assert_eq!(states, [red, green.clone(), json!("dead")]);
    assert!(
        text.starts_with("the seed of `stamps::tests::a_stamp_is_cheap` is dead: `stamp = Stamp { cents: "),
        "{text}"
    );

    bench.commit("Sell cheap stamps");
    let (states, text) = told(&bench, &["--base", "HEAD"]);
    assert_eq!(states, [green.clone(), green.clone(), json!("dead")]);
    assert!(text.contains("does not break the property there"), "{text}");

    bench.remove("proptest-regressions/stamps.txt");
    let (states, text) = told(&bench, &[]);
    assert_eq!(states[1..], [green, json!("not-kept")]);
    assert!(text.ends_with("is in none of its files any more: nothing runs it"), "{text}");
}
