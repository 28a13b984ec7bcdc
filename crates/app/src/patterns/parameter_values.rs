//! Values of an access pattern's parameters: typed ones, and samples that supply them.

use crate::Refused;
use crate::parameter_owner::owner_of_sample;
use keyfold_core::model::{
    AccessPattern, AttributeType, Design, EntityId, KeyAttribute, KeyType, Operation, SampleId,
    SortedSet, Value, entities_of,
};
use keyfold_core::proof::{Parameter, Source, parameter_type};
use keyfold_core::template;

/// Maximum number of samples offered per entity.
const MAX_SAMPLES: usize = 100;

/// Sets the value of a parameter from typed text. An empty text removes it: the sample supplies the value again. The
/// type is that of [`kind_of`].
///
/// # Errors
///
/// Returns why the text is not a value of that type.
pub fn type_value(
    design: &Design,
    pattern: &mut AccessPattern,
    parameter: &Parameter,
    typed: &str,
) -> Result<(), Refused> {
    if typed.is_empty() {
        pattern.parameters.remove(&parameter.name);
        return Ok(());
    }
    let kind = kind_of(design, pattern, parameter);
    let value = Value::from_text(kind, typed).map_err(Refused)?;
    pattern.parameters.insert(parameter.name.clone(), value);
    Ok(())
}

/// Returns the type of a parameter's value: what the access pattern asks ([`parameter_type`]), that of a key attribute, or that
/// of the value that it has.
pub fn kind_of(design: &Design, pattern: &AccessPattern, parameter: &Parameter) -> AttributeType {
    let asked = || parameter_type(design, pattern, &parameter.name);
    let of_key = || of_key(design, pattern, &parameter.name).map(AttributeType::from);
    let before = || parameter.value.as_ref().map(Value::kind);
    (asked().or_else(of_key).or_else(before)).unwrap_or_default()
}

/// The type of the key attribute whose condition is only this parameter.
fn of_key(design: &Design, pattern: &AccessPattern, name: &str) -> Option<KeyType> {
    let Operation::Query {
        index,
        partition,
        sort,
        ..
    } = &pattern.operation
    else {
        return None;
    };
    let is_it = |text: &String| {
        let template = template::parse(text).template;
        template.is_single_placeholder() && template.uses(name)
    };
    let key = design.key(*index)?;
    for (text, attribute) in partition.iter().zip(&key.partition) {
        if is_it(text) {
            return Some(attribute.kind);
        }
    }
    let of = |(condition, attribute): (&keyfold_core::model::SortCondition, &KeyAttribute)| {
        let any = is_it(&condition.value) || condition.upper.as_ref().is_some_and(is_it);
        any.then_some(attribute.kind)
    };
    sort.iter().zip(&key.sort).find_map(of)
}

/// Describes the source of a parameter's value.
pub fn source_text(design: &Design, source: Source) -> String {
    match source {
        Source::Typed => "typed".into(),
        Source::Nowhere => "no value".into(),
        Source::Sample(id) => match owner_of_sample(design, id) {
            Some(entity) => format!("from {}", design.entities[&entity].name),
            None => "from a sample".into(),
        },
    }
}

/// Returns the samples that can supply the parameters, each with a description. They are samples of the pattern's
/// entities, or of all entities if it names none: the first 100 of each entity, and the chosen one.
pub fn samples(design: &Design, pattern: &AccessPattern) -> Vec<(SampleId, String)> {
    // An intended entity may be put, too.
    let ids: SortedSet<EntityId> = entities_of(pattern).collect();
    let mut ids: Vec<EntityId> = ids.into_iter().collect();
    if ids.is_empty() {
        ids = design.entities.keys().copied().collect();
    }
    let chosen = pattern.sample.and_then(|id| owner_of_sample(design, id));
    ids.extend(chosen.filter(|id| !ids.contains(id)));
    let mut found = Vec::new();
    for id in ids {
        let Some(entity) = design.entities.get(&id) else {
            continue;
        };
        let mut names: Vec<String> = Vec::new();
        for text in (entity.keys.values()).flat_map(|e| e.partition.iter().chain(&e.sort)) {
            for name in template::parse(text).template.attributes() {
                if names.len() < 3 && !names.iter().any(|known| known == name) {
                    names.push(name.to_owned());
                }
            }
        }
        for (at, sample) in design.samples_of(id).iter().enumerate() {
            if at >= MAX_SAMPLES && pattern.sample != Some(sample.id) {
                continue;
            }
            let mut text = entity.name.clone();
            for name in &names {
                if let Some(value) = sample.values.get(name) {
                    text += " · ";
                    text += &value.to_text();
                }
            }
            found.push((sample.id, text));
        }
    }
    found
}
