//! Expressions that name an attribute that no entity has.

use super::attributes;
use super::projection::returned;
use crate::lint::expression::names;
use crate::lint::{Check, Context, Found, NewFinding, PatternFacts, Place, Rule, Severity};
use crate::model::{Entity, name};

/// An expression names an attribute that none of the entities that it is for has.
pub const RULE: Rule = Rule {
    code: "A012",
    name: "unknown-attribute-in-expression",
    severity: Severity::Warning,
    check: Check::Design(check),
};

fn check(context: &Context, found: &mut Found) {
    for facts in context.patterns.values() {
        let operation = &facts.pattern.operation;
        let named = names(operation).into_iter().map(|name| name.text);
        let mut unknown: Vec<String> = Vec::new();
        for name in named.chain(returned(operation)) {
            if !name.is_empty() && !unknown.contains(&name) && !is_known(context, facts, &name) {
                unknown.push(name);
            }
        }
        let names: Vec<&str> = unknown.iter().map(String::as_str).collect();
        let [first, others @ ..] = names.as_slice() else {
            continue;
        };
        let known = entities(context, facts).flat_map(|entity| &entity.attributes);
        let meant = name::closest(first, known.map(|attribute| attribute.name.as_str()));
        let meant = match meant.filter(|_| others.is_empty()) {
            Some(meant) => format!(" Did you mean `{meant}`?"),
            None => String::new(),
        };
        let message = format!(
            "`{}`: an expression names {}, and no entity of the access pattern has such an attribute.{meant} Correct the name, or add the attribute to an entity.",
            facts.pattern.name,
            attributes(&names),
        );
        found.add(NewFinding::at(Place::Pattern(facts.id), message));
    }
}

/// Whether an item of the pattern can have the attribute. If the pattern has no entity, another rule says so.
fn is_known(context: &Context, facts: &PatternFacts, name: &str) -> bool {
    let table = &context.design.table;
    let of_table = [&table.type_attribute, &table.ttl_attribute];
    let mut entities = entities(context, facts).peekable();
    entities.peek().is_none()
        || context.design.key_attribute(name).is_some()
        || of_table.iter().any(|own| own.as_deref() == Some(name))
        || entities.any(|entity| entity.attribute(name).is_some())
}

/// The entities that a pattern is for or finds. A transaction also changes items of others than it is for.
fn entities<'a>(context: &'a Context, facts: &'a PatternFacts) -> impl Iterator<Item = &'a Entity> {
    let is_for_all = facts.intended.is_empty() && facts.conditions.is_empty();
    let all = context.entities.values();
    let found = all.filter(move |entity| {
        is_for_all || facts.intended.contains(&entity.id) || facts.finds(entity.id)
    });
    found.map(|entity| &*entity.entity)
}
