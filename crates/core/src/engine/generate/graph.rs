//! References between entities, and the order in which their rows are generated.

use super::names::words;
use super::needed::{Needed, needed};
use crate::model::{AttributeType, Design, EntityId, Format, SortedMap, SortedSet};

/// The attributes of all entities, with their references.
pub(super) struct Graph {
    /// By entity, in the author's order.
    pub needed: SortedMap<EntityId, Vec<Needed>>,
    /// Length of the longest chain of references from each entity, at most the number of entities.
    depth: SortedMap<EntityId, usize>,
}

impl Graph {
    /// Builds the graph of all entities of a design.
    pub fn new(design: &Design) -> Graph {
        let needed = design.entities.keys().map(|id| (*id, needed(design, *id)));
        let mut graph = Graph {
            needed: SortedMap::from_iter(needed),
            depth: SortedMap::from_iter(design.entities.keys().map(|id| (*id, 0))),
        };
        for _ in 0..design.entities.len() {
            let mut changed = false;
            for id in design.entities.keys() {
                let parents = graph.references(*id).filter(|(_, to)| to != id);
                let depth = parents
                    .map(|(_, to)| graph.depth(to) + 1)
                    .max()
                    .unwrap_or(0);
                let depth = depth.min(design.entities.len());
                changed |= graph.depth.insert(*id, depth) != Some(depth);
            }
            if !changed {
                break;
            }
        }
        graph
    }

    /// Length of the longest chain of references from an entity.
    pub fn depth(&self, id: EntityId) -> usize {
        self.depth.get(&id).copied().unwrap_or(0)
    }

    fn attribute(&self, id: EntityId, name: &str) -> Option<&Needed> {
        self.needed
            .get(&id)?
            .iter()
            .find(|needed| needed.name == name)
    }

    /// The references of an entity: each attribute with the entity that it refers to.
    pub fn references(&self, id: EntityId) -> impl Iterator<Item = (&Needed, EntityId)> {
        let needed = self.needed.get(&id).into_iter().flatten();
        needed.filter_map(|needed| match &needed.format {
            Some(Format::Reference { entity, .. }) => Some((needed, *entity)),
            _ => None,
        })
    }

    /// Where the values of an attribute come from: the attribute itself, the attribute that it refers to, and so on.
    /// Stops at a cycle.
    fn origins(&self, id: EntityId, name: &str) -> Vec<(EntityId, String)> {
        let mut origins = vec![(id, name.to_owned())];
        while let Some((id, name)) = origins.last() {
            let format = self
                .attribute(*id, name)
                .and_then(|needed| needed.format.as_ref());
            match format {
                Some(Format::Reference {
                    entity, attribute, ..
                }) => {
                    let next = (*entity, attribute.clone());
                    if origins.contains(&next) {
                        break;
                    }
                    origins.push(next);
                }
                _ => break,
            }
        }
        origins
    }

    /// The attribute that an attribute's values come from in the end.
    fn root(&self, id: EntityId, name: &str) -> Option<(EntityId, String)> {
        self.origins(id, name).pop()
    }

    /// Whether every value of the parent's attribute is valid for the child's attribute.
    pub fn gives(&self, parent: EntityId, name: &str, needed: &Needed) -> bool {
        match &needed.format {
            Some(Format::Reference {
                entity, attribute, ..
            }) => {
                let target = (*entity, attribute.clone());
                self.origins(parent, name).contains(&target)
            }
            _ => true,
        }
    }

    /// The attribute of `parent` that means the same as this attribute of `child`: both get their values from one
    /// place, or both are an id with a name that no entity uses for its own id.
    pub fn shared(&self, child: EntityId, needed: &Needed, parent: EntityId) -> Option<String> {
        let (root, name) = (self.root(child, &needed.name)?, &needed.name);
        let of_parent = self.needed.get(&parent)?.iter();
        if root == (child, name.clone()) {
            let words = words(name);
            let is_id = words.len() > 1 && words.last().is_some_and(|word| word == "id");
            let free = |n: &Needed| !n.said && matches!(n.format, Some(Format::OneOf(_)));
            let mut same = of_parent.filter(|n| n.name == *name && n.kind == needed.kind);
            return (is_id && free(needed) && same.any(free)).then(|| name.clone());
        }
        let mut same = of_parent
            .filter(|n| n.kind == needed.kind && self.root(parent, &n.name).as_ref() == Some(&root))
            .map(|n| &n.name);
        let first = same.next()?;
        let mut others = same.peekable();
        match others.peek() {
            None => Some(first.clone()),
            Some(_) => (first == name || others.any(|n| n == name)).then(|| name.clone()),
        }
    }

    /// Names the entities of one cycle among those that wait for each other.
    fn cycle(&self, design: &Design, left: &[EntityId]) -> String {
        let next = |id: EntityId| {
            let waits_for = |(needed, to): &(&Needed, EntityId)| {
                needed.required && *to != id && left.contains(to)
            };
            self.references(id).find(waits_for).map(|(_, to)| to)
        };
        let mut path: Vec<EntityId> = left.first().copied().into_iter().collect();
        while let Some(to) = path.last().and_then(|last| next(*last)) {
            if let Some(start) = path.iter().position(|id| *id == to) {
                path.drain(..start);
                break;
            }
            path.push(to);
        }
        let called = |id| design.entities.get(id).map_or("", |e| e.name.as_str());
        let names: Vec<&str> = path.iter().map(called).collect();
        format!(
            "{} refer to each other in a cycle: make one of the references optional, or add a sample",
            names.join(", ")
        )
    }

    /// Sorts the entities so that each follows those it refers to. An optional reference may stay empty. If the others
    /// form a cycle, `has_rows` says which entities already have rows.
    ///
    /// # Errors
    ///
    /// The entities of a cycle that cannot be resolved.
    pub fn order(
        &self,
        design: &Design,
        entities: &[EntityId],
        has_rows: &dyn Fn(EntityId) -> bool,
    ) -> Result<Vec<EntityId>, String> {
        let mut left = entities.to_vec();
        let mut order: Vec<EntityId> = Vec::new();
        while !left.is_empty() {
            let waits = |id: &EntityId, strict: bool, rows: bool| {
                self.references(*id).any(|(needed, to)| {
                    to != *id
                        && left.contains(&to)
                        && (strict || needed.required)
                        && !(rows && has_rows(to))
                })
            };
            let next = (left.iter().position(|id| !waits(id, true, false)))
                .or_else(|| left.iter().position(|id| !waits(id, false, false)))
                .or_else(|| left.iter().position(|id| !waits(id, false, true)));
            let Some(next) = next else {
                return Err(self.cycle(design, &left));
            };
            order.push(left.remove(next));
        }
        Ok(order)
    }
}

/// The entities that an entity refers to, each with its first reference: rows can be generated per row of these
/// entities. Attributes without a format count by their guess.
pub fn parents(design: &Design, id: EntityId) -> Vec<(EntityId, String)> {
    let mut seen = SortedSet::new();
    let mut parents = Vec::new();
    for needed in needed(design, id) {
        if let Some(Format::Reference { entity, .. }) = needed.format
            && needed.kind != AttributeType::Null
            && entity != id
            && design.entities.contains_key(&entity)
            && seen.insert(entity)
        {
            parents.push((entity, needed.name));
        }
    }
    parents
}
