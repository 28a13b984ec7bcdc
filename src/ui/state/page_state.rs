//! The arrangement of the page: open regions, their sizes and the theme. Kept in local storage, separate from designs.

use super::store::Store;
use super::theme::{self, Theme};
use crate::platform::storage::Local;
use crate::ui::dom::element::window_size;
use crate::ui::reactive::erased::{RwSignal, effect};
use crate::ui::reactive::follow_ids::follow_signal;
use keyfold_app::moved_ids::HoldsIds;
use keyfold_app::viewport::Detail;
use keyfold_app::workspace::Storage;
use keyfold_compare::NewIds;
use keyfold_core::model::IndexId;
use leptos::prelude::*;
use serde::{Deserialize, Serialize};
use std::ops::RangeInclusive;

const KEY: &str = "keyfold:desk";

/// What the bottom panel shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Tab {
    /// The items of the table or an index.
    Items(IndexId),
    /// The access patterns.
    AccessPatterns,
    /// The findings of the linter.
    Problems,
    /// What the design costs, and where it gets hot.
    Cost,
    /// The design as text.
    Text,
    /// The exports.
    Exports,
}

impl Tab {
    /// The `id` of the tab's element in the tab list.
    pub fn element_id(self) -> String {
        match self {
            Tab::Items(id) => format!("tab-{id}"),
            Tab::AccessPatterns => "tab-access-patterns".into(),
            Tab::Problems => "tab-problems".into(),
            Tab::Cost => "tab-cost".into(),
            Tab::Text => "tab-text".into(),
            Tab::Exports => "tab-export".into(),
        }
    }

    /// Whether a form, a proof or a text needs more height than rows.
    pub fn is_tall(self) -> bool {
        matches!(self, Tab::AccessPatterns | Tab::Cost | Tab::Text)
    }
}

impl HoldsIds for Tab {
    fn follow(&mut self, moved: &NewIds) {
        if let Tab::Items(index) = self {
            index.follow(moved);
        }
    }
}

/// The regions of a small screen, shown one at a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pane {
    /// Palette and outline.
    Outline,
    /// The canvas.
    Canvas,
    /// The inspector.
    Inspector,
    /// The bottom panel.
    Data,
}

/// The place in a tour.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct TourPlace {
    /// The number of the tour.
    pub tour: usize,
    /// The number of its next step, counted from 0.
    pub step: usize,
    /// The number of the design that it began in, see `Store::opened`.
    pub opened: u64,
}

/// How narrow and how wide the outline can be made, in CSS pixels.
pub const OUTLINE_WIDTHS: RangeInclusive<f64> = 180.0..=480.0;
/// How narrow and how wide the inspector can be made.
pub const INSPECTOR_WIDTHS: RangeInclusive<f64> = 260.0..=640.0;
/// How narrow and how wide the text beside the canvas can be made.
pub const TEXT_WIDTHS: RangeInclusive<f64> = 300.0..=900.0;
/// How low and how high the bottom panel can be made.
pub const PANEL_HEIGHTS: RangeInclusive<f64> = 120.0..=900.0;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Arrangement {
    theme: Theme,
    rail: bool,
    panel: bool,
    panel_height: f64,
    rail_width: f64,
    inspector_width: f64,
    text_beside: bool,
    text_width: f64,
    detail: Detail,
    minimap: bool,
    references: bool,
    letters: bool,
}

impl Default for Arrangement {
    fn default() -> Self {
        Arrangement {
            theme: Theme::System,
            rail: true,
            panel: true,
            panel_height: 300.0,
            rail_width: 212.0,
            inspector_width: 340.0,
            text_beside: false,
            text_width: 440.0,
            detail: Detail::All,
            minimap: true,
            references: false,
            letters: true,
        }
    }
}

/// The arrangement of the page. A handle: copying it costs nothing.
#[derive(Clone, Copy)]
pub struct PageState {
    /// What the bottom panel shows.
    pub tab: RwSignal<Tab>,
    /// The running tour and its next step; `None` if no tour is running.
    pub guide: RwSignal<Option<TourPlace>>,
    /// The region that a small screen shows.
    pub pane: RwSignal<Pane>,
    /// The theme.
    pub theme: RwSignal<Theme>,
    /// Whether the rail is open.
    pub rail: RwSignal<bool>,
    /// Whether the bottom panel is open.
    pub panel: RwSignal<bool>,
    /// Height of the bottom panel, in CSS pixels.
    pub panel_height: RwSignal<f64>,
    /// Width of the rail, in CSS pixels.
    pub rail_width: RwSignal<f64>,
    /// Width of the inspector, in CSS pixels.
    pub inspector_width: RwSignal<f64>,
    /// Whether the text is shown beside the canvas, on a wide screen, and not below it.
    pub text_beside: RwSignal<bool>,
    /// Width of the text beside the canvas, in CSS pixels.
    pub text_width: RwSignal<f64>,
    /// Whether all regions but the canvas are hidden, to present the design.
    pub presents: RwSignal<bool>,
    /// Whether the access patterns are shown as the coverage matrix.
    pub coverage: RwSignal<bool>,
    /// Whether the minimap is shown while cards are out of view.
    pub minimap: RwSignal<bool>,
    /// Whether the references between entities are drawn.
    pub references: RwSignal<bool>,
    /// Whether the heat is drawn on the canvas. A visit begins without.
    pub heat: RwSignal<bool>,
    /// Whether keys without Ctrl and Alt, such as E, run actions.
    pub letters: RwSignal<bool>,
}

impl PageState {
    /// The arrangement of the last visit, or the default.
    pub fn restored(store: Store) -> Self {
        let last: Arrangement = Local
            .get(KEY)
            .and_then(|text| serde_json::from_str(&text).ok())
            .unwrap_or_default();
        store.detail.set(last.detail);
        let page = PageState {
            tab: RwSignal::new(Tab::Items(IndexId::PRIMARY)),
            guide: RwSignal::new(None),
            pane: RwSignal::new(Pane::Canvas),
            theme: RwSignal::new(last.theme),
            rail: RwSignal::new(last.rail),
            panel: RwSignal::new(last.panel),
            panel_height: RwSignal::new(last.panel_height),
            rail_width: RwSignal::new(last.rail_width),
            inspector_width: RwSignal::new(last.inspector_width),
            text_beside: RwSignal::new(last.text_beside),
            text_width: RwSignal::new(last.text_width),
            presents: RwSignal::new(false),
            coverage: RwSignal::new(false),
            minimap: RwSignal::new(last.minimap),
            references: RwSignal::new(last.references),
            heat: RwSignal::new(false),
            letters: RwSignal::new(last.letters),
        };
        effect(move || {
            let arrangement = Arrangement {
                theme: page.theme.get(),
                rail: page.rail.get(),
                panel: page.panel.get(),
                panel_height: page.chosen_height(),
                rail_width: page.rail_width.get(),
                inspector_width: page.inspector_width.get(),
                text_beside: page.text_beside.get(),
                text_width: page.text_width.get(),
                detail: store.detail.get(),
                minimap: page.minimap.get(),
                references: page.references.get(),
                letters: page.letters.get(),
            };
            if let Ok(text) = serde_json::to_string(&arrangement) {
                // If storing fails, the next visit starts with the default.
                let _ = Local.set(KEY, &text);
            }
        });
        // What needs more height than rows gets it unless the user chose a height.
        effect(move || {
            let (usual, tall) = (Arrangement::default().panel_height, tall());
            let (from, to) = match page.tab.get().is_tall() {
                true => (usual, tall),
                false => (tall, usual),
            };
            if page.panel_height.get_untracked() == from {
                page.panel_height.set(to);
            }
        });
        // Going to another region ends the presentation.
        effect(move || {
            if page.pane.get() != Pane::Canvas && page.presents.get_untracked() {
                page.presents.set(false);
            }
        });
        store.when_moved(move |moved| follow_signal(page.tab, moved));
        theme::follow(page.theme);
        page
    }

    /// The height of the bottom panel that the user chose, not the one that access patterns and cost get by themselves: a
    /// visit begins with another tab.
    fn chosen_height(self) -> f64 {
        let height = self.panel_height.get();
        match self.tab.get_untracked().is_tall() && height == tall() {
            true => Arrangement::default().panel_height,
            false => height,
        }
    }

    /// Opens the bottom panel and shows this tab.
    pub fn show(self, tab: Tab) {
        self.tab.set(tab);
        self.panel.set(true);
        self.pane.set(Pane::Data);
    }

    /// Switches from system to light to dark to system.
    pub fn next_theme(self) {
        self.theme.update(|theme| *theme = theme.next());
    }
}

/// Whether the regions are tabs, as in `shell.css`.
pub fn is_small() -> bool {
    let query = "(max-width: 899px), (max-height: 499px) and (pointer: coarse)";
    let found = window().match_media(query).ok().flatten();
    found.is_some_and(|found| found.matches())
}

/// Half of the window's height, in CSS pixels, limited to the range for a panel.
fn tall() -> f64 {
    (window_size().1 / 2.0).round().clamp(300.0, 480.0)
}

/// The arrangement, from the context.
pub fn use_page() -> PageState {
    expect_context()
}
