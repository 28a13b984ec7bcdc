//! Access patterns of a `schema.json`: parameters become the placeholders of the entity's templates.

use super::schema::names;
use crate::cursor::Members;
use crate::form::{
    FoundAction, FoundActionKind, FoundEntity, FoundKey, FoundOperation, FoundPattern, FoundTable,
    Notes,
};
use keyfold_core::model::{IndexEntry, KeyAttribute, Read, SortOperator};
use keyfold_core::template::{Segment, Template, parse};

/// Reads a pattern, or notes why it cannot be read.
pub fn read(
    from: &Members,
    entity: &str,
    table: &FoundTable,
    notes: &mut Notes,
) -> Option<FoundPattern> {
    from.skip(&["pattern_id"]);
    // All items of the collection, whatever their sort keys are.
    let is_mixed = from.text("return_type", notes).as_deref() == Some("mixed_data");
    let name = from.text("name", notes).unwrap_or_default();
    let description = from.text("description", notes).unwrap_or_default();
    let mut parameters = Vec::new();
    let mut put = None;
    for parameter in from.maps("parameters", notes) {
        let name = parameter.text("name", notes).unwrap_or_default();
        let kind = parameter.text("type", notes);
        let of = parameter.text("entity_type", notes);
        match kind.as_deref() {
            Some("entity") => put = of.or(Some(entity.to_owned())),
            _ => parameters.push(name),
        }
        parameter.finish(notes);
    }
    let word = from.text("operation", notes).unwrap_or_default();
    let index = from.text("index_name", notes);
    let range = from.text("range_condition", notes);
    let read = Read {
        consistent: from.flag("consistent_read", notes).unwrap_or(false),
        filter: from
            .under("filter_expression", notes)
            .and_then(|from| filter(&from, notes)),
        projection: Vec::new(),
    };
    from.finish(notes);
    let operation = match word.as_str() {
        "Query" => query(index, range, read, &parameters, is_mixed, entity, table),
        _ => operation(&word, index, read, &parameters, put, entity, table),
    };
    match operation {
        Ok(operation) => Some(FoundPattern {
            place: from.path.clone(),
            name,
            description,
            operation,
            entities: vec![entity.to_owned()],
        }),
        Err(why) => {
            notes.add(
                &from.path,
                format!("the access pattern {name} is left out: {why}"),
            );
            None
        }
    }
}

/// Reads a transaction, with the position of its table, or notes why it cannot be read.
pub fn transaction(
    from: &Members,
    tables: &[FoundTable],
    notes: &mut Notes,
) -> Option<(usize, FoundPattern)> {
    from.skip(&["pattern_id", "return_type"]);
    let name = from.text("name", notes).unwrap_or_default();
    let description = from.text("description", notes).unwrap_or_default();
    let word = from.text("operation", notes).unwrap_or_default();
    let mut parameters = Vec::new();
    for parameter in from.maps("parameters", notes) {
        if parameter.text("type", notes).as_deref() != Some("entity") {
            parameters.extend(parameter.text("name", notes));
        }
        parameter.skip(&["name", "entity_type"]);
        parameter.finish(notes);
    }
    let mut parts = Vec::new();
    for part in from.maps("entities_involved", notes) {
        let text = |name: &str, notes: &mut Notes| part.text(name, notes).unwrap_or_default();
        parts.push(Part {
            table: text("table", notes),
            entity: text("entity", notes),
            action: text("action", notes),
            condition: part.text("condition", notes),
        });
        part.finish(notes);
    }
    from.finish(notes);
    match parts_of_one_table(&word, &parts, &parameters, tables) {
        Ok((at, operation)) => {
            let mut entities: Vec<String> = Vec::new();
            for part in parts {
                if !entities.contains(&part.entity) {
                    entities.push(part.entity);
                }
            }
            let pattern = FoundPattern {
                place: from.path.clone(),
                name,
                description,
                operation,
                entities,
            };
            Some((at, pattern))
        }
        Err(why) => {
            notes.add(
                &from.path,
                format!("the access pattern {name} is left out: {why}"),
            );
            None
        }
    }
}

/// A part of a transaction.
struct Part {
    table: String,
    entity: String,
    action: String,
    condition: Option<String>,
}

/// The operation of a transaction, and the position of its table.
fn parts_of_one_table(
    word: &str,
    parts: &[Part],
    parameters: &[String],
    tables: &[FoundTable],
) -> Result<(usize, FoundOperation), String> {
    let first = parts.first().ok_or("it has no entities")?;
    if parts.iter().any(|part| part.table != first.table) {
        return Err("it is a transaction over several tables, and a design has one".to_owned());
    }
    let at = tables.iter().position(|table| table.name == first.table);
    let at = at.ok_or_else(|| format!("there is no table {}", first.table))?;
    let table = &tables[at];
    let key = |part: &Part| key_of(found(&part.entity, table)?, table);
    let operation = match word {
        "TransactGet" => {
            FoundOperation::TransactGetItems(parts.iter().map(key).collect::<Result<_, _>>()?)
        }
        "TransactWrite" => {
            let action = |part: &Part| {
                let kind = match part.action.as_str() {
                    "Put" => FoundActionKind::Put(part.entity.clone()),
                    "Delete" => FoundActionKind::Delete(key(part)?),
                    "ConditionCheck" => FoundActionKind::Check(key(part)?),
                    "Update" => {
                        let entity = found(&part.entity, table)?;
                        let of_entity =
                            |name: &&String| entity.attributes.iter().any(|own| own.name == **name);
                        let own: Vec<String> =
                            parameters.iter().filter(of_entity).cloned().collect();
                        let key = key(part)?;
                        let update = update(&own, &key)?;
                        FoundActionKind::Update(key, update)
                    }
                    other => return Err(format!("unknown action `{other}`")),
                };
                Ok(FoundAction {
                    kind,
                    condition: part.condition.clone(),
                })
            };
            FoundOperation::TransactWriteItems(parts.iter().map(action).collect::<Result<_, _>>()?)
        }
        other => return Err(format!("{other} is not an operation of a transaction")),
    };
    Ok((at, operation))
}

/// An update that sets the parameters that are not in the key.
fn update(parameters: &[String], key: &FoundKey) -> Result<String, String> {
    let used = |name: &String| {
        let texts = std::iter::once(&key.0).chain(&key.1);
        let mut templates = texts.map(|text| parse(text).template);
        templates.any(|template| template.uses(name))
    };
    let changed: Vec<String> = (parameters.iter().filter(|name| !used(name)))
        .map(|name| format!("{name} = :{name}"))
        .collect();
    match changed.is_empty() {
        true => Err("it has no parameter besides those of the key, so it changes nothing".into()),
        false => Ok(format!("SET {}", changed.join(", "))),
    }
}

fn operation(
    word: &str,
    index: Option<String>,
    read: Read,
    parameters: &[String],
    put: Option<String>,
    entity: &str,
    table: &FoundTable,
) -> Result<FoundOperation, String> {
    let found = found(entity, table)?;
    let key = || key_of(found, table);
    Ok(match word {
        "GetItem" => FoundOperation::GetItem { key: key()?, read },
        "BatchGetItem" => FoundOperation::BatchGetItem { key: key()?, read },
        "DeleteItem" => FoundOperation::DeleteItem(key()?),
        "PutItem" => FoundOperation::PutItem(put.unwrap_or_else(|| entity.to_owned())),
        "UpdateItem" => {
            let key = key()?;
            FoundOperation::UpdateItem {
                update: update(parameters, &key)?,
                key,
            }
        }
        "Scan" => FoundOperation::Scan { index, read },
        other => {
            return Err(format!(
                "{other} is not an operation of an access pattern here"
            ));
        }
    })
}

fn found<'a>(entity: &str, table: &'a FoundTable) -> Result<&'a FoundEntity, String> {
    let mut entities = table.entities.iter();
    let found = entities.find(|other| other.name == entity);
    found.ok_or_else(|| "there is no such entity".to_owned())
}

/// The templates of the primary key; a key attribute without a template is its own placeholder.
fn key_of(entity: &FoundEntity, table: &FoundTable) -> Result<FoundKey, String> {
    let entry = entry(entity, None).ok_or("the entity has no key")?;
    let key = &table.table.key;
    let partition = sides(entry.partition.as_ref(), &key.partition);
    let sort = sides(entry.sort.as_ref(), &key.sort);
    let partition = partition.into_iter().next().ok_or("the table has no key")?;
    Ok((partition, sort.into_iter().next()))
}

fn entry<'a>(entity: &'a FoundEntity, index: Option<&str>) -> Option<&'a IndexEntry> {
    let mut keys = entity.keys.iter();
    keys.find(|(name, _)| name.as_deref() == index)
        .map(|(_, entry)| entry)
}

/// The template of one side, or a placeholder for each of its attributes.
fn sides(template: Option<&String>, attributes: &[KeyAttribute]) -> Vec<String> {
    match (template, attributes) {
        (Some(template), [_]) => vec![template.clone()],
        _ => attributes
            .iter()
            .map(|key| format!("{{{}}}", key.name))
            .collect(),
    }
}

fn query(
    index: Option<String>,
    range: Option<String>,
    read: Read,
    parameters: &[String],
    is_mixed: bool,
    entity: &str,
    table: &FoundTable,
) -> Result<FoundOperation, String> {
    let entity = found(entity, table)?;
    let key = match &index {
        None => &table.table.key,
        Some(name) => {
            let index = table.indexes.iter().find(|index| index.name == *name);
            &index
                .ok_or_else(|| format!("there is no index {name}"))?
                .key
        }
    };
    let entry = entry(entity, index.as_deref()).ok_or("the entity is not in the index")?;
    let partition = sides(entry.partition.as_ref(), &key.partition);
    let of_partition: Vec<String> = partition
        .iter()
        .flat_map(|text| placeholders(text))
        .collect();
    let mut rest: Vec<&String> = parameters
        .iter()
        .filter(|name| !of_partition.contains(name))
        .collect();
    if let Some(filter) = &read.filter {
        rest.retain(|name| !filter.contains(&format!(":{name}")));
    }
    let mut sort = Vec::new();
    let operator = range.as_deref().and_then(SortOperator::from_symbol);
    if range.is_some() && operator.is_none() {
        return Err(format!(
            "unknown range condition `{}`",
            range.unwrap_or_default()
        ));
    }
    let texts = sides(entry.sort.as_ref(), &key.sort);
    let values_of_range = match operator {
        None => 0,
        Some(SortOperator::Between) => 2,
        Some(_) => 1,
    };
    let equal = rest.len().saturating_sub(values_of_range);
    if texts.len() > 1 {
        for (text, _) in texts.iter().zip(0..equal) {
            sort.push((SortOperator::Equal, text.clone(), None));
        }
        if let (Some(operator), Some(_)) = (operator, texts.get(equal)) {
            let value = |at: usize| rest.get(equal + at).map(|name| format!("{{{name}}}"));
            let low = value(0).ok_or("its range condition has no parameter")?;
            sort.push((operator, low, value(1).filter(|_| values_of_range == 2)));
        }
    } else if let Some(text) = texts.first()
        && (!is_mixed || operator.is_some())
    {
        sort.extend(one_sort(text, operator, &rest, equal)?);
    }
    Ok(FoundOperation::Query {
        index,
        partition,
        sort,
        read,
    })
}

/// The condition on a single sort key: the start of its template that the parameters fill.
fn one_sort(
    text: &str,
    operator: Option<SortOperator>,
    rest: &[&String],
    equal: usize,
) -> Result<Option<(SortOperator, String, Option<String>)>, String> {
    let template = parse(text).template;
    let names: Vec<String> = placeholders(text);
    let given = names.iter().take_while(|name| rest.contains(name)).count();
    let Some(operator) = operator else {
        // Every parameter of the template, or none if it has none, gives one item; some of them, or only its first literal, give a prefix.
        if given == names.len() {
            return Ok(Some((SortOperator::Equal, text.to_owned(), None)));
        }
        let prefix = prefix(&template, given);
        return Ok((!prefix.is_empty()).then_some((SortOperator::BeginsWith, prefix, None)));
    };
    // The parameters of the range take the place of the first placeholder that is not given.
    let ranged: Vec<&&String> = rest.iter().skip(equal.min(rest.len())).collect();
    let start = prefix(&template, equal.min(names.len()));
    let value = |at: usize| ranged.get(at).map(|name| format!("{start}{{{name}}}"));
    let low = value(0).ok_or("its range condition has no parameter")?;
    let high = value(1).filter(|_| operator == SortOperator::Between);
    Ok(Some((operator, low, high)))
}

fn placeholders(text: &str) -> Vec<String> {
    parse(text)
        .template
        .attributes()
        .map(str::to_owned)
        .collect()
}

/// The template up to its placeholder number `many`, from 0.
fn prefix(template: &Template, many: usize) -> String {
    let mut seen = 0;
    let mut kept = Template::default();
    for segment in &template.segments {
        if let Segment::Placeholder(_) = segment {
            if seen == many {
                break;
            }
            seen += 1;
        }
        kept.segments.push(segment.clone());
    }
    kept.to_string()
}

/// A filter as an expression: conditions joined by AND or OR.
fn filter(from: &Members, notes: &mut Notes) -> Option<String> {
    let joint = from.text("logical_operator", notes);
    let mut parts = Vec::new();
    for condition in from.maps("conditions", notes) {
        let field = condition.text("field", notes).unwrap_or_default();
        let one = condition
            .text("param", notes)
            .map(|name| format!(":{name}"));
        let two = condition
            .text("param2", notes)
            .map(|name| format!(":{name}"));
        let several = names(condition.get("params"));
        let operator = condition.text("operator", notes);
        let function = condition.text("function", notes);
        condition.finish(notes);
        let many: Vec<String> = several.iter().map(|name| format!(":{name}")).collect();
        let part = match (function.as_deref(), operator.as_deref(), one, two) {
            (Some(name @ ("attribute_exists" | "attribute_not_exists")), _, _, _) => {
                Some(format!("{name}({field})"))
            }
            (Some("size"), Some("between"), Some(one), Some(two)) => {
                Some(format!("size({field}) BETWEEN {one} AND {two}"))
            }
            (Some("size"), Some(operator), Some(one), _) => {
                Some(format!("size({field}) {operator} {one}"))
            }
            (Some(name), _, Some(one), _) => Some(format!("{name}({field}, {one})")),
            (None, Some("between"), Some(one), Some(two)) => {
                Some(format!("{field} BETWEEN {one} AND {two}"))
            }
            (None, Some("in"), _, _) => Some(format!("{field} IN ({})", many.join(", "))),
            (None, Some(operator), Some(one), _) => Some(format!("{field} {operator} {one}")),
            _ => None,
        };
        match part {
            Some(part) => parts.push(part),
            None => notes.add(
                condition.path,
                "this condition is not understood and left out",
            ),
        }
    }
    from.finish(notes);
    let joint = format!(" {} ", joint.as_deref().unwrap_or("AND"));
    (!parts.is_empty()).then(|| parts.join(&joint))
}
