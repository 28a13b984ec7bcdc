//! Key conditions from an entity's own templates: the user chooses the entity, the index and the length of the
//! sort key is given. What is written ends where a segment of the key ends, so that it cannot match another entity's
//! keys by accident.

use super::range_values::RangeValues;
use super::requirements::{filter_of, rest_of_requirement};
use super::shards::{SHARD, queried_partition, shard_of};
use super::suggested_names;
use crate::suggest::free_name;
use keyfold_core::engine::generate::references;
use keyfold_core::engine::key_sources::{EmptyText, OwnAttribute, Preferred, key_source};
use keyfold_core::model::{
    AccessPattern, AttributeType, Design, Entity, EntityId, Format, IndexId, ItemKey, KeyAttribute,
    KeyType, Operation, Sample, SortCondition, SortOperator, SortedMap, is_time,
};
use keyfold_core::proof::is_read_requirement;
use keyfold_core::template::{self, Modifier, Placeholder, Segment, Template};
use rustc_hash::{FxHashMap, FxHashSet};
use std::borrow::Cow;
use std::sync::Arc;

/// The templates of an entity's key in the table or an index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyTexts {
    /// One for each partition key attribute.
    pub partition: Vec<String>,
    /// One for each sort key attribute that the entity has, from the left without a gap.
    pub sort: Vec<String>,
}

/// One way to read an entity's items.
#[derive(Debug, Clone, PartialEq)]
pub struct Offer {
    /// What is given, such as `sort key begins with PROJECT#`.
    pub text: String,
    /// The read.
    pub operation: Operation,
    /// Values for the ends of its range: no sample has an attribute for these parameters.
    pub range: Option<RangeValues>,
    /// What writes the shard of an item, if a query gives the shard by its number: `{orderId:shard(10)}`.
    pub shard: Option<Template>,
}

/// What writes an entity's key in the table or an index: its own template, the template of another index that has the
/// same key attribute, or a plain attribute of that name. `None` if nothing writes the partition key.
pub fn key_texts(design: &Design, id: EntityId, index: IndexId) -> Option<KeyTexts> {
    let (entity, key) = (design.entities.get(&id)?, design.key(index)?);
    let mut partition = Vec::new();
    for attribute in &key.partition {
        partition.push(writer(design, entity, index, attribute)?);
    }
    let mut sort = Vec::new();
    for attribute in &key.sort {
        match writer(design, entity, index, attribute) {
            Some(text) => sort.push(text),
            None => break,
        }
    }
    Some(KeyTexts { partition, sort })
}

fn writer(
    design: &Design,
    entity: &Entity,
    index: IndexId,
    attribute: &KeyAttribute,
) -> Option<String> {
    let (preferred, empty) = (Preferred::Index(index), EmptyText::Skipped);
    let own = OwnAttribute::OfAnyType;
    let source = key_source(design, entity, &attribute.name, preferred, empty, own);
    source.text().map(Cow::into_owned)
}

/// The table and the indexes that an entity is in, as far as its templates say.
pub fn indexes_of(design: &Design, id: EntityId) -> Vec<IndexId> {
    let mut ids: Vec<IndexId> = design.index_ids().collect();
    ids.retain(|index| key_texts(design, id, *index).is_some());
    ids
}

/// The ways to read an entity's items through the table or an index, from the whole item collection to the one item.
pub fn offers(design: &Design, id: EntityId, index: IndexId) -> Vec<Offer> {
    let mut found = Vec::new();
    let (Some(texts), Some(key)) = (key_texts(design, id, index), design.key(index)) else {
        return found;
    };
    let entity = &design.entities[&id];
    let (partition, shard) = queried_partition(&texts.partition, is_used(&texts, SHARD));
    let mut add = |text: String, sort: Vec<SortCondition>, range| {
        let operation = Operation::Query {
            index,
            partition: partition.clone(),
            sort,
            descending: false,
            limit: None,
            read: Default::default(),
        };
        found.push(Offer {
            text,
            operation,
            range,
            shard: shard.clone(),
        });
    };
    add("the whole item collection".into(), Vec::new(), None);
    let ranges = Ranges {
        entity: id,
        delimiter: &design.delimiter.delimiter,
        taken: is_used(&texts, "from") || is_used(&texts, "to"),
    };
    // The conditions on the attributes before, and in words; only a multi-attribute key has some.
    let mut before: Vec<SortCondition> = Vec::new();
    let mut said = String::new();
    for (text, attribute) in texts.sort.iter().zip(&key.sort) {
        let with = |condition: SortCondition| {
            let mut sort = before.clone();
            sort.push(condition);
            sort
        };
        for step in steps(text, &design.delimiter.delimiter) {
            if step.start > 0 && attribute.kind == KeyType::S {
                let prefix = &text[..step.start];
                let condition = condition(SortOperator::BeginsWith, prefix);
                let text = format!("{said}{} begins with {prefix}", attribute.name);
                add(text, with(condition), None);
            }
            if let Some((condition, values)) = ranges.on(entity, text, &step, attribute.kind) {
                let upper = condition.upper.as_deref().unwrap_or_default();
                let name = &attribute.name;
                let text = format!("{said}{name} from {} to {upper}", condition.value);
                add(text, with(condition), Some(values));
            }
        }
        before.push(condition(SortOperator::Equal, text));
        said += &format!("{} is {text}", attribute.name);
        if !index.is_primary() {
            add(said.clone(), before.clone(), None);
        }
        said += ", ";
    }
    if index.is_primary() && texts.sort.len() == key.sort.len() {
        let key = ItemKey {
            partition: texts.partition.concat(),
            sort: texts.sort.first().cloned(),
        };
        let operation = Operation::GetItem {
            key,
            read: Default::default(),
        };
        found.push(Offer {
            text: "the whole primary key: one item with GetItem".into(),
            operation,
            range: None,
            shard: None,
        });
    }
    let mut known: Vec<Operation> = Vec::new();
    found.retain(|offer| {
        let new = !known.contains(&offer.operation);
        known.push(offer.operation.clone());
        new
    });
    found
}

/// The access pattern with the read that is offered. What the read does not say stays: the direction, the limit, the
/// filter. Without entities and a sample it is about this entity and takes the parameters from its first sample.
pub fn with_offer(
    design: &Design,
    pattern: &AccessPattern,
    id: EntityId,
    offer: &Offer,
) -> AccessPattern {
    let mut next = pattern.clone();
    next.operation = keep_options(design, &pattern.operation, offer.operation.clone());
    if is_read_requirement(&pattern.operation) {
        let rest = rest_of_requirement(design, id, filter_of(&pattern.operation), &offer.operation);
        if let Operation::Query { read, .. } = &mut next.operation {
            read.filter = rest;
        }
    }
    if let Some(range) = &offer.range {
        range.fill(design, &mut next);
    }
    let samples = design.samples_of(id);
    let is_own = |sample| samples.iter().any(|own| own.id == sample);
    if next.entities.len() < 2 {
        next.entities = vec![id];
    }
    if !next.sample.is_some_and(is_own) {
        let index = offer.operation.index().unwrap_or(IndexId::PRIMARY);
        let shown = first_sample_in(design, id, index).or_else(|| samples.first());
        next.sample = shown.map(|sample| sample.id);
    }
    if let Some(shard) = &offer.shard
        && let Some(value) = shard_of(design, id, next.sample, shard)
    {
        next.parameters.entry(SHARD.to_owned()).or_insert(value);
    }
    next
}

/// The first sample of an entity that is in the table or an index, as far as its own values say.
fn first_sample_in(design: &Design, id: EntityId, index: IndexId) -> Option<&Arc<Sample>> {
    let texts = key_texts(design, id, index)?;
    let templates = texts.partition.iter().chain(&texts.sort);
    let templates: Vec<Template> = templates
        .map(|text| template::parse(text).template)
        .collect();
    let names: Vec<&str> = templates.iter().flat_map(Template::attributes).collect();
    let entry = design.entities.get(&id)?.keys.get(&index);
    let when = entry.map_or(&[][..], |entry| &entry.when);
    let is_in = |sample: &&Arc<Sample>| {
        let value = |name: &str| sample.values.get(name);
        let has = |name: &&str| value(name).is_some() || design.table.is_type_attribute(name);
        names.iter().all(has) && when.iter().all(|test| test.holds(value(&test.attribute)))
    };
    design.samples_of(id).iter().find(is_in)
}

/// A read from a statement, with what a statement does not say: the limit and the consistency of the read before.
pub fn with_options(design: &Design, old: &Operation, mut new: Operation) -> Operation {
    let most = old.limit();
    let strong = old.read().is_some_and(|read| read.consistent);
    if let Operation::Query { limit, .. } | Operation::Scan { limit, .. } = &mut new {
        *limit = most;
    }
    let is_gsi = new.index().is_some_and(|index| design.is_gsi(index));
    if let Some(read) = new.read_mut() {
        read.consistent = strong && !is_gsi;
    }
    new
}

/// `new` with the options of `old`, as far as both have them.
fn keep_options(design: &Design, old: &Operation, mut new: Operation) -> Operation {
    let kept = old.read().cloned();
    match &mut new {
        Operation::GetItem { read, .. } => {
            let kept = kept.unwrap_or_default();
            (read.projection, read.consistent) = (kept.projection, kept.consistent);
        }
        Operation::Query {
            read,
            descending,
            limit,
            index,
            ..
        } => {
            *read = kept.unwrap_or_default();
            read.consistent &= !design.is_gsi(*index);
            if let Operation::Query {
                descending: was,
                limit: most,
                ..
            } = old
            {
                (*descending, *limit) = (*was, *most);
            }
        }
        _ => {}
    }
    new
}

/// First access patterns for a design: for each entity one item by its key, and its list in the table and in each index
/// where several of them can be in one item collection. Those that it has already are among them, and names can be equal:
/// see [`missing`].
pub fn starters(design: &Design) -> Vec<AccessPattern> {
    let references = references(design);
    let mut found: Vec<AccessPattern> = Vec::new();
    for (id, entity) in &design.entities {
        let mut add = |name: String, offer: &Offer| {
            let pattern = new_pattern(name, offer.operation.clone());
            found.push(with_offer(design, &pattern, *id, offer));
        };
        for index in indexes_of(design, *id) {
            let all = offers(design, *id, index);
            let mut of_all = all.iter();
            if let Some(get) =
                of_all.find(|offer| matches!(offer.operation, Operation::GetItem { .. }))
            {
                add(suggested_names::get(&entity.name), get);
            }
            // An item that is alone in its item collection of the table has no list. In an index it is looked up, such as a
            // user by email address.
            let is_listed = |texts: &KeyTexts| !index.is_primary() || has_list(texts);
            let Some(texts) = key_texts(design, *id, index).filter(is_listed) else {
                continue;
            };
            let partition = template::parse(&texts.partition.concat()).template;
            // What the sort key begins with tells entities apart. With an attribute that the partition key lacks, it would
            // be a part of the list only.
            let is_list = |offer: &&Offer| {
                let Operation::Query { sort, .. } = &offer.operation else {
                    return false;
                };
                sort.first().is_some_and(|first| {
                    let prefix = template::parse(&first.value).template;
                    first.operator == SortOperator::BeginsWith
                        && prefix.attributes().all(|name| partition.uses(name))
                })
            };
            let is_whole = |offer: &&Offer| matches!(&offer.operation, Operation::Query { sort, .. } if sort.is_empty());
            let list = all.iter().find(is_list).or_else(|| {
                let whole = all.iter().find(is_whole);
                whole.filter(|_| !index.is_primary())
            });
            if let Some(list) = list {
                add(
                    suggested_names::list(design, *id, index, &texts.partition, &references),
                    list,
                );
            }
        }
    }
    found
}

/// Those of the [`starters`] that the design does not have, with names that it does not have.
pub fn missing(design: &Design, starters: &[AccessPattern]) -> Vec<AccessPattern> {
    // By entity, so that a large design does not compare all with all.
    let mut known: FxHashMap<&[EntityId], Vec<&Operation>> = FxHashMap::default();
    let mut names: FxHashSet<String> = FxHashSet::default();
    for pattern in design.access_patterns.values() {
        let operations = known.entry(&pattern.entities).or_default();
        operations.push(&pattern.operation);
        names.insert(pattern.name.clone());
    }
    let is_new = |pattern: &&AccessPattern| {
        let known = known.get(&pattern.entities[..]);
        !known.is_some_and(|known| known.contains(&&pattern.operation))
    };
    (starters.iter().filter(is_new))
        .map(|pattern| {
            let name = free_name(&pattern.name, |name| names.contains(name));
            names.insert(name.clone());
            AccessPattern {
                name,
                ..pattern.clone()
            }
        })
        .collect()
}

/// Whether several items of the entity can be in one item collection: the sort key names an attribute that the partition
/// key does not.
fn has_list(texts: &KeyTexts) -> bool {
    let sort = template::parse(&texts.sort.concat()).template;
    let partition = template::parse(&texts.partition.concat()).template;
    sort.attributes().any(|name| !partition.uses(name))
}

/// Returns an access pattern with this name and operation, and defaults for the rest.
pub fn new_pattern(name: String, operation: Operation) -> AccessPattern {
    AccessPattern {
        name,
        description: String::new(),
        operation,
        entities: Vec::new(),
        sample: None,
        parameters: SortedMap::new(),
        rate: None,
    }
}

/// The operation without the options that an offer does not say: the direction, the limit, the filter and so on.
pub fn bare(operation: &Operation) -> Operation {
    match operation {
        Operation::Query {
            index,
            partition,
            sort,
            ..
        } => Operation::Query {
            index: *index,
            partition: partition.clone(),
            sort: sort.clone(),
            descending: false,
            limit: None,
            read: Default::default(),
        },
        Operation::GetItem { key, .. } => Operation::GetItem {
            key: key.clone(),
            read: Default::default(),
        },
        other => other.clone(),
    }
}

fn condition(operator: SortOperator, value: &str) -> SortCondition {
    SortCondition {
        operator,
        value: value.to_owned(),
        upper: None,
    }
}

/// A segment of a template: what stands between two delimiters.
struct TemplateSegment {
    /// Where it starts in the text.
    start: usize,
    /// Where it ends, without the delimiter.
    end: usize,
    /// The placeholder that it consists of, if it is one and nothing else.
    only: Option<Placeholder>,
}

/// The segments of a template, left to right. A template with mistakes has none.
fn steps(text: &str, delimiter: &str) -> Vec<TemplateSegment> {
    let parsed = template::parse(text);
    if !parsed.errors.is_empty() {
        return Vec::new();
    }
    let mut cuts = Vec::new();
    for segment in &parsed.template.segments {
        if let (Segment::Literal { span, .. }, false) = (segment, delimiter.is_empty()) {
            let found = text[span.clone()].match_indices(delimiter);
            cuts.extend(found.map(|(at, _)| span.start + at));
        }
    }
    cuts.push(text.len());
    let mut steps = Vec::new();
    let mut start = 0;
    for end in cuts {
        let mut inside = parsed.template.placeholders();
        let only = inside.find(|p| p.span.start == start && p.span.end == end);
        steps.push(TemplateSegment {
            start,
            end,
            only: only.cloned(),
        });
        start = end + delimiter.len();
    }
    steps
}

fn is_used(texts: &KeyTexts, name: &str) -> bool {
    let all = texts.partition.iter().chain(&texts.sort);
    all.into_iter()
        .any(|text| template::parse(text).template.uses(name))
}

/// Ranges over an entity's values.
struct Ranges<'a> {
    entity: EntityId,
    delimiter: &'a str,
    /// Whether the key has parameters that are called as the ends of a range would be.
    taken: bool,
}

impl Ranges<'_> {
    /// A range over a segment whose order is that of its values: a time, or a number in a key that keeps its order.
    /// Its ends are those of the samples.
    fn on(
        &self,
        entity: &Entity,
        text: &str,
        step: &TemplateSegment,
        kind: KeyType,
    ) -> Option<(SortCondition, RangeValues)> {
        let placeholder = step.only.as_ref()?;
        let attribute = entity.attribute(&placeholder.attribute)?;
        let is_time = match &attribute.format {
            Some(Format::Date { .. } | Format::Timestamp { .. }) => true,
            None | Some(Format::Reference { .. }) => {
                attribute.kind == AttributeType::S && is_time(&attribute.name)
            }
            Some(_) => false,
        };
        let keeps_order = |modifier: &Modifier| {
            matches!(
                modifier,
                Modifier::Date
                    | Modifier::Month
                    | Modifier::Year
                    | Modifier::Pad(_)
                    | Modifier::PadDecimal { .. }
            )
        };
        let is_number = attribute.kind == AttributeType::N
            && (kind == KeyType::N || placeholder.modifiers.iter().any(keeps_order));
        if !(is_time || is_number) || !placeholder.modifiers.iter().all(keeps_order) {
            return None;
        }
        let ends = ["from", "to"].map(|end| match self.taken {
            true => format!("{}_{end}", attribute.name),
            false => end.to_owned(),
        });
        let source = &text[placeholder.span.clone()];
        let modifiers = match placeholder.modifiers.is_empty() {
            true => "",
            false => &source[source.find(':')?..source.len() - 1],
        };
        let prefix = &text[..step.start];
        let [from, to] = &ends;
        // What follows the upper end in a longer key is less than `~`.
        let rest = match step.end < text.len() {
            true => format!("{}~", self.delimiter),
            false => String::new(),
        };
        let condition = SortCondition {
            operator: SortOperator::Between,
            value: format!("{prefix}{{{from}{modifiers}}}"),
            upper: Some(format!("{prefix}{{{to}{modifiers}}}{rest}")),
        };
        let values = RangeValues::new(self.entity, &attribute.name, ends);
        Some((condition, values))
    }
}
