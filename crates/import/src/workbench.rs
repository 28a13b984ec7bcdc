//! NoSQL Workbench: models of the versions 1.0, 2.0 and 3.0, and without a version.
//!
//! Its files take liberties: items stand in the table, in its facets or in both; a number may lack its quotes; nested
//! values may lack their types; an empty cell is `{}`.

use crate::cursor::{Members, expected, found};
use crate::form::{Facet, FoundEntity, FoundItem, FoundTable, Import, ItemValues, Notes};
use crate::inference::aliases;
use keyfold_core::export::tree::Node;
use keyfold_core::import::items::value;
use keyfold_core::model::design::table_name_for;
use keyfold_core::model::{
    Attribute, AttributeId, AttributeType, Autoscaling, Billing, Index, IndexEntry, IndexKind,
    KeyAttribute, KeySchema, KeyType, Projection, ProvisionedThroughput, Table,
};
use keyfold_core::template::parse;
use rustc_hash::FxHashMap;

/// Whether a document is a model.
pub fn is_model(node: &Node) -> bool {
    let Node::Map(map) = node else { return false };
    let has_tables = |node: &Node| matches!(node, Node::Map(map) if map.get("DataModel").is_some());
    has_tables(node) || map.get("ModelSchema").is_some_and(has_tables)
}

/// Reads a model.
///
/// # Errors
///
/// The place of the first part without which there are no tables, and what was expected there.
pub fn read(node: &Node, notes: &mut Notes) -> Result<Import, String> {
    let mut root = Members::of(node, "")?;
    // Some files hold the model and its saved queries.
    if let Some(Node::Map(_)) = root.get("ModelSchema")
        && let Some(schema) = root.under("ModelSchema", notes)
    {
        note_queries(&root, notes);
        root.finish(notes);
        root = schema;
    }
    let name = root.text("ModelName", notes).unwrap_or_default();
    let mut description = String::new();
    if let Some(metadata) = root.under("ModelMetadata", notes) {
        description = metadata.text("Description", notes).unwrap_or_default();
        metadata.skip(&["Author", "DateCreated", "DateLastModified"]);
        metadata.skip(&["AWSService", "Version"]);
        metadata.finish(notes);
    }
    note_queries(&root, notes);
    let tables = match root.get("DataModel") {
        Some(Node::List(tables)) => tables,
        Some(other) => return Err(expected("DataModel", "a list of tables", other)),
        None => return Err("DataModel: expected a list of tables".to_owned()),
    };
    let mut import = Import {
        name: name.trim().to_owned(),
        ..Import::default()
    };
    for (at, node) in tables.iter().enumerate() {
        let mut table = table(&Members::of(node, format!("DataModel[{at}]"))?, notes)?;
        table.description.clone_from(&description);
        if tables.len() == 1 && !import.name.is_empty() {
            table.name.clone_from(&import.name);
        } else if !import.name.is_empty() {
            let model = format!("A table of the model {}.", import.name);
            let lines = [model, std::mem::take(&mut table.description)];
            table.description = lines.join("\n").trim_end().to_owned();
        }
        import.tables.push(table);
    }
    root.finish(notes);
    match import.tables.is_empty() {
        true => Err("DataModel: the model has no table".to_owned()),
        false => Ok(import),
    }
}

fn note_queries(root: &Members, notes: &mut Notes) {
    for name in ["SavedQuery", "SavedQueries", "SavedOperations"] {
        let is_empty = |node: &Node| match node {
            Node::List(items) => items.is_empty(),
            Node::Map(map) => map.is_empty(),
            _ => false,
        };
        if root.get(name).is_some_and(|node| !is_empty(node)) {
            notes.add(root.path_of(name), "saved operations are not imported");
        }
    }
}

fn table(from: &Members, notes: &mut Notes) -> Result<FoundTable, String> {
    let name = from.needed("TableName")?;
    let mut table = Table::new(table_name_for(&name));
    if table.name != name {
        let why = format!(
            "`{name}` is not a valid table name and becomes `{}`",
            table.name
        );
        notes.add(from.path_of("TableName"), why);
    }
    table.type_attribute = None;
    table.key = key(from, notes)?;
    let mut indexes = Vec::new();
    for (member, kind) in [
        ("GlobalSecondaryIndexes", IndexKind::Gsi),
        ("LocalSecondaryIndexes", IndexKind::Lsi),
    ] {
        for entry in from.maps(member, notes) {
            match index(&entry, kind, notes) {
                Ok(index) => indexes.push(index),
                Err(why) => notes.add(entry.path, format!("the index is left out: {why}")),
            }
        }
    }
    billing(from, &mut table, notes);
    if let Some(ttl) = from.under("TimeToLiveSpecification", notes) {
        let is_on = ttl.flag("Enabled", notes).unwrap_or(true);
        table.ttl_attribute = ttl.text("AttributeName", notes).filter(|_| is_on);
        ttl.finish(notes);
    }
    if let Some(access) = from.under("DataAccess", notes) {
        if matches!(access.get("MySql"), Some(Node::Map(map)) if !map.is_empty()) {
            notes.add(
                access.path_of("MySql"),
                "the mapping to MySQL is not imported",
            );
        }
        access.finish(notes);
    }
    let mut found = FoundTable::new(from.path.clone(), table, indexes);
    found.name = name;
    found.types = attributes(from, notes);
    let mut items = Items::default();
    for (node, path) in from.list("TableData", notes) {
        items.add(node, path, true, &mut found, notes);
    }
    for facet in from.maps("TableFacets", notes) {
        let mut read = self::facet(&facet, notes);
        for (node, path) in facet.list("TableData", notes) {
            read.items
                .extend(items.add(node, path, false, &mut found, notes));
        }
        facet.finish(notes);
        found.facets.push(read);
    }
    from.finish(notes);
    if found.items.is_empty() {
        found.entities = entities(&found, notes);
    }
    Ok(found)
}

/// The entities of a table without items: its facets that name their keys.
fn entities(found: &FoundTable, notes: &mut Notes) -> Vec<FoundEntity> {
    let mut entities = Vec::new();
    for facet in &found.facets {
        if aliases(found, facet).next().is_none() {
            continue;
        }
        let key = &found.table.key;
        let mut side = |key: Option<&KeyAttribute>, alias: &Option<String>| {
            let alias = alias.as_deref().map(str::trim).unwrap_or_default();
            let key = key.filter(|key| key.name != alias && !alias.is_empty())?;
            let read = parse(alias);
            let is_name = read.errors.is_empty()
                && read.template.attributes().next().is_none()
                && alias.chars().all(|c| c.is_alphanumeric() || c == '_');
            match read.errors.is_empty() {
                true if is_name => Some(format!("{{{alias}}}")),
                true => Some(alias.to_owned()),
                false => {
                    let why = format!(
                        "`{alias}`, the alias of {}, is not a valid template",
                        key.name
                    );
                    notes.add(&found.place, why);
                    None
                }
            }
        };
        let entry = IndexEntry {
            partition: side(key.partition.first(), &facet.partition_alias),
            sort: side(key.sort.first(), &facet.sort_alias),
            ..IndexEntry::default()
        };
        let attribute = |name: &String| {
            let kind = found.types.iter().find(|(other, _)| other == name);
            let kind = kind.map_or(AttributeType::S, |(_, kind)| *kind);
            Attribute::new(AttributeId(0), name.clone(), kind)
        };
        entities.push(FoundEntity {
            place: found.place.clone(),
            name: facet.name.clone(),
            description: String::new(),
            attributes: facet.attributes.iter().map(attribute).collect(),
            keys: vec![(None, entry)],
        });
    }
    entities
}

/// Reads `KeyAttributes`.
fn key(from: &Members, notes: &mut Notes) -> Result<KeySchema, String> {
    let Some(Node::Map(map)) = from.get("KeyAttributes") else {
        let path = from.path_of("KeyAttributes");
        return Err(format!("{path}: expected an object with PartitionKey"));
    };
    let keys = Members::new(map, from.path_of("KeyAttributes"));
    let mut of = |name: &str| -> Result<Option<KeyAttribute>, String> {
        let Some(node) = keys.get(name) else {
            return Ok(None);
        };
        let part = Members::of(node, keys.path_of(name))?;
        let attribute = part.needed("AttributeName")?;
        let letter = part.text("AttributeType", notes);
        let letter = letter.unwrap_or_else(|| "S".to_owned());
        let mut kinds = KeyType::ALL.into_iter();
        let kind = kinds.find(|kind| kind.letter() == letter).ok_or_else(|| {
            let path = part.path_of("AttributeType");
            format!("{path}: expected S, N or B, found `{letter}`")
        })?;
        part.finish(notes);
        Ok(Some(KeyAttribute {
            name: attribute,
            kind,
        }))
    };
    let partition = of("PartitionKey")?;
    let sort = of("SortKey")?;
    keys.finish(notes);
    match partition {
        Some(partition) => Ok(KeySchema {
            partition: vec![partition],
            sort: sort.into_iter().collect(),
        }),
        None => Err(format!(
            "{}: expected an object",
            keys.path_of("PartitionKey")
        )),
    }
}

fn index(from: &Members, kind: IndexKind, notes: &mut Notes) -> Result<Index, String> {
    let name = from.needed("IndexName")?;
    let mut index = Index::new(name, kind, key(from, notes)?);
    if let Some(projection) = from.under("Projection", notes) {
        let names = projection.texts("NonKeyAttributes", notes);
        let kind = projection.text("ProjectionType", notes);
        index.projection = match kind.as_deref() {
            Some("KEYS_ONLY") => Projection::KeysOnly,
            Some("INCLUDE") => {
                let mut included: Vec<String> = Vec::new();
                for name in names {
                    if !included.contains(&name) {
                        included.push(name);
                    }
                }
                Projection::Include(included)
            }
            Some("ALL") | None => Projection::All,
            Some(other) => {
                let path = projection.path_of("ProjectionType");
                return Err(format!(
                    "{path}: expected ALL, KEYS_ONLY or INCLUDE, found `{other}`"
                ));
            }
        };
        projection.finish(notes);
    }
    index.provisioned = units(from, notes);
    from.finish(notes);
    Ok(index)
}

fn billing(from: &Members, table: &mut Table, notes: &mut Notes) {
    let units = units(from, notes);
    let mode = from.text("BillingMode", notes);
    table.billing = match (mode.as_deref(), units) {
        (Some("PROVISIONED"), units) => Billing::Provisioned(units.unwrap_or_default()),
        (None, Some(units)) => Billing::Provisioned(units),
        (Some("PAY_PER_REQUEST") | None, _) => Billing::default(),
        (Some(other), _) => {
            let why = format!("expected PROVISIONED or PAY_PER_REQUEST, found `{other}`");
            notes.add(from.path_of("BillingMode"), why);
            Billing::default()
        }
    };
}

fn units(from: &Members, notes: &mut Notes) -> Option<ProvisionedThroughput> {
    let settings = from.under("ProvisionedCapacitySettings", notes)?;
    let mut units = ProvisionedThroughput::default();
    if let Some(fixed) = settings.under("ProvisionedThroughput", notes) {
        units.read = fixed
            .number("ReadCapacityUnits", notes)
            .unwrap_or(units.read);
        units.write = fixed
            .number("WriteCapacityUnits", notes)
            .unwrap_or(units.write);
        fixed.finish(notes);
    }
    units.read_scaling = scaling(&settings, "AutoScalingRead", notes);
    units.write_scaling = scaling(&settings, "AutoScalingWrite", notes);
    settings.finish(notes);
    Some(units)
}

fn scaling(settings: &Members, name: &str, notes: &mut Notes) -> Option<Autoscaling> {
    let scaling = settings.under(name, notes)?;
    let mut target = Autoscaling::default();
    if let Some(bounds) = scaling.under("ScalableTargetRequest", notes) {
        target.min = bounds.number("MinCapacity", notes).unwrap_or(target.min);
        target.max = bounds.number("MaxCapacity", notes).unwrap_or(target.max);
        bounds.skip(&["ServiceRole"]);
        bounds.finish(notes);
    }
    if let Some(policy) = scaling.under("ScalingPolicyConfiguration", notes) {
        let percent = policy.number("TargetValue", notes);
        let percent = percent.and_then(|percent| u8::try_from(percent).ok());
        target.target_percent = percent.unwrap_or(target.target_percent);
        policy.finish(notes);
    }
    scaling.finish(notes);
    Some(target)
}

/// Reads the declared attributes, each once.
fn attributes(from: &Members, notes: &mut Notes) -> Vec<(String, AttributeType)> {
    let mut types: Vec<(String, AttributeType)> = Vec::new();
    for attribute in from.maps("NonKeyAttributes", notes) {
        let Some(name) = attribute.text("AttributeName", notes) else {
            continue;
        };
        let word = attribute.text("AttributeType", notes);
        let kind = AttributeType::from_word(word.as_deref().unwrap_or("S"));
        match kind {
            Some(_) if types.iter().any(|(other, _)| *other == name) => {}
            Some(kind) => types.push((name, kind)),
            None => notes.add(
                attribute.path_of("AttributeType"),
                format!("not a DynamoDB type: `{}`", word.unwrap_or_default()),
            ),
        }
        attribute.finish(notes);
    }
    types
}

fn facet(from: &Members, notes: &mut Notes) -> Facet {
    let mut facet = Facet {
        name: from.text("FacetName", notes).unwrap_or_default(),
        partition_alias: None,
        sort_alias: None,
        attributes: Vec::new(),
        items: Vec::new(),
    };
    if let Some(alias) = from.under("KeyAttributeAlias", notes) {
        facet.partition_alias = alias.text("PartitionKeyAlias", notes);
        facet.sort_alias = alias.text("SortKeyAlias", notes);
        alias.finish(notes);
    }
    for name in from.texts("NonKeyAttributes", notes) {
        if !facet.attributes.contains(&name) {
            facet.attributes.push(name);
        }
    }
    from.skip(&["DataAccess"]);
    facet
}

/// The items read so far, by their content.
#[derive(Default)]
struct Items {
    places: FxHashMap<ItemValues, usize>,
}

impl Items {
    /// Adds an item and returns its position. A facet repeats items of the table: they count once.
    fn add(
        &mut self,
        node: &Node,
        path: String,
        is_in_table: bool,
        table: &mut FoundTable,
        notes: &mut Notes,
    ) -> Option<usize> {
        let Node::Map(map) = node else {
            notes.add(path, found("an item", node));
            return None;
        };
        // An empty cell is `{}`.
        let is_cell = |(_, node): &(&str, &Node)| !matches!(node, Node::Map(map) if map.is_empty());
        let values = match value::item(map.pairs().filter(is_cell)) {
            Ok(values) => values,
            Err(why) => {
                notes.add(path, format!("the item is left out: {why}"));
                return None;
            }
        };
        if values.is_empty() {
            return None;
        }
        if let Some(known) = self.places.get(&values) {
            if is_in_table {
                let other = &table.items[*known].place;
                notes.add(
                    path,
                    format!("the item is equal to {other} and is left out"),
                );
            }
            return Some(*known);
        }
        let at = table.items.len();
        self.places.insert(values.clone(), at);
        table.items.push(FoundItem {
            place: path,
            values,
        });
        Some(at)
    }
}
