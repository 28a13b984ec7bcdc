//! One item across the table and all indexes: where it is, why it is not in an index, its size and cost.

use crate::picture::condition_text;
use keyfold_core::engine::{IndexContent, Item, ValueRef};
use keyfold_core::model::{AttributeType, Design, IndexId, limits};
use keyfold_core::template;

/// Whether an item is in the table or an index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Presence {
    /// The table ([`IndexId::PRIMARY`]) or the index.
    pub index: IndexId,
    /// Its name; the table's is `Table`.
    pub name: String,
    /// Why the item is not in it; `None` if it is.
    pub absent: Option<String>,
}

/// Returns the presence of an item in the table and each index.
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

/// The reason why an item is not in the table or index.
fn why_not(design: &Design, item: &Item, index: IndexId) -> String {
    if !item.is_stored() {
        return "the item cannot be stored".into();
    }
    let entity = design.entities.get(&item.entity);
    let entry = entity.and_then(|entity| entity.keys.get(&index));
    for condition in entry.into_iter().flat_map(|entry| &entry.when) {
        if !condition.holds((item.get(&condition.attribute).map(ValueRef::value)).as_deref()) {
            return format!("condition not met: {}", condition_text(condition));
        }
    }
    let texts = entry.map(|entry| [&entry.partition, &entry.sort]);
    for text in texts.into_iter().flatten().flatten() {
        let parsed = template::parse(text);
        if !parsed.errors.is_empty() {
            return format!("the template `{text}` has an error");
        }
        let empty = |name: &&str| {
            (item.known(name))
                .is_none_or(|value| value.kind() == AttributeType::Null || value.size() == 0)
        };
        if let Some(name) = parsed.template.attributes().find(empty) {
            return format!("`{name}` is missing");
        }
    }
    let key = design.key(index);
    let missing = key
        .into_iter()
        .flat_map(|key| key.attributes())
        .find(|key| item.get(&key.name).is_none());
    match (entity, missing) {
        (Some(entity), _) if entry.is_none() => {
            format!("{} has no keys in this index", entity.name)
        }
        (_, Some(key)) => format!("`{}` is missing", key.name),
        _ => "the key has the wrong type".into(),
    }
}

/// Size and cost of an item in the table or an index.
#[derive(Debug, Clone, PartialEq)]
pub struct ItemCost {
    /// Size in bytes of the item, or of its projection into the index. Attribute names count.
    pub bytes: usize,
    /// Size in bytes that counts against the item size limit: the item and its entries in LSIs.
    pub counted: usize,
    /// Write units to put the item: for the table and for each index that it is in.
    pub write_units: usize,
    /// The part of the write units that is for indexes.
    pub index_units: usize,
    /// Read units of a strongly consistent read. An eventually consistent read costs half.
    pub read_units: usize,
}

impl ItemCost {
    /// Used part of the item size limit, in percent.
    pub fn percent(&self) -> f64 {
        self.counted as f64 * 100.0 / limits::ITEM_BYTES as f64
    }
}

/// Returns size and cost of an item. Source: "Item sizes and formats" and "DynamoDB read and write operations",
/// Amazon DynamoDB Developer Guide.
pub fn item_cost(design: &Design, item: &Item, index: IndexId) -> ItemCost {
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
    ItemCost {
        bytes: here,
        counted: item.size() + local,
        write_units: units(item.size(), limits::WRITE_UNIT_BYTES) + index_units,
        index_units,
        read_units: units(here, limits::READ_UNIT_BYTES),
    }
}

/// Number of units of size `of`, rounded up; at least one.
fn units(bytes: usize, of: usize) -> usize {
    bytes.div_ceil(of).max(1)
}
