//! Pins of values that their text does not give: by what their types offer, by collecting, and by the seed with the steps
//! of shrinking, which is found where the run named none.

use super::bench::Bench;

const SEALED: &str = "//! Values that hide what they hold.

pub mod shut {
    use std::collections::HashMap;
    use std::hash::{BuildHasherDefault, DefaultHasher};

    #[derive(Debug, Clone)]
    pub struct Grams(u32);

    impl Grams {
        pub fn new(grams: u32) -> Option<Grams> {
            (grams < 100_000).then_some(Grams(grams))
        }

        pub fn get(&self) -> u32 {
            self.0
        }
    }

    #[derive(Debug, Clone)]
    pub struct Sealed {
        code: u32,
    }

    impl Sealed {
        pub fn code(&self) -> u32 {
            self.code
        }
    }

    #[derive(Debug, Clone)]
    pub struct Plot {
        wide: u32,
        long: u32,
    }

    impl Plot {
        pub fn area(&self) -> u32 {
            self.wide * self.long
        }
    }

    pub type Stock = HashMap<u8, u8, BuildHasherDefault<DefaultHasher>>;

    #[cfg(test)]
    pub mod strategies {
        use proptest::prelude::*;

        pub fn grams() -> impl Strategy<Value = super::Grams> {
            (0u32..100_000).prop_perturb(|grams, _| super::Grams::new(grams).unwrap())
        }

        pub fn sealed() -> impl Strategy<Value = super::Sealed> {
            any::<u32>().prop_perturb(|code, _| super::Sealed { code })
        }

        pub fn plot() -> impl Strategy<Value = super::Plot> {
            (1u32..1_000, 1u32..1_000).prop_perturb(|(wide, long), _| super::Plot { wide, long })
        }

        pub fn stock() -> impl Strategy<Value = super::Stock> {
            prop::collection::vec((0u8..1, 0u8..1), 0..5).prop_perturb(|pairs, _| pairs.into_iter().collect())
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use proptest::test_runner::TestRunner;

    fn size() -> impl Strategy<Value = proptest::collection::SizeRange> {
        (0usize..1_000).prop_perturb(|size, _| size.into())
    }

    use super::shut::strategies::{grams, plot, sealed, stock};

    #[test]
    fn code_by_closure() {
        let codes = sealed();
        proptest!(|(code in codes)| prop_assert!(code.code() < 1_000, \"too long\"));
    }

    #[test]
    fn code_by_runner() {
        let mut runner = TestRunner::default();
        let codes = sealed();
        let outcome = runner.run(&(codes, 0u8..1), |(code, _)| {
            prop_assert!(code.code() < 1_000, \"too long\");
            Ok(())
        });
        outcome.unwrap();
    }

    proptest! {
        #[test]
        fn a_parcel_is_light(parcel in prop::collection::vec(grams(), 1..3)) {
            prop_assert!(parcel.iter().all(|grams| grams.get() < 31_500), \"too heavy\");
        }

        #[test]
        fn a_code_is_short(code in sealed()) {
            prop_assert!(code.code() < 1_000, \"too long\");
        }

        #[test]
        fn a_size_is_small(size in size()) {
            prop_assert!(size.end_excl() < 100, \"too large a size\");
        }

        #[test]
        fn a_count_is_small(count in 0u32..1_000_000) {
            prop_assert!(count < 1_000, \"too many\");
        }

        #[test]
        fn a_plot_is_small(plot in plot()) {
            prop_assert!(plot.area() < 10_000, \"too large\");
        }

        #[test]
        fn nothing_is_in_stock(stock in stock()) {
            prop_assert!(stock.is_empty(), \"there is some\");
        }
    }
}
";

/// What a run prints of a property that failed, and that kept no seed.
fn report(test: &str, message: &str, input: &str) -> String {
    format!(
        "---- sealed::tests::{test} stdout ----\n\nthread 'sealed::tests::{test}' panicked at src/sealed.rs:55:5:\n\
         Test failed: {message}.\nminimal failing input: {input}\n\tsuccesses: 1\n\tlocal rejects: 0\n\tglobal rejects: 0\n\n"
    )
}

#[test]
fn each_value_is_pinned_on_the_best_rung_that_holds_it() {
    let bench = Bench::new("rungs");
    bench.write("src/sealed.rs", SEALED);
    bench.edit("src/lib.rs", "pub mod statement;", "pub mod sealed;\npub mod statement;");
    bench.write(".redpin/config.toml", "[pins]\nfind-seeds = \"along\"\n");
    bench.git(&["add", "src/sealed.rs", ".redpin/config.toml"]);
    bench.commit("Seal some values");
    let log = [
        "running 8 tests\n\nfailures:\n\n".to_owned(),
        report("a_parcel_is_light", "too heavy", "parcel = [\n    Grams(\n        31500,\n    ),\n]"),
        report("a_code_is_short", "too long", "code = Sealed {\n    code: 1000,\n}"),
        report("a_size_is_small", "too large a size", "size = SizeRange(\n    99..100,\n)"),
        report("code_by_closure", "too long", "code = Sealed {\n    code: 1000,\n}"),
        "---- sealed::tests::code_by_runner stdout ----\n\nthread 'sealed::tests::code_by_runner' panicked at \
         src/sealed.rs:99:17:\ncalled `Result::unwrap()` on an `Err` value: Fail(Reason(\"too long at src/sealed.rs:96\"), \
         (Sealed { code: 1000 }, 0))\n\n"
            .to_owned(),
        report("a_count_is_small", "too many", "count = 1000"),
        // No plot is so wide: it cannot come up again.
        report("a_plot_is_small", "too large", "plot = Plot {\n    wide: 10000,\n    long: 1,\n}"),
        report("nothing_is_in_stock", "there is some", "stock = {\n    0: 0,\n}"),
    ];
    let log = bench.write_beside("sealed.log", &log.concat());
    assert_eq!(bench.redpin(&["import", "--json", &log]).0, 0);
    let (code, answer) = bench.redpin(&["pin", "--json", "--all"]);
    let told = |pin: &serde_json::Value| {
        let [test, rung, proof] = ["test", "rung", "proof"].map(|key| pin[key].as_str().unwrap_or("-").to_owned());
        let property = test.rsplit_once("_pin_").map_or(test.clone(), |(property, _)| property.to_owned());
        [property, rung, proof]
    };
    let mut pins: Vec<[String; 3]> = answer["pins"].as_array().unwrap().iter().map(told).collect();
    pins.sort();
    let expected = [
        ["sealed::tests::a_code_is_short", "replayed", "red"],
        ["sealed::tests::a_count_is_small", "literal", "red"],
        ["sealed::tests::a_parcel_is_light", "constructed", "red"],
        ["sealed::tests::a_plot_is_small", "replayed", "red"],
        ["sealed::tests::a_size_is_small", "constructed", "red"],
        ["sealed::tests::code_by_closure", "replayed", "red"],
        ["sealed::tests::code_by_runner", "replayed", "red"],
        ["sealed::tests::nothing_is_in_stock", "literal", "red"],
    ];
    assert_eq!((code, pins), (0, expected.map(|pin| pin.map(str::to_owned)).to_vec()), "{answer:#}");
    let pinned = bench.read("src/sealed.rs");
    assert!(pinned.contains("Grams::new(31_500).unwrap()];"), "{pinned}");
    assert!(pinned.contains("if printed != \"Sealed { code: 1000 }\" {"), "{pinned}");
    // By what the source of another package offers.
    assert!(pinned.contains("let size = proptest::collection::SizeRange::from(99..100);"), "{pinned}");
    // A seed was found for each, also beside tests that need none, as others are run anyhow. Properties of one file may
    // share one.
    let told = answer["pins"].as_array().unwrap().iter().flat_map(|pin| pin["warnings"].as_array().unwrap());
    assert!(
        told.filter_map(|warning| warning.as_str()).all(|told| !told.starts_with("no seed is pinned")),
        "{answer:#}"
    );
    assert!(bench.read("proptest-regressions/sealed.txt").contains("\ncc "));

    is_told_of_another_input(&bench, &answer);
    bench.commit("Pin sealed values");
    is_told_of_another_way(&bench);
    is_told_of_another_value(&bench);
}

/// The pin of an input that did not come up again holds one that did, and is not pinned a second time.
fn is_told_of_another_input(bench: &Bench, answer: &serde_json::Value) {
    let is_it = |pin: &&serde_json::Value| pin["test"].as_str().unwrap().contains("a_plot_is_small");
    let pin = answer["pins"].as_array().unwrap().iter().find(is_it).unwrap();
    let warnings: Vec<&str> = pin["warnings"].as_array().unwrap().iter().filter_map(|one| one.as_str()).collect();
    let told = warnings.iter().find(|told| told.starts_with("the input on record did not come up again")).unwrap();
    let record = pin["files"].as_array().unwrap().iter().filter_map(|file| file.as_str());
    let record = record.filter(|file| file.ends_with(".json")).map(|file| bench.read(file)).collect::<String>();
    let record: serde_json::Value = serde_json::from_str(&record).unwrap();
    let input = record["pin"]["instead"]["counterexample"].as_str().unwrap();
    assert!(told.contains(&format!("it holds `{input}`")) && record["counterexample"] != input, "{told}: {record:#}");
    let value = input.strip_prefix("plot = ").unwrap();
    assert!(bench.read("src/sealed.rs").contains(&format!("if printed != \"{value}\" {{")), "{input}");
    let (_, again) = bench.redpin(&["pin", "--json", "a_plot_is_small"]);
    let again = &again["pins"][0];
    assert_eq!(
        [&again["outcome"], &again["rung"], &again["test"]],
        [&"already-pinned".into(), &pin["rung"], &pin["test"]]
    );
}

/// A change of the strategy, whose seed and steps lead elsewhere then, is none that the property would notice.
fn is_told_of_another_way(bench: &Bench) {
    let (sound, odd) = ("super::Sealed { code })", "super::Sealed { code: code | 1 })");
    bench.edit("src/sealed.rs", sound, odd);
    let (code, answer) = bench.redpin(&["verify", "--json", "a_code_is_short"]);
    let pin = &answer["pins"][0];
    assert_eq!(
        (code, &pin["state"], &pin["handle"]),
        (1, &"red-for-another-reason".into(), &"dead".into()),
        "{answer:#}"
    );
    let reached =
        "the seed and the steps of shrinking lead to another input than the one on record: Sealed { code: 1001 }";
    assert_eq!(pin["message"], reached);
    let told = answer["notices"][0]["text"].as_str().unwrap();
    assert!(told.contains("`code = Sealed { code: 1000 }`, and leads to `Sealed { code: 1001 }` here"), "{told}");
    bench.edit("src/sealed.rs", odd, sound);
}

/// A change of what makes a pin's value turns the pin green and mends nothing.
fn is_told_of_another_value(bench: &Bench) {
    let (sound, clamps) = ("then_some(Grams(grams))", "then_some(Grams(grams.min(31_499)))");
    let pin = "a_parcel_is_light";
    bench.edit("src/sealed.rs", sound, clamps);
    let (code, answer) = bench.redpin(&["verify", "--base", "HEAD", "--json", pin]);
    let value = serde_json::json!({ "before": "[Grams(31500)]", "here": "[Grams(31499)]", "message": "" });
    assert_eq!((code, &answer["pins"][0]["value"]), (0, &value), "{answer:#}");
    let told = answer["notices"][0]["text"].as_str().unwrap();
    assert!(told.contains("`[Grams(31500)]` has become `[Grams(31499)]`, so how it comes out here"), "{told}");
    let again = bench.command(&["verify", "--base", "HEAD", "--json", pin]).output().unwrap();
    let (out, said) = (String::from_utf8(again.stdout).unwrap(), String::from_utf8(again.stderr).unwrap());
    assert_eq!(serde_json::from_str::<serde_json::Value>(&out).unwrap(), answer);
    assert_eq!(said.matches("running 1 test\n").count(), 2, "the pin is run on both sides again: {said}");
    assert!(!said.contains("Compiling"), "where no file changed, nothing is built again: {said}");
    let (_, answer) = bench.redpin(&["verify", "--expect", "green", "--json", pin]);
    assert_eq!(answer["pins"][0]["value"], value, "{answer:#}");

    let (small, refuses) = ("(grams < 100_000)", "(grams < 31_000)");
    bench.edit("src/sealed.rs", clamps, sound);
    bench.edit("src/sealed.rs", small, refuses);
    let (_, answer) = bench.redpin(&["verify", "--json", pin]);
    let pinned = &answer["pins"][0];
    let message = "called `Option::unwrap()` on a `None` value";
    assert_eq!(
        (&pinned["state"], &pinned["value"]["here"]),
        (&"red-for-another-reason".into(), &serde_json::Value::Null)
    );
    assert_eq!(pinned["value"]["message"], message);

    bench.edit("src/sealed.rs", refuses, small);
    bench.edit("src/sealed.rs", "            self.0\n", "            self.0 / 10\n");
    let (_, answer) = bench.redpin(&["verify", "--base", "HEAD", "--json", pin]);
    assert_eq!((&answer["pins"][0]["value"], &answer["notices"]), (&serde_json::Value::Null, &serde_json::json!([])));
}
