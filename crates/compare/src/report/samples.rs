//! The changes of samples in words.

use super::lines::changed;
use super::{Line, Report};
use crate::diff::{Change, ChangeKind};
use crate::part::{Part, has};
use crate::words::Piece;
use keyfold_core::counted::counted;
use rustc_hash::FxHashMap;

/// Maximum number of lines about the samples of one entity.
const SAMPLE_LINES: usize = 10;

/// The lines of samples: how many of each entity, and the values of the first ones that changed.
pub fn lines(report: &Report, changes: &[&Change]) -> Vec<Line> {
    let mut lines = Vec::new();
    let mut start = 0;
    while start < changes.len() {
        let Part::Sample(entity, _) = changes[start].part else {
            break;
        };
        let is_same = |change: &&Change| matches!(change.part, Part::Sample(id, _) if id == entity);
        let count = changes[start..]
            .iter()
            .take_while(|change| is_same(change))
            .count();
        let own = &changes[start..start + count];
        start += count;
        let owner = Part::Entity(entity);
        if !(has(&report.old, &owner) && has(&report.new, &owner)) {
            continue;
        }
        let name = report
            .new
            .entities
            .get(&entity)
            .map_or("", |entity| &entity.name);
        let mut add = |kind, text: String| {
            let pieces = vec![Piece::Words(format!("{name}: {text}"))];
            let part = Some(owner.clone());
            let kind = Some(kind);
            lines.push(Line { kind, part, pieces });
        };
        for kind in [ChangeKind::Added, ChangeKind::Removed] {
            let count = own.iter().filter(|change| change.kind() == kind).count();
            if count > 0 {
                add(
                    kind,
                    format!("{} {}", counted(count, "sample", "samples"), kind.label()),
                );
            }
        }
        let edited: Vec<&&Change> = (own.iter())
            .filter(|change| change.kind() == ChangeKind::Changed)
            .collect();
        let places: FxHashMap<_, usize> = (report.new.samples_of(entity).iter())
            .map(|sample| sample.id)
            .zip(1..)
            .collect();
        for change in edited.iter().take(SAMPLE_LINES) {
            let Part::Sample(_, id) = change.part else {
                continue;
            };
            let number = places.get(&id).copied().unwrap_or_default();
            let mut pieces = vec![Piece::Words(format!("{name}, sample {number}"))];
            pieces.extend(changed(report, change));
            lines.push(Line {
                kind: Some(ChangeKind::Changed),
                part: Some(change.part.clone()),
                pieces,
            });
        }
        let more = edited.len().saturating_sub(SAMPLE_LINES);
        if more > 0 {
            let text = format!(
                "{name}: {} changed",
                counted(more, "more value", "more values")
            );
            lines.push(Line {
                kind: Some(ChangeKind::Changed),
                part: Some(owner),
                pieces: vec![Piece::Words(text)],
            });
        }
    }
    lines
}
