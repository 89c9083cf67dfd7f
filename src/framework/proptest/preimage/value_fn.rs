//! Functions that give one recorded value, each beside the strategy that built it: the names its body uses resolve there.
//! Its name is made of what it holds, so that pinning twice adds nothing and equal values share one.

use sha2::{Digest, Sha256};

use crate::hex::hex;
use crate::language::rust::layout::indented;
use crate::language::rust::literal::Place;
use crate::pin::{Part, PartKind};

/// Who has a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Owner {
    /// The module it stands in.
    Module,
    /// The type of what it gives.
    Type,
}

/// A function that gives a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ValueFn {
    /// Where it goes.
    pub(super) place: Place,
    /// Its name.
    pub(super) name: String,
    /// The whole function.
    pub(super) text: String,
}

impl ValueFn {
    /// The function for the value of type `ty` that `body` gives, in the module `place`. `strategy` is the compiler's name of
    /// the closure it is taken from. A function that its type has can be called where its module cannot be named.
    pub(super) fn new(place: Place, strategy: &str, ty: &str, body: &str, has: Owner) -> ValueFn {
        let digest = Sha256::digest(format!("{ty}\0{body}"));
        let name = format!("{}_value_{}", stem(strategy), &hex(&digest)[..7]);
        let function = format!("pub(crate) fn {name}() -> {ty} {{\n{}\n}}", indented(body, "    "));
        let item = match has {
            Owner::Module => function,
            Owner::Type => format!("impl {ty} {{\n{}\n}}", indented(&function, "    ")),
        };
        let text =
            format!("/// A value of a pinned counterexample, built as its strategy built it.\n#[cfg(test)]\n{item}");
        ValueFn { place, name, text }
    }
}

/// The name of the function that holds a closure, as the compiler calls the closure.
fn stem(strategy: &str) -> String {
    let plain: String = strategy.split('<').next().unwrap_or_default().replace("::{{closure}}", "");
    let last = plain.rsplit("::").next().unwrap_or_default();
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let name: String = last.chars().filter(|c| is_name(*c)).collect::<String>().to_lowercase();
    if name.is_empty() { "strategy".to_owned() } else { name }
}

/// The parts of a pin that hold `functions`, one a function.
pub(super) fn parts(functions: &[ValueFn]) -> Vec<Part> {
    let part = |function: &ValueFn| Part {
        file: function.place.file.clone(),
        kind: PartKind::Value,
        modules: function.place.modules.clone(),
        text: function.text.clone(),
    };
    functions.iter().map(part).collect()
}
