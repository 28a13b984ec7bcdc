//! What actions act on: the open design, the page and its parts.

use super::action_target::ActionTarget;
use crate::ui::canvas::handle::CanvasHandle;
use crate::ui::designs::Designs;
use crate::ui::dialogs::compare::{CompareForm, MergeForm};
use crate::ui::dialogs::generate::GenerateForm;
use crate::ui::dialogs::import_design::ImportDesignForm;
use crate::ui::dialogs::import_samples::ImportForm;
use crate::ui::exports::panel_state::ExportsState;
use crate::ui::live_table::tab_memory::Tables;
use crate::ui::reactive::erased::RwSignal;
use crate::ui::reactive::follow_ids::{follow_signal, follow_value};
use crate::ui::state::action_registry::Subject;
use crate::ui::state::design_file::DesignFile;
use crate::ui::state::page_state::{PageState, Pane, Tab};
use crate::ui::state::store::Store;
use keyfold_app::moved_ids::HoldsIds;
use keyfold_compare::NewIds;
use keyfold_core::model::CardId;
use leptos::html::Input;
use leptos::prelude::*;

/// An action of the page.
pub type Action = crate::ui::state::action_registry::Action<AppContext>;

/// An open context menu.
#[derive(Debug, Clone, PartialEq)]
pub struct OpenMenu {
    /// What it was opened for.
    pub subject: Subject,
    /// What its actions act on.
    pub target: ActionTarget,
    /// The card, if it was opened for one.
    pub card: Option<CardId>,
    /// The card that was pressed and the selection before, if the menu adds it there or removes it.
    pub toggle: Option<(CardId, ActionTarget)>,
    /// Position of its corner, in CSS pixels from the top left of the window.
    pub corner: (f64, f64),
    /// The canvas position under it; `None` if it was opened by key or elsewhere.
    pub place: Option<(f64, f64)>,
    /// Whether it was opened by pointer.
    pub by_pointer: bool,
}

impl HoldsIds for OpenMenu {
    fn follow(&mut self, moved: &NewIds) {
        self.target.follow(moved);
        self.card.follow(moved);
        self.toggle.follow(moved);
    }
}

/// What an action acts on. A handle: copying it costs nothing.
#[derive(Clone, Copy)]
pub struct AppContext {
    /// The open design.
    pub store: Store,
    /// The arrangement of the page.
    pub page: PageState,
    /// The canvas.
    pub canvas: CanvasHandle,
    /// State of the live table that is kept from tab to tab.
    pub tables: Tables,
    /// State of the exports that is kept while the page is open.
    pub exporting: ExportsState,
    /// The stored designs.
    pub designs: Designs,
    /// Every action, in the order of the help, the palette and the menus.
    pub actions: &'static [&'static [Action]],
    /// Whether the help is open.
    pub help: RwSignal<bool>,
    /// Whether the pattern library is open.
    pub library: RwSignal<bool>,
    /// Whether the list of all designs is open.
    pub all_designs: RwSignal<bool>,
    /// The form for generating samples.
    pub generating: GenerateForm,
    /// The form for importing samples.
    pub importing: ImportForm,
    /// The form for importing designs.
    pub importing_design: ImportDesignForm,
    /// Whether the dialog for sharing is open.
    pub sharing: RwSignal<bool>,
    /// Whether the list of versions is open.
    pub versions: RwSignal<bool>,
    /// The file of the open design.
    pub design_file: DesignFile,
    /// The dialog that compares designs.
    pub comparing: CompareForm,
    /// The dialog that merges another version into the open design.
    pub merging: MergeForm,
    /// Whether the printed pages are in the page.
    pub printing: RwSignal<bool>,
    /// Whether the command palette is open.
    pub commands: RwSignal<bool>,
    /// The target that the command palette was opened for.
    pub target: StoredValue<Option<ActionTarget>>,
    /// The context menu, while it is open.
    pub menu: RwSignal<Option<OpenMenu>>,
    /// The hidden field for choosing a file to open.
    pub file: NodeRef<Input>,
    /// The canvas position for what the action adds; `None` for any free position.
    pub at: Option<(f64, f64)>,
}

impl AppContext {
    /// The context of a page with this store, arrangement and designs, and these actions.
    pub fn new(
        store: Store,
        page: PageState,
        designs: Designs,
        actions: &'static [&'static [Action]],
    ) -> Self {
        let importing = ImportForm::new(store);
        let importing_design = ImportDesignForm::new(store, designs, importing);
        let app = AppContext {
            store,
            page,
            canvas: CanvasHandle::new(store),
            tables: Tables::default(),
            exporting: ExportsState::new(),
            designs,
            actions,
            help: RwSignal::new(false),
            library: RwSignal::new(false),
            all_designs: RwSignal::new(false),
            generating: GenerateForm::new(store),
            importing,
            importing_design,
            sharing: RwSignal::new(false),
            versions: RwSignal::new(false),
            design_file: DesignFile::default(),
            comparing: CompareForm::new(store),
            merging: MergeForm::new(store, designs),
            printing: RwSignal::new(false),
            commands: RwSignal::new(false),
            target: StoredValue::new(None),
            menu: RwSignal::new(None),
            file: NodeRef::new(),
            at: None,
        };
        app.tables.follow_moved(store);
        store.when_moved(move |moved| {
            follow_value(app.target, moved);
            follow_signal(app.menu, moved);
        });
        app
    }

    /// Provides its parts to all views of the page.
    pub fn provide(self) {
        provide_context(self.store);
        provide_context(self.designs);
        provide_context(self.page);
        provide_context(self.canvas);
        provide_context(self.tables);
        provide_context(self.exporting);
        provide_context(self.generating);
        provide_context(self.comparing);
        provide_context(self);
    }

    /// Every action, in the order of the help, the palette and the menus.
    pub fn actions(self) -> impl Iterator<Item = &'static Action> {
        self.actions.iter().copied().flatten()
    }

    /// Runs an action on its target, or reports that the target no longer exists.
    pub fn run(self, action: &Action, target: &ActionTarget) {
        let is_here = !action.in_table || target.table(self.tables).is_some();
        self.act_on(target, action.name, || {
            let able = is_here && (action.enabled)(self);
            if able {
                (action.run)(self);
            }
            able
        });
    }

    /// Acts on a target. If it no longer exists, or `act` returns `false` for that reason, a message with this name says so.
    pub fn act_on(self, target: &ActionTarget, name: &str, act: impl FnOnce() -> bool) {
        if target.with(self.store, self.tables, act) != Some(true) {
            let text = format!("{name}: the target no longer exists.");
            self.store.notices.say(text);
        }
    }

    /// The current selection.
    pub fn target_now(self) -> ActionTarget {
        ActionTarget::now(self.store, self.tables)
    }

    /// Edits the name of the selected card, or the text of the selected note, in place.
    pub fn rename(self) {
        if self.canvas.is_seen() {
            return self.canvas.rename();
        }
        self.page.pane.set(Pane::Canvas);
        // The canvas enters the page only now; a hidden field takes no focus.
        self.store.view.next_frame(move || self.canvas.rename());
    }

    /// Shows the canvas and gives it the keyboard focus.
    pub fn go_to_canvas(self) {
        self.page.pane.set(Pane::Canvas);
        // The canvas may enter the page only now.
        self.store.view.next_frame(move || self.canvas.enter());
    }

    /// Selects a card, brings it into view and gives it the keyboard focus; shows an index's items.
    pub fn go_to_card(self, card: CardId) {
        self.store.select(card);
        self.page.pane.set(Pane::Canvas);
        if let CardId::Index(index) = card {
            self.page.tab.set(Tab::Items(index));
        }
        // The canvas may enter the page only now.
        self.store.view.next_frame(move || self.canvas.go_to(card));
    }
}

/// The app's context, from a view of the page.
pub fn use_app() -> AppContext {
    expect_context()
}
