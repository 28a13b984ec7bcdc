//! Taking a suggestion of how an access pattern can be served.

use super::index::{add_index, update_index};
use super::keys::join;
use super::refused::{Refused, entity, known};
use crate::suggest;
use keyfold_core::model::{AccessPatternId, Design, Index, Point};
use keyfold_core::proof::{SuggestedChange, Suggestion};
use std::sync::Arc;

/// Does what the suggestion says and points the access pattern at it. A new index gets the next free name and a card
/// at `at`.
pub(super) fn apply_suggestion(
    design: &mut Design,
    id: AccessPatternId,
    suggestion: Suggestion,
    at: Point,
) -> Result<(), Refused> {
    known(design.access_patterns.contains_key(&id), "access pattern")?;
    let mut new = None;
    let (index, entries) = match &suggestion.step {
        SuggestedChange::UseExisting(index) => (*index, &[][..]),
        SuggestedChange::Join(index, entries) => (*index, &entries[..]),
        SuggestedChange::NewIndex(kind, entries) => {
            let index = add_index(design, suggest::new_index(design, *kind), at)?;
            new = Some(index);
            (index, &entries[..])
        }
        SuggestedChange::Project(id, projection) => {
            known(design.indexes.contains_key(id), "index")?;
            let index = Index {
                projection: projection.clone(),
                ..Index::clone(&design.indexes[id])
            };
            update_index(design, *id, index)?;
            (*id, &[][..])
        }
    };
    known(design.key(index).is_some(), "index")?;
    for (owner, entry) in entries {
        if entity(design, *owner)?.keys.contains_key(&index) {
            let name = design.index_name(index);
            return Err(Refused(format!("the entity is already in {name}")));
        }
        join(design, *owner, index, entry.clone())?;
    }
    let operation = suggestion.operation(new);
    let index = operation.index();
    known(
        index.is_none_or(|index| design.key(index).is_some()),
        "index",
    )?;
    if let Some(pattern) = design.access_patterns.get_mut(&id) {
        Arc::make_mut(pattern).operation = operation;
    }
    Ok(())
}
