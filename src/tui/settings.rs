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
    /// Whether pins are proven before they are staged.
    pub proves: bool,
    /// The editor that goes before the one of git's configuration.
    pub git_editor: Option<String>,
    /// The editor that comes after it.
    pub editor: Option<String>,
}

impl Settings {
    /// The settings by the environment's variables, which `read` looks up.
    pub fn from_environment(read: &dyn Fn(&str) -> Option<String>) -> Self {
        let set = |name: &str| read(name).filter(|value| !value.is_empty());
        let locale = set("LC_ALL").or_else(|| set("LC_CTYPE")).or_else(|| set("LANG"));
        let term = set("TERM").unwrap_or_default();
        Settings {
            colour: set("NO_COLOR").is_none(),
            ascii: matches!(locale.as_deref(), Some("C" | "POSIX")),
            dumb: term == "dumb" || term.is_empty(),
            proves: true,
            tmux: set("TMUX").is_some(),
            git_editor: set("GIT_EDITOR"),
            editor: set("VISUAL").or_else(|| set("EDITOR")),
        }
    }

    /// The editor's command line, found in git's own order; `configured` looks up what git's configuration says.
    pub fn editor(&self, configured: impl FnOnce() -> Option<String>) -> String {
        let first = self.git_editor.clone().or_else(configured);
        first.or_else(|| self.editor.clone()).unwrap_or_else(|| "vi".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::Settings;

    fn check(variables: &[(&str, &str)], core_editor: Option<&str>, expected: (bool, bool, &str)) {
        let read = |name: &str| variables.iter().find(|(key, _)| *key == name).map(|(_, value)| (*value).to_owned());
        let settings = Settings::from_environment(&read);
        let editor = settings.editor(|| core_editor.map(str::to_owned));
        assert_eq!((settings.colour, settings.dumb, editor.as_str()), expected, "{variables:?}");
    }

    #[test]
    fn the_editor_is_found_in_gits_order() {
        check(&[("TERM", "xterm"), ("EDITOR", "ed")], None, (true, false, "ed"));
        check(&[("TERM", "xterm"), ("EDITOR", "ed"), ("VISUAL", "vim -n")], None, (true, false, "vim -n"));
        check(&[("TERM", "xterm"), ("VISUAL", "vim")], Some("nano"), (true, false, "nano"));
        check(&[("TERM", "xterm"), ("GIT_EDITOR", "code -w")], Some("nano"), (true, false, "code -w"));
        check(&[("TERM", "xterm"), ("EDITOR", "")], None, (true, false, "vi"));
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
        check(&[("TERM", "xterm"), ("NO_COLOR", "1")], None, (false, false, "vi"));
        check(&[("TERM", "xterm"), ("NO_COLOR", "")], None, (true, false, "vi"));
        check(&[("TERM", "dumb")], None, (true, true, "vi"));
        check(&[], None, (true, true, "vi"));
    }
}
