//! The document. Its parts are behind `Arc`s: a clone only bumps reference counts, and `keyfold_app::diff` compares two
//! designs part by part by pointer.

use super::{
    AccessPattern, AccessPatternId, AttributeType, CardId, DelimiterPolicy, Entity, EntityId,
    ExportOptions, Index, IndexId, IndexKind, KeyAttribute, KeySchema, Layout, NoteId, Sample,
    SampleId, Table, Workload,
};
use crate::model::SortedMap;
use crate::model::name::NameError;
use rustc_hash::FxHashSet;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// A table with its indexes, entities, access patterns, samples and canvas.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Design {
    /// The name in the workspace.
    pub name: String,
    /// What the design is about. Free text.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub description: String,
    /// The next free id number. It never decreases, not even on undo.
    pub next_id: u32,
    /// The delimiter of the keys and its policy.
    #[serde(default)]
    pub delimiter: Arc<DelimiterPolicy>,
    /// The table with its primary key.
    pub table: Arc<Table>,
    /// The secondary indexes.
    #[serde(default)]
    pub indexes: SortedMap<IndexId, Arc<Index>>,
    /// The entities.
    #[serde(default)]
    pub entities: SortedMap<EntityId, Arc<Entity>>,
    /// The access patterns.
    #[serde(default, skip_serializing_if = "SortedMap::is_empty")]
    pub access_patterns: SortedMap<AccessPatternId, Arc<AccessPattern>>,
    /// The samples of each entity, in the author's order.
    #[serde(default, skip_serializing_if = "SortedMap::is_empty")]
    pub samples: SortedMap<EntityId, Arc<Vec<Arc<Sample>>>>,
    /// Notes on the canvas.
    #[serde(default, skip_serializing_if = "SortedMap::is_empty")]
    pub notes: SortedMap<NoteId, Arc<Note>>,
    /// Findings that the author has silenced.
    #[serde(default, skip_serializing_if = "no_silenced")]
    pub silenced: Arc<Vec<Silenced>>,
    /// Traffic, data and prices, for cost and heat.
    #[serde(default, skip_serializing_if = "no_workload")]
    pub workload: Arc<Workload>,
    /// Choices about the exports.
    #[serde(default, skip_serializing_if = "no_options")]
    pub export_options: Arc<ExportOptions>,
    /// The positions of the cards.
    #[serde(default, skip_serializing_if = "no_layout")]
    pub layout: Arc<Layout>,
}

fn no_silenced(silenced: &Arc<Vec<Silenced>>) -> bool {
    silenced.is_empty()
}

fn no_workload(workload: &Arc<Workload>) -> bool {
    workload.is_empty()
}

fn no_options(options: &Arc<ExportOptions>) -> bool {
    options.is_default()
}

fn no_layout(layout: &Arc<Layout>) -> bool {
    layout.is_empty()
}

/// A note on the canvas.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Note {
    /// Plain text of several lines, at most [`Note::MAX_CHARS`] long.
    pub text: String,
    /// The color: a hue from 0 to [`Entity::HUES`] - 1.
    #[serde(
        default = "Note::default_hue",
        skip_serializing_if = "Note::has_default_hue"
    )]
    pub hue: u8,
}

impl Note {
    /// The color of a new note: the yellow of paper notes.
    pub const HUE: u8 = 4;
    /// Maximum length of the text, in characters.
    pub const MAX_CHARS: usize = 4000;

    /// A note with the color of new notes.
    pub fn new(text: impl Into<String>) -> Self {
        Note {
            text: text.into(),
            hue: Note::HUE,
        }
    }

    /// The first line with text, without surrounding spaces; empty for a note without text.
    pub fn first_line(&self) -> &str {
        let mut lines = self.text.lines().map(str::trim);
        lines.find(|line| !line.is_empty()).unwrap_or_default()
    }

    /// Checks that a note can have this text.
    ///
    /// # Errors
    ///
    /// The limit, if the text is longer.
    pub fn check_text(text: &str) -> Result<(), NameError> {
        match text.chars().count() {
            0..=Note::MAX_CHARS => Ok(()),
            many => Err(NameError::new(&format!(
                "a note has at most {} characters; this one has {many}",
                Note::MAX_CHARS
            ))),
        }
    }

    fn default_hue() -> u8 {
        Note::HUE
    }

    fn has_default_hue(hue: &u8) -> bool {
        *hue == Note::HUE
    }
}

/// A silenced finding and the reason.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Silenced {
    /// Code of the lint rule, such as `T001`.
    pub code: String,
    /// The place: ids and names from the outside in, such as `e3/i2/partition`.
    pub place: String,
    /// Why the author accepts the finding.
    pub reason: String,
}

impl Design {
    /// The name of a design that has none yet.
    pub const UNTITLED: &str = "Untitled";

    /// A design with an empty on-demand table and the primary key `PK`, `SK`. The table gets the design's name, adapted
    /// to DynamoDB's naming rules.
    pub fn new(name: impl Into<String>) -> Self {
        let name = name.into();
        let table_name = table_name_for(&name);
        Design {
            name,
            description: String::new(),
            next_id: 1,
            delimiter: Arc::default(),
            table: Arc::new(Table::new(table_name)),
            indexes: SortedMap::new(),
            entities: SortedMap::new(),
            access_patterns: SortedMap::new(),
            samples: SortedMap::new(),
            notes: SortedMap::new(),
            silenced: Arc::default(),
            workload: Arc::default(),
            export_options: Arc::default(),
            layout: Arc::default(),
        }
    }

    /// Takes the next free id number.
    pub fn take_id(&mut self) -> u32 {
        let id = self.next_id;
        self.next_id += 1;
        id
    }

    /// The key schema of the table or an index; `None` if there is no such index.
    pub fn key(&self, index: IndexId) -> Option<&KeySchema> {
        if index.is_primary() {
            Some(&self.table.key)
        } else {
            self.indexes.get(&index).map(|index| &index.key)
        }
    }

    /// The display name of the table (`Table`) or an index; empty if there is no such index.
    pub fn index_name(&self, index: IndexId) -> &str {
        if index.is_primary() {
            "Table"
        } else {
            self.indexes.get(&index).map_or("", |index| &index.name)
        }
    }

    /// Whether this is a GSI, which supports only eventually consistent reads; the table and an LSI are none.
    pub fn is_gsi(&self, index: IndexId) -> bool {
        (self.indexes.get(&index)).is_some_and(|index| index.kind == IndexKind::Gsi)
    }

    /// The secondary index with this name.
    pub fn index_named(&self, name: &str) -> Option<IndexId> {
        self.indexes
            .iter()
            .find(|(_, index)| index.name == name)
            .map(|(id, _)| *id)
    }

    /// The entity with this name.
    pub fn entity_named(&self, name: &str) -> Option<EntityId> {
        self.entities
            .iter()
            .find(|(_, entity)| entity.name == name)
            .map(|(id, _)| *id)
    }

    /// The primary key and all secondary indexes, in order of their ids.
    pub fn index_ids(&self) -> impl Iterator<Item = IndexId> {
        std::iter::once(IndexId::PRIMARY).chain(self.indexes.keys().copied())
    }

    /// The key attribute of this name, of the table or the first index that has it.
    pub fn key_attribute(&self, name: &str) -> Option<&KeyAttribute> {
        let keys = self.index_ids().filter_map(|index| self.key(index));
        keys.flat_map(KeySchema::attributes)
            .find(|key| key.name == name)
    }

    /// The samples of an entity; empty if it has none.
    pub fn samples_of(&self, entity: EntityId) -> &[Arc<Sample>] {
        self.samples.get(&entity).map_or(&[], |samples| samples)
    }

    /// Takes samples of an entity away. Access patterns no longer take their parameters from them.
    pub fn remove_samples(&mut self, entity: EntityId, gone: &[SampleId]) {
        let gone = FxHashSet::from_iter(gone.iter().copied());
        if let Some(samples) = self.samples.get_mut(&entity) {
            Arc::make_mut(samples).retain(|sample| !gone.contains(&sample.id));
            if samples.is_empty() {
                self.samples.remove(&entity);
            }
        }
        for pattern in self.access_patterns.values_mut() {
            if pattern.sample.is_some_and(|sample| gone.contains(&sample)) {
                Arc::make_mut(pattern).sample = None;
            }
        }
    }

    /// Takes away the workload of access patterns and entities that no longer exist.
    pub fn trim_workload(&mut self) {
        let Workload {
            patterns, entities, ..
        } = &*self.workload;
        let has_all = patterns
            .keys()
            .all(|id| self.access_patterns.contains_key(id))
            && entities.keys().all(|id| self.entities.contains_key(id));
        if !has_all {
            Arc::make_mut(&mut self.workload).retain(
                |id| self.access_patterns.contains_key(&id),
                |id| self.entities.contains_key(&id),
            );
        }
    }

    /// The type of an attribute in an entity's items: the key attribute's type if it is one, else the entity's. `None`
    /// if neither declares it.
    pub fn type_of(&self, entity: EntityId, attribute: &str) -> Option<AttributeType> {
        if let Some(key) = self.key_attribute(attribute) {
            return Some(key.kind.into());
        }
        if self.table.is_type_attribute(attribute) {
            return Some(AttributeType::S);
        }
        let entity = self.entities.get(&entity)?;
        entity.attribute(attribute).map(|attribute| attribute.kind)
    }

    /// All cards: the primary key, the indexes, the entities and the notes.
    pub fn cards(&self) -> impl Iterator<Item = CardId> {
        (self.index_ids().map(CardId::Index))
            .chain(self.entities.keys().map(|id| CardId::Entity(*id)))
            .chain(self.notes.keys().map(|id| CardId::Note(*id)))
    }

    /// Whether the card exists.
    pub fn has_card(&self, card: CardId) -> bool {
        match card {
            CardId::Index(id) => id.is_primary() || self.indexes.contains_key(&id),
            CardId::Entity(id) => self.entities.contains_key(&id),
            CardId::Note(id) => self.notes.contains_key(&id),
        }
    }
}

/// The closest table name to `name` that DynamoDB accepts.
pub fn table_name_for(name: &str) -> String {
    let mut text = String::new();
    for c in name.chars() {
        if c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '-') {
            text.push(c);
        } else if !text.is_empty() && !text.ends_with('-') {
            text.push('-');
        }
    }
    text.truncate(text.trim_end_matches('-').len());
    text.truncate(255);
    if text.len() < 3 {
        text.push_str("-table");
    }
    text
}
