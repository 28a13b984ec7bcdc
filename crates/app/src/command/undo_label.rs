//! The names of commands, and which of them edit the same field.

use super::{Command, delete};
use keyfold_core::model::Design;

impl Command {
    /// Returns the label of undo after the command ran on `design`.
    pub fn label_on(&self, design: &Design) -> String {
        match self.along(design) {
            Some(along) => [&self.label(), " ", &along].concat(),
            None => self.label(),
        }
    }

    /// What goes with the things that it deletes from `design`, such as `with 2 access patterns`; `None`: nothing.
    pub fn along(&self, design: &Design) -> Option<String> {
        match delete::patterns_along(design, self) {
            0 => None,
            1 => Some("with 1 access pattern".into()),
            many => Some(format!("with {many} access patterns")),
        }
    }

    /// What undo calls it, whatever the design.
    pub fn label(&self) -> String {
        match self {
            Command::RenameDesign(_) => "rename design".into(),
            Command::DescribeDesign(_) => "change design description".into(),
            Command::SetDelimiter(_) => "set delimiter".into(),
            Command::UpdateTable { field, .. } => format!("change table {field}"),
            Command::AddIndex { .. } | Command::AddIndexFor { .. } => "add index".into(),
            Command::UpdateIndex { field, .. } => format!("change index {field}"),
            Command::AddEntity { .. } => "add entity".into(),
            Command::RenameEntity(..) => "rename entity".into(),
            Command::DescribeEntity(..) => "change entity description".into(),
            Command::SetHue(..) | Command::SetNoteHue(..) => "change color".into(),
            Command::AddNote { .. } => "add note".into(),
            Command::SetNoteText(..) => "edit note".into(),
            Command::AddAttribute(..) => "add attribute".into(),
            Command::UpdateAttribute { field, .. } => format!("change attribute {field}"),
            Command::SetKeyOnly(.., key_only) => match key_only {
                true => "make attribute key-only".into(),
                false => "store attribute".into(),
            },
            Command::DeleteAttribute(..) => "delete attribute".into(),
            Command::MoveAttribute(..) => "move attribute".into(),
            Command::SetTemplate { .. } => "edit template".into(),
            Command::JoinIndex(..) => "add entity to index".into(),
            Command::LeaveIndex(..) => "remove entity from index".into(),
            Command::MoveWire { .. } => "move wire".into(),
            Command::SetConditions(..) => "change condition".into(),
            Command::AddSample(..) => "add row".into(),
            Command::SetValue { .. } => "edit value".into(),
            Command::EditSamples(edits) => edits.label.into(),
            Command::DeleteSamples(..) => "delete row".into(),
            Command::Pattern(edit) => edit.label(),
            Command::Workload(edit) => edit.label(),
            Command::ApplySuggestion { .. } => "apply suggestion".into(),
            Command::Move(_) => "move".into(),
            Command::Paste { duplicates, .. } => match duplicates {
                true => "duplicate".into(),
                false => "paste".into(),
            },
            Command::Delete(_) => "delete".into(),
            Command::Fix(edit) => edit.fix.title().into(),
            Command::Together { label, .. } | Command::Replace { label, .. } => (*label).into(),
            Command::SetExportOptions { field, .. } => format!("change export option {field}"),
            Command::EditText(_) => "edit text".into(),
            Command::Silence(_) => "silence finding".into(),
            Command::Unsilence { .. } => "unsilence finding".into(),
        }
    }

    /// What it has in common with other commands that are one undo step if they follow in quick succession: the text field,
    /// or the cards that the arrow keys move in small steps. `None`: always a step of its own.
    pub fn series(&self) -> Option<String> {
        match self {
            Command::Move(moves) => {
                let cards: Vec<String> = moves.iter().map(|(card, _)| card.to_string()).collect();
                Some(format!("place of {}", cards.join(" ")))
            }
            _ => self.field(),
        }
    }

    /// The text field that it edits; edits of one field in quick succession are one undo step.
    /// `None`: always a step of its own.
    pub fn field(&self) -> Option<String> {
        match self {
            Command::RenameDesign(_) => Some("design name".into()),
            Command::DescribeDesign(_) => Some("design description".into()),
            Command::SetDelimiter(_) => Some("delimiter".into()),
            Command::UpdateTable { field, .. } => Some(format!("table {field}")),
            Command::UpdateIndex { id, field, .. } => Some(format!("{id} {field}")),
            Command::RenameEntity(id, _) => Some(format!("{id} name")),
            Command::DescribeEntity(id, _) => Some(format!("{id} description")),
            Command::SetNoteText(id, _) => Some(format!("{id} text")),
            Command::UpdateAttribute {
                attribute, field, ..
            } => Some(format!("{} {field}", attribute.id)),
            Command::SetTemplate {
                entity,
                index,
                part,
                text: Some(_),
            } => Some(format!("{entity} {index} {part:?}")),
            Command::SetValue {
                sample, attribute, ..
            } => Some(format!("{sample} {attribute}")),
            Command::SetConditions(entity, index, _) => Some(format!("{entity} {index} when")),
            Command::SetExportOptions { field, .. } => Some(format!("export {field}")),
            Command::Pattern(edit) => edit.field(),
            Command::Workload(edit) => Some(edit.field()),
            Command::EditText(_) => Some("text".into()),
            _ => None,
        }
    }
}
