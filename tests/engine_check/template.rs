//! What CloudFormation does with a template before it calls DynamoDB: parameters, conditions, functions; and
//! the CreateTable call that the table's properties become.

use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// The properties of the template's one `AWS::DynamoDB::Table`, with every function worked out. `parameters`
/// are those that differ from their defaults.
pub fn table_properties(template: &Value, parameters: &[(&str, &str)]) -> Value {
    let defaults = template["Parameters"].as_object().into_iter().flatten();
    let mut values: BTreeMap<&str, Value> = defaults
        .map(|(name, parameter)| (name.as_str(), parameter["Default"].clone()))
        .collect();
    for (name, value) in parameters {
        assert!(values.contains_key(name), "no parameter {name}");
        values.insert(name, json!(value));
    }
    let resources = template["Resources"].as_object().expect("Resources");
    let mut tables = resources
        .values()
        .filter(|resource| resource["Type"] == "AWS::DynamoDB::Table");
    let table = tables.next().expect("a table");
    assert!(tables.next().is_none(), "one table");
    let functions = Functions {
        values,
        conditions: &template["Conditions"],
    };
    functions.resolve(&table["Properties"])
}

struct Functions<'a> {
    values: BTreeMap<&'a str, Value>,
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

    /// The result of a function; `None`: there is none of this name, so the map is just a map.
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

/// The CreateTable request for these properties, and the TTL specification, which is a call of its own.
/// A property that CreateTable does not know, and that is not listed here, is an error.
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
            // Calls of their own, which do not change what can be stored or read.
            "PointInTimeRecoverySpecification"
            | "ContributorInsightsSpecification"
            | "KinesisStreamSpecification" => continue,
            other => panic!("AWS::DynamoDB::Table has no property {other} known here"),
        }
        request.insert(name.clone(), value);
    }
    (Value::Object(request), ttl)
}
