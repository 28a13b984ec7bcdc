//! Merging the edits of two sides. What one side renamed is renamed on the other side first, so that an edit that the
//! other side made with the old name means what it meant: a new template `ORDER#{number}` follows when `number` becomes
//! `orderNumber`, and does not meet another attribute that is called `number` now.

use crate::{Command, apply};
use keyfold_compare::{Conflict, Merged, NewIds, Side};
use keyfold_core::model::{
    Attribute, AttributeId, Design, EntityId, Index, IndexId, KeySchema, Table,
};

/// Merges `ours` and `theirs`, which both come from `base` and share its ids: see [`keyfold_compare::merge`]. The new
/// names of attributes and key attributes that one side chose are carried into the edits of the other, as
/// [`Command::UpdateAttribute`] carries them. Where the other side cannot take a name, for example because it has given
/// it to another attribute, nothing is carried.
pub fn merge(
    base: &Design,
    ours: &Design,
    theirs: &Design,
    choose: &dyn Fn(&Conflict) -> Side,
) -> Merged {
    let mut sides = [base.clone(), ours.clone(), theirs.clone()];
    for (entity, attribute) in attributes(base) {
        let names = [base, ours, theirs].map(|side| name_of(side, entity, attribute));
        carry(&mut sides, names, &|design, name| {
            rename_attribute(design, entity, attribute, name)
        });
    }
    for index in base.index_ids().collect::<Vec<_>>() {
        let names = sides.each_ref().map(|side| key_names(side, index));
        carry(&mut sides, names, &|design, names| {
            rename_key(design, index, names)
        });
    }
    let [base, ours, theirs] = sides;
    keyfold_compare::merge(&base, &ours, &theirs, choose)
}

/// What two tabs made of a design, merged.
#[derive(Debug, Clone, PartialEq)]
pub struct MergedTabs {
    /// The merged design.
    pub design: Design,
    /// The ids that parts of this tab have in it, where they are others.
    pub moved: NewIds,
    /// Whether both changed the same.
    pub is_conflict: bool,
}

impl MergedTabs {
    /// A design that needed no merge.
    pub(crate) fn of(design: Design) -> MergedTabs {
        MergedTabs {
            design,
            moved: NewIds::default(),
            is_conflict: false,
        }
    }
}

/// Merges what this tab has not stored, `ours`, with what another one stored, `theirs`. What is stored keeps its ids: the
/// other tab shows it, and its selection and its undo history mean it by them. New parts of this tab get other ids if
/// theirs are taken; what is held of them must follow ([`moved_ids`](super::moved_ids)). Where both changed the same, the
/// edit of the `later` side is taken.
pub fn merge_tabs(base: &Design, ours: &Design, theirs: &Design, later: Side) -> MergedTabs {
    // The new parts of the second side move.
    let merged = merge(base, theirs, ours, &|_| later.other());
    MergedTabs {
        design: merged.design,
        moved: merged.moved,
        is_conflict: !merged.conflicts.is_empty(),
    }
}

/// Gives what one side renamed its new name in the base and on the other side; in the base only if both sides chose the
/// same name. `names` are those of the base, ours and theirs.
fn carry<N: PartialEq>(
    sides: &mut [Design; 3],
    names: [Option<N>; 3],
    rename: &dyn Fn(&Design, &N) -> Option<Design>,
) {
    let [Some(base), Some(ours), Some(theirs)] = names else {
        return;
    };
    let (name, other) = match (ours == base, theirs == base) {
        (true, true) => return,
        (false, true) => (ours, Some(2)),
        (true, false) => (theirs, Some(1)),
        (false, false) if ours == theirs => (ours, None),
        (false, false) => return,
    };
    let Some(renamed) = rename(&sides[0], &name) else {
        return;
    };
    if let Some(other) = other {
        let Some(renamed) = rename(&sides[other], &name) else {
            return;
        };
        sides[other] = renamed;
    }
    sides[0] = renamed;
}

fn attributes(design: &Design) -> Vec<(EntityId, AttributeId)> {
    let entities = design.entities.iter();
    let all = entities.flat_map(|(id, entity)| {
        let attributes = entity.attributes.iter();
        attributes.map(|attribute| (*id, attribute.id))
    });
    all.collect()
}

fn attribute_of(design: &Design, entity: EntityId, id: AttributeId) -> Option<&Attribute> {
    let attributes = &design.entities.get(&entity)?.attributes;
    attributes.iter().find(|attribute| attribute.id == id)
}

fn name_of(design: &Design, entity: EntityId, id: AttributeId) -> Option<String> {
    attribute_of(design, entity, id).map(|attribute| attribute.name.clone())
}

fn rename_attribute(
    design: &Design,
    entity: EntityId,
    id: AttributeId,
    name: &str,
) -> Option<Design> {
    let attribute = Box::new(Attribute {
        name: name.to_owned(),
        ..attribute_of(design, entity, id)?.clone()
    });
    let command = Command::UpdateAttribute {
        entity,
        attribute,
        field: "name",
    };
    apply(design, command).ok()
}

/// The names of the partition key attributes, and of those of the sort key.
type KeyNames = [Vec<String>; 2];

fn key_names(design: &Design, index: IndexId) -> Option<KeyNames> {
    let key = design.key(index)?;
    Some(
        [&key.partition, &key.sort].map(|half| half.iter().map(|part| part.name.clone()).collect()),
    )
}

/// `None` also where the key has another number of attributes.
fn rename_key(design: &Design, index: IndexId, names: &KeyNames) -> Option<Design> {
    let mut key: KeySchema = design.key(index)?.clone();
    for (half, names) in [&mut key.partition, &mut key.sort].into_iter().zip(names) {
        if half.len() != names.len() {
            return None;
        }
        for (attribute, name) in half.iter_mut().zip(names) {
            attribute.name.clone_from(name);
        }
    }
    let command = match index {
        IndexId::PRIMARY => Command::UpdateTable {
            table: Box::new(Table {
                key,
                ..Table::clone(&design.table)
            }),
            field: "key",
        },
        id => Command::UpdateIndex {
            id,
            index: Box::new(Index {
                key,
                ..Index::clone(design.indexes.get(&id)?)
            }),
            field: "key",
        },
    };
    apply(design, command).ok()
}
