//! Names that make plain values, and are known without a look at any source: those built in, those of the standard library,
//! and those of packages whose values print by functions of their own.

/// Built-in names that make plain values.
pub(super) const BUILT_IN: [&str; 12] =
    ["set", "frozenset", "dict", "list", "tuple", "bytes", "bytearray", "complex", "range", "slice", "float", "int"];

/// Built-in names that are values of their own.
pub(super) const CLASSES: [&str; 14] = [
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
    "Ellipsis",
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

/// What values of packages print as, by the package's module and what it is commonly called.
const PACKAGES: [(&str, &str, &[&str]); 2] = [
    (
        "numpy",
        "np",
        &[
            "array",
            "datetime64",
            "timedelta64",
            "bool",
            "bool_",
            "int8",
            "int16",
            "int32",
            "int64",
            "uint8",
            "uint16",
            "uint32",
            "uint64",
            "float16",
            "float32",
            "float64",
            "complex64",
            "complex128",
            "str_",
            "bytes_",
            "dtype",
        ],
    ),
    ("pandas", "pd", &["Timestamp", "Timedelta", "Period", "Interval", "NaT", "Series", "Index", "RangeIndex"]),
];

/// Module and name of a plain value's class of the standard library, named in full or alone.
pub(super) fn standard(name: &str) -> Option<(String, String)> {
    let (module, class) = STANDARD.iter().find_map(|(module, classes)| {
        let full = name.strip_prefix(module).and_then(|rest| rest.strip_prefix('.'));
        let inner = full.or_else(|| (*module != DATES).then_some(name))?;
        let class = inner.split('.').next().unwrap_or(inner);
        (classes.contains(&class) && (inner == class || inner == "timezone.utc")).then_some((module, inner))
    })?;
    Some(((*module).to_owned(), class.to_owned()))
}

/// Whether a module of the standard library is one of plain values.
pub(super) fn is_plain_module(module: &str) -> bool {
    STANDARD.iter().any(|(known, _)| *known == module)
}

/// Module and name of what makes a value of a package, named alone or by what the package is commonly called.
pub(super) fn packaged(name: &str) -> Option<(&'static str, &str)> {
    PACKAGES.iter().find_map(|(module, alias, makers)| {
        let inner = name.strip_prefix(alias).and_then(|rest| rest.strip_prefix('.')).unwrap_or(name);
        makers.contains(&inner).then_some((*module, inner))
    })
}
