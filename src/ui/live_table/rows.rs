//! What one can do with whole rows: select, add, copy and delete them.

use super::columns::{self, Head};
use super::state::{Grid, Spot};
use crate::app::{Command, suggest};
use crate::domain::model::{EntityId, Sample, SampleId, set_of};
use leptos::prelude::*;
use std::collections::BTreeSet;
use std::sync::Arc;

impl Grid {
    /// Selects a row, or takes it out; with `range`, all rows from the one selected last.
    pub fn select(self, sample: SampleId, range: bool) {
        let anchor = self.anchor.get_value().filter(|_| range);
        let lines = self.sheet.with_untracked(|sheet| {
            let from = sheet.find(anchor?, 0)?;
            let to = sheet.find(sample, 0)?;
            let lines = from.min(to)..=from.max(to);
            Some(
                lines
                    .filter_map(|line| sheet.item(line))
                    .map(|item| item.id())
                    .collect::<Vec<_>>(),
            )
        });
        self.selected.update(|selected| match lines {
            Some(lines) => selected.extend(lines),
            None => {
                if !selected.remove(&sample) {
                    selected.insert(sample);
                }
            }
        });
        if !range {
            self.anchor.set_value(Some(sample));
        }
    }

    /// Selects all rows that are shown.
    pub fn select_all(self) {
        let all = self.sheet.with_untracked(|sheet| {
            let items = (0..sheet.len()).filter_map(|line| sheet.item(line));
            set_of(items.map(|item| item.id()))
        });
        self.selected.set(all);
    }

    /// The selected rows; without any, the active one.
    pub fn chosen(self) -> BTreeSet<SampleId> {
        let selected = self.selected.get();
        match selected.is_empty() {
            true => set_of(
                (self.active.get().into_iter())
                    .filter(|_| self.active_line.get().is_some())
                    .map(|spot| spot.sample),
            ),
            false => selected,
        }
    }

    /// Takes the chosen rows away.
    pub fn delete_rows(self) {
        let gone = untrack(|| self.chosen());
        let line = self.active_line.get_untracked();
        let column = (self.active)
            .with_untracked(|spot| spot.as_ref().map_or(0, |spot| self.column_of(spot)));
        let had_focus = self.has_focus();
        let gone = self.by_entity(&gone);
        self.store.perform(Command::DeleteSamples(gone));
        self.selected.set(BTreeSet::new());
        // The row that moved up into the gap is next.
        let next = line.and_then(|line| {
            let line = (self.sheet).with_untracked(|s| s.at_or_after(line).or_else(|| s.last()))?;
            self.spot(line, column)
        });
        match next {
            Some(spot) if had_focus => self.activate(spot),
            next => self.active.set(next),
        }
    }

    fn by_entity(self, chosen: &BTreeSet<SampleId>) -> Vec<(EntityId, Vec<SampleId>)> {
        self.store.with(|design| {
            let of = |samples: &[Arc<Sample>]| -> Vec<SampleId> {
                let ids = samples.iter().map(|sample| sample.id);
                ids.filter(|id| chosen.contains(id)).collect()
            };
            (design.samples.iter())
                .map(|(entity, samples)| (*entity, of(samples)))
                .filter(|(_, samples)| !samples.is_empty())
                .collect()
        })
    }

    /// Adds a row of an entity, and goes there.
    pub fn add_row(self, entity: EntityId) {
        let values = (self.store).with(|design| suggest::next_sample(design, entity));
        self.store.perform(Command::AddSample(entity, values));
        self.go_to_newest(entity);
    }

    /// Adds a copy of each chosen row, with an identity of its own.
    pub fn duplicate_rows(self) {
        let chosen = untrack(|| self.chosen());
        let mut last = None;
        for (entity, samples) in self.by_entity(&chosen) {
            for id in samples {
                let values = self.store.with(|design| {
                    let sample = (design.samples_of(entity).iter()).find(|s| s.id == id)?;
                    Some(suggest::copied_sample(design, entity, &sample.values))
                });
                if let Some(values) = values {
                    self.store.perform(Command::AddSample(entity, values));
                    last = Some(entity);
                }
            }
        }
        if let Some(entity) = last {
            self.go_to_newest(entity);
        }
    }

    fn go_to_newest(self, entity: EntityId) {
        let Some(sample) =
            (self.store).with(|design| design.samples_of(entity).last().map(|sample| sample.id))
        else {
            return;
        };
        let is_shown = || self.sheet.with_untracked(|s| s.find(sample, 0).is_some());
        if !is_shown() {
            self.filter.set(String::new());
        }
        if !is_shown() {
            let name = (self.store).with(|design| design.index_name(self.index).to_owned());
            self.hint.set(Some(format!(
                "The row was added to the table; it lacks a value that {name} needs."
            )));
            return;
        }
        self.selected.set(BTreeSet::new());
        let column = self.store.with(|design| {
            (self.columns).with_untracked(|heads| {
                let schema = design.entities.get(&entity);
                let free = |head: &&Head| {
                    schema.is_some_and(|schema| schema.attribute(&head.name).is_some())
                        && columns::locked(design, entity, &head.name).is_none()
                };
                heads.iter().find(free).map(|head| head.name.clone())
            })
        });
        self.activate(Spot { sample, column });
    }
}
