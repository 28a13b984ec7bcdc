//! Evaluates a template like CloudFormation does before it calls DynamoDB: parameters, conditions, functions; then
//! makes the CreateTable call from the table's properties.

use keyfold_core::model::SortedMap;
use serde_json::{Map, Value, json};

/// The properties of the template's only `AWS::DynamoDB::Table`, with all functions evaluated. `parameters` override
/// the defaults.
pub fn table_properties(template: &Value, parameters: &[(&str, &str)]) -> Value {
    let defaults = template["Parameters"].as_object().into_iter().flatten();
    let mut values: SortedMap<&str, Value> = defaults
        .map(|(name, parameter)| (name.as_str(), parameter["Default"].clone()))
        .collect();
    for (name, value) in parameters {
        assert!(values.contains_key(name), "no parameter {name}");
        values.insert(name, json!(value));
    }
    values.insert("AWS::Region", json!("us-east-1"));
    let resources = template["Resources"].as_object().expect("Resources");
    let is_table = |resource: &&Value| {
        let kind = resource["Type"].as_str().unwrap_or_default();
        matches!(kind, "AWS::DynamoDB::Table" | "AWS::DynamoDB::GlobalTable")
    };
    let mut tables = resources.values().filter(is_table);
    let table = tables.next().expect("a table");
    assert!(tables.next().is_none(), "one table");
    let functions = Functions {
        values,
        conditions: &template["Conditions"],
    };
    let properties = functions.resolve(&table["Properties"]);
    match table["Type"] == "AWS::DynamoDB::GlobalTable" {
        true => local_properties(properties),
        false => properties,
    }
}

/// The properties of a global table as those of a table in its own Region, the first replica.
fn local_properties(mut global: Value) -> Value {
    let own = global["Replicas"][0].take();
    let indexes = own["GlobalSecondaryIndexes"].as_array();
    for index in global["GlobalSecondaryIndexes"]
        .as_array_mut()
        .into_iter()
        .flatten()
    {
        let own = indexes
            .into_iter()
            .flatten()
            .find(|own| own["IndexName"] == index["IndexName"]);
        take_local(index, own.unwrap_or(&Value::Null));
    }
    take_local(&mut global, &own);
    global["TableClass"] = own["TableClass"].clone();
    global["DeletionProtectionEnabled"] = own["DeletionProtectionEnabled"].clone();
    let properties = global.as_object_mut().expect("properties");
    properties.retain(|name, value| {
        !value.is_null() && !matches!(name.as_str(), "Replicas" | "MultiRegionConsistency")
    });
    global
}

/// Capacity: writes of all Regions, reads of one.
fn take_local(whole: &mut Value, own: &Value) {
    let whole = whole.as_object_mut().expect("a map");
    let write = whole.remove("WriteProvisionedThroughputSettings");
    if let Some(write) = write {
        let read = &own["ReadProvisionedThroughputSettings"];
        let units = |settings: &Value, scaling: &str, fixed: &str| match &settings[scaling] {
            Value::Null => settings[fixed].clone(),
            scaling => scaling["SeedCapacity"].clone(),
        };
        let throughput = json!({
            "ReadCapacityUnits": units(read, "ReadCapacityAutoScalingSettings", "ReadCapacityUnits"),
            "WriteCapacityUnits": units(&write, "WriteCapacityAutoScalingSettings", ""),
        });
        whole.insert("ProvisionedThroughput".to_owned(), throughput);
    }
    whole.remove("WriteOnDemandThroughputSettings");
}

struct Functions<'a> {
    values: SortedMap<&'a str, Value>,
    conditions: &'a Value,
}

impl Functions<'_> {
    fn resolve(&self, value: &Value) -> Value {
        match value {
            Value::Array(items) => items.iter().map(|item| self.resolve(item)).collect(),
            Value::Object(map) if map.len() == 1 => {
                let (name, argument) = map.iter().next().unwrap();
                self.call(name, argument)
                    .unwrap_or_else(|| self.resolve_all(map))
            }
            Value::Object(map) => self.resolve_all(map),
            flat => flat.clone(),
        }
    }

    fn resolve_all(&self, map: &Map<String, Value>) -> Value {
        let resolved = map
            .iter()
            .map(|(key, value)| (key.clone(), self.resolve(value)));
        Value::Object(resolved.collect())
    }

    /// The result of a function; `None` if no function has this name, and the map is a plain map.
    fn call(&self, name: &str, argument: &Value) -> Option<Value> {
        let operand = |at: usize| self.resolve(&argument[at]);
        Some(match name {
            "Ref" => self.values[argument.as_str().unwrap()].clone(),
            "Fn::Sub" => json!(self.substitute(argument.as_str().unwrap())),
            "Fn::Equals" => json!(operand(0) == operand(1)),
            "Fn::Not" => json!(operand(0) == false),
            "Fn::If" => {
                let condition = &self.conditions[argument[0].as_str().unwrap()];
                operand(if self.resolve(condition) == true {
                    1
                } else {
                    2
                })
            }
            name if name.starts_with("Fn::") => panic!("{name} is not understood here"),
            _ => return None,
        })
    }

    fn substitute(&self, text: &str) -> String {
        let mut parts = text.split("${");
        let mut result = parts.next().unwrap().to_owned();
        for part in parts {
            let (name, rest) = part.split_once('}').expect("a closing brace");
            result.push_str(self.values[name].as_str().unwrap());
            result.push_str(rest);
        }
        result
    }
}

/// The CreateTable request for these properties, and the TTL specification, which is a separate call. Fails on a
/// property that CreateTable does not have and that is not listed here.
pub fn create_table_request(properties: &Value) -> (Value, Option<Value>) {
    let mut request = Map::new();
    let mut ttl = None;
    for (name, value) in properties.as_object().expect("properties") {
        let mut value = value.clone();
        match name.as_str() {
            "TableName"
            | "BillingMode"
            | "ProvisionedThroughput"
            | "OnDemandThroughput"
            | "WarmThroughput"
            | "TableClass"
            | "AttributeDefinitions"
            | "KeySchema"
            | "LocalSecondaryIndexes"
            | "DeletionProtectionEnabled"
            | "Tags" => {}
            "GlobalSecondaryIndexes" => {
                for index in value.as_array_mut().expect("a list of indexes") {
                    // Set by UpdateContributorInsights.
                    let index = index.as_object_mut().expect("an index");
                    index.remove("ContributorInsightsSpecification");
                }
            }
            "StreamSpecification" => value["StreamEnabled"] = json!(true),
            "SSESpecification" => {
                let enabled = value.as_object_mut().unwrap().remove("SSEEnabled");
                value["Enabled"] = enabled.expect("SSEEnabled");
            }
            "ResourcePolicy" => value = json!(value["PolicyDocument"].to_string()),
            "TimeToLiveSpecification" => {
                ttl = Some(value);
                continue;
            }
            // Separate calls that do not change what can be stored or read.
            "PointInTimeRecoverySpecification"
            | "ContributorInsightsSpecification"
            | "KinesisStreamSpecification" => continue,
            other => panic!("AWS::DynamoDB::Table has no property {other} known here"),
        }
        request.insert(name.clone(), value);
    }
    (Value::Object(request), ttl)
}
