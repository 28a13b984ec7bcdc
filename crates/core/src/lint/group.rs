//! One finding for many entities with equal primary keys, in place of one for each pair.

use super::finding::{Finding, Place, Severity};
use super::rule::TOO_LARGE;
use crate::model::{Design, EntityId, IndexId, KeyPart, SortedMap};
use std::sync::Arc;

/// The maximum number of names in a message.
const NAMES: usize = 5;

/// A finding of `equal-keys` with its pair of entities.
pub(super) type Pair = ([EntityId; 2], Arc<Finding>);

/// Groups findings: entities that can all be equal to each other, then those that one entity can be equal to.
pub(super) fn group(design: &Design, pairs: Vec<Pair>) -> Vec<Arc<Finding>> {
    let mut out = Vec::new();
    let mut left = pairs;
    for members in cliques(&left) {
        let is_inside = |(pair, finding): &Pair| {
            finding.severity == Severity::Error && pair.iter().all(|id| members.contains(id))
        };
        let (inside, others): (Vec<_>, Vec<_>) = left.into_iter().partition(is_inside);
        left = others;
        let Some((_, first)) = inside.into_iter().next() else {
            continue;
        };
        let message = format!(
            "{} entities can have the same primary key, and the last write replaces the other item: {}. Give each of them a {} with its own literal.",
            members.len(),
            names(design, &members),
            part(&first).label(),
        );
        out.push(with(&first, first.place, message));
    }
    while let Some((center, severity)) = center(&left) {
        let is_of = |(pair, finding): &Pair| finding.severity == severity && pair.contains(&center);
        let (own, others): (Vec<_>, Vec<_>) = left.into_iter().partition(is_of);
        left = others;
        let unsure = match own
            .iter()
            .any(|(_, finding)| finding.message.ends_with(TOO_LARGE))
        {
            true => format!(" Some of them were not compared: {TOO_LARGE}"),
            false => String::new(),
        };
        let partners = own.iter().flat_map(|(pair, _)| pair.iter().copied());
        let partners: Vec<EntityId> = partners.filter(|id| *id != center).collect();
        let Some((_, first)) = own.into_iter().next() else {
            continue;
        };
        let verb = match severity {
            Severity::Error => "can",
            _ => "may",
        };
        let message = format!(
            "{} {verb} have the same primary key as items of {} other entities, and the last write replaces the other item: {}. Give it a {} with its own literal.{unsure}",
            name(design, center),
            partners.len(),
            names(design, &partners),
            part(&first).label(),
        );
        let place = Place::Template(center, IndexId::PRIMARY, part(&first));
        out.push(with(&first, place, message));
    }
    out.extend(left.into_iter().map(|(_, finding)| finding));
    out
}

/// Sets of at least three entities of which each two have an error.
fn cliques(pairs: &[Pair]) -> Vec<Vec<EntityId>> {
    let mut edges: Vec<[EntityId; 2]> = Vec::new();
    for (pair, finding) in pairs {
        if finding.severity == Severity::Error {
            edges.push(*pair);
        }
    }
    edges.sort_unstable();
    let mut ids: Vec<EntityId> = edges.iter().flatten().copied().collect();
    ids.sort_unstable();
    ids.dedup();
    let mut groups: Vec<Vec<EntityId>> = Vec::new();
    for id in ids {
        let is_equal = |other: &EntityId| edges.binary_search(&[*other, id]).is_ok();
        match groups.iter_mut().find(|group| group.iter().all(is_equal)) {
            Some(group) => group.push(id),
            None => groups.push(vec![id]),
        }
    }
    groups.retain(|group| group.len() > 2);
    groups
}

/// The entity that is in the most pairs of one severity, if it is in more than two.
fn center(pairs: &[Pair]) -> Option<(EntityId, Severity)> {
    let mut counts: SortedMap<(EntityId, Severity), usize> = SortedMap::new();
    for (pair, finding) in pairs {
        for id in pair {
            *counts.entry((*id, finding.severity)).or_default() += 1;
        }
    }
    let (most, count) =
        (counts.into_iter()).max_by_key(|((id, _), count)| (*count, std::cmp::Reverse(*id)))?;
    (count > 2).then_some(most)
}

fn with(finding: &Finding, place: Place, message: String) -> Arc<Finding> {
    Arc::new(Finding {
        place,
        message,
        ..finding.clone()
    })
}

fn part(finding: &Finding) -> KeyPart {
    match finding.place {
        Place::Template(_, _, part) => part,
        _ => KeyPart::Sort,
    }
}

fn name(design: &Design, id: EntityId) -> &str {
    design.entities.get(&id).map_or("", |entity| &entity.name)
}

fn names(design: &Design, ids: &[EntityId]) -> String {
    let shown: Vec<&str> = ids.iter().take(NAMES).map(|id| name(design, *id)).collect();
    let more = match ids.len().saturating_sub(NAMES) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    shown.join(", ") + &more
}
