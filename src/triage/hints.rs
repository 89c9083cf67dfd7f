//! Remarks that may help to judge a failure, each with what it rests on; never a verdict.

use crate::detail::{Detail, Hint};
use crate::framework;
use crate::inbox::Filed;
use crate::limit;
use crate::pin::PartKind;
use crate::run_output::RunOutput;
use crate::source_tree::{NoFiles, SourceTree};
use crate::triage::case::case;
use crate::value::Value;

/// The remarks on a failure.
pub(super) fn hints(filed: &Filed, detail: &Detail, tree: &dyn SourceTree) -> Vec<Hint> {
    let one =
        [after_a_mend(filed), pinned_already(filed, tree), cites_nothing(filed, detail), own_panic(filed, detail)];
    one.into_iter().flatten().chain(outside_limits(detail)).chain(stale_lines(filed, tree)).collect()
}

/// The property failed in the same way before, and the pin of that is green by now.
fn after_a_mend(filed: &Filed) -> Option<Hint> {
    let before = filed.id.0.split('_').next().filter(|_| filed.id.is_next())?;
    Some(Hint {
        text: "it failed so before, and the pin of that is green: another bug, or a run of code without the mend"
            .to_owned(),
        ground: format!("the decision on {before}, and `redpin verify`"),
    })
}

/// The very input is pinned already.
fn pinned_already(filed: &Filed, tree: &dyn SourceTree) -> Option<Hint> {
    let framework = framework::named(&filed.failure.framework)?;
    let pin = framework.pin(&case(filed, tree, "")).ok()?;
    let part = pin.parts.iter().find(|part| matches!(part.kind, PartKind::Test | PartKind::Example))?;
    let stands = framework.place(&pin, part, &tree.read(&part.file)?).ok()?.is_empty();
    stands.then(|| Hint {
        text: "this very input is pinned already".to_owned(),
        ground: format!("{} in {}", pin.test.as_ref().unwrap_or(&pin.property).function(), part.file),
    })
}

/// Lines of the property's replay file that say nothing any more, or not what they seem to.
fn stale_lines(filed: &Filed, tree: &dyn SourceTree) -> Vec<Hint> {
    let framework = framework::named(&filed.failure.framework);
    let Some(files) = framework.and_then(|framework| framework.replay_files()) else { return Vec::new() };
    let Some((file, _)) = files.forget(&filed.failure, tree) else { return Vec::new() };
    let Some(bytes) = tree.read(&file) else { return Vec::new() };
    let run = RunOutput::new(file.as_str(), &bytes);
    let notices = files.replays(&run, tree, &NoFiles).map_or_else(Vec::new, |replays| replays.notices);
    let ground = |line: Option<u64>| line.map_or(file.to_string(), |line| format!("{file}:{line}"));
    notices.into_iter().map(|notice| Hint { ground: ground(notice.line), text: notice.text }).collect()
}

/// The property cites no requirement.
fn cites_nothing(filed: &Filed, detail: &Detail) -> Option<Hint> {
    let property = detail.property.as_ref()?;
    filed.requirement.is_none().then(|| Hint {
        text: "the property cites no requirement".to_owned(),
        ground: format!("{}:{}", property.file, property.line),
    })
}

/// The panic came from the test's own code.
fn own_panic(filed: &Filed, detail: &Detail) -> Option<Hint> {
    let property = detail.property.as_ref()?;
    let line = detail.failing_line.filter(|_| filed.failure.panicked)?;
    Some(Hint {
        text: "the panic came from the test's own code, not from the code under test".to_owned(),
        ground: format!("{}:{line}", property.file),
    })
}

/// Arguments outside a limit that the requirement states.
fn outside_limits(detail: &Detail) -> Vec<Hint> {
    let Some((file, requirement)) = &detail.requirement else { return Vec::new() };
    let names: Vec<&str> = detail.arguments.iter().map(|(name, _)| name.as_str()).collect();
    let hint = |(name, value): &(String, Value)| {
        let Value::Number(number) = value else { return None };
        let limit = limit::broken(&requirement.text, name, number.parse().ok()?, &names)?;
        Some(Hint {
            text: format!("{name} = {number} lies outside what the requirement states: {}", limit.phrase),
            ground: format!("{file}:{}", requirement.line),
        })
    };
    detail.arguments.iter().filter_map(hint).collect()
}
