//! The names in a value: what a class is called that `repr` names alone, and which module it is of. A run's text is
//! foreign, so that only classes of plain values of the standard library and those that the repository itself defines are
//! ever called.

use crate::language::python::literal::Use;
use crate::language::python::module::{Module, is_dotted, module};
use crate::repo_path::RepoPath;
use crate::source_tree::SourceTree;

/// Built-in names that make plain values.
const BUILT_IN: [&str; 12] =
    ["set", "frozenset", "dict", "list", "tuple", "bytes", "bytearray", "complex", "range", "slice", "float", "int"];

/// Built-in names that are values of their own.
const CLASSES: [&str; 13] = [
    "int",
    "str",
    "float",
    "bytes",
    "bool",
    "list",
    "dict",
    "set",
    "tuple",
    "frozenset",
    "complex",
    "object",
    "bytearray",
];

/// Classes of plain values in the standard library, by their modules.
const STANDARD: [(&str, &[&str]); 8] = [
    (DATES, &["date", "datetime", "time", "timedelta", "timezone"]),
    ("decimal", &["Decimal"]),
    ("fractions", &["Fraction"]),
    ("uuid", &["UUID"]),
    ("zoneinfo", &["ZoneInfo"]),
    ("collections", &["OrderedDict", "Counter", "deque", "defaultdict"]),
    ("ipaddress", &["IPv4Address", "IPv6Address", "IPv4Network", "IPv6Network", "IPv4Interface", "IPv6Interface"]),
    ("pathlib", &["PurePosixPath", "PureWindowsPath", "PosixPath", "Path"]),
];

/// The module whose classes `repr` names in full; alone their names are anybody's.
const DATES: &str = "datetime";

/// Modules lead into one another no further.
const DEEPEST: usize = 6;

/// What the names of values mean in the module of a property.
pub(super) struct Names<'a> {
    pub(super) file: &'a RepoPath,
    pub(super) module: &'a Module,
    pub(super) tree: &'a dyn SourceTree,
    /// The modules that have been named in full.
    pub(super) modules: Vec<String>,
}

impl Names<'_> {
    /// The full name of `name` where it is of another module, else the name itself.
    ///
    /// # Errors
    /// Where it is none that a value may have.
    pub(super) fn resolve(&mut self, name: &str, is: Use) -> Result<String, String> {
        // `repr` names a class of this very module by it.
        let own = self.file.file_name().strip_suffix(".py").and_then(|stem| name.strip_prefix(stem)?.strip_prefix('.'));
        let name = own.filter(|own| self.own(own, is).is_some()).unwrap_or(name);
        let root = name.split('.').next().unwrap_or(name);
        if !self.is_bound(root) {
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
        if let Some(full) = self.own(name, is) {
            return Ok(full);
        }
        let found = standard(name).or_else(|| self.used(name)).or_else(|| self.imported(name));
        let (module, inner) = found.ok_or_else(|| {
            format!(
                "`{name}` is no class that this repository defines, nor one of a plain value: write the example by hand"
            )
        })?;
        if is == Use::Call && !is_class_name(&inner) && standard(name).is_none() {
            return Err(format!("`{name}` is no class"));
        }
        let full = format!("{}{inner}", front(&module));
        if !self.modules.contains(&module) {
            self.modules.push(module);
        }
        Ok(full)
    }

    /// A number that has no literal.
    fn number(&mut self, name: &str) -> String {
        if self.module.imports.iter().any(|import| import.module == "math") {
            self.modules.push("math".to_owned());
            return format!("math.{name}");
        }
        format!("float('{name}')")
    }

    /// Whether the module binds the name itself.
    fn is_bound(&self, name: &str) -> bool {
        let module = self.module;
        module.imports.iter().any(|import| import.local == name)
            || module.bound.iter().any(|(bound, _)| bound == name)
            || module.classes.iter().any(|class| class.path == [name])
            || module.functions.iter().any(|function| function.path == [name])
    }

    /// A class that the module defines.
    fn own(&self, name: &str, is: Use) -> Option<String> {
        let root = name.split('.').next()?;
        let is_own = defines(self.module, root) && (is == Use::Value || name == root || is_class_name(name));
        is_own.then(|| name.to_owned())
    }

    /// A class that the module names by another module's name, as `slots.Booking`, or takes out of one by its own.
    fn used(&self, name: &str) -> Option<(String, String)> {
        let (root, rest) = name.split_once('.').map_or((name, ""), |(root, _)| (root, &name[root.len()..]));
        let direct =
            self.module.imports.iter().filter(|import| import.local == root && import.name.as_deref() == Some(root));
        let direct = direct.map(|import| import.full());
        let through = self.module.attributes.iter().filter_map(|said| {
            let parts: Vec<&str> = said.split('.').collect();
            let at = parts.iter().position(|part| *part == root).filter(|at| *at > 0)?;
            let import = self.module.imports.iter().find(|import| import.local == parts[0])?;
            Some(format!("{}.{}", import.full(), parts[1..=at].join(".")))
        });
        direct.chain(through).find_map(|full| {
            let (module, class) = self.defined(&full, 0)?;
            // As this module writes it, wherever it is defined.
            let (front, own) = full.rsplit_once('.').unwrap_or(("", &full));
            let (module, class) = if own == class { (front.to_owned(), own.to_owned()) } else { (module, class) };
            Some((module, format!("{class}{rest}")))
        })
    }

    /// A class that stands in a module which this one imports.
    fn imported(&self, name: &str) -> Option<(String, String)> {
        let root = name.split('.').next()?;
        let rest = &name[root.len()..];
        let modules = self.module.imports.iter().flat_map(|import| [import.full(), import.module.clone()]);
        let mut found = modules.filter_map(|module| self.defined(&format!("{}{root}", front(&module)), 0));
        found.next().map(|(module, class)| (module, format!("{class}{rest}")))
    }

    /// Module and name of the class that `full` names, where a file of the repository defines it.
    fn defined(&self, full: &str, depth: usize) -> Option<(String, String)> {
        let (front, class) = full.rsplit_once('.')?;
        // Of a relative name all dots are the module's.
        let is_relative = front.bytes().all(|byte| byte == b'.');
        let module_name = if is_relative { &full[..full.len() - class.len()] } else { front };
        let (file, outline) = self.outline(module_name)?;
        if defines(&outline, class) {
            return Some((module_name.to_owned(), class.to_owned()));
        }
        let import = outline.imports.iter().find(|import| import.local == class && depth < DEEPEST)?;
        let there = Names { file: &file, module: &outline, tree: self.tree, modules: Vec::new() };
        let from = import.full();
        let is_there = there.defined(&from, depth + 1).is_some();
        is_there.then(|| (module_name.to_owned(), class.to_owned()))
    }

    /// The file of a module and its outline.
    fn outline(&self, name: &str) -> Option<(RepoPath, Module)> {
        let dots = name.bytes().take_while(|byte| *byte == b'.').count();
        let way = name[dots..].replace('.', "/");
        let mut roots: Vec<String> =
            std::iter::once(String::new()).chain(self.file.folders().map(str::to_owned)).collect();
        if dots > 0 {
            let folder = self.file.folder();
            let mut up = folder.split('/').filter(|part| !part.is_empty()).collect::<Vec<_>>();
            up.truncate((up.len() + 1).saturating_sub(dots));
            roots = vec![up.join("/")];
        }
        let sources: Vec<String> =
            roots.iter().map(|root| if root.is_empty() { "src".to_owned() } else { format!("{root}/src") }).collect();
        let files = roots.iter().chain(&sources).flat_map(|root| {
            let inner = if way.is_empty() { "__init__.py".to_owned() } else { format!("{way}/__init__.py") };
            let file = if way.is_empty() { inner.clone() } else { format!("{way}.py") };
            [RepoPath::in_folder(root, &file), RepoPath::in_folder(root, &inner)]
        });
        files.flatten().find_map(|file| {
            let bytes = self.tree.read(&file)?;
            Some((file, module(std::str::from_utf8(&bytes).ok()?)?))
        })
    }
}

/// What stands before a name of a module: the module and a dot, where it does not end in one.
fn front(module: &str) -> String {
    if module.ends_with('.') { module.to_owned() } else { format!("{module}.") }
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

/// Module and name of a plain value's class of the standard library, named in full or alone.
fn standard(name: &str) -> Option<(String, String)> {
    let (module, class) = STANDARD.iter().find_map(|(module, classes)| {
        let full = name.strip_prefix(module).and_then(|rest| rest.strip_prefix('.'));
        let inner = full.or_else(|| (*module != DATES).then_some(name))?;
        let class = inner.split('.').next().unwrap_or(inner);
        (classes.contains(&class) && (inner == class || inner == "timezone.utc")).then_some((module, inner))
    })?;
    Some(((*module).to_owned(), class.to_owned()))
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
        let mut names = Names { file: &file, module: &module, tree: &tree, modules: Vec::new() };
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
