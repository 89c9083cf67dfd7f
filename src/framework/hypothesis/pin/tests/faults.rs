//! What goes wrong in the patches that Hypothesis writes itself, seen in runs of it, and how the pins here do in the same
//! situation; and the situations that it tests its own writer with.

use super::{FILE, REMARK, check, check_refused, failure, pinned_in};
use crate::failure::{Ending, Failure};
use crate::framework::hypothesis::Hypothesis;
use crate::framework::{Case, Pinning};
use crate::source_tree::testing::Files;

const VIA: &str = ".via(\"real bug 2026-11-30\")";

/// The example that holds `arguments`.
fn line(arguments: &str) -> String {
    format!("@example({arguments}){VIA}")
}

#[test]
fn fault_1_the_decorator_is_imported() {
    let text = "from hypothesis import given\n\n@given(x=st.x())\ndef test_x(x): pass\n";
    check(text, "test_x", &[("x", "3")], &["from hypothesis import example, given", REMARK, &line("x=3")]);
}

#[test]
fn fault_2_a_module_that_has_the_name_of_its_class_is_told_from_it() {
    let text =
        "import datetime as dt\nfrom hypothesis import example, given\n\n@given(x=st.x())\ndef test_x(x): pass\n";
    let value = "datetime.datetime(2000, 1, 1, 0, 0, tzinfo=datetime.timezone.utc)";
    let expected = line("x=dt.datetime(2000, 1, 1, 0, 0, tzinfo=dt.timezone.utc)");
    check(text, "test_x", &[("x", value)], &[REMARK, &expected]);
}

#[test]
fn fault_3_what_no_module_imports_yet_is_imported() {
    let text = "from hypothesis import example, given\nclass Plain: pass\n\n@given(x=st.x())\ndef test_x(x): pass\n";
    let zone = [("x", "zoneinfo.ZoneInfo(key='UTC')")];
    let found = pinned_in(&[(FILE, text)], &failure("test_x", 0, &zone)).unwrap();
    let imports = "from hypothesis import example, given\nfrom zoneinfo import ZoneInfo\nclass Plain";
    assert!(found.starts_with(imports), "{found}");
    check(text, "test_x", &[("x", "test_a.Plain")], &[REMARK, &line("x=Plain")]);
}

#[test]
fn fault_4_parameters_and_fixtures_stay_out() {
    let text = "from hypothesis import example, given\n\n@pytest.mark.parametrize('limit', [3])\n@given(st.x())\ndef test_x(limit, conf, x): pass\n";
    let told = [("limit", "3"), ("conf", "{'limit': 4}"), ("x", "4")];
    check(text, "test_x[3]", &told, &[REMARK, &line("x=4")]);
}

#[test]
fn fault_5_no_parameters_example_is_lost() {
    let text = "from hypothesis import example, given\n\n@pytest.mark.parametrize('n', [3, 5])\n@given(x=st.x())\ndef test_x(n, x): pass\n";
    let once = pinned_in(&[(FILE, text)], &failure("test_x[3]", 0, &[("n", "3"), ("x", "1")])).unwrap();
    let both = pinned_in(&[(FILE, &once)], &failure("test_x[5]", 0, &[("n", "5"), ("x", "2")])).unwrap();
    assert!(both.contains(&line("x=1")) && both.contains(&line("x=2")), "{both}");
}

#[test]
fn fault_6_a_method_gets_its_example_without_itself() {
    let text = "from hypothesis import example, given\n\nclass TestA(unittest.TestCase):\n    @given(st.x())\n    def test_x(self, x): pass\n";
    let told = [("self", "<test_a.TestA testMethod=test_x>"), ("x", "3")];
    check(text, "TestA::test_x", &told, &[&format!("    {REMARK}"), &format!("    {}", line("x=3"))]);
}

#[test]
fn fault_7_of_two_equal_functions_the_second_can_be_pinned() {
    let twin = "    @given(x=st.x())\n    def test_x(self, x): pass\n";
    let text = format!("from hypothesis import example, given\n\nclass A:\n{twin}\nclass B:\n{twin}");
    let found = pinned_in(&[(FILE, &text)], &failure("B::test_x", 0, &[("x", "3")])).unwrap();
    let (first, second) = found.split_at(found.find("class B").unwrap());
    assert!(!first.contains("@example") && second.contains("@example"), "{found}");
}

#[test]
fn fault_8_a_function_inside_of_the_same_name_stays_bare() {
    let text = "from hypothesis import example, given\n\n@given(x=st.x())\ndef test_x(x):\n    @wrapped\n    def test_x(y): pass\n";
    check(text, "test_x", &[("x", "3")], &[REMARK, &line("x=3")]);
}

#[test]
fn fault_9_an_example_stands_where_the_others_do() {
    let head = "from hypothesis import example, given\n\n";
    let found = |text: &str| pinned_in(&[(FILE, text)], &failure("test_x", 0, &[("x", "3")])).unwrap();
    let above = found(&format!("{head}@example(x=1)\n@given(x=st.x())\ndef test_x(x): pass\n"));
    assert!(above.contains(&format!("@example(x=1)\n{REMARK}\n{}\n@given", line("x=3"))), "{above}");
    let below = found(&format!("{head}@given(x=st.x())\n@example(x=1)\ndef test_x(x): pass\n"));
    assert!(below.contains(&format!("@example(x=1)\n{REMARK}\n{}\ndef", line("x=3"))), "{below}");
}

#[test]
fn fault_10_what_is_slow_or_comes_and_goes_is_no_value() {
    let text = "from hypothesis import example, given\n\n@given(x=st.x())\ndef test_x(x): pass\n";
    for class in ["DeadlineExceeded", "FlakyFailure", "FailedHealthCheck"] {
        let message = format!("hypothesis.errors.{class}: no");
        let failure = Failure { ending: Ending::Aborted, message, ..failure("test_x", 0, &[("x", "3")]) };
        let why = pinned_in(&[(FILE, text)], &failure).unwrap_err();
        assert!(why.contains(class) && why.contains("no value to pin"), "{why}");
    }
}

#[test]
fn fault_11_what_only_looks_like_a_value_is_none() {
    let text = "from hypothesis import example, given\n\n@given(f=st.functions())\ndef test_x(f): pass\n";
    for value in ["lambda x: ...", "HypothesisRandom(generated data)", "<object object at 0x7f>"] {
        check_refused(text, "test_x", &[("f", value)], "the value of `f`");
    }
}

#[test]
fn fault_12_each_example_says_what_it_broke_and_holds_nothing_else() {
    let text = "from hypothesis import example, given\n\n@given(x=st.x())\ndef test_x(x): pass\n";
    let first = failure("test_x", 0, &[("x", "[\n    1,  # or any other generated value\n]")]);
    let second = Failure { message: "ValueError: no\u{1b}[31m".to_owned(), ..failure("test_x", 0, &[("x", "[2]")]) };
    let once = pinned_in(&[(FILE, text)], &first).unwrap();
    let both = pinned_in(&[(FILE, &once)], &second).unwrap();
    let other = "# Pinned 2026-11-30: ValueError: no\\u{1b}[31m";
    let expected = format!("{REMARK}\n{}\n{other}\n{}\n@given", line("x=[1]"), line("x=[2]"));
    // Examples are put above or below those that stand there, and each keeps its remark.
    let is_one_of = |text: &str| both.contains(text) || both.contains(&text.replace("\n@given", "\ndef"));
    assert!(is_one_of(&expected), "{both}");
}

#[test]
fn fault_13_line_ends_tabs_and_encodings_are_kept_or_told_of() {
    let text = "from hypothesis import given\r\nclass A:\r\n\t@given(x=st.x())\r\n\tdef test_x(self, x): pass";
    let found = pinned_in(&[(FILE, text)], &failure("A::test_x", 0, &[("x", "3")])).unwrap();
    let added = format!("\t{REMARK}\r\n\t{}\r\n\t@given", line("x=3"));
    assert_eq!(found, text.replace("import given", "import example, given").replace("\t@given", &added));
    let latin = Latin(b"# \xe9\nfrom hypothesis import given\n@given(x=st.x())\ndef test_x(x): pass\n");
    let failure = failure("test_x", 0, &[("x", "3")]);
    let case = Case { failure: &failure, requirement: None, tree: &latin, today: "2026-11-30" };
    assert!(Hypothesis.pin(&case).unwrap_err().0.contains("not UTF-8"));
}

/// A tree whose one file is not UTF-8.
struct Latin(&'static [u8]);

impl crate::source_tree::SourceTree for Latin {
    fn read(&self, path: &crate::repo_path::RepoPath) -> Option<std::sync::Arc<[u8]>> {
        (path.as_str() == FILE).then(|| self.0.into())
    }

    fn find(&self, wanted: &dyn Fn(&str) -> bool) -> Vec<crate::repo_path::RepoPath> {
        Some(FILE).filter(|file| wanted(file)).and_then(crate::repo_path::RepoPath::new).into_iter().collect()
    }
}

#[test]
fn fault_14_one_failure_that_cannot_be_pinned_keeps_no_other_from_it() {
    let text = "from hypothesis import example, given\n\n@given(x=st.x())\ndef test_x(x): pass\n";
    check_refused(text, "test_x", &[("x", "<Cls object at 0x>")], "the value of `x`");
    check(text, "test_x", &[("x", "3")], &[REMARK, &line("x=3")]);
    let stands = Failure { ending: Ending::PinFailed, ..failure("test_x", 0, &[("x", "3")]) };
    assert!(pinned_in(&[(FILE, text)], &stands).unwrap_err().contains("stands in the source already"));
}

#[test]
fn a_method_with_an_example_gets_the_next_under_it() {
    let text = "from hypothesis import example, given, strategies as st\n\nclass Cases:\n    @example(n=0, label=\"whatever\")\n\
                \x20   @given(st.integers(), st.text())\n    def mth(self, n, label): pass\n";
    let label = "\"a label so long that the line would be too wide with it in one piece, as it is here\"";
    let told = [("n", "100"), ("label", label)];
    let (remark, label, via) = (format!("    {REMARK}"), format!("        label={label},"), format!("    ){VIA}"));
    check(text, "Cases::mth", &told, &[&remark, "    @example(", "        n=100,", &label, &via]);
}

#[test]
fn names_of_arrays_are_written_as_the_file_imports_their_package() {
    let head =
        "import numpy as np\nfrom hypothesis import example, given\nfrom hypothesis.extra import numpy as npst\n\n";
    let text = format!("{head}@given(npst.arrays(np.int8, 1))\ndef test_x(array): pass\n");
    let told = [("array", "array([100], dtype=int8)")];
    check(&text, "test_x", &told, &[REMARK, &line("array=np.array([100], dtype=np.int8)")]);
    let bare = text.replace("import numpy as np\n", "").replace("np.int8", "kind");
    let expected = ["import numpy", REMARK, &line("array=numpy.array([100], dtype=numpy.int8)")];
    check(&bare, "test_x", &told, &expected);
}

#[test]
fn a_text_that_looks_like_data_is_a_text() {
    let text = "from hypothesis import example, given\n\n@given(data=st.text())\ndef test_x(data): pass\n";
    check(text, "test_x", &[("data", "'data(...)'")], &[REMARK, &line("data='data(...)'")]);
}

#[test]
fn examples_keep_the_order_in_which_they_are_pinned_and_none_stands_twice() {
    let text = "from hypothesis import example, given\n\n@given(st.x())\ndef test_x(x): pass\n";
    let pinned = |text: &str, value: &str| pinned_in(&[(FILE, text)], &failure("test_x", 0, &[("x", value)])).unwrap();
    for [one, other] in [["1", "2"], ["2", "1"]] {
        let both = pinned(&pinned(text, one), other);
        let (first, second) = (both.find(&line(&format!("x={one}"))), both.find(&line(&format!("x={other}"))));
        assert!(first < second && first.is_some(), "{both}");
        assert_eq!(pinned(&both, one), both);
    }
}

#[test]
fn a_function_that_is_gone_is_told_of() {
    let failure = failure("test_gone", 0, &[("x", "1")]);
    let tree = Files::new([(FILE, "from hypothesis import given\n")]);
    let case = Case { failure: &failure, requirement: None, tree: &tree, today: "2026-11-30" };
    assert!(Hypothesis.pin(&case).unwrap_err().0.contains("test_gone"));
}
