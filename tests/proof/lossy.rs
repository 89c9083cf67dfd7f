//! Pins of values that print less than they hold, of a run that left off shrinking them.

use super::bench::Bench;

const MARKS: &str = "//! Many marks.

#[derive(Clone)]
pub struct Marks(Vec<bool>);

impl Marks {
    pub fn has_high(&self) -> bool {
        self.0.iter().skip(3_000).any(|mark| *mark)
    }
}

impl std::fmt::Debug for Marks {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, \"Marks<{} in all>\", self.0.iter().filter(|mark| **mark).count())
    }
}

#[cfg(test)]
mod sets {
    use super::Marks;
    use proptest::bits::{BitSetLike, SampledBitSetStrategy};

    impl BitSetLike for Marks {
        fn new_bitset(max: usize) -> Self {
            Marks(vec![false; max])
        }

        fn len(&self) -> usize {
            self.0.len()
        }

        fn test(&self, at: usize) -> bool {
            self.0[at]
        }

        fn set(&mut self, at: usize) {
            self.0[at] = true;
        }

        fn clear(&mut self, at: usize) {
            self.0[at] = false;
        }
    }

    impl Marks {
        pub fn sampled() -> SampledBitSetStrategy<Marks> {
            SampledBitSetStrategy::new(1..2_000, 0..4_096)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Marks;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig { max_shrink_iters: 8, ..ProptestConfig::default() })]

        #[test]
        fn nothing_is_high(marks in Marks::sampled()) {
            prop_assert!(!marks.has_high(), \"too high\");
        }
    }
}
";

#[test]
fn shrinking_goes_on_where_a_run_left_off_and_a_set_is_made_of_its_bits() {
    let bench = Bench::new("lossy");
    bench.write("src/marks.rs", MARKS);
    bench.edit("src/lib.rs", "pub mod statement;", "pub mod marks;\npub mod statement;");
    bench.git(&["add", "src/marks.rs"]);
    bench.commit("Mark");
    let log = "running 1 test\n\nfailures:\n\n---- marks::tests::nothing_is_high stdout ----\n\
               proptest: Aborting shrinking after the PROPTEST_MAX_SHRINK_ITERS environment variable or \
               ProptestConfig.max_shrink_iters iterations (set 8 to a large(r) value to shrink more; current configuration: 8 \
               iterations)\n\nthread 'marks::tests::nothing_is_high' panicked at src/marks.rs:59:5:\nTest failed: too high.\n\
               minimal failing input: marks = Marks<1234 in all>\n\tsuccesses: 1\n\tlocal rejects: 0\n\tglobal rejects: \
               0\n\n";
    let log = bench.write_beside("marks.log", log);
    assert_eq!(bench.redpin(&["import", "--json", &log]).0, 0);
    let (code, answer) = bench.redpin(&["pin", "--json", "--all"]);
    let pin = &answer["pins"][0];
    assert_eq!((code, &pin["rung"], &pin["proof"]), (0, &"constructed".into(), &"red".into()), "{answer:#}");
    let told = pin["warnings"].as_array().unwrap().iter().filter_map(|one| one.as_str());
    let further = "shrinking was cut off in the run and went on from there: it holds `marks = Marks<1 in all>`";
    assert_eq!(told.filter(|told| told.starts_with(further)).count(), 1, "{answer:#}");
    let test = bench.read("src/marks.rs");
    let made = "let mut set = <Marks as ::proptest::bits::BitSetLike>::new_bitset(4096);\n            for bit in [";
    assert_eq!(test.matches(made).count(), 1, "{test}");
}
