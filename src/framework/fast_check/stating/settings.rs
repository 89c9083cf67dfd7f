//! What settings files say of which tests the runners run, and with how many cases.

use crate::keys::{Key, commands, json, switches, variables};
use crate::language::typescript::code::Code;
use crate::oracle::{Named, Oracle, Setting};
use crate::repo_path::RepoPath;
use crate::source_tree::SourceTree;

/// The keys by which Vitest, Jest, Mocha and AVA choose tests, run something before them, or take their failures for less.
const KEYS: [&str; 36] = [
    "include",
    "exclude",
    "includeSource",
    "testMatch",
    "testPathIgnorePatterns",
    "modulePathIgnorePatterns",
    "testRegex",
    "testNamePattern",
    "testPathPattern",
    "setupFiles",
    "setupFilesAfterEnv",
    "globalSetup",
    "globalTeardown",
    "require",
    "spec",
    "ignore",
    "grep",
    "fgrep",
    "invert",
    "retry",
    "retries",
    "allowOnly",
    "passWithNoTests",
    "dir",
    "root",
    "roots",
    "rootDir",
    "alias",
    "moduleNameMapper",
    "projects",
    "workspace",
    "runner",
    "dangerouslyIgnoreUnhandledErrors",
    "failZero",
    "files",
    "extends",
];

/// Options of the runners that leave out no test.
const HARMLESS: [&str; 12] = [
    "run",
    "--run",
    "--coverage",
    "--reporter",
    "--verbose",
    "--silent",
    "--ci",
    "--color",
    "--no-color",
    "--watch",
    "--colors",
    "--experimental-vm-modules",
];

/// Programs that run the tests, themselves or by a script of the package.
const PROGRAMS: [&[&str]; 13] = [
    &["vitest"],
    &["jest"],
    &["mocha"],
    &["ava"],
    &["node", "--test"],
    &["npm", "test"],
    &["npm", "t"],
    &["npm", "run", "test"],
    &["bun", "test"],
    &["yarn", "test"],
    &["yarn", "run", "test"],
    &["pnpm", "test"],
    &["pnpm", "run", "test"],
];

/// Tables of a configuration that say nothing of which tests are run.
const OTHERS: [&str; 3] = ["coverage", "typecheck", "build"];

/// What `file` says, where it is one of those.
pub(super) fn of_file(file: &RepoPath, tree: &dyn SourceTree) -> Option<Oracle> {
    let (name, folder) = (file.file_name(), file.folder());
    let is_text = [".yml", ".yaml", ".toml", ".sh", ".mk", ".env"].iter().any(|end| name.ends_with(end))
        || ["Makefile", "justfile", "Justfile", ".env", "Dockerfile"].contains(&name);
    let is_code = ["vitest.", "vite.", "jest.", ".mocharc.", "ava."].iter().any(|start| name.starts_with(start))
        && (name.contains("config") || name.contains("workspace") || name.starts_with(".mocharc"));
    let is_json = name == "package.json" || is_code && (name.ends_with(".json") || name.ends_with("rc"));
    if !is_text && !is_code && !is_json {
        return None;
    }
    let bytes = tree.read(file)?;
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let keys: Vec<Key> = match () {
        () if name == "package.json" => json(&text).into_iter().filter_map(of_package).collect(),
        () if is_json => json(&text)
            .into_iter()
            .filter(|key| key.path.split('.').next().is_some_and(|key| KEYS.contains(&key)))
            .collect(),
        () if is_code => Code::read(name, text.clone()).map(|code| of_code(&code)).unwrap_or_default(),
        () => Vec::new(),
    };
    let set = variables(&text, |name| matches!(name, "FC_NUM_RUNS" | "FAST_CHECK_NUM_RUNS" | "NUM_RUNS"));
    let own = keys.into_iter().map(|key| Setting {
        name: key.path,
        text: key.value,
        line: key.line,
        scope: folder.to_owned(),
    });
    let set =
        set.into_iter().map(|key| Setting { name: key.path, text: key.value, line: key.line, scope: String::new() });
    let mut settings: Vec<Setting> = own.chain(set).collect();
    let started = if is_text { commands(&text, &PROGRAMS) } else { Vec::new() };
    let named = |key: Key| Named::command(key.path, &key.value, &HARMLESS, key.line);
    let commands: Vec<Named> = started.into_iter().map(named).collect();
    if !commands.is_empty() {
        let of_all = |key: Key| Setting { name: key.path, text: key.value, line: key.line, scope: String::new() };
        settings.extend(switches(&text).into_iter().map(of_all));
    }
    let rest = if settings.is_empty() && commands.is_empty() { String::new() } else { text };
    Some(Oracle { settings, commands, rest, ..Oracle::default() })
}

/// What a package says: how its tests are started, and what its runners' own tables choose.
fn of_package(mut key: Key) -> Option<Key> {
    let parts: Vec<&str> = key.path.split('.').collect();
    match parts.as_slice() {
        ["scripts", script] if script.contains("test") => {
            let words = key
                .value
                .split_whitespace()
                .filter(|word| !HARMLESS.contains(&word.split('=').next().unwrap_or_default()));
            key.value = words.collect::<Vec<_>>().join(" ");
            Some(key)
        }
        ["jest" | "mocha" | "ava" | "vitest", name, ..] if KEYS.contains(name) => Some(key),
        [table, "fast-check", ..] if table.ends_with("ependencies") && key.value.contains([':', '/']) => Some(key),
        ["overrides" | "resolutions", ..] if key.path.contains("fast-check") => Some(key),
        _ => None,
    }
}

/// The members of objects in `code` that have one of the names, each with its value.
fn of_code(code: &Code) -> Vec<Key> {
    let text = code.normal(code.whole());
    let mut found = Vec::new();
    let mut rest = text.as_str();
    while let Some(at) = rest.find(':') {
        let (before, behind) = (&rest[..at], rest[at + 1..].trim_start());
        let name = before.rsplit(|char: char| !(char.is_alphanumeric() || char == '_')).next().unwrap_or_default();
        let value = value(behind);
        rest = behind;
        if OTHERS.contains(&name) {
            rest = &behind[value.len()..];
        } else if KEYS.contains(&name) {
            let line = (1..)
                .zip(code.at(code.whole()).lines())
                .find(|(_, line)| line.contains(name))
                .map_or(1, |(line, _)| line);
            found.push(Key { path: name.to_owned(), value: value.to_owned(), line });
            rest = &behind[value.len()..];
        }
    }
    found
}

/// The value at the beginning of a text, up to the comma or the bracket that ends it.
fn value(text: &str) -> &str {
    let mut depth = 0_usize;
    let mut quote = None;
    for (at, char) in text.char_indices() {
        match (quote, char) {
            (Some(open), char) if char == open => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'' | '`') => quote = Some(char),
            (None, '(' | '[' | '{') => depth += 1,
            (None, ')' | ']' | '}' | ',') if depth == 0 => return text[..at].trim_end(),
            (None, ')' | ']' | '}') => depth -= 1,
            _ => {}
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::of_file;
    use crate::repo_path::RepoPath;
    use crate::source_tree::testing::Files;

    #[track_caller]
    fn check(file: &str, text: &str, expected: &[(&str, &str)]) {
        let oracle = of_file(&RepoPath::new(file).unwrap(), &Files::new([(file, text)])).unwrap_or_default();
        let told: Vec<_> = oracle.settings.iter().map(|one| (one.name.as_str(), one.text.as_str())).collect();
        assert_eq!(told, expected, "{file}");
    }

    #[test]
    fn what_says_which_tests_are_run_is_told() {
        let config = "export default defineConfig({\n  test: { exclude: ['a.test.ts', b], coverage: { exclude: ['c'] }, retry: 2 },\n});\n";
        check("vitest.config.ts", config, &[("exclude", "['a.test.ts', b]"), ("retry", "2")]);
        check(
            "package.json",
            "{\"scripts\": {\"test\": \"vitest run -t x --coverage\", \"lint\": \"x\"}}",
            &[("scripts.test", "vitest -t x")],
        );
        check(
            "package.json",
            "{\"jest\": {\"testMatch\": [\"a\"], \"verbose\": true}}",
            &[("jest.testMatch", "[\"a\"]")],
        );
        check(".mocharc.json", "{\"grep\": \"x\", \"timeout\": 9}", &[("grep", "x")]);
        check("ci.yml", "env: { FC_NUM_RUNS: 4 }\n", &[("FC_NUM_RUNS", "4")]);
        check("src/config.ts", "export default { exclude: [] }", &[]);
    }
}
