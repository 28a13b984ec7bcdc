//! Changes of the access patterns. Their order is that of their ids, in every list, file and export: moving one
//! gives its content the next id, and all references to it follow.

use super::refused::{Refused, known};
use crate::suggest::free_name;
use keyfold_core::model::{
    AccessPattern, AccessPatternId, Design, EntityId, SampleId, SortedMap, entities_of, name,
};
use std::sync::Arc;

/// One change of the access patterns. Templates and expressions are kept as typed.
#[derive(Debug, Clone, PartialEq)]
pub enum PatternEdit {
    /// Adds one at the end.
    Add(Box<AccessPattern>),
    /// Adds several at the end.
    AddAll(Vec<AccessPattern>),
    /// Sets one; `field` names what changes.
    Update {
        /// The access pattern.
        id: AccessPatternId,
        /// As it shall be.
        pattern: Box<AccessPattern>,
        /// What changes, such as `name` or `sort key`. Edits of one field in quick succession are one undo step.
        field: String,
    },
    /// Adds a copy right behind the original, with a name that is free.
    Duplicate(AccessPatternId),
    /// Takes one away.
    Delete(AccessPatternId),
    /// Moves one to this position among the others, counted from 0; one past the end is the end.
    Move(AccessPatternId, usize),
}

impl PatternEdit {
    /// What undo calls it.
    pub(super) fn label(&self) -> String {
        match self {
            PatternEdit::Add(_) => "add access pattern".into(),
            PatternEdit::AddAll(_) => "add access patterns".into(),
            PatternEdit::Update { field, .. } if field == "name" => "rename access pattern".into(),
            PatternEdit::Update { field, .. } => format!("change access pattern {field}"),
            PatternEdit::Duplicate(_) => "duplicate access pattern".into(),
            PatternEdit::Delete(_) => "delete access pattern".into(),
            PatternEdit::Move(..) => "move access pattern".into(),
        }
    }

    /// The field that it edits, if it does.
    pub(super) fn field(&self) -> Option<String> {
        match self {
            PatternEdit::Update { id, field, .. } => Some(format!("{id} {field}")),
            _ => None,
        }
    }
}

/// Carries a change out.
pub(super) fn edit(design: &mut Design, edit: PatternEdit) -> Result<(), Refused> {
    match edit {
        PatternEdit::Add(pattern) => add(design, Arc::from(pattern))?,
        PatternEdit::AddAll(patterns) => {
            for pattern in patterns {
                add(design, Arc::new(pattern))?;
            }
        }
        PatternEdit::Update { id, pattern, .. } => {
            there(design, id)?;
            check(design, Some(id), &pattern)?;
            design.access_patterns.insert(id, Arc::from(pattern));
        }
        PatternEdit::Duplicate(id) => {
            let mut copy = AccessPattern::clone(there(design, id)?);
            copy.name = free_name(&copy.name, |name| named(design, name).is_some());
            let new = AccessPatternId(design.take_id());
            design.access_patterns.insert(new, Arc::new(copy));
            if let Some(traffic) = design.workload.patterns.get(&id).cloned() {
                let patterns = &mut Arc::make_mut(&mut design.workload).patterns;
                patterns.insert(new, traffic);
            }
            let behind = design.access_patterns.range(..=id).count();
            shift(design, new, behind);
        }
        PatternEdit::Delete(id) => {
            there(design, id)?;
            design.access_patterns.remove(&id);
            design.trim_workload();
        }
        PatternEdit::Move(id, to) => {
            there(design, id)?;
            shift(design, id, to);
        }
    }
    Ok(())
}

fn add(design: &mut Design, pattern: Arc<AccessPattern>) -> Result<(), Refused> {
    check(design, None, &pattern)?;
    let id = AccessPatternId(design.take_id());
    design.access_patterns.insert(id, pattern);
    Ok(())
}

fn there(design: &Design, id: AccessPatternId) -> Result<&Arc<AccessPattern>, Refused> {
    (design.access_patterns.get(&id))
        .ok_or_else(|| Refused("this access pattern no longer exists".into()))
}

fn named(design: &Design, name: &str) -> Option<AccessPatternId> {
    let mut all = design.access_patterns.iter();
    all.find(|(_, pattern)| pattern.name == name)
        .map(|(id, _)| *id)
}

fn check(
    design: &Design,
    own: Option<AccessPatternId>,
    pattern: &AccessPattern,
) -> Result<(), Refused> {
    name::check_label(&pattern.name)?;
    if named(design, &pattern.name).is_some_and(|other| Some(other) != own) {
        return Err(Refused(name::taken("access pattern", &pattern.name)));
    }
    let has_entity = |id: EntityId| design.entities.contains_key(&id);
    known(entities_of(pattern).all(has_entity), "entity")?;
    let index = pattern.operation.index();
    known(index.is_none_or(|id| design.key(id).is_some()), "index")?;
    let has_sample = |id: SampleId| {
        let mut all = design.samples.values().flat_map(|samples| samples.iter());
        all.any(|sample| sample.id == id)
    };
    known(pattern.sample.is_none_or(has_sample), "sample")?;
    if (pattern.rate).is_some_and(|rate| !rate.is_finite() || rate < 0.0) {
        return Err(Refused(
            "enter a rate of 0 or more requests per second".into(),
        ));
    }
    Ok(())
}

/// Puts an access pattern at a position: those between there and where it was hand their contents on.
fn shift(design: &mut Design, id: AccessPatternId, to: usize) {
    let ids: Vec<AccessPatternId> = design.access_patterns.keys().copied().collect();
    let Some(from) = ids.iter().position(|other| *other == id) else {
        return;
    };
    let to = to.min(ids.len() - 1);
    let mut order = ids.clone();
    order.remove(from);
    order.insert(to, id);
    if order == ids {
        return;
    }
    let before = std::mem::take(&mut design.access_patterns);
    for (slot, source) in ids.iter().zip(&order) {
        (design.access_patterns).insert(*slot, before[source].clone());
    }
    if !design.workload.patterns.is_empty() {
        let patterns = &mut Arc::make_mut(&mut design.workload).patterns;
        let before = std::mem::take(patterns);
        for (slot, source) in ids.iter().zip(&order) {
            if let Some(traffic) = before.get(source) {
                patterns.insert(*slot, traffic.clone());
            }
        }
    }
    let mut moved = SortedMap::new();
    for (slot, source) in ids.iter().zip(&order) {
        if slot != source {
            moved.insert(source.to_string(), slot.to_string());
        }
    }
    silence_along(design, &moved);
}

/// Findings that were accepted about a moved access pattern are about its new id.
fn silence_along(design: &mut Design, moved: &SortedMap<String, String>) {
    let renamed = |part: &str| moved.get(part).cloned();
    let is_about = |place: &str| place.split('/').any(|part| moved.contains_key(part));
    if !(design.silenced.iter()).any(|finding| is_about(&finding.place)) {
        return;
    }
    for finding in Arc::make_mut(&mut design.silenced) {
        let parts = (finding.place.split('/')).map(|part| renamed(part).unwrap_or(part.to_owned()));
        let parts: Vec<String> = parts.collect();
        finding.place = parts.join("/");
    }
}
