//! Arrays and the standard collections.

use super::layout::Code;
use super::pen::Guess;
use super::writer::{Expression, Typed, Writer, mismatch};
use crate::language::rust::types::{Standard, Type};
use crate::value::Value;

impl Writer<'_> {
    /// An array.
    pub(super) fn array(&self, value: &Value, element: &Type, typed: Typed) -> Expression {
        let Value::Sequence(values) = value else { return Err(mismatch(value, "array")) };
        if values.is_empty() && typed == Typed::Itself {
            return Ok(Code::word(format!("[] as [{}; 0]", self.type_name(element)?)));
        }
        if let Some(compact) = self.compact_array(values, element, typed) {
            return compact;
        }
        Ok(Code::group("[", self.elements(values, element, typed)?, "]"))
    }

    /// A collection of single values.
    pub(super) fn collection(
        &self,
        value: &Value,
        standard: &'static Standard,
        element: &Type,
        typed: Typed,
    ) -> Expression {
        let (Value::Sequence(values) | Value::Set(values)) = value else { return Err(mismatch(value, standard.name)) };
        if values.is_empty() {
            return self.empty(standard, std::slice::from_ref(element), typed);
        }
        if standard.name == "Vec"
            && let Some(compact) = self.compact_vec(values, element, typed)
        {
            return compact;
        }
        let ty = || Type::Standard(standard, vec![element.clone()]);
        if ["BTreeSet", "HashSet"].contains(&standard.name)
            && let Some(compact) = self.compact_set(values, element, &ty(), typed)
        {
            return compact;
        }
        let parts = self.elements(values, element, typed)?;
        let name = self.standard_name(standard);
        Ok(match standard.name {
            "Vec" => Code::group("vec![", parts, "]"),
            _ => Code::group(format!("{name}::from(["), parts, "])"),
        })
    }

    /// A map.
    pub(super) fn map(&self, value: &Value, standard: &'static Standard, types: &[Type], typed: Typed) -> Expression {
        let pairs = match value {
            Value::Map(pairs) => pairs,
            Value::Set(values) if values.is_empty() => return self.empty(standard, types, typed),
            _ => return Err(mismatch(value, standard.name)),
        };
        let [key, of] = types else {
            if self.guess() != Guess::Nothing && types.len() == 3 {
                return self.collected_map(value, &Type::Standard(standard, types.to_vec()), typed);
            }
            return Err("it is a map with a hasher of its own".to_owned());
        };
        let pair = |(index, (one, two)): (usize, &(Value, Value))| {
            let typed = after_first(index, typed);
            Ok(Code::group("(", vec![self.expression(one, key, typed)?, self.expression(two, of, typed)?], ")"))
        };
        let parts = pairs.iter().enumerate().map(pair).collect::<Result<_, String>>()?;
        Ok(Code::group(format!("{}::from([", self.standard_name(standard)), parts, "])"))
    }

    /// A collection without values.
    fn empty(&self, standard: &'static Standard, types: &[Type], typed: Typed) -> Expression {
        let name = self.standard_name(standard);
        if typed == Typed::Around {
            return Ok(Code::word(if standard.name == "Vec" { "vec![]".to_owned() } else { format!("{name}::new()") }));
        }
        let types = types.iter().map(|ty| self.type_name(ty)).collect::<Result<Vec<_>, _>>()?;
        Ok(Code::word(format!("{name}::<{}>::new()", types.join(", "))))
    }

    /// The elements of a sequence: the first tells the type of the others.
    pub(super) fn elements(&self, values: &[Value], element: &Type, typed: Typed) -> Result<Vec<Code>, String> {
        let one = |(index, value)| self.expression(value, element, after_first(index, typed));
        values.iter().enumerate().map(one).collect()
    }
}

/// What the element at `index` must tell.
fn after_first(index: usize, typed: Typed) -> Typed {
    if index == 0 { typed } else { Typed::Around }
}
