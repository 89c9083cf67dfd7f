//! The functions and closures around a place in a source file, with the names each brings: parameters, and statements
//! before the place.

use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Expr, FnArg, ItemFn, Stmt};

use super::generics::{Generic, declared};
use crate::language::rust::code::Code;
use crate::language::rust::parameters::Parameters;
use crate::language::rust::tokens::Kind;
use crate::span::Span;

/// Tokens of the longest path before a macro's `!`.
const LONGEST_PATH: usize = 8;

/// A function or closure around a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Layer {
    /// An `impl` block that declares generic parameters.
    Block {
        /// The type it is of, as written.
        own: String,
        generics: Vec<Generic>,
    },
    /// A function.
    Function {
        name: String,
        /// The patterns of its parameters, each with the type that is written.
        parameters: Vec<(String, String)>,
        generics: Vec<Generic>,
        /// The statements before the place.
        before: Vec<String>,
    },
    /// A closure.
    Closure {
        /// Where it stands.
        span: Span,
        /// What its parameter is bound to.
        pattern: String,
        /// The statements before the place.
        before: Vec<String>,
    },
}

/// What is around a place.
#[derive(Default)]
pub(super) struct Around {
    pub(super) modules: Vec<String>,
    pub(super) layers: Vec<Layer>,
    /// The type of the `impl` block it stands in, as written.
    pub(super) own: Option<String>,
}

/// What is around the byte `at` of `text`.
pub(super) fn layers(text: &str, at: usize) -> Around {
    let mut finder = Finder { text, at, around: Around::default() };
    if let Ok(file) = syn::parse_file(text) {
        finder.visit_file(&file);
    }
    let is_block = |layer: &Layer| matches!(layer, Layer::Block { .. });
    if finder.around.layers.iter().all(is_block)
        && let Some(layer) = composed(text, at)
    {
        finder.around.layers.push(layer);
    }
    finder.around
}

struct Finder<'t> {
    text: &'t str,
    at: usize,
    around: Around,
}

impl Finder<'_> {
    fn holds(&self, node: &impl Spanned) -> bool {
        let range = node.span().byte_range();
        range.contains(&self.at)
    }

    fn written(&self, node: &impl Spanned) -> String {
        self.text.get(node.span().byte_range()).unwrap_or_default().to_owned()
    }

    /// The statements of a block that end before the place.
    fn before(&self, statements: &[Stmt]) -> Vec<String> {
        let earlier = statements.iter().filter(|one| one.span().byte_range().end <= self.at);
        earlier.map(|statement| self.written(statement)).collect()
    }

    fn function(&mut self, signature: &syn::Signature, block: &syn::Block) {
        let parameters = signature.inputs.iter().filter_map(|input| match input {
            FnArg::Typed(typed) => Some((self.written(&typed.pat), self.written(&typed.ty))),
            FnArg::Receiver(_) => None,
        });
        let layer = Layer::Function {
            name: signature.ident.to_string(),
            parameters: parameters.collect(),
            generics: declared(&signature.generics, self.text),
            before: self.before(&block.stmts),
        };
        self.around.layers.push(layer);
    }
}

impl<'ast> Visit<'ast> for Finder<'_> {
    fn visit_item_mod(&mut self, module: &'ast syn::ItemMod) {
        if self.holds(module) && module.content.is_some() {
            self.around.modules.push(module.ident.to_string().trim_start_matches("r#").to_owned());
            visit::visit_item_mod(self, module);
        }
    }

    fn visit_item_fn(&mut self, function: &'ast ItemFn) {
        if self.holds(function) {
            self.function(&function.sig, &function.block);
            visit::visit_item_fn(self, function);
        }
    }

    fn visit_item_impl(&mut self, block: &'ast syn::ItemImpl) {
        if self.holds(block) {
            let own = self.written(&*block.self_ty);
            let generics = declared(&block.generics, self.text);
            if !generics.is_empty() {
                self.around.layers.push(Layer::Block { own: own.clone(), generics });
            }
            self.around.own = Some(own);
            visit::visit_item_impl(self, block);
        }
    }

    fn visit_impl_item_fn(&mut self, function: &'ast syn::ImplItemFn) {
        if self.holds(function) {
            self.function(&function.sig, &function.block);
            visit::visit_impl_item_fn(self, function);
        }
    }

    fn visit_expr_closure(&mut self, closure: &'ast syn::ExprClosure) {
        let range = closure.span().byte_range();
        if !range.contains(&self.at) {
            return;
        }
        let before = match &*closure.body {
            Expr::Block(block) => self.before(&block.block.stmts),
            _ => Vec::new(),
        };
        let pattern = closure.inputs.first().map(|input| self.written(input)).unwrap_or_default();
        self.around.layers.push(Layer::Closure { span: Span::new(range.start, range.end), pattern, before });
        visit::visit_expr_closure(self, closure);
    }

    fn visit_macro(&mut self, call: &'ast syn::Macro) {
        if !call.tokens.span().byte_range().contains(&self.at) && !self.holds(call) {
            return;
        }
        if let Ok(Arms(arms)) = call.parse_body() {
            arms.iter().for_each(|arm| self.visit_expr(arm));
        }
    }
}

/// Expressions with commas between, each with a weight before it or not.
struct Arms(Vec<Expr>);

impl syn::parse::Parse for Arms {
    fn parse(input: syn::parse::ParseStream<'_>) -> syn::Result<Self> {
        let mut arms = Vec::new();
        while !input.is_empty() {
            let first: Expr = input.parse()?;
            let weighted = input.parse::<Option<syn::Token![=>]>>()?.is_some();
            arms.push(if weighted { input.parse()? } else { first });
            if !input.is_empty() {
                input.parse::<syn::Token![,]>()?;
            }
        }
        Ok(Arms(arms))
    }
}

/// The function that a macro composes whose call starts at `at`.
fn composed(text: &str, at: usize) -> Option<Layer> {
    let code = Code::read(text).ok()?;
    let start = code.tokens.iter().position(|token| token.span.start == at)?;
    let call = (start..start + LONGEST_PATH).find(|&at| code.sign(at, '!'))?;
    let open = matches!(code.kind(call + 1), Some(Kind::Open(_))).then_some(call + 1)?;
    let end = code.partner(open);
    let keyword = code.next_at_level(open + 1, end, |code, at| code.word(at) == "fn")?;
    let list = code.next_at_level(keyword, end, |code, at| code.open(at, '('))?;
    let parameters = Parameters::written(&code.text[code.inside(list).range()]);
    let generics = text.get(code.span(keyword + 1, keyword + 1).end..code.start(list)).unwrap_or_default();
    Some(Layer::Function {
        name: code.word(keyword + 1).to_owned(),
        parameters: parameters.iter().map(|one| (one.pattern.clone(), one.ty.clone().unwrap_or_default())).collect(),
        generics: syn::parse_str(generics).map(|known| declared(&known, generics)).unwrap_or_default(),
        before: Vec::new(),
    })
}
