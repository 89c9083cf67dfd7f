//! Which type each strategy generates.

use super::{check, check_with};

#[test]
fn either_end_of_a_range_tells_its_type() {
    check("x in 1u16..", "300", "300u16");
    check("x in 1..20u32", "7", "7u32");
    check("x in ..=9i8", "-3", "-3i8");
    check("x in -90.0..90f32", "0.5", "0.5f32");
    check("x in i64::MIN..0", "-5", "-5i64");
    check("x in (u32::MAX - 700)..=u32::MAX", "4294966696", "4_294_966_696u32");
}

#[test]
fn a_range_of_bare_numbers_is_of_the_default_type() {
    check("x in 0..10", "7", "7i32");
    check("x in 0.0..1.0", "0.5", "0.5f64");
}

#[test]
fn constants_and_functions_tell_the_type_of_a_range() {
    check_with("const WIDEST: usize = 24;", "x in 1..=WIDEST", "11", "11usize");
    check_with("mod tax { pub static TOP: u64 = 9; }", "x in 0..tax::TOP", "3", "3u64");
    check_with("struct G; impl G { const TOP: u32 = 31_500; }", "x in 1..=G::TOP", "500", "500u32");
    check_with("fn gap() -> std::ops::RangeInclusive<u16> { 0..=720 }", "x in gap()", "0", "0u16");
    check_with("type Cents = i128;", "x in any::<Cents>()", "-1", "-1i128");
}

#[test]
fn any_gives_the_type_it_names() {
    check("x in any::<u8>()", "300", "`x` has no literal: `300` is not how a `u8` prints");
    check("x in proptest::arbitrary::any::<Option<char>>()", "Some('\\'')", "Some('\\'')");
    check("x: (bool, [u8; 2])", "(true, [1, 2])", "(true, [1u8, 2])");
}

#[test]
fn a_regular_expression_gives_text() {
    check("s in \"[a-z]{0,8}\"", r#""a\"\n\u{301}""#, r#"String::from("a\"\n\u{301}")"#);
    let name = "const NAME: &str = \"[a-z]\";";
    check_with(name, "s in pc::vec(NAME, 1..4)", r#"["\r"]"#, r#"vec![String::from("\r")]"#);
    check("s in proptest::string::string_regex(\"x\").unwrap()", r#""x""#, r#"String::from("x")"#);
    check("b in prop::string::bytes_regex(\"x\").unwrap()", "[120]", "vec![120u8]");
}

#[test]
fn collections_are_told_by_the_function_that_makes_them() {
    check("v in pc::vec(any::<i16>(), 0..9)", "[42, 933]", "vec![42i16, 933]");
    check("v in pc::vec(0u8..9, 0..9)", "[]", "Vec::<u8>::new()");
    let map = "std::collections::BTreeMap::from([(1u8, true)])";
    check("m in pc::btree_map(0u8..9, any::<bool>(), 0..3)", "{1: true}", map);
    let map = "std::collections::HashMap::<u8, String>::new()";
    check("m in prop::collection::hash_map(0u8..9, \"x\", 0..3)", "{}", map);
    check("m in pc::hash_set(any::<char>(), 0..3)", "{'a'}", "std::collections::HashSet::from(['a'])");
    check("m in pc::vec_deque(0u8..3, 0..3)", "[1]", "std::collections::VecDeque::from([1u8])");
    check("a in prop::array::uniform3(0u16..9)", "[1, 2, 3]", "[1u16, 2, 3]");
    check("a in [0u8..9, 4..9]", "[1, 5]", "[1u8, 5]");
}

#[test]
fn options_and_results_are_told_by_the_function_that_makes_them() {
    check("o in proptest::option::of(0u8..9)", "None", "None::<u8>");
    check("o in prop::option::weighted(0.5, 0u8..9)", "Some(3)", "Some(3u8)");
    check("r in prop::result::maybe_ok(0u8..9, \"x\")", "Err(\"x\")", "Err::<u8, String>(String::from(\"x\"))");
}

#[test]
fn samples_have_the_type_of_what_they_are_taken_from() {
    check("s in prop::sample::select(vec![\"a\", \"b\"])", "\"a\"", "\"a\"");
    check("s in prop::sample::select(vec![500u32, 2_000])", "500", "500u32");
    check_with("const W: [i8; 2] = [1, 2];", "s in prop::sample::select(&W[..])", "2", "2i8");
    check("s in prop::sample::subsequence(vec![1u8, 2], 0..2)", "[1]", "vec![1u8]");
    check("s in Just(vec!['a', 'b']).prop_shuffle()", "['b', 'a']", "vec!['b', 'a']");
    check("s in prop::sample::select(vec![&[1u8, 2][..], &[]])", "[1, 2]", "&[1u8, 2][..]");
}

#[test]
fn number_classes_and_bits_name_their_type() {
    check("x in prop::num::f64::NORMAL | prop::num::f64::ZERO", "-0.0", "-0.0f64");
    check("x in prop::num::i8::ANY", "-7", "-7i8");
    check("x in prop::bits::u16::between(0, 5)", "7", "7u16");
    check("x in prop::bool::weighted(0.3)", "true", "true");
    check("x in prop::char::range('a', 'z')", "'a'", "'a'");
}

#[test]
fn one_branch_tells_the_type_of_all() {
    check("x in prop_oneof![Just(15u32), Just(30), 1 => Just(60)]", "30", "30u32");
    check("x in Just(1u8).prop_union(Just(2))", "2", "2u8");
    check("x in Just(5)", "5", "5");
}

#[test]
fn a_mapped_value_has_the_type_of_the_closures_result() {
    check("x in (0u8..3).prop_map(|n| n as i64 * 3)", "6", "6i64");
    check("x in (0u8..3).prop_map(u32::from)", "2", "2u32");
    let chosen = "x in (0u8..3).prop_map(|n| match n { 0 => None, n => Some(n.to_string()) })";
    check(chosen, "None", "None::<String>");
    check("x in any::<u8>().prop_filter_map(\"w\", |n| (n > 3).then(|| (n, ())))", "(4, ())", "(4u8, ())");
    check("x in any::<i64>().prop_map(|b| b >> 8)", "1", "1i64");
    check("x in any::<u8>().prop_map(|b| { if b > 9 { return Some(b); } None })", "None", "None::<u8>");
    check("x in \"[0-9]\".prop_map(|s| s.parse::<u16>().unwrap())", "9", "9u16");
    check("x in \"[a-z]\".prop_map(|s| s.chars().rev().collect::<String>())", "\"a\"", "String::from(\"a\")");
    let collected = "pc::vec(0u8..9, 0..3).prop_map(|v| v.iter().map(|n| u64::from(*n)).collect::<Vec<_>>())";
    check(&format!("x in {collected}"), "[]", "Vec::<u64>::new()");
}

#[test]
fn a_mapped_value_has_the_type_that_is_written_out_or_that_a_function_by_its_path_gives() {
    check("x in (0u32..9).prop_map_into::<u64>()", "5", "5u64");
    check("x in \"a\".prop_map(std::borrow::Cow::<'static, str>::Owned)", "\"a\"", "std::borrow::Cow::Borrowed(\"a\")");
    check("x in \"a\".prop_map(std::borrow::Cow::Owned)", "\"a\"", "std::borrow::Cow::Borrowed(\"a\")");
    check("x in \"a\".prop_map(String::into_boxed_str)", "\"a\"", "Box::<str>::from(\"a\")");
    check("x in pc::vec(0u8..9, 1).prop_map(Vec::into_boxed_slice)", "[1]", "Box::<[u8]>::from([1])");
}

#[test]
fn a_dependent_strategy_sees_the_value_before_it() {
    let pair = "(n, v) in (1usize..4).prop_flat_map(|n| (Just(n), pc::vec(0i8..5, n)))";
    check(pair, "(1, [0])", "(1usize, vec![0i8])");
    let pair = "x in (1usize..4).prop_ind_flat_map2(|n| pc::vec(any::<bool>(), n))";
    check(pair, "(1, [true])", "(1usize, vec![true])");
}

#[test]
fn a_function_says_what_its_strategy_generates() {
    let returns_impl = "fn s() -> impl Strategy<Value = (u8, String)> { x() }";
    check_with(returns_impl, "x in s()", "(1, \"\")", "(1u8, String::from(\"\"))");
    check_with("fn s(n: u8) -> BoxedStrategy<u16> { x() }", "x in s(3).no_shrink()", "1", "1u16");
    check_with("fn s<T: Clone>(of: T) -> impl Strategy<Value = Vec<T>> { x() }", "x in s(1i8)", "[1]", "vec![1i8]");
    let generic = "fn s<S: Strategy<Value = T>, T>(of: S) -> impl Strategy<Value = Option<T>> { x() }";
    check_with(generic, "x in s(0u8..9)", "None", "None::<u8>");
    let composed = "prop_compose! { fn s(max: u8)(a in 0..max)(b in a..9) -> (u8, i64) { (a, 1) } }";
    check_with(composed, "x in s(3)", "(1, 2)", "(1u8, 2i64)");
    let far = "mod far { pub struct M; impl M { pub fn s() -> impl super::Strategy<Value = u16> { 0..9 } } }";
    check_with(far, "x in far::M::s()", "1", "1u16");
}
