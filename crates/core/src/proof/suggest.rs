//! Suggests keys that would serve an access pattern: first an existing key, then an entry in an existing index, then a
//! new index. Each suggestion is first tried on a copy of the design, so applying it serves the pattern.

use super::Verdict;
use super::analyze::{Analysis, analyze, listed};
use super::read_requirement::{ReadRequirement, is_read_requirement};
use super::serve::{serve, together};
use crate::engine::always_rejected::always_rejected;
use crate::engine::generate::prefix;
use crate::engine::key_sources::{primary_attributes, stored_source};
use crate::engine::languages::{key_values, resolved};
use crate::engine::padding::Digits;
use crate::engine::query::expression::{parse_condition, uses_of_condition};
use crate::model::{
    AccessPattern, Attribute, AttributeType, Design, Entity, EntityId, Format, Index, IndexEntry,
    IndexId, IndexKind, KeySchema, KeyType, Operation, Projection, by_rank, entities_of, is_time,
    limits, screaming,
};
use crate::template::{Modifier, Placeholder};
use std::sync::Arc;

/// A way to serve an access pattern.
#[derive(Debug, Clone, PartialEq)]
pub struct Suggestion {
    /// The change to the design.
    pub step: SuggestedChange,
    /// The operation of the pattern afterwards. For [`SuggestedChange::NewIndex`], its index is [`IndexId::PRIMARY`] until the
    /// index exists: use [`Suggestion::operation`].
    pub operation: Operation,
    /// What the suggestion does, in one sentence without a final period.
    pub text: String,
}

/// The change of a [`Suggestion`] to the design, besides the new operation of the pattern.
#[derive(Debug, Clone, PartialEq)]
pub enum SuggestedChange {
    /// Nothing: the table's primary key, or an index as it is, serves the pattern.
    UseExisting(IndexId),
    /// Add these entities to an index.
    Join(IndexId, Vec<(EntityId, IndexEntry)>),
    /// Create an index of this kind with these entities.
    NewIndex(IndexKind, Vec<(EntityId, IndexEntry)>),
    /// Give an index this projection.
    Project(IndexId, Projection),
}

/// The maximum number of suggestions for one access pattern.
const MAX_SUGGESTIONS: usize = 3;
/// The digits of a padded number in a text key if its format has no maximum.
const DEFAULT_DIGITS: usize = 10;

/// Entities with their new entries in an index.
type Entries = Vec<(EntityId, IndexEntry)>;

impl Suggestion {
    /// Returns the pattern's operation after the suggestion is applied; `new` is the id of the new index, if any.
    pub fn operation(&self, new: Option<IndexId>) -> Operation {
        let mut operation = self.operation.clone();
        if let (Operation::Query { index, .. }, SuggestedChange::NewIndex(..), Some(new)) =
            (&mut operation, &self.step, new)
        {
            *index = new;
        }
        operation
    }
}

/// Returns better ways to serve an access pattern with this verdict, the best first; empty if none is known.
pub(super) fn suggestions(
    design: &Design,
    pattern: &AccessPattern,
    verdict: Verdict,
) -> Vec<Suggestion> {
    // No key can help there.
    if always_rejected(design, &pattern.operation).is_some() {
        return Vec::new();
    }
    let eventual = eventual(design, pattern);
    let mut members: Vec<Member> = Vec::new();
    for id in entities_of(pattern) {
        if members.iter().any(|member| member.id == id) {
            continue;
        }
        let Some(entity) = design.entities.get(&id) else {
            return Vec::new();
        };
        match ReadRequirement::of(design, entity, &pattern.operation) {
            // Several entities need the same known attributes, or no key can hold them together.
            Some(requirement)
                if members
                    .first()
                    .is_none_or(|first| first.requirement == requirement) =>
            {
                members.push(Member {
                    id,
                    entity,
                    requirement,
                });
            }
            _ => return eventual.into_iter().collect(),
        }
    }
    let Some(Member { requirement, .. }) = members.first() else {
        return Vec::new();
    };
    if requirement.known.is_empty()
        && requirement.range.is_none()
        && is_read_requirement(&pattern.operation)
    {
        return Vec::new();
    }
    let suggesting = Suggester {
        design,
        pattern,
        members: &members,
        requirement,
    };
    let (mut found, more) = suggesting.as_it_is(verdict, eventual);
    if found.is_empty() && !(verdict == Verdict::ReadsTooMuch && suggesting.only_filters()) {
        found = suggesting.joins();
        found.extend(suggesting.new_index(IndexKind::Gsi));
        found.extend(suggesting.new_index(IndexKind::Lsi));
        // Keep a place for the one that needs no new key, although it reads more.
        found.truncate(MAX_SUGGESTIONS - more.iter().count());
        found.extend(more);
    }
    found.truncate(MAX_SUGGESTIONS);
    found
}

/// Returns how a read becomes possible that its index does not project these attributes for; `None` if something else is
/// wrong as well.
pub(super) fn projection(
    design: &Design,
    pattern: &AccessPattern,
    attributes: &[String],
) -> Option<Suggestion> {
    let id = pattern.operation.index()?;
    let index = (design.indexes.get(&id)).filter(|_| !attributes.is_empty())?;
    let mut extended = design.clone();
    let projection = index.projection.with(attributes);
    Arc::make_mut(extended.indexes.get_mut(&id)?).projection = projection.clone();
    let is_served = analyze(&extended, pattern).reasons.verdict() == Verdict::Served;
    is_served.then(|| {
        let names: Vec<String> = attributes.iter().map(|name| format!("`{name}`")).collect();
        Suggestion {
            step: SuggestedChange::Project(id, projection),
            operation: pattern.operation.clone(),
            text: format!(
                "add {} to the projection of `{}`",
                listed(&names),
                index.name
            ),
        }
    })
}

/// Suggests to make a strongly consistent read of a GSI eventually consistent.
fn eventual(design: &Design, pattern: &AccessPattern) -> Option<Suggestion> {
    let mut pattern = pattern.clone();
    let (Operation::Query { index, read, .. } | Operation::Scan { index, read, .. }) =
        &mut pattern.operation
    else {
        return None;
    };
    let index = *index;
    if !std::mem::take(&mut read.consistent) || !design.is_gsi(index) {
        return None;
    }
    let name = design.index_name(index);
    (analyze(design, &pattern).reasons.verdict() == Verdict::Served).then(|| Suggestion {
        step: SuggestedChange::UseExisting(index),
        operation: pattern.operation,
        text: format!("Read it through `{name}` with eventually consistent reads"),
    })
}

/// One of the intended entities, and what is needed of it.
struct Member<'a> {
    id: EntityId,
    entity: &'a Entity,
    requirement: ReadRequirement,
}

struct Suggester<'a> {
    design: &'a Design,
    pattern: &'a AccessPattern,
    members: &'a [Member<'a>],
    /// What is needed of each of them.
    requirement: &'a ReadRequirement,
}

impl Suggester<'_> {
    /// Returns the existing keys that serve the pattern, and the first that returns the intended items but reads more.
    fn as_it_is(
        &self,
        verdict: Verdict,
        eventual: Option<Suggestion>,
    ) -> (Vec<Suggestion>, Option<Suggestion>) {
        let mut found: Vec<Suggestion> = eventual.into_iter().collect();
        let mut more = None;
        let own = match &self.pattern.operation {
            query @ Operation::Query { index, .. } if !is_read_requirement(query) => Some(*index),
            _ => None,
        };
        for index in self.design.index_ids() {
            let Some((operation, analysis)) = self.tried(self.design, index) else {
                continue;
            };
            let is_same = |other: &Suggestion| other.operation.index() == Some(index);
            if operation == self.pattern.operation || found.iter().any(is_same) {
                continue;
            }
            if own != Some(index) && !self.has_all(index) {
                continue;
            }
            let names: Vec<String> = (self.members.iter())
                .map(|member| format!("`{}`", member.entity.name))
                .collect();
            let place = match index.is_primary() {
                true => format!("the primary key of {}", listed(&names)),
                false => format!("`{}`", self.design.index_name(index)),
            };
            let suggestion = |text| Suggestion {
                step: SuggestedChange::UseExisting(index),
                operation,
                text,
            };
            match (analysis.reasons.verdict(), analysis.reasons.first()) {
                (Verdict::Served, _) if own == Some(index) => {
                    found.push(suggestion(format!(
                        "Change the key condition: {place} already serves it"
                    )));
                }
                (Verdict::Served, _) => {
                    found.push(suggestion(format!(
                        "Read it through {place}, which already serves it"
                    )));
                }
                (_, Some(reason)) if !verdict.is_served() && more.is_none() => {
                    let text = format!(
                        "Read it through {place}, which serves it, but {}",
                        reason.text
                    );
                    more = Some(suggestion(text));
                }
                _ => {}
            }
        }
        (found, more)
    }

    /// Whether the key selects the right items, and no key can express any of the filter: another key would read the same
    /// items.
    fn only_filters(&self) -> bool {
        let mut operation = self.pattern.operation.clone();
        let (Operation::Query { read, .. } | Operation::Scan { read, .. }) = &mut operation else {
            return false;
        };
        if read.filter.take().is_none() {
            return false;
        }
        let entity = self.members[0].entity;
        let without = ReadRequirement::of(self.design, entity, &operation);
        let is_same = |without: ReadRequirement| {
            without.known == self.requirement.known && without.range == self.requirement.range
        };
        without.is_some_and(is_same)
            && analyze(self.design, self.pattern).reasons.verdict() == Verdict::Served
    }

    /// Returns the operation that reads all intended entities from the index of this design, if it returns them, and
    /// its analysis.
    fn tried(&self, design: &Design, index: IndexId) -> Option<(Operation, Analysis)> {
        let mut operation = None;
        for member in self.members {
            let own = serve(design, member.id, self.requirement, index)?;
            operation = Some(match operation {
                Some(others) => together(others, own, &self.design.delimiter.delimiter)?,
                None => own,
            });
        }
        let pattern = AccessPattern {
            operation: operation?,
            ..self.pattern.clone()
        };
        let analysis = analyze(design, &pattern);
        (analysis.reasons.verdict().is_served()).then_some((pattern.operation, analysis))
    }

    /// Whether an index has all items that the pattern may want: none is left out by a condition on an attribute that the
    /// pattern does not test, or because it lacks an optional attribute of the key that the pattern does not test.
    fn has_all(&self, index: IndexId) -> bool {
        let wanted = self.requirement;
        let known = wanted.known.iter().map(|known| known.attribute.clone());
        let mut tested: Vec<String> = known.collect();
        tested.extend(wanted.range.iter().map(|range| range.attribute.clone()));
        let filter = wanted.read.filter.as_deref();
        if let Some(filter) = filter.and_then(|text| parse_condition(text).ok()) {
            tested.extend(uses_of_condition(&filter).attributes());
        }
        let has_all = |entity: &Entity| {
            let entry = entity.keys.get(&index);
            let mut conditions = entry.into_iter().flat_map(|entry| &entry.when);
            let mut needed = index_attributes(self.design, entity, index).into_iter();
            conditions.all(|condition| tested.contains(&condition.attribute))
                && needed.all(|name| {
                    let own = entity.attribute(&name);
                    let optional = own.is_some_and(|own| !own.required) && !index.is_primary();
                    !optional || tested.contains(&name)
                })
        };
        self.members.iter().all(|member| has_all(member.entity))
    }

    /// Returns the operation that serves the pattern once these entries are in an index.
    fn served(&self, design: &mut Design, index: IndexId, entries: &Entries) -> Option<Operation> {
        for (id, entry) in entries {
            if let Some(entity) = design.entities.get_mut(id) {
                Arc::make_mut(entity).keys.insert(index, entry.clone());
            }
        }
        let (operation, analysis) = self.tried(design, index)?;
        (analysis.reasons.verdict() == Verdict::Served).then_some(operation)
    }

    fn joins(&self) -> Vec<Suggestion> {
        let mut found = Vec::new();
        for (id, index) in &self.design.indexes {
            if !is_overloadable(self.design, *id) {
                continue;
            }
            for entries in self.entries(*id, index) {
                let mut design = self.design.clone();
                let operation = self.served(&mut design, *id, &entries);
                if let Some(operation) = operation.filter(|_| !self.collides(&design, *id)) {
                    let text = format!(
                        "add {}{}{}",
                        self.shown(&entries, &format!("to `{}` ", index.name)),
                        limited(&index.projection),
                        self.weaker(index.kind)
                    );
                    found.push(Suggestion {
                        step: SuggestedChange::Join(*id, entries),
                        operation,
                        text,
                    });
                    break;
                }
            }
        }
        // First the indexes that hold all attributes.
        let is_limited = |index: &IndexId| {
            let index = self.design.indexes.get(index);
            index.is_some_and(|index| index.projection != Projection::All)
        };
        by_rank(found, |suggestion| match &suggestion.step {
            SuggestedChange::Join(index, _) => [is_limited(index).into(), 0, 0, 0],
            _ => [0; 4],
        })
    }

    /// Suggests a new index. A local secondary index only if it offers more than a GSI: another order of an item
    /// collection of the table, with strongly consistent reads.
    fn new_index(&self, kind: IndexKind) -> Option<Suggestion> {
        let key = &self.design.table.key;
        let is_local = kind == IndexKind::Lsi;
        let indexes = self.design.indexes.values();
        let count = indexes.filter(|index| index.kind == kind).count();
        let (most, schema) = match is_local {
            true => (
                limits::LSIS_PER_TABLE,
                KeySchema {
                    partition: key.partition.clone(),
                    ..KeySchema::pair("", "new:sk")
                },
            ),
            false => (limits::GSIS_PER_TABLE, KeySchema::pair("new:pk", "new:sk")),
        };
        if count >= most || is_local && (key.sort.is_empty() || !self.requirement.read.consistent) {
            return None;
        }
        let mut design = self.design.clone();
        let id = IndexId(design.take_id());
        let index = Index::new("new", kind, schema);
        design.indexes.insert(id, Arc::new(index.clone()));
        for entries in self.entries(id, &index) {
            let Some(mut operation) = self.served(&mut design, id, &entries) else {
                continue;
            };
            if let Operation::Query { index, .. } = &mut operation {
                *index = IndexId::PRIMARY;
            }
            let shown = self.shown(&entries, "");
            let text = match is_local {
                true => format!(
                    "add an LSI for {shown}, with strongly consistent reads: it needs a new table, and limits each item collection to 10 GB"
                ),
                false => format!("add a GSI for {shown}{}", self.weaker(kind)),
            };
            return Some(Suggestion {
                step: SuggestedChange::NewIndex(kind, entries),
                operation,
                text,
            });
        }
        None
    }

    /// Returns a note on entries in an index of this kind, as the end of a sentence.
    fn weaker(&self, kind: IndexKind) -> &'static str {
        match (
            self.requirement.read.consistent,
            self.requirement.known.is_empty(),
        ) {
            (true, _) if kind == IndexKind::Gsi => "; reads are eventually consistent",
            (_, true) if kind == IndexKind::Gsi => {
                "; one partition then takes all reads and writes"
            }
            _ => "",
        }
    }

    /// Returns the entries to try for the entities that are not in the index. They differ in the partition key: the
    /// pattern's own, that of the other entities, one named after the known attribute, and one with the entity's name
    /// in front. A local secondary index has the table's.
    fn entries(&self, id: IndexId, index: &Index) -> Vec<Entries> {
        let delimiter = &self.design.delimiter.literal("{").unwrap_or_default();
        let mut partitions: Vec<Option<String>> = Vec::new();
        if index.kind == IndexKind::Lsi {
            partitions.push(None);
        } else {
            if let Operation::Query {
                index: queried,
                partition,
                ..
            } = &self.pattern.operation
                && *queried == id
                && let [text] = &partition[..]
                && !text.is_empty()
            {
                partitions.push(Some(text.clone()));
            }
            for member in self.members {
                partitions.extend(member.entity.keys.get(&id).map(|own| own.partition.clone()));
            }
            // The design's own prefix: `ACCOUNT#` for what is `ACCOUNT#{username}` elsewhere.
            if let [known] = &self.requirement.known[..]
                && known.modifiers.is_empty()
                && let Some(text) = prefix(self.design, self.members[0].id, &known.attribute)
            {
                partitions.push(Some(format!("{text}{{{}}}", known.attribute)));
            }
            let mut named = Vec::new();
            for known in &self.requirement.known {
                let placeholder = placeholder(&known.attribute, &known.modifiers);
                let stem = known.attribute.trim_end_matches("Id");
                named.push(format!("{}{delimiter}{placeholder}", screaming(stem)));
            }
            if !named.is_empty() {
                partitions.push(Some(named.join(delimiter)));
            }
            named.insert(0, screaming(&self.members[0].entity.name));
            partitions.push(Some(named.join(delimiter)));
        }
        let mut joining = Vec::new();
        for member in self.members {
            if member.entity.keys.contains_key(&id) {
                continue;
            }
            match (!index.key.sort.is_empty()).then(|| self.sort(member)) {
                Some(None) => return Vec::new(),
                sort => joining.push((member.id, sort.flatten())),
            }
        }
        if joining.is_empty() {
            return Vec::new();
        }
        let entries = |partition: Option<String>| {
            let entry = |(id, sort): &(EntityId, Option<String>)| {
                let entry = IndexEntry {
                    partition: partition.clone(),
                    sort: sort.clone(),
                    when: Vec::new(),
                };
                (*id, entry)
            };
            joining.iter().map(entry).collect()
        };
        partitions.into_iter().map(entries).collect()
    }

    /// Returns the sort key template: the attribute of the range, or the time, then the attribute that identifies the
    /// items. `None` if text cannot have the order of the attribute's values.
    fn sort(&self, member: &Member) -> Option<String> {
        let entity = member.entity;
        let delimiter = &self.design.delimiter.literal("{").unwrap_or_default();
        let time = || {
            // Items without a key attribute are not in the index.
            let times = |attribute: &&Attribute| attribute.required && is_time(&attribute.name);
            let found = entity.attributes.iter().find(times);
            found.map(|attribute| attribute.name.clone())
        };
        let ordered = |name: &str| ordered(self.design, member, name);
        let own = identity(self.design, entity);
        let first = match &self.requirement.range {
            Some(range) => Some(range.attribute.clone()),
            None if self.requirement.descending => time(),
            // Even where no order is asked for, items in the order of time are of more use.
            None => match time().filter(|time| *time != own) {
                Some(time) => {
                    let (name, time) = (screaming(&entity.name), ordered(&time)?);
                    return Some(format!("{name}{delimiter}{time}{delimiter}{{{own}}}"));
                }
                None => None,
            },
        };
        Some(match first {
            Some(first) if first == own => ordered(&own)?,
            Some(first) => format!("{}{delimiter}{{{own}}}", ordered(&first)?),
            None => format!("{}{delimiter}{{{own}}}", screaming(&entity.name)),
        })
    }

    /// Whether another entity of a GSI can have the same partition key there as one of the intended entities.
    fn collides(&self, design: &Design, index: IndexId) -> bool {
        let partition = |id: &EntityId| {
            let values = key_values(design, design.entities.get(id)?, index)?;
            values.into_iter().next()?.language
        };
        let is_member = |id: &EntityId| self.members.iter().any(|member| member.id == *id);
        let is_local = (design.indexes.get(&index)).is_some_and(|i| i.kind == IndexKind::Lsi);
        !is_local
            && self.members.iter().any(|member| {
                let Some(own) = partition(&member.id) else {
                    return true;
                };
                let mut others = design.entities.keys().filter(|id| !is_member(id));
                others.any(|id| partition(id).is_some_and(|other| own.collides(&other) != Ok(None)))
            })
    }

    /// Describes entities with their entries: `User` `place` with `USER#{email}` / `{userId}`.
    fn shown(&self, entries: &Entries, place: &str) -> String {
        let mut all = Vec::new();
        for (id, entry) in entries {
            let name = (self.design.entities.get(id)).map_or("", |entity| &entity.name);
            let texts: Vec<String> = (entry.partition.iter().chain(&entry.sort))
                .map(|text| format!("`{text}`"))
                .collect();
            let place = if all.is_empty() { place } else { "" };
            all.push(format!("`{name}` {place}with {}", texts.join(" / ")));
        }
        listed(&all)
    }
}

/// Returns the placeholder of an attribute whose text has the order of its values: numbers with as many digits as their
/// format and the samples need. `None` if no padding gives them their order.
fn ordered(design: &Design, member: &Member, name: &str) -> Option<String> {
    let attribute = member.entity.attribute(name);
    let Some(attribute) = attribute.filter(|attribute| attribute.kind == AttributeType::N) else {
        return Some(placeholder(name, &[]));
    };
    let mut digits = Digits {
        whole: DEFAULT_DIGITS,
        decimals: 0,
        negative: false,
    };
    match &resolved(design, attribute).format {
        Some(Format::Integer { min, max }) => {
            digits.whole = 1;
            digits.add(&min.to_string());
            digits.add(&max.to_string());
        }
        Some(Format::Decimal { min, max, places }) => {
            digits.decimals = usize::from(*places);
            digits.add(min);
            digits.add(max);
        }
        _ => {}
    }
    digits.add_samples(design, member.id, name);
    Some(placeholder(name, &[digits.padding()?]))
}

/// Returns the attributes that an item needs to be in an index.
fn index_attributes(design: &Design, entity: &Entity, index: IndexId) -> Vec<String> {
    let keys = design
        .key(index)
        .into_iter()
        .flat_map(KeySchema::attributes);
    let templates = keys.filter_map(|key| stored_source(design, entity, &key.name).template());
    let attributes = templates.flat_map(|template| {
        let names = template.attributes().map(str::to_owned);
        names.collect::<Vec<_>>()
    });
    attributes.collect()
}

/// Returns the attribute that identifies the entity's items: the last one of its primary key.
fn identity(design: &Design, entity: &Entity) -> String {
    let last = primary_attributes(design, entity).pop();
    last.or_else(|| entity.attributes.first().map(|a| a.name.clone()))
        .unwrap_or_else(|| "id".to_owned())
}

/// Whether entities can enter the index with their own templates: one partition and at most one sort key attribute,
/// both of type S and not in any other key. A local secondary index has the table's partition key.
fn is_overloadable(design: &Design, index: IndexId) -> bool {
    let Some(key) = design.key(index) else {
        return false;
    };
    let elsewhere = |name: &str| {
        let others = design.index_ids().filter(|other| *other != index);
        let mut others = others.filter_map(|other| design.key(other));
        others.any(|other| other.attributes().any(|attribute| attribute.name == name))
    };
    // If an entity's plain attribute is the key, templates do not fit.
    let plain = |name: &str| {
        let mut entities = design.entities.values();
        entities.any(|entity| entity.attribute(name).is_some())
    };
    let is_local = (design.indexes.get(&index)).is_some_and(|i| i.kind == IndexKind::Lsi);
    let own = if is_local { 1 } else { 0 };
    !key.is_multi_attribute()
        && (key.attributes().skip(own))
            .all(|a| a.kind == KeyType::S && !elsewhere(&a.name) && !plain(&a.name))
}

fn placeholder(attribute: &str, modifiers: &[Modifier]) -> String {
    let placeholder = Placeholder {
        attribute: attribute.to_owned(),
        modifiers: modifiers.to_vec(),
        span: 0..0,
    };
    placeholder.to_string()
}

/// Returns what an index does not project, as the end of a sentence.
fn limited(projection: &Projection) -> String {
    match projection {
        Projection::All => String::new(),
        Projection::KeysOnly => "; it projects only keys".to_owned(),
        Projection::Include(names) => {
            let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
            format!("; besides keys it projects only {}", listed(&names))
        }
    }
}
