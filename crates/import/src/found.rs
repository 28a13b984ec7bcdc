//! Designs of imported tables, and what the command line reports on them: entities, their templates, and how many items
//! these explain. The report for the page is in [`review`](crate::review).

use crate::form::Import;
use crate::{Made, design};
use keyfold_core::counted::counted;
use keyfold_core::import::Note;
use keyfold_core::model::{Design, Value as ItemValue, short};
use keyfold_infer::{Entity, Inferred, Item, Schema};
use serde_json::{Value, json};
use std::fmt::Write as _;

/// Maximum number of unexplained items of an entity that a report lists.
const EXAMPLES: usize = 3;

/// A design that was made of files.
pub struct Found {
    /// The design.
    pub design: Design,
    /// What its items show; `None` if the files have the entities.
    pub inferred: Option<Inferred>,
}

/// Makes a design of each table. What a design cannot hold is added to `left_out`. The cards have no positions.
///
/// # Errors
///
/// Why no table can become a design.
pub fn designs(import: &Import, left_out: &mut Vec<Note>) -> Result<Vec<Found>, String> {
    let own = import.designs.iter().map(|design| Found {
        design: design.clone(),
        inferred: None,
    });
    let tables = import.tables.iter().map(|table| {
        let made = design(table).map(|made| {
            let Made {
                design,
                inferred,
                left_out,
            } = made;
            (Found { design, inferred }, left_out)
        });
        (table.place.clone(), made)
    });
    each(own, tables, left_out)
}

/// What is made of whole designs and of tables, each with its place. What is not made is added to `left_out`.
///
/// # Errors
///
/// Why nothing is made of any table.
pub(crate) fn each<T>(
    own: impl Iterator<Item = T>,
    tables: impl Iterator<Item = (String, Result<(T, Vec<Note>), String>)>,
    left_out: &mut Vec<Note>,
) -> Result<Vec<T>, String> {
    let mut found: Vec<T> = own.collect();
    let mut problems = Vec::new();
    for (place, made) in tables {
        match made {
            Ok((made, notes)) => {
                left_out.extend(notes);
                found.push(made);
            }
            Err(why) => problems.push((place, why)),
        }
    }
    if let (true, Some((_, why))) = (found.is_empty(), problems.first()) {
        return Err(why.clone());
    }
    left_out.extend(problems.into_iter().map(|(place, why)| Note {
        place,
        message: format!("the table is left out: {why}"),
    }));
    Ok(found)
}

/// The tables, for people.
pub fn describe(found: &[Found]) -> String {
    let mut text = String::new();
    for Found { design, inferred } in found {
        let _ = writeln!(
            text,
            "Table {}: {}, {}, {}, {}",
            design.table.name,
            counted(design.indexes.len(), "index", "indexes"),
            counted(design.entities.len(), "entity", "entities"),
            counted(samples(design), "sample", "samples"),
            counted(
                design.access_patterns.len(),
                "access pattern",
                "access patterns"
            )
        );
        if let Some(inferred) = inferred {
            for entity in &inferred.entities {
                describe_entity(&mut text, design, inferred, entity);
            }
        }
    }
    text
}

fn describe_entity(text: &mut String, design: &Design, inferred: &Inferred, entity: &Entity) {
    let items = counted(entity.count as usize, "item", "items");
    let unexplained = match entity.is_rest {
        true => " that no template explains",
        false => "",
    };
    let _ = writeln!(text, "  {}: {items}{unexplained}", entity.name);
    let examples = |positions: &[usize], attribute: Option<&str>| -> Vec<String> {
        let keys = keys_of(design, inferred, positions, attribute);
        keys.iter().map(|key| key_text(key)).collect()
    };
    if entity.is_rest {
        for key in examples(first(&entity.items), None) {
            let _ = writeln!(text, "    {key}");
        }
    }
    for rule in &entity.rules {
        let all = rule.explained + rule.unexplained;
        let (key, template, explained) = (&rule.attribute, &rule.template, rule.explained);
        let _ = writeln!(text, "    {key} = {template}: {explained} of {all}");
        for key in examples(&rule.examples, Some(key)) {
            let _ = writeln!(text, "      not {key}");
        }
    }
    for (index, condition) in conditions(design, entity) {
        let _ = writeln!(text, "    in {index} when {condition}");
    }
}

/// The conditions of sparse indexes, each with the index.
fn conditions<'a>(
    design: &'a Design,
    entity: &'a Entity,
) -> impl Iterator<Item = (&'a str, String)> {
    entity.keys.iter().flat_map(|entry| {
        let index = design.index_ids().nth(entry.key);
        let name = index.map_or("", |index| design.index_name(index));
        entry
            .when
            .iter()
            .map(move |condition| (name, condition.to_string()))
    })
}

/// The tables, for programs.
pub fn as_json(found: &[Found]) -> Value {
    let tables = found.iter().map(|Found { design, inferred }| {
        let entities = inferred.iter().flat_map(|inferred| {
            let entities = inferred.entities.iter();
            entities.map(move |entity| as_json_of(design, inferred, entity))
        });
        let inferred = entities.collect::<Value>();
        json!({
            "table": design.table.name,
            "design": design.name,
            "indexes": design.indexes.len(),
            "entities": design.entities.len(),
            "samples": samples(design),
            "accessPatterns": design.access_patterns.len(),
            "inferred": inferred,
        })
    });
    tables.collect()
}

fn as_json_of(design: &Design, inferred: &Inferred, entity: &Entity) -> Value {
    let examples = |positions: &[usize], attribute: Option<&str>| -> Value {
        let keys = keys_of(design, inferred, positions, attribute);
        let keys = keys
            .into_iter()
            .map(|key| ItemValue::M(key.into_iter().collect()).to_dynamodb_json()["M"].take());
        keys.collect()
    };
    let rules = entity.rules.iter().map(|rule| {
        json!({
            "attribute": rule.attribute,
            "template": rule.template,
            "explained": rule.explained,
            "unexplained": rule.unexplained,
            "examples": examples(&rule.examples, Some(&rule.attribute)),
        })
    });
    let mut report = json!({
        "entity": entity.name,
        "items": entity.count,
        "isExplained": !entity.is_rest,
        "rules": rules.collect::<Value>(),
        "conditions": conditions(design, entity)
            .map(|(index, condition)| json!({ "index": index, "condition": condition }))
            .collect::<Value>(),
    });
    if entity.is_rest {
        report["examples"] = examples(first(&entity.items), None);
    }
    report
}

/// The first of them, as many as a report lists.
pub(crate) fn first(positions: &[usize]) -> &[usize] {
    &positions[..positions.len().min(EXAMPLES)]
}

/// The primary keys of items, with another attribute after them.
fn keys_of(
    design: &Design,
    inferred: &Inferred,
    positions: &[usize],
    attribute: Option<&str>,
) -> Vec<Key> {
    let schema = Schema::of(design);
    let items = (positions.iter()).filter_map(|position| inferred.item(&schema, *position));
    items.map(|item| key_of(design, &item, attribute)).collect()
}

/// Key attributes of an item with their values.
pub(crate) type Key = Vec<(String, ItemValue)>;

/// The primary key of an item, with another attribute after it.
pub(crate) fn key_of(design: &Design, item: &Item, attribute: Option<&str>) -> Key {
    let key = design.table.key.attributes().map(|key| key.name.as_str());
    let mut names: Vec<&str> = key.collect();
    names.extend(
        attribute.filter(|name| design.table.key.attributes().all(|key| key.name != *name)),
    );
    let pair = |name: &&str| Some(((*name).to_owned(), item.get(*name)?.clone()));
    names.iter().filter_map(pair).collect()
}

/// A key in one line.
pub(crate) fn key_text(key: &[(String, ItemValue)]) -> String {
    let one = |(name, value): &(String, ItemValue)| format!("{name} = {}", short(&value.to_text()));
    let parts: Vec<String> = key.iter().map(one).collect();
    parts.join(", ")
}

/// Notes as a list of the report for people, below a heading.
pub fn list(heading: &str, lines: &[String]) -> String {
    if lines.is_empty() {
        return String::new();
    }
    let items: Vec<String> = lines.iter().map(|line| format!("  - {line}\n")).collect();
    format!("\n{heading}\n{}", items.concat())
}

/// Notes for programs.
pub fn notes(notes: &[Note]) -> Value {
    (notes.iter())
        .map(|note| json!({ "place": note.place, "message": note.message }))
        .collect()
}

/// The number of samples of a design.
pub(crate) fn samples(design: &Design) -> usize {
    design.samples.values().map(|samples| samples.len()).sum()
}
