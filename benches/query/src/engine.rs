//! The same items in dynoxide-rs, in memory.

use dynoxide::Database;
use dynoxide::actions::query::QueryRequest;
use keyfold_core::engine::Items;
use keyfold_core::engine::query::{Attributes, Query};
use keyfold_core::model::{Design, IndexId, KeySchema, SortOperator, Value};
use serde_json::{Map, Value as Json, json};
use std::sync::Arc;

const TABLE: &str = "Stress";

/// A table in memory with its items.
pub struct Engine {
    database: Database,
}

impl Engine {
    /// The table of a design with these items.
    pub fn new(design: &Design, items: &[Arc<Items>]) -> Engine {
        let keys = |key: &KeySchema| {
            json!([
                { "AttributeName": key.partition[0].name, "KeyType": "HASH" },
                { "AttributeName": key.sort[0].name, "KeyType": "RANGE" },
            ])
        };
        let index = |id: &IndexId| {
            json!({
                "IndexName": design.index_name(*id),
                "KeySchema": keys(design.key(*id).unwrap()),
                "Projection": { "ProjectionType": "ALL" },
            })
        };
        let attributes = design
            .index_ids()
            .flat_map(|id| design.key(id).unwrap().attributes());
        let attributes =
            attributes.map(|key| json!({ "AttributeName": key.name, "AttributeType": "S" }));
        let request = json!({
            "TableName": TABLE,
            "BillingMode": "PAY_PER_REQUEST",
            "KeySchema": keys(&design.table.key),
            "AttributeDefinitions": attributes.collect::<Vec<_>>(),
            "GlobalSecondaryIndexes": design.indexes.keys().map(index).collect::<Vec<_>>(),
        });
        let database = Database::memory().unwrap();
        database
            .create_table(serde_json::from_value(request).unwrap())
            .unwrap();
        let all = items.iter().flat_map(|items| items.iter());
        let all: Vec<_> = all
            .map(|item| {
                let attributes = item.attributes();
                let fields = attributes
                    .into_iter()
                    .map(|(name, value)| (name.to_owned(), value.to_value().to_dynamodb_json()));
                serde_json::from_value(Json::Object(fields.collect::<Map<_, _>>())).unwrap()
            })
            .collect();
        database
            .import_items(TABLE, all, Default::default())
            .unwrap();
        Engine { database }
    }

    /// A query in DynamoDB's form.
    pub fn request(&self, design: &Design, query: &Query) -> Json {
        let key = design.key(query.index).unwrap();
        let mut request = json!({
            "TableName": TABLE,
            "ScanIndexForward": !query.descending,
            "ExpressionAttributeNames": { "#p": key.partition[0].name },
            "ExpressionAttributeValues": { ":p": query.key.partition[0].to_dynamodb_json() },
        });
        let mut condition = "#p = :p".to_owned();
        if let Some(test) = query.key.sort.first() {
            request["ExpressionAttributeNames"]["#s"] = json!(key.sort[0].name);
            request["ExpressionAttributeValues"][":s"] = test.value.to_dynamodb_json();
            condition.push_str(match test.operator {
                SortOperator::BeginsWith => " AND begins_with(#s, :s)",
                SortOperator::Between => " AND #s BETWEEN :s AND :t",
                _ => " AND #s = :s",
            });
            if let Some(upper) = &test.upper {
                request["ExpressionAttributeValues"][":t"] = upper.to_dynamodb_json();
            }
        }
        request["KeyConditionExpression"] = json!(condition);
        if !query.index.is_primary() {
            request["IndexName"] = json!(design.index_name(query.index));
        }
        if let Some(limit) = query.limit {
            request["Limit"] = json!(limit);
        }
        request
    }

    /// The request as the engine takes it, so that no JSON is read while it is measured.
    pub fn typed(&self, request: &Json) -> QueryRequest {
        serde_json::from_value(request.clone()).unwrap()
    }

    /// Carries out requests; the number of items.
    pub fn query_all(&self, requests: Vec<QueryRequest>) -> usize {
        let answers = requests
            .into_iter()
            .map(|request| self.database.query(request).unwrap().count);
        answers.sum()
    }

    /// The items that a request returns.
    pub fn answer(&self, request: &Json) -> Vec<Attributes> {
        let answer = self.database.query(self.typed(request)).unwrap();
        let read = |json: &Json| {
            let fields = json.as_object().unwrap().iter();
            let fields = fields
                .map(|(name, value)| (name.clone(), Value::from_dynamodb_json(value).unwrap()));
            fields.collect()
        };
        let items = serde_json::to_value(answer.items.unwrap_or_default()).unwrap();
        items.as_array().unwrap().iter().map(read).collect()
    }
}
