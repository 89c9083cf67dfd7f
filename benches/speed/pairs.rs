//! Measures two things in turn, so that whatever else the machine does falls on both.

use std::time::Duration;

/// The medians of `rounds` measurements of each of two things, taken A B A B.
pub(crate) fn medians(
    rounds: usize,
    mut one: impl FnMut() -> Result<Duration, String>,
    mut other: impl FnMut() -> Result<Duration, String>,
) -> Result<(Duration, Duration), String> {
    let (mut ones, mut others) = (Vec::new(), Vec::new());
    for _ in 0..rounds {
        ones.push(one()?);
        others.push(other()?);
    }
    Ok((median(ones), median(others)))
}

/// The middle one, the upper of two.
pub(crate) fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times.get(times.len() / 2).copied().unwrap_or_default()
}

/// The time that `share` of all are not above.
pub(crate) fn quantile(mut times: Vec<Duration>, share: f64) -> Duration {
    times.sort();
    let place = (times.len() as f64 * share) as usize;
    times.get(place.min(times.len().saturating_sub(1))).copied().unwrap_or_default()
}
