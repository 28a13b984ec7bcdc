//! The colour theme of the page.

use crate::ui::reactive::erased::{RwSignal, effect};
use leptos::prelude::*;
use serde::{Deserialize, Serialize};

/// The colour theme.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Theme {
    /// As the system.
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

    /// The one that comes next: from system to light to dark and round again.
    pub fn next(self) -> Theme {
        match self {
            Theme::System => Theme::Light,
            Theme::Light => Theme::Dark,
            Theme::Dark => Theme::System,
        }
    }
}

/// Shows the page in the theme, and in each that it becomes.
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
