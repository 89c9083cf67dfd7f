//! Pins out of notes: what was noted of a value, and the example that makes it again.

use crate::failure::{Counterexample, Failure, ForeignPath, Location, Replay, testing};
use crate::framework::fast_check::{FastCheck, own};
use crate::framework::{Case, Pinning, Recorder};
use crate::pin::Rung;
use crate::proof::StandingPin;
use crate::proof::testing::blank_pin;
use crate::repo_path::RepoPath;
use crate::source_tree::testing::Files;

const TEST: &str = "tests/a.test.ts";
const SOURCE: &str = "import fc from 'fast-check';\nimport { m, p } from './arbs';\n\
    it('t', () => {\n  fc.assert(fc.property(m(3), (a) => a.n < 1));\n});\n";
const ARBS: &str = "import fc from 'fast-check';\nimport { Money as M } from '../src/money';\n\
    export const m = (max) => fc.nat(max).map((n) => M.of(n, max));\nexport const p = fc.nat().map(M.of);\n\
    const far = () => new Far(1);\nexport const q = fc.nat().map((n) => far(n));\n";

fn failure(input: &str) -> Failure {
    Failure {
        location: Some(Location { file: ForeignPath(TEST.to_owned()), line: 4, column: None }),
        counterexample: Counterexample { text: input.to_owned(), arguments: Vec::new() },
        replay: Replay::NewSeed { handle: "seed: 7, path: \"3:1\"".to_owned(), file: None },
        message: "too much".to_owned(),
        ..testing::failure("t")
    }
}

/// The file after the best pin that the notes allow, and how many pins they allow.
fn made(input: &str, printed: &str, calls: &str, maps: &str) -> Result<(String, Rung, usize), String> {
    let tree = Files::new([(TEST, SOURCE), ("tests/arbs.ts", ARBS), ("src/money.ts", "export class Money {}\n")]);
    let failure = failure(input);
    let key = own::mark(&failure);
    let record = format!("{{\"key\":\"{key}\",\"printed\":{printed},\"calls\":[{calls}],\"maps\":[{maps}]}}\n");
    assert!(FastCheck.record_of(&failure, &record).contains(&key));
    let case = Case { failure: &failure, requirement: None, tree: &tree, today: "2026-11-30" };
    let candidates = FastCheck.constructed(&case, &record, &[]).map_err(|refusal| refusal.0)?;
    let best = &candidates[0];
    assert_eq!(best.recorded, serde_json::from_str::<Vec<String>>(printed).unwrap());
    let part = &best.pin.parts[0];
    let after = FastCheck.place(&best.pin, part, SOURCE.as_bytes()).unwrap().apply(SOURCE.as_bytes());
    assert!(FastCheck.place(&best.pin, part, &after).unwrap().is_empty());
    let again = Files::new([(TEST, std::str::from_utf8(&after).unwrap()), ("tests/arbs.ts", ARBS)]);
    let standing = FastCheck.pin(&Case { tree: &again, ..case });
    if best.pin.rung == Rung::Constructed {
        assert!(FastCheck.place(&standing.clone().unwrap(), &standing.unwrap().parts[0], &after).unwrap().is_empty());
    }
    let value = best.value.as_ref().unwrap();
    let with_value = FastCheck.place(value, &value.parts[0], &after).unwrap().apply(&after);
    let text = String::from_utf8(with_value).unwrap();
    assert!(text.contains("\nit('redpin (value ") && text.contains("const { stringify } = fc;"), "{text}");
    Ok((String::from_utf8(after).unwrap(), best.pin.rung, candidates.len()))
}

fn at(code: &str) -> String {
    format!("tests/arbs.ts:{}", ARBS.find(code).unwrap())
}

#[test]
fn a_call_in_another_file_is_made_again_and_its_names_are_imported() {
    let call =
        format!(r#"{{"by":"call","site":"{}","list":[{{"text":"2"}},{{"text":"3"}}],"around":{{}}}}"#, at("(n, max)"));
    let map = format!(
        r#"{{"by":"map","site":"{}","list":[{{"text":"2"}}],"around":{{"max":{{"text":"3"}}}}}}"#,
        at("(n) => M.of")
    );
    let (after, rung, pins) = made("[{\"n\":2}]", r#"["{\"n\":2}"]"#, &call, &map).unwrap();
    assert_eq!((rung, pins), (Rung::Constructed, 2));
    let mark = own::mark(&failure("[{\"n\":2}]"));
    let expected = format!(
        "import fc from 'fast-check';\nimport {{ m, p }} from './arbs';\nimport {{ Money as M }} from '../src/money';\n\
         it('t', () => {{\n  fc.assert(fc.property(m(3), (a) => a.n < 1), {{\n    examples: [\n      \
         // Pinned 2026-11-30: too much{mark}\n      [M.of(2, 3)],\n    ],\n  }});\n}});\n"
    );
    assert_eq!(after, expected);
    let (after, ..) = made("[{\"n\":2}]", r#"["{\"n\":2}"]"#, &map, &map).unwrap();
    assert!(after.contains("[((max) => ((n) => M.of(n, max)))(3)(2)],\n"), "{after}");
    let handed = format!(r#"{{"by":"map","site":"{}","list":[{{"text":"2"}}]}}"#, at("M.of);"));
    let (after, ..) = made("[{\"n\":2}]", r#"["{\"n\":2}"]"#, &handed, &handed).unwrap();
    assert!(after.contains("[M.of(2)],\n"), "{after}");
}

#[test]
fn data_is_written_anew_and_stands_on_the_first_rung() {
    let data = r#"{"object":[[{"text":"\"__proto__\""},{"list":[{"text":"1"},null]}],[{"text":"Symbol.iterator"},{"call":"new Map","list":[{"list":[]}]}]],"bare":true}"#;
    let (after, rung, pins) = made("[{}]", r#"["{}"]"#, data, data).unwrap();
    assert_eq!((rung, pins), (Rung::Literal, 1));
    assert!(
        after.contains("[{ __proto__: null, ['__proto__']: [1,,], [Symbol.iterator]: new Map([]) }],\n"),
        "{after}"
    );
}

#[test]
fn what_was_not_seen_or_is_no_place_of_the_source_is_not_made() {
    let refused = |note: &str| made("[{\"n\":2}]", r#"["{\"n\":2}"]"#, note, note).unwrap_err();
    assert!(refused(r#"{"unknown":"an object of M\u001b[2J"}"#).contains("an object of M\\u{1b}[2J"));
    assert!(refused(r#"{"text":"process.exit()"}"#).contains("no value that an expression can hold"));
    assert!(refused(r#"{"by":"new","site":"tests/arbs.ts:3","list":[]}"#).contains("not in the source"));
    assert!(refused(r#"{"by":"new","site":"../../x.ts:3","list":[]}"#).contains("not in the source"));
    let far = format!(r#"{{"by":"call","site":"{}","list":[{{"text":"2"}}]}}"#, at("(n));\n"));
    assert!(refused(&far).contains("`far` is known in tests/arbs.ts alone"));
    let why = made("[{\"n\":2}]", r#"["{\"n\":3}"]"#, r#"{"text":"1"}"#, r#"{"text":"1"}"#).unwrap_err();
    assert!(why.contains("did not come up again"), "{why}");
}

#[test]
fn code_that_makes_a_value_is_carried_into_another_version() {
    let call = format!(r#"{{"by":"call","site":"{}","list":[{{"text":"2"}}]}}"#, at("(n, max)"));
    let (here, ..) = made("[{\"n\":2}]", r#"["{\"n\":2}"]"#, &call, &call).unwrap();
    let standing = StandingPin {
        file: RepoPath::new(TEST),
        message: "too much".to_owned(),
        counterexample: "[{\"n\":2}]".to_owned(),
        ..blank_pin("fast-check", "t")
    };
    let files = |test: &str| Files::new([(TEST, test), ("tests/arbs.ts", ARBS), ("src/money.ts", "")]);
    let graft = FastCheck.graft(&standing, &files(&here), &files(SOURCE)).unwrap();
    let after = String::from_utf8(graft.edits[0].1.apply(SOURCE.as_bytes())).unwrap();
    assert!(
        after.contains("import { Money as M } from '../src/money';\n") && after.contains("[M.of(2)],\n"),
        "{after}"
    );
    assert!(FastCheck.graft(&standing, &files(SOURCE), &files(SOURCE)).is_err());
}
