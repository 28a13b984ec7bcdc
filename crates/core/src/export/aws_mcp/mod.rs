//! `schema.json` of AWS's DynamoDB MCP server (PyPI: `awslabs.dynamodb-mcp-server`, 2.1.8), from which it generates
//! Python: the table with its indexes, the entities with their key templates, and the access patterns.
//!
//! JSON has no comments: what the format cannot express is in `notes`, a member that the server ignores.

mod conditions;
mod entity;
mod keys;
mod method;
mod patterns;
mod python;
mod transactions;

use super::Code;
use super::api_names::filled;
use super::create_table::json_in_slices;
use super::tree::{Map, Node};
use super::writer::one_line;
use crate::model::{
    AttributeType, Design, Index, IndexId, IndexKind, KeyAttribute, KeySchema, KeyType,
    OnDelimiter, Projection,
};
use crate::slices::pause;
use entity::{Shown, entities};
use patterns::Patterns;
use python::is_quotable;

/// Writes the schema of a design.
pub async fn aws_mcp(design: &Design) -> Code {
    let mut notes = Vec::new();
    let indexes = shown_indexes(design, &mut notes);
    let shown = entities(design, &indexes, &mut notes);
    about_all(design, &shown, &mut notes);
    about_types(&shown, IndexId::PRIMARY, &design.table.key, &mut notes);
    let mut patterns = Patterns::new(design, &indexes, &shown);
    for pattern in design.access_patterns.values() {
        pause().await;
        patterns.add(pattern, &mut notes);
    }
    let mut list = Vec::new();
    for id in &indexes {
        if let Some(index) = design.indexes.get(id) {
            list.push(self::index(design, &shown, *id, index, &mut notes).into());
        }
    }
    let (of_entities, several) = patterns.finish();
    let mut members = Map::new();
    for (entity, patterns) in shown.iter().zip(of_entities) {
        pause().await;
        members.add(entity.name.as_str(), self::entity(design, entity, patterns));
    }
    let key = &design.table.key;
    let first = |keys: &[KeyAttribute]| keys.first().map(|key| key.name.clone());
    let config = Map::new()
        .with("table_name", design.table.name.as_str())
        .with_some("partition_key", first(&key.partition))
        .with_some("sort_key", first(&key.sort));
    let table = Map::new()
        .with("table_config", config)
        .with_some("gsi_list", filled(list))
        .with("entities", members);
    let notes = notes.iter().map(|note| one_line(note).into()).collect();
    let schema = Map::new()
        .with_some("notes", filled(notes))
        .with("tables", vec![table.into()])
        .with_some("cross_table_access_patterns", filled(several));
    json_in_slices(schema.into()).await
}

/// The indexes that the format has. The others go to `notes`.
fn shown_indexes(design: &Design, notes: &mut Vec<String>) -> Vec<IndexId> {
    let mut names: Vec<String> = Vec::new();
    let mut shown = Vec::new();
    for (id, index) in &design.indexes {
        let name = python::index(&index.name);
        let why = if index.kind == IndexKind::Lsi {
            "the format has no local indexes"
        } else if index.name.contains('.') || names.contains(&name) {
            "the generated code cannot have this name"
        } else if index.key.attributes().any(|key| !is_quotable(&key.name)) {
            "its key has a name that the generated code cannot quote"
        } else {
            names.push(name);
            shown.push(*id);
            continue;
        };
        notes.push(format!("The index {} is omitted: {why}.", index.name));
    }
    shown
}

/// Says what the format lacks for all entities.
fn about_all(design: &Design, shown: &[Shown], notes: &mut Vec<String>) {
    if shown.is_empty() {
        notes.push("The server accepts no schema without entities.".to_owned());
    }
    if let Some(name) = &design.table.type_attribute {
        notes.push(format!(
            "The attribute {name}, which holds the entity of an item, is omitted."
        ));
    }
    notes.push("The generated code adds the number version to each item.".to_owned());
    let mut keys = shown.iter().flat_map(|entity| &entity.keys);
    if keys.any(|key| !key.index.is_primary() && key.is_made(design)) {
        notes.push(
            "The generated code can build index keys, but does not write them to items.".to_owned(),
        );
    }
    let policy = &design.delimiter;
    let texts = || shown.iter().flat_map(|entity| &entity.keys);
    let mut templates = texts().flat_map(|key| key.partition.iter().chain(&key.sort));
    let is_joined = templates.any(|template| {
        !template.is_single_placeholder() && template.placeholders().next().is_some()
    });
    if is_joined && !policy.delimiter.is_empty() {
        let does = match policy.on_conflict {
            OnDelimiter::PercentEncode => "encodes",
            OnDelimiter::Reject => "refuses",
        };
        notes.push(format!(
            "The generated code {does} no value that contains {}: it writes the value unchanged.",
            policy.delimiter
        ));
    }
}

/// Names the types of keys that no entity of the schema shows: a key is a number if its template is one.
fn about_types(shown: &[Shown], id: IndexId, key: &KeySchema, notes: &mut Vec<String>) {
    let is_shown = shown.iter().any(|entity| entity.key(id).is_some());
    for attribute in key.attributes() {
        if attribute.kind == KeyType::B || attribute.kind == KeyType::N && !is_shown {
            let (name, kind) = (&attribute.name, attribute.kind.letter());
            notes.push(format!(
                "The key attribute {name} is without its type {kind}."
            ));
        }
    }
}

fn index(
    design: &Design,
    shown: &[Shown],
    id: IndexId,
    index: &Index,
    notes: &mut Vec<String>,
) -> Map {
    about_types(shown, id, &index.key, notes);
    let mut map = Map::new().with("name", index.name.as_str());
    map.add_some("partition_key", names(&index.key.partition));
    map.add_some("sort_key", names(&index.key.sort));
    let Projection::Include(included) = &index.projection else {
        let is_all = index.projection == Projection::All;
        return map.with("projection", if is_all { "ALL" } else { "KEYS_ONLY" });
    };
    let keys = || design.table.key.attributes().chain(index.key.attributes());
    let has_field = |name: &str| {
        let mut within = shown.iter().filter(|entity| entity.key(id).is_some());
        within.any(|entity| entity.kind(name).is_some())
    };
    let mut fields = Vec::new();
    for name in included {
        if keys().any(|key| key.name == *name) || fields.contains(name) {
            continue;
        }
        match has_field(name) {
            true => fields.push(name.clone()),
            false => notes.push(format!(
                "The projection of {} is without {name}: no entity in the index has such a field.",
                index.name
            )),
        }
    }
    match fields.is_empty() {
        true => map.with("projection", "KEYS_ONLY"),
        false => map
            .with("projection", "INCLUDE")
            .with("included_attributes", Node::texts(fields)),
    }
}

/// A key of one attribute as its name, of several as a list.
fn names(keys: &[KeyAttribute]) -> Option<Node> {
    one_or_several(keys.iter().map(|key| key.name.clone()).collect())
}

fn one_or_several(mut texts: Vec<String>) -> Option<Node> {
    match texts.len() {
        0 => None,
        1 => texts.pop().map(Node::Text),
        _ => Some(Node::texts(texts)),
    }
}

fn entity(design: &Design, shown: &Shown, patterns: Vec<Node>) -> Map {
    let entity = shown.entity;
    let mut map = Map::new()
        .with("entity_type", python::documentation(&entity.name))
        .with_some("description", described(&entity.description));
    let mut mappings = Vec::new();
    for key in &shown.keys {
        let partition = one_or_several(key.partition_texts.clone());
        let sort = one_or_several(key.sort_texts.clone());
        let name = (!key.index.is_primary()).then(|| design.index_name(key.index));
        let templates = Map::new()
            .with_some("name", name)
            .with_some("pk_template", partition)
            .with_some("sk_template", sort);
        match key.index.is_primary() {
            true => map.extend(templates),
            false => mappings.push(templates.into()),
        }
    }
    map.add_some("gsi_mappings", filled(mappings));
    let mut fields = Vec::new();
    for (attribute, kind) in &shown.fields {
        let field = Map::new()
            .with("name", attribute.name.as_str())
            .with("type", *kind)
            // The generated code has a list of any values for a type that it does not know.
            .with_some(
                "item_type",
                (attribute.kind == AttributeType::L).then_some("any"),
            )
            .with("required", attribute.required)
            .with_some("description", described(&attribute.description));
        fields.push(field.into());
    }
    map.add("fields", fields);
    map.add("access_patterns", patterns);
    map
}

/// A description, if there is one.
fn described(text: &str) -> Option<&str> {
    Some(text).filter(|text| !text.is_empty())
}
