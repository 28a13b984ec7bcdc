//! Expressions and projections that name an attribute that no entity has.

use super::projection::returned;
use super::{attributes, did_you_mean};
use crate::lint::expression::names;
use crate::lint::{Check, Context, Found, NewFinding, PatternFacts, Place, Rule, Severity};
use crate::model::{Design, Entity, Projection};

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
        let meant = meant(first, others, entities(context, facts));
        let message = format!(
            "`{}`: an expression names {}, and no entity of the access pattern has such an attribute.{meant} Correct the name, or add the attribute to an entity.",
            facts.pattern.name,
            attributes(&names),
        );
        found.add(NewFinding::at(Place::Pattern(facts.id), message));
    }
}

/// An index includes an attribute that no entity has.
pub const INCLUDED: Rule = Rule {
    code: "I009",
    name: "unknown-included-attribute",
    severity: Severity::Warning,
    check: Check::Design(included),
};

fn included(context: &Context, found: &mut Found) {
    let design = context.design;
    for (id, index) in &design.indexes {
        let Projection::Include(names) = &index.projection else {
            continue;
        };
        let is_known = |name: &&String| {
            let mut entities = design.entities.values();
            is_of_table(design, name) || entities.any(|entity| entity.attribute(name).is_some())
        };
        let unknown: Vec<&str> = (names.iter())
            .filter(|name| !is_known(name))
            .map(String::as_str)
            .collect();
        let [first, others @ ..] = unknown.as_slice() else {
            continue;
        };
        let meant = meant(
            first,
            others,
            design.entities.values().map(|entity| &**entity),
        );
        let message = format!(
            "{} includes {}, and no entity has such an attribute.{meant} Correct the name, or add the attribute to an entity.",
            index.name,
            attributes(&unknown),
        );
        found.add(NewFinding::at(Place::Index(*id), message));
    }
}

/// Returns a question for the attribute that a single unknown name is close to.
fn meant<'a>(first: &str, others: &[&str], entities: impl Iterator<Item = &'a Entity>) -> String {
    let known = entities.flat_map(|entity| &entity.attributes);
    match others {
        [] => did_you_mean(first, known.map(|attribute| attribute.name.as_str())),
        _ => String::new(),
    }
}

/// Whether items of any entity can have the attribute: a key attribute, the type or the TTL.
fn is_of_table(design: &Design, name: &str) -> bool {
    let table = &design.table;
    let of_table = [&table.type_attribute, &table.ttl_attribute];
    design.key_attribute(name).is_some() || of_table.iter().any(|own| own.as_deref() == Some(name))
}

/// Whether an item of the pattern can have the attribute. If the pattern has no entity, another rule says so.
fn is_known(context: &Context, facts: &PatternFacts, name: &str) -> bool {
    let mut entities = entities(context, facts).peekable();
    entities.peek().is_none()
        || is_of_table(context.design, name)
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
