//! Changing the table: names, limits and the primary key are checked; local indexes follow the partition key, access
//! patterns the names of key attributes.

use super::keys::{check_key, remove_templates};
use super::refused::Refused;
use super::rename::{rename_table_key, rename_type};
use keyfold_core::model::design::table_name_for;
use keyfold_core::model::{Design, Index, IndexId, IndexKind, Table, limits, name};
use std::sync::Arc;

/// Gives the table the name that its design gets, if the table still has that of a new design.
pub(super) fn name_like_design(design: &mut Design, name: &str) {
    let is_due = design.table.name == table_name_for(Design::UNTITLED);
    if is_due && !name.starts_with(Design::UNTITLED) {
        Arc::make_mut(&mut design.table).name = table_name_for(name);
    }
}

pub(super) fn update_table(design: &mut Design, table: Table) -> Result<(), Refused> {
    name::check_resource(&table.name)?;
    for attribute in table.type_attribute.iter().chain(&table.ttl_attribute) {
        name::check_attribute(attribute)?;
    }
    if table.key.partition.len() != 1 || table.key.sort.len() > 1 {
        return Err(Refused(
            "a primary key has one partition key attribute and at most one sort key attribute"
                .into(),
        ));
    }
    if let Some(days) = table.recovery.and_then(|recovery| recovery.days)
        && !limits::RECOVERY_DAYS.contains(&days)
    {
        return Err(Refused(
            "the point-in-time recovery period is 1 to 35 days".into(),
        ));
    }
    if table.tags.len() > limits::TAGS {
        return Err(Refused(format!(
            "a table has at most {} tags",
            limits::TAGS
        )));
    }
    // Tags of a file stay until they are edited.
    for (key, value) in &table.tags {
        if design.table.tags.get(key) != Some(value) {
            name::check_tag(key, value)?;
        }
    }
    if table.key != design.table.key {
        if table.key.sort.is_empty() && !design.table.key.sort.is_empty() {
            let mut indexes = design.indexes.values();
            if let Some(local) = indexes.find(|index| index.kind == IndexKind::Lsi) {
                return Err(Refused(format!(
                    "an LSI needs a table with a sort key: delete {} first",
                    local.name
                )));
            }
        }
        // Local indexes follow the table's partition key; their types are checked with it.
        let locals = |index: &&mut Arc<Index>| index.kind == IndexKind::Lsi;
        for index in design.indexes.values_mut().filter(locals) {
            Arc::make_mut(index).key.partition = table.key.partition.clone();
        }
        check_key(design, Some(IndexId::PRIMARY), &table.key)?;
        for index in design.indexes.values() {
            if index.kind == IndexKind::Lsi && index.key.partition[0].name == index.key.sort[0].name
            {
                return Err(Refused(format!(
                    "`{}` is already the sort key of {}",
                    index.key.sort[0].name, index.name
                )));
            }
        }
        remove_templates(design, IndexId::PRIMARY, &table.key);
    }
    let before = std::mem::replace(&mut design.table, Arc::new(table));
    rename_table_key(design, &before.key)?;
    let after = design.table.type_attribute.clone();
    if let (Some(old), Some(new)) = (&before.type_attribute, &after) {
        rename_type(design, old, new)?;
    }
    Ok(())
}
