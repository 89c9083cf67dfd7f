//! The types of the standard library that a counterexample's text can be turned into, or that others are taken out of.

/// A type of the standard library.
#[derive(Debug)]
pub struct Standard {
    /// Its name.
    pub name: &'static str,
    /// The module of `std` it is named by; empty for those that are always in scope.
    pub module: &'static str,
    /// How many type arguments it has.
    pub arguments: usize,
}

const fn standard(module: &'static str, name: &'static str, arguments: usize) -> Standard {
    Standard { name, module, arguments }
}

/// Those that need no import, with the module that defines them.
const PRELUDE: [(&str, &str); 5] =
    [("Option", "option"), ("Result", "result"), ("Vec", "vec"), ("String", "string"), ("Box", "boxed")];

const TYPES: &[Standard] = &[
    standard("", "Option", 1),
    standard("", "Result", 2),
    standard("", "Vec", 1),
    standard("", "String", 0),
    standard("", "Box", 1),
    standard("collections", "VecDeque", 1),
    standard("collections", "LinkedList", 1),
    standard("collections", "BinaryHeap", 1),
    standard("collections", "HashMap", 2),
    standard("collections", "BTreeMap", 2),
    standard("collections", "HashSet", 1),
    standard("collections", "BTreeSet", 1),
    standard("rc", "Rc", 1),
    standard("sync", "Arc", 1),
    standard("sync", "Mutex", 1),
    standard("sync", "RwLock", 1),
    standard("cell", "Cell", 1),
    standard("cell", "RefCell", 1),
    standard("borrow", "Cow", 1),
    standard("path", "PathBuf", 0),
    standard("ffi", "OsString", 0),
    standard("ffi", "CString", 0),
    standard("time", "Duration", 0),
    standard("time", "SystemTime", 0),
    standard("net", "IpAddr", 0),
    standard("net", "Ipv4Addr", 0),
    standard("net", "Ipv6Addr", 0),
    standard("net", "SocketAddr", 0),
    standard("net", "SocketAddrV4", 0),
    standard("net", "SocketAddrV6", 0),
    standard("num", "NonZero", 1),
    standard("num", "NonZeroU8", 0),
    standard("num", "NonZeroU16", 0),
    standard("num", "NonZeroU32", 0),
    standard("num", "NonZeroU64", 0),
    standard("num", "NonZeroU128", 0),
    standard("num", "NonZeroUsize", 0),
    standard("num", "NonZeroI8", 0),
    standard("num", "NonZeroI16", 0),
    standard("num", "NonZeroI32", 0),
    standard("num", "NonZeroI64", 0),
    standard("num", "NonZeroI128", 0),
    standard("num", "NonZeroIsize", 0),
    standard("num", "Wrapping", 1),
    standard("num", "Saturating", 1),
    standard("cmp", "Ordering", 0),
    standard("cmp", "Reverse", 1),
    standard("ops", "Range", 1),
    standard("ops", "RangeInclusive", 1),
    standard("ops", "RangeFrom", 1),
    standard("ops", "RangeTo", 1),
    standard("ops", "RangeToInclusive", 1),
    standard("ops", "RangeFull", 0),
    standard("ops", "Bound", 1),
    standard("marker", "PhantomData", 1),
    standard("hash", "BuildHasherDefault", 1),
    standard("hash", "RandomState", 0),
    standard("hash", "DefaultHasher", 0),
    standard("sync::atomic", "AtomicBool", 0),
    standard("sync::atomic", "AtomicU8", 0),
    standard("sync::atomic", "AtomicU16", 0),
    standard("sync::atomic", "AtomicU32", 0),
    standard("sync::atomic", "AtomicU64", 0),
    standard("sync::atomic", "AtomicUsize", 0),
    standard("sync::atomic", "AtomicI8", 0),
    standard("sync::atomic", "AtomicI16", 0),
    standard("sync::atomic", "AtomicI32", 0),
    standard("sync::atomic", "AtomicI64", 0),
    standard("sync::atomic", "AtomicIsize", 0),
];

/// Other modules by which some of them go.
const ALSO: &[(&str, &str)] = &[
    ("collections::hash_map", "HashMap"),
    ("collections::hash_set", "HashSet"),
    ("collections::btree_map", "BTreeMap"),
    ("collections::btree_set", "BTreeSet"),
    ("collections::vec_deque", "VecDeque"),
    ("collections::linked_list", "LinkedList"),
    ("collections::binary_heap", "BinaryHeap"),
    ("ffi::os_str", "OsString"),
    ("ffi::c_str", "CString"),
    ("collections", "Bound"),
    ("sync", "Rc"),
    ("collections::hash_map", "RandomState"),
    ("collections::hash_map", "DefaultHasher"),
];

impl Standard {
    /// The type of that name.
    pub fn named(name: &str) -> Option<&'static Standard> {
        TYPES.iter().find(|standard| standard.name == name)
    }

    /// The type that a path from `std`, `core` or `alloc` on leads to.
    pub fn of(path: &[String]) -> Option<&'static Standard> {
        let [package, modules @ .., name] = path else { return None };
        if !["std", "core", "alloc"].contains(&package.as_str()) {
            return None;
        }
        let standard = Standard::named(name)?;
        let module = modules.join("::");
        let home = PRELUDE.iter().find(|(prelude, _)| prelude == name).map_or(standard.module, |(_, module)| module);
        let known = module == home || ALSO.contains(&(module.as_str(), standard.name));
        known.then_some(standard)
    }

    /// Its path from `std` on; the name alone for what is always in scope.
    pub fn path(&self) -> String {
        if self.module.is_empty() { self.name.to_owned() } else { format!("std::{}::{}", self.module, self.name) }
    }

    /// The path that names it even where its plain name means something else.
    pub fn full_path(&self) -> String {
        let home = PRELUDE.iter().find(|(name, _)| *name == self.name).map_or(self.module, |(_, module)| module);
        format!("std::{home}::{}", self.name)
    }
}
