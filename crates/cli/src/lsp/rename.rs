//! Renaming a part with all its uses, as the app does it.

use super::document::Document;
use keyfold_app::apply;
use keyfold_app::text::{Symbol, name_of, rename_command};
use lsp_types::{Position, PrepareRenameResponse, WorkspaceEdit};

/// The name at a position that can be renamed.
pub fn prepare(document: &Document, position: Position) -> Option<PrepareRenameResponse> {
    let Symbol { range, part } = document.symbol_at(position)?;
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
    let symbol = document.symbol_at(position);
    let command = symbol.and_then(|symbol| rename_command(design, &symbol.part, name));
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
