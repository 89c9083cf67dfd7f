//! Which functions of a crate reach for the world outside: files, processes, the net, the environment. A function is read
//! with those of its crate that it calls; of what other crates do, only what the call itself names is known.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use syn::punctuated::Punctuated;
use syn::visit::{self, Visit};
use syn::{Expr, ImplItem, Visibility};

use super::load::Items;
use super::module::{Definition, ModuleId, Use, What, plain, uses};

/// Parts of the standard library, and of those that are like it, that are the world outside.
const WORLD: &[&str] = &["fs", "net", "env", "process", "stdin"];

/// The libraries with such parts.
const STANDARD: &[&str] = &["std", "tokio", "async_std", "smol"];

/// Libraries that are for nothing else.
const OF_THE_WORLD: &[&str] = &["libc", "nix", "rustix", "tempfile", "reqwest", "ureq", "hyper", "sqlx", "rusqlite"];

/// What calls are named, in any library, that reach there.
const REACHING: &[&str] = &["open", "connect", "listen", "spawn", "download", "fetch"];

/// Methods that every collection has: one of that name is most likely not the crate's own.
const COMMON: &[&str] = &[
    "new", "get", "insert", "push", "remove", "len", "is_empty", "iter", "next", "extend", "contains", "clear", "into",
    "parse", "clone", "eq", "cmp", "fmt", "map", "collect", "min", "max", "take", "find", "filter",
];

/// A function by the type it is of, empty for none, and its name.
type Name = (String, String);

/// The functions of a crate that have a body.
#[derive(Default)]
pub(super) struct Functions {
    by_name: HashMap<Name, Vec<Function>>,
    /// The types that have a method of a name.
    owners: HashMap<String, Vec<String>>,
    /// Whether those reach for the world outside that were asked for so far, and those that they call.
    known: RefCell<HashMap<Name, bool>>,
}

struct Function {
    module: ModuleId,
    body: Body,
}

enum Body {
    /// In a block, at a place.
    Of(Rc<syn::ItemImpl>, usize),
    Free(Rc<Definition>),
}

impl Items<'_> {
    /// Whether the function `name` of the type `owner`, in the crate of `module`, reaches for the world outside.
    pub(in crate::language::rust) fn reaches_outside(&self, module: ModuleId, owner: &str, name: &str) -> bool {
        let functions = self.functions(module);
        let asked = (owner.to_owned(), name.to_owned());
        let mut seen = HashSet::new();
        let reaches = self.any_reaches(&functions, asked.clone(), &mut seen);
        let mut known = functions.known.borrow_mut();
        match reaches {
            true => known.extend([(asked, true)]),
            false => known.extend(seen.into_iter().map(|name| (name, false))),
        }
        reaches
    }

    /// Whether the function `asked` or one that it calls, all of them `seen` then, reaches there.
    fn any_reaches(&self, functions: &Functions, asked: Name, seen: &mut HashSet<Name>) -> bool {
        let mut open = vec![asked];
        while let Some(called) = open.pop() {
            match functions.known.borrow().get(&called) {
                Some(true) => return true,
                Some(false) => continue,
                None if !seen.insert(called.clone()) => continue,
                None => {}
            }
            for function in functions.by_name.get(&called).into_iter().flatten() {
                let mut reading =
                    Reading { items: self, function, owner: &called.0, calls: Vec::new(), reaches: false };
                reading.read();
                if reading.reaches {
                    return true;
                }
                open.extend(reading.calls.into_iter().flat_map(|call| functions.meant(call)));
            }
        }
        false
    }

    fn functions(&self, module: ModuleId) -> Rc<Functions> {
        let root = self.module(module).root;
        if let Some(known) = self.functions.borrow().get(&root) {
            return known.clone();
        }
        let mut found = Functions::default();
        for module in self.crate_modules(root) {
            let text = self.module(module);
            for block in &text.impls {
                let syn::Type::Path(path) = &*block.self_ty else { continue };
                let owner = path.path.segments.last().map_or(String::new(), |last| plain(&last.ident));
                for (at, part) in block.items.iter().enumerate() {
                    if let ImplItem::Fn(function) = part {
                        let name = plain(&function.sig.ident);
                        found.owners.entry(name.clone()).or_default().push(owner.clone());
                        let function = Function { module, body: Body::Of(block.clone(), at) };
                        found.by_name.entry((owner.clone(), name)).or_default().push(function);
                    }
                }
            }
            for definition in text.definitions.iter().filter(|one| matches!(one.what, What::Function(_))) {
                let name = (String::new(), definition.name.clone());
                let function = Function { module, body: Body::Free(definition.clone()) };
                found.by_name.entry(name).or_default().push(function);
            }
        }
        let found = Rc::new(found);
        self.functions.borrow_mut().insert(root, found.clone());
        found
    }
}

impl Functions {
    /// The functions of the crate that a call may mean.
    fn meant(&self, call: Call) -> Vec<Name> {
        match call {
            Call::Path(owner, name) => vec![(owner, name)],
            Call::Method(name) => {
                let owners = self.owners.get(&name).into_iter().flatten();
                owners.map(|owner| (owner.clone(), name.clone())).collect()
            }
        }
    }
}

/// A call, or the name of a function that is handed on.
enum Call {
    Path(String, String),
    Method(String),
}

/// A function being read.
struct Reading<'a> {
    items: &'a Items<'a>,
    function: &'a Function,
    /// What `Self` stands for.
    owner: &'a str,
    calls: Vec<Call>,
    reaches: bool,
}

impl Reading<'_> {
    fn read(&mut self) {
        let block = match &self.function.body {
            Body::Of(block, at) => match &block.items[*at] {
                ImplItem::Fn(function) => &function.block,
                _ => return,
            },
            Body::Free(definition) => match &definition.what {
                What::Function(function) => &*function.block,
                _ => return,
            },
        };
        self.visit_block(block);
    }

    /// A path with its beginning as the imports of the module have it.
    fn whole(&self, path: &syn::Path) -> Vec<String> {
        let mut names: Vec<String> = path.segments.iter().map(|segment| plain(&segment.ident)).collect();
        let module = self.items.module(self.function.module);
        let import = names.first().and_then(|first| module.uses.iter().find(|one| one.name.as_ref() == Some(first)));
        if let Some(import) = import {
            names.splice(..1, import.path.iter().cloned());
        }
        names
    }

    fn seen(&mut self, names: &[String]) {
        let is_one = |name: Option<&String>, of: &[&str]| name.is_some_and(|name| of.contains(&name.as_str()));
        let standard = is_one(names.first(), STANDARD) && names[1..].iter().any(|name| WORLD.contains(&name.as_str()));
        self.reaches |= standard || names.len() > 1 && is_one(names.first(), OF_THE_WORLD);
    }
}

fn reaching(name: &str) -> bool {
    name.split('_').any(|word| REACHING.contains(&word))
}

impl<'ast> Visit<'ast> for Reading<'_> {
    fn visit_path(&mut self, path: &'ast syn::Path) {
        let names = self.whole(path);
        self.seen(&names);
        visit::visit_path(self, path);
    }

    fn visit_expr_path(&mut self, path: &'ast syn::ExprPath) {
        let names: Vec<String> = path.path.segments.iter().map(|segment| plain(&segment.ident)).collect();
        match &names[..] {
            [name] => self.calls.push(Call::Path(String::new(), name.clone())),
            [.., owner, name] => {
                let owner = if owner == "Self" { self.owner } else { owner };
                // A module before it is no type.
                let free = owner.chars().next().is_some_and(char::is_lowercase);
                let owner = if free { String::new() } else { owner.to_owned() };
                self.reaches |= reaching(name);
                self.calls.push(Call::Path(owner, name.clone()));
            }
            [] => {}
        }
        visit::visit_expr_path(self, path);
    }

    fn visit_expr_method_call(&mut self, call: &'ast syn::ExprMethodCall) {
        let name = plain(&call.method);
        let is_own = matches!(&*call.receiver, Expr::Path(path) if path.path.is_ident("self"));
        self.reaches |= reaching(&name);
        if is_own {
            self.calls.push(Call::Path(self.owner.to_owned(), name));
        } else if !COMMON.contains(&name.as_str()) {
            self.calls.push(Call::Method(name));
        }
        visit::visit_expr_method_call(self, call);
    }

    fn visit_item_use(&mut self, inner: &'ast syn::ItemUse) {
        let mut found: Vec<Use> = Vec::new();
        uses(&Visibility::Inherited, &inner.tree, &[], &mut found);
        found.iter().for_each(|one| self.seen(&one.path));
    }

    /// What stands in a macro's call, where that is a list of expressions as in most of the standard library's.
    fn visit_macro(&mut self, called: &'ast syn::Macro) {
        let inside = called.parse_body_with(Punctuated::<Expr, syn::Token![,]>::parse_terminated);
        inside.iter().flatten().for_each(|one| {
            let mut inside = Reading { calls: Vec::new(), ..*self };
            inside.visit_expr(one);
            let Reading { calls, reaches, .. } = inside;
            self.reaches |= reaches;
            self.calls.extend(calls);
        });
    }
}
