//! The expressions of standard types, and what is refused.

use proptest::prelude::{ProptestConfig, prop, proptest};

use super::{check, written};

/// A parameter of that type.
fn check_type(ty: &str, value: &str, expected: &str) {
    check(&format!("x: {ty}"), value, expected);
}

/// A parameter of that type whose value has no literal, for this reason.
fn check_refused(ty: &str, value: &str, reason: &str) {
    check_type(ty, value, &format!("`x` has no literal: {reason}"));
}

#[test]
fn numbers_carry_their_type_once() {
    check_type("Vec<u64>", "[118958, 0]", "vec![118_958u64, 0]");
    let huge = "-85_070_591_730_234_615_865_843_651_857_942_052_864i128";
    check_type("i128", "-85070591730234615865843651857942052864", huge);
    check_type("(f32, Vec<f64>)", "(NaN, [-inf, 1e-7])", "(f32::NAN, vec![f64::NEG_INFINITY, 1e-7])");
    check_type("std::num::Wrapping<u8>", "9", "std::num::Wrapping(9u8)");
    check_type("std::num::NonZeroU32", "77", "std::num::NonZeroU32::new(77).unwrap()");
    check_refused("std::num::NonZeroU32", "0", "`0` is not how a `NonZeroU32` prints");
}

#[test]
fn pointers_and_cells_are_built_around_their_value() {
    check_type("Box<u8>", "3", "Box::new(3u8)");
    check_type("std::rc::Rc<String>", "\"a\"", "std::rc::Rc::new(String::from(\"a\"))");
    check_type("Box<str>", "\"a\"", "Box::<str>::from(\"a\")");
    check_type("std::sync::Arc<[u8]>", "[1, 2]", "std::sync::Arc::<[u8]>::from([1, 2])");
    check_type("std::borrow::Cow<'static, str>", "\"a\"", "std::borrow::Cow::Borrowed(\"a\")");
    check_type("std::cell::RefCell<u8>", "RefCell { value: 3 }", "std::cell::RefCell::new(3u8)");
    check_type("std::sync::Mutex<u8>", "Mutex { data: 3, poisoned: false, .. }", "std::sync::Mutex::new(3u8)");
}

#[test]
fn addresses_paths_and_times_are_read_by_their_type() {
    check_type("std::net::IpAddr", "9::", "\"9::\".parse::<std::net::IpAddr>().unwrap()");
    check_type("std::net::SocketAddr", "127.0.0.1:0", "\"127.0.0.1:0\".parse::<std::net::SocketAddr>().unwrap()");
    check_refused("std::net::Ipv4Addr", "9::", "`9::` is not how a `Ipv4Addr` prints");
    check_type("std::path::PathBuf", "\"..\"", "std::path::PathBuf::from(\"..\")");
    check_type("std::time::Duration", "1.000000001s", "std::time::Duration::new(1, 1)");
    check_type("std::time::Duration", "15µs", "std::time::Duration::new(0, 15_000)");
    check_type("std::ffi::CString", r#""a\xff\"""#, r#"std::ffi::CString::new(*b"a\xff\"").unwrap()"#);
    check_type(
        "std::ffi::CString",
        r#""é\u{301}\xff""#,
        r#"std::ffi::CString::new(*b"\xc3\xa9\xcc\x81\xff").unwrap()"#,
    );
}

#[test]
fn ranges_and_standard_enums_are_spelled_out() {
    check_type("std::ops::RangeInclusive<i8>", "-128..=3", "-128i8..=3");
    check_type("std::ops::Range<f32>", "0.1..0.3", "0.1f32..0.3");
    check_type("std::ops::RangeFull", "..", "..");
    check_refused("std::ops::Range<u8>", "..4", "`..4` is not how a `Range` prints");
    check_type("std::cmp::Ordering", "Less", "std::cmp::Ordering::Less");
    check_type("std::ops::Bound<u8>", "Unbounded", "std::ops::Bound::Unbounded::<u8>");
    check_type("std::cmp::Reverse<u8>", "Reverse(3)", "std::cmp::Reverse(3u8)");
}

#[test]
fn nested_values_tell_what_nothing_around_them_tells() {
    check_type("Result<Option<u16>, String>", "Ok(None)", "Ok::<Option<u16>, String>(None)");
    check_type("Vec<Option<Vec<u8>>>", "[None, Some([1])]", "vec![None::<Vec<u8>>, Some(vec![1])]");
    check_type("(u8,)", "(1,)", "(1u8,)");
    check_type("[u8; 0]", "[]", "[] as [u8; 0]");
}

#[test]
fn both_layouts_of_a_value_read_the_same() {
    let pretty = "(\n    [\n        1,\n    ],\n    Some(\n        true,\n    ),\n)";
    check_type("(Vec<u8>, Option<bool>)", pretty, "(vec![1u8], Some(true))");
    check_type("(Vec<u8>, Option<bool>)", "([1], Some(true))", "(vec![1u8], Some(true))");
}

#[test]
fn short_elements_share_lines() {
    let numbers = |count: usize| vec!["100"; count].join(", ");
    let lines = [format!("    100u8, {},", numbers(17)), format!("    {},", numbers(16))];
    check_type("Vec<u8>", &format!("[{}]", numbers(34)), &format!("vec![\n{}\n{}\n]", lines[0], lines[1]));
}

#[test]
fn long_elements_have_a_line_each() {
    let text = "a".repeat(60);
    let expected = format!("Some(vec![\n    String::from(\"{text}\"),\n    String::from(\"{text}\"),\n])");
    check_type("Option<Vec<String>>", &format!("Some([{text:?}, {text:?}])"), &expected);
}

#[test]
fn a_value_is_laid_out_as_rustfmt_would() {
    let tuple = "(1000000000000, 2000000000000, 3000000000000, 4000000000000)";
    let expected = "Some((\n    1_000_000_000_000u64,\n    2_000_000_000_000u64,\n    3_000_000_000_000u64,\n    4_000_000_000_000u64,\n))";
    check_type("Option<(u64, u64, u64, u64)>", &format!("Some({tuple})"), expected);
    let text = "a".repeat(70);
    check_type("String", &format!("{text:?}"), &format!("String::from({text:?})"));
    let chars = "'a', ".repeat(30);
    let lines = [format!("    {}", "'a', ".repeat(18)), format!("    {}", "'a', ".repeat(12))];
    let lines = lines.map(|line| line.trim_end().to_owned()).join("\n");
    check_type(
        "Option<Vec<char>>",
        &format!("Some([{}])", chars.trim_end_matches(", ")),
        &format!("Some(vec![\n{lines}\n])"),
    );
    let nested = "Some(".repeat(14) + "true" + &")".repeat(14);
    let ty = "Option<".repeat(14) + "bool" + &">".repeat(14);
    let expected =
        format!("{}\n    {}true{},\n{}", "Some(".repeat(11), "Some(".repeat(3), ")".repeat(3), ")".repeat(11));
    check_type(&ty, &nested, &expected);
}

#[test]
fn text_from_a_run_never_becomes_code() {
    check_refused("u8", "1; std::process::exit(0)", "`1; std::process::exit(0)` is not how a `u8` prints");
    check_refused("bool", "true}", "`true}` is not how a `bool` prints");
    check_refused("std::path::PathBuf", "a", "`a` is not how a `text` prints");
    check_type("String", "\"*/ \\u{202e}\"", "String::from(\"*/ \\u{202e}\")");
}

#[test]
fn a_type_of_another_package_is_refused() {
    for ty in ["uuid::Uuid", "std::time::Instant"] {
        check_refused(ty, "x", &format!("`{ty}` is a type whose values cannot be written from what they print"));
    }
}

#[test]
fn a_crate_without_std_may_lack_the_names() {
    let text = "#![no_std] use proptest::prelude::*; proptest! { #[test] fn p(x: Vec<u8>) { } }";
    let reason = "`x` has no literal: its crate is `no_std`, where a `Vec` needs imports that may not be there";
    assert_eq!(written(&[("src/lib.rs", text)], "src/lib.rs", &["[1]"]), reason);
}

#[test]
fn what_is_long_and_repeats_is_said_once() {
    let list = |values: &[u32]| format!("{values:?}");
    check("x: Vec<u8>", &list(&[0; 5000]), "vec![0u8; 5000]");
    check("x: [u8; 64]", &list(&[7; 64]), "[7u8; 64]");
    check("x: Option<Vec<u32>>", &format!("Some({})", list(&[70_000; 50])), "Some(vec![70_000u32; 50])");
    let counting: Vec<u32> = (7..=900).chain([1000, 1002]).collect();
    check("x: Vec<u32>", &list(&counting), "[(7u32..=900).collect::<Vec<_>>(), vec![1000, 1002]].concat()");
    check("x: Vec<u32>", &list(&counting[..894]), "(7u32..=900).collect::<Vec<_>>()");
    let set = list(&counting).replace('[', "{").replace(']', "}");
    let code = "(7u32..=900).chain([1000, 1002]).collect::<std::collections::BTreeSet<u32>>()";
    check("x: std::collections::BTreeSet<u32>", &set, code);
    let runs = [&[1, 2][..], &[0; 60], &[3]].concat();
    check("x: Vec<u8>", &list(&runs), "[vec![1u8, 2], vec![0; 60], vec![3]].concat()");
    let text: Vec<u32> =
        "To be, or not to be: that is the question, and \\ \" are two.\n".bytes().map(u32::from).collect();
    let expected = "b\"To be, or not to be: that is the question, and \\\\ \\\" are two.\\n\".to_vec()";
    check("x: Vec<u8>", &list(&text), expected);
    check("x: String", &format!("{:?}", "lorem ".repeat(100)), "\"lorem \".repeat(100)");
    check("x: Vec<u8>", &list(&[0; 3]), "vec![0u8, 0, 0]");
}

#[test]
fn what_is_long_is_written_whole_where_the_user_wants_that() {
    let text = "use proptest::prelude::*; proptest! { #[test] fn p(x: Vec<u8>, text: String) { } }";
    let settings = "[pins]\nlong-values = \"whole\"\n";
    let files = [("src/lib.rs", text), (".redpin/config.toml", settings)];
    let (zeros, long) = (format!("{:?}", [0; 60]), format!("{:?}", "lorem ".repeat(100)));
    let written = written(&files, "src/lib.rs", &[&zeros, &long]);
    let (vec, string) = written.rsplit_once('\n').unwrap();
    assert_eq!(vec.matches('0').count(), 60, "{vec}");
    assert_eq!(string, format!("String::from({long})"));
}

#[test]
fn what_the_source_does_not_tell_is_refused() {
    check("x in far()", "3", "`x` has no literal: the source does not tell the type of `3`");
    check("x in far()", "true", "true");
    let mapped = "x in any::<u8>().prop_map(|n| far(n))";
    check(mapped, "\"\"", "`x` has no literal: the source does not tell the type of `\"\"`");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]
    #[test]
    fn any_text_as_a_value_gives_an_answer(
        text in "[\\[(){}\"'\\\\,:. a-z0-9-]{0,24}|.{0,8}",
        ty in prop::sample::select(vec![
            "u8", "Vec<(f64, Option<char>)>", "std::time::Duration", "std::ops::Range<i8>", "std::ffi::CString", "Far",
        ]),
    ) {
        let source = format!("use proptest::prelude::*; proptest! {{ #[test] fn p(x: {ty}) {{ }} }}");
        assert!(!written(&[("src/lib.rs", &source)], "src/lib.rs", &[&text]).is_empty());
    }
}
