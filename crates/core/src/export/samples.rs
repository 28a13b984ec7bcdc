//! Samples as files: the items that DynamoDB would store, with their keys, complete or not. `import::samples` reads
//! these files back as the same samples.

use super::computed;
use crate::delimited;
use crate::engine::Item;
use crate::model::{AttributeType, Design, EntityId, SortedMap, SortedSet, Value, escape_hidden};
use crate::slices::{finish, pause};

/// Writes the items of an entity, or of all entities, as CSV (RFC 4180) with one header: the primary key, the type
/// attribute, the keys of the indexes, the entities' attributes in the authors' order, then undeclared attributes. A
/// missing value is an empty cell. [`Value::to_cell`] defines the format of cells.
pub fn csv(design: &Design, entity: Option<EntityId>) -> String {
    finish(csv_in_slices(design, entity))
}

/// Like [`csv`], in slices.
pub async fn csv_in_slices(design: &Design, entity: Option<EntityId>) -> String {
    let items = items(design, entity).await;
    let columns = columns(design, entity, &items);
    let mut kinds: SortedMap<(EntityId, &str), AttributeType> = SortedMap::new();
    for item in &items {
        pause().await;
        for (name, value) in item.attributes() {
            let kind = kinds.entry((item.entity, name)).or_insert_with(|| {
                design
                    .type_of(item.entity, name)
                    .unwrap_or(match value.kind() {
                        kind @ (AttributeType::N | AttributeType::Bool) => kind,
                        _ => AttributeType::S,
                    })
            });
            // An undeclared column holds numbers only if all its values are numbers.
            if *kind != value.kind() && design.type_of(item.entity, name).is_none() {
                *kind = AttributeType::S;
            }
        }
    }
    let mut rows = Vec::with_capacity(items.len() + 1);
    let name = |name: &String| Value::S(name.clone()).to_cell(AttributeType::S);
    rows.push(columns.iter().map(name).collect());
    for item in &items {
        pause().await;
        let cell = |name: &String| {
            let Some(value) = item.get(name) else {
                return String::new();
            };
            let kind = kinds.get(&(item.entity, name.as_str()));
            let kind = kind.copied().unwrap_or(value.kind());
            // In an undeclared column, a text that looks like a number or a list would be read back as one.
            let misread = kind == AttributeType::S
                && design.type_of(item.entity, name).is_none()
                && [
                    AttributeType::N,
                    AttributeType::Bool,
                    AttributeType::L,
                    AttributeType::M,
                ]
                .iter()
                .any(|kind| Value::from_text(*kind, &value.to_text()).is_ok());
            match misread {
                true => escape_hidden(&value.value().to_dynamodb_json().to_string()).into_owned(),
                false => value.value().to_cell(kind),
            }
        };
        rows.push(columns.iter().map(cell).collect());
    }
    delimited::write(&rows, ',')
}

/// Writes the items of an entity, or of all entities, as lines `{"Item":{...}}` of DynamoDB JSON: the format of
/// DynamoDB exports to S3 and imports from S3. Source: "DynamoDB table export output format", Amazon DynamoDB Developer
/// Guide.
pub fn dynamodb_json(design: &Design, entity: Option<EntityId>) -> String {
    finish(dynamodb_json_in_slices(design, entity))
}

/// Like [`dynamodb_json`], in slices.
pub async fn dynamodb_json_in_slices(design: &Design, entity: Option<EntityId>) -> String {
    let mut text = String::new();
    for item in items(design, entity).await {
        pause().await;
        text.push_str("{\"Item\":{");
        for ((name, value), at) in item.attributes().into_iter().zip(0..) {
            if at > 0 {
                text.push(',');
            }
            text.push_str(&serde_json::Value::from(name).to_string());
            text.push(':');
            text.push_str(&value.value().to_dynamodb_json().to_string());
        }
        text.push_str("}}\n");
    }
    escape_hidden(&text).into_owned()
}

async fn items(design: &Design, entity: Option<EntityId>) -> Vec<Item> {
    let computed = computed(design).await;
    let all = computed.items().iter();
    all.filter(|(id, _)| entity.is_none_or(|entity| entity == **id))
        .flat_map(|(_, items)| items.iter().collect::<Vec<_>>())
        .collect()
}

/// Returns the names of the attributes that at least one item has; without items, of all declared attributes.
fn columns(design: &Design, entity: Option<EntityId>, items: &[Item]) -> Vec<String> {
    let mut used: SortedSet<&str> = SortedSet::new();
    for item in items {
        for (name, _) in item.attributes() {
            used.insert(name);
        }
    }
    let keys = |index| {
        design
            .key(index)
            .into_iter()
            .flat_map(|key| key.attributes())
    };
    let mut ids = design.index_ids();
    let primary = ids.next().into_iter().flat_map(keys).map(|key| &key.name);
    let others = ids.flat_map(keys).map(|key| &key.name);
    let entities = design
        .entities
        .iter()
        .filter(|(id, _)| entity.is_none_or(|entity| entity == **id));
    let stored = entities.flat_map(|(_, entity)| entity.attributes.iter().filter(|a| !a.key_only));
    let declared = stored.map(|attribute| &attribute.name);
    let ordered = primary
        .chain(&design.table.type_attribute)
        .chain(others)
        .chain(declared);
    let mut columns: Vec<String> = Vec::new();
    for name in ordered {
        let is_used = used.remove(name.as_str()) || items.is_empty();
        if is_used && !columns.contains(name) {
            columns.push(name.clone());
        }
    }
    columns.extend(used.into_iter().map(str::to_owned));
    columns
}
