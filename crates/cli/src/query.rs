//! `keyfold query`: runs the queries of a file and returns primary keys.

use crate::args::QueryArgs;
use crate::items::{index_named, report_rejected, view_of};
use crate::outcome::{Outcome, Refusal};
use crate::source::{place, read_source, read_text};
use keyfold_core::engine::Item;
use keyfold_core::engine::query::{
    KeyCondition, KeyTest, Query, Rejection, SortTest, TableSnapshot,
};
use keyfold_core::model::{Design, IndexId, KeySchema, SortOperator, Value, json_fault_at};
use serde_json::{Map, Value as Json, json};

/// Runs the queries on the items of the design and prints one answer for each.
pub fn query(args: &QueryArgs) -> Result<Outcome, Refusal> {
    let file = place(&args.queries);
    if args.design == args.queries {
        return Err(Refusal(format!(
            "{file}: cannot be both the design and its queries. Name two files."
        )));
    }
    let source = read_source(&args.design)?;
    let design = &source.design;
    let json: Json = serde_json::from_str(&read_text(&args.queries)?)
        .map_err(|error| Refusal(format!("{file}: {}", json_fault_at(&error))))?;
    let Json::Array(list) = json else {
        return Err(Refusal(format!("{file}: expected a list of queries")));
    };
    let mut queries = Vec::new();
    for (at, query) in list.iter().enumerate() {
        let query = QuerySpec::read(query)
            .map_err(|InvalidQuery(path, why)| Refusal(format!("{file}: [{at}]{path}: {why}")))?;
        let index = query.index_of(design);
        let index =
            index.map_err(|Refusal(why)| Refusal(format!("{file}: [{at}].index: {why}")))?;
        queries.push((query, index));
    }
    let stored = TableSnapshot::of(design);
    let answers = queries.iter();
    let answers: Vec<Json> = answers
        .map(|(query, index)| query.answer(&stored, *index))
        .collect();
    let mut outcome = Outcome {
        findings: answers.iter().any(|answer| answer.get("error").is_some()),
        text: format!("{:#}\n", Json::Array(answers)),
        remarks: source.warnings,
    };
    report_rejected(design, &view_of(design, IndexId::PRIMARY), &mut outcome);
    Ok(outcome)
}

/// The path of an error in a query, and its message.
struct InvalidQuery(String, String);

fn invalid<T>(path: &str, why: impl Into<String>) -> Result<T, InvalidQuery> {
    Err(InvalidQuery(path.to_owned(), why.into()))
}

/// A query as the file has it, not checked against the design.
struct QuerySpec {
    id: Json,
    index: Option<String>,
    partition: Partition,
    sort: Vec<Sort>,
    descending: bool,
    limit: Option<u32>,
}

/// The values of `pk`.
enum Partition {
    Absent,
    /// The value of the first partition key attribute.
    One(Value),
    /// Values by attribute.
    Named(Vec<(String, Value)>),
    /// Either of them: an attribute may have the name of a type, such as `S`.
    Either(Value, Vec<(String, Value)>),
}

/// A test of a sort key attribute. Without a name it tests the attribute at its own position.
struct Sort {
    attribute: Option<String>,
    test: SortTest,
}

impl QuerySpec {
    fn read(json: &Json) -> Result<QuerySpec, InvalidQuery> {
        let members = ["id", "index", "pk", "sk", "forward", "limit"];
        let query = object(json, "", &members)?;
        let id = match query.get("id") {
            Some(id @ (Json::String(_) | Json::Number(_))) => id.clone(),
            Some(_) => return invalid(".id", "expected a string or a number"),
            None => return invalid("", "`id` is missing"),
        };
        let index = match query.get("index") {
            None | Some(Json::Null) => None,
            Some(Json::String(name)) => Some(name.clone()),
            Some(_) => return invalid(".index", "expected the name of an index"),
        };
        let descending = match query.get("forward") {
            None => false,
            Some(Json::Bool(forward)) => !forward,
            Some(_) => return invalid(".forward", "expected true or false"),
        };
        let limit = match query.get("limit") {
            None | Some(Json::Null) => None,
            Some(limit) => match limit.as_u64().and_then(|limit| u32::try_from(limit).ok()) {
                Some(limit) => Some(limit),
                None => return invalid(".limit", "expected a whole number"),
            },
        };
        let sort = match query.get("sk") {
            None | Some(Json::Null) => Vec::new(),
            Some(Json::Array(list)) => {
                let mut tests = Vec::new();
                for (at, test) in list.iter().enumerate() {
                    tests.push(Sort::read(test, &format!(".sk[{at}]"))?);
                }
                tests
            }
            Some(test) => vec![Sort::read(test, ".sk")?],
        };
        Ok(QuerySpec {
            id,
            index,
            partition: Partition::read(query.get("pk"))?,
            sort,
            descending,
            limit,
        })
    }

    fn index_of(&self, design: &Design) -> Result<IndexId, Refusal> {
        let named = self.index.as_ref().map(|name| index_named(design, name));
        named.unwrap_or(Ok(IndexId::PRIMARY))
    }

    fn answer(&self, stored: &TableSnapshot, index: IndexId) -> Json {
        let mut answer = json!({ "id": self.id, "keys": [] });
        match self.keys(stored, index) {
            Ok(keys) => answer["keys"] = keys,
            Err(rejection) => answer["error"] = json!(rejection.to_string()),
        }
        answer
    }

    fn keys(&self, stored: &TableSnapshot, index: IndexId) -> Result<Json, Rejection> {
        let design = stored.design();
        let query = Query {
            descending: self.descending,
            limit: self.limit,
            ..Query::new(index, self.condition(design, index)?)
        };
        // With a limit, `query_all` would read page after page of that many items.
        let pages = match self.limit {
            Some(_) => stored.query(&query).map(|page| vec![page]),
            None => stored.query_all(&query),
        }?;
        let items = pages.iter().flat_map(|page| &page.items);
        Ok(items.map(|item| key(design, item)).collect())
    }

    fn condition(&self, design: &Design, index: IndexId) -> Result<KeyCondition, Rejection> {
        let none = KeySchema {
            partition: Vec::new(),
            sort: Vec::new(),
        };
        let schema = design.key(index).unwrap_or(&none);
        let mut tests = Vec::new();
        for (attribute, value) in self.partition.values(schema) {
            let test = SortTest::new(SortOperator::Equal, value);
            tests.push(KeyTest { attribute, test });
        }
        for (at, sort) in self.sort.iter().enumerate() {
            let attribute = match (&sort.attribute, schema.sort.get(at)) {
                (Some(name), _) => name.clone(),
                (None, Some(key)) => key.name.clone(),
                (None, None) => {
                    return Err(Rejection::NotAKey {
                        attribute: String::new(),
                        key: schema.attributes().map(|key| key.name.clone()).collect(),
                    });
                }
            };
            let test = sort.test.clone();
            tests.push(KeyTest { attribute, test });
        }
        KeyCondition::of(schema, tests)
    }
}

impl Partition {
    fn read(json: Option<&Json>) -> Result<Partition, InvalidQuery> {
        let json = match json {
            None | Some(Json::Null) => return Ok(Partition::Absent),
            Some(json) => json,
        };
        let Json::Object(map) = json else {
            return Ok(Partition::One(value(json, ".pk")?));
        };
        let mut named = Ok(Vec::new());
        for (name, json) in map {
            let value = value(json, &format!(".pk.{name}"));
            named = named.and_then(|mut named| {
                named.push((name.clone(), value?));
                Ok(named)
            });
        }
        match (Value::from_dynamodb_json(json), named) {
            (Ok(one), Ok(named)) => Ok(Partition::Either(one, named)),
            (Ok(one), Err(_)) => Ok(Partition::One(one)),
            (Err(_), named) => named.map(Partition::Named),
        }
    }

    fn values(&self, schema: &KeySchema) -> Vec<(String, Value)> {
        let is_key = |(name, _): &(String, Value)| schema.attributes().any(|key| key.name == *name);
        let (one, named) = match self {
            Partition::Absent => return Vec::new(),
            Partition::Named(named) => return named.clone(),
            Partition::Either(_, named) if named.iter().all(is_key) => return named.clone(),
            Partition::Either(one, _) | Partition::One(one) => (one, schema.partition.first()),
        };
        let name = named.map_or_else(String::new, |key| key.name.clone());
        vec![(name, one.clone())]
    }
}

impl Sort {
    fn read(json: &Json, path: &str) -> Result<Sort, InvalidQuery> {
        let test = object(json, path, &["attr", "op", "value", "value2"])?;
        let attribute = match test.get("attr") {
            None => None,
            Some(Json::String(name)) => Some(name.clone()),
            Some(_) => {
                return invalid(&format!("{path}.attr"), "expected the name of an attribute");
            }
        };
        let words = SortOperator::ALL.map(SortOperator::symbol).join(" ");
        let word = test.get("op").and_then(Json::as_str);
        let operator = word.and_then(SortOperator::from_symbol);
        let Some(operator) = operator else {
            return invalid(&format!("{path}.op"), format!("expected one of {words}"));
        };
        let Some(first) = test.get("value") else {
            return invalid(path, "`value` is missing");
        };
        let upper = match test.get("value2") {
            None | Some(Json::Null) => None,
            Some(json) => Some(value(json, &format!("{path}.value2"))?),
        };
        let test = SortTest {
            operator,
            value: value(first, &format!("{path}.value"))?,
            upper,
        };
        Ok(Sort { attribute, test })
    }
}

/// Returns the members of an object that has no others than `members`.
fn object<'a>(
    json: &'a Json,
    path: &str,
    members: &[&str],
) -> Result<&'a Map<String, Json>, InvalidQuery> {
    let Json::Object(map) = json else {
        return invalid(
            path,
            format!("expected an object with {}", members.join(", ")),
        );
    };
    match map.keys().find(|name| !members.contains(&name.as_str())) {
        Some(other) => invalid(
            path,
            format!(
                "unknown member `{other}`. The members are {}",
                members.join(", ")
            ),
        ),
        None => Ok(map),
    }
}

/// Reads a value, plain or as DynamoDB JSON.
fn value(json: &Json, path: &str) -> Result<Value, InvalidQuery> {
    serde_json::from_value(json.clone()).or_else(|error| invalid(path, error.to_string()))
}

/// Returns the primary key of an item as the answer has it: `PK`, `SK`.
fn key(design: &Design, item: &Item) -> Json {
    let mut key = Map::new();
    let sides = [
        ("PK", &design.table.key.partition),
        ("SK", &design.table.key.sort),
    ];
    for (name, side) in sides {
        if let Some(value) = side.first().and_then(|attribute| item.get(&attribute.name)) {
            key.insert(name.to_owned(), json!(value.value()));
        }
    }
    Json::Object(key)
}
