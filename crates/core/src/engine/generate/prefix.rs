//! The literal that a design writes before a value in partition keys.

use super::references::References;
use crate::engine::key_sources::templates;
use crate::model::{AttributeType, Design, EntityId, Format, KeyPart};
use crate::template::{self, Segment, Template};

/// Returns the literal before the attribute where it alone makes a partition key: `ACCOUNT#` if an entity has
/// `ACCOUNT#{username}`, for `username` of all entities, and for attributes that refer to it. The primary key counts more
/// than an index. `None` if there is no such template.
pub fn prefix(design: &Design, id: EntityId, attribute: &str) -> Option<String> {
    let entity = design.entities.get(&id)?;
    // `id` is another thing in each entity.
    let same = match attribute {
        "id" => None,
        _ => design
            .entities
            .keys()
            .find_map(|other| of(design, *other, attribute, true)),
    };
    let referred = || {
        let found = entity.attribute(attribute)?;
        let format = match &found.format {
            Some(format) => Some(format.clone()),
            None if matches!(found.kind, AttributeType::S | AttributeType::N) => {
                let references = References::new(design);
                references.guess(references.owner(id)?, found)
            }
            None => None,
        };
        match format? {
            Format::Reference {
                entity, attribute, ..
            } => of(design, entity, &attribute, true)
                .or_else(|| of(design, entity, &attribute, false)),
            _ => None,
        }
    };
    same.or_else(referred).or_else(|| {
        let mut others = design.entities.keys().filter(|_| attribute != "id");
        others.find_map(|other| of(design, *other, attribute, false))
    })
}

/// The literal of one entity's partition key that consists of it and the attribute.
fn of(design: &Design, id: EntityId, attribute: &str, is_primary: bool) -> Option<String> {
    let entity = design.entities.get(&id)?;
    let mut partitions = templates(design, entity)
        .filter(|key| key.part == KeyPart::Partition && key.index.is_primary() == is_primary)
        // Parsing costs much more.
        .filter(|key| key.text.contains(attribute));
    partitions.find_map(|key| literal_before(&template::parse(key.text).template, attribute))
}

fn literal_before(template: &Template, attribute: &str) -> Option<String> {
    match template.segments.as_slice() {
        [
            Segment::Literal { text, .. },
            Segment::Placeholder(placeholder),
        ] if placeholder.attribute == attribute && placeholder.modifiers.is_empty() => {
            Some(text.clone())
        }
        _ => None,
    }
}
