//! The difference of two designs: a list of changes of fields.

use crate::order::expected;
use crate::part::{
    Part, attribute_json, design_json, entity_json, json, prices_json, sample_json, silenced_json,
    silenced_keys,
};
use keyfold_core::model::{Attribute, Design, Entity, EntityId, Sample, SortedMap};
use rustc_hash::FxHashMap;
use serde::Serialize;
use serde_json::Value as Json;
use std::hash::Hash;
use std::sync::Arc;

/// What `new` has and `old` has not, and the other way round.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Diff {
    /// The changes, sorted by part.
    pub changes: Vec<Change>,
    /// The next free id of the new design. Not a difference by itself: undo leaves it as it is.
    pub next_id: u32,
}

impl Diff {
    /// Whether the designs are equal, apart from the next free id.
    pub fn is_empty(&self) -> bool {
        self.changes.is_empty()
    }
}

/// The change of one field, or of a whole part.
#[derive(Debug, Clone, PartialEq)]
pub struct Change {
    /// The part of the design.
    pub part: Part,
    /// The field as the design file names it, from the outside in; empty for the whole part. The fields `attributes` and
    /// `samples` of an entity and `silenced` of the design stand for the order of these lists.
    pub path: Vec<String>,
    /// The value in the old design; `None` if the part is new or the field has its default.
    pub before: Option<Json>,
    /// The value in the new design; `None` if the part is gone or the field has its default.
    pub after: Option<Json>,
}

/// What a change does to its part.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ChangeKind {
    /// The part is only in the new design.
    Added,
    /// The part is only in the old design.
    Removed,
    /// The part is in both.
    Changed,
}

impl Change {
    /// What the change does to its part.
    pub fn kind(&self) -> ChangeKind {
        match (&self.path[..], &self.before, &self.after) {
            ([], None, _) => ChangeKind::Added,
            ([], _, None) => ChangeKind::Removed,
            _ => ChangeKind::Changed,
        }
    }

    /// Whether it is the order of a list whose elements are parts of their own.
    pub fn is_order(&self) -> bool {
        is_order(&self.part, &self.path)
    }
}

/// Whether a field stands for the order of a list whose elements are parts of their own.
pub(crate) fn is_order(part: &Part, path: &[String]) -> bool {
    let [field] = path else {
        return false;
    };
    match part {
        Part::Entity(_) => field == ATTRIBUTES || field == SAMPLES,
        Part::Design => field == SILENCED,
        _ => false,
    }
}

/// The fields that stand for an order.
pub(crate) const ATTRIBUTES: &str = "attributes";
pub(crate) const SAMPLES: &str = "samples";
pub(crate) const SILENCED: &str = "silenced";

/// Returns what changed from `old` to `new`, by ids. Parts that both share are passed over by pointer.
pub fn diff(old: &Design, new: &Design) -> Diff {
    let Design {
        name,
        description,
        next_id,
        delimiter,
        table,
        indexes,
        entities,
        access_patterns,
        samples,
        notes,
        silenced,
        workload,
        export_options,
        layout,
    } = new;
    let mut found = Found::default();
    if (&old.name, &old.description) != (name, description) {
        found.part(Part::Design, Some(design_json(old)), Some(design_json(new)));
    }
    found.one(Part::Delimiter, &old.delimiter, delimiter);
    found.one(Part::Table, &old.table, table);
    found.one(Part::ExportOptions, &old.export_options, export_options);
    for (id, before, after) in both(&old.indexes, indexes) {
        found.optional(Part::Index(id), before, after);
    }
    for (id, before, after) in both(&old.entities, entities) {
        found.entity(id, before, after);
    }
    for (id, before, after) in both(&old.samples, samples) {
        found.samples(id, before, after);
    }
    for (id, before, after) in both(&old.access_patterns, access_patterns) {
        found.optional(Part::AccessPattern(id), before, after);
    }
    for (id, before, after) in both(&old.notes, notes) {
        found.optional(Part::Note(id), before, after);
    }
    if !Arc::ptr_eq(&old.workload, workload) {
        for (id, before, after) in both(&old.workload.patterns, &workload.patterns) {
            found.part(Part::Traffic(id), before.map(json), after.map(json));
        }
        for (id, before, after) in both(&old.workload.entities, &workload.entities) {
            found.part(Part::Volume(id), before.map(json), after.map(json));
        }
        let (before, after) = (prices_json(&old.workload), prices_json(workload));
        found.part(Part::Prices, Some(before), Some(after));
    }
    if !Arc::ptr_eq(&old.silenced, silenced) && old.silenced != *silenced {
        let (were, are) = (silenced_keys(&old.silenced), silenced_keys(silenced));
        let before = were.iter().zip(old.silenced.iter()).collect();
        let after = are.iter().zip(silenced.iter()).collect();
        found.list(
            &before,
            &after,
            |key| Part::Silenced(key.clone()),
            silenced_json,
        );
        let keys = |keys: &[_]| keys.iter().map(order_key).collect::<Vec<_>>();
        found.order(Part::Design, SILENCED, &were, &are, keys);
    }
    if !Arc::ptr_eq(&old.layout, layout) {
        for (card, before, after) in both(&old.layout, layout) {
            found.part(Part::Position(card), before.map(json), after.map(json));
        }
    }
    found.changes.sort_by(|a, b| a.part.cmp(&b.part));
    Diff {
        changes: found.changes,
        next_id: *next_id,
    }
}

pub(crate) fn order_key(key: &crate::part::SilencedKey) -> Json {
    serde_json::json!([key.code, key.place, key.nth])
}

/// The values of each key of either map, in order.
fn both<'a, K: Ord + Copy, V>(
    old: &'a SortedMap<K, V>,
    new: &'a SortedMap<K, V>,
) -> Vec<(K, Option<&'a V>, Option<&'a V>)> {
    let (mut olds, mut news) = (old.iter().peekable(), new.iter().peekable());
    let mut all = Vec::new();
    loop {
        match (olds.peek().copied(), news.peek().copied()) {
            (Some((a, before)), Some((b, after))) if a == b => {
                all.push((*a, Some(before), Some(after)));
                olds.next();
                news.next();
            }
            (Some((a, before)), other) if other.is_none_or(|(b, _)| a < b) => {
                all.push((*a, Some(before), None));
                olds.next();
            }
            (_, Some((b, after))) => {
                all.push((*b, None, Some(after)));
                news.next();
            }
            (None, None) | (Some(_), None) => return all,
        }
    }
}

/// The changes found so far.
#[derive(Default)]
struct Found {
    changes: Vec<Change>,
}

impl Found {
    /// Compares a part by its fields.
    fn part(&mut self, part: Part, before: Option<Json>, after: Option<Json>) {
        let mut add = |path, before, after| {
            let part = part.clone();
            self.changes.push(Change {
                part,
                path,
                before,
                after,
            });
        };
        differences(Vec::new(), before, after, &mut add);
    }

    /// Compares a part that every design has.
    fn one<T: Serialize + PartialEq>(&mut self, part: Part, before: &Arc<T>, after: &Arc<T>) {
        self.optional(part, Some(before), Some(after));
    }

    /// Compares a part that a design may have.
    fn optional<T: Serialize + PartialEq>(
        &mut self,
        part: Part,
        before: Option<&Arc<T>>,
        after: Option<&Arc<T>>,
    ) {
        if !is_same(before, after) {
            self.part(part, before.map(json), after.map(json));
        }
    }

    fn entity(&mut self, id: EntityId, before: Option<&Arc<Entity>>, after: Option<&Arc<Entity>>) {
        if is_same(before, after) {
            return;
        }
        let shell = |entity: &Arc<Entity>| entity_json(entity);
        self.part(Part::Entity(id), before.map(shell), after.map(shell));
        let olds = before.map_or(&[][..], |entity| &entity.attributes);
        let news = after.map_or(&[][..], |entity| &entity.attributes);
        let ids = |list: &[Attribute]| Vec::from_iter(list.iter().map(|attribute| attribute.id));
        let (were, are) = (ids(olds), ids(news));
        self.list(
            &were.iter().zip(olds).collect(),
            &are.iter().zip(news).collect(),
            |attribute| Part::Attribute(id, *attribute),
            attribute_json,
        );
        self.order(Part::Entity(id), ATTRIBUTES, &were, &are, |ids| {
            ids.iter().map(json).collect()
        });
        let none = SortedMap::new();
        let olds = before.map_or(&none, |entity| &entity.keys);
        let news = after.map_or(&none, |entity| &entity.keys);
        for (index, before, after) in both(olds, news) {
            self.part(Part::Entry(id, index), before.map(json), after.map(json));
        }
    }

    fn samples(
        &mut self,
        entity: EntityId,
        before: Option<&Arc<Vec<Arc<Sample>>>>,
        after: Option<&Arc<Vec<Arc<Sample>>>>,
    ) {
        if is_same(before, after) {
            return;
        }
        let none = Vec::new();
        let olds = before.map_or(&none, |samples| &**samples);
        let news = after.map_or(&none, |samples| &**samples);
        let ids = |samples: &[Arc<Sample>]| Vec::from_iter(samples.iter().map(|sample| sample.id));
        let (were, are) = (ids(olds), ids(news));
        self.list(
            &were.iter().zip(olds).collect(),
            &are.iter().zip(news).collect(),
            |sample| Part::Sample(entity, *sample),
            |sample| sample_json(sample),
        );
        self.order(Part::Entity(entity), SAMPLES, &were, &are, |ids| {
            ids.iter().map(json).collect()
        });
    }

    /// Compares the elements of a list by their keys.
    fn list<K: Eq + Hash, T: PartialEq>(
        &mut self,
        before: &FxHashMap<&K, &T>,
        after: &FxHashMap<&K, &T>,
        part: impl Fn(&K) -> Part,
        value: impl Fn(&T) -> Json,
    ) {
        for (key, old) in before {
            match after.get(key) {
                Some(new) if old == new => {}
                new => self.part(part(key), Some(value(old)), new.map(|new| value(new))),
            }
        }
        for (key, new) in after {
            if !before.contains_key(key) {
                self.part(part(key), None, Some(value(new)));
            }
        }
    }

    /// Notes the order of a list, unless it is the one that its elements give.
    fn order<K: Clone + Ord + Hash>(
        &mut self,
        part: Part,
        field: &str,
        before: &[K],
        after: &[K],
        value: impl Fn(&[K]) -> Vec<Json>,
    ) {
        if expected(before, after) != after {
            self.changes.push(Change {
                part,
                path: vec![field.to_owned()],
                before: Some(Json::Array(value(before))),
                after: Some(Json::Array(value(after))),
            });
        }
    }
}

fn is_same<T: PartialEq>(before: Option<&Arc<T>>, after: Option<&Arc<T>>) -> bool {
    match (before, after) {
        (Some(before), Some(after)) => Arc::ptr_eq(before, after) || before == after,
        (before, after) => before.is_none() && after.is_none(),
    }
}

/// Fields whose own fields are compared one by one: maps of the author's names, and the operation of an access pattern.
const OPEN: [&str; 5] = ["tags", "parameters", "prices", "values", "operation"];

/// Calls `add` with the path and the values of each field that differs.
pub(crate) fn differences(
    path: Vec<String>,
    before: Option<Json>,
    after: Option<Json>,
    add: &mut dyn FnMut(Vec<String>, Option<Json>, Option<Json>),
) {
    if before == after {
        return;
    }
    let is_map = |value: &Option<Json>| value.is_none() || matches!(value, Some(Json::Object(_)));
    // A map without entries is not written.
    let is_open = match &path[..] {
        [] => before.is_some() && after.is_some(),
        [field] => OPEN.contains(&&**field),
        [field, _] => field == "operation",
        _ => false,
    };
    // The one field of an operation is its kind: operations of two kinds have nothing in common.
    let is_one_kind = path.len() != 1
        || path[0] != "operation"
        || kind(before.as_ref()).is_some_and(|own| Some(own) == kind(after.as_ref()));
    if !(is_open && is_one_kind && is_map(&before) && is_map(&after)) {
        add(path, before, after);
        return;
    }
    let fields = |value: Option<Json>| match value {
        Some(Json::Object(fields)) => fields,
        _ => serde_json::Map::new(),
    };
    let (mut olds, mut news) = (fields(before), fields(after));
    let mut names: Vec<String> = olds.keys().chain(news.keys()).cloned().collect();
    names.sort();
    names.dedup();
    for name in names {
        let (before, after) = (olds.remove(&name), news.remove(&name));
        let mut inner = path.clone();
        inner.push(name);
        differences(inner, before, after, add);
    }
}

/// The kind of an operation.
fn kind(operation: Option<&Json>) -> Option<&str> {
    operation?.as_object()?.keys().next().map(String::as_str)
}
