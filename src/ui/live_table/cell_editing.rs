//! Editing the active cell: open, store, cancel.

use super::grid::{Editing, Grid};
use super::selected_cells::CellId;
use crate::ui::reactive::follow_ids::{follow_signal, follow_value};
use keyfold_app::Command;
use keyfold_app::grid::cells::{kind, value_now};
use keyfold_app::grid::large_values::{self, ValueError};
use keyfold_app::moved_ids::HoldsIds;
use keyfold_compare::NewIds;
use keyfold_core::engine::{Item, ValueRef};
use keyfold_core::model::{AttributeType, EntityId, Value};
use leptos::prelude::*;

impl Grid {
    /// Opens the active cell for editing, or shows why it cannot be edited.
    pub fn edit(self, replace: bool) {
        let Some(spot) = self.active.get_untracked() else {
            return;
        };
        let (Some(name), Some(line)) = (&spot.column, self.active_line.get_untracked()) else {
            return;
        };
        let Some(item) = (self.sheet).with_untracked(|sheet| sheet.item(line)) else {
            return;
        };
        // A hidden column has no cell to edit.
        if self.column_of(&spot).is_none() {
            return;
        }
        let locked = self.locked(line, &spot);
        if locked.is_some() {
            self.hint.set(locked);
            return;
        }
        let (kind, value) = self.current(&item, name);
        let text = (value.as_ref())
            .map(large_values::to_pretty_text)
            .unwrap_or_default();
        let large = large_values::is_large(kind, &text);
        self.hint.set(None);
        self.error.set(None);
        self.editing.set(Some(Editing {
            entity: item.entity,
            kind,
            text,
            replace,
            large,
            typed: None,
            spot,
        }));
    }

    /// Keeps the entered text as a draft with the design until it is stored or canceled.
    pub fn typing(self) {
        self.error.set(None);
        let draft = self.editing.get_untracked().and_then(|editing| {
            let typed = self.typed(&editing);
            let value = match typed.is_empty() {
                true => None,
                false => Some(Value::from_text(editing.kind, &typed).ok()?),
            };
            Some(Command::SetValue {
                entity: editing.entity,
                sample: editing.spot.sample,
                attribute: editing.spot.column?,
                value,
            })
        });
        self.store.draft.set(draft);
    }

    /// Stores the entered text and makes `then` the active cell. If the text is not a value, it stays in the field
    /// with the reason, and the result is `false`.
    pub fn commit(self, then: Option<CellId>) -> bool {
        let Some(editing) = self.editing.get_untracked() else {
            return true;
        };
        let typed = self.typed(&editing);
        if typed != editing.text {
            let read = match typed.is_empty() {
                true => Ok(None),
                false => Value::from_text(editing.kind, &typed).map(Some),
            };
            let result = read.and_then(|value| self.set(editing.entity, &editing.spot, value));
            if let Err(message) = result {
                match editing
                    .large
                    .then(|| large_values::find_error(editing.kind, &typed))
                    .flatten()
                {
                    Some(mistake) => self.show_mistake(&mistake),
                    None => self.error.set(Some(message)),
                }
                return false;
            }
        }
        self.close(then.or(Some(editing.spot)));
        true
    }

    /// The items and entities have other ids now. The field of the edited cell begins again with what was typed.
    pub(super) fn follow_moved(self, moved: &NewIds) {
        // Of an index with another id, the next table shows what is remembered of it.
        if moved.index(self.index) == self.index {
            follow_signal(self.hidden_entities, moved);
        }
        follow_signal(self.picked, moved);
        follow_signal(self.active, moved);
        follow_signal(self.range, moved);
        follow_signal(self.selected, moved);
        follow_value(self.anchor, moved);
        follow_value(self.tapped, moved);
        self.pending.set_value(None);
        let Some(mut editing) = self.editing.get_untracked() else {
            return;
        };
        let before = (editing.entity, editing.spot.clone());
        editing.entity.follow(moved);
        editing.spot.follow(moved);
        if before != (editing.entity, editing.spot.clone()) {
            editing.typed = Some(self.typed(&editing));
            self.editing.set(Some(editing));
        }
    }

    /// Returns the text in the field of the edited cell.
    fn typed(self, editing: &Editing) -> String {
        let line = || self.input.get_untracked().map(|input| input.value());
        let lines = || self.text_area.get_untracked().map(|area| area.value());
        let typed = match editing.large {
            true => lines().map(|typed| large_values::with_line_ends_of(&editing.text, typed)),
            false => line(),
        };
        typed.unwrap_or_else(|| editing.text.clone())
    }

    /// Closes the field of a cell that is no longer visible, with a notice if it had input.
    pub fn give_up(self) {
        let Some(editing) = self.editing.get_untracked() else {
            return;
        };
        if self.typed(&editing) != editing.text {
            let name = editing.spot.column.as_deref().unwrap_or_default();
            self.hint.set(Some(format!(
                "Cell `{name}` is no longer visible. Your input was not saved."
            )));
        }
        if self.has_focus() {
            self.hold_focus();
        }
        self.error.set(None);
        self.editing.set(None);
    }

    /// Shows where the mistake is, and moves the cursor there.
    fn show_mistake(self, mistake: &ValueError) {
        let ValueError { line, column, .. } = mistake;
        let text = format!("Line {line}, column {column}: {}", mistake.message);
        self.error.set(Some(text));
        if let Some(area) = self.text_area.get_untracked() {
            let _ = area.focus();
            let _ = area.set_selection_range(mistake.from, mistake.from);
        }
    }

    /// Cancels the edit.
    pub fn revert(self) {
        let spot = self.editing.get_untracked().map(|editing| editing.spot);
        self.close(spot);
    }

    fn close(self, then: Option<CellId>) {
        // Keeps the focus in the table when the field is removed, unless it is moving elsewhere.
        let had_focus = self.has_focus() && self.focused.get_value();
        if had_focus {
            self.hold_focus();
        }
        self.error.set(None);
        self.editing.set(None);
        match then {
            Some(spot) if had_focus => self.activate(spot),
            spot => self.active.set(spot),
        }
    }

    fn set(self, entity: EntityId, spot: &CellId, value: Option<Value>) -> Result<(), String> {
        let Some(attribute) = spot.column.clone() else {
            return Ok(());
        };
        let command = Command::SetValue {
            entity,
            sample: spot.sample,
            attribute,
            value,
        };
        self.store.run(command).map_err(|refused| refused.0)
    }

    /// Changes the active cell's value without opening it; `change` gets the current value.
    pub fn change(self, change: impl FnOnce(AttributeType, Option<&Value>) -> Option<Value>) {
        let (Some(spot), Some(line)) = (
            self.active.get_untracked(),
            self.active_line.get_untracked(),
        ) else {
            return;
        };
        let Some(item) = (self.sheet).with_untracked(|sheet| sheet.item(line)) else {
            return;
        };
        let Some(name) = &spot.column else { return };
        if self.column_of(&spot).is_none() {
            return;
        }
        let locked = self.locked(line, &spot);
        if locked.is_some() {
            self.hint.set(locked);
            return;
        }
        let (kind, before) = self.current(&item, name);
        if let Err(message) = self.set(item.entity, &spot, change(kind, before.as_ref())) {
            self.hint.set(Some(message));
        }
        self.reveal();
    }

    /// Returns the value of an item's attribute in the design, and the type in which a text is read there.
    fn current(self, item: &Item, name: &str) -> (AttributeType, Option<Value>) {
        self.store.with(|design| {
            let value = value_now(design, item, name);
            let of = value.as_ref().map(ValueRef::Value);
            (kind(design, item.entity, name, of), value)
        })
    }

    /// Returns whether the active cell holds a Boolean, or would.
    pub fn is_boolean(self) -> bool {
        let spot = self.active.get_untracked();
        let line = self.active_line.get_untracked();
        let item = line.and_then(|line| self.sheet.with_untracked(|s| s.item(line)));
        match (item, spot.and_then(|spot| spot.column)) {
            (Some(item), Some(name)) => {
                let (kind, _) = self.current(&item, &name);
                kind == AttributeType::Bool && !item.is_written(&name)
            }
            _ => false,
        }
    }
}
