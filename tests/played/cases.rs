//! What is staged of each case to the byte, on which rungs; that the pins are red, that a second staging changes nothing and
//! that one undo takes all of it back.

use super::stage::Stage;

#[track_caller]
fn check(name: &str, rungs: &[&str]) {
    let stage = Stage::new(name);
    let before = stage.status();
    let pin = ["pin", "--all", "--json", "--run", &stage.log()];
    let words = |answer: &serde_json::Value, list: &str, key: &str| -> Vec<String> {
        let rows = answer[list].as_array().unwrap().iter();
        rows.map(|row| row[key].as_str().unwrap_or_default().to_owned()).collect()
    };
    let pinned = stage.redpin(&pin);
    assert_eq!(words(&pinned, "pins", "rung"), rungs, "{pinned:#}");
    assert_eq!(stage.staged(), stage.patch());
    assert_eq!(stage.git(&["diff", "--name-only"]), "", "index and work tree differ");

    let verified = stage.redpin(&["verify", "--json"]);
    assert_eq!(words(&verified, "pins", "state"), vec!["red"; rungs.len()], "{verified:#}");

    let again = stage.redpin(&pin);
    assert_eq!(words(&again, "pins", "outcome"), vec!["already-pinned"; rungs.len()], "{again:#}");
    assert_eq!(stage.code(&["undo"]), Some(0));
    assert_eq!(stage.status(), before);
}

#[test]
fn instances_are_made_by_the_code_that_made_them_and_imported() {
    check("coinbox", &["constructed"; 4]);
}

#[test]
fn a_run_of_commands_is_replayed_and_a_rule_in_a_shared_function_has_its_own_test() {
    check("liftlog", &["replayed", "literal", "literal"]);
}

#[test]
fn what_comes_about_in_a_run_is_replayed_by_a_copy_of_its_test() {
    check("tagwire", &["replayed", "replayed", "constructed"]);
}

#[test]
fn a_property_bound_to_a_path_or_to_few_runs_runs_its_pin_all_the_same() {
    check("pathway", &["literal"; 3]);
}

#[test]
fn values_of_every_kind_go_among_the_examples() {
    check("bagsum", &["literal"; 8]);
}

#[test]
fn options_by_a_variable_records_and_async_properties_take_examples() {
    check("dialplan", &["literal"; 3]);
}

#[test]
fn functions_that_begin_tests_get_tests_in_the_style_of_the_file() {
    check("shelfset", &["literal", "literal", "literal", "constructed"]);
}

#[test]
fn functions_schedules_and_errors_are_replayed_or_made_anew() {
    check("mixlab", &["constructed", "constructed", "replayed", "replayed", "constructed"]);
}
