//! Remarks that may help to judge a failure, each with what it rests on; never a verdict.

use crate::detail::{Detail, Hint};
use crate::inbox::Filed;
use crate::limit;
use crate::source_tree::SourceTree;
use crate::value::Value;

/// The remarks on a failure.
pub(super) fn hints(filed: &Filed, detail: &Detail, _tree: &dyn SourceTree) -> Vec<Hint> {
    let one = [cites_nothing(filed, detail), own_panic(filed, detail)].into_iter().flatten();
    one.chain(outside_limits(detail)).collect()
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
    let line = property.failing_line.filter(|_| filed.failure.panicked)?;
    Some(Hint {
        text: "the panic came from the test's own code, not from the code under test".to_owned(),
        ground: format!("{}:{line}", property.file),
    })
}

/// Arguments outside a limit that the requirement states.
fn outside_limits(detail: &Detail) -> Vec<Hint> {
    let Some((file, requirement)) = &detail.requirement else { return Vec::new() };
    let hint = |(name, value): &(String, Value)| {
        let Value::Number(number) = value else { return None };
        let limit = limit::broken(&requirement.text, name, number.parse().ok()?)?;
        Some(Hint {
            text: format!("{name} = {number} lies outside what the requirement states: {}", limit.phrase),
            ground: format!("{file}:{}", requirement.line),
        })
    };
    detail.arguments.iter().filter_map(hint).collect()
}
