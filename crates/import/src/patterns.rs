//! Makes access patterns of a design.

use crate::design::label;
use crate::form::{FoundAction, FoundActionKind, FoundOperation, FoundPattern, FoundTable, Notes};
use keyfold_core::model::{
    AccessPattern, AccessPatternId, Design, IndexId, ItemKey, Operation, Read, SortCondition,
    SortedMap, WriteAction,
};
use std::sync::Arc;

/// Adds the access patterns of a table to its design.
pub fn add(design: &mut Design, found: &FoundTable, notes: &mut Notes) {
    for pattern in &found.patterns {
        if let Err(why) = add_pattern(design, pattern) {
            let why = format!("the access pattern {} is left out: {why}", pattern.name);
            notes.add(&pattern.place, why);
        }
    }
}

fn add_pattern(design: &mut Design, found: &FoundPattern) -> Result<(), String> {
    let name = label(&found.name, "Access pattern");
    if (design.access_patterns.values()).any(|other| other.name == name) {
        return Err("another access pattern has this name".to_owned());
    }
    let entity = |name: &str| {
        let id = design.entity_named(name);
        id.ok_or_else(|| format!("there is no entity {name}"))
    };
    let index = |name: &Option<String>| match name {
        None => Ok(IndexId::PRIMARY),
        Some(name) => {
            let id = design.index_named(name);
            id.ok_or_else(|| format!("there is no index {name}"))
        }
    };
    let key = |(partition, sort): &(String, Option<String>)| ItemKey {
        partition: partition.clone(),
        sort: sort.clone().filter(|_| !design.table.key.sort.is_empty()),
    };
    let mut call = None;
    let operation = match &found.operation {
        FoundOperation::Call(found) => {
            call = Some(found);
            // The call says more.
            Operation::Scan {
                index: IndexId::PRIMARY,
                limit: None,
                read: Read::default(),
            }
        }
        FoundOperation::GetItem { key: of, read } => Operation::GetItem {
            key: key(of),
            read: read.clone(),
        },
        FoundOperation::BatchGetItem { key: of, read } => Operation::BatchGetItem {
            keys: vec![key(of)],
            read: read.clone(),
        },
        FoundOperation::Query {
            index: of,
            partition,
            sort,
            read,
        } => Operation::Query {
            index: index(of)?,
            partition: partition.clone(),
            sort: (sort.iter())
                .map(|(operator, value, upper)| SortCondition {
                    operator: *operator,
                    value: value.clone(),
                    upper: upper.clone(),
                })
                .collect(),
            descending: false,
            limit: None,
            read: read.clone(),
        },
        FoundOperation::Scan { index: of, read } => Operation::Scan {
            index: index(of)?,
            limit: None,
            read: read.clone(),
        },
        FoundOperation::PutItem(name) => Operation::Write(WriteAction::PutItem {
            entity: entity(name)?,
            condition: None,
        }),
        FoundOperation::DeleteItem(of) => Operation::Write(WriteAction::DeleteItem {
            key: key(of),
            condition: None,
        }),
        FoundOperation::UpdateItem { key: of, update } => {
            Operation::Write(WriteAction::UpdateItem {
                key: key(of),
                update: update.clone(),
                condition: None,
            })
        }
        FoundOperation::TransactGetItems(keys) => Operation::TransactGetItems {
            keys: keys.iter().map(key).collect(),
        },
        FoundOperation::TransactWriteItems(actions) => {
            let action = |found: &FoundAction| {
                let condition = found.condition.clone();
                Ok(match &found.kind {
                    FoundActionKind::Put(name) => WriteAction::PutItem {
                        entity: entity(name)?,
                        condition,
                    },
                    FoundActionKind::Update(of, update) => WriteAction::UpdateItem {
                        key: key(of),
                        update: update.clone(),
                        condition,
                    },
                    FoundActionKind::Delete(of) => WriteAction::DeleteItem {
                        key: key(of),
                        condition,
                    },
                    FoundActionKind::Check(of) => WriteAction::ConditionCheck {
                        key: key(of),
                        condition: condition.ok_or("a condition check has no condition")?,
                    },
                })
            };
            Operation::TransactWriteItems {
                actions: actions.iter().map(action).collect::<Result<_, String>>()?,
            }
        }
    };
    let entities = found.entities.iter().map(|name| entity(name));
    let mut pattern = AccessPattern {
        name,
        description: found.description.clone(),
        operation,
        entities: entities.collect::<Result<_, _>>()?,
        sample: None,
        parameters: SortedMap::new(),
        rate: None,
    };
    if let Some(call) = call {
        call.fill(design, &mut pattern)?;
    }
    let id = AccessPatternId(design.take_id());
    design.access_patterns.insert(id, Arc::new(pattern));
    Ok(())
}
