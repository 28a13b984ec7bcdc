//! Partition keys with few distinct values.

use super::static_partition_key::{shard, with_shards};
use super::{key_name, place, templates};
use crate::engine::generate::name_meanings::{among, words};
use crate::lint::entity_facts::{EntityFacts, format_of, is_text};
use crate::lint::{Check, Context, Found, NewFinding, Rule, Severity};
use crate::model::{AttributeType, Condition, Format, IndexId, KeyPart, Test, Value, short};
use crate::template::{Modifier, Placeholder};

/// A partition key is a state that many items share.
pub const RULE: Rule = Rule {
    code: "K014",
    name: "low-cardinality-partition-key",
    severity: Severity::Warning,
    check: Check::Entity(check),
};

/// Last words of attribute names that hold a state rather than an identity.
const STATES: &str = "status state stage phase type kind priority severity level active enabled deleted archived \
    featured flag";
/// The highest number of distinct values that counts as few.
const MAX_VALUES: usize = 10;

fn check(context: &Context, facts: &EntityFacts, found: &mut Found) {
    for (entry, key, compiled) in templates(facts) {
        if key.part != KeyPart::Partition || !is_text(key) || compiled.template.is_static() {
            continue;
        }
        let mut count = 1;
        let mut values = Vec::new();
        for placeholder in compiled.template.placeholders() {
            let Some(few) = few(context, facts, entry.index, placeholder) else {
                count = usize::MAX;
                break;
            };
            count = few.len().saturating_mul(count);
            values.extend(few);
        }
        if count > MAX_VALUES || compiled.is_broken() || values.is_empty() {
            continue;
        }
        let key = key_name(context.design, entry, KeyPart::Partition);
        let many = match count {
            1 => "one value".to_owned(),
            count => format!("{count} values"),
        };
        let message = format!(
            "{}: `{}` gives the {key} only {many}, so one partition takes most of the traffic. Spread the key with {}, or begin it with a value that readers know.",
            facts.name(),
            short(&compiled.text),
            shard(facts),
        );
        let finding = NewFinding::at(place(facts, entry, KeyPart::Partition), message);
        let finding = finding.examples(values.into_iter().take(2).collect());
        found.add(with_shards(finding, facts, entry));
    }
}

/// Returns the values of a placeholder if it is a state with few values.
fn few(
    context: &Context,
    facts: &EntityFacts,
    index: IndexId,
    placeholder: &Placeholder,
) -> Option<Vec<String>> {
    let attribute = facts.entity.attribute(&placeholder.attribute)?;
    let spreads = |modifier: &Modifier| matches!(modifier, Modifier::Shard(_));
    if placeholder.modifiers.iter().any(spreads) {
        return None;
    }
    let words = words(&attribute.name);
    let is_state = words.last().is_some_and(|last| among(STATES, last));
    if !is_state && attribute.kind != AttributeType::Bool {
        return None;
    }
    let when = facts.entity.keys.get(&index).map(|entry| &entry.when);
    let is_own = |condition: &&Condition| condition.attribute == attribute.name;
    let texts = |values: &[Value]| -> Option<Vec<String>> {
        let texts: Vec<String> = values.iter().filter_map(shown).collect();
        (texts.len() == values.len()).then_some(texts)
    };
    for condition in when.into_iter().flatten().filter(is_own) {
        match &condition.test {
            Test::Equals(value) => return texts(std::slice::from_ref(value)),
            Test::OneOf(values) => return texts(values),
            _ => {}
        }
    }
    match format_of(context.design, attribute) {
        Some(Format::OneOf(choices)) => choices.iter().map(|choice| shown(&choice.value)).collect(),
        Some(Format::Constant(value)) => texts(std::slice::from_ref(value)),
        _ if attribute.kind == AttributeType::Bool => Some(vec!["false".into(), "true".into()]),
        _ => None,
    }
}

fn shown(value: &Value) -> Option<String> {
    match value {
        Value::S(text) => Some(text.clone()),
        Value::N(number) => Some(number.to_string()),
        Value::Bool(value) => Some(value.to_string()),
        _ => None,
    }
}
