//! A DynamoDB table in memory, created from a template. Items, keys and responses are DynamoDB JSON (`{"PK": {"S":
//! "USER#1"}}`); errors are DynamoDB's messages.

use super::template::{create_table_request, table_properties};
use dynoxide::Database;
use keyfold_test_support::yaml_reader;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

/// A table in its own engine.
pub struct Db {
    database: Database,
    table: String,
}

/// Creates the table of a template, with the default parameters.
pub fn create_table(template_yaml: &str) -> Db {
    create_table_with(template_yaml, &[]).unwrap_or_else(|error| panic!("{error}\n{template_yaml}"))
}

/// Creates the table of a template, with these parameters.
pub fn create_table_with(template_yaml: &str, parameters: &[(&str, &str)]) -> Result<Db, String> {
    let properties = table_properties(&yaml_reader::read(template_yaml), parameters);
    let (request, ttl) = create_table_request(&properties);
    create_table_by(request, ttl)
}

/// Creates a table from a CreateTable request, then sets the TTL specification.
pub fn create_table_by(request: Value, ttl: Option<Value>) -> Result<Db, String> {
    let database = Database::memory().map_err(|error| error.to_string())?;
    let table = request["TableName"].as_str().expect("a name").to_owned();
    (database.create_table(typed(request)?)).map_err(|error| error.to_string())?;
    if let Some(ttl) = ttl {
        let request = json!({ "TableName": table, "TimeToLiveSpecification": ttl });
        (database.update_time_to_live(typed(request)?)).map_err(|error| error.to_string())?;
    }
    Ok(Db { database, table })
}

impl Db {
    /// The `Table` member of DescribeTable.
    pub fn describe(&self) -> Value {
        let request = typed(json!({ "TableName": self.table })).unwrap();
        let response = self.database.describe_table(request).unwrap();
        serde_json::to_value(response).unwrap()["Table"].take()
    }

    /// The attribute that DescribeTimeToLive returns, if TTL is enabled.
    pub fn ttl_attribute(&self) -> Option<String> {
        let request = typed(json!({ "TableName": self.table })).unwrap();
        let response = self.database.describe_time_to_live(request).unwrap();
        let response = serde_json::to_value(response).unwrap();
        let attribute = &response["TimeToLiveDescription"]["AttributeName"];
        attribute.as_str().map(str::to_owned)
    }

    /// Puts an item. The error is DynamoDB's message, for example about the type of a key attribute.
    pub fn try_put(&self, item: &Value) -> Result<(), String> {
        let request = typed(json!({ "TableName": self.table, "Item": item }))?;
        (self.database.put_item(request).map(drop)).map_err(|error| error.to_string())
    }

    /// Puts an item that must be accepted.
    pub fn put(&self, item: &Value) {
        self.try_put(item)
            .unwrap_or_else(|error| panic!("{error}\n{item}"));
    }

    /// Runs a BatchWriteItem request; no item may stay unprocessed.
    pub fn batch_write(&self, requests: &Value) {
        let request =
            typed(json!({ "RequestItems": requests })).unwrap_or_else(|error| panic!("{error}"));
        let response = self.database.batch_write_item(request);
        let response = json_of(response.unwrap_or_else(|error| panic!("{error}\n{requests}")));
        let left = response["UnprocessedItems"]
            .as_object()
            .is_none_or(|left| left.is_empty());
        assert!(left, "{response}");
    }

    /// Puts an item; returns the write units consumed by the table and its indexes.
    pub fn put_units(&self, item: &Value) -> f64 {
        let request = json!({
            "TableName": self.table, "Item": item, "ReturnConsumedCapacity": "TOTAL",
        });
        let response = self.database.put_item(typed(request).unwrap());
        units(response.unwrap_or_else(|error| panic!("{error}")))
    }

    /// Gets an item; returns the consumed read units.
    pub fn get_units(&self, key: &Value, consistent: bool) -> f64 {
        let request = json!({
            "TableName": self.table, "Key": key, "ConsistentRead": consistent,
            "ReturnConsumedCapacity": "TOTAL",
        });
        let response = self.database.get_item(typed(request).unwrap());
        units(response.unwrap_or_else(|error| panic!("{error}")))
    }

    /// Returns the item of a GetItem request. Adds the table name.
    pub fn get(&self, mut request: Value) -> Option<Value> {
        request["TableName"] = json!(self.table);
        let response = self.database.get_item(typed(request).unwrap());
        let mut response = json_of(response.unwrap_or_else(|error| panic!("{error}")));
        (!response["Item"].is_null()).then(|| response["Item"].take())
    }

    /// Runs the actions of a TransactWriteItems request.
    pub fn transact_write(&self, actions: &[Value]) -> Result<(), String> {
        let request = typed(json!({ "TransactItems": actions }))?;
        let done = self.database.transact_write_items(request).map(drop);
        done.map_err(|error| error.to_string())
    }

    /// Returns the response to a request, with the consumed capacity. Adds the table name.
    pub fn ask(&self, operation: &str, mut request: Value) -> Result<Value, String> {
        request["ReturnConsumedCapacity"] = json!("TOTAL");
        if !operation.contains("Transact") && operation != "BatchGetItem" {
            request["TableName"] = json!(self.table);
        }
        let database = &self.database;
        match operation {
            "Query" => answer(database.query(typed(request)?)),
            "Scan" => answer(database.scan(typed(request)?)),
            "GetItem" => answer(database.get_item(typed(request)?)),
            "BatchGetItem" => answer(database.batch_get_item(typed(request)?)),
            "TransactGetItems" => answer(database.transact_get_items(typed(request)?)),
            "PutItem" => answer(database.put_item(typed(request)?)),
            "UpdateItem" => answer(database.update_item(typed(request)?)),
            "DeleteItem" => answer(database.delete_item(typed(request)?)),
            "TransactWriteItems" => answer(database.transact_write_items(typed(request)?)),
            other => panic!("no operation {other}"),
        }
    }

    /// Returns the items of a PartiQL statement.
    pub fn statement(&self, statement: &str) -> Result<Vec<Value>, String> {
        let request = typed(json!({ "Statement": statement }))?;
        let mut response = answer(self.database.execute_statement(request))?;
        match response["Items"].take() {
            Value::Array(items) => Ok(items),
            other => Err(format!("no items: {other}")),
        }
    }

    /// The table name.
    pub fn table(&self) -> &str {
        &self.table
    }

    /// All items of an item collection in the engine's order, by the value of each partition key attribute; `None`
    /// for `index` is the table.
    pub fn query_all(&self, index: Option<&str>, partition: &[(&str, Value)]) -> Vec<Value> {
        let (mut names, mut values, mut terms) = (Map::new(), Map::new(), Vec::new());
        for (number, (name, value)) in partition.iter().enumerate() {
            names.insert(format!("#p{number}"), json!(name));
            values.insert(format!(":p{number}"), value.clone());
            terms.push(format!("#p{number} = :p{number}"));
        }
        let mut request = json!({
            "KeyConditionExpression": terms.join(" AND "),
            "ExpressionAttributeNames": names,
            "ExpressionAttributeValues": values,
        });
        if let Some(index) = index {
            request["IndexName"] = json!(index);
        }
        self.query(request.clone())
            .unwrap_or_else(|error| panic!("{error}\n{request}"))
    }

    /// All items of a Query request, over all pages. Adds the table name.
    pub fn query(&self, request: Value) -> Result<Vec<Value>, String> {
        self.pages(request, |database, request| {
            let response = database.query(typed(request)?);
            response.map(json_of).map_err(|error| error.to_string())
        })
    }

    /// All items of the table or an index, in no particular order.
    pub fn scan(&self, index: Option<&str>) -> Vec<Value> {
        let request = match index {
            Some(index) => json!({ "IndexName": index }),
            None => json!({}),
        };
        let items = self.pages(request, |database, request| {
            let response = database.scan(typed(request)?);
            response.map(json_of).map_err(|error| error.to_string())
        });
        items.unwrap()
    }

    fn pages(
        &self,
        mut request: Value,
        call: impl Fn(&Database, Value) -> Result<Value, String>,
    ) -> Result<Vec<Value>, String> {
        request["TableName"] = json!(self.table);
        let mut items = Vec::new();
        loop {
            let mut response = call(&self.database, request.clone())?;
            if let Value::Array(page) = response["Items"].take() {
                items.extend(page);
            }
            match response["LastEvaluatedKey"].take() {
                Value::Null => return Ok(items),
                last => request["ExclusiveStartKey"] = last,
            }
        }
    }
}

fn answer<T: serde::Serialize>(
    response: Result<T, dynoxide::errors::DynoxideError>,
) -> Result<Value, String> {
    response.map(json_of).map_err(|error| error.to_string())
}

fn units(response: impl serde::Serialize) -> f64 {
    let response = json_of(response);
    let units = &response["ConsumedCapacity"]["CapacityUnits"];
    units.as_f64().expect("the figure exists")
}

fn json_of(response: impl serde::Serialize) -> Value {
    serde_json::to_value(response).expect("a response is JSON")
}

fn typed<T: DeserializeOwned>(request: Value) -> Result<T, String> {
    serde_json::from_value(request).map_err(|error| error.to_string())
}
