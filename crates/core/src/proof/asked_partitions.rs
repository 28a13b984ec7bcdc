//! The values that a query gives for the placeholders of a partition key: whether they are one of many shards or dates.

use super::Spread;
use super::reach::ReachableEntity;
use crate::engine::key_condition::KeyCondition;
use crate::engine::key_condition::aligned;
use crate::engine::languages::key_templates;
use crate::model::{Design, IndexId};
use crate::template::{Modifier, Placeholder};

/// A placeholder of a query's partition key, and the one in its place in an entity's template.
pub(super) struct AskedPlaceholder {
    asked: Placeholder,
    own: Placeholder,
}

impl AskedPlaceholder {
    /// Whether the query gives the attribute as the template writes it.
    fn is_same(&self) -> bool {
        let (asked, own) = (&self.asked, &self.own);
        asked.attribute == own.attribute && asked.modifiers == own.modifiers
    }
}

/// Compares the partition key of a query with the templates of the intended entities that it reaches.
pub(super) fn asked_partitions(
    design: &Design,
    index: IndexId,
    condition: &KeyCondition,
    reach: &[ReachableEntity],
) -> Vec<AskedPlaceholder> {
    let mut found = Vec::new();
    for reach in reach.iter().filter(|reach| reach.intended) {
        let entity = design.entities.get(&reach.entity);
        let templates = entity.and_then(|entity| key_templates(design, entity, index));
        for (own, asked) in templates.iter().flatten().zip(&condition.partition) {
            let pairs = aligned(&asked.template, own).into_iter();
            found.extend(pairs.map(|(asked, own)| AskedPlaceholder {
                asked: asked.clone(),
                own: own.clone(),
            }));
        }
    }
    found
}

/// Reports a query by the shard of a value, which finds the items of all values with this shard.
pub(super) fn same_shard(condition: &KeyCondition, all: &[AskedPlaceholder]) -> Option<String> {
    let of_sort = condition.sort.iter().map(|(_, value, _)| value);
    let has_whole = |name: &str| {
        let mut parts = condition.partition.iter().chain(of_sort.clone());
        parts.any(|part| {
            let mut placeholders = part.template.placeholders();
            placeholders.any(|other| other.attribute == name && other.modifiers.is_empty())
        })
    };
    let found = all.iter().find(|pair| {
        let is_shard = matches!(pair.asked.modifiers.last(), Some(Modifier::Shard(2..)));
        is_shard && pair.is_same() && !has_whole(&pair.asked.attribute)
    })?;
    let (shard, name) = (&found.asked, &found.asked.attribute);
    Some(format!(
        "`{shard}` is the same for many values of `{name}`, so the query also finds the items of others"
    ))
}

/// Finds the parameter that stands for one of many partitions.
pub(super) fn spread(all: &[AskedPlaceholder]) -> Option<Spread> {
    all.iter()
        .filter(|pair| !pair.is_same())
        .find_map(|AskedPlaceholder { asked, own }| {
            let queries = match own.modifiers.last() {
                Some(Modifier::Shard(count)) => Some(*count),
                Some(Modifier::Date | Modifier::Month | Modifier::Year) => None,
                _ => return None,
            };
            Some(Spread {
                parameter: asked.attribute.clone(),
                placeholder: own.to_string(),
                queries,
                whole: None,
            })
        })
}
