//! An inbox for the screens: seven failures of four causes, with what is known of them.

use std::sync::Arc;

use redpin::detail::{Detail, Hint, Preview};
use redpin::failure::{
    Argument, Caveat, Counterexample, Ending, Failure, ForeignPath, FrameworkName, Location, Origin, Replay, TestName,
};
use redpin::inbox::{CauseId, FailureId, Filed, Inbox, Occurrence, State};
use redpin::pin::Rung;
use redpin::property::Property;
use redpin::repo_path::RepoPath;
use redpin::requirement::{Requirement, RequirementId};
use redpin::span::Span;
use redpin::value::Value;
use redpin::verdict::Verdict;

/// A failure in short: cause, test, requirement, message, arguments.
type Short<'a> = (&'a str, &'a str, &'a str, &'a str, &'a [(&'a str, &'a str)]);

const SPREAD: &str = "spread 2 in [29740, 29740, 29740, 29738]";

const FAILURES: &[Short<'_>] = &[
    ("c1", "billing::tests::bill_4_spread_at_most_one_cent", "BILL-4", SPREAD, &[("total", "118958"), ("parts", "4")]),
    ("c1", "billing::tests::bill_4_earlier_never_smaller", "BILL-4", SPREAD, &[("total", "118958"), ("parts", "4")]),
    ("c1", "billing::tests::bill_4_sum_is_exact", "BILL-4", "13 != 11", &[("total", "11"), ("parts", "13")]),
    (
        "c2",
        "refund::tests::bill_7_half_cent_goes_up",
        "BILL-7",
        "left 2, right 3",
        &[(
            "refund",
            "Refund { order: 17, lines: [Line { sku: \"a\", cents: 3 }, Line { sku: \"b\\u{1b}[2J\", cents: 250000 }], note: None }",
        )],
    ),
    ("c3", "export::round_trip", "CSV-1", "quotes were lost", &[("text", "\"\\\"\\n\"")]),
    (
        "c4",
        "ledger_never_negative",
        "",
        "attempt to subtract with overflow",
        &[("entries", "[Entry { cents: 1 }, Entry { cents: 2 }]")],
    ),
    ("c4", "ledger_keeps_order", "", "attempt to subtract with overflow", &[("entries", "[Entry { cents: 5 }]")]),
];

/// The inbox: one failure staged, one of an earlier decision, the others open.
pub(crate) fn inbox() -> Inbox {
    let mut filed: Vec<Filed> = FAILURES.iter().map(short).collect();
    filed[4].state = State::Staged;
    filed[4].verdict = Some(Verdict::RealBug);
    filed[6].state = State::Known;
    filed[6].verdict = Some(Verdict::WrongProperty);
    filed[0].occurrences.push(occurrence("2026-11-30T03:17:00Z"));
    filed[3].failure.caveats.push(Caveat::NotMinimal);
    filed[3].failure.replay = Replay::Replayed;
    filed[5].failure.panicked = true;
    Inbox::new(filed.into_iter().map(Arc::new).collect())
}

/// One open failure whose only argument has this text.
pub(crate) fn one(argument: &str, message: &str) -> Inbox {
    let filed = short(&("c1", "one::holds", "BILL-4", message, &[("value", argument)]));
    Inbox::new(vec![Arc::new(filed)])
}

/// As many open failures, each a cause of its own.
pub(crate) fn many(count: usize) -> Inbox {
    let filed = |number: usize| {
        let cause = format!("c{number}");
        let test = format!("module_{}::tests::property_{number:06}_holds", number % 97);
        let text = number.to_string();
        let arguments = [("n", text.as_str())];
        Arc::new(short(&(cause.as_str(), test.as_str(), "BILL-4", "n is too large", &arguments)))
    };
    Inbox::new((0..count).map(filed).collect())
}

fn short((cause, test, requirement, message, arguments): &Short<'_>) -> Filed {
    let arguments: Vec<Argument> =
        arguments.iter().map(|(name, text)| Argument { name: (*name).to_owned(), text: (*text).to_owned() }).collect();
    let text: Vec<String> = arguments.iter().map(|argument| format!("{} = {}", argument.name, argument.text)).collect();
    Filed {
        id: FailureId((*test).to_owned()),
        cause: CauseId((*cause).to_owned()),
        failure: Failure {
            framework: FrameworkName("some".to_owned()),
            test: TestName((*test).to_owned()),
            package: None,
            binary: None,
            location: None,
            site: Some(Location { file: ForeignPath("src/billing.rs".to_owned()), line: 27, column: Some(9) }),
            panicked: false,
            ending: Ending::Falsified,
            message: (*message).to_owned(),
            counterexample: Counterexample { text: text.join(", "), arguments },
            replay: Replay::NewSeed { handle: "cc 950ab3f".to_owned(), file: None },
            error: None,
            own_message: None,
            generated: Vec::new(),
            caveats: Vec::new(),
            origin: Origin { run: "nightly.log".to_owned(), line: 120 },
        }
        .into(),
        file: RepoPath::new("src/billing.rs"),
        line: Some(22),
        requirement: Some(RequirementId((*requirement).to_owned())).filter(|id| !id.0.is_empty()),
        occurrences: vec![occurrence("2026-11-28T03:17:00Z")].into(),
        pin_failed: false,
        only_replay: false,
        candidates: Vec::new(),
        state: State::Open,
        verdict: None,
        note: String::new(),
        reopened: false,
    }
}

fn occurrence(imported: &str) -> Occurrence {
    let origin = Origin { run: "nightly.log".to_owned(), line: 120 };
    Occurrence { origin, imported: imported.to_owned(), digest: String::new(), handle: None }
}

const SOURCE: &str = "\
/// [BILL-4] No two instalments differ by more than a cent.
#[test]
fn bill_4_spread_at_most_one_cent(total in 0u64..=10_000_000, parts in 1u32..=24) {
\tlet out = split_cents(total, parts).unwrap();
\tlet (max, min) = (*out.iter().max().unwrap(), *out.iter().min().unwrap());
\tprop_assert!(max - min <= 1, \"spread {} in {:?}\", max - min, out);
}";

/// What is known of a failure.
pub(crate) fn detail(filed: &Filed) -> Detail {
    let file = RepoPath::new("src/billing.rs").unwrap();
    let property = Property {
        file: file.clone(),
        line: 22,
        span: Span::new(0, SOURCE.len()),
        first_line: 20,
        text: SOURCE.to_owned(),
        citations: Vec::new(),
        package_folder: String::new(),
        package: None,
        own_message: None,
    };
    let requirement = filed.requirement.clone().map(|id| {
        let text = "No two instalments differ by\nmore than 1 cent.".to_owned();
        let requirement = Requirement { id, title: "fair instalments".to_owned(), text, line: 14, end: 0 };
        (RepoPath::new("billing/spec.md").unwrap(), requirement)
    });
    let arguments = filed.failure.counterexample.arguments.iter();
    Detail {
        property: Some(property),
        failing_line: Some(25),
        requirement,
        arguments: arguments.map(|one| (one.name.clone(), Value::parse(&one.text))).collect(),
        history: vec!["last change of src/billing.rs: a1b2c3d Ann, 2 days ago: Round refunds".to_owned()],
        hints: vec![Hint {
            text: "the three properties of this cause fail at one line".to_owned(),
            ground: "src/billing.rs:9".to_owned(),
        }],
        suggestions: Vec::new(),
    }
}

/// What staging a verdict would write.
pub(crate) fn preview(verdict: Verdict) -> Preview {
    match verdict {
        Verdict::RealBug => Preview {
            patch: "\
diff --git a/src/billing.rs b/src/billing.rs
index 1..2 100644
--- a/src/billing.rs
+++ b/src/billing.rs
@@ -26,1 +26,4 @@
 }
+#[test]
+fn bill_4_spread_at_most_one_cent_pin_950ab3f() {
+    let (total, parts) = (118_958u64, 4u32);
"
            .to_owned(),
            files: vec![(RepoPath::new("src/billing.rs").unwrap(), 3, 0)],
            rung: Some(Rung::Literal),
            ..Preview::default()
        },
        _ => Preview { refusal: Some("the spec has no place for it".to_owned()), ..Preview::default() },
    }
}
