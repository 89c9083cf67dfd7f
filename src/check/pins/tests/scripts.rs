//! Changes of the workflows and scripts that run the tests, in each stack.

use super::Sample;

const CI: &str = ".github/workflows/ci.yml";

/// A workflow whose one job runs `command`.
fn workflow(command: &str) -> String {
    format!(
        "jobs:\n  test:\n    runs-on: ubuntu-latest\n    steps:\n      - uses: actions/checkout@v4\n      - run: {command}\n"
    )
}

/// A property of each stack, and the command that runs all.
fn samples() -> [(Sample, &'static str); 3] {
    let rust = "proptest! {\n    #[test]\n    fn a(n in 0u8..9) { prop_assert!(n < 9); }\n}\n";
    let python =
        "from hypothesis import given, strategies as st\n\n@given(st.integers())\ndef test_a(n):\n    assert n == n\n";
    let node = "import fc from 'fast-check';\nit('a', () => fc.assert(fc.property(fc.nat(), (n) => n >= 0)));\n";
    let sample = |files: &[(&'static str, &str)], command| (Sample::new(files).and(CI, &workflow(command)), command);
    [
        sample(&[("Cargo.toml", "[package]\nname = \"a\"\n"), ("tests/a.rs", rust)], "cargo nextest run --workspace"),
        sample(&[("tests/test_a.py", python)], "uv run pytest tests"),
        sample(&[("package.json", "{}\n"), ("test/a.test.ts", node)], "npx vitest run"),
    ]
}

#[test]
fn commands_that_run_other_tests_are_told() {
    let narrower = [
        ["cargo nextest run --workspace -E 'not test(a)'", "cargo nextest run -p other", "cargo test --lib"],
        [
            "uv run pytest tests --deselect tests/test_a.py::test_a",
            "uv run pytest tests -k 'not a'",
            "uv run pytest docs",
        ],
        ["npx vitest run --exclude test/a.test.ts", "npx vitest run -t b", "npx vitest run src"],
    ];
    for ((base, command), narrower) in samples().into_iter().zip(narrower) {
        for other in narrower {
            base.is_told(&base.and(CI, &workflow(other)), &["run-changed"]);
        }
        base.is_told(&base.and(CI, &workflow(&format!("{command} || true"))), &["run-changed"]);
        base.is_told(&base.and(CI, &workflow("make lint")), &["run-changed"]);
        base.is_told(&base.without(CI), &["run-changed"]);
        base.is_told(&base.with(CI, &[("    runs-on", "    if: false\n    runs-on")]), &["run-changed"]);
        base.is_told(
            &base.with(CI, &[("      - run", "      - continue-on-error: true\n        run")]),
            &["run-changed"],
        );
    }
}

#[test]
fn commands_that_run_as_much_are_silent() {
    let quiet = ["--no-fail-fast", "-q --junitxml=out.xml", "--reporter=junit"];
    for ((base, command), quiet) in samples().into_iter().zip(quiet) {
        base.is_silent(&base.and(CI, &workflow(&format!("{command} {quiet}"))));
        base.is_silent(&base.and(CI, &format!("{}      - run: {command} --other\n", workflow(command))));
        base.is_silent(
            &base.and(".github/workflows/smoke.yml", &workflow("pytest -k smoke && npx jest a && cargo test a")),
        );
        base.is_silent(&base.moved(CI, ".github/workflows/tests.yml"));
        base.is_silent(
            &base.with(CI, &[("ubuntu-latest", "ubuntu-24.04"), ("jobs:", "# All tests: pytest -k x\njobs:")]),
        );
    }
}
