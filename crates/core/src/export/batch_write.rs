//! The items of the samples as BatchWriteItem requests: files for `aws dynamodb batch-write-item --request-items file://...`.

use super::create_table::json;
use super::format::File;
use super::tree::{Map, Node};
use super::{Code, computed};
use crate::engine::{Item, Row, view};
use crate::model::{Design, IndexId, limits};
use crate::slices::pause;

/// Writes the items of the table in its order, in files with as many items as one request accepts. Items with the same
/// key appear once, as in the table. DynamoDB refuses a request without items: for these, the only file is empty.
pub async fn batch_write(design: &Design) -> Vec<File> {
    let items: Vec<_> = computed(design).await.items().values().cloned().collect();
    let rows: Vec<Row> = view(design, IndexId::PRIMARY, &items).rows.iter().collect();
    let mut chunks: Vec<Vec<Node>> = vec![Vec::new()];
    let mut bytes = 0;
    for (at, row) in rows.iter().enumerate() {
        if row.is_overwritten_by(rows.get(at + 1), &design.table.key) {
            continue;
        }
        pause().await;
        let put = Map::new().with("Item", item_object(&row.item));
        // The size of the request, which can be several times the item's size, such as for small numbers in a list.
        let size = text_bytes(&row.item);
        let is_full = chunks
            .last()
            .is_some_and(|chunk| chunk.len() == limits::BATCH_WRITE_ITEMS);
        bytes += size;
        if is_full || bytes > limits::BATCH_WRITE_BYTES && bytes > size {
            chunks.push(Vec::new());
            bytes = size;
        }
        if let Some(chunk) = chunks.last_mut() {
            chunk.push(Map::new().with("PutRequest", put).into());
        }
    }
    let digits = chunks.len().to_string().len();
    let mut files = Vec::new();
    for (at, chunk) in chunks.into_iter().enumerate() {
        pause().await;
        let code = match chunk.is_empty() {
            true => Code::default(),
            false => json(Map::new().with(&design.table.name, chunk).into()),
        };
        let name = format!("batch-write-{:0digits$}.json", at + 1);
        files.push(File { name, code });
    }
    files
}

/// Returns the approximate bytes of a put of the item.
fn text_bytes(item: &Item) -> usize {
    let mut bytes = "{\"PutRequest\":{\"Item\":{}}},".len();
    for (name, value) in item.attributes() {
        bytes += name.len() + value.value().to_dynamodb_json().to_string().len() + "\"\":,".len();
    }
    bytes
}

/// Returns an item as DynamoDB JSON.
pub fn item_object(item: &Item) -> Map {
    let mut object = Map::new();
    for (name, value) in item.attributes() {
        object.add(name, Node::from(&value.value().to_dynamodb_json()));
    }
    object
}
