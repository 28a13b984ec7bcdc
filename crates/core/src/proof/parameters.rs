//! The parameters of an access pattern and their values: placeholders of its templates, and `:name` in its expressions.

use crate::engine::operation_parts::{parameter_names, parts, values_in};
use crate::engine::query::expression::{
    Assigned, Operand, Term, ValueType, parse_condition, parse_update, type_in_condition,
    type_in_update,
};
use crate::model::{
    AccessPattern, AttributeType, Design, Entity, EntityId, Operation, Sample, SampleId, SortedMap,
    Value, WriteAction, entities_of,
};
use crate::template;
use std::sync::Arc;

/// A parameter of an access pattern.
#[derive(Debug, Clone, PartialEq)]
pub struct Parameter {
    /// The name.
    pub name: String,
    /// The value; `None` if it has none, so the pattern cannot run.
    pub value: Option<Value>,
    /// The source of the value.
    pub source: Source,
}

/// The source of a parameter's value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    /// The user typed it.
    Typed,
    /// This sample holds it.
    Sample(SampleId),
    /// It has no value.
    Nowhere,
}

/// The parameters of an access pattern with their values.
#[derive(Debug, Clone, PartialEq)]
pub struct Binding {
    /// The parameters, in the order in which the pattern uses them.
    pub parameters: Vec<Parameter>,
    /// All available values: typed, or else the sample's.
    pub values: SortedMap<String, Value>,
    /// The parameters that an update sets an attribute to, but that have the value that the sample holds there: no other
    /// sample has another one, or the request compares the item with them.
    pub unchanged: Vec<String>,
}

impl Binding {
    /// Returns the value of a parameter.
    pub fn value(&self, name: &str) -> Option<&Value> {
        self.values.get(name)
    }

    /// Returns the names of the parameters without a value.
    pub fn unbound(&self) -> Vec<&str> {
        let unbound = self.parameters.iter().filter(|p| p.value.is_none());
        unbound.map(|parameter| parameter.name.as_str()).collect()
    }
}

/// Assigns values to the parameters: typed values, then those of the chosen sample. If no sample is chosen, uses the
/// first sample of the pattern's entities with all or most of the values; a transaction or a batch takes what this one
/// lacks from samples of its other entities that agree with it. What an update only sets comes from another sample, if one
/// has another value, also if a sample is chosen: an update that sets what is there changes nothing.
pub fn bind(design: &Design, pattern: &AccessPattern) -> Binding {
    let names = parameter_names(design, &pattern.operation);
    let sample = match pattern.sample {
        Some(id) => find(design, id),
        None => fitting(design, pattern, &names),
    };
    let mut values = SortedMap::new();
    if let Some((owner, sample)) = &sample {
        for (name, value) in sample.values.iter() {
            values.insert(name.clone(), value.clone());
        }
        if let (Some(attribute), Some(entity)) =
            (&design.table.type_attribute, design.entities.get(owner))
        {
            (values.entry(attribute.clone())).or_insert_with(|| Value::S(entity.name.clone()));
        }
    }
    for (name, value) in &pattern.parameters {
        values.insert(name.clone(), value.clone());
    }
    let mut from_others: SortedMap<String, SampleId> = SortedMap::new();
    let takes_others = pattern.sample.is_none() && has_several_items(&pattern.operation);
    while takes_others && let Some(other) = agreeing(design, pattern, &names, &values) {
        for name in &names {
            if let Some(value) = other.values.get(name)
                && !values.contains_key(name)
            {
                values.insert(name.clone(), value.clone());
                from_others.insert(name.clone(), other.id);
            }
        }
    }
    let mut unchanged = Vec::new();
    let open = |set: &SetParameter| !pattern.parameters.contains_key(&set.parameter);
    for set in assigned(design, pattern).into_iter().filter(open) {
        let own = sample.as_ref().map(|(owner, sample)| (*owner, sample));
        let item = own.and_then(|own| addressed(design, pattern, &set, &values, own));
        let Some((entity, item)) = item else {
            continue;
        };
        let stored = item.values.get(&set.attribute);
        if values.get(&set.parameter) != stored {
            continue;
        }
        match other_value(design, entity, &set.attribute, stored).filter(|_| set.is_alone) {
            Some((id, value)) => {
                from_others.insert(set.parameter.clone(), id);
                values.insert(set.parameter, value.clone());
            }
            // Another action may set the same parameter.
            None if unchanged.contains(&set.parameter) => {}
            None => unchanged.push(set.parameter),
        }
    }
    let parameter = |name: &String| {
        let name = name.clone();
        let value = values.get(&name).cloned();
        let source = match (&sample, from_others.get(&name)) {
            _ if pattern.parameters.contains_key(&name) => Source::Typed,
            (_, Some(other)) => Source::Sample(*other),
            (Some((_, sample)), _) if value.is_some() => Source::Sample(sample.id),
            _ => Source::Nowhere,
        };
        Parameter {
            name,
            value,
            source,
        }
    };
    Binding {
        parameters: names.iter().map(parameter).collect(),
        values,
        unchanged,
    }
}

/// An attribute that an update sets to the value of a parameter: `SET status = :status`.
struct SetParameter {
    /// The parameters in the key of the item.
    key: Vec<String>,
    attribute: String,
    parameter: String,
    /// Whether the parameter stands nowhere else in the request.
    is_alone: bool,
}

/// What updates of an access pattern set to the value of a parameter that no key and no item to put contains.
fn assigned(design: &Design, pattern: &AccessPattern) -> Vec<SetParameter> {
    let mut actions = pattern.operation.actions().iter();
    if actions.all(|action| action.update().is_none()) {
        return Vec::new();
    }
    let parts = parts(&pattern.operation);
    let puts: Vec<_> = (parts.puts.iter())
        .filter_map(|id| design.entities.get(id))
        .collect();
    let names_in = |text: &str| -> Vec<String> {
        let template = template::parse(text).template;
        template.attributes().map(str::to_owned).collect()
    };
    let in_keys: Vec<String> = parts
        .templates
        .iter()
        .flat_map(|text| names_in(text))
        .collect();
    let times = |name: &str| {
        let names = parts.expressions.iter().flat_map(|text| values_in(text));
        names.filter(|other| *other == name).count()
    };
    let mut found = Vec::new();
    for action in pattern.operation.actions() {
        let WriteAction::UpdateItem { key, update, .. } = action else {
            continue;
        };
        let Ok(update) = parse_update(update) else {
            continue;
        };
        for (path, to) in update.set {
            if let Assigned::Term(Term::Operand(Operand::Value(parameter))) = to
                && path.steps.is_empty()
                && !in_keys.contains(&parameter)
                && !puts
                    .iter()
                    .any(|entity| entity.attribute(&parameter).is_some())
            {
                let texts = std::iter::once(&key.partition).chain(&key.sort);
                found.push(SetParameter {
                    key: texts.flat_map(|text| names_in(text)).collect(),
                    attribute: path.attribute.text,
                    is_alone: times(&parameter) == 1,
                    parameter,
                });
            }
        }
    }
    found
}

/// Returns the sample whose values are those in the key of an update, with its entity: `own` if they are its, else one of the
/// pattern's entities.
fn addressed<'a>(
    design: &'a Design,
    pattern: &AccessPattern,
    set: &SetParameter,
    values: &SortedMap<String, Value>,
    own: (EntityId, &'a Arc<Sample>),
) -> Option<(EntityId, &'a Arc<Sample>)> {
    let is_it = |sample: &Arc<Sample>| {
        let mut names = set.key.iter();
        names.all(|name| sample.values.get(name) == values.get(name))
            && sample.values.get(&set.attribute).is_some()
    };
    if is_it(own.1) {
        return Some(own);
    }
    entities_of(pattern).find_map(|id| {
        let mut samples = design.samples_of(id).iter();
        Some((id, samples.find(|sample| is_it(sample))?))
    })
}

/// Returns the type that an access pattern asks of a parameter: that of the attribute with its name, or else that of what
/// an expression compares it with or assigns it to. `None` if nothing says it.
pub fn parameter_type(
    design: &Design,
    pattern: &AccessPattern,
    name: &str,
) -> Option<AttributeType> {
    let own = attribute_types(design, pattern, name).first().copied();
    own.or_else(|| types_in_expressions(design, pattern, name).first().copied())
}

/// The types of the attributes of this name: those of the pattern's entities, or else of all.
fn attribute_types(design: &Design, pattern: &AccessPattern, name: &str) -> Vec<AttributeType> {
    let kind = |entity: &Arc<Entity>| Some(entity.attribute(name)?.kind);
    let intended = entities_of(pattern).filter_map(|id| design.entities.get(&id));
    let found: Vec<AttributeType> = intended.filter_map(kind).collect();
    match found.is_empty() {
        true => design.entities.values().filter_map(kind).collect(),
        false => found,
    }
}

/// Returns the types of what an expression compares a parameter with or assigns it to. None: nothing says it.
pub(super) fn types_in_expressions(
    design: &Design,
    pattern: &AccessPattern,
    name: &str,
) -> Vec<AttributeType> {
    let in_expression = |text: &str| match parse_update(text) {
        Ok(update) => type_in_update(&update, name),
        Err(_) => type_in_condition(&parse_condition(text).ok()?, name),
    };
    let of_element = |kind: AttributeType| match kind {
        AttributeType::S | AttributeType::Ss => Some(AttributeType::S),
        AttributeType::Ns => Some(AttributeType::N),
        AttributeType::B | AttributeType::Bs => Some(AttributeType::B),
        _ => None,
    };
    let expressions = parts(&pattern.operation).expressions;
    match expressions.into_iter().find_map(in_expression) {
        Some(ValueType::OfAttribute(attribute)) => attribute_types(design, pattern, &attribute),
        Some(ValueType::OfElement(attribute)) => {
            let all = attribute_types(design, pattern, &attribute).into_iter();
            all.map(of_element)
                .collect::<Option<_>>()
                .unwrap_or_default()
        }
        Some(ValueType::Fixed(kind)) => vec![kind],
        None => Vec::new(),
    }
}

/// Returns a sample with its entity.
pub(super) fn find(design: &Design, id: SampleId) -> Option<(EntityId, Arc<Sample>)> {
    for (entity, samples) in &design.samples {
        if let Some(sample) = samples.iter().find(|sample| sample.id == id) {
            return Some((*entity, sample.clone()));
        }
    }
    None
}

/// Returns the first value of an attribute in samples of an entity that is not this one, with its sample.
fn other_value<'a>(
    design: &'a Design,
    entity: EntityId,
    attribute: &str,
    stored: Option<&Value>,
) -> Option<(SampleId, &'a Value)> {
    let samples = design.samples_of(entity).iter();
    let mut values = samples.filter_map(|sample| Some((sample.id, sample.values.get(attribute)?)));
    values.find(|(_, value)| Some(*value) != stored)
}

fn has_several_items(operation: &Operation) -> bool {
    let parts = parts(operation);
    parts.keys.len() + parts.puts.len() > 1
}

/// Returns the first sample of the pattern's entities with most of the values that are not typed; of such, one that is in
/// the index that the pattern queries.
fn fitting(
    design: &Design,
    pattern: &AccessPattern,
    names: &[String],
) -> Option<(EntityId, Arc<Sample>)> {
    let mut wanted: Vec<&String> = names.iter().collect();
    wanted.retain(|name| !pattern.parameters.contains_key(*name));
    let mut ids: Vec<EntityId> = entities_of(pattern).collect();
    if ids.is_empty() {
        ids = design.entities.keys().copied().collect();
    }
    let (any, most) = with_most(design, &ids, &wanted, &|_, _| true)?;
    let Operation::Query { index, .. } = &pattern.operation else {
        return Some(any);
    };
    let is_in = |id: EntityId, sample: &Sample| {
        let entry = (design.entities.get(&id)).and_then(|entity| entity.keys.get(index));
        let mut when = entry.iter().flat_map(|entry| &entry.when);
        when.all(|condition| condition.holds(sample.values.get(&condition.attribute)))
    };
    let inside = with_most(design, &ids, &wanted, &is_in);
    let inside = inside.filter(|(_, count)| *count == most);
    Some(inside.map_or(any, |(sample, _)| sample))
}

/// Returns the first sample of the pattern's entities with most of the values that are still missing, and without another
/// value for a parameter that has one.
fn agreeing(
    design: &Design,
    pattern: &AccessPattern,
    names: &[String],
    values: &SortedMap<String, Value>,
) -> Option<Arc<Sample>> {
    let mut missing: Vec<&String> = names.iter().collect();
    missing.retain(|name| !values.contains_key(*name));
    let agrees = |_, sample: &Sample| {
        names.iter().all(|name| {
            let own = sample.values.get(name);
            own.is_none() || values.get(name).is_none_or(|value| Some(value) == own)
        })
    };
    let ids: Vec<EntityId> = entities_of(pattern).collect();
    with_most(design, &ids, &missing, &agrees).map(|((_, sample), _)| sample)
}

/// Returns the first sample with most of these values among those that fit, with its entity, and how many of them it has;
/// `None` if none has any.
fn with_most(
    design: &Design,
    ids: &[EntityId],
    wanted: &[&String],
    fits: &dyn Fn(EntityId, &Sample) -> bool,
) -> Option<((EntityId, Arc<Sample>), usize)> {
    let mut best = None;
    let mut most = 0;
    for id in ids {
        for sample in design.samples_of(*id) {
            if most == wanted.len() {
                return best.map(|best| (best, most));
            }
            let has = |name: &&&String| sample.values.contains_key(name.as_str());
            let count = wanted.iter().filter(has).count();
            if count > most && fits(*id, sample) {
                (most, best) = (count, Some((*id, sample.clone())));
            }
        }
    }
    best.map(|best| (best, most))
}
