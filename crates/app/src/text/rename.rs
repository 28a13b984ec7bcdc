//! Names that an editor changes everywhere at once.

use crate::command::{Command, PatternEdit};
use keyfold_core::model::Design;
use keyfold_core::text::Part;

/// Returns the name of a part that can be renamed; `None` for another part.
pub fn name_of(design: &Design, part: &Part) -> Option<String> {
    Some(match part {
        Part::Table => design.table.name.clone(),
        Part::Index(id) => design.indexes.get(id)?.name.clone(),
        Part::Entity(id) => design.entities.get(id)?.name.clone(),
        Part::Attribute(id, attribute) => {
            let entity = design.entities.get(id)?;
            entity.attribute_by_id(*attribute)?.name.clone()
        }
        Part::Pattern(id) => design.access_patterns.get(id)?.name.clone(),
        _ => return None,
    })
}

/// Returns the command that gives a part another name, with all its uses; `None` for a part that has no name.
pub fn rename_command(design: &Design, part: &Part, name: String) -> Option<Command> {
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
            let found = design.entities.get(entity)?.attribute_by_id(*id)?;
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
