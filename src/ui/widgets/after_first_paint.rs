//! Content that is shown after the first paint of the cards.

use crate::ui::reactive::erased::{RwSignal, Show, memo};
use leptos::prelude::*;

/// Shows its content once the cards of the design that the page opens with are painted, and from then on always. It
/// reserves no space: its container must have a size of its own.
#[component]
pub fn AfterFirstPaint(
    /// Whether the cards of a large design are not painted yet.
    unpainted: RwSignal<bool>,
    /// Its content.
    children: ChildrenFn,
) -> impl IntoView {
    let is_there = memo(move |before| before == Some(&true) || !unpainted.get());
    view! { <Show when=move || is_there.get()>{children()}</Show> }
}
