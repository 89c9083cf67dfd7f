//! What the library's own names mean: which values each of its strategies generates. Told by the last names of a path,
//! so that every re-export reads the same.

use crate::language::rust::types::{Arguments, Library, Type};

/// The library's strategies.
pub(super) struct Generators;

/// The module that nearly every property imports by glob.
const PRELUDE: [&str; 2] = ["proptest", "prelude"];

/// What it brings, each with where it stands in the library; `prop` is the library itself.
const IN_PRELUDE: [(&str, &[&str]); 12] = [
    ("prop", &[]),
    ("any", &["arbitrary", "any"]),
    ("any_with", &["arbitrary", "any_with"]),
    ("Arbitrary", &["arbitrary", "Arbitrary"]),
    ("Just", &["strategy", "Just"]),
    ("Strategy", &["strategy", "Strategy"]),
    ("BoxedStrategy", &["strategy", "BoxedStrategy"]),
    ("SBoxedStrategy", &["strategy", "SBoxedStrategy"]),
    ("Rng", &["prelude", "Rng"]),
    ("RngCore", &["prelude", "RngCore"]),
    ("ProptestConfig", &["test_runner", "Config"]),
    ("TestCaseError", &["test_runner", "TestCaseError"]),
];

/// The modules that hold strategies, each with what a glob import brings.
const MODULES: [(&str, &[&str]); 11] = [
    ("arbitrary", &["any", "any_with", "arbitrary", "arbitrary_with", "Arbitrary"]),
    ("strategy", &["Just", "LazyJust", "Union", "Strategy", "BoxedStrategy", "SBoxedStrategy"]),
    (
        "collection",
        &["vec", "vec_deque", "linked_list", "binary_heap", "hash_set", "btree_set", "hash_map", "btree_map"],
    ),
    ("option", &["of", "weighted"]),
    ("result", &["maybe_ok", "maybe_err", "maybe_ok_weighted", "maybe_err_weighted"]),
    ("sample", &["select", "subsequence"]),
    ("string", &["string_regex", "bytes_regex"]),
    ("char", &["any", "range", "ranges", "select"]),
    ("array", &[]),
    ("bool", &["ANY", "weighted"]),
    ("num", &[]),
];

/// Methods that change how values are found and not which type they have.
const SAME: [&str; 9] = [
    "prop_filter",
    "prop_shuffle",
    "prop_recursive",
    "prop_union",
    "boxed",
    "sboxed",
    "no_shrink",
    "prop_with_seed",
    "or",
];

impl Library for Generators {
    fn path(&self, path: Vec<String>) -> Vec<String> {
        let found = path.strip_prefix(&PRELUDE.map(str::to_owned)[..]).and_then(|rest| {
            let (name, rest) = rest.split_first()?;
            let (_, place) = IN_PRELUDE.iter().find(|(known, _)| known == name)?;
            let place = place.iter().map(|name| (*name).to_owned());
            Some(std::iter::once("proptest".to_owned()).chain(place).chain(rest.iter().cloned()).collect())
        });
        found.unwrap_or(path)
    }

    fn glob(&self, path: &[String], name: &str) -> Option<Vec<String>> {
        let inside = [path, &[name.to_owned()]].concat();
        let resolved = self.path(inside.clone());
        let known = resolved != inside || self.constant(&inside).is_some() || is_known(&inside);
        (path.first().is_some_and(|package| package == "proptest") && known).then_some(resolved)
    }

    fn covers(&self, path: &[String]) -> bool {
        path.first().is_some_and(|package| package == "proptest")
    }

    fn composes(&self, macro_name: &str) -> bool {
        macro_name == "prop_compose"
    }

    fn unites(&self, macro_name: &str) -> bool {
        macro_name == "prop_oneof"
    }

    fn constant(&self, path: &[String]) -> Option<Type> {
        let ["proptest", inside @ ..] = &strs(path)[..] else { return None };
        let of = match inside {
            ["bool", "ANY"] => Type::boolean(),
            ["num", number, _] | ["bits", number, "ANY"] => Type::primitive(number)?,
            _ => return None,
        };
        Some(Type::generator(of))
    }

    fn call(&self, path: &[String], types: &[Type], arguments: &dyn Arguments) -> Option<Type> {
        let ["proptest", inside @ ..] = &strs(path)[..] else { return None };
        self.generated_by(inside, types, arguments).map(Type::generator).or_else(|| tried(inside))
    }

    fn associated(&self, owner: &Type, name: &str) -> Option<Type> {
        ["arbitrary", "arbitrary_with"].contains(&name).then(|| Type::generator(owner.clone()))
    }

    fn method(&self, of: &Type, name: &str, types: &[Type], arguments: &dyn Arguments) -> Option<Type> {
        let generated = match name {
            "prop_map" => arguments.result(0, std::slice::from_ref(of)),
            "prop_perturb" => arguments.result(0, &[of.clone(), Type::Unknown]),
            "prop_filter_map" => {
                let found = arguments.result(1, std::slice::from_ref(of));
                found.of_standard("Option").and_then(|types| types.first().cloned()).unwrap_or(Type::Unknown)
            }
            "prop_flat_map" | "prop_ind_flat_map" => self.generated(&arguments.result(0, std::slice::from_ref(of))),
            "prop_ind_flat_map2" => {
                let second = self.generated(&arguments.result(0, std::slice::from_ref(of)));
                Type::Tuple(vec![of.clone(), second])
            }
            "prop_map_into" => types.first().cloned().unwrap_or(Type::Unknown),
            _ if SAME.contains(&name) => of.clone(),
            _ => return None,
        };
        Some(Type::generator(generated))
    }

    fn named(&self, path: &[String], types: &[Type]) -> Option<Type> {
        let name = path.last()?;
        let generates =
            ["BoxedStrategy", "SBoxedStrategy", "Just", "Union", "TupleUnion", "NoShrink", "Filter", "Shuffle"];
        let strategy = path.first().is_some_and(|package| package == "proptest") && generates.contains(&name.as_str());
        let first = strategy.then(|| types.first()).flatten()?;
        Some(Type::generator(if ["BoxedStrategy", "SBoxedStrategy", "Just"].contains(&name.as_str()) {
            first.clone()
        } else {
            self.generated(first)
        }))
    }

    fn bound(&self, bound: &str, bindings: &[(String, Type)]) -> Option<Type> {
        let (_, value) = bindings.iter().find(|(name, _)| name == "Value")?;
        (bound == "Strategy").then(|| Type::generator(value.clone()))
    }

    fn machine(&self, machine: &Type, associated: &dyn Fn(&Type, &str) -> Type) -> Type {
        let reference = associated(machine, "Reference");
        let steps = Type::standard("Vec", vec![associated(&reference, "Transition")]);
        let counter = Type::standard("Arc", vec![Type::standard("AtomicUsize", Vec::new())]);
        Type::Tuple(vec![associated(&reference, "State"), steps, Type::standard("Option", vec![counter])])
    }

    fn generated(&self, ty: &Type) -> Type {
        let all = |types: &[Type]| types.iter().map(|ty| self.generated(ty)).collect();
        match ty {
            Type::Generator(of) => (**of).clone(),
            Type::Reference(inner) if matches!(**inner, Type::Primitive("str")) => Type::string(),
            Type::Reference(inner) => self.generated(inner),
            Type::Tuple(types) => Type::Tuple(all(types)),
            Type::Array(one, length) => Type::Array(Box::new(self.generated(one)), *length),
            Type::Standard(standard, types) => match standard.name {
                "String" => Type::string(),
                "Range" | "RangeInclusive" | "RangeFrom" | "RangeTo" | "RangeToInclusive" => bounded(types),
                "Vec" => Type::standard("Vec", all(types)),
                "Box" | "Rc" | "Arc" => types.first().map_or(Type::Unknown, |inner| self.generated(inner)),
                _ => Type::Unknown,
            },
            _ => Type::Unknown,
        }
    }
}

impl Generators {
    /// What the values are that a function generates, `path` from the library's root on.
    fn generated_by(&self, path: &[&str], types: &[Type], arguments: &dyn Arguments) -> Option<Type> {
        let of = |index| self.generated(&arguments.ty(index));
        let first = || types.first().cloned().unwrap_or(Type::Unknown);
        Some(match path {
            ["arbitrary", "any" | "any_with" | "arbitrary" | "arbitrary_with"] => first(),
            ["strategy", "Just"] => arguments.ty(0),
            ["strategy", "LazyJust", "new"] => arguments.result(0, &[]),
            ["strategy", "Union", "new"] => self.generated(&arguments.ty(0).element()?),
            ["collection", "vec"] => Type::standard("Vec", vec![of(0)]),
            ["collection", "vec_deque"] => Type::standard("VecDeque", vec![of(0)]),
            ["collection", "linked_list"] => Type::standard("LinkedList", vec![of(0)]),
            ["collection", "binary_heap"] => Type::standard("BinaryHeap", vec![of(0)]),
            ["collection", "hash_set"] => Type::standard("HashSet", vec![of(0)]),
            ["collection", "btree_set"] => Type::standard("BTreeSet", vec![of(0)]),
            ["collection", "hash_map"] => Type::standard("HashMap", vec![of(0), of(1)]),
            ["collection", "btree_map"] => Type::standard("BTreeMap", vec![of(0), of(1)]),
            ["option", "of"] => Type::standard("Option", vec![of(0)]),
            ["option", "weighted"] => Type::standard("Option", vec![of(1)]),
            ["result", "maybe_ok" | "maybe_err"] => Type::standard("Result", vec![of(0), of(1)]),
            ["result", "maybe_ok_weighted" | "maybe_err_weighted"] => Type::standard("Result", vec![of(1), of(2)]),
            ["array", name] => {
                let length = name.strip_prefix("uniform")?;
                Type::Array(Box::new(of(0)), length.parse().ok())
            }
            ["sample", "select"] => arguments.ty(0).behind().element()?,
            ["sample", "subsequence"] => Type::standard("Vec", vec![arguments.ty(0).behind().element()?]),
            ["bool", "weighted"] => Type::boolean(),
            ["char", _] => Type::Primitive("char"),
            ["bits", number, _] => Type::primitive(number)?,
            ["num", number, _] => Type::primitive(number)?,
            _ => return None,
        })
    }
}

/// The functions that give a strategy or an error.
fn tried(path: &[&str]) -> Option<Type> {
    let of = match path {
        ["string", "string_regex" | "string_regex_parsed"] => Type::string(),
        ["string", "bytes_regex" | "bytes_regex_parsed"] => Type::standard("Vec", vec![Type::Primitive("u8")]),
        _ => return None,
    };
    Some(Type::standard("Result", vec![Type::generator(of), Type::Unknown]))
}

/// What a range generates: a bare number is an `i32` or `f64` there, since nothing else can tell.
fn bounded(types: &[Type]) -> Type {
    match types.first() {
        Some(Type::Integer) => Type::Primitive("i32"),
        Some(Type::Real) => Type::Primitive("f64"),
        Some(of) => of.clone(),
        None => Type::Unknown,
    }
}

/// Whether a path leads to something that [`Generators`] knows.
fn is_known(path: &[String]) -> bool {
    let ["proptest", module, rest @ ..] = &strs(path)[..] else { return false };
    let Some((_, names)) = MODULES.iter().find(|(known, _)| known == module) else { return false };
    match rest {
        [] => true,
        [name] => names.contains(name) || *module == "array" && name.starts_with("uniform"),
        _ => false,
    }
}

fn strs(path: &[String]) -> Vec<&str> {
    path.iter().map(String::as_str).collect()
}
