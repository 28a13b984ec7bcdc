//! Shared by the tests: items of designs, and what designs and findings say in comparable lines.

use keyfold_core::engine::generate::{Amount, Request, generate};
use keyfold_core::engine::materialize_all;
use keyfold_core::model::*;
use keyfold_infer::{Inferred, Item, Schema, add_to, infer};
use keyfold_test_support::with_samples;
use std::sync::Arc;

/// The items of a design that DynamoDB would store, each with the name of its entity.
pub fn items_of(design: &Design) -> Vec<(String, Item)> {
    let mut all = Vec::new();
    for (entity, items) in materialize_all(design) {
        let name = &design.entities[&entity].name;
        let stored = items.iter().filter(|item| item.is_stored());
        all.extend(stored.map(|item| (name.clone(), item.to_map())));
    }
    all
}

/// The design with this many rows of each entity in place of its samples.
pub fn with_rows(design: &Design, count: u32, seed: u64) -> Design {
    let amounts = design.entities.keys().map(|entity| Amount {
        entity: *entity,
        count,
        per: None,
    });
    let request = Request {
        amounts: amounts.collect(),
        replace: true,
        seed,
    };
    let rows = generate(design, &request).expect("rows");
    with_samples(design, &rows.removed, rows.added)
}

/// The entities and templates of a design, one line per key.
pub fn lines_of(design: &Design) -> Vec<String> {
    let mut lines = Vec::new();
    for entity in design.entities.values() {
        for (index, entry) in &entity.keys {
            let at = design
                .index_ids()
                .position(|id| id == *index)
                .expect("an index");
            let when: Vec<String> = (entry.when.iter())
                .map(|when| format!(" if {} {:?}", when.attribute, when.test))
                .collect();
            lines.push(line(
                &entity.name,
                at,
                &entry.partition,
                &entry.sort,
                &when.concat(),
            ));
        }
    }
    lines.sort();
    lines
}

/// What was found, in the same lines.
pub fn lines_found(found: &Inferred) -> Vec<String> {
    let mut lines = Vec::new();
    for entity in &found.entities {
        for entry in &entity.keys {
            let when: Vec<String> = (entry.when.iter())
                .map(|when| format!(" if {} {:?}", when.attribute, when.test))
                .collect();
            lines.push(line(
                &entity.name,
                entry.key,
                &entry.partition,
                &entry.sort,
                &when.concat(),
            ));
        }
    }
    lines.sort();
    lines
}

fn line(
    entity: &str,
    key: usize,
    partition: &Option<String>,
    sort: &Option<String>,
    when: &str,
) -> String {
    let text = |side: &Option<String>| side.clone().unwrap_or_else(|| "-".to_owned());
    format!("{entity} {key}: {} | {}{when}", text(partition), text(sort))
}

/// A design with these keys and what was found.
pub fn design_of(schema: &Schema, found: &Inferred) -> Design {
    let mut design = Design::new("Inferred");
    let table = Arc::make_mut(&mut design.table);
    table.name.clone_from(&schema.table);
    table.key = schema.key.clone();
    for index in &schema.indexes {
        let id = IndexId(design.take_id());
        design.indexes.insert(id, Arc::new(index.clone()));
    }
    add_to(&mut design, found);
    design
}

/// Infers, and checks that every item comes back.
pub fn infer_all(schema: &Schema, items: &[Item]) -> Inferred {
    let found = infer(schema, items, &[]);
    assert_come_back(schema, items, &found);
    found
}

/// Checks that every item comes back: from the findings and from the design's engine.
pub fn assert_come_back(schema: &Schema, items: &[Item], found: &Inferred) {
    let back: Vec<Item> = found
        .items(schema)
        .into_iter()
        .map(|(_, item)| item)
        .collect();
    assert_eq!(back.len(), items.len(), "as many items as before");
    for (back, item) in back.iter().zip(items) {
        assert_eq!(back, item, "given back");
    }
    let design = design_of(schema, found);
    assert_eq!(validate_invariants(&design), []);
    let mut stored: Vec<Item> = Vec::new();
    for items in materialize_all(&design).values() {
        stored.extend(items.iter().map(|item| item.to_map()));
    }
    stored.sort();
    let mut wanted = items.to_vec();
    wanted.sort();
    assert_eq!(stored.len(), wanted.len());
    for (stored, wanted) in stored.iter().zip(&wanted) {
        assert_eq!(stored, wanted, "the engine gives it back");
    }
}

/// An item of texts.
pub fn item(pairs: &[(&str, &str)]) -> Item {
    pairs
        .iter()
        .map(|(name, text)| ((*name).to_owned(), Value::from(*text)))
        .collect()
}

/// A table with this key, without indexes.
pub fn table(partition: &str, sort: &str) -> Schema {
    Schema {
        table: "table".into(),
        key: KeySchema::pair(partition, sort),
        indexes: Vec::new(),
    }
}

/// The lines of the entities that items with these keys and other attributes show.
pub fn shown(schema: &Schema, items: &[Item]) -> Vec<String> {
    lines_found(&infer_all(schema, items))
}
