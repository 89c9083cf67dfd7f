//! Changes of a package with properties of Hypothesis.

use super::Sample;

const TESTS: &str = "tests/test_billing.py";
const GENS: &str = "tests/gens.py";
const CONFTEST: &str = "tests/conftest.py";

const BILLING: &str = r#""""Props."""
import pytest
from hypothesis import given, settings, example, assume, strategies as st
from ledger.billing import split
from tests.gens import amounts

MOST = 24
PARTS = st.integers(1, MOST)


def check_even(out):
    assert max(out) - min(out) <= 1


@settings(max_examples=1000)
@given(total=st.integers(0, 10_000_000), parts=PARTS, names=st.lists(st.integers(0, 1000), min_size=1, max_size=20))
@example(total=3, parts=2, names=[1])
def test_bill_4_spread(total, parts, names):
    """BILL-4"""
    out = split(total, parts)
    gap = max(out) - min(out)
    assert gap <= 1, (total, parts)
    assert len(out) == parts


@given(amounts(), st.text("abc", max_size=5))
def test_bill_1_sum(total, word):
    check_even(split(total, 3))


def test_bill_4_spread_pin_950ab3f():
    out = split(118958, 4)
    assert len(out) == 4
"#;

const SHARED: &str = r"from hypothesis import strategies as st

def amounts():
    return st.integers(0, 1_000_000)

def unspoken():
    pass
";

const CONF: &str = r#"from hypothesis import settings

settings.register_profile("ci", max_examples=1000)
settings.load_profile("ci")
"#;

fn sample() -> Sample {
    Sample::new(&[(TESTS, BILLING), (GENS, SHARED), (CONFTEST, CONF), ("pytest.ini", "[pytest]\naddopts = -q\n")])
}

#[track_caller]
fn check(edits: &[(&str, &str)], kinds: &[&str]) {
    sample().is_told(&sample().with(TESTS, edits), kinds);
}

#[test]
fn harmless_edits_are_silent() {
    for edit in [
        ("out = split(total, parts)", "out = split( total, parts, )  # all of them"),
        ("(total, parts)\n    assert", "f\"{total} of {len(out)}\"\n    assert"),
        ("st.integers(1, MOST)", "st.integers(1, 48)"),
        ("MOST = 24", "MOST = 48"),
        ("st.integers(0, 1000), min_size=1", "st.integers(-1, 1000), min_size=0"),
        ("max_examples=1000", "max_examples=2000, deadline=None"),
        ("test_bill_1_sum", "test_bill_1_whole"),
        ("import pytest", "import pytest\nimport math\nfrom hypothesis import note"),
        ("def check_even", "def other():\n    return 1\n\n\ndef check_even"),
        ("    assert len(out) == parts", "    assert len(out) == parts\n    assert out"),
        ("    assert gap", "    whole = sum(out)\n    assert whole <= total\n    assert gap"),
        ("@given(amounts()", "@given(st.integers())\ndef test_more(n):\n    assert n == n\n\n\n@given(amounts()"),
        ("@example(total=3", "@example(total=4, parts=2, names=[1])\n@example(total=3"),
    ] {
        check(&[edit], &[]);
    }
    let renamed = [
        ("    out = split(total, parts)", "    all = split(total, parts)"),
        ("max(out) - min(out)\n    assert gap", "max(all) - min(all)\n    assert gap"),
        ("len(out) == parts", "len(all) == parts"),
    ];
    check(&renamed, &[]);
    let base = sample();
    base.is_silent(&base.moved(TESTS, "tests/unit/test_billing.py"));
    base.is_silent(&base.with(GENS, &[("def unspoken():\n    pass", "def more():\n    pass")]));
    base.is_silent(&base.with("pytest.ini", &[("-q", "-q --strict-markers -n auto")]));
    let moved_out = "def check_even(out):\n    assert max(out) - min(out) <= 1\n\n\n";
    let there = base.with(TESTS, &[(moved_out, ""), ("import amounts", "import amounts, check_even")]);
    base.is_silent(&there.and(GENS, &format!("{SHARED}\n\n{moved_out}")));
}

#[test]
fn generators_that_give_less_or_something_else_are_told() {
    check(&[("st.integers(1, MOST)", "st.integers(1, 4)")], &["generator-narrowed"]);
    check(&[("MOST = 24", "MOST = 4")], &["generator-narrowed"]);
    check(&[("st.integers(0, 1000)", "st.integers(0, 1)")], &["generator-narrowed"]);
    for (old, new) in
        [("st.integers(0, 1000)", "st.just(0)"), ("\"abc\"", "\"a\""), ("min_size=1", "min_size=1, unique=True")]
    {
        check(&[(old, new)], &["generator-changed"]);
    }
    check(&[("parts=PARTS", "parts=PARTS.filter(lambda n: n < 2)")], &["assumption-added"]);
    let base = sample();
    base.is_told(&base.with(GENS, &[("1_000_000", "1")]), &["support-changed"]);
}

#[test]
fn what_stands_around_a_property_is_told() {
    for decorator in [
        "@nope",
        "@pytest.mark.slow",
        "@pytest.mark.flaky(reruns=3)",
        "@pytest.mark.parametrize(\"x\", [])",
        "@settings(derandomize=True)",
        "@seed(1)",
    ] {
        check(&[("@given(amounts()", &format!("{decorator}\n@given(amounts()"))], &["surroundings-changed"]);
    }
    check(&[("@given(amounts()", "@pytest.mark.skip\n@given(amounts()")], &["property-skipped"]);
    let under = "if False:\n    @given(amounts(), st.text(\"abc\", max_size=5))\n    def test_bill_1_sum(total, word):\n        check_even(split(total, 3))\n";
    let own = "@given(amounts(), st.text(\"abc\", max_size=5))\ndef test_bill_1_sum(total, word):\n    check_even(split(total, 3))\n";
    check(&[(own, under)], &["surroundings-changed"]);
    check(&[("def test_bill_1_sum", "async def test_bill_1_sum")], &["surroundings-changed"]);
    check(&[("    gap =", "    if total:\n        return\n    gap =")], &["body-changed"]);
    check(
        &[("    assert gap <= 1, (total, parts)", "    assert gap <= 1, pytest.skip(\"x\")")],
        &["assertion-removed"],
    );
}

#[test]
fn names_that_mean_something_else_are_told() {
    for (old, new) in [
        ("ledger.billing", "ledger.fake"),
        ("from tests.gens import amounts", "from tests.few import amounts"),
        ("from hypothesis import given,", "from fakes import given\nfrom hypothesis import"),
        ("def check_even(out)", "def max(x):\n    return 0\n\n\ndef check_even(out)"),
        ("def check_even(out)", "def given(*a, **k):\n    return lambda f: None\n\n\ndef check_even(out)"),
        ("def test_bill_4_spread_pin", "del test_bill_1_sum\n\n\ndef test_bill_4_spread_pin"),
        ("def test_bill_4_spread_pin", "test_bill_1_sum = None\n\n\ndef test_bill_4_spread_pin"),
        ("def test_bill_4_spread_pin", "test_bill_1_sum.__test__ = False\n\n\ndef test_bill_4_spread_pin"),
        (
            "def check_even(out)",
            "@pytest.fixture(autouse=True)\ndef swap(monkeypatch):\n    monkeypatch.undo()\n\n\ndef check_even(out)",
        ),
        ("MOST = 24", "pytestmark = pytest.mark.slow\nMOST = 24"),
        ("MOST = 24", "settings.load_profile(\"fast\")\nMOST = 24"),
    ] {
        check(&[(old, new)], &["support-changed"]);
    }
}

#[test]
fn names_that_are_given_on_from_elsewhere_are_told() {
    let base = sample().with(
        GENS,
        &[("def amounts():\n    return st.integers(0, 1_000_000)", "from tests.money import amounts, other")],
    );
    base.is_told(&base.with(GENS, &[("from tests.money import", "from tests.fake import")]), &["support-changed"]);
    base.is_silent(&base.with(GENS, &[("amounts, other", "amounts, another")]));
    let base =
        sample().with(GENS, &[("def amounts():\n    return st.integers(0, 1_000_000)", "from tests.money import *")]);
    base.is_told(&base.with(GENS, &[("from tests.money import", "from tests.fake import")]), &["support-changed"]);
}

#[test]
fn what_decides_which_tests_are_run_is_told() {
    let base = sample();
    base.is_told(&base.with("pytest.ini", &[("-q", "-q -k even")]), &["run-changed"]);
    base.is_told(&base.with("pytest.ini", &[("addopts = -q", "testpaths = other")]), &["run-changed"]);
    base.is_told(
        &base.and("pyproject.toml", "[tool.pytest.ini_options]\npython_files = [\"x_*.py\"]\n"),
        &["run-changed"],
    );
    base.is_told(&base.and("Makefile", "test:\n\tHYPOTHESIS_PROFILE=fast pytest\n"), &["run-changed"]);
    base.is_told(&base.with(CONFTEST, &[("max_examples=1000", "max_examples=1")]), &["support-changed"]);
    base.is_told(
        &base.with(CONFTEST, &[("settings.load", "collect_ignore = [\"test_billing.py\"]\nsettings.load")]),
        &["support-changed"],
    );
    base.is_told(
        &base.and("tests/unit/conftest.py", "def pytest_collection_modifyitems(items):\n    items.clear()\n"),
        &[],
    );
    base.is_told(
        &base.and("conftest.py", "def pytest_collection_modifyitems(items):\n    items.clear()\n"),
        &["support-changed"],
    );
    base.is_told(&base.moved(TESTS, "tests/billing_props.py"), &["property-skipped"]);
    base.is_told(&base.moved(TESTS, "attic/test_billing.py"), &["property-skipped"]);
    base.is_silent(&base.moved(TESTS, "tests/unit/test_billing.py"));
    let beside = base.and("ledger/test_own.py", BILLING);
    beside.is_silent(&beside.moved(TESTS, "ledger/test_billing.py"));
}
