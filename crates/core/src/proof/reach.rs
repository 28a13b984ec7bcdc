//! What a pattern's key condition can find, with an example, or how near it comes: the answers of
//! [`key_condition`](crate::engine::key_condition) for all entities.

use crate::engine::key_condition::{KeyCondition, KeyTest, parameter_shape};
use crate::engine::languages::{KeyValues, key_templates, key_values, values_of};
use crate::model::{
    AccessPattern, Design, Entity, EntityId, IndexId, ItemKey, KeyPart, KeyType, SortCondition,
    entities_of,
};
use crate::template::TooLarge;

/// An entity of which a pattern can find items.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReachableEntity {
    /// The entity.
    pub entity: EntityId,
    /// Whether the access pattern is meant to return it; true for all entities if it names none.
    pub intended: bool,
    /// A key that the pattern can find: each key attribute with a value, of a key of type N or B its template.
    pub example: Vec<(String, String)>,
}

/// How near a key condition comes to an entity's keys.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Match {
    /// It can find them; with an example of each key attribute.
    Found(Vec<(String, String)>),
    /// The entity is not in the index.
    NotInIndex,
    /// No key of it has such a partition; with the condition's key attribute. `begins`: some of its partition keys
    /// begin with the value in the condition.
    OtherPartition {
        attribute: String,
        begins: Option<String>,
    },
    /// Its partition matches, but no sort key does; with the key attribute.
    OtherSort { attribute: String },
    /// The condition is not complete, or a template of it has an error.
    NoCondition,
    /// The templates are too large for an answer.
    Unknown,
}

/// The condition of a Query of this pattern.
pub(super) fn query_condition(
    design: &Design,
    pattern: &AccessPattern,
    index: IndexId,
    partition: &[String],
    sort: &[SortCondition],
) -> KeyCondition {
    let shapes = |name: &str| parameter_shape(design, pattern, name);
    KeyCondition::query(design, index, partition, sort, &shapes)
}

/// The condition of an item's primary key in this pattern.
pub(super) fn item_condition(
    design: &Design,
    pattern: &AccessPattern,
    key: &ItemKey,
) -> KeyCondition {
    let shapes = |name: &str| parameter_shape(design, pattern, name);
    KeyCondition::key(design, key, &shapes)
}

/// How near a condition comes to an entity's keys.
pub(super) fn matches(design: &Design, condition: &KeyCondition, entity: EntityId) -> Match {
    let Some(entity) = design.entities.get(&entity) else {
        return Match::NotInIndex;
    };
    if !condition.is_complete {
        return Match::NoCondition;
    }
    let (Some(key), Some(mut templates)) = (
        design.key(condition.index),
        key_templates(design, entity, condition.index),
    ) else {
        return Match::NotInIndex;
    };
    if !has_primary_key(design, entity) {
        return Match::NotInIndex;
    }
    let sorts = templates.split_off(key.partition.len());
    let mut example = Vec::new();
    let mut unknown = false;
    let sides = [
        (KeyPart::Partition, &key.partition, templates),
        (KeyPart::Sort, &key.sort, sorts),
    ];
    for (part, attributes, templates) in sides {
        for (at, (attribute, template)) in attributes.iter().zip(templates).enumerate() {
            let test = condition.test(part, at);
            let is_other = |begins| match part {
                KeyPart::Partition => Match::OtherPartition {
                    attribute: attribute.name.clone(),
                    begins,
                },
                KeyPart::Sort => Match::OtherSort {
                    attribute: attribute.name.clone(),
                },
            };
            // Most of the other entities' keys begin with other text, and need no closer look.
            if attribute.kind == KeyType::S && test.is_some_and(|test| !test.may_pass(&template)) {
                return is_other(None);
            }
            let own = values_of(design, entity, attribute, template);
            match passing(&own, test) {
                Err(TooLarge) => unknown = true,
                Ok(Some(key)) => example.push((attribute.name.clone(), key)),
                Ok(None) => {
                    let begins = (own.language.as_ref().zip(test))
                        .filter(|_| part == KeyPart::Partition)
                        .and_then(|(own, test)| test.value.language().is_prefix_in(own).ok()?);
                    return is_other(begins);
                }
            }
        }
    }
    match unknown {
        true => Match::Unknown,
        false => Match::Found(example),
    }
}

/// A value of a key attribute that passes the test, if there is one; else any value. Of a key of type N or B its
/// template.
fn passing(own: &KeyValues, test: Option<KeyTest>) -> Result<Option<String>, TooLarge> {
    match (&own.language, test) {
        (Some(own), Some(test)) => test.example(own),
        (Some(own), None) => own.within(None, None),
        (None, _) => Ok(Some(own.template.to_string())),
    }
}

/// The entities that a condition can find, and those of which that is not known, in the order of their ids.
pub(super) fn reachable(
    design: &Design,
    pattern: &AccessPattern,
    condition: &KeyCondition,
) -> (Vec<ReachableEntity>, Vec<EntityId>) {
    let (mut reached, mut unsure) = (Vec::new(), Vec::new());
    for id in design.entities.keys() {
        match matches(design, condition, *id) {
            Match::Found(example) => reached.push(ReachableEntity {
                entity: *id,
                intended: is_intended(pattern, *id),
                example,
            }),
            Match::Unknown => unsure.push(*id),
            _ => {}
        }
    }
    (reached, unsure)
}

/// The entities whose items are in the table or an index, as far as their templates say.
pub(super) fn inhabitants(
    design: &Design,
    pattern: &AccessPattern,
    index: IndexId,
) -> Vec<ReachableEntity> {
    let ids = design.entities.keys();
    ids.filter_map(|id| inhabitant(design, pattern, index, *id))
        .collect()
}

/// An entity whose items are in the table or an index.
pub(super) fn inhabitant(
    design: &Design,
    pattern: &AccessPattern,
    index: IndexId,
    id: EntityId,
) -> Option<ReachableEntity> {
    let entity = design.entities.get(&id)?;
    let values = key_values(design, entity, index).filter(|_| has_primary_key(design, entity))?;
    let mut example = Vec::new();
    for own in &values {
        // Which value it is does not matter here.
        let value = passing(own, None).unwrap_or_else(|TooLarge| Some(own.template.to_string()))?;
        example.push((own.attribute.name.clone(), value));
    }
    Some(ReachableEntity {
        entity: id,
        intended: is_intended(pattern, id),
        example,
    })
}

/// Whether the table can store items of an entity.
fn has_primary_key(design: &Design, entity: &Entity) -> bool {
    key_templates(design, entity, IndexId::PRIMARY).is_some()
}

/// The message if items of an entity are in no index, because the table cannot store them.
pub(super) fn not_stored(design: &Design, id: EntityId) -> Option<String> {
    let entity = design.entities.get(&id)?;
    (!has_primary_key(design, entity)).then(|| format!("`{}` has no primary key", entity.name))
}

/// Whether the entity is intended: one of the pattern's entities, or any if it names none.
pub(super) fn is_intended(pattern: &AccessPattern, entity: EntityId) -> bool {
    let mut intended = entities_of(pattern).peekable();
    intended.peek().is_none() || intended.any(|id| id == entity)
}
