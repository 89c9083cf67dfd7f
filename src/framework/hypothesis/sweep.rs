//! What a run of pytest is given to be a deep run: our plugin, which is there already, lays a profile over the one that is loaded,
//! with more examples and new ones each time, and leaves out the tests of other shards.

use crate::carrier::command::{may_start, starts};
use crate::invocation::{CASES, Invocation, SHARD};
use crate::sweep::Depth;

use super::capture::PROGRAMS;

/// Makes the command of `invocation` a deep run where it runs pytest.
///
/// # Errors
/// Why it cannot run a shard.
pub(super) fn deepen(invocation: &mut Invocation, depth: Depth) -> Result<bool, String> {
    if !may_start(&invocation.command, &PROGRAMS) {
        return Ok(false);
    }
    invocation.environment.push((CASES, depth.cases.to_string()));
    let Some(shard) = depth.shard else { return Ok(true) };
    if !starts(&invocation.command, &PROGRAMS) {
        return Err("the command does not tell which test runner it starts; name that one, as `pytest`".to_owned());
    }
    invocation.environment.push((SHARD, shard.to_string()));
    Ok(true)
}

#[cfg(test)]
mod tests {
    use std::ffi::OsString;

    use super::deepen;
    use crate::invocation::Invocation;
    use crate::sweep::Depth;

    fn deepened(command: &str, shard: Option<&str>) -> Result<(bool, String), String> {
        let words: Vec<OsString> = command.split(' ').map(Into::into).collect();
        let mut invocation = Invocation::of(&words);
        let is_ours = deepen(&mut invocation, Depth { cases: 9, shard: shard.map(|shard| shard.parse().unwrap()) })?;
        assert_eq!(invocation.command, words);
        let set = invocation.environment.iter().map(|(name, value)| format!("{name}={value}"));
        Ok((is_ours, set.collect::<Vec<_>>().join(" ")))
    }

    #[test]
    fn the_plugin_is_told_how_deep_and_which_part() {
        assert_eq!(deepened("uv run pytest -q", None), Ok((true, "REDPIN_CASES=9".to_owned())));
        assert_eq!(deepened("pytest", Some("2/3")), Ok((true, "REDPIN_CASES=9 REDPIN_SHARD=2/3".to_owned())));
        assert_eq!(deepened("make test", None), Ok((true, "REDPIN_CASES=9".to_owned())));
        assert_eq!(deepened("cargo test", Some("2/3")), Ok((false, String::new())));
        assert!(deepened("make test", Some("2/3")).is_err());
    }
}
