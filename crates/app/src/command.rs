//! Everything that can be done to a design, as data, and the single edits. [`apply`](super::apply) is the only way a
//! design changes.

mod access_pattern;
mod apply_suggestion;
mod delete;
mod label;
mod note;
mod paste;
mod rename;
mod samples;
mod silence;
mod wire;

use keyfold_core::lint::Fix;
use keyfold_core::model::{
    AccessPatternId, Attribute, AttributeId, CardId, Condition, DelimiterPolicy, Design, Entity,
    EntityId, ExportOptions, Index, IndexEntry, IndexId, IndexKind, KeyPart, KeySchema, NoteId,
    Point, Projection, Sample, SampleId, Silenced, SortedMap, Table, Value, limits, name,
};
use keyfold_core::proof::Suggestion;
use std::fmt;
use std::sync::Arc;

pub use access_pattern::PatternEdit;
pub use samples::{SampleEdits, ValueEdit};

/// One change of a design. Names and types are checked when it is applied; templates are kept as typed.
#[derive(Debug, Clone, PartialEq)]
pub enum Command {
    /// Gives the design another name.
    RenameDesign(String),
    /// Says what the design is about.
    DescribeDesign(String),
    /// Sets the delimiter of keys and the rule for values that contain it.
    SetDelimiter(DelimiterPolicy),
    /// Sets the table's properties; `field` names the one that changes.
    UpdateTable {
        /// The table as it shall be.
        table: Box<Table>,
        /// The property that changes.
        field: &'static str,
    },
    /// Adds a secondary index, with a card at this place.
    AddIndex {
        /// The index.
        index: Box<Index>,
        /// Where its card goes.
        at: Point,
    },
    /// Adds a secondary index and puts an entity into it, as one step.
    AddIndexFor {
        /// The index.
        index: Box<Index>,
        /// Where its card goes.
        at: Point,
        /// The entity.
        entity: EntityId,
        /// Its templates.
        entry: IndexEntry,
    },
    /// Sets an index's properties; `field` names the one that changes.
    UpdateIndex {
        /// The index.
        id: IndexId,
        /// The index as it shall be.
        index: Box<Index>,
        /// The property that changes.
        field: &'static str,
    },
    /// Adds an entity, with one attribute for each placeholder of its keys, one sample, and a card.
    AddEntity {
        /// Its name.
        name: String,
        /// Where its card goes.
        at: Point,
    },
    /// Gives an entity another name. One that was never edited gets the keys and attributes that suit the new name.
    RenameEntity(EntityId, String),
    /// Says what an entity stands for.
    DescribeEntity(EntityId, String),
    /// Gives an entity another color, one of [`Entity::HUES`].
    SetHue(EntityId, u8),
    /// Adds a note with a card.
    AddNote {
        /// Its text.
        text: String,
        /// Where its card goes.
        at: Point,
    },
    /// Gives a note another text.
    SetNoteText(NoteId, String),
    /// Gives a note another color, one of [`Entity::HUES`].
    SetNoteHue(NoteId, u8),
    /// Adds an attribute at the end. Its id is set here.
    AddAttribute(EntityId, Attribute),
    /// Sets an attribute; `field` names what changes. A new name is carried to every place that means the attribute,
    /// and values follow a new type where nothing is lost ([`retype`](super::retype)).
    UpdateAttribute {
        /// The entity.
        entity: EntityId,
        /// The attribute as it shall be.
        attribute: Box<Attribute>,
        /// What changes.
        field: &'static str,
    },
    /// Takes an attribute away, with its sample values.
    DeleteAttribute(EntityId, AttributeId),
    /// Moves an attribute to this position among the others.
    MoveAttribute(EntityId, AttributeId, usize),
    /// Sets one key template; `None` takes it away.
    SetTemplate {
        /// The entity.
        entity: EntityId,
        /// The primary key or an index that the entity is in.
        index: IndexId,
        /// Partition or sort.
        part: KeyPart,
        /// The template's text.
        text: Option<String>,
    },
    /// Puts an entity into an index.
    JoinIndex(EntityId, IndexId, IndexEntry),
    /// Takes an entity out of an index.
    LeaveIndex(EntityId, IndexId),
    /// Moves the end of a wire: the entity leaves one index for another, with its templates and conditions
    /// where they fit.
    MoveWire {
        /// The entity.
        entity: EntityId,
        /// The secondary index that it leaves.
        from: IndexId,
        /// The secondary index that it joins.
        to: IndexId,
    },
    /// Sets the conditions of an entity's entry in an index.
    SetConditions(EntityId, IndexId, Vec<Condition>),
    /// Adds a sample at the end.
    AddSample(EntityId, SortedMap<String, Value>),
    /// Sets one value of a sample; `None` takes it away.
    SetValue {
        /// The entity.
        entity: EntityId,
        /// The sample.
        sample: SampleId,
        /// The attribute's name.
        attribute: String,
        /// Its value.
        value: Option<Value>,
    },
    /// Changes many samples.
    EditSamples(Box<SampleEdits>),
    /// Takes samples away, each entity's own.
    DeleteSamples(Vec<(EntityId, Vec<SampleId>)>),
    /// Changes the access patterns.
    Pattern(PatternEdit),
    /// Takes a suggestion of how an access pattern can be served: adds the index or the templates, and points the
    /// pattern at them.
    ApplySuggestion {
        /// The access pattern.
        pattern: AccessPatternId,
        /// The suggestion.
        suggestion: Box<Suggestion>,
        /// Where the card of a new index goes.
        at: Point,
    },
    /// Moves cards.
    Move(Vec<(CardId, Point)>),
    /// Adds copies of cards, each with a name that is free. An entry refers to the index that was copied along,
    /// else to the one that has its name and takes its templates; an entry without either is dropped.
    Paste {
        /// A sound design; the cards that have a place in it are pasted ([`clipboard`](super::clipboard)).
        clip: Box<Design>,
        /// Where the top left corner of all of them goes.
        at: Point,
        /// Whether the person calls that duplicating; it does the same.
        duplicates: bool,
    },
    /// Takes cards away with everything that hangs on them. The primary key stays.
    Delete(Vec<CardId>),
    /// Does what takes a finding of the linter away.
    Fix(Box<Fix>),
    /// Sets what is chosen about the exports; `field` names what changes.
    SetExportOptions {
        /// The choices as they shall be.
        options: Box<ExportOptions>,
        /// What changes.
        field: &'static str,
    },
    /// Accepts a finding: code, place and reason.
    Silence(Silenced),
    /// No longer accepts it.
    Unsilence {
        /// The rule's code.
        code: String,
        /// The place, as it is written in the design.
        place: String,
    },
}

/// Why a command was refused. The design is unchanged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refused(pub String);

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Refused {}

impl From<name::NameError> for Refused {
    fn from(error: name::NameError) -> Self {
        Refused(error.to_string())
    }
}

/// The design after a single edit, which is any command but [`Command::Fix`].
pub(super) fn edited(design: &Design, command: Command) -> Result<Design, Refused> {
    let mut next = design.clone();
    change(&mut next, command)?;
    Ok(next)
}

fn change(design: &mut Design, command: Command) -> Result<(), Refused> {
    match command {
        Command::RenameDesign(name) => {
            name::check_label(&name)?;
            design.name = name;
        }
        Command::DescribeDesign(text) => design.description = text,
        Command::SetDelimiter(policy) => design.delimiter = Arc::new(policy),
        Command::UpdateTable { table, .. } => update_table(design, *table)?,
        Command::AddIndex { index, at } => {
            add_index(design, *index, at)?;
        }
        Command::AddIndexFor {
            index,
            at,
            entity,
            entry,
        } => {
            let id = add_index(design, *index, at)?;
            join(design, entity, id, entry)?;
        }
        Command::UpdateIndex { id, index, .. } => update_index(design, id, *index)?,
        Command::AddEntity { name, at } => add_entity(design, name, at)?,
        Command::RenameEntity(id, name) => rename::rename_entity(design, id, name)?,
        Command::DescribeEntity(id, text) => entity(design, id)?.description = text,
        Command::SetHue(id, hue) => entity(design, id)?.hue = hue % Entity::HUES,
        Command::AddNote { text, at } => note::add(design, text, at)?,
        Command::SetNoteText(id, text) => note::set_text(design, id, text)?,
        Command::SetNoteHue(id, hue) => note::set_hue(design, id, hue)?,
        Command::AddAttribute(id, mut attribute) => {
            attribute.id = AttributeId(design.take_id());
            let entity = entity(design, id)?;
            check_attribute_name(entity, None, &attribute.name)?;
            entity.attributes.push(attribute);
        }
        Command::UpdateAttribute {
            entity: id,
            attribute,
            ..
        } => rename::update_attribute(design, id, *attribute)?,
        Command::DeleteAttribute(id, attribute) => delete::attribute(design, id, attribute)?,
        Command::MoveAttribute(id, attribute, to) => {
            let attributes = &mut entity(design, id)?.attributes;
            let from = position(attributes, attribute)?;
            let moved = attributes.remove(from);
            attributes.insert(to.min(attributes.len()), moved);
        }
        Command::SetTemplate {
            entity: id,
            index,
            part,
            text,
        } => set_template(design, id, index, part, text)?,
        Command::JoinIndex(id, index, entry) => join(design, id, index, entry)?,
        Command::LeaveIndex(id, index) => {
            entity(design, id)?.keys.remove(&index);
        }
        Command::MoveWire {
            entity: id,
            from,
            to,
        } => wire::move_wire(design, id, from, to)?,
        Command::SetConditions(id, index, when) => {
            if index.is_primary() {
                return Err(Refused(
                    "only an entry of a secondary index can have a condition".into(),
                ));
            }
            entry(entity(design, id)?, index)?.when = when;
        }
        Command::AddSample(id, values) => {
            known(design.entities.contains_key(&id), "entity")?;
            let sample = SampleId(design.take_id());
            let values = values.into();
            samples(design, id).push(Arc::new(Sample { id: sample, values }));
        }
        Command::SetValue {
            entity: id,
            sample,
            attribute,
            value,
        } => {
            name::check_attribute(&attribute)?;
            let sample = samples(design, id)
                .iter_mut()
                .find(|other| other.id == sample)
                .ok_or_else(|| Refused("this row no longer exists".into()))?;
            let values = &mut Arc::make_mut(sample).values;
            match value {
                Some(value) => values.insert(attribute, value),
                None => values.remove(&attribute),
            };
        }
        Command::EditSamples(edits) => samples::edit(design, *edits)?,
        Command::DeleteSamples(gone) => {
            for (id, samples) in gone {
                design.remove_samples(id, &samples);
            }
        }
        Command::Pattern(edit) => access_pattern::edit(design, edit)?,
        Command::ApplySuggestion {
            pattern,
            suggestion,
            at,
        } => apply_suggestion::apply_suggestion(design, pattern, *suggestion, at)?,
        Command::Move(moves) => {
            let cards = moves.iter().all(|(card, _)| design.has_card(*card));
            known(cards, "card")?;
            Arc::make_mut(&mut design.layout).extend(moves);
        }
        Command::Paste { clip, at, .. } => paste::paste(design, &clip, at)?,
        Command::Delete(cards) => delete::cards(design, &cards),
        // Made of several edits: `apply` has it.
        Command::Fix(_) => return Err(Refused("a fix is not a single edit".into())),
        Command::SetExportOptions { options, .. } => {
            options.check().map_err(|(_, error)| error)?;
            design.export_options = Arc::new(*options);
        }
        Command::Silence(silenced) => silence::silence(design, silenced)?,
        Command::Unsilence { code, place } => silence::unsilence(design, &code, &place),
    }
    Ok(())
}

fn known(there: bool, what: &str) -> Result<(), Refused> {
    match there {
        true => Ok(()),
        false => Err(Refused(format!("this {what} no longer exists"))),
    }
}

fn entity(design: &mut Design, id: EntityId) -> Result<&mut Entity, Refused> {
    (design.entities.get_mut(&id))
        .map(Arc::make_mut)
        .ok_or_else(|| Refused("this entity no longer exists".into()))
}

fn entry(entity: &mut Entity, index: IndexId) -> Result<&mut IndexEntry, Refused> {
    (entity.keys.get_mut(&index)).ok_or_else(|| Refused("the entity is not in this index".into()))
}

fn samples(design: &mut Design, id: EntityId) -> &mut Vec<Arc<Sample>> {
    Arc::make_mut(design.samples.entry(id).or_default())
}

fn position(attributes: &[Attribute], id: AttributeId) -> Result<usize, Refused> {
    (attributes.iter().position(|attribute| attribute.id == id))
        .ok_or_else(|| Refused("this attribute no longer exists".into()))
}

fn check_entity_name(design: &Design, own: Option<EntityId>, text: &str) -> Result<(), Refused> {
    name::check_label(text)?;
    match design.entity_named(text) {
        Some(other) if Some(other) != own => {
            Err(Refused(format!("another entity is called `{text}`")))
        }
        _ => Ok(()),
    }
}

fn check_attribute_name(
    entity: &Entity,
    own: Option<AttributeId>,
    text: &str,
) -> Result<(), Refused> {
    name::check_attribute(text)?;
    match entity.attribute(text) {
        Some(other) if Some(other.id) != own => Err(Refused(format!(
            "{} has another attribute called `{text}`",
            entity.name
        ))),
        _ => Ok(()),
    }
}

fn check_key(design: &Design, own: Option<IndexId>, key: &KeySchema) -> Result<(), Refused> {
    let mut seen = Vec::new();
    for attribute in key.attributes() {
        name::check_key_attribute(&attribute.name)?;
        name::check_attribute(&attribute.name)?;
        if seen.contains(&&attribute.name) {
            return Err(Refused(format!(
                "`{}` occurs twice in this key",
                attribute.name
            )));
        }
        seen.push(&attribute.name);
        let elsewhere = (design.index_ids().filter(|id| Some(*id) != own))
            .filter_map(|id| Some((id, design.key(id)?)))
            .find(|(_, other)| {
                (other.attributes()).any(|a| a.name == attribute.name && a.kind != attribute.kind)
            });
        if let Some((id, _)) = elsewhere {
            return Err(Refused(format!(
                "key attribute `{}` has another type in {}: use one type for each attribute",
                attribute.name,
                design.index_name(id)
            )));
        }
    }
    Ok(())
}

fn update_table(design: &mut Design, table: Table) -> Result<(), Refused> {
    name::check_resource(&table.name)?;
    for attribute in table.type_attribute.iter().chain(&table.ttl_attribute) {
        name::check_attribute(attribute)?;
    }
    if table.key.partition.len() != 1 || table.key.sort.len() > 1 {
        return Err(Refused(
            "a primary key has one partition key attribute and at most one sort key attribute"
                .into(),
        ));
    }
    if let Some(days) = table.recovery.and_then(|recovery| recovery.days)
        && !limits::RECOVERY_DAYS.contains(&days)
    {
        return Err(Refused(
            "the point-in-time recovery period is 1 to 35 days".into(),
        ));
    }
    if table.tags.len() > limits::TAGS {
        return Err(Refused(format!(
            "a table has at most {} tags",
            limits::TAGS
        )));
    }
    if table.key != design.table.key {
        // Local indexes follow the table's partition key; their types are checked with it.
        let locals = |index: &&mut Arc<Index>| index.kind == IndexKind::Lsi;
        for index in design.indexes.values_mut().filter(locals) {
            Arc::make_mut(index).key.partition = table.key.partition.clone();
        }
        check_key(design, Some(IndexId::PRIMARY), &table.key)?;
        for index in design.indexes.values() {
            if index.kind == IndexKind::Lsi && index.key.partition[0].name == index.key.sort[0].name
            {
                return Err(Refused(format!(
                    "`{}` is already the sort key of {}",
                    index.key.sort[0].name, index.name
                )));
            }
        }
        if table.key.sort.is_empty() {
            remove_sort_templates(design, IndexId::PRIMARY);
        }
    }
    design.table = Arc::new(table);
    Ok(())
}

fn remove_sort_templates(design: &mut Design, index: IndexId) {
    for entity in design.entities.values_mut() {
        if (entity.keys.get(&index)).is_some_and(|entry| entry.sort.is_some())
            && let Some(entry) = Arc::make_mut(entity).keys.get_mut(&index)
        {
            entry.sort = None;
        }
    }
}

fn check_index(design: &Design, own: Option<IndexId>, index: &Index) -> Result<(), Refused> {
    name::check_resource(&index.name)?;
    if (design.index_named(&index.name)).is_some_and(|other| Some(other) != own) {
        return Err(Refused(format!("another index is called `{}`", index.name)));
    }
    let (partition, sort) = (index.key.partition.len(), index.key.sort.len());
    let most = limits::MULTI_ATTRIBUTE_KEYS;
    if index.kind == IndexKind::Lsi {
        if index.key.partition != design.table.key.partition {
            return Err(Refused("an LSI has the table's partition key".into()));
        }
        if sort != 1 {
            return Err(Refused("an LSI has exactly one sort key attribute".into()));
        }
    } else if partition == 0 || partition > most || sort > most {
        return Err(Refused(format!(
            "a GSI has 1 to {most} partition key attributes and at most {most} sort key attributes"
        )));
    }
    if let Projection::Include(included) = &index.projection {
        for attribute in included {
            name::check_key_attribute(attribute)?;
        }
    }
    check_key(design, own, &index.key)
}

fn add_index(design: &mut Design, index: Index, at: Point) -> Result<IndexId, Refused> {
    check_index(design, None, &index)?;
    let id = IndexId(design.take_id());
    design.indexes.insert(id, Arc::new(index));
    Arc::make_mut(&mut design.layout).insert(CardId::Index(id), at);
    Ok(id)
}

fn update_index(design: &mut Design, id: IndexId, index: Index) -> Result<(), Refused> {
    known(design.indexes.contains_key(&id), "index")?;
    check_index(design, Some(id), &index)?;
    if index.key.is_multi_attribute() {
        for entity in design.entities.values_mut() {
            if (entity.keys.get(&id))
                .is_some_and(|entry| entry.partition.is_some() || entry.sort.is_some())
                && let Some(entry) = Arc::make_mut(entity).keys.get_mut(&id)
            {
                (entry.partition, entry.sort) = (None, None);
            }
        }
    } else if index.key.sort.is_empty() {
        remove_sort_templates(design, id);
    }
    design.indexes.insert(id, Arc::new(index));
    Ok(())
}

fn add_entity(design: &mut Design, name: String, at: Point) -> Result<(), Refused> {
    check_entity_name(design, None, &name)?;
    let id = EntityId(design.take_id());
    let entity = super::suggest::new_entity(design, name);
    let values = super::suggest::first_sample(design, &entity).into();
    design.entities.insert(id, Arc::new(entity));
    let sample = SampleId(design.take_id());
    samples(design, id).push(Arc::new(Sample { id: sample, values }));
    Arc::make_mut(&mut design.layout).insert(CardId::Entity(id), at);
    Ok(())
}

fn join(
    design: &mut Design,
    id: EntityId,
    index: IndexId,
    entry: IndexEntry,
) -> Result<(), Refused> {
    let key = design
        .key(index)
        .ok_or_else(|| Refused("this index no longer exists".into()))?;
    let fits = if key.is_multi_attribute() {
        entry.partition.is_none() && entry.sort.is_none()
    } else {
        !key.sort.is_empty() || entry.sort.is_none()
    };
    if !fits || (index.is_primary() && !entry.when.is_empty()) {
        return Err(Refused("these templates do not fit the index's key".into()));
    }
    entity(design, id)?.keys.insert(index, entry);
    Ok(())
}

fn set_template(
    design: &mut Design,
    id: EntityId,
    index: IndexId,
    part: KeyPart,
    text: Option<String>,
) -> Result<(), Refused> {
    let key = design
        .key(index)
        .ok_or_else(|| Refused("this index no longer exists".into()))?;
    if text.is_some() && key.is_multi_attribute() {
        return Err(Refused(
            "a multi-attribute key uses plain attributes, not templates".into(),
        ));
    }
    if text.is_some() && part == KeyPart::Sort && key.sort.is_empty() {
        return Err(Refused("this key has no sort key attribute".into()));
    }
    let entity = entity(design, id)?;
    let entry = if index.is_primary() {
        entity.keys.entry(index).or_default()
    } else {
        entry(entity, index)?
    };
    match part {
        KeyPart::Partition => entry.partition = text,
        KeyPart::Sort => entry.sort = text,
    }
    Ok(())
}
