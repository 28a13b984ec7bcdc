//! A NoSQL Workbench model, format 3.0: the table with its indexes, a facet per entity, and the items of the samples in
//! these facets. Models of NoSQL Workbench have each item once: in a facet, or in the table if it has no facets.

use super::api_names::{billing_mode, filled, indexes, projection_map};
use super::batch_write::item_object;
use super::create_table::json_in_slices;
use super::table_plan::{Plan, Throughput, plan};
use super::tree::{Map, Node};
use super::{Code, computed};
use crate::engine::Items;
use crate::model::{
    Autoscaling, Design, EntityId, KeyAttribute, KeySchema, ProvisionedThroughput, SortedMap,
};
use crate::slices::pause;
use std::sync::Arc;

/// The creation date of the model: the format requires one, but a design has no time.
const DATE: &str = "Jan 01, 2026, 12:00 AM";
/// The auto scaling role that NoSQL Workbench writes.
const ROLE: &str = "AWSServiceRoleForApplicationAutoScaling_DynamoDBTable";

/// Writes the model of a design.
pub async fn workbench(design: &Design) -> Code {
    let plan = plan(design);
    let computed = computed(design).await;
    let items = computed.items();
    let mut facets = Vec::new();
    for id in design.entities.keys() {
        pause().await;
        let data = data(items.get(id));
        facets.push(facet(design, *id, items.get(id), data).into());
    }
    let metadata = Map::new()
        .with("Author", "")
        .with("DateCreated", DATE)
        .with("DateLastModified", DATE)
        .with("Description", description(&plan).as_str())
        .with("AWSService", "Amazon DynamoDB")
        .with("Version", "3.0");
    let model = Map::new()
        .with("ModelName", design.name.as_str())
        .with("ModelMetadata", metadata)
        .with(
            "DataModel",
            vec![table(design, &plan, items, facets).into()],
        );
    json_in_slices(model.into()).await
}

/// Returns the design's description, and a note about indexes that the format does not support.
fn description(plan: &Plan) -> String {
    let mut text = plan.description.to_owned();
    for (index, _) in indexes(plan).filter(|(index, _)| index.key.is_multi_attribute()) {
        let space = if text.is_empty() { "" } else { "\n" };
        let why = ": NoSQL Workbench supports keys of at most two attributes.";
        text = [&text, space, "The model omits the index ", index.name, why].concat();
    }
    text
}

/// Returns the table with the facets of its entities.
fn table(
    design: &Design,
    plan: &Plan,
    items: &SortedMap<EntityId, Arc<Items>>,
    facets: Vec<Node>,
) -> Map {
    let mut table = Map::new().with("TableName", design.table.name.as_str());
    table.add("KeyAttributes", key_attributes(&design.table.key));
    table.add("NonKeyAttributes", non_key_attributes(design, items));
    table.add("TableFacets", facets);
    let (mut global, mut local) = (Vec::new(), Vec::new());
    for (index, of_global) in indexes(plan).filter(|(index, _)| !index.key.is_multi_attribute()) {
        let mut entry = Map::new().with("IndexName", index.name);
        entry.add("KeyAttributes", key_attributes(index.key));
        entry.add("Projection", projection_map(&index.projection));
        match of_global {
            Some(_) => global.push(entry.into()),
            None => local.push(entry.into()),
        }
    }
    table.add_some("GlobalSecondaryIndexes", filled(global));
    table.add_some("LocalSecondaryIndexes", filled(local));
    table.add("TableData", Node::List(Vec::new()));
    table.add("DataAccess", data_access());
    table.add("BillingMode", billing_mode(plan));
    if let Throughput::Provisioned(units) = plan.throughput {
        table.add("ProvisionedCapacitySettings", capacity(units));
    }
    table
}

/// Returns the items that the table holds.
fn data(items: Option<&Arc<Items>>) -> Vec<Node> {
    let items = items.into_iter().flat_map(|items| items.iter());
    let mut list = Vec::new();
    for item in items.filter(|item| item.is_stored()) {
        list.push(item_object(&item).into());
    }
    list
}

fn data_access() -> Map {
    Map::new().with("MySql", Map::new())
}

fn key_attributes(key: &KeySchema) -> Map {
    let mut object = Map::new();
    for (role, attribute) in [
        ("PartitionKey", key.partition.first()),
        ("SortKey", key.sort.first()),
    ] {
        let of = |key: &KeyAttribute| attribute_object(&key.name, key.kind.letter());
        object.add_some(role, attribute.map(of));
    }
    object
}

fn attribute_object(name: &str, kind: &str) -> Map {
    let object = Map::new().with("AttributeName", name);
    object.with("AttributeType", kind)
}

/// Returns the attributes besides the primary key, each once: the indexes' keys, the type attribute, the entities'
/// attributes in the authors' order, then undeclared attributes of samples.
fn non_key_attributes(design: &Design, items: &SortedMap<EntityId, Arc<Items>>) -> Node {
    let mut names: Vec<&str> = Vec::new();
    let mut list = Vec::new();
    for key in design.table.key.attributes() {
        names.push(&key.name);
    }
    let mut add = |name: &'_ str, kind: &str| list.push(attribute_object(name, kind).into());
    for index in design.indexes.values() {
        for key in index.key.attributes() {
            if !names.contains(&key.name.as_str()) {
                names.push(&key.name);
                add(&key.name, key.kind.letter());
            }
        }
    }
    if let Some(name) = design.table.type_attribute.as_deref()
        && !names.contains(&name)
    {
        names.push(name);
        add(name, "S");
    }
    for entity in design.entities.values() {
        for attribute in entity.attributes.iter().filter(|a| !a.key_only) {
            if !names.contains(&attribute.name.as_str()) {
                names.push(&attribute.name);
                add(&attribute.name, attribute.kind.word());
            }
        }
    }
    let mut more: Vec<(String, &str)> = Vec::new();
    for items in items.values() {
        for item in items.iter() {
            for (name, value) in item.attributes() {
                if !names.contains(&name) && !more.iter().any(|(other, _)| other == name) {
                    more.push((name.to_owned(), value.kind().word()));
                }
            }
        }
    }
    for (name, kind) in more {
        add(&name, kind);
    }
    Node::List(list)
}

/// Returns the facet of an entity: the attributes of its items besides the primary key, and the items.
fn facet(design: &Design, id: EntityId, items: Option<&Arc<Items>>, data: Vec<Node>) -> Map {
    let key = &design.table.key;
    let mut alias = Map::new();
    for (role, attribute) in [
        ("PartitionKeyAlias", key.partition.first()),
        ("SortKeyAlias", key.sort.first()),
    ] {
        alias.add_some(role, attribute.map(|attribute| attribute.name.as_str()));
    }
    let mut names: Vec<String> = Vec::new();
    let keys: Vec<&str> = key.attributes().map(|key| key.name.as_str()).collect();
    let mut add = |name: &str| {
        if !keys.contains(&name) && !names.iter().any(|other| other == name) {
            names.push(name.to_owned());
        }
    };
    let entity = design.entities.get(&id);
    let declared = entity.into_iter().flat_map(|entity| &entity.attributes);
    for attribute in declared.filter(|attribute| !attribute.key_only) {
        add(&attribute.name);
    }
    let items = items.into_iter().flat_map(|items| items.iter());
    for item in items.filter(|item| item.is_stored()) {
        for (name, _) in item.attributes() {
            add(name);
        }
    }
    let name = entity.map_or("", |entity| &entity.name);
    let mut facet = Map::new().with("FacetName", name);
    facet.add("KeyAttributeAlias", alias);
    facet.add("TableData", data);
    facet.add("NonKeyAttributes", Node::texts(names));
    facet.add("DataAccess", data_access());
    facet
}

fn capacity(units: &ProvisionedThroughput) -> Map {
    let fixed = Map::new().with("ReadCapacityUnits", units.read);
    let fixed = fixed.with("WriteCapacityUnits", units.write);
    let mut settings = Map::new().with("ProvisionedThroughput", fixed);
    let scaling = |scaling: Autoscaling| {
        let target = Map::new()
            .with("MinCapacity", scaling.min)
            .with("MaxCapacity", scaling.max)
            .with("ServiceRole", ROLE);
        let policy = Map::new().with("TargetValue", u64::from(scaling.target_percent));
        Map::new()
            .with("ScalableTargetRequest", target)
            .with("ScalingPolicyConfiguration", policy)
    };
    settings.add_some("AutoScalingRead", units.read_scaling.map(scaling));
    settings.add_some("AutoScalingWrite", units.write_scaling.map(scaling));
    settings
}
