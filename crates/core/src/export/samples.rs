//! Samples as files: the items that DynamoDB would store, with their keys, complete or not. `import::samples` reads
//! these files back as the same samples.

use super::computed;
use crate::delimited;
use crate::engine::Item;
use crate::model::{
    AttributeType, Design, EntityId, SortedMap, SortedSet, Value, escape_hidden, kind_column,
};
use crate::slices::{finish, pause};

/// Writes the items of an entity, or of all entities, as CSV (RFC 4180) with one header: the primary key, the type
/// attribute, the keys of the indexes, the entities' attributes in the authors' order, then undeclared attributes. A
/// missing value is an empty cell. [`Value::to_cell`] defines the format of cells. A cell holds DynamoDB JSON if a reader
/// would find another type in it, whether or not the reader knows the design.
pub fn csv(design: &Design, entity: Option<EntityId>) -> String {
    finish(csv_in_slices(design, entity))
}

/// Like [`csv`], in slices.
pub async fn csv_in_slices(design: &Design, entity: Option<EntityId>) -> String {
    let items = items(design, entity).await;
    let columns = columns(design, entity, &items);
    let mut rows = Vec::with_capacity(items.len() + 1);
    for item in &items {
        pause().await;
        let cell = |name: &String| {
            let value = item.get(name);
            value.map_or_else(String::new, |value| value.value().to_cell(value.kind()))
        };
        rows.push(columns.iter().map(cell).collect::<Vec<String>>());
    }
    let entities = numbered(items.iter().map(|item| item.entity));
    let kinds = kind_column(&columns);
    let kinds = numbered(rows.iter().map(|row| kinds.map_or("", |at| &row[at])));
    for (name, at) in columns.iter().zip(0..) {
        while type_misread(design, &items, &mut rows, (name, at), &entities, true).await
            || type_misread(design, &items, &mut rows, (name, at), &kinds, false).await
        {}
    }
    let name = |name: &String| Value::S(name.clone()).to_cell(AttributeType::S);
    rows.insert(0, columns.iter().map(name).collect());
    delimited::write(&rows, ',')
}

/// A number for each value, the same for equal ones.
fn numbered<T: Ord>(values: impl Iterator<Item = T>) -> Vec<usize> {
    let mut numbers = SortedMap::new();
    let number = |value| {
        let next = numbers.len();
        *numbers.entry(value).or_insert(next)
    };
    values.map(number).collect()
}

/// Writes DynamoDB JSON into cells of a column that would be read as another type, and returns whether there are any.
/// Rows of the same group have one type: the declared one if the reader knows the design.
async fn type_misread(
    design: &Design,
    items: &[Item],
    rows: &mut [Vec<String>],
    (name, at): (&str, usize),
    groups: &[usize],
    knows_design: bool,
) -> bool {
    let mut members: SortedMap<usize, Vec<(usize, AttributeType)>> = SortedMap::new();
    for ((item, group), row) in items.iter().zip(groups).zip(0..) {
        if let Some(value) = item.get(name) {
            members.entry(*group).or_default().push((row, value.kind()));
        }
    }
    let mut changed = false;
    for members in members.values() {
        pause().await;
        let declared = members.first().filter(|_| knows_design);
        let declared = declared.and_then(|(row, _)| design.type_of(items[*row].entity, name));
        let kind = declared.unwrap_or_else(|| {
            let texts = members.iter().map(|(row, _)| rows[*row][at].as_str());
            AttributeType::of_cells(&texts.collect::<Vec<_>>())
        });
        let misread = members
            .iter()
            .filter(|(row, own)| *own != kind && !Value::is_typed_cell(&rows[*row][at]));
        let mut misread: Vec<(usize, AttributeType)> = misread.copied().collect();
        // One typed cell makes it a column of strings.
        let is_text = |(_, own): &(usize, AttributeType)| *own == AttributeType::S;
        if declared.is_none()
            && let Some(text) = misread.iter().copied().find(is_text)
        {
            misread = vec![text];
        }
        for (row, _) in misread {
            if let Some(value) = items[row].get(name) {
                let json = value.value().to_dynamodb_json().to_string();
                rows[row][at] = escape_hidden(&json).into_owned();
                changed = true;
            }
        }
    }
    changed
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
