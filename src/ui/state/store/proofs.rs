//! The proofs of the access patterns, made in slices while a view shows them: first the proof of the selected pattern,
//! then the verdicts of the others. If a view shows only the number of verdicts, the work starts after a pause in
//! editing. A proof stays valid until its pattern, the keys or the samples change. An edit of the design only
//! increments a counter here.

use super::Store;
use super::marked_rows::{Marks, marks};
use crate::ui::reactive::by_ptr::ByPtr;
use crate::ui::reactive::erased::{RwSignal, effect};
use crate::ui::reactive::follow_ids::{follow_signal, follow_value};
use crate::ui::reactive::on_demand::on_demand;
use crate::ui::reactive::sliced_task::{Progress, Slice, SlicedTask, When};
use keyfold_app::Diff;
use keyfold_compare::NewIds;
use keyfold_core::engine::Items;
use keyfold_core::engine::query::{TableBuilder, TableSnapshot};
use keyfold_core::export::requests::Language;
use keyfold_core::model::{AccessPattern, AccessPatternId, EntityId, SampleId, SortedMap};
use keyfold_core::proof::{self, Coverage, Proof, Verdict};
use leptos::prelude::*;
use std::sync::Arc;
use std::time::Duration;

/// Pause after the last edit before the verdicts are computed, if only their number is visible, in milliseconds.
const PAUSE: u64 = 400;

/// A proof, with what it depends on.
#[derive(Clone)]
struct KnownProof {
    /// The proven pattern.
    pattern: Arc<AccessPattern>,
    /// The value of [`Proofs::basis`] at that time.
    basis: u64,
    /// The proof.
    proof: Arc<Proof>,
}

on_demand!(tools, prover: fn(Store, &Slice) -> bool = Store::prove_slice);

/// The proofs. A handle: copying it costs nothing.
#[derive(Clone, Copy)]
pub struct Proofs {
    /// The selected access pattern.
    pub selected: RwSignal<Option<AccessPatternId>>,
    /// Its proof; `None` until it is made.
    pub proof: RwSignal<Option<(AccessPatternId, ByPtr<Proof>)>>,
    /// The rows that it reads.
    pub marks: RwSignal<Option<ByPtr<Marks>>>,
    /// Whether these rows are marked in the live table.
    pub marking: RwSignal<bool>,
    /// The coverage matrix, while a view shows it.
    pub coverage: RwSignal<Option<Coverage>>,
    /// The language that requests are shown in.
    pub language: RwSignal<Language>,
    /// Whether the suggested first access patterns stay visible after one of them was added.
    pub offering: RwSignal<bool>,
    /// Whether a small screen shows the selected access pattern instead of the list.
    pub detail: RwSignal<bool>,
    /// The entity that was guessed for a new access pattern, until the user chooses one.
    pub guess: StoredValue<Option<(AccessPatternId, EntityId)>>,
    /// The known verdicts.
    verdicts: RwSignal<SortedMap<AccessPatternId, Verdict>>,
    known: StoredValue<SortedMap<AccessPatternId, KnownProof>>,
    /// Counts changes to everything that a proof depends on besides its pattern.
    basis: StoredValue<u64>,
    /// The items in the order of each index, with their basis.
    stored: StoredValue<Option<(u64, Arc<TableSnapshot>)>>,
    storing: StoredValue<Option<(u64, TableBuilder)>>,
    /// The number of views that show the coverage matrix.
    covering: StoredValue<usize>,
    /// The number of views that show the selected pattern's proof.
    viewers: StoredValue<usize>,
    /// The number of views that show all verdicts.
    overviews: StoredValue<usize>,
    task: SlicedTask,
    /// The last selected pattern, to keep it selected when it moves in the list.
    followed: StoredValue<Option<(AccessPatternId, Arc<AccessPattern>)>>,
}

impl Proofs {
    /// No proofs.
    pub(super) fn new() -> Proofs {
        Proofs {
            selected: RwSignal::new(None),
            proof: RwSignal::new(None),
            marks: RwSignal::new(None),
            marking: RwSignal::new(false),
            coverage: RwSignal::new(None),
            language: RwSignal::new(Language::Cli),
            offering: RwSignal::new(false),
            detail: RwSignal::new(false),
            guess: StoredValue::new(None),
            covering: StoredValue::new(0),
            verdicts: RwSignal::default(),
            known: StoredValue::default(),
            basis: StoredValue::new(0),
            stored: StoredValue::new(None),
            storing: StoredValue::new(None),
            viewers: StoredValue::new(0),
            overviews: StoredValue::new(0),
            task: SlicedTask::new(),
            followed: StoredValue::new(None),
        }
    }

    /// The selected access pattern has another id now.
    pub(super) fn follow_moved(self, moved: &NewIds) {
        follow_signal(self.selected, moved);
        follow_value(self.guess, moved);
        self.followed.set_value(None);
    }

    /// The verdict on an access pattern; `None` if it is not known yet.
    pub fn verdict(self, id: AccessPatternId) -> Option<Verdict> {
        self.verdicts.with(|verdicts| verdicts.get(&id).copied())
    }

    /// How many access patterns are served, in words; empty if none has a verdict.
    pub fn summary(self) -> String {
        self.verdicts.with(|verdicts| {
            let all = verdicts.len();
            let count = |wanted: Verdict| verdicts.values().filter(|v| **v == wanted).count();
            let mut text = match (all, count(Verdict::Served)) {
                (0, _) => return String::new(),
                (1, 1) => "served".to_owned(),
                (1, _) if count(Verdict::ReadsTooMuch) == 1 => {
                    return "served, but reads too much".to_owned();
                }
                (1, _) => "not served".to_owned(),
                (_, served) if served == all => format!("all {all} are served"),
                (_, served) => format!("{served} of {all} are served"),
            };
            match count(Verdict::ReadsTooMuch) {
                0 => {}
                1 => text.push_str(", 1 reads too much"),
                many => text.push_str(&format!(", {many} read too much")),
            }
            text
        })
    }

    /// The number of access patterns with the verdict "unserved".
    pub fn unserved(self) -> usize {
        self.verdicts.with(|verdicts| {
            verdicts
                .values()
                .filter(|verdict| !verdict.is_served())
                .count()
        })
    }

    /// Counts changes to everything that items and their keys depend on.
    pub(super) fn basis(self) -> u64 {
        self.basis.get_value()
    }

    /// The mark of a row, while rows are marked ([`Marks::of`]).
    pub fn mark_of(self, sample: SampleId) -> Option<String> {
        if !self.marking.get() {
            return None;
        }
        self.marks.with(|marks| marks.as_ref()?.of(sample))
    }
}

impl Store {
    /// Keeps all proofs up to date until the reactive owner is disposed.
    pub fn look_at_proofs(self) {
        count(self.proofs.overviews);
        self.look_at_proof();
    }

    /// Keeps all verdicts up to date, after a pause in editing, until the reactive owner is disposed.
    pub fn look_at_verdicts(self) {
        count(self.proofs.overviews);
        self.prove_soon();
    }

    /// Keeps the proof of the selected access pattern up to date until the reactive owner is disposed.
    pub fn look_at_proof(self) {
        let proofs = self.proofs;
        count(proofs.viewers);
        effect(move || {
            proofs.selected.track();
            self.prove_soon();
        });
    }

    /// Keeps the coverage matrix up to date until the reactive owner is disposed.
    pub fn look_at_coverage(self) {
        count(self.proofs.covering);
        self.prove_soon();
    }

    /// Discards all proofs, for another design.
    pub(super) fn forget_proofs(self) {
        let proofs = self.proofs;
        proofs.basis.update_value(|basis| *basis += 1);
        proofs.known.set_value(SortedMap::new());
        proofs.stored.set_value(None);
        proofs.storing.set_value(None);
        proofs.coverage.set(None);
        proofs.followed.set_value(None);
        proofs.marking.set(false);
        proofs.offering.set(false);
        proofs.detail.set(false);
        proofs.guess.set_value(None);
        proofs.marks.set(None);
        proofs.proof.set(None);
        proofs.verdicts.set(SortedMap::new());
        let first = self.with(|design| design.access_patterns.keys().next().copied());
        proofs.selected.set(first);
        self.prove_soon();
    }

    /// Schedules the proofs that a change invalidates.
    pub(super) fn invalidate_proofs(self, changed: &Diff) {
        let proofs = self.proofs;
        let keys = changed.table || changed.delimiter || !changed.indexes.is_empty();
        if keys || !changed.entities.is_empty() || !changed.samples.is_empty() {
            proofs.basis.update_value(|basis| *basis += 1);
            self.samples_changed.update(|count| *count += 1);
        } else if changed.access_patterns.is_empty() {
            return;
        }
        if !changed.access_patterns.is_empty() {
            self.follow_selected();
        }
        self.prove_soon();
    }

    /// Keeps the selection on its pattern when it moves, and selects a neighbor when it is deleted.
    fn follow_selected(self) {
        let proofs = self.proofs;
        let selected = proofs.selected.get_untracked();
        let followed = proofs.followed.get_value();
        let next = self.with(|design| {
            let all = &design.access_patterns;
            // It may be selected since, or not be followed yet.
            if let (Some(id), Some((of, followed))) = (selected, &followed)
                && id == *of
            {
                let is_it = |now: &Arc<AccessPattern>| Arc::ptr_eq(now, followed);
                // A design that was stored has other pointers. Names are unique.
                let is_named = |now: &Arc<AccessPattern>| now.name == followed.name;
                let stays = all.get(&id).is_some_and(|now| is_it(now) || is_named(now));
                let mut others = all.iter();
                if !stays
                    && let Some((moved, _)) = (others.clone().find(|(_, now)| is_it(now)))
                        .or_else(|| others.find(|(_, now)| is_named(now)))
                {
                    return Some(*moved);
                }
            }
            let there = selected.filter(|id| all.contains_key(id));
            there.or_else(|| {
                let before = selected.and_then(|id| all.range(..id).next_back());
                before.or(all.iter().next()).map(|(id, _)| *id)
            })
        });
        if next != selected {
            proofs.selected.set(next);
        }
        self.with(|design| {
            let now = next.and_then(|id| design.access_patterns.get(&id).cloned());
            proofs.followed.set_value(next.zip(now));
        });
        proofs.known.update_value(|known| {
            self.with(|design| known.retain(|id, _| design.access_patterns.contains_key(id)));
        });
        // Without any access pattern nothing is proven that would update the verdicts.
        self.show_verdicts();
    }

    /// Schedules the proofs that views show, at the earliest in the next frame, so that the edit is shown first.
    pub(super) fn prove_soon(self) {
        let proofs = self.proofs;
        match (proofs.viewers.get_value(), proofs.overviews.get_value()) {
            (0, 0) => proofs.task.cancel(),
            (0, _) => self.prove(When::After(Duration::from_millis(PAUSE))),
            _ => self.prove(When::NextFrame),
        }
    }

    fn prove(self, when: When) {
        self.proofs.task.start(when, move |slice| {
            if !self.is_looked_at() {
                return Progress::Finished;
            }
            let Some(prove_slice) = self.loaded(prover, Store::prove) else {
                return Progress::Finished;
            };
            match prove_slice(self, slice) {
                true => Progress::Finished,
                false => Progress::Unfinished,
            }
        });
    }

    /// Whether a view shows any proof or verdict.
    fn is_looked_at(self) -> bool {
        let proofs = self.proofs;
        proofs.viewers.get_value() > 0
            || proofs.overviews.get_value() > 0
                && self.with(|design| !design.access_patterns.is_empty())
    }

    /// Works for one slice. Returns whether all work is done.
    fn prove_slice(self, slice: &Slice) -> bool {
        let Some(stored) = self.stored_items(slice) else {
            return false;
        };
        if self.proofs.viewers.get_value() > 0 {
            self.prove_selected(&stored);
        }
        if self.proofs.overviews.get_value() == 0 {
            return true;
        }
        let basis = self.proofs.basis.get_value();
        let open = self.with(|design| {
            let mut open = Vec::new();
            self.proofs.known.with_value(|known| {
                for (id, pattern) in &design.access_patterns {
                    let is_known = known.get(id).is_some_and(|known| {
                        known.basis == basis && Arc::ptr_eq(&known.pattern, pattern)
                    });
                    if !is_known {
                        open.push((*id, pattern.clone()));
                    }
                }
            });
            open
        });
        let mut done = true;
        for (id, pattern) in open {
            if slice.is_over() {
                done = false;
                break;
            }
            let proof = proof::prove_pattern(&stored, &pattern);
            self.keep_proof(id, pattern, Arc::new(proof));
        }
        self.show_verdicts();
        if done && self.proofs.covering.get_value() > 0 {
            self.show_coverage();
        }
        done
    }

    fn show_coverage(self) {
        let coverage = self.proofs.known.with_value(|known| {
            let proofs: Vec<(AccessPatternId, &Proof)> = known
                .iter()
                .map(|(id, known)| (*id, &*known.proof))
                .collect();
            self.with(|design| proof::coverage(design, &proofs))
        });
        if self
            .proofs
            .coverage
            .with_untracked(|shown| shown.as_ref() != Some(&coverage))
        {
            self.proofs.coverage.set(Some(coverage));
        }
    }

    fn keep_proof(self, id: AccessPatternId, pattern: Arc<AccessPattern>, proof: Arc<Proof>) {
        let basis = self.proofs.basis.get_value();
        self.proofs.known.update_value(|known| {
            known.insert(
                id,
                KnownProof {
                    pattern,
                    basis,
                    proof,
                },
            );
        });
    }

    fn show_verdicts(self) {
        let mut verdicts = SortedMap::new();
        self.proofs.known.with_value(|known| {
            for (id, known) in known {
                verdicts.insert(*id, known.proof.verdict);
            }
        });
        if self
            .proofs
            .verdicts
            .with_untracked(|shown| *shown != verdicts)
        {
            self.proofs.verdicts.set(verdicts);
        }
    }

    /// The items in the order of each index; `None` if they are not computed yet.
    pub(super) fn stored_items(self, slice: &Slice) -> Option<Arc<TableSnapshot>> {
        let proofs = self.proofs;
        let basis = proofs.basis.get_value();
        if let Some((of, stored)) = proofs.stored.get_value()
            && of == basis
        {
            return Some(stored);
        }
        let computed = self.computed()?;
        let mut found = None;
        proofs.storing.update_value(|storing| {
            if storing.as_ref().is_none_or(|(of, _)| *of != basis) {
                let before = proofs.stored.get_value().map(|(_, stored)| stored);
                let items: Vec<Arc<Items>> = computed.items().values().cloned().collect();
                let design = self.with(Clone::clone);
                *storing = Some((basis, TableBuilder::new(before, design, &items)));
            }
            if let Some((_, work)) = storing {
                found = slice.run(|| work.step());
            }
        });
        let stored = Arc::new(found?);
        proofs.storing.set_value(None);
        proofs.stored.set_value(Some((basis, stored.clone())));
        Some(stored)
    }

    fn prove_selected(self, stored: &Arc<TableSnapshot>) {
        let proofs = self.proofs;
        let selected = proofs.selected.get_untracked();
        let pattern = self.with(|design| {
            let id = selected?;
            design
                .access_patterns
                .get(&id)
                .cloned()
                .map(|pattern| (id, pattern))
        });
        let Some((id, pattern)) = pattern else {
            proofs.proof.set(None);
            proofs.marks.set(None);
            return;
        };
        let basis = proofs.basis.get_value();
        let known = proofs.known.with_value(|known| {
            let known = known.get(&id)?;
            let is_current = known.basis == basis && Arc::ptr_eq(&known.pattern, &pattern);
            is_current.then(|| known.proof.clone())
        });
        // A view of all verdicts may have made the proof while no view showed it.
        let known_shown = known.clone().map(|proof| (id, ByPtr(proof)));
        if known_shown.is_some() && proofs.proof.with_untracked(|shown| *shown == known_shown) {
            return;
        }
        let proof = known.unwrap_or_else(|| {
            let proof = Arc::new(proof::prove_pattern(stored, &pattern));
            self.keep_proof(id, pattern.clone(), proof.clone());
            proof
        });
        let marks = marks(stored, id, &pattern, &proof);
        proofs.followed.set_value(Some((id, pattern)));
        proofs.proof.set(Some((id, ByPtr(proof))));
        proofs.marks.set(marks.map(|marks| ByPtr(Arc::new(marks))));
    }
}

/// Increments a count until the reactive owner is disposed.
fn count(looking: StoredValue<usize>) {
    looking.update_value(|count| *count += 1);
    on_cleanup(move || {
        let _ = looking.try_update_value(|count| *count -= 1);
    });
}
