//! The nightly sweep as GitHub and GitLab are told of it, made of what each framework needs.

use crate::framework::starting::Nightly;
use crate::source_tree::SourceTree;

use super::{Planned, grown, whole};

/// The file of GitHub's.
const ON_GITHUB: &str = ".github/workflows/redpin-nightly.yml";

/// That of GitLab's, which its main file takes in.
const ON_GITLAB: &str = ".gitlab/redpin-nightly.yml";

/// GitLab's main file.
const MAIN: &str = ".gitlab-ci.yml";

/// The lines by which it takes the other in.
const INCLUDE: &str = "include:\n  - local: .gitlab/redpin-nightly.yml\n";

/// Who runs the nightly sweep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Service {
    /// GitHub Actions.
    Github,
    /// GitLab CI/CD.
    Gitlab,
    /// Nobody that redpin writes files for.
    None,
}

/// The service that a repository has files of, or comes from; `address` is that of its `origin`.
pub(super) fn found(tree: &dyn SourceTree, address: Option<&str>) -> Service {
    let has_any = |folder: &str| !tree.find(&|path| path.starts_with(folder)).is_empty();
    if has_any(".github/") {
        Service::Github
    } else if has_any(".gitlab") || address.is_some_and(|address| address.contains("gitlab")) {
        Service::Gitlab
    } else {
        Service::Github
    }
}

/// The files that a service wants.
pub(super) fn files(service: Service, nightly: &[Nightly], shards: u32) -> Vec<Planned> {
    match service {
        Service::None => Vec::new(),
        Service::Github => vec![whole("nightly sweep on GitHub", ON_GITHUB, github(nightly, shards), false)],
        Service::Gitlab => vec![
            whole("nightly sweep on GitLab", ON_GITLAB, gitlab(nightly, shards), false),
            grown("nightly sweep among GitLab's jobs", MAIN, included),
        ],
    }
}

/// What a person has to do.
pub(super) fn for_people(service: Service) -> Vec<&'static str> {
    match service {
        Service::None => Vec::new(),
        Service::Github => vec![
            "under Settings, Secrets and variables, Actions, Variables, set REDPIN_SOURCE to the address of redpin's source",
            "schedules run on the default branch alone: merge the workflow, then start it once by hand to see it run",
        ],
        Service::Gitlab => vec![
            "under Settings, CI/CD, Variables, set REDPIN_SOURCE to the address of redpin's source",
            "under Build, Pipeline schedules, add one for the night: the jobs run in scheduled pipelines alone",
        ],
    }
}

/// GitLab's main file with the sweep taken in; `None` where it is.
fn included(text: Option<&str>) -> Result<Option<String>, String> {
    let text = text.unwrap_or_default();
    if text.contains(ON_GITLAB) {
        return Ok(None);
    }
    if text.lines().any(|line| line.starts_with("include:")) {
        return Err(format!("it includes other files already: add `- local: {ON_GITLAB}` to that list"));
    }
    let end = if text.is_empty() {
        ""
    } else if text.ends_with('\n') {
        "\n"
    } else {
        "\n\n"
    };
    Ok(Some(format!("{text}{end}{INCLUDE}")))
}

/// The workflow for GitHub.
fn github(nightly: &[Nightly], shards: u32) -> String {
    let numbers: Vec<String> = (1..=shards).map(|number| number.to_string()).collect();
    let job = |one: &Nightly| {
        let actions: String = one
            .actions
            .iter()
            .map(|(action, with)| {
                let given =
                    with.iter().map(|(key, value)| format!("          {key}: \"{value}\"\n")).collect::<String>();
                let head = if given.is_empty() { "" } else { "        with:\n" };
                format!("      - uses: {action}\n{head}{given}")
            })
            .collect();
        let folder = match one.folder.as_str() {
            "" => String::new(),
            folder => format!("        working-directory: {}\n", scalar(folder)),
        };
        let prepare = match one.commands.len() {
            0 => String::new(),
            _ => format!(
                "      - name: Prepare the tests\n{folder}        run: |\n{}",
                listed(&one.commands, "          ")
            ),
        };
        filled(
            include_str!("../../assets/init/github-job.yml"),
            &[
                ("@JOB@", one.job),
                ("@SHARDS@", &numbers.join(", ")),
                ("@OF@", &shards.to_string()),
                ("@ACTIONS@", &actions),
                ("@CACHED@", &listed(&cached(one, "~/.cargo/"), "            ")),
                ("@LOCKED@", one.locked_by),
                ("@PREPARE@", &prepare),
                ("@FOLDER@", &folder),
                ("@TESTS@", &one.tests),
                ("@ARTIFACTS@\n", &listed(&one.artifacts, "            ")),
            ],
        )
    };
    let jobs: Vec<String> = nightly.iter().map(job).collect();
    let needs: Vec<&str> = nightly.iter().map(|one| one.job).collect();
    filled(
        include_str!("../../assets/init/github.yml"),
        &[("@JOBS@", &jobs.join("\n")), ("@NEEDS@", &needs.join(", "))],
    )
}

/// The fragment for GitLab.
fn gitlab(nightly: &[Nightly], shards: u32) -> String {
    let job = |one: &Nightly| {
        let patterns =
            |kept: &dyn Fn(&&&str) -> bool| -> Vec<&str> { one.artifacts.iter().filter(kept).copied().collect() };
        let junit = patterns(&|pattern| pattern.ends_with(".xml"));
        let report = match junit.len() {
            0 => String::new(),
            _ => format!("    reports:\n      junit:\n{}", quoted(&junit, "        ")),
        };
        let parallel = if shards > 1 { format!("  parallel: {shards}\n") } else { String::new() };
        let enter = (!one.folder.is_empty()).then(|| format!("cd \"$CI_PROJECT_DIR/{}\"", one.folder));
        let commands: Vec<String> = enter.into_iter().chain(one.commands_in_image.iter().cloned()).collect();
        let prepare: String = commands.iter().map(|line| format!("    - {line}\n")).collect();
        let rust = if one.image.starts_with("rust") { "" } else { RUST };
        filled(
            include_str!("../../assets/init/gitlab-job.yml"),
            &[
                ("@JOB@", one.job),
                ("@IMAGE@", one.image),
                ("@PARALLEL@", &parallel),
                ("@CACHED@", &quoted(&cached(one, ".cargo/"), "      ")),
                ("@RUST@", rust),
                ("@PREPARE@", &prepare),
                ("@FOLDER@", &one.folder),
                ("@TESTS@", &one.tests),
                ("@ARTIFACTS@", &quoted(&patterns(&|pattern| !pattern.starts_with('!')), "      ")),
                ("@JUNIT@\n", &report),
            ],
        )
    };
    let jobs: Vec<String> = nightly.iter().map(job).collect();
    let needs: String = nightly.iter().map(|one| format!("    - job: redpin-{}\n", one.job)).collect();
    filled(include_str!("../../assets/init/gitlab.yml"), &[("@JOBS@", &jobs.join("\n")), ("@NEEDS@", &needs)])
}

/// What brings cargo into an image that has none: of Debian 13, whose own cargo is too old.
const RUST: &str = "apt-get update && apt-get install -y rustup && rustup default stable && ";

/// Folders worth keeping from night to night.
fn cached<'a>(one: &Nightly, cargo: &'a str) -> Vec<&'a str>
where
    'static: 'a,
{
    std::iter::once(cargo).chain(one.cached.iter().copied()).collect()
}

/// Lines, each after `indent`.
fn listed(lines: &[impl AsRef<str>], indent: &str) -> String {
    lines.iter().map(|line| format!("{indent}{}\n", line.as_ref())).collect()
}

/// The members of a list, each in quotes after `indent`.
fn quoted(lines: &[&str], indent: &str) -> String {
    lines.iter().map(|line| format!("{indent}- {}\n", scalar(line))).collect()
}

/// A text as YAML, whatever it holds: JSON's texts are YAML's.
fn scalar(text: &str) -> String {
    serde_json::Value::String(text.to_owned()).to_string()
}

/// `template` with each mark replaced.
fn filled(template: &str, marks: &[(&str, &str)]) -> String {
    marks.iter().fold(template.to_owned(), |text, (mark, value)| text.replace(mark, value))
}

#[cfg(test)]
mod tests {
    use super::{Service, found, github, gitlab, included};
    use crate::framework::CATALOGUE;
    use crate::framework::starting::Nightly;
    use crate::source_tree::testing::Files;

    /// All kinds of sweeps that are known.
    fn all() -> Vec<Nightly> {
        let files = Files::new([
            ("Cargo.toml", "[dev-dependencies]\nproptest = \"1\"\n"),
            ("web/package.json", r#"{"devDependencies": {"fast-check": "4", "vitest": "3"}}"#),
            ("py/requirements.txt", "hypothesis\n"),
            ("py/test_a.py", "from hypothesis import given\n"),
        ]);
        CATALOGUE.iter().filter_map(|framework| framework.starting()?.nightly(&files)).collect()
    }

    /// The keys of a job at the indent of its own, in order.
    fn keys<'t>(text: &'t str, job: &str, indent: &str) -> Vec<&'t str> {
        let head = format!("\n{}{job}:\n", &indent[2..]);
        let start = text.find(&head).unwrap_or_else(|| panic!("expected {job} in {text}")) + head.len();
        let of_job = text[start..].lines().take_while(|line| line.starts_with(indent) || line.is_empty());
        let key = |line: &'t str| line.strip_prefix(indent).filter(|line| !line.starts_with([' ', '-']));
        of_job.filter_map(key).filter_map(|line| Some(line.split_once(':')?.0)).collect()
    }

    #[test]
    fn a_workflow_has_a_job_for_each_kind_and_one_that_collects() {
        assert_eq!(all().len(), CATALOGUE.len());
        for shards in [1, 4] {
            let text = github(&all(), shards);
            for job in ["rust", "python", "node"] {
                let expected = ["runs-on", "timeout-minutes", "strategy", "steps"];
                assert_eq!(keys(&text, job, "    "), expected, "{text}");
            }
            assert_eq!(keys(&text, "collect", "    "), ["needs", "if", "runs-on", "timeout-minutes", "steps"]);
            assert!(text.contains(if shards == 1 { "shard: [1]\n" } else { "shard: [1, 2, 3, 4]\n" }));
            assert!(text.contains(&format!("--shard ${{{{ matrix.shard }}}}/{shards} --out")), "{text}");
            assert_eq!(text.matches("if: always()\n").count(), 4);
            assert!(
                !text.contains('@') || text.lines().all(|line| !line.contains('@') || line.contains("uses: ")),
                "{text}"
            );
        }
    }

    #[test]
    fn a_fragment_has_a_job_for_each_kind_and_one_that_collects() {
        for shards in [1, 4] {
            let text = gitlab(&all(), shards);
            for job in ["redpin-rust", "redpin-python", "redpin-node"] {
                let mut expected = vec!["stage", "image", "rules", "cache", "before_script", "script", "artifacts"];
                if shards > 1 {
                    expected.insert(3, "parallel");
                }
                assert_eq!(keys(&text, job, "  "), expected, "{text}");
            }
            assert_eq!(keys(&text, "redpin-collect", "  "), ["stage", "image", "rules", "needs", "script"]);
            assert!(!text.contains('@'), "{text}");
        }
    }

    #[test]
    fn the_main_file_takes_the_fragment_in_once() {
        let new = included(Some("a:\n  script: x\n")).unwrap().unwrap();
        assert_eq!(new, "a:\n  script: x\n\ninclude:\n  - local: .gitlab/redpin-nightly.yml\n");
        assert_eq!(included(Some(&new)), Ok(None));
        assert!(included(Some("include:\n  - local: b.yml\n")).is_err());
    }

    #[test]
    fn the_service_is_that_of_the_repository() {
        let check = |files: &[(&str, &str)], address: Option<&str>, expected: Service| {
            assert_eq!(found(&Files::new(files.iter().copied()), address), expected);
        };
        check(&[(".github/dependabot.yml", "")], Some("git@gitlab.example:a/b.git"), Service::Github);
        check(&[(".gitlab-ci.yml", "")], None, Service::Gitlab);
        check(&[], Some("git@gitlab.example:a/b.git"), Service::Gitlab);
        check(&[], None, Service::Github);
    }
}
