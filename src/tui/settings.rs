//! What the workstation takes from its surroundings, as values: the environment is read by whoever calls.

/// How the workstation looks, and what it works with.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Settings {
    /// Whether to colour.
    pub colour: bool,
    /// Whether our own glyphs are ASCII.
    pub ascii: bool,
    /// Whether the terminal can show a screen at all.
    pub dumb: bool,
    /// Whether tmux stands between us and the terminal.
    pub tmux: bool,
    /// The editor's command line.
    pub editor: String,
}

impl Settings {
    /// The settings by the environment's variables, which `read` looks up. The editor is found in git's order.
    pub fn from_environment(read: &dyn Fn(&str) -> Option<String>) -> Self {
        let set = |name: &str| read(name).filter(|value| !value.is_empty());
        let locale = set("LC_ALL").or_else(|| set("LC_CTYPE")).or_else(|| set("LANG"));
        let term = set("TERM").unwrap_or_default();
        Settings {
            colour: set("NO_COLOR").is_none(),
            ascii: matches!(locale.as_deref(), Some("C" | "POSIX")),
            dumb: term == "dumb" || term.is_empty(),
            tmux: set("TMUX").is_some(),
            editor: set("GIT_EDITOR")
                .or_else(|| set("VISUAL"))
                .or_else(|| set("EDITOR"))
                .unwrap_or_else(|| "vi".to_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Settings;

    fn check(variables: &[(&str, &str)], expected: (bool, bool, &str)) {
        let read = |name: &str| variables.iter().find(|(key, _)| *key == name).map(|(_, value)| (*value).to_owned());
        let settings = Settings::from_environment(&read);
        assert_eq!((settings.colour, settings.dumb, settings.editor.as_str()), expected, "{variables:?}");
    }

    #[test]
    fn the_editor_is_found_in_gits_order() {
        check(&[("TERM", "xterm"), ("EDITOR", "ed")], (true, false, "ed"));
        check(&[("TERM", "xterm"), ("EDITOR", "ed"), ("VISUAL", "vim -n")], (true, false, "vim -n"));
        check(&[("TERM", "xterm"), ("VISUAL", "vim")], (true, false, "vim"));
        check(&[("TERM", "xterm"), ("GIT_EDITOR", "code -w")], (true, false, "code -w"));
        check(&[("TERM", "xterm"), ("EDITOR", "")], (true, false, "vi"));
    }

    #[test]
    fn glyphs_are_ascii_where_the_locale_is() {
        let of = |locale: &'static str| {
            let read = move |name: &str| (name == "LC_ALL").then(|| locale.to_owned());
            Settings::from_environment(&read).ascii
        };
        assert_eq!(["C", "POSIX", "C.UTF-8", "de_DE.UTF-8", ""].map(of), [true, true, false, false, false]);
    }

    #[test]
    fn colour_goes_where_it_is_not_wanted() {
        check(&[("TERM", "xterm"), ("NO_COLOR", "1")], (false, false, "vi"));
        check(&[("TERM", "xterm"), ("NO_COLOR", "")], (true, false, "vi"));
        check(&[("TERM", "dumb")], (true, true, "vi"));
        check(&[], (true, true, "vi"));
    }
}
