//! The designs that the exports are judged with.

use crate::{designs::full_design, template_designs};
use keyfold::domain::engine::materialise_all;
use keyfold::domain::library;
use keyfold::domain::model::Design;
use serde_json::{Value, json};

/// The library and the designs that have every property a table can have, each with a name for its files.
pub fn all() -> Vec<(String, Design)> {
    let mut all = library();
    for (name, design) in template_designs::all() {
        all.push((name.to_owned(), design));
    }
    all.push(("everything".to_owned(), full_design()));
    all
}

/// The library's designs.
pub fn library() -> Vec<(String, Design)> {
    let design = |pattern: &library::Pattern| {
        let design = pattern.design().expect("the library can be read");
        (pattern.name.to_owned(), design)
    };
    library::patterns().iter().map(design).collect()
}

/// Of each entity the stored items: the sample's values, and every key attribute's value, `null` where the item has
/// none. DynamoDB JSON.
pub fn items(design: &Design) -> Value {
    let mut keys: Vec<&str> = Vec::new();
    for key in design.index_ids().filter_map(|index| design.key(index)) {
        keys.extend(key.attributes().map(|key| key.name.as_str()));
    }
    let mut entities = Vec::new();
    for (id, items) in materialise_all(design) {
        let mut samples = Vec::new();
        for item in items.iter().filter(|item| item.is_stored()) {
            let values = &item.sample().values;
            let values: serde_json::Map<_, _> = (values.iter())
                .map(|(name, value)| (name.clone(), value.to_dynamodb_json()))
                .collect();
            let key = |name: &&str| {
                let value = item.get(name).map(|value| value.to_dynamodb_json());
                ((*name).to_owned(), value.unwrap_or(Value::Null))
            };
            let keys: serde_json::Map<_, _> = keys.iter().map(key).collect();
            samples.push(json!({ "values": values, "keys": keys }));
        }
        entities.push(json!({ "entity": design.entities[&id].name, "samples": samples }));
    }
    entities.into()
}
