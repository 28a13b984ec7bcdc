//! The rows that a new row refers to, and the values that it copies from them.

use super::graph::Graph;
use super::needed::Needed;
use super::rng::Rng;
use super::value::converted;
use crate::model::{Design, Distribution, EntityId, Format, Sample, SortedMap, Value};
use crate::template::fnv1a_64;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Where the value of an attribute comes from.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Source {
    /// The attribute's own format.
    Own,
    /// An attribute of a referenced row: the index of the reference, and the attribute.
    Parent(usize, String),
    /// An earlier row of the same entity.
    Before(String),
    /// No value: there is no row to refer to.
    Nothing,
}

/// A reference to rows of another entity.
pub(super) struct Group {
    /// The entity.
    pub entity: EntityId,
    /// The rows that can be referenced.
    pub rows: Vec<Arc<Sample>>,
    skewed: bool,
    /// The random stream: a number derived from the name of the referring attribute.
    stream: u64,
    /// Attributes that earlier references have fixed: the position in the new row, and the name in these rows.
    fixed: Vec<(usize, String)>,
    /// Positions in `rows` by the values of the fixed attributes.
    index: FxHashMap<String, Vec<u32>>,
}

impl Group {
    /// The position of the row to reference: one that matches the fixed values if possible, else any. Also returns
    /// whether it matches.
    pub fn choose(
        &self,
        values: &[Option<Value>],
        place: [u64; 3],
        preset: Option<u64>,
    ) -> (usize, bool) {
        let [seed, row, attempt] = place;
        let mut rng = Rng::new(&[seed, self.stream, row, attempt]).preset(preset);
        let mut choose = |n: usize| {
            let n = n as u64;
            let at = if self.skewed {
                rng.skewed(n)
            } else {
                rng.below(n)
            };
            at as usize
        };
        if self.fixed.is_empty() {
            return (choose(self.rows.len()), true);
        }
        let key = fixed_key(self.fixed.iter().map(|(field, _)| values[*field].as_ref()));
        match key.and_then(|key| self.index.get(&key)) {
            Some(places) => (places[choose(places.len())] as usize, true),
            None => (choose(self.rows.len()), false),
        }
    }
}

/// The references of an entity's rows, in the order in which they are resolved, and each attribute's source. The first
/// reference is the one to the parent `per`, if given. The error names a reference without target rows.
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
        // The requested parent first, then the entity with the longest chain of references: its rows fix the most
        // attributes.
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
            value.is_some_and(|v| *v != Value::Null && converted(needed[at].kind, v).is_some())
        };
        let rows = pool.get(&to).map_or(&[][..], |rows| rows);
        let rows: Vec<Arc<Sample>> = rows.iter().filter(has).cloned().collect();
        if rows.is_empty() {
            let called = |id| design.entities.get(&id).map_or("", |e| e.name.as_str());
            if needed[at].required && !design.entities.contains_key(&to) {
                return Err(format!(
                    "{}: `{}` refers to an entity that does not exist: change the format",
                    called(id),
                    needed[at].name
                ));
            }
            if needed[at].required {
                return Err(format!(
                    "{}: `{}` refers to `{name}` of {other}, but no {other} has a value for it: generate {other} too, or change \
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
        let mut shared: Vec<(usize, String, bool)> = Vec::new();
        for (other, attribute) in needed.iter().enumerate() {
            // Two attributes that refer to the same one are two roles: author and reviewer.
            let is_role = matches!(&attribute.format, Some(Format::Reference { entity, attribute, .. })
                if *entity == to && attribute == name);
            if other != at
                && !is_role
                && let Some((name, certain)) = graph.shared(id, attribute, to)
            {
                shared.push((other, name, certain));
            }
        }
        let certain = shared.iter().filter(|(.., certain)| *certain);
        let mut claimed: Vec<String> = certain.map(|(_, name, _)| name.clone()).collect();
        claimed.push(name.to_owned());
        shared.retain(|(_, name, certain)| *certain || !claimed.contains(name));
        let mut fixed = Vec::new();
        for (other, name, _) in shared {
            match sources[other] {
                Some(Source::Parent(..)) => fixed.push((other, name)),
                None if graph.gives(to, &name, &needed[other])
                    && rows.iter().all(|row| row.values.contains_key(&name)) =>
                {
                    sources[other] = Some(Source::Parent(number, name));
                }
                _ => {}
            }
        }
        let mut index: FxHashMap<String, Vec<u32>> = FxHashMap::default();
        if !fixed.is_empty() {
            for (row, place) in rows.iter().zip(0..) {
                let values = fixed.iter().map(|(_, name)| row.values.get(name));
                if let Some(key) = fixed_key(values) {
                    index.entry(key).or_default().push(place);
                }
            }
        }
        groups.push(Group {
            entity: to,
            rows,
            skewed,
            stream: fnv1a_64(needed[at].name.as_bytes()),
            fixed,
            index,
        });
    }
    let sources = sources
        .into_iter()
        .map(|source| source.unwrap_or(Source::Own));
    Ok((groups, sources.collect()))
}

/// The fixed values as one text; `None` if a value is missing.
fn fixed_key<'a>(values: impl Iterator<Item = Option<&'a Value>>) -> Option<String> {
    let mut key = String::new();
    for value in values {
        key.push_str(&value?.to_text());
        key.push('\0');
    }
    Some(key)
}
