//! The open design as signals. Each part of the document has its own signal, so that a change re-runs only what shows
//! that part. The document itself is not reactive: it changes only through [`Store::run`], undo, redo and
//! [`Store::open`], and the resulting [`Diff`](keyfold_app::Diff) decides which signals are set.
//!
//! Canvas positions are separate: dragging a card sets only its position signal.

mod computing;
pub mod costs;
mod design_text;
mod edits;
mod findings;
mod marked_rows;
mod moved_ids;
mod part_signals;
mod proofs;
mod selection;
mod shared_costs;
mod show_changes;
mod workload_findings;

use super::notices::Notices;
use crate::platform::clock;
use crate::ui::dom::tints::choose_tints;
use crate::ui::reactive::by_ptr::ByPtr;
use crate::ui::reactive::erased::RwSignal;
use crate::ui::reactive::later::View;
use crate::ui::reactive::on_demand::{LoadError, Loading, poll_once};
use crate::ui::reactive::sliced_task::When;
use computing::Computing;
pub use findings::Docs;
use findings::Findings;
use keyfold_app::viewport::{Detail, Selection, Viewport};
use keyfold_app::{Command, Document, diff};
use keyfold_compare::NewIds;
use keyfold_core::model::{
    AccessPattern, AccessPatternId, CardId, DelimiterPolicy, Design, EntityId, IndexId, Note,
    NoteId, SortedMap, Table, Workload,
};
use keyfold_cost::heat::HeatLayer;
use leptos::prelude::*;
pub use part_signals::{CanvasPlace, EntityNode, IndexNode};
use proofs::Proofs;
use shared_costs::SharedCosts;
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
    /// The workload: traffic, data and prices.
    pub workload: RwSignal<Arc<Workload>>,
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
    /// The heat, while the canvas shows it and once it is computed.
    pub heat: RwSignal<Option<ByPtr<HeatLayer>>>,
    shared_costs: SharedCosts,
    computing: Computing,
    /// Whether commands are refused: the design is that of a link.
    pub is_read_only: RwSignal<bool>,
    /// Counts the opened designs, so that views can reset for the next design.
    pub opened: RwSignal<u64>,
    /// Counts the numberings of the open design: the opened designs, and the merges that gave parts other ids. An id of another
    /// numbering can be that of another part.
    pub numbering: RwSignal<u64>,
    /// What follows when parts have other ids, with the views that hold them.
    followers: StoredValue<Vec<(View, Callback<NewIds>)>>,
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
    pub fn new(document: Document) -> Self {
        let design = document.design();
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
            workload: RwSignal::default(),
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
            heat: RwSignal::new(None),
            shared_costs: SharedCosts::new(),
            computing: Computing::new(),
            is_read_only: RwSignal::new(false),
            opened: RwSignal::new(0),
            numbering: RwSignal::new(0),
            followers: StoredValue::default(),
            notices: Notices::default(),
            view: View::new(),
        };
        store.open(document);
        store
    }

    /// Opens another design, all cards of which have a place, with an empty selection.
    pub fn open(self, document: Document) {
        choose_tints(document.design());
        // Messages about the last change offer to undo it: that would be a change of this design.
        self.notices.pass();
        let changed = self
            .document
            .with_value(|before| diff(before.design(), document.design()));
        self.document.set_value(document);
        self.is_read_only.set(false);
        self.draft.set(None);
        self.select_nothing();
        let samples: usize = self.with(|design| design.samples.values().map(|s| s.len()).sum());
        let is_large = samples > MANY;
        self.unpainted.set(is_large);
        self.forget_computed();
        self.show_signals(&changed);
        self.show_places();
        self.forget_proofs();
        self.forget_findings();
        match is_large {
            true => self.compute_later(),
            false => self.compute(),
        }
        self.opened.update(|count| *count += 1);
        self.numbering.update(|count| *count += 1);
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
}

/// Returns the store from the context.
pub fn use_store() -> Store {
    expect_context()
}
