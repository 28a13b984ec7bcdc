//! Reads and writes the fields of an access pattern's form.

use super::convert;
use super::form::{FormField, NO_CONDITION};
use crate::Refused;
use crate::field_input::{optional, optional_whole_number};
use keyfold_core::engine::query::expression::{
    parse_condition, parse_projection, parse_update, uses_of_condition, uses_of_paths,
    uses_of_update,
};
use keyfold_core::model::{
    AccessPattern, Design, EntityId, ItemKey, KeyPart, KeyType, Number, Operation, WriteAction,
    entities_of,
};
use keyfold_core::template;

/// Returns the text of a field; empty if the access pattern does not have it.
pub fn read(pattern: &AccessPattern, slot: FormField) -> String {
    let operation = &pattern.operation;
    let flag = |on: bool| on.to_string();
    match slot {
        FormField::Kind => operation.name().to_owned(),
        FormField::Index => (operation.index()).map_or(String::new(), |index| index.to_string()),
        FormField::Rate => pattern.rate.map_or(String::new(), |rate| rate.to_string()),
        FormField::SortOperator(at) => match operation {
            Operation::Query { sort, .. } => (sort.get(at))
                .map_or(NO_CONDITION, |condition| condition.operator.symbol())
                .to_owned(),
            _ => String::new(),
        },
        FormField::Descending => match operation {
            Operation::Query { descending, .. } => flag(*descending),
            _ => flag(false),
        },
        FormField::Limit => match operation {
            Operation::Query { limit, .. } | Operation::Scan { limit, .. } => {
                limit.map_or(String::new(), |limit| limit.to_string())
            }
            _ => String::new(),
        },
        FormField::Consistent => flag(operation.read().is_some_and(|read| read.consistent)),
        FormField::Projection => operation
            .read()
            .map_or(String::new(), |read| read.projection.join(", ")),
        FormField::Action(at) => operation
            .actions()
            .get(at)
            .map_or(String::new(), |a| a.name().to_owned()),
        FormField::Entity(at) => match operation.actions().get(at) {
            Some(WriteAction::PutItem { entity, .. }) => entity.to_string(),
            _ => String::new(),
        },
        // The others are plain texts: one accessor serves reading and writing.
        _ => {
            let mut copy = pattern.clone();
            text(&mut copy, slot).map_or(String::new(), |text| match text {
                Text::Needed(text) => text.clone(),
                Text::Optional(text) => text.clone().unwrap_or_default(),
            })
        }
    }
}

/// Sets a field from typed text.
///
/// # Errors
///
/// Returns what to type instead; the access pattern is then unchanged.
pub fn write(
    design: &Design,
    pattern: &mut AccessPattern,
    slot: FormField,
    typed: &str,
) -> Result<(), Refused> {
    let on = typed == "true";
    match slot {
        FormField::Kind => pattern.operation = convert::to_kind(design, pattern, typed)?,
        FormField::Index => {
            let index = typed
                .parse()
                .map_err(|_| Refused("the index does not exist".into()))?;
            convert::to_index(design, pattern, index);
        }
        FormField::Rate => pattern.rate = rate(typed)?,
        FormField::SortOperator(at) => convert::to_operator(design, pattern, at, typed),
        FormField::Descending => {
            if let Operation::Query { descending, .. } = &mut pattern.operation {
                *descending = on;
            }
        }
        FormField::Limit => {
            let most = optional_whole_number(typed, 1..=u64::from(u32::MAX))?;
            if let Operation::Query { limit, .. } | Operation::Scan { limit, .. } =
                &mut pattern.operation
            {
                *limit = most.map(|most| most as u32);
            }
        }
        FormField::Consistent => {
            if let Some(read) = pattern.operation.read_mut() {
                read.consistent = on;
            }
        }
        FormField::Projection => {
            if let Some(read) = pattern.operation.read_mut() {
                let names = typed
                    .split(',')
                    .map(str::trim)
                    .filter(|name| !name.is_empty());
                read.projection = names.map(str::to_owned).collect();
            }
        }
        FormField::Action(at) => convert::to_action(design, pattern, at, typed)?,
        FormField::Entity(at) => {
            let id: EntityId = typed
                .parse()
                .map_err(|_| Refused("the entity does not exist".into()))?;
            if let Some(WriteAction::PutItem { entity, .. }) =
                pattern.operation.actions_mut().get_mut(at)
            {
                *entity = id;
            }
        }
        _ => match text(pattern, slot) {
            Some(Text::Needed(text)) => *text = typed.to_owned(),
            Some(Text::Optional(text)) => {
                *text = match slot {
                    FormField::Key(..) => Some(typed.to_owned()),
                    _ => optional(typed),
                };
            }
            None => {}
        },
    }
    Ok(())
}

/// Returns what is wrong with a key template apart from its syntax, without looking at samples; `None` for other
/// fields.
pub fn template_problem(
    design: &Design,
    pattern: &AccessPattern,
    slot: FormField,
) -> Option<String> {
    let (part, at, key) = match (slot, &pattern.operation) {
        (FormField::Partition(at), Operation::Query { index, .. }) => {
            (KeyPart::Partition, at, design.key(*index)?)
        }
        (FormField::SortValue(at) | FormField::SortUpper(at), Operation::Query { index, .. }) => {
            (KeyPart::Sort, at, design.key(*index)?)
        }
        (FormField::Key(_, part), _) => (part, 0, &design.table.key),
        _ => return None,
    };
    let side = match part {
        KeyPart::Partition => &key.partition,
        KeyPart::Sort => &key.sort,
    };
    let attribute = side.get(at)?;
    let typed = read(pattern, slot);
    if typed.is_empty() {
        let name = &attribute.name;
        return Some(match part {
            KeyPart::Partition => format!("partition key `{name}`: DynamoDB requires a value"),
            KeyPart::Sort => format!("sort key `{name}`: DynamoDB requires a value"),
        });
    }
    let parsed = template::parse(&typed).template;
    let is_number = attribute.kind == KeyType::N && typed.parse::<Number>().is_ok();
    if attribute.kind != KeyType::S && !parsed.is_single_placeholder() && !is_number {
        return Some(format!(
            "`{}` has type {}: use exactly one placeholder{}",
            attribute.name,
            attribute.kind.letter(),
            if attribute.kind == KeyType::N {
                " or a number"
            } else {
                ""
            },
        ));
    }
    None
}

/// Returns what is wrong with an expression, or a warning about it; `None` for other fields.
pub fn expression_problem(
    design: &Design,
    pattern: &AccessPattern,
    slot: FormField,
) -> Option<String> {
    let typed = read(pattern, slot);
    if typed.is_empty() {
        return None;
    }
    let uses = match slot {
        FormField::Filter | FormField::Condition(_) => {
            parse_condition(&typed).map(|c| uses_of_condition(&c))
        }
        FormField::Update(_) => parse_update(&typed).map(|update| uses_of_update(&update)),
        FormField::Projection => parse_projection(&typed).map(|paths| uses_of_paths(&paths)),
        _ => return None,
    };
    let uses = match uses {
        Ok(uses) => uses,
        Err(error) => return Some(error.to_string()),
    };
    let is_known = |name: &str| {
        entities_of(pattern).next().is_none()
            || entities_of(pattern).any(|id| design.type_of(id, name).is_some())
            || design.table.ttl_attribute.as_deref() == Some(name)
    };
    let mut names = uses.paths.iter().map(|path| &path.attribute.text);
    let unknown = names.find(|name| !is_known(name))?;
    Some(format!("no entity of this access pattern has `{unknown}`"))
}

fn rate(typed: &str) -> Result<Option<f64>, Refused> {
    if typed.trim().is_empty() {
        return Ok(None);
    }
    let rate: Option<Number> = typed.trim().parse().ok();
    let rate = rate.and_then(|rate| rate.to_f64());
    let rate = rate.filter(|rate| rate.is_finite() && *rate >= 0.0);
    let wanted = "enter requests per second, such as 20 or 0.5";
    rate.map(Some).ok_or_else(|| Refused(wanted.into()))
}

/// A text field of an access pattern.
enum Text<'a> {
    Needed(&'a mut String),
    Optional(&'a mut Option<String>),
}

fn text(pattern: &mut AccessPattern, slot: FormField) -> Option<Text<'_>> {
    match slot {
        FormField::Name => return Some(Text::Needed(&mut pattern.name)),
        FormField::Description => return Some(Text::Needed(&mut pattern.description)),
        _ => {}
    }
    match (slot, &mut pattern.operation) {
        (FormField::Partition(at), Operation::Query { partition, .. }) => {
            // A read requirement has no partition condition yet.
            if partition.len() <= at {
                partition.resize(at + 1, String::new());
            }
            partition.get_mut(at).map(Text::Needed)
        }
        (FormField::SortValue(at), Operation::Query { sort, .. }) => {
            sort.get_mut(at).map(|sort| Text::Needed(&mut sort.value))
        }
        (FormField::SortUpper(at), Operation::Query { sort, .. }) => {
            sort.get_mut(at).map(|sort| Text::Optional(&mut sort.upper))
        }
        (FormField::Filter, operation) => operation
            .read_mut()
            .map(|read| Text::Optional(&mut read.filter)),
        (FormField::Key(at, part), operation) => {
            let key = key_mut(operation, at)?;
            Some(match part {
                KeyPart::Partition => Text::Needed(&mut key.partition),
                KeyPart::Sort => Text::Optional(&mut key.sort),
            })
        }
        (FormField::Update(at), operation) => match operation.actions_mut().get_mut(at)? {
            WriteAction::UpdateItem { update, .. } => Some(Text::Needed(update)),
            _ => None,
        },
        (FormField::Condition(at), operation) => {
            Some(match operation.actions_mut().get_mut(at)? {
                WriteAction::PutItem { condition, .. }
                | WriteAction::UpdateItem { condition, .. }
                | WriteAction::DeleteItem { condition, .. } => Text::Optional(condition),
                WriteAction::ConditionCheck { condition, .. } => Text::Needed(condition),
            })
        }
        _ => None,
    }
}

fn key_mut(operation: &mut Operation, at: usize) -> Option<&mut ItemKey> {
    match operation {
        Operation::GetItem { key, .. } => Some(key),
        Operation::BatchGetItem { keys, .. } | Operation::TransactGetItems { keys } => {
            keys.get_mut(at)
        }
        _ => operation.actions_mut().get_mut(at)?.key_mut(),
    }
}
