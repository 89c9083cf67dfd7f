//! What the user says to Node where the tests are run: which modules it loads first, how it finds others. The last test command
//! says it, else the package's own test script.

use crate::repo_path::RepoPath;
use crate::source_tree::SourceTree;

/// The variable that holds switches for every Node that is started.
pub(super) const OPTIONS: &str = "NODE_OPTIONS";

/// Switches that a value follows, or stands in after `=`.
const VALUED: [&str; 9] = [
    "--import",
    "--require",
    "-r",
    "--loader",
    "--experimental-loader",
    "--env-file",
    "--env-file-if-exists",
    "--conditions",
    "-C",
];

/// Switches without a value.
const BARE: [&str; 3] = ["--enable-source-maps", "--no-warnings", "--expose-gc"];

/// What starts commands of a shell that follow another.
const BETWEEN_COMMANDS: [&str; 5] = ["&&", "||", ";", "|", "&"];

/// Switches of Node.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Switches {
    /// Those that stand in the command.
    pub(super) words: Vec<String>,
    /// Those that every Node is told.
    pub(super) options: Vec<String>,
}

impl Switches {
    /// All of them, for whoever cannot be told apart.
    pub(super) fn all(&self) -> String {
        let all: Vec<&str> = self.options.iter().chain(&self.words).map(String::as_str).collect();
        all.join(" ")
    }

    /// The same as one list, for [`Switches::kept`].
    fn list(self) -> Vec<String> {
        let options = self.options.into_iter().map(|word| format!("{OPTIONS}={word}"));
        options.chain(self.words).collect()
    }

    /// What [`Switches::list`] lists.
    pub(super) fn kept(list: &[String]) -> Switches {
        let mut switches = Switches::default();
        for word in list {
            match word.strip_prefix(OPTIONS).and_then(|word| word.strip_prefix('=')) {
                Some(option) => switches.options.push(option.to_owned()),
                None => switches.words.push(word.clone()),
            }
        }
        switches
    }

    /// Whether all that they name by a path is there, in `folder`.
    pub(super) fn fit(&self, folder: &str, tree: &dyn SourceTree) -> bool {
        let is_there = |word: &String| {
            let value = word.split_once('=').map_or(word.as_str(), |(_, value)| value);
            let is_path = value.starts_with("./") || value.starts_with("../");
            !is_path || RepoPath::in_folder(folder, value).is_some_and(|path| tree.exists(&path))
        };
        self.words.iter().chain(&self.options).all(is_there)
    }
}

/// The switches of a command that starts a test runner by Node; `None` where it does not.
pub(super) fn of_command(words: &[&str]) -> Option<Vec<String>> {
    of(words).map(Switches::list)
}

/// The switches of a package's test script.
pub(super) fn of_script(script: &str) -> Option<Switches> {
    let words = shlex::split(script)?;
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    words.split(|word| BETWEEN_COMMANDS.contains(word)).find_map(of)
}

fn of(words: &[&str]) -> Option<Switches> {
    let name = |word: &&str| word.rsplit(['/', '\\']).next().unwrap_or_default().to_owned();
    let options = words.iter().find_map(|word| word.strip_prefix(OPTIONS)?.strip_prefix('='));
    let options = options.and_then(shlex::split).map(|words| taken(&words));
    let is_node = |word: &&str| ["node", "node.exe", "tsx"].contains(&name(word).as_str());
    let Some(program) = words.iter().position(is_node) else {
        return options.map(|options| Switches { words: Vec::new(), options });
    };
    let rest: Vec<String> = words[program + 1..].iter().map(|word| (*word).to_owned()).collect();
    let is_runner = |word: &String| {
        word.starts_with("--test")
            || ["vitest.mjs", "vitest", "jest.js", "jest"].contains(&name(&word.as_str()).as_str())
    };
    if !rest.iter().any(is_runner) {
        return None;
    }
    let mut own = taken(&rest);
    if name(&words[program]) == "tsx" {
        own.insert(0, "--import=tsx".to_owned());
    }
    Some(Switches { words: own, options: options.unwrap_or_default() })
}

/// Of `words` the switches that are to be said again, each in one word.
fn taken(words: &[String]) -> Vec<String> {
    let mut taken = Vec::new();
    let mut words = words.iter();
    while let Some(word) = words.next() {
        let (name, value) = word.split_once('=').map_or((word.as_str(), None), |(name, value)| (name, Some(value)));
        if VALUED.contains(&name) {
            let Some(value) = value.map(str::to_owned).or_else(|| words.next().cloned()) else { break };
            let long = match name {
                "-r" => "--require",
                "-C" => "--conditions",
                name => name,
            };
            taken.push(format!("{long}={value}"));
        } else if BARE.contains(&name) || name.starts_with("--experimental-") || name.starts_with("--no-experimental-")
        {
            taken.push(word.clone());
        }
    }
    taken
}

#[cfg(test)]
mod tests {
    use super::{Switches, of_command, of_script};
    use crate::source_tree::testing::Files;

    #[test]
    fn a_command_says_what_node_loads_first() {
        let check = |command: &str, expected: Option<&str>| {
            let words: Vec<&str> = command.split(' ').collect();
            assert_eq!(of_command(&words).map(|list| list.join(" ")).as_deref(), expected, "{command}");
        };
        check("node --test", Some(""));
        check("node --import tsx --test test/", Some("--import=tsx"));
        check(
            "node -r ./a.cjs --test --import=./b.mjs --test-reporter=tap",
            Some("--require=./a.cjs --import=./b.mjs"),
        );
        check(
            "/usr/bin/node --env-file .env --experimental-strip-types --test",
            Some("--env-file=.env --experimental-strip-types"),
        );
        check("npx tsx --test", Some("--import=tsx"));
        check("node --experimental-vm-modules node_modules/.bin/jest --ci", Some("--experimental-vm-modules"));
        check("npm test", None);
        check("npx vitest run", None);
        check("node script.js", None);
        check("cargo test", None);
    }

    #[test]
    fn a_script_says_it_in_one_of_its_commands() {
        let said =
            |script: &str| of_script(script).map(|switches| (switches.words.join(" "), switches.options.join(" ")));
        let told = |words: &str, options: &str| Some((words.to_owned(), options.to_owned()));
        assert_eq!(said("tsc --noEmit && node --import \"tsx\" --test 'a b/**'"), told("--import=tsx", ""));
        assert_eq!(
            said("cross-env NODE_OPTIONS='--experimental-vm-modules -r ./a.cjs' jest"),
            told("", "--experimental-vm-modules --require=./a.cjs")
        );
        assert_eq!(said("vitest run"), None);
    }

    #[test]
    fn they_are_kept_as_a_list_and_fit_where_their_files_are() {
        let switches =
            Switches { words: vec!["--import=./a.mjs".to_owned()], options: vec!["--no-warnings".to_owned()] };
        assert_eq!(Switches::kept(&switches.clone().list()), switches);
        assert_eq!(switches.all(), "--no-warnings --import=./a.mjs");
        let tree = Files::new([("web/a.mjs", "")]);
        assert!(switches.fit("web", &tree) && !switches.fit("", &tree));
    }
}
