//! Leaves edits out until the merged design is valid and refers only to parts that it has.

use super::{Conflict, Merge, Reason, Side};
use crate::apply::apply_changes;
use crate::diff::{Change, ChangeKind};
use crate::part::{Part, has, part_json};
use keyfold_core::engine::key_sources::{KeySource, stored_source};
use keyfold_core::model::{
    AttributeId, Design, Entity, EntityId, Format, Projection, SampleId, entities_of,
    validate_invariants,
};
use keyfold_core::template;
use rustc_hash::{FxHashMap, FxHashSet};

/// What is wrong with a merged design.
enum Problem {
    /// A part refers to a part that is missing.
    Missing { from: Part, to: Part },
    /// A broken invariant: its parts, and its field if it is about one.
    Invalid {
        part: Part,
        field: Option<String>,
        message: String,
    },
}

impl Merge<'_> {
    /// The base with the edits of both sides that fit together.
    pub(super) fn repaired(&mut self) -> Design {
        let designs = [self.base, self.ours, self.theirs];
        let names = self.names();
        let dangling = |design: &Design| dangling(design, &names);
        let accepted: FxHashSet<(Part, Part)> = designs.into_iter().flat_map(dangling).collect();
        loop {
            self.leave_orphans_out();
            let problems = match self.assembled() {
                Err(problem) => vec![problem],
                Ok(design) => {
                    let missing = dangling(&design).into_iter();
                    let missing = missing.filter(|pair| !accepted.contains(pair));
                    let mut problems: Vec<Problem> = missing
                        .map(|(from, to)| Problem::Missing { from, to })
                        .collect();
                    if problems.is_empty() {
                        let violations = validate_invariants(&design).into_iter();
                        problems = violations
                            .map(|violation| {
                                let (part, field) = place(&violation.place);
                                let message = violation.message;
                                Problem::Invalid {
                                    part,
                                    field,
                                    message,
                                }
                            })
                            .collect();
                    }
                    if problems.is_empty() {
                        return design;
                    }
                    problems
                }
            };
            let mut is_better = false;
            let mut done: FxHashSet<Part> = FxHashSet::default();
            for problem in problems {
                is_better |= match problem {
                    // What one answer does to a part can be the end of its other problems.
                    Problem::Missing { from, to } if done.contains(&from) || done.contains(&to) => {
                        false
                    }
                    Problem::Missing { from, to } => {
                        let is_resolved = self.missing(&from, &to);
                        if is_resolved {
                            done.extend([from, to]);
                        }
                        is_resolved
                    }
                    Problem::Invalid {
                        part,
                        field,
                        message,
                    } => {
                        // One conflict at a time: it can be the cause of the others.
                        !is_better && self.invalid(&part, field.as_deref(), message)
                    }
                };
            }
            if !is_better {
                // No edit is left to leave out.
                return self.base.clone();
            }
        }
    }

    /// The attributes of all three designs by entity and name.
    fn names(&self) -> Names {
        let mut names = Names::default();
        for design in [self.theirs, self.ours, self.base] {
            for (id, entity) in &design.entities {
                for attribute in &entity.attributes {
                    names.insert((*id, attribute.name.clone()), attribute.id);
                }
            }
        }
        names
    }

    fn assembled(&self) -> Result<Design, Problem> {
        let [ours, theirs] = &self.edits;
        let ours = ours.remaining().map(|at| ours.get(at));
        let theirs = theirs.remaining().map(|at| theirs.get(at));
        let mut changes: Vec<&Change> = ours
            .chain(theirs)
            .filter(|change| !change.is_order())
            .collect();
        changes.sort_by(|a, b| a.part.cmp(&b.part));
        let design = apply_changes(self.base, changes.into_iter());
        let mut design = design.map_err(|unfit| Problem::Invalid {
            part: unfit.part,
            field: None,
            message: unfit.message,
        })?;
        let designs = [self.base, self.ours, self.theirs].into_iter();
        design.next_id = designs.map(|design| design.next_id).fold(0, u32::max);
        Ok(design)
    }

    /// Leaves out what is inside parts that the merged design lacks: positions of deleted cards, attributes of a new
    /// entity that was left out.
    fn leave_orphans_out(&mut self) {
        for side in [Side::Ours, Side::Theirs] {
            let kept: Vec<usize> = self.side(side).remaining().collect();
            for at in kept {
                let change = self.side(side).get(at);
                if change.kind() == ChangeKind::Removed {
                    continue;
                }
                let owners = change.part.owners();
                // A silenced finding of a part that the side lacks itself stays too.
                let is_lost =
                    |owner: &Part| has(self.design(side), owner) && !self.will_have(owner);
                if owners.iter().any(is_lost) {
                    self.side(side).drop_change(at);
                }
            }
        }
    }

    /// Whether the merged design has a part.
    fn will_have(&self, part: &Part) -> bool {
        let is_new = |kind| (self.edits.iter()).any(|edits| edits.whole(part, kind).is_some());
        (has(self.base, part) || is_new(ChangeKind::Added)) && !is_new(ChangeKind::Removed)
    }

    /// Resolves a reference to a missing part. Returns whether something was left out.
    fn missing(&mut self, from: &Part, to: &Part) -> bool {
        let id = self.name_in(from, to);
        let to = &self.with_owner(to);
        let sides = [Side::Ours, Side::Theirs];
        let deleted = sides.into_iter().find(|side| self.side(*side).removes(to));
        let Some(deleted) = deleted else {
            // Its addition was left out.
            return sides
                .into_iter()
                .any(|side| self.leave_uses_out(side, from, &id));
        };
        let user = deleted.other();
        if self.side(user).removes(to) || self.side(user).of(from).is_empty() {
            self.restore(Side::Ours, to);
            self.restore(Side::Theirs, to);
            return true;
        }
        let mut values = [part_json(self.base, to), None, None];
        values[1 + user as usize] = part_json(self.design(user), to);
        let by = from.clone();
        let reason = Reason::Used { deleted, by };
        match self.ask(Conflict::new(to.clone(), Vec::new(), reason, values)) == deleted {
            true => self.leave_uses_out(user, from, &id),
            false => {
                self.restore(deleted, to);
                true
            }
        }
    }

    /// How the edits of one part name another; empty if all of them may be about it.
    fn name_in(&self, from: &Part, to: &Part) -> String {
        match (from, to) {
            // The table and an index name attributes, and have edits of much else.
            (Part::Table | Part::Index(_), Part::Attribute(entity, id)) => {
                let designs = [self.base, self.ours, self.theirs].into_iter();
                let mut entities = designs.filter_map(|design| design.entities.get(entity));
                let name = entities.find_map(|entity| Some(&entity.attribute_by_id(*id)?.name));
                name.cloned().unwrap_or_default()
            }
            _ => id_of(to),
        }
    }

    /// A sample with the entity that has or had it.
    fn with_owner(&self, part: &Part) -> Part {
        let Part::Sample(_, sample) = part else {
            return part.clone();
        };
        let designs = [self.base, self.ours, self.theirs].into_iter();
        let mut lists = designs.flat_map(|design| &design.samples);
        let owner = lists.find(|(_, list)| list.iter().any(|other| other.id == *sample));
        owner.map_or(part.clone(), |(entity, _)| Part::Sample(*entity, *sample))
    }

    /// Leaves out the edits of a part that name an id, or an attribute; all of them if none does.
    fn leave_uses_out(&mut self, side: Side, part: &Part, id: &str) -> bool {
        let edits = self.side(side);
        let all = edits.of(part);
        let names = |at: &usize| {
            // Other parts name an attribute by its name.
            if id.is_empty() {
                return true;
            }
            let after = edits.get(*at).after.as_ref();
            after.is_some_and(|after| after.to_string().contains(&format!("\"{id}\"")))
        };
        let mut uses: Vec<usize> = all.iter().copied().filter(names).collect();
        if uses.is_empty() {
            uses = all;
        }
        let is_any = !uses.is_empty();
        uses.into_iter().for_each(|at| edits.leave_out(at));
        is_any
    }

    /// Resolves a broken invariant. Returns whether something was left out.
    fn invalid(&mut self, part: &Part, field: Option<&str>, message: String) -> bool {
        let path: Vec<String> = field.map(str::to_owned).into_iter().collect();
        let value = |design: &Design| {
            let value = part_json(design, part)?;
            match field {
                Some(field) => value.get(field).cloned(),
                None => Some(value),
            }
        };
        let values = [value(self.base), value(self.ours), value(self.theirs)];
        let reason = Reason::Invalid(message.clone());
        let taken = self.ask(Conflict::new(part.clone(), path, reason, values));
        // The edits that are nearest to the place first; in the end all, first of the side that loses.
        for side in [taken.other(), taken] {
            for reach in [
                RepairScope::Field,
                RepairScope::Near,
                RepairScope::Keys,
                RepairScope::All,
            ] {
                let edits = self.side(side);
                let near = |at: &usize| reach.includes(part, field, edits.get(*at));
                let found: Vec<usize> = edits.remaining().filter(near).collect();
                if !found.is_empty() {
                    found
                        .into_iter()
                        .for_each(|at| self.give_up(side, at, part, &message));
                    return true;
                }
            }
        }
        false
    }

    /// Leaves an edit out for a broken invariant, and reports it if it is of another part.
    fn give_up(&mut self, side: Side, at: usize, part: &Part, message: &str) {
        let edits = self.side(side);
        let change = edits.get(at).clone();
        edits.leave_out(at);
        let place = (change.part.clone(), change.path.clone());
        if change.part == *part || change.part.is_minor() || !self.asked.insert(place) {
            return;
        }
        let mut values = [change.before.clone(), change.before.clone(), change.before];
        values[1 + side as usize] = change.after;
        let reason = Reason::Invalid(message.to_owned());
        let mut conflict = Conflict::new(change.part, change.path, reason, values);
        conflict.taken = side.other();
        self.conflicts.push(conflict);
    }
}

/// How far from the place of a broken invariant an edit is.
#[derive(Clone, Copy, PartialEq)]
enum RepairScope {
    /// The same field.
    Field,
    /// The same part or its owner, another part that can have the same name, the key that others depend on.
    Near,
    /// The keys of the table, the indexes and the entities, and parts of the same kind.
    Keys,
    /// Any.
    All,
}

impl RepairScope {
    fn includes(self, part: &Part, field: Option<&str>, change: &Change) -> bool {
        if change.is_order() {
            return false;
        }
        let first = change.path.first().map(String::as_str);
        let is = |name: &str| first.is_none_or(|first| first == name);
        let is_same_kind = std::mem::discriminant(part) == std::mem::discriminant(&change.part);
        let has_key = |part: &Part| matches!(part, Part::Table | Part::Index(_));
        let is_key = has_key(&change.part) || matches!(change.part, Part::Entry(..));
        match self {
            RepairScope::Field => change.part == *part && field.is_none_or(is),
            RepairScope::Near => {
                let is_name = field == Some("name") && is_same_kind && is("name");
                let depends = has_key(part) || matches!(part, Part::Entry(..));
                change.part == *part
                    || part.owners().contains(&change.part)
                    || is_name && change.kind() != ChangeKind::Removed
                    || depends && has_key(&change.part) && is("key")
            }
            RepairScope::Keys => is_same_kind || is_key,
            RepairScope::All => true,
        }
    }
}

/// The part and the field of a place of a violation.
fn place(place: &str) -> (Part, Option<String>) {
    let words: Vec<&str> = place.split('/').collect();
    let part = match words[..] {
        ["entities", entity, "attributes", attribute, ..] => {
            let id = entity.parse().and_then(|id| Ok((id, attribute.parse()?)));
            (id.map(|(entity, id)| Part::Attribute(entity, id)), 4)
        }
        ["entities", entity, "keys", index, ..] => {
            let id = entity.parse().and_then(|id| Ok((id, index.parse()?)));
            (id.map(|(entity, id)| Part::Entry(entity, id)), 4)
        }
        ["entities", entity, ..] => (entity.parse().map(Part::Entity), 2),
        ["indexes", index, ..] => (index.parse().map(Part::Index), 2),
        ["accessPatterns", pattern, ..] => (pattern.parse().map(Part::AccessPattern), 2),
        ["samples", entity, sample, ..] => {
            let id = entity.parse().and_then(|id| Ok((id, sample.parse()?)));
            (id.map(|(entity, id)| Part::Sample(entity, id)), 3)
        }
        ["notes", note, ..] => (note.parse().map(Part::Note), 2),
        ["layout", card, ..] => (card.parse().map(Part::Position), 2),
        ["workload", "patterns", id, ..] => (id.parse().map(Part::Traffic), 3),
        ["workload", "entities", id, ..] => (id.parse().map(Part::Volume), 3),
        ["workload", ..] => (Ok(Part::Prices), 1),
        ["table", ..] => (Ok(Part::Table), 1),
        ["exportOptions", ..] => (Ok(Part::ExportOptions), 1),
        _ => (Ok(Part::Design), 0),
    };
    let field = words.get(part.1).map(|field| (*field).to_owned());
    (part.0.unwrap_or(Part::Design), field)
}

/// The id of a part as other parts name it.
fn id_of(part: &Part) -> String {
    match part {
        Part::Index(id) => id.to_string(),
        Part::Entity(id) => id.to_string(),
        Part::Sample(_, id) => id.to_string(),
        _ => String::new(),
    }
}

/// The attributes that an entity has in one of the designs, by name.
type Names = FxHashMap<(EntityId, String), AttributeId>;

/// References from parts to parts that a design lacks. Of attributes those in `names`.
fn dangling(design: &Design, names: &Names) -> Vec<(Part, Part)> {
    let mut found = Vec::new();
    let is_missing = |id: &EntityId| !design.entities.contains_key(id);
    for (id, entity) in &design.entities {
        for (index, entry) in &entity.keys {
            if design.key(*index).is_none() {
                found.push((Part::Entry(*id, *index), Part::Index(*index)));
            }
            let templates = entry.partition.iter().chain(&entry.sort);
            let mut used: Vec<String> = (templates)
                .flat_map(|text| {
                    let template = template::parse(text).template;
                    template.attributes().map(str::to_owned).collect::<Vec<_>>()
                })
                .collect();
            used.extend(
                entry
                    .when
                    .iter()
                    .map(|condition| condition.attribute.clone()),
            );
            used.retain(|name| entity.attribute(name).is_none());
            let missing = used.into_iter().filter_map(|name| names.get(&(*id, name)));
            // One that is there has another name now: no part is missing.
            let missing = missing.filter(|id| {
                let mut attributes = entity.attributes.iter();
                attributes.all(|attribute| attribute.id != **id)
            });
            found.extend(
                missing
                    .map(|attribute| (Part::Entry(*id, *index), Part::Attribute(*id, *attribute))),
            );
        }
        for attribute in &entity.attributes {
            if let Some(Format::Reference { entity, .. }) = &attribute.format
                && is_missing(entity)
            {
                found.push((Part::Attribute(*id, attribute.id), Part::Entity(*entity)));
            }
        }
    }
    found.extend(named_outside_templates(design, names));
    let samples = design.samples.values().flat_map(|samples| samples.iter());
    let samples: FxHashSet<SampleId> = match design.access_patterns.is_empty() {
        true => FxHashSet::default(),
        false => samples.map(|sample| sample.id).collect(),
    };
    for (id, pattern) in &design.access_patterns {
        let from = || Part::AccessPattern(*id);
        let entities = entities_of(pattern).filter(is_missing);
        found.extend(entities.map(|entity| (from(), Part::Entity(entity))));
        if let Some(index) = pattern.operation.index()
            && design.key(index).is_none()
        {
            found.push((from(), Part::Index(index)));
        }
        if let Some(sample) = pattern.sample
            && !samples.contains(&sample)
        {
            found.push((from(), Part::Sample(EntityId(0), sample)));
        }
    }
    found
}

/// Uses of attributes that a design lacks as natural keys, in projections and for TTL. Other entities than those of an edit
/// can have an attribute of the same name: a projection and TTL lack it if none has it, a key lacks it for each entity that
/// would be in the index with it.
fn named_outside_templates(design: &Design, names: &Names) -> Vec<(Part, Part)> {
    let lost = |id: &EntityId, entity: &Entity, name: &str| {
        let attribute = *names.get(&(*id, name.to_owned()))?;
        // One that is there has another name now.
        let is_gone =
            entity.attribute(name).is_none() && entity.attribute_by_id(attribute).is_none();
        is_gone.then_some(Part::Attribute(*id, attribute))
    };
    let mut found = Vec::new();
    for index in design.index_ids() {
        let Some(key) = design.key(index) else {
            continue;
        };
        let from = match index.is_primary() {
            true => Part::Table,
            false => Part::Index(index),
        };
        for (id, entity) in &design.entities {
            let lacks =
                |name: &&str| matches!(stored_source(design, entity, name), KeySource::Nothing);
            let lacking: Vec<&str> = (key.attributes().map(|key| key.name.as_str()))
                .filter(lacks)
                .collect();
            let missing: Option<Vec<Part>> =
                lacking.iter().map(|name| lost(id, entity, name)).collect();
            for attribute in missing.into_iter().flatten() {
                found.push((from.clone(), attribute.clone()));
                if entity.keys.contains_key(&index) {
                    found.push((Part::Entry(*id, index), attribute));
                }
            }
        }
    }
    let mut uses: Vec<(Part, &String)> = Vec::new();
    uses.extend(
        design
            .table
            .ttl_attribute
            .iter()
            .map(|name| (Part::Table, name)),
    );
    for (id, index) in &design.indexes {
        if let Projection::Include(names) = &index.projection {
            uses.extend(names.iter().map(|name| (Part::Index(*id), name)));
        }
    }
    for (from, name) in uses {
        let mut entities = design.entities.iter();
        if entities
            .clone()
            .all(|(_, entity)| entity.attribute(name).is_none())
        {
            let missing = entities.find_map(|(id, entity)| lost(id, entity, name));
            found.extend(missing.map(|attribute| (from, attribute)));
        }
    }
    found
}
