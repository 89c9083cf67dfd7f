//! A made-up night: a crate of many properties and the log of a sweep in which all of them failed, of any size and the
//! same for the same numbers.

use std::io::{self, Write};

/// Lines of a source file before its first property, and lines of each property.
const HEAD: usize = 7;
const EACH: usize = 5;

/// Failures in one test binary of the log.
const BINARY: usize = 50;

/// How large a night.
#[derive(Clone, Copy)]
pub(crate) struct Nightly {
    /// Failing properties.
    pub(crate) failures: usize,
    /// Source files they are spread over.
    pub(crate) files: usize,
    /// Size of the log, at least that of its reports.
    pub(crate) bytes: usize,
}

impl Nightly {
    /// The crate's files with their texts.
    pub(crate) fn sources(&self) -> Vec<(String, String)> {
        let modules: String = (0..self.files).map(|file| format!("mod m{file:03};\n")).collect();
        let manifest = "[package]\nname = \"nightly\"\nversion = \"0.1.0\"\nedition = \"2021\"\n";
        let mut files = vec![("Cargo.toml".into(), manifest.into()), ("src/lib.rs".into(), modules)];
        files.extend((0..self.files).map(|file| (format!("src/m{file:03}.rs"), self.source(file))));
        files
    }

    fn source(&self, file: usize) -> String {
        let mut text =
            String::from("//! Rules.\n\n#[cfg(test)]\nmod tests {\n    use proptest::prelude::*;\n\n    proptest! {\n");
        for number in (file..self.failures).step_by(self.files) {
            let shape = Shape::of(number);
            text += &format!("        #[test]\n        fn prop_{number:06}({}) {{\n", shape.parameters());
            text += &format!("            prop_assert_eq!({}, 0);\n        }}\n\n", shape.expression());
        }
        text + "    }\n}\n"
    }

    /// The log of the sweep.
    pub(crate) fn write_log(&self, out: &mut dyn Write) -> io::Result<()> {
        let mut dice = Dice(0x9e37_79b9_7f4a_7c15);
        let noise = noise(&mut dice);
        let binaries = self.failures.div_ceil(BINARY).max(1);
        for binary in 0..binaries {
            let numbers = binary * BINARY..self.failures.min((binary + 1) * BINARY);
            let mut reports = Vec::new();
            numbers.clone().try_for_each(|number| self.report(number, &mut dice, &mut reports))?;
            writeln!(out, "     Running unittests src/lib.rs (target/debug/deps/nightly-{:016x})\n", dice.roll())?;
            writeln!(out, "running {} tests", numbers.len())?;
            pad(out, &noise, (self.bytes / binaries).saturating_sub(reports.len()))?;
            writeln!(out, "\nfailures:\n")?;
            out.write_all(&reports)?;
            writeln!(out, "\nfailures:")?;
            numbers.clone().try_for_each(|number| writeln!(out, "    {}", self.test(number)))?;
            let failed = numbers.len();
            writeln!(out, "\ntest result: FAILED. 0 passed; {failed} failed; 0 ignored; 0 measured; 0 filtered out\n")?;
        }
        Ok(())
    }

    /// The full name of a property's test.
    fn test(&self, number: usize) -> String {
        format!("m{:03}::tests::prop_{number:06}", number % self.files)
    }

    fn report(&self, number: usize, dice: &mut Dice, out: &mut dyn Write) -> io::Result<()> {
        let (test, file) = (self.test(number), number % self.files);
        let line = HEAD + EACH * (number / self.files) + 3;
        writeln!(out, "---- {test} stdout ----")?;
        if !number.is_multiple_of(3) {
            writeln!(
                out,
                "proptest: Saving this and future failures in /home/ci/nightly/proptest-regressions/m{file:03}.txt"
            )?;
            let seed = [dice.roll(), dice.roll(), dice.roll(), dice.roll()];
            writeln!(
                out,
                "proptest: If this test was run on a CI system, you may wish to add the following line to your copy of the file."
            )?;
            writeln!(out, "cc {:016x}{:016x}{:016x}{:016x}", seed[0], seed[1], seed[2], seed[3])?;
        }
        writeln!(out, "\nthread '{test}' ({}) panicked at src/m{file:03}.rs:{HEAD}:5:", 20_000 + number)?;
        writeln!(
            out,
            "Test failed: assertion failed: `(left == right)` \n  left: `{}`, \n right: `0` at src/m{file:03}.rs:{line}.",
            number + 1
        )?;
        writeln!(out, "minimal failing input: {}", Shape::of(number).value(dice))?;
        writeln!(out, "\tsuccesses: {}\n\tlocal rejects: 0\n\tglobal rejects: 0\n\n", dice.below(20_000))
    }
}

/// What a property takes.
enum Shape {
    Numbers,
    Text,
    Vector,
    Pattern,
}

impl Shape {
    fn of(number: usize) -> Shape {
        [Shape::Numbers, Shape::Text, Shape::Vector, Shape::Pattern].into_iter().nth(number % 4).unwrap_or(Shape::Text)
    }

    fn parameters(&self) -> &'static str {
        match self {
            Shape::Numbers => "total in 0u64..=10_000_000, parts in 1u32..=24",
            Shape::Text => "text in \"[a-z ]{0,9}\"",
            Shape::Vector => "values in prop::collection::vec(any::<u32>(), 0..60)",
            Shape::Pattern => "(at, on) in (any::<i32>(), any::<bool>())",
        }
    }

    fn expression(&self) -> &'static str {
        match self {
            Shape::Numbers => "total * u64::from(parts)",
            Shape::Text => "text.len()",
            Shape::Vector => "values.len()",
            Shape::Pattern => "i64::from(at) + i64::from(on)",
        }
    }

    fn value(&self, dice: &mut Dice) -> String {
        match self {
            Shape::Numbers => format!("total = {}, parts = {}", dice.below(10_000_000), 1 + dice.below(24)),
            Shape::Text => format!("text = {:?}", "b".repeat(1 + dice.below(9) as usize)),
            Shape::Vector => {
                let values: String =
                    (0..1 + dice.below(60)).map(|_| format!("    {},\n", dice.below(1 << 32))).collect();
                format!("values = [\n{values}]")
            }
            Shape::Pattern => format!("(at, on) = (\n    {},\n    {},\n)", dice.below(1 << 31), dice.below(2) == 0),
        }
    }
}

/// Pads with `length` bytes of noise, cut at the end of a line.
fn pad(out: &mut dyn Write, noise: &[u8], length: usize) -> io::Result<()> {
    for _ in 0..length / noise.len() {
        out.write_all(noise)?;
    }
    let rest = &noise[..length % noise.len()];
    let end = rest.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
    out.write_all(&rest[..end])
}

/// About a megabyte of what such logs are full of: passing tests, progress, warnings, panics that a test expects.
fn noise(dice: &mut Dice) -> Vec<u8> {
    let mut text = String::new();
    while text.len() < 1 << 20 {
        let number = dice.below(1_000_000);
        text += &match dice.below(40) {
            0 => format!(
                "warning: unused variable: `rest_{number}`\n  --> src/m{:03}.rs:{}:9\n",
                number % 97,
                number % 900
            ),
            1 => format!(
                "thread 'worker-{number}' panicked at src/queue.rs:{}:13:\nqueue {number} is closed\n",
                number % 400
            ),
            2..6 => format!("2026-11-30T03:{:02}:{:02}Z  INFO sweep: {number} cases done\n", number % 60, number % 59),
            _ => format!("test m{:03}::tests::case_{number:06} ... ok\n", number % 97),
        };
    }
    text.into_bytes()
}

/// Numbers that look thrown, the same in every run (xorshift).
struct Dice(u64);

impl Dice {
    fn roll(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, end: u64) -> u64 {
        self.roll() % end
    }
}
