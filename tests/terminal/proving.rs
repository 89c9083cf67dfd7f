//! A staging whose pins are proven, while the user goes on: a stand-in for cargo waits until it is let go, then says of each
//! pin that it failed as it did in the recorded run, and of the test beside it that it holds the recorded value.

use std::io::Write;

use super::pty::{Pty, git};
use super::session::repository;

/// Makes the stand-in, and opens the sample with it.
const SCRIPT: &str = r#"mkfifo go; cat > cargo << 'END'
#!/bin/sh
[ "$1" = test ] || exit 1
read line < HERE/go
while [ "$1" != --exact ]; do shift; done
shift
for test; do
    case "$test" in
        *fee*_value_pin_*) says="41451
193" ;;
        *_value_pin_*) says="464882
4" ;;
        *fee*) says="4000 after 193 days, 4000 a day later" ;;
        *) says="lopsided instalments: 116221 and at last 116219" ;;
    esac
    printf "test %s ... FAILED\n" "$test"
    printf -- "---- %s stdout ----\n\nthread '%s' panicked at src/lib.rs:1:1:\n%s\n\n" "$test" "$test" "$says"
done
exit 101
END
sed -i "s|HERE|$PWD|" cargo; chmod +x cargo; PATH=$PWD:$PATH XDG_CACHE_HOME=$PWD/cache $REDPIN demo"#;

/// Goes to the failure that `words` filter out alone, and gives it a verdict.
fn judge(pty: &mut Pty, words: &str, verdict: &str, told: &str) {
    pty.send(&format!("/{words}\r"));
    pty.wait_for_text("filtered 1/1");
    pty.send(verdict);
    pty.wait_for_text(told);
    pty.send("\u{1b}");
    pty.wait_for("no filter", |screen| !screen.contents().contains("filtered"));
}

#[test]
fn verdicts_go_on_while_pins_are_proven_and_what_is_judged_then_is_not_in_that_staging() {
    let mut pty = Pty::start_shell(SCRIPT, "");
    pty.wait_for_text("12 of 12 open");
    let repository = repository(&pty);
    judge(&mut pty, "fee_grows", "b", "11 of 12 open");
    judge(&mut pty, "spread_at", "b", "10 of 12 open");
    pty.send("s");
    pty.wait_for_text("proving pins  0 of 2");
    pty.wait_for_text("cargo test");
    judge(&mut pty, "spread_at", "w", "wrong property: ");
    judge(&mut pty, "half_a_cent", "b", "9 of 12 open");
    let mut go = std::fs::OpenOptions::new().write(true).open(pty.home.path().join("go")).unwrap();
    go.write_all(b"\n").unwrap();
    pty.wait_for_text("staged 1 verdict, 1 pin proven red");
    pty.wait_for_text("anew meanwhile and not staged");
    pty.wait_for_text("2 decided");
    let staged = git(&repository, &["diff", "--cached"]);
    let has = |name: &str| staged.contains(&format!("fn {name}_pin_"));
    let pins = ["bill_9_fee_grows_every_day", "bill_4_spread_at_most_one_cent", "bill_7_half_a_cent_goes_up"].map(has);
    assert_eq!(pins, [true, false, false], "{staged}");
    pty.send("u");
    pty.wait_for_text("undone: ");
    assert_eq!(git(&repository, &["diff", "--cached", "--name-only"]), "");
    pty.send("q");
    assert_eq!(pty.end(), 0);
    assert_eq!(pty.left_on(), Vec::<&str>::new());
}

#[test]
fn in_lines_each_pin_that_is_not_proven_is_asked_about() {
    const SCRIPT: &str = "printf '#!/bin/sh\\nexit 1\\n' > cargo; chmod +x cargo; \
        PATH=$PWD:$PATH XDG_CACHE_HOME=$PWD/cache $REDPIN --plain demo";
    let mut pty = Pty::start_shell(SCRIPT, "");
    pty.wait_for_text("redpin> ");
    pty.send("g fee_grows_every_day\nb\n");
    pty.wait_for_text("11 of 12 open");
    for (answer, told, staged) in [("n", "n\nredpin> ", false), ("y", "git diff --cached", true)] {
        pty.send("s\n");
        pty.wait_for("the question", |screen| screen.contents().trim_end().ends_with("stage it all the same? y/n>"));
        pty.send(&format!("{answer}\n"));
        pty.wait_for(told, |screen| {
            screen.contents().contains(told) && screen.contents().trim_end().ends_with("redpin>")
        });
        let patch = git(&repository(&pty), &["diff", "--cached"]);
        assert_eq!(patch.contains("fn bill_9_fee_grows_every_day_pin_"), staged, "{patch}");
    }
    pty.send("q\n");
    assert_eq!(pty.end(), 0);
}
