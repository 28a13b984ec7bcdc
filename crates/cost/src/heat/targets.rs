//! Which partition keys requests and stored items are about, with the number of their values and how requests fall on
//! them.

use super::popularity::Popularity;
use crate::CostModel;
use crate::units::PatternUnits;
use keyfold_core::engine::languages::key_templates;
use keyfold_core::model::{
    AccessPatternId, Design, Entity, EntityId, Format, IndexId, Operation, Shape, Skew, SortedMap,
    Test, WriteAction, entities_of,
};
use keyfold_core::template::{self, Modifier, Placeholder, Segment, Template};
use std::sync::{Arc, Mutex, PoisonError};

/// A partition key of a request or of an entity's items.
#[derive(Debug)]
pub(super) struct Target {
    /// The number of the action that writes it; `None` for reads and stored items.
    pub action: Option<usize>,
    pub kind: String,
    pub template: String,
    /// The first attribute whose number of values is a guess from the samples.
    pub guessed: Option<String>,
    pub popularity: Arc<Popularity>,
}

type Known<K> = Mutex<SortedMap<K, Arc<Vec<Target>>>>;

/// The partition keys of requests and items that are known already. They do not depend on rates, so that an edit of a rate
/// finds all of them.
#[derive(Debug, Default)]
pub(crate) struct Targets {
    of_patterns: Known<(IndexId, AccessPatternId)>,
    of_entities: Known<(IndexId, EntityId)>,
}

/// What is known under a key, or made now.
fn known<K: Ord + Copy>(
    all: &Known<K>,
    key: K,
    make: impl FnOnce() -> Vec<Target>,
) -> Arc<Vec<Target>> {
    let mut all = all.lock().unwrap_or_else(PoisonError::into_inner);
    all.entry(key).or_insert_with(|| Arc::new(make())).clone()
}

/// Each partition key of a request, on the table or an index.
pub(super) fn pattern_targets(
    model: &CostModel,
    index: IndexId,
    id: AccessPatternId,
    found: &PatternUnits,
) -> Arc<Vec<Target>> {
    known(&model.targets.of_patterns, (index, id), || {
        find_targets(model, index, id, found)
    })
}

fn find_targets(
    model: &CostModel,
    index: IndexId,
    id: AccessPatternId,
    found: &PatternUnits,
) -> Vec<Target> {
    let design = &model.design;
    let pattern = &design.access_patterns[&id];
    let intended: Vec<EntityId> = entities_of(pattern).collect();
    let target = |action, templates: Vec<Template>, entities: Vec<EntityId>| {
        let mut dimensions = Dimensions::new(model, index, &entities);
        dimensions.pattern = Some(id);
        Target {
            action,
            ..dimensions.target(&templates)
        }
    };
    let read = |partition: &[String]| {
        let templates = parsed(partition);
        let entities = addressed(design, index, &intended, &templates);
        target(None, templates, entities)
    };
    match &pattern.operation {
        Operation::Query { partition, .. } => vec![read(partition)],
        Operation::Scan { .. } => Vec::new(),
        Operation::Write(_) | Operation::TransactWriteItems { .. } => {
            let actions = pattern.operation.actions().iter().zip(&found.actions);
            let keys = actions.enumerate().filter_map(|(at, (action, units))| {
                let (templates, entities) =
                    written_key(design, index, action, units.entity, &intended)?;
                Some(target(Some(at), templates, entities))
            });
            keys.collect()
        }
        operation => {
            let keys = operation.keys().into_iter();
            keys.map(|key| read(std::slice::from_ref(&key.partition)))
                .collect()
        }
    }
}

/// The entities whose partition keys have the form of these templates: of the intended ones, or else of all; the intended
/// ones if there is none.
fn addressed(
    design: &Design,
    index: IndexId,
    intended: &[EntityId],
    templates: &[Template],
) -> Vec<EntityId> {
    let fits = |id: &EntityId| {
        let entity = design.entities.get(id);
        let own = entity.and_then(|entity| partition_templates(design, entity, index));
        own.is_some_and(|own| is_of_form(&own, templates))
    };
    let among = |ids: &mut dyn Iterator<Item = &EntityId>| -> Vec<EntityId> {
        ids.filter(|id| fits(id)).copied().collect()
    };
    let of_intended = among(&mut intended.iter());
    let found = match of_intended.is_empty() {
        true => among(&mut design.entities.keys()),
        false => of_intended,
    };
    match found.is_empty() {
        true => intended.to_vec(),
        false => found,
    }
}

/// Whether templates differ only in their placeholders.
fn is_of_form(own: &[Template], asked: &[Template]) -> bool {
    let same = |(own, asked): (&Segment, &Segment)| match (own, asked) {
        (Segment::Placeholder(_), Segment::Placeholder(_)) => true,
        (Segment::Literal { text: own, .. }, Segment::Literal { text: asked, .. }) => own == asked,
        _ => false,
    };
    let same = |(own, asked): (&Template, &Template)| {
        own.segments.len() == asked.segments.len()
            && own.segments.iter().zip(&asked.segments).all(same)
    };
    own.len() == asked.len() && own.iter().zip(asked).all(same)
}

/// The partition key that a write action writes in the table or an index, and the entities that have it; `None` if it writes
/// none. `entity` is that of its item, if that is known.
fn written_key(
    design: &Design,
    index: IndexId,
    action: &WriteAction,
    entity: Option<EntityId>,
    intended: &[EntityId],
) -> Option<(Vec<Template>, Vec<EntityId>)> {
    if let (Some(key), true) = (action.key(), index.is_primary()) {
        let templates = parsed(std::slice::from_ref(&key.partition));
        let entities = match entity {
            Some(entity) => vec![entity],
            None => addressed(design, index, intended, &templates),
        };
        return Some((templates, entities));
    }
    let written = |id: EntityId| {
        let templates = partition_templates(design, design.entities.get(&id)?, index)?;
        Some((templates, vec![id]))
    };
    match entity {
        Some(entity) => written(entity),
        None => intended.iter().copied().find_map(written),
    }
}

/// The kind of an entity's partition keys in the table or a GSI; `None` if it has none there.
pub(super) fn kind_of(
    model: &CostModel,
    index: IndexId,
    id: EntityId,
    entity: &Entity,
) -> Option<String> {
    let own = stored_target(model, index, id, entity);
    own.first().map(|target| target.kind.clone())
}

/// The partition key of an entity's items in the table or a GSI; empty if it has none there.
pub(super) fn stored_target(
    model: &CostModel,
    index: IndexId,
    id: EntityId,
    entity: &Entity,
) -> Arc<Vec<Target>> {
    known(&model.targets.of_entities, (index, id), || {
        let templates = partition_templates(&model.design, entity, index);
        let target = templates.map(|templates| {
            let mut dimensions = Dimensions::new(model, index, std::slice::from_ref(&id));
            dimensions.stored = true;
            dimensions.target(&templates)
        });
        target.into_iter().collect()
    })
}

fn parsed(texts: &[String]) -> Vec<Template> {
    texts
        .iter()
        .map(|text| template::parse(text).template)
        .collect()
}

/// The templates of the partition key of an entity's entries.
pub(super) fn partition_templates(
    design: &Design,
    entity: &Entity,
    index: IndexId,
) -> Option<Vec<Template>> {
    let mut templates = key_templates(design, entity, index)?;
    templates.truncate(design.key(index)?.partition.len());
    Some(templates)
}

pub(super) fn text_of(templates: &[Template]) -> String {
    let texts: Vec<String> = templates.iter().map(Template::to_string).collect();
    texts.join(" / ")
}

/// A placeholder of a partition key with several values.
struct Part {
    attribute: String,
    popularity: Popularity,
    count: Count,
}

/// Where the number of values of a placeholder comes from.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Count {
    /// Shards of a sharded placeholder.
    Shards,
    /// The user, or the format of the attribute.
    Stated,
    /// The samples.
    Guessed,
}

/// The values of a partition key: the kind of key, and how requests fall on them.
struct Dimensions<'a> {
    model: &'a CostModel,
    index: IndexId,
    entities: &'a [EntityId],
    /// The access pattern whose skews count; all of them for stored items.
    pattern: Option<AccessPatternId>,
    stored: bool,
    kind: String,
    /// The first attribute whose number of values is a guess from the samples.
    guessed: Option<String>,
}

impl<'a> Dimensions<'a> {
    fn new(model: &'a CostModel, index: IndexId, entities: &'a [EntityId]) -> Dimensions<'a> {
        Dimensions {
            model,
            index,
            entities,
            pattern: None,
            stored: false,
            kind: String::new(),
            guessed: None,
        }
    }

    fn target(mut self, templates: &[Template]) -> Target {
        let popularity = Arc::new(self.add_all(templates));
        Target {
            action: None,
            kind: self.kind,
            template: text_of(templates),
            guessed: self.guessed,
            popularity,
        }
    }

    fn add_all(&mut self, templates: &[Template]) -> Popularity {
        let design = &self.model.design;
        let own = self.entities.iter().find_map(|id| {
            let own = partition_templates(design, design.entities.get(id)?, self.index)?;
            Some(own).filter(|own| is_of_form(own, templates))
        });
        let mut parts = Vec::new();
        for (at, template) in templates.iter().enumerate() {
            if at > 0 {
                self.kind.push_str(" / ");
            }
            let own = own.as_ref().map(|own| &own[at].segments[..]);
            for (number, segment) in template.segments.iter().enumerate() {
                match segment {
                    Segment::Literal { text, .. } | Segment::Broken { text, .. } => {
                        self.kind.push_str(text);
                    }
                    Segment::Placeholder(placeholder) => {
                        let own = own.and_then(|own| own.get(number));
                        let own = match own {
                            Some(Segment::Placeholder(own)) => own,
                            _ => placeholder,
                        };
                        parts.extend(self.placeholder(placeholder, own));
                    }
                }
            }
        }
        self.combined(&parts)
    }

    /// The popularity of a key with these placeholders. Shards are independent of all values; these may depend on each
    /// other: a flight has one number and one date.
    fn combined(&self, parts: &[Part]) -> Popularity {
        let (shards, values): (Vec<_>, Vec<_>) =
            parts.iter().partition(|part| part.count == Count::Shards);
        let mut names: Vec<&str> = values.iter().map(|part| part.attribute.as_str()).collect();
        names.sort_unstable();
        names.dedup();
        let limit = match names.len() {
            0 | 1 => f64::INFINITY,
            _ => self.model.assumptions.combinations(
                &self.model.design,
                self.entities,
                &names,
                values.iter().all(|part| part.count == Count::Guessed),
            ),
        };
        let popularity = |parts: Vec<&Part>| -> Vec<Popularity> {
            parts
                .into_iter()
                .map(|part| part.popularity.clone())
                .collect()
        };
        let values = Popularity::combined(&popularity(values), limit);
        (popularity(shards).iter()).fold(values, |all, shard| all.and(shard))
    }

    /// What is known of a placeholder's values; `None` for one value. `own` is the placeholder of the entity's template.
    fn placeholder(&mut self, asked: &Placeholder, own: &Placeholder) -> Option<Part> {
        if let Some(value) = self.only_value(&own.attribute) {
            self.kind.push_str(&value);
            return None;
        }
        self.kind.push_str("{}");
        let skew = self
            .skew(&asked.attribute)
            .or_else(|| self.skew(&own.attribute));
        let assumptions = &self.model.assumptions;
        let assumed = || assumptions.values(&self.model.design, self.entities, &own.attribute);
        let stated = skew.and_then(|skew| skew.values);
        let (values, count) = match stated.filter(|values| *values >= 1.0) {
            Some(values) => (values, Count::Stated),
            None => {
                let found = assumed();
                if !found.stated && self.guessed.is_none() {
                    self.guessed = Some(own.attribute.clone());
                }
                let count = if found.stated {
                    Count::Stated
                } else {
                    Count::Guessed
                };
                (found.value, count)
            }
        };
        let part = |popularity, count| Part {
            attribute: own.attribute.clone(),
            popularity,
            count,
        };
        match own.modifiers.last() {
            // The assumed number of values is that of the samples; what is sharded has more values than shards.
            Some(Modifier::Shard(count)) => {
                let shards = f64::from(*count);
                let values = stated.map_or(shards, |values| values.min(shards));
                Some(part(
                    Popularity::of(Shape::Even, values.max(1.0)),
                    Count::Shards,
                ))
            }
            // Requests are for the present day, month or year.
            Some(Modifier::Date | Modifier::Month | Modifier::Year) if !self.stored => None,
            _ => {
                let popularity = match skew {
                    Some(skew) => Popularity::of(skew.shape, values),
                    None => (self.as_generated(&own.attribute))
                        .unwrap_or_else(|| Popularity::of(Shape::Even, values)),
                };
                Some(part(popularity, count))
            }
        }
    }

    /// The popularity of an attribute's choices as samples are generated: by their weights. `None` if it has none.
    fn as_generated(&self, attribute: &str) -> Option<Popularity> {
        let mut entities =
            (self.entities.iter()).filter_map(|id| self.model.design.entities.get(id));
        let format = entities.find_map(|entity| entity.attribute(attribute)?.format.as_ref())?;
        match format {
            Format::OneOf(choices) => {
                Popularity::weighted(choices.iter().map(|choice| f64::from(choice.weight)))
            }
            _ => None,
        }
    }

    /// The value of an attribute that the condition of the entity's entry fixes.
    fn only_value(&self, attribute: &str) -> Option<String> {
        self.entities.iter().find_map(|id| {
            let entry = self.model.design.entities.get(id)?.keys.get(&self.index)?;
            let condition = entry.when.iter().find(|when| when.attribute == attribute)?;
            match &condition.test {
                Test::Equals(value) => Some(value.to_text()),
                _ => None,
            }
        })
    }

    fn skew(&self, name: &str) -> Option<Skew> {
        let design = &self.model.design;
        let assumptions = &self.model.assumptions;
        if let Some(pattern) = self.pattern {
            return assumptions.skew(design, pattern, name);
        }
        // Stored items lie as the writes of their entity fall.
        let writes = design.access_patterns.iter().filter(|(_, pattern)| {
            let mut puts = pattern
                .operation
                .actions()
                .iter()
                .filter_map(WriteAction::put);
            puts.any(|put| self.entities.contains(&put))
        });
        let mut skews = writes.filter_map(|(id, _)| assumptions.skew(design, *id, name));
        skews.next()
    }
}
