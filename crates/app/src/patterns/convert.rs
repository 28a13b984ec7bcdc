//! Changes the operation, index, operator or action of an access pattern. Whatever both versions have in common is
//! kept; the rest starts from the entity's templates.

use super::key_condition_offers::{key_texts, offers};
use super::range_values::RangeValues;
use super::requirements;
use crate::Refused;
use crate::parameter_owner::owner_of_sample;
use keyfold_core::engine::generate::name_meanings::words;
use keyfold_core::engine::query::expression::{Name, is_parameter_name};
use keyfold_core::model::{
    AccessPattern, Attribute, AttributeType, Design, EntityId, IndexId, ItemKey, Operation,
    SortCondition, SortOperator, WriteAction, entities_of,
};
use keyfold_core::proof::is_read_requirement;
use keyfold_core::template::{self, Segment};

/// Returns the operation with this API name, converted from the current one.
pub(super) fn to_kind(
    design: &Design,
    pattern: &AccessPattern,
    kind: &str,
) -> Result<Operation, Refused> {
    let old = &pattern.operation;
    let read = old.read().cloned().unwrap_or_default();
    let mut of_table = read.clone();
    of_table.filter = None;
    let limit = old.limit();
    let index = old.index().unwrap_or(IndexId::PRIMARY);
    let key = || keys(design, pattern).swap_remove(0);
    Ok(match kind {
        _ if kind == old.name() => old.clone(),
        "GetItem" => Operation::GetItem {
            key: key(),
            read: of_table,
        },
        "Query" => Operation::Query {
            index,
            partition: partition(design, pattern, index),
            sort: Vec::new(),
            descending: false,
            limit,
            read,
        },
        "Scan" => Operation::Scan { index, limit, read },
        "BatchGetItem" => Operation::BatchGetItem {
            keys: keys(design, pattern),
            read: of_table,
        },
        "TransactGetItems" => Operation::TransactGetItems {
            keys: keys(design, pattern),
        },
        "TransactWriteItems" => {
            let mut actions = old.actions().to_vec();
            if actions.is_empty() {
                actions.push(new_action(design, pattern, "PutItem")?);
            }
            Operation::TransactWriteItems { actions }
        }
        action => {
            let same = (old.actions().iter()).find(|old| old.name() == action);
            match same {
                Some(same) => Operation::Write(same.clone()),
                None => Operation::Write(new_action(design, pattern, action)?),
            }
        }
    })
}

/// Reads from another index, using the entity's templates there.
pub(super) fn to_index(design: &Design, pattern: &mut AccessPattern, to: IndexId) {
    let begun = partition(design, pattern, to);
    let texts = about(design, pattern).and_then(|id| key_texts(design, id, to));
    let is_gsi = design.is_gsi(to);
    match &mut pattern.operation {
        Operation::Query {
            index,
            partition,
            sort,
            read,
            ..
        } if *index != to => {
            // Keep a condition that the entity's templates allow in the new index.
            let fits = |condition: &SortCondition| {
                let first = texts.as_ref().and_then(|texts| texts.sort.first());
                let head = template::parse(&condition.value).template;
                first.is_some_and(|text| {
                    let text = template::parse(text).template;
                    !head.leading_literal().is_empty()
                        && text.leading_literal().starts_with(head.leading_literal())
                })
            };
            if sort.len() != 1 || !sort.iter().all(fits) {
                sort.clear();
            }
            (*index, *partition) = (to, begun);
            read.consistent &= !is_gsi;
        }
        Operation::Scan { index, read, .. } => {
            *index = to;
            read.consistent &= !is_gsi;
        }
        _ => {}
    }
}

/// Sets the operator of a sort key attribute, or removes its condition. Typed text is kept; a condition from the
/// entity's templates is replaced by the one for the new operator.
pub(super) fn to_operator(design: &Design, pattern: &mut AccessPattern, at: usize, symbol: &str) {
    let offered = offered_conditions(design, pattern, at);
    let (begun, range) = match SortOperator::from_symbol(symbol) {
        Some(operator) => first_condition(design, pattern, &offered, at, operator),
        None => Default::default(),
    };
    let Operation::Query { sort, .. } = &mut pattern.operation else {
        return;
    };
    // No gaps: conditions to the right of a removed one go too.
    let Some(begun) = begun else {
        return sort.truncate(at);
    };
    let was_offered =
        |condition: &SortCondition| offered.iter().any(|(known, _)| known == condition);
    let is_next = sort.len() == at;
    match sort.get_mut(at) {
        Some(condition) if !was_offered(condition) => {
            condition.operator = begun.operator;
            condition.upper = match (begun.operator, condition.upper.take()) {
                (SortOperator::Between, None) => Some(condition.value.clone()),
                (SortOperator::Between, upper) => upper,
                _ => None,
            };
            return;
        }
        Some(condition) => *condition = begun,
        None if is_next => sort.push(begun),
        None => return,
    }
    if let Some(range) = range {
        range.fill(design, pattern);
    }
}

type Offered = (SortCondition, Option<RangeValues>);

/// The conditions on a sort key attribute that the entity's templates offer.
fn offered_conditions(design: &Design, pattern: &AccessPattern, at: usize) -> Vec<Offered> {
    let mut found = Vec::new();
    if let (Some(id), Some(index)) = (about(design, pattern), pattern.operation.index()) {
        for offer in offers(design, id, index) {
            if let Operation::Query { mut sort, .. } = offer.operation
                && sort.len() == at + 1
                && let Some(condition) = sort.pop()
            {
                found.push((condition, offer.range));
            }
        }
    }
    found
}

/// The condition to start with: the first one offered for the operator, otherwise the whole key.
fn first_condition(
    design: &Design,
    pattern: &AccessPattern,
    offered: &[Offered],
    at: usize,
    operator: SortOperator,
) -> (Option<SortCondition>, Option<RangeValues>) {
    if let Some((condition, values)) = offered.iter().find(|(c, _)| c.operator == operator) {
        return (Some(condition.clone()), values.clone());
    }
    let index = pattern.operation.index().unwrap_or(IndexId::PRIMARY);
    let texts = about(design, pattern).and_then(|id| key_texts(design, id, index));
    let whole = (texts.and_then(|texts| texts.sort.get(at).cloned())).unwrap_or_default();
    let condition = SortCondition {
        operator,
        upper: (operator == SortOperator::Between).then(|| whole.clone()),
        value: whole,
    };
    (Some(condition), None)
}

/// Changes the operation of an action in a transaction.
pub(super) fn to_action(
    design: &Design,
    pattern: &mut AccessPattern,
    at: usize,
    name: &str,
) -> Result<(), Refused> {
    let mut about = pattern.clone();
    if let Some(old) = pattern.operation.actions().get(at) {
        // Use the key of this action, not of another one.
        about.operation = Operation::Write(old.clone());
    }
    let new = new_action(design, &about, name)?;
    if let Some(action) = pattern.operation.actions_mut().get_mut(at)
        && action.name() != name
    {
        *action = new;
    }
    Ok(())
}

/// Adds a key to a batch, with parameters of its own, because no key may occur twice; or an action to a transaction.
pub fn add_part(design: &Design, pattern: &mut AccessPattern) -> Result<(), Refused> {
    let key = keys(design, pattern).swap_remove(0);
    let put = new_action(design, pattern, "PutItem");
    match &mut pattern.operation {
        Operation::BatchGetItem { keys, .. } | Operation::TransactGetItems { keys } => {
            let mut numbers = keys.len() + 1..;
            let other = numbers.find_map(|number| {
                let other = numbered(&key, number);
                (!keys.contains(&other) || other == key).then_some(other)
            });
            keys.extend(other);
        }
        Operation::TransactWriteItems { actions } => actions.push(put?),
        _ => {}
    }
    Ok(())
}

/// The key with other parameters: `USER#{userId2}`.
fn numbered(key: &ItemKey, number: usize) -> ItemKey {
    let renamed = |text: &String| {
        let mut template = template::parse(text).template;
        for segment in &mut template.segments {
            if let Segment::Placeholder(placeholder) = segment {
                placeholder.attribute += &number.to_string();
            }
        }
        template.to_string()
    };
    ItemKey {
        partition: renamed(&key.partition),
        sort: key.sort.as_ref().map(renamed),
    }
}

/// Removes a key from a batch, or an action from a transaction. The last one cannot be removed.
pub fn remove_part(pattern: &mut AccessPattern, at: usize) {
    match &mut pattern.operation {
        Operation::BatchGetItem { keys, .. } | Operation::TransactGetItems { keys }
            if keys.len() > 1 && at < keys.len() =>
        {
            keys.remove(at);
        }
        Operation::TransactWriteItems { actions } if actions.len() > 1 && at < actions.len() => {
            actions.remove(at);
        }
        _ => {}
    }
}

/// As [`toggle_entity`], but an entity takes the place of the one that was guessed for a new access pattern, as long as
/// that is the only one and the operation does not read by its key or its attributes yet.
pub fn choose_entity(
    design: &Design,
    pattern: &mut AccessPattern,
    id: EntityId,
    guess: Option<EntityId>,
) {
    let operation = &pattern.operation;
    let is_query = matches!(operation, Operation::Query { .. });
    let reads_by_it = is_query && !is_read_requirement(operation)
        || !requirements::filter_of(operation).is_empty();
    let is_guess = guess.is_some_and(|guess| guess != id && pattern.entities == [guess]);
    if is_guess && !reads_by_it {
        pattern.entities.clear();
    }
    toggle_entity(design, pattern, id);
}

/// Adds an entity to those that an access pattern intends, or removes it. If one is left, an operation on a single item
/// that still has the keys of another entity's templates takes those of this one: the key, the entity of a put, and the
/// default update. What was typed stays.
pub fn toggle_entity(design: &Design, pattern: &mut AccessPattern, id: EntityId) {
    match pattern.entities.iter().position(|other| *other == id) {
        Some(at) => drop(pattern.entities.remove(at)),
        None => pattern.entities.push(id),
    }
    let &[only] = pattern.entities.as_slice() else {
        return;
    };
    let Some(new) = primary_key(design, only) else {
        return;
    };
    let of_another = |key: &ItemKey| {
        let mut others = design
            .entities
            .keys()
            .copied()
            .filter(|other| *other != only);
        others.find(|other| *key != new && primary_key(design, *other).as_ref() == Some(key))
    };
    let before = match &mut pattern.operation {
        Operation::GetItem { key, .. }
        | Operation::Write(
            WriteAction::DeleteItem { key, .. } | WriteAction::ConditionCheck { key, .. },
        ) => of_another(key).inspect(|_| *key = new),
        Operation::Write(WriteAction::UpdateItem {
            key, update: text, ..
        }) => of_another(key).inspect(|before| {
            if *text == update(design, Some(*before)) {
                *text = update(design, Some(only));
            }
            *key = new;
        }),
        Operation::Write(WriteAction::PutItem { entity, .. }) if *entity != only => {
            Some(std::mem::replace(entity, only))
        }
        _ => None,
    };
    let owner = pattern.sample.and_then(|id| owner_of_sample(design, id));
    if before.is_some() && owner == before {
        pattern.sample = design.samples_of(only).first().map(|sample| sample.id);
    }
}

/// The entity of an access pattern: the first one it names, otherwise that of its sample, otherwise the first of the
/// design.
fn about(design: &Design, pattern: &AccessPattern) -> Option<EntityId> {
    let owner = || owner_of_sample(design, pattern.sample?);
    let named = entities_of(pattern).next();
    named
        .or_else(owner)
        .or_else(|| design.entities.keys().next().copied())
}

/// The item keys of an access pattern; if it has none, the primary key of its entity.
fn keys(design: &Design, pattern: &AccessPattern) -> Vec<ItemKey> {
    let mut found: Vec<ItemKey> = (pattern.operation.keys().into_iter()).cloned().collect();
    if found.is_empty() {
        let own = about(design, pattern).and_then(|id| primary_key(design, id));
        let has_sort = !design.table.key.sort.is_empty();
        found.push(own.unwrap_or_else(|| ItemKey {
            partition: String::new(),
            sort: has_sort.then(String::new),
        }));
    }
    found
}

/// The primary key of an entity's items, as its templates write it.
fn primary_key(design: &Design, id: EntityId) -> Option<ItemKey> {
    let texts = key_texts(design, id, IndexId::PRIMARY)?;
    let has_sort = !design.table.key.sort.is_empty();
    Some(ItemKey {
        partition: texts.partition.concat(),
        sort: has_sort.then(|| texts.sort.concat()),
    })
}

/// Partition key templates of a query on an index: the current ones if the index stays the same, otherwise the
/// entity's.
fn partition(design: &Design, pattern: &AccessPattern, index: IndexId) -> Vec<String> {
    let count = design.key(index).map_or(1, |key| key.partition.len());
    let mut texts = match &pattern.operation {
        Operation::Query {
            index: same,
            partition,
            ..
        } if *same == index => partition.clone(),
        Operation::GetItem { key, .. } if index.is_primary() => vec![key.partition.clone()],
        _ => about(design, pattern)
            .and_then(|id| key_texts(design, id, index))
            .map_or_else(Vec::new, |texts| texts.partition),
    };
    texts.resize(count, String::new());
    texts
}

/// A write with this API name for the entity of the access pattern.
fn new_action(
    design: &Design,
    pattern: &AccessPattern,
    name: &str,
) -> Result<WriteAction, Refused> {
    let entity = about(design, pattern);
    let key = keys(design, pattern).swap_remove(0);
    let partition_key = (design.table.key.partition.first()).map_or("", |a| a.name.as_str());
    Ok(match name {
        "PutItem" => WriteAction::PutItem {
            entity: entity
                .ok_or_else(|| Refused("PutItem needs an entity: add one first".into()))?,
            condition: None,
        },
        "UpdateItem" => WriteAction::UpdateItem {
            update: update(design, entity),
            key,
            condition: None,
        },
        "DeleteItem" => WriteAction::DeleteItem {
            key,
            condition: None,
        },
        "ConditionCheck" => WriteAction::ConditionCheck {
            key,
            condition: format!("attribute_exists({})", Name::of(partition_key)),
        },
        other => return Err(Refused(format!("DynamoDB has no operation `{other}`"))),
    })
}

/// The update expression to start with: sets the first attribute that is in no key and is no ID, or else the first that is
/// in no key.
fn update(design: &Design, entity: Option<EntityId>) -> String {
    let Some(entity) = entity.and_then(|id| design.entities.get(&id)) else {
        return String::new();
    };
    let in_key = |name: &str| {
        let texts =
            (entity.keys.values()).flat_map(|entry| entry.partition.iter().chain(&entry.sort));
        let mut parsed = texts.map(|text| template::parse(text).template);
        // No update can change the key of an item.
        let mut of_table = design.table.key.attributes();
        of_table.any(|key| key.name == name) || parsed.any(|template| template.uses(name))
    };
    let simple = |kind: AttributeType| matches!(kind, AttributeType::S | AttributeType::N);
    let mut free = (entity.attributes.iter())
        .filter(|a| simple(a.kind) && !in_key(&a.name) && is_parameter_name(&a.name));
    let is_id = |attribute: &Attribute| words(&attribute.name).last().is_some_and(|it| it == "id");
    let first = free.clone().find(|attribute| !is_id(attribute));
    first
        .or_else(|| free.next())
        .map_or(String::new(), |attribute| {
            format!("SET {} = :{}", Name::of(&attribute.name), attribute.name)
        })
}
