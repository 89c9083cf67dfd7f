//! Pins that failed beside their properties: both have one cause, that of the property's failure.

use std::collections::HashMap;
use std::sync::Arc;

use crate::cause::{self, CauseId};
use crate::framework;
use crate::inbox::Filed;
use crate::triage::records::record::Records;
use crate::verdict::Decision;

/// Gives each failure of `filed` that is a pin the cause of the failure which is pinned, where that failed as well: of the
/// one on record, else of the property that the pin's name tells. One whose property holds by now has its own cause.
pub(super) fn tie(filed: &mut [Arc<Filed>], records: &Records<'_>) {
    let pins: Vec<usize> = (0..filed.len()).filter(|at| filed[*at].pin_failed).collect();
    if pins.is_empty() {
        return;
    }
    let decisions = records.all();
    let owners = Owners::of(filed, &decisions);
    let cause = |at: &usize| owners.cause(&filed[*at]).unwrap_or_else(|| cause::cause_id(&filed[*at].failure));
    let causes: Vec<CauseId> = pins.iter().map(cause).collect();
    for (at, cause) in pins.into_iter().zip(causes) {
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

/// The causes of the failures that are no pins, for the pins that may be of them: a run may tell of very many of both.
struct Owners<'a> {
    on_record: OnRecord<'a>,
    by_id: HashMap<&'a str, &'a CauseId>,
    /// By framework, file and property; `None` where its failures have several.
    by_property: HashMap<(&'a str, &'a str, &'a str), Option<&'a CauseId>>,
}

impl<'a> Owners<'a> {
    fn of(filed: &'a [Arc<Filed>], decisions: &'a [Decision]) -> Owners<'a> {
        let (mut by_id, mut by_property) = (HashMap::new(), HashMap::new());
        for one in filed.iter().filter(|one| !one.pin_failed) {
            by_id.entry(one.id.0.as_str()).or_insert(&one.cause);
            let Some(file) = &one.file else { continue };
            let property = (one.failure.framework.0.as_str(), file.as_str(), one.failure.test.0.as_str());
            let cause = by_property.entry(property).or_insert(Some(&one.cause));
            *cause = cause.filter(|known| **known == one.cause);
        }
        Owners { on_record: on_record(decisions), by_id, by_property }
    }

    /// The cause of the failure that `pin` stands for.
    fn cause(&self, pin: &Filed) -> Option<CauseId> {
        let (framework, file, test) = (pin.failure.framework.0.as_str(), pin.file.as_ref()?, &pin.failure.test);
        let own = self.on_record.get(&(framework, file.as_str(), test.0.as_str())).and_then(|id| self.by_id.get(id));
        let by_name = || {
            let property = framework::pinned_property(test)?;
            self.by_property.get(&(framework, file.as_str(), property.0.as_str())).copied().flatten()
        };
        own.copied().or_else(by_name).cloned()
    }
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
        let mut all: Vec<Arc<Filed>> = all.iter().map(|(id, test)| filed(id, test)).collect();
        tie_all(&mut all, recorded);
        all.into_iter().map(|one| one.cause.0.clone()).collect()
    }

    fn tie_all(all: &mut [Arc<Filed>], recorded: &str) {
        let framework = failure(PIN).framework.0;
        let record = format!(
            r#"{{"schema":1,"failure":"{recorded}","verdict":"real-bug","who":"","when":"","why":"","framework":"{framework}",
                "package":null,"property":"sums","file":"src/lib.rs","requirement":null,"counterexample":"","message":"",
                "run":"","pin":{{"test":"{PIN}","rung":"literal","replay":null,"files":[],"reason":null}}}}"#
        );
        let file = format!(".redpin/decisions/{recorded}-sums.json");
        let tree = Files::new([(file.as_str(), record.as_str())]);
        tie(all, &Records::list(&tree));
    }

    #[test]
    fn a_pin_that_is_left_alone_has_its_own_cause_again() {
        let mut all = vec![filed("77aa", PIN), filed("64b2", "sums")];
        tie_all(&mut all, "64b2");
        assert_eq!(all[0].cause, all[1].cause);
        all.truncate(1);
        tie_all(&mut all, "64b2");
        assert_eq!(all[0].cause, crate::cause::cause_id(&failure(PIN)));
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
