//! Names and values of fields in words: AWS's terms where it has them.

use crate::diff::is_order;
use crate::part::Part;
use keyfold_core::model::{
    Condition, Design, Format, IndexId, KeyAttribute, Operation, Projection, Rate, SampleId, Skew,
    SortCondition, Value, short, words,
};
use serde_json::Value as Json;

/// A piece of a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Piece {
    /// Words, with the spaces around code.
    Words(String),
    /// A name or a value as the author wrote it.
    Code(String),
}

/// Returns the pieces of a sentence with names in backticks.
pub fn pieces(text: &str) -> Vec<Piece> {
    let parts = text.split('`').enumerate();
    let parts = parts.filter(|(_, part)| !part.is_empty());
    parts
        .map(|(at, part)| match at % 2 {
            0 => Piece::Words(part.to_owned()),
            _ => Piece::Code(part.to_owned()),
        })
        .collect()
}

/// Words of fields that their names do not give.
const FIELDS: &[(&str, &str)] = &[
    ("partition", "partition key template"),
    ("sort", "sort key template"),
    ("when", "condition"),
    ("key", "key"),
    ("kind", "kind"),
    ("keyOnly", "key-only"),
    ("hue", "color"),
    ("values", "value"),
    ("sample", "sample of the parameters"),
    ("entities", "intended entities"),
    ("parameters", "parameter"),
    ("rate", "rate"),
    ("average", "average rate"),
    ("puts", "shares of the puts"),
    ("failed", "failed writes"),
    ("growth", "growth per month"),
    ("retention", "retention in days"),
    ("bytes", "item size in bytes"),
    ("backupGB", "on-demand backups in GB"),
    ("exportGB", "exports per month in GB"),
    ("region", "Region"),
    ("prices", "price"),
    ("format", "sample format"),
    ("typeAttribute", "type attribute"),
    ("billing", "billing mode"),
    ("class", "table class"),
    ("ttlAttribute", "TTL attribute"),
    ("recovery", "point-in-time recovery"),
    ("contributorInsights", "CloudWatch Contributor Insights"),
    ("kinesis", "Kinesis data stream"),
    ("resourcePolicy", "resource-based policy"),
    ("tags", "tag"),
    ("provisioned", "provisioned capacity"),
    ("maxRequestUnits", "maximum request units"),
    ("onConflict", "rule for values with the delimiter"),
    ("consistent", "strongly consistent read"),
    ("filter", "filter expression"),
    ("condition", "condition expression"),
    ("update", "update expression"),
    ("descending", "descending order"),
    ("deleteWithStack", "deletion with the stack"),
    ("liveFunctions", "CloudFormation functions"),
    ("withoutTests", "omission of the tests"),
    ("withoutSdk", "omission of the SDK code"),
    ("withoutPicture", "omission of the picture"),
    ("withoutFindings", "omission of the findings"),
    ("withoutSamples", "omission of the samples"),
];

/// Names a field: words, and the author's name of a tag, a parameter or a value.
pub fn field(part: &Part, path: &[String]) -> (String, Option<String>) {
    let word = |name: &str| -> String {
        let known = FIELDS.iter().find(|(field, _)| *field == name);
        known.map_or_else(
            || words(name).join(" ").to_lowercase(),
            |(_, word)| (*word).to_owned(),
        )
    };
    match (part, path) {
        (Part::Traffic(_), [_, parameter]) => ("skew of".to_owned(), Some(parameter.clone())),
        (_, [list]) if is_order(part, path) => (format!("order of {list}"), None),
        (Part::Table, [name]) if name == "key" => ("primary key".to_owned(), None),
        (Part::AccessPattern(_), [operation, _, name]) if operation == "operation" => {
            let word = match name.as_str() {
                "partition" => "partition key condition".to_owned(),
                "sort" => "sort key condition".to_owned(),
                "projection" => "projected attributes".to_owned(),
                name => word(name),
            };
            (word, None)
        }
        (_, [name]) => (word(name), None),
        (_, [name, own]) => (word(name), Some(own.clone())),
        (_, path) => (
            path.iter()
                .map(|name| word(name))
                .collect::<Vec<_>>()
                .join(" "),
            None,
        ),
    }
}

/// A value of a field, on one line.
pub fn value(design: &Design, path: &[String], json: &Json) -> Piece {
    let path: Vec<&str> = path.iter().map(String::as_str).collect();
    let plain = |text: String| Piece::Words(text);
    let code = |text: &str| Piece::Code(short(text));
    match (&path[..], json) {
        (["parameters", _], json) if read::<Skew>(json).is_some() => {
            plain(read::<Skew>(json).map_or(String::new(), |skew| skew.to_string()))
        }
        (["values" | "parameters", _], json) => match read::<Value>(json) {
            Some(value) => code(&value.to_text()),
            None => plain(listed(json)),
        },
        (["format"], json) => plain(short(&format_text(design, json))),
        (["key"], json) if read::<KeyAttributes>(json).is_some() => {
            let key = read::<KeyAttributes>(json).unwrap_or_default();
            let sides = [key.partition, key.sort].into_iter().flatten();
            let names: Vec<String> = sides
                .map(|attribute| format!("{} ({})", attribute.name, attribute.kind.letter()))
                .collect();
            code(&names.join(", "))
        }
        (["projection"], json) => match read::<Projection>(json) {
            Some(Projection::All) => plain("all attributes".to_owned()),
            Some(Projection::KeysOnly) => plain("keys only".to_owned()),
            Some(Projection::Include(names)) => code(&format!("keys, {}", names.join(", "))),
            None => plain(listed(json)),
        },
        (["when"], json) => {
            let conditions: Vec<Condition> = read(json).unwrap_or_default();
            let conditions: Vec<String> = conditions.iter().map(Condition::to_string).collect();
            code(&conditions.join(" and "))
        }
        (["operation"], json) => plain(short(&operation(design, json))),
        (["operation", _, "sort"], json) => {
            let conditions: Vec<SortCondition> = read(json).unwrap_or_default();
            let conditions: Vec<String> = conditions.iter().map(condition).collect();
            code(&conditions.join(" and "))
        }
        (["operation", _, "index"], Json::String(id)) => {
            let id: Option<IndexId> = id.parse().ok();
            Piece::Words(id.map_or(String::new(), |id| design.index_name(id).to_owned()))
        }
        (["operation", _, "entity"], Json::String(_)) => {
            plain(names(design, std::slice::from_ref(json)))
        }
        (["entities"], Json::Array(ids)) => plain(names(design, ids)),
        (["attributes"], Json::Array(ids)) => plain(attribute_names(design, ids)),
        (["sample"], Json::String(id)) => plain(sample_name(design, id)),
        (["average"], json) if read::<Rate>(json).is_some() => {
            plain(read::<Rate>(json).map_or(String::new(), |rate| rate.to_string()))
        }
        (["hue"], json) => plain(listed(json)),
        (
            ["class" | "stream" | "contributorInsights" | "multiRegionConsistency"],
            Json::String(name),
        ) => plain(keyfold_core::model::screaming(name)),
        (_, Json::String(text)) => code(text),
        (_, json) => plain(short(&listed(json))),
    }
}

fn read<T: serde::de::DeserializeOwned>(json: &Json) -> Option<T> {
    serde_json::from_value(json.clone()).ok()
}

/// A key schema, or the key of an item, which is not one.
#[derive(Default, serde::Deserialize)]
struct KeyAttributes {
    partition: Vec<KeyAttribute>,
    #[serde(default)]
    sort: Vec<KeyAttribute>,
}

fn condition(condition: &SortCondition) -> String {
    let operator = condition.operator.symbol();
    match &condition.upper {
        Some(upper) => format!("{operator} {} and {upper}", condition.value),
        None => format!("{operator} {}", condition.value),
    }
}

/// The names of entities.
fn names(design: &Design, ids: &[Json]) -> String {
    let name = |id: &Json| {
        let id = id.as_str()?;
        let entity = design.entities.get(&id.parse().ok()?);
        Some(entity.map_or_else(|| id.to_owned(), |entity| entity.name.clone()))
    };
    let names: Vec<String> = ids.iter().filter_map(name).collect();
    names.join(", ")
}

fn attribute_names(design: &Design, ids: &[Json]) -> String {
    let name = |id: &Json| {
        let id = id.as_str()?.parse().ok()?;
        let mut entities = design.entities.values();
        entities.find_map(|entity| Some(entity.attribute_by_id(id)?.name.clone()))
    };
    let names: Vec<String> = ids.iter().filter_map(name).collect();
    names.join(", ")
}

/// A sample by its entity and number.
fn sample_name(design: &Design, id: &str) -> String {
    let Ok(id) = id.parse::<SampleId>() else {
        return id.to_owned();
    };
    let find = |(entity, samples): (&_, &std::sync::Arc<Vec<_>>)| {
        let place = (samples.iter())
            .position(|sample: &std::sync::Arc<keyfold_core::model::Sample>| sample.id == id)?;
        let name = &design.entities.get(entity)?.name;
        Some(format!("sample {} of {name}", place + 1))
    };
    design
        .samples
        .iter()
        .find_map(find)
        .unwrap_or_else(|| id.to_string())
}

/// An operation with its index and its other fields.
fn operation(design: &Design, json: &Json) -> String {
    let Some(operation) = read::<Operation>(json) else {
        return listed(json);
    };
    let mut text = operation.name().to_owned();
    if let Some(index) = operation.index() {
        text += &format!(" on {}", design.index_name(index));
    }
    let fields = json.as_object().and_then(|kinds| kinds.values().next());
    let mut fields = fields.cloned().unwrap_or_default();
    if let Some(fields) = fields.as_object_mut() {
        fields.remove("index");
    }
    match listed(&fields) {
        rest if rest.is_empty() => text,
        rest => format!("{text}, {rest}"),
    }
}

/// The format of generated samples.
fn format_text(design: &Design, json: &Json) -> String {
    match read::<Format>(json) {
        Some(Format::Reference {
            entity, attribute, ..
        }) => {
            let entity = design.entities.get(&entity);
            format!(
                "reference to {}.{attribute}",
                entity.map_or("?", |entity| &entity.name)
            )
        }
        Some(Format::OneOf(choices)) => {
            let values: Vec<String> = (choices.iter())
                .map(|choice| choice.value.to_text())
                .collect();
            format!("one of {}", values.join(", "))
        }
        Some(Format::Constant(value)) => format!("always {}", value.to_text()),
        _ => listed(json),
    }
}

/// A value without the syntax of JSON.
fn listed(json: &Json) -> String {
    match json {
        Json::Null => "none".to_owned(),
        Json::Bool(true) => "on".to_owned(),
        Json::Bool(false) => "off".to_owned(),
        // `2`, where a file has `2.0`.
        Json::Number(number) if number.is_f64() => number
            .as_f64()
            .map_or(String::new(), |number| number.to_string()),
        Json::Number(number) => number.to_string(),
        Json::String(text) => text.clone(),
        Json::Array(list) => list.iter().map(listed).collect::<Vec<_>>().join(", "),
        Json::Object(fields) => {
            let fields = fields.iter().map(|(name, value)| {
                let name = match name.as_str() {
                    "onDemand" => "on-demand".to_owned(),
                    name => words(name).join(" ").to_lowercase(),
                };
                match value {
                    Json::Object(inner) if inner.is_empty() => name,
                    value => format!("{name} {}", listed(value)),
                }
            });
            fields.collect::<Vec<_>>().join(", ")
        }
    }
}
