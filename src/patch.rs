//! What changes in several files as one unified diff, in the form that `git diff` prints and `git apply` takes. Lines end
//! at `\n` alone; their bytes, whatever they are, stay as they are.

use similar::{Algorithm, DiffOp, DiffTag, capture_diff_slices, group_diff_ops};

use crate::repo_path::RepoPath;

/// Lines shown around a change.
const CONTEXT: usize = 3;

/// Whether git marks a regular file as a program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FileMode {
    /// Mode 100644.
    #[default]
    Plain,
    /// Mode 100755.
    Executable,
}

impl FileMode {
    /// The mode as git writes it.
    pub fn octal(self) -> &'static str {
        match self {
            FileMode::Plain => "100644",
            FileMode::Executable => "100755",
        }
    }
}

/// One file before and after.
#[derive(Clone, Copy, Debug)]
pub struct FileChange<'a> {
    /// The file.
    pub path: &'a RepoPath,
    /// Its mode, which stays.
    pub mode: FileMode,
    /// Its bytes before; `None` where the change creates it.
    pub old: Option<&'a [u8]>,
    /// Its bytes after; `None` where the change removes it.
    pub new: Option<&'a [u8]>,
}

/// The changes as one patch. Files that do not change leave no trace in it.
pub fn patch(changes: &[FileChange<'_>]) -> Vec<u8> {
    let mut out = Vec::new();
    changes.iter().filter(|change| change.old != change.new).for_each(|change| write_file(change, &mut out));
    out
}

fn write_file(change: &FileChange<'_>, out: &mut Vec<u8>) {
    let (a, b) = (quoted("a/", change.path), quoted("b/", change.path));
    out.extend_from_slice(format!("diff --git {a} {b}\n").as_bytes());
    if change.old.is_none() {
        out.extend_from_slice(format!("new file mode {}\n", change.mode.octal()).as_bytes());
    }
    if change.new.is_none() {
        out.extend_from_slice(format!("deleted file mode {}\n", change.mode.octal()).as_bytes());
    }
    let (old, new) = (lines(change.old.unwrap_or_default()), lines(change.new.unwrap_or_default()));
    if old.is_empty() && new.is_empty() {
        return;
    }
    // A name with a space would end at it for other readers of patches; the tab says where it ends.
    let tab = if change.path.as_str().contains(' ') { "\t" } else { "" };
    let side = |name: String, missing: bool| if missing { "/dev/null".to_owned() } else { format!("{name}{tab}") };
    let (a, b) = (side(a, change.old.is_none()), side(b, change.new.is_none()));
    out.extend_from_slice(format!("--- {a}\n+++ {b}\n").as_bytes());
    let operations = capture_diff_slices(Algorithm::Myers, &old, &new);
    for hunk in group_diff_ops(operations, CONTEXT) {
        write_hunk(&hunk, &old, &new, out);
    }
}

fn write_hunk(hunk: &[DiffOp], old: &[&[u8]], new: &[&[u8]], out: &mut Vec<u8>) {
    let (Some(first), Some(last)) = (hunk.first(), hunk.last()) else { return };
    let before = place(first.old_range().start, last.old_range().end);
    let after = place(first.new_range().start, last.new_range().end);
    out.extend_from_slice(format!("@@ -{before} +{after} @@\n").as_bytes());
    for operation in hunk {
        if operation.tag() == DiffTag::Equal {
            old[operation.old_range()].iter().for_each(|line| write_line(b' ', line, out));
        } else {
            old[operation.old_range()].iter().for_each(|line| write_line(b'-', line, out));
            new[operation.new_range()].iter().for_each(|line| write_line(b'+', line, out));
        }
    }
}

/// Lines `start..end`, counted from 0, as a hunk's head has them: the first counted from 1 and their number, which is left
/// out where it is 1. No line at all is said to stand after the line before.
fn place(start: usize, end: usize) -> String {
    match end - start {
        0 => format!("{start},0"),
        1 => format!("{}", start + 1),
        count => format!("{},{count}", start + 1),
    }
}

fn write_line(sign: u8, line: &[u8], out: &mut Vec<u8>) {
    out.push(sign);
    out.extend_from_slice(line);
    if !line.ends_with(b"\n") {
        out.extend_from_slice(b"\n\\ No newline at end of file\n");
    }
}

fn lines(text: &[u8]) -> Vec<&[u8]> {
    text.split_inclusive(|&byte| byte == b'\n').collect()
}

/// `path` after `prefix`, in quotes with escapes where git's default would quote it.
fn quoted(prefix: &str, path: &RepoPath) -> String {
    let plain = |byte: u8| (b' '..=b'~').contains(&byte) && byte != b'"' && byte != b'\\';
    if path.as_str().bytes().all(plain) {
        return format!("{prefix}{path}");
    }
    let escaped: String = path.as_str().bytes().map(escape).collect();
    format!("\"{prefix}{escaped}\"")
}

fn escape(byte: u8) -> String {
    match byte {
        b'"' => "\\\"".to_owned(),
        b'\\' => "\\\\".to_owned(),
        7 => "\\a".to_owned(),
        8 => "\\b".to_owned(),
        b'\t' => "\\t".to_owned(),
        b'\n' => "\\n".to_owned(),
        11 => "\\v".to_owned(),
        12 => "\\f".to_owned(),
        b'\r' => "\\r".to_owned(),
        b' '..=b'~' => char::from(byte).to_string(),
        _ => format!("\\{byte:03o}"),
    }
}

#[cfg(test)]
mod tests {
    use super::{FileChange, FileMode, patch};
    use crate::repo_path::RepoPath;

    fn check(path: &str, old: Option<&str>, new: Option<&str>, expected: &str) {
        let path = RepoPath::new(path).unwrap();
        let (old, new) = (old.map(str::as_bytes), new.map(str::as_bytes));
        let out = patch(&[FileChange { path: &path, mode: FileMode::Plain, old, new }]);
        assert_eq!(String::from_utf8(out).unwrap(), expected);
    }

    #[test]
    fn a_change_stands_between_three_lines_on_each_side() {
        let old = "1\n2\n3\n4\n5\n6\n7\n8\n9\n";
        let new = "1\n2\n3\n4\nnew\n5\n6\n7\n8\n9\n";
        let hunk = "@@ -2,6 +2,7 @@\n 2\n 3\n 4\n+new\n 5\n 6\n 7\n";
        check("a", Some(old), Some(new), &format!("diff --git a/a b/a\n--- a/a\n+++ b/a\n{hunk}"));
    }

    #[test]
    fn a_file_that_comes_or_goes_has_its_mode_and_no_other_side() {
        let head = "diff --git a/d/f b/d/f\n";
        let created = "new file mode 100644\n--- /dev/null\n+++ b/d/f\n@@ -0,0 +1,2 @@\n+1\n+2\n";
        check("d/f", None, Some("1\n2\n"), &format!("{head}{created}"));
        let removed = "deleted file mode 100644\n--- a/d/f\n+++ /dev/null\n@@ -1 +0,0 @@\n-1\n";
        check("d/f", Some("1\n"), None, &format!("{head}{removed}"));
        check("d/f", None, Some(""), &format!("{head}new file mode 100644\n"));
    }

    #[test]
    fn a_missing_final_newline_is_told_on_its_side() {
        let head = "diff --git a/f b/f\n--- a/f\n+++ b/f\n";
        let missing = "\\ No newline at end of file\n";
        check("f", Some("1"), Some("1\n2"), &format!("{head}@@ -1 +1,2 @@\n-1\n{missing}+1\n+2\n{missing}"));
        check("f", Some("1\n2"), Some("0\n1\n2"), &format!("{head}@@ -1,2 +1,3 @@\n+0\n 1\n 2\n{missing}"));
    }

    #[test]
    fn names_are_quoted_as_git_does() {
        let hunk = "@@ -1 +1 @@\n-1\n+2\n";
        let named = |name: &str, a: &str, b: &str| {
            check(name, Some("1\n"), Some("2\n"), &format!("diff --git {a} {b}\n--- {a}\n+++ {b}\n{hunk}"));
        };
        named("größe.rs", "\"a/gr\\303\\266\\303\\237e.rs\"", "\"b/gr\\303\\266\\303\\237e.rs\"");
        named("a\"b\tc", "\"a/a\\\"b\\tc\"", "\"b/a\\\"b\\tc\"");
        let spaced = "diff --git a/a b b/a b\n--- a/a b\t\n+++ b/a b\t\n";
        check("a b", Some("1\n"), Some("2\n"), &format!("{spaced}{hunk}"));
    }

    #[test]
    fn a_file_that_stays_leaves_no_trace() {
        check("f", Some("1\n"), Some("1\n"), "");
    }
}
