//! Answers DynamoDB requests with our engine, for comparison.

use keyfold_core::engine::Item;
use keyfold_core::engine::query::expression::{
    Binder, key_tests, parse_condition, parse_projection, parse_update,
};
use keyfold_core::engine::query::{
    Attributes, BatchGet, Bound, Condition, Get, Key, KeyCondition, Page, Path, Preview, Query,
    Rejection, Scan, TableSnapshot, TransactGet, Update, Write,
};
use keyfold_core::model::{IndexId, SortedMap, Value};
use serde_json::{Map, Value as Json, json};

/// Attributes as DynamoDB JSON.
pub fn wire(attributes: &Attributes) -> Json {
    let fields = attributes
        .iter()
        .map(|(name, value)| (name.clone(), value.to_dynamodb_json()));
    Json::Object(fields.collect::<Map<_, _>>())
}

/// Attributes from DynamoDB JSON.
pub fn attributes(json: &Json) -> Attributes {
    let fields = json.as_object().into_iter().flatten();
    let read = |(name, value): (&String, &Json)| {
        let value = Value::from_dynamodb_json(value).unwrap_or_else(|e| panic!("{e}: {json}"));
        (name.clone(), value)
    };
    fields.map(read).collect()
}

/// Names and values of a request, without `#` and `:`.
pub struct Given {
    names: SortedMap<String, String>,
    values: SortedMap<String, Value>,
}

impl Given {
    pub fn of(request: &Json) -> Given {
        let names = request["ExpressionAttributeNames"].as_object();
        let name = |(alias, name): (&String, &Json)| {
            (alias[1..].to_owned(), name.as_str().unwrap().to_owned())
        };
        let values = attributes(&request["ExpressionAttributeValues"]);
        Given {
            names: names.into_iter().flatten().map(name).collect(),
            values: (values.into_iter())
                .map(|(name, value)| (name[1..].to_owned(), value))
                .collect(),
        }
    }

    pub fn binder(&self) -> Binder<'_> {
        Binder::request(&self.names, &self.values)
    }
}

fn text<'a>(request: &'a Json, member: &str) -> Option<&'a str> {
    request[member].as_str()
}

fn condition(
    request: &Json,
    member: &str,
    binder: &mut Binder<'_>,
) -> Result<Option<Bound<Condition>>, Rejection> {
    match text(request, member) {
        Some(text) => Ok(Some(binder.condition(&parse_condition(text)?)?)),
        None => Ok(None),
    }
}

fn projection(request: &Json, binder: &mut Binder<'_>) -> Result<Vec<Path>, Rejection> {
    match text(request, "ProjectionExpression") {
        Some(text) => Ok(binder.projection(&parse_projection(text)?)?),
        None => Ok(Vec::new()),
    }
}

fn index(stored: &TableSnapshot, request: &Json) -> Result<IndexId, Rejection> {
    match text(request, "IndexName") {
        Some(name) => stored.design().index_named(name).ok_or(Rejection::NoIndex),
        None => Ok(IndexId::PRIMARY),
    }
}

fn limit(request: &Json) -> Option<u32> {
    request["Limit"].as_u64().map(|limit| limit as u32)
}

fn start(request: &Json) -> Option<Key> {
    let start = &request["ExclusiveStartKey"];
    (!start.is_null()).then(|| attributes(start))
}

/// Parses a Query request.
pub fn read_query(stored: &TableSnapshot, request: &Json) -> Result<Query, Rejection> {
    let given = Given::of(request);
    let mut binder = given.binder();
    let index = index(stored, request)?;
    let key = condition(request, "KeyConditionExpression", &mut binder)?;
    let tests = key_tests(&key.expect("a Query has a key condition"))?;
    let filter = condition(request, "FilterExpression", &mut binder)?;
    let projection = projection(request, &mut binder)?;
    binder.finish()?;
    Ok(Query {
        index,
        key: KeyCondition::of(stored.design().key(index).expect("there"), tests)?,
        descending: request["ScanIndexForward"] == json!(false),
        limit: limit(request),
        start: start(request),
        filter,
        projection,
        consistent: request["ConsistentRead"] == json!(true),
    })
}

fn read_scan(stored: &TableSnapshot, request: &Json) -> Result<Scan, Rejection> {
    let given = Given::of(request);
    let mut binder = given.binder();
    let scan = Scan {
        index: index(stored, request)?,
        limit: limit(request),
        start: start(request),
        filter: condition(request, "FilterExpression", &mut binder)?,
        projection: projection(request, &mut binder)?,
        consistent: request["ConsistentRead"] == json!(true),
    };
    binder.finish()?;
    Ok(scan)
}

fn answer(stored: &TableSnapshot, index: IndexId, projection: &[Path], page: &Page) -> Json {
    let shown = |item: &Item| wire(&stored.shown(index, projection, item));
    let mut answer = json!({
        "Items": page.items.iter().map(shown).collect::<Vec<_>>(),
        "Count": page.items.len(),
        "ScannedCount": page.scanned,
        "ConsumedCapacity": { "CapacityUnits": page.units },
    });
    if let Some(key) = &page.last_key {
        answer["LastEvaluatedKey"] = wire(key);
    }
    answer
}

/// The response to a request, as far as it is compared.
pub fn ask(stored: &TableSnapshot, operation: &str, request: &Json) -> Result<Json, Rejection> {
    Ok(match operation {
        "Query" => {
            let query = read_query(stored, request)?;
            let page = stored.query(&query)?;
            answer(stored, query.index, &query.projection, &page)
        }
        "Scan" => {
            let scan = read_scan(stored, request)?;
            let page = stored.scan(&scan)?;
            answer(stored, scan.index, &scan.projection, &page)
        }
        "GetItem" => {
            let given = Given::of(request);
            let mut binder = given.binder();
            let projection = projection(request, &mut binder)?;
            binder.finish()?;
            let got = stored.get(&Get {
                key: attributes(&request["Key"]),
                projection: projection.clone(),
                consistent: request["ConsistentRead"] == json!(true),
            })?;
            let shown = |item: &Item| wire(&stored.shown(IndexId::PRIMARY, &projection, item));
            json!({
                "Item": got.item.as_ref().map(shown),
                "ConsumedCapacity": { "CapacityUnits": got.units },
            })
        }
        "BatchGetItem" => {
            let given = Given::of(request);
            let mut binder = given.binder();
            let projection = projection(request, &mut binder)?;
            binder.finish()?;
            let keys = request["Keys"].as_array().expect("a list");
            let page = stored.batch_get(&BatchGet {
                keys: keys.iter().map(attributes).collect(),
                projection: projection.clone(),
                consistent: request["ConsistentRead"] == json!(true),
            })?;
            assert!(page.unprocessed.is_empty());
            let shown = |item: &Item| wire(&stored.shown(IndexId::PRIMARY, &projection, item));
            json!({
                "Items": page.items.iter().map(shown).collect::<Vec<_>>(),
                "ConsumedCapacity": { "CapacityUnits": page.units },
            })
        }
        "TransactGetItems" => {
            let keys = request["Keys"].as_array().expect("a list");
            let keys = keys.iter().map(attributes).collect();
            let all = stored.transact_get(&TransactGet { keys })?;
            let item = |item: &Item| wire(&item.to_map());
            json!({
                "Items": all.iter().map(|got| got.item.as_ref().map(item)).collect::<Vec<_>>(),
                "ConsumedCapacity": {
                    "CapacityUnits": all.iter().map(|got| got.units).sum::<f64>(),
                },
            })
        }
        other => panic!("no operation {other}"),
    })
}

fn update(request: &Json, binder: &mut Binder<'_>) -> Result<Bound<Update>, Rejection> {
    let text = text(request, "UpdateExpression").expect("an update");
    Ok(binder.update(&parse_update(text)?)?)
}

/// Parses a write: `PutItem` or, in a transaction, `Put`.
pub fn read_write(operation: &str, request: &Json) -> Result<Write, Rejection> {
    let given = Given::of(request);
    let mut binder = given.binder();
    let key = || attributes(&request["Key"]);
    let write = match operation.trim_end_matches("Item") {
        "Put" => Write::Put {
            item: attributes(&request["Item"]),
            condition: condition(request, "ConditionExpression", &mut binder)?,
        },
        "Update" => Write::Update {
            key: key(),
            update: update(request, &mut binder)?,
            condition: condition(request, "ConditionExpression", &mut binder)?,
            entity: None,
        },
        "Delete" => Write::Delete {
            key: key(),
            condition: condition(request, "ConditionExpression", &mut binder)?,
        },
        _ => Write::Check {
            key: key(),
            condition: condition(request, "ConditionExpression", &mut binder)?.expect("there"),
        },
    };
    binder.finish()?;
    Ok(write)
}

/// The preview of a PutItem, UpdateItem or DeleteItem request.
pub fn write(
    stored: &TableSnapshot,
    operation: &str,
    request: &Json,
) -> Result<Preview, Rejection> {
    stored.write(&read_write(operation, request)?)
}

/// The preview of a transaction's actions, each `{"Put": {...}}`.
pub fn transact_write(stored: &TableSnapshot, actions: &[Json]) -> Result<Preview, Rejection> {
    let mut writes = Vec::new();
    for action in actions {
        let (operation, request) = action.as_object().unwrap().iter().next().unwrap();
        writes.push(read_write(operation, request)?);
    }
    stored.transact_write(&writes)
}
