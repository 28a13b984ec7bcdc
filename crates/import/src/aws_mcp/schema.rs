//! `schema.json`.

use super::pattern;
use crate::cursor::{Members, expected};
use crate::form::{FoundEntity, FoundTable, Import, Notes};
use keyfold_core::export::tree::Node;
use keyfold_core::model::design::table_name_for;
use keyfold_core::model::{
    Attribute, AttributeId, AttributeType, Format, Index, IndexEntry, IndexKind, KeyAttribute,
    KeySchema, KeyType, Projection, Table,
};
use keyfold_core::template::{Modifier, Segment, parse};

/// Whether a document is a schema.
pub fn is_schema(node: &Node) -> bool {
    let Node::Map(map) = node else { return false };
    let is_table =
        |node: &Node| matches!(node, Node::Map(map) if map.get("table_config").is_some());
    matches!(map.get("tables"), Some(Node::List(tables)) if tables.iter().any(is_table))
}

/// Reads a schema.
///
/// # Errors
///
/// The place of the first part without which there is no table, and what was expected there.
pub fn read(node: &Node, notes: &mut Notes) -> Result<Import, String> {
    let root = Members::of(node, "")?;
    // What Keyfold's export says about what it left out.
    root.skip(&["notes"]);
    let mut import = Import::default();
    for table in root.maps("tables", notes) {
        import.tables.push(self::table(&table, notes)?);
    }
    for pattern in root.maps("cross_table_access_patterns", notes) {
        if let Some((table, read)) = pattern::transaction(&pattern, &import.tables, notes) {
            import.tables[table].patterns.push(read);
        }
    }
    root.finish(notes);
    match import.tables.is_empty() {
        true => Err("tables: expected a table".to_owned()),
        false => Ok(import),
    }
}

fn table(from: &Members, notes: &mut Notes) -> Result<FoundTable, String> {
    let config = match from.get("table_config") {
        Some(node) => Members::of(node, from.path_of("table_config"))?,
        None => {
            return Err(format!(
                "{}: expected an object",
                from.path_of("table_config")
            ));
        }
    };
    let name = config.needed("table_name")?;
    let mut table = Table::new(table_name_for(&name));
    table.type_attribute = None;
    let partition = config.needed("partition_key")?;
    let sort = config.text("sort_key", notes);
    config.finish(notes);
    let entities: Vec<Members> = match from.get("entities") {
        Some(Node::Map(map)) => {
            let mut entities = Vec::new();
            for (name, node) in map.pairs() {
                let path = format!("{}.{name}", from.path_of("entities"));
                entities.push(Members::of(node, path)?);
            }
            entities
        }
        Some(other) => return Err(expected(&from.path_of("entities"), "an object", other)),
        None => Vec::new(),
    };
    let key_type = |index: Option<&str>, member: &str, at: usize, name: &str| {
        key_type(&entities, index, member, at, name)
    };
    table.key = KeySchema {
        partition: vec![key_attribute(
            &partition,
            key_type(None, "pk_template", 0, &partition),
        )],
        sort: (sort.iter())
            .map(|name| key_attribute(name, key_type(None, "sk_template", 0, name)))
            .collect(),
    };
    let mut indexes = Vec::new();
    for gsi in from.maps("gsi_list", notes) {
        let name = gsi.needed("name")?;
        let side = |member: &str, template: &str| -> Vec<KeyAttribute> {
            let names = names(gsi.get(member)).into_iter().enumerate();
            let of = |(at, key): (usize, String)| {
                let kind = key_type(Some(&name), template, at, &key);
                key_attribute(&key, kind)
            };
            names.map(of).collect()
        };
        let key = KeySchema {
            partition: side("partition_key", "pk_template"),
            sort: side("sort_key", "sk_template"),
        };
        let mut index = Index::new(&name, IndexKind::Gsi, key);
        let included = gsi.texts("included_attributes", notes);
        index.projection = match gsi.text("projection", notes).as_deref() {
            Some("KEYS_ONLY") => Projection::KeysOnly,
            Some("INCLUDE") => Projection::Include(included),
            Some("ALL") | None => Projection::All,
            Some(other) => {
                let why = format!("expected ALL, KEYS_ONLY or INCLUDE, found `{other}`");
                notes.add(gsi.path_of("projection"), why);
                Projection::All
            }
        };
        gsi.finish(notes);
        indexes.push(index);
    }
    let mut found = FoundTable::new(from.path.clone(), table, indexes);
    found.name = name;
    for entity in &entities {
        let read = self::entity(entity, &found, notes)?;
        found.entities.push(read);
    }
    for entity in &entities {
        let name = entity
            .path
            .rsplit('.')
            .next()
            .unwrap_or_default()
            .to_owned();
        for from in entity.maps("access_patterns", notes) {
            let read = pattern::read(&from, &name, &found, notes);
            found.patterns.extend(read);
        }
        entity.finish(notes);
    }
    from.finish(notes);
    Ok(found)
}

fn key_attribute(name: &str, kind: KeyType) -> KeyAttribute {
    KeyAttribute {
        name: name.to_owned(),
        kind,
    }
}

/// One name, or several.
pub fn names(node: Option<&Node>) -> Vec<String> {
    match node {
        Some(Node::Text(text)) => vec![text.clone()],
        Some(Node::List(items)) => {
            let texts = items.iter().filter_map(|item| match item {
                Node::Text(text) => Some(text.clone()),
                _ => None,
            });
            texts.collect()
        }
        _ => Vec::new(),
    }
}

/// The type of a key attribute: a number if the template of the first entity is exactly one numeric field.
fn key_type(
    entities: &[Members],
    index: Option<&str>,
    member: &str,
    at: usize,
    name: &str,
) -> KeyType {
    let of_entity = |entity: &Members| {
        let template = match index {
            None => entity.map.get(member),
            Some(index) => {
                let Some(Node::List(mappings)) = entity.map.get("gsi_mappings") else {
                    return None;
                };
                mappings.iter().find_map(|mapping| match mapping {
                    Node::Map(map) if map.get("name") == Some(&index.into()) => map.get(member),
                    _ => None,
                })
            }
        };
        let text = names(Some(template?)).into_iter().nth(at)?;
        let template = parse(&text).template;
        let kind = |field: &str| field_type(entity, field);
        match template.segments.as_slice() {
            [Segment::Placeholder(only)] => kind(&only.attribute),
            _ => Some(AttributeType::S),
        }
    };
    let kind = entities.iter().find_map(of_entity);
    // A multi-attribute key has attributes of the items, whose types are those of the fields.
    let own = || entities.iter().find_map(|entity| field_type(entity, name));
    match kind.or_else(own) {
        Some(AttributeType::N) => KeyType::N,
        _ => KeyType::S,
    }
}

fn field_type(entity: &Members, name: &str) -> Option<AttributeType> {
    let Some(Node::List(fields)) = entity.map.get("fields") else {
        return None;
    };
    fields.iter().find_map(|field| match field {
        Node::Map(map) if map.get("name") == Some(&name.into()) => match map.get("type")? {
            Node::Text(kind) => attribute_type(kind),
            _ => None,
        },
        _ => None,
    })
}

fn attribute_type(word: &str) -> Option<AttributeType> {
    Some(match word {
        "string" | "uuid" => AttributeType::S,
        "integer" | "decimal" => AttributeType::N,
        "boolean" => AttributeType::Bool,
        "array" => AttributeType::L,
        "object" => AttributeType::M,
        _ => return None,
    })
}

fn entity(from: &Members, table: &FoundTable, notes: &mut Notes) -> Result<FoundEntity, String> {
    let name = from.path.rsplit('.').next().unwrap_or_default().to_owned();
    // The prefix that generated code uses when a query has no other.
    from.skip(&["entity_type"]);
    let mut attributes = Vec::new();
    for field in from.maps("fields", notes) {
        let name = field.needed("name")?;
        let word = field.text("type", notes).unwrap_or_default();
        let kind = attribute_type(&word).unwrap_or_else(|| {
            let why = format!("not a type of a field: `{word}`. The attribute is a string");
            notes.add(field.path_of("type"), why);
            AttributeType::S
        });
        let mut attribute = Attribute::new(AttributeId(0), name, kind);
        attribute.required = field.flag("required", notes).unwrap_or(false);
        attribute.description = field.text("description", notes).unwrap_or_default();
        if word == "uuid" {
            attribute.format = Some(Format::Uuid);
        }
        field.skip(&["item_type"]);
        field.finish(notes);
        attributes.push(attribute);
    }
    let mut keys = vec![(None, entry(from, &table.table.key, notes))];
    for mapping in from.maps("gsi_mappings", notes) {
        let index = mapping.needed("name")?;
        let found = table.indexes.iter().find(|other| other.name == index);
        match found {
            Some(found) => keys.push((Some(index), entry(&mapping, &found.key, notes))),
            None => notes.add(
                mapping.path_of("name"),
                format!("the keys are left out: gsi_list has no index {index}"),
            ),
        }
        mapping.finish(notes);
    }
    Ok(FoundEntity {
        place: from.path.clone(),
        name,
        description: from.text("description", notes).unwrap_or_default(),
        attributes,
        keys,
    })
}

/// The templates of a key. A field that is the key attribute itself, under its own name, needs none.
fn entry(from: &Members, key: &KeySchema, notes: &mut Notes) -> IndexEntry {
    let mut side = |member: &str, attributes: &[KeyAttribute]| {
        let texts = names(from.get(member));
        let own = attributes.iter().map(|key| format!("{{{}}}", key.name));
        if own.eq(texts.iter().cloned()) {
            return None;
        }
        let place = from.path_of(member);
        match texts.as_slice() {
            [] => None,
            [text] => Some(template(text, place, notes)),
            _ => {
                let why = "the templates are left out: a multi-attribute key uses the attributes themselves";
                notes.add(place, why);
                None
            }
        }
    };
    IndexEntry {
        partition: side("pk_template", &key.partition),
        sort: side("sk_template", &key.sort),
        when: Vec::new(),
    }
}

/// A template with Python's formats as modifiers: `{score:05d}` is `{score:pad(5)}`.
pub fn template(text: &str, place: String, notes: &mut Notes) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(start) = rest.find('{') {
        let Some(end) = rest[start..].find('}') else {
            break;
        };
        let inside = &rest[start + 1..start + end];
        out.push_str(&rest[..start]);
        if out.ends_with('$') {
            // `${name}` is a placeholder without a dollar sign.
            out.push('$');
        }
        let (name, format) = inside.split_once(':').unwrap_or((inside, ""));
        let modifier = modifier(format).unwrap_or_else(|| {
            notes.add(
                &place,
                format!("the format `{format}` of {name} is left out"),
            );
            String::new()
        });
        let joint = if modifier.is_empty() { "" } else { ":" };
        out.push_str(&["{", name, joint, &modifier, "}"].concat());
        rest = &rest[start + end + 1..];
    }
    out + rest
}

/// The modifier that does what a format of Python does; empty if a key has the value as it is.
fn modifier(format: &str) -> Option<String> {
    let modifier = if matches!(format, "" | "d" | "f") {
        return Some(String::new());
    } else if let Some(count) = format.strip_prefix('.') {
        format!("first({count})")
    } else if let Some(digits) = format.strip_prefix("0>") {
        format!("pad({digits})")
    } else {
        let padded = format.strip_prefix('0')?;
        match padded.strip_suffix('f').map(|width| width.split_once('.')) {
            Some(Some((width, decimals))) => {
                let point = decimals.parse::<u8>().ok()?.checked_add(1)?;
                let digits = width.parse::<u8>().ok()?.checked_sub(point)?;
                format!("pad({digits},{decimals})")
            }
            Some(None) => return None,
            None => format!("pad({})", padded.strip_suffix('d')?),
        }
    };
    Modifier::parse(&modifier).ok().map(|read| read.to_string())
}
