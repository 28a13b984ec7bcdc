//! Read requirements: access patterns whose filter says what is known about the items, before a key is chosen. See
//! [`read_requirement`].

use keyfold_core::model::{AccessPattern, Design, EntityId, Operation, Value, compare_keys};
use keyfold_core::proof::read_requirement;
use keyfold_core::template;

/// Returns the filter of a read; empty if it has none.
pub fn filter_of(operation: &Operation) -> &str {
    let read = operation.read();
    read.and_then(|read| read.filter.as_deref())
        .unwrap_or_default()
}

/// Whether a requirement's filter compares the attribute for equality.
pub fn is_equal_in(filter: &str, attribute: &str) -> bool {
    let wanted = format!("#{attribute} = :{attribute}");
    filter.split(" AND ").any(|part| part == wanted)
}

/// Whether a requirement's filter has a range of the attribute.
pub fn is_range_in(filter: &str, attribute: &str) -> bool {
    filter.contains(&format!("#{attribute} BETWEEN "))
}

/// Sets the parameters `:from` and `:to` to the least and greatest sample value of an attribute, unless they have
/// values.
pub fn range_values(design: &Design, id: EntityId, attribute: &str, pattern: &mut AccessPattern) {
    if let Some((least, most)) = extent(design, id, attribute) {
        pattern.parameters.entry("from".into()).or_insert(least);
        pattern.parameters.entry("to".into()).or_insert(most);
    }
}

/// The part of a requirement's filter that the key conditions of an operation do not cover.
pub(super) fn rest_of_requirement(
    design: &Design,
    id: EntityId,
    filter: &str,
    operation: &Operation,
) -> Option<String> {
    let Operation::Query {
        partition, sort, ..
    } = operation
    else {
        return None;
    };
    let mut texts: Vec<&String> = partition.iter().collect();
    for condition in sort {
        texts.push(&condition.value);
    }
    let is_said = |name: &str| (texts.iter()).any(|text| template::parse(text).template.uses(name));
    let mut equal = Vec::new();
    let mut range = None;
    for attribute in &design.entities.get(&id)?.attributes {
        let name = attribute.name.as_str();
        if is_equal_in(filter, name) && !is_said(name) {
            equal.push(name);
        }
        if is_range_in(filter, name) && sort.iter().all(|condition| condition.upper.is_none()) {
            range = Some(name);
        }
    }
    let rest = read_requirement(&equal, range, false).ok()?;
    rest.read()?.filter.clone()
}

/// The least and the greatest sample value of an attribute.
pub(super) fn extent(design: &Design, id: EntityId, attribute: &str) -> Option<(Value, Value)> {
    let samples = design.samples_of(id).iter();
    let mut all = samples.filter_map(|sample| sample.values.get(attribute));
    let first = all.next()?;
    let (mut least, mut most) = (first, first);
    for value in all {
        if compare_keys(value, least).is_lt() {
            least = value;
        }
        if compare_keys(value, most).is_gt() {
            most = value;
        }
    }
    Some((least.clone(), most.clone()))
}
