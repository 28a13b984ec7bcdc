//! The table's settings.

use super::time_order::MAX_SAMPLES;
use crate::lint::{Check, Context, Fix, Found, NewFinding, Place, Rule, Severity};
use crate::model::{Design, Encryption, EntityId, Format, Table, Value, live_parts, short};

/// No attribute names the entity of an item.
pub const TYPE_ATTRIBUTE: Rule = Rule {
    code: "K017",
    name: "type-attribute-missing",
    severity: Severity::Info,
    check: Check::Design(type_attribute),
};

fn type_attribute(context: &Context, found: &mut Found) {
    let design = context.design;
    if design.table.type_attribute.is_some()
        || design.entities.len() < 2
        || other_type_attribute(design).is_some()
    {
        return;
    }
    let message = format!(
        "{} entities share the table, but no attribute contains the entity of an item: readers and stream consumers must guess it from the key. Set a type attribute.",
        context.entities.len()
    );
    let finding = NewFinding::at(Place::Table, message);
    found.add(finding.fix(Fix::TypeAttribute("type".to_owned())));
}

/// An attribute that says which entity an item is: it has one text for each entity, and another one for each other entity.
fn other_type_attribute(design: &Design) -> Option<&str> {
    let (first, entity) = design.entities.iter().next()?;
    let declared = entity
        .attributes
        .iter()
        .map(|attribute| attribute.name.as_str());
    let sampled = design.samples_of(*first).first().into_iter();
    let sampled = sampled.flat_map(|sample| sample.values.keys().map(String::as_str));
    declared.chain(sampled).find(|name| {
        let is_key = design.table.key.attributes().any(|key| key.name == *name);
        let mut seen: Vec<&str> = Vec::new();
        !is_key
            && design
                .entities
                .keys()
                .all(|id| match only_text(design, *id, name) {
                    Some(text) if !seen.contains(&text) => {
                        seen.push(text);
                        true
                    }
                    _ => false,
                })
    })
}

/// The text that an attribute has in all items of an entity: by its format, or in several samples. One sample is enough if
/// its text is the name of the entity.
fn only_text<'d>(design: &'d Design, id: EntityId, name: &str) -> Option<&'d str> {
    let entity = design.entities.get(&id)?;
    let format = entity.attribute(name).and_then(|own| own.format.as_ref());
    if let Some(Format::Constant(Value::S(text))) = format {
        return Some(text);
    }
    let samples = design.samples_of(id);
    let first = samples.first()?.values.get(name)?;
    let Value::S(text) = first else { return None };
    let letters = |text: &str| -> String {
        let letters = text.chars().filter(|c| c.is_alphanumeric());
        letters.flat_map(char::to_lowercase).collect()
    };
    let is_name = || letters(text) == letters(&entity.name);
    let mut all = samples.iter().take(MAX_SAMPLES);
    let is_only = all.all(|sample| sample.values.get(name) == Some(first));
    (is_only && (samples.len() > 1 || is_name())).then_some(text)
}

/// Point-in-time recovery is off for a production table.
pub const RECOVERY: Rule = Rule {
    code: "L007",
    name: "recovery-off",
    severity: Severity::Warning,
    check: Check::Design(recovery),
};

fn recovery(context: &Context, found: &mut Found) {
    let table = &context.design.table;
    let Some(sign) = production(table).filter(|_| table.recovery.is_none()) else {
        return;
    };
    let message = format!(
        "{sign}, but point-in-time recovery is off: a mistaken delete or deployment cannot be undone. Turn it on."
    );
    found.add(NewFinding::at(Place::Table, message).fix(Fix::Recovery));
}

/// Deletion protection is off for a production table.
pub const PROTECTION: Rule = Rule {
    code: "L008",
    name: "deletion-protection-off",
    severity: Severity::Warning,
    check: Check::Design(protection),
};

fn protection(context: &Context, found: &mut Found) {
    let table = &context.design.table;
    let Some(sign) = production(table).filter(|_| !table.deletion_protection) else {
        return;
    };
    let message = format!(
        "{sign}, but deletion protection is off: DeleteTable, or a stack update that replaces the table, deletes the data. Turn it on."
    );
    found.add(NewFinding::at(Place::Table, message).fix(Fix::DeletionProtection));
}

/// CloudFormation would evaluate a text of the table or an index.
pub const LIVE: Rule = Rule {
    code: "L010",
    name: "cloudformation-functions",
    severity: Severity::Warning,
    check: Check::Design(live),
};

fn live(context: &Context, found: &mut Found) {
    for live in live_parts(context.design) {
        let place = match live.index.is_primary() {
            true => Place::Table,
            false => Place::Index(live.index),
        };
        let part = short(&live.part);
        let message = match live.policy {
            true => format!(
                "The resource policy contains `{part}`, which CloudFormation would evaluate, so exports omit the policy. Remove it, or choose \"CloudFormation functions in text\" (`liveFunctions` in the file's `exportOptions`) if it is intended."
            ),
            false => format!(
                "Some text contains `{part}`, which CloudFormation would replace with a secret or a parameter, so templates contain `{{ {{resolve:`, with a space. Remove it, or choose \"CloudFormation functions in text\" (`liveFunctions` in the file's `exportOptions`) if it is intended."
            ),
        };
        found.add(NewFinding::at(place, message));
    }
}

/// Returns what marks the table as a production table; `None` if nothing does.
fn production(table: &Table) -> Option<String> {
    let says = |text: &str| {
        let lower = text.to_lowercase();
        let mut words = lower.split(|c: char| !c.is_alphanumeric());
        words.any(|word| matches!(word, "prod" | "production" | "prd" | "live"))
    };
    if says(&table.name) {
        return Some(format!(
            "The name `{}` indicates a production table",
            table.name
        ));
    }
    if let Some((key, value)) = table.tags.iter().find(|(_, value)| says(value)) {
        return Some(format!(
            "The tag `{key}` = `{value}` indicates a production table"
        ));
    }
    if !table.replicas.is_empty() {
        return Some("The table has replicas".to_owned());
    }
    if matches!(table.encryption, Encryption::CustomerManaged(_)) {
        return Some("The table has a customer managed key".to_owned());
    }
    None
}
