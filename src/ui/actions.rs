//! Everything that can be done besides direct gestures, in one table: it binds the keys, and it fills the command
//! palette, the context menu and the help.

use super::asked::Asked;
use super::command_palette;
use super::context_menu::{self, Opened};
use super::designs::Designs;
use super::desk::{Desk, Pane, Tab, Theme};
use super::generate::Generating;
use super::keyboard;
use super::live_table::TABLE_ACTIONS;
use super::palette::{self, Piece};
use super::problems;
use super::sample_files::{Importing, Kind, download};
use super::store::Store;
use super::top_bar;
use crate::ui::parts::erased::RwSignal;
use crate::ui::parts::focus::focus_soon;
use keyfold_app::arrange::{Align, Axis};
use keyfold_app::session::Detail;
use keyfold_app::{Command, suggest};
use keyfold_core::model::{CardId, EntityId, IndexId};
use leptos::html::Input;
use leptos::prelude::*;
use leptos::wasm_bindgen::JsCast;
use web_sys::HtmlElement;

/// What an action acts on. A handle: copying it costs nothing.
#[derive(Clone, Copy)]
pub struct Reach {
    /// The open design.
    pub store: Store,
    /// The arrangement of the page.
    pub desk: Desk,
    /// The stored designs.
    pub designs: Designs,
    /// Whether the help is open.
    pub help: RwSignal<bool>,
    /// Whether the pattern library is open.
    pub library: RwSignal<bool>,
    /// The form for generating samples.
    pub generating: Generating,
    /// The form for importing samples.
    pub importing: Importing,
    /// Whether the command palette is open.
    pub commands: RwSignal<bool>,
    /// What the command palette was opened for.
    pub asked: StoredValue<Option<Asked>>,
    /// The context menu, while it is open.
    pub menu: RwSignal<Option<Opened>>,
    /// The hidden field that lets one choose a file to open.
    pub file: NodeRef<Input>,
    /// The canvas place where the action is wanted; `None`: wherever it fits.
    pub at: Option<(f64, f64)>,
}

impl Reach {
    /// All there is to reach in a page with this store, desk and designs.
    pub fn new(store: Store, desk: Desk, designs: Designs) -> Self {
        Reach {
            store,
            desk,
            designs,
            help: RwSignal::new(false),
            library: RwSignal::new(false),
            generating: Generating::new(store),
            importing: Importing::new(store),
            commands: RwSignal::new(false),
            asked: StoredValue::new(None),
            menu: RwSignal::new(None),
            file: NodeRef::new(),
            at: None,
        }
    }
}

/// The reach of the page, from the context.
pub fn use_reach() -> Reach {
    expect_context()
}

/// What a context menu is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Subject {
    /// The empty canvas.
    Canvas,
    /// The card of the primary key.
    Table,
    /// One entity.
    Entity,
    /// One secondary index.
    Index,
    /// Several cards.
    Several,
    /// The wire of an entity to an index.
    Wire,
    /// Cells or rows of the live table.
    Cells,
    /// A column of the live table.
    Column,
}

/// The canvas itself.
const CANVAS: &[Subject] = &[Subject::Canvas];
/// Whatever can be taken away.
const GOES: &[Subject] = &[
    Subject::Entity,
    Subject::Index,
    Subject::Several,
    Subject::Wire,
];
/// Whatever can be moved elsewhere or copied.
const PARTS: &[Subject] = &[Subject::Entity, Subject::Index, Subject::Several];
/// A single card.
const ONE: &[Subject] = &[Subject::Entity, Subject::Index, Subject::Table];
/// Cards that can be put in order.
const SEVERAL: &[Subject] = &[Subject::Several];

/// The headings of the help and the palette.
pub mod group {
    /// The design as a whole: files, the library.
    pub const DESIGN: &str = "Design";
    /// Changes of what is there.
    pub const EDIT: &str = "Edit";
    /// Rows of sample data.
    pub const SAMPLES: &str = "Samples";
    /// New parts.
    pub const ADD: &str = "Add";
    pub const ARRANGE: &str = "Arrange";
    /// What is seen, and how.
    pub const VIEW: &str = "View";
    /// The cells, rows and columns of the live table.
    pub const TABLE: &str = "Table";
    /// Where the keyboard focus goes.
    pub const GO: &str = "Go to";
    /// Ways to all the rest.
    pub const HELP: &str = "Find and help";
}

/// Something that can be done.
pub struct Action {
    /// The heading that it stands under.
    pub group: &'static str,
    /// What it does, in a few words.
    pub name: &'static str,
    /// Its key combinations, parted by `, `; empty if it has none. What is written here is what is bound, see
    /// [`keyboard::Chord`].
    pub keys: &'static str,
    /// Whether the keys also work while one types in a field.
    pub in_fields: bool,
    /// Whether the keys work only while a cell of the table has the focus; there they go before those of the page.
    pub in_table: bool,
    /// Whether it is done by its keys alone, not from the palette.
    pub keys_only: bool,
    /// Whether its keys are the browser's, which tells the page by events of their own.
    pub native: bool,
    /// Other words for it, by which the palette finds it too.
    pub also: &'static str,
    /// The context menus that offer it.
    pub context: &'static [Subject],
    /// Whether it would do anything now.
    pub enabled: fn(Reach) -> bool,
    /// Does it.
    pub run: fn(Reach),
}

impl Action {
    /// An action that can always be done and that no menu offers.
    pub const fn new(
        group: &'static str,
        name: &'static str,
        keys: &'static str,
        run: fn(Reach),
    ) -> Self {
        Action {
            group,
            name,
            keys,
            in_fields: false,
            in_table: false,
            keys_only: false,
            native: false,
            also: "",
            context: &[],
            enabled: |_| true,
            run,
        }
    }

    const fn in_fields(self) -> Self {
        Action {
            in_fields: true,
            ..self
        }
    }

    const fn keys_only(self) -> Self {
        Action {
            keys_only: true,
            ..self
        }
    }

    const fn native(self) -> Self {
        Action {
            native: true,
            ..self
        }
    }

    const fn also(self, also: &'static str) -> Self {
        Action { also, ..self }
    }

    /// The same for the table: its keys are the table's.
    pub const fn in_table(self) -> Self {
        Action {
            in_table: true,
            ..self
        }
    }

    /// The same, offered in these menus.
    pub const fn context(self, context: &'static [Subject]) -> Self {
        Action { context, ..self }
    }

    /// The same, where it would do something only while this holds.
    pub const fn when(self, enabled: fn(Reach) -> bool) -> Self {
        Action { enabled, ..self }
    }
}

/// Every action, in the order of the help, the palette and the menus.
pub fn actions() -> impl Iterator<Item = &'static Action> {
    ACTIONS.iter().chain(TABLE_ACTIONS)
}

/// The actions of the page. Of two with the same keys the first that is enabled is done.
const ACTIONS: &[Action] = &[
    Action::new(group::EDIT, "Undo", "Ctrl+Z", |r| r.store.undo())
        .in_fields()
        .when(|r| r.store.undo_label.with_untracked(Option::is_some)),
    Action::new(group::EDIT, "Redo", "Ctrl+Shift+Z, Ctrl+Y", |r| {
        r.store.redo();
    })
    .in_fields()
    .when(|r| r.store.redo_label.with_untracked(Option::is_some)),
    // Their keys are the browser's own events (`canvas/edit.rs`), which need no permission.
    Action::new(group::EDIT, "Copy", "Ctrl+C", |r| r.desk.canvas.copy())
        .native()
        .context(PARTS)
        .when(copyable),
    Action::new(group::EDIT, "Cut", "Ctrl+X", |r| r.desk.canvas.cut())
        .native()
        .context(PARTS)
        .when(copyable),
    Action::new(group::EDIT, "Paste", "Ctrl+V", |r| {
        r.desk.canvas.paste(r.at);
    })
    .native()
    .context(CANVAS),
    Action::new(group::EDIT, "Duplicate", "Ctrl+D", |r| {
        r.desk.canvas.duplicate();
    })
    .context(PARTS)
    .when(copyable),
    Action::new(group::EDIT, "Rename", "F2", |r| r.desk.canvas.rename())
        .context(ONE)
        .when(|r| r.store.selection.with_untracked(|cards| cards.len() == 1)),
    Action::new(group::EDIT, "Delete", "Delete, Backspace", |r| {
        r.store.delete_selected();
    })
    .context(GOES)
    .when(|r| selected(r) > 0 || r.store.wire.get_untracked().is_some()),
    Action::new(group::EDIT, "Select all", "Ctrl+A", select_all).context(CANVAS),
    Action::new(
        group::EDIT,
        "Leave a field, or select nothing",
        "Escape",
        escape,
    )
    .in_fields()
    .keys_only(),
    Action::new(group::ADD, "Add an entity", "E", |r| add(r, Piece::Entity))
        .context(CANVAS)
        .also("new"),
    Action::new(group::ADD, "Add a row of the selected entity", "R", |r| {
        let Some(entity) = selected_entity(r) else {
            return;
        };
        let values = (r.store).with(|design| suggest::next_sample(design, entity));
        r.store.perform(Command::AddSample(entity, values));
    })
    .context(&[Subject::Entity])
    .when(|r| selected_entity(r).is_some()),
    Action::new(group::SAMPLES, "Generate samples…", "", |r| {
        r.generating.open(None);
    })
    .context(CANVAS)
    .when(|r| r.store.entity_ids.with_untracked(|ids| !ids.is_empty())),
    Action::new(
        group::SAMPLES,
        "Generate samples of the entity…",
        "",
        |r| {
            r.generating.open(selected_entity(r));
        },
    )
    .context(&[Subject::Entity])
    .when(|r| selected_entity(r).is_some()),
    Action::new(group::SAMPLES, "Import samples…", "", |r| {
        r.importing.open();
    })
    .when(|r| r.store.entity_ids.with_untracked(|ids| !ids.is_empty()))
    .also("CSV JSON items"),
    Action::new(group::SAMPLES, "Download samples as CSV", "", |r| {
        download(r.store, None, Kind::Csv);
    })
    .when(has_samples),
    Action::new(
        group::SAMPLES,
        "Download samples as DynamoDB JSON",
        "",
        |r| {
            download(r.store, None, Kind::Json);
        },
    )
    .when(has_samples),
    Action::new(
        group::SAMPLES,
        "Download the entity's samples as CSV",
        "",
        |r| {
            download(r.store, selected_entity(r), Kind::Csv);
        },
    )
    .when(|r| selected_entity(r).is_some() && has_samples(r)),
    Action::new(
        group::SAMPLES,
        "Download the entity's samples as DynamoDB JSON",
        "",
        |r| download(r.store, selected_entity(r), Kind::Json),
    )
    .when(|r| selected_entity(r).is_some() && has_samples(r)),
    Action::new(group::ADD, "Add a global secondary index", "G", |r| {
        add(r, Piece::Gsi);
    })
    .context(CANVAS)
    .also("new GSI"),
    Action::new(group::ADD, "Add a local secondary index", "", |r| {
        add(r, Piece::Lsi);
    })
    .context(CANVAS)
    .also("new LSI"),
    Action::new(group::ADD, "Add an access pattern", "", |r| {
        super::patterns::add_access_pattern(r.store, r.desk);
    })
    .also("new query"),
    Action::new(group::ARRANGE, "Align left", "Alt+A", |r| {
        r.desk.canvas.align(Align::Left);
    })
    .context(SEVERAL)
    .when(|r| selected(r) > 1),
    Action::new(group::ARRANGE, "Align centers", "Alt+H", |r| {
        r.desk.canvas.align(Align::Center);
    })
    .context(SEVERAL)
    .when(|r| selected(r) > 1),
    Action::new(group::ARRANGE, "Align right", "Alt+D", |r| {
        r.desk.canvas.align(Align::Right);
    })
    .context(SEVERAL)
    .when(|r| selected(r) > 1),
    Action::new(group::ARRANGE, "Align top", "Alt+W", |r| {
        r.desk.canvas.align(Align::Top);
    })
    .context(SEVERAL)
    .when(|r| selected(r) > 1),
    Action::new(group::ARRANGE, "Align middles", "Alt+V", |r| {
        r.desk.canvas.align(Align::Middle);
    })
    .context(SEVERAL)
    .when(|r| selected(r) > 1),
    Action::new(group::ARRANGE, "Align bottom", "Alt+S", |r| {
        r.desk.canvas.align(Align::Bottom);
    })
    .context(SEVERAL)
    .when(|r| selected(r) > 1),
    Action::new(
        group::ARRANGE,
        "Distribute horizontally",
        "Alt+Shift+H",
        |r| r.desk.canvas.distribute(Axis::Horizontal),
    )
    .context(SEVERAL)
    .when(|r| selected(r) > 2),
    Action::new(
        group::ARRANGE,
        "Distribute vertically",
        "Alt+Shift+V",
        |r| r.desk.canvas.distribute(Axis::Vertical),
    )
    .context(SEVERAL)
    .when(|r| selected(r) > 2),
    Action::new(group::ARRANGE, "Arrange all cards", "Shift+A", |r| {
        r.desk.canvas.arrange_all();
    })
    .context(CANVAS)
    .also("auto layout tidy"),
    Action::new(group::VIEW, "Show everything", "Ctrl+0, Shift+1", |r| {
        r.desk.canvas.fit();
    })
    .in_fields()
    .context(CANVAS)
    .also("zoom to fit"),
    Action::new(group::VIEW, "Zoom to 100 %", "1", |r| {
        r.desk.canvas.actual_size();
    })
    .context(CANVAS)
    .also("actual size"),
    Action::new(group::VIEW, "Zoom in", "+, =", |r| r.desk.canvas.zoom(1.25)),
    Action::new(group::VIEW, "Zoom out", "-", |r| {
        r.desk.canvas.zoom(1.0 / 1.25);
    }),
    Action::new(group::VIEW, "Show the selection", "Shift+2", |r| {
        r.desk.canvas.fit_selection();
    })
    .context(PARTS)
    .when(|r| selected(r) > 0),
    Action::new(group::VIEW, "Cards show all attributes", "Alt+1", |r| {
        r.store.detail.set(Detail::All);
    }),
    Action::new(group::VIEW, "Cards show keys only", "Alt+2", |r| {
        r.store.detail.set(Detail::Keys);
    }),
    Action::new(group::VIEW, "Cards show names only", "Alt+3", |r| {
        r.store.detail.set(Detail::Names);
    }),
    Action::new(group::VIEW, "Show or hide item collections", "I", |r| {
        let shown = r.desk.canvas.groups;
        shown.update(|index| *index = index.is_none().then_some(IndexId::PRIMARY));
    })
    .context(CANVAS)
    .also("groups partitions"),
    Action::new(group::VIEW, "Show or hide the minimap", "M", |r| {
        let shown = !r.desk.minimap.get_untracked();
        r.desk.minimap.set(shown);
        (r.store.spoken).set(format!("Minimap {}", if shown { "on" } else { "off" }));
    })
    .context(CANVAS),
    Action::new(group::VIEW, "Show or hide the outline", "", |r| {
        r.desk.rail.update(|open| *open = !*open);
    }),
    Action::new(group::VIEW, "Show or hide the panel", "", |r| {
        r.desk.panel.update(|open| *open = !*open);
    }),
    Action::new(group::VIEW, "Theme: light", "", |r| {
        r.desk.theme.set(Theme::Light);
    })
    .when(|r| r.desk.theme.get_untracked() != Theme::Light),
    Action::new(group::VIEW, "Theme: dark", "", |r| {
        r.desk.theme.set(Theme::Dark);
    })
    .when(|r| r.desk.theme.get_untracked() != Theme::Dark),
    Action::new(group::VIEW, "Theme: as the system", "", |r| {
        r.desk.theme.set(Theme::System);
    })
    .when(|r| r.desk.theme.get_untracked() != Theme::System),
    Action::new(group::GO, "Go to the canvas", "", go_to_canvas),
    Action::new(group::GO, "Go to the inspector", "", |r| {
        keyboard::focus_inspector(r.desk);
    }),
    Action::new(group::GO, "Go to the outline", "", go_to_outline),
    Action::new(group::GO, "Go to the table", "", |r| {
        show_tab(r, Tab::Items(IndexId::PRIMARY));
    }),
    Action::new(group::GO, "Go to the access patterns", "", |r| {
        show_tab(r, Tab::AccessPatterns);
    }),
    Action::new(group::GO, "Go to the problems", "", |r| {
        show_tab(r, Tab::Problems);
    }),
    Action::new(group::GO, "Next problem", "F8", |r| problems::step(r, 1))
        .in_fields()
        .also("lint error warning"),
    Action::new(group::GO, "Previous problem", "Shift+F8", |r| {
        problems::step(r, -1);
    })
    .in_fields(),
    Action::new(group::GO, "Go to the exports", "", |r| {
        show_tab(r, Tab::Code);
    }),
    Action::new(group::DESIGN, "New design", "", |r| r.designs.add_new()),
    Action::new(group::DESIGN, "Start from a pattern…", "", |r| {
        r.library.set(true);
    })
    .also("library examples templates"),
    Action::new(group::DESIGN, "Open a Keyfold file…", "", |r| {
        top_bar::choose_file(r.file);
    })
    .also("import design"),
    Action::new(group::DESIGN, "Save as a Keyfold file", "", |r| {
        top_bar::save_file(r.store);
    })
    .also("download JSON"),
    Action::new(group::DESIGN, "Store now", "Ctrl+S", |r| {
        r.designs.store_now();
    })
    .in_fields(),
    Action::new(group::HELP, "Guided first design", "", super::guide::begin).also("tutorial tour"),
    Action::new(group::HELP, "Search and commands", "Ctrl+K", |r| {
        command_palette::open(r);
    })
    .in_fields()
    .keys_only(),
    Action::new(
        group::HELP,
        "Menu of what is selected",
        "Shift+F10, ContextMenu",
        context_menu::open_by_key,
    )
    .keys_only(),
    Action::new(group::HELP, "Keyboard and gestures", "?", |r| {
        r.help.set(true);
    })
    .also("help shortcuts"),
];

fn add(r: Reach, piece: Piece) {
    match r.at {
        Some(at) => palette::add(r.store, piece, at),
        None => palette::add_in_middle(r.store, r.desk, piece),
    }
}

fn selected(r: Reach) -> usize {
    r.store.selection.with_untracked(|cards| cards.len())
}

fn selected_entity(r: Reach) -> Option<EntityId> {
    r.store
        .selection
        .with_untracked(|cards| match (cards.first(), cards.len()) {
            (Some(CardId::Entity(id)), 1) => Some(*id),
            _ => None,
        })
}

fn has_samples(r: Reach) -> bool {
    (r.store).with(|design| design.samples.values().any(|samples| !samples.is_empty()))
}

fn copyable(r: Reach) -> bool {
    removable(r) && r.store.wire.get_untracked().is_none()
}

fn removable(r: Reach) -> bool {
    let primary = CardId::Index(IndexId::PRIMARY);
    r.store.wire.get_untracked().is_some()
        || (r.store.selection).with_untracked(|cards| cards.iter().any(|card| *card != primary))
}

fn select_all(r: Reach) {
    let all = r.store.with(|design| design.cards().collect());
    r.store.select_cards(all);
}

fn escape(r: Reach) {
    if r.desk.canvas.is_busy() {
        // The gesture is what Escape cancels.
        return;
    }
    let active = document().active_element();
    let field = active
        .and_then(|element| element.dyn_into::<HtmlElement>().ok())
        .filter(|element| matches!(element.tag_name().as_str(), "INPUT" | "TEXTAREA" | "SELECT"));
    match field {
        Some(field) => {
            let _ = field.blur();
            if field.matches("[type=search]").unwrap_or_default() {
                focus_list(r, &field);
            }
        }
        None => r.store.select_nothing(),
    }
}

/// Gives the focus to what a search field of the panel searches.
fn focus_list(r: Reach, field: &HtmlElement) {
    let Ok(Some(panel)) = field.closest(".panel") else {
        return;
    };
    if let Some(grid) = r.desk.tables.shown.get_value()
        && field.closest(".table-bar").is_ok_and(|bar| bar.is_some())
    {
        grid.focus();
    } else if let Ok(Some(option)) = panel.query_selector("[role=option][tabindex='0']")
        && let Ok(option) = option.dyn_into::<HtmlElement>()
    {
        let _ = option.focus();
    }
}

/// Selects a card, brings it into view and gives it the keyboard focus; shows an index's items.
pub fn go_to_card(r: Reach, card: CardId) {
    r.store.select(card);
    r.desk.pane.set(Pane::Canvas);
    if let CardId::Index(index) = card {
        r.desk.tab.set(Tab::Items(index));
    }
    // The canvas may only now have come into the page.
    r.store.view.next_frame(move || r.desk.canvas.go_to(card));
}

/// Brings a tab of the panel to the front and gives it the keyboard focus.
pub fn show_tab(r: Reach, tab: Tab) {
    r.desk.show(tab);
    let inside = match tab {
        Tab::Items(_) if r.store.with(|design| !design.entities.is_empty()) => {
            ".grid-body [tabindex=\"0\"], .table-empty button, [data-grid]"
        }
        _ => ".panel-tabs [aria-selected=true]",
    };
    focus_soon(inside.into());
}

/// Gives the keyboard focus to the selected card, or to the first one.
pub fn go_to_canvas(r: Reach) {
    r.desk.pane.set(Pane::Canvas);
    let selected = (r.store.selection).with_untracked(|cards| cards.first().copied());
    focus_soon(match selected {
        Some(card) => format!("[data-card=\"{card}\"]"),
        None => ".canvas [data-card]".into(),
    });
}

fn go_to_outline(r: Reach) {
    r.desk.pane.set(Pane::Outline);
    r.desk.rail.set(true);
    focus_soon(".rail input".into());
}
