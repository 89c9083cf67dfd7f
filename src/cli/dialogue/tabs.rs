//! What the tabs of the workstation show, as lines: requirements, quarantine, sweeps and decisions.

use super::super::page::Page;
use super::super::{Fault, check::print_trace, counted};
use crate::check::{self, Night, OnRecord};
use crate::triage::Triage;
use crate::visible;

/// Requirements with their properties, pins and last decisions, and what is missing.
pub(super) fn requirements(triage: &Triage, page: &mut Page<'_>) -> Result<(), Fault> {
    print_trace(&check::trace(triage), page)
}

/// What the patch contract sets aside, that which ends first before the others.
pub(super) fn quarantine(triage: &Triage, page: &mut Page<'_>) -> Result<(), Fault> {
    let mut asides = match check::quarantines(triage) {
        Err(why) => return Ok(page.remark(&visible::line(&why))?),
        Ok(None) => return Ok(page.line("there is no patch contract; redpin contract init starts one")?),
        Ok(Some(asides)) => asides,
    };
    asides.asides.sort_by_key(|aside| aside.days_left);
    for aside in &asides.asides {
        let left = match aside.days_left {
            0 => "last day".to_owned(),
            1.. => format!("{} left", days(aside.days_left)),
            _ => format!("over for {}", days(-aside.days_left)),
        };
        let test = visible::line(&aside.quarantine.test);
        let failures = counted(aside.failures.len(), "failure", "failures");
        page.line(&format!("{}, {left}: {test}, {failures} in the inbox", aside.quarantine.expires))?;
        if !aside.quarantine.reason.is_empty() {
            page.line(&format!("    {}", visible::line(&aside.quarantine.reason)))?;
        }
    }
    Ok(page.line(&format!("{} set aside, today being {} by the contract", asides.asides.len(), asides.today))?)
}

/// The sweeps that are known, the newest first.
pub(super) fn sweeps(triage: &Triage, page: &mut Page<'_>) -> Result<(), Fault> {
    let nights = check::nights(triage)?;
    for night in nights.iter().rev() {
        page.line(&visible::line(&said(night)))?;
    }
    Ok(page.line(&counted(nights.len(), "sweep", "sweeps"))?)
}

fn said(night: &Night) -> String {
    let sweep = &night.sweep;
    let outcome = match (sweep.failures, night.open) {
        (0, _) if sweep.exit != 0 => format!("no failure, exit {}", sweep.exit),
        (0, _) => "green".to_owned(),
        (failures, open) => format!("{failures} failed, {} new, {open} open", sweep.new),
    };
    let oldest = night
        .oldest
        .map_or_else(String::new, |age| format!(", oldest seen {} ago", days(i64::try_from(age).unwrap_or(i64::MAX))));
    let shards = match sweep.of {
        1 => String::new(),
        of => format!(", {} of {of} shards", sweep.shards.len()),
    };
    format!("{}  {}: {outcome}{oldest}, {} cases each{shards}: {}", sweep.when, sweep.name, sweep.cases, sweep.command)
}

/// The decisions on record, the newest first.
pub(super) fn decisions(triage: &Triage, page: &mut Page<'_>) -> Result<(), Fault> {
    let all = check::on_record(triage)?;
    for OnRecord { decision, standing, is_reopened, .. } in &all {
        let about = if decision.property.is_empty() {
            decision.requirement.as_deref().unwrap_or_default()
        } else {
            &decision.property
        };
        let state = if *is_reopened { "open again" } else { standing.word() };
        let date = decision.when.get(..10).unwrap_or_default();
        let line = format!("{date} {}, {state}: {about}, by {}  {}", decision.verdict, decision.who, decision.failure);
        page.line(&visible::line(&line))?;
        if !decision.why.is_empty() {
            page.line(&format!("    {}", visible::line(&decision.why)))?;
        }
        if !decision.before.is_empty() {
            page.line(&format!("    {} before it", counted(decision.before.len(), "decision", "decisions")))?;
        }
    }
    Ok(page.line(&counted(all.len(), "decision", "decisions"))?)
}

fn days(days: i64) -> String {
    if days == 1 { "1 day".to_owned() } else { format!("{days} days") }
}
