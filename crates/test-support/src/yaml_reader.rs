//! Reads YAML as CloudFormation does, with an independent reader: short tags become the long form (`!Sub x` is
//! `{"Fn::Sub": "x"}`). Shared by the core tests and the engine check.

use saphyr::{LoadableYamlNode, Scalar, Yaml};
use serde_json::{Value, json};

/// The only document in `text`, as JSON.
pub fn read(text: &str) -> Value {
    let documents = Yaml::load_from_str(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert_eq!(documents.len(), 1, "one document\n{text}");
    json_of(&documents[0])
}

fn json_of(node: &Yaml) -> Value {
    match node {
        Yaml::Value(Scalar::Null) => Value::Null,
        Yaml::Value(Scalar::Boolean(value)) => json!(value),
        Yaml::Value(Scalar::Integer(value)) => json!(value),
        Yaml::Value(Scalar::String(text)) => json!(text),
        Yaml::Sequence(items) => items.iter().map(json_of).collect(),
        Yaml::Mapping(entries) => {
            let entries = entries.iter().map(|(key, value)| {
                let key = key.as_str().unwrap_or_else(|| panic!("key {key:?}"));
                (key.to_owned(), json_of(value))
            });
            Value::Object(entries.collect())
        }
        Yaml::Tagged(tag, content) => json!({ long_form(&tag.suffix): json_of(content) }),
        other => panic!("not in a template: {other:?}"),
    }
}

/// The long name of a short tag.
pub fn long_form(tag: &str) -> String {
    match tag {
        "Ref" | "Condition" => tag.to_owned(),
        tag => format!("Fn::{tag}"),
    }
}

/// Like [`read`], for one node; `None` if it contains something that no template has, such as a key that is not a
/// string.
#[allow(
    dead_code,
    reason = "the engine check shares this file but does not use it"
)]
pub fn plain(node: &Yaml) -> Option<Value> {
    let is_plain = match node {
        Yaml::Value(Scalar::FloatingPoint(_)) => false,
        Yaml::Value(_) => true,
        Yaml::Sequence(items) => items.iter().all(|item| plain(item).is_some()),
        Yaml::Mapping(entries) => {
            (entries.iter()).all(|(key, value)| key.as_str().is_some() && plain(value).is_some())
        }
        Yaml::Tagged(tag, content) => tag.handle == "!" && plain(content).is_some(),
        _ => false,
    };
    is_plain.then(|| json_of(node))
}
