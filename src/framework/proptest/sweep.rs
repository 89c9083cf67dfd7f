//! What a command that runs cargo is given to be a deep run: the variable that the library takes its number of cases from, and of
//! nextest the part of the tests.

use crate::carrier::cargo_command;
use crate::framework::Sweeping;
use crate::invocation::Invocation;
use crate::sweep::Depth;

use super::Proptest;

impl Sweeping for Proptest {
    fn deepen(&self, invocation: &mut Invocation, depth: Depth, answer: Option<&str>) -> Result<bool, String> {
        // Also of commands that start cargo where nobody sees it, as `make`.
        invocation.environment.push(("PROPTEST_CASES", depth.cases.to_string()));
        cargo_command::part(invocation, depth.shard, answer)
    }
}
