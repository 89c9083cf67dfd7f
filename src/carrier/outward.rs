//! Paths in manifests that lead out of the repository: a copy of it stands elsewhere, where they would lead to nothing.

use crate::repo_path::RepoPath;
use crate::source_tree::SourceTree;

/// The files that hold such paths.
const MANIFEST: &str = "Cargo.toml";

/// The key that says where a package is.
const KEY: &str = "path";

/// The text of `file` with those paths made absolute, where it is a manifest that has any; the repository's top is the folder
/// `top`.
pub fn led_out(file: &RepoPath, tree: &dyn SourceTree, top: &str) -> Option<String> {
    let bytes = if file.file_name() == MANIFEST { tree.read(file)? } else { return None };
    let text = std::str::from_utf8(&bytes).ok()?;
    let mut whole = String::new();
    let mut done = 0;
    for (at, _) in text.match_indices(KEY) {
        let Some((value, start)) = value(text, at) else { continue };
        let Some(absolute) = absolute(file.folder(), value, top) else { continue };
        whole.push_str(&text[done..start]);
        whole.push_str(&absolute);
        done = start + value.len();
    }
    (done > 0).then(|| whole + &text[done..])
}

/// The text that the key at `at` is given, and where it starts; `None` where no whole key stands there.
fn value(text: &str, at: usize) -> Option<(&str, usize)> {
    let is_part = |character: char| character.is_alphanumeric() || matches!(character, '-' | '_');
    if text[..at].ends_with(is_part) {
        return None;
    }
    let after = text[at + KEY.len()..].trim_start_matches(['"', '\'']).trim_start_matches([' ', '\t']);
    let given = after.strip_prefix('=')?.trim_start_matches([' ', '\t']);
    let quote = given.chars().next().filter(|first| matches!(first, '"' | '\''))?;
    let value = given[1..].split([quote, '\n']).next()?;
    Some((value, text.len() - given.len() + 1))
}

/// Where a path that stands in `folder` leads outside of `top`; `None` where it does not, or comes back.
fn absolute(folder: &str, value: &str, top: &str) -> Option<String> {
    if value.starts_with('/') || value.contains(['\\', '"', '\'']) {
        return None;
    }
    let mut parts: Vec<&str> = top.split('/').collect();
    let depth = parts.len();
    let mut leads_out = false;
    for part in folder.split('/').chain(value.split('/')).filter(|part| !matches!(*part, "" | ".")) {
        if part == ".." {
            parts.pop();
            leads_out |= parts.len() < depth;
        } else {
            parts.push(part);
        }
    }
    let whole = parts.join("/");
    let comes_back = whole.strip_prefix(top).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
    (leads_out && !comes_back && parts.len() > 1).then_some(whole)
}

#[cfg(test)]
mod tests {
    use super::led_out;
    use crate::repo_path::RepoPath;
    use crate::source_tree::testing::Files;

    #[track_caller]
    fn check(file: &str, text: &str, expected: Option<&str>) {
        let tree = Files::new([(file, text)]);
        assert_eq!(led_out(&RepoPath::new(file).unwrap(), &tree, "/home/ada/own").as_deref(), expected, "{text}");
    }

    #[test]
    fn what_leads_out_is_made_absolute_and_all_else_stays() {
        check(
            "Cargo.toml",
            "[dependencies]\na = { path = \"../a\" } # why\nb.path='../../b/c'\n",
            Some("[dependencies]\na = { path = \"/home/ada/a\" } # why\nb.path='/home/b/c'\n"),
        );
        check("deep/er/Cargo.toml", "a = { path = \"../../../a\" }\n", Some("a = { path = \"/home/ada/a\" }\n"));
        check("Cargo.toml", "[patch.x.p]\n\"path\" = \"../own2\"", Some("[patch.x.p]\n\"path\" = \"/home/ada/own2\""));
    }

    #[test]
    fn what_stays_inside_or_is_no_path_stays() {
        check("deep/Cargo.toml", "a = { path = \"../a\" }\n", None);
        check("Cargo.toml", "a = { path = \"../own/a\" }\n", None);
        check("Cargo.toml", "a = { path = \"/a\" }\nbin-path = \"../a\"\npaths = 3\n", None);
        check("Cargo.toml", "path = \"../../../../a\"\n", None);
        check("Cargo.toml", "path", None);
        check("Cargo.toml", "path = \"..\\a\"", None);
        check("notes.toml", "path = \"../a\"", None);
    }
}
