//! What gestures do to a design, as the driver of the walk says it.

use super::show::Table;
use keyfold_core::model::{
    AccessPatternId, AttributeId, CardId, EntityId, IndexId, KeyPart, NoteId, SampleId,
};
use serde::Deserialize;

/// A command by the ids of what it is about. Names and templates are as typed.
#[derive(Deserialize)]
#[serde(tag = "c", rename_all = "camelCase")]
pub enum Does {
    RenameDesign {
        name: String,
    },
    RenameCard {
        card: CardId,
        name: String,
    },
    DescribeEntity {
        entity: EntityId,
        text: String,
    },
    Hue {
        entity: EntityId,
        hue: u8,
    },
    AddEntity,
    AddIndex {
        lsi: bool,
    },
    AddIndexFor {
        entity: EntityId,
    },
    Join {
        entity: EntityId,
        index: IndexId,
    },
    Leave {
        entity: EntityId,
        index: IndexId,
    },
    SetTemplate {
        entity: EntityId,
        index: IndexId,
        part: Part,
        text: Option<String>,
    },
    WriteTemplate {
        entity: EntityId,
        index: IndexId,
        part: Part,
    },
    AddNote,
    /// Another text of a note; of the newest one if none is named.
    NoteText {
        note: Option<NoteId>,
        text: String,
    },
    NoteHue {
        note: NoteId,
        hue: u8,
    },
    AddAttribute {
        entity: EntityId,
    },
    AttributeName {
        entity: EntityId,
        attribute: AttributeId,
        name: String,
    },
    AttributeType {
        entity: EntityId,
        attribute: AttributeId,
        word: String,
    },
    Required {
        entity: EntityId,
        attribute: AttributeId,
        on: bool,
    },
    DeleteAttribute {
        entity: EntityId,
        attribute: AttributeId,
    },
    MoveAttribute {
        entity: EntityId,
        attribute: AttributeId,
        by: isize,
    },
    AddRow {
        entity: EntityId,
    },
    SetValue {
        sample: SampleId,
        attribute: String,
        text: String,
    },
    DeleteRows {
        samples: Vec<SampleId>,
    },
    DuplicateRows {
        samples: Vec<SampleId>,
    },
    Clear {
        table: Box<Table>,
        from: Cell,
        to: Cell,
    },
    Fill {
        table: Box<Table>,
        from: Cell,
        to: Cell,
        series: bool,
    },
    Paste {
        table: Box<Table>,
        at: Cell,
        text: String,
    },
    Delete {
        cards: Vec<CardId>,
    },
    /// Cards are at other places; where, only the page knows.
    Move {
        cards: Vec<CardId>,
    },
    Fix {
        code: String,
        place: String,
        number: usize,
    },
    Serve {
        pattern: AccessPatternId,
        number: usize,
    },
    RenamePattern {
        pattern: AccessPatternId,
        name: String,
    },
    DuplicatePattern {
        pattern: AccessPatternId,
    },
    DeletePattern {
        pattern: AccessPatternId,
    },
    MovePattern {
        pattern: AccessPatternId,
        by: isize,
    },
    /// A copy of these cards, at a place that only the page knows.
    Duplicate {
        cards: Vec<CardId>,
    },
    /// Something that is done if what comes before it was refused.
    IfRefused {
        then: Box<Does>,
    },
}

/// Which side of a key.
#[derive(Deserialize, Clone, Copy)]
#[serde(rename_all = "camelCase")]
pub enum Part {
    Partition,
    Sort,
}

impl From<Part> for KeyPart {
    fn from(part: Part) -> KeyPart {
        match part {
            Part::Partition => KeyPart::Partition,
            Part::Sort => KeyPart::Sort,
        }
    }
}

/// A cell, by sample and attribute.
pub type Cell = (SampleId, String);
