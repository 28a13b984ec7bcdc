//! Edits of the open design: commands, undo and redo, pasting, renaming and deleting.

use super::Store;
use crate::platform::clock;
use keyfold_app::announcement::{announcement, redone, undone};
use keyfold_app::viewport::Selection;
use keyfold_app::{Command, Diff, Document, Refused, card_clipboard};
use keyfold_core::model::{CardId, Design, Index, IndexId, Point, Table};
use leptos::prelude::*;

/// Why a shared design or an earlier version cannot be changed.
const READ_ONLY: &str =
    "This design is read-only. To change it, use the buttons in the bar that says so";

impl Store {
    /// Runs a command and shows what it changed. A refused command changes nothing; its message belongs at the field
    /// where the value was typed.
    pub fn run(self, command: Command) -> Result<(), Refused> {
        if self.is_read_only.get_untracked() {
            return Err(Refused(READ_ONLY.to_owned()));
        }
        let mut result = Ok(Diff::default());
        let (said, along) = self.with(|design| {
            let said = announcement(design, &command);
            let loses = command.field().is_some() && said.is_some();
            (said, loses || command.along(design).is_some())
        });
        let text = self.text();
        (self.document).update_value(|document| result = document.run(command, clock::now()));
        let changed = result?;
        self.notices.pass();
        self.show(&changed);
        self.show_text(&changed, text);
        if let Some(said) = said.filter(|_| !changed.is_empty()) {
            self.spoken.set(said);
            // What is out of view is deleted, too.
            if along {
                self.offer_undo();
            }
        }
        Ok(())
    }

    /// Moves cards as an undo step of its own; the arrow keys move them in small steps, which are one.
    pub fn move_cards(self, moves: Vec<(CardId, Point)>) -> Result<(), Refused> {
        self.leave_field();
        let moved = self.run(Command::Move(moves));
        self.leave_field();
        moved
    }

    /// As [`Store::run`], for gestures that have no field: shows a refusal as a message.
    pub fn perform(self, command: Command) {
        self.complain_if_refused(self.run(command));
    }

    /// Shows why a change was refused, for changes that have no field.
    pub fn complain_if_refused(self, result: Result<(), Refused>) {
        if let Err(refused) = result {
            self.notices.complain(refused.to_string());
        }
    }

    /// Shows what was done last, with a button that reverts it ([`Store::say_done`]).
    pub fn offer_undo(self) {
        let done = self.spoken.get_untracked();
        self.say_done(done + ".");
    }

    /// Shows what the last change did, for 12 s or until the next change, with a button that reverts it. `text` is a
    /// sentence.
    pub fn say_done(self, text: impl Into<String>) {
        let text = text.into() + " Undo reverts this.";
        self.notices.say_done(text, move || self.undo());
    }

    /// Reverts the last step.
    pub fn undo(self) {
        let label = self.undo_label.get_untracked().unwrap_or_default();
        self.travel(Document::undo, Some(undone(&label)));
    }

    /// Reverts the last step if the design before it is `expected`, without an announcement: the user did not ask for it.
    pub fn take_back(self, expected: impl FnOnce(&Design) -> bool) {
        let mut before = self.document.get_value();
        if before.undo().is_some() && expected(before.design()) {
            self.travel(Document::undo, None);
        }
    }

    /// Repeats the last undone step.
    pub fn redo(self) {
        let label = self.redo_label.get_untracked().unwrap_or_default();
        self.travel(Document::redo, Some(redone(&label)));
    }

    /// Shows the version of the open design that another tab stored, with its undo history. What is selected and typed
    /// stays. Returns whether it is another design than before.
    pub fn follow(self, stored: Document) -> bool {
        self.show_stored(stored, || ())
    }

    /// Calls `before_shown` once the design is that of the stored version.
    pub(super) fn show_stored(self, stored: Document, before_shown: impl FnOnce()) -> bool {
        let mut changed = Diff::default();
        self.document
            .update_value(|document| changed = document.follow(stored));
        before_shown();
        self.show(&changed);
        !changed.is_empty()
    }

    /// Ends the current undo step, because a field was left or a choice was made.
    pub fn leave_field(self) {
        self.document.update_value(Document::leave_field);
    }

    fn travel(self, step: fn(&mut Document) -> Option<Diff>, said: Option<String>) {
        let mut changed = None;
        let text = self.text();
        self.document
            .update_value(|document| changed = step(document));
        match changed {
            Some(changed) => {
                self.notices.pass();
                self.show(&changed);
                self.show_text(&changed, text);
                if let Some(said) = said {
                    self.spoken.set(said);
                }
            }
            // A stored step cannot be read: there is none.
            None => self.show_history(),
        }
    }

    /// Adds the cards of a clip with their upper left corner at `at`, and selects them. `duplicates` is for the
    /// announcement.
    pub fn paste(self, clip: Design, at: Point, duplicates: bool) {
        let before = self.with(Design::clone);
        let clip = Box::new(clip);
        self.perform(Command::Paste {
            clip,
            at,
            duplicates,
        });
        let new = self.with(|design| card_clipboard::pasted_cards(&before, design));
        if !new.is_empty() {
            self.select_cards(new);
        }
    }

    /// The command that renames the entity or index of a card; `None` if it has no name or does not exist.
    pub fn rename_command(self, card: CardId, name: String) -> Option<Command> {
        self.with(|design| match card {
            CardId::Entity(id) => Some(Command::RenameEntity(id, name)),
            CardId::Index(id) if id.is_primary() => {
                let mut table = Table::clone(&design.table);
                table.name = name;
                Some(Command::UpdateTable {
                    table: Box::new(table),
                    field: "name",
                })
            }
            CardId::Index(id) => {
                let mut index = Index::clone(design.indexes.get(&id)?);
                index.name = name;
                Some(Command::UpdateIndex {
                    id,
                    index: Box::new(index),
                    field: "name",
                })
            }
            CardId::Note(_) => None,
        })
    }

    /// Wraps `act` for later: the result does nothing if another design is open by then.
    pub fn in_this_design(self, act: impl FnOnce() + 'static) -> Box<dyn FnOnce()> {
        let opened = self.opened.get_untracked();
        Box::new(move || {
            if self.opened.get_untracked() == opened {
                act();
            }
        })
    }

    /// Deletes the selected cards, or removes the entity of the selected wire from its index. The primary key stays.
    pub fn delete_selected(self) {
        if let Some((entity, index)) = self.wire.get_untracked() {
            if index.is_primary() {
                self.notices
                    .say("Every entity belongs to the table. Delete the entity instead.");
            } else {
                self.perform(Command::LeaveIndex(entity, index));
            }
            return;
        }
        self.delete_cards(&self.selection.get_untracked());
    }

    /// Deletes those of these cards that exist. The primary key stays.
    pub fn delete_cards(self, cards: &Selection) {
        let removable = |card: &&CardId| {
            **card != CardId::Index(IndexId::PRIMARY) && self.with(|design| design.has_card(**card))
        };
        let cards: Vec<CardId> = cards.iter().filter(removable).copied().collect();
        match cards.is_empty() {
            true => self
                .notices
                .say("The table cannot be deleted. Every design has one."),
            false => self.perform(Command::Delete(cards)),
        }
    }
}
