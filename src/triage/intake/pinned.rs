//! Pins that failed beside their properties: both have one cause, that of the property's failure.

use std::collections::HashMap;
use std::sync::Arc;

use crate::cause::{self, CauseId, FailureId};
use crate::failure::TestName;
use crate::framework;
use crate::inbox::Filed;
use crate::triage::records::record::Records;
use crate::verdict::Decision;

/// Gives each failure of `filed` that is a pin the cause of the failure which is pinned, where that failed as well: of the
/// one on record, else of the property that the pin's name tells. One whose property holds by now has its own cause.
pub(super) fn tie(filed: &mut [Arc<Filed>], records: &Records<'_>) {
    let pins: Vec<usize> = (0..filed.len()).filter(|at| filed[*at].pin_failed).collect();
    if pins.is_empty() || pins.len() == filed.len() {
        return;
    }
    let decisions = records.all();
    let on_record = on_record(&decisions);
    for at in pins {
        let cause = owner(&filed[at], filed, &on_record).unwrap_or_else(|| cause::cause_id(&filed[at].failure));
        if filed[at].cause != cause {
            Arc::make_mut(&mut filed[at]).cause = cause;
        }
    }
}

/// The failures on record, by framework, file and test of their pins.
type OnRecord<'d> = HashMap<(&'d str, &'d str, &'d str), &'d str>;

fn on_record(decisions: &[Decision]) -> OnRecord<'_> {
    let pins = decisions.iter().flat_map(|decision| std::iter::once(decision).chain(&decision.before));
    let named = pins.filter_map(|decision| {
        let (test, file) = (decision.pin.as_ref()?.test.as_deref()?, decision.file.as_deref()?);
        Some(((decision.framework.as_str(), file, test), decision.failure.as_str()))
    });
    named.collect()
}

/// The cause of the failure that `pin` stands for.
fn owner(pin: &Filed, filed: &[Arc<Filed>], on_record: &OnRecord<'_>) -> Option<CauseId> {
    let (framework, test) = (&pin.failure.framework, &pin.failure.test);
    let file = pin.file.as_ref()?;
    let recorded = on_record.get(&(framework.0.as_str(), file.as_str(), test.0.as_str()));
    let recorded = recorded.map(|id| FailureId((*id).to_owned()));
    let own = filed.iter().find(|one| recorded.as_ref() == Some(&one.id) && !one.pin_failed);
    let property: Option<TestName> = framework::pinned_property(test);
    let is_property = |one: &&Arc<Filed>| {
        let is_it = property.as_ref() == Some(&one.failure.test) && one.failure.framework == *framework;
        is_it && !one.pin_failed && one.file.as_ref() == Some(file)
    };
    let mut by_name = filed.iter().filter(is_property);
    let alone = by_name.next().filter(|first| by_name.all(|other| other.cause == first.cause));
    own.or(alone).map(|one| one.cause.clone())
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::tie;
    use crate::failure::testing::failure;
    use crate::inbox::{Filed, testing};
    use crate::repo_path::RepoPath;
    use crate::source_tree::testing::Files;
    use crate::triage::records::record::Records;

    const PIN: &str = "sums_pin_0123456";

    fn filed(id: &str, test: &str) -> Arc<Filed> {
        let pin_failed = test == PIN;
        Arc::new(Filed { file: RepoPath::new("src/lib.rs"), pin_failed, ..testing::filed(id, failure(test)) })
    }

    /// The causes of `all`, where the pin is on record as that of the failure `recorded`.
    fn causes(all: &[(&str, &str)], recorded: &str) -> Vec<String> {
        let framework = failure(PIN).framework.0;
        let record = format!(
            r#"{{"schema":1,"failure":"{recorded}","verdict":"real-bug","who":"","when":"","why":"","framework":"{framework}",
                "package":null,"property":"sums","file":"src/lib.rs","requirement":null,"counterexample":"","message":"",
                "run":"","pin":{{"test":"{PIN}","rung":"literal","replay":null,"files":[],"reason":null}}}}"#
        );
        let file = format!(".redpin/decisions/{recorded}-sums.json");
        let tree = Files::new([(file.as_str(), record.as_str())]);
        let mut all: Vec<Arc<Filed>> = all.iter().map(|(id, test)| filed(id, test)).collect();
        tie(&mut all, &Records::list(&tree));
        all.into_iter().map(|one| one.cause.0.clone()).collect()
    }

    #[test]
    fn a_pin_has_the_cause_of_the_failure_that_is_pinned() {
        let own = crate::cause::cause_id(&failure(PIN)).0;
        assert_eq!(causes(&[("77aa", PIN), ("64b2", "sums")], "64b2"), ["64b2", "64b2"]);
        assert_eq!(causes(&[("77aa", PIN), ("64b2", "sums"), ("64b3", "sums")], "64b3"), ["64b3", "64b2", "64b3"]);
        // Another failure of the property than the one on record.
        assert_eq!(causes(&[("77aa", PIN), ("64b2", "sums")], "ecf9"), ["64b2", "64b2"]);
        // Which of two it is is not known.
        assert_eq!(causes(&[("77aa", PIN), ("64b2", "sums"), ("64b3", "sums")], "ecf9"), [&own, "64b2", "64b3"]);
        assert_eq!(causes(&[("77aa", PIN), ("64b2", "grows")], "ecf9"), [own.as_str(), "64b2"]);
    }
}
