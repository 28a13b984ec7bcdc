//! Sample data as files: what DynamoDB would store of it, keys included, whether or not an item is complete.
//! `import::samples` reads these files back to the same samples.

use super::computed;
use crate::delimited;
use crate::engine::Item;
use crate::model::{AttributeType, Design, EntityId, SortedMap, SortedSet, Value, escape_hidden};
use crate::slices::{finish, pause};

/// The items of an entity, or of all, as CSV (RFC 4180) with one header: the primary key, the type attribute, the keys
/// of the indexes, then the entities' attributes in their authors' order and those that no entity declares. A value
/// that is not there is an empty cell; what a cell looks like is said at [`Value::to_cell`].
pub fn csv(design: &Design, entity: Option<EntityId>) -> String {
    finish(csv_in_slices(design, entity))
}

/// As [`csv`], in slices.
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
            // A column that nobody declares is one of numbers only if all of it is.
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
            // What looks like a number would be read as one where no type is declared.
            let misread = kind == AttributeType::S
                && design.type_of(item.entity, name).is_none()
                && [AttributeType::N, AttributeType::Bool]
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

/// The items of an entity, or of all, each as a line `{"Item":{...}}` of DynamoDB JSON: the form of DynamoDB's own
/// exports to S3, which its import from S3 reads. Source: "DynamoDB table export output format", Developer Guide.
pub fn dynamodb_json(design: &Design, entity: Option<EntityId>) -> String {
    finish(dynamodb_json_in_slices(design, entity))
}

/// As [`dynamodb_json`], in slices.
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

/// The names of the attributes that at least one item has; where there are no items, of all that there are.
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
    let declared = entities.flat_map(|(_, entity)| entity.attributes.iter().map(|a| &a.name));
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
