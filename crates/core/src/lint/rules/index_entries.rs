//! Index entries that cannot work: keys that nothing writes, conditions on unknown attributes or values.

use super::did_you_mean;
use super::templates::last_part;
use crate::lint::entity_facts::EntityFacts;
use crate::lint::{Check, Context, Fix, Found, NewFinding, Place, Rule, Severity};
use crate::model::{Attribute, Format, KeyPart, Test, Value, short};

/// Nothing writes one of the index's key attributes, so the entity has no items there.
pub const INCOMPLETE: Rule = Rule {
    code: "I006",
    name: "incomplete-index-entry",
    severity: Severity::Error,
    check: Check::Entity(incomplete),
};

fn incomplete(context: &Context, facts: &EntityFacts, found: &mut Found) {
    for entry in facts
        .entries
        .iter()
        .filter(|entry| entry.declared && !entry.index.is_primary())
    {
        for key in &entry.keys {
            let missing = key.value.as_ref().is_none_or(|value| value.text.is_empty());
            // `key-type` reports an attribute of another type.
            if !missing || facts.entity.stored_attribute(&key.attribute.name).is_some() {
                continue;
            }
            let part = match key.part {
                KeyPart::Partition => "partition",
                KeyPart::Sort => "sort",
            };
            let message = format!(
                "{}: no item is in {}, because nothing writes its {part} key `{}`. Add a template, or an attribute of that name.",
                facts.name(),
                context.design.index_name(entry.index),
                key.attribute.name,
            );
            let place = Place::Entry(facts.id, entry.index);
            found.add(NewFinding::at(place, message));
        }
    }
}

/// A condition names an attribute that the entity's items do not have.
pub const CONDITION: Rule = Rule {
    code: "I007",
    name: "unknown-condition",
    severity: Severity::Error,
    check: Check::Entity(condition),
};

fn condition(context: &Context, facts: &EntityFacts, found: &mut Found) {
    for (index, entry) in &facts.entity.keys {
        for condition in &entry.when {
            if context.design.table.is_type_attribute(&condition.attribute) {
                continue;
            }
            let attribute = facts.entity.attribute(&condition.attribute);
            let (what, advice) = match attribute {
                Some(attribute) if !attribute.key_only => continue,
                Some(_) => (
                    "key-only",
                    "Items do not store it: store it or remove the condition",
                ),
                None => ("unknown", "Add the attribute or correct the name"),
            };
            let message = format!(
                "{}: the condition of {} names the {what} attribute `{}`. {advice}.",
                facts.name(),
                context.design.index_name(*index),
                condition.attribute,
            );
            let place = Place::Entry(facts.id, *index);
            let finding = NewFinding::at(place, message);
            found.add(match attribute {
                Some(attribute) => finding.fix(Fix::Store(facts.id, attribute.id)),
                None => finding,
            });
        }
    }
}

/// A condition tests for a value that the attribute cannot have.
pub const VALUE: Rule = Rule {
    code: "I008",
    name: "impossible-condition-value",
    severity: Severity::Warning,
    check: Check::Entity(value),
};

fn value(context: &Context, facts: &EntityFacts, found: &mut Found) {
    for (index, entry) in &facts.entity.keys {
        for condition in &entry.when {
            if context.design.table.is_type_attribute(&condition.attribute) {
                if !condition.holds(Some(&Value::S(facts.entity.name.clone()))) {
                    let message = format!(
                        "{0}: the condition of {1} on the type attribute `{2}` never holds, because it is `{0}` in all items. Correct or remove the condition.",
                        facts.name(),
                        context.design.index_name(*index),
                        condition.attribute,
                    );
                    found.add(NewFinding::at(Place::Entry(facts.id, *index), message));
                }
                continue;
            }
            let values = match &condition.test {
                Test::Equals(value) | Test::NotEquals(value) => std::slice::from_ref(value),
                Test::OneOf(values) => values,
                Test::Exists | Test::Missing => continue,
            };
            // `unknown-condition` reports other attributes.
            let Some(attribute) = facts.entity.stored_attribute(&condition.attribute) else {
                continue;
            };
            let Some((value, reason)) =
                (values.iter()).find_map(|value| Some((value, impossible(attribute, value)?)))
            else {
                continue;
            };
            let message = format!(
                "{}: the condition of {} tests `{}` for `{}`, {reason} Correct the value or the attribute.",
                facts.name(),
                context.design.index_name(*index),
                attribute.name,
                short(&value.to_text()),
            );
            found.add(NewFinding::at(Place::Entry(facts.id, *index), message));
        }
    }
}

/// Returns why an attribute cannot have a value; `None` if it can.
fn impossible(attribute: &Attribute, value: &Value) -> Option<String> {
    if value.kind() != attribute.kind {
        let (kind, own) = (value.kind(), attribute.kind);
        return Some(format!("a value of type {kind}, but its type is {own}."));
    }
    let Some(Format::OneOf(choices)) = &attribute.format else {
        return None;
    };
    if choices.iter().any(|choice| choice.value == *value) {
        return None;
    }
    let texts: Vec<String> = (choices.iter())
        .map(|choice| choice.value.to_text())
        .collect();
    let meant = did_you_mean(&value.to_text(), texts.iter().map(String::as_str));
    Some(["which is not one of its values.", &meant].concat())
}

/// Returns the place of a finding about the whole key of an index entry.
pub(super) fn duplicate_place(
    facts: &EntityFacts,
    entry: &crate::lint::entity_facts::EntryFacts,
) -> Place {
    super::place(facts, entry, last_part(entry))
}
