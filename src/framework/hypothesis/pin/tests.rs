//! Pins as they come to stand in a file: the situations in which a writer of examples goes wrong, one test each.

use crate::failure::{Argument, Counterexample, Ending, Failure, ForeignPath, FrameworkName, Location, testing};
use crate::framework::hypothesis::Hypothesis;
use crate::framework::{Case, Pinning};
use crate::repo_path::RepoPath;
use crate::source_tree::testing::Files;

const FILE: &str = "tests/test_a.py";

fn failure(test: &str, line: u32, arguments: &[(&str, &str)]) -> Failure {
    let argument = |(name, text): &(&str, &str)| Argument { name: (*name).to_owned(), text: (*text).to_owned() };
    let arguments: Vec<Argument> = arguments.iter().map(argument).collect();
    let text = arguments.iter().map(|one| format!("{}={}", one.name, one.text)).collect::<Vec<_>>().join(", ");
    Failure {
        framework: FrameworkName("hypothesis".to_owned()),
        location: Some(Location { file: ForeignPath(FILE.to_owned()), line, column: None }),
        message: "assert 3 < 3\n +  where".to_owned(),
        counterexample: Counterexample { text, arguments },
        ..testing::failure(&format!("{FILE}::{test}"))
    }
}

/// The file with the pin of `failure` in it; or the reason.
fn pinned_in(files: &[(&str, &str)], failure: &Failure) -> Result<String, String> {
    let tree = Files::new(files.iter().copied());
    let case = Case { failure, requirement: None, tree: &tree, today: "2026-11-30" };
    let pin = Hypothesis.pin(&case).map_err(|refusal| refusal.0)?;
    let mut text = files[0].1.as_bytes().to_vec();
    for _ in 0..2 {
        // The second time nothing is left to be done.
        for part in &pin.parts {
            assert_eq!(part.file, RepoPath::new(FILE).unwrap());
            let edits = Hypothesis.place(&pin, part, &text).map_err(|refusal| refusal.0)?;
            text = edits.apply(&text);
        }
    }
    let text = String::from_utf8(text).unwrap();
    let again = files.iter().skip(1).copied().chain([(FILE, text.as_str())]);
    let tree = Files::new(again);
    let pin = Hypothesis.pin(&Case { tree: &tree, ..case }).unwrap();
    assert!(Hypothesis.place(&pin, &pin.parts[0], text.as_bytes()).unwrap().is_empty(), "pinned twice:\n{text}");
    Ok(text)
}

/// What is added to `text` by the pin, which takes nothing out of it but from an import: the added lines.
#[track_caller]
fn check(text: &str, test: &str, arguments: &[(&str, &str)], expected: &[&str]) {
    let found = pinned_in(&[(FILE, text)], &failure(test, 0, arguments)).unwrap();
    let mut old = text.lines().peekable();
    let mut added = Vec::new();
    for line in found.lines() {
        if old.peek() == Some(&line) {
            old.next();
        } else {
            added.push(line);
            old.next_if(|old| old.contains("import") && line.contains("example"));
        }
    }
    assert_eq!(added, expected, "{found}");
    assert_eq!(old.next(), None, "{found}");
}

mod faults;
mod ways;

const REMARK: &str = "# Pinned 2026-11-30: assert 3 < 3";

#[test]
fn the_import_is_added_in_the_style_of_the_file() {
    let def = "@given(st.integers())\ndef test_x(x):\n    pass\n";
    let check = |import: &str, expected: &str| {
        let lines = [expected, REMARK, "@example(x=3).via(\"real bug 2026-11-30\")"];
        check(&format!("{import}\n\n\n{def}"), "test_x", &[("x", "3")], &lines);
    };
    check("from hypothesis import given", "from hypothesis import example, given");
    check(
        "from hypothesis import assume, given, strategies as st",
        "from hypothesis import assume, example, given, strategies as st",
    );
    check(
        "from hypothesis import assume, given as g\nfrom hypothesis import given",
        "from hypothesis import assume, example, given as g",
    );
    let broken = "from hypothesis import (\n    given,\n    settings,\n)\n\n\n";
    let found = pinned_in(&[(FILE, &format!("{broken}{def}"))], &failure("test_x", 0, &[("x", "3")])).unwrap();
    assert!(found.starts_with("from hypothesis import (\n    example,\n    given,\n    settings,\n)\n"), "{found}");
}

#[test]
fn what_is_imported_already_is_used_as_it_is_called() {
    let check = |head: &str, decorator: &str, called: &str| {
        let text = format!("{head}\n\n@{decorator}(x=st.integers())\ndef test_x(x): pass\n");
        let line = format!("@{called}(x=3).via(\"real bug 2026-11-30\")");
        check(&text, "test_x", &[("x", "3")], &[REMARK, &line]);
    };
    check("from hypothesis import example, given", "given", "example");
    check("from hypothesis import example as ex, given", "given", "ex");
    check("import hypothesis as h", "h.given", "h.example");
    check("import hypothesis", "hypothesis.given", "hypothesis.example");
    check("from hypothesis import *", "given", "example");
}

#[test]
fn what_only_a_type_checker_imports_is_imported_again() {
    let text = "from typing import TYPE_CHECKING\nfrom hypothesis import given\nif TYPE_CHECKING:\n    from hypothesis import example\n\n\
                @given(x=st.integers())\ndef test_x(x): pass\n";
    let expected = ["from hypothesis import example, given", REMARK, "@example(x=3).via(\"real bug 2026-11-30\")"];
    check(text, "test_x", &[("x", "3")], &expected);
}

#[test]
fn an_example_that_is_another_thing_is_left_alone() {
    let text = "from hypothesis import given\n\ndef example(): pass\n\n@given(x=st.integers())\ndef test_x(x): pass\n";
    let expected = ["import hypothesis", REMARK, "@hypothesis.example(x=3).via(\"real bug 2026-11-30\")"];
    check(text, "test_x", &[("x", "3")], &expected);
}

#[test]
fn what_a_module_defines_below_a_property_is_named_in_a_test() {
    let below = "from hypothesis import example, given\n\n@given(x=st.x())\ndef test_x(x): pass\n\nclass Money: pass\n";
    let pinned = |text: &str, test: &str| pinned_in(&[(FILE, text)], &failure(test, 0, &[("x", "Money(1)")])).unwrap();
    let found = pinned(below, "test_x");
    assert!(found.contains("test_x.hypothesis.inner_test(x=Money(1))") && !found.contains("@example"), "{found}");
    let around =
        "from hypothesis import example, given\n\nclass Money:\n    @given(x=st.x())\n    def test_x(self, x): pass\n";
    let found = pinned(around, "Money::test_x");
    assert!(found.contains("inner_test(self, x=Money(1))") && !found.contains("@example"), "{found}");
}

#[test]
fn dates_and_other_values_are_written_as_the_file_imports_them() {
    let check = |head: &str, value: &str, imported: &[&str], expected: &str| {
        let text = format!("from hypothesis import example, given\n{head}\n\n@given(x=st.x())\ndef test_x(x): pass\n");
        let line = format!("@example(x={expected}).via(\"real bug 2026-11-30\")");
        let added: Vec<&str> = imported.iter().copied().chain([REMARK, &line]).collect();
        check(&text, "test_x", &[("x", value)], &added);
    };
    check("import datetime as dt", "datetime.date(2001, 1, 1)", &[], "dt.date(2001, 1, 1)");
    check("from datetime import date, datetime", "datetime.date(2001, 1, 1)", &[], "date(2001, 1, 1)");
    check(
        "from datetime import datetime",
        "datetime.date(2001, 1, 1)",
        &["from datetime import date"],
        "date(2001, 1, 1)",
    );
    check("", "datetime.timedelta(days=1)", &["import datetime"], "datetime.timedelta(days=1)");
    check("import decimal", "Decimal('1.0')", &[], "decimal.Decimal('1.0')");
    check("", "[Decimal('1.0'), Decimal('2')]", &["from decimal import Decimal"], "[Decimal('1.0'), Decimal('2')]");
    check("", "zoneinfo.ZoneInfo(key='UTC')", &["from zoneinfo import ZoneInfo"], "ZoneInfo(key='UTC')");
    check("import math", "{'x': nan, 'y': -inf}", &[], "{'x': math.nan, 'y': -math.inf}");
    check("", "nan", &[], "float('nan')");
    check(
        "class Order: pass",
        "Order(\n    sku='',  # or any other generated value\n    qty=-1,\n)",
        &[],
        "Order(sku='', qty=-1)",
    );
    check("class Colour(Enum): pass", "{Colour.GREEN: 1}", &[], "{Colour.GREEN: 1}");
}

#[test]
fn only_what_given_provides_goes_in() {
    let text = "from hypothesis import example, given\n\nclass TestA:\n    @pytest.mark.parametrize(\"limit\", [3, 5])\n    @given(x=st.integers())\n\
                \x20   def test_x(self, limit, conf, x): pass\n";
    let told = [("self", "<test_a.TestA object at 0x7f>"), ("limit", "3"), ("conf", "{'a': <object>}"), ("x", "3")];
    let expected = ["    # Pinned 2026-11-30: assert 3 < 3", "    @example(x=3).via(\"real bug 2026-11-30\")"];
    check(text, "TestA::test_x[3]", &told, &expected);
}

#[test]
fn a_second_parameter_with_the_same_input_adds_nothing_and_one_with_another_its_own() {
    let text = "from hypothesis import example, given\n\n@pytest.mark.parametrize(\"n\", [3, 5])\n@given(x=st.integers())\ndef test_x(n, x): pass\n";
    let once = pinned_in(&[(FILE, text)], &failure("test_x[3]", 0, &[("n", "3"), ("x", "3")])).unwrap();
    assert_eq!(pinned_in(&[(FILE, &once)], &failure("test_x[5]", 0, &[("n", "5"), ("x", "3")])).as_ref(), Ok(&once));
    let both = pinned_in(&[(FILE, &once)], &failure("test_x[5]", 0, &[("n", "5"), ("x", "5")])).unwrap();
    let examples: Vec<&str> = both.lines().filter(|line| line.starts_with("@example")).collect();
    assert_eq!(examples, ["@example(x=3).via(\"real bug 2026-11-30\")", "@example(x=5).via(\"real bug 2026-11-30\")"]);
}

#[test]
fn of_twins_the_one_that_failed_is_pinned() {
    let twin = |class: &str| {
        format!(
            "class {class}:\n    @given(x=st.integers())\n    def test_x(self, x):\n        assert x < self.limit\n\n"
        )
    };
    let text = format!("from hypothesis import example, given\n\n{}{}", twin("TestA"), twin("TestB"));
    let found = pinned_in(&[(FILE, &text)], &failure("TestB::test_x", 0, &[("x", "3")])).unwrap();
    let at = found.find("@example").unwrap();
    assert!(at > found.find("class TestB").unwrap(), "{found}");
}

#[test]
fn of_nested_functions_of_one_name_only_the_property_is_decorated() {
    let text = "from hypothesis import example, given\n\n@given(x=st.integers())\ndef test_x(x):\n    def test_x(y): pass\n    test_x(x)\n";
    check(text, "test_x", &[("x", "3")], &[REMARK, "@example(x=3).via(\"real bug 2026-11-30\")"]);
}

#[test]
fn a_method_of_a_base_is_pinned_where_it_stands() {
    let text = "from hypothesis import example, given\n\nclass Base:\n    @given(x=st.integers())\n    def test_x(self, x): pass\n\n\
                class TestA(Base): pass\n";
    let expected = ["    # Pinned 2026-11-30: assert 3 < 3", "    @example(x=3).via(\"real bug 2026-11-30\")"];
    check(text, "TestA::test_x", &[("x", "3")], &expected);
}

#[test]
fn line_ends_tabs_and_a_missing_final_newline_stay() {
    let text = "import hypothesis as h\r\n\r\nclass TestA:\r\n\t@h.settings(max_examples=3)\r\n\t@h.given(x=st.integers())\r\n\tdef test_x(self, x): pass";
    let found = pinned_in(&[(FILE, text)], &failure("TestA::test_x", 0, &[("x", "3")])).unwrap();
    let added = "\t# Pinned 2026-11-30: assert 3 < 3\r\n\t@h.example(x=3).via(\"real bug 2026-11-30\")\r\n\t@h.given";
    assert_eq!(found, text.replace("\t@h.given", added));
}

#[test]
fn an_example_that_stands_is_not_written_again_and_others_stay() {
    let text = "from hypothesis import example, given\n\n@given(x=st.lists(), y=st.text())\n@example(y=\"it's\", x=[1, 2,])\ndef test_x(x, y): pass\n";
    let same = failure("test_x", 0, &[("x", "[1, 2]"), ("y", "\"it's\"")]);
    assert_eq!(pinned_in(&[(FILE, text)], &same).as_deref(), Ok(text));
    let expected = [REMARK, "@example(x=[], y='').via(\"real bug 2026-11-30\")"];
    check(text, "test_x", &[("x", "[]"), ("y", "''")], &expected);
    let placed = text.replace("y=\"it's\", x=[1, 2,]", "[1, 2], 'it\\'s'");
    assert_eq!(pinned_in(&[(FILE, &placed)], &same).as_ref(), Ok(&placed));
}

#[test]
fn no_call_on_a_decorator_where_an_old_python_may_run_it() {
    let text = "from hypothesis import example, given\n\n@given(x=st.x())\ndef test_x(x): pass\n";
    let files = [(FILE, text), ("pyproject.toml", "[project]\nrequires-python = \">=3.8\"\n")];
    let found = pinned_in(&files, &failure("test_x", 0, &[("x", "3")])).unwrap();
    assert!(found.contains("@example(x=3)\n"), "{found}");
    let installed = |release: &str| {
        let version = format!("__version_info__ = {release}\n");
        let files = [
            (FILE, text),
            (".venv/pyvenv.cfg", ""),
            (".venv/lib/python3.9/site-packages/hypothesis/version.py", &version),
        ];
        pinned_in(&files, &failure("test_x", 0, &[("x", "3")])).unwrap()
    };
    assert!(installed("(6, 50, 1)").contains("@example(x=3)\n"));
    assert!(
        installed("(6, 100, 0)").contains("@example(x=3).via(") && installed("tuple(x)").contains("@example(x=3).via(")
    );
}

#[track_caller]
fn check_refused(text: &str, test: &str, arguments: &[(&str, &str)], reason: &str) {
    let refused = pinned_in(&[(FILE, text)], &failure(test, 0, arguments)).unwrap_err();
    assert!(refused.contains(reason), "{refused}");
}

#[test]
fn what_no_example_can_hold_is_refused_with_the_reason() {
    let text = "from hypothesis import example, given\nimport os\n\n@given(x=st.x())\ndef test_x(x): pass\n\ndef test_y(x): pass\n";
    check_refused(text, "test_x", &[("x", "<object object at 0x7f>")], "the value of `x`");
    check_refused(text, "test_x", &[("x", "lambda x: 1")], "the value of `x`");
    check_refused(text, "test_x", &[("x", "os.system('true')")], "`os.system` is no class");
    check_refused(text, "test_x", &[("x", "Plain(1)")], "`Plain` is no class");
    check_refused(text, "test_x", &[], "does not tell the value of `x`");
    check_refused(text, "test_y", &[("x", "1")], "has no @given");
    check_refused(text, "test_z", &[("x", "1")], "test_z");
    let made = "from hypothesis import given\ntest_x = make(\n    3)\n";
    check_refused(made, "test_x", &[("x", "1")], "test_x is made by `make(`");
    check_refused("def f(:\n test_x", "test_x", &[("x", "1")], "no Python");
}

#[test]
fn what_did_not_fail_by_its_input_is_not_pinned() {
    let text = "from hypothesis import example, given\n\n@given(x=st.x())\ndef test_x(x): pass\n";
    for (ending, reason) in [(Ending::Aborted, "no value to pin"), (Ending::PinFailed, "stands in the source already")]
    {
        let failure = Failure { ending, ..failure("test_x", 0, &[("x", "1")]) };
        let refused = pinned_in(&[(FILE, text)], &failure).unwrap_err();
        assert!(refused.contains(reason), "{refused}");
    }
}

#[test]
fn what_a_test_drew_is_given_to_it_again() {
    let text = "from hypothesis import given\n\n@given(a=st.integers(), data=st.data())\ndef test_x(a, data): pass\n";
    let told = [("a", "0"), ("data", "data(...)"), ("Draw 1 (n)", "2"), ("Draw 2", "(0, 2)")];
    let found = pinned_in(&[(FILE, text)], &failure("test_x", 0, &told)).unwrap();
    let pin = found.strip_prefix(text).unwrap();
    let name = pin.lines().find(|line| line.starts_with("def ")).unwrap();
    assert!(name.starts_with("def test_x_pin_"), "{pin}");
    let body = "    # Pinned 2026-11-30: assert 3 < 3\n    drawn = iter([2, (0, 2)])\n\n    class Drawn:\n        def draw(self, strategy, label=None):\n\
                \x20           return next(drawn)\n\n    test_x.hypothesis.inner_test(a=0, data=Drawn())\n";
    assert_eq!(pin, format!("\n\n{name}\n{body}"));
}

#[test]
fn the_steps_of_a_state_machine_are_taken_again() {
    let text = "class CourtMachine(RuleBasedStateMachine):\n    def book(self, hour, by): pass\n    def free(self): pass\n\nTestCourt = CourtMachine.TestCase";
    let mut failure = failure("TestCourt::runTest", 0, &[]);
    failure.counterexample.text =
        "state = CourtMachine()\nhour 8 is free\nb_0 = state.book(hour=8, by=[\n    'ann',\n])\nstate.free()\n\
                                   state.book(hour=b_0, by=None)\nos.system('true')\nstate.teardown()"
            .to_owned();
    let found = pinned_in(&[(FILE, text)], &failure).unwrap();
    let pin = found.strip_prefix(text).unwrap();
    let steps = "    # Pinned 2026-11-30: assert 3 < 3\n    state = CourtMachine()\n    b_0 = state.book(hour=8, by=['ann'])\n    state.free()\n\
                 \x20   state.book(hour=b_0, by=None)\n    state.teardown()";
    assert!(pin.starts_with("\n\n\ndef test_court_machine_pin_") && pin.ends_with(steps), "{pin}");
}
