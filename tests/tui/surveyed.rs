//! What the tabs beside the inbox read, as a sample: beside the inbox of seven failures a spec, a contract, sweeps and
//! decisions that go with it.

use redpin::check::{Aside, Asides, Cited, Night, OnRecord, Standing, Trace, Traced, Unmet};
use redpin::contract::{Day, Quarantine};
use redpin::failure::{Notice, TestName};
use redpin::inbox::{FailureId, Inbox};
use redpin::repo_path::RepoPath;
use redpin::requirement::{Requirement, RequirementId};
use redpin::span::Span;
use redpin::sweep::Sweep;
use redpin::tui::{Survey, Tab};
use redpin::verdict::{Decision, PinRecord, ProofRecord, Verdict};

/// All of it.
pub(crate) fn full(tab: Tab, inbox: &Inbox) -> Survey {
    match tab {
        Tab::Inbox => Survey::Failed(tab, String::new()),
        Tab::Requirements => Survey::Requirements(trace().into(), inbox.clone()),
        Tab::Quarantine => Survey::Quarantine(Ok(Some(asides())), inbox.clone()),
        Tab::Sweeps => Survey::Sweeps(nights()),
        Tab::Decisions => Survey::Decisions(decisions()),
    }
}

/// A repository that has none of it.
pub(crate) fn nothing(tab: Tab, inbox: &Inbox) -> Survey {
    match tab {
        Tab::Inbox => Survey::Failed(tab, String::new()),
        Tab::Requirements => Survey::Requirements(Box::default(), inbox.clone()),
        Tab::Quarantine => Survey::Quarantine(Ok(None), inbox.clone()),
        Tab::Sweeps => Survey::Sweeps(Vec::new()),
        Tab::Decisions => Survey::Decisions(Vec::new()),
    }
}

/// One whose contract cannot be read, and whose git says no.
pub(crate) fn broken(tab: Tab, inbox: &Inbox) -> Survey {
    match tab {
        Tab::Quarantine => {
            let why = "contract is not valid: patch-contract.json: missing field `today` at line 1 column 2";
            Survey::Quarantine(Err(why.to_owned()), inbox.clone())
        }
        _ => Survey::Failed(tab, "git cannot read the index: \u{1b}[31mit is damaged".to_owned()),
    }
}

fn file(path: &str) -> RepoPath {
    RepoPath::new(path).unwrap()
}

fn requirement(id: &str, title: &str, text: &str, line: u32, properties: &[usize]) -> Traced {
    let id = RequirementId(id.to_owned());
    Traced {
        file: file("billing/spec.md"),
        requirement: Requirement { id, title: title.to_owned(), text: text.to_owned(), line, end: 0 },
        properties: properties.to_vec(),
    }
}

fn property(test: &str, line: u32, requirement: &str) -> Cited {
    Cited {
        framework: "some",
        test: TestName(test.to_owned()),
        file: file("src/billing.rs"),
        line,
        span: Span::new(0, 0),
        requirement: Some(RequirementId(requirement.to_owned())).filter(|id| !id.0.is_empty()),
        skipped: None,
        pins: Vec::new(),
        decision: None,
    }
}

fn trace() -> Trace {
    let mut properties = vec![
        property("billing::tests::bill_4_spread_at_most_one_cent", 22, "BILL-4"),
        property("billing::tests::bill_4_earlier_never_smaller", 31, "BILL-4"),
        property("billing::tests::bill_4_sum_is_exact", 40, "BILL-4"),
        property("refund::tests::bill_7_half_cent_goes_up", 12, "BILL-7"),
        property("refund::tests::bill_8_never_twice", 30, "BILL-8"),
        property("export::round_trip", 5, "CSV-1"),
        property("export::no_blank_rows", 19, "CSV-9"),
        property("ledger_never_negative", 3, ""),
    ];
    properties[4].skipped = Some("#[ignore]".to_owned());
    properties[5].pins = vec!["export::round_trip_pin_0a1b2c3".to_owned()];
    properties[5].decision =
        Some(decision("export::round_trip", Verdict::RealBug, "2026-11-30T08:10:00Z", "quotes are doubled"));
    Trace {
        requirements: vec![
            requirement(
                "BILL-4",
                "fair instalments",
                "No two instalments differ by\nmore than 1 cent.\n\n- sums stay exact\n- earlier ones are never smaller",
                14,
                &[0, 1, 2],
            ),
            requirement("BILL-7", "refunds", "Half a cent goes up.", 30, &[3]),
            requirement("BILL-8", "refunds once", "Nothing is refunded twice.", 38, &[4]),
            requirement("CSV-1", "round trip", "What is exported reads back as it was.", 50, &[5]),
            requirement(
                "STORE-2",
                "a \u{202e}title that is longer than any pane of the screen has room for, by far",
                "",
                60,
                &[],
            ),
        ],
        properties,
        unmet: vec![Unmet::NoProperty(2), Unmet::NoProperty(4), Unmet::NoRequirement(6), Unmet::CitesNothing(7)],
        notices: vec![Notice { file: "src/odd.rs".to_owned(), line: Some(7), text: "ends inside a text".to_owned() }],
    }
}

fn asides() -> Asides {
    let today = Day::read("2026-12-01").unwrap();
    let aside = |test: &str, expires: &str, reason: &str, failures: &[&str], seed| {
        let quarantine =
            Quarantine { test: test.to_owned(), expires: Day::read(expires).unwrap(), reason: reason.to_owned() };
        Aside {
            days_left: quarantine.days_left(today),
            quarantine,
            seed,
            failures: failures.iter().map(|id| FailureId((*id).to_owned())).collect(),
            place: Some((file("patch-contract.json"), 9)),
        }
    };
    let asides = vec![
        aside(
            "ledger_never_negative",
            "2026-12-14",
            "waits for a clock of its own",
            &["ledger_never_negative"],
            Some(7),
        ),
        aside("web/card.test.ts > card > masks", "2026-12-02", "", &[], None),
        aside("export::no_blank_rows", "2026-11-28", "slow on one machine", &[], None),
    ];
    Asides { today, asides }
}

fn night(day: u32, failures: u64, new: u64, open: u64, oldest: Option<u64>) -> Night {
    let when = format!("2026-11-{day:02}T03:17:00Z");
    let sweep = Sweep {
        name: "nightly".to_owned(),
        when: when.clone(),
        command: "cargo nextest run".to_owned(),
        commit: "c0ffee1".to_owned(),
        cases: 10_000,
        of: 2,
        shards: [(1, when)].into(),
        properties: Some(8),
        failures,
        new,
        known: failures - new,
        milliseconds: 754_000,
        exit: i32::from(failures > 0),
    };
    Night { sweep, shown: failures, open, oldest, hours: oldest.map(|_| 5 * open) }
}

fn nights() -> Vec<Night> {
    vec![
        night(24, 2, 2, 0, None),
        night(25, 0, 0, 0, None),
        night(26, 9, 7, 1, Some(5)),
        night(27, 4, 0, 1, Some(5)),
        night(30, 7, 5, 5, Some(5)),
    ]
}

fn decision(property: &str, verdict: Verdict, when: &str, why: &str) -> Decision {
    Decision {
        schema: 1,
        failure: property.to_owned(),
        verdict,
        who: "Ada <ada@example.org>".to_owned(),
        when: when.to_owned(),
        why: why.to_owned(),
        framework: "some".to_owned(),
        package: Some("ledger".to_owned()),
        property: property.to_owned(),
        file: Some("src/export.rs".to_owned()),
        requirement: Some("CSV-1".to_owned()),
        counterexample: "text = \"\\\"\\n\"".to_owned(),
        message: "quotes were lost".to_owned(),
        run: "nightly.log".to_owned(),
        pin: None,
        before: Vec::new(),
    }
}

fn decisions() -> Vec<OnRecord> {
    let pin = PinRecord {
        test: Some("export::round_trip_pin_0a1b2c3".to_owned()),
        rung: "literal".to_owned(),
        replay: Some("cc 950ab3f".to_owned()),
        files: vec!["src/export.rs".to_owned()],
        reason: None,
        proof: Some(ProofRecord {
            state: "red".to_owned(),
            commit: "c0ffee1+".to_owned(),
            toolchain: String::new(),
            when: "2026-11-30T08:10:00Z".to_owned(),
            at: Some("src/export.rs:9".to_owned()),
            shared: Vec::new(),
        }),
        instead: None,
    };
    let first = decision("export::round_trip", Verdict::AmbiguousSpec, "2026-11-26T09:00:00Z", "are quotes doubled?");
    let bug = Decision {
        pin: Some(pin),
        ..decision("export::round_trip", Verdict::RealBug, "2026-11-30T08:10:00Z", "quotes are doubled")
    };
    let wrong =
        decision("ledger_keeps_order", Verdict::WrongProperty, "2026-11-20T10:00:00Z", "order is nobody's promise");
    let on_record = |decision: Decision, name: &str, standing| OnRecord {
        file: file(&format!(".redpin/decisions/{name}.json")),
        decision,
        standing,
        is_reopened: false,
    };
    vec![
        on_record(bug.after(first), "1-round_trip", Standing::Staged),
        on_record(wrong, "2-ledger_keeps_order", Standing::Committed),
    ]
}
