//! The color theme of the page.

use crate::ui::reactive::erased::{RwSignal, effect};
use leptos::prelude::*;
use serde::{Deserialize, Serialize};

/// The color theme.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Theme {
    /// The theme of the system.
    #[default]
    System,
    /// Light.
    Light,
    /// Dark.
    Dark,
}

impl Theme {
    /// Whether it is dark now.
    pub fn is_dark(self) -> bool {
        match self {
            Theme::Light => false,
            Theme::Dark => true,
            Theme::System => {
                let query = window().match_media("(prefers-color-scheme: dark)");
                query.ok().flatten().is_some_and(|query| query.matches())
            }
        }
    }

    /// The next theme: from system to light to dark to system.
    pub fn next(self) -> Theme {
        match self {
            Theme::System => Theme::Light,
            Theme::Light => Theme::Dark,
            Theme::Dark => Theme::System,
        }
    }
}

/// Applies the theme to the page, now and on each change.
pub fn follow(theme: RwSignal<Theme>) {
    effect(move || {
        let name = match theme.get() {
            Theme::System => "system",
            Theme::Light => "light",
            Theme::Dark => "dark",
        };
        if let Some(root) = document().document_element() {
            let _ = root.set_attribute("data-theme", name);
        }
    });
}
