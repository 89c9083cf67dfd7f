//! The type of an expression.

use std::rc::Rc;

use syn::parse::{ParseStream, Parser};
use syn::punctuated::Punctuated;
use syn::{BinOp, Expr, Lit, Token, UnOp};

use super::scope::Meaning;
use super::written::number;
use super::{Arguments, Inference, Own, Scope, Type, common};
use crate::language::rust::items::{Namespace, Target, What, plain};

/// Of a long list of expressions with one type, this many are looked at.
const MANY: usize = 64;

impl Inference<'_> {
    /// The type of `expression` in `scope`.
    pub(in crate::language::rust) fn type_of(&self, expression: &Expr, scope: &Scope) -> Type {
        self.deeper(|| self.shallow(expression, scope))
    }

    fn shallow(&self, expression: &Expr, scope: &Scope) -> Type {
        match expression {
            Expr::Lit(literal) => literal_type(&literal.lit),
            Expr::Paren(paren) => self.type_of(&paren.expr, scope),
            Expr::Group(group) => self.type_of(&group.expr, scope),
            Expr::Reference(reference) => Type::Reference(Box::new(self.type_of(&reference.expr, scope))),
            Expr::Unary(unary) => self.unary(unary, scope),
            Expr::Binary(binary) => self.binary(binary, scope),
            Expr::Cast(cast) => self.written(&cast.ty, scope),
            Expr::Range(range) => self.range(range, scope),
            Expr::Tuple(tuple) => Type::Tuple(tuple.elems.iter().map(|part| self.type_of(part, scope)).collect()),
            Expr::Array(array) => {
                Type::Array(Box::new(self.common_of(array.elems.iter(), scope)), Some(array.elems.len()))
            }
            Expr::Repeat(repeat) => Type::Array(Box::new(self.type_of(&repeat.expr, scope)), number(&repeat.len)),
            Expr::Path(path) => self.path_value(path, scope),
            Expr::Call(call) => self.result_of(&call.func, scope, &Written::new(self, call.args.iter(), scope)),
            Expr::MethodCall(call) => self.method_call(call, scope),
            Expr::Macro(call) => self.macro_call(&call.mac, scope),
            Expr::Struct(literal) => self.struct_literal(literal, scope),
            Expr::Field(field) => self.field(field, scope),
            Expr::Index(index) => self.index(index, scope),
            Expr::Try(inner) => self.type_of(&inner.expr, scope).inside().unwrap_or(Type::Unknown),
            Expr::Block(block) => self.block(&block.block, scope),
            Expr::Unsafe(block) => self.block(&block.block, scope),
            Expr::If(branch) => self.branch(branch, scope),
            Expr::Match(choice) => self.choice(choice, scope),
            Expr::Return(_) | Expr::Break(_) | Expr::Continue(_) => Type::Never,
            Expr::Let(_) => Type::boolean(),
            Expr::Assign(_) | Expr::While(_) | Expr::ForLoop(_) => Type::Tuple(Vec::new()),
            _ => Type::Unknown,
        }
    }

    /// The type that all of `expressions` have.
    fn common_of<'e>(&self, expressions: impl Iterator<Item = &'e Expr>, scope: &Scope) -> Type {
        let types: Vec<Type> = expressions.take(MANY).map(|expression| self.type_of(expression, scope)).collect();
        common(types)
    }

    fn unary(&self, unary: &syn::ExprUnary, scope: &Scope) -> Type {
        let inner = self.type_of(&unary.expr, scope);
        match (&unary.op, inner) {
            (UnOp::Deref(_), Type::Reference(inner)) => *inner,
            (UnOp::Deref(_), Type::Standard(standard, mut types)) if standard.name == "Box" => {
                types.pop().unwrap_or(Type::Unknown)
            }
            (_, inner) => inner,
        }
    }

    fn binary(&self, binary: &syn::ExprBinary, scope: &Scope) -> Type {
        let left = || self.type_of(&binary.left, scope);
        match &binary.op {
            BinOp::And(_) | BinOp::Or(_) | BinOp::Eq(_) | BinOp::Ne(_) => Type::boolean(),
            BinOp::Lt(_) | BinOp::Le(_) | BinOp::Gt(_) | BinOp::Ge(_) => Type::boolean(),
            BinOp::Shl(_) | BinOp::Shr(_) => left().behind().clone(),
            BinOp::Add(_) | BinOp::Sub(_) | BinOp::Mul(_) | BinOp::Div(_) | BinOp::Rem(_) => {
                self.arithmetic(left(), self.type_of(&binary.right, scope))
            }
            BinOp::BitAnd(_) | BinOp::BitOr(_) | BinOp::BitXor(_) => {
                self.arithmetic(left(), self.type_of(&binary.right, scope))
            }
            _ => Type::Tuple(Vec::new()),
        }
    }

    /// Numbers give a number of their type, a `String` or a generator its own; whatever else an operator gives is told
    /// by code that is not looked at.
    fn arithmetic(&self, left: Type, right: Type) -> Type {
        let (left, right) = (left.behind().clone(), right.behind().clone());
        let same = matches!(left, Type::Generator(_) | Type::Primitive("bool"))
            || ["String", "Duration"].iter().any(|name| left.of_standard(name).is_some());
        if same {
            return left;
        }
        if left.is_number() && (right.is_number() || matches!(right, Type::Unknown)) {
            left.unify(right)
        } else {
            Type::Unknown
        }
    }

    fn range(&self, range: &syn::ExprRange, scope: &Scope) -> Type {
        let of = self.common_of(range.start.iter().chain(&range.end).map(|bound| &**bound), scope);
        let closed = matches!(range.limits, syn::RangeLimits::Closed(_));
        let name = match (&range.start, &range.end) {
            (Some(_), Some(_)) if closed => "RangeInclusive",
            (Some(_), Some(_)) => "Range",
            (Some(_), None) => "RangeFrom",
            (None, Some(_)) if closed => "RangeToInclusive",
            (None, Some(_)) => "RangeTo",
            (None, None) => return Type::standard("RangeFull", Vec::new()),
        };
        Type::standard(name, vec![of])
    }

    fn struct_literal(&self, literal: &syn::ExprStruct, scope: &Scope) -> Type {
        let names: Vec<String> = literal.path.segments.iter().map(|segment| plain(&segment.ident)).collect();
        let (own, fields) = match self.items.resolve(scope.module, &names, Namespace::Types) {
            Some(Target::Variant(definition, variant)) => {
                let own = Own(definition);
                let Some(fields) = own.variant(&variant) else { return Type::Unknown };
                (own, fields)
            }
            Some(Target::Definition(definition)) => match &definition.what {
                What::Struct(item) => (Own(definition.clone()), item.fields.clone()),
                _ => return self.path_type(&literal.path, scope),
            },
            _ if names.first().is_some_and(|name| name == "Self") => {
                return scope.own.as_deref().cloned().unwrap_or(Type::Unknown);
            }
            _ => return Type::Unknown,
        };
        if own.generics().is_empty() {
            return Type::Own(own, Vec::new());
        }
        let given: Vec<_> = literal
            .fields
            .iter()
            .map(|field| match &field.member {
                syn::Member::Named(name) => (Some(plain(name)), self.type_of(&field.expr, scope)),
                syn::Member::Unnamed(_) => (None, Type::Unknown),
            })
            .collect();
        self.built(&own, &fields, &given)
    }

    fn field(&self, field: &syn::ExprField, scope: &Scope) -> Type {
        let base = self.type_of(&field.base, scope);
        match (base.behind(), &field.member) {
            (Type::Tuple(types), syn::Member::Unnamed(index)) => {
                types.get(index.index as usize).cloned().unwrap_or(Type::Unknown)
            }
            (Type::Own(own, arguments), member) => self.own_field(own, arguments, member),
            (Type::Standard(standard, types), syn::Member::Unnamed(_))
                if ["Wrapping", "Saturating", "Reverse"].contains(&standard.name) =>
            {
                types.first().cloned().unwrap_or(Type::Unknown)
            }
            _ => Type::Unknown,
        }
    }

    fn own_field(&self, own: &Own, arguments: &[Type], member: &syn::Member) -> Type {
        let What::Struct(item) = &own.0.what else { return Type::Unknown };
        let place = match member {
            syn::Member::Named(name) => item.fields.iter().position(|field| field.ident.as_ref() == Some(name)),
            syn::Member::Unnamed(index) => Some(index.index as usize),
        };
        let types = self.field_types(own, arguments, &item.fields);
        place.and_then(|place| types.get(place).cloned()).unwrap_or(Type::Unknown)
    }

    fn index(&self, index: &syn::ExprIndex, scope: &Scope) -> Type {
        let base = self.type_of(&index.expr, scope);
        let element = base.behind().element().unwrap_or(Type::Unknown);
        if matches!(&*index.index, Expr::Range(_)) { Type::Slice(Box::new(element)) } else { element }
    }

    fn branch(&self, branch: &syn::ExprIf, scope: &Scope) -> Type {
        let inner = match &*branch.cond {
            Expr::Let(condition) => self.bind(&condition.pat, &self.type_of(&condition.expr, scope), scope),
            _ => scope.clone(),
        };
        let then = self.block(&branch.then_branch, &inner);
        match &branch.else_branch {
            Some((_, other)) => then.unify(self.type_of(other, scope)),
            None => Type::Tuple(Vec::new()),
        }
    }

    fn choice(&self, choice: &syn::ExprMatch, scope: &Scope) -> Type {
        let subject = self.type_of(&choice.expr, scope);
        let arms = choice.arms.iter().map(|arm| self.type_of(&arm.body, &self.bind(&arm.pat, &subject, scope)));
        common(arms.collect())
    }

    /// The type of a block's last expression.
    pub(super) fn block(&self, block: &syn::Block, scope: &Scope) -> Type {
        let scope = self.after(&block.stmts, scope);
        match block.stmts.last() {
            Some(syn::Stmt::Expr(expression, None)) => self.type_of(expression, &scope),
            Some(syn::Stmt::Macro(call)) if call.semi_token.is_none() => self.macro_call(&call.mac, &scope),
            Some(syn::Stmt::Expr(Expr::Return(_), Some(_))) => Type::Never,
            _ => Type::Tuple(Vec::new()),
        }
    }

    /// The place after `statements`: with what they define and declare.
    pub(in crate::language::rust) fn after(&self, statements: &[syn::Stmt], scope: &Scope) -> Scope {
        let item = |statement: &syn::Stmt| match statement {
            syn::Stmt::Item(item) => Some(item.clone()),
            _ => None,
        };
        let items: Vec<syn::Item> = statements.iter().filter_map(item).collect();
        let mut scope = scope.clone();
        if !items.is_empty() {
            scope.module = self.items.block(scope.module, items);
        }
        for statement in statements {
            if let syn::Stmt::Local(local) = statement {
                scope = self.declared(local, &scope);
            }
        }
        scope
    }

    fn declared(&self, local: &syn::Local, scope: &Scope) -> Scope {
        let Some(init) = &local.init else { return self.bind(&local.pat, &Type::Unknown, scope) };
        match &local.pat {
            syn::Pat::Ident(name) if name.subpat.is_none() => {
                let meaning = Meaning::Expression(Rc::new((*init.expr).clone()), scope.clone());
                scope.with(plain(&name.ident), meaning)
            }
            pattern => self.bind(pattern, &self.type_of(&init.expr, scope), scope),
        }
    }

    pub(super) fn macro_call(&self, call: &syn::Macro, scope: &Scope) -> Type {
        let Some(name) = call.path.segments.last().map(|segment| plain(&segment.ident)) else { return Type::Unknown };
        let parse = |parser: fn(ParseStream<'_>) -> syn::Result<Vec<Expr>>| {
            parser.parse2(call.tokens.clone()).unwrap_or_default()
        };
        match name.as_str() {
            "vec" => Type::standard("Vec", vec![self.common_of(parse(elements).iter(), scope)]),
            "stringify" | "concat" | "include_str" | "env" => Type::text(),
            "format" => Type::string(),
            "matches" => Type::boolean(),
            "panic" | "unreachable" | "todo" | "unimplemented" => Type::Never,
            _ if self.library.unites(&name) => {
                let types =
                    parse(weighted).iter().map(|part| self.library.generated(&self.type_of(part, scope))).collect();
                Type::generator(common(types))
            }
            _ => Type::Unknown,
        }
    }
}

/// The elements of `vec![…]`, in both its forms.
fn elements(input: ParseStream<'_>) -> syn::Result<Vec<Expr>> {
    let mut found = Vec::new();
    while !input.is_empty() {
        found.push(input.parse()?);
        if input.parse::<Option<Token![;]>>()?.is_some() {
            input.parse::<Expr>()?;
        } else if !input.is_empty() {
            input.parse::<Token![,]>()?;
        }
    }
    Ok(found)
}

/// Expressions with commas between, each perhaps with `weight =>` before it.
fn weighted(input: ParseStream<'_>) -> syn::Result<Vec<Expr>> {
    let one = |input: ParseStream<'_>| {
        let first = input.parse::<Expr>()?;
        if input.parse::<Option<Token![=>]>>()?.is_some() { input.parse() } else { Ok(first) }
    };
    Ok(Punctuated::<Expr, Token![,]>::parse_terminated_with(input, one)?.into_iter().collect())
}

fn literal_type(literal: &Lit) -> Type {
    let with_suffix =
        |suffix: &str, plain| if suffix.is_empty() { plain } else { Type::primitive(suffix).unwrap_or(Type::Unknown) };
    match literal {
        Lit::Int(number) => with_suffix(number.suffix(), Type::Integer),
        Lit::Float(number) => with_suffix(number.suffix(), Type::Real),
        Lit::Bool(_) => Type::boolean(),
        Lit::Char(_) => Type::Primitive("char"),
        Lit::Byte(_) => Type::Primitive("u8"),
        Lit::Str(_) => Type::text(),
        Lit::ByteStr(_) => Type::Reference(Box::new(Type::Array(Box::new(Type::Primitive("u8")), None))),
        _ => Type::Unknown,
    }
}

/// Arguments as written at a call.
pub(super) struct Written<'i> {
    inference: &'i Inference<'i>,
    expressions: Vec<&'i Expr>,
    scope: &'i Scope,
}

impl<'i> Written<'i> {
    pub(super) fn new(
        inference: &'i Inference<'i>,
        expressions: impl Iterator<Item = &'i Expr>,
        scope: &'i Scope,
    ) -> Self {
        Written { inference, expressions: expressions.collect(), scope }
    }
}

impl Arguments for Written<'_> {
    fn count(&self) -> usize {
        self.expressions.len()
    }

    fn ty(&self, index: usize) -> Type {
        self.expressions.get(index).map_or(Type::Unknown, |argument| self.inference.type_of(argument, self.scope))
    }

    fn result(&self, index: usize, given: &[Type]) -> Type {
        let Some(function) = self.expressions.get(index) else { return Type::Unknown };
        self.inference.result_of(function, self.scope, &Given(given.to_vec()))
    }
}

/// Arguments of which the types alone are known.
pub(super) struct Given(pub(super) Vec<Type>);

impl Arguments for Given {
    fn count(&self) -> usize {
        self.0.len()
    }

    fn ty(&self, index: usize) -> Type {
        self.0.get(index).cloned().unwrap_or(Type::Unknown)
    }

    fn result(&self, _index: usize, _given: &[Type]) -> Type {
        Type::Unknown
    }
}
