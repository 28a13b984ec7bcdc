//! Moving the end of a wire from one index to another.

use super::refused::{Refused, entity, entry};
use crate::suggest;
use keyfold_core::model::{Design, EntityId, IndexId, KeyAttribute, KeyType};

/// Takes the entity out of `from` and puts it into `to`, with the same conditions, and with the same templates
/// where the new key has an attribute of the same type for them; else with those that are guessed.
pub(super) fn move_wire(
    design: &mut Design,
    id: EntityId,
    from: IndexId,
    to: IndexId,
) -> Result<(), Refused> {
    if from.is_primary() || to.is_primary() {
        return Err(Refused(
            "every entity is in the table: only wires between indexes can be moved".into(),
        ));
    }
    let (old, new) = match (design.key(from), design.key(to)) {
        (Some(old), Some(new)) => (old.clone(), new.clone()),
        _ => return Err(Refused("this index no longer exists".into())),
    };
    let mut moved = suggest::index_entry(design, id, to);
    let name = design.index_name(to).to_owned();
    let entity = entity(design, id)?;
    let current = entry(entity, from)?.clone();
    if entity.keys.contains_key(&to) {
        return Err(Refused(format!("{} is already in {name}", entity.name)));
    }
    let kind = |side: &[KeyAttribute]| -> Option<KeyType> { side.first().map(|a| a.kind) };
    // A template that is not guessed has no place there: another entry writes the attribute, or there is none.
    if moved.partition.is_some()
        && current.partition.is_some()
        && kind(&old.partition) == kind(&new.partition)
    {
        moved.partition = current.partition;
    }
    if moved.sort.is_some() && current.sort.is_some() && kind(&old.sort) == kind(&new.sort) {
        moved.sort = current.sort;
    }
    moved.when = current.when;
    entity.keys.remove(&from);
    entity.keys.insert(to, moved);
    Ok(())
}
