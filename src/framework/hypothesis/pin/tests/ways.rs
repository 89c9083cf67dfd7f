//! The rungs of the ladder: what no example holds becomes a test of its own, and what no text tells is replayed.

use super::{FILE, check_refused, failure, pinned_in};
use crate::failure::{Failure, Replay};
use crate::framework::hypothesis::Hypothesis;
use crate::framework::{Case, Pinning};
use crate::pin::{Pin, Rung};
use crate::source_tree::testing::Files;

/// The rungs of the pins that are tried for a failure in a file, and the first of them.
fn tried(text: &str, failure: &Failure) -> (Vec<Rung>, Pin) {
    let tree = Files::new([(FILE, text)]);
    let case = Case { failure, requirement: None, tree: &tree, today: "2026-11-30" };
    let first = Hypothesis.pin(&case).unwrap();
    (Hypothesis.literals(&case).iter().map(|one| one.pin.rung).collect(), first)
}

/// What the pin of `failure` puts into a file that holds `text`, after the words `after` of it. Its digest is left out.
#[track_caller]
fn check_test(text: &str, failure: &Failure, after: &str, expected: &str) {
    let found = pinned_in(&[(FILE, text)], failure).unwrap();
    let at = text.find(after).unwrap() + after.len();
    let added = found.strip_prefix(&text[..at]).and_then(|rest| rest.strip_suffix(&text[at..]));
    let added = added.unwrap_or_else(|| panic!("{found}"));
    let digest = added.find("_pin_").map_or("", |at| &added[at + 5..at + 12]);
    assert_eq!(added.replace(digest, "0a").trim_matches('\n'), expected, "{found}");
}

const HEAD: &str = "from hypothesis import given, strategies as st\n\n\n";

#[test]
fn draws_of_a_method_are_given_again_in_its_class() {
    let text = format!(
        "{HEAD}class TestA:\n    @pytest.mark.slow\n    @pytest.mark.parametrize('lim', [3, 4])\n    @given(st.data(), st.integers())\n\
         \x20   def test_x(self, lim, conf, data, q): pass\n\n    def test_y(self): pass\n"
    );
    let told = [
        ("self", "<test_a.TestA object at 0x7f1>"),
        ("lim", "3"),
        ("conf", "{'a': <object>}"),
        ("data", "data(...)"),
        ("q", "0"),
        ("Draw 1", "5"),
    ];
    let expected = "    @pytest.mark.slow\n    def test_x_pin_0a(self, conf):\n        # Pinned 2026-11-30: assert 3 < 3\n        drawn = iter([5])\n\n\
        \x20       class Drawn:\n            def draw(self, strategy, label=None):\n                return next(drawn)\n\n\
        \x20       self.test_x.hypothesis.inner_test(self, lim=3, conf=conf, data=Drawn(), q=0)";
    let after = "def test_x(self, lim, conf, data, q): pass";
    check_test(&text, &failure("TestA::test_x[3]", 0, &told), after, expected);
    // The address of an object is another one in every run, and the pin the same.
    let again = told.map(|(name, text)| (name, if name == "self" { "<test_a.TestA object at 0x7f2>" } else { text }));
    let name = |told: &[(&str, &str)]| tried(&text, &failure("TestA::test_x[3]", 0, told)).1.test;
    assert_eq!(name(&told), name(&again));
}

#[test]
fn draws_of_an_asynchronous_test_are_awaited() {
    let text = format!("{HEAD}@pytest.mark.anyio\n@given(d=st.data())\nasync def test_x(d): pass\n");
    let expected = "@pytest.mark.anyio\nasync def test_x_pin_0a(rule=test_x.hypothesis.inner_test):\n    # Pinned 2026-11-30: assert 3 < 3\n\
        \x20   from decimal import Decimal\n\n    drawn = iter([Decimal('1')])\n\n    class Drawn:\n        def draw(self, strategy, label=None):\n\
        \x20           return next(drawn)\n\n    await rule(d=Drawn())";
    let told = [("d", "data(...)"), ("Draw 1 (n)", "Decimal('1')")];
    check_test(&text, &failure("test_x[asyncio]", 0, &told), "async def test_x(d): pass\n", expected);
}

#[test]
fn draws_of_a_static_method_have_no_object() {
    let text =
        format!("{HEAD}class TestA:\n    @staticmethod\n    @given(data=st.data())\n    def test_x(data): pass\n");
    let found = pinned_in(&[(FILE, &text)], &failure("TestA::test_x", 0, &[("data", "data(...)")])).unwrap();
    let end = "        self.test_x.hypothesis.inner_test(data=Drawn())\n";
    assert!(found.contains("        drawn = iter([])\n") && found.ends_with(end), "{found}");
}

#[test]
fn what_was_drawn_in_steps_is_given_to_them() {
    let text = "class M(RuleBasedStateMachine):\n    def start(self, x): pass\n    def add(self, data, y): pass\n\nTestM = M.TestCase\n";
    let mut one = failure("TestM::runTest", 0, &[]);
    one.counterexample.text = "state = M()\nb_0, b_1 = state.start(x=0)\nDraw 1 (z): 4  # or any other generated value\nDraw 2: [\n    '',\n]\n\
        state.add(data=data(...), y=b_1)\nstate.teardown()"
        .to_owned();
    let expected = "def test_m_pin_0a():\n    # Pinned 2026-11-30: assert 3 < 3\n    drawn = iter([4, ['']])\n\n    class Drawn:\n\
        \x20       def draw(self, strategy, label=None):\n            return next(drawn)\n\n    state = M()\n    b_0, b_1 = state.start(x=0)\n\
        \x20   state.add(data=Drawn(), y=b_1)\n    state.teardown()";
    check_test(text, &one, "TestM = M.TestCase\n", expected);
    // The same where a test runs the machine by a call.
    one.test.0 = format!("{FILE}::test_m");
    let plain = format!("{text}\ndef test_m():\n    run_state_machine_as_test(M)\n");
    assert_eq!(tried(&plain, &one).1.rung, Rung::Constructed);
}

#[test]
fn what_speaks_to_the_library_is_run_by_it() {
    let text = "import hypothesis\nfrom hypothesis import assume, given\n\n\n@given(data=st.data())\ndef test_x(data):\n    assume(data)\n";
    let expected = "def test_x_pin_0a():\n    # Pinned 2026-11-30: assert 3 < 3\n\
        \x20   @hypothesis.settings(phases=[hypothesis.Phase.explicit], deadline=None)\n    @hypothesis.example(None)\n\
        \x20   @hypothesis.given(hypothesis.strategies.none())\n    def again(_):\n        drawn = iter([1])\n\n        class Drawn:\n\
        \x20           def draw(self, strategy, label=None):\n                return next(drawn)\n\n\
        \x20       test_x.hypothesis.inner_test(data=Drawn())\n\n    again()";
    let told = [("data", "data(...)"), ("Draw 1", "1")];
    check_test(text, &failure("test_x", 0, &told), "    assume(data)\n", expected);
    let machine = "from hypothesis import note\n\nclass M(RuleBasedStateMachine):\n    def add(self): note('x')\n\nTestM = M.TestCase\n";
    let mut one = failure("TestM::runTest", 0, &[]);
    one.counterexample.text = "state = M()\nstate.add()\nstate.teardown()".to_owned();
    let found = pinned_in(&[(FILE, machine)], &one).unwrap();
    assert!(found.contains("    import hypothesis\n\n") && found.contains("        state = M()\n"), "{found}");
    assert!(found.ends_with("        state.teardown()\n\n    again()\n"), "{found}");
}

#[test]
fn rules_of_a_base_that_stands_elsewhere_are_no_notes() {
    let text = "from there import Base\n\nclass M(Base):\n    def start(self, x): pass\n\nTestM = M.TestCase\n";
    let mut one = failure("TestM::runTest", 0, &[]);
    one.counterexample.text = "state = M()\nstate.start(x=0)\nstate.add(y=1)\nstate.teardown()".to_owned();
    let tree = Files::new([(FILE, text)]);
    let refused = Hypothesis.pin(&Case { failure: &one, requirement: None, tree: &tree, today: "" }).unwrap_err();
    let said = "its step `add` may be of a base of M that is not in this repository";
    assert!(refused.0.contains(said), "{}", refused.0);
}

#[test]
fn rules_of_bases_in_other_modules_are_steps_that_the_library_runs() {
    let text = "from tests.machines import Adding\n\nclass Mixin:\n    def start(self, x): pass\n\nclass M(Mixin, Adding): pass\n\nTestM = M.TestCase\n";
    let base = "from hypothesis import note\nclass Adding(RuleBasedStateMachine):\n    def add(self, y): note(y)\n";
    let mut one = failure("TestM::runTest", 0, &[]);
    one.counterexample.text =
        "state = M()\nstate.start(x=0)\nstate.said(z=2)\nstate.add(y=1)\nstate.teardown()".to_owned();
    let found = pinned_in(&[(FILE, text), ("tests/machines.py", base)], &one).unwrap();
    let steps = "    def again(_):\n        state = M()\n        state.start(x=0)\n        state.add(y=1)\n        state.teardown()\n\n    again()\n";
    assert!(found.ends_with(steps), "{found}");
}

#[test]
fn what_another_module_defines_is_refused_with_where_it_stands() {
    let refused = |text: &str, test: &str| pinned_in(&[(FILE, text)], &failure(test, 0, &[("x", "1")])).unwrap_err();
    let check = |text: &str, test: &str, expected: &str| {
        let (found, expected) = (refused(text, test), format!("{FILE} has no {expected}"));
        assert_eq!(found, expected);
    };
    let by_hand = "write a test of the input by hand";
    let shared = format!("whose tests others may share; {by_hand}");
    check(
        "from tests.cases import test_x\n",
        "test_x",
        &format!("test_x of its own: it takes it from `tests.cases`, {shared}"),
    );
    check(
        "from tests.cases import Cases\n\nclass TestA(Cases): pass\n",
        "TestA::test_x",
        &format!("TestA.test_x of its own: its class inherits it from another module, {shared}"),
    );
    check(
        "from tests.machines import M\n\nTestM = M.TestCase\n",
        "TestM::runTest",
        &format!("TestM.runTest of its own: the state machine `M` stands in another module; {by_hand}"),
    );
    check("class TestA: pass\n", "TestA::test_x", "TestA.test_x: it may have been renamed since");
}

#[test]
fn a_property_that_leaves_its_examples_out_gets_a_test() {
    let text = format!(
        "{HEAD}@settings(phases=[Phase.generate, Phase.shrink])\n@given(x=st.integers())\ndef test_x(x): pass\n"
    );
    let expected = "def test_x_pin_0a():\n    # Pinned 2026-11-30: assert 3 < 3\n    test_x.hypothesis.inner_test(x=3)";
    let failure = failure("test_x", 0, &[("x", "3")]);
    check_test(&text, &failure, "def test_x(x): pass\n", expected);
    let (_, pin) = tried(&text, &failure);
    let reason = "the settings of the property leave out its examples";
    assert_eq!((pin.rung, pin.reason.as_deref()), (Rung::Constructed, Some(reason)));
    let with = text.replace("[Phase.generate", "[Phase.explicit, Phase.generate");
    assert_eq!(tried(&with, &failure).1.rung, Rung::Literal);
}

#[test]
fn a_name_that_is_another_thing_in_the_file_is_imported_in_a_test() {
    let text = "from hypothesis import example, given\nfrom mine import Decimal, decimal\n\n@given(x=st.decimals())\ndef test_x(x): pass\n";
    let (rungs, pin) = tried(text, &failure("test_x", 0, &[("x", "Fraction(1, 2)")]));
    assert_eq!((rungs.len(), pin.rung), (2, Rung::Literal));
    let (rungs, pin) = tried(text, &failure("test_x", 0, &[("x", "UUID('1')")]));
    assert_eq!((rungs.len(), pin.rung), (2, Rung::Literal));
    let text = text.replace("Decimal, decimal", "UUID, uuid");
    let (rungs, pin) = tried(&text, &failure("test_x", 0, &[("x", "uuid.UUID('1')")]));
    assert_eq!((rungs, pin.rung), (vec![], Rung::Constructed));
    let body = "    import uuid\n\n    test_x.hypothesis.inner_test(x=uuid.UUID('1'))";
    assert!(pin.parts[0].text.ends_with(body), "{}", pin.parts[0].text);
}

fn with_blob(failure: Failure) -> Failure {
    let handle = "@reproduce_failure('6.170.17', b'AEEF')".to_owned();
    Failure { replay: Replay::NewSeed { handle, file: None }, ..failure }
}

#[test]
fn what_no_text_tells_is_replayed_with_a_warning() {
    let text = "import hypothesis as h\n\n\nclass TestA:\n    @h.settings(max_examples=9)\n    @h.given(h.strategies.integers(), orders())\n\
                \x20   def test_x(self, conf, n, o): pass\n";
    let told = [("self", "<A>"), ("conf", "{}"), ("n", "3"), ("o", "<Order object at 0x7f1>")];
    let expected = "    def test_x_pin_0a(self, conf):\n        # Pinned 2026-11-30: assert 3 < 3\n        import hypothesis\n\n\
        \x20       # It replays choices of Hypothesis 6.170.17: it holds with that release alone, and as long as the strategies stay.\n\
        \x20       ran = []\n\n        @hypothesis.reproduce_failure(\"6.170.17\", b\"AEEF\")\n        @hypothesis.settings(deadline=None)\n\
        \x20       @h.given(h.strategies.integers(), orders())\n        def again(n, o):\n            ran.append(True)\n\
        \x20           self.test_x.hypothesis.inner_test(self, conf=conf, n=n, o=o)\n\n        try:\n            again()\n\
        \x20       except hypothesis.errors.DidNotReproduce:\n            assert ran, \"the choices on record make no input of this property any more\"";
    let one = with_blob(failure("TestA::test_x", 0, &told));
    check_test(text, &one, "def test_x(self, conf, n, o): pass", expected);
    let (_, pin) = tried(text, &one);
    assert_eq!(pin.rung, Rung::SeedOnly);
    assert!(pin.warnings[0].contains("6.170.17") && pin.reason.unwrap().contains("the value of `o`"));
    check_refused(text, "TestA::test_x", &told, "print_blob=True");
}

#[test]
fn a_value_that_can_be_written_may_give_way_to_weaker_pins() {
    let text = format!("{HEAD}@given(x=st.integers())\ndef test_x(x): pass\n");
    let plain = || failure("test_x", 0, &[("x", "3")]);
    assert_eq!(tried(&text, &plain()).0, [Rung::Literal, Rung::Constructed]);
    assert_eq!(tried(&text, &with_blob(plain())).0, [Rung::Literal, Rung::Constructed, Rung::SeedOnly]);
}

#[test]
fn a_machine_whose_steps_cannot_be_written_is_replayed() {
    let text = "class M(RuleBasedStateMachine):\n    def add(self, x): pass\n\nTestM = M.TestCase\n";
    let mut one = with_blob(failure("TestM::runTest", 0, &[]));
    one.counterexample.text = "state = M()\nstate.add(x=<object at 0x7f>)\nstate.teardown()".to_owned();
    let expected = "def test_m_pin_0a():\n    # Pinned 2026-11-30: assert 3 < 3\n    import hypothesis\n    from hypothesis.stateful import run_state_machine_as_test\n\n\
        \x20   # It replays choices of Hypothesis 6.170.17: it holds with that release alone, and as long as the strategies stay.\n    ran = []\n\n\
        \x20   class Again(M):\n        def __init__(self):\n            super().__init__()\n            ran.append(True)\n\n\
        \x20   hypothesis.reproduce_failure(\"6.170.17\", b\"AEEF\")(Again)\n    try:\n        run_state_machine_as_test(Again)\n\
        \x20   except hypothesis.errors.DidNotReproduce:\n        assert ran, \"the choices on record make no input of this property any more\"";
    check_test(text, &one, "TestM = M.TestCase\n", expected);
}
