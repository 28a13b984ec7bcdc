//! Terraform: `.tf` files (HCL and JSON) and the output of `terraform show -json`.

mod arguments;
mod evaluate;
mod expand;
pub(crate) mod file;
mod functions;
pub mod joined;
mod reference;
mod table;

use crate::cursor::{expected, shorten};
use crate::form::{Import, LooseItems, Notes};
use crate::settings::{self, Setting, What, scaled};
use evaluate::Scope;
use file::Block;
use keyfold_core::export::cloudformation::functions::{child, text};
use keyfold_core::export::tree::{Map, Node};
use keyfold_core::import::items::json;
use keyfold_core::model::{ContributorInsights, KinesisStream, Replica};

/// A resource with evaluated values. What cannot be evaluated is [`Node::Code`].
#[derive(Debug, Clone)]
pub struct Resource {
    /// `aws_dynamodb_table`.
    kind: String,
    /// Its path in messages: `aws_dynamodb_table.orders`.
    address: String,
    values: Map,
}

impl Resource {
    fn text(&self, name: &str) -> Option<String> {
        self.values.get(name).and_then(text)
    }

    fn number(&self, name: &str) -> Option<u64> {
        number(&self.values, name)
    }
}

/// A whole number under a name.
fn number(map: &Map, name: &str) -> Option<u64> {
    text(map.get(name)?)?.trim_end_matches(".0").parse().ok()
}

/// The blocks under a name: a list of maps, or one map.
fn blocks<'a>(map: &'a Map, name: &str) -> Vec<&'a Map> {
    match map.get(name) {
        Some(Node::Map(map)) => vec![map],
        Some(Node::List(items)) => {
            let maps = items.iter().filter_map(|item| match item {
                Node::Map(map) => Some(map),
                _ => None,
            });
            maps.collect()
        }
        _ => Vec::new(),
    }
}

/// Whether a JSON document comes from Terraform.
pub fn is_terraform(node: &Node) -> bool {
    let Node::Map(map) = node else { return false };
    root_module(map).is_some() || is_json_syntax(map)
}

fn is_json_syntax(map: &Map) -> bool {
    child(map, "resource").is_some_and(|kinds| kinds.get("aws_dynamodb_table").is_some())
}

fn root_module(map: &Map) -> Option<(&Map, &'static str)> {
    ["values", "planned_values"].into_iter().find_map(|name| {
        let module = child(child(map, name)?, "root_module")?;
        Some((module, name))
    })
}

/// Reads a `.tf` file.
///
/// # Errors
///
/// Where the text is not HCL, or that it has no block that says something about tables.
pub fn read_hcl(source: &str, notes: &mut Notes) -> Result<Import, String> {
    read_blocks(file::parse(source)?, notes)
}

/// Reads the blocks of one or more files. Those of a file without tables may belong to the tables of others.
fn read_blocks(blocks: Vec<Block>, notes: &mut Notes) -> Result<Import, String> {
    let scope = Scope::new(blocks);
    let resources = scope.resources(notes);
    let has_table = resources
        .iter()
        .any(|found| found.kind == "aws_dynamodb_table");
    let has_items = resources
        .iter()
        .any(|found| found.kind == "aws_dynamodb_table_item");
    if !has_table && !has_items {
        for resource in resources {
            notes.add(resource.address, "left out: the file has no table for it");
        }
        notes.add("the file", "it has no resource of type aws_dynamodb_table");
        return Ok(Import {
            blocks: scope.blocks,
            ..Import::default()
        });
    }
    let mut import = read_resources(resources, notes)?;
    import.blocks = scope.blocks;
    Ok(import)
}

/// Reads a JSON document of Terraform.
///
/// # Errors
///
/// What was expected in it.
pub fn read_json(node: &Node, notes: &mut Notes) -> Result<Import, String> {
    let Node::Map(map) = node else {
        return Err(expected("", "an object", node));
    };
    let Some((module, _)) = root_module(map) else {
        if !is_json_syntax(map) {
            return Err("values.root_module: expected the resources of a state or plan".to_owned());
        }
        return read_blocks(file::of_json(map), notes);
    };
    let mut resources = Vec::new();
    shown(module, &mut resources);
    read_resources(resources, notes)
}

/// Collects the resources of a module and of those in it.
fn shown(module: &Map, resources: &mut Vec<Resource>) {
    for resource in blocks(module, "resources") {
        let of = |name: &str| resource.get(name).and_then(text);
        if of("mode").is_some_and(|mode| mode != "managed") {
            continue;
        }
        if let (Some(kind), Some(values)) = (of("type"), child(resource, "values")) {
            resources.push(Resource {
                kind,
                address: of("address").unwrap_or_default(),
                values: values.clone(),
            });
        }
    }
    for module in blocks(module, "child_modules") {
        shown(module, resources);
    }
}

fn read_resources(resources: Vec<Resource>, notes: &mut Notes) -> Result<Import, String> {
    let mut import = Import::default();
    let mut settings = Vec::new();
    let mut problem = None;
    for resource in &resources {
        if resource.kind == "aws_dynamodb_table" {
            match table::read(resource, notes) {
                Ok(table) => import.tables.push(table),
                Err(why) => {
                    notes.add(&resource.address, format!("the table is left out: {why}"));
                    problem = problem.or(Some(why));
                }
            }
        } else if resource.kind == "aws_dynamodb_table_item" {
            import.loose.extend(item(resource, notes));
        } else if let Some((table, what)) = setting(resource, notes) {
            settings.push(Setting {
                place: resource.address.clone(),
                table,
                what,
            });
        }
    }
    if import.tables.is_empty() && import.loose.is_empty() {
        let none = || "expected a resource of type aws_dynamodb_table".to_owned();
        return Err(problem.unwrap_or_else(none));
    }
    settings::apply(settings, &mut import.tables, notes);
    Ok(import)
}

/// The items of a resource `aws_dynamodb_table_item`.
fn item(resource: &Resource, notes: &mut Notes) -> Vec<LooseItems> {
    let table = resource.text("table_name");
    let read = match resource.text("item") {
        Some(text) => json::read(&text),
        None => Err("its value cannot be determined from the file alone".to_owned()),
    };
    let mut items = match read {
        Ok(items) => items,
        Err(why) => {
            notes.add(&resource.address, format!("the item is left out: {why}"));
            return Vec::new();
        }
    };
    for note in items.left_out.iter_mut().chain(&mut items.remarks) {
        note.place = format!("{}.item", resource.address);
    }
    for group in &mut items.groups {
        group.table.clone_from(&table);
        for item in &mut group.items {
            item.place.clone_from(&resource.address);
        }
    }
    items.noted(notes)
}

/// The setting in a resource other than a table.
fn setting(resource: &Resource, notes: &mut Notes) -> Option<(String, What)> {
    let table = || resource.text("table_name");
    let found = match resource.kind.as_str() {
        "aws_dynamodb_contributor_insights" => {
            let mode = match resource.text("mode").as_deref() {
                Some("THROTTLED_KEYS") => ContributorInsights::ThrottledKeys,
                _ => ContributorInsights::AccessedAndThrottledKeys,
            };
            let index = resource.text("index_name").filter(|name| !name.is_empty());
            table().map(|table| (table, What::Insights(index, mode)))
        }
        "aws_dynamodb_kinesis_streaming_destination" => {
            let precision = resource.text("approximate_creation_date_time_precision");
            let stream = resource.text("stream_arn").map(|arn| KinesisStream {
                arn,
                microseconds: precision.as_deref() == Some("MICROSECOND"),
            });
            table()
                .zip(stream)
                .map(|(table, stream)| (table, What::Kinesis(stream)))
        }
        "aws_dynamodb_table_replica" => {
            let table = resource.text("global_table_arn").and_then(|arn| {
                let (_, name) = arn.rsplit_once(":table/")?;
                Some(name.to_owned())
            });
            let replica = resource.text("region").map(|region| Replica {
                region,
                kms_key: resource.text("kms_key_arn").filter(|key| !key.is_empty()),
            });
            table
                .zip(replica)
                .map(|(table, replica)| (table, What::Replicas(vec![replica], false)))
        }
        "aws_dynamodb_resource_policy" => {
            let table = resource.text("resource_arn").and_then(|arn| {
                let (_, name) = arn.rsplit_once(":table/")?;
                Some(name.to_owned())
            });
            table
                .zip(resource.text("policy"))
                .map(|(table, policy)| (table, What::Policy(policy)))
        }
        "aws_appautoscaling_target" | "aws_appautoscaling_policy" => scaling(resource)?,
        kind if kind.starts_with("aws_dynamodb_") => {
            notes.add(
                &resource.address,
                "resources of this type are not understood and left out",
            );
            return None;
        }
        _ => return None,
    };
    if found.is_none() {
        notes.add(
            &resource.address,
            "left out: its table or its value cannot be determined from the file alone",
        );
    }
    found
}

/// Auto scaling; the outer `None` for that of something else than a table.
fn scaling(resource: &Resource) -> Option<Option<(String, What)>> {
    let dimension = resource.text("scalable_dimension").unwrap_or_default();
    let namespace = resource.text("service_namespace");
    if namespace.is_some_and(|name| name != "dynamodb") {
        return None;
    }
    let Some((table, index)) = resource.text("resource_id").as_deref().and_then(scaled) else {
        return Some(None);
    };
    let tracking = blocks(
        &resource.values,
        "target_tracking_scaling_policy_configuration",
    );
    let percent = tracking
        .first()
        .and_then(|tracking| number(tracking, "target_value"));
    let bounds = resource
        .number("min_capacity")
        .zip(resource.number("max_capacity"));
    let what = What::Scaling {
        index,
        is_read: dimension.contains("Read"),
        bounds,
        percent: percent.and_then(|percent| u8::try_from(percent).ok()),
    };
    Some(Some((table, what)))
}

/// Notes a value that cannot be evaluated.
fn note_unknown(place: String, node: &Node, notes: &mut Notes) {
    let why = format!("{} cannot be determined from the file alone", shorten(node));
    notes.add(place, why);
}
