//! The arrangement of the page: open regions, their sizes and the theme. Kept in local storage, separate from designs.

use super::store::Store;
use super::theme::{self, Theme};
use crate::platform::storage::Local;
use crate::ui::reactive::erased::{RwSignal, effect};
use keyfold_app::viewport::Detail;
use keyfold_app::workspace::Storage;
use keyfold_core::model::IndexId;
use leptos::prelude::*;
use serde::{Deserialize, Serialize};

const KEY: &str = "keyfold:desk";

/// What the bottom panel shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Tab {
    /// The sample items of the table or an index.
    Items(IndexId),
    /// The access patterns.
    AccessPatterns,
    /// The findings of the linter.
    Problems,
    /// The exports.
    Code,
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

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Arrangement {
    theme: Theme,
    rail: bool,
    panel: bool,
    panel_height: f64,
    inspector_width: f64,
    detail: Detail,
    minimap: bool,
}

impl Default for Arrangement {
    fn default() -> Self {
        Arrangement {
            theme: Theme::System,
            rail: true,
            panel: true,
            panel_height: 300.0,
            inspector_width: 340.0,
            detail: Detail::All,
            minimap: true,
        }
    }
}

/// The arrangement of the page. A handle: copying it costs nothing.
#[derive(Clone, Copy)]
pub struct PageState {
    /// What the bottom panel shows.
    pub tab: RwSignal<Tab>,
    /// The next step of the guided first design, counted from 0; `None` if the guide is not running.
    pub guide: RwSignal<Option<usize>>,
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
    /// Width of the inspector, in CSS pixels.
    pub inspector_width: RwSignal<f64>,
    /// Whether the minimap is shown while cards are out of view.
    pub minimap: RwSignal<bool>,
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
            inspector_width: RwSignal::new(last.inspector_width),
            minimap: RwSignal::new(last.minimap),
        };
        effect(move || {
            let arrangement = Arrangement {
                theme: page.theme.get(),
                rail: page.rail.get(),
                panel: page.panel.get(),
                panel_height: page.panel_height.get(),
                inspector_width: page.inspector_width.get(),
                detail: store.detail.get(),
                minimap: page.minimap.get(),
            };
            if let Ok(text) = serde_json::to_string(&arrangement) {
                // If storing fails, the next visit starts with the default.
                let _ = Local.set(KEY, &text);
            }
        });
        // A form and a proof need more height than rows. They get it unless the user chose a height.
        effect(move || {
            let (usual, tall) = (Arrangement::default().panel_height, tall());
            let (from, to) = match page.tab.get() {
                Tab::AccessPatterns => (usual, tall),
                _ => (tall, usual),
            };
            if page.panel_height.get_untracked() == from {
                page.panel_height.set(to);
            }
        });
        theme::follow(page.theme);
        page
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

/// Half of the window's height, in CSS pixels, limited to the range for a panel.
fn tall() -> f64 {
    let height = window()
        .inner_height()
        .ok()
        .and_then(|height| height.as_f64());
    (height.unwrap_or_default() / 2.0)
        .round()
        .clamp(300.0, 480.0)
}

/// The arrangement, from the context.
pub fn use_page() -> PageState {
    expect_context()
}
