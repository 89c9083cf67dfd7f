//! Which value belongs to which parameter, and the type that the parameter has.

use syn::Expr;

use super::layout::Code;
use super::writer::{Typed, Writer};
use super::{Bound, Counterexample, NoLiteral};
use crate::language::rust::format::Widths;
use crate::language::rust::items::Items;
use crate::language::rust::parameters::Parameter;
use crate::language::rust::property::{Form, PropertyFn};
use crate::language::rust::types::{Inference, Library, Scope, Type};
use crate::source_tree::SourceTree;
use crate::value::Value;

/// The arguments as expressions.
pub(super) fn bound(
    counterexample: Counterexample<'_>,
    tree: &dyn SourceTree,
    library: &dyn Library,
) -> Result<Vec<Bound>, NoLiteral> {
    let property = counterexample.property;
    let values = values(property, counterexample.arguments)?;
    let items = Items::new(tree, library);
    let inference = Inference::new(&items);
    let scope = scope(&inference, &counterexample)
        .ok_or_else(|| NoLiteral(format!("`{}` is not code that can be read", counterexample.file)))?;
    let writer = Writer::new(&inference, scope.module);
    let widths = Widths::of(counterexample.file, tree).behind(&property.indent);
    property
        .parameters
        .iter()
        .zip(&values)
        .map(|(parameter, value)| {
            let code = one(&writer, property.form, parameter, value, &scope)?;
            let pattern = parameter.pattern.clone();
            Ok(Bound { code: code.laid_out("let  = ".len() + pattern.len(), &widths), pattern })
        })
        .collect()
}

fn one(
    writer: &Writer<'_>,
    form: Form,
    parameter: &Parameter,
    value: &Value,
    scope: &Scope,
) -> Result<Code, NoLiteral> {
    let ty = parameter_type(writer.inference, form, parameter, scope);
    let refused = |why| NoLiteral(format!("`{}` has no literal: {why}", parameter.pattern));
    writer.expression(value, &ty, Typed::Itself).map_err(refused)
}

/// The values in the order of the parameters.
pub(super) fn values(property: &PropertyFn, arguments: &[(&str, &str)]) -> Result<Vec<Value>, NoLiteral> {
    let parameters = &property.parameters;
    if let (Form::PropertyTest | Form::TestStrategy, [(name, text)]) = (property.form, arguments)
        && let Value::Record { name: record, fields, .. } = Value::parse(text)
        && record.ends_with("Args")
        && !parameters.iter().any(|parameter| plain(&parameter.pattern) == plain(name))
    {
        let values: Vec<Value> = fields.into_iter().map(|(_, value)| value).collect();
        return fitting(property, values);
    }
    for (parameter, (name, _)) in parameters.iter().zip(arguments) {
        if !name.is_empty() && plain(name) != plain(&parameter.pattern) && property.form != Form::StateMachine {
            return Err(NoLiteral(format!(
                "the run names an argument `{name}` where the property has `{}`: it was changed since",
                parameter.pattern
            )));
        }
    }
    fitting(property, arguments.iter().map(|(_, text)| Value::parse(text)).collect())
}

fn fitting(property: &PropertyFn, values: Vec<Value>) -> Result<Vec<Value>, NoLiteral> {
    if values.len() == property.parameters.len() {
        return Ok(values);
    }
    Err(NoLiteral(format!(
        "the run shows {} arguments where the property has {} parameters: it was changed since",
        values.len(),
        property.parameters.len()
    )))
}

/// A pattern without what printing it may change.
fn plain(pattern: &str) -> String {
    pattern.split_whitespace().collect::<Vec<_>>().concat().replace("r#", "")
}

/// The place of the property's body: its module, and for a test function what stands before the property in it.
fn scope(inference: &Inference<'_>, counterexample: &Counterexample<'_>) -> Option<Scope> {
    let Counterexample { property, file, text, .. } = *counterexample;
    let module = inference.items.module_in(file, &property.modules)?;
    let scope = Scope::new(module);
    let Some(call) = &property.call else { return Some(scope) };
    let setup: syn::Block = syn::parse_str(&format!("{{{}\n}}", text.get(call.setup.range())?)).ok()?;
    Some(inference.after(&setup.stmts, &scope))
}

/// The type of the values that `parameter` takes.
fn parameter_type(inference: &Inference<'_>, form: Form, parameter: &Parameter, scope: &Scope) -> Type {
    let written = parameter.ty.as_ref().and_then(|ty| syn::parse_str::<syn::Type>(ty).ok());
    let written = written.map(|ty| inference.written(&ty, scope));
    if form == Form::StateMachine {
        let associated = |ty: &Type, name: &str| inference.associated(ty, name);
        return written.map_or(Type::Unknown, |machine| inference.library.machine(&machine, &associated));
    }
    let strategy = parameter.strategy.as_ref().and_then(|strategy| syn::parse_str::<Expr>(strategy).ok());
    match (written, strategy) {
        (Some(written), _) if !matches!(written, Type::Unknown) => written,
        (_, Some(strategy)) => inference.library.generated(&inference.type_of(&strategy, scope)),
        _ => Type::Unknown,
    }
}
