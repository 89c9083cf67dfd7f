//! The names in a value: what a class is called that `repr` names alone, and which module it is of. A run's text is
//! foreign, so that nothing is ever called but classes of plain values of the standard library, those that the repository
//! defines, those of packages that its tests or the code below them import, and functions that tests themselves hand to a
//! strategy.

use super::modules::{Modules, joined};
use super::plain::{BUILT_IN, CLASSES, is_plain_module, packaged, standard};
use crate::language::python::literal::Use;
use crate::language::python::module::{Module, is_dotted};
use crate::language::python::standard::is_standard;
use crate::repo_path::RepoPath;
use crate::source_tree::SourceTree;

/// Names are handed on from module to module no further.
const DEEPEST: usize = 6;

/// Strategies that call what they get first.
const CALLERS: [&str; 2] = ["builds", "map"];

/// What the names of values mean in the module of a property.
pub(super) struct Names<'a> {
    file: &'a RepoPath,
    module: &'a Module,
    tree: &'a dyn SourceTree,
    reach: Modules<'a>,
    /// Where the code begins that names them, where that is run as the module is read.
    before: Option<usize>,
    /// The modules that have been named in full.
    pub(super) modules: Vec<String>,
}

/// A name by its module and what stands after that.
type Placed = (String, String);

impl<'a> Names<'a> {
    pub(super) fn new(file: &'a RepoPath, module: &'a Module, tree: &'a dyn SourceTree) -> Self {
        Names { file, module, tree, reach: Modules::new(file, module, tree), before: None, modules: Vec::new() }
    }

    /// The same for code that is run as the module is read, and begins at `start`: what the module defines below is not
    /// there yet.
    pub(super) fn above(self, start: usize) -> Self {
        Names { before: Some(start), ..self }
    }

    /// The full name of `name` where it is of another module, else the name itself.
    ///
    /// # Errors
    /// Where it is none that a value may have.
    pub(super) fn resolve(&mut self, name: &str, is: Use) -> Result<String, String> {
        // `repr` names a class of this very module by it.
        let own = self.file.file_name().strip_suffix(".py").and_then(|stem| name.strip_prefix(stem)?.strip_prefix('.'));
        let name = own.filter(|own| self.own(own, is).is_some()).unwrap_or(name);
        let root = name.split('.').next().unwrap_or(name);
        if !is_bound(self.module, root) {
            if is == Use::Call && BUILT_IN.contains(&name) || is == Use::Value && CLASSES.contains(&name) {
                return Ok(name.to_owned());
            }
            if is == Use::Value && matches!(name, "nan" | "inf") {
                return Ok(self.number(name));
            }
        }
        if is == Use::Value && matches!(name, "math.nan" | "math.inf") {
            self.modules.push("math".to_owned());
            return Ok(name.to_owned());
        }
        let own = self.own(name, is).or_else(|| if is == Use::Call { self.own_maker(name) } else { None });
        if let Some(own) = own {
            return match self.is_there(&own) {
                true => Ok(own),
                false => Err(format!("`{own}` is not there yet where the example stands")),
            };
        }
        let (module, inner) = self.found(name, is).ok_or_else(|| {
            format!(
                "`{name}` is no class that this repository or a package of its tests defines, nor one of a plain value: \
                 write the example by hand"
            )
        })?;
        if !self.modules.contains(&module) {
            self.modules.push(module.clone());
        }
        Ok(joined(&module, &inner))
    }

    /// Module and name of what is another module's, the surest first.
    fn found(&self, name: &str, is: Use) -> Option<Placed> {
        let is_class = |(_, inner): &Placed| is == Use::Value || is_class_name(inner);
        let own = || self.used(name).or_else(|| self.imported(name)).filter(is_class);
        let maker = || if is == Use::Call { self.maker(name) } else { None };
        standard(name)
            .or_else(own)
            .or_else(maker)
            .or_else(|| self.reached(name).filter(is_class))
            .or_else(|| self.of_package(name).filter(is_class))
            .or_else(|| self.in_package(name).filter(is_class))
            .or_else(|| self.packaged(name))
            .or_else(|| self.anywhere(name).filter(is_class))
    }

    /// Whether a class or a function of this module is there where its name is used.
    fn is_there(&self, name: &str) -> bool {
        let root = name.split('.').next().unwrap_or(name);
        let classes = self.module.classes.iter().filter(|class| class.path == [root]).map(|class| class.item);
        let functions = self.module.functions.iter().filter(|one| one.path == [root]).map(|one| one.item);
        let mut items = classes.chain(functions).peekable();
        self.before.is_none_or(|start| items.peek().is_none() || items.any(|item| item.end <= start))
    }

    /// A number that has no literal.
    fn number(&mut self, name: &str) -> String {
        if self.module.imports.iter().any(|import| import.module == "math") {
            self.modules.push("math".to_owned());
            return format!("math.{name}");
        }
        format!("float('{name}')")
    }

    /// A class that the module defines.
    fn own(&self, name: &str, is: Use) -> Option<String> {
        let root = name.split('.').next()?;
        let is_own = defines(self.module, root) && (is == Use::Value || name == root || is_class_name(name));
        is_own.then(|| name.to_owned())
    }

    /// A function, or a class's method, of this module that it hands to a strategy.
    fn own_maker(&self, name: &str) -> Option<String> {
        let mut makers = makers(self.module, name).filter(|maker| {
            let root = maker.split('.').next().unwrap_or(maker);
            defines(self.module, root) || self.module.functions.iter().any(|function| function.path == [root])
        });
        makers.next().filter(|first| makers.all(|other| other == *first)).map(str::to_owned)
    }

    /// A function of another module that a module hands to a strategy: this one, or one that it leads to.
    fn maker(&self, name: &str) -> Option<Placed> {
        let own = makers(self.module, name).filter_map(|maker| {
            let import = self.module.imports.iter().find(|import| leads(&import.local, maker))?;
            Some(joined(&import.full(), below(&import.local, maker)))
        });
        let others = self.reach.reached().iter().flat_map(|there| {
            makers(&there.outline, name).filter_map(|maker| {
                let import = there.outline.imports.iter().find(|import| leads(&import.local, maker));
                match import {
                    Some(import) => Some(joined(&there.full(import)?, below(&import.local, maker))),
                    None => Some(joined(&there.name, maker)),
                }
            })
        });
        let all: Vec<String> = own.chain(others).collect();
        let full = all.first().filter(|first| all.iter().all(|other| other == *first))?;
        let (module, inner) = self.parted(full)?;
        (!is_standard(&module) || is_plain_module(&module)).then_some((module, inner))
    }

    /// Module and name of `full`: what of it is a module of the repository or of a package, else all but its end.
    fn parted(&self, full: &str) -> Option<Placed> {
        let dots = full.match_indices('.').map(|(at, _)| at).collect::<Vec<_>>();
        let is_module = |at: &&usize| {
            let name = &full[..**at];
            self.reach.outline(name).is_some() || self.reach.installed(name).is_some()
        };
        let at = dots.iter().rev().find(is_module).or(dots.last())?;
        let is_relative = full[..*at].bytes().all(|byte| byte == b'.');
        Some((full[..at + usize::from(is_relative)].to_owned(), full[at + 1..].to_owned()))
    }

    /// A class that the module names by another module's name, as `slots.Booking`, or takes out of one by its own.
    fn used(&self, name: &str) -> Option<Placed> {
        self.named(name).find_map(|(full, rest)| {
            let (module, class) = self.defined(&full, 0)?;
            // As this module writes it, wherever it is defined.
            let (front, own) = full.rsplit_once('.').unwrap_or(("", &full));
            let (module, class) = if own == class { (front.to_owned(), own.to_owned()) } else { (module, class) };
            Some((module, format!("{class}{rest}")))
        })
    }

    /// What the module calls `name` by another module's name or takes out of one, in full, with what follows.
    fn named<'n>(&'n self, name: &'n str) -> impl Iterator<Item = (String, &'n str)> {
        let (root, rest) = apart(name);
        let direct = self
            .module
            .imports
            .iter()
            .filter(move |import| import.local == root && import.name.as_deref() == Some(root));
        let direct = direct.map(|import| import.full());
        let through = self.module.attributes.iter().filter_map(move |said| {
            let parts: Vec<&str> = said.split('.').collect();
            let at = parts.iter().position(|part| *part == root).filter(|at| *at > 0)?;
            let import = self.module.imports.iter().find(|import| import.local == parts[0])?;
            Some(format!("{}.{}", import.full(), parts[1..=at].join(".")))
        });
        direct.chain(through).map(move |full| (full, rest))
    }

    /// A class that stands in a module which this one imports.
    fn imported(&self, name: &str) -> Option<Placed> {
        let root = name.split('.').next()?;
        let rest = &name[root.len()..];
        let modules = self.module.imports.iter().flat_map(|import| [import.full(), import.module.clone()]);
        // What is no package only uses what it imports.
        let is_source = |module: &String| {
            let there = self.reach.outline(module);
            there.is_some_and(|(file, outline)| file.file_name() == "__init__.py" || defines(&outline, root))
        };
        let mut found = modules.filter(is_source).filter_map(|module| self.defined(&joined(&module, root), 0));
        found.next().map(|(module, class)| (module, format!("{class}{rest}")))
    }

    /// A class that stands in a module which this one leads to, named alone, by its module, or as that one's source does.
    fn reached(&self, name: &str) -> Option<Placed> {
        let (root, rest) = apart(name);
        let by_module = || {
            let there = self.reach.reached().iter().find(|there| leads(&there.name, name) && there.name != name)?;
            let inner = below(&there.name, name);
            defines(&there.outline, inner.split('.').next()?).then(|| (there.name.clone(), inner.to_owned()))
        };
        let alone = || {
            let mut found = self.reach.reached().iter().filter(|there| defines(&there.outline, root));
            found.next().map(|there| (there.name.clone(), name.to_owned()))
        };
        let as_there = || {
            let mut found = self.reach.reached().iter().filter_map(|there| {
                let import = there.outline.imports.iter().find(|import| import.local == root && !rest.is_empty())?;
                let (module, class) = self.parted(&joined(&there.full(import)?, &rest[1..]))?;
                let (_, outline) = self.reach.outline(&module)?;
                defines(&outline, class.split('.').next()?).then_some((module, class))
            });
            found.next()
        };
        by_module().or_else(alone).or_else(as_there)
    }

    /// A class of a package which this module names, or one that it leads to imports.
    fn of_package(&self, name: &str) -> Option<Placed> {
        let (root, rest) = apart(name);
        let own = self.named(name).map(|(full, rest)| format!("{full}{rest}"));
        let others = self.reach.reached().iter().flat_map(|there| {
            let named = there.outline.imports.iter().filter(|import| import.name.as_deref() == Some(root));
            named.filter_map(|import| Some(format!("{}{rest}", there.full(import)?)))
        });
        let is_package = |full: &String| {
            !full.starts_with('.')
                && !is_standard(full)
                && self.reach.outline(full.split('.').next().unwrap_or(full)).is_none()
        };
        // A class's own attributes are no module's.
        let class_at = |full: String| {
            let end = full.len() - rest.len();
            let dot = full[..end].rfind('.')?;
            is_class_name(&full[..end]).then(|| (full[..dot].to_owned(), full[dot + 1..].to_owned()))
        };
        own.chain(others).filter(is_package).find_map(class_at)
    }

    /// A class that an installed package defines from which this module, or one that it leads to, imports.
    fn in_package(&self, name: &str) -> Option<Placed> {
        let root = name.split('.').next()?;
        let own = self.module.imports.iter().map(|import| import.module.clone());
        let others = self.reach.reached().iter();
        let others = others.flat_map(|there| there.outline.imports.iter().filter_map(|import| there.module(import)));
        let mut known: Vec<String> = Vec::new();
        let modules = own.chain(others).flat_map(|module| {
            let top = module.split('.').next().unwrap_or_default().to_owned();
            [module, top]
        });
        for module in modules {
            if known.contains(&module) {
                continue;
            }
            let found = self.reach.installed(&module).filter(|(outline, is_package)| {
                let is_shown = outline.imports.iter().any(|import| import.local == root);
                defines(outline, root) || is_shown || self.is_shared(outline, &module, *is_package, root)
            });
            if found.is_some() {
                return Some((module, name.to_owned()));
            }
            known.push(module);
        }
        None
    }

    /// Whether an installed package takes all names out of a module of its own that defines the class.
    fn is_shared(&self, outline: &Module, package: &str, is_package: bool, class: &str) -> bool {
        let stars = outline.imports.iter().filter(|import| is_package && import.name.as_deref() == Some("*"));
        stars.filter_map(|import| import.module.strip_prefix('.')).any(|inner| {
            let there = self.reach.installed(&joined(package, inner));
            there.is_some_and(|(outline, _)| defines(&outline, class))
        })
    }

    /// What makes a value of a package, where a module here imports it.
    fn packaged(&self, name: &str) -> Option<Placed> {
        let (module, inner) = packaged(name)?;
        let is_own = |text: &str| leads(module, text) || leads(&format!("hypothesis.extra.{module}"), text);
        let outlines = self.reach.reached().iter().map(|there| there.outline.as_ref());
        let mut imports = std::iter::once(self.module).chain(outlines).flat_map(|outline| &outline.imports);
        imports.any(|import| is_own(&import.full())).then(|| (module.to_owned(), inner.to_owned()))
    }

    /// A class that only one file of the repository defines.
    fn anywhere(&self, name: &str) -> Option<Placed> {
        let root = name.split('.').next().filter(|root| is_dotted(root))?;
        let files = self.tree.holding(".py", &[&format!("class {root}")]);
        let mut modules = files.iter().filter_map(|file| {
            let module = self.module_name(file)?;
            let (_, outline) = self.reach.outline(&module)?;
            defines(&outline, root).then_some(module)
        });
        let first = modules.next()?;
        modules.next().is_none().then(|| (first, name.to_owned()))
    }

    /// What a file is imported as: from the folder around those that are packages, where tests find it there.
    fn module_name(&self, file: &RepoPath) -> Option<String> {
        let mut folders: Vec<&str> = file.folders().collect();
        folders.reverse();
        let is_package =
            |folder: &&&str| RepoPath::in_folder(folder, "__init__.py").is_some_and(|init| self.tree.exists(&init));
        let packages = folders.iter().take_while(is_package).count();
        let root = folders.get(packages).copied().unwrap_or_default();
        let way = file.as_str().strip_prefix(root)?.trim_start_matches('/').strip_suffix(".py")?;
        let way = way.strip_suffix("/__init__").unwrap_or(way).replace('/', ".");
        let (there, _) = self.reach.outline(&way)?;
        (there == *file && is_dotted(&way)).then_some(way)
    }

    /// Module and name of the class that `full` names, where a file of the repository defines it.
    fn defined(&self, full: &str, depth: usize) -> Option<Placed> {
        let (front, class) = full.rsplit_once('.')?;
        // Of a relative name all dots are the module's.
        let is_relative = front.bytes().all(|byte| byte == b'.');
        let module_name = if is_relative { &full[..full.len() - class.len()] } else { front };
        let (file, outline) = self.reach.outline(module_name)?;
        if defines(&outline, class) {
            return Some((module_name.to_owned(), class.to_owned()));
        }
        let import = outline.imports.iter().find(|import| import.local == class && depth < DEEPEST)?;
        let there = Names::new(&file, &outline, self.tree);
        let from = import.full();
        let is_there = there.defined(&from, depth + 1).is_some();
        is_there.then(|| (module_name.to_owned(), class.to_owned()))
    }
}

/// Whether a module binds the name itself.
pub(super) fn is_bound(module: &Module, name: &str) -> bool {
    module.imports.iter().any(|import| import.local == name)
        || module.bound.iter().any(|(bound, _)| bound == name)
        || module.classes.iter().any(|class| class.path == [name])
        || module.functions.iter().any(|function| function.path == [name])
}

/// What a module hands to strategies that call it, and ends in `name`.
fn makers<'m>(module: &'m Module, name: &'m str) -> impl Iterator<Item = &'m str> {
    let handed = module.handed.iter().filter(|(called, _)| CALLERS.contains(&called.as_str()));
    handed
        .map(|(_, maker)| maker.as_str())
        .filter(move |maker| maker.strip_suffix(name).is_some_and(|front| front.is_empty() || front.ends_with('.')))
}

/// The first part of a name, and what follows it with its dot.
fn apart(name: &str) -> (&str, &str) {
    name.split_at(name.find('.').unwrap_or(name.len()))
}

/// Whether a name is `front`, or something of it.
fn leads(front: &str, name: &str) -> bool {
    name.strip_prefix(front).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

/// What of a name follows `front` and a dot.
fn below<'n>(front: &str, name: &'n str) -> &'n str {
    name.strip_prefix(front).unwrap_or_default().trim_start_matches('.')
}

/// Whether the last part of a name is written as classes are.
fn is_class_name(name: &str) -> bool {
    name.rsplit('.').next().is_some_and(|last| last.trim_start_matches('_').starts_with(char::is_uppercase))
}

/// Whether a module defines a class of that name.
fn defines(module: &Module, name: &str) -> bool {
    const MADE: [&str; 5] = ["namedtuple", "NamedTuple", "Enum", "IntEnum", "make_dataclass"];
    let is_made = |text: &str| {
        let called = text.split('(').next().unwrap_or_default();
        is_dotted(called) && called.rsplit('.').next().is_some_and(|last| MADE.contains(&last))
    };
    module.classes.iter().any(|class| class.path == [name])
        || module.bound.iter().any(|(bound, text)| bound == name && is_made(text))
}

#[cfg(test)]
mod tests {
    use super::Names;
    use crate::language::python::literal::Use;
    use crate::language::python::module::module;
    use crate::repo_path::RepoPath;
    use crate::source_tree::testing::Files;

    fn resolved(text: &str, name: &str, is: Use) -> Result<(String, Vec<String>), String> {
        let tree = Files::new([
            ("tests/test_a.py", text),
            ("tests/near.py", "class Near: pass\n"),
            ("shop/__init__.py", "from .slots import Booking, Court\nimport os\n"),
            ("src/paid.py", "class Paid: pass\ndef drop(): pass\n"),
            ("shop/slots.py", "class Booking: pass\nclass Court: pass\nSlot = namedtuple('Slot', 'a b')\n"),
        ]);
        let (file, module) = (RepoPath::new("tests/test_a.py").unwrap(), module(text).unwrap());
        let mut names = Names::new(&file, &module, &tree);
        names.resolve(name, is).map(|full| (full, names.modules))
    }

    #[track_caller]
    fn check(text: &str, name: &str, expected: &str) {
        let found = resolved(text, name, if name.ends_with(char::is_uppercase) { Use::Value } else { Use::Call });
        assert_eq!(
            found.map(|(full, modules)| format!("{full} {}", modules.join(" "))).as_deref(),
            Ok(expected),
            "{name}"
        );
    }

    #[test]
    fn a_class_is_known_by_the_module_that_defines_it() {
        check("class A: pass\n", "A.GREEN", "A.GREEN ");
        check("class A: pass\n", "test_a.A", "A ");
        check("P = namedtuple('P', 'x')\n", "P", "P ");
        check("from shop import slots\nb = slots.Booking(1)\n", "Booking", "shop.slots.Booking shop.slots");
        check("from shop import Booking\n", "Booking", "shop.Booking shop");
        check("from shop.slots import Court\n", "Booking", "shop.slots.Booking shop.slots");
        check("import shop\n", "Court", "shop.Court shop");
        check("from .near import x\n", "Near", ".near.Near .near");
        check("import paid\n", "Paid", "paid.Paid paid");
        check("from shop.slots import Court\n", "Slot", "shop.slots.Slot shop.slots");
    }

    #[test]
    fn plain_values_of_the_standard_library_are_known() {
        check("", "Decimal", "decimal.Decimal decimal");
        check("", "datetime.date", "datetime.date datetime");
        check("class Decimal: pass\n", "Decimal", "Decimal ");
        check("", "set", "set ");
        assert_eq!(resolved("import math\n", "nan", Use::Value), Ok(("math.nan".to_owned(), vec!["math".to_owned()])));
        assert_eq!(resolved("", "math.inf", Use::Value), Ok(("math.inf".to_owned(), vec!["math".to_owned()])));
        assert_eq!(resolved("", "inf", Use::Value), Ok(("float('inf')".to_owned(), vec![])));
    }

    #[track_caller]
    fn check_in(files: &[(&str, &str)], name: &str, expected: Result<&str, &str>) {
        let tree = Files::new(files.iter().copied());
        let (file, module) = (RepoPath::new(files[0].0).unwrap(), module(files[0].1).unwrap());
        let mut names = Names::new(&file, &module, &tree);
        let is = if name.ends_with(char::is_uppercase) { Use::Value } else { Use::Call };
        let found = names.resolve(name, is).map(|full| format!("{full} {}", names.modules.join(" ")));
        match expected {
            Ok(full) => assert_eq!(found.as_deref(), Ok(full), "{name}"),
            Err(words) => assert!(found.as_ref().is_err_and(|why| why.contains(words)), "{name}: {found:?}"),
        }
    }

    #[test]
    fn a_class_is_found_wherever_the_imports_lead() {
        let files = [
            ("tests/test_a.py", "from tests.plans import orders\n"),
            ("tests/plans.py", "import shop.models as m\nfrom .kinds import Kind\n"),
            ("tests/kinds.py", "class Kind: pass\n"),
            ("shop/models.py", "class Line: pass\nclass Order: pass\n"),
            ("other/far.py", "class Far: pass\n"),
            ("other/__init__.py", ""),
            ("one/twin.py", "class Twin: pass\n"),
            ("two/twin.py", "class Twin: pass\n"),
        ];
        check_in(&files, "Order", Ok("shop.models.Order shop.models"));
        check_in(&files, "m.Order", Ok("shop.models.Order shop.models"));
        check_in(&files, "shop.models.Line", Ok("shop.models.Line shop.models"));
        check_in(&files, "Kind.RED", Ok("tests.kinds.Kind.RED tests.kinds"));
        // Only one file has it.
        check_in(&files, "Far", Ok("other.far.Far other.far"));
        check_in(&files, "Twin", Err("no class"));
    }

    #[test]
    fn what_tests_hand_to_a_strategy_may_be_called() {
        let files = [
            (
                "tests/test_a.py",
                "import os, shop\nfrom hypothesis import strategies as st\nfrom .plans import orders\n\
                def own(x): return x\nclass A:\n    @classmethod\n    def make(cls): pass\n\
                a = st.builds(shop.Box.of, x), st.text().map(own), st.builds(A.make), st.text().map(os.remove)\n",
            ),
            (
                "tests/plans.py",
                "from shop import trim as t\ndef whole(x): pass\nb = st.text().map(t) | st.builds(whole)\n",
            ),
            ("shop/__init__.py", "def trim(x): pass\nclass Box:\n    @classmethod\n    def of(cls, x): pass\n"),
        ];
        check_in(&files, "of", Ok("shop.Box.of shop"));
        check_in(&files, "own", Ok("own "));
        check_in(&files, "make", Ok("A.make "));
        check_in(&files, "whole", Ok(".plans.whole .plans"));
        check_in(&files, "t", Ok("shop.trim shop"));
        check_in(&files, "trim", Err("no class"));
        check_in(&files, "remove", Err("no class"));
        check_in(&files, "os.remove", Err("no class"));
    }

    #[test]
    fn classes_of_packages_are_known_by_who_imports_them() {
        let files = [
            (
                "tests/test_a.py",
                "import attrs, attr_shapes as shapes\nfrom urls import Url\nfrom subprocess import Popen\n\
                import numpy as np\nfrom shop import Cart\nx = shapes.Square(1)\n",
            ),
            ("shop/__init__.py", "from money.units import Euro\nimport deep.inner\nclass Cart: pass\n"),
            (".venv/pyvenv.cfg", ""),
            (".venv/lib/python3.11/site-packages/deep/inner.py", "class Hidden: pass\n"),
            (".venv/lib/python3.11/site-packages/deep/__init__.py", "from .kinds import *\n"),
            (".venv/lib/python3.11/site-packages/deep/kinds.py", "class Kind: pass\n"),
        ];
        check_in(&files, "Url", Ok("urls.Url urls"));
        check_in(&files, "Square", Ok("attr_shapes.Square attr_shapes"));
        check_in(&files, "Euro", Ok("money.units.Euro money.units"));
        check_in(&files, "Hidden", Ok("deep.inner.Hidden deep.inner"));
        check_in(&files, "Kind", Ok("deep.Kind deep"));
        check_in(&files, "array", Ok("numpy.array numpy"));
        check_in(&files, "np.datetime64", Ok("numpy.datetime64 numpy"));
        check_in(&files, "Popen", Err("no class"));
        check_in(&files, "Timestamp", Err("no class"));
        check_in(&files, "Nowhere", Err("no class"));
    }

    #[test]
    fn nothing_else_is_called() {
        for name in [
            "os.system",
            "eval",
            "subprocess.Popen",
            "Popen",
            "open",
            "exec",
            "date",
            "shop.os.system",
            "drop",
            "print",
        ] {
            let text = "import os, subprocess, shop, paid\nfrom subprocess import Popen\nx = subprocess.Popen([])\n";
            assert!(resolved(text, name, Use::Call).is_err(), "{name}");
        }
        assert!(resolved("set = 1\n", "set", Use::Call).is_err());
        assert!(resolved("class A:\n    pass\n", "A.delete", Use::Call).is_err());
    }
}
