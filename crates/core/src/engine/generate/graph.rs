//! References between entities, and the order in which their rows are generated.

use super::chosen_references::Parent;
use super::needed::{Guesses, Needed, needed};
use super::references::References;
use crate::model::{AttributeType, Design, EntityId, Format, SortedMap};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Longest chain of references to count.
const MAX_DEPTH: usize = 32;

/// The attributes of all entities, with their references.
pub(super) struct Graph {
    /// By entity, in the author's order.
    pub needed: SortedMap<EntityId, Vec<Needed>>,
    /// Length of the longest chain of references from each entity, at most [`MAX_DEPTH`].
    depth: SortedMap<EntityId, usize>,
}

impl Graph {
    /// Builds the graph of all entities of a design.
    pub fn new(design: &Design, guesses: Guesses) -> Graph {
        let references = References::new(design);
        let needed = (design.entities.keys())
            .filter_map(|id| Some((*id, needed(&references, references.owner(*id)?, guesses))));
        let mut graph = Graph {
            needed: SortedMap::from_iter(needed),
            depth: SortedMap::from_iter(design.entities.keys().map(|id| (*id, 0))),
        };
        for _ in 0..MAX_DEPTH {
            let mut changed = false;
            for id in design.entities.keys() {
                let parents = graph.references(*id).filter(|(_, to)| to != id);
                let depth = parents
                    .map(|(_, to)| graph.depth(to) + 1)
                    .max()
                    .unwrap_or(0);
                let depth = depth.min(MAX_DEPTH);
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

    /// The attribute of `parent` that means the same as this attribute of `child`: both stand at the same place of a
    /// key, both get their values from one place, or both are the same id of something that is no entity. Also returns
    /// whether this is certain: if not, another attribute of the child may claim it.
    pub fn shared(
        &self,
        child: EntityId,
        needed: &Needed,
        parent: EntityId,
    ) -> Option<(String, bool)> {
        let (root, name) = (self.root(child, &needed.name)?, &needed.name);
        let of_parent = self.needed.get(&parent)?.iter();
        if root == (child, name.clone()) {
            let is_guess = |n: &Needed| !n.said && matches!(n.format, Some(Format::OneOf(_)));
            let mut same = of_parent.filter(|n| n.name == *name && n.kind == needed.kind);
            // Outside primary keys, an id with many values more likely belongs to each row: `externalId`.
            let is_same = same.any(|n| {
                let in_key = needed.uses.in_primary || n.uses.in_primary;
                n.is_free_id() && (in_key || (is_guess(needed) && is_guess(n)))
            });
            return (is_same && needed.is_free_id()).then(|| (name.clone(), true));
        }
        let same = |n: &&Needed| {
            n.kind == needed.kind && self.root(parent, &n.name).as_ref() == Some(&root)
        };
        let same: Vec<&str> = of_parent.filter(same).map(|n| n.name.as_str()).collect();
        let aligned = (needed.aligned.iter())
            .find(|(id, other)| *id == parent && same.contains(&other.as_str()));
        if let Some((_, other)) = aligned {
            return Some((other.clone(), true));
        }
        if same.contains(&name.as_str()) {
            return Some((name.clone(), true));
        }
        match same.as_slice() {
            // Users star the repositories of others: an attribute that the key needs besides is another one.
            [only] if !needed.uses.in_primary => Some(((*only).to_owned(), false)),
            _ => None,
        }
    }

    /// An entity with rows whose keys contain the same id of something that is no entity, such as a tenant: new rows
    /// have one of these ids instead of a new one.
    pub fn with_same_id(
        &self,
        child: EntityId,
        needed: &Needed,
        has_rows: impl Fn(EntityId) -> bool,
    ) -> Option<EntityId> {
        let repeats = matches!(needed.format, Some(Format::OneOf(_)));
        if repeats || !needed.uses.in_primary || !needed.is_free_id() {
            return None;
        }
        let is_same = |n: &Needed| {
            n.name == needed.name && n.kind == needed.kind && n.uses.in_primary && n.is_free_id()
        };
        let mut others = self.needed.iter().filter(|(id, _)| **id != child);
        let found = others.find(|(id, other)| other.iter().any(is_same) && has_rows(**id));
        found.map(|(id, _)| *id)
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
        let places = SortedMap::from_iter(entities.iter().copied().zip(0..entities.len()));
        // By place: the places that it waits for, those that wait for it, and whether it is in the order.
        let waits_for: Vec<Vec<usize>> = (entities.iter())
            .map(|id| {
                let others = self.references(*id).filter(|(_, to)| to != id);
                others
                    .filter_map(|(_, to)| places.get(&to).copied())
                    .collect()
            })
            .collect();
        let mut waited_for: Vec<Vec<usize>> = vec![Vec::new(); entities.len()];
        for (at, others) in waits_for.iter().enumerate() {
            for other in others {
                waited_for[*other].push(at);
            }
        }
        let mut missing: Vec<usize> = waits_for.iter().map(Vec::len).collect();
        let none = (0..entities.len()).filter(|at| missing[*at] == 0);
        let mut ready: BinaryHeap<Reverse<usize>> = none.map(Reverse).collect();
        let mut ordered = vec![false; entities.len()];
        let mut order: Vec<EntityId> = Vec::with_capacity(entities.len());
        while order.len() < entities.len() {
            let next = match ready.pop() {
                Some(Reverse(next)) => next,
                None => {
                    let waits = |at: &usize, rows: bool| {
                        self.references(entities[*at]).any(|(needed, to)| {
                            needed.required
                                && to != entities[*at]
                                && places.get(&to).is_some_and(|to| !ordered[*to])
                                && !(rows && has_rows(to))
                        })
                    };
                    let mut left = (0..entities.len()).filter(|at| !ordered[*at]);
                    let next = (left.clone().find(|at| !waits(at, false)))
                        .or_else(|| left.find(|at| !waits(at, true)));
                    match next {
                        Some(next) => next,
                        None => {
                            let left = (0..entities.len()).filter(|at| !ordered[*at]);
                            let left: Vec<EntityId> = left.map(|at| entities[at]).collect();
                            return Err(self.cycle(design, &left));
                        }
                    }
                }
            };
            if std::mem::replace(&mut ordered[next], true) {
                continue;
            }
            order.push(entities[next]);
            for waiting in &waited_for[next] {
                missing[*waiting] -= 1;
                if missing[*waiting] == 0 {
                    ready.push(Reverse(*waiting));
                }
            }
        }
        Ok(order)
    }

    /// The entities that an entity refers to: rows can be generated per row of these entities. Attributes without a
    /// format count by their guess.
    pub fn parents(&self, id: EntityId) -> Vec<Parent> {
        let mut parents: Vec<Parent> = Vec::new();
        for (needed, to) in self.references(id) {
            if needed.kind == AttributeType::Null || to == id || !self.needed.contains_key(&to) {
                continue;
            }
            let is_certain = needed.uses.in_key || needed.said;
            match parents.iter_mut().find(|parent| parent.entity == to) {
                Some(parent) if parent.is_certain || !is_certain => {}
                Some(parent) => {
                    needed.name.clone_into(&mut parent.attribute);
                    parent.is_certain = true;
                }
                None => parents.push(Parent {
                    entity: to,
                    attribute: needed.name.clone(),
                    is_certain,
                }),
            }
        }
        parents
    }
}
