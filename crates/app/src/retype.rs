//! Converts the values of an attribute whose type changes. Values that cannot be converted without loss stay unchanged
//! and are reported.

use super::parameter_owner::owns_parameter;
use super::sample_format::FormatKind;
use super::sparse_condition::{values, with_values};
use keyfold_core::model::{
    Attribute, AttributeId, AttributeType, Choice, Condition, Design, EntityId, Format, IndexId,
    SampleId, Value,
};
use std::sync::Arc;

/// The effect of a new type on the values of an attribute.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Retyped {
    /// The number of converted samples.
    pub converted: usize,
    /// The samples whose value is unchanged, and so has another type than the attribute.
    pub kept: Vec<Kept>,
    /// Other parts that no longer match the type and are removed or remain: one sentence each, without a period.
    pub remarks: Vec<String>,
}

/// A sample whose value is not converted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kept {
    /// The sample.
    pub sample: SampleId,
    /// Its number among the entity's samples, from 1.
    pub row: usize,
    /// Its value, as a cell shows it.
    pub value: String,
    /// Why it is not converted, in one clause.
    pub reason: String,
}

impl Retyped {
    /// The report in lines to show: how many values were converted, then each one that was not, then the rest.
    /// Empty if there is nothing to report.
    pub fn lines(&self) -> Vec<String> {
        let mut lines = Vec::new();
        match self.converted {
            0 => {}
            1 => lines.push("1 value converted".to_owned()),
            count => lines.push(format!("{count} values converted")),
        }
        for kept in &self.kept {
            let (row, reason) = (kept.row, &kept.reason);
            lines.push(format!("sample {row} keeps `{}`: {reason}", kept.value));
        }
        lines.extend(self.remarks.iter().cloned());
        lines
    }
}

/// Returns the effect of this type on an attribute. With the attribute's current type, returns which values have another
/// type and why. `None` if there is no such attribute.
pub fn preview(
    design: &Design,
    id: EntityId,
    attribute: AttributeId,
    kind: AttributeType,
) -> Option<Retyped> {
    let mut next = design.clone();
    let owner = Arc::make_mut(next.entities.get_mut(&id)?);
    let at = (owner.attributes.iter()).position(|other| other.id == attribute)?;
    let before = owner.attributes[at].clone();
    owner.attributes[at].kind = kind;
    Some(convert_values(&mut next, id, at, &before))
}

/// Converts the values to the current type of the attribute at this place. `before` is the attribute before the change. A
/// format that changed together with the type stays unchanged.
pub(super) fn convert_values(
    design: &mut Design,
    id: EntityId,
    at: usize,
    before: &Attribute,
) -> Retyped {
    let mut result = Retyped::default();
    let Some(attribute) = (design.entities.get(&id))
        .and_then(|e| e.attributes.get(at))
        .cloned()
    else {
        return result;
    };
    let kind = attribute.kind;
    convert_samples(design, id, &attribute, &mut result);
    if before.kind == kind {
        return result;
    }
    convert_parameters(design, id, &attribute);
    let remarks = &mut result.remarks;
    if let Some(format) = &attribute.format
        && attribute.format == before.format
    {
        let next = fitting(design, format, kind, remarks);
        if next != attribute.format
            && let Some(owner) = design.entities.get_mut(&id)
        {
            Arc::make_mut(owner).attributes[at].format = next;
        }
    }
    convert_conditions(design, id, &attribute, remarks);
    remark_on_others(design, id, &attribute, remarks);
    result
}

fn convert_samples(design: &mut Design, id: EntityId, attribute: &Attribute, result: &mut Retyped) {
    let Some(samples) = design.samples.get_mut(&id) else {
        return;
    };
    let mut converted = Vec::new();
    for (place, sample) in samples.iter().enumerate() {
        match sample.values.get(&attribute.name) {
            Some(value) if value.kind() != attribute.kind => match convert(value, attribute.kind) {
                Ok(value) => converted.push((place, value)),
                Err(reason) => result.kept.push(Kept {
                    sample: sample.id,
                    row: place + 1,
                    value: value.to_text(),
                    reason,
                }),
            },
            _ => {}
        }
    }
    result.converted = converted.len();
    if !converted.is_empty() {
        let samples = Arc::make_mut(samples);
        for (place, value) in converted {
            let values = &mut Arc::make_mut(&mut samples[place]).values;
            values.insert(attribute.name.clone(), value);
        }
    }
}

/// Converts the typed parameters of the attribute that can be converted.
fn convert_parameters(design: &mut Design, id: EntityId, attribute: &Attribute) {
    let before = design.clone();
    for pattern in design.access_patterns.values_mut() {
        let Some(value) = pattern.parameters.get(&attribute.name) else {
            continue;
        };
        if value.kind() != attribute.kind
            && owns_parameter(&before, id, &attribute.name, pattern)
            && let Ok(value) = convert(value, attribute.kind)
        {
            let parameters = &mut Arc::make_mut(pattern).parameters;
            parameters.insert(attribute.name.clone(), value);
        }
    }
}

/// Returns the format with values of this type, without the values that cannot be converted.
fn fitting(
    design: &Design,
    format: &Format,
    kind: AttributeType,
    remarks: &mut Vec<String>,
) -> Option<Format> {
    let label = FormatKind::of(format).label();
    let next = match format {
        Format::OneOf(choices) => {
            let mut next = Vec::new();
            for choice in choices {
                match convert(&choice.value, kind) {
                    Ok(value) => next.push(Choice {
                        value,
                        weight: choice.weight,
                    }),
                    Err(reason) => {
                        let value = choice.value.to_text();
                        remarks.push(format!("`{value}` is removed from the format: {reason}"));
                    }
                }
            }
            (!next.is_empty()).then_some(Format::OneOf(next))
        }
        Format::Constant(value) => convert(value, kind).ok().map(Format::Constant),
        Format::Reference {
            entity, attribute, ..
        } => {
            let referred = design
                .entities
                .get(entity)
                .and_then(|e| e.attribute(attribute));
            (referred.is_none_or(|referred| referred.kind == kind)).then(|| format.clone())
        }
        Format::Sequence { prefix, .. } if kind == AttributeType::N && !prefix.is_empty() => None,
        _ => FormatKind::of(format).fits(kind).then(|| format.clone()),
    };
    if next.is_none() {
        remarks.push(format!(
            "the format `{label}` is removed: it does not generate values of type {kind}"
        ));
    }
    next
}

fn convert_conditions(
    design: &mut Design,
    id: EntityId,
    attribute: &Attribute,
    remarks: &mut Vec<String>,
) {
    let Some(owner) = design.entities.get(&id).cloned() else {
        return;
    };
    for (index, entry) in &owner.keys {
        let mut next = Vec::new();
        for condition in &entry.when {
            let name = design.index_name(*index);
            next.extend(converted(condition, attribute, name, remarks));
        }
        if next != entry.when
            && let Some(owner) = design.entities.get_mut(&id)
            && let Some(entry) = Arc::make_mut(owner).keys.get_mut(index)
        {
            entry.when = next;
        }
    }
}

fn converted(
    condition: &Condition,
    attribute: &Attribute,
    index: &str,
    remarks: &mut Vec<String>,
) -> Option<Condition> {
    let wanted = values(&condition.test);
    if condition.attribute != attribute.name || wanted.is_empty() {
        return Some(condition.clone());
    }
    let mut next = Vec::new();
    for value in wanted {
        match convert(value, attribute.kind) {
            Ok(value) => next.push(value),
            Err(reason) => {
                let value = value.to_text();
                remarks.push(format!(
                    "`{value}` is removed from the condition of {index}: {reason}"
                ));
            }
        }
    }
    if next.is_empty() {
        remarks.push(format!(
            "the condition of {index} on `{}` is removed",
            attribute.name
        ));
        return None;
    }
    let test = with_values(&condition.test, next);
    Some(Condition {
        test,
        ..condition.clone()
    })
}

/// Reports keys and attributes of other entities that still expect the old type.
fn remark_on_others(
    design: &Design,
    id: EntityId,
    attribute: &Attribute,
    remarks: &mut Vec<String>,
) {
    for index in design.index_ids() {
        let keys = design
            .key(index)
            .into_iter()
            .flat_map(|key| key.attributes());
        for key in keys.filter(|key| key.name == attribute.name) {
            let wanted = AttributeType::from(key.kind);
            if wanted != attribute.kind {
                let place = match index {
                    IndexId::PRIMARY => "the table",
                    index => design.index_name(index),
                };
                remarks.push(format!(
                    "`{}` is a key attribute of {place}, of type {wanted}",
                    key.name
                ));
            }
        }
    }
    for entity in design.entities.values() {
        for other in &entity.attributes {
            if let Some(Format::Reference {
                entity: referred,
                attribute: name,
                ..
            }) = &other.format
                && (*referred, name) == (id, &attribute.name)
                && other.kind != attribute.kind
            {
                remarks.push(format!(
                    "{}.{} refers to this attribute and is of type {}",
                    entity.name, other.name, other.kind
                ));
            }
        }
    }
}

/// Converts a value to this type if the reverse conversion gives the same value. Otherwise returns the reason in one
/// clause. Scalars convert by their text (`42` is 42, base64 is binary). A value converts to a list or set of one element
/// and back, lists and sets convert to each other, and lists, maps and sets convert to JSON text.
pub fn convert(value: &Value, kind: AttributeType) -> Result<Value, String> {
    if value.kind() == kind {
        return Ok(value.clone());
    }
    let converted = changed(value, kind)?;
    let same = changed(&converted, value.kind()).as_ref() == Ok(value)
        // JSON as text: the spaces in it do not count.
        || matches!(value, Value::S(text) if same_json(&converted, text));
    match same {
        true => Ok(converted),
        false => Err(format!("it would become `{}`", converted.to_text())),
    }
}

/// Converts a value to another type, even with loss.
fn changed(value: &Value, kind: AttributeType) -> Result<Value, String> {
    let no = || {
        let (from, to) = (value.kind().label(), kind.label());
        format!(
            "a value of type {} cannot be converted to type {}",
            from.to_lowercase(),
            to.to_lowercase()
        )
    };
    let one = || gathered(std::slice::from_ref(value), kind);
    if let Some(list) = elements(value) {
        if let Some(converted) = gathered(&list, kind) {
            return Ok(converted);
        }
        match list.as_slice() {
            [one] if one.kind() == kind => return Ok(one.clone()),
            _ if kind != AttributeType::S => return Err(no()),
            _ => {}
        }
    } else if value.kind() != AttributeType::S && kind != AttributeType::S {
        return one().ok_or_else(no);
    }
    Value::from_text(kind, &value.to_text()).or_else(|reason| one().ok_or(reason))
}

/// The elements of a list or set.
fn elements(value: &Value) -> Option<Vec<Value>> {
    Some(match value {
        Value::L(list) => list.clone(),
        Value::Ss(set) => set.iter().cloned().map(Value::S).collect(),
        Value::Ns(set) => set.iter().cloned().map(Value::N).collect(),
        Value::Bs(set) => set.iter().cloned().map(Value::B).collect(),
        _ => return None,
    })
}

/// Returns these elements as a list or a set, unless one would be lost.
fn gathered(list: &[Value], kind: AttributeType) -> Option<Value> {
    let mut set = match kind {
        AttributeType::L => {
            // A map with the maximum nesting depth is one level too deep in a list.
            let json = Value::L(list.to_vec()).to_dynamodb_json();
            return Value::from_dynamodb_json(&json).ok();
        }
        AttributeType::Ss => Value::Ss([].into()),
        AttributeType::Ns => Value::Ns([].into()),
        AttributeType::Bs => Value::Bs([].into()),
        _ => return None,
    };
    for element in list {
        let new = match (&mut set, element) {
            (Value::Ss(set), Value::S(text)) => set.insert(text.clone()),
            (Value::Ns(set), Value::N(number)) => set.insert(number.clone()),
            (Value::Bs(set), Value::B(bytes)) => set.insert(bytes.clone()),
            _ => false,
        };
        if !new {
            return None;
        }
    }
    (!list.is_empty()).then_some(set)
}

/// Whether a list, map or set equals the JSON text.
fn same_json(value: &Value, text: &str) -> bool {
    let scalar = elements(value).is_none() && value.kind() != AttributeType::M;
    if scalar {
        return false;
    }
    let read = |text: &str| serde_json::from_str::<serde_json::Value>(text).ok();
    let plain = read(&value.to_text());
    plain.is_some() && plain == read(text)
}
