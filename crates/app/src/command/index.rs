//! Adding and changing secondary indexes.

use super::keys::{check_key, remove_templates};
use super::refused::{Refused, known};
use super::rename::rename_key;
use keyfold_core::model::{
    CardId, Design, Index, IndexId, IndexKind, Point, Projection, limits, name,
};
use std::sync::Arc;

fn check_index(design: &Design, own: Option<IndexId>, index: &Index) -> Result<(), Refused> {
    name::check_resource(&index.name)?;
    if (design.index_named(&index.name)).is_some_and(|other| Some(other) != own) {
        return Err(Refused(name::taken("index", &index.name)));
    }
    let (partition, sort) = (index.key.partition.len(), index.key.sort.len());
    let most = limits::MULTI_ATTRIBUTE_KEYS;
    if index.kind == IndexKind::Lsi {
        if index.key.partition != design.table.key.partition {
            return Err(Refused("an LSI has the table's partition key".into()));
        }
        if sort != 1 {
            return Err(Refused("an LSI has exactly one sort key attribute".into()));
        }
        if own.is_none() && design.table.key.sort.is_empty() {
            return Err(Refused(
                "an LSI needs a table with a sort key, and the table has no sort key: use a GSI"
                    .into(),
            ));
        }
    } else if partition == 0 || partition > most || sort > most {
        return Err(Refused(format!(
            "a GSI has 1 to {most} partition key attributes and at most {most} sort key attributes"
        )));
    }
    if let Projection::Include(included) = &index.projection {
        for attribute in included {
            name::check_key_attribute(attribute)?;
        }
    }
    check_key(design, own, &index.key)
}

pub(super) fn add_index(design: &mut Design, index: Index, at: Point) -> Result<IndexId, Refused> {
    check_index(design, None, &index)?;
    let id = IndexId(design.take_id());
    design.indexes.insert(id, Arc::new(index));
    Arc::make_mut(&mut design.layout).insert(CardId::Index(id), at);
    Ok(id)
}

pub(super) fn update_index(design: &mut Design, id: IndexId, index: Index) -> Result<(), Refused> {
    known(design.indexes.contains_key(&id), "index")?;
    check_index(design, Some(id), &index)?;
    remove_templates(design, id, &index.key);
    let after = index.key.clone();
    if let Some(before) = design.indexes.insert(id, Arc::new(index)) {
        rename_key(design, &before.key, &after)?;
    }
    Ok(())
}
