//! Changes of the workload: traffic of access patterns, volumes of entities, and prices.

use super::refused::{Refused, known};
use keyfold_core::model::{
    AccessPatternId, Design, EntityId, FigureError, Traffic, Volume, Workload,
};
use std::sync::Arc;

/// One change of the workload. `field` says what changes in the words of undo, such as `average rate`; edits of one
/// field in quick succession are one undo step.
#[derive(Debug, Clone, PartialEq)]
pub enum WorkloadEdit {
    /// Sets the traffic of an access pattern.
    Traffic {
        /// The access pattern.
        id: AccessPatternId,
        /// As it shall be; one without figures takes the entry away.
        traffic: Box<Traffic>,
        /// What changes.
        field: String,
    },
    /// Sets how much data an entity has.
    Volume {
        /// The entity.
        id: EntityId,
        /// As it shall be; one without figures takes the entry away.
        volume: Volume,
        /// What changes.
        field: &'static str,
    },
    /// Sets the Region, the prices, the backups and the exports. Traffic and volumes stay.
    Prices {
        /// As it shall be.
        workload: Box<Workload>,
        /// What changes.
        field: String,
    },
}

impl WorkloadEdit {
    /// What undo calls it.
    pub(super) fn label(&self) -> String {
        match self {
            WorkloadEdit::Traffic { field, .. } | WorkloadEdit::Prices { field, .. } => {
                format!("change {field}")
            }
            WorkloadEdit::Volume { field, .. } => format!("change {field}"),
        }
    }

    /// The field that it edits.
    pub(super) fn field(&self) -> String {
        match self {
            WorkloadEdit::Traffic { id, field, .. } => format!("{id} {field}"),
            WorkloadEdit::Volume { id, field, .. } => format!("{id} {field}"),
            WorkloadEdit::Prices { field, .. } => format!("prices {field}"),
        }
    }
}

/// Carries a change out.
pub(super) fn edit(design: &mut Design, edit: WorkloadEdit) -> Result<(), Refused> {
    let refused = |error: FigureError| Refused(error.message);
    match edit {
        WorkloadEdit::Traffic { id, traffic, .. } => {
            known(design.access_patterns.contains_key(&id), "access pattern")?;
            traffic.check().map_err(refused)?;
            let patterns = &mut Arc::make_mut(&mut design.workload).patterns;
            match traffic.is_empty() {
                true => patterns.remove(&id),
                false => patterns.insert(id, *traffic),
            };
        }
        WorkloadEdit::Volume { id, volume, .. } => {
            known(design.entities.contains_key(&id), "entity")?;
            volume.check().map_err(refused)?;
            let entities = &mut Arc::make_mut(&mut design.workload).entities;
            match volume.is_empty() {
                true => entities.remove(&id),
                false => entities.insert(id, volume),
            };
        }
        WorkloadEdit::Prices { workload, .. } => {
            workload.check_prices().map_err(refused)?;
            let before = &*design.workload;
            design.workload = Arc::new(Workload {
                patterns: before.patterns.clone(),
                entities: before.entities.clone(),
                ..*workload
            });
        }
    }
    Ok(())
}

/// The skew of a parameter of these access patterns under the parameter's new name.
pub(super) fn rename_parameter(
    design: &mut Design,
    patterns: &[AccessPatternId],
    old: &str,
    new: &str,
) {
    for id in patterns {
        let has_old = |traffic: &Traffic| traffic.parameters.contains_key(old);
        if !(design.workload.patterns.get(id)).is_some_and(has_old) {
            continue;
        }
        let traffic = Arc::make_mut(&mut design.workload).patterns.get_mut(id);
        if let Some(traffic) = traffic
            && let Some(skew) = traffic.parameters.remove(old)
        {
            traffic.parameters.entry(new.to_owned()).or_insert(skew);
        }
    }
}
