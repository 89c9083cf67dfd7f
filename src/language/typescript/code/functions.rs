//! The functions that a file declares, wherever they stand in it.

use super::{Code, Function, place};
use crate::span::Span;

/// A function with what it is called by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Defined {
    /// Its name.
    pub name: String,
    /// The class that it is a method of; empty where it is of none.
    pub owner: String,
    /// Where the name stands.
    pub place: Span,
    /// What it says that it returns, without the colon; empty where it says nothing.
    pub returns: String,
    /// The function.
    pub function: Function,
}

/// What declares one.
const DECLARING: [&str; 5] = [
    "function_declaration",
    "generator_function_declaration",
    "variable_declarator",
    "assignment_expression",
    "method_definition",
];

impl Code {
    /// The functions with a name, in order: declared, held by constants, of classes and objects.
    pub fn defined(&self) -> Vec<Defined> {
        let mut found = Vec::new();
        for node in self.nodes(&DECLARING) {
            let field = |name: &str| node.child_by_field_name(name);
            let (name, held) = match node.kind() {
                "variable_declarator" => (field("name"), field("value").and_then(|value| self.bare(place(value)))),
                "assignment_expression" => (field("left"), field("right").and_then(|value| self.bare(place(value)))),
                _ => (field("name"), Some(node)),
            };
            let Some(held) = held.filter(|held| is_function(held.kind())) else { continue };
            let (Some(name), Some(function)) = (name, self.function_of(held)) else { continue };
            let class = node.parent().filter(|parent| parent.kind() == "class_body").and_then(|body| body.parent());
            let owner = class.and_then(|class| class.child_by_field_name("name")).map(|name| self.at(place(name)));
            let returns = held.child_by_field_name("return_type").map(|one| self.at(place(one)));
            found.push(Defined {
                name: self.at(place(name)).rsplit('.').next().unwrap_or_default().to_owned(),
                owner: owner.unwrap_or_default().to_owned(),
                place: place(name),
                returns: returns.unwrap_or_default().trim_start_matches(':').trim().to_owned(),
                function,
            });
        }
        found
    }
}

fn is_function(kind: &str) -> bool {
    matches!(
        kind,
        "function_declaration"
            | "generator_function_declaration"
            | "method_definition"
            | "arrow_function"
            | "function_expression"
            | "function"
            | "generator_function"
    )
}

#[cfg(test)]
mod tests {
    use super::super::Code;

    #[test]
    fn functions_are_found_however_they_are_declared() {
        let text = "export function f(a: number, { b }): number { return a }\nconst g = async (x) => x + 1;\n\
                    export class Money { half(): Money | null { return null } }\nconst h = 1, [i] = j;\n\
                    exports.k = (y) => y;\n";
        let code = Code::read("a.ts", text.to_owned()).unwrap();
        let told: Vec<_> = code
            .defined()
            .into_iter()
            .map(|one| {
                let body = code.at(one.function.body).to_owned();
                (one.owner, one.name, one.function.parameters.join(","), one.returns, body)
            })
            .collect();
        let own = |owner: &str, name: &str, parameters: &str, returns: &str, body: &str| {
            (owner.to_owned(), name.to_owned(), parameters.to_owned(), returns.to_owned(), body.to_owned())
        };
        assert_eq!(
            told,
            [
                own("", "f", "a,", "number", "{ return a }"),
                own("", "g", "x", "", "x + 1"),
                own("Money", "half", "", "Money | null", "{ return null }"),
                own("", "k", "y", "", "y"),
            ]
        );
    }
}
