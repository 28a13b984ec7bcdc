//! What the key conditions of access patterns can match, without any sample. The linter and the proofs ask the same
//! compiled [`KeyCondition`]; the linter keeps the answers, the proofs give reasons for them.
//!
//! Exact for text keys, but for two limits: places of one attribute are taken as independent, and so are the condition's
//! parameters. Keys of type N and B take one plain value and can match any of its type; only [`wrong_type`] asks for these.

use super::compiled::Compiled;
use super::query::Rejection;
use super::{languages, overlap};
use crate::model::{
    AccessPattern, Attribute, AttributeType, DelimiterPolicy, Design, Entity, IndexId, ItemKey,
    KeyAttribute, KeyPart, KeySchema, KeyType, Operation, SortCondition, SortOperator, Value,
    entities_of,
};
use crate::template::{
    KeyLanguage, Modifier, Placeholder, RenderError, Segment, Template, TooLarge, ValueShape,
    render, render_condition_value,
};
use std::sync::Arc;

/// The key condition of a Query, or the primary key of one item, with its templates compiled.
#[derive(Debug)]
pub struct KeyCondition {
    /// The table or index.
    pub index: IndexId,
    /// A template for each partition key attribute.
    pub partition: Vec<Compiled>,
    /// The conditions on the sort key attributes: operator, value, upper bound.
    pub sort: Vec<(SortOperator, Compiled, Option<Compiled>)>,
    /// Whether the condition has a value for every partition key attribute and all its templates can be read.
    pub is_complete: bool,
}

/// The test of one key attribute in a key condition.
#[derive(Debug, Clone, Copy)]
pub struct KeyTest<'a> {
    /// The operator; of a partition key attribute always `=`.
    pub operator: SortOperator,
    /// The value, or the lower bound.
    pub value: &'a Compiled,
    /// The upper bound of `between`.
    pub upper: Option<&'a Compiled>,
}

/// What a parameter of a condition can hold, by its name.
pub type ParameterShapes<'a> = &'a dyn Fn(&str) -> Option<ValueShape>;

impl KeyCondition {
    /// The condition of a Query.
    pub fn query(
        design: &Design,
        index: IndexId,
        partition: &[String],
        sort: &[SortCondition],
        shapes: ParameterShapes,
    ) -> KeyCondition {
        let compile = |text: &String| Compiled::new(text, &design.delimiter, shapes);
        let partition: Vec<Compiled> = partition.iter().map(compile).collect();
        let sort: Vec<(SortOperator, Compiled, Option<Compiled>)> = (sort.iter())
            .map(|condition| {
                let upper = condition.upper.as_ref().map(compile);
                (condition.operator, compile(&condition.value), upper)
            })
            .collect();
        let is_complete = design.key(index).is_some_and(|key| {
            key.partition.len() == partition.len() && key.sort.len() >= sort.len()
        }) && !partition.iter().any(Compiled::is_broken)
            && !(sort.iter()).any(|(_, value, upper)| {
                value.is_broken() || upper.as_ref().is_some_and(Compiled::is_broken)
            });
        KeyCondition {
            index,
            partition,
            sort,
            is_complete,
        }
    }

    /// The primary key of one item.
    pub fn key(design: &Design, key: &ItemKey, shapes: ParameterShapes) -> KeyCondition {
        let sort: Vec<SortCondition> = (key.sort.iter())
            .map(|text| SortCondition {
                operator: SortOperator::Equal,
                value: text.clone(),
                upper: None,
            })
            .collect();
        let partition = std::slice::from_ref(&key.partition);
        KeyCondition::query(design, IndexId::PRIMARY, partition, &sort, shapes)
    }

    /// The key conditions of an operation; none of a Scan, or of an item that is put.
    pub fn all(design: &Design, operation: &Operation, shapes: ParameterShapes) -> Vec<Self> {
        match operation {
            Operation::Query {
                index,
                partition,
                sort,
                ..
            } => vec![KeyCondition::query(design, *index, partition, sort, shapes)],
            operation => (operation.keys().into_iter())
                .map(|key| KeyCondition::key(design, key, shapes))
                .collect(),
        }
    }

    /// Returns the test of the attribute at this place of a side of the key; `None` if there is no test.
    pub fn test(&self, part: KeyPart, at: usize) -> Option<KeyTest<'_>> {
        match part {
            KeyPart::Partition => self.partition.get(at).map(|value| KeyTest {
                operator: SortOperator::Equal,
                value,
                upper: None,
            }),
            KeyPart::Sort => self.sort.get(at).map(|(operator, value, upper)| KeyTest {
                operator: *operator,
                value,
                upper: upper.as_ref(),
            }),
        }
    }

    /// The value of the last sort condition, if that is a `begins_with`.
    pub fn prefix(&self) -> Option<&Compiled> {
        match self.sort.last() {
            Some((SortOperator::BeginsWith, value, _)) => Some(value),
            _ => None,
        }
    }
}

impl KeyTest<'_> {
    /// Whether the literals at the beginning leave it open that a key of this template passes. Most entities' keys begin
    /// with other text and need no closer look.
    pub fn may_pass(&self, own: &Template) -> bool {
        let is_prefix = matches!(
            self.operator,
            SortOperator::Equal | SortOperator::BeginsWith
        );
        let (own, wanted) = (own.leading_literal(), self.value.head.as_str());
        !is_prefix || own.starts_with(wanted) || wanted.starts_with(own)
    }

    /// Whether some key of the template passes, for some values of the parameters.
    ///
    /// # Errors
    /// The templates are too large for an answer.
    pub fn passes(&self, own: &Compiled) -> Result<bool, TooLarge> {
        if own.is_broken() || self.value.is_broken() || self.upper.is_some_and(Compiled::is_broken)
        {
            return Ok(false);
        }
        match self.operator {
            SortOperator::Equal => overlap::meet(own, self.value),
            SortOperator::BeginsWith => overlap::begins(self.value, own),
            _ if self.is_outside(own) => Ok(false),
            _ => Ok(self.example(own.language())?.is_some()),
        }
    }

    /// A key of these that passes, for some values of the parameters; `None` if none does.
    ///
    /// # Errors
    /// The templates are too large for an answer.
    pub fn example(&self, own: &KeyLanguage) -> Result<Option<String>, TooLarge> {
        let bound = self.value.language();
        match self.operator {
            SortOperator::Equal => bound.collides(own),
            SortOperator::BeginsWith => bound.is_prefix_in(own),
            SortOperator::Less => own.within(None, Some((bound, false))),
            SortOperator::LessOrEqual => own.within(None, Some((bound, true))),
            SortOperator::Greater => own.within(Some((bound, false)), None),
            SortOperator::GreaterOrEqual => own.within(Some((bound, true)), None),
            SortOperator::Between => {
                let upper = self.upper.map(|upper| (upper.language(), true));
                own.within(Some((bound, true)), upper)
            }
        }
    }

    /// Whether the literals alone put all keys of a template outside of the range.
    fn is_outside(&self, own: &Compiled) -> bool {
        let outside = |bound: &Compiled, below: bool| {
            let (own, bound) = (own.head.as_str(), bound.head.as_str());
            let apart = !own.starts_with(bound) && !bound.starts_with(own);
            apart && (own < bound) == below
        };
        match self.operator {
            SortOperator::Less | SortOperator::LessOrEqual => outside(self.value, false),
            SortOperator::Greater | SortOperator::GreaterOrEqual => outside(self.value, true),
            SortOperator::Between => {
                outside(self.value, true) || self.upper.is_some_and(|upper| outside(upper, false))
            }
            SortOperator::Equal | SortOperator::BeginsWith => false,
        }
    }
}

/// The attribute whose values a parameter of an access pattern looks like: the one of its name in the pattern's
/// entities; in any entity if the pattern names none. `None` if none of these has it: the parameter can be any text, also
/// if an entity that has nothing to do with the pattern has an attribute of this name.
pub fn parameter_attribute<'d>(
    design: &'d Design,
    pattern: &AccessPattern,
    name: &str,
) -> Option<&'d Attribute> {
    let has_it = |entity: &'d Arc<Entity>| entity.attribute(name);
    match entities_of(pattern).next() {
        Some(_) => {
            (entities_of(pattern).filter_map(|id| design.entities.get(&id))).find_map(has_it)
        }
        None => design.entities.values().find_map(has_it),
    }
}

/// Returns why DynamoDB rejects a condition for all values of its parameters, if it does for a type: a text for a key of
/// type N or B, or a parameter of a declared type that is not the key's. A value that the pattern has for a parameter
/// counts for itself.
pub fn wrong_type(
    design: &Design,
    pattern: &AccessPattern,
    condition: &KeyCondition,
) -> Option<Rejection> {
    let key = design.key(condition.index)?;
    of_each_value(key, condition).find_map(|(key, _, value)| {
        let found = wrong_kind(design, pattern, key, &value.template)?;
        Some(Rejection::WrongType {
            attribute: key.name.clone(),
            wanted: key.kind.into(),
            found,
        })
    })
}

/// The type of the values that a template renders for a key attribute of another type.
fn wrong_kind(
    design: &Design,
    pattern: &AccessPattern,
    key: &KeyAttribute,
    template: &Template,
) -> Option<AttributeType> {
    if key.kind == KeyType::S {
        return None;
    }
    let wanted = AttributeType::from(key.kind);
    if let [Segment::Placeholder(only)] = template.segments.as_slice() {
        if pattern.parameters.contains_key(&only.attribute) || !only.modifiers.is_empty() {
            return None;
        }
        let attribute = parameter_attribute(design, pattern, &only.attribute)?;
        // Without an intended entity it may be the attribute of any.
        let fits = |entity: &Arc<Entity>| {
            let own = entity.attribute(&only.attribute);
            own.is_some_and(|own| own.kind == wanted)
        };
        let is_meant = entities_of(pattern).next().is_some() || !design.entities.values().any(fits);
        return (is_meant && attribute.kind != wanted).then_some(attribute.kind);
    }
    if template.is_static() {
        let none = |_: &str| None;
        let value = render_condition_value(template, wanted, &design.delimiter, &none, usize::MAX);
        return matches!(value, Err(RenderError::WrongType { .. })).then_some(AttributeType::S);
    }
    Some(AttributeType::S)
}

/// What the values of a parameter look like: see [`parameter_attribute`].
pub fn parameter_shape(design: &Design, pattern: &AccessPattern, name: &str) -> Option<ValueShape> {
    let attribute = parameter_attribute(design, pattern, name)?;
    Some(languages::shape(languages::resolved(design, attribute)))
}

/// Pairs the placeholders of a condition's template with those of a key's template that stand in the same place, as
/// far as the literals between them are the same. A literal of the condition may end early.
pub fn aligned<'a>(
    condition: &'a Template,
    key: &'a Template,
) -> Vec<(&'a Placeholder, &'a Placeholder)> {
    let mut pairs = Vec::new();
    for (left, right) in condition.segments.iter().zip(&key.segments) {
        match (left, right) {
            (Segment::Placeholder(left), Segment::Placeholder(right)) => pairs.push((left, right)),
            (Segment::Literal { text: left, .. }, Segment::Literal { text: right, .. })
                if left == right => {}
            _ => break,
        }
    }
    pairs
}

/// Returns a placeholder of a condition on the entity's keys, and the one at its place there, if the condition does not
/// apply the modifiers with which the key has the value: `>= {rank}` where the key has `{rank:pad(5)}` compares other
/// texts. Where a prefix or a bound ends, it may have the beginning of the value: a month of a day.
pub fn other_modifiers(
    design: &Design,
    pattern: &AccessPattern,
    condition: &KeyCondition,
    entity: &Entity,
) -> Option<(String, String)> {
    let is_number = |name: &str| matches!(pattern.parameters.get(name), Some(Value::N(_)));
    let is_numeric = |name: &str| {
        (entity.attribute(name)).is_some_and(|attribute| attribute.kind == AttributeType::N)
    };
    let is_padded = |one: &Placeholder| one.modifiers.iter().any(Modifier::is_reversible);
    let differs = |pair: &Pair| {
        let (asked, own) = (&pair.asked, &pair.own);
        // A text that is set may be what the modifiers make of a value.
        let is_set = || {
            let value = pattern.parameters.get(&asked.attribute);
            value.is_some_and(|value| {
                [asked, own].map(|one| is_unchanged(one, value, &design.delimiter)) == [true; 2]
            })
        };
        let is_value = asked.attribute == own.attribute && !is_set()
            || is_padded(own) && is_number(&asked.attribute)
            || is_padded(asked) && is_numeric(&own.attribute);
        is_value
            && asked.modifiers != own.modifiers
            && !(pair.may_end && is_beginning(&asked.modifiers, &own.modifiers))
    };
    let found = paired(design, condition, entity)
        .into_iter()
        .find(differs)?;
    Some((found.asked.to_string(), found.own.to_string()))
}

/// A placeholder of a condition, and the one at its place in a key.
pub struct Pair {
    /// That of the condition.
    pub asked: Placeholder,
    /// That of the key.
    pub own: Placeholder,
    /// Whether the condition's may have only the beginning of the key's value: the last one of a prefix or of a bound.
    may_end: bool,
}

/// The placeholders of a condition that have a place in the entity's key, each with the one there.
pub fn paired(design: &Design, condition: &KeyCondition, entity: &Entity) -> Vec<Pair> {
    let mut pairs = Vec::new();
    let values =
        (design.key(condition.index).into_iter()).flat_map(|key| of_each_value(key, condition));
    for (attribute, operator, value) in values {
        let Some(own) = languages::written(design, entity, attribute) else {
            continue;
        };
        let count = value.template.placeholders().count();
        let ends = match operator {
            SortOperator::Equal => false,
            SortOperator::BeginsWith => {
                let last = value.template.segments.last();
                matches!(last, Some(Segment::Placeholder(_)))
            }
            _ => true,
        };
        let found = aligned(&value.template, &own).into_iter().enumerate();
        pairs.extend(found.map(|(at, (asked, own))| Pair {
            asked: asked.clone(),
            own: own.clone(),
            may_end: ends && at + 1 == count,
        }));
    }
    pairs
}

/// Whether the modifiers of a placeholder leave a text as it is: they may have made it.
fn is_unchanged(placeholder: &Placeholder, value: &Value, policy: &DelimiterPolicy) -> bool {
    let alone = Template {
        segments: vec![Segment::Placeholder(placeholder.clone())],
    };
    let Value::S(text) = value else {
        return false;
    };
    render(&alone, policy, &|_| Some(value)).is_ok_and(|rendered| rendered == *text)
}

/// Whether the modifiers render the beginning of what the others render: a month of a day, the first characters.
fn is_beginning(of: &[Modifier], whole: &[Modifier]) -> bool {
    use Modifier::{Date, First, Month, Year};
    if let Some(more) = of.strip_prefix(whole) {
        return more
            .iter()
            .all(|m| matches!(m, Date | Month | Year | First(_)));
    }
    let (Some((last, of)), Some((other, whole))) = (of.split_last(), whole.split_last()) else {
        return false;
    };
    of == whole
        && match (last, other) {
            (Month | Year, Date) | (Year, Month) => true,
            (First(few), First(more)) => few <= more,
            _ => false,
        }
}

/// Each value of a condition with its key attribute and its operator.
fn of_each_value<'a>(
    key: &'a KeySchema,
    condition: &'a KeyCondition,
) -> impl Iterator<Item = (&'a KeyAttribute, SortOperator, &'a Compiled)> {
    let partitions = (key.partition.iter().zip(&condition.partition))
        .map(|(key, value)| (key, SortOperator::Equal, value));
    let sorts = (key.sort.iter().zip(&condition.sort)).flat_map(|(key, (is, value, upper))| {
        let values = std::iter::once(value).chain(upper);
        values.map(move |value| (key, *is, value))
    });
    partitions.chain(sorts)
}
