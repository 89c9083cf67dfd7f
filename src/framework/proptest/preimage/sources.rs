//! Where the library's own source is on this machine: what cargo tells of the packages that the repository uses.

use serde::Deserialize;

use super::super::NAME;

/// The command that tells it.
pub(in crate::framework) const SOURCES: &[&str] = &["cargo", "metadata", "--offline", "--format-version", "1"];

#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Package>,
}

#[derive(Deserialize)]
struct Package {
    name: String,
    version: String,
    source: Option<String>,
    manifest_path: String,
}

/// The folder of the library in the registry's cache; of several versions the newest. Nothing where it comes from
/// elsewhere: cargo lets a copy take the place of a registry's package only.
pub(in crate::framework) fn folder(told: &[u8]) -> Option<String> {
    let metadata: Metadata = serde_json::from_slice(told).ok()?;
    let of_registry = |package: &Package| package.source.as_ref().is_some_and(|source| source.starts_with("registry+"));
    let library = metadata.packages.into_iter().filter(|package| package.name == NAME && of_registry(package));
    let newest = library.max_by_key(|package| numbers(&package.version))?;
    newest.manifest_path.rsplit_once(['/', '\\']).map(|(folder, _)| folder.to_owned())
}

fn numbers(version: &str) -> Vec<u64> {
    version.split(['.', '-']).map_while(|number| number.parse().ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::folder;

    #[track_caller]
    fn check(packages: &[(&str, &str, &str)], expected: Option<&str>) {
        let package = |(name, version, source): &(&str, &str, &str)| {
            let path = format!("/r/{name}-{version}/Cargo.toml");
            serde_json::json!({ "name": name, "version": version, "source": source, "manifest_path": path })
        };
        let packages: Vec<_> = packages.iter().map(package).collect();
        let told = serde_json::json!({ "packages": packages }).to_string();
        assert_eq!(folder(told.as_bytes()).as_deref(), expected);
    }

    #[test]
    fn the_newest_of_the_registrys_is_taken() {
        let registry = "registry+x";
        check(
            &[
                ("proptest", "1.9.0", registry),
                ("proptest", "1.12.0", registry),
                ("proptest-derive", "2.0.0", registry),
            ],
            Some("/r/proptest-1.12.0"),
        );
        check(&[("proptest", "1.12.0", "git+x")], None);
        check(&[("rand", "1.12.0", registry)], None);
    }
}
