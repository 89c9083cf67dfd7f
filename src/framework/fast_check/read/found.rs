//! A failure out of a report and what was told around it.

use super::arguments;
use super::frames::{self, Frame, below};
use super::marks::Owner;
use super::report::Report;
use super::title;
use super::told::{Reason, Told, told};
use crate::failure::{
    Argument, Caveat, Counterexample, Ending, Failure, ForeignPath, FrameworkName, Location, Origin, Replay, TestName,
};
use crate::framework::fast_check::NAME;

/// The failure that `report` tells of `owner`'s test in the run called `run`.
pub(super) fn failure(report: &Report, owner: &Owner, run: &str) -> Failure {
    of_told(report, told(&report.after), owner, None, run)
}

/// The same where it is `told` why it failed, and perhaps from which folder on files are named, with a separator at its end.
pub(super) fn of_told(report: &Report, told: Told, owner: &Owner, root: Option<&str>, run: &str) -> Failure {
    let root = root.map_or_else(|| frames::root(told.outer.iter().chain(&told.inner)), str::to_owned);
    // Jest puts the folder it runs in before files at the top of it.
    let bare = |file| below(file, &root).trim_start_matches("./");
    let file = owner.file.as_deref().map(|file| bare(file).to_owned());
    let stack = Stack { outer: &told.outer, inner: &told.inner, root: &root };
    let location = stack.location(owner, file.as_deref());
    let site = stack.site();
    let test = match owner.titles.is_empty() {
        true => TestName(stack.script(location.as_ref())),
        false => title::name(&owner.titles),
    };
    let ending = if report.counterexample.is_some() || report.breaks_off { Ending::Falsified } else { Ending::Aborted };
    let mut caveats = Vec::new();
    if report.breaks_off {
        caveats.push(Caveat::Truncated);
    } else if told.reason.is_none() && ending == Ending::Falsified {
        caveats.push(Caveat::Unexplained);
    }
    let reason = told.reason.unwrap_or_default();
    let own = location.as_ref().map(|at| at.file.0.as_str());
    Failure {
        framework: FrameworkName(NAME.to_owned()),
        test,
        package: None,
        binary: None,
        panicked: site.as_ref().is_some_and(|site| stack.is_raised_below(site, own, &reason)),
        site,
        location,
        ending,
        message: if ending == Ending::Aborted { report.head.clone() } else { said(&reason) },
        error: error(&reason).map(str::to_owned),
        own_message: None,
        generated: Vec::new(),
        counterexample: report.counterexample.as_deref().map(counterexample).unwrap_or_default(),
        replay: replay(report),
        caveats,
        origin: Origin { run: run.to_owned(), line: report.line },
    }
}

/// The class of an error, where it says more than that something failed.
fn error(reason: &Reason) -> Option<&str> {
    let class = reason.class.as_str();
    (!["", "Error", "AssertionError"].contains(&class)).then_some(class)
}

fn said(reason: &Reason) -> String {
    let class = error(reason).map_or(String::new(), |class| format!("{class}: "));
    format!("{class}{}", reason.message)
}

/// The input that `text` shows.
pub(in crate::framework::fast_check) fn counterexample(text: &str) -> Counterexample {
    let arguments = arguments::split(text);
    let argument = |text: String| Argument { name: String::new(), text };
    Counterexample { text: text.to_owned(), arguments: arguments.into_iter().map(argument).collect() }
}

/// Seed and path, as options of the library.
fn replay(report: &Report) -> Replay {
    if report.path.is_empty() {
        return Replay::None;
    }
    let commands = report.counterexample.as_deref().and_then(arguments::replay_path);
    let commands = commands.map_or(String::new(), |path| format!(", replayPath: \"{path}\""));
    Replay::NewSeed { handle: format!("seed: {}, path: \"{}\"{commands}", report.seed, report.path), file: None }
}

/// The stacks of a report.
struct Stack<'a> {
    outer: &'a [Frame],
    inner: &'a [Frame],
    root: &'a str,
}

impl Stack<'_> {
    /// Where the property stands: where it was handed to the library, else where its test is said to stand, else where it
    /// failed.
    fn location(&self, owner: &Owner, file: Option<&str>) -> Option<Location> {
        let in_file =
            |frame: &&Frame| frame.is_own() && file.is_none_or(|file| locates(below(&frame.file, self.root), file));
        let handed = self.outer.iter().rev().find(in_file).or_else(|| {
            let library = self.inner.iter().position(Frame::is_of_library)?;
            self.inner[library..].iter().rev().find(in_file)
        });
        let failed = || self.inner.iter().rev().find(in_file).map(|frame| frame.location(self.root));
        let told =
            owner.at.clone().map(|at| Location { file: ForeignPath(below(&at.file.0, self.root).to_owned()), ..at });
        let found = handed.map(|frame| frame.location(self.root)).or(told).or_else(failed);
        let found = found.map(|at| Location { file: file.map_or(at.file, |file| ForeignPath(file.to_owned())), ..at });
        found.or_else(|| Some(Location { file: ForeignPath(file?.to_owned()), line: 1, column: None }))
    }

    /// What to call a script that is no test: by its file, and code of a command line as Node calls it.
    fn script(&self, location: Option<&Location>) -> String {
        let called =
            || self.outer.iter().rev().find(|frame| frame.file.starts_with('[')).map(|frame| frame.file.clone());
        location.map(|at| at.file.0.clone()).or_else(called).unwrap_or_default()
    }

    /// Where the reason was raised.
    fn site(&self) -> Option<Location> {
        let before = self.inner.iter().take_while(|frame| !frame.is_of_library());
        before.into_iter().find(|frame| frame.is_own()).map(|frame| frame.location(self.root))
    }

    /// Whether `site` is in the code under test, and not in the property, which stands in the file `own` where that is
    /// known; what an assertion of the test's own library says is the property's, wherever it stands.
    fn is_raised_below(&self, site: &Location, own: Option<&str>, reason: &Reason) -> bool {
        let before = self.inner.iter().take_while(|frame| !frame.is_of_library());
        let calls = before.filter(|frame| frame.is_own()).last().map(|frame| below(&frame.file, self.root));
        let is_assertion = reason.class == "AssertionError" && !reason.message.starts_with("The expression")
            || reason.message.starts_with("expect(");
        let elsewhere = |file: &str| !locates(&site.file.0, file);
        !is_assertion && own.map_or_else(|| calls.is_some_and(elsewhere), elsewhere)
    }
}

/// Whether two paths, each perhaps from another root on, may name one file.
fn locates(one: &str, other: &str) -> bool {
    let ends = |long: &str, short: &str| {
        long.strip_suffix(short).is_some_and(|front| front.is_empty() || front.ends_with(['/', '\\']))
    };
    ends(one, other) || ends(other, one)
}
