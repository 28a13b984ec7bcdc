//! One item in the table and all indexes: where it is, why it is not elsewhere, what it weighs and costs.

use crate::picture::condition_text;
use keyfold_core::engine::{IndexContent, Item, ValueRef};
use keyfold_core::model::{AttributeType, Design, IndexId, limits};
use keyfold_core::template;

/// An item in the table or an index, or not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Presence {
    /// The table ([`IndexId::PRIMARY`]) or the index.
    pub index: IndexId,
    /// Its name; the table is called `Table`.
    pub name: String,
    /// Why it is not in it; `None`: it is.
    pub absent: Option<String>,
}

/// Where an item is: the table, then each index.
pub fn presence(design: &Design, item: &Item) -> Vec<Presence> {
    let of = |index: IndexId| {
        let content = IndexContent::new(design, index);
        let is_in = content.as_ref().is_some_and(|content| content.holds(item));
        Presence {
            index,
            name: match index.is_primary() {
                true => "Table".to_owned(),
                false => design.index_name(index).to_owned(),
            },
            absent: (!is_in).then(|| why_not(design, item, index)),
        }
    };
    design.index_ids().map(of).collect()
}

/// Why an item is not in the table or an index that it is not in.
fn why_not(design: &Design, item: &Item, index: IndexId) -> String {
    if !item.is_stored() {
        return "DynamoDB would refuse the item".into();
    }
    let entity = design.entities.get(&item.entity);
    let entry = entity.and_then(|entity| entity.keys.get(&index));
    for condition in entry.into_iter().flat_map(|entry| &entry.when) {
        if !condition.holds((item.get(&condition.attribute).map(ValueRef::value)).as_deref()) {
            return format!("not {}", condition_text(condition));
        }
    }
    let texts = entry.map(|entry| [&entry.partition, &entry.sort]);
    for text in texts.into_iter().flatten().flatten() {
        let parsed = template::parse(text);
        if !parsed.errors.is_empty() {
            return format!("the template `{text}` has a mistake");
        }
        let empty = |name: &&str| {
            (item.get(name))
                .is_none_or(|value| value.kind() == AttributeType::Null || value.size() == 0)
        };
        if let Some(name) = parsed.template.attributes().find(empty) {
            return format!("no `{name}`");
        }
    }
    let key = design.key(index);
    let missing = key
        .into_iter()
        .flat_map(|key| key.attributes())
        .find(|key| item.get(&key.name).is_none());
    match (entity, missing) {
        (Some(entity), _) if entry.is_none() => format!("{} has no keys for it", entity.name),
        (_, Some(key)) => format!("no `{}`", key.name),
        _ => "its key has another type".into(),
    }
}

/// What an item weighs and costs, in the table or in one index.
#[derive(Debug, Clone, PartialEq)]
pub struct Weight {
    /// Bytes of the item, or of what the index projects of it; attribute names included.
    pub bytes: usize,
    /// Bytes that count against the limit of an item: the item and, with local indexes, its entries in them.
    pub counted: usize,
    /// Write units for putting the item anew: of the table and of each index it is in.
    pub write_units: usize,
    /// How many of them are the indexes'.
    pub index_units: usize,
    /// Read units of a strongly consistent read of it here; an eventually consistent one costs half.
    pub read_units: usize,
}

impl Weight {
    /// How much of the limit the item has used, in percent.
    pub fn percent(&self) -> f64 {
        self.counted as f64 * 100.0 / limits::ITEM_BYTES as f64
    }
}

/// What an item weighs and costs. Source: "Item sizes and formats" and "DynamoDB read and write operations", Amazon
/// DynamoDB Developer Guide.
pub fn weight(design: &Design, item: &Item, index: IndexId) -> Weight {
    let mut local = 0;
    let mut index_units = 0;
    let mut here = item.size();
    for (id, shape) in &design.indexes {
        let Some(content) = IndexContent::new(design, *id) else {
            continue;
        };
        if !content.holds(item) {
            continue;
        }
        let bytes = content.size(item);
        if shape.kind == keyfold_core::model::IndexKind::Lsi {
            local += bytes;
        }
        if *id == index {
            here = bytes;
        }
        index_units += units(bytes, limits::WRITE_UNIT_BYTES);
    }
    Weight {
        bytes: here,
        counted: item.size() + local,
        write_units: units(item.size(), limits::WRITE_UNIT_BYTES) + index_units,
        index_units,
        read_units: units(here, limits::READ_UNIT_BYTES),
    }
}

/// Units of so many bytes, rounded up; an item has at least one.
fn units(bytes: usize, of: usize) -> usize {
    bytes.div_ceil(of).max(1)
}
