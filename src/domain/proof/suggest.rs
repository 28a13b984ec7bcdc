//! Keys that would serve an access pattern: first a key that is there, then a place in an index that is there, then a
//! new index. Each is tried on a copy of the design before it is suggested, so that taking it serves the pattern.

use super::analyse::{analyse, listed};
use super::serve::serve;
use super::wish::{Wish, is_wish};
use super::{Step, Suggestion, Verdict};
use crate::domain::engine::languages::key_values;
use crate::domain::model::{
    AccessPattern, Attribute, AttributeType, Design, Entity, EntityId, Format, Index, IndexEntry,
    IndexId, IndexKind, KeySchema, KeyType, Operation, Projection, by_rank, entities_of, is_time,
    limits, screaming,
};
use crate::domain::template;
use std::sync::Arc;

/// The most suggestions for one access pattern.
const MOST: usize = 3;
/// Digits to which a number in a text key is padded when its format does not say how large it gets.
const DIGITS: usize = 10;

impl Suggestion {
    /// How the pattern asks once what is suggested is done; `new` is the id of the new index, if there is one.
    pub fn operation(&self, new: Option<IndexId>) -> Operation {
        let mut operation = self.operation.clone();
        if let (Operation::Query { index, .. }, Step::NewIndex(_), Some(new)) =
            (&mut operation, &self.step, new)
        {
            *index = new;
        }
        operation
    }
}

/// How an access pattern that is not served well could be, the best way first. Empty if nothing is known that would.
pub(super) fn suggestions(design: &Design, pattern: &AccessPattern) -> Vec<Suggestion> {
    // A key finds the items of one entity; for several, a person decides what they have in common.
    let mut ids: Vec<EntityId> = entities_of(pattern).collect();
    ids.dedup();
    let [id] = ids[..] else {
        return Vec::new();
    };
    let Some(entity) = design.entities.get(&id) else {
        return Vec::new();
    };
    let Some(wish) = Wish::of(design, entity, &pattern.operation) else {
        return Vec::new();
    };
    if wish.known.is_empty() && wish.range.is_none() && is_wish(&pattern.operation) {
        return Vec::new();
    }
    let suggesting = Suggesting {
        design,
        pattern,
        id,
        entity,
        wish,
    };
    let mut found = suggesting.as_it_is();
    if found.is_empty() {
        found = suggesting.joins();
        found.extend(suggesting.new_index());
    }
    found.truncate(MOST);
    found
}

struct Suggesting<'a> {
    design: &'a Design,
    pattern: &'a AccessPattern,
    id: EntityId,
    entity: &'a Entity,
    wish: Wish,
}

impl Suggesting<'_> {
    fn as_it_is(&self) -> Vec<Suggestion> {
        let mut found: Vec<Suggestion> = self.eventual().into_iter().collect();
        for index in self.design.index_ids() {
            let Some(operation) = self.served(self.design, index) else {
                continue;
            };
            let asks_it = |other: &Suggestion| other.operation.index() == Some(index);
            if operation == self.pattern.operation || found.iter().any(asks_it) {
                continue;
            }
            let text = match index.is_primary() {
                true => format!(
                    "the primary key of `{}` serves it as it is",
                    self.entity.name
                ),
                false => format!("`{}` serves it as it is", self.design.index_name(index)),
            };
            found.push(Suggestion {
                entity: self.id,
                step: Step::AsItIs(index),
                operation,
                text,
            });
        }
        found
    }

    /// A strongly consistent read of a global index, eventually consistent.
    fn eventual(&self) -> Option<Suggestion> {
        let mut pattern = self.pattern.clone();
        let (Operation::Query { index, read, .. } | Operation::Scan { index, read, .. }) =
            &mut pattern.operation
        else {
            return None;
        };
        let index = *index;
        if !std::mem::take(&mut read.consistent) || !self.design.indexes.contains_key(&index) {
            return None;
        }
        let name = self.design.index_name(index);
        (analyse(self.design, &pattern).verdict() == Verdict::Served).then(|| Suggestion {
            entity: self.id,
            step: Step::AsItIs(index),
            operation: pattern.operation,
            text: format!("`{name}` serves it, read eventually consistently"),
        })
    }

    /// The operation that asks the index of this design, if it serves the pattern then.
    fn served(&self, design: &Design, index: IndexId) -> Option<Operation> {
        let operation = serve(design, self.id, &self.wish, index)?;
        let pattern = AccessPattern {
            operation,
            ..self.pattern.clone()
        };
        let analysis = analyse(design, &pattern);
        (analysis.verdict() == Verdict::Served).then_some(pattern.operation)
    }

    fn joins(&self) -> Vec<Suggestion> {
        let mut found = Vec::new();
        for (id, index) in &self.design.indexes {
            let is_free = !self.entity.keys.contains_key(id) && is_overloadable(self.design, *id);
            if index.kind != IndexKind::Gsi || !is_free {
                continue;
            }
            for entry in self.entries(*id, !index.key.sort.is_empty()) {
                if self.collides(*id, &entry) {
                    continue;
                }
                let mut design = self.design.clone();
                self.enter(&mut design, *id, entry.clone());
                if let Some(operation) = self.served(&design, *id) {
                    let text = format!(
                        "put `{}` into `{}` with {}{}",
                        self.entity.name,
                        index.name,
                        shown(&entry),
                        limited(&index.projection)
                    );
                    found.push(Suggestion {
                        entity: self.id,
                        step: Step::Join(*id, entry),
                        operation,
                        text,
                    });
                    break;
                }
            }
        }
        // One that holds all attributes first.
        let is_limited = |index: &IndexId| {
            let index = self.design.indexes.get(index);
            index.is_some_and(|index| index.projection != Projection::All)
        };
        by_rank(found, |suggestion| match &suggestion.step {
            Step::Join(index, _) => [is_limited(index).into(), 0, 0, 0],
            _ => [0; 4],
        })
    }

    fn new_index(&self) -> Option<Suggestion> {
        let kinds = self
            .design
            .indexes
            .values()
            .filter(|i| i.kind == IndexKind::Gsi);
        if kinds.count() >= limits::GSIS_PER_TABLE {
            return None;
        }
        let mut design = self.design.clone();
        let id = IndexId(design.take_id());
        let index = Index::new("new", IndexKind::Gsi, KeySchema::pair("new:pk", "new:sk"));
        design.indexes.insert(id, Arc::new(index));
        for entry in self.entries(id, true) {
            self.enter(&mut design, id, entry.clone());
            if let Some(mut operation) = self.served(&design, id) {
                if let Operation::Query { index, .. } = &mut operation {
                    *index = IndexId::PRIMARY;
                }
                let text = format!(
                    "a new index for `{}` with {}",
                    self.entity.name,
                    shown(&entry)
                );
                return Some(Suggestion {
                    entity: self.id,
                    step: Step::NewIndex(entry),
                    operation,
                    text,
                });
            }
        }
        None
    }

    fn enter(&self, design: &mut Design, index: IndexId, entry: IndexEntry) {
        if let Some(entity) = design.entities.get_mut(&self.id) {
            Arc::make_mut(entity).keys.insert(index, entry);
        }
    }

    /// The entries to try: with the partition that the pattern asks this index for, then with one named after what is
    /// known, then with the entity's name before it.
    fn entries(&self, index: IndexId, has_sort: bool) -> Vec<IndexEntry> {
        let delimiter = &self.design.delimiter.delimiter;
        let mut partitions = Vec::new();
        if let Operation::Query {
            index: asked,
            partition,
            ..
        } = &self.pattern.operation
            && *asked == index
            && let [text] = &partition[..]
            && !text.is_empty()
        {
            partitions.push(text.clone());
        }
        let mut named = Vec::new();
        for known in &self.wish.known {
            let placeholder = placeholder(&known.attribute, &known.modifiers);
            let stem = known.attribute.trim_end_matches("Id");
            named.push(format!("{}{delimiter}{placeholder}", screaming(stem)));
        }
        let own = screaming(&self.entity.name);
        if !named.is_empty() {
            partitions.push(named.join(delimiter));
        }
        named.insert(0, own);
        partitions.push(named.join(delimiter));
        let sort = has_sort.then(|| self.sort());
        let entry = |partition: String| IndexEntry {
            partition: Some(partition),
            sort: sort.clone(),
            when: Vec::new(),
        };
        partitions.into_iter().map(entry).collect()
    }

    /// The sort template: the attribute of which a range is wanted, or the time where the newest come first, then what
    /// tells the items apart.
    fn sort(&self) -> String {
        let delimiter = &self.design.delimiter.delimiter;
        let time = || {
            let times = |attribute: &&Attribute| is_time(&attribute.name);
            let found = self.entity.attributes.iter().find(times);
            found.map(|attribute| attribute.name.clone())
        };
        let first = match &self.wish.range {
            Some(range) => Some(range.attribute.clone()),
            None if self.wish.descending => time(),
            None => None,
        };
        let own = self.identity();
        let first = match first {
            Some(first) if first != own => first,
            Some(_) => return format!("{{{own}}}"),
            None => return format!("{}{delimiter}{{{own}}}", screaming(&self.entity.name)),
        };
        match self.entity.attribute(&first).map(|a| (a.kind, &a.format)) {
            Some((AttributeType::N, format)) => {
                let digits = match format {
                    Some(Format::Integer { max, .. }) => max.to_string().len(),
                    _ => DIGITS,
                };
                format!("{{{first}:pad({digits})}}{delimiter}{{{own}}}")
            }
            _ => format!("{{{first}}}{delimiter}{{{own}}}"),
        }
    }

    /// The attribute that tells the entity's items apart: the last one of its primary key.
    fn identity(&self) -> String {
        let entry = self.entity.keys.get(&IndexId::PRIMARY);
        let texts = entry
            .into_iter()
            .flat_map(|e| e.partition.iter().chain(&e.sort));
        let mut last = None;
        for text in texts {
            for name in template::parse(text).template.attributes() {
                last = Some(name.to_owned());
            }
        }
        last.or_else(|| self.entity.attributes.first().map(|a| a.name.clone()))
            .unwrap_or_else(|| "id".to_owned())
    }

    /// Whether another entity of the index can have a partition key that this entry renders.
    fn collides(&self, index: IndexId, entry: &IndexEntry) -> bool {
        let mut design = self.design.clone();
        self.enter(&mut design, index, entry.clone());
        let partition = |entity: &Entity| {
            let values = key_values(&design, entity, index)?;
            values.into_iter().next()?.language
        };
        let Some(own) = design
            .entities
            .get(&self.id)
            .and_then(|entity| partition(entity))
        else {
            return true;
        };
        let mut others = design.entities.iter().filter(|(id, _)| **id != self.id);
        others
            .any(|(_, other)| partition(other).is_some_and(|other| own.collides(&other).is_some()))
    }
}

/// Whether entities can enter the index with templates of their own: one partition and at most one sort attribute, of
/// type S, that no other key has.
fn is_overloadable(design: &Design, index: IndexId) -> bool {
    let Some(key) = design.key(index) else {
        return false;
    };
    let elsewhere = |name: &str| {
        let others = design.index_ids().filter(|other| *other != index);
        let mut others = others.filter_map(|other| design.key(other));
        others.any(|other| other.attributes().any(|attribute| attribute.name == name))
    };
    // Where some entity's plain attribute is the key, templates have no place.
    let plain = |name: &str| {
        let mut entities = design.entities.values();
        entities.any(|entity| entity.attribute(name).is_some())
    };
    let mut attributes = key.attributes();
    !key.is_multi_attribute()
        && attributes.all(|a| a.kind == KeyType::S && !elsewhere(&a.name) && !plain(&a.name))
}

fn placeholder(attribute: &str, modifiers: &[template::Modifier]) -> String {
    let placeholder = template::Placeholder {
        attribute: attribute.to_owned(),
        modifiers: modifiers.to_vec(),
        span: 0..0,
    };
    placeholder.to_string()
}

/// What an index does not hold, as the end of a sentence.
fn limited(projection: &Projection) -> String {
    match projection {
        Projection::All => String::new(),
        Projection::KeysOnly => "; it holds only keys".to_owned(),
        Projection::Include(names) => {
            let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
            format!("; besides keys it holds only {}", listed(&names))
        }
    }
}

fn shown(entry: &IndexEntry) -> String {
    let texts: Vec<String> = (entry.partition.iter().chain(&entry.sort))
        .map(|text| format!("`{text}`"))
        .collect();
    texts.join(" / ")
}
