//! The help texts, all of them, against one file: `tests/cli/help.txt`. Where a change is meant, replace the file by what
//! the test prints.

use redpin::cli::Arguments;

use super::desk::Desk;

const COMMANDS: [&str; 33] = [
    "",
    "run",
    "sweep",
    "import",
    "list",
    "show",
    "choose",
    "decide",
    "stage",
    "pin",
    "verify",
    "bisect",
    "check",
    "check contract",
    "check pins",
    "check trace",
    "check audit",
    "init",
    "control",
    "contract",
    "contract init",
    "contract add-fixture",
    "contract quarantine",
    "contract renew",
    "contract today",
    "evidence",
    "allow",
    "prompt",
    "suggest",
    "reopen",
    "undo",
    "redo",
    "demo",
];

#[test]
fn the_help_of_every_command_is_as_on_file() {
    let desk = Desk::new();
    let mut told = String::new();
    for command in COMMANDS {
        let arguments: Vec<&str> = command.split_whitespace().chain(["--help"]).collect();
        let answer = desk.redpin_outside(&arguments);
        assert_eq!((answer.code, answer.err.as_str()), (0, ""));
        told.push_str(&format!("$ redpin {}\n{}\n", arguments.join(" "), answer.out));
    }
    let expected = include_str!("help.txt");
    assert!(told == expected, "the help has changed; if that is meant, put this into tests/cli/help.txt:\n{told}");
}

#[test]
fn redpin_alone_is_understood_as_its_parser_would() {
    let parsed = <Arguments as clap::Parser>::parse_from(["redpin"]);
    assert_eq!(format!("{:?}", Arguments::default()), format!("{parsed:?}"));
}
