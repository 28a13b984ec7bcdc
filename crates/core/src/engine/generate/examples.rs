//! Example values of an attribute, to show what its format means before anything is generated.

use super::guess_format::guess;
use super::rng::Rng;
use super::value::{self, Context, converted};
use crate::model::{Attribute, AttributeId, AttributeType, Design, EntityId, Format, Value};
use crate::template::fnv1a_64;

/// Maximum number of references to follow to the values that they take.
const MAX_REFERENCES: usize = 8;

/// Up to `count` different values that rows of the entity could have, from the attribute's format or its guess. Always
/// the same values. The error says why the format has no values.
pub fn examples(
    design: &Design,
    owner: EntityId,
    attribute: &Attribute,
    count: usize,
) -> Result<Vec<Value>, String> {
    values(design, owner, attribute, count, MAX_REFERENCES)
}

fn values(
    design: &Design,
    owner: EntityId,
    attribute: &Attribute,
    count: usize,
    references: usize,
) -> Result<Vec<Value>, String> {
    let guessed = || guess(design, owner, attribute);
    let format = attribute.format.clone().or_else(guessed);
    if let Some(format) = &format {
        value::check(format)?;
    }
    let kind = attribute.kind;
    let mut found: Vec<Value> = Vec::new();
    let mut add = |value: Option<Value>| {
        if let Some(value) = value.filter(|value| !found.contains(value)) {
            found.push(value);
        }
        found.len() >= count
    };
    if let Some(Format::Reference {
        entity,
        attribute: name,
        ..
    }) = &format
    {
        for sample in design.samples_of(*entity) {
            if add(sample
                .values
                .get(name)
                .and_then(|value| converted(kind, value)))
            {
                break;
            }
        }
        if !found.is_empty() || references == 0 {
            return Ok(found);
        }
        let other = design
            .entities
            .get(entity)
            .and_then(|entity| entity.attribute(name));
        let undeclared = || Attribute::new(AttributeId(0), name.clone(), AttributeType::S);
        let other = other.cloned().unwrap_or_else(undeclared);
        let values = values(design, *entity, &other, count, references - 1)?;
        return Ok(values
            .iter()
            .filter_map(|value| converted(kind, value))
            .collect());
    }
    let stream = fnv1a_64(attribute.name.as_bytes());
    // Formats with few values repeat them.
    for row in 0..8 * count as u64 {
        let mut rng = Rng::new(&[stream, row]);
        let value = match &format {
            Some(Format::Sequence {
                prefix,
                start,
                digits,
            }) => {
                let (number, width) = (start.saturating_add(row), usize::from(*digits));
                converted(kind, &Value::S(format!("{prefix}{number:0width$}")))
            }
            Some(format) => {
                let context = Context {
                    rng,
                    row,
                    salt: stream,
                    person: None,
                    since: None,
                    delimiter: "",
                    capital: attribute.name.to_lowercase().ends_with("name"),
                };
                value::of_format(format, kind, context)
            }
            None => Some(value::of_type(kind, &mut rng)),
        };
        if add(value) {
            break;
        }
    }
    Ok(found)
}
