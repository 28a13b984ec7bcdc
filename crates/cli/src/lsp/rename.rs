//! Renaming a part with all its uses, as the app does it.

use super::document::Document;
use super::symbol::{Symbol, symbol_at};
use keyfold_app::{Command, PatternEdit, apply};
use keyfold_core::model::Design;
use keyfold_core::text::Part;
use lsp_types::{Position, PrepareRenameResponse, WorkspaceEdit};

/// The name at a position that can be renamed.
pub fn prepare(document: &Document, position: Position) -> Option<PrepareRenameResponse> {
    let Symbol { range, part } = symbol_at(document, document.offset(position))?;
    let placeholder = name_of(&document.lowered.design, &part)?;
    Some(PrepareRenameResponse::RangeWithPlaceholder {
        range: document.range(range),
        placeholder,
    })
}

/// The changes that give the part at a position another name. The error says why it cannot have it.
pub fn rename(
    document: &Document,
    position: Position,
    name: String,
) -> Result<WorkspaceEdit, String> {
    let design = &document.lowered.design;
    let symbol = symbol_at(document, document.offset(position));
    let command = symbol.and_then(|symbol| command(design, &symbol.part, name));
    let Some(command) = command else {
        return Err("nothing here can be renamed: choose the name of an entity, attribute, index, table or access pattern".to_owned());
    };
    if document.lowered.has_errors() {
        return Err(
            "the text has errors: correct them first, so that all uses are found".to_owned(),
        );
    }
    let renamed = apply(design, command).map_err(|refused| refused.to_string())?;
    Ok(document.edit(&renamed))
}

fn name_of(design: &Design, part: &Part) -> Option<String> {
    Some(match part {
        Part::Table => design.table.name.clone(),
        Part::Index(id) => design.indexes.get(id)?.name.clone(),
        Part::Entity(id) => design.entities.get(id)?.name.clone(),
        Part::Attribute(id, attribute) => {
            let attributes = &design.entities.get(id)?.attributes;
            let found = attributes.iter().find(|other| other.id == *attribute)?;
            found.name.clone()
        }
        Part::Pattern(id) => design.access_patterns.get(id)?.name.clone(),
        _ => return None,
    })
}

fn command(design: &Design, part: &Part, name: String) -> Option<Command> {
    let field = "name";
    Some(match part {
        Part::Table => {
            let mut table = Box::new((*design.table).clone());
            table.name = name;
            Command::UpdateTable { table, field }
        }
        Part::Index(id) => {
            let mut index = Box::new((**design.indexes.get(id)?).clone());
            index.name = name;
            let id = *id;
            Command::UpdateIndex { id, index, field }
        }
        Part::Entity(id) => Command::RenameEntity(*id, name),
        Part::Attribute(entity, id) => {
            let attributes = &design.entities.get(entity)?.attributes;
            let found = attributes.iter().find(|other| other.id == *id)?;
            let mut attribute = Box::new(found.clone());
            attribute.name = name;
            Command::UpdateAttribute {
                entity: *entity,
                attribute,
                field,
            }
        }
        Part::Pattern(id) => {
            let mut pattern = Box::new((**design.access_patterns.get(id)?).clone());
            pattern.name = name;
            Command::Pattern(PatternEdit::Update {
                id: *id,
                pattern,
                field: field.to_owned(),
            })
        }
        _ => return None,
    })
}
