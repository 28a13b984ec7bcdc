//! The table's settings.

use super::time_order::MAX_SAMPLES;
use crate::lint::{Check, Context, Fix, Found, NewFinding, Place, Rule, Severity};
use crate::model::{Design, Encryption, Table, Value, live_parts, short};

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

/// An attribute that says in the samples of each entity which entity it is: all samples of an entity have the same text, and
/// those of another entity another text.
fn other_type_attribute(design: &Design) -> Option<&str> {
    let (first, _) = design.entities.iter().next()?;
    let sample = design.samples_of(*first).first()?;
    let texts = sample
        .values
        .iter()
        .filter(|(_, value)| matches!(value, Value::S(_)));
    let names = texts.map(|(name, _)| name.as_str());
    let mut names =
        names.filter(|name| !design.table.key.attributes().any(|key| key.name == *name));
    names.find(|name| {
        let mut seen: Vec<&Value> = Vec::new();
        design.entities.keys().all(|id| {
            let samples = design.samples_of(*id);
            let Some(own) = samples.first().and_then(|sample| sample.values.get(*name)) else {
                return false;
            };
            let is_new = matches!(own, Value::S(_)) && !seen.contains(&own);
            seen.push(own);
            let mut samples = samples.iter().take(MAX_SAMPLES);
            is_new && samples.all(|sample| sample.values.get(*name) == Some(own))
        })
    })
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
