//! Isolation of tenants.

use super::{key_name, place, templates};
use crate::engine::generate::name_meanings::own_id;
use crate::engine::tenancy;
use crate::lint::entity_facts::{EntityFacts, Tenant};
use crate::lint::{Check, Context, Fix, Found, NewFinding, Rule, Severity};
use crate::model::{IndexId, KeyPart, short};
use crate::template::{Modifier, Placeholder, Segment, Template};

/// Tenants share an index partition of a multi-tenant design.
pub const INDEX: Rule = Rule {
    code: "T001",
    name: "index-without-tenant",
    severity: Severity::Warning,
    check: Check::Entity(index),
};

fn index(context: &Context, facts: &EntityFacts, found: &mut Found) {
    let Some(tenant) = context.tenant.filter(|tenant| concerns(facts, tenant)) else {
        return;
    };
    for entry in facts.entries.iter().filter(|entry| entry.declared) {
        let gsi = context.design.is_gsi(entry.index);
        let uses = entry.side(KeyPart::Partition).any(|key| {
            let template = key.value.as_ref().map(|value| &value.template);
            template.is_none_or(|template| tells_apart(template, tenant))
        });
        if !gsi || uses {
            continue;
        }
        let text = entry.partition().map_or("", |partition| &partition.text);
        let is_changed =
            (entry.partition()).is_some_and(|partition| partition.template.uses(&tenant.attribute));
        let (without, whose) = match is_changed {
            true => ("with a modifier that merges values of", "several"),
            false => ("without", "all"),
        };
        let message = format!(
            "{}: the {} is `{text}`, {without} `{}`, so one query reads items of {whose} tenants. Begin it with `{{{}}}`, or silence this with a reason if it is intended, as for a login by email.",
            facts.name(),
            key_name(context.design, entry, KeyPart::Partition),
            tenant.attribute,
            tenant.attribute,
        );
        let mut finding = NewFinding::at(place(facts, entry, KeyPart::Partition), message);
        let own = entry
            .side(KeyPart::Partition)
            .next()
            .is_some_and(|key| key.own);
        if let Some(before) = scope(facts, tenant).filter(|_| own)
            && let Some(delimiter) = context.design.delimiter.literal(text)
        {
            finding = finding.fix(Fix::SetTemplate {
                entity: facts.id,
                index: entry.index,
                part: KeyPart::Partition,
                text: format!("{before}{delimiter}{text}"),
            });
        }
        found.add(finding);
    }
}

/// Whether keys of the template are different for different tenants.
fn tells_apart(template: &Template, tenant: &Tenant) -> bool {
    let mut placeholders = template.placeholders();
    placeholders.any(|placeholder| is_whole(placeholder, tenant))
}

/// Whether the placeholder writes the tenant's id so that no two tenants have the same text: `acme` and `Acme` are two, and
/// share `{tenantId:lower}`.
fn is_whole(placeholder: &Placeholder, tenant: &Tenant) -> bool {
    placeholder.attribute == tenant.attribute
        && (placeholder.modifiers.iter()).all(Modifier::is_reversible)
}

/// Returns the primary partition key up to the tenant: `TENANT#{tenantId}`.
fn scope(facts: &EntityFacts, tenant: &Tenant) -> Option<String> {
    let partition = facts.primary()?.partition()?;
    let mut placeholders = partition.template.placeholders();
    let placeholder = placeholders.find(|placeholder| is_whole(placeholder, tenant))?;
    partition
        .text
        .get(..placeholder.span.end)
        .map(str::to_owned)
}

/// Whether the entity belongs to a tenant: it has the tenant's id and is not the tenant itself.
fn concerns(facts: &EntityFacts, tenant: &Tenant) -> bool {
    facts.entity.attribute(&tenant.attribute).is_some()
        && own_id(facts.name()) != tenant.attribute
        && facts.name().to_lowercase() != tenant.attribute.to_lowercase()
}

/// The delimiter does not follow the tenant's id in a partition key.
pub const PREFIX: Rule = Rule {
    code: "T002",
    name: "undelimited-tenant",
    severity: Severity::Warning,
    check: Check::Entity(prefix),
};

fn prefix(context: &Context, facts: &EntityFacts, found: &mut Found) {
    let delimiter = context.design.delimiter.delimiter.as_str();
    let Some(tenant) = context.tenant.filter(|_| !delimiter.is_empty()) else {
        return;
    };
    for (entry, key, compiled) in templates(facts) {
        if key.part != KeyPart::Partition {
            continue;
        }
        for pair in compiled.template.segments.windows(2) {
            let Segment::Placeholder(placeholder) = &pair[0] else {
                continue;
            };
            let closed = match &pair[1] {
                Segment::Literal { text, .. } => text.starts_with(delimiter),
                _ => false,
            };
            if placeholder.attribute != tenant.attribute || closed {
                continue;
            }
            let end = placeholder.span.end;
            let mut text = compiled.text.clone();
            let Some(written) = context.design.delimiter.literal(&text[end..]) else {
                continue;
            };
            text.insert_str(end, &written);
            let message = format!(
                "{}: in `{}` no delimiter follows `{}`, so a policy or a prefix for tenant `acme` also matches `acme2`. Write `{text}`.",
                facts.name(),
                short(&compiled.text),
                tenant.attribute,
            );
            let finding = NewFinding::at(place(facts, entry, KeyPart::Partition), message);
            let finding = finding.span(placeholder.span.clone());
            found.add(finding.fix(Fix::SetTemplate {
                entity: facts.id,
                index: entry.index,
                part: KeyPart::Partition,
                text,
            }));
        }
    }
}

/// An IAM policy cannot restrict a role to the keys of one tenant.
pub const APART: Rule = Rule {
    code: "T004",
    name: "tenants-not-isolated",
    severity: Severity::Warning,
    check: Check::Design(apart),
};

fn apart(context: &Context, found: &mut Found) {
    for leak in tenancy::leaks(context.design) {
        let Some(facts) = context.entities.get(&leak.entity) else {
            continue;
        };
        let Some(entry) = facts.entry(leak.index) else {
            continue;
        };
        let message = format!(
            "{}: no IAM policy can restrict a role to one tenant by the {}: {}. Begin it with a unique literal, and use a delimiter that role tags cannot contain, such as #.",
            facts.name(),
            key_name(context.design, entry, KeyPart::Partition),
            leak.reason,
        );
        found.add(NewFinding::at(
            place(facts, entry, KeyPart::Partition),
            message,
        ));
    }
}

/// The items of a tenant's entity are not in the tenant's partitions.
pub const PRIMARY: Rule = Rule {
    code: "T003",
    name: "primary-key-without-tenant",
    severity: Severity::Warning,
    check: Check::Entity(primary),
};

fn primary(context: &Context, facts: &EntityFacts, found: &mut Found) {
    let Some(tenant) = context.tenant.filter(|tenant| concerns(facts, tenant)) else {
        return;
    };
    let Some(entry) = facts
        .entry(IndexId::PRIMARY)
        .filter(|entry| entry.is_whole())
    else {
        return;
    };
    let Some(partition) = entry.partition() else {
        return;
    };
    if tells_apart(&partition.template, tenant) {
        return;
    }
    let (has, as_others) = match partition.template.uses(&tenant.attribute) {
        true => ("has it only with a modifier that merges tenants", ""),
        false => ("does not", ", as other entities do"),
    };
    let message = format!(
        "{}: the items have `{1}`, but their partition key `{2}` {has}, so no IAM condition on leading keys can isolate tenants. Begin it with `{{{1}}}`{as_others}.",
        facts.name(),
        tenant.attribute,
        partition.text,
    );
    found.add(NewFinding::at(
        place(facts, entry, KeyPart::Partition),
        message,
    ));
}
