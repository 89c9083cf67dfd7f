//! Pins of values too long for a test: they stand in a file beside it, are proven with it, and go with it wherever it goes.

use super::bench::Bench;

const POUCH: &str = "//! Many coins.

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    #[derive(Debug, Clone, PartialEq)]
    enum Coin {
        Cent(u16),
        Token { of: Option<u8> },
    }

    fn coin() -> impl Strategy<Value = Coin> {
        prop_oneof![any::<u16>().prop_map(Coin::Cent), any::<Option<u8>>().prop_map(|of| Coin::Token { of })]
    }

    proptest! {
        #[test]
        fn a_pouch_is_light(coins in prop::collection::vec(coin(), 0..2_000)) {
            prop_assert!(coins.len() < 700, \"too heavy\");
        }
    }
}
";

#[test]
fn a_long_value_stands_in_a_file_and_goes_with_its_test() {
    let bench = Bench::new("fixture");
    bench.write("src/pouch.rs", POUCH);
    bench.edit("src/lib.rs", "pub mod statement;", "pub mod pouch;\npub mod statement;");
    bench.write(".redpin/config.toml", "[pins]\nlong-values = \"file\"\n");
    bench.git(&["add", "src/pouch.rs", ".redpin/config.toml"]);
    bench.commit("Carry coins");
    let coin = |number: usize| match number % 3 {
        0 => format!("    Cent(\n        {},\n    ),\n", number * 17),
        1 => format!("    Token {{\n        of: Some(\n            {},\n        ),\n    }},\n", number % 256),
        _ => "    Token {\n        of: None,\n    },\n".to_owned(),
    };
    let coins: String = (0..700).map(coin).collect();
    let log = format!(
        "running 1 test\n\nfailures:\n\n---- pouch::tests::a_pouch_is_light stdout ----\n\nthread \
         'pouch::tests::a_pouch_is_light' panicked at src/pouch.rs:17:5:\nTest failed: too heavy.\nminimal failing input: \
         coins = [\n{coins}]\n\tsuccesses: 1\n\tlocal rejects: 0\n\tglobal rejects: 0\n\n"
    );
    let log = bench.write_beside("pouch.log", &log);
    assert_eq!(bench.redpin(&["import", "--json", &log]).0, 0);
    let before = bench.repository();

    let (code, answer) = bench.redpin(&["pin", "--json", "--all"]);
    let pin = &answer["pins"][0];
    assert_eq!((code, &pin["rung"], &pin["proof"]), (0, &"literal".into(), &"red".into()), "{answer:#}");
    let files = pin["files"].as_array().unwrap().iter().filter_map(|file| file.as_str());
    let fixture = files.clone().find(|file| file.starts_with("src/pins/a_pouch_is_light_pin_")).unwrap().to_owned();
    let held = bench.read(&fixture);
    assert!(
        held.contains("Coin::Token { of: Some(1u8) },\n") || held.contains("Coin::Token { of: Some(1) },"),
        "{held}"
    );
    let test = bench.read("src/pouch.rs");
    let included = fixture.strip_prefix("src/").unwrap();
    assert!(test.contains(&format!("let coins = include!(\"{included}\");")), "{test}");
    assert!(bench.git(&["diff", "--cached", "--name-only"]).contains(&fixture));
    assert_eq!(bench.redpin(&["pin", "--json", "--all"]).1["pins"][0]["outcome"], "already-pinned");

    let (code, answer) = bench.redpin(&["verify", "--json", "--base", "HEAD"]);
    let pin = &answer["pins"][0];
    assert_eq!((code, &pin["base"]["state"], &pin["state"]), (1, &"red".into(), &"red".into()), "{answer:#}");

    assert_eq!(bench.tried(&["undo"]).0, 0);
    assert_eq!(bench.repository(), before);
    assert!(!bench.top().join(&fixture).exists());
}
