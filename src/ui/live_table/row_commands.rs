//! Commands for whole rows: select, add, duplicate, delete.

use super::columns::Head;
use super::grid::Grid;
use super::selected_cells::{CellId, TableSelection};
use super::view_model::selected_entity;
use keyfold_app::grid::Sheet;
use keyfold_app::grid::cells::locked;
use keyfold_app::{Command, SampleEdits, suggest};
use keyfold_core::model::{EntityId, Sample, SampleId};
use leptos::prelude::*;
use rustc_hash::FxHashSet;
use std::sync::Arc;

impl Grid {
    /// Selects only this row; with `toggle`, adds it to the selection or removes it.
    pub fn select_row(self, sample: SampleId, toggle: bool) {
        self.range.set(None);
        self.selected.update(|selected| {
            let was_in = selected.contains(&sample);
            if !toggle {
                selected.clear();
            }
            match toggle && was_in {
                true => selected.remove(&sample),
                false => selected.insert(sample),
            };
        });
        self.anchor.set_value(Some(sample));
        self.say_rows();
    }

    /// Selects all rows from the one selected last, or the active one, to this one.
    pub fn select_rows_to(self, sample: SampleId) {
        let active = (self.active).with_untracked(|spot| spot.as_ref().map(|spot| spot.sample));
        let is_selected = |sample: &SampleId| self.selected.with_untracked(|s| s.contains(sample));
        let anchor = self.anchor.get_value().filter(is_selected).or(active);
        let found = self.sheet.with_untracked(|sheet| {
            let from = sheet.find(anchor?, 0)?;
            let to = sheet.find(sample, 0)?;
            let items = (from.min(to)..=from.max(to)).filter_map(|line| sheet.item(line));
            Some((FxHashSet::from_iter(items.map(|item| item.id())), to))
        });
        let Some((rows, line)) = found else {
            self.select_row(sample, false);
            return;
        };
        self.anchor.set_value(anchor);
        self.range.set(None);
        self.selected.set(rows);
        self.reveal_line(line);
        self.say_rows();
    }

    fn say_rows(self) {
        let count = self.selected.with_untracked(|rows| rows.len());
        let rows = if count == 1 { "row" } else { "rows" };
        self.store.spoken.set(format!("{count} {rows} selected"));
    }

    /// Selects all visible rows.
    pub fn select_all(self) {
        let all = self.sheet.with_untracked(|sheet| {
            let items = (0..sheet.len()).filter_map(|line| sheet.item(line));
            FxHashSet::from_iter(items.map(|item| item.id()))
        });
        self.range.set(None);
        self.selected.set(all);
        // On a column head, keys would not be about the rows.
        if self.head.with_value(Option::is_some) {
            self.focus();
        }
        self.say_rows();
    }

    /// Returns the selected rows, or those of the selected cells; without any, the active one. Hidden rows are left
    /// out.
    pub fn chosen(self) -> FxHashSet<SampleId> {
        self.sheet.track();
        self.range.track();
        self.selected.track();
        self.active.track();
        self.chosen_of(&untrack(|| self.choice()))
    }

    fn chosen_of(self, choice: &TableSelection) -> FxHashSet<SampleId> {
        let shown = |sheet: &Sheet, wanted: &FxHashSet<SampleId>| {
            let items = (0..sheet.len()).filter_map(|line| sheet.item(line));
            let ids = items.map(|item| item.id()).filter(|id| wanted.contains(id));
            FxHashSet::from_iter(ids)
        };
        self.sheet
            .with_untracked(|sheet| match (&choice.range, &choice.active) {
                (Some(range), _) => shown(sheet, &range.rows),
                (None, _) if !choice.rows.is_empty() => shown(sheet, &choice.rows),
                (None, active) => {
                    let near = self.active_line.get_untracked().unwrap_or(0);
                    let active = active.as_ref().map(|spot| spot.sample);
                    let active = active.filter(|sample| sheet.find(*sample, near).is_some());
                    FxHashSet::from_iter(active)
                }
            })
    }

    /// Deletes the chosen rows.
    pub fn delete_rows(self) {
        self.delete(&self.choice());
    }

    /// Deletes the rows of a choice.
    pub fn delete(self, choice: &TableSelection) {
        let gone = self.chosen_of(choice);
        let column = (self.active)
            .with_untracked(|spot| self.column_of(spot.as_ref()?))
            .unwrap_or(0);
        let had_focus = self.has_focus();
        let is_kept = |spot: &CellId| !gone.contains(&spot.sample);
        let is_kept = (self.active).with_untracked(|spot| spot.as_ref().is_some_and(is_kept));
        // The row that moves into the gap becomes active.
        let next = self.active_line.get_untracked().and_then(|line| {
            let line = self.sheet.with_untracked(|sheet| {
                let is_left = |line: &usize| {
                    let item = sheet.item(*line);
                    item.is_some_and(|item| !gone.contains(&item.id()))
                };
                let below = (line..sheet.len()).find(is_left);
                below.or_else(|| (0..line).rfind(is_left))
            })?;
            self.spot(line, column)
        });
        let gone = self.by_entity(&gone);
        if !self.perform(Command::DeleteSamples(gone)) {
            return;
        }
        self.select_nothing();
        match next {
            _ if is_kept => {
                if had_focus {
                    self.focus();
                }
            }
            Some(spot) if had_focus => self.activate(spot),
            next => self.active.set(next),
        }
    }

    fn by_entity(self, chosen: &FxHashSet<SampleId>) -> Vec<(EntityId, Vec<SampleId>)> {
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

    /// Adds a row of an entity and goes to it.
    pub fn add_row(self, entity: EntityId) {
        let values = (self.store).with(|design| suggest::next_sample(design, entity));
        if self.perform(Command::AddSample(entity, values)) {
            self.go_to_newest(entity);
        }
    }

    /// Returns the entity for new rows: that of the active row, else the one selected on the canvas, else the first.
    pub fn new_row_entity(self) -> Option<EntityId> {
        let of_active = self.active_item().map(|item| item.entity);
        let first = || self.store.entity_ids.with(|ids| ids.first().copied());
        (of_active.or_else(|| self.picked.get()))
            .or_else(|| selected_entity(self.store))
            .or_else(first)
    }

    /// Adds a copy of each chosen row, with a new ID.
    pub fn duplicate_rows(self) {
        let chosen = untrack(|| self.chosen());
        let added = self.store.with(|design| {
            let copies = |(entity, ids): (EntityId, Vec<SampleId>)| {
                let ids = FxHashSet::from_iter(ids);
                let rows = design.samples_of(entity).iter();
                let rows = rows.filter(|sample| ids.contains(&sample.id));
                let rows = rows.map(|sample| sample.values.clone()).collect();
                let rows = suggest::copied_samples(design, entity, rows).into_iter();
                rows.map(move |values| (entity, values)).collect::<Vec<_>>()
            };
            (self.by_entity(&chosen).into_iter().flat_map(copies)).collect::<Vec<_>>()
        });
        let entities: Vec<EntityId> = added.iter().map(|(entity, _)| *entity).collect();
        let is_done = self.perform(Command::EditSamples(Box::new(SampleEdits {
            label: if added.len() == 1 {
                "duplicate row"
            } else {
                "duplicate rows"
            },
            added,
            ..SampleEdits::default()
        })));
        if !is_done {
            return;
        }
        match entities.as_slice() {
            [] => {}
            [one] => self.go_to_newest(*one),
            several => self.select_newest(several),
        }
    }

    fn go_to_newest(self, entity: EntityId) {
        let newest =
            (self.store).with(|design| design.samples_of(entity).last().map(|sample| sample.id));
        if let Some(sample) = newest {
            self.once_shown(move || self.go_to_row(entity, sample));
        }
    }

    fn go_to_row(self, entity: EntityId, sample: SampleId) {
        let is_shown = || self.sheet.with_untracked(|s| s.find(sample, 0).is_some());
        if !is_shown() {
            self.filter.set(String::new());
            self.hidden_entities.update(|without| {
                without.remove(&entity);
            });
        }
        if !is_shown() {
            let name = (self.store).with(|design| design.index_name(self.index).to_owned());
            self.hint.set(Some(format!(
                "Row added to the table, but not to {name}. Enter the values that the keys of {name} need."
            )));
            return;
        }
        self.selected.set(FxHashSet::default());
        let column = self.store.with(|design| {
            (self.columns).with_untracked(|heads| {
                let schema = design.entities.get(&entity);
                let free = |head: &&Head| {
                    schema.is_some_and(|schema| schema.attribute(&head.name).is_some())
                        && locked(design, entity, &head.name).is_none()
                };
                heads.iter().find(free).map(|head| head.name.clone())
            })
        });
        self.activate(CellId { sample, column });
    }
}
