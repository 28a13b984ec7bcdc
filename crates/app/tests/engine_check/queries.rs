//! Reads: our engine and dynoxide return the same items in the same order, the same counts, last key and capacity,
//! and refuse the same requests.
//!
//! Where the engine (dynoxide 3.2.0) and the documentation differ, we follow the documentation: see [`documented`].

use crate::awkward::text;
use crate::dynamo::{Db, create_table};
use crate::ours;
use keyfold_app::stress;
use keyfold_core::engine::query::{Rejection, TableSnapshot};
use keyfold_core::engine::{Group, View, materialize_all, view};
use keyfold_core::export::cloudformation::cloudformation;
use keyfold_core::library;
use keyfold_core::model::{Design, SortOperator, Value};
use serde_json::{Value as Json, json};

/// The page of AWS's documentation for requests that we refuse and the engine accepts.
pub fn documented(rejection: &Rejection) -> Option<&'static str> {
    let error = match rejection {
        // The engine compares with the empty value and finds nothing.
        Rejection::Empty { .. } => return Some("Supported data types and naming rules: strings"),
        // The engine does not check the size of values in a key condition.
        Rejection::TooLong { .. } => return Some("Constraints in Amazon DynamoDB: keys"),
        // The engine returns the entry without the attribute.
        Rejection::NotProjected { .. } => {
            return Some("Using Global Secondary Indexes: attribute projections");
        }
        Rejection::Expression(error) => error,
        _ => return None,
    };
    let rules = [
        // The engine compares values without an order, and finds none less or greater.
        (
            "needs a string, number or binary",
            "API reference: Condition, LT to BETWEEN",
        ),
        // The engine checks the second operand only.
        (
            "`begins_with` needs a string",
            "API reference: Condition, BEGINS_WITH",
        ),
        // The engine refuses it in `contains` only.
        (
            "with itself",
            "Condition expressions: comparison operator and function reference",
        ),
        // The engine refuses it in a ConditionExpression only.
        (
            "the bounds of `BETWEEN`",
            "API reference: Condition, BETWEEN",
        ),
        (
            "is greater than its upper bound",
            "API reference: Condition, BETWEEN",
        ),
        // The engine answers that no value has this type.
        (
            "is not a type",
            "Condition expressions: comparison operator and function reference",
        ),
        (
            "needs the type as a value",
            "Condition expressions: comparison operator and function reference",
        ),
    ];
    let rule = rules
        .iter()
        .find(|(message, _)| error.message.contains(message));
    rule.map(|(_, page)| *page)
}

/// A design's items in both engines.
pub struct Both {
    name: String,
    pub stored: TableSnapshot,
    pub db: Db,
    /// Number of answered and refused requests.
    pub answered: usize,
    pub refused: usize,
}

impl Both {
    pub fn new(name: &str, design: &Design) -> Both {
        let items: Vec<_> = materialize_all(design).into_values().collect();
        let stored = TableSnapshot::new(design, &items);
        let db = create_table(&cloudformation(design).text);
        // In sample order, so that the last item of each key wins.
        for item in items.iter().flat_map(|items| items.iter()) {
            if item.is_stored() {
                db.put(&ours::wire(&item.to_map()));
            }
        }
        Both {
            name: name.to_owned(),
            stored,
            db,
            answered: 0,
            refused: 0,
        }
    }

    /// Sends a request to both engines and compares the responses.
    pub fn compare(&mut self, operation: &str, request: &Json) -> Option<Json> {
        let ours = ours::ask(&self.stored, operation, request);
        let engine = self.db.ask(operation, self.sent(operation, request));
        let place = || format!("{}: {operation} {request}", self.name);
        match (ours, engine) {
            (Ok(ours), Ok(engine)) => {
                let ours = readable(operation, &ours);
                let engine = readable(operation, &engine);
                assert_eq!(ours, engine, "{}", place());
                self.answered += 1;
                Some(ours)
            }
            (Err(_), Err(_)) => {
                self.refused += 1;
                None
            }
            (Err(ours), Ok(_)) if documented(&ours).is_some() => None,
            (Err(ours), Ok(engine)) => panic!("{}: {ours}, but {engine}", place()),
            (Ok(ours), Err(engine)) => panic!("{}: {ours}, but {engine}", place()),
        }
    }

    fn sent(&self, operation: &str, request: &Json) -> Json {
        let table = self.db.table();
        match operation {
            "BatchGetItem" => json!({ "RequestItems": { table: request } }),
            "TransactGetItems" => {
                let get = |key: &Json| json!({ "Get": { "TableName": table, "Key": key } });
                let keys = request["Keys"].as_array().unwrap();
                json!({ "TransactItems": keys.iter().map(get).collect::<Vec<_>>() })
            }
            _ => request.clone(),
        }
    }

    /// Whether the engine cannot continue after a start key: for a table without a sort key it returns that item
    /// again. "Query" in the API reference: the start key is that of the last item of the previous page.
    pub fn cannot_go_on(&self, request: &Json) -> bool {
        request["IndexName"].is_null() && self.stored.design().table.key.sort.is_empty()
    }

    /// A Query with all its pages.
    pub fn pages(&mut self, request: &Json) {
        let mut request = request.clone();
        if self.cannot_go_on(&request) {
            self.compare("Query", &request);
            return;
        }
        for _ in 0..200 {
            let Some(answer) = self.compare("Query", &request) else {
                return;
            };
            if answer["LastEvaluatedKey"].is_null() {
                return;
            }
            request["ExclusiveStartKey"] = answer["LastEvaluatedKey"].clone();
        }
        panic!("{}: {request} never ends", self.name);
    }
}

/// The compared part of a response, normalized.
pub fn readable(operation: &str, answer: &Json) -> Json {
    // Through our values, because numbers and sets have several spellings.
    let item = |item: &Json| match item {
        Json::Null => Json::Null,
        item => ours::wire(&ours::attributes(item)),
    };
    let list =
        |list: &Json| -> Vec<Json> { list.as_array().into_iter().flatten().map(item).collect() };
    let units = |capacity: &Json| capacity["CapacityUnits"].clone();
    match operation {
        "Query" => json!({
            "Items": list(&answer["Items"]),
            "Count": answer["Count"],
            "ScannedCount": answer["ScannedCount"],
            "LastEvaluatedKey": item(&answer["LastEvaluatedKey"]),
            "Units": units(&answer["ConsumedCapacity"]),
        }),
        // The order is undefined.
        "Scan" => {
            let mut items: Vec<String> =
                list(&answer["Items"]).iter().map(Json::to_string).collect();
            items.sort();
            json!({
                "Items": items,
                "Count": answer["Count"],
                "ScannedCount": answer["ScannedCount"],
                "Units": units(&answer["ConsumedCapacity"]),
            })
        }
        "GetItem" => json!({
            "Item": item(&answer["Item"]),
            "Units": units(&answer["ConsumedCapacity"]),
        }),
        _ => {
            let responses = &answer["Responses"];
            let mut items = match (&answer["Items"], responses) {
                (Json::Array(_), _) => list(&answer["Items"]),
                (_, Json::Array(all)) => all.iter().map(|one| item(&one["Item"])).collect(),
                (_, tables) => list(tables.as_object().unwrap().values().next().unwrap()),
            };
            if operation == "BatchGetItem" {
                items.sort_by_key(Json::to_string);
            }
            let capacity = match &answer["ConsumedCapacity"] {
                Json::Array(all) => &all[0],
                one => one,
            };
            json!({ "Items": items, "Units": units(capacity) })
        }
    }
}

/// A Query on these key attributes: `tests` are attribute, operator and operands.
pub fn query(index: Option<&str>, tests: &[(String, SortOperator, Vec<Value>)]) -> Json {
    let mut request = json!({});
    let mut terms = Vec::new();
    let mut number = 0;
    for (at, (attribute, operator, values)) in tests.iter().enumerate() {
        let name = format!("#k{at}");
        request["ExpressionAttributeNames"][&name] = json!(attribute);
        let mut operand = |value: &Value| {
            number += 1;
            let place = format!(":v{number}");
            request["ExpressionAttributeValues"][&place] = value.to_dynamodb_json();
            place
        };
        let operands: Vec<String> = values.iter().map(&mut operand).collect();
        terms.push(match operator {
            SortOperator::BeginsWith => format!("begins_with({name}, {})", operands[0]),
            SortOperator::Between => format!("{name} BETWEEN {} AND {}", operands[0], operands[1]),
            operator => format!("{name} {} {}", operator.symbol(), operands[0]),
        });
    }
    request["KeyConditionExpression"] = json!(terms.join(" AND "));
    if let Some(index) = index {
        request["IndexName"] = json!(index);
    }
    request
}

pub const RANGES: [SortOperator; 5] = [
    SortOperator::Equal,
    SortOperator::Less,
    SortOperator::LessOrEqual,
    SortOperator::Greater,
    SortOperator::GreaterOrEqual,
];

/// Prefixes of a text that end with a delimiter or are almost complete.
fn beginnings(value: &Value) -> Vec<Value> {
    let Value::S(whole) = value else {
        return Vec::new();
    };
    let ends = whole.char_indices().filter(|(_, c)| *c == '#');
    let mut all: Vec<Value> = ends.map(|(at, _)| text(&whole[..=at])).collect();
    let mut short = whole.clone();
    short.pop();
    all.push(Value::S(short));
    all
}

/// Queries an item collection in every way.
fn check_group(both: &mut Both, view: &View, group: &Group, index: Option<&str>) {
    let content = view.content.as_ref().unwrap();
    let key = content.key();
    let partition: Vec<_> = (key.partition.iter().zip(view.partition(group)))
        .map(|(key, value)| (key.name.clone(), SortOperator::Equal, vec![value]))
        .collect();
    both.pages(&query(index, &partition));
    let rows: Vec<_> = (group.rows.clone().filter_map(|at| view.rows.get(at))).collect();
    for (at, row) in rows.iter().enumerate().step_by(rows.len().div_ceil(3)) {
        let mut tests = partition.clone();
        for (number, sort) in key.sort.iter().enumerate() {
            let value = row.item.get(&sort.name).unwrap().to_value();
            let mut with = |operator, values: Vec<Value>| {
                let mut tests = tests.clone();
                tests.push((sort.name.clone(), operator, values));
                let mut request = query(index, &tests);
                both.pages(&request);
                request["ScanIndexForward"] = json!(false);
                request["Limit"] = json!(1 + (at + number) % 3);
                both.pages(&request);
            };
            for operator in RANGES {
                with(operator, vec![value.clone()]);
            }
            let other = rows[rows.len() - 1 - at]
                .item
                .get(&sort.name)
                .unwrap()
                .to_value();
            with(SortOperator::Between, vec![value.clone(), other]);
            for beginning in beginnings(&value) {
                with(SortOperator::BeginsWith, vec![beginning]);
            }
            tests.push((sort.name.clone(), SortOperator::Equal, vec![value]));
        }
    }
}

fn check_design(name: &str, design: &Design) -> Both {
    let mut both = Both::new(name, design);
    let items: Vec<_> = materialize_all(design).into_values().collect();
    for id in design.index_ids() {
        let view = view(design, id, &items);
        let index = (!id.is_primary()).then(|| design.index_name(id));
        for group in &view.groups {
            check_group(&mut both, &view, group, index);
        }
        let mut scan = json!({});
        if let Some(index) = index {
            scan["IndexName"] = json!(index);
        }
        both.compare("Scan", &scan);
        if id.is_primary() {
            let keys: Vec<Json> = (view.rows.iter().take(100))
                .map(|row| ours::wire(&both.stored.key_of(id, &row.item)))
                .collect();
            for consistent in [false, true] {
                for key in &keys {
                    both.compare(
                        "GetItem",
                        &json!({ "Key": key, "ConsistentRead": consistent }),
                    );
                }
                both.compare(
                    "BatchGetItem",
                    &json!({ "Keys": keys, "ConsistentRead": consistent }),
                );
            }
            both.compare("TransactGetItems", &json!({ "Keys": keys }));
        }
    }
    both
}

#[test]
fn library_reads_match_the_engine() {
    for pattern in library::patterns() {
        let both = check_design(pattern.name, &pattern.design().unwrap());
        assert!(both.answered > 20, "{}: {}", pattern.name, both.answered);
    }
}

#[test]
fn benchmark_reads_match_the_engine() {
    check_design("stress", &stress::design(12));
}
