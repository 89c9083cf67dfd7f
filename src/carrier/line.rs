//! One line of a log as its program wrote it: escape codes, carriage returns and what a CI service put in front are set
//! aside. Which prefixes a report's lines carry is told by its first line, so that a value that only looks like a time
//! stamp stays as it is.

use std::borrow::Cow;

use memchr::{memchr, memrchr};

use super::escapes;

const BOM: &[u8] = b"\xef\xbb\xbf";

/// What stands in front of each line of one report.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Prefix {
    /// `job<tab>step<tab>`, as `gh run view --log` puts before each line.
    job: Vec<u8>,
    /// Whether a time stamp follows.
    stamped: bool,
    /// The service's name before ` | `, as docker-compose puts it.
    service: Vec<u8>,
    /// Whether a time stamp follows the service's name, as docker-compose puts it on request.
    service_stamped: bool,
    /// Spaces by which the carrier indents captured text.
    indent: usize,
}

/// What a line tells of the report it begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Start {
    /// What stands in front of each of the report's lines.
    pub prefix: Prefix,
    /// The line's text from its start on.
    pub text: String,
    /// Whether the line holds nothing before that but its prefix and what libtest writes before a test's output.
    pub alone: bool,
}

impl Prefix {
    /// What is told by a line that the program began with `start`; `None` where the line does not hold `start`.
    pub fn of(line: &[u8], start: &str) -> Option<Start> {
        let shown = shown(line);
        let at = memchr::memmem::find(&shown, start.as_bytes())?;
        let (front, back) = shown.split_at(at);
        let (job, rest) = split_job(front);
        let unstamped = strip_stamp(rest);
        let rest = strip_mark(unstamped.unwrap_or(rest));
        let service = service(rest).unwrap_or_default();
        let rest = &rest[service.len()..];
        let service_unstamped = if service.is_empty() { None } else { strip_stamp(rest) };
        let between = service_unstamped.unwrap_or(rest);
        let indented = between.iter().all(|&byte| byte == b' ');
        let indent = if indented { between.len() } else { 0 };
        let prefix = Prefix {
            job: job.to_vec(),
            stamped: unstamped.is_some(),
            service: name(service).to_vec(),
            service_stamped: service_unstamped.is_some(),
            indent,
        };
        let alone = indented || between.starts_with(b"test ") && between.ends_with(b" ... ");
        Some(Start { prefix, text: text(back).into_owned(), alone })
    }

    /// The same without the indentation: what the carrier's own lines have in front.
    pub fn outer(&self) -> Self {
        Prefix { indent: 0, ..self.clone() }
    }

    /// The line without this prefix; `None` where it comes from another job or service.
    pub fn strip<'a>(&self, line: &'a [u8]) -> Option<Cow<'a, str>> {
        match shown(line) {
            Cow::Borrowed(shown) => self.cut(shown).map(text),
            Cow::Owned(shown) => self.cut(&shown).map(|rest| Cow::Owned(text(rest).into_owned())),
        }
    }

    fn cut<'a>(&self, shown: &'a [u8]) -> Option<&'a [u8]> {
        // Nearly no line has a job, and to compare with none costs more than all the rest here.
        let mut rest = if self.job.is_empty() { shown } else { shown.strip_prefix(&self.job[..])? };
        if self.stamped {
            rest = rest.strip_prefix(BOM).unwrap_or(rest);
            rest = strip_mark(strip_stamp(rest).unwrap_or(rest));
        }
        if !self.service.is_empty() {
            let front = service(rest).filter(|front| name(front) == self.service)?;
            rest = &rest[front.len()..];
        }
        if self.service_stamped {
            rest = strip_stamp(rest).unwrap_or(rest);
        }
        let spaces = rest.iter().take(self.indent).take_while(|&&byte| byte == b' ').count();
        Some(&rest[spaces..])
    }
}

/// The line without whatever prefix it has, for a look at lines on their own.
pub fn plain(line: &[u8]) -> Cow<'_, str> {
    let cut = |shown: &[u8]| {
        let rest = split_job(shown).1;
        let rest = strip_mark(strip_stamp(rest).unwrap_or(rest));
        let rest = service(rest).map_or(rest, |front| {
            let rest = &rest[front.len()..];
            strip_stamp(rest).unwrap_or(rest)
        });
        shown.len() - rest.len()
    };
    match shown(line) {
        Cow::Borrowed(shown) => text(&shown[cut(shown)..]),
        Cow::Owned(shown) => Cow::Owned(text(&shown[cut(&shown)..]).into_owned()),
    }
}

/// What follows the time stamp at the start of a line that has one. Faster than [`plain`], and sets nothing else aside.
pub fn unstamped(line: &[u8]) -> &[u8] {
    strip_stamp(line).unwrap_or(line)
}

/// The bytes as text; those that are none become marks of replacement. Text is told by far the fastest way.
fn text(bytes: &[u8]) -> Cow<'_, str> {
    std::str::from_utf8(bytes).map_or_else(|_| String::from_utf8_lossy(bytes), Cow::Borrowed)
}

/// The line as a terminal would show it: without escape codes, and of a line drawn over only the last state.
pub fn shown(line: &[u8]) -> Cow<'_, [u8]> {
    let line = trim_returns(line.strip_prefix(BOM).unwrap_or(line));
    if memchr(b'\x1b', line).is_none() {
        return Cow::Borrowed(last_drawn(line));
    }
    let plain = escapes::without(line);
    Cow::Owned(last_drawn(trim_returns(&plain)).to_vec())
}

fn trim_returns(line: &[u8]) -> &[u8] {
    let returns = line.iter().rev().take_while(|&&byte| byte == b'\r').count();
    &line[..line.len() - returns]
}

/// What stands after the last carriage return of a line that begins with a section mark or a progress bar. Other lines
/// keep theirs: a test may print one.
fn last_drawn(line: &[u8]) -> &[u8] {
    let unstamped = strip_stamp(line).unwrap_or(line);
    let drawn_over = [&b"section_"[..], b"    Building ["].iter().any(|start| unstamped.starts_with(start));
    if !drawn_over {
        return line;
    }
    memrchr(b'\r', line).map_or(line, |at| &line[at + 1..])
}

/// `job<tab>step<tab>` and the rest, where a time stamp follows the two.
fn split_job(line: &[u8]) -> (&[u8], &[u8]) {
    let tabs = || {
        let first = memchr(b'\t', line)?;
        Some(first + 1 + memchr(b'\t', &line[first + 1..])? + 1)
    };
    let none = (&line[..0], line);
    let Some(at) = tabs() else { return none };
    let (job, rest) = line.split_at(at);
    let rest = rest.strip_prefix(BOM).unwrap_or(rest);
    if strip_stamp(rest).is_some() { (job, rest) } else { none }
}

/// What follows an RFC 3339 time stamp and its space, with or without brackets; GitLab's stream mark goes with it.
fn strip_stamp(line: &[u8]) -> Option<&[u8]> {
    let open = line.strip_prefix(b"[");
    let rest = open.unwrap_or(line);
    let shape = b"0000-00-00T00:00:00";
    let fits = |(byte, shape): (&u8, &u8)| if *shape == b'0' { byte.is_ascii_digit() } else { byte == shape };
    let (date, rest) = rest.split_at_checked(shape.len())?;
    if !date.iter().zip(shape).all(fits) {
        return None;
    }
    let fraction = rest.iter().take_while(|byte| byte.is_ascii_digit() || **byte == b'.').count();
    let rest = strip_zone(&rest[fraction..])?;
    let rest = if open.is_some() { rest.strip_prefix(b"]")? } else { rest };
    match rest.split_first() {
        None => Some(rest),
        Some((b' ', rest)) => Some(strip_stream(rest)),
        Some(_) => None,
    }
}

/// What follows `Z` or `+01:00`.
fn strip_zone(line: &[u8]) -> Option<&[u8]> {
    match line {
        [b'Z', rest @ ..] => Some(rest),
        [b'+' | b'-', h, o, b':', m, n, rest @ ..] => {
            [h, o, m, n].iter().all(|byte| byte.is_ascii_digit()).then_some(rest)
        }
        _ => None,
    }
}

/// GitLab writes `00O ` or `00E+` after its time stamps.
fn strip_stream(line: &[u8]) -> &[u8] {
    match line {
        [b'0'..=b'9' | b'a'..=b'f', b'0'..=b'9' | b'a'..=b'f', b'O' | b'E', b' ' | b'+', rest @ ..] => rest,
        _ => line,
    }
}

/// GitHub writes `##[error]` before a line that a problem matcher took.
fn strip_mark(line: &[u8]) -> &[u8] {
    let word = |rest: &[u8]| rest.iter().position(|byte| !byte.is_ascii_lowercase());
    match line.strip_prefix(b"##[") {
        Some(rest) => match word(rest).and_then(|at| rest[at..].strip_prefix(b"]")) {
            Some(rest) => rest,
            None => line,
        },
        None => line,
    }
}

/// `name  | ` at the start of a line.
fn service(line: &[u8]) -> Option<&[u8]> {
    let name = line.iter().take_while(|byte| byte.is_ascii_alphanumeric() || b"_.-".contains(byte)).count();
    let spaces = line[name..].iter().take_while(|&&byte| byte == b' ').count();
    let bar = name + spaces;
    if name == 0 || spaces == 0 || line.get(bar) != Some(&b'|') {
        return None;
    }
    Some(&line[..bar + 1 + usize::from(line.get(bar + 1) == Some(&b' '))])
}

/// The name in what [`service`] gave.
fn name(service: &[u8]) -> &[u8] {
    let end = service.iter().position(|&byte| byte == b' ').unwrap_or(service.len());
    &service[..end]
}

#[cfg(test)]
mod tests {
    use super::{Prefix, plain};

    /// The header's line, its text, and another line of the same report with what is left of it.
    fn check(header: &[u8], text: &str, line: &[u8], expected: Option<&str>) {
        let start = Prefix::of(header, "thread '").unwrap();
        assert_eq!((start.text.as_str(), start.alone), (text, true));
        assert_eq!(start.prefix.strip(line).as_deref(), expected, "{}", String::from_utf8_lossy(line));
    }

    #[test]
    fn a_reports_first_line_tells_the_prefix_of_its_lines() {
        check(b"thread 'a' panicked", "thread 'a' panicked", b"    x,", Some("    x,"));
        check(b"    thread 'a'", "thread 'a'", b"        x,", Some("    x,"));
        check(b"    thread 'a'", "thread 'a'", b"", Some(""));
        check(b"test a ... thread 'a'", "thread 'a'", b"    x,", Some("    x,"));
    }

    #[test]
    fn github_puts_stamps_jobs_and_marks_in_front() {
        check(b"2026-11-29T03:12:07.1113081Z thread 'a'", "thread 'a'", b"2026-11-29T03:12:07.1Z \tx", Some("\tx"));
        check(b"2026-11-29T03:12:07.1113081Z ##[error]thread 'a'", "thread 'a'", b"2026-11-29T03:12:07.1Z", Some(""));
        let job = b"night\tRun it\t\xef\xbb\xbf2026-11-29T03:12:07.1Z thread 'a'";
        check(job, "thread 'a'", b"night\tRun it\t2026-11-29T03:12:07.1Z     x,", Some("    x,"));
        check(job, "thread 'a'", b"other\tRun it\t2026-11-29T03:12:07.1Z     x,", None);
    }

    #[test]
    fn gitlab_buildkite_and_compose_put_theirs() {
        check(b"2026-11-29T03:12:07.123456Z 00O thread 'a'", "thread 'a'", b"2026-11-29T03:12:07Z 01E+x", Some("x"));
        check(b"\x1b_bk;t=1700000000000\x07thread 'a'", "thread 'a'", b"\x1b_bk;t=1700000000001\x07x", Some("x"));
        check(b"app-1  | thread 'a'", "thread 'a'", b"app-1  |     x,", Some("    x,"));
        check(b"app-1  |     thread 'a'", "thread 'a'", b"app-1  |         x,", Some("    x,"));
        check(b"app-1  | thread 'a'", "thread 'a'", b"app-1  |", Some(""));
        check(b"app-1  | thread 'a'", "thread 'a'", b"store-1  | x", None);
        let stamped = b"app-1  | 2026-11-29T03:12:07.1Z     thread 'a'";
        check(stamped, "thread 'a'", b"app-1  | 2026-11-29T03:12:07.2Z         x,", Some("    x,"));
        check(stamped, "thread 'a'", b"app-1  | 2026-11-29T03:12:07.2Z", Some(""));
        assert_eq!(plain(b"app-1  | 2026-11-29T03:12:07.2Z failures:"), "failures:");
    }

    #[test]
    fn time_zones_are_any() {
        let start = b"2026-11-29T03:12:07.123456789+01:00 thread 'a'";
        check(start, "thread 'a'", b"2026-11-29T03:12:07-00:30 x", Some("x"));
        check(start, "thread 'a'", b"2026-11-29T03:12:07+0130 x", Some("2026-11-29T03:12:07+0130 x"));
    }

    #[test]
    fn what_only_looks_like_a_prefix_stays() {
        check(b"thread 'a'", "thread 'a'", b"2026-11-29T03:12:07.1Z x", Some("2026-11-29T03:12:07.1Z x"));
        check(b"thread 'a'", "thread 'a'", b"a | b", Some("a | b"));
        check(b"thread 'a'", "thread 'a'", b"a\tb\tc", Some("a\tb\tc"));
    }

    #[test]
    fn escape_codes_and_returns_go() {
        let check = |line: &[u8], expected: &str| assert_eq!(plain(line), expected);
        check(b"\x1b[1m\x1b[92m     Running\x1b[0m x\x1b(B\r", "     Running x");
        check(b"section_start:1560896352:run\r\x1b[0K$ cargo test", "$ cargo test");
        check(b"\x1b]8;;http://x\x1b\\link\x1b]8;;\x07", "link");
        check(b"open \x1b[12", "open [12");
        check("cut \x1b[1é text \x1b( é".as_bytes(), "cut [1é text ( é");
        check(b"a\rb\r\r", "a\rb");
        check(b"bad \xff\xfe", "bad \u{fffd}\u{fffd}");
    }

    #[test]
    fn a_line_of_nothing_but_broken_escapes_takes_no_time() {
        for broken in ["\x1b ", "\x1b[", "\x1b]", "\x1b[1", "\x1bP\x1b"] {
            assert!(plain(broken.repeat(1 << 19).as_bytes()).len() < (2 << 20), "{broken:?}");
        }
    }
}
