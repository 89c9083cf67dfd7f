//! Files in which each line stands for itself, `.gitattributes` and CODEOWNERS: what they lack comes at their end.

use crate::framework::CATALOGUE;
use crate::source_tree::SourceTree;

use super::oracle::Oracle;
use super::workflow::Service;

/// Where GitHub looks for owners, in its order.
const ON_GITHUB: [&str; 3] = [".github/CODEOWNERS", "CODEOWNERS", "docs/CODEOWNERS"];

/// Where GitLab does.
const ON_GITLAB: [&str; 3] = ["CODEOWNERS", "docs/CODEOWNERS", ".gitlab/CODEOWNERS"];

/// The lines of `.gitattributes`. What is kept of failing inputs is added to on every branch, and no line contradicts another:
/// both sides stay. Of a decision there is one; where two branches decided otherwise, a person has to choose, and the file stays
/// JSON meanwhile.
pub(super) fn attributes() -> Vec<String> {
    let kept = CATALOGUE.iter().filter_map(|framework| framework.starting()).flat_map(|one| one.kept());
    let kept = kept.map(|pattern| format!("{pattern} text eol=lf merge=union"));
    let ours = ["decisions", "controls"].map(|folder| format!(".redpin/{folder}/*.json text eol=lf -merge"));
    kept.chain(ours).collect()
}

/// The lines of CODEOWNERS.
pub(super) fn owners(oracle: &Oracle, owner: &str) -> Vec<String> {
    let escaped = |pattern: String| pattern.replace(' ', "\\ ").replace('#', "\\#");
    oracle.all().into_iter().map(|pattern| format!("{} {owner}", escaped(pattern))).collect()
}

/// The file that says who owns what.
pub(super) fn owners_file(tree: &dyn SourceTree, service: Service) -> &'static str {
    let (places, new) = if service == Service::Gitlab { (ON_GITLAB, ON_GITLAB[2]) } else { (ON_GITHUB, ON_GITHUB[0]) };
    places.into_iter().find(|path| super::has(tree, path)).unwrap_or(new)
}

/// `text` with those of `wanted` at its end whose patterns it lacks; `None` where it lacks none.
pub(super) fn with(text: Option<&str>, wanted: &[String]) -> Option<String> {
    let text = text.unwrap_or_default();
    let line_end = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let known: Vec<&str> = text.lines().filter_map(pattern).collect();
    let missing: Vec<&String> =
        wanted.iter().filter(|line| pattern(line).is_some_and(|one| !known.contains(&one))).collect();
    if missing.is_empty() {
        return None;
    }
    let mut new = text.to_owned();
    if !new.is_empty() {
        new += if new.ends_with('\n') {
            line_end
        } else if line_end == "\n" {
            "\n\n"
        } else {
            "\r\n\r\n"
        };
    }
    new += &format!("# The oracle, by `redpin init`.{line_end}");
    missing.iter().for_each(|line| new += &format!("{line}{line_end}"));
    Some(new)
}

/// The pattern of a line, up to the first space that is not escaped.
fn pattern(line: &str) -> Option<&str> {
    let line = line.trim();
    let mut before = ' ';
    let end = line.find(|c: char| {
        let is_end = c.is_whitespace() && before != '\\';
        before = c;
        is_end
    });
    Some(&line[..end.unwrap_or(line.len())]).filter(|pattern| !pattern.is_empty() && !pattern.starts_with('#'))
}

#[cfg(test)]
mod tests {
    use super::with;

    #[track_caller]
    fn check(text: Option<&str>, expected: Option<&str>) {
        let wanted = ["/a\\ b/** @o".to_owned(), "c.txt @o".to_owned()];
        assert_eq!(with(text, &wanted).as_deref(), expected);
        assert_eq!(with(expected.or(text), &wanted), None, "a second time");
    }

    #[test]
    fn what_a_file_lacks_comes_at_its_end() {
        let head = "# The oracle, by `redpin init`.\n";
        check(None, Some(&format!("{head}/a\\ b/** @o\nc.txt @o\n")));
        check(Some("* @x\nc.txt @y\n"), Some(&format!("* @x\nc.txt @y\n\n{head}/a\\ b/** @o\n")));
        check(Some("* @x"), Some(&format!("* @x\n\n{head}/a\\ b/** @o\nc.txt @o\n")));
        check(Some("/a\\ b/** @y\nc.txt\n"), None);
        let crlf = format!("* @x\r\n\r\n{head}/a\\ b/** @o\nc.txt @o\n").replace("\r\n", "\n").replace('\n', "\r\n");
        check(Some("* @x\r\n"), Some(&crlf));
    }
}
