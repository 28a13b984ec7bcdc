//! Everything that can be done to a design, as data, and the single edits. [`apply`](super::apply) is the only way a
//! design changes.

mod access_pattern;
mod apply_suggestion;
mod delete;
mod edit_text;
mod index;
mod keys;
mod names;
mod note;
mod paste_cards;
mod rename;
mod samples;
mod silence;
mod table;
mod undo_label;
mod wire;
mod workload;

pub use access_pattern::PatternEdit;
pub use samples::{SampleEdits, ValueEdit};
pub use workload::WorkloadEdit;

use crate::document::DesignText;
use keyfold_core::lint::Fix;
use keyfold_core::model::{
    AccessPatternId, Attribute, AttributeId, CardId, Condition, DelimiterPolicy, Design, Entity,
    EntityId, ExportOptions, Index, IndexEntry, IndexId, KeyPart, NoteId, Point, Sample, SampleId,
    Silenced, SortedMap, Table, Value, name,
};
use keyfold_core::proof::Suggestion;
use names::{check_attribute_name, check_entity_name};
use std::fmt;
use std::sync::Arc;

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
    /// Makes an attribute key-only, or makes items store it again. Samples keep their values.
    SetKeyOnly(EntityId, AttributeId, bool),
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
    /// Changes the workload: traffic, data and prices.
    Workload(WorkloadEdit),
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
        /// A sound design; the cards that have a place in it are pasted ([`card_clipboard`](super::card_clipboard)).
        clip: Box<Design>,
        /// Where the top left corner of all of them goes.
        at: Point,
        /// Whether the person calls that duplicating; it does the same.
        duplicates: bool,
    },
    /// Takes cards away with everything that hangs on them. The primary key stays.
    Delete(Vec<CardId>),
    /// Applies a fix of the linter ([`fixes::command`](super::fixes::command)).
    Fix(FixEdit),
    /// Carries out several commands as one step, in order; if one is refused, all are.
    Together {
        /// What undo calls them.
        label: &'static str,
        /// The commands.
        commands: Vec<Command>,
    },
    /// Sets what is chosen about the exports; `field` names what changes.
    SetExportOptions {
        /// The choices as they shall be.
        options: Box<ExportOptions>,
        /// What changes.
        field: &'static str,
    },
    /// Replaces the design with what its text says, and keeps the text. The parts that stay have their ids; if the text has
    /// errors, its design is the current one.
    EditText(Box<DesignText>),
    /// Replaces the design with a version of it that shares its ids, such as a merged one.
    Replace {
        /// What undo calls it.
        label: &'static str,
        /// The design as it shall be.
        design: Box<Design>,
        /// Its text, if that changes as well, as where both come from a file.
        text: Option<Box<DesignText>>,
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

/// A fix with the function that applies it, so that only code that offers fixes contains what they do.
#[derive(Clone)]
pub struct FixEdit {
    /// The fix.
    pub fix: Box<Fix>,
    pub(super) apply: fn(&mut Design, Fix) -> Result<(), Refused>,
}

impl fmt::Debug for FixEdit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.fix.fmt(f)
    }
}

impl PartialEq for FixEdit {
    fn eq(&self, other: &Self) -> bool {
        self.fix == other.fix
    }
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

/// Makes a single edit, which is any command but [`Command::Fix`] and [`Command::Together`]. After a refusal the design may
/// hold a part of it: work on a copy.
pub(super) fn edit(design: &mut Design, command: Command) -> Result<(), Refused> {
    match command {
        Command::RenameDesign(name) => {
            name::check_label(&name)?;
            design.name = name;
        }
        Command::DescribeDesign(text) => design.description = text,
        Command::SetDelimiter(policy) => design.delimiter = Arc::new(policy),
        Command::UpdateTable { table, .. } => table::update_table(design, *table)?,
        Command::AddIndex { index, at } => {
            index::add_index(design, *index, at)?;
        }
        Command::AddIndexFor {
            index,
            at,
            entity,
            entry,
        } => {
            let id = index::add_index(design, *index, at)?;
            keys::join(design, entity, id, entry)?;
        }
        Command::UpdateIndex { id, index, .. } => index::update_index(design, id, *index)?,
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
            attribute.required |= keys::is_in_primary(entity, &attribute.name);
            entity.attributes.push(attribute);
        }
        Command::UpdateAttribute {
            entity: id,
            attribute,
            ..
        } => rename::update_attribute(design, id, *attribute)?,
        Command::SetKeyOnly(id, attribute, key_only) => {
            let attributes = &mut entity(design, id)?.attributes;
            let at = position(attributes, attribute)?;
            attributes[at].key_only = key_only;
        }
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
        } => keys::set_template(design, id, index, part, text)?,
        Command::JoinIndex(id, index, entry) => keys::join(design, id, index, entry)?,
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
                .ok_or_else(|| Refused("this sample no longer exists".into()))?;
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
        Command::Workload(edit) => workload::edit(design, edit)?,
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
        Command::Paste { clip, at, .. } => paste_cards::paste(design, &clip, at)?,
        Command::Delete(cards) => delete::cards(design, &cards),
        // Made of several edits: `apply` has it.
        Command::Fix(_) | Command::Together { .. } => {
            return Err(Refused("several edits are not a single one".into()));
        }
        Command::SetExportOptions { options, .. } => {
            options.check().map_err(|(_, error)| error)?;
            design.export_options = Arc::new(*options);
        }
        Command::EditText(text) => edit_text::replace(design, text.design)?,
        Command::Replace { design: next, .. } => edit_text::replace(design, *next)?,
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
