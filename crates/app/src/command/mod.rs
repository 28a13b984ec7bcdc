//! Everything that can be done to a design, as data. `edit.rs` makes the single edits; [`apply`](super::apply) is the only
//! way a design changes.

mod access_pattern;
mod apply_suggestion;
mod delete;
pub(crate) mod edit;
mod edit_text;
mod index;
mod keys;
mod names;
mod note;
mod paste_cards;
mod refused;
mod rename;
mod samples;
mod silence;
mod table;
mod undo_label;
mod wire;
mod workload;

pub use access_pattern::PatternEdit;
pub(crate) use keys::templates_lost;
pub use refused::Refused;
pub use samples::{SampleEdits, ValueEdit};
pub use workload::WorkloadEdit;

use crate::design_text::DesignText;
use keyfold_core::lint::Fix;
use keyfold_core::model::{
    AccessPatternId, Attribute, AttributeId, CardId, Condition, DelimiterPolicy, Design, EntityId,
    ExportOptions, Index, IndexEntry, IndexId, KeyPart, NoteId, Point, SampleId, Silenced,
    SortedMap, Table, Value,
};
use keyfold_core::proof::Suggestion;
use std::fmt;

/// One change of a design. Names and types are checked when it is applied; templates are kept as typed.
#[derive(Debug, Clone, PartialEq)]
pub enum Command {
    /// Gives the design another name, and the table too if nobody has named it.
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
    /// Gives an entity another color, one of [`Entity::HUES`](keyfold_core::model::Entity::HUES).
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
    /// Gives a note another color, one of [`Entity::HUES`](keyfold_core::model::Entity::HUES).
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
