//! Fixes of one template.

use super::apply::gone;
use super::patterns;
use crate::command::edit::edit;
use crate::command::{Command, Refused};
use crate::patterns::shards::{SHARD, shard_of};
use keyfold_core::model::{Design, EntityId, IndexId, KeyPart, Value};
use keyfold_core::template::{self, Segment, Template};

/// Sets a template; the access patterns of the entity follow.
pub(super) fn set(
    design: &mut Design,
    entity: EntityId,
    index: IndexId,
    part: KeyPart,
    text: String,
) -> Result<(), Refused> {
    let old = current(design, entity, index, part)?;
    let parsed = |text: &str| template::parse(text).template;
    // What the fix writes before the old template comes before each condition as it stands.
    let head = text.strip_suffix(old.as_str()).unwrap_or_default();
    let to = parsed(&text);
    let from = parsed(&old);
    // Before the template itself, so that keys are recognized.
    patterns::rewrite(
        design,
        entity,
        index,
        &mut |side, condition, _, _| match side == part {
            true if condition == old => Some(text.clone()),
            // The keys of the entity all get the head.
            true if !head.is_empty() && !old.is_empty() && !condition.is_empty() => {
                Some(format!("{head}{condition}"))
            }
            true => follow(condition, &from, &to).filter(|new| new != condition),
            false => None,
        },
    );
    let text = Some(text);
    edit(
        design,
        Command::SetTemplate {
            entity,
            index,
            part,
            text,
        },
    )
}

fn current(
    design: &Design,
    entity: EntityId,
    index: IndexId,
    part: KeyPart,
) -> Result<String, Refused> {
    let entry = (design.entities.get(&entity)).and_then(|entity| entity.keys.get(&index));
    let text = entry.and_then(|entry| match part {
        KeyPart::Partition => entry.partition.clone(),
        KeyPart::Sort => entry.sort.clone(),
    });
    text.ok_or_else(|| gone("template"))
}

/// Converts a condition on keys of the template `from` to one on keys of the template `to`, with as many parts. Parameters
/// keep their names and get the modifiers of the placeholder at their place. `None` if the attributes of the two templates
/// are not the same, in the same order.
fn follow(condition: &str, from: &Template, to: &Template) -> Option<String> {
    let template = template::parse(condition).template;
    if template.segments.is_empty() {
        return None;
    }
    let mut text = String::new();
    let mut target = to.segments.iter();
    for (at, segment) in template.segments.iter().enumerate() {
        let last = at + 1 == template.segments.len();
        match (segment, from.segments.get(at)?) {
            (Segment::Placeholder(own), Segment::Placeholder(old)) => {
                // New literals are added.
                let new = loop {
                    match target.next()? {
                        Segment::Placeholder(new) => break new,
                        Segment::Literal { text: literal, .. } => text.push_str(&escaped(literal)),
                        Segment::Broken { .. } => return None,
                    }
                };
                if new.attribute != old.attribute {
                    return None;
                }
                let mut placeholder = own.clone();
                if own.modifiers == old.modifiers {
                    placeholder.modifiers.clone_from(&new.modifiers);
                }
                text.push_str(&placeholder.to_string());
            }
            (Segment::Literal { text: own, .. }, Segment::Literal { text: old, .. })
                if own == old || last && old.starts_with(own.as_str()) =>
            {
                match target.clone().next() {
                    Some(Segment::Literal { text: new, .. }) => {
                        target.next();
                        let short = own != old && new.starts_with(own.as_str());
                        text.push_str(&escaped(if short { own } else { new }));
                    }
                    _ => text.push_str(&escaped(own)),
                }
            }
            _ => return None,
        }
    }
    Some(text)
}

fn escaped(literal: &str) -> String {
    literal.replace('{', "{{").replace('}', "}}")
}

/// Adds a shard to the partition key. Queries then read one `{shard}`, which is that of their sample; reads of single
/// items use the whole new key.
pub(super) fn shard(
    design: &mut Design,
    entity: EntityId,
    index: IndexId,
    attribute: &str,
    count: u32,
) -> Result<(), Refused> {
    let old = current(design, entity, index, KeyPart::Partition)?;
    let delimiter = (design.delimiter.literal("{"))
        .ok_or_else(|| Refused("no template can contain the delimiter as text".to_owned()))?;
    let before = design.clone();
    let shard = format!("{{{attribute}:shard({count})}}");
    let sharded = format!("{old}{delimiter}{shard}");
    let shard = template::parse(&shard).template;
    patterns::rewrite(
        design,
        entity,
        index,
        &mut |side, condition, pattern, query| {
            if side != KeyPart::Partition || condition != old {
                return None;
            }
            if !query {
                return Some(sharded.clone());
            }
            let value = shard_of(&before, entity, pattern.sample, &shard);
            let value = value.unwrap_or_else(|| Value::from("0"));
            pattern.parameters.insert(SHARD.to_owned(), value);
            Some(format!("{condition}{delimiter}{{{SHARD}}}"))
        },
    );
    let text = Some(sharded);
    edit(
        design,
        Command::SetTemplate {
            entity,
            index,
            part: KeyPart::Partition,
            text,
        },
    )
}
