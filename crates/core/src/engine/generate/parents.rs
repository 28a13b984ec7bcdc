//! The rows that a new row refers to, and what it takes from them.

use super::graph::Graph;
use super::rng::Rng;
use super::uses::Needed;
use super::value::fitted;
use crate::model::{Design, Distribution, EntityId, Format, Sample, SortedMap, Value};
use crate::template::fnv1a_64;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Where the value of an attribute comes from.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Source {
    /// Its own format.
    Own,
    /// An attribute of the row that a reference takes: the reference's number, and the attribute.
    Parent(usize, String),
    /// A row of its own entity that was there before.
    Before(String),
    /// Nothing: there is no row that it could refer to.
    Nothing,
}

/// A reference to rows of another entity.
pub(super) struct Group {
    /// The entity.
    pub entity: EntityId,
    /// The rows that it can take.
    pub rows: Vec<Arc<Sample>>,
    skewed: bool,
    /// The name of the attribute that refers, as a number.
    stream: u64,
    /// Attributes that earlier references have settled: place in the new row, name in the rows here.
    settled: Vec<(usize, String)>,
    /// By what is settled, the places in `rows`.
    index: FxHashMap<String, Vec<u32>>,
}

impl Group {
    /// The place of the row to take: one that has what is settled, where there is one, else any; and whether there was
    /// one.
    pub fn choose(
        &self,
        values: &[Option<Value>],
        place: [u64; 3],
        fixed: Option<u64>,
    ) -> (usize, bool) {
        let [seed, row, attempt] = place;
        let mut rng = Rng::new(&[seed, self.stream, row, attempt]).fixed(fixed);
        let mut choose = |n: usize| {
            let n = n as u64;
            let at = if self.skewed {
                rng.skewed(n)
            } else {
                rng.below(n)
            };
            at as usize
        };
        if self.settled.is_empty() {
            return (choose(self.rows.len()), true);
        }
        let key = settled_key(
            self.settled
                .iter()
                .map(|(field, _)| values[*field].as_ref()),
        );
        match key.and_then(|key| self.index.get(&key)) {
            Some(places) => (places[choose(places.len())] as usize, true),
            None => (choose(self.rows.len()), false),
        }
    }
}

/// The references of an entity's rows, in the order in which they are settled, and each attribute's source. The first
/// one is that to the parent `per`, if one is given. The error says which reference has nothing to refer to.
pub(super) fn plan(
    design: &Design,
    graph: &Graph,
    pool: &SortedMap<EntityId, Vec<Arc<Sample>>>,
    id: EntityId,
    per: Option<EntityId>,
) -> Result<(Vec<Group>, Vec<Source>), String> {
    let needed: &[Needed] = graph.needed.get(&id).map_or(&[], |needed| needed);
    let mut sources: Vec<Option<Source>> = vec![None; needed.len()];
    let mut references: Vec<(usize, EntityId, &str, bool)> = Vec::new();
    for (at, attribute) in needed.iter().enumerate() {
        if let Some(Format::Reference {
            entity,
            attribute: name,
            distribution,
        }) = &attribute.format
        {
            references.push((at, *entity, name, *distribution == Distribution::Skewed));
        }
    }
    let mut groups: Vec<Group> = Vec::new();
    let mut per = per;
    while !references.is_empty() {
        // The parent that was asked for, then the entity furthest down: its rows settle the most.
        let first = per
            .take()
            .and_then(|per| references.iter().position(|r| r.1 == per));
        let deepest = |best: usize, at: usize| {
            let depth = |at: usize| graph.depth(references[at].1);
            if depth(at) > depth(best) { at } else { best }
        };
        let next = first.unwrap_or_else(|| (0..references.len()).reduce(deepest).unwrap_or(0));
        let (at, to, name, skewed) = references.remove(next);
        if sources[at].is_some() {
            continue;
        }
        if to == id {
            sources[at] = Some(Source::Before(name.to_owned()));
            continue;
        }
        let has = |row: &&Arc<Sample>| {
            let value = row.values.get(name);
            value.is_some_and(|v| *v != Value::Null && fitted(needed[at].kind, v).is_some())
        };
        let rows = pool.get(&to).map_or(&[][..], |rows| rows);
        let rows: Vec<Arc<Sample>> = rows.iter().filter(has).cloned().collect();
        if rows.is_empty() {
            let called = |id| design.entities.get(&id).map_or("", |e| e.name.as_str());
            if needed[at].required && !design.entities.contains_key(&to) {
                return Err(format!(
                    "{}: `{}` refers to an entity that is not there: change the format",
                    called(id),
                    needed[at].name
                ));
            }
            if needed[at].required {
                return Err(format!(
                    "{}: `{}` refers to `{name}` of {other}, and no {other} has one: generate those too, or change \
                     the format",
                    called(id),
                    needed[at].name,
                    other = called(to)
                ));
            }
            sources[at] = Some(Source::Nothing);
            continue;
        }
        let number = groups.len();
        sources[at] = Some(Source::Parent(number, name.to_owned()));
        let mut settled = Vec::new();
        for (other, attribute) in needed.iter().enumerate() {
            let Some(shared) = graph.shared(id, attribute, to).filter(|_| other != at) else {
                continue;
            };
            match sources[other] {
                Some(Source::Parent(..)) => settled.push((other, shared)),
                None if graph.gives(to, &shared, attribute)
                    && rows.iter().all(|row| row.values.contains_key(&shared)) =>
                {
                    sources[other] = Some(Source::Parent(number, shared));
                }
                _ => {}
            }
        }
        let mut index: FxHashMap<String, Vec<u32>> = FxHashMap::default();
        if !settled.is_empty() {
            for (row, place) in rows.iter().zip(0..) {
                let values = settled.iter().map(|(_, name)| row.values.get(name));
                if let Some(key) = settled_key(values) {
                    index.entry(key).or_default().push(place);
                }
            }
        }
        groups.push(Group {
            entity: to,
            rows,
            skewed,
            stream: fnv1a_64(needed[at].name.as_bytes()),
            settled,
            index,
        });
    }
    let sources = sources
        .into_iter()
        .map(|source| source.unwrap_or(Source::Own));
    Ok((groups, sources.collect()))
}

/// What is settled as one text; none if a value is missing.
fn settled_key<'a>(values: impl Iterator<Item = Option<&'a Value>>) -> Option<String> {
    let mut key = String::new();
    for value in values {
        key.push_str(&value?.to_text());
        key.push('\0');
    }
    Some(key)
}
