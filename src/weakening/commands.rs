//! The commands by which scripts and workflows run the tests: whether one is gone, or says something else now. What is only added
//! is no matter of the guard.

use super::{Ground, Kind, Stated, Weakening, alike};
use crate::oracle::Named;

/// Commands that differ, of repositories that have properties.
pub(super) fn changed(base: &[Stated], here: &[Stated], ground: &dyn Ground, found: &mut Vec<Weakening>) {
    for stated in base.iter().filter(|stated| !stated.oracle.commands.is_empty()) {
        if !ground.holds(stated.framework, "") {
            continue;
        }
        let own = here.iter().find(|other| other.framework == stated.framework && other.file == stated.file);
        let now = own.map_or(&[][..], |own| &own.oracle.commands);
        let mut new = without(now, &stated.oracle.commands);
        let mut elsewhere: Vec<&Named> = alike(stated, here)
            .filter(|other| other.file != stated.file && !other.oracle.commands.is_empty())
            .flat_map(|other| without(&other.oracle.commands, then(other, base)))
            .collect();
        for gone in without(&stated.oracle.commands, now) {
            if take(&mut elsewhere, |one| one.name == gone.name && one.text == gone.text).is_some() {
                continue;
            }
            let (line, is_gone, text) = match take(&mut new, |one| one.name == gone.name) {
                Some(one) => {
                    let text = format!("`{}` is run as `{}`: other tests may be run", said(gone), said(one));
                    (one.line, false, text)
                }
                None => (gone.line, true, format!("`{}` is not run any more", said(gone))),
            };
            let (framework, file) = (stated.framework, stated.file.clone());
            found.push(Weakening { kind: Kind::RunChanged, framework, test: None, file, line, is_gone, text });
        }
    }
}

/// The commands of the same file before.
fn then<'a>(stated: &Stated, base: &'a [Stated]) -> &'a [Named] {
    let same = base.iter().find(|one| one.framework == stated.framework && one.file == stated.file);
    same.map_or(&[][..], |one| &one.oracle.commands)
}

/// Those of `all` that `others` has not, each as often as it is missing.
fn without<'a>(all: &'a [Named], others: &[Named]) -> Vec<&'a Named> {
    let mut left: Vec<&Named> = others.iter().collect();
    all.iter()
        .filter(|one| take(&mut left, |other| other.name == one.name && other.text == one.text).is_none())
        .collect()
}

/// Takes the first that is meant out of `all`.
fn take<'a>(all: &mut Vec<&'a Named>, is_meant: impl Fn(&Named) -> bool) -> Option<&'a Named> {
    let at = all.iter().position(|one| is_meant(one))?;
    Some(all.remove(at))
}

fn said(command: &Named) -> String {
    format!("{} {}", command.name, command.text).trim_end().to_owned()
}
