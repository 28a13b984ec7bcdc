//! Times before ids in the primary key.

use crate::engine::generate::name_meanings::{IDS, among, is_time, own_id, words};
use crate::lint::entity_facts::EntityFacts;
use crate::lint::{Check, Context, Fix, Found, NewFinding, Place, Rule, Severity};
use crate::model::{AttributeType, Format, IndexId, KeyPart, Operation, SortOperator};
use crate::template::{Modifier, Segment};

/// An item cannot be read by its id alone, because the time of its creation precedes the id.
pub const RULE: Rule = Rule {
    code: "K016",
    name: "time-before-id",
    severity: Severity::Info,
    check: Check::Design(check),
};

fn check(context: &Context, found: &mut Found) {
    for facts in context.entities.values() {
        let Some((time, id)) = time_and_id(context, facts) else {
            continue;
        };
        if !is_read_alone(context, facts) {
            continue;
        }
        let sort = facts.primary().and_then(|entry| entry.sort());
        let format = (facts.entity.attribute(&id)).and_then(|id| id.format.as_ref());
        let what_to_do = match format {
            Some(Format::Ulid | Format::Ksuid) => format!(
                "Leave `{time}` out: `{id}` contains the time at which it was made, and sorts by it."
            ),
            _ => format!("Make `{id}` a ULID, which contains the time."),
        };
        let message = format!(
            "{}: `{time}` precedes `{id}` in the sort key `{}`, so no item can be read by `{id}` alone. {what_to_do}",
            facts.name(),
            sort.map_or("", |sort| &sort.text),
        );
        let place = Place::Template(facts.id, IndexId::PRIMARY, KeyPart::Sort);
        let fix = Fix::Ulid {
            entity: facts.id,
            time,
            id,
        };
        found.add(NewFinding::at(place, message).fix(fix));
    }
}

/// Returns the time, and the entity's own id that follows it, in the sort key of the table.
fn time_and_id(context: &Context, facts: &EntityFacts) -> Option<(String, String)> {
    let primary = facts.primary()?;
    let (partition, sort) = (primary.partition()?, primary.sort()?);
    if !primary.side(KeyPart::Sort).next()?.own {
        return None;
    }
    let delimiter = &context.design.delimiter.delimiter;
    for three in sort.template.segments.windows(3) {
        let [
            Segment::Placeholder(time),
            Segment::Literal { text, .. },
            Segment::Placeholder(id),
        ] = three
        else {
            continue;
        };
        let at = facts.entity.attribute(&time.attribute)?;
        let of = facts.entity.attribute(&id.attribute)?;
        let dated = matches!(
            at.format,
            Some(Format::Date { .. } | Format::Timestamp { .. })
        );
        let date = time.modifiers.as_slice();
        let timely = (dated || is_time(&at.name)) && matches!(date, [] | [Modifier::Date]);
        let timely = timely && is_creation(&at.name);
        let words = words(&of.name);
        let named = words.last().is_some_and(|last| among(IDS, last));
        let own = named && !matches!(of.format, Some(Format::Reference { .. }));
        let plain = id.modifiers.is_empty() && of.kind == AttributeType::S;
        if !timely || !own || !plain || text != delimiter {
            continue;
        }
        // If the partition key needs the time too, the id alone is never enough.
        if partition.template.uses(&at.name)
            || of.name != own_id(facts.name()) && !is_last(facts, &of.name)
        {
            continue;
        }
        return Some((at.name.clone(), of.name.clone()));
    }
    None
}

/// Words of times at which items come into being.
const CREATION: &str =
    "created creation placed ordered posted submitted registered uploaded recorded logged";

/// Whether the name is that of the time at which an item comes into being. A ULID made then has this time, but not another
/// one, as that of `dueDate`.
fn is_creation(name: &str) -> bool {
    let words = words(name);
    let is_alone = words.len() == 1 && among("at timestamp time", &words[0]);
    is_alone || words.iter().any(|word| among(CREATION, word))
}

/// Whether the attribute is the last of the sort key, and so identifies the items.
fn is_last(facts: &EntityFacts, name: &str) -> bool {
    let sort = facts.primary().and_then(|entry| entry.sort());
    sort.is_some_and(|sort| sort.template.attributes().last() == Some(name))
}

/// Whether access patterns read or change single items and none queries a range of time. Also true if no access pattern
/// reads the entity.
fn is_read_alone(context: &Context, facts: &EntityFacts) -> bool {
    let (mut alone, mut read) = (false, false);
    for pattern in context.patterns.values() {
        if !pattern.finds(facts.id) {
            continue;
        }
        read = true;
        match &pattern.pattern.operation {
            Operation::Query { sort, .. } => {
                let ranges = sort.iter().any(|condition| {
                    !matches!(
                        condition.operator,
                        SortOperator::BeginsWith | SortOperator::Equal
                    ) || condition.value.contains('{')
                });
                if ranges {
                    return false;
                }
            }
            Operation::Scan { .. } => {}
            _ => alone = true,
        }
    }
    alone || !read
}
