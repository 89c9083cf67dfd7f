//! Which file of the repository an import names.

use crate::repo_path::RepoPath;
use crate::source_tree::SourceTree;

use super::code::Code;

/// What a module's name may leave out.
const ENDINGS: [&str; 17] = [
    "",
    ".ts",
    ".tsx",
    ".mts",
    ".cts",
    ".js",
    ".jsx",
    ".mjs",
    ".cjs",
    "/index.ts",
    "/index.tsx",
    "/index.mts",
    "/index.cts",
    "/index.js",
    "/index.jsx",
    "/index.mjs",
    "/index.cjs",
];

/// The file that `from` calls `module`; `None` for packages.
pub fn file(from: &RepoPath, module: &str, tree: &dyn SourceTree) -> Option<RepoPath> {
    if !module.starts_with('.') {
        return None;
    }
    let folder = from.as_str().rsplit_once('/').map_or("", |(folder, _)| folder);
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in module.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            part => parts.push(part),
        }
    }
    let path = parts.join("/");
    let named = ENDINGS.iter().map(|ending| format!("{path}{ending}"));
    // TypeScript names the file that it compiles to.
    let compiled = [(".js", ".ts"), (".js", ".tsx"), (".mjs", ".mts"), (".cjs", ".cts"), (".jsx", ".tsx")];
    let compiled = compiled.iter().filter_map(|(from, to)| Some(format!("{}{to}", path.strip_suffix(from)?)));
    named.chain(compiled).filter_map(|path| RepoPath::new(&path)).find(|file| tree.exists(file))
}

/// The file that `code` of `from` takes `name` from, read, with the name that it has there.
pub fn source(code: &Code, from: &RepoPath, name: &str, tree: &dyn SourceTree) -> Option<(RepoPath, Code, String)> {
    let (object, member) = name.split_once('.').unwrap_or((name, ""));
    let (_, there, module) = code.imported().into_iter().find(|(local, ..)| local == object)?;
    let path = file(from, &module, tree)?;
    let text = String::from_utf8(tree.read(&path)?.to_vec()).ok()?;
    let there = if there.is_empty() { member.to_owned() } else { there };
    Some((path.clone(), Code::read(path.as_str(), text)?, there))
}
