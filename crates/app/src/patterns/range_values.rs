//! The values of the two parameters of a range. They belong to the attribute that the range is of: the least and the
//! greatest value of its samples, unless the user typed others.

use keyfold_core::model::{AccessPattern, Attribute, Design, EntityId, Value, compare_keys};
use keyfold_core::template::check_iso;

/// The parameters of a range of an entity's attribute.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RangeValues {
    entity: EntityId,
    attribute: String,
    ends: [String; 2],
}

impl RangeValues {
    /// Returns a range of this attribute between parameters with these names.
    pub fn new(entity: EntityId, attribute: &str, ends: [String; 2]) -> RangeValues {
        RangeValues {
            entity,
            attribute: attribute.to_owned(),
            ends,
        }
    }

    /// Gives the parameters the least and the greatest sample value of the attribute. A value that the user typed stays
    /// if it can be one of this attribute.
    pub fn fill(&self, design: &Design, pattern: &mut AccessPattern) {
        let entity = design.entities.get(&self.entity);
        let Some(attribute) = entity.and_then(|entity| entity.attribute(&self.attribute)) else {
            return;
        };
        let own = extent(design, self.entity, &self.attribute);
        for (at, name) in self.ends.iter().enumerate() {
            let is_kept = |value: &Value| {
                fits(value, attribute, own.as_ref()) && !is_drawn(design, value, at)
            };
            if pattern.parameters.get(name).is_some_and(is_kept) {
                continue;
            }
            match &own {
                Some(own) => drop(pattern.parameters.insert(name.clone(), own[at].clone())),
                None => drop(pattern.parameters.remove(name)),
            }
        }
    }
}

/// Whether a value can be one of the attribute: it has its type, and is a time if its samples are.
fn fits(value: &Value, attribute: &Attribute, samples: Option<&[Value; 2]>) -> bool {
    let is_time = |value: &Value| matches!(value, Value::S(text) if check_iso(text).is_ok());
    value.kind() == attribute.kind
        && samples.is_none_or(|[least, _]| is_time(value) == is_time(least))
}

/// Whether a value is an end of the samples of any attribute: the least one (0) or the greatest one (1).
fn is_drawn(design: &Design, value: &Value, at: usize) -> bool {
    design.entities.iter().any(|(id, entity)| {
        let mut of_type = (entity.attributes.iter()).filter(|a| a.kind == value.kind());
        of_type.any(|a| extent(design, *id, &a.name).is_some_and(|ends| ends[at] == *value))
    })
}

/// The least and the greatest sample value of an attribute.
fn extent(design: &Design, id: EntityId, attribute: &str) -> Option<[Value; 2]> {
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
    Some([least.clone(), most.clone()])
}
