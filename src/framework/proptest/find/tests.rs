//! What is found in a text, told on a few lines a property.

use super::properties;
use crate::language::rust::property::PropertyFn;

/// A property on a few lines: where, how, what.
fn told(text: &str, property: &PropertyFn) -> String {
    let PropertyFn { name, modules, form, line, docs, attributes, parameters, .. } = property;
    let parameters: Vec<String> = parameters
        .iter()
        .map(|p| match (&p.strategy, &p.ty) {
            (Some(strategy), Some(ty)) => format!("{}: {ty} in {strategy}", p.pattern),
            (Some(strategy), None) => format!("{} in {strategy}", p.pattern),
            (None, ty) => format!("{}: {}", p.pattern, ty.as_deref().unwrap_or("?")),
        })
        .collect();
    let mut lines = vec![
        format!("{line} {form:?} {}", [modules.as_slice(), std::slice::from_ref(name)].concat().join("::")),
        format!("  {}", parameters.join("; ")),
        format!("  body {:?}", &text[property.body.range()]),
    ];
    if !docs.is_empty() || attributes != &["#[test]"] {
        lines.push(format!("  {docs:?} {}", attributes.join(" ")));
    }
    if let Some(call) = property.call {
        lines.push(format!("  setup {:?}, rest {:?}", &text[call.setup.range()], &text[call.rest.range()]));
    }
    lines.join("\n")
}

fn check(text: &str, expected: &[&str]) {
    let found = properties(text).unwrap();
    assert_eq!(found.iter().map(|p| told(text, p)).collect::<Vec<_>>(), expected, "{text}");
}

#[test]
fn every_function_of_a_block_is_a_property() {
    check(
        "proptest! {\n    #![proptest_config(c())]\n    /// A-1\n    #[test]\n    fn a(x in 0..9, y: u8) { p(x) }\n\n    #[test] #[ignore]\n    fn r#b(s in t) {}\n}\n",
        &[
            "5 Block a\n  x in 0..9; y: u8\n  body \" p(x) \"\n  [\"A-1\"] #[test]",
            "8 Block b\n  s in t\n  body \"\"\n  [] #[test] #[ignore]",
        ],
    );
}

#[test]
fn properties_of_one_name_are_told_apart_by_their_modules() {
    check(
        "#[cfg(test)]\nmod tests {\n    mod a { proptest::proptest!(#[test] fn f(x: u8) {}); }\n    /// M-1\n    pub(crate) mod b {\n        //! M-2\n        proptest! { #[test] fn f(x: u8) {} }\n    }\n}",
        &[
            "3 Block tests::a::f\n  x: u8\n  body \"\"",
            "7 Block tests::b::f\n  x: u8\n  body \"\"\n  [\"M-1\", \"M-2\"] #[test]",
        ],
    );
}

#[test]
fn a_closure_and_a_runner_belong_to_their_test_function() {
    check(
        "#[test]\nfn c() {\n    let n = 3;\n    proptest!(cfg(), move |(x in 0..n, y: T)| { q(x); });\n    end();\n}\n",
        &[
            "2 Closure c\n  x in 0..n; y: T\n  body \" q(x); \"\n  setup \"\\n    let n = 3;\\n    \", rest \"\\n    end();\\n\"",
        ],
    );
    check(
        "#[test]\nfn r() {\n    run();\n    if let Err(e) = t.run(&(a, b::<C, D>()), |(x, y): (u8, u8)| -> R { q(x); Ok(()) }) { panic!() }\n}\n",
        &[
            "2 Runner r\n  (x, y): (u8, u8) in (a, b::<C, D>())\n  body \" q(x); Ok(()) \"\n  setup \"\\n    run();\\n    \", rest \"\\n\"",
        ],
    );
    check(
        "#[test]\nfn e() { t.run(&s, |x| q(x),).unwrap() }",
        &["2 Runner e\n  x in s\n  body \"q(x)\"\n  setup \" \", rest \" \""],
    );
}

#[test]
fn a_closure_in_a_loop_or_a_function_with_parameters_has_no_setup() {
    check(
        "#[test]\nfn c() { for n in 0..3 { proptest!(|(x in 0..n)| q(x)); } }",
        &["2 Closure c\n  x in 0..n\n  body \"q(x)\""],
    );
    check(
        "fn c(n: u8) { proptest!(|(x in 0..n)| { q(x) }); }",
        &["1 Closure c\n  x in 0..n\n  body \" q(x) \"\n  [] "],
    );
}

#[test]
fn attributes_make_a_function_a_property() {
    check(
        "#[proptest(cases = 5)]\nasync fn s(#[strategy(0..=#b)] a: u8) {}\n#[proptest::property_test]\nfn p(a: u8) -> R { Ok(()) }\n#[test]\nfn plain(x: fn(u8)) {}",
        &[
            "2 TestStrategy s\n  a: u8 in 0..=#b\n  body \"\"\n  [] #[proptest(cases = 5)]",
            "4 PropertyTest p\n  a: u8\n  body \" Ok(()) \"\n  [] #[proptest::property_test]",
        ],
    );
}

#[test]
fn a_state_machine_names_its_machine() {
    check(
        "prop_state_machine! {\n    #[test]\n    fn m(sequential 1..12 => Gate<u8>);\n}",
        &[
            "3 StateMachine m\n  (initial_state, transitions, seen_counter): Gate<u8> in 1..12\n  body \"sequential 1..12 => Gate<u8>\"",
        ],
    );
}

#[test]
fn what_only_looks_like_a_property_is_none() {
    check("macro_rules! g { ($n:ident) => { proptest! { #[test] fn $n(x: u8) {} } } }", &[]);
    check("// proptest! { #[test] fn a(x: u8) {} }\nconst S: &str = \"proptest! { fn a(x: u8) {} }\";", &[]);
    check("use proptest::proptest; fn f() { x.run(1); y.run(&a, b); proptest!(); proptest!(|x|); }", &[]);
}

/// Each property's text, the item it stands in and what the pin comes before.
fn check_places(text: &str, expected: &[[&str; 4]]) {
    let found = properties(text).unwrap();
    let places = found.iter().map(|p| {
        [&text[p.span.range()], &text[p.item.range()], text[p.pin_at..].lines().next().unwrap_or("(end)"), &p.indent]
    });
    assert_eq!(places.collect::<Vec<_>>(), expected, "{text}");
}

#[test]
fn a_pin_goes_after_the_line_that_ends_the_block_and_its_pins() {
    check_places(
        "mod t {\r\n\tuse a;\r\n\r\n\t#[cfg(x)]\r\n\tproptest! {\r\n\t\t// é\r\n\t\tfn a(x: u8) {}\r\n\t} // end\r\n}",
        &[[
            "// é\r\n\t\tfn a(x: u8) {}",
            "#[cfg(x)]\r\n\tproptest! {\r\n\t\t// é\r\n\t\tfn a(x: u8) {}\r\n\t}",
            "}",
            "\t",
        ]],
    );
    check_places(
        "proptest!{fn a(x:u8){}}\n\n/// Pinned\n#[test]\nfn a_pin_0123456() {\n}\n#[test]\nfn a_pin_1234567() {}\nfn b() {}\nfn a_pin_2345678() {}",
        &[["fn a(x:u8){}", "proptest!{fn a(x:u8){}}", "fn b() {}", ""]],
    );
    check_places("proptest!{fn a(x:u8){}}", &[["fn a(x:u8){}", "proptest!{fn a(x:u8){}}", "(end)", ""]]);
    check_places(" mod t {proptest!(fn a(x:u8){}); }", &[["fn a(x:u8){}", "proptest!(fn a(x:u8){});", " }", " "]]);
}
