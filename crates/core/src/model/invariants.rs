//! Invariants of every design. Commands refuse to break them, and a file that breaks one is refused. Unwise or
//! unfinished parts (a template that does not parse, an entity without keys) do not break an invariant: they are shown
//! where they are.

use super::{
    AccessPattern, AttributeType, Design, Entity, EntityId, FigureError, Index, IndexKind,
    KeySchema, Note, Projection, WriteAction, limits, name,
};
use crate::model::{SortedMap, SortedSet};
use rustc_hash::FxHashSet;
use std::fmt;

/// A broken invariant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Violation {
    /// The place, as a path in the design file: `entities/e3/attributes/a4/name`.
    pub place: String,
    /// What is wrong and, if it helps, what would be right.
    pub message: String,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.message)
    }
}

/// Returns all broken invariants of a design, in file order; empty for a valid design.
pub fn validate_invariants(design: &Design) -> Vec<Violation> {
    let mut check = Check {
        design,
        ids: FxHashSet::default(),
        key_types: SortedMap::new(),
        found: Vec::new(),
    };
    check.named("name", name::check_label(&design.name));
    check.table();
    check.indexes();
    check.entities();
    check.access_patterns();
    check.samples();
    check.workload();
    check.rest();
    check.found
}

struct Check<'a> {
    design: &'a Design,
    ids: FxHashSet<u32>,
    key_types: SortedMap<&'a str, AttributeType>,
    found: Vec<Violation>,
}

impl<'a> Check<'a> {
    fn report(&mut self, place: impl Into<String>, message: impl Into<String>) {
        self.found.push(Violation {
            place: place.into(),
            message: message.into(),
        });
    }

    fn named(&mut self, place: impl Into<String>, result: Result<(), name::NameError>) {
        if let Err(error) = result {
            self.report(place, error.to_string());
        }
    }

    /// An id must have been handed out by the counter, and to no other part.
    fn id(&mut self, place: &str, number: u32) {
        if number >= self.design.next_id {
            self.report(
                place,
                format!("the ID must be below nextId ({})", self.design.next_id),
            );
        }
        if !self.ids.insert(number) {
            self.report(place, "another part of the design uses the same ID number");
        }
    }

    fn hue(&mut self, place: &str, hue: u8) {
        if hue >= Entity::HUES {
            let most = Entity::HUES - 1;
            self.report(place, format!("a hue is from 0 to {most}"));
        }
    }

    fn table(&mut self) {
        let table = &*self.design.table;
        self.named("table/name", name::check_resource(&table.name));
        if table.key.partition.len() != 1 || table.key.sort.len() > 1 {
            self.report(
                "table/key",
                "a primary key has one partition key attribute and at most one sort key attribute",
            );
        }
        self.key_schema("table/key", &table.key);
        if let Some(attribute) = &table.type_attribute {
            self.named("table/typeAttribute", name::check_attribute(attribute));
        }
        if let Some(attribute) = &table.ttl_attribute {
            self.named("table/ttlAttribute", name::check_attribute(attribute));
        }
        if let Some(days) = table.recovery.and_then(|recovery| recovery.days)
            && !limits::RECOVERY_DAYS.contains(&days)
        {
            self.report(
                "table/recovery/days",
                "the point-in-time recovery period is 1 to 35 days",
            );
        }
        if table.tags.len() > limits::TAGS {
            self.report(
                "table/tags",
                format!("a table can have at most {} tags", limits::TAGS),
            );
        }
    }

    fn key_schema(&mut self, place: &str, key: &'a KeySchema) {
        let mut seen = SortedSet::new();
        for attribute in key.attributes() {
            self.named(place, name::check_key_attribute(&attribute.name));
            self.named(place, name::check_attribute(&attribute.name));
            if !seen.insert(&attribute.name) {
                self.report(
                    place,
                    format!("`{}` occurs twice in one key", attribute.name),
                );
            }
            let kind = AttributeType::from(attribute.kind);
            if *self.key_types.entry(&attribute.name).or_insert(kind) != kind {
                self.report(
                    place,
                    format!(
                        "key attribute `{}` has a different type in another key; use one type per attribute",
                        attribute.name
                    ),
                );
            }
        }
    }

    fn indexes(&mut self) {
        let mut names = SortedSet::new();
        for (id, index) in &self.design.indexes {
            let place = format!("indexes/{id}");
            self.id(&place, id.0);
            self.named(format!("{place}/name"), name::check_resource(&index.name));
            if !names.insert(&index.name) {
                self.report(format!("{place}/name"), name::taken("index", &index.name));
            }
            self.index(&place, index);
        }
    }

    fn index(&mut self, place: &str, index: &'a Index) {
        let key_place = format!("{place}/key");
        let (partition, sort) = (index.key.partition.len(), index.key.sort.len());
        match index.kind {
            IndexKind::Gsi => {
                let most = limits::MULTI_ATTRIBUTE_KEYS;
                if partition == 0 || partition > most || sort > most {
                    self.report(
                        &key_place,
                        format!(
                            "a GSI has 1 to {most} partition key attributes and at most {most} sort key attributes"
                        ),
                    );
                }
            }
            IndexKind::Lsi => {
                if index.key.partition != self.design.table.key.partition || sort != 1 {
                    self.report(
                        &key_place,
                        "an LSI has the table's partition key and one sort key attribute of its own",
                    );
                }
            }
        }
        self.key_schema(&key_place, &index.key);
        if let Projection::Include(included) = &index.projection {
            for attribute in included {
                self.named(
                    format!("{place}/projection"),
                    name::check_key_attribute(attribute),
                );
            }
        }
    }

    fn entities(&mut self) {
        let mut names = SortedSet::new();
        for (id, entity) in &self.design.entities {
            let place = format!("entities/{id}");
            self.id(&place, id.0);
            self.named(format!("{place}/name"), name::check_label(&entity.name));
            if !names.insert(&entity.name) {
                self.report(format!("{place}/name"), name::taken("entity", &entity.name));
            }
            self.hue(&format!("{place}/hue"), entity.hue);
            let mut attributes = SortedSet::new();
            for attribute in &entity.attributes {
                let place = format!("{place}/attributes/{}", attribute.id);
                self.id(&place, attribute.id.0);
                self.named(
                    format!("{place}/name"),
                    name::check_attribute(&attribute.name),
                );
                if !attributes.insert(&attribute.name) {
                    self.report(
                        format!("{place}/name"),
                        format!(
                            "another attribute of {} is called `{}`",
                            entity.name, attribute.name
                        ),
                    );
                }
            }
            for (index, entry) in &entity.keys {
                let place = format!("{place}/keys/{index}");
                match self.design.key(*index) {
                    None => self.report(place, "there is no such index"),
                    Some(key) => {
                        if key.is_multi_attribute()
                            && (entry.partition.is_some() || entry.sort.is_some())
                        {
                            self.report(
                                &place,
                                "a multi-attribute key uses plain attributes, not templates",
                            );
                        }
                        if key.sort.is_empty() && entry.sort.is_some() {
                            self.report(&place, "the index has no sort key for this template");
                        }
                        if index.is_primary() && !entry.when.is_empty() {
                            self.report(
                                &place,
                                "only an entry of a secondary index can have a condition",
                            );
                        }
                    }
                }
            }
        }
    }

    fn access_patterns(&mut self) {
        let mut names = SortedSet::new();
        for (id, pattern) in &self.design.access_patterns {
            let place = format!("accessPatterns/{id}");
            self.id(&place, id.0);
            self.named(format!("{place}/name"), name::check_label(&pattern.name));
            if !names.insert(&pattern.name) {
                self.report(
                    format!("{place}/name"),
                    name::taken("access pattern", &pattern.name),
                );
            }
            for entity in entities_of(pattern) {
                if !self.design.entities.contains_key(&entity) {
                    self.report(&place, format!("there is no entity {entity}"));
                }
            }
            if let Some(index) = pattern.operation.index()
                && self.design.key(index).is_none()
            {
                self.report(&place, format!("there is no index {index}"));
            }
            if let Some(sample) = pattern.sample
                && !(self
                    .design
                    .samples
                    .values()
                    .flat_map(|samples| samples.iter()))
                .any(|other| other.id == sample)
            {
                self.report(&place, format!("there is no sample {sample}"));
            }
            if pattern
                .rate
                .is_some_and(|rate| !rate.is_finite() || rate < 0.0)
            {
                self.report(
                    format!("{place}/rate"),
                    "a rate must be 0 or more requests per second",
                );
            }
        }
    }

    fn samples(&mut self) {
        for (entity, samples) in &self.design.samples {
            if !self.design.entities.contains_key(entity) {
                self.report(format!("samples/{entity}"), "there is no such entity");
            }
            for sample in samples.iter() {
                self.id(&format!("samples/{entity}/{}", sample.id), sample.id.0);
            }
        }
    }

    fn workload(&mut self) {
        let workload = &*self.design.workload;
        for (id, traffic) in &workload.patterns {
            let place = format!("workload/patterns/{id}");
            if !self.design.access_patterns.contains_key(id) {
                self.report(&place, "there is no such access pattern");
            }
            self.figures(&place, traffic.is_empty(), traffic.check());
        }
        for (id, volume) in &workload.entities {
            let place = format!("workload/entities/{id}");
            if !self.design.entities.contains_key(id) {
                self.report(&place, "there is no such entity");
            }
            self.figures(&place, volume.is_empty(), volume.check());
        }
        self.figures("workload", false, workload.check_prices());
    }

    fn figures(&mut self, place: &str, is_empty: bool, result: Result<(), FigureError>) {
        if is_empty {
            self.report(place, "leave out an entry without figures");
        }
        if let Err(FigureError { field, message }) = result {
            self.report(format!("{place}/{field}"), message);
        }
    }

    fn rest(&mut self) {
        if let Err((field, error)) = self.design.export_options.check() {
            self.report(format!("exportOptions/{field}"), error.to_string());
        }
        for (id, note) in &self.design.notes {
            self.id(&format!("notes/{id}"), id.0);
            self.hue(&format!("notes/{id}/hue"), note.hue);
            self.named(format!("notes/{id}/text"), Note::check_text(&note.text));
        }
        for card in self.design.layout.keys() {
            if !self.design.has_card(*card) {
                self.report(format!("layout/{card}"), "the card does not exist");
            }
        }
    }
}

/// Every entity id in an access pattern.
pub fn entities_of(pattern: &AccessPattern) -> impl Iterator<Item = EntityId> {
    let put = pattern
        .operation
        .actions()
        .iter()
        .filter_map(WriteAction::put);
    pattern.entities.iter().copied().chain(put)
}
