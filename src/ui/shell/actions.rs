//! The table of all actions besides direct gestures. It binds the keys and fills the command palette, the context menu
//! and the help.

use super::app_context::{Action, AppContext};
use super::design_file;
use super::open_and_save::{Kind, download};
use super::table_actions::TABLE_ACTIONS;
use super::{command_palette, context_menu, guide_card, presentation, print, regions};
use crate::ui::access_patterns::add_access_pattern;
use crate::ui::canvas::pieces::{self, Piece};
use crate::ui::canvas::{heat, minimap, references};
use crate::ui::dialogs::generate::generate_with_defaults;
use crate::ui::problems;
use crate::ui::state::action_registry::{Subject, group};
use crate::ui::state::navigate::{focus_inspector, go_to_outline, show_tab};
use crate::ui::state::page_state::Tab;
use crate::ui::state::theme::Theme;
use keyfold_app::arrange::{Align, Axis};
use keyfold_app::viewport::Detail;
use keyfold_app::{Command, suggest};
use keyfold_core::model::{CardId, EntityId, IndexId};
use leptos::prelude::*;
use leptos::wasm_bindgen::JsCast;
use web_sys::HtmlElement;

/// The canvas itself.
const CANVAS: &[Subject] = &[Subject::Canvas];

/// What can be deleted.
const DELETABLE: &[Subject] = &[
    Subject::Entity,
    Subject::Index,
    Subject::Note,
    Subject::Several,
    Subject::Wire,
];

/// What can be moved or copied.
const COPYABLE: &[Subject] = &[
    Subject::Entity,
    Subject::Index,
    Subject::Note,
    Subject::Several,
];
/// A single card with a name.
const NAMED_CARD: &[Subject] = &[Subject::Entity, Subject::Index, Subject::Table];
/// Cards that can be arranged.
const SEVERAL_CARDS: &[Subject] = &[Subject::Several];

/// Every action, in the order of the help, the palette and the menus.
pub const ALL: &[&[Action]] = &[ACTIONS, TABLE_ACTIONS];

/// Every action, one by one.
pub fn actions() -> impl Iterator<Item = &'static Action> {
    ALL.iter().copied().flatten()
}

/// The actions of the page. If two have the same keys, the first enabled one runs.
const ACTIONS: &[Action] = &[
    Action::new(group::EDIT, "Undo", "Ctrl+Z", |r| r.store.undo())
        .in_fields()
        .when(|r| r.store.undo_label.with_untracked(Option::is_some)),
    Action::new(group::EDIT, "Redo", "Ctrl+Shift+Z, Ctrl+Y", |r| {
        r.store.redo();
    })
    .in_fields()
    .when(|r| r.store.redo_label.with_untracked(Option::is_some)),
    // Their keys arrive as the browser's clipboard events (`canvas/card_commands.rs`), which need no permission.
    Action::new(group::EDIT, "Copy", "Ctrl+C", |r| r.canvas.copy())
        .native()
        .context(COPYABLE)
        .when(copyable),
    Action::new(group::EDIT, "Cut", "Ctrl+X", |r| r.canvas.cut())
        .native()
        .context(COPYABLE)
        .when(copyable),
    Action::new(group::EDIT, "Paste", "Ctrl+V", |r| {
        r.canvas.paste(r.at);
    })
    .native()
    .context(CANVAS),
    Action::new(group::EDIT, "Duplicate", "Ctrl+D", |r| {
        r.canvas.duplicate();
    })
    .context(COPYABLE)
    .when(copyable),
    Action::new(group::EDIT, "Rename", "F2", |r| r.rename())
        .context(NAMED_CARD)
        .when(|r| r.store.selection.with_untracked(|cards| cards.len() == 1)),
    // F2 does the same, as it edits the name of other cards.
    Action::new(group::EDIT, "Edit note", "", |r| r.rename())
        .context(&[Subject::Note])
        .when(is_note_selected),
    Action::new(group::EDIT, "Delete", "Delete, Backspace", |r| {
        r.store.delete_selected();
    })
    .context(DELETABLE)
    .when(|r| selected(r) > 0 || r.store.wire.get_untracked().is_some()),
    Action::new(group::EDIT, "Select all", "Ctrl+A", select_all).context(CANVAS),
    Action::new(
        group::EDIT,
        "Leave field or clear selection",
        "Escape",
        escape,
    )
    .in_fields()
    .keys_only(),
    Action::new(group::ADD, "Add entity", "E", |r| add(r, Piece::Entity))
        .context(CANVAS)
        .also("new"),
    Action::new(group::ADD, "Add sample to selected entity", "R", |r| {
        let Some(entity) = selected_entity(r) else {
            return;
        };
        let values = (r.store).with(|design| suggest::next_sample(design, entity));
        r.store.perform(Command::AddSample(entity, values));
    })
    .context(&[Subject::Entity])
    .when(|r| selected_entity(r).is_some()),
    Action::new(group::SAMPLES, "Show only rows of entity", "O", |r| {
        if let Some(entity) = selected_entity(r) {
            r.tables.toggle_only(r.store, r.page, entity);
        }
    })
    .context(&[Subject::Entity])
    .when(|r| selected_entity(r).is_some())
    .also("filter only this"),
    Action::new(group::SAMPLES, "Generate samples…", "", |r| {
        r.generating.open(None);
    })
    .context(CANVAS)
    .when(|r| r.store.entity_ids.with_untracked(|ids| !ids.is_empty())),
    Action::new(
        group::SAMPLES,
        "Generate samples with defaults",
        "Shift+G",
        |r| {
            generate_with_defaults(r.generating);
        },
    )
    .context(CANVAS)
    .when(|r| r.store.entity_ids.with_untracked(|ids| !ids.is_empty()))
    .also("fill all now"),
    Action::new(group::SAMPLES, "Generate samples for entity…", "", |r| {
        r.generating.open(selected_entity(r));
    })
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
    Action::new(group::SAMPLES, "Download entity samples as CSV", "", |r| {
        download(r.store, selected_entity(r), Kind::Csv);
    })
    .when(|r| selected_entity(r).is_some() && has_samples(r)),
    Action::new(
        group::SAMPLES,
        "Download entity samples as DynamoDB JSON",
        "",
        |r| download(r.store, selected_entity(r), Kind::Json),
    )
    .when(|r| selected_entity(r).is_some() && has_samples(r)),
    Action::new(group::ADD, "Add GSI (global secondary index)", "G", |r| {
        add(r, Piece::Gsi);
    })
    .context(CANVAS)
    .also("new"),
    Action::new(group::ADD, "Add LSI (local secondary index)", "", |r| {
        add(r, Piece::Lsi);
    })
    .context(CANVAS)
    .also("new"),
    Action::new(group::ADD, "Add note", "N", |r| add(r, Piece::Note))
        .context(CANVAS)
        .also("new sticky comment"),
    Action::new(group::ADD, "Add access pattern", "", |r| {
        add_access_pattern(r.store, r.page);
    })
    .also("new query"),
    Action::new(group::ARRANGE, "Align left", "Alt+A", |r| {
        r.canvas.align(Align::Left);
    })
    .context(SEVERAL_CARDS)
    .when(|r| selected(r) > 1),
    Action::new(group::ARRANGE, "Align centers", "Alt+H", |r| {
        r.canvas.align(Align::Center);
    })
    .context(SEVERAL_CARDS)
    .when(|r| selected(r) > 1),
    Action::new(group::ARRANGE, "Align right", "Alt+D", |r| {
        r.canvas.align(Align::Right);
    })
    .context(SEVERAL_CARDS)
    .when(|r| selected(r) > 1),
    Action::new(group::ARRANGE, "Align top", "Alt+W", |r| {
        r.canvas.align(Align::Top);
    })
    .context(SEVERAL_CARDS)
    .when(|r| selected(r) > 1),
    Action::new(group::ARRANGE, "Align middles", "Alt+V", |r| {
        r.canvas.align(Align::Middle);
    })
    .context(SEVERAL_CARDS)
    .when(|r| selected(r) > 1),
    Action::new(group::ARRANGE, "Align bottom", "Alt+S", |r| {
        r.canvas.align(Align::Bottom);
    })
    .context(SEVERAL_CARDS)
    .when(|r| selected(r) > 1),
    Action::new(
        group::ARRANGE,
        "Distribute horizontally",
        "Alt+Shift+H",
        |r| r.canvas.distribute(Axis::Horizontal),
    )
    .context(SEVERAL_CARDS)
    .when(|r| selected(r) > 2),
    Action::new(
        group::ARRANGE,
        "Distribute vertically",
        "Alt+Shift+V",
        |r| r.canvas.distribute(Axis::Vertical),
    )
    .context(SEVERAL_CARDS)
    .when(|r| selected(r) > 2),
    Action::new(group::ARRANGE, "Arrange all cards", "Shift+A", |r| {
        r.canvas.arrange_all();
    })
    .context(CANVAS)
    .also("auto layout tidy"),
    Action::new(group::VIEW, "Show everything", "Shift+1", |r| {
        r.canvas.fit();
    })
    .context(CANVAS)
    .also("zoom to fit"),
    Action::new(group::VIEW, "Zoom to 100%", "1, Shift+0", |r| {
        r.canvas.actual_size();
    })
    .context(CANVAS)
    .also("actual size"),
    Action::new(group::VIEW, "Zoom in", "+, =", |r| r.canvas.zoom(1.25)),
    Action::new(group::VIEW, "Zoom out", "-", |r| {
        r.canvas.zoom(1.0 / 1.25);
    }),
    Action::new(group::VIEW, "Show selection", "Shift+2", |r| {
        r.canvas.fit_selection();
    })
    .context(COPYABLE)
    .when(|r| selected(r) > 0),
    Action::new(group::VIEW, "Show all attributes on cards", "Alt+1", |r| {
        r.store.detail.set(Detail::All);
    }),
    Action::new(group::VIEW, "Show only keys on cards", "Alt+2", |r| {
        r.store.detail.set(Detail::Keys);
    }),
    Action::new(group::VIEW, "Show only names on cards", "Alt+3", |r| {
        r.store.detail.set(Detail::Names);
    }),
    Action::new(group::VIEW, "Show or hide item collections", "I", |r| {
        let shown = r.canvas.groups;
        shown.update(|index| *index = index.is_none().then_some(IndexId::PRIMARY));
    })
    .context(CANVAS)
    .also("groups partitions"),
    Action::new(group::VIEW, "Show or hide minimap", "M", |r| {
        minimap::toggle(r.store, r.page, r.canvas);
    })
    .context(CANVAS),
    Action::new(group::VIEW, "Show or hide references", "Shift+R", |r| {
        references::toggle(r.store, r.page);
    })
    .context(CANVAS)
    .also("arrows relations foreign keys joins"),
    Action::new(group::VIEW, "Show or hide heat on the canvas", "Shift+H", |r| {
        heat::toggle(r.store, r.page);
    })
    .context(CANVAS)
    .also("hot partition keys load throttle cost heatmap"),
    Action::new(group::VIEW, "Show or hide outline", "", |r| {
        r.page.rail.update(|open| *open = !*open);
    })
    .also("left column sidebar"),
    Action::new(group::VIEW, "Show or hide panel", "", |r| {
        r.page.panel.update(|open| *open = !*open);
    }),
    Action::new(group::VIEW, "Start or end presentation", "P", |r| {
        presentation::toggle(r);
    })
    .context(CANVAS)
    .also("hide all panels full screen zen"),
    Action::new(group::VIEW, "Theme: light", "", |r| {
        r.page.theme.set(Theme::Light);
    })
    .when(|r| r.page.theme.get_untracked() != Theme::Light),
    Action::new(group::VIEW, "Theme: dark", "", |r| {
        r.page.theme.set(Theme::Dark);
    })
    .when(|r| r.page.theme.get_untracked() != Theme::Dark),
    Action::new(group::VIEW, "Theme: system", "", |r| {
        r.page.theme.set(Theme::System);
    })
    .when(|r| r.page.theme.get_untracked() != Theme::System),
    Action::new(group::GO, "Go to next region", "F6", |r| {
        regions::go(r, 1);
    })
    .in_fields(),
    Action::new(group::GO, "Go to previous region", "Shift+F6", |r| {
        regions::go(r, -1);
    })
    .in_fields(),
    Action::new(group::GO, "Go to canvas", "", |r| {
        r.go_to_canvas();
    }),
    Action::new(group::GO, "Go to inspector", "", |r| {
        focus_inspector(r.page);
    }),
    Action::new(group::GO, "Go to table settings", "", |r| {
        r.store.select(CardId::Index(IndexId::PRIMARY));
        r.store.view.next_frame(move || focus_inspector(r.page));
    })
    .also("settings properties billing capacity cost price TTL streams"),
    Action::new(group::GO, "Go to outline", "", |r| {
        go_to_outline(r.page);
    }),
    Action::new(group::GO, "Go to table", "", |r| {
        show_tab(r.store, r.page, Tab::Items(IndexId::PRIMARY));
    }),
    Action::new(group::GO, "Go to access patterns", "", |r| {
        r.page.coverage.set(false);
        show_tab(r.store, r.page, Tab::AccessPatterns);
    })
    .also("queries proofs cost read units"),
    Action::new(group::GO, "Go to coverage matrix", "", |r| {
        r.page.coverage.set(true);
        show_tab(r.store, r.page, Tab::AccessPatterns);
    })
    .when(|r| {
        r.store
            .access_patterns
            .with_untracked(|all| !all.is_empty())
    })
    .also("access patterns indexes overview"),
    Action::new(group::GO, "Go to problems", "", |r| {
        show_tab(r.store, r.page, Tab::Problems);
    })
    .also("fix findings lint errors warnings"),
    Action::new(group::GO, "Next finding", "F8", |r| {
        problems::go_to_next(r.store, r.page, r.canvas, 1);
    })
    .in_fields()
    .also("fix finding lint error warning"),
    Action::new(group::GO, "Previous finding", "Shift+F8", |r| {
        problems::go_to_next(r.store, r.page, r.canvas, -1);
    })
    .in_fields(),
    Action::new(group::GO, "Go to cost", "", |r| {
        show_tab(r.store, r.page, Tab::Cost);
    })
    .also("bill price dollars heat hot partition throttle shards workload"),
    Action::new(group::GO, "Go to text", "", |r| {
        show_tab(r.store, r.page, Tab::Text);
    })
    .also("language keyfold file editor"),
    Action::new(group::GO, "Go to exports", "", |r| {
        show_tab(r.store, r.page, Tab::Exports);
    })
    .also("code download CloudFormation Rust"),
    Action::new(group::DESIGN, "New design", "", |r| r.designs.add_new()),
    Action::new(group::DESIGN, "Show all designs…", "", |r| {
        r.all_designs.set(true);
    })
    .also("open list folders duplicate switch"),
    Action::new(group::DESIGN, "Start from pattern…", "", |r| {
        r.library.set(true);
    })
    .also("library examples templates"),
    Action::new(group::DESIGN, "Open Keyfold file…", "", |r| {
        design_file::open(r);
    })
    .also("import design"),
    Action::new(group::DESIGN, "Import files of other tools…", "", |r| {
        r.importing_design.open();
    })
    .also("NoSQL Workbench CloudFormation Terraform Serverless CDK OneTable ElectroDB items CSV JSON open"),
    Action::new(group::DESIGN, "Save as Keyfold file", "", |r| {
        design_file::save_as_file(r);
    })
    .also("download JSON disk"),
    Action::new(group::DESIGN, "Share as link…", "", |r| {
        r.sharing.set(true);
    })
    .also("URL send embed iframe"),
    Action::new(group::DESIGN, "Versions…", "", |r| {
        r.versions.set(true);
    })
    .also("history timeline restore earlier snapshot name"),
    Action::new(group::DESIGN, "Compare designs…", "", |r| {
        r.comparing.open();
    })
    .also("diff differences review changes"),
    Action::new(group::DESIGN, "Print design", "Ctrl+P", print::print)
        .in_fields()
        .also("paper PDF canvas tables"),
    Action::new(group::DESIGN, "Save now", "Ctrl+S", |r| {
        design_file::save_now(r);
    })
    .in_fields(),
    Action::new(group::HELP, "Guided first design", "", guide_card::begin)
        .also("tutorial tour learn"),
    Action::new(
        group::HELP,
        "Tour: index overloading",
        "",
        guide_card::begin_overloading,
    )
    .also("guide tutorial learn GSI"),
    Action::new(group::HELP, "Command palette", "Ctrl+K", |r| {
        command_palette::open(r);
    })
    .in_fields()
    .keys_only(),
    Action::new(
        group::HELP,
        "Open menu for selection",
        "Shift+F10, ContextMenu",
        context_menu::open_by_key,
    )
    .keys_only(),
    Action::new(group::HELP, "Keyboard and gestures", "?", |r| {
        r.help.set(true);
    })
    .also("help shortcuts"),
];

fn add(r: AppContext, piece: Piece) {
    match r.at {
        Some(at) => pieces::add(r.canvas, piece, at),
        None => pieces::add_in_middle(r.page, r.canvas, piece),
    }
}

fn selected(r: AppContext) -> usize {
    r.store.selection.with_untracked(|cards| cards.len())
}

fn selected_entity(r: AppContext) -> Option<EntityId> {
    r.store
        .selection
        .with_untracked(|cards| match (cards.first(), cards.len()) {
            (Some(CardId::Entity(id)), 1) => Some(*id),
            _ => None,
        })
}

fn is_note_selected(r: AppContext) -> bool {
    (r.store.selection)
        .with_untracked(|cards| matches!((cards.first(), cards.len()), (Some(CardId::Note(_)), 1)))
}

fn has_samples(r: AppContext) -> bool {
    (r.store).with(|design| design.samples.values().any(|samples| !samples.is_empty()))
}

fn copyable(r: AppContext) -> bool {
    removable(r) && r.store.wire.get_untracked().is_none()
}

fn removable(r: AppContext) -> bool {
    let primary = CardId::Index(IndexId::PRIMARY);
    r.store.wire.get_untracked().is_some()
        || (r.store.selection).with_untracked(|cards| cards.iter().any(|card| *card != primary))
}

fn select_all(r: AppContext) {
    let all = r.store.with(|design| design.cards().collect());
    r.store.select_cards(all);
}

fn escape(r: AppContext) {
    if r.canvas.is_busy() {
        // Escape cancels the gesture instead.
        return;
    }
    if r.page.presents.get_untracked() {
        return presentation::toggle(r);
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

/// Moves the focus from a search field of the panel to the list that it searches.
fn focus_list(r: AppContext, field: &HtmlElement) {
    let Ok(Some(panel)) = field.closest(".panel") else {
        return;
    };
    if let Some(table) = r.tables.shown.get_value()
        && field.closest(".table-bar").is_ok_and(|bar| bar.is_some())
    {
        table.focus();
    } else if let Ok(Some(option)) = panel.query_selector("[role=option][tabindex='0']")
        && let Ok(option) = option.dyn_into::<HtmlElement>()
    {
        let _ = option.focus();
    }
}
