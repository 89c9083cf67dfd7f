//! `redpin --plain`: the workstation's actions as answers, without a screen.

use super::desk::Desk;

/// What redpin says to these answers on the sample's run; it must end well.
fn told(desk: &Desk, answers: &str) -> String {
    let answer = desk.redpin_answered(&["--plain", desk.run()], answers);
    assert_eq!(answer.code, 0, "{answer:?}");
    answer.out + &answer.err
}

#[test]
fn three_verdicts_are_given_noted_staged_and_undone_by_answers() {
    let desk = Desk::new();
    let before = desk.state();
    let told = told(&desk, "b\nn the bound is too tight\nw\na\ns\nq\n");
    for said in ["real-bug: ", "noted", "wrong-property: ", "ambiguous-spec: ", "7 of 10 open", "undo` takes it back"] {
        assert!(told.contains(said), "{said:?} is not in:\n{told}");
    }
    let staged = desk.git(&["diff", "--cached"]);
    for part in ["\"verdict\": \"real-bug\"", "\"why\": \"the bound is too tight\"", "\"verdict\": \"wrong-property\""]
    {
        assert!(staged.contains(part), "{part:?} is not in:\n{staged}");
    }
    desk.redpin_answered(&["--plain"], "u\n");
    assert_eq!(desk.state(), before);
}

#[test]
fn a_failure_is_gone_to_by_name_and_its_patch_is_shown() {
    let desk = Desk::new();
    let told = told(&desk, "g half_a_cent_goes_up\np\nl csv\n");
    let shown = told.split("redpin> ").collect::<Vec<_>>();
    assert!(shown[1].contains("bill_7_half_a_cent_goes_up") && shown[1].contains("Counterexample"), "{}", shown[1]);
    assert!(shown[2].contains("what real-bug stages") && shown[2].contains("+    #[test]"), "{}", shown[2]);
    assert!(shown[3].contains("csv_1_a_cell_reads_back") && shown[3].ends_with("2 failures\n"), "{}", shown[3]);
    assert_eq!(desk.git(&["diff", "--cached"]), "");
}

#[test]
fn what_cannot_be_done_is_said_and_ends_nothing() {
    let desk = Desk::new();
    let told = told(&desk, "x\ng nothing_like_it\ns\nU\nc\n?\n\nq\nb\n");
    for said in ["no such answer", "nothing_like_it", "nothing is waiting", "nothing to redo", "nothing to choose"] {
        assert!(told.contains(said), "{said:?} is not in:\n{told}");
    }
    assert!(told.contains("q    leave") && !told.contains("real-bug: "), "{told}");
}

#[test]
fn nothing_moves_or_is_drawn() {
    let desk = Desk::new();
    assert!(!told(&desk, "b\nl\np\ns\n").contains('\u{1b}'));
}

#[test]
fn what_the_tabs_show_is_told_by_their_numbers() {
    let desk = Desk::new();
    desk.redpin(&["contract", "init", "--today", "2026-12-01"]);
    desk.git(&["commit", "-q", "-m", "Start a contract"]);
    let aside =
        ["contract", "quarantine", "fees::tests::bill_9_fee_grows_every_day", "--expires", "2026-12-03", "--reason"];
    desk.redpin(&[&aside[..], &["flaky clock"]].concat());
    let told = told(&desk, "g half_a_cent_goes_up\nn rounds as the spec says\nw\ns\n2\n3\n4\n5\n");
    let shown = told.split("redpin> ").collect::<Vec<_>>();
    assert!(shown[5].contains("BILL-7  Partial refunds\n") && shown[5].contains("7 requirements, "), "{}", shown[5]);
    let left =
        "2026-12-03, 2 days left: fees::tests::bill_9_fee_grows_every_day, 1 failure in the inbox\n    flaky clock\n";
    assert!(
        shown[6].contains(left) && shown[6].ends_with("1 set aside, today being 2026-12-01 by the contract\n"),
        "{}",
        shown[6]
    );
    assert_eq!(shown[7], "0 sweeps\n");
    let decided = "wrong-property, staged: refund::tests::bill_7_half_a_cent_goes_up, by Ada <ada@example.org>";
    assert!(
        shown[8].contains(decided) && shown[8].contains("\n    rounds as the spec says\n1 decision\n"),
        "{}",
        shown[8]
    );
}

#[test]
fn a_decided_failure_is_opened_again_by_an_answer() {
    let desk = Desk::new();
    let told = told(&desk, "g half_a_cent_goes_up\nw\nr half_a_cent_goes_up\nr\n");
    let shown = told.split("redpin> ").collect::<Vec<_>>();
    assert!(shown[3].contains("bill_7_half_a_cent_goes_up") && shown[3].contains("10 of 10 open"), "{told}");
}
