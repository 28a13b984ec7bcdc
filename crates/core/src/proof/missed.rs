//! Items that a read does not return although its author may expect them.

use super::ReadOutcome;
use super::parameters::{Binding, Source, find};
use super::reach::{is_intended, item_condition, query_condition};
use super::verdict::{Reasons, Verdict};
use crate::engine::key_condition::{KeyCondition, Pair, aligned, paired};
use crate::engine::languages;
use crate::engine::query::{Query, Rejection, TableSnapshot};
use crate::engine::{EntityPlan, Item};
use crate::model::{
    AccessPattern, Design, Entity, Operation, SortCondition, SortOperator, Value, entities_of,
};
use crate::template::{self, Modifier, Segment, Template, check_iso};
use std::sync::Arc;

/// Reports intended entities that the index does not contain for the requested values: those that are typed, or of the
/// sample that the pattern names. Of a sample that was found for it, other values would do.
pub(super) fn sparse(
    design: &Design,
    pattern: &AccessPattern,
    binding: &Binding,
    reasons: &mut Reasons,
) {
    let Operation::Query { index, .. } = &pattern.operation else {
        return;
    };
    for id in entities_of(pattern) {
        let Some(entity) = design.entities.get(&id) else {
            continue;
        };
        let when = entity.keys.get(index).map(|entry| &entry.when);
        for condition in when.into_iter().flatten() {
            let attribute = &condition.attribute;
            let is_chosen = |source| pattern.sample.is_some() || source == Source::Typed;
            let mut parameters = binding.parameters.iter();
            let parameter = parameters.find(|p| p.name == *attribute && is_chosen(p.source));
            if let Some(value) = parameter.and_then(|parameter| parameter.value.as_ref())
                && !entity.is_key_only(attribute)
                && !condition.holds(Some(value))
            {
                let (name, index) = (&entity.name, design.index_name(*index));
                let value = value.to_text();
                let text = format!(
                    "`{name}` is not in `{index}` if `{attribute}` is `{value}`: its index entry has a condition"
                );
                reasons.add(Verdict::Unserved, text);
            }
        }
    }
}

/// Reports a read of the values of one sample that does not return the item of this sample, although the index
/// has it: the condition renders another key than the entity's templates. Only for an entity that the pattern names, and
/// if each parameter in the condition is the attribute at its place in the key: `PARENT#{commentId}` reads the replies to
/// a comment, not the comment. A fixed value, as in `STATUS#OPEN` or `>= 2026-03`, can be that of other items.
pub(super) fn own_sample(
    design: &Design,
    pattern: &AccessPattern,
    binding: &Binding,
    outcome: &ReadOutcome,
    reasons: &mut Reasons,
) {
    let condition = match &pattern.operation {
        Operation::GetItem { key, .. } => item_condition(design, pattern, key),
        Operation::Query {
            index,
            partition,
            sort,
            limit: None,
            read,
            ..
        } if read.filter.is_none() && sort.iter().all(is_inclusive) => {
            query_condition(design, pattern, *index, partition, sort)
        }
        _ => return,
    };
    let mut sources = binding.parameters.iter().map(|parameter| parameter.source);
    let Some(Source::Sample(id)) = sources.next() else {
        return;
    };
    let Some((owner, sample)) = find(design, id) else {
        return;
    };
    if sources.any(|source| source != Source::Sample(id))
        || !entities_of(pattern).any(|id| id == owner)
    {
        return;
    }
    let (Some(entity), Some(key)) = (design.entities.get(&owner), design.key(condition.index))
    else {
        return;
    };
    let is_itself = |Pair { asked, own, .. }: &Pair| {
        asked.attribute == own.attribute && asked.modifiers == own.modifiers
    };
    if !paired(design, &condition, entity).iter().all(is_itself) {
        return;
    }
    if has_fixed_value(design, &condition, entity) {
        return;
    }
    let item = EntityPlan::new(design, owner).item(&sample);
    // Of samples with the same primary key, one is the item.
    let is_it = |other: &Item| {
        let mut attributes = design.table.key.attributes();
        attributes.all(|key| other.get(&key.name) == item.get(&key.name))
    };
    if outcome.items.iter().any(is_it) {
        return;
    }
    let values: Option<Vec<String>> = (key.attributes())
        .map(|attribute| {
            Some(format!(
                "`{}`",
                item.get(&attribute.name)?.to_value().to_text()
            ))
        })
        .collect();
    if let Some(values) = values
        && item.is_stored()
    {
        let has_upper = |condition: &SortCondition| {
            use SortOperator as Is;
            matches!(condition.operator, Is::LessOrEqual | Is::Between)
        };
        let cure = match &pattern.operation {
            Operation::Query { sort, .. } if sort.iter().any(has_upper) => format!(
                "A bound sorts before longer keys that begin with it: end the upper bound with `{}~`",
                design.delimiter.delimiter
            ),
            _ => "Use the modifiers of the entity's templates".to_owned(),
        };
        let text = format!(
            "does not return the item whose values it uses: the key of this `{}` is {}. {cure}",
            entity.name,
            values.join(" / ")
        );
        reasons.add(Verdict::Unserved, text);
    }
}

/// Reports a key that begins like a bound of a range and is on the other side of it than its author may think: a longer key
/// sorts after the bound. With an upper bound such as `D#2026-01#~`, a character that is not ASCII sorts after `~`, which
/// cannot be meant; the others can.
pub(super) fn near_bound(
    stored: &TableSnapshot,
    pattern: &AccessPattern,
    query: &Query,
    reasons: &mut Reasons,
) -> Result<(), Rejection> {
    let Operation::Query { sort, .. } = &pattern.operation else {
        return Ok(());
    };
    let Some((test, typed)) = query.key.sort.last().zip(sort.last()) else {
        return Ok(());
    };
    let bound = match test.operator {
        SortOperator::Between => test.upper.as_ref(),
        SortOperator::LessOrEqual | SortOperator::Greater => Some(&test.value),
        _ => None,
    };
    let Some(Value::S(bound)) = bound else {
        return Ok(());
    };
    let delimiter = stored.design().delimiter.delimiter.as_str();
    // The `~` is one that the author typed at the end, not a part of a value or of the delimiter.
    let is_typed = (typed.upper.as_ref().unwrap_or(&typed.value)).ends_with('~');
    let before_tilde = bound
        .strip_suffix('~')
        .filter(|_| is_typed && !delimiter.contains('~'));
    if test.operator == SortOperator::Greater {
        let longer = format!("{bound}{delimiter}");
        if before_tilde.is_none()
            && !delimiter.is_empty()
            && let Some(found) = next_key(stored, pattern, query, bound, &longer)?
        {
            let text = format!(
                "returns `{found}`, which begins with the bound and sorts after it: to leave it out, end the bound with `{delimiter}~`"
            );
            reasons.add(Verdict::Served, text);
        }
        return Ok(());
    }
    let Some(start) = before_tilde else {
        if let Some((missed, end)) =
            next_key(stored, pattern, query, bound, bound)?.and_then(|missed| {
                continued(
                    bound,
                    missed,
                    delimiter,
                    ends_padded(stored.design(), pattern, query, typed),
                )
            })
        {
            let text = format!(
                "does not return `{missed}`, which begins with the upper bound and sorts after it: to include it, end the upper bound with `{end}~`"
            );
            reasons.add(Verdict::Served, text);
        }
        return Ok(());
    };
    if let Some(missed) = next_key(stored, pattern, query, bound, start)? {
        let end = start.strip_suffix(delimiter).zip(successor(delimiter));
        let cure = end.map_or(String::new(), |(_, next)| {
            format!(". End the upper bound with `{next}` in place of `{delimiter}~`: it sorts directly after `{delimiter}`")
        });
        let text = format!("does not return `{missed}`, which sorts after `~`{cure}");
        reasons.add(Verdict::Unserved, text);
    } else if let Some(start) = start.strip_suffix(delimiter)
        && let Some(missed) = next_key(stored, pattern, query, bound, start)?
        && let Some((missed, "")) = continued(start, missed, delimiter, false)
    {
        let text = format!(
            "does not return `{missed}`, which sorts after `{delimiter}~`: to include it, end the upper bound with `~` in place of `{delimiter}~`"
        );
        reasons.add(Verdict::Served, text);
    }
    Ok(())
}

/// Whether a condition's upper bound ends with a padded number as the key has it, with which no longer number begins.
fn ends_padded(
    design: &Design,
    pattern: &AccessPattern,
    query: &Query,
    condition: &SortCondition,
) -> bool {
    let bound = condition.upper.as_ref().unwrap_or(&condition.value);
    let asked = template::parse(bound).template;
    let Some(Segment::Placeholder(last)) = asked.segments.last() else {
        return false;
    };
    if !last.modifiers.last().is_some_and(Modifier::is_reversible) {
        return false;
    }
    let at = query.key.sort.len() - 1;
    let Some(key) = (design.key(query.index)).and_then(|key| key.sort.get(at)) else {
        return false;
    };
    let has_it = |entity: &Arc<Entity>| {
        languages::written(design, entity, key).is_some_and(|own| {
            let pairs = aligned(&asked, &own);
            let is_whole = pairs.len() == asked.placeholders().count();
            let own = pairs.last().filter(|_| is_whole);
            own.is_some_and(|(_, own)| own.modifiers == last.modifiers)
        })
    };
    entities_of(pattern)
        .filter_map(|id| design.entities.get(&id))
        .any(has_it)
}

/// A key that begins with a bound, and what it has between the bound and the rest of its own value: the delimiter, or nothing
/// if the bound ends with a padded number, or with a date, a month or a year and the key goes on with the rest of a time.
/// `None`: its value only begins alike, as `10` with `1`.
fn continued<'d>(
    bound: &str,
    key: String,
    delimiter: &'d str,
    is_padded: bool,
) -> Option<(String, &'d str)> {
    let rest = key.strip_prefix(bound)?;
    // The end of the bound that is a date: a day, a month or a year, before its next part.
    let ends_with_date = |length: usize| {
        let date = bound
            .len()
            .checked_sub(length)
            .and_then(|at| bound.get(at..));
        date.is_some_and(|date| {
            let day = format!("{date}{}", &"2026-01-01"[length..]);
            check_iso(&day).is_ok()
        })
    };
    let is_time = || match rest.chars().next() {
        Some('T') => ends_with_date("2026-01-31".len()),
        Some('-') => ends_with_date("2026-01".len()) || ends_with_date("2026".len()),
        _ => false,
    };
    if !delimiter.is_empty() && rest.starts_with(delimiter) {
        Some((key, delimiter))
    } else {
        (is_padded && !rest.is_empty() || is_time()).then_some((key, ""))
    }
}

/// The first key after a bound of the query's last condition, if it begins with `start` and is one of the intended items.
fn next_key(
    stored: &TableSnapshot,
    pattern: &AccessPattern,
    query: &Query,
    bound: &str,
    start: &str,
) -> Result<Option<String>, Rejection> {
    let mut above = Query {
        limit: Some(1),
        projection: Vec::new(),
        descending: false,
        ..query.clone()
    };
    let at = above.key.sort.len() - 1;
    if let Some(test) = above.key.sort.last_mut() {
        test.operator = SortOperator::Greater;
        test.value = Value::S(bound.to_owned());
        test.upper = None;
    }
    let attribute = (stored.design().key(query.index)).and_then(|key| key.sort.get(at));
    let next = stored.query(&above)?.items;
    Ok(next.iter().zip(attribute).find_map(|(item, attribute)| {
        let text = item.get(&attribute.name)?.to_value().to_text();
        let is_it = text.starts_with(start) && is_intended(pattern, item.entity);
        is_it.then_some(text)
    }))
}

/// The delimiter with its last character replaced by the next one: it sorts after all that begins with the delimiter.
fn successor(delimiter: &str) -> Option<String> {
    let last = delimiter.chars().next_back()?;
    // A brace would begin or end a placeholder.
    let next = char::from_u32(u32::from(last) + 1).filter(|next| !matches!(next, '{' | '}'))?;
    Some(
        [
            &delimiter[..delimiter.len() - last.len_utf8()],
            &next.to_string(),
        ]
        .concat(),
    )
}

/// Whether a sort condition has text in the place of the entity's placeholders: no placeholder, or another beginning.
fn has_fixed_value(design: &Design, condition: &KeyCondition, entity: &Entity) -> bool {
    let Some(key) = design.key(condition.index) else {
        return false;
    };
    let beginning = |template: &Template| match template.segments.first() {
        Some(Segment::Literal { text, .. }) => text.clone(),
        _ => String::new(),
    };
    key.sort
        .iter()
        .zip(&condition.sort)
        .any(|(attribute, (_, value, upper))| {
            let own = languages::written(design, entity, attribute);
            own.is_some_and(|own| {
                std::iter::once(value).chain(upper).any(|asked| {
                    let is_literal = |template: &Template| template.placeholders().next().is_none();
                    is_literal(&asked.template) && !is_literal(&own)
                        || beginning(&asked.template) != beginning(&own)
                })
            })
        })
}

/// Whether a sort condition accepts the value that it names.
fn is_inclusive(condition: &SortCondition) -> bool {
    use SortOperator as Is;
    !matches!(condition.operator, Is::Less | Is::Greater)
}
