//! `keyfold query`: queries from a file, answered with primary keys.

use crate::commands::{remark_failed, view_of};
use crate::source::{place, read_design, read_text};
use crate::{Outcome, Refusal};
use keyfold_core::engine::Item;
use keyfold_core::engine::query::{KeyCondition, KeyTest, Query, Rejection, SortTest, Stored};
use keyfold_core::model::{Design, IndexId, KeySchema, SortOperator, Value, json_fault_at};
use serde_json::{Map, Value as Json, json};
use std::path::Path;

/// Reads the queries, carries them out on the design's items and prints one answer for each.
pub fn answered(design: &Path, queries: &Path) -> Result<Outcome, Refusal> {
    if design == queries {
        return Err(Refusal(
            "the design and the queries cannot be the same file".to_owned(),
        ));
    }
    let design = read_design(design)?;
    let file = place(queries);
    let json: Json = serde_json::from_str(&read_text(queries)?)
        .map_err(|error| Refusal(format!("{file}: {}", json_fault_at(&error))))?;
    let Json::Array(list) = json else {
        return Err(Refusal(format!("{file}: a list of queries is needed")));
    };
    let mut wanted = Vec::new();
    for (at, query) in list.iter().enumerate() {
        let query = Wanted::read(query)
            .map_err(|Misread(path, why)| Refusal(format!("{file}: [{at}]{path}: {why}")))?;
        wanted.push(query);
    }
    let stored = Stored::of(&design);
    let answers = wanted.iter().map(|query| query.answer(&stored));
    let mut outcome = Outcome {
        text: format!("{:#}\n", Json::Array(answers.collect())),
        ..Outcome::default()
    };
    remark_failed(&design, &view_of(&design, IndexId::PRIMARY), &mut outcome);
    Ok(outcome)
}

/// Where in a query the mistake is, and what it is.
struct Misread(String, String);

fn misread<T>(path: &str, why: impl Into<String>) -> Result<T, Misread> {
    Err(Misread(path.to_owned(), why.into()))
}

/// One query as it stands in the file. Only with the design it turns out whether it can be one.
struct Wanted {
    id: Json,
    index: Option<String>,
    partition: Partition,
    sort: Vec<Sort>,
    descending: bool,
    limit: Option<u32>,
}

/// What `pk` says.
enum Partition {
    Nothing,
    /// The value of the only partition key attribute.
    One(Value),
    /// Values by attribute.
    Named(Vec<(String, Value)>),
    /// The one or the other: an attribute may be called as a type is.
    Either(Value, Vec<(String, Value)>),
}

/// A test of a sort key attribute; without a name the next one is meant.
struct Sort {
    attribute: Option<String>,
    test: SortTest,
}

impl Wanted {
    fn read(json: &Json) -> Result<Wanted, Misread> {
        let members = ["id", "index", "pk", "sk", "forward", "limit"];
        let query = object(json, "", &members)?;
        let id = match query.get("id") {
            Some(id @ (Json::String(_) | Json::Number(_))) => id.clone(),
            Some(_) => return misread(".id", "a string or a number is needed"),
            None => return misread("", "`id` is missing"),
        };
        let index = match query.get("index") {
            None | Some(Json::Null) => None,
            Some(Json::String(name)) => Some(name.clone()),
            Some(_) => return misread(".index", "the name of an index is needed"),
        };
        let descending = match query.get("forward") {
            None => false,
            Some(Json::Bool(forward)) => !forward,
            Some(_) => return misread(".forward", "true or false is needed"),
        };
        let limit = match query.get("limit") {
            None | Some(Json::Null) => None,
            Some(limit) => match limit.as_u64().and_then(|limit| u32::try_from(limit).ok()) {
                Some(limit) => Some(limit),
                None => return misread(".limit", "a whole number is needed"),
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
        Ok(Wanted {
            id,
            index,
            partition: Partition::read(query.get("pk"))?,
            sort,
            descending,
            limit,
        })
    }

    fn answer(&self, stored: &Stored) -> Json {
        let mut answer = json!({ "id": self.id, "keys": [] });
        match self.keys(stored) {
            Ok(keys) => answer["keys"] = keys,
            Err(error) => answer["error"] = json!(error),
        }
        answer
    }

    fn keys(&self, stored: &Stored) -> Result<Json, String> {
        let design = stored.design();
        let index = match &self.index {
            None => IndexId::PRIMARY,
            Some(name) => {
                (design.index_named(name)).ok_or_else(|| format!("there is no index `{name}`"))?
            }
        };
        let refused = |rejection: Rejection| rejection.to_string();
        let query = Query {
            descending: self.descending,
            limit: self.limit,
            ..Query::new(index, self.condition(design, index).map_err(refused)?)
        };
        // With a limit one page is wanted, not page after page of so many items.
        let pages = match self.limit {
            Some(_) => stored.query(&query).map(|page| vec![page]),
            None => stored.query_all(&query),
        };
        let pages = pages.map_err(refused)?;
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
    fn read(json: Option<&Json>) -> Result<Partition, Misread> {
        let json = match json {
            None | Some(Json::Null) => return Ok(Partition::Nothing),
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
            Partition::Nothing => return Vec::new(),
            Partition::Named(named) => return named.clone(),
            Partition::Either(_, named) if named.iter().all(is_key) => return named.clone(),
            Partition::Either(one, _) | Partition::One(one) => (one, schema.partition.first()),
        };
        let name = named.map_or_else(String::new, |key| key.name.clone());
        vec![(name, one.clone())]
    }
}

impl Sort {
    fn read(json: &Json, path: &str) -> Result<Sort, Misread> {
        let test = object(json, path, &["attr", "op", "value", "value2"])?;
        let attribute = match test.get("attr") {
            None => None,
            Some(Json::String(name)) => Some(name.clone()),
            Some(_) => {
                return misread(
                    &format!("{path}.attr"),
                    "the name of an attribute is needed",
                );
            }
        };
        let words = SortOperator::ALL.map(SortOperator::symbol).join(" ");
        let word = test.get("op").and_then(Json::as_str);
        let operator = word.and_then(SortOperator::from_symbol);
        let Some(operator) = operator else {
            return misread(&format!("{path}.op"), format!("one of {words} is needed"));
        };
        let Some(first) = test.get("value") else {
            return misread(path, "`value` is missing");
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

/// The members of an object that has none but these.
fn object<'a>(
    json: &'a Json,
    path: &str,
    members: &[&str],
) -> Result<&'a Map<String, Json>, Misread> {
    let Json::Object(map) = json else {
        return misread(
            path,
            format!("an object with {} is needed", members.join(", ")),
        );
    };
    match map.keys().find(|name| !members.contains(&name.as_str())) {
        Some(other) => misread(
            path,
            format!(
                "`{other}` has no meaning here: there are {}",
                members.join(", ")
            ),
        ),
        None => Ok(map),
    }
}

/// A value, plain or as DynamoDB JSON.
fn value(json: &Json, path: &str) -> Result<Value, Misread> {
    serde_json::from_value(json.clone()).or_else(|error| misread(path, error.to_string()))
}

/// The primary key of an item, as an answer has it.
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
