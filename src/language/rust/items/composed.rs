//! Functions that a macro makes out of generators: `fn name(outer)(inner) -> Type { … }` as its tokens tell it.

use syn::parse::{Parse, ParseStream};
use syn::{Attribute, Generics, Ident, Token, Type, Visibility};

/// What such a function gives.
pub(in crate::language::rust) struct Composed {
    pub(super) visibility: Visibility,
    pub(super) name: Ident,
    /// Its generic parameters.
    pub(in crate::language::rust) generics: Generics,
    /// The type of the values it generates.
    pub(in crate::language::rust) output: Type,
}

impl Parse for Composed {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        input.call(Attribute::parse_outer)?;
        let visibility = input.parse()?;
        if input.peek(syn::token::Bracket) {
            let modifiers;
            syn::bracketed!(modifiers in input);
            modifiers.parse::<proc_macro2::TokenStream>()?;
        }
        input.parse::<Token![fn]>()?;
        let name = input.parse()?;
        let generics = input.parse()?;
        while input.peek(syn::token::Paren) {
            let parameters;
            syn::parenthesized!(parameters in input);
            parameters.parse::<proc_macro2::TokenStream>()?;
        }
        input.parse::<Token![->]>()?;
        let output = input.parse()?;
        input.parse::<proc_macro2::TokenStream>()?;
        Ok(Composed { visibility, name, generics, output })
    }
}
