//! The result as a Markdown table, made to be pasted into the README.

use std::time::Duration;

/// One line of the table.
pub(crate) struct Row {
    work: String,
    ours: String,
    reference: String,
    ratio: String,
    goal: String,
}

impl Row {
    /// A time against a reference's.
    pub(crate) fn ratio(work: &str, ours: Duration, reference: (&str, Duration), goal: f64) -> Row {
        let ratio = ours.as_secs_f64() / reference.1.as_secs_f64();
        Row {
            work: work.into(),
            ours: shown(ours),
            reference: format!("{} ({})", shown(reference.1), reference.0),
            ratio: format!("{ratio:.2}x"),
            goal: format!("{goal}x{}", met(ratio <= goal)),
        }
    }

    /// A time against a fixed limit.
    pub(crate) fn limit(work: &str, ours: Duration, goal: Duration) -> Row {
        Row::plain(work, shown(ours), format!("{}{}", shown(goal), met(ours <= goal)))
    }

    /// An amount of memory against a fixed limit, both in kilobytes.
    pub(crate) fn memory(work: &str, ours: u64, reference: Option<(&str, u64)>, goal: u64) -> Row {
        let mut row = Row::plain(work, megabytes(ours), format!("{}{}", megabytes(goal), met(ours <= goal)));
        if let Some((name, kilobytes)) = reference {
            row.reference = format!("{} ({name})", megabytes(kilobytes));
        }
        row
    }

    /// An observation in words.
    pub(crate) fn plain(work: &str, ours: String, goal: String) -> Row {
        Row { work: work.into(), ours, reference: "–".into(), ratio: "–".into(), goal }
    }

    /// A row that could not be measured.
    pub(crate) fn missing(name: &str, reason: &str) -> Row {
        let reason = reason.trim().replace('\n', "; ");
        Row::plain(name, format!("not measured: {reason}"), "–".into())
    }
}

/// The rows under a head.
pub(crate) fn markdown(rows: &[Row]) -> String {
    let mut text = String::from("| work | redpin | reference | ratio | goal |\n| --- | --- | --- | --- | --- |\n");
    for Row { work, ours, reference, ratio, goal } in rows {
        text += &format!("| {work} | {ours} | {reference} | {ratio} | {goal} |\n");
    }
    text
}

fn met(yes: bool) -> &'static str {
    if yes { "" } else { " (missed)" }
}

fn megabytes(kilobytes: u64) -> String {
    format!("{:.1} MB", kilobytes as f64 / 1024.0)
}

fn shown(time: Duration) -> String {
    match time.as_secs_f64() {
        seconds if seconds >= 1.0 => format!("{seconds:.2} s"),
        seconds if seconds >= 0.01 => format!("{:.0} ms", seconds * 1e3),
        seconds => format!("{:.2} ms", seconds * 1e3),
    }
}
