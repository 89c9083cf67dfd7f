//! The commands in scripts, workflows and settings of CI services that start programs of interest: each on a line of its own, behind
//! what merely leads to it. Foreign text: a line that is no such command has none.

use super::Key;

/// What may stand before a program on its line: keys under which services keep commands, and programs that start others.
const LEADING: [&str; 37] = [
    "-",
    "--",
    "run:",
    "script:",
    "before_script:",
    "after_script:",
    "command:",
    "commands:",
    "commands",
    "entrypoint:",
    "=",
    "|",
    "RUN",
    "CMD",
    "uv",
    "uvx",
    "run",
    "poetry",
    "pdm",
    "hatch",
    "pipenv",
    "rye",
    "npx",
    "pnpm",
    "yarn",
    "bunx",
    "exec",
    "dlx",
    "env",
    "time",
    "python",
    "python3",
    "-m",
    "sudo",
    "coverage",
    "xvfb-run",
    "then",
];

/// The commands of `text` that start one of `programs`, each the words by which it is started: a key for each, its path those words
/// and its value all that is said to it.
pub fn commands(text: &str, programs: &[&[&str]]) -> Vec<Key> {
    let mut found = Vec::new();
    let mut lines = (1..).zip(text.lines());
    while let Some((line, first)) = lines.next() {
        let mut whole = first.to_owned();
        while whole.ends_with('\\') && whole.len() < LONGEST {
            whole.pop();
            let Some((_, next)) = lines.next() else { break };
            whole += next.trim_start();
        }
        found.extend(parts(&whole).iter().filter_map(|part| command(part, programs, line)));
    }
    found
}

/// Keys of CI services by which a job or a step is left out, or its failure counts for nothing.
const SWITCHES: [(&str, &[&str]); 4] = [
    ("if", &["false", "${{ false }}", "${{false}}"]),
    ("continue-on-error", &["true"]),
    ("allow_failure", &["true"]),
    ("when", &["never", "manual"]),
];

/// What `text` says to CI services by which jobs or steps are left out, or their failures count for nothing.
pub fn switches(text: &str) -> Vec<Key> {
    let lines = (1..).zip(text.lines());
    let switch = |(line, said): (u32, &str)| {
        let said = said.split(" #").next().unwrap_or_default().trim().trim_start_matches("- ");
        let (name, value) = said.split_once(':')?;
        let value = value.trim().trim_matches(['"', '\'']);
        let is_one = SWITCHES.iter().any(|(key, values)| *key == name && values.contains(&value));
        is_one.then(|| Key { path: name.to_owned(), value: value.to_owned(), line })
    };
    lines.filter_map(switch).collect()
}

/// Longer commands are not put together.
const LONGEST: usize = 16 << 10;

/// A line's commands; one whose failure counts for nothing ends with the words that say so.
fn parts(line: &str) -> Vec<Vec<String>> {
    let mut all = vec![Vec::new()];
    let mut words = words(line).into_iter().peekable();
    while let Some(word) = words.next() {
        let last = all.last_mut().filter(|_| !matches!(word.as_str(), "&&" | ";" | "|" | "||"));
        match last {
            Some(last) => last.push(word),
            None => {
                if word == "||"
                    && let Some(last) = all.last_mut()
                    && let Some(next) = words.next_if(|next| ["true", ":", "exit", "echo"].contains(&next.as_str()))
                {
                    last.extend([word, next]);
                    continue;
                }
                all.push(Vec::new());
            }
        }
    }
    all
}

/// The words of a line, without its comment and without quotes around whole words.
fn words(line: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let (mut word, mut quote, mut is_word) = (String::new(), None, false);
    for char in line.chars() {
        match (quote, char) {
            (Some(open), char) if char == open => quote = None,
            (Some(_), char) => word.push(char),
            (None, '#') if !is_word => break,
            (None, '"' | '\'') => (quote, is_word) = (Some(char), true),
            (None, ';') => {
                found.extend(is_word.then(|| std::mem::take(&mut word)));
                found.push(";".to_owned());
                is_word = false;
            }
            (None, char) if char.is_whitespace() => {
                found.extend(is_word.then(|| std::mem::take(&mut word)));
                is_word = false;
            }
            (None, char) => {
                word.push(char);
                is_word = true;
            }
        }
    }
    found.extend(is_word.then_some(word));
    found
}

/// The command that `words` are.
fn command(words: &[String], programs: &[&[&str]], line: u32) -> Option<Key> {
    // A whole command in quotes, as the value of a key.
    let inner: Vec<String>;
    let words = match words.iter().position(|word| word.contains(' ')) {
        Some(at) if words[..at].iter().all(|word| is_leading(word)) => {
            inner = self::words(&words[at]).into_iter().chain(words[at + 1..].iter().cloned()).collect();
            inner.as_slice()
        }
        _ => words,
    };
    let named = |at: usize| {
        let rest = &words[at..];
        programs.iter().find(|program| {
            let same = |(word, name): (&String, &&str)| word == *name || word.rsplit('/').next() == Some(*name);
            rest.len() >= program.len() && rest.iter().zip(**program).all(same)
        })
    };
    let leading = words.iter().take_while(|word| is_leading(word)).count();
    let (at, program) = (0..words.len().min(leading + 1)).find_map(|at| Some((at, named(at)?)))?;
    let said = words[at + program.len()..].join(" ");
    Some(Key { path: program.join(" "), value: said, line })
}

fn is_leading(word: &str) -> bool {
    let word = word.trim_start_matches('@');
    let sets = word
        .split_once('=')
        .is_some_and(|(name, _)| name.chars().all(|char| char.is_ascii_alphanumeric() || char == '_'));
    word.is_empty() || LEADING.contains(&word) || sets || word.len() > 1 && word.starts_with("--")
}

#[cfg(test)]
mod tests {
    use super::{commands, switches};

    #[track_caller]
    fn check(text: &str, expected: &[(&str, &str, u32)]) {
        let programs: [&[&str]; 3] = [&["pytest"], &["cargo", "test"], &["npm", "run", "test"]];
        let found = commands(text, &programs);
        let found: Vec<_> = found.iter().map(|key| (key.path.as_str(), key.value.as_str(), key.line)).collect();
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn commands_are_found_wherever_services_and_scripts_have_them() {
        check("steps:\n  - run: pytest -q tests\n", &[("pytest", "-q tests", 2)]);
        check("  - run: |\n      pytest \\\n        -k 'not slow'\n", &[("pytest", "-k not slow", 2)]);
        check(
            "script:\n  - uv run --frozen pytest\n  - cargo test --locked\n",
            &[("pytest", "", 2), ("cargo test", "--locked", 3)],
        );
        check("[testenv]\ncommands = python -m pytest {posargs}\n", &[("pytest", "{posargs}", 2)]);
        check("check:\n\t@CI=1 env/bin/pytest -x && cargo test\n", &[("pytest", "-x", 2), ("cargo test", "", 2)]);
        check("    script: \"npm run test -- --run\"\n", &[("npm run test", "-- --run", 1)]);
        check("RUN pytest || true\n", &[("pytest", "|| true", 1)]);
    }

    #[test]
    fn a_long_line_is_gone_through_once() {
        // What looked at all that leads to each of its words again would take hours.
        check(&format!("{}pytest -q\n", "run ".repeat(500_000)), &[("pytest", "-q", 1)]);
    }

    #[test]
    fn jobs_that_are_left_out_are_told() {
        let text = "jobs:\n  test:\n    if: false # for now\n    steps:\n      - continue-on-error: true\n      - if: github.ref\n";
        let found: Vec<_> = switches(text).into_iter().map(|key| (key.path, key.value, key.line)).collect();
        let told = |name: &str, value: &str, line| (name.to_owned(), value.to_owned(), line);
        assert_eq!(found, [told("if", "false", 3), told("continue-on-error", "true", 5)]);
    }

    #[test]
    fn what_only_speaks_of_a_program_is_no_command() {
        for text in [
            "name: Run pytest",
            "# pytest -q",
            "pip install pytest",
            "- uses: pytest",
            "echo pytest",
            "pytest-cov",
            "run: 'it",
            "",
        ] {
            check(text, &[]);
        }
    }
}
