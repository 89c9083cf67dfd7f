//! Generic parameters: what they stand for once types are known that mention them.

use std::collections::BTreeMap;

use super::Type;

impl Type {
    /// The type with its parameters replaced by what they stand for; one that is not known stays.
    #[must_use]
    pub(in crate::language::rust) fn substituted(&self, known: &BTreeMap<String, Type>) -> Type {
        let all = |types: &[Type]| types.iter().map(|ty| ty.substituted(known)).collect();
        let one = |ty: &Type| Box::new(ty.substituted(known));
        match self {
            Type::Parameter(name) => known.get(name).cloned().unwrap_or_else(|| self.clone()),
            Type::Tuple(types) => Type::Tuple(all(types)),
            Type::Array(ty, length) => Type::Array(one(ty), *length),
            Type::Slice(ty) => Type::Slice(one(ty)),
            Type::Reference(ty) => Type::Reference(one(ty)),
            Type::Generator(ty) => Type::Generator(one(ty)),
            Type::Iterator(ty) => Type::Iterator(one(ty)),
            Type::Standard(standard, types) => Type::Standard(standard, all(types)),
            Type::Own(own, types) => Type::Own(own.clone(), all(types)),
            Type::Foreign(path, types) => Type::Foreign(path.clone(), all(types)),
            _ => self.clone(),
        }
    }

    /// The type with parameters that nothing told made unknown.
    #[must_use]
    pub(super) fn settled(&self) -> Type {
        let mut names = BTreeMap::new();
        self.parameters(&mut names);
        if names.is_empty() { self.clone() } else { self.substituted(&names) }
    }

    /// The parameters it mentions, each with nothing known of it.
    fn parameters(&self, found: &mut BTreeMap<String, Type>) {
        match self {
            Type::Parameter(name) => {
                found.insert(name.clone(), Type::Unknown);
            }
            Type::Tuple(types) | Type::Standard(_, types) | Type::Own(_, types) | Type::Foreign(_, types) => {
                types.iter().for_each(|ty| ty.parameters(found));
            }
            Type::Array(ty, _) | Type::Slice(ty) | Type::Reference(ty) => ty.parameters(found),
            Type::Generator(ty) | Type::Iterator(ty) => ty.parameters(found),
            _ => {}
        }
    }

    /// Whether it mentions a parameter of that name.
    pub(in crate::language::rust) fn mentions(&self, name: &str) -> bool {
        match self {
            Type::Parameter(parameter) => parameter == name,
            Type::Tuple(types) | Type::Standard(_, types) | Type::Own(_, types) | Type::Foreign(_, types) => {
                types.iter().any(|ty| ty.mentions(name))
            }
            Type::Array(ty, _) | Type::Slice(ty) | Type::Reference(ty) => ty.mentions(name),
            Type::Generator(ty) | Type::Iterator(ty) => ty.mentions(name),
            _ => false,
        }
    }

    /// Learns what parameters of this type stand for from a type that it must equal.
    pub(super) fn learn(&self, actual: &Type, known: &mut BTreeMap<String, Type>) {
        let mut pairs = |ones: &[Type], twos: &[Type]| {
            ones.iter().zip(twos).for_each(|(one, two)| one.learn(two, known));
        };
        match (self, actual) {
            (Type::Parameter(name), _) => {
                let before = known.remove(name).unwrap_or(Type::Unknown);
                known.insert(name.clone(), before.unify(actual.clone()));
            }
            (Type::Tuple(ones), Type::Tuple(twos)) => pairs(ones, twos),
            (Type::Standard(one, ones), Type::Standard(two, twos)) if one.name == two.name => pairs(ones, twos),
            (Type::Own(one, ones), Type::Own(two, twos)) if one == two => pairs(ones, twos),
            (Type::Foreign(one, ones), Type::Foreign(two, twos)) if one == two => pairs(ones, twos),
            (Type::Array(one, _), Type::Array(two, _))
            | (Type::Slice(one), Type::Slice(two) | Type::Array(two, _))
            | (Type::Reference(one), Type::Reference(two))
            | (Type::Generator(one), Type::Generator(two)) => one.learn(two, known),
            _ => {}
        }
    }
}
