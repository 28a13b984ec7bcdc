//! What can be said of reads and writes by primary keys without any sample.

use super::Verdict;
use super::analyze::{Analysis, unknown, unmodified};
use super::reach::{Match, inhabitant, item_condition, matches, reachable};
use crate::engine::key_condition::wrong_type;
use crate::engine::operation_parts::parts;
use crate::engine::query::Rejection;
use crate::model::{
    AccessPattern, Design, EntityId, IndexId, Operation, SortedMap, by_rank, entities_of,
};

/// Operations on items by their primary keys, and puts.
pub(super) fn by_keys(
    design: &Design,
    pattern: &AccessPattern,
    operation: &Operation,
    analysis: &mut Analysis,
) {
    let parts = parts(operation);
    analysis.refuse(Rejection::of_count(operation));
    let mut nearest: Vec<(EntityId, Match)> = Vec::new();
    let mut unlike: SortedMap<EntityId, Option<String>> = SortedMap::new();
    let primary = design.table.key.sort.len();
    for key in &parts.keys {
        let condition = item_condition(design, pattern, key);
        if !condition.is_complete || key.sort.iter().count() != primary {
            let lacking = match (key.partition.is_empty(), design.table.key.sort.first()) {
                (false, Some(sort)) => Some(&sort.name),
                _ => design.table.key.partition.first().map(|a| &a.name),
            };
            let attribute = lacking.cloned().unwrap_or_default();
            let rejection = match primary < key.sort.iter().count() {
                true => Rejection::ExtraKey { attribute },
                false => Rejection::MissingKey { attribute },
            };
            analysis
                .reasons
                .add(Verdict::Impossible, rejection.to_string());
            continue;
        }
        analysis.refuse(wrong_type(design, pattern, &condition));
        let (found, unsure) = reachable(design, pattern, &condition);
        if found.is_empty() && unsure.is_empty() {
            let sort = key.sort.iter().map(|text| format!(" / `{text}`"));
            let sort: String = sort.collect();
            let text = format!("no entity has the key `{}`{sort}", key.partition);
            analysis.reasons.add(Verdict::Unserved, text);
        }
        for id in entities_of(pattern) {
            let found = matches(design, &condition, id);
            if matches!(found, Match::Found(_)) {
                // One key with its modifiers is enough.
                let text = unmodified(design, pattern, &condition, id);
                let known = unlike.entry(id).or_insert_with(|| text.clone());
                *known = known.take().and(text);
            }
            nearest.push((id, found));
        }
        for reach in found {
            if !analysis
                .reachable
                .iter()
                .any(|other| other.entity == reach.entity)
            {
                analysis.reachable.push(reach);
            }
        }
    }
    for text in unlike.values().flatten() {
        analysis.reasons.add(Verdict::Unserved, text.clone());
    }
    for id in &parts.puts {
        let known = analysis.reachable.iter().any(|other| other.entity == *id);
        match inhabitant(design, pattern, IndexId::PRIMARY, *id) {
            Some(reach) if !known => analysis.reachable.push(reach),
            Some(_) => {}
            None => {
                let name = design.entities.get(id).map_or("", |entity| &entity.name);
                let text = format!("`{name}` has no primary key");
                analysis.reasons.add(Verdict::Unserved, text);
            }
        }
    }
    analysis.reachable = by_rank(std::mem::take(&mut analysis.reachable), |reach| {
        [reach.entity.0, 0, 0, 0]
    });
    // If several entities can have the key of one item, that is a collision, which another rule reports: unintended
    // entities are only reported if no intended one has the key.
    if analysis.reachable.iter().any(|reach| reach.intended) {
        analysis.reachable.retain(|reach| reach.intended);
    }
    for id in entities_of(pattern) {
        if analysis.reachable.iter().any(|reach| reach.entity == id) {
            continue;
        }
        let name = design.entities.get(&id).map_or("", |entity| &entity.name);
        let Some((_, found)) = nearest.iter().find(|(other, _)| *other == id) else {
            if !parts.puts.is_empty() {
                let text = format!("it writes no item of `{name}`");
                analysis.reasons.add(Verdict::Unserved, text);
            }
            continue;
        };
        let what = match found {
            Match::OtherSort { .. } => "sort key",
            _ => "partition key",
        };
        let text = match found {
            Match::Unknown => unknown(name),
            _ => format!("no key of `{name}` has this {what}"),
        };
        analysis.reasons.add(Verdict::Unserved, text);
    }
}
