//! One edit of each kind: of an entity, an index, an access pattern, a sample and the table.

use keyfold_app::{Command, PatternEdit};
use keyfold_core::model::{
    CardId, Design, Index, IndexId, IndexKind, KeyPart, KeySchema, Operation, Point, Projection,
    Table, Value,
};

/// The edits, with what they are called.
pub fn edits(design: &Design) -> Vec<(&'static str, Command)> {
    let mut edits = of_entity(design);
    edits.extend(of_index(design));
    edits.extend(of_pattern(design));
    edits.extend(of_table(design));
    edits
}

fn of_entity(design: &Design) -> Vec<(&'static str, Command)> {
    let middle = design.entities.iter().nth(design.entities.len() / 2);
    let (id, entity) = middle.expect("there");
    let sample = design.samples_of(*id)[0].clone();
    let (index, _) = entity.keys.last_key_value().expect("there");
    let template = |index: IndexId, part: KeyPart, more: &str| {
        let entry = &entity.keys[&index];
        let text = match part {
            KeyPart::Partition => &entry.partition,
            KeyPart::Sort => &entry.sort,
        };
        Command::SetTemplate {
            entity: *id,
            index,
            part,
            text: Some(text.clone().unwrap_or_default() + more),
        }
    };
    let mut attribute = Box::new(entity.attributes[0].clone());
    attribute.format = None;
    vec![
        (
            "one template of the table's key",
            template(IndexId::PRIMARY, KeyPart::Sort, "#X"),
        ),
        (
            "one partition template",
            template(IndexId::PRIMARY, KeyPart::Partition, "#X"),
        ),
        (
            "one template of an index",
            template(*index, KeyPart::Partition, "#X"),
        ),
        (
            "one entity's name",
            Command::RenameEntity(*id, "Renamed".into()),
        ),
        (
            "one attribute's format",
            Command::UpdateAttribute {
                entity: *id,
                attribute,
                field: "format",
            },
        ),
        (
            "one entity deleted",
            Command::Delete(vec![CardId::Entity(*id)]),
        ),
        (
            "one value of a sample",
            Command::SetValue {
                entity: *id,
                sample: sample.id,
                attribute: "tenantId".into(),
                value: Some(Value::from("other")),
            },
        ),
        (
            "one sample added",
            Command::AddSample(*id, sample.values.to_map()),
        ),
    ]
}

fn of_index(design: &Design) -> Vec<(&'static str, Command)> {
    let (id, index) = design.indexes.iter().next().expect("there");
    let update = |change: fn(&mut Index)| {
        let mut index = Box::new((**index).clone());
        change(&mut index);
        Command::UpdateIndex {
            id: *id,
            index,
            field: "index",
        }
    };
    let new = Index::new("New", IndexKind::Gsi, KeySchema::pair("newPK", "newSK"));
    vec![
        (
            "one index's description",
            update(|index| index.description = "Described.".into()),
        ),
        (
            "one index's projection",
            update(|index| index.projection = Projection::KeysOnly),
        ),
        (
            "one index's name",
            update(|index| index.name = "Renamed".into()),
        ),
        (
            "one index's key attribute",
            update(|index| index.key.partition[0].name = "other".into()),
        ),
        (
            "one index deleted",
            Command::Delete(vec![CardId::Index(*id)]),
        ),
        (
            "one index added",
            Command::AddIndex {
                index: Box::new(new),
                at: Point { x: 0, y: 0 },
            },
        ),
    ]
}

fn of_pattern(design: &Design) -> Vec<(&'static str, Command)> {
    let all = design.access_patterns.iter();
    let mut queries = all.filter(|(_, p)| matches!(p.operation, Operation::Query { .. }));
    let (id, pattern) = queries.next().expect("there");
    let mut changed = Box::new((**pattern).clone());
    if let Operation::Query { partition, .. } = &mut changed.operation {
        partition[0].push_str("#X");
    }
    let (id, field) = (*id, "partition key".to_owned());
    let pattern = changed;
    vec![
        (
            "one access pattern's key",
            Command::Pattern(PatternEdit::Update { id, pattern, field }),
        ),
        (
            "one access pattern deleted",
            Command::Pattern(PatternEdit::Delete(id)),
        ),
    ]
}

fn of_table(design: &Design) -> Vec<(&'static str, Command)> {
    let update = |change: fn(&mut Table)| {
        let mut table = Box::new((*design.table).clone());
        change(&mut table);
        Command::UpdateTable {
            table,
            field: "settings",
        }
    };
    vec![
        (
            "the table's name",
            update(|table| table.name = "other".into()),
        ),
        (
            "the table's TTL attribute",
            update(|table| table.ttl_attribute = Some("score".into())),
        ),
    ]
}
