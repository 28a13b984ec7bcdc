//! The edit of a design as text.

use super::Command;
use super::refused::Refused;
use crate::design_text::DesignText;
use crate::placement;
use keyfold_core::model::{Design, SortedMap, validate_invariants};
use std::sync::Arc;

impl Command {
    /// The text that comes with the command.
    pub(crate) fn text(&self) -> Option<DesignText> {
        match self {
            Command::EditText(text)
            | Command::Replace {
                text: Some(text), ..
            } => Some(DesignText::clone(text)),
            _ => None,
        }
    }
}

/// Replaces the design. Equal parts stay the same ones, and new cards get a place.
pub fn replace(design: &mut Design, said: Design) -> Result<(), Refused> {
    if let Some(violation) = validate_invariants(&said).first() {
        return Err(Refused(violation.to_string()));
    }
    let mut next = said;
    keep(&design.delimiter, &mut next.delimiter);
    keep(&design.table, &mut next.table);
    keep(&design.silenced, &mut next.silenced);
    keep(&design.workload, &mut next.workload);
    keep(&design.export_options, &mut next.export_options);
    keep(&design.layout, &mut next.layout);
    keep_all(&design.indexes, &mut next.indexes);
    keep_all(&design.entities, &mut next.entities);
    keep_all(&design.access_patterns, &mut next.access_patterns);
    keep_all(&design.notes, &mut next.notes);
    for (id, samples) in next.samples.iter_mut() {
        let Some(before) = design.samples.get(id) else {
            continue;
        };
        keep(before, samples);
        if !Arc::ptr_eq(before, samples) {
            for (at, sample) in Arc::make_mut(samples).iter_mut().enumerate() {
                let same_place = before.get(at).filter(|old| old.id == sample.id);
                let old = same_place.or_else(|| before.iter().find(|old| old.id == sample.id));
                if let Some(old) = old {
                    keep(old, sample);
                }
            }
        }
    }
    placement::place_beside(&mut next);
    next.next_id = next.next_id.max(design.next_id);
    *design = next;
    Ok(())
}

fn keep<T: PartialEq>(before: &Arc<T>, now: &mut Arc<T>) {
    if before == now {
        *now = before.clone();
    }
}

fn keep_all<I: Ord, T: PartialEq>(before: &SortedMap<I, Arc<T>>, now: &mut SortedMap<I, Arc<T>>) {
    for (id, part) in now.iter_mut() {
        if let Some(before) = before.get(id) {
            keep(before, part);
        }
    }
}
