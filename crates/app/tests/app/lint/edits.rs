//! Edits of every part of a design, to test how they affect findings.

use keyfold_app::{Command, PatternEdit};
use keyfold_core::model::{
    AccessPattern, Billing, CardId, DelimiterPolicy, Design, Format, Index, IndexId, IndexKind,
    KeyPart, KeySchema, OnDelimiter, Operation, Point, Projection, ProvisionedThroughput, Silenced,
    SortCondition, SortOperator, Table,
};

/// Edits of a design. Some are refused.
pub fn edits(design: &Design) -> Vec<Command> {
    let mut edits = vec![
        Command::RenameDesign("Other".into()),
        Command::SetDelimiter(DelimiterPolicy {
            delimiter: "-".into(),
            on_conflict: OnDelimiter::PercentEncode,
        }),
        Command::AddIndex {
            index: Box::new(Index::new(
                "New",
                IndexKind::Gsi,
                KeySchema::pair("name", "status"),
            )),
            at: Point { x: 0, y: 0 },
        },
        Command::Silence(Silenced {
            code: "K013".into(),
            place: "table".into(),
            reason: "Because.".into(),
        }),
    ];
    of_table(design, &mut edits);
    of_indexes(design, &mut edits);
    of_entities(design, &mut edits);
    of_patterns(design, &mut edits);
    edits
}

fn of_table(design: &Design, edits: &mut Vec<Command>) {
    let changes: [fn(&mut Table); 7] = [
        |table| table.type_attribute = None,
        |table| table.type_attribute = Some("kind".into()),
        |table| table.ttl_attribute = Some("nothing".into()),
        |table| table.ttl_attribute = Some("expiresAt".into()),
        |table| table.name = "orders-prod".into(),
        |table| table.billing = Billing::Provisioned(ProvisionedThroughput::default()),
        |table| table.key.sort.clear(),
    ];
    for change in changes {
        let mut table = Box::new((*design.table).clone());
        change(&mut table);
        let field = "settings";
        edits.push(Command::UpdateTable { table, field });
    }
}

fn of_indexes(design: &Design, edits: &mut Vec<Command>) {
    let changes: [fn(&mut Index); 6] = [
        |index| index.name.push_str("-renamed"),
        |index| index.description = "Described.".into(),
        |index| index.projection = Projection::KeysOnly,
        |index| index.key.partition[0].name.push('x'),
        |index| index.key.sort.clear(),
        |index| index.key = KeySchema::pair("tenantId", "status"),
    ];
    for (id, index) in &design.indexes {
        edits.push(Command::Delete(vec![CardId::Index(*id)]));
        for change in changes {
            let mut index = Box::new((**index).clone());
            change(&mut index);
            let (id, field) = (*id, "key");
            edits.push(Command::UpdateIndex { id, index, field });
        }
    }
}

fn of_entities(design: &Design, edits: &mut Vec<Command>) {
    for (id, entity) in &design.entities {
        edits.push(Command::RenameEntity(*id, format!("{} Event", entity.name)));
        edits.push(Command::Delete(vec![CardId::Entity(*id)]));
        for attribute in entity.attributes.iter().take(3) {
            edits.push(Command::DeleteAttribute(*id, attribute.id));
            let mut renamed = Box::new(attribute.clone());
            renamed.name = "other".into();
            renamed.required = false;
            let mut formatted = Box::new(attribute.clone());
            formatted.format = Some(Format::Ulid);
            for (attribute, field) in [(renamed, "name"), (formatted, "format")] {
                edits.push(Command::UpdateAttribute {
                    entity: *id,
                    attribute,
                    field,
                });
            }
        }
        for index in entity.keys.keys() {
            for (part, text) in [
                (KeyPart::Sort, "METADATA"),
                (KeyPart::Sort, "PROJECT#{x"),
                (KeyPart::Sort, "{tenantId}"),
                (KeyPart::Sort, "PROJECT#{tenantId}#X"),
                (KeyPart::Partition, "TENANT#{tenantId}"),
                (KeyPart::Partition, "{name}"),
            ] {
                edits.push(Command::SetTemplate {
                    entity: *id,
                    index: *index,
                    part,
                    text: Some(text.into()),
                });
            }
        }
        if let Some(sample) = design.samples_of(*id).first() {
            edits.push(Command::AddSample(*id, sample.values.to_map()));
            edits.push(Command::DeleteSamples(vec![(*id, vec![sample.id])]));
        }
    }
}

fn of_patterns(design: &Design, edits: &mut Vec<Command>) {
    let changes: [fn(&mut AccessPattern); 9] = [
        |pattern| pattern.entities.clear(),
        |pattern| pattern.entities.truncate(1),
        |pattern| {
            change_key(pattern, &|text| {
                text.truncate(text.rfind('#').map_or(0, |at| at + 1));
            });
        },
        |pattern| change_key(pattern, &|text| text.push_str("#{unheardOf}")),
        |pattern| change_key(pattern, &|text| text.push_str("#{")),
        |pattern| change_sort(pattern, SortOperator::BeginsWith),
        |pattern| change_sort(pattern, SortOperator::GreaterOrEqual),
        |pattern| {
            if let Operation::Query { index, sort, .. } = &mut pattern.operation {
                *index = IndexId::PRIMARY;
                sort.clear();
            }
        },
        |pattern| {
            let operation = &mut pattern.operation;
            if let Operation::Query { read, .. } | Operation::Scan { read, .. } = operation {
                read.consistent = true;
            }
        },
    ];
    for (id, pattern) in &design.access_patterns {
        edits.push(Command::Pattern(PatternEdit::Delete(*id)));
        for change in changes {
            let mut pattern = Box::new((**pattern).clone());
            change(&mut pattern);
            let (id, field) = (*id, "key".to_owned());
            edits.push(Command::Pattern(PatternEdit::Update { id, pattern, field }));
        }
    }
}

fn change_key(pattern: &mut AccessPattern, change: &dyn Fn(&mut String)) {
    match &mut pattern.operation {
        Operation::Query { partition, .. } => partition.iter_mut().for_each(change),
        Operation::GetItem { key, .. } => change(&mut key.partition),
        _ => {}
    }
}

fn change_sort(pattern: &mut AccessPattern, operator: SortOperator) {
    if let Operation::Query { sort, .. } = &mut pattern.operation {
        match sort.last_mut() {
            Some(condition) => condition.operator = operator,
            None => sort.push(SortCondition {
                operator,
                value: "PROJECT#{projectId}".into(),
                upper: None,
            }),
        }
    }
}
