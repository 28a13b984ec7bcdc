//! Writes the tests of the crate's items: items built from the samples have the keys that the app renders.

use super::items::{ItemField, ItemPlan, also_needed};
use super::key_tests::{Lookup, MAX_SAMPLES, byte_literal, expected};
use super::names::{Namespace, snake};
use super::plan::{KeyPlan, Plan};
use super::source::{Source, quote};
use crate::engine::key_sources::entries_of_key;
use crate::model::{AttributeType, Sample, Value};
use crate::slices::pause;

/// Writes the test file.
pub(super) async fn write_item_tests(
    src: &mut Source,
    plan: &Plan<'_>,
    items: &[ItemPlan],
    module: &str,
) {
    src.line("//! Items of the design's samples, compared with their keys in Keyfold.");
    let mut names = Namespace::default();
    let mut body = Source::default();
    for item in items {
        pause().await;
        let name = names.take(snake(&item.name, "item"));
        write_test(&mut body, plan, item, &name);
    }
    if body.text().is_empty() {
        return;
    }
    src.line("");
    src.line(&format!("use {module}::*;"));
    src.append(body);
    src.lines(SERDE);
}

/// Checks that an item survives a round trip through JSON without its keys.
const SERDE: &str = "
fn there_and_back<T: Roundtrip>(item: &T) {
    item.check();
}

trait Roundtrip {
    fn check(&self);
}

#[cfg(feature = \"serde\")]
impl<T> Roundtrip for T
where
    T: serde::Serialize + serde::de::DeserializeOwned + PartialEq + std::fmt::Debug,
{
    fn check(&self) {
        let text = serde_json::to_string(self).expect(\"an item is JSON\");
        let back: T = serde_json::from_str(&text).expect(\"a valid item\");
        assert_eq!(&back, self);
    }
}

#[cfg(not(feature = \"serde\"))]
impl<T> Roundtrip for T {
    fn check(&self) {}
}";

fn write_test(src: &mut Source, plan: &Plan, item: &ItemPlan, name: &str) {
    let mut started = false;
    for sample in plan.design.samples_of(item.entity).iter().take(MAX_SAMPLES) {
        let Some(values) = values(item, sample) else {
            continue;
        };
        if !started {
            started = true;
            src.line("");
            src.line("#[test]");
            src.open(&format!("fn {name}() -> Result<(), KeyError> {{"));
        }
        write_sample(src, plan, item, sample, &values);
    }
    if started {
        src.line("Ok(())");
        src.close("}");
    }
}

/// Returns the fields for which the sample has a simple value; `None` if it lacks a required value.
fn values<'v>(item: &'v ItemPlan, sample: &'v Sample) -> Option<Vec<(&'v ItemField, &'v Value)>> {
    let mut found = Vec::new();
    for field in &item.fields {
        match sample.values.get(&field.attribute) {
            Some(value) if value.kind() == field.kind => found.push((field, value)),
            Some(_) => return None,
            None if field.required => return None,
            None => {}
        }
    }
    found.retain(|(field, _)| {
        matches!(
            field.kind,
            AttributeType::S | AttributeType::N | AttributeType::B | AttributeType::Bool
        )
    });
    Some(found)
}

fn write_sample(
    src: &mut Source,
    plan: &Plan,
    item: &ItemPlan,
    sample: &Sample,
    values: &[(&ItemField, &Value)],
) {
    let mut given = Vec::new();
    for (field, value) in values {
        let name = &field.name;
        match value {
            Value::N(number) => match number.as_i64() {
                Some(number) => src.line(&format!("let {name} = Number::from({number}_i64);")),
                None => src.assign(
                    &format!("let {name}: Number"),
                    &format!("{}.parse()?", quote(&number.to_string())),
                ),
            },
            Value::Bool(truth) => src.line(&format!("let {name} = {truth};")),
            Value::B(bytes) => {
                let bytes = vec![format!("{}.to_vec()", byte_literal(bytes))];
                src.call(&format!("let {name} = Bytes("), &bytes, ");");
            }
            other => {
                let text = vec![quote(&other.to_text())];
                src.call(&format!("let {name} = String::from("), &text, ");");
            }
        }
        given.push(match field.is_option() {
            true => format!("{0}: Some({0})", field.name),
            false => field.name.clone(),
        });
    }
    if given.len() == item.fields.len() {
        src.fields(&format!("let item = {} {{", item.name), &given, "};");
    } else if given.is_empty() {
        src.line(&format!("let item = {}::default();", item.name));
    } else {
        src.open(&format!("let item = {} {{", item.name));
        for field in &given {
            src.line(&format!("{field},"));
        }
        src.line(&format!("..{}::default()", item.name));
        src.close("};");
    }
    let entity = plan.design.entities.get(&item.entity);
    let type_value = entity.map(|entity| Value::from(entity.name.as_str()));
    let lookup = |name: &str| {
        let entity = || {
            let is_type = plan.design.table.is_type_attribute(name);
            type_value.as_ref().filter(|_| is_type)
        };
        sample.values.get(name).or_else(entity)
    };
    let mut sound = write_key(src, plan, &plan.keys[item.key], "key", &lookup);
    if !sound {
        write_round_trip(src, plan, item, false);
        return;
    }
    for (place, method) in &item.indexes {
        let key = &plan.keys[*place];
        let entries = entity.map_or_else(Vec::new, |entity| {
            entries_of_key(plan.design, entity, key.index)
        });
        let also = entity.map_or_else(Vec::new, |entity| also_needed(plan, item, key, entity));
        // The item of the test has no lists, maps and sets.
        let is_given = |name: &str| {
            let is_of = |field: &ItemField| field.attribute == name;
            values.iter().any(|(field, _)| is_of(field)) || !item.fields.iter().any(is_of)
        };
        let stored = |name: &str| {
            let is_key_only = entity.is_some_and(|entity| entity.is_key_only(name));
            lookup(name).filter(|_| !is_key_only && is_given(name))
        };
        let holds = (entries.iter().flat_map(|(_, entry)| &entry.when))
            .all(|condition| condition.holds(stored(&condition.attribute)));
        let params = key.scope.params.iter().map(|param| &param.attribute);
        let mut needed = params.chain(also.iter().map(|field| &field.attribute));
        let filled = needed.all(|name| match lookup(name) {
            Some(Value::S(text)) => !text.is_empty(),
            Some(Value::B(bytes)) => !bytes.is_empty(),
            value => value.is_some(),
        });
        match holds && filled {
            true => sound &= write_key(src, plan, key, method, &lookup),
            false => src.line(&format!("assert!(item.{method}()?.is_none());")),
        }
    }
    if sound {
        src.line("assert!(item.key_update(&item)?.is_empty());");
    }
    write_round_trip(src, plan, item, true);
}

/// Checks that the item survives a round trip, and that its key restores what is not stored.
fn write_round_trip(src: &mut Source, plan: &Plan, item: &ItemPlan, has_key: bool) {
    let key_only = || item.fields.iter().filter(|field| field.key_only);
    if key_only().next().is_none() {
        return src.line("there_and_back(&item);");
    }
    src.line("let mut stored = item.clone();");
    for field in key_only() {
        src.line(&format!("stored.{} = Default::default();", field.name));
    }
    src.line("there_and_back(&stored);");
    if !has_key || !key_only().any(|field| item.restored(plan, field).is_some()) {
        return;
    }
    src.line("stored.set_from_key(&item.key()?);");
    for field in key_only().filter(|field| item.restored(plan, field).is_some()) {
        let name = &field.name;
        let sides = [format!("stored.{name}"), format!("item.{name}")];
        src.macro_call("assert_eq!(", &sides, ");");
    }
}

/// Compares a key of the item with the app's. Returns false if the app reports an error.
fn write_key(src: &mut Source, plan: &Plan, key: &KeyPlan, method: &str, lookup: Lookup) -> bool {
    let mut values = Vec::new();
    for input in &key.inputs {
        match expected(plan, input, lookup) {
            Some(Value::B(bytes)) => values.push(byte_literal(&bytes)),
            Some(value) => values.push(quote(&value.to_text())),
            None => {
                src.line(&format!("assert!(item.{method}().is_err());"));
                return false;
            }
        }
    }
    if key.methods.is_empty() {
        return true;
    }
    match key.index.is_primary() {
        true => src.line("let key = item.key()?;"),
        false => {
            src.line(&format!("let key = item.{method}()?;"));
            src.line("let key = key.expect(\"the item is in the index\");");
        }
    }
    for (part, value) in key.methods.iter().zip(values) {
        src.macro_call("assert_eq!(", &[format!("key.{part}()"), value], ");");
    }
    true
}
