//! How answers look, and what shells and `man` are given.

use super::desk::Desk;

#[test]
fn colour_is_as_the_switch_says_whatever_the_environment_says() {
    let desk = Desk::new();
    let run = desk.run();
    let coloured = |answer: super::desk::Answer| answer.out.contains("\u{1b}[31m");
    assert!(!coloured(desk.redpin(&["list", run])));
    assert!(coloured(desk.redpin(&["list", run, "--color", "always"])));
    assert!(coloured(desk.redpin_without_colour(&["--color=always", "list", run])));
    assert!(!coloured(desk.redpin_without_colour(&["list", run])));
    assert!(!coloured(desk.redpin(&["--color=never", "list", run])));
    assert_eq!(desk.redpin(&["--color=often", "list", run]).code, 2);
}

#[test]
fn each_shell_is_told_the_commands_and_their_switches() {
    let desk = Desk::new();
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let script = desk.redpin_outside(&["completions", shell]).out;
        for word in ["decide", "no-stage", "include-ignored", "color"] {
            assert!(script.contains(word), "{shell}: {word}");
        }
    }
    assert_eq!(desk.redpin_outside(&["completions", "no-shell"]).code, 2);
}

#[test]
fn there_is_a_manual_page_of_redpin_and_of_each_command() {
    let desk = Desk::new();
    let page = desk.redpin_outside(&["man"]).out;
    assert!(page.contains(".TH redpin 1") && page.contains(".SH SUBCOMMANDS"), "{page}");
    let page = desk.redpin_outside(&["man", "decide"]).out;
    assert!(page.contains(".TH redpin-decide 1") && page.contains("include\\-ignored"), "{page}");
    assert_eq!(desk.redpin_outside(&["man", "nothing"]).code, 2);
}
