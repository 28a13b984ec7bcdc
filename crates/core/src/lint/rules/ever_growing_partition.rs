//! Logs that keep appending to one partition.

use super::{key_name, place};
use crate::engine::generate::name_meanings::{among, is_time, words};
use crate::lint::entity_facts::{EntityFacts, is_text};
use crate::lint::{Check, Context, Fix, Found, NewFinding, Rule, Severity};
use crate::model::{AttributeType, Format, IndexId, KeyPart};

/// The partition key of a log names no month, and TTL does not delete its items.
pub const RULE: Rule = Rule {
    code: "K015",
    name: "ever-growing-partition",
    severity: Severity::Info,
    check: Check::Entity(check),
};

/// Last words of the names of entities that are recorded once and never changed.
const LOGS: &str = "event log entry audit activity metric reading measurement telemetry message notification click \
    impression view trace span heartbeat point tick sample";

fn check(context: &Context, facts: &EntityFacts, found: &mut Found) {
    let words = words(facts.name());
    if !words.last().is_some_and(|last| among(LOGS, last)) {
        return;
    }
    let Some(primary) = facts
        .entry(IndexId::PRIMARY)
        .filter(|entry| entry.is_whole())
    else {
        return;
    };
    let (Some(partition), Some(sort)) = (primary.partition(), primary.sort()) else {
        return;
    };
    let timely = |name: &str| {
        let attribute = facts.entity.attribute(name);
        let format = attribute.and_then(|attribute| attribute.format.as_ref());
        let sorts = matches!(
            format,
            Some(Format::Timestamp { .. } | Format::Date { .. } | Format::Ulid | Format::Ksuid)
        );
        is_time(name) || sorts
    };
    let first = sort.template.attributes().next();
    let expires = (context.design.table.ttl_attribute.as_deref())
        .and_then(|name| facts.entity.attribute(name))
        .is_some_and(|attribute| attribute.kind == AttributeType::N);
    if !first.is_some_and(timely) || partition.template.attributes().any(timely) || expires {
        return;
    }
    let message = format!(
        "{}: every item goes to the end of `{}`, one partition that grows without limit. Add the month to the {} (`{{timestamp:month}}`), or expire items with TTL.",
        facts.name(),
        partition.text,
        key_name(context.design, primary, KeyPart::Partition),
    );
    let place = place(facts, primary, KeyPart::Partition);
    let mut finding = NewFinding::at(place, message);
    let dated = (facts.entity.attributes.iter()).find(|attribute| {
        Some(attribute.name.as_str()) == first
            && attribute.kind == AttributeType::S
            && !matches!(attribute.format, Some(Format::Ulid | Format::Ksuid))
    });
    let own = primary
        .side(KeyPart::Partition)
        .all(|key| key.own && is_text(key));
    if let Some(time) = dated.filter(|_| own)
        && let Some(delimiter) = context.design.delimiter.literal("{")
    {
        finding = finding.fix(Fix::SetTemplate {
            entity: facts.id,
            index: IndexId::PRIMARY,
            part: KeyPart::Partition,
            text: format!("{}{delimiter}{{{}:month}}", partition.text, time.name),
        });
    }
    found.add(finding);
}
