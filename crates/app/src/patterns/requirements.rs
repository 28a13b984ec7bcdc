//! Read requirements: access patterns whose filter says what is known about the items, before a key is chosen. See
//! [`read_requirement`].

use super::range_values::RangeValues;
use crate::Refused;
use keyfold_core::model::{AccessPattern, Design, EntityId, Operation};
use keyfold_core::proof::read_requirement;
use keyfold_core::template::{self, Modifier};

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

/// Makes the access pattern a read requirement of an entity: attributes equal to the parameter of their name, and one to
/// read a range of, from `:from` to `:to`.
///
/// # Errors
///
/// Returns which attribute an expression cannot name.
pub fn require(
    design: &Design,
    id: EntityId,
    known: &[&str],
    range: Option<&str>,
    pattern: &mut AccessPattern,
) -> Result<(), Refused> {
    pattern.operation = read_requirement(known, range, range.is_some()).map_err(Refused)?;
    let ends = ["from", "to"];
    match range {
        Some(attribute) => {
            RangeValues::new(id, attribute, ends.map(str::to_owned)).fill(design, pattern);
        }
        None => (pattern.parameters)
            .retain(|name, _| !ends.contains(&name.as_str()) || known.contains(&name.as_str())),
    }
    Ok(())
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
    // A date or the first characters of a value do not say the value.
    let says = |text: &&String, name: &str| {
        let template = template::parse(text).template;
        let mut own = template.placeholders().filter(|it| it.attribute == name);
        own.any(|it| it.modifiers.iter().all(Modifier::is_reversible))
    };
    let is_said = |name: &str| texts.iter().any(|text| says(text, name));
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
