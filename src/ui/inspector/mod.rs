//! The inspector: what is selected, with everything that can be said of it.

use leptos::prelude::*;

/// The inspector.
#[component]
pub fn Inspector() -> impl IntoView {
    view! { <aside class="inspector" aria-label="Inspector"></aside> }
}
