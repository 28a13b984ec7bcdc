//! The rows that a new row refers to, and the values that it copies from them.

use super::graph::Graph;
use super::name_meanings::{among, words};
use super::needed::Needed;
use super::references::ACTORS;
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
    /// The position of the referring attribute in the new row.
    pub at: usize,
    /// The entity.
    pub entity: EntityId,
    /// The attribute that is referred to.
    pub name: String,
    /// The rows that can be referenced.
    pub rows: Vec<Arc<Sample>>,
    skewed: bool,
    /// The random stream: a number derived from the name of the referring attribute.
    stream: u64,
    /// Attributes that earlier references have fixed: the position in the new row, and the name in these rows.
    pub fixed: Vec<(usize, String)>,
    /// Positions in `rows` by the values of fixed attributes, for each choice of those that new rows have.
    indexes: FxHashMap<Vec<usize>, FxHashMap<String, Vec<u32>>>,
    /// The references that give the required attributes of this optional one, if no row fits it.
    pub instead: Vec<Group>,
}

impl Group {
    fn new(
        needed: &[Needed],
        at: usize,
        (entity, name): (EntityId, &str),
        rows: Vec<Arc<Sample>>,
        fixed: Vec<(usize, String)>,
    ) -> Group {
        let skewed = matches!(
            needed[at].format,
            Some(Format::Reference {
                distribution: Distribution::Skewed,
                ..
            })
        );
        Group {
            at,
            entity,
            name: name.to_owned(),
            rows,
            skewed,
            stream: fnv1a_64(needed[at].name.as_bytes()),
            fixed,
            indexes: FxHashMap::default(),
            instead: Vec::new(),
        }
    }

    /// The position of the row to reference: one that matches the fixed values if possible, else any. Also returns
    /// whether it matches. A fixed attribute that the new row lacks does not count.
    pub fn choose(
        &mut self,
        values: &[Option<Value>],
        place: [u64; 3],
        preset: Option<u64>,
    ) -> (usize, bool) {
        let [seed, row, attempt] = place;
        let mut rng = Rng::new(&[seed, self.stream, row, attempt]).preset(preset);
        let skewed = self.skewed;
        let mut choose = |n: usize| {
            let n = n as u64;
            let at = if skewed { rng.skewed(n) } else { rng.below(n) };
            at as usize
        };
        let mut present = Vec::with_capacity(self.fixed.len());
        let has = |at: &usize| values[self.fixed[*at].0].is_some();
        present.extend((0..self.fixed.len()).filter(has));
        if present.is_empty() {
            return (choose(self.rows.len()), true);
        }
        let key = fixed_key(present.iter().map(|at| values[self.fixed[*at].0].as_ref()));
        let index = self.indexes.entry(present).or_insert_with_key(|present| {
            let mut index: FxHashMap<String, Vec<u32>> = FxHashMap::default();
            for (row, place) in self.rows.iter().zip(0..) {
                let values = present.iter().map(|at| row.values.get(&self.fixed[*at].1));
                if let Some(key) = fixed_key(values) {
                    index.entry(key).or_default().push(place);
                }
            }
            index
        });
        match key.and_then(|key| index.get(&key)) {
            Some(places) => (places[choose(places.len())] as usize, true),
            None => (choose(self.rows.len()), false),
        }
    }
}

/// The earlier rows of an entity that its new rows can refer to: those of the same tenant and the same parents.
pub(super) struct Earlier {
    /// The positions of the attributes that must be equal.
    scope: Vec<usize>,
    /// Positions of rows by the values of these attributes.
    index: FxHashMap<String, Vec<u32>>,
    /// The number of rows in the index.
    indexed: usize,
}

impl Earlier {
    /// Chooses the attributes that must be equal; `None` if no attribute refers to earlier rows.
    pub fn new(design: &Design, needed: &[Needed], sources: &[Source]) -> Option<Earlier> {
        let targets = sources.iter().filter_map(|source| match source {
            Source::Before(name) => Some(name),
            _ => None,
        });
        let targets: Vec<&String> = targets.collect();
        // The items of a tree may have different authors.
        let is_actor = |needed: &Needed| match &needed.format {
            Some(Format::Reference { entity, .. }) => (design.entities.get(entity))
                .is_some_and(|entity| among(ACTORS, &words(&entity.name).concat())),
            _ => false,
        };
        let is_in_scope = |at: &usize| {
            let needed = &needed[*at];
            !needed.is_own
                && !targets.contains(&&needed.name)
                && match &sources[*at] {
                    Source::Parent(..) => needed.uses.in_primary || !is_actor(needed),
                    Source::Own => needed.uses.in_primary && needed.is_free_id(),
                    _ => false,
                }
        };
        let scope = (0..needed.len()).filter(is_in_scope).collect();
        (!targets.is_empty()).then(|| Earlier {
            scope,
            index: FxHashMap::default(),
            indexed: 0,
        })
    }

    /// Adds the rows that the entity has got since.
    pub fn add(&mut self, needed: &[Needed], rows: &[Arc<Sample>]) {
        for (at, row) in rows.iter().enumerate().skip(self.indexed) {
            let values = (self.scope.iter()).map(|at| row.values.get(&needed[*at].name));
            let key = scope_key(values);
            self.index.entry(key).or_default().push(at as u32);
        }
        self.indexed = rows.len();
    }

    /// The positions of the rows that a new row with these values can refer to.
    pub fn places(&self, values: &[Option<Value>]) -> &[u32] {
        let key = scope_key(self.scope.iter().map(|at| values[*at].as_ref()));
        self.index.get(&key).map_or(&[], |places| places)
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
    let mut references: Vec<(usize, EntityId, &str)> = Vec::new();
    for (at, attribute) in needed.iter().enumerate() {
        if let Some(Format::Reference {
            entity,
            attribute: name,
            ..
        }) = &attribute.format
        {
            references.push((at, *entity, name));
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
        let (at, to, name) = references.remove(next);
        if sources[at].is_some() {
            continue;
        }
        if to == id {
            sources[at] = Some(Source::Before(name.to_owned()));
            continue;
        }
        let rows = with_value(pool, to, name, &needed[at]);
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
        let shared = shared(graph, needed, id, at, (to, name));
        let mut fixed = Vec::new();
        for (other, name) in shared {
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
        let mut group = Group::new(needed, at, (to, name), rows, fixed);
        if !needed[at].required && !group.fixed.is_empty() {
            group.instead = instead(graph, needed, pool, id, &sources, number);
        }
        groups.push(group);
    }
    for (at, attribute) in needed.iter().enumerate() {
        let has_rows = |id| pool.get(&id).is_some_and(|rows| !rows.is_empty());
        if sources[at].is_none()
            && let Some(other) = graph.with_same_id(id, attribute, has_rows)
        {
            let rows = with_value(pool, other, &attribute.name, attribute);
            if !rows.is_empty() {
                let target = (other, attribute.name.as_str());
                // A site of this tenant, if both have such ids.
                let mut fixed = shared(graph, needed, id, at, target);
                fixed.retain(|(other, _)| matches!(sources[*other], Some(Source::Parent(..))));
                sources[at] = Some(Source::Parent(groups.len(), attribute.name.clone()));
                groups.push(Group::new(needed, at, target, rows, fixed));
            }
        }
    }
    let sources = sources
        .into_iter()
        .map(|source| source.unwrap_or(Source::Own));
    Ok((groups, sources.collect()))
}

/// The references that give the required attributes which come from the rows of an optional reference, in case that no
/// row fits.
fn instead(
    graph: &Graph,
    needed: &[Needed],
    pool: &SortedMap<EntityId, Vec<Arc<Sample>>>,
    id: EntityId,
    sources: &[Option<Source>],
    number: usize,
) -> Vec<Group> {
    let mut groups = Vec::new();
    for (at, attribute) in needed.iter().enumerate() {
        let is_given = matches!(&sources[at], Some(Source::Parent(of, _)) if *of == number);
        if let Some(Format::Reference {
            entity,
            attribute: name,
            ..
        }) = &attribute.format
            && (is_given && attribute.required && *entity != id)
        {
            let rows = with_value(pool, *entity, name, attribute);
            let mut fixed = shared(graph, needed, id, at, (*entity, name));
            fixed.retain(|(other, _)| matches!(sources[*other], Some(Source::Parent(..))));
            if !rows.is_empty() {
                groups.push(Group::new(needed, at, (*entity, name), rows, fixed));
            }
        }
    }
    groups
}

/// The rows of an entity with a value that an attribute can have.
fn with_value(
    pool: &SortedMap<EntityId, Vec<Arc<Sample>>>,
    entity: EntityId,
    name: &str,
    needed: &Needed,
) -> Vec<Arc<Sample>> {
    let has = |row: &&Arc<Sample>| {
        let value = row.values.get(name);
        value.is_some_and(|v| *v != Value::Null && converted(needed.kind, v).is_some())
    };
    let rows = pool.get(&entity).map_or(&[][..], |rows| rows);
    rows.iter().filter(has).cloned().collect()
}

/// The other attributes that a row shares with the row that the attribute at `at` refers to: their positions, and their
/// names in that row.
fn shared(
    graph: &Graph,
    needed: &[Needed],
    id: EntityId,
    at: usize,
    (to, name): (EntityId, &str),
) -> Vec<(usize, String)> {
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
    let shared = shared.into_iter().map(|(other, name, _)| (other, name));
    shared.collect()
}

/// The values as one text, also if some are missing.
fn scope_key<'a>(values: impl Iterator<Item = Option<&'a Value>>) -> String {
    let texts = values.map(|value| value.map_or(String::new(), Value::to_text) + "\0");
    texts.collect()
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
