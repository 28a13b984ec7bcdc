//! The open design as signals. Each part of the document has its own signal, so that a change re-runs only what shows
//! that part. The document itself is not reactive: it changes only through [`Store::run`], undo, redo and
//! [`Store::open`], and the resulting [`Diff`] decides which signals are set.
//!
//! Canvas positions are separate: dragging a card sets only its position signal.

mod computing;
mod findings;
mod marked_rows;
mod part_signals;
mod proofs;

use super::notices::Notices;
use crate::platform::clock;
use crate::ui::dom::tints::{choose_tints, free_tints};
use crate::ui::reactive::erased::RwSignal;
use crate::ui::reactive::later::View;
use crate::ui::reactive::on_demand::{LoadError, Loading, poll_once};
use crate::ui::reactive::sliced_task::When;
use computing::Computing;
pub use findings::Docs;
use findings::Findings;
use keyfold_app::announcement::{announcement, redone, undone};
use keyfold_app::viewport::{Detail, Selection, Viewport};
use keyfold_app::{
    Command, DesignText, Diff, Document, Refused, card_clipboard, diff, placement, stored_history,
};
use keyfold_core::model::{
    AccessPattern, AccessPatternId, CardId, DelimiterPolicy, Design, EntityId, Index, IndexId,
    Note, NoteId, Point, SortedMap, Table,
};
use leptos::prelude::*;
pub use part_signals::{CanvasPlace, EntityNode, IndexNode};
use proofs::Proofs;
use std::sync::Arc;
use std::time::Duration;

/// With more samples than this, the items of an opened design are computed in slices after its canvas is shown.
const MANY: usize = 2000;
/// With more entities than this, the tints of deleted attributes stay in use: freeing them visits all entities on
/// each edit.
const FEW: usize = 500;

/// The open design as signals, the selection and the viewport. A handle: copying it costs nothing.
#[derive(Clone, Copy)]
pub struct Store {
    document: StoredValue<Document>,
    entities: StoredValue<SortedMap<EntityId, EntityNode>>,
    indexes: StoredValue<SortedMap<IndexId, IndexNode>>,
    notes: StoredValue<SortedMap<NoteId, ArcRwSignal<Arc<Note>>>>,
    places: StoredValue<SortedMap<CardId, ArcRwSignal<CanvasPlace>>>,
    /// The entities, in the order of their ids.
    pub entity_ids: RwSignal<Vec<EntityId>>,
    /// The secondary indexes, in the order of their ids.
    pub index_ids: RwSignal<Vec<IndexId>>,
    /// The notes on the canvas, in the order of their ids.
    pub note_ids: RwSignal<Vec<NoteId>>,
    /// The access patterns.
    pub access_patterns: RwSignal<SortedMap<AccessPatternId, Arc<AccessPattern>>>,
    /// The table's properties and primary key.
    pub table: RwSignal<Arc<Table>>,
    /// The delimiter policy.
    pub delimiter: RwSignal<Arc<DelimiterPolicy>>,
    /// The design's name.
    pub name: RwSignal<String>,
    /// The design's description.
    pub description: RwSignal<String>,
    /// Counts every change to the design and to its text. Only for what depends on all of it: saving, exports.
    pub revision: RwSignal<u64>,
    /// Counts changes to what the canvas shows: cards, their positions, sizes and names.
    pub cards: RwSignal<u64>,
    /// The label of the step that undo reverts.
    pub undo_label: RwSignal<Option<String>>,
    /// The label of the step that redo repeats.
    pub redo_label: RwSignal<Option<String>>,
    /// The selected cards.
    pub selection: RwSignal<Selection>,
    /// The selected wire: an entity's entry in an index. While it is set, no card is selected.
    pub wire: RwSignal<Option<(EntityId, IndexId)>>,
    /// The text being typed into a cell or a note, as the command that will store it. It is saved with the design.
    pub draft: RwSignal<Option<Command>>,
    /// Announcements to screen readers about changes that have no field.
    pub spoken: RwSignal<String>,
    /// The visible part of the canvas.
    pub viewport: RwSignal<Viewport>,
    /// How much cards show.
    pub detail: RwSignal<Detail>,
    /// Whether the visible view is being computed for the first time. It is empty until then.
    pub opening: RwSignal<bool>,
    /// Whether a large design is being opened and its canvas is not painted yet. Everything else waits.
    pub unpainted: RwSignal<bool>,
    /// Whether items and view are being computed after an edit. The previous ones are shown until then.
    pub working: RwSignal<bool>,
    /// Progress of that, from 0 to 1, if it takes long enough to be shown.
    pub progress: RwSignal<Option<f64>>,
    /// Counts changes to what items depend on: samples, entities, keys.
    pub samples_changed: RwSignal<u64>,
    /// The proofs of the access patterns.
    pub proofs: Proofs,
    /// The findings of the linter.
    pub findings: Findings,
    computing: Computing,
    /// Counts the opened designs, so that views can reset for the next design.
    pub opened: RwSignal<u64>,
    /// Messages to the user.
    pub notices: Notices,
    /// The page, for delayed callbacks.
    pub view: View,
}

/// Time between two attempts to load code that the store needs, in milliseconds.
const LOAD_AGAIN: u64 = 5000;

impl Store {
    /// Returns what is loaded. Otherwise loads it, then calls `again`; after a load that failed, later.
    fn loaded<T: 'static>(self, load: fn() -> Loading<T>, again: fn(Store, When)) -> Option<T> {
        match poll_once(load()) {
            Ok(result) => result.ok(),
            Err(loading) => {
                self.view.answer(loading, move |result| match result {
                    Ok(_) => again(self, When::Now),
                    Err(LoadError) => again(self, When::After(Duration::from_millis(LOAD_AGAIN))),
                });
                None
            }
        }
    }

    /// Returns a store with this design open.
    pub fn new(design: Design) -> Self {
        let store = Store {
            table: RwSignal::new(design.table.clone()),
            delimiter: RwSignal::new(design.delimiter.clone()),
            name: RwSignal::new(design.name.clone()),
            description: RwSignal::new(design.description.clone()),
            document: StoredValue::new(Document::new(Design::new("empty"))),
            entities: StoredValue::default(),
            indexes: StoredValue::default(),
            notes: StoredValue::default(),
            places: StoredValue::default(),
            entity_ids: RwSignal::default(),
            index_ids: RwSignal::default(),
            note_ids: RwSignal::default(),
            access_patterns: RwSignal::default(),
            revision: RwSignal::new(0),
            cards: RwSignal::new(0),
            undo_label: RwSignal::new(None),
            redo_label: RwSignal::new(None),
            selection: RwSignal::default(),
            wire: RwSignal::new(None),
            draft: RwSignal::new(None),
            spoken: RwSignal::default(),
            viewport: RwSignal::new(Viewport::default()),
            detail: RwSignal::new(Detail::All),
            opening: RwSignal::new(false),
            unpainted: RwSignal::new(false),
            working: RwSignal::new(false),
            progress: RwSignal::new(None),
            samples_changed: RwSignal::new(0),
            proofs: Proofs::new(),
            findings: Findings::new(),
            computing: Computing::new(),
            opened: RwSignal::new(0),
            notices: Notices::default(),
            view: View::new(),
        };
        store.open(design);
        store
    }

    /// Opens another design, with an empty history and an empty selection.
    pub fn open(self, design: Design) {
        let mut design = design;
        placement::place_missing(&mut design);
        choose_tints(&design);
        let changed = self
            .document
            .with_value(|document| diff(document.design(), &design));
        self.document.set_value(Document::new(design));
        self.draft.set(None);
        self.select_nothing();
        let samples: usize = self.with(|design| design.samples.values().map(|s| s.len()).sum());
        let is_large = samples > MANY;
        self.unpainted.set(is_large);
        self.forget_computed();
        self.show_signals(&changed);
        self.forget_proofs();
        self.forget_findings();
        match is_large {
            true => self.compute_later(),
            false => self.compute(),
        }
        self.opened.update(|count| *count += 1);
    }

    /// Runs a command and shows what it changed. A refused command changes nothing; its message belongs at the field
    /// where the value was typed.
    pub fn run(self, command: Command) -> Result<(), Refused> {
        let mut result = Ok(Diff::default());
        let (said, along) = self.with(|design| {
            (
                announcement(design, &command),
                command.along(design).is_some(),
            )
        });
        let text = self.text();
        (self.document).update_value(|document| result = document.run(command, clock::now()));
        let changed = result?;
        self.notices.pass();
        self.show(&changed);
        self.show_text(&changed, text);
        if let Some(said) = said.filter(|_| !changed.is_empty()) {
            self.spoken.set(said);
            // Deleting a card also deletes parts that are out of view.
            if along {
                self.offer_undo();
            }
        }
        Ok(())
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

    /// Shows what was done last, with a button that reverts it.
    pub fn offer_undo(self) {
        let done = self.spoken.get_untracked();
        self.notices
            .offer_undo([&done, ". Undo reverts this."].concat(), move || {
                self.undo();
            });
    }

    /// Reverts the last step.
    pub fn undo(self) {
        let label = self.undo_label.get_untracked();
        self.travel(Document::undo, undone, label);
    }

    /// Repeats the last undone step.
    pub fn redo(self) {
        let label = self.redo_label.get_untracked();
        self.travel(Document::redo, redone, label);
    }

    /// Ends the current undo step, because a field was left or a choice was made.
    pub fn leave_field(self) {
        self.document.update_value(Document::leave_field);
    }

    fn travel(
        self,
        step: fn(&mut Document) -> Option<Diff>,
        announced: fn(&str) -> String,
        label: Option<String>,
    ) {
        let mut changed = None;
        let text = self.text();
        self.document
            .update_value(|document| changed = step(document));
        if let Some(changed) = changed {
            self.notices.pass();
            self.show(&changed);
            self.show_text(&changed, text);
            self.spoken.set(announced(&label.unwrap_or_default()));
        }
    }

    /// The text of the design in the language; `None` if it was never shown. It may lag behind the design.
    pub fn text(self) -> Option<DesignText> {
        self.document
            .with_value(|document| document.text().cloned())
    }

    /// How many errors that text has.
    pub fn text_errors(self) -> usize {
        self.document
            .with_value(|document| document.text().map_or(0, |text| text.errors))
    }

    /// Sets that text. It is no step of the undo history.
    pub fn set_text(self, text: DesignText) {
        self.document
            .update_value(|document| document.set_text(text));
    }

    /// Counts a change to the text that changes nothing in the design, such as a comment.
    fn show_text(self, changed: &Diff, before: Option<DesignText>) {
        let text = |text: Option<DesignText>| text.map(|text| text.text);
        if changed.is_empty() && text(self.text()) != text(before) {
            self.revision.update(|count| *count += 1);
        }
    }

    /// Reads the current design, without subscribing to anything.
    pub fn with<T>(self, read: impl FnOnce(&Design) -> T) -> T {
        self.document.with_value(|document| read(document.design()))
    }

    /// The design with its undo history and the text being typed into a cell or a note. A cheap copy, which shares its parts.
    pub fn document(self) -> Document {
        let mut document = self.document.get_value();
        if let Some(draft) = self.draft.get_untracked() {
            // A text that is not a valid value yet is dropped.
            let _ = document.run(draft, clock::now());
        }
        document
    }

    /// Restores the undo history of the open design from a text ([`stored_history::from_text`]).
    pub fn restore_history(self, text: &str) {
        self.document.update_value(|document| {
            *document = stored_history::from_text(document.design().clone(), text);
        });
        self.show_history();
    }

    /// Selects one card and nothing else.
    pub fn select(self, card: CardId) {
        self.select_cards(Selection::from([card]));
    }

    /// Selects these cards and nothing else.
    pub fn select_cards(self, cards: Selection) {
        self.forget_wire();
        self.selection.set(cards);
    }

    /// Selects nothing.
    pub fn select_nothing(self) {
        self.select_cards(Selection::new());
    }

    /// Selects a wire and nothing else.
    pub fn select_wire(self, wire: (EntityId, IndexId)) {
        self.selection.set(Selection::new());
        self.wire.set(Some(wire));
    }

    fn forget_wire(self) {
        if self.wire.with_untracked(Option::is_some) {
            self.wire.set(None);
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

    /// Shows what changed, and computes what depends on it.
    fn show(self, changed: &Diff) {
        if !changed.entities.is_empty() {
            self.with(|design| {
                if design.entities.len() <= FEW {
                    free_tints(design);
                }
            });
        }
        self.show_signals(changed);
        let keys = changed.table || changed.delimiter || !changed.indexes.is_empty();
        if keys || !changed.entities.is_empty() || !changed.samples.is_empty() {
            self.compute();
        }
        self.invalidate_proofs(changed);
        self.invalidate_findings(changed);
    }

    /// Sets the signals of what changed. Lists come last, so that every listed id has its part.
    fn show_signals(self, changed: &Diff) {
        if changed.is_empty() {
            self.show_history();
            return;
        }
        self.with(|design| {
            self.show_parts(design, changed);
            if changed.title {
                self.name.set(design.name.clone());
                self.description.set(design.description.clone());
            }
            if changed.table {
                self.table.set(design.table.clone());
            }
            if changed.delimiter {
                self.delimiter.set(design.delimiter.clone());
            }
            if !changed.access_patterns.is_empty() {
                self.access_patterns.set(design.access_patterns.clone());
            }
        });
        let cards = !changed.layout.is_empty() || !changed.entities.is_empty();
        let cards = cards || !changed.indexes.is_empty() || !changed.notes.is_empty();
        if cards || changed.table {
            self.cards.update(|count| *count += 1);
        }
        let removed = !changed.entities.removed.is_empty() || !changed.indexes.removed.is_empty();
        if removed || !changed.notes.removed.is_empty() {
            let gone = |card: &CardId| self.with(|design| design.has_card(*card));
            if self
                .selection
                .with_untracked(|cards| !cards.iter().all(gone))
            {
                self.selection.update(|cards| cards.retain(gone));
            }
        }
        let gone = |(entity, index): &(EntityId, IndexId)| {
            self.entity(*entity)
                .is_none_or(|node| node.entity.with_untracked(|e| !e.keys.contains_key(index)))
        };
        if self
            .wire
            .with_untracked(|wire| wire.as_ref().is_some_and(gone))
        {
            self.wire.set(None);
        }
        self.show_history();
        self.revision.update(|count| *count += 1);
    }

    fn show_history(self) {
        self.document.with_value(|document| {
            let labels = [
                (self.undo_label, document.undo_label()),
                (self.redo_label, document.redo_label()),
            ];
            for (signal, label) in labels {
                if signal.with_untracked(|shown| shown.as_deref() != label) {
                    signal.set(label.map(str::to_owned));
                }
            }
        });
    }
}

/// Returns the store from the context.
pub fn use_store() -> Store {
    expect_context()
}
