//! Strategies that a derive makes: what it builds of the values of the fields is no text of the source, and is said here as
//! a closure would.

use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Fields, ItemStruct};

use super::standing::Construction;

/// What derives strategies is called.
const DERIVE: &str = "Arbitrary";

/// Most fields: the values of more come in tuples of tuples.
const MOST: usize = 8;

/// How the derive that is named at the byte `at` of `text` builds its struct.
pub(super) fn derived(text: &str, at: usize) -> Option<Construction> {
    let mut finder = Finder { at, found: None };
    finder.visit_file(&syn::parse_file(text).ok()?);
    finder.found
}

struct Finder {
    at: usize,
    found: Option<Construction>,
}

impl<'ast> Visit<'ast> for Finder {
    fn visit_item_mod(&mut self, module: &'ast syn::ItemMod) {
        if module.span().byte_range().contains(&self.at) {
            visit::visit_item_mod(self, module);
        }
    }

    fn visit_item_struct(&mut self, item: &'ast ItemStruct) {
        let is_named = item.attrs.iter().any(|attribute| {
            let mut here = false;
            // What else stands in the list does not matter.
            let _ = attribute.parse_nested_meta(|meta| {
                let derives = meta.path.segments.last().is_some_and(|last| last.ident == DERIVE);
                here |= derives && meta.path.span().byte_range().contains(&self.at);
                Ok(())
            });
            here && attribute.path().is_ident("derive")
        });
        if is_named {
            self.found = built(item);
        }
    }
}

/// The struct built of its fields.
fn built(item: &ItemStruct) -> Option<Construction> {
    let variable = |member: &syn::Member| match member {
        syn::Member::Named(name) => format!("own_{}", name.unraw()),
        syn::Member::Unnamed(index) => format!("own_{}", index.index),
    };
    let members: Vec<syn::Member> = item.fields.members().collect();
    let variables: Vec<String> = members.iter().map(variable).collect();
    let pattern = match &variables[..] {
        [] => return None,
        [only] => only.clone(),
        many if many.len() > MOST => return None,
        many => format!("({})", many.join(", ")),
    };
    let name = item.ident.to_string();
    let body = match &item.fields {
        Fields::Named(_) => {
            let field = |(member, variable): (&syn::Member, &String)| match member {
                syn::Member::Named(name) => format!("{name}: {variable}"),
                syn::Member::Unnamed(index) => format!("{}: {variable}", index.index),
            };
            let fields: Vec<String> = members.iter().zip(&variables).map(field).collect();
            format!("{name} {{ {} }}", fields.join(", "))
        }
        _ => format!("{name}({})", variables.join(", ")),
    };
    Some(Construction::Closure { pattern, body })
}
