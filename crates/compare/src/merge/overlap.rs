//! What both sides edited.

use super::{Conflict, Merge, Reason, Side};
use crate::apply::patched;
use crate::diff::{Change, ChangeKind, differences};
use crate::merge::edits::Edits;
use crate::part::{Part, part_json};
use keyfold_core::model::{SortedMap, SortedSet};
use rustc_hash::FxHashMap;
use serde_json::Value as Json;

impl Merge<'_> {
    /// Finds parts that one side deleted and the other changed.
    pub(super) fn deletions(&mut self) {
        for deleted in [Side::Ours, Side::Theirs] {
            let edits = self.side(deleted);
            let removals: Vec<usize> = edits.remaining().collect();
            for at in removals {
                let change = self.side(deleted).get(at).clone();
                if change.kind() == ChangeKind::Removed && self.side(deleted).removes(&change.part)
                {
                    self.deletion(deleted, &change);
                }
            }
        }
    }

    fn deletion(&mut self, deleted: Side, change: &Change) {
        let part = &change.part;
        let other = self.side(deleted.other());
        if other.removes(part) {
            return;
        }
        let mut all = other.of(part);
        all.extend(other.inside(part));
        let matters = |at: &usize| {
            let edit = other.get(*at);
            !edit.part.is_minor() && !edit.is_order() && edit.kind() != ChangeKind::Removed
        };
        let is_edited = all.iter().any(matters);
        if part.is_minor() || !is_edited {
            return;
        }
        let mut values = [change.before.clone(), None, None];
        values[1 + deleted.other() as usize] = part_json(self.design(deleted.other()), part);
        let reason = Reason::Deleted(deleted);
        let conflict = Conflict::new(part.clone(), Vec::new(), reason, values);
        match self.ask(conflict) == deleted {
            true => {
                let other = self.side(deleted.other());
                all.into_iter().for_each(|at| other.leave_out(at));
            }
            false => self.restore(deleted, part),
        }
    }

    /// Leaves the deletion of a part out.
    pub(super) fn restore(&mut self, deleted: Side, part: &Part) {
        let edits = self.side(deleted);
        if let Some(at) = edits.whole(part, ChangeKind::Removed) {
            edits.leave_out(at);
        }
    }

    /// Finds fields that both sides changed.
    pub(super) fn overlaps(&mut self) {
        let [ours, theirs] = &self.edits;
        let mut parts: Vec<Part> = ours
            .remaining()
            .map(|at| ours.get(at).part.clone())
            .collect();
        parts.dedup();
        parts.retain(|part| !theirs.of(part).is_empty());
        for part in parts {
            match self.new_on_both_sides(&part) {
                Some((our, their)) => self.combine(our, their),
                None => self.fields(&part),
            }
        }
    }

    fn new_on_both_sides(&mut self, part: &Part) -> Option<(usize, usize)> {
        let [ours, theirs] = &self.edits;
        let kind = ChangeKind::Added;
        Some((ours.whole(part, kind)?, theirs.whole(part, kind)?))
    }

    /// Makes one part of a part that both sides added.
    fn combine(&mut self, our: usize, their: usize) {
        let [ours, theirs] = &self.edits;
        let (part, our_value) = (ours.get(our).part.clone(), ours.get(our).after.clone());
        let their_value = theirs.get(their).after.clone();
        let mut found = Vec::new();
        differences(
            Vec::new(),
            our_value.clone(),
            their_value,
            &mut |path, own, other| {
                found.push((path, own, other));
            },
        );
        let mut value = our_value;
        for (path, own, other) in found {
            let take = match (&own, &other) {
                (None, _) if adds_to(&part, &path) => true,
                (_, None) if adds_to(&part, &path) => false,
                _ => {
                    let values = [None, own.clone(), other.clone()];
                    let reason = Reason::BothChanged;
                    let conflict = Conflict::new(part.clone(), path.clone(), reason, values);
                    self.ask(conflict) == Side::Theirs
                }
            };
            if take {
                let change = Change {
                    part: part.clone(),
                    path,
                    before: own,
                    after: other,
                };
                value = patched(value, &[&change]);
            }
        }
        if let Some(value) = value {
            self.side(Side::Ours).set_after(our, value);
        }
        self.side(Side::Theirs).drop_change(their);
    }

    /// Finds the fields of a part that both sides changed.
    fn fields(&mut self, part: &Part) {
        let [ours, theirs] = &self.edits;
        let by_path = |edits: &'_ Edits| -> FxHashMap<Vec<String>, usize> {
            let all = edits.of(part).into_iter();
            all.map(|at| (edits.get(at).path.clone(), at)).collect()
        };
        let (ours, theirs) = (by_path(ours), by_path(theirs));
        // The fields that contain all that both changed of them, each with the edits of both sides.
        let mut met: SortedMap<Vec<String>, (SortedSet<usize>, SortedSet<usize>)> =
            SortedMap::new();
        let mut meet = |path: &[String], our: usize, their: usize| {
            let (ours, theirs) = met.entry(path.to_vec()).or_default();
            ours.insert(our);
            theirs.insert(their);
        };
        for (path, our) in &ours {
            for length in 0..=path.len() {
                if let Some(their) = theirs.get(&path[..length]) {
                    meet(&path[..length], *our, *their);
                }
            }
        }
        for (path, their) in &theirs {
            for length in 0..path.len() {
                if let Some(our) = ours.get(&path[..length]) {
                    meet(&path[..length], *our, *their);
                }
            }
        }
        for (path, (ours, theirs)) in met {
            let (ours, theirs) = (Vec::from_iter(ours), Vec::from_iter(theirs));
            self.field(part, path, &ours, &theirs);
        }
    }

    fn field(&mut self, part: &Part, path: Vec<String>, ours: &[usize], theirs: &[usize]) {
        let own = ours.iter().map(|at| self.edits[0].get(*at));
        let other = theirs.iter().map(|at| self.edits[1].get(*at));
        let (own, other): (Vec<&Change>, Vec<&Change>) = (own.collect(), other.collect());
        if own[0].is_order() {
            return;
        }
        let whole = own.iter().chain(&other).find(|change| change.path == path);
        let base = whole.and_then(|change| change.before.clone());
        let value = |changes: &[&Change]| -> Option<Json> {
            let inner: Vec<Change> = (changes.iter())
                .map(|change| Change {
                    path: change.path[path.len()..].to_vec(),
                    ..(*change).clone()
                })
                .collect();
            patched(base.clone(), &inner.iter().collect::<Vec<_>>())
        };
        let (our_value, their_value) = (value(&own), value(&other));
        let taken = match our_value == their_value {
            true => Side::Ours,
            false => {
                let values = [base, our_value, their_value];
                let reason = Reason::BothChanged;
                self.ask(Conflict::new(part.clone(), path, reason, values))
            }
        };
        let (lost, side) = match taken {
            Side::Ours => (theirs, Side::Theirs),
            Side::Theirs => (ours, Side::Ours),
        };
        for at in lost {
            self.side(side).drop_change(*at);
        }
    }
}

/// Whether a field that only one of two new parts has adds to the other part. Otherwise its absence says something too: an
/// attribute without a type is a String.
fn adds_to(part: &Part, path: &[String]) -> bool {
    const OPTIONAL: [&str; 5] = ["description", "format", "hue", "rate", "sample"];
    let is_workload = matches!(part, Part::Traffic(_) | Part::Volume(_) | Part::Prices);
    is_workload
        || match path {
            [field] => OPTIONAL.contains(&&**field),
            // An entry of a map of the author's names.
            [map, _] => map != "operation",
            _ => false,
        }
}
