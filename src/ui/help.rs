//! The list of shortcuts and gestures.

use super::dialogs::Dialog;
use super::keyboard::{GESTURES, SHORTCUTS};
use leptos::prelude::*;

/// The help dialog.
#[component]
pub fn HelpDialog(
    /// Whether it is open.
    open: RwSignal<bool>,
) -> impl IntoView {
    let row = |keys: &'static str, what: &'static str| {
        view! {
            <div class="shortcut">
                <dt>
                    {keys
                        .split(", ")
                        .map(|keys| view! { <kbd>{keys}</kbd> })
                        .collect_view()}
                </dt>
                <dd>{what}</dd>
            </div>
        }
    };
    view! {
        <Dialog open=open title="Keyboard and gestures">
            <dl class="shortcuts">
                {SHORTCUTS
                    .iter()
                    .filter(|shortcut| !shortcut.keys.is_empty())
                    .map(|shortcut| row(shortcut.keys, shortcut.what))
                    .collect_view()}
                {GESTURES.iter().map(|(keys, what)| row(keys, what)).collect_view()}
            </dl>
        </Dialog>
    }
}
