//! Templates that cannot be rendered: syntax errors, unknown attributes, wrong types.

use super::{did_you_mean, key_name, place, templates};
use crate::engine::key_sources::{KeySource, has_template, stored_source};
use crate::lint::entity_facts::{Compiled, EntityFacts, EntryFacts, KeyFacts};
use crate::lint::{Check, Context, Fix, Found, NewFinding, Place, Rule, Severity};
use crate::model::{AttributeId, AttributeType, Design, IndexId, KeyPart, KeyType, short};
use crate::template::Modifier;

/// A template has a syntax error.
pub const ERROR: Rule = Rule {
    code: "K001",
    name: "template-error",
    severity: Severity::Error,
    check: Check::Entity(errors),
};

fn errors(context: &Context, facts: &EntityFacts, found: &mut Found) {
    for (entry, key, compiled) in templates(facts) {
        for error in &compiled.errors {
            let message = format!(
                "{}: template `{}` of the {} cannot be parsed: {}.",
                facts.name(),
                short(&compiled.text),
                key_name(context.design, entry, key.part),
                error.message
            );
            let place = place(facts, entry, key.part);
            found.add(NewFinding::at(place, message).span(error.span.clone()));
        }
    }
}

/// A template names an attribute that the entity does not have.
pub const UNKNOWN: Rule = Rule {
    code: "K002",
    name: "unknown-attribute",
    severity: Severity::Error,
    check: Check::Entity(unknown),
};

fn unknown(context: &Context, facts: &EntityFacts, found: &mut Found) {
    let table = &context.design.table;
    for (entry, key, compiled) in templates(facts) {
        for placeholder in compiled.template.placeholders() {
            let name = &placeholder.attribute;
            let known = facts.entity.attribute(name).is_some() || table.is_type_attribute(name);
            if known {
                continue;
            }
            let known = facts.entity.attributes.iter();
            let meant = did_you_mean(name, known.map(|attribute| attribute.name.as_str()));
            let message = format!(
                "{}: template `{}` of the {} names the unknown attribute `{name}`.{meant} Add the attribute or correct the name.",
                facts.name(),
                short(&compiled.text),
                key_name(context.design, entry, key.part),
            );
            let finding = NewFinding::at(place(facts, entry, key.part), message);
            let finding = finding.span(placeholder.span.clone());
            found.add(finding.fix(Fix::AddAttribute(facts.id, name.clone())));
        }
    }
}

/// The primary key uses an optional attribute.
pub const OPTIONAL: Rule = Rule {
    code: "K003",
    name: "optional-key-attribute",
    severity: Severity::Warning,
    check: Check::Entity(optional),
};

fn optional(context: &Context, facts: &EntityFacts, found: &mut Found) {
    let mut seen: Vec<&str> = Vec::new();
    if let Some(entry) = facts.primary() {
        natural_keys(context, facts, entry, found);
    }
    for (entry, key, compiled) in templates(facts) {
        if entry.index != IndexId::PRIMARY {
            continue;
        }
        for placeholder in compiled.template.placeholders() {
            let Some(attribute) = facts.entity.attribute(&placeholder.attribute) else {
                continue;
            };
            if attribute.required || seen.contains(&attribute.name.as_str()) {
                continue;
            }
            seen.push(&attribute.name);
            let message = format!(
                "{}: `{}` in the {} is optional, and an item without it cannot be stored. Make it required.",
                facts.name(),
                attribute.name,
                key_name(context.design, entry, key.part),
            );
            let finding = NewFinding::at(place(facts, entry, key.part), message);
            let finding = finding.span(placeholder.span.clone());
            found.add(finding.fix(Fix::Require(facts.id, attribute.id)));
        }
    }
}

/// Reports optional natural keys: key attributes of the table that are the entity's own.
fn natural_keys(context: &Context, facts: &EntityFacts, entry: &EntryFacts, found: &mut Found) {
    for key in &entry.keys {
        let name = &key.attribute.name;
        let source = stored_source(context.design, &facts.entity, name);
        let KeySource::Attribute(own) = source else {
            continue;
        };
        if own.required {
            continue;
        }
        let message = format!(
            "{}: `{name}`, the {}, is optional, and an item without it cannot be stored. Make it required.",
            facts.name(),
            key_name(context.design, entry, key.part),
        );
        let finding = NewFinding::at(Place::Attribute(facts.id, own.id), message);
        found.add(finding.fix(Fix::Require(facts.id, own.id)));
    }
}

/// A template cannot render a value of its key attribute's type.
pub const KEY_TYPE: Rule = Rule {
    code: "K005",
    name: "key-type",
    severity: Severity::Error,
    check: Check::Entity(key_type),
};

fn key_type(context: &Context, facts: &EntityFacts, found: &mut Found) {
    for (entry, key, compiled) in templates(facts) {
        if compiled.is_broken() {
            continue;
        }
        for reason in mismatches(facts, key, compiled) {
            let message = format!(
                "{}: template `{}` of the {} {reason}",
                facts.name(),
                short(&compiled.text),
                key_name(context.design, entry, key.part),
            );
            found.add(NewFinding::at(place(facts, entry, key.part), message));
        }
    }
    for entry in &facts.entries {
        plain_types(context, facts, entry, found);
    }
    types_of_other_indexes(context.design, facts, found);
}

/// Reports attributes that have the name, but not the type, of a key attribute of an index that the entity has no entry
/// in: DynamoDB refuses an item with such a value, it does not leave it out of the index.
fn types_of_other_indexes(design: &Design, facts: &EntityFacts, found: &mut Found) {
    let mut seen: Vec<AttributeId> = Vec::new();
    // By `plain_types`.
    let is_reported = |name: &str| {
        let mut declared = facts.entries.iter().filter(|entry| entry.declared);
        declared.any(|entry| {
            let mut keys = entry.keys.iter();
            keys.any(|key| key.value.is_none() && key.attribute.name == name)
        })
    };
    for (id, index) in &design.indexes {
        if facts.entry(*id).is_some_and(|entry| entry.declared) {
            continue;
        }
        let key = &index.key;
        for (part, keys) in [
            (KeyPart::Partition, &key.partition),
            (KeyPart::Sort, &key.sort),
        ] {
            for key in keys {
                let wanted = AttributeType::from(key.kind);
                let own = facts.entity.stored_attribute(&key.name);
                let Some(own) = own.filter(|own| {
                    own.kind != wanted
                        && !seen.contains(&own.id)
                        && !is_reported(&key.name)
                        && !has_template(design, &facts.entity, &key.name)
                }) else {
                    continue;
                };
                seen.push(own.id);
                let message = format!(
                    "{}: `{}` is of type {}, but the {} of {} is of type {wanted}: DynamoDB rejects each item that has it. Change one of the types.",
                    facts.name(),
                    own.name,
                    own.kind,
                    part.label(),
                    index.name,
                );
                let finding = NewFinding::at(Place::Attribute(facts.id, own.id), message);
                found.add(finding.fix(Fix::Retype(facts.id, own.id, wanted)));
            }
        }
    }
}

/// Reports natural keys: key attributes that are the entity's own, of another type.
fn plain_types(context: &Context, facts: &EntityFacts, entry: &EntryFacts, found: &mut Found) {
    for key in entry.keys.iter().filter(|key| key.value.is_none()) {
        let wanted = AttributeType::from(key.attribute.kind);
        let own = facts.entity.stored_attribute(&key.attribute.name);
        let Some(own) = own.filter(|own| entry.declared && own.kind != wanted) else {
            continue;
        };
        let message = format!(
            "{}: `{}` is of type {}, but the {} is of type {wanted}. Change one of the types.",
            facts.name(),
            own.name,
            own.kind,
            key_name(context.design, entry, key.part),
        );
        let finding = NewFinding::at(Place::Attribute(facts.id, own.id), message);
        found.add(finding.fix(Fix::Retype(facts.id, own.id, wanted)));
    }
}

/// Returns why a template cannot render a key of this type.
fn mismatches(facts: &EntityFacts, key: &KeyFacts, compiled: &Compiled) -> Vec<String> {
    let mut reasons = Vec::new();
    let kind = key.attribute.kind;
    if kind != KeyType::S && !compiled.template.is_single_placeholder() {
        let letter = kind.letter();
        reasons.push(format!(
            "renders text, but the key is of type {letter}. Use exactly one placeholder."
        ));
        return reasons;
    }
    for placeholder in compiled.template.placeholders() {
        let Some(attribute) = facts.entity.attribute(&placeholder.attribute) else {
            continue;
        };
        let (own, name) = (attribute.kind, &attribute.name);
        let plain = placeholder.modifiers.is_empty();
        let fits = match kind {
            KeyType::S => matches!(
                own,
                AttributeType::S | AttributeType::N | AttributeType::Bool
            ),
            KeyType::N => own == AttributeType::N || !plain,
            KeyType::B => own == AttributeType::B && plain,
        };
        if !fits {
            reasons.push(format!(
                "uses `{name}` of type {own}, which does not fit a key of type {}. Use another attribute or change its type.",
                kind.letter()
            ));
        }
        let dates = |m: &Modifier| matches!(m, Modifier::Date | Modifier::Month | Modifier::Year);
        if own == AttributeType::N && placeholder.modifiers.first().is_some_and(dates) {
            reasons.push(format!(
                "takes the date of `{name}`, which is a number. Store an ISO 8601 timestamp."
            ));
        }
    }
    reasons
}

/// Returns the last part of the entry's key: the sort key if there is one.
pub(super) fn last_part(entry: &EntryFacts) -> KeyPart {
    match entry.side(KeyPart::Sort).next() {
        Some(_) => KeyPart::Sort,
        None => KeyPart::Partition,
    }
}
