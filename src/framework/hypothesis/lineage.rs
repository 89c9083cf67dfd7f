//! The classes that a class is made of, those of other modules of the repository among them, and which of its methods they
//! define.

use std::sync::Arc;

use super::machine::BASES;
use super::modules::{Modules, Reached};
use crate::language::python::imports::Import;
use crate::language::python::module::{Class, Module};

/// Farther than this no name leads, and no class inherits.
const DEEPEST: usize = 16;

/// So many classes are looked into: of bases that share bases the ways to them are many more.
const MOST: usize = 256;

/// Where a method is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Method {
    /// In one of the classes, of a module of the repository.
    Known,
    /// In none of them.
    None,
    /// That is not to be told: one of them stands outside.
    Untold,
}

/// A module in which names are looked up.
#[derive(Clone)]
struct Place(Option<Arc<Reached>>);

impl Place {
    fn module<'p>(&'p self, modules: &'p Modules<'_>) -> &'p Module {
        self.0.as_ref().map_or(modules.own, |reached| &*reached.outline)
    }

    fn full(&self, import: &Import) -> Option<String> {
        self.0.as_ref().map_or_else(|| Some(import.full()), |reached| reached.full(import))
    }
}

/// Where the method `name` of `class`, which the property's own module defines, is.
pub(super) fn method(modules: &Modules<'_>, class: &Class, name: &str) -> Method {
    Search { modules, name, left: MOST }.in_class(&Place(None), class, 0)
}

/// A method that is looked for.
struct Search<'a> {
    modules: &'a Modules<'a>,
    name: &'a str,
    /// So many classes may still be looked into.
    left: usize,
}

impl Search<'_> {
    fn in_class(&mut self, place: &Place, class: &Class, depth: usize) -> Method {
        let Search { modules, name, .. } = *self;
        let Some(left) = self.left.checked_sub(1) else { return Method::Untold };
        self.left = left;
        let way: Vec<&str> = class.path.iter().map(String::as_str).chain([name]).collect();
        if place.module(modules).functions.iter().any(|function| function.path == way) {
            return Method::Known;
        }
        let mut found = Method::None;
        for base in class.bases.iter().filter(|base| !base.contains('=')) {
            if BASES.contains(&base.rsplit('.').next().unwrap_or(base)) {
                continue;
            }
            let one = match class_called(modules, place, base, depth) {
                Some((place, class)) if depth < DEEPEST => self.in_class(&place, &class, depth + 1),
                _ => Method::Untold,
            };
            match one {
                Method::Known => return Method::Known,
                Method::Untold => found = Method::Untold,
                Method::None => {}
            }
        }
        found
    }
}

/// The class that the module at `place` calls `name`, and the module that defines it.
fn class_called(modules: &Modules<'_>, place: &Place, name: &str, depth: usize) -> Option<(Place, Class)> {
    let module = place.module(modules);
    if let Some(class) = module.classes.iter().rfind(|class| class.path.join(".") == name) {
        return Some((place.clone(), class.clone()));
    }
    let bring = |import: &&Import| {
        let rest = name.strip_prefix(&import.local)?;
        (rest.is_empty() || rest.starts_with('.')).then_some(rest)
    };
    let (import, rest) = module.imports.iter().rev().find_map(|import| Some((import, bring(&import)?)))?;
    let full = format!("{}{rest}", place.full(import)?);
    let (way, last) = full.rsplit_once('.')?;
    // A name out of the module that this one stands in begins with dots alone.
    let way = if way.is_empty() || way.ends_with('.') { format!("{way}.") } else { way.to_owned() };
    let there = Place(Some(Arc::new(modules.named(&way)?)));
    (depth < DEEPEST).then(|| class_called(modules, &there, last, depth + 1)).flatten()
}

#[cfg(test)]
mod tests {
    use super::{Method, method};
    use crate::framework::hypothesis::modules::Modules;
    use crate::language::python::module::module;
    use crate::repo_path::RepoPath;
    use crate::source_tree::testing::Files;

    #[track_caller]
    fn check(text: &str, name: &str, expected: Method) {
        let tree = Files::new([
            (
                "tests/near.py",
                "from .deep.er import Far\nclass Base(RuleBasedStateMachine):\n    def put(self): pass\nclass Mid(Far): pass\n",
            ),
            ("tests/deep/__init__.py", "from .er import Far as Shown\n"),
            (
                "tests/deep/er.py",
                "import pack\nclass Far(RuleBasedStateMachine):\n    def take(self): pass\nclass Odd(pack.X): pass\nclass Round(Round): pass\n",
            ),
        ]);
        let (file, own) = (RepoPath::new("tests/test_a.py").unwrap(), module(text).unwrap());
        let class = own.classes.iter().rfind(|class| class.path == ["M"]).unwrap();
        assert_eq!(method(&Modules::new(&file, &own, &tree), class, name), expected, "{text}: {name}");
    }

    #[test]
    fn methods_are_found_in_bases_of_other_modules() {
        let near = "from tests.near import Base, Mid\n";
        check(&format!("{near}class M(Base):\n    def own(self): pass\n"), "own", Method::Known);
        check(&format!("{near}class M(Base): pass\n"), "put", Method::Known);
        check(&format!("{near}class M(Base): pass\n"), "take", Method::None);
        check(&format!("{near}class M(Base, Mid): pass\n"), "take", Method::Known);
        check("from . import near\nclass M(near.Mid): pass\n", "take", Method::Known);
        check("from .near import Base as B\nclass M(B): pass\n", "put", Method::Known);
        check("import tests.near as n\nclass L: pass\nclass M(L, n.Base): pass\n", "put", Method::Known);
        check("from tests.deep import Shown\nclass M(Shown): pass\n", "take", Method::Known);
        check("class M(RuleBasedStateMachine): pass\n", "take", Method::None);
    }

    #[test]
    fn what_stands_outside_is_not_told() {
        check("from pack import X\nclass M(X): pass\n", "take", Method::Untold);
        check("from tests.deep.er import Odd\nclass M(Odd): pass\n", "take", Method::Untold);
        check("from tests.deep.er import Round\nclass M(Round): pass\n", "take", Method::Untold);
        check("from tests.near import *\nclass M(Base): pass\n", "put", Method::Untold);
        check("class M(make()): pass\n", "put", Method::Untold);
    }

    #[test]
    fn of_bases_that_share_bases_not_every_way_is_gone() {
        // Each class of a level has all of the level below as bases: 5 to the power of 14 ways lead to the last.
        let names = |level: usize| (0..5).map(|at| format!("C{level}_{at}")).collect::<Vec<_>>();
        let class = |name: &str, bases: &[String]| format!("class {name}({}): pass\n", bases.join(", "));
        let level = |at: usize| names(at).iter().map(|name| class(name, &names(at - 1))).collect::<String>();
        let first: String = names(0).iter().map(|name| class(name, &[])).collect();
        let levels: String = (1..14).map(level).collect();
        check(&format!("{first}{levels}{}", class("M", &names(13))), "put", Method::Untold);
    }
}
