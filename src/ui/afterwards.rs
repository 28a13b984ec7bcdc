//! What comes after the cards.

use super::store::use_store;
use crate::ui::parts::erased::{Show, memo};
use leptos::prelude::*;

/// Where the page opens with a large design, comes once its cards are painted; and stays, whatever is opened then. It
/// leaves no room free: what it is in has a size of its own.
#[component]
pub fn Afterwards(
    /// What comes.
    children: ChildrenFn,
) -> impl IntoView {
    let store = use_store();
    let is_there = memo(move |before| before == Some(&true) || !store.unpainted.get());
    view! { <Show when=move || is_there.get()>{children()}</Show> }
}
