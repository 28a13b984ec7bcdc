//! What can be said of an access pattern without any sample.

use super::analyze_keys::by_keys;
use super::asked_partitions::{asked_partitions, same_shard, spread};
use super::reach::{
    Match, ReachableEntity, inhabitants, is_intended, matches, not_stored, query_condition,
    reachable,
};
use super::read_requirement::is_read_requirement;
use super::verdict::Reasons;
use super::{Reason, Spread, Verdict};
use crate::engine::always_rejected::always_rejected;
use crate::engine::key_condition::{KeyCondition, other_modifiers, wrong_type};
use crate::engine::languages::{sole_conditions, written};
use crate::engine::operation_parts::parts;
use crate::engine::query::{Rejection, Unprojected};
use crate::model::{
    AccessPattern, Design, EntityId, IndexId, IndexKind, KeyType, Operation, Projection, Read,
    SortCondition, SortOperator, entities_of,
};
use crate::template::{self, Segment, TooLarge};

/// What the analysis of an access pattern gives.
#[derive(Debug, Default)]
pub(super) struct Analysis {
    pub reachable: Vec<ReachableEntity>,
    pub spread: Option<Spread>,
    pub reasons: Reasons,
    /// The attributes that the index would have to project, so that the read is accepted and its filter sees them.
    pub unprojected: Vec<String>,
}

impl Analysis {
    /// Adds why DynamoDB rejects the request, if it does.
    pub(super) fn refuse(&mut self, rejection: Option<Rejection>) {
        if let Some(rejection) = rejection {
            let reason = rejection.to_string();
            self.reasons.add(Verdict::Impossible, reason);
        }
    }

    /// Adds what an index does not project of what a read asks for.
    fn add_unprojected(
        &mut self,
        design: &Design,
        pattern: &AccessPattern,
        index: IndexId,
        read: &Read,
    ) {
        let mut unprojected = Unprojected::of(design, index, read);
        // An attribute that items do not store is another mistake.
        unprojected.unseen.retain(|name| {
            let mut entities = entities_of(pattern).filter_map(|id| design.entities.get(&id));
            !entities.any(|entity| entity.is_key_only(name))
        });
        self.refuse(unprojected.rejection(design, index));
        let name = design.index_name(index);
        if !unprojected.unseen.is_empty() {
            let names: Vec<String> = (unprojected.unseen.iter())
                .map(|name| format!("`{name}`"))
                .collect();
            let them = if names.len() == 1 { "it" } else { "them" };
            let text = format!(
                "the filter does not see {}: `{name}` does not project {them}",
                listed(&names)
            );
            self.reasons.add(Verdict::Unserved, text);
        }
        let is_lsi = (design.indexes.get(&index)).is_some_and(|index| index.kind == IndexKind::Lsi);
        if is_lsi {
            // It fetches what is only returned.
            unprojected.returned.clear();
        }
        self.unprojected = unprojected.all();
    }
}

/// Says which attributes the items of a read have, if its index does not project all and it asks for no certain ones.
fn projected(design: &Design, operation: &Operation) -> Option<String> {
    let index = design.indexes.get(&operation.index()?)?;
    let projected = match &index.projection {
        _ if !operation.read()?.projection.is_empty() => return None,
        Projection::All => return None,
        Projection::KeysOnly => "only keys".to_owned(),
        Projection::Include(names) => {
            let names = names.iter().map(|name| format!("`{name}`"));
            let all: Vec<String> = std::iter::once("keys".to_owned()).chain(names).collect();
            listed(&all)
        }
    };
    Some(format!(
        "`{}` projects {projected}: the items have no other attributes",
        index.name
    ))
}

/// Analyzes an access pattern.
pub(super) fn analyze(design: &Design, pattern: &AccessPattern) -> Analysis {
    let mut analysis = Analysis::default();
    if let Some(error) = template_error(&pattern.operation) {
        analysis.reasons.add(Verdict::Unserved, error);
        return analysis;
    }
    if let Some(error) = always_rejected(design, &pattern.operation) {
        analysis.reasons.add(Verdict::Impossible, error);
    }
    match &pattern.operation {
        operation if is_read_requirement(operation) => {
            let text = "no key is chosen yet".to_owned();
            analysis.reasons.add(Verdict::Unserved, text);
            // No key would serve it.
            for text in entities_of(pattern).filter_map(|id| not_stored(design, id)) {
                analysis.reasons.add(Verdict::Unserved, text);
            }
        }
        Operation::Query {
            index,
            partition,
            sort,
            limit,
            read,
            ..
        } => {
            analysis.refuse(Rejection::of_consistency(design, *index, read.consistent));
            analysis.refuse(Rejection::of_limit(*limit));
            analysis.add_unprojected(design, pattern, *index, read);
            operators(design, *index, sort, &mut analysis);
            let condition = query_condition(design, pattern, *index, partition, sort);
            if condition.is_complete {
                analysis.refuse(wrong_type(design, pattern, &condition));
                query(design, pattern, *index, &condition, &mut analysis);
            } else {
                incomplete(design, pattern, *index, &mut analysis);
            }
        }
        Operation::Scan { index, limit, read } => {
            analysis.refuse(Rejection::of_consistency(design, *index, read.consistent));
            analysis.refuse(Rejection::of_limit(*limit));
            analysis.add_unprojected(design, pattern, *index, read);
            analysis.reachable = inhabitants(design, pattern, *index);
            absent(design, pattern, *index, &mut analysis);
            if index.is_primary() {
                let text = match limit {
                    None => "a Scan reads the whole table, whatever it returns",
                    Some(_) => "a Scan reads the items of all partitions, in no order",
                };
                analysis.reasons.add(Verdict::ReadsTooMuch, text.to_owned());
            }
            bleed(design, &mut analysis);
        }
        operation => by_keys(design, pattern, operation, &mut analysis),
    }
    if analysis.reachable.is_empty() && analysis.reasons.is_empty() {
        let text = "no entity has a matching key".to_owned();
        analysis.reasons.add(Verdict::Unserved, text);
    }
    if let Some(text) = projected(design, &pattern.operation) {
        analysis.reasons.add(Verdict::Served, text);
    }
    analysis
}

/// Operators that DynamoDB rejects at their places.
fn operators(design: &Design, index: IndexId, sort: &[SortCondition], analysis: &mut Analysis) {
    let keys = design.key(index).map_or(&[][..], |key| &key.sort);
    for (at, (key, condition)) in keys.iter().zip(sort).enumerate() {
        let attribute = key.name.clone();
        let next = keys.get(at + 1).filter(|_| at + 1 < sort.len());
        if let Some(next) = next.filter(|_| condition.operator != SortOperator::Equal) {
            let (attribute, next) = (attribute.clone(), next.name.clone());
            analysis.refuse(Some(Rejection::RangeNotLast { attribute, next }));
        }
        let is_between = condition.operator == SortOperator::Between;
        if is_between != condition.upper.is_some() {
            let attribute = attribute.clone();
            let missing = is_between;
            analysis.refuse(Some(Rejection::Bounds { attribute, missing }));
        }
        if key.kind == KeyType::N && condition.operator == SortOperator::BeginsWith {
            analysis.refuse(Some(Rejection::BeginsWithNumber { attribute }));
        }
    }
}

/// The first mistake in a template.
fn template_error(operation: &Operation) -> Option<String> {
    for text in parts(operation).templates {
        if let Some(error) = template::parse(text).errors.first() {
            let column = error.span.start + 1;
            return Some(format!("`{text}`, column {column}: {}", error.message));
        }
    }
    None
}

/// A Query whose condition lacks something.
fn incomplete(design: &Design, pattern: &AccessPattern, index: IndexId, analysis: &mut Analysis) {
    let (
        Operation::Query {
            partition, sort, ..
        },
        Some(key),
    ) = (&pattern.operation, design.key(index))
    else {
        return;
    };
    for (at, attribute) in key.partition.iter().enumerate() {
        if partition.get(at).is_none_or(|text| text.is_empty()) {
            let attribute = attribute.name.clone();
            analysis.refuse(Some(Rejection::MissingPartition { attribute }));
        }
    }
    if sort.len() > key.sort.len() || partition.len() > key.partition.len() {
        analysis.refuse(Some(Rejection::NotAKey {
            attribute: String::new(),
            key: key.attributes().map(|a| a.name.clone()).collect(),
        }));
    }
    for (attribute, condition) in key.sort.iter().zip(sort) {
        let bounds = std::iter::once(&condition.value).chain(&condition.upper);
        for text in bounds {
            if text.is_empty() {
                let attribute = attribute.name.clone();
                analysis.refuse(Some(Rejection::Empty { attribute }));
            }
        }
    }
}

fn query(
    design: &Design,
    pattern: &AccessPattern,
    index: IndexId,
    condition: &KeyCondition,
    analysis: &mut Analysis,
) {
    let unsure;
    (analysis.reachable, unsure) = reachable(design, pattern, condition);
    for id in entities_of(pattern) {
        let text = unmatched(design, pattern, index, id, &matches(design, condition, id));
        if let Some(Reason { verdict, text }) = text {
            analysis.reasons.add(verdict, text);
        }
        if let Some(text) = unmodified(design, pattern, condition, id) {
            analysis.reasons.add(Verdict::Unserved, text);
        }
    }
    bleed(design, analysis);
    for id in unsure.into_iter().filter(|id| !is_intended(pattern, *id)) {
        let name = design.entities.get(&id).map_or("", |entity| &entity.name);
        analysis.reasons.add(Verdict::ReadsTooMuch, unknown(name));
    }
    if let Some(text) = open_prefix(design, index, condition, analysis) {
        analysis.reasons.add(Verdict::ReadsTooMuch, text);
    }
    let asked = asked_partitions(design, index, condition, &analysis.reachable);
    if let Some(text) = same_shard(condition, &asked) {
        analysis.reasons.add(Verdict::ReadsTooMuch, text);
    }
    for text in left_out(design, index, condition, &analysis.reachable) {
        analysis.reasons.add(Verdict::Served, text);
    }
    analysis.spread = spread(&asked);
    if let Some(spread) = &analysis.spread {
        let Spread {
            parameter,
            placeholder,
            queries,
            ..
        } = spread;
        let text = match queries {
            Some(queries) => format!(
                "`{parameter}` is one of the {queries} shards of `{placeholder}`: the full result takes {queries} queries, one for each"
            ),
            None => format!(
                "`{parameter}` is one value of `{placeholder}`: a range takes one query for each value"
            ),
        };
        analysis.reasons.add(Verdict::Served, text);
    }
}

/// The message if a condition does not apply the modifiers with which the entity's key has a value.
pub(super) fn unmodified(
    design: &Design,
    pattern: &AccessPattern,
    condition: &KeyCondition,
    id: EntityId,
) -> Option<String> {
    let entity = design.entities.get(&id)?;
    let (asked, own) = other_modifiers(design, pattern, condition, entity)?;
    Some(format!(
        "compares `{asked}` with `{own}` of `{}`: use the same modifiers",
        entity.name
    ))
}

/// Why a condition does not find an intended entity.
fn unmatched(
    design: &Design,
    pattern: &AccessPattern,
    index: IndexId,
    id: EntityId,
    found: &Match,
) -> Option<Reason> {
    let name = design.entities.get(&id).map_or("", |entity| &entity.name);
    let place = place(design, index);
    let reason = |verdict, text| Some(Reason { verdict, text });
    let Operation::Query {
        partition, sort, ..
    } = &pattern.operation
    else {
        return None;
    };
    let given = |attribute: &str| {
        let entity = design.entities.get(&id);
        let when = entity.map_or(&[][..], |entity| sole_conditions(design, entity, attribute));
        match when.is_empty() {
            true => "",
            false => ", given the conditions of its index entry",
        }
    };
    let wanted = || {
        partition
            .iter()
            .map(|t| format!("`{t}`"))
            .collect::<Vec<_>>()
            .join(", ")
    };
    match found {
        Match::Found(_) | Match::NoCondition => None,
        Match::NotInIndex => reason(Verdict::Unserved, not_in_index(design, index, id)),
        Match::Unknown => reason(Verdict::Unserved, unknown(name)),
        Match::OtherPartition {
            attribute,
            begins: Some(key),
        } => {
            let rejection = Rejection::PartitionOperator {
                attribute: attribute.clone(),
                operator: SortOperator::BeginsWith.symbol().to_owned(),
            };
            let text = format!(
                "partition keys of `{name}` in {place} only begin with {}, such as `{key}`: {rejection}",
                wanted()
            );
            reason(Verdict::Impossible, text)
        }
        Match::OtherPartition { attribute, .. } => {
            let text = format!(
                "no `{attribute}` of `{name}` in {place} is {}{}",
                wanted(),
                given(attribute)
            );
            reason(Verdict::Unserved, text)
        }
        Match::OtherSort { attribute } => {
            let tests: Vec<String> = sort
                .iter()
                .map(|condition| {
                    let upper = condition
                        .upper
                        .iter()
                        .map(|upper| format!(" and `{upper}`"));
                    let upper: String = upper.collect();
                    format!(
                        "{} `{}`{upper}",
                        condition.operator.symbol(),
                        condition.value
                    )
                })
                .collect();
            let text = format!(
                "no `{attribute}` of `{name}` in {place} matches {}{}",
                tests.join(", "),
                given(attribute)
            );
            reason(Verdict::Unserved, text)
        }
    }
}

/// The message if the analysis cannot decide whether the query finds an entity.
pub(super) fn unknown(name: &str) -> String {
    format!(
        "cannot determine whether the query finds keys of `{name}`: {TooLarge}; shorten their literals"
    )
}

fn place(design: &Design, index: IndexId) -> String {
    match index.is_primary() {
        true => "the table".to_owned(),
        false => format!("`{}`", design.index_name(index)),
    }
}

/// Reports the unintended entities that the query finds.
fn bleed(design: &Design, analysis: &mut Analysis) {
    let strangers: Vec<&ReachableEntity> = analysis
        .reachable
        .iter()
        .filter(|reach| !reach.intended)
        .collect();
    let Some(first) = strangers.first() else {
        return;
    };
    let name = |reach: &&ReachableEntity| {
        let name = design.entities.get(&reach.entity).map_or("", |e| &e.name);
        format!("`{name}`")
    };
    let names: Vec<String> = strangers.iter().map(name).collect();
    let key: Vec<String> = first
        .example
        .iter()
        .map(|(_, value)| format!("`{value}`"))
        .collect();
    let text = format!("also finds {}: {}", listed(&names), key.join(" / "));
    analysis.reasons.add(Verdict::ReadsTooMuch, text);
}

/// Names, for a reader: `a`, `b` and `c`.
pub(super) fn listed(names: &[String]) -> String {
    match names {
        [] => String::new(),
        [one] => one.clone(),
        [most @ .., last] => format!("{} and {last}", most.join(", ")),
    }
}

/// Reports a `begins_with` that ends with the value of an attribute without a delimiter after it, so that longer values
/// match too.
fn open_prefix(
    design: &Design,
    index: IndexId,
    condition: &KeyCondition,
    analysis: &Analysis,
) -> Option<String> {
    let prefix = condition.prefix()?;
    let Some(Segment::Placeholder(last)) = prefix.template.segments.last() else {
        return None;
    };
    // A parameter of another name is text to search for, and may well be a part of a value.
    let key = design.key(index)?;
    let in_key = |reach: &ReachableEntity| {
        let entity = design.entities.get(&reach.entity)?;
        let attribute = key.sort.last()?;
        let own = written(design, entity, attribute)?;
        own.placeholders()
            .any(|other| other.attribute == last.attribute && other.modifiers == last.modifiers)
            .then_some(())
    };
    analysis.reachable.iter().find_map(in_key)?;
    let (short, long) = prefix.language().open_prefix().ok()??;
    Some(format!(
        "`begins_with` does not end at a delimiter: `{short}` also finds items of `{long}`"
    ))
}

/// Reports optional attributes in the sort key of an index, which the condition does not ask for: items without them are
/// not in the index.
fn left_out(
    design: &Design,
    index: IndexId,
    condition: &KeyCondition,
    reach: &[ReachableEntity],
) -> Vec<String> {
    let mut texts = Vec::new();
    let sort = design.key(index).map_or(&[][..], |key| &key.sort);
    for reach in reach.iter().filter(|reach| reach.intended) {
        let Some(entity) = design.entities.get(&reach.entity) else {
            continue;
        };
        let mut names: Vec<String> = Vec::new();
        for (at, key) in sort.iter().enumerate() {
            let test = condition.sort.get(at);
            let is_range = |operator: &SortOperator| *operator != SortOperator::BeginsWith;
            if test.is_some_and(|(operator, ..)| is_range(operator)) {
                continue;
            }
            let own = written(design, entity, key);
            let own = own.iter().flat_map(|own| own.attributes());
            let asked = || (condition.partition.iter()).chain(test.map(|(_, value, _)| value));
            let optional = |name: &&str| {
                let is_asked = asked().any(|part| part.template.uses(name));
                let attribute = entity.attribute(name);
                !is_asked && attribute.is_some_and(|attribute| !attribute.required)
            };
            for name in own.filter(optional).map(|name| format!("`{name}`")) {
                if !names.contains(&name) {
                    names.push(name);
                }
            }
        }
        if !names.is_empty() {
            let (name, place) = (&entity.name, place(design, index));
            let names = listed(&names);
            texts.push(format!(
                "items of `{name}` without {names} are not in {place}, so the query does not find them"
            ));
        }
    }
    texts
}

/// Reports the intended entities that have no items in an index.
fn absent(design: &Design, pattern: &AccessPattern, index: IndexId, analysis: &mut Analysis) {
    for id in entities_of(pattern) {
        let is_there = analysis.reachable.iter().any(|reach| reach.entity == id);
        if !is_there && is_intended(pattern, id) {
            let text = not_in_index(design, index, id);
            analysis.reasons.add(Verdict::Unserved, text);
        }
    }
}

/// The message if an entity is not in the table or an index.
fn not_in_index(design: &Design, index: IndexId, id: EntityId) -> String {
    not_stored(design, id).unwrap_or_else(|| {
        let name = design.entities.get(&id).map_or("", |entity| &entity.name);
        format!("`{name}` is not in {}", place(design, index))
    })
}
