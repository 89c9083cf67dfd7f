//! What every tracked file must keep: no paths of the machine it was written on, no registry hosts, and a lock file that
//! grows only by decision.

use std::path::Path;

/// More packages than this in `Cargo.lock` is a decision: raise it in the commit that brings them, and say why there.
const PACKAGES: usize = 209;

/// Folders of the machines this is built on.
const FOLDERS: [&str; 2] = [concat!("/", "work", "/"), concat!("/", "root", "/")];

/// Hosts of package registries.
const HOSTS: [&str; 5] = [
    concat!("crates", ".io/"),
    concat!("index.crates", ".io"),
    concat!("pypi", ".org"),
    concat!("registry.npmjs", ".org"),
    concat!("deb.debian", ".org"),
];

/// The lines of a file's text that name a machine's folder or a registry's host.
fn faults(path: &str, text: &str) -> Vec<String> {
    let foreign = |line: &str| {
        FOLDERS.iter().any(|folder| names_folder(line, folder)) || HOSTS.iter().any(|host| line.contains(host))
    };
    let lines = text.lines().enumerate().filter(|(_, line)| foreign(line));
    lines.map(|(number, line)| format!("{path}:{}: {line}", number + 1)).collect()
}

/// Whether `line` names a path that begins with `folder`: one that only holds it further down is another path.
fn names_folder(line: &str, folder: &str) -> bool {
    let inner = |byte: u8| byte.is_ascii_alphanumeric() || b"._-/".contains(&byte);
    line.match_indices(folder).any(|(at, _)| at == 0 || !inner(line.as_bytes()[at - 1]))
}

/// The files git tracks, with their bytes.
#[expect(clippy::disallowed_methods, reason = "only git knows which files are tracked")]
fn tracked() -> Vec<(String, Vec<u8>)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let listed = std::process::Command::new("git").arg("-C").arg(root).args(["ls-files", "-z"]).output().unwrap();
    assert!(listed.status.success(), "{}", String::from_utf8_lossy(&listed.stderr));
    let names = String::from_utf8(listed.stdout).unwrap();
    let bytes = |name: &str| std::fs::read(root.join(name)).ok().map(|bytes| (name.to_string(), bytes));
    names.split('\0').filter(|name| !name.is_empty()).filter_map(bytes).collect()
}

#[test]
fn no_tracked_file_names_a_machines_folder_or_a_registrys_host() {
    let files = tracked();
    assert!(files.len() > 20, "expected the repository's files, found {}", files.len());
    let named = |(path, bytes): &(String, Vec<u8>)| match path.ends_with("Cargo.lock") {
        true => Vec::new(),
        false => faults(path, &String::from_utf8_lossy(bytes)),
    };
    assert_eq!(files.iter().flat_map(named).collect::<Vec<_>>(), Vec::<String>::new());
}

#[test]
fn a_machines_folder_and_a_registrys_host_are_found() {
    let text = format!("ok\nin {}x\n/home/runner{}x\n//{}\n", FOLDERS[0], FOLDERS[0], HOSTS[2]);
    let expected = [format!("a.txt:2: in {}x", FOLDERS[0]), format!("a.txt:4: //{}", HOSTS[2])];
    assert_eq!(faults("a.txt", &text), expected);
}

#[test]
fn the_lock_file_stays_below_its_ceiling() {
    let lock = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.lock")).unwrap();
    let packages = lock.lines().filter(|line| *line == "[[package]]").count();
    assert!(packages > 1, "expected packages in Cargo.lock");
    assert!(packages <= PACKAGES, "Cargo.lock holds {packages} packages, more than {PACKAGES}");
}
