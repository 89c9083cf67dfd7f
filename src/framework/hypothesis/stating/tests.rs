//! Takes files apart, whole value for whole value where that can be read, and sees that comments and layout make no
//! difference.

use proptest::prelude::*;

use super::{oracle, stating};
use crate::oracle::{Clause, Input, Named, Oracle, Reach, Rule, Shape};
use crate::repo_path::RepoPath;
use crate::source_tree::SourceTree;
use crate::source_tree::testing::Files;

const FILE: &str = "tests/test_split.py";

#[track_caller]
fn read(text: &str) -> Oracle {
    let tree = Files::new([(FILE, text)]);
    oracle(&RepoPath::new(FILE).unwrap(), &tree).unwrap()
}

#[track_caller]
fn only(text: &str) -> Rule {
    let mut rules = read(text).rules;
    assert_eq!(rules.len(), 1, "{rules:#?}");
    rules.remove(0)
}

fn texts(clauses: &[Clause]) -> Vec<(u32, &str)> {
    clauses.iter().map(|clause| (clause.line, clause.text.as_str())).collect()
}

fn named(all: &[Named]) -> Vec<(u32, &str, &str)> {
    all.iter().map(|one| (one.line, one.name.as_str(), one.text.as_str())).collect()
}

fn inputs(rule: &Rule) -> Vec<(&str, &str)> {
    rule.inputs.iter().map(|input| (input.name.as_str(), input.generator.as_str())).collect()
}

fn tests(oracle: &Oracle) -> Vec<&str> {
    oracle.rules.iter().map(|rule| rule.test.0.strip_prefix(FILE).unwrap_or(&rule.test.0)).collect()
}

const SPLIT: &str = "\"\"\"Splitting.\"\"\"
import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from shop import split

MOST = 10_000
parts = st.integers(1, 24)


@pytest.fixture
def rate():
    return 3


class TestSplit:
    \"\"\"BILL-4: fair.\"\"\"

    limit = 1

    def check(self, out):
        assert out

    # [BILL-5] as well
    @settings(max_examples=500, deadline=None)
    # Pinned 2026-11-30: no
    @example(total=2, n=4).via(\"real bug\")
    @example(total=3, n=1).xfail(reason='why')
    @given(total=st.integers(min_value=0, max_value=MOST).filter(lambda t: t % 2), n=parts)
    def test_spread(self, rate, total, n):
        '''One cent.'''
        assume(total >= n)  # else nothing
        out = split(total, n)
        self.check(out)
        assert (max(out) - min(out)
                <= self.limit), 'lopsided'
        with pytest.raises(ValueError):
            split(-1, n)


def test_spread_pin_0a1b2c3():
    # Pinned
    TestSplit.test_spread.hypothesis.inner_test(TestSplit(), 3, 2, 4)
";

#[test]
fn a_property_is_taken_apart() {
    let text = SPLIT;
    let rule = only(text);
    let start = text.find("# [BILL-5]").unwrap();
    let end = text.find("split(-1, n)").unwrap() + "split(-1, n)".len();
    let clause = |line, text: &str| Clause { text: text.to_owned(), line };
    let shape = |low, high| Shape {
        frame: "integers()".to_owned(),
        reaches: vec![Reach { low: Some(low), high: Some(high) }],
        ..Shape::default()
    };
    assert_eq!((rule.span.start, rule.span.end), (start, end));
    assert_eq!(rule.test.0, "tests/test_split.py::TestSplit::test_spread");
    assert_eq!(rule.line, 31);
    assert_eq!(rule.citations, ["\"\"\"BILL-4: fair.\"\"\"", "[BILL-5] as well", "'''One cent.'''"]);
    assert_eq!(
        rule.inputs,
        [
            Input {
                name: "total".to_owned(),
                generator: "st.integers(min_value=0, max_value=MOST).filter(lambda t: t % 2)".to_owned(),
                shape: shape(0, 10_000),
            },
            Input { name: "n".to_owned(), generator: "parts".to_owned(), shape: shape(1, 24) },
        ]
    );
    assert_eq!((rule.cases, rule.skipped), (Some(500), None));
    assert_eq!(
        rule.asserts,
        [clause(36, "assert max(out) - min(out) <= self.limit"), clause(38, "pytest.raises(ValueError)")]
    );
    assert_eq!(rule.assumes, [clause(30, ".filter(lambda t: t % 2)"), clause(33, "assume(total >= n)")]);
    assert_eq!(
        rule.examples,
        [clause(28, "@example(total=2, n=4)"), clause(29, "@example(total=3, n=1).xfail(reason=\"why\")")]
    );
    assert_eq!(
        rule.body,
        "assume(total >= n); out = split(total, n); self.check(out); assert max(out) - min(out) <= self.limit; \
         with pytest.raises(ValueError) { split(-1, n) }"
    );
}

#[test]
fn what_stands_beside_is_told() {
    let oracle = read(SPLIT);
    assert_eq!(
        named(&oracle.support),
        [
            (8, "MOST", "MOST = 10_000"),
            (9, "parts", "parts = st.integers(1, 24)"),
            (13, "rate", "@pytest.fixture def rate() { return 3 }"),
            (17, "TestSplit", "class TestSplit"),
            (20, "TestSplit.limit", "limit = 1"),
            (22, "TestSplit.check", "def check(self, out) { assert out }"),
        ]
    );
    assert_eq!(
        named(&oracle.pins),
        [(
            42,
            "tests/test_split.py::test_spread_pin_0a1b2c3",
            "def test_spread_pin_0a1b2c3() { TestSplit.test_spread.hypothesis.inner_test(TestSplit(), 3, 2, 4) }"
        )]
    );
    assert_eq!(oracle.rest, "");
}

const FRONT: &str = "import pytest, unittest\nimport hypothesis as h, hypothesis.strategies as st\nfrom hypothesis import given as g, settings\n";

#[test]
fn a_property_is_known_however_given_is_written() {
    let text = format!(
        "{FRONT}orders = h.given(st.integers())\nslow = settings(max_examples=9)\n@g(st.text())\ndef test_a(x): pass\n\
         @orders\n@slow\nasync def test_b(x): pass\n@pytest.mark.parametrize('n, m', [(1, 2)], ids=str)\n@h.given(...)\n\
         def test_c(n, m, x: list[int]): pass\n@h.given(y=..., **MORE)\ndef test_d(x, y: int): pass\n\
         @h.example(1)\n@h.given(st.none(), st.booleans())\n@settings(max_examples=1 if CI else 2)\ndef test_e(conf, x, y): pass\n\
         def test_plain(): assert 1\n"
    );
    let oracle = read(&text);
    assert_eq!(tests(&oracle), ["::test_a", "::test_b", "::test_c", "::test_d", "::test_e"]);
    let given: Vec<Vec<(&str, &str)>> = oracle.rules.iter().map(inputs).collect();
    assert_eq!(given[0], [("x", "st.text()")]);
    assert_eq!(given[1], [("x", "st.integers()")]);
    assert_eq!(given[2], [("x", "list[int]"), ("n, m", "parametrize([(1, 2)], ids=str)")]);
    assert_eq!(given[3], [("y", "int"), ("", "**MORE")]);
    assert_eq!(given[4], [("x", "st.none()"), ("y", "st.booleans()")]);
    let cases: Vec<Option<u64>> = oracle.rules.iter().map(|rule| rule.cases).collect();
    assert_eq!(cases, [None, Some(9), None, None, None]);
    assert_eq!(texts(&oracle.rules[4].examples), [(16, "@example(1)")]);
    assert!(named(&oracle.support).contains(&(20, "test_plain", "def test_plain() { assert 1 }")));
}

#[track_caller]
fn check_skipped(text: &str, expected: Option<&str>) {
    assert_eq!(only(&format!("{FRONT}{text}")).skipped.as_deref(), expected, "{text}");
}

#[test]
fn what_has_a_runner_pass_a_property_over_is_told() {
    let own = |mark: &str| format!("{mark}\n@g(st.text())\ndef test_a(x): assert x\n");
    check_skipped(&own(""), None);
    check_skipped(&own("@pytest.mark.skip( 'later' )"), Some("@pytest.mark.skip(\"later\")"));
    check_skipped(&own("@pytest.mark.skipif(True, reason='x')"), Some("@pytest.mark.skipif(True, reason=\"x\")"));
    check_skipped(&own("@pytest.mark.xfail"), Some("@pytest.mark.xfail"));
    check_skipped(&own("@unittest.expectedFailure"), Some("@unittest.expectedFailure"));
    check_skipped(&own("pytestmark = [pytest.mark.skip]"), Some("pytestmark = [pytest.mark.skip]"));
    check_skipped(
        &own("pytest.skip('no', allow_module_level=True)"),
        Some("pytest.skip(\"no\", allow_module_level=True)"),
    );
    check_skipped(&own("@settings(phases=[h.Phase.explicit])"), Some("@settings(phases=[h.Phase.explicit])"));
    check_skipped(&own("@settings(phases=[h.Phase.generate])"), None);
    check_skipped(
        &own("@h.example(1)\n@settings(phases=[h.Phase.generate])"),
        Some("@settings(phases=[h.Phase.generate])"),
    );
    check_skipped("@g(st.text())\ndef test_a(x):\n    pytest.skip('no')\n    assert x\n", Some("pytest.skip(\"no\")"));
    check_skipped("@g(st.text())\ndef xtest_a(x): assert x\n", Some("def xtest_a"));
    check_skipped("@g(st.text())\ndef law(x): assert x\ndef test_a(): law()\n", None);
    check_skipped("@g(st.text())\ndef test_a(x): assert x\n\ndef test_a(): pass\n", Some("def test_a"));
    let class = |mark: &str, inside: &str| {
        format!(
            "{mark}\nclass TestA(unittest.TestCase):\n    {inside}\n    @g(st.text())\n    def test_a(self, x): assert x\n"
        )
    };
    check_skipped(&class("", "x = 1"), None);
    check_skipped(&class("@unittest.skip('no')", "x = 1"), Some("@unittest.skip(\"no\")"));
    check_skipped(&class("", "__test__ = False"), Some("__test__ = False"));
    check_skipped(
        &class("", "pytestmark = pytest.mark.skip(reason='x')"),
        Some("pytestmark = pytest.mark.skip(reason=\"x\")"),
    );
}

#[test]
fn functions_that_pytest_is_told_of_are_no_less_tests() {
    let text = format!("{FRONT}@g(st.text())\ndef prop_a(x): assert x\n");
    let tree = Files::new([(FILE, text.as_str()), ("pytest.ini", "[pytest]\npython_functions = prop_*\n")]);
    assert_eq!(oracle(&RepoPath::new(FILE).unwrap(), &tree).unwrap().rules[0].skipped, None);
}

#[test]
fn assertions_and_assumptions_are_told_in_order() {
    let rule = only(&format!(
        "{FRONT}import numpy as np\nfrom pytest import raises\n@g(st.data())\ndef test_a(self, data):\n\
         \x20   x = data.draw(st.integers().filter(bool))\n    if Model.objects.filter(x): h.reject()\n    h.assume(x > 1)\n\
         \x20   np.testing.assert_allclose(x, 1)\n    self.assertEqual(x, y(1))\n    with raises(KeyError) as e: x[0]\n\
         \x20   assert_that(x).is_equal_to(3)\n    for y in x:\n        assert y, f'{{y}}'\n        continue\n        assert z\n\
         \x20   if x:\n        raise AssertionError(x)\n    pytest.fail('no')\n    return\n    assert x\n"
    ));
    assert_eq!(
        texts(&rule.asserts),
        [
            (11, "np.testing.assert_allclose(x, 1)"),
            (12, "self.assertEqual(x, y(1))"),
            (13, "raises(KeyError)"),
            (14, "assert_that(x).is_equal_to(3)"),
            (16, "assert y"),
            (20, "raise AssertionError(x)"),
            (21, "pytest.fail(\"no\")"),
        ]
    );
    assert_eq!(texts(&rule.assumes), [(8, ".filter(bool)"), (9, "h.reject()"), (10, "h.assume(x > 1)")]);
}

#[test]
fn a_property_in_the_body_of_a_test_is_the_tests() {
    let rule = only(&format!(
        "{FRONT}def test_outer(rate):\n    @settings(max_examples=7)\n    @g(x=st.integers(0, 3))\n    def inner(x):\n        assert x < rate\n\n    inner()\n"
    ));
    assert_eq!(rule.test.0, "tests/test_split.py::test_outer");
    assert_eq!((inputs(&rule), rule.cases), (vec![("x", "st.integers(0, 3)")], Some(7)));
    assert_eq!(texts(&rule.asserts), [(8, "assert x < rate")]);
}

const MACHINE: &str = "from hypothesis import assume, settings, strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine as Base, initialize, invariant, precondition, rule

class Shop(Base):
    things = Bundle('things')

    @initialize(target=things, n=st.integers(0, 2))
    def start(self, n): return n

    @precondition(lambda self: self.open)
    @rule(thing=things, count=st.integers(1, 9).filter(bool))
    def buy(self, thing, count):
        assume(thing)

    @invariant()
    def never_negative(self):
        assert self.stock >= 0
";

#[test]
fn a_state_machine_is_a_property() {
    let check = |after: &str, expected: &[(&str, Option<u64>)]| {
        let oracle = read(&format!("{MACHINE}\n{after}"));
        let told: Vec<(&str, Option<u64>)> =
            tests(&oracle).into_iter().zip(oracle.rules.iter().map(|rule| rule.cases)).collect();
        assert_eq!(told, expected, "{after}");
    };
    check("TestShop = Shop.TestCase\n", &[("::TestShop::runTest", None)]);
    check(
        "TestShop = Shop.TestCase\nTestShop.settings = settings(max_examples=5)\n",
        &[("::TestShop::runTest", Some(5))],
    );
    check(
        "class TestShop(Shop.TestCase):\n    settings = settings(max_examples=6)\n",
        &[("::TestShop::runTest", Some(6))],
    );
    check(
        "def test_shop():\n    run_state_machine_as_test(Shop, settings=settings(max_examples=7))\n",
        &[("::test_shop", Some(7))],
    );
    check("", &[("::Shop::TestCase::runTest", None)]);
    check("class Sub(Shop):\n    pass\nTestSub = Sub.TestCase\n", &[("::TestSub::runTest", None)]);
    let rule = only(&format!("{MACHINE}TestShop = Shop.TestCase\n"));
    assert_eq!(
        inputs(&rule),
        [("start.n", "st.integers(0, 2)"), ("buy.thing", "things"), ("buy.count", "st.integers(1, 9).filter(bool)")]
    );
    assert_eq!(rule.inputs[0].shape.reaches, [Reach { low: Some(0), high: Some(2) }]);
    assert_eq!(texts(&rule.asserts), [(17, "assert self.stock >= 0")]);
    assert_eq!(
        texts(&rule.assumes),
        [(10, ".filter(bool)"), (10, "precondition(lambda self: self.open)"), (13, "assume(thing)")]
    );
    assert!(
        rule.body.starts_with("things = Bundle(\"things\"); @initialize(target=things, n=st.integers(0, 2)) def start")
    );
}

#[test]
fn what_a_machine_has_of_its_base_is_its_own() {
    let rule = only(&format!(
        "{MACHINE}class Sub(Shop):\n    @rule()\n    def close(self): assert 1\nTestSub = Sub.TestCase\n"
    ));
    assert_eq!(texts(&rule.asserts), [(17, "assert self.stock >= 0"), (20, "assert 1")]);
    assert_eq!(rule.inputs.len(), 3);
}

#[test]
fn files_that_share_tell_what_they_share() {
    let tree = Files::new([
        (
            "tests/conftest.py",
            "import pytest\n@pytest.fixture\ndef rate(): return 3\nsettings.register_profile('ci', max_examples=9)\n",
        ),
        (
            "tests/kinds.py",
            "import hypothesis.strategies as st\n@st.composite\ndef carts(draw): return draw(st.text())\n",
        ),
        (FILE, SPLIT),
        ("conftest.py", "x = 1\n"),
        ("docs/conftest.py", "x = 1\n"),
        ("shop.py", "def split(): return 'given(' + 'hypothesis'\n"),
        ("plain.py", "x = 1\n"),
    ]);
    let files: Vec<String> = stating(&tree).iter().map(RepoPath::to_string).collect();
    assert_eq!(files, ["conftest.py", "shop.py", "tests/conftest.py", "tests/kinds.py", FILE]);
    let support = |file: &str| {
        let oracle = oracle(&RepoPath::new(file).unwrap(), &tree).unwrap();
        oracle
            .support
            .into_iter()
            .chain(oracle.runs)
            .map(|one| format!("{}: {}", one.name, one.text))
            .collect::<Vec<_>>()
    };
    assert_eq!(
        support("tests/conftest.py"),
        [
            "rate: @pytest.fixture def rate() { return 3 }",
            "settings.register_profile(\"ci\"): settings.register_profile(\"ci\", max_examples=9)"
        ]
    );
    assert_eq!(support("tests/kinds.py"), ["carts: @st.composite def carts(draw) { return draw(st.text()) }"]);
    assert_eq!(support("shop.py"), Vec::<String>::new());
    assert_eq!(support("plain.py"), Vec::<String>::new());
}

#[test]
fn properties_are_found_in_conditions() {
    let oracle = read(&format!(
        "{FRONT}if h.__version__:\n    LEAST = 1\n    @g(st.text())\n    def test_a(x): pass\nelse:\n    @g(st.none())\n    def test_b(x): pass\n\
         try:\n    import fast\nexcept ImportError:\n    fast = None\nif True:\n    MOST = 2\n"
    ));
    assert_eq!(tests(&oracle), ["::test_a", "::test_b"]);
    let names: Vec<&str> = oracle.support.iter().map(|one| one.name.as_str()).collect();
    assert_eq!(names, ["LEAST"]);
    assert_eq!(oracle.runs.iter().map(|one| one.name.as_str()).collect::<Vec<_>>(), ["try", "if True"]);
    let around: Vec<&str> = oracle.rules.iter().flat_map(|rule| &rule.around).map(|one| one.text.as_str()).collect();
    assert_eq!(around, ["if h.__version__", "else", "if h.__version__"]);
}

struct Bytes(&'static [u8]);

impl SourceTree for Bytes {
    fn read(&self, _: &RepoPath) -> Option<std::sync::Arc<[u8]>> {
        Some(self.0.into())
    }

    fn find(&self, _: &dyn Fn(&str) -> bool) -> Vec<RepoPath> {
        Vec::new()
    }
}

#[test]
fn what_cannot_be_read_is_told_in_a_sentence() {
    let check = |bytes: &'static [u8], expected: &str| {
        assert_eq!(oracle(&RepoPath::new(FILE).unwrap(), &Bytes(bytes)).unwrap_err(), expected);
    };
    check(b"import hypothesis\nx = '\xff'\n", "tests/test_split.py is not UTF-8");
    check(b"import hypothesis\ndef f(:\n", "tests/test_split.py is no Python that can be read");
    assert_eq!(oracle(&RepoPath::new(FILE).unwrap(), &Files::new([])), Ok(Oracle::default()));
    // What states nothing need not be readable.
    assert_eq!(oracle(&RepoPath::new(FILE).unwrap(), &Bytes(b"print 'x'\xff")), Ok(Oracle::default()));
    let deep: &'static str =
        Box::leak(format!("import hypothesis\nx = {}{}\n", "(".repeat(20_000), ")".repeat(20_000)).into());
    check(deep.as_bytes(), "tests/test_split.py is no Python that can be read");
    let near: &'static str =
        Box::leak(format!("import hypothesis\nx = {}1{}\n", "[".repeat(900), "]".repeat(900)).into());
    assert_eq!(oracle(&RepoPath::new(FILE).unwrap(), &Bytes(near.as_bytes())).unwrap().support.len(), 1);
}

/// What an oracle says but for where it stands.
fn placeless(mut oracle: Oracle) -> Oracle {
    for rule in &mut oracle.rules {
        rule.line = 0;
        rule.span = crate::span::Span::at(0);
        // Comments cite.
        rule.citations.clear();
        [&mut rule.asserts, &mut rule.assumes, &mut rule.examples, &mut rule.around]
            .into_iter()
            .flatten()
            .for_each(|one| one.line = 0);
    }
    let Oracle { pins, support, imports, runs, .. } = &mut oracle;
    [pins, support, imports, runs].into_iter().flatten().for_each(|one| one.line = 0);
    oracle
}

proptest! {
    #[test]
    fn comments_and_blank_lines_change_nothing(
        is_machine: bool,
        added in proptest::collection::vec((0usize..60, prop::sample::select(vec!["", "    ", "# given(x)", "        # assert 1", "\t"])), 0..12),
        remarks in proptest::collection::vec(0usize..60, 0..6),
    ) {
        let text = if is_machine { MACHINE } else { SPLIT };
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        for at in &remarks {
            if let Some(line) = lines.get_mut(*at) {
                line.push_str("  # @example(1)");
            }
        }
        for (at, line) in &added {
            lines.insert(*at % (lines.len() + 1), (*line).to_owned());
        }
        let changed = lines.join("\n");
        prop_assert_eq!(placeless(read(&changed)), placeless(read(text)));
        prop_assert_eq!(placeless(read(&changed.replace('\n', "\r\n"))), placeless(read(text)));
    }

    #[test]
    fn no_text_panics(
        cut in 0usize..1_400,
        junk in "[ -~\\n]{0,12}",
        is_machine: bool,
    ) {
        let text = if is_machine { MACHINE } else { SPLIT };
        let at = cut % text.len();
        let broken = format!("{}{junk}{}", &text[..at], &text[(at + junk.len()).min(text.len())..]);
        let tree = Files::new([(FILE, broken.as_str())]);
        if let Ok(oracle) = oracle(&RepoPath::new(FILE).unwrap(), &tree) {
            for rule in &oracle.rules {
                prop_assert!(broken.get(rule.span.range()).is_some_and(|text| !text.is_empty()));
                prop_assert!(!rule.body.contains('\n'));
            }
        }
    }
}
