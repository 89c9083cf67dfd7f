//! Stack frames as Node and the test runners print them, and the paths in them: relative to the folder that holds
//! `node_modules` wherever that can be told, so that every reporter gives a place the same name.

use crate::failure::{ForeignPath, Location};

/// What the paths of our own files hold, which may stand between the library and who calls it.
const OURS: &str = "/redpin/capture/";

/// A frame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Frame {
    /// Its file, without a scheme in front.
    pub(super) file: String,
    pub(super) line: u32,
    pub(super) column: Option<u32>,
}

impl Frame {
    /// Whether it is of code of the repository: no package, nothing of Node itself, nothing without a file.
    pub(super) fn is_own(&self) -> bool {
        let file = self.file.as_str();
        !file.contains("node_modules")
            && !file.contains(OURS)
            && !file.starts_with("node:")
            && !file.starts_with(['<', '['])
    }

    /// Whether it is of fast-check or what ties it to a runner.
    pub(super) fn is_of_library(&self) -> bool {
        // It may be installed under another name.
        let parts = ["fast-check", "/check/runner/", "/check/property/"];
        self.file.contains("node_modules") && parts.iter().any(|part| self.file.contains(part))
    }

    /// The place, its file named from `root` on.
    pub(super) fn location(&self, root: &str) -> Location {
        Location { file: ForeignPath(below(&self.file, root).to_owned()), line: self.line, column: self.column }
    }
}

/// The frame that a line shows, in whatever form.
pub(super) fn frame(line: &str) -> Option<Frame> {
    let text = line.trim();
    let text = match text.strip_prefix("❯ ").or_else(|| text.strip_prefix("at ")) {
        Some(text) => text.trim_end_matches(" {"),
        // As Node's TAP lists them.
        None if text.ends_with(')') && text.contains(" (") && !text.contains(['\'', '"']) => text,
        None => return None,
    };
    let place = match text.strip_suffix(')').and_then(|text| text.rsplit_once('(')) {
        Some((_, place)) => place,
        None => text.rsplit(' ').next()?,
    };
    place_of(place)
}

/// `file:line:column`, with or without a scheme.
pub(super) fn place_of(text: &str) -> Option<Frame> {
    let (front, last) = text.rsplit_once(':')?;
    let last: u32 = last.parse().ok()?;
    let three = front.rsplit_once(':').and_then(|(file, line)| Some((file, line.parse::<u32>().ok()?)));
    let (file, line, column) = match three {
        Some((file, line)) => (file, line, Some(last)),
        None => (front, last, None),
    };
    let file = file.strip_prefix("file://").unwrap_or(file);
    (!file.is_empty()).then(|| Frame { file: file.to_owned(), line, column })
}

/// The folder that holds `node_modules`, with the separator after it, as some frame's path tells it.
pub(super) fn root<'a>(frames: impl IntoIterator<Item = &'a Frame>) -> String {
    let absolute = |file: &str| file.starts_with('/') || file.as_bytes().get(1) == Some(&b':');
    let roots = frames.into_iter().filter(|frame| absolute(&frame.file));
    roots.filter_map(|frame| Some(frame.file[..frame.file.find("node_modules")?].to_owned())).next().unwrap_or_default()
}

/// `file` from `root` on, where it lies below.
pub(super) fn below<'a>(file: &'a str, root: &str) -> &'a str {
    let file = file.strip_prefix("file://").unwrap_or(file);
    if root.is_empty() { file } else { file.strip_prefix(root).unwrap_or(file) }
}

#[cfg(test)]
mod tests {
    use super::{below, frame, root};

    #[track_caller]
    fn check(line: &str, expected: Option<(&str, u32, Option<u32>)>) {
        let found = frame(line);
        assert_eq!(found.as_ref().map(|found| (found.file.as_str(), found.line, found.column)), expected, "{line}");
    }

    #[test]
    fn frames_of_every_runner_are_read() {
        check(" ❯ run tests/a.test.ts:57:26", Some(("tests/a.test.ts", 57, Some(26))));
        check(" ❯ tests/a.test.ts:57:26", Some(("tests/a.test.ts", 57, Some(26))));
        check("      at toBe (__tests__/a b.test.js:13:46)", Some(("__tests__/a b.test.js", 13, Some(46))));
        check("    at async file:///w/p/a.mjs:8:31", Some(("/w/p/a.mjs", 8, Some(31))));
        check("    at [eval]:1:46 {", Some(("[eval]", 1, Some(46))));
        check("TestContext.<anonymous> (file:///w/a.mjs:6:8)", Some(("/w/a.mjs", 6, Some(8))));
        check("    at new Promise (<anonymous>)", None);
        check("     20|     fc.assert(fc.property(fc.nat(50)", None);
        check("- [1,2]", None);
    }

    #[test]
    fn paths_are_told_from_the_folder_of_the_packages_on() {
        let frames = [frame("at f (file:///w/p/node_modules/.pnpm/x/node_modules/fast-check/lib/a.js:1:2)").unwrap()];
        assert_eq!(root(&frames), "/w/p/");
        assert_eq!(below("file:///w/p/tests/a.ts", "/w/p/"), "tests/a.ts");
        assert_eq!(below("/other/a.ts", "/w/p/"), "/other/a.ts");
    }
}
