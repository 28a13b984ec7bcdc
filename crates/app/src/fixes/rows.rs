//! What a fix changes in the table and its indexes: the keys of the samples before and after.

use keyfold_core::engine::{Computed, IndexContent, Item, Items};
use keyfold_core::model::{Design, EntityId, IndexId, SampleId, SortedMap};
use std::sync::Arc;

/// An item whose key in the table or an index changes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RowChange {
    /// The name of the table's view or the index: `Table`, `GSI1`.
    pub index: String,
    /// The name of its entity.
    pub entity: String,
    /// Its key; `None`: it is not in there.
    pub before: Option<String>,
    /// Its key as it would be.
    pub after: Option<String>,
}

/// The first changes of a fix, and their total number.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RowChanges {
    /// The first of them.
    pub rows: Vec<RowChange>,
    /// How many there are in all.
    pub count: usize,
}

/// Compares the items of two versions of a design, of which `after` knows all indexes that stay.
pub fn row_changes(
    (before, old): (&Design, &Computed),
    (after, new): (&Design, &Computed),
    most: usize,
) -> RowChanges {
    let mut changes = RowChanges::default();
    let mut indexes: Vec<IndexId> = before.index_ids().collect();
    let new_ones = after.index_ids().filter(|id| before.key(*id).is_none());
    indexes.extend(new_ones);
    for index in indexes {
        let contents = [
            IndexContent::new(before, index),
            IndexContent::new(after, index),
        ];
        let name = match before.key(index) {
            Some(_) if index.is_primary() => "Table",
            Some(_) => before.index_name(index),
            None => after.index_name(index),
        };
        for (id, entity) in &after.entities {
            let (was, now) = (keys(&contents[0], old, *id), keys(&contents[1], new, *id));
            for sample in after.samples_of(*id) {
                let [before, after] = [&was, &now].map(|keys| keys.get(&sample.id).cloned());
                if before == after {
                    continue;
                }
                changes.count += 1;
                if changes.rows.len() < most {
                    changes.rows.push(RowChange {
                        index: name.to_owned(),
                        entity: entity.name.clone(),
                        before,
                        after,
                    });
                }
            }
        }
    }
    changes
}

/// The keys of an entity's items in an index, of those that are in it.
fn keys(
    content: &Option<IndexContent>,
    computed: &Computed,
    entity: EntityId,
) -> SortedMap<SampleId, String> {
    let mut keys = SortedMap::new();
    let items: Option<&Arc<Items>> = computed.items().get(&entity);
    if let (Some(content), Some(items)) = (content, items) {
        for item in items.iter().filter(|item| content.holds(item)) {
            keys.insert(item.id(), key_text(content, &item));
        }
    }
    keys
}

fn key_text(content: &IndexContent, item: &Item) -> String {
    let values = content
        .key()
        .attributes()
        .map(|attribute| item.get(&attribute.name));
    let texts: Vec<String> = values.flatten().map(|value| value.to_text()).collect();
    texts.join("  ")
}
