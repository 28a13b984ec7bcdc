//! The designs for the tests of exports.

use super::any::sound_design;
use crate::rust_export::designs::{
    all_modifiers, delimiters_in_values, encode, indexes, obstacle_course, reject,
};
use keyfold_core::engine::{Item, materialize_all};
use keyfold_core::library;
use keyfold_core::model::{Attribute, Design, OnDelimiter, Values};
use keyfold_core::text;
use keyfold_test_support::any_design::some_designs;
use keyfold_test_support::key_designs::{key_only, natural_keys};
use keyfold_test_support::{designs::full_design, template_designs};
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;
use serde_json::{Value, json};

/// The library, and designs with every property of a table, each with a name for its files.
pub fn all() -> Vec<(String, Design)> {
    let mut all = library();
    for (name, design) in template_designs::all() {
        all.push((name.to_owned(), design));
    }
    all.push(("everything".to_owned(), full_design()));
    all.push(("natural-keys".to_owned(), natural_keys()));
    all.push(("key-only".to_owned(), key_only()));
    all
}

/// These, and designs with names, templates and values that are hard to write in any language.
pub fn hard() -> Vec<(String, Design)> {
    let mut hard = all();
    for (name, design) in [
        ("names", obstacle_course()),
        ("modifiers", all_modifiers(reject("#"))),
        ("encoded", all_modifiers(encode("#"))),
        ("encoded-digit", all_modifiers(encode("2"))),
        ("delimiter-of-two", all_modifiers(reject("::"))),
        ("delimiter-quotes", all_modifiers(reject("\"{}\\"))),
        ("delimiters-in-values", delimiters_in_values(reject("#"))),
        ("two-in-values", delimiters_in_values(reject("::"))),
        ("indexes", indexes()),
        ("empty", Design::new("Empty")),
        ("padded", padded()),
        ("written-out", written_out()),
        ("dates", dates()),
    ] {
        hard.push((name.to_owned(), design));
    }
    let mut runner = TestRunner::deterministic();
    for number in 0..RANDOM {
        let design = sound_design()
            .new_tree(&mut runner)
            .expect("a design")
            .current();
        hard.push((format!("random-{number}"), design));
    }
    for (number, design) in (0..).zip(some_designs(RANDOM)) {
        hard.push((format!("random-any-{number}"), design));
    }
    hard
}

/// Numbers with leading zeros in keys, of which some have too many digits.
fn padded() -> Design {
    let text = "design Padded

table Padded (PK, SK)

entity Reading
  sensor string
  value number
  key S#{sensor} / V#{value:pad(3)}

  | sensor | value |
  | a      | 0     |
  | a      | 999   |
  | a      | 1000  |
";
    text::lower(&text::parse(text), None).design
}

/// A natural key whose template is written out.
fn written_out() -> Design {
    let text = "design Parcels

table Parcels (PK, SK)

gsi ByValue (GSI1PK, declaredValue number)

entity Parcel
  parcelId string
  currency string
  declaredValue number
  key PARCEL#{parcelId} / PARCEL
  index ByValue CUR#{currency} / {declaredValue}

  | parcelId | currency | declaredValue |
  | p1       | EUR      | 12.5          |
  | p2       | USD      | 0             |
";
    text::lower(&text::parse(text), None).design
}

/// Timestamps in keys, of which some do not exist.
fn dates() -> Design {
    let text = "design Dates

table Dates (PK, SK)

entity Reading
  sensor string
  at string
  key S#{sensor} / {at:date}#{at:month}#{at:year}

  | sensor | at                        |
  | a      | 2024-02-29                |
  | b      | 2026-03-01T23:30-02:00    |
  | c      | 2026-03-01T23:59:60.5Z    |
  | d      | 2026-03-01T10:00.25+0130  |
  | e      | 2026-02-30                |
  | f      | 2026-13-01                |
  | g      | 2026-03-01T99:99Z         |
  | h      | 2026-03-01T10:00:61Z      |
  | i      | 2026-03-01T10:00:00+24:00 |
  | j      | 2026-03-01T10:00:00+05:   |
  | k      | 0000-01-01T00:00:00+01:00 |
  | l      | 9999-12-31T23:59:00-01:00 |
  | m      | yesterday                 |
";
    text::lower(&text::parse(text), None).design
}

/// The number of random designs of each kind for the tools; the same ones each time.
const RANDOM: usize = 30;

/// The library's designs.
pub fn library() -> Vec<(String, Design)> {
    let design = |pattern: &library::Pattern| {
        let design = pattern.design().expect("the library can be read");
        (pattern.name.to_owned(), design)
    };
    library::patterns().iter().map(design).collect()
}

/// For each entity, the stored items: the sample's values, the values of all key attributes, `null` for a missing one,
/// and the names of the sample's values that the item does not store; and the values of samples with the delimiter,
/// too many digits or no date in a value of the primary key, which are refused. In DynamoDB JSON.
pub fn items(design: &Design) -> Value {
    let mut keys: Vec<&str> = Vec::new();
    for key in design.index_ids().filter_map(|index| design.key(index)) {
        keys.extend(key.attributes().map(|key| key.name.as_str()));
    }
    let mut entities = Vec::new();
    let in_json = |values: &Values| -> serde_json::Map<_, _> {
        (values.iter())
            .map(|(name, value)| (name.clone(), value.to_dynamodb_json()))
            .collect()
    };
    for (id, items) in materialize_all(design) {
        let has_delimiter = |item: &Item| {
            let mut problems = item.problems().iter();
            problems.any(|problem| {
                let text = problem.describe("");
                let refused = [
                    "contains the delimiter",
                    "more than",
                    "not an ISO 8601",
                    "day that does not exist",
                    "outside the years",
                ];
                problem.stops() && refused.iter().any(|part| text.contains(part))
            })
        };
        let rejects = design.delimiter.on_conflict == OnDelimiter::Reject;
        let refused: Vec<_> = (items.iter())
            .filter(|item| rejects && has_delimiter(item))
            .map(|item| in_json(&item.sample().values))
            .collect();
        let mut samples = Vec::new();
        for item in items.iter().filter(|item| item.is_stored()) {
            let values = &item.sample().values;
            // A typed library accepts no value of another type, and no item without a required value.
            let fits = |a: &Attribute| match values.get(&a.name) {
                Some(value) => value.kind() == a.kind && *value != "".into(),
                None => !a.required,
            };
            if !design.entities[&id].attributes.iter().all(fits) {
                continue;
            }
            let values = in_json(values);
            let key = |name: &&str| {
                let value = item.get(name).map(|value| value.value().to_dynamodb_json());
                ((*name).to_owned(), value.unwrap_or(Value::Null))
            };
            let keys: serde_json::Map<_, _> = keys.iter().map(key).collect();
            let key_only: Vec<&String> = values
                .keys()
                .filter(|name| item.is_key_only(name))
                .collect();
            samples.push(json!({ "values": values, "keys": keys, "keyOnly": key_only }));
        }
        let name = &design.entities[&id].name;
        entities.push(json!({ "entity": name, "samples": samples, "refused": refused }));
    }
    entities.into()
}
