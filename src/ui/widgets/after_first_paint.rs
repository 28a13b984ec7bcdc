//! What comes after the cards.

use crate::ui::reactive::erased::{RwSignal, Show, memo};
use leptos::prelude::*;

/// Where the page opens with a large design, comes once its cards are painted; and stays, whatever is opened then. It
/// leaves no room free: what it is in has a size of its own.
#[component]
pub fn AfterFirstPaint(
    /// Whether the cards of a large design are not painted yet.
    unpainted: RwSignal<bool>,
    /// What comes.
    children: ChildrenFn,
) -> impl IntoView {
    let is_there = memo(move |before| before == Some(&true) || !unpainted.get());
    view! { <Show when=move || is_there.get()>{children()}</Show> }
}
