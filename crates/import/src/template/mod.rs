//! Templates: CloudFormation, SAM, CDK's synthesized JSON and `serverless.yml`. Functions are evaluated as far as the
//! template alone allows, with the defaults of its parameters; the others are named.

mod for_each;
mod sam;
mod serverless;
pub mod table;

use crate::cursor::found;
use crate::form::{FoundTable, Import, Naming, Note, Notes};
use keyfold_core::export::cloudformation::functions::{Assumed, Functions, call, child, text};
use keyfold_core::export::cloudformation::read::{ReadTable, read as read_table};
use keyfold_core::export::json;
use keyfold_core::export::tree::{Map, Node};
use sam::simple_table;
use table::{note_unknown, without_index};

/// Whether a document is a template.
pub fn is_template(node: &Node) -> bool {
    let Node::Map(map) = node else { return false };
    let has_types = |node: &Node| match node {
        Node::Map(resources) => {
            let has_type = |(_, node): (&str, &Node)| match node {
                Node::Map(resource) => resource.get("Type").and_then(text).is_some(),
                _ => false,
            };
            resources.pairs().next().is_none() || resources.pairs().any(has_type)
        }
        _ => false,
    };
    map.get("Resources").is_some_and(has_types) || serverless::is_configuration(map)
}

/// Reads the tables of a template.
///
/// # Errors
///
/// Why it has no table that can be read.
pub fn read(node: &Node, notes: &mut Notes) -> Result<Import, String> {
    let Node::Map(map) = node else {
        return Err(format!("the file: {}", found("a template", node)));
    };
    let (root, prefix) = match serverless::is_configuration(map) {
        true => (serverless::template(map), "resources."),
        false => (map.clone(), ""),
    };
    let mut has_files = false;
    if !prefix.is_empty() {
        for (place, file) in serverless::other_files(map) {
            has_files = true;
            let why = format!("the resources of {file} are not read: name this file too");
            notes.add(place, why);
        }
    }
    let root = for_each::expanded(&root, notes);
    let Some(resources) = child(&root, "Resources") else {
        if has_files {
            return Ok(Import::default());
        }
        return Err("Resources: expected an object with the resources of the template".to_owned());
    };
    let mut import = Import::default();
    let mut problems = Vec::new();
    let mut assumed = Assumed::new();
    let functions = Functions::new(&root);
    let mut tables = Vec::new();
    for (id, node) in resources.pairs() {
        let Node::Map(resource) = node else { continue };
        let kind = resource.get("Type").and_then(text).unwrap_or_default();
        if is_table(&kind) {
            let condition = resource.get("Condition").and_then(text);
            let is_made = match &condition {
                Some(name) => functions.condition_holds(name),
                None => Some(true),
            };
            tables.push((id, resource, kind, condition.unwrap_or_default(), is_made));
        }
    }
    let is_any_made = tables.iter().any(|(.., is_made)| *is_made != Some(false));
    for (id, resource, kind, condition, is_made) in tables {
        let place = format!("{prefix}Resources.{id}");
        let condition_place = format!("{place}.Condition");
        match is_made {
            Some(true) => {}
            Some(false) if is_any_made => {
                let why = format!(
                    "the table is left out: with the defaults of the parameters, {condition} does not hold"
                );
                notes.add(condition_place, why);
                continue;
            }
            _ => {
                let why = format!("left out: the table exists only where {condition} holds");
                notes.add(condition_place, why);
            }
        }
        match self::table(&root, resources, (id, resource, &kind), &place, notes) {
            Ok((table, decided)) => {
                import.tables.push(table);
                assumed.extend(decided);
            }
            Err(why) => problems.push((place, why)),
        }
    }
    assumed.extend(functions.assumed());
    import.assumed = (assumed.into_iter())
        .map(|(place, message)| Note {
            place: format!("{prefix}{place}"),
            message,
        })
        .collect();
    match (import.tables.is_empty(), problems.as_slice()) {
        (true, []) if has_files => Ok(import),
        (true, []) => Err("Resources: expected an AWS::DynamoDB::Table or GlobalTable".to_owned()),
        (true, [(_, why), ..]) => Err(why.clone()),
        (false, _) => {
            for (place, why) in problems {
                notes.add(place, format!("the table is left out: {why}"));
            }
            Ok(import)
        }
    }
}

/// Reads one table: its logical id, its resource and the type of that. Returns what decided its values too.
fn table(
    root: &Map,
    resources: &Map,
    (id, resource, kind): (&str, &Map, &str),
    place: &str,
    notes: &mut Notes,
) -> Result<(FoundTable, Assumed), String> {
    let functions = Functions::new(root);
    let properties = match resource.get("Properties") {
        Some(node) => functions.resolve(node),
        None => Some(Node::Map(Map::new())),
    };
    let place = format!("{place}.Properties");
    let Some(Node::Map(mut properties)) = properties else {
        return Err(format!("{place}: expected an object"));
    };
    let mut kind = kind.to_owned();
    if kind == "AWS::Serverless::SimpleTable" {
        properties = simple_table(&properties);
        kind = "AWS::DynamoDB::Table".to_owned();
    }
    note_unknown(&properties, &place, notes);
    let is_named = properties
        .get("TableName")
        .is_none_or(|name| text(name).is_some());
    let properties = known(&properties, &place, notes);
    let with = |properties: &Map| {
        let mut table = Map::new().with("Type", kind.as_str());
        table.add_some("DeletionPolicy", resource.get("DeletionPolicy").cloned());
        table.add("Properties", properties.clone());
        let mut all = Map::new();
        for (other, node) in resources.pairs() {
            match other == id {
                true => all.add(other, table.clone()),
                false => all.add(other, node.clone()),
            }
        }
        let mut changed = Map::new();
        for (name, node) in root.pairs() {
            if name != "Resources" {
                changed.add(name, node.clone());
            }
        }
        read_table(&changed.with("Resources", all), Some(id))
    };
    let mut read = match with(&properties) {
        Ok(read) => read,
        Err(why) => readable_part(&properties, &place, notes, why, &with)?,
    };
    let name = properties.get("TableName").and_then(text);
    let mut assumed = functions.assumed();
    assumed.extend(std::mem::take(&mut read.assumed));
    let mut table = found_table(read, &place, notes);
    if name.is_none() {
        let name = generated_name(id, resource, resources);
        if is_named {
            notes.add(
                format!("{place}.TableName"),
                format!("CloudFormation generates the name of the table; here it is `{name}`"),
            );
        }
        table.call(name, Naming::Chosen);
    }
    Ok((table, assumed))
}

/// Reads a table whose indexes cannot all be read: without these.
pub fn readable_part(
    properties: &Map,
    place: &str,
    notes: &mut Notes,
    why: String,
    read: &dyn Fn(&Map) -> Result<ReadTable, String>,
) -> Result<ReadTable, String> {
    let mut rest = properties.clone();
    for member in ["GlobalSecondaryIndexes", "LocalSecondaryIndexes"] {
        let Some(Node::List(items)) = properties.get(member) else {
            continue;
        };
        // From the last to the first, so that the positions stay.
        for at in (0..items.len()).rev() {
            let only = without_index(&rest, member, |other| other == at);
            if let Err(why) = read(&table::only_indexes_of(&only, member)) {
                let name = match &items[at] {
                    Node::Map(index) => index.get("IndexName").and_then(text),
                    _ => None,
                };
                let index = name.map_or("the index".to_owned(), |name| format!("the index {name}"));
                notes.add(
                    format!("{place}.{member}[{at}]"),
                    format!("{index} is left out: {why}"),
                );
                rest = without_index(&rest, member, |other| other != at);
            }
        }
    }
    read(&rest).map_err(|_| why)
}

/// What an import takes of a table that was read.
pub fn found_table(read: ReadTable, place: &str, notes: &mut Notes) -> FoundTable {
    for remark in &read.remarks {
        notes.add(place, remark.as_str());
    }
    let mut found = FoundTable::new(place, read.table, read.indexes);
    found.delete_with_stack = read.delete_with_stack;
    found
}

/// The properties without the functions that the template alone does not determine, which are noted.
fn known(properties: &Map, place: &str, notes: &mut Notes) -> Map {
    let mut out = Map::new();
    for (name, node) in properties.pairs() {
        let place = format!("{place}.{name}");
        // A policy may contain functions.
        let node = match name {
            "ResourcePolicy" => Some(node.clone()),
            _ => known_node(node, &place, notes),
        };
        out.add_some(name, node);
    }
    out
}

fn known_node(node: &Node, place: &str, notes: &mut Notes) -> Option<Node> {
    if call(node).is_some() {
        // It says which replica is in the stack's own Region.
        if place.ends_with(".Region") && place.contains(".Replicas[") {
            return Some(match written(node).as_str() {
                "${aws:region}" => Node::call("Ref", "AWS::Region"),
                _ => node.clone(),
            });
        }
        let why = format!(
            "{} cannot be determined from the file alone and is left out",
            written(node)
        );
        notes.add(place, why);
        return None;
    }
    Some(match node {
        Node::List(items) => {
            let mut list = Vec::new();
            for (at, item) in items.iter().enumerate() {
                list.extend(known_node(item, &format!("{place}[{at}]"), notes));
            }
            Node::List(list)
        }
        Node::Map(map) => {
            let mut out = Map::new();
            for (name, node) in map.pairs() {
                out.add_some(name, known_node(node, &format!("{place}.{name}"), notes));
            }
            Node::Map(out)
        }
        flat => flat.clone(),
    })
}

/// A function as the file writes it.
fn written(node: &Node) -> String {
    match node {
        Node::Map(map) => match map.get(serverless::UNKNOWN) {
            Some(Node::Text(text)) => text.clone(),
            _ => json::line(node),
        },
        _ => json::line(node),
    }
}

/// Whether resources of a type are tables.
fn is_table(kind: &str) -> bool {
    matches!(
        kind,
        "AWS::DynamoDB::Table" | "AWS::DynamoDB::GlobalTable" | "AWS::Serverless::SimpleTable"
    )
}

/// A name for a table that the template does not name: that of its construct, with the construct around it if another
/// table has the first, and otherwise the logical id.
fn generated_name(id: &str, resource: &Map, resources: &Map) -> String {
    let others: Vec<(&str, &Map)> = (resources.pairs())
        .filter_map(|(other, node)| match node {
            Node::Map(resource) if other != id => Some((other, resource)),
            _ => None,
        })
        .filter(|(_, resource)| {
            let kind = resource.get("Type").and_then(text);
            kind.is_some_and(|kind| is_table(&kind))
        })
        .collect();
    let is_free = |name: &str, of: fn(&str, &Map) -> String| {
        let mut others = others.iter();
        others.all(|(id, resource)| of(id, resource) != name)
    };
    for of in [logical_name, outer_name] {
        let name = of(id, resource);
        if is_free(&name, of) {
            return name;
        }
    }
    id.to_owned()
}

/// The steps of CDK's path of a resource, the innermost first.
fn construct_path(resource: &Map) -> Vec<String> {
    let path = child(resource, "Metadata").and_then(|metadata| metadata.get("aws:cdk:path"));
    let path = path.and_then(text).unwrap_or_default();
    let steps = path.rsplit('/').filter(|step| *step != "Resource");
    steps.map(str::to_owned).collect()
}

/// The name of the construct of a table after that of the construct around it: `Orders-Table`.
fn outer_name(id: &str, resource: &Map) -> String {
    match construct_path(resource).as_slice() {
        [inner, outer, ..] => format!("{outer}-{inner}"),
        _ => id.to_owned(),
    }
}

/// CDK's name of a construct, otherwise the logical id without CDK's hash.
fn logical_name(id: &str, resource: &Map) -> String {
    let mut steps = construct_path(resource).into_iter();
    if let Some(name) = steps.next().filter(|name| !name.is_empty()) {
        return name;
    }
    let is_hash = |end: &str| end.bytes().all(|b| matches!(b, b'0'..=b'9' | b'A'..=b'F'));
    match id
        .len()
        .checked_sub(8)
        .and_then(|at| id.split_at_checked(at))
    {
        Some((stem, end)) if is_hash(end) && stem.len() >= 3 => stem.to_owned(),
        _ => id.to_owned(),
    }
}
