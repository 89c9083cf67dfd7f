//! What says which tests are run, and how often: whether it says something else now.

use super::{Ground, Kind, Stated, Weakening, alike};
use crate::oracle::Setting;

/// Settings that differ, of files that have properties.
pub(super) fn changed(base: &[Stated], here: &[Stated], ground: &dyn Ground, found: &mut Vec<Weakening>) {
    for stated in base {
        let now = of(stated, here);
        for setting in &stated.oracle.settings {
            let same: Vec<&Setting> = now.iter().copied().filter(|one| one.name == setting.name).collect();
            if same.is_empty() && ground.holds(stated.framework, &setting.scope) {
                let text = format!("`{}` was `{}`, and is not said any more", setting.name, setting.text);
                tell(stated, setting.line, true, text, found);
            }
        }
    }
    for stated in here {
        let then = of(stated, base);
        for setting in &stated.oracle.settings {
            let same: Vec<&Setting> = then.iter().copied().filter(|one| one.name == setting.name).collect();
            let is_as_before = same.iter().any(|one| one.text == setting.text || is_more(&one.text, &setting.text));
            let is_enough = same.is_empty() && is_more(&stated.usual_cases.to_string(), &setting.text);
            if is_as_before || is_enough || !ground.holds(stated.framework, &setting.scope) {
                continue;
            }
            let was = same.first().map_or("was not said".to_owned(), |one| format!("was `{}`", one.text));
            let text =
                format!("`{}` {was}, and is `{}`: other tests may be run, or fewer cases", setting.name, setting.text);
            tell(stated, setting.line, false, text, found);
        }
    }
}

/// The settings of the same file in another version.
fn of<'a>(stated: &'a Stated, all: &'a [Stated]) -> Vec<&'a Setting> {
    let same = alike(stated, all).filter(|other| other.file == stated.file);
    same.flat_map(|other| &other.oracle.settings).collect()
}

/// Whether both are numbers of cases, the second no smaller.
fn is_more(before: &str, after: &str) -> bool {
    let number = |text: &str| text.replace('_', "").parse::<u64>().ok();
    matches!((number(before), number(after)), (Some(before), Some(after)) if before <= after)
}

fn tell(stated: &Stated, line: u32, is_gone: bool, text: String, found: &mut Vec<Weakening>) {
    let (framework, file) = (stated.framework, stated.file.clone());
    found.push(Weakening { kind: Kind::RunChanged, framework, test: None, file, line, is_gone, text });
}
