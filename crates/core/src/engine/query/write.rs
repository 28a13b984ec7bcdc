//! Previews writes: what would change in the table and in each index.

use super::capacity::{TRANSACTION_FACTOR, write_units};
use super::expression::{Bound, Condition, Update, apply, holds};
use super::get::check_actions;
use super::key::{check_key, check_value, key_of};
use super::rejection::Rejection;
use super::snapshot::TableSnapshot;
use super::stale_keys::{Stale, stale_in};
use super::{Attributes, Key};
use crate::engine::index_content::IndexContent;
use crate::engine::item::Item;
use crate::model::limits::{
    ITEM_BYTES, NESTING_LEVELS, PARTITION_KEY_BYTES, SORT_KEY_BYTES, TRANSACTION_BYTES,
};
use crate::model::value::item_size;
use crate::model::{AttributeType, EntityId, IndexId, IndexKind, KeySchema, Value};

/// A write request.
#[derive(Debug, Clone, PartialEq)]
pub enum Write {
    /// PutItem: writes an item and replaces the one with its key, if any.
    Put {
        /// All attributes of the item.
        item: Attributes,
        /// Condition on the existing item.
        condition: Option<Bound<Condition>>,
    },
    /// UpdateItem: changes attributes of an item, or creates it.
    Update {
        /// The primary key of the item.
        key: Key,
        /// The update expression.
        update: Bound<Update>,
        /// Condition on the existing item.
        condition: Option<Bound<Condition>>,
        /// The entity of the item, if the update creates it.
        entity: Option<EntityId>,
    },
    /// DeleteItem: deletes an item.
    Delete {
        /// The primary key of the item.
        key: Key,
        /// Condition on the existing item.
        condition: Option<Bound<Condition>>,
    },
    /// ConditionCheck in a transaction: changes nothing, but cancels the transaction if the condition does not hold.
    Check {
        /// The primary key of the item.
        key: Key,
        /// Condition on the existing item.
        condition: Bound<Condition>,
    },
}

/// What a write or a transaction would change.
#[derive(Debug, Clone, PartialEq)]
pub struct Preview {
    /// The changes of each action, in order.
    pub changes: Vec<Change>,
    /// Total write units, in the table and its indexes.
    pub units: f64,
}

/// The changes of one action.
#[derive(Debug, Clone, PartialEq)]
pub struct Change {
    /// The primary key of the item.
    pub key: Key,
    /// The item before; `None` if there was none.
    pub before: Option<Item>,
    /// The item's attributes afterwards; `None` if it is deleted.
    pub after: Option<Attributes>,
    /// The changes in the table, then in each index.
    pub entries: Vec<EntryChange>,
    /// Write units in the table and its indexes.
    pub units: f64,
    /// The key attributes that an update leaves stale.
    pub stale: Vec<Stale>,
}

/// The change in the table or in an index.
#[derive(Debug, Clone, PartialEq)]
pub struct EntryChange {
    /// The table or the index.
    pub index: IndexId,
    /// The kind of change.
    pub effect: EntryEffect,
    /// The projected attributes before; `None` if there was no entry.
    pub before: Option<Attributes>,
    /// The projected attributes afterwards; `None` if there is no entry.
    pub after: Option<Attributes>,
    /// Write units.
    pub units: f64,
}

/// The effect of a write on an index entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EntryEffect {
    /// A new entry.
    Put,
    /// The entry is deleted.
    Deleted,
    /// The entry stays in place with other attributes.
    Rewritten,
    /// The entry moves: one is deleted, another put.
    Moved,
    /// The entry is unchanged.
    Untouched,
    /// There is no entry before or afterwards.
    Absent,
}

impl Write {
    /// The primary key of the item to write.
    fn key(&self, table: &KeySchema) -> Key {
        match self {
            Write::Put { item, .. } => key_of(table, item),
            Write::Update { key, .. } | Write::Delete { key, .. } | Write::Check { key, .. } => {
                key.clone()
            }
        }
    }

    fn condition(&self) -> Option<&Bound<Condition>> {
        match self {
            Write::Put { condition, .. }
            | Write::Update { condition, .. }
            | Write::Delete { condition, .. } => condition.as_ref(),
            Write::Check { condition, .. } => Some(condition),
        }
    }
}

impl TableSnapshot {
    /// Previews a PutItem, an UpdateItem or a DeleteItem.
    pub fn write(&self, write: &Write) -> Result<Preview, Rejection> {
        let change = self.change(write, 1.0)?;
        Ok(Preview {
            units: change.units,
            changes: vec![change],
        })
    }

    /// Previews a TransactWriteItems. A write to the table costs twice as much as alone, because it is prepared and
    /// then committed. Indexes receive only committed changes, so writes to them cost the same. Source: "Amazon
    /// DynamoDB Transactions: How it works", Developer Guide.
    pub fn transact_write(&self, writes: &[Write]) -> Result<Preview, Rejection> {
        check_actions(writes.len())?;
        let table = &self.design().table.key;
        for (at, write) in writes.iter().enumerate() {
            let key = write.key(table);
            check_key(table, &key)?;
            if writes[..at].iter().any(|other| other.key(table) == key) {
                return Err(Rejection::TwoActions { key });
            }
        }
        let mut changes = Vec::new();
        let mut reasons = Vec::new();
        for write in writes {
            match self.change(write, TRANSACTION_FACTOR) {
                Ok(change) => {
                    changes.push(change);
                    reasons.push(None);
                }
                Err(reason) if cancels(&reason) => reasons.push(Some(reason)),
                Err(reason) => return Err(reason),
            }
        }
        if changes.len() < writes.len() {
            return Err(Rejection::Canceled(reasons));
        }
        let (mut units, mut bytes) = (0.0, 0);
        for change in &changes {
            units += change.units;
            let before = change.before.as_ref().map_or(0, Item::size);
            bytes += change.after.as_ref().map_or(0, item_size).max(before);
        }
        match bytes > TRANSACTION_BYTES {
            true => Err(Rejection::TransactionTooLarge { bytes }),
            false => Ok(Preview { changes, units }),
        }
    }

    /// Previews one action; `times` is the cost factor of a write unit of the table.
    fn change(&self, write: &Write, times: f64) -> Result<Change, Rejection> {
        let table = &self.design().table.key;
        let key = write.key(table);
        check_key(table, &key)?;
        if let Write::Update { update, .. } = write {
            let mut targets = update.get().targets();
            if let Some(target) = targets.find(|path| key.contains_key(&path.attribute.text)) {
                let attribute = target.attribute.text.clone();
                return Err(Rejection::ChangesKey { attribute });
            }
        }
        if let Write::Put { item, .. } = write {
            self.check_values(item)?;
        }
        let before = self.item(&key)?;
        let attribute = |name: &str| before.as_ref().and_then(|item| item.get(name));
        let may = (write.condition()).is_none_or(|condition| holds(condition, &attribute));
        if !may {
            return Err(Rejection::ConditionFailed);
        }
        let old = before.as_ref().map(Item::to_map);
        let after = match write {
            Write::Put { item, .. } => Some(item.clone()),
            // What only removes creates no item.
            Write::Update { update, .. } if old.is_none() && !creates(update.get()) => None,
            Write::Update { update, .. } => {
                let after = apply(update, old.as_ref().unwrap_or(&key))?;
                self.check_values(&after)?;
                Some(after)
            }
            Write::Delete { .. } => None,
            Write::Check { .. } => old.clone(),
        };
        if let Some(after) = &after {
            self.check_size(after)?;
        }
        let stale = match (write, &after) {
            (Write::Update { update, entity, .. }, Some(after)) => {
                let entity = before.as_ref().map(|item| item.entity).or(*entity);
                entity.map_or_else(Vec::new, |entity| {
                    stale_in(self.design(), entity, update.get(), before.as_ref(), after)
                })
            }
            _ => Vec::new(),
        };
        let is_check = matches!(write, Write::Check { .. });
        let mut entries = Vec::new();
        let mut units = 0.0;
        for index in self.design().index_ids() {
            let Some(content) = self.content(index) else {
                continue;
            };
            let is_table = index.is_primary();
            let mut change = entry_change(index, content, old.as_ref(), after.as_ref());
            if is_table {
                // The table costs write units for the larger of the two items, whatever changes.
                let size = |item: &Option<Attributes>| item.as_ref().map_or(0, item_size);
                change.units = times * write_units(size(&old).max(size(&after)));
                if !is_check && change.effect == EntryEffect::Untouched {
                    change.effect = EntryEffect::Rewritten;
                }
            }
            units += change.units;
            entries.push(change);
        }
        Ok(Change {
            key,
            before,
            after,
            entries,
            units,
            stale,
        })
    }

    /// Checks that DynamoDB stores these values, and that values of index keys have the right type and length.
    fn check_values(&self, item: &Attributes) -> Result<(), Rejection> {
        for (name, value) in item {
            check_stored(value, 0).map_err(|reason| Rejection::BadValue {
                attribute: name.clone(),
                reason,
            })?;
        }
        for index in self.design().indexes.values() {
            let sides = [
                (&index.key.partition, PARTITION_KEY_BYTES),
                (&index.key.sort, SORT_KEY_BYTES),
            ];
            for (side, most) in sides {
                for key in side {
                    if let Some(value) = item.get(&key.name) {
                        check_value(key, value, most)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// Checks that an item with its entries in LSIs is not too large.
    fn check_size(&self, item: &Attributes) -> Result<(), Rejection> {
        let mut bytes = item_size(item);
        for (id, index) in &self.design().indexes {
            let content = self.content(*id).filter(|_| index.kind == IndexKind::Lsi);
            let entry = content.and_then(|content| entry(content, item));
            bytes += entry.as_ref().map_or(0, item_size);
        }
        match bytes > ITEM_BYTES {
            true => Err(Rejection::ItemTooLarge { bytes }),
            false => Ok(()),
        }
    }
}

/// Whether an update creates an item where there is none. One that only removes attributes, or elements of sets, does not;
/// one without clauses creates an item that is only a key.
pub(crate) fn creates(update: &Update) -> bool {
    let adds = !(update.set.is_empty() && update.add.is_empty());
    let removes = !(update.remove.is_empty() && update.delete.is_empty());
    adds || !removes
}

/// Whether the rejection belongs to an action, which cancels its transaction. Others refuse the request as a whole.
fn cancels(reason: &Rejection) -> bool {
    matches!(
        reason,
        Rejection::ConditionFailed
            | Rejection::Update { .. }
            | Rejection::Missing { .. }
            | Rejection::ItemTooLarge { .. }
    )
}

/// The projected attributes of an item in an index; `None` if it lacks a key attribute of the right type.
fn entry(content: &IndexContent, item: &Attributes) -> Option<Attributes> {
    for key in content.key().attributes() {
        let value = item.get(&key.name)?;
        if value.kind() != AttributeType::from(key.kind) || value.size() == 0 {
            return None;
        }
    }
    let mut entry = Attributes::new();
    for (name, value) in item {
        if content.shows(name) {
            entry.insert(name.clone(), value.clone());
        }
    }
    Some(entry)
}

/// The change in an index and its cost. Source: "Provisioned throughput considerations for global secondary indexes",
/// Developer Guide.
fn entry_change(
    index: IndexId,
    content: &IndexContent,
    before: Option<&Attributes>,
    after: Option<&Attributes>,
) -> EntryChange {
    let before = before.and_then(|item| entry(content, item));
    let after = after.and_then(|item| entry(content, item));
    let same_key = |old: &Attributes, new: &Attributes| {
        content
            .keys()
            .iter()
            .all(|name| old.get(name) == new.get(name))
    };
    let (effect, units) = match (&before, &after) {
        (None, None) => (EntryEffect::Absent, 0.0),
        (None, Some(new)) => (EntryEffect::Put, write_units(item_size(new))),
        (Some(old), None) => (EntryEffect::Deleted, write_units(item_size(old))),
        (Some(old), Some(new)) if old == new => (EntryEffect::Untouched, 0.0),
        (Some(old), Some(new)) if same_key(old, new) => {
            let bytes = item_size(old).max(item_size(new));
            (EntryEffect::Rewritten, write_units(bytes))
        }
        (Some(old), Some(new)) => {
            let units = write_units(item_size(old)) + write_units(item_size(new));
            (EntryEffect::Moved, units)
        }
    };
    EntryChange {
        index,
        effect,
        before,
        after,
        units,
    }
}

/// Checks that DynamoDB stores a value at this nesting depth.
fn check_stored(value: &Value, depth: usize) -> Result<(), String> {
    let empty = match value {
        Value::Ss(set) => set.is_empty(),
        Value::Ns(set) => set.is_empty(),
        Value::Bs(set) => set.is_empty(),
        _ => false,
    };
    if empty {
        return Err("a set needs at least one element".to_owned());
    }
    if depth > NESTING_LEVELS {
        return Err(format!(
            "lists and maps are nested deeper than {NESTING_LEVELS} levels"
        ));
    }
    match value {
        Value::L(list) => list
            .iter()
            .try_for_each(|inner| check_stored(inner, depth + 1)),
        Value::M(map) => map
            .values()
            .try_for_each(|inner| check_stored(inner, depth + 1)),
        _ => Ok(()),
    }
}
