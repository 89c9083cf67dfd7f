//! Where the git program is missing, or does not know who the user is.

use super::desk::Desk;

const NOWHERE: [(&str, &str); 1] = [("PATH", "/nowhere")];
const FEE: &str = "fee_grows_every_day";

/// Who decided, as the fee's record has it, when it is decided in these surroundings; and what was said beside.
fn who(desk: &Desk, environment: &[(&str, &str)]) -> (String, String) {
    desk.redpin_under(environment, &["import", desk.run()]);
    let answer = desk.redpin_under(environment, &["decide", FEE, "wrong-property"]);
    assert_eq!((answer.code, answer.err.as_str()), (0, ""));
    let record = desk.top().join(".redpin/decisions/0a50b58d9766-bill_9_fee_grows_every_day.json");
    let record: serde_json::Value = serde_json::from_slice(&std::fs::read(record).unwrap()).unwrap();
    (record["who"].as_str().unwrap().to_owned(), answer.out)
}

#[test]
fn without_the_git_program_the_same_is_found_staged_and_taken_back() {
    let desk = Desk::new();
    let before = desk.state();
    // A source that git does not track, and one that it ignores.
    desk.git(&["rm", "-q", "--cached", "src/fees.rs"]);
    let listed = desk.redpin(&["list", desk.run()]);
    assert_eq!(desk.redpin_under(&NOWHERE, &["list", desk.run()]), listed);
    desk.git(&["add", "src/fees.rs"]);
    assert_eq!(desk.state(), before);
    let with = desk.redpin(&["show", FEE, desk.run()]).out;
    let last_change = desk.git(&["log", "-1", "--format=%h %as %an: %s"]);
    assert!(with.contains(&last_change));
    let without = with.replace(&last_change, "the git program was not found; install git, or put it on the PATH\n");
    assert_eq!(desk.redpin_under(&NOWHERE, &["show", FEE, desk.run()]).out, without);
    assert_eq!(desk.redpin_under(&NOWHERE, &["pin", "--all", "--run", desk.run()]).code, 0);
    let staged = desk.state();
    assert_eq!(desk.redpin(&["undo"]).code, 0);
    assert_eq!(desk.redpin(&["redo"]).code, 0);
    assert_eq!(desk.state(), staged);
    assert_eq!(desk.redpin_under(&NOWHERE, &["undo"]).code, 0);
    assert_eq!(desk.state(), before);
}

#[test]
fn a_repository_that_only_the_git_program_reads_says_what_to_install() {
    let desk = Desk::new();
    desk.git(&["update-index", "--split-index"]);
    let answer = desk.redpin_under(&NOWHERE, &["list", desk.run()]);
    assert_eq!(answer.code, 0);
    assert_eq!(answer.err.matches("note: git: the git program was not found; ").count(), 1, "{}", answer.err);
    assert!(answer.err.ends_with("; install git, or put it on the PATH\n"), "{}", answer.err);
}

#[test]
fn a_record_names_the_user_as_git_would() {
    let desk = Desk::new();
    let own = [("GIT_COMMITTER_NAME", "Grace"), ("GIT_COMMITTER_EMAIL", "grace@example.org")];
    assert_eq!(who(&desk, &own).0, "Grace <grace@example.org>");
    desk.redpin(&["undo"]);
    assert_eq!(who(&desk, &[own[0], own[1], NOWHERE[0]]).0, "Grace <grace@example.org>");
    desk.redpin(&["undo"]);
    assert_eq!(who(&desk, &NOWHERE).0, "Ada <ada@example.org>");
}

#[test]
fn where_git_has_no_name_the_record_has_that_of_the_account_and_says_so() {
    let desk = Desk::new();
    desk.git(&["config", "--unset", "user.name"]);
    desk.git(&["config", "--unset", "user.email"]);
    desk.git(&["config", "user.useConfigOnly", "true"]);
    let remark = "git has no name or mail address for you here, so the record says that `grace` decided; `git config \
                  user.name NAME` and `git config user.email MAIL` set them";
    for more in [("LANG", "C"), NOWHERE[0]] {
        let (who, said) = who(&desk, &[("LOGNAME", "grace"), more]);
        assert_eq!(who, "grace");
        assert!(said.contains(remark), "{said}");
        desk.redpin(&["undo"]);
    }
    let (who, _) = who(&desk, &[]);
    assert_eq!(who, format!("user id {}", rustix::process::getuid().as_raw()));
}
